//! Every action of a player with its value, best first.
//!
//! The value of an action is that of the position after it, from the other player's point of view and one ply
//! further away: an action that surrounds the opposing boss is a *win in 1*, one that loses outright a *lose
//! in 1*. Wins come first, the quickest first; then draws; then *none within n plies*; then losses, the
//! slowest first. A win or loss without a known distance counts as longer than any that search has proved;
//! among several of them, a bound on the distance decides.
//!
//! The value of the position itself may be known while those after its actions are not, as at the edge of the openings.
//! If no action is then known to have that value, one of those without an exact value has it, so those that may have it
//! come first. The [choice](Ranking::choice) is still a proved win, if there is one.
//!
//! Actions of equal value are sorted by the difficulty for the opponent. For draws and losses, the number of *ways* in
//! which the opponent can keep the value comes first, fewest first, if it is known ([`super::traps`]). Then comes the
//! [`Estimate`](crate::search::Estimate), best first, which is suggested and not proved and never changes a value; then
//! the canonical code of the position after the action, and the text only where that is the same. Wins with a distance
//! are not estimated.

use std::cmp::Reverse;

use super::ranked::Ranked;
use super::{Known, Source, Worth};
use dovemate_solver::{Value, Wdl};

/// All actions of a player in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The actions, best first.
    pub actions: Vec<Ranked>,
    /// The value of the position itself, as far as it is known without a search.
    pub known: Option<Known>,
    /// The number of plies searched completely, if anything had to be searched.
    pub searched: Option<u32>,
    /// Whether the search was stopped before all allowed plies were searched.
    pub is_out_of_time: bool,
}

impl Ranking {
    /// The value of the position to its player: its own if known, else that of the best action. If that is a
    /// draw and another action is undecided within n plies, the position is undecided too; if it is a win and
    /// another action may win sooner, the distance is unknown.
    pub fn worth(&self) -> Worth {
        if let Some(value) = self.own_value() {
            return Worth::Exact(value);
        }
        let Some(best) = self.actions.first() else {
            return Worth::Exact(Value::Lose(0));
        };
        let mut inexact = self.actions.iter().map(|ranked| ranked.worth).filter(|worth| !worth.is_exact());
        let is_unsearched = |plies: u32| self.searched.is_some_and(|searched| searched + 1 < plies);
        match best.worth {
            Worth::Exact(Value::Draw) => inexact.find(|worth| worth.wdl().is_none()).unwrap_or(best.worth),
            Worth::Exact(Value::Win(plies)) if is_unsearched(plies) && inexact.next().is_some() => Worth::Win,
            worth => worth,
        }
    }

    /// The upper bound of the position's distance, if the distance itself is not known.
    pub fn within(&self) -> Option<u32> {
        match self.worth() {
            Worth::Win => {
                let wins = self.actions.iter().filter(|ranked| ranked.worth.wdl() == Some(Wdl::Win));
                wins.filter_map(Ranked::bound).min()
            }
            Worth::Lose => {
                let mut most = 0;
                for ranked in &self.actions {
                    most = most.max(ranked.bound()?);
                }
                Some(most)
            }
            Worth::Exact(_) | Worth::NoneWithin(_) => None,
        }
    }

    /// The exact value of the position, if it is known by itself.
    fn own_value(&self) -> Option<Value> {
        self.known.and_then(Known::exact)
    }

    /// The source of what is known of the position's value without a search; `None` if nothing is.
    pub fn source(&self) -> Option<Source> {
        self.known.map(|known| known.source)
    }

    /// Infers values of actions from the position's own value, if that is known.
    pub(super) fn infer_from_position(&mut self) {
        let (Some(value), Some(source)) = (self.own_value(), self.source()) else { return };
        if value.wdl() == Wdl::Lose {
            for ranked in self.actions.iter_mut().filter(|ranked| ranked.worth.wdl().is_none()) {
                ranked.set(Worth::Lose, source, None);
            }
        }
        if self.is_value_open() {
            let mut candidates =
                self.actions.iter_mut().filter(|ranked| ranked.worth.may_be(Some(value.wdl())));
            if let (Some(only), None) = (candidates.next(), candidates.next()) {
                only.set(Worth::Exact(value), source, None);
            }
        }
    }

    /// Whether the position's own value is known, but no action is known to have it.
    pub fn is_value_open(&self) -> bool {
        self.candidates().is_some()
    }

    /// If the position's own value is known, but no action is known to have it: the number of actions that may.
    pub fn candidates(&self) -> Option<usize> {
        let value = self.own_value().filter(|_| !self.actions.is_empty())?;
        let is_known = self.actions.iter().any(|ranked| ranked.worth == Worth::Exact(value));
        (!is_known)
            .then(|| self.actions.iter().filter(|ranked| ranked.worth.may_be(Some(value.wdl()))).count())
    }

    /// The action to play: a proved win, if there is one and no action is known to have the position's value; otherwise
    /// the first action.
    pub fn choice(&self) -> Option<&Ranked> {
        let is_win = |ranked: &&Ranked| ranked.worth.wdl() == Some(Wdl::Win);
        let win = self.actions.iter().find(is_win).filter(|_| self.is_value_open());
        win.or(self.actions.first())
    }

    /// Limits the points of each action to those that the proved values of the position and of the action allow.
    pub(super) fn cap_points(&mut self) {
        const BELOW_DRAW: u32 = 490;
        const DRAW: u32 = 500;
        let position = self.known.map_or(self.worth(), |known| known.worth).wdl();
        for ranked in &mut self.actions {
            ranked.max_points = match ranked.worth.wdl().or(position) {
                Some(Wdl::Lose) => BELOW_DRAW,
                Some(Wdl::Draw) => DRAW,
                Some(Wdl::Win) | None => u32::MAX,
            };
        }
    }

    /// Sorts the actions, best first.
    pub fn sort(&mut self) {
        let is_open = self.is_value_open();
        let own = self.own_value();
        let is_first = |ranked: &Ranked| {
            own.is_some_and(|value| {
                ranked.worth == Worth::Exact(value) || is_open && ranked.worth.may_be(Some(value.wdl()))
            })
        };
        self.actions.sort_by_cached_key(|ranked| {
            let by_value = Reverse((is_first(ranked), ranked.worth));
            let ways = ranked.ways.map_or(u32::MAX, |ways| ways.kept);
            let among_equals = (ranked.urgency(), ways, Reverse(ranked.estimate), ranked.code);
            (by_value, among_equals, ranked.text.clone())
        });
    }

    /// The families of actions that lead to images of one position, best first.
    pub fn families(&self) -> Vec<Vec<&Ranked>> {
        let mut families: Vec<Vec<&Ranked>> = Vec::new();
        for ranked in &self.actions {
            match families.iter_mut().find(|family| family[0].code == ranked.code) {
                Some(family) => family.push(ranked),
                None => families.push(vec![ranked]),
            }
        }
        families
    }

    /// The best action, if it is known to have the position's value; `None` also if the player has no legal
    /// action.
    pub fn best(&self) -> Option<&Ranked> {
        if self.is_value_open() { None } else { self.actions.first() }
    }
}
