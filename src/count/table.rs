//! The refutation table of a boss placement: the condition for each of the mover's actions to be available,
//! and what refutes it.
//!
//! An action of the mover changes which cells are occupied, and perhaps the cell of the mover's boss. Whether
//! the opponent then has a winning answer depends on that and on which *opposing* dove stands where, never on
//! the kinds of the mover's doves. So every action falls into one of three classes, for all assignments at
//! once:
//! - *self-losing*: it imposes no constraint;
//! - *winning* or *drawing*: the position is not a mate, which makes a clause without refuters;
//! - any other: it makes a *clause*, because in a mate the opponent has an answer that refutes it. These answers may
//!   refute, judged on the board after both actions:
//!
//! - (a) a move of the opposing boss: the clause then always holds and is left out;
//! - (b) a move of an opposing dove of some kind from some slot;
//! - (c) a put. It is never on a side of the mover's boss, so it can only build walls. It needs a dove in the
//!   opponent's hand and, among the put cell's 8 neighbours, the opposing boss or an opposing dove of any kind.
//!
//! (d) A return never refutes, because it only removes doves and walls.
//!
//! A boss move is always available. A return or a move from a slot is available if a dove of the mover stands
//! there; a move also needs a kind that reaches the cell. A put on a cell is available if the mover has a
//! dove in hand and, among the cell's 8 neighbours, its boss or another of its doves. Actions of one group
//! (see [`Table::group`]) that leave the same cells occupied share a clause.
//!
//! The twin of this file is `shaders/table.wgsl`.

use super::Category;
use super::clause::{Actors, BOSS_GROUP, Clause, GROUPS, Refuters};
use super::demands::{Demand, gather};
use super::scene::Scene;
use crate::rules::{Outcome, Rules};
use crate::shapes::BossPlacement;

/// The table that decides every assignment of a boss placement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The number of slots.
    pub slots: u32,
    clauses: Vec<Clause>,
    /// The end of each group in `clauses`.
    ends: [usize; GROUPS],
    /// For each group, the doves that can act without losing outright.
    pub safe: [Actors; GROUPS],
    /// For each group, the doves that can act and win at once.
    pub wins: [Actors; GROUPS],
    demands: Vec<Demand>,
}

impl Table {
    /// Fills the table for a boss placement: the whole table, or only the part that decides a category. Reuses its
    /// memory. Wins in one and stuck positions depend on the mover's actions alone and need no clauses. If the
    /// category is mates and some boss move has no refuter, there are no mates, and the later groups stay empty.
    pub(crate) fn build(&mut self, category: Option<Category>, placement: &BossPlacement, rules: Rules) {
        let needs_answers = matches!(category, None | Some(Category::Mates));
        let scene = Scene::of(placement, rules);
        self.clauses.clear();
        self.slots = scene.slots;
        self.safe = [Actors::default(); GROUPS];
        self.wins = [Actors::default(); GROUPS];
        for group in 0..GROUPS {
            scene.actions(group, |action| {
                let outcome = scene.outcome(&action);
                if outcome == Outcome::Lost {
                    return;
                }
                self.safe[group].0 |= action.actors.0;
                if outcome == Outcome::Won {
                    self.wins[group].0 |= action.actors.0;
                }
                if !needs_answers {
                    return;
                }
                let refuters = match outcome {
                    Outcome::Open => scene.refuters(&action),
                    _ => Some(Refuters::NONE),
                };
                self.clauses.extend(refuters.map(|refuters| Clause { actors: action.actors, refuters }));
            });
            self.ends[group] = self.clauses.len();
            let boss_escapes = |clause: &Clause| clause.refuters == Refuters::NONE;
            if category.is_some() && group == BOSS_GROUP && self.group(BOSS_GROUP).iter().any(boss_escapes) {
                self.ends = [self.clauses.len(); GROUPS];
                break;
            }
        }
        let mut demands = std::mem::take(&mut self.demands);
        gather(&mut demands, |group| self.group(group));
        self.demands = demands;
    }

    /// The clauses, grouped by what refutes them.
    pub(crate) fn demands(&self) -> &[Demand] {
        &self.demands
    }

    /// The clauses of a group: [`BOSS_GROUP`], the group of a slot (see
    /// [`slot_group`](super::clause::slot_group)), or [`PUT_GROUP`](super::clause::PUT_GROUP).
    pub(crate) fn group(&self, group: usize) -> &[Clause] {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        &self.clauses[start..self.ends[group]]
    }
}
