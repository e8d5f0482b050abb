//! Looking ahead with the estimate at the leaves: alpha-beta with iterative deepening.
//!
//! It compares positions about which nothing is proved. Moves, table and limits are those of the proof search, and
//! whatever that has proved about a position is used instead of its estimate. A line does not end at a threat to win. A lookahead may see a win itself; as it
//! prunes, this counts as a good sign and not as a proof.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicI32, Ordering};

use rayon::prelude::*;

use super::{Model, SCALE};
use crate::rules::Outcome;
use crate::search::position::Position;
use crate::search::proof::{Role, Search, Stopped, Threads, key};
use crate::search::table::TableEntry;
use crate::value::Value;

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
    pub score: i32,
    /// Whether that is the score. If not, the action was found to be clearly worse than the best, and it is only an
    /// upper bound.
    pub is_exact: bool,
    /// The plies looked ahead, counting the action; the same for all actions that were compared.
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

/// The score of a value that is known.
fn score(value: Value) -> i32 {
    match value {
        Value::Win(plies) => WON - plies as i32,
        Value::Draw => 0,
        Value::Lose(plies) => plies as i32 - WON,
    }
}

impl Search {
    /// Estimates for the player who has just acted, in each of these positions: at most `plies` plies deep, counting
    /// that action, at most `positions` positions, and until the deadline. The first ply is always looked at; without
    /// any, not even what the opponent can do next is seen. On several threads, each may look at so many positions.
    pub fn compare(&mut self, after: &[Position], plies: u32, positions: u64, threads: Threads) -> Vec<Estimate> {
        let model = Model::embedded();
        let score = |position: &Position| match plies {
            0 => model.estimate(position),
            _ => self.leaf(position, model),
        };
        let first = |position: &Position| Estimate { score: before(score(position)), is_exact: true, plies: 1 };
        let mut estimates: Vec<Estimate> = after.iter().map(first).collect();
        self.stop_after(Some(positions));
        let mut order: Vec<usize> = (0..after.len()).collect();
        for plies in 2..=plies {
            order.sort_by_key(|&index| Reverse(estimates[index].score));
            // A single action, or one that seems decided, needs no further look.
            if order.len() < 2 || estimates[order[0]].score.abs() > SEEN {
                break;
            }
            let best = AtomicI32::new(-WON);
            let look = |search: &mut Search, &index: &usize| {
                let alpha = best.load(Ordering::Relaxed).saturating_sub(MARGIN).max(-WON);
                let score = before(search.look_ahead(&after[index], plies - 1, -WON, -alpha, model)?);
                best.fetch_max(score, Ordering::Relaxed);
                Ok::<_, Stopped>((index, Estimate { score, is_exact: score > alpha, plies }))
            };
            // The first one's score spares most of the work for the others.
            let deeper = look(self, &order[0]).and_then(|first| {
                let others: Vec<_> = match threads {
                    Threads::One => order[1..].iter().map(|index| look(self, index)).collect::<Result<_, _>>()?,
                    Threads::All => {
                        let others = order[1..].par_iter().map_init(|| self.clone(), look);
                        others.collect::<Result<_, _>>()?
                    }
                };
                Ok([vec![first], others].concat())
            });
            // Scores of different depths do not compare.
            let Ok(deeper) = deeper else { break };
            deeper.into_iter().for_each(|(index, estimate)| estimates[index] = estimate);
        }
        self.stop_after(None);
        estimates
    }

    /// The score of a position that is looked at no further.
    fn leaf(&self, position: &Position, model: &Model) -> i32 {
        match self.known(position) {
            Some(value) => score(value),
            None if position.surrounds_in_one(self.rules) => WON - 1,
            None => model.estimate(position),
        }
    }

    /// The score of a position at the end of a line. If the opponent threatens to win, it is that of the best answer, or
    /// of one that reaches `beta`: an estimate would not tell whether there is one.
    fn settled(&self, position: &Position, beta: i32, model: &Model) -> i32 {
        let score = self.leaf(position, model);
        if score > SEEN || !position.is_threatened(self.rules) || self.known(position).is_some() {
            return score;
        }
        let mut best = -WON;
        position.any_step(self.rules, |step| {
            best = best.max(match step.outcome {
                Outcome::Open => before(self.leaf(&position.after(step), model)),
                Outcome::Won => WON - 1,
                Outcome::Drawn => 0,
                Outcome::Lost => 1 - WON,
            });
            best >= beta
        });
        best
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
            return Ok(self.settled(position, beta, model));
        }
        if position.surrounds_in_one(self.rules) {
            return Ok(WON - 1);
        }
        if let Some(value) = self.known(position) {
            return Ok(score(value));
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
