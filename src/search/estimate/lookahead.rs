//! Looking ahead with the estimate at the leaves: alpha-beta with iterative deepening.
//!
//! It compares positions about which nothing is proved. Moves, table and limits are those of the proof search, and
//! whatever that has proved about a position is used instead of its estimate. A lookahead may see a win itself; as it
//! prunes, this counts as a good sign and not as a proof.

use std::cmp::Reverse;

use super::{Model, SCALE};
use crate::rules::Outcome;
use crate::search::position::Position;
use crate::search::proof::{Role, Search, Stopped, key};
use crate::search::table::TableEntry;

/// The score of a player who has won; one less for each ply on the way.
const WON: i32 = 1 << 24;
/// Scores beyond this are wins, and losses below its negative.
const SEEN: i32 = WON - 1_000;
/// Positions within this much of the best are compared exactly, others only found to be worse.
const MARGIN: i32 = SCALE / 2;
/// The bit of a key that marks the entries of lookahead.
const LOOKAHEAD: u64 = 1 << 62;

/// How a score in the table relates to the exact one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScoreBound {
    Exact = 1,
    AtLeast = 2,
    AtMost = 3,
}

/// What is suggested about an action and not proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// How good it looks to the player who takes it: the logit of the points expected, in units of 1 ÷ [`SCALE`].
    /// Among actions that were compared, one that is clearly worse than the best has only an upper bound.
    pub score: i32,
    /// The plies looked ahead, counting the action.
    pub plies: u32,
}

impl Estimate {
    /// The points expected, in thousandths: 0 for a loss, 1,000 for a win. For display only.
    pub fn per_mille(self) -> u32 {
        let logit = f64::from(self.score) / f64::from(SCALE);
        // Nothing unproved is shown as certain.
        (1000.0 / (1.0 + (-logit).exp())).round().clamp(1.0, 999.0) as u32
    }
}

/// The score of an action, from that of the position it leads to.
const fn before(score: i32) -> i32 {
    match -score {
        score if score > SEEN => score - 1,
        score if score < -SEEN => score + 1,
        score => score,
    }
}

impl Search {
    /// Estimates for the player who has just acted, in each of these positions: at most `plies` plies deep, counting
    /// that action, at most `positions` positions, and until the deadline. The first ply is always looked at.
    pub fn compare(&mut self, after: &[Position], plies: u32, positions: u64) -> Vec<Estimate> {
        let model = Model::embedded();
        let first = |position: &Position| Estimate { score: before(self.leaf(position, model)), plies: 1 };
        let mut estimates: Vec<Estimate> = after.iter().map(first).collect();
        self.stop_after(Some(positions));
        let mut order: Vec<usize> = (0..after.len()).collect();
        'deeper: for plies in 2..=plies {
            order.sort_by_key(|&index| Reverse(estimates[index].score));
            // A single action, or one that seems decided, needs no further look.
            if order.len() < 2 || estimates[order[0]].score.abs() > SEEN {
                break;
            }
            let mut best = -WON;
            for &index in &order {
                let alpha = best.saturating_sub(MARGIN).max(-WON);
                match self.look_ahead(&after[index], plies - 1, -WON, -alpha, model) {
                    Ok(score) => {
                        let score = before(score);
                        best = best.max(score);
                        estimates[index] = Estimate { score, plies };
                    }
                    Err(Stopped) => break 'deeper,
                }
            }
        }
        self.stop_after(None);
        estimates
    }

    /// The score of a position that is looked at no further.
    fn leaf(&self, position: &Position, model: &Model) -> i32 {
        if position.surrounds_in_one(self.rules) { WON - 1 } else { model.estimate(position) }
    }

    /// The score of a position for the player to move, `plies` plies deep, if it is between `alpha` and `beta`;
    /// otherwise a bound on it outside this window.
    fn look_ahead(
        &mut self,
        position: &Position,
        plies: u32,
        alpha: i32,
        beta: i32,
        model: &Model,
    ) -> Result<i32, Stopped> {
        self.look()?;
        if plies == 0 {
            return Ok(self.leaf(position, model));
        }
        if position.surrounds_in_one(self.rules) {
            return Ok(WON - 1);
        }
        let proved = |role| i32::from(self.table.get(key(position, role)).won);
        match (proved(Role::Attacker), proved(Role::Defender)) {
            (0, 0) => {}
            (0, plies) => return Ok(plies - WON),
            (plies, _) => return Ok(WON - plies),
        }
        let mut entry = self.table.get(position.key() | LOOKAHEAD);
        if let Some(score) = stored(&entry, plies, alpha, beta) {
            return Ok(score);
        }
        // A player without an action has lost.
        let mut best = -WON;
        let mut children = Vec::new();
        let rules = self.rules;
        position.any_step(rules, |step| {
            match step.outcome {
                Outcome::Open => children.push((0, position.after(step))),
                Outcome::Won => best = WON - 1,
                Outcome::Drawn => best = best.max(0),
                Outcome::Lost => best = best.max(1 - WON),
            }
            false
        });
        if plies > 1 {
            // What looks worst to the opponent comes first.
            for (score, child) in &mut children {
                let entry = self.table.get(child.key() | LOOKAHEAD);
                *score = if entry.plies > 0 { entry.proof as i32 } else { self.leaf(child, model) };
            }
            children.sort_by_key(|(score, _)| *score);
        }
        for (_, child) in &children {
            if best >= beta {
                break;
            }
            // The window is a little wider, as scores of wins change by one from ply to ply.
            let (below, above) = ((-beta).saturating_sub(1), 1 - best.max(alpha));
            best = best.max(before(self.look_ahead(child, plies - 1, below, above, model)?));
        }
        let bound = match best {
            best if best >= beta => ScoreBound::AtLeast,
            best if best <= alpha => ScoreBound::AtMost,
            _ => ScoreBound::Exact,
        };
        entry.plies = plies as u8;
        entry.proof = best as u32;
        entry.disproof = bound as u32;
        self.table.put(entry);
        Ok(best)
    }
}

/// The score that an entry gives for a search this deep, if it is exact or beyond the window. In entries of lookahead
/// `proof` is the score and `disproof` the [`ScoreBound`].
fn stored(entry: &TableEntry, plies: u32, alpha: i32, beta: i32) -> Option<i32> {
    let score = entry.proof as i32;
    let is_enough = match entry.disproof {
        bound if bound == ScoreBound::Exact as u32 => true,
        bound if bound == ScoreBound::AtLeast as u32 => score >= beta,
        bound if bound == ScoreBound::AtMost as u32 => score <= alpha,
        _ => false,
    };
    (is_enough && u32::from(entry.plies) == plies).then_some(score)
}
