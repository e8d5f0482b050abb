//! The reasons for a position's verdict, as data: every legal action of the mover with its effect.
//!
//! An action that leaves the game open is *refuted* if the opponent has an answer that surrounds the mover's
//! boss and wins. A position is a mate exactly if no action wins or draws at once, at least one does not lose
//! outright, and all of those are refuted. So the reasons are a complete proof of the verdict, two actions
//! deep, that a person can follow.
//!
//! It uses [`crate::rules`] and, for the verdict, the literal reference: no table and no prune.

use crate::count::{Verdict, reference};
use crate::rules::{Action, Board, Color, Kind, Outcome, Rules};

/// A position with its verdict and the reasons for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Explanation {
    /// The board.
    pub board: Board,
    /// The player to move.
    pub mover: Color,
    /// The verdict.
    pub verdict: Verdict,
    /// Every legal action of the mover, in the order of [`Board::legal_actions`]; none if a boss is already
    /// surrounded.
    pub reasons: Vec<Reason>,
}

/// An action of the mover and its effect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reason {
    /// The action.
    pub action: Action,
    /// The board after it.
    pub after: Board,
    /// Its effect.
    pub effect: Effect,
}

/// The effect of an action of the mover.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It surrounds the opposing boss and wins at once.
    Wins,
    /// It surrounds both bosses, and the ruling is a draw.
    Draws,
    /// It loses outright.
    Loses,
    /// The opponent has answers that win at once. There is at least one; the first is the one to show.
    Refuted(Vec<Answer>),
    /// The opponent has no answer that wins at once.
    Escapes,
}

/// An answer of the opponent that wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// The opponent's action.
    pub action: Action,
    /// The board after it, on which the mover's boss is surrounded.
    pub after: Board,
}

/// A group of actions that are shown together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// The moves of the mover's boss.
    BossMoves,
    /// The moves of another kind.
    Moves(Kind),
    /// The puts.
    Puts,
    /// The returns.
    Returns,
}

impl Group {
    /// All groups in reading order: the boss, the other doves, puts, returns.
    pub fn all() -> impl Iterator<Item = Group> {
        let moves = Kind::OTHERS.into_iter().map(Group::Moves);
        std::iter::once(Group::BossMoves).chain(moves).chain([Group::Puts, Group::Returns])
    }

    /// The group of an action.
    pub const fn of(action: Action) -> Group {
        match action {
            Action::Put { .. } => Group::Puts,
            Action::Return { .. } => Group::Returns,
            Action::Move { dove, .. } => match dove.kind {
                Kind::Boss => Group::BossMoves,
                kind => Group::Moves(kind),
            },
        }
    }
}

impl Explanation {
    /// Examines every action of the mover and every answer of the opponent.
    pub fn of(board: &Board, mover: Color, rules: Rules) -> Explanation {
        let reasons = board.legal_actions(mover, rules).map(|(action, after)| {
            let effect = effect(&after, mover, rules);
            Reason { action, after, effect }
        });
        let reasons = reasons.collect();
        // The verdict is computed by the reference, so that the reasons can be checked against it.
        Explanation { verdict: reference::verdict(board, mover, rules), board: board.clone(), mover, reasons }
    }

    /// The actions whose effect has this property, in order.
    pub fn actions(&self, property: impl Fn(&Effect) -> bool) -> impl Iterator<Item = &Reason> {
        self.reasons.iter().filter(move |reason| property(&reason.effect))
    }

    /// The actions of a group, in order.
    pub fn group(&self, group: Group) -> impl Iterator<Item = &Reason> {
        self.reasons.iter().filter(move |reason| Group::of(reason.action) == group)
    }
}

/// The effect of an action of the mover that leads to this board.
fn effect(after: &Board, mover: Color, rules: Rules) -> Effect {
    match rules.outcome_of(after, mover) {
        Outcome::Won => return Effect::Wins,
        Outcome::Drawn => return Effect::Draws,
        Outcome::Lost => return Effect::Loses,
        Outcome::Open => {}
    }
    let opponent = mover.opponent();
    let answers = after.legal_actions(opponent, rules);
    let wins = answers.filter(|(_, end)| rules.outcome_of(end, opponent) == Outcome::Won);
    let answers: Vec<Answer> = wins.map(|(action, after)| Answer { action, after }).collect();
    if answers.is_empty() { Effect::Escapes } else { Effect::Refuted(answers) }
}
