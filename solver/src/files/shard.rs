//! Shards: a *shard* is the groups in one file of a part. A process that does a *share* of a round computes one.

use std::ops::Range;

use crate::value::Value;

/// Half of the results of round n: the positions won in n plies, or those lost in n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum HalfRound {
    Wins(u32),
    Losses(u32),
}

impl HalfRound {
    /// Both halves of a round, in the order of [`HalfRound::index`].
    pub(crate) const fn both(round: u32) -> [HalfRound; 2] {
        [HalfRound::Wins(round), HalfRound::Losses(round)]
    }

    /// The number of the round.
    pub(crate) const fn round(self) -> u32 {
        let (HalfRound::Wins(round) | HalfRound::Losses(round)) = self;
        round
    }

    /// 0 for wins, 1 for losses.
    pub(crate) const fn index(self) -> usize {
        matches!(self, HalfRound::Losses(_)) as usize
    }

    /// The value of the positions in it.
    pub(crate) const fn value(self) -> Value {
        match self {
            HalfRound::Wins(round) => Value::Win(round),
            HalfRound::Losses(round) => Value::Lose(round),
        }
    }
}

/// The groups in one file of a part: a range of the part's groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// Its number, counted from 0.
    pub number: usize,
    /// The number of shards.
    pub of: usize,
}

impl Shard {
    /// All shards of a part that is cut into `of` of them.
    pub fn all(of: usize) -> impl Iterator<Item = Shard> {
        (0..of).map(move |number| Shard { number, of })
    }

    /// This shard's slice of `count` items.
    pub fn range(self, count: usize) -> Range<usize> {
        count * self.number / self.of..count * (self.number + 1) / self.of
    }

    /// The shard with the item at an index among `count`.
    pub(crate) fn with(index: usize, count: usize, of: usize) -> Shard {
        // The last shard that starts at this index or before, since `range` rounds down.
        Shard { number: ((index + 1) * of - 1) / count, of }
    }

    /// The name of its file.
    pub(crate) fn file_name(self, half: HalfRound) -> String {
        let outcome = ["wins", "losses"][half.index()];
        format!("{:04}-{outcome}-{}-of-{}.round", half.round(), self.number + 1, self.of)
    }
}
