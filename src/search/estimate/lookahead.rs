//! Looking ahead with the estimate at the leaves: alpha-beta with iterative deepening.
//!
//! It compares positions about which nothing is proved. Moves, table and limits are those of the proof search, and a
//! win or loss that is proved or looked up is used instead of an estimate. A known draw is not: near the start there is
//! nearly always a way back to one, and if all of these counted the same, no action would look better than another.
//!
//! An action is first tested for being better than the best so far (principal variation search); those far back in the
//! order are tested less deep (late move reductions). A line does not end at a threat to win. A lookahead may see a win
//! itself; as it prunes, this counts as a good sign and not as a proof.

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
const MARGIN: i32 = SCALE / 4;
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
    /// The plies looked ahead, counting the action; the same for all actions that were compared, or one less for those
    /// that were to be looked at when the time was up.
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

/// By how many plies less an action is tested, by its place in the order and the plies left; `None` for no test.
const fn reduction(place: usize, plies: u32) -> Option<u32> {
    match (place, plies) {
        (0, _) | (_, 1) => None,
        (_, 2) | (..4, _) => Some(0),
        (_, 3) | (..12, _) => Some(1),
        _ => Some(2),
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
                let alpha = best.load(Ordering::Relaxed).saturating_sub(MARGIN);
                let tested = (index != order[0]).then_some(0);
                let score = search.look_within(&after[index], plies, [alpha, WON], tested, model)?;
                best.fetch_max(score, Ordering::Relaxed);
                Ok::<_, Stopped>(Estimate { score, is_exact: score > alpha, plies })
            };
            // The first one's score spares most of the work for the others.
            let Ok(first) = look(self, &order[0]) else { break };
            let others: Vec<_> = match threads {
                Threads::One => order[1..].iter().map(|index| look(self, index)).collect(),
                Threads::All => order[1..].par_iter().map_init(|| self.clone(), look).collect(),
            };
            let is_stopped = others.contains(&Err(Stopped));
            for (&index, deeper) in order.iter().zip(std::iter::once(Ok(first)).chain(others)) {
                estimates[index] = deeper.unwrap_or(estimates[index]);
            }
            if is_stopped {
                break;
            }
        }
        self.stop_after(None);
        estimates
    }

    /// The score of a position whose win or loss can be looked up.
    fn known_score(&self, position: &Position) -> Option<i32> {
        match self.known(position)? {
            Value::Win(plies) => Some(WON - plies as i32),
            Value::Draw => None,
            Value::Lose(plies) => Some(plies as i32 - WON),
        }
    }

    /// The score of a position that is looked at no further.
    fn leaf(&self, position: &Position, model: &Model) -> i32 {
        self.known_score(position).unwrap_or_else(|| match position.surrounds_in_one(self.rules) {
            true => WON - 1,
            false => model.estimate(position),
        })
    }

    /// The score of a position at the end of a line. If the opponent threatens to win, it is that of the best answer, or
    /// of one that reaches `beta`: an estimate would not tell whether there is one.
    fn settled(&self, position: &Position, beta: i32, model: &Model) -> i32 {
        let score = self.leaf(position, model);
        if score.abs() > SEEN || !position.is_threatened(self.rules) {
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

    /// The score of an action that leads to this position, `plies` plies deep, if it is in a window; otherwise a bound on
    /// it outside. It may first be tested for being above the window, by so many plies less, then at full depth.
    fn look_within(
        &mut self,
        after: &Position,
        plies: u32,
        [alpha, beta]: [i32; 2],
        tested: Option<u32>,
        model: &Model,
    ) -> Result<i32, Stopped> {
        // Windows are a little wider, as scores of wins change by one from ply to ply.
        let mut look = |plies: u32, beta: i32| {
            let below = (-beta).saturating_sub(1).max(-WON);
            Ok::<_, Stopped>(before(self.look_ahead(after, plies - 1, below, 1 - alpha, model)?))
        };
        if let Some(reduced) = tested {
            if reduced > 0 {
                let score = look(plies - reduced, alpha + 1)?;
                if score <= alpha {
                    return Ok(score);
                }
            }
            let score = look(plies, alpha + 1)?;
            if score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        look(plies, beta)
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
        if let Some(score) = self.known_score(position) {
            return Ok(score);
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
        for (place, (_, child)) in children.iter().enumerate() {
            if best >= beta {
                break;
            }
            let tested = reduction(place, plies);
            best = best.max(self.look_within(child, plies, [best.max(alpha), beta], tested, model)?);
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
    (is_enough && u32::from(entry.plies) >= plies).then_some(score)
}
