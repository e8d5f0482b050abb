//! The proof and disproof numbers of a position, seen by the player to move, and how they follow from those
//! of its successors.
//!
//! In this form, which Nagai calls φ and δ, both players compute alike, as in negamax: the successors'
//! numbers are those of the opponent, so what is φ for one is δ for the other.

/// A number of positions that must still be decided.
pub(crate) type Number = u32;

/// The goal is out of reach: the opposite is certain.
pub(crate) const INFINITY: Number = u32::MAX;

/// How much is left to decide before the player to move reaches their goal, or misses it. The attacker's goal
/// is to win in time, the defender's that the attacker does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Minimum number of positions that would have to be decided for the player to move to reach the goal.
    pub phi: Number,
    /// Minimum number of positions that would have to be decided for the player to move to miss it.
    pub delta: Number,
}

impl Numbers {
    /// The player to move reaches the goal.
    pub(crate) const REACHED: Numbers = Numbers { phi: 0, delta: INFINITY };
    /// The player to move misses the goal.
    pub(crate) const MISSED: Numbers = Numbers { phi: INFINITY, delta: 0 };

    /// The numbers of a decided position.
    pub(crate) const fn decided(is_reached: bool) -> Numbers {
        if is_reached { Numbers::REACHED } else { Numbers::MISSED }
    }

    /// Whether the position is decided.
    pub(crate) const fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// The numbers of a position whose successors have these: one of them is enough to reach the goal, but all
    /// must be decided to miss it.
    pub(crate) fn combined(successors: impl Iterator<Item = Numbers>) -> Numbers {
        let mut combined = Numbers { phi: INFINITY, delta: 0 };
        for successor in successors {
            combined.phi = combined.phi.min(successor.delta);
            combined.delta = sum(combined.delta, successor.phi);
        }
        combined
    }

    /// The thresholds for searching a successor, from the thresholds and numbers of the position, the successor's own
    /// numbers, and the second least δ among all successors.
    pub(crate) fn thresholds_below(
        thresholds: Numbers,
        position: Numbers,
        successor: Numbers,
        second: Number,
    ) -> Numbers {
        // A little more than the second best, so that the search does not switch back and forth between the
        // two.
        let margin = second.saturating_add(1 + second / 4);
        let phi = match thresholds.delta {
            INFINITY => INFINITY,
            delta => delta - position.delta + successor.phi,
        };
        Numbers { phi, delta: thresholds.phi.min(margin) }
    }
}

/// The sum of two numbers; [`INFINITY`] only if one of them is.
fn sum(one: Number, other: Number) -> Number {
    if one == INFINITY || other == INFINITY {
        return INFINITY;
    }
    one.saturating_add(other).min(INFINITY - 1)
}

/// The index of the successor with the least δ, which the player to move tries next, and the second least δ.
pub(crate) fn two_least(deltas: impl Iterator<Item = Number>) -> (usize, Number) {
    let (mut best, mut least, mut second) = (0, INFINITY, INFINITY);
    for (index, delta) in deltas.enumerate() {
        if delta < least {
            second = least;
            (best, least) = (index, delta);
        } else {
            second = second.min(delta);
        }
    }
    (best, second)
}
