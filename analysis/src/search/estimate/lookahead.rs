//! Looking ahead with the estimate at the leaves: alpha-beta with iterative deepening.
//!
//! It compares unproved positions. Moves, table and limits are those of the proof search, and a win or loss that is
//! proved or in the tablebase is used instead of an estimate. A known draw is not: near the start there is nearly
//! always a way back to one, and if all of these counted the same, no action would look better than another.
//!
//! An action is first tested for being better than the best so far (principal variation search), late actions at less
//! depth (late move reductions). With few plies left, a position whose estimate is far above beta is not searched
//! (reverse futility pruning). A line does not end at a threat to win (quiescence). A lookahead may see a win itself;
//! because it prunes, this counts as a good sign and not as a proof.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicI32, Ordering};

use rayon::prelude::*;

use super::{Model, SCALE};
use crate::search::budget::{Stopped, Threads};
use crate::search::position::Position;
use crate::search::proof::{Role, Search};
use crate::search::table::{Score, ScoreBound};
use dovemate::rules::Outcome;
use dovemate_solver::Value;

/// The score of a player who has won; each ply on the way takes 1 off.
const WON: i32 = 1 << 24;
/// Scores above this are wins, scores below its negative losses.
const DECIDED: i32 = WON - 1_000;
/// Positions within this margin of the best are compared exactly, others only found to be worse.
const EXACT_MARGIN: i32 = SCALE / 4;

/// With at most this many plies left, a test does not search a position without a threat if its estimate is above beta
/// by [`FUTILITY_MARGIN`] for each of these plies.
const FUTILITY_PLIES: u32 = 4;
/// See [`FUTILITY_PLIES`]. In 200 games at 10 ms an action, the search with this pruning scored 112 (a draw counts ½)
/// against the search without it.
const FUTILITY_MARGIN: i32 = 700;

/// An unproved estimate of an action.
///
/// The greater of two estimates is the one to suggest: one that is exact before one that is a bound, then the one that
/// looks further, then the one with the better score. If the score of the leading action drops in the last iteration
/// and time runs out before the other actions are searched again, their scores say little: they are bounds, or one ply
/// less deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Estimate {
    /// Whether the score is exact. If not, the action was found to be clearly worse than the best, and the
    /// score is only an upper bound.
    pub is_exact: bool,
    /// The plies looked ahead, counting the action; the same for all actions that were compared, or one less
    /// for those that were left when the time was up.
    pub plies: u32,
    /// How good it looks to the player who takes it: the logit of the points expected, in units of 1 ÷ 1,024.
    pub score: i32,
}

impl Estimate {
    /// The points expected, in thousandths: from 10 to 990, because nothing unproved is shown as 0 or 100 %.
    /// For display only.
    pub fn per_mille(self) -> u32 {
        let logit = f64::from(self.score) / f64::from(SCALE);
        (1000.0 / (1.0 + (-logit).exp())).round().clamp(10.0, 990.0) as u32
    }
}

/// The scores between which the exact one is of interest.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    /// The window of a position for the other player, one action later; a little wider, because scores of
    /// wins change by one from ply to ply.
    fn below(self) -> Window {
        Window { alpha: (-self.beta).saturating_sub(1).max(-WON), beta: 1 - self.alpha }
    }

    /// Whether this is a null window, which only asks on which side a score lies. [`Window::below`] widens one by 2 at
    /// each ply.
    fn is_null(self) -> bool {
        self.beta - self.alpha < 2 * Search::LONGEST as i32
    }
}

impl Score {
    /// The score, if it replaces a lookahead of this depth: it is deep enough, and exact or outside the window.
    fn cutoff(self, plies: u32, window: Window) -> Option<i32> {
        let Score { score, bound, plies: stored } = self;
        let is_enough = match bound {
            ScoreBound::Exact => true,
            ScoreBound::AtLeast => score >= window.beta,
            ScoreBound::AtMost => score <= window.alpha,
        };
        (is_enough && u32::from(stored) >= plies).then_some(score)
    }
}

/// The score of an action, from that of the position it leads to.
const fn before(score: i32) -> i32 {
    match -score {
        score if score > DECIDED => score - 1,
        score if score < -DECIDED => score + 1,
        score => score,
    }
}

/// The plies by which the test of an action is reduced, given its number in the order and the plies left; `None` for no
/// test. As a rule the best action is among the first four. An action that passes the test is searched to the full
/// depth, so too large a reduction costs time twice and, where the test misses a good action, strength.
const fn reduction(number: usize, plies: u32) -> Option<u32> {
    match (number, plies) {
        (0, _) | (_, 1) => None,
        (_, 2) | (..4, _) => Some(0),
        (_, 3) | (..12, _) => Some(1),
        _ => Some(2),
    }
}

impl Search {
    /// Estimates for the player who has just acted, in each of these positions: at most `plies` plies deep, counting
    /// that action, and within the limits. Those that are `drawn` count as draws. The first ply takes no search and
    /// ignores the limits: it is the static score after the action, by the tablebase, a win in one for the opponent, or
    /// the estimate. At 0 plies, it is the estimate alone. On several threads, each may visit as many positions as the
    /// limit allows.
    ///
    /// # Panics
    /// If `drawn` has fewer entries than `after`.
    pub fn compare(
        &mut self,
        after: &[Position],
        drawn: &[bool],
        plies: u32,
        threads: Threads,
    ) -> Vec<Estimate> {
        let score = |index: usize| match plies {
            _ if drawn[index] => 0,
            0 => before(self.estimate(&after[index])),
            _ => before(self.static_score(&after[index])),
        };
        let mut estimates: Vec<Estimate> = (0..after.len())
            .map(|index| Estimate { is_exact: true, plies: 1, score: score(index) })
            .collect();
        let mut order: Vec<usize> = (0..after.len()).collect();
        for plies in 2..=plies {
            order.sort_by_key(|&index| Reverse(estimates[index]));
            // A single action, or one that seems decided, needs no deeper search.
            if order.len() < 2 || estimates[order[0]].score.abs() > DECIDED {
                break;
            }
            let deeper = self.compare_at(plies, after, drawn, &order, threads);
            for (&index, estimate) in order.iter().zip(&deeper) {
                estimates[index] = estimate.unwrap_or(estimates[index]);
            }
            if deeper.contains(&Err(Stopped)) {
                break;
            }
        }
        estimates
    }

    /// Estimates at this depth for positions in this order; `Stopped` for those not reached within the limits. If the
    /// first is not reached, there is no other entry.
    fn compare_at(
        &mut self,
        plies: u32,
        after: &[Position],
        drawn: &[bool],
        order: &[usize],
        threads: Threads,
    ) -> Vec<Result<Estimate, Stopped>> {
        let best = AtomicI32::new(-WON);
        let estimate = |search: &mut Search, index: usize, tested: Option<u32>| {
            let alpha = best.load(Ordering::Relaxed).saturating_sub(EXACT_MARGIN);
            let window = Window { alpha, beta: WON };
            let score = match drawn[index] {
                true => 0,
                false => search.score_action(&after[index], plies, window, tested)?,
            };
            best.fetch_max(score, Ordering::Relaxed);
            Ok(Estimate { is_exact: score > alpha, plies, score })
        };
        // The first score saves most of the work on the others.
        let first = estimate(self, order[0], None);
        if first.is_err() {
            return vec![first];
        }
        let others = &order[1..];
        let mut estimates = vec![first];
        match threads {
            Threads::One => estimates.extend(others.iter().map(|&index| estimate(self, index, Some(0)))),
            Threads::All => {
                let estimates_of_others = others
                    .par_iter()
                    .map_init(|| self.clone(), |search, &index| estimate(search, index, Some(0)));
                estimates.par_extend(estimates_of_others);
            }
        }
        estimates
    }

    /// The score of a position whose win or loss the tablebase has.
    fn probe_score(&self, position: &Position) -> Option<i32> {
        match self.probe(position)? {
            Value::Win(plies) => Some(WON - plies as i32),
            Value::Draw => None,
            Value::Lose(plies) => Some(plies as i32 - WON),
        }
    }

    /// The score of a position whose win or loss is proved.
    fn proved_score(&self, position: &Position) -> Option<i32> {
        let win = self.bound(position, Role::Attacker).map(|plies| WON - plies as i32);
        win.or_else(|| self.bound(position, Role::Defender).map(|plies| plies as i32 - WON))
    }

    /// The estimate of a position, on which no boss is surrounded.
    fn estimate(&self, position: &Position) -> i32 {
        Model::embedded().estimate(position, self.rules)
    }

    /// The score of a position without a search.
    fn static_score(&self, position: &Position) -> i32 {
        if let Some(score) = self.probe_score(position) {
            return score;
        }
        if position.surrounds_in_one(self.rules) { WON - 1 } else { self.estimate(position) }
    }

    /// The score of a position at the end of a line. If the opponent threatens to win, it is that of the best answer,
    /// or of one that reaches `beta`, because an estimate does not show whether there is an answer.
    fn quiescence(&self, position: &Position, beta: i32) -> i32 {
        let score = self.static_score(position);
        if score.abs() > DECIDED || !position.is_threatened(self.rules) {
            return score;
        }
        let mut best = -WON;
        position.any_step(self.rules, |step| {
            let score = match step.outcome {
                Outcome::Open => before(self.static_score(&position.after(step))),
                Outcome::Won => WON - 1,
                Outcome::Drawn => 0,
                Outcome::Lost => 1 - WON,
            };
            best = best.max(score);
            best >= beta
        });
        best
    }

    /// The score of an action that leads to this position, `plies` plies deep, if it is in a window; otherwise a bound
    /// on it that is outside the window. With `tested`, the action is first tested against alpha: at a depth reduced by
    /// this many plies, then at full depth.
    fn score_action(
        &mut self,
        after: &Position,
        plies: u32,
        window: Window,
        tested: Option<u32>,
    ) -> Result<i32, Stopped> {
        let Window { alpha, beta } = window;
        if let Some(reduced) = tested {
            let test = Window { alpha, beta: alpha + 1 }.below();
            if reduced > 0 {
                let score = before(self.alpha_beta(after, plies - reduced - 1, test)?);
                if score <= alpha {
                    return Ok(score);
                }
            }
            let score = before(self.alpha_beta(after, plies - 1, test)?);
            if score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        Ok(before(self.alpha_beta(after, plies - 1, window.below())?))
    }

    /// The score of a position for the player to move, `plies` plies deep, if it is in the window; otherwise a bound on
    /// it that is outside the window.
    fn alpha_beta(&mut self, position: &Position, plies: u32, window: Window) -> Result<i32, Stopped> {
        self.meter.count()?;
        let Window { alpha, beta } = window;
        if plies == 0 {
            return Ok(self.quiescence(position, beta));
        }
        if position.surrounds_in_one(self.rules) {
            return Ok(WON - 1);
        }
        if let Some(score) = self.probe_score(position).or_else(|| self.proved_score(position)) {
            return Ok(score);
        }
        let stored = self.table.score(position.key());
        if let Some(score) = stored.and_then(|stored| stored.cutoff(plies, window)) {
            return Ok(score);
        }
        if plies <= FUTILITY_PLIES && beta.abs() < DECIDED && window.is_null() {
            let score = self.estimate(position);
            if score - FUTILITY_MARGIN * plies as i32 >= beta && !position.is_threatened(self.rules) {
                return Ok(score);
            }
        }
        let (mut best, children) = self.ordered_children(position, plies);
        for (number, child) in children.iter().enumerate() {
            if best >= beta {
                break;
            }
            let window = Window { alpha: best.max(alpha), beta };
            let score = self.score_action(child, plies, window, reduction(number, plies))?;
            best = best.max(score);
        }
        let bound = match best {
            best if best >= beta => ScoreBound::AtLeast,
            best if best <= alpha => ScoreBound::AtMost,
            _ => ScoreBound::Exact,
        };
        self.table.put_score(position.key(), Score { score: best, bound, plies: plies as u8 });
        Ok(best)
    }

    /// The best score of the actions that end the game, and the positions after the others, the worst for the opponent
    /// first if the search goes deeper.
    fn ordered_children(&self, position: &Position, plies: u32) -> (i32, Vec<Position>) {
        // A player without an action has lost.
        let mut best = -WON;
        let mut children = Vec::new();
        position.any_step(self.rules, |step| {
            match step.outcome {
                Outcome::Open => children.push(position.after(step)),
                Outcome::Won => best = WON - 1,
                Outcome::Drawn => best = best.max(0),
                Outcome::Lost => best = best.max(1 - WON),
            }
            false
        });
        if plies > 1 {
            children.sort_by_cached_key(|child| match self.table.score(child.key()) {
                Some(stored) => stored.score,
                None => self.static_score(child),
            });
        }
        (best, children)
    }
}
