//! Depth-first proof-number search (df-pn) with a bound on the plies.
//!
//! The question is always *can the attacker win within n plies?*. A position with the attacker to move is proved by one
//! action, a position with the defender to move by all of them. Every open position has a proof number, the least
//! number of positions that must still be proved below it, and a disproof number. The search goes where these are least
//! and so finds narrow lines, threat upon threat, without looking at the rest (Nagai's df-pn). As every ply uses up one
//! of the n, no line returns to the same question, and the well-known problem of df-pn with repetitions does not arise.
//!
//! Distances are exact: n is increased until the answer is yes. In Tokyo Doves itself every player always has an action
//! that does not lose outright (`verify` checks this), so wins have odd distances and losses even ones; with fewer
//! doves every n is tried.
//!
//! A question may also have far more plies than can be searched to the end ([`Search::outlook`]). The answer is then
//! found along threats, which leave the defender few answers, and in positions with few doves, whose values can be looked
//! up ([`Search::look_up`]): doves return to the hand. It is no distance, but an upper bound of it: the length of the
//! proof that was found.
//!
//! The last three plies are decided directly: by the test for a win in one ([`Position::surrounds_in_one`]), by the
//! test for a mate as *every action meets such a win*, and, with all doves, by the enclosure lemma before that. The
//! initial proof number of a defender's position is the number of actions after which the attacker has no win in one,
//! which is what a threat reduces.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::position::{Position, Step};
use super::table::{NEVER, Number, ProofTable, TableEntry};
use crate::clock::Instant;
use crate::rules::{Game, Outcome, Rules};
use crate::solve::solved::Lookup;
use crate::value::Value;

/// The search was stopped before it found an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of time")]
pub struct Stopped;

/// The threads that a search takes. With more than one, what it finds beside proved values depends on their pace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The caller's.
    One,
    /// All of rayon's.
    All,
}

/// The number of positions between two looks at the clock.
const GLANCE: u64 = 64;
/// Attacks with at most this many plies left are decided without the table.
const SHORT: u32 = 3;
/// The plies of a question about the outcome.
const FAR: u32 = Search::LONGEST - 2;
/// With this many plies left or more, numbers found with another number of plies are a good start.
const ALIKE: u32 = 20;
/// The greatest plies of an entry: they have a byte.
const MOST: u32 = u8::MAX as u32;

/// A search in one game. It keeps its results from one question to the next; its clones share them.
#[derive(Clone)]
pub struct Search {
    pub(super) rules: Rules,
    /// Whether a player may be without an action that does not lose outright, or without any action.
    can_be_stuck: bool,
    pub(super) table: Arc<ProofTable>,
    deadline: Option<Instant>,
    /// Whether nobody waits for the answer any more.
    pub(crate) is_stopped: Arc<AtomicBool>,
    /// Whether another search has found what this one looks for, which ends questions, too.
    pub(crate) is_found: Arc<AtomicBool>,
    /// The number of positions looked at after which to stop, if any.
    pub(super) last: Option<u64>,
    pub(super) looked_at: u64,
    /// Exact values of positions with up to this many doves.
    known: Option<(&'static dyn Lookup, u32)>,
}

/// The number of positions still to be proved, and to be disproved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: Number,
    disproof: Number,
}

const PROVED: Numbers = Numbers { proof: 0, disproof: NEVER };
const DISPROVED: Numbers = Numbers { proof: NEVER, disproof: 0 };

/// The role of the player to move in the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Attacker,
    Defender,
}

impl Search {
    /// The most plies that a question may have.
    pub const LONGEST: u32 = 200;

    /// A search in this game.
    pub fn new(game: &Game) -> Search {
        let is_whole = game.is_whole();
        Search {
            rules: game.rules,
            can_be_stuck: !is_whole,
            table: Arc::default(),
            deadline: None,
            is_stopped: Arc::default(),
            is_found: Arc::default(),
            last: None,
            looked_at: 0,
            known: None,
        }
    }

    /// Looks positions with up to this many doves up instead of searching them; their exact values must be known.
    pub fn look_up(&mut self, known: &'static dyn Lookup, most_doves: u32) {
        self.known = Some((known, most_doves));
    }

    /// The value of a position that can be looked up.
    pub(super) fn known(&self, position: &Position) -> Option<Value> {
        let (known, most_doves) = self.known?;
        let is_known = (position.sides[0] | position.sides[1]).count_ones() <= most_doves;
        is_known.then(|| known.value(&position.board(), position.mover()).ok()??.exact())?
    }

    /// Makes questions end with [`Stopped`] after this time; `None` removes the limit.
    pub fn stop_at(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Makes questions end with [`Stopped`] while this is true.
    pub fn stop_on(&mut self, flag: Arc<AtomicBool>) {
        self.is_stopped = flag;
    }

    /// Makes questions end with [`Stopped`] after this many more positions; `None` removes the limit. Unlike a
    /// deadline, it stops at the same place on every machine.
    pub fn stop_after(&mut self, positions: Option<u64>) {
        self.last = positions.map(|positions| self.looked_at.saturating_add(positions));
    }

    /// The number of positions expanded so far.
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// The value of a position on which no boss is surrounded, if it is a win or a loss within this many plies.
    ///
    /// # Errors
    /// If the deadline has passed, the flag is set, or the positions allowed are used up.
    ///
    /// # Panics
    /// If more than [`Search::LONGEST`] plies are asked for.
    pub fn value(&mut self, position: &Position, plies: u32) -> Result<Option<Value>, Stopped> {
        for within in 0..=plies {
            if let Some(value) = self.value_in(position, within)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// The value of a position that is known not to be a win or a loss within fewer plies, if it is one within these.
    ///
    /// # Errors
    /// If the deadline has passed, the flag is set, or the positions allowed are used up.
    ///
    /// # Panics
    /// If more than [`Search::LONGEST`] plies are asked for.
    pub fn value_in(&mut self, position: &Position, plies: u32) -> Result<Option<Value>, Stopped> {
        assert!(plies <= Search::LONGEST, "at most {} plies", Search::LONGEST);
        let may_lose = self.can_be_stuck || plies.is_multiple_of(2) && plies > 0;
        if may_lose && self.decide(position, plies, Role::Defender, NEVER)? {
            return Ok(Some(Value::Lose(plies)));
        }
        let may_win = self.can_be_stuck && plies > 0 || plies % 2 == 1;
        if may_win && self.decide(position, plies, Role::Attacker, NEVER)? {
            return Ok(Some(Value::Win(plies)));
        }
        Ok(None)
    }

    /// Whether the mover wins (`true`) or loses at whatever distance, if a proof is found before the search stops.
    /// [`Search::bound`] then has its length.
    ///
    /// # Errors
    /// If the deadline has passed, the flag is set, or the positions allowed are used up.
    pub fn outlook(&mut self, position: &Position) -> Result<Option<bool>, Stopped> {
        // Of the two questions the one that seems easier, by turns.
        for limit in (3..Number::BITS).map(|bits| 1 << bits) {
            for wins in [true, false] {
                if self.wins_or_loses(position, wins, Some(limit))? {
                    return Ok(Some(wins));
                }
            }
        }
        Ok(None)
    }

    /// Whether it is proved that the mover wins, or else loses, at whatever distance; at most until that seems as hard as
    /// to prove this number of positions.
    ///
    /// # Errors
    /// If the deadline has passed, the flag is set, or the positions allowed are used up.
    pub fn wins_or_loses(&mut self, position: &Position, wins: bool, hardest: Option<Number>) -> Result<bool, Stopped> {
        let (role, plies) = if wins { (Role::Attacker, FAR + 1) } else { (Role::Defender, FAR) };
        self.decide(position, plies, role, hardest.unwrap_or(NEVER))
    }

    /// The plies within which the mover is known to win (`true`), or to lose.
    pub fn bound(&self, position: &Position, wins: bool) -> Option<u32> {
        let role = if wins { Role::Attacker } else { Role::Defender };
        Some(u32::from(self.table.get(key(position, role)).won)).filter(|&plies| plies > 0)
    }

    /// Whether a question is proved, at most until that seems as hard as to prove `hardest` positions.
    fn decide(&mut self, position: &Position, plies: u32, role: Role, hardest: Number) -> Result<bool, Stopped> {
        self.glance()?;
        let mut numbers = self.first_look(position, plies, role);
        if numbers != PROVED && numbers != DISPROVED {
            numbers = self.expand(position, plies, role, Numbers { proof: hardest, disproof: NEVER })?;
        }
        Ok(numbers == PROVED)
    }

    /// Counts a position, and looks at the clock now and then.
    pub(super) fn look(&mut self) -> Result<(), Stopped> {
        self.looked_at += 1;
        if self.last.is_some_and(|last| self.looked_at > last) {
            return Err(Stopped);
        }
        if self.looked_at.is_multiple_of(GLANCE) { self.glance() } else { Ok(()) }
    }

    /// Looks at the clock and at the flag.
    ///
    /// # Errors
    /// If the deadline has passed, or the flag is set.
    pub(crate) fn glance(&self) -> Result<(), Stopped> {
        let is_late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let is_set = [&self.is_stopped, &self.is_found].iter().any(|flag| flag.load(Ordering::Relaxed));
        if is_set || is_late() { Err(Stopped) } else { Ok(()) }
    }

    /// Whether the mover wins with the next action.
    fn wins_in_one(&self, position: &Position) -> bool {
        let strands = |step: Step| step.outcome == Outcome::Open && !position.after(step).can_act(self.rules);
        position.surrounds_in_one(self.rules) || self.can_be_stuck && position.any_step(self.rules, strands)
    }

    /// Whether the mover wins within a few plies.
    fn wins_soon(&self, position: &Position, plies: u32) -> bool {
        if plies == 0 {
            return false;
        }
        let wins = |step: Step| step.outcome == Outcome::Open && self.loses_soon(&position.after(step), plies - 1);
        self.wins_in_one(position) || plies > 1 && position.any_step(self.rules, wins)
    }

    /// Whether the mover loses within a few plies.
    fn loses_soon(&self, position: &Position, plies: u32) -> bool {
        if plies == 0 {
            return self.can_be_stuck && !position.can_act(self.rules);
        }
        // Where nobody is ever stuck, a loss within 2 is a mate.
        if !self.can_be_stuck && plies <= 2 && position.boss_is_free() {
            return false;
        }
        !position.any_step(self.rules, |step| match step.outcome {
            Outcome::Lost => false,
            Outcome::Won | Outcome::Drawn => true,
            Outcome::Open => !self.wins_soon(&position.after(step), plies - 1),
        })
    }

    /// The numbers stored for a position, or its initial ones.
    fn first_look(&mut self, position: &Position, plies: u32, role: Role) -> Numbers {
        let is_short = match role {
            Role::Attacker => plies <= SHORT,
            Role::Defender => plies < SHORT,
        };
        let soon = |search: &Search| match role {
            Role::Attacker => decided(search.wins_soon(position, plies)),
            Role::Defender => decided(search.loses_soon(position, plies)),
        };
        if is_short && plies <= 1 {
            return soon(self);
        }
        let mut entry = self.table.get(key(position, role));
        if entry.won != 0 && u32::from(entry.won) <= plies {
            return PROVED;
        }
        if u32::from(entry.safe) >= plies {
            return DISPROVED;
        }
        let is_open = entry.proof != 0 && entry.disproof != 0 && entry.plies > 0;
        if u32::from(entry.plies) == plies || is_open && plies.min(entry.plies.into()) >= ALIKE {
            return Numbers { proof: entry.proof, disproof: entry.disproof };
        }
        if let Some(value) = self.known(position) {
            let wins = match (value, role) {
                (Value::Win(plies), Role::Attacker) | (Value::Lose(plies), Role::Defender) => plies.min(MOST),
                _ => 0,
            };
            self.note(&mut entry, plies, decided(wins > 0 && wins <= plies), wins);
            return decided(wins > 0 && wins <= plies);
        }
        let numbers = match role {
            _ if is_short => soon(self),
            Role::Attacker if self.wins_in_one(position) => PROVED,
            Role::Attacker => {
                let mut actions = 0;
                position.any_step(self.rules, |step| {
                    actions += Number::from(step.outcome == Outcome::Open);
                    false
                });
                Numbers { proof: 1, disproof: actions.max(1) }
            }
            Role::Defender => match self.ways_on(position) {
                None => DISPROVED,
                Some(0) => PROVED,
                Some(ways) => Numbers { proof: ways, disproof: 1 },
            },
        };
        self.note(&mut entry, plies, numbers, if is_short { plies } else { 2 - u32::from(role == Role::Attacker) });
        numbers
    }

    /// The number of a defender's actions that do not lose at once or to the next action; `None` if one of them ends
    /// the game without a loss.
    fn ways_on(&self, position: &Position) -> Option<Number> {
        let mut ways = 0;
        let saved = position.any_step(self.rules, |step| {
            if step.outcome == Outcome::Open && !self.wins_in_one(&position.after(step)) {
                ways += 1;
            }
            matches!(step.outcome, Outcome::Won | Outcome::Drawn)
        });
        (!saved).then_some(ways)
    }

    /// Stores the numbers of a question; `within` are the plies of the proof, if it is one.
    fn note(&mut self, entry: &mut TableEntry, plies: u32, numbers: Numbers, within: u32) {
        entry.plies = plies as u8;
        entry.proof = numbers.proof;
        entry.disproof = numbers.disproof;
        if numbers == PROVED && (entry.won == 0 || within < u32::from(entry.won)) {
            entry.won = within as u8;
        } else if numbers == DISPROVED {
            entry.safe = entry.safe.max(plies as u8);
        }
        self.table.put(*entry);
    }

    /// Searches below a position until it is decided or one of its numbers reaches its limit.
    fn expand(&mut self, position: &Position, plies: u32, role: Role, limits: Numbers) -> Result<Numbers, Stopped> {
        self.look()?;
        let answer = match role {
            Role::Attacker => Role::Defender,
            Role::Defender => Role::Attacker,
        };
        let mut children = Vec::new();
        let rules = self.rules;
        let is_settled = position.any_step(rules, |step| match (step.outcome, role) {
            (Outcome::Open, _) => {
                children.push((position.after(step), PROVED));
                false
            }
            (Outcome::Won, _) => true,
            (Outcome::Drawn, role) => role == Role::Defender,
            (Outcome::Lost, _) => false,
        });
        let mut numbers = match role {
            Role::Attacker if is_settled => PROVED,
            Role::Defender if is_settled => DISPROVED,
            _ => {
                let settled = if role == Role::Attacker { PROVED } else { DISPROVED };
                for (child, numbers) in &mut children {
                    *numbers = self.first_look(child, plies - 1, answer);
                    if *numbers == settled {
                        break;
                    }
                }
                combined(&children, role)
            }
        };
        while numbers != PROVED
            && numbers != DISPROVED
            && numbers.proof < limits.proof
            && numbers.disproof < limits.disproof
        {
            let (best, second) = two_best(&children, role);
            let (child, old) = children[best];
            // A little more than the second best, so that the search does not switch back and forth between the two.
            let margin = |number: Number| number.saturating_add(1 + number / 4);
            let below = match role {
                Role::Attacker => Numbers {
                    proof: limits.proof.min(margin(second)),
                    disproof: rest(limits.disproof, numbers.disproof, old.disproof),
                },
                Role::Defender => Numbers {
                    proof: rest(limits.proof, numbers.proof, old.proof),
                    disproof: limits.disproof.min(margin(second)),
                },
            };
            children[best].1 = self.expand(&child, plies - 1, answer, below)?;
            numbers = combined(&children, role);
        }
        let within = match numbers {
            PROVED if is_settled => 1,
            PROVED => 1 + self.longest(&children, plies - 1, answer),
            _ => 0,
        };
        let mut entry = self.table.get(key(position, role));
        self.note(&mut entry, plies, numbers, within);
        Ok(numbers)
    }

    /// The plies of the proof that a proved position has from its successors with `plies` left.
    fn longest(&self, children: &[(Position, Numbers)], plies: u32, role: Role) -> u32 {
        let proved = children.iter().filter(|(_, numbers)| *numbers == PROVED);
        let within = proved.map(|(child, _)| match u32::from(self.table.get(key(child, role)).won) {
            // Dropped, or decided without the table.
            0 => plies,
            within => within.min(plies),
        });
        match role {
            Role::Attacker => within.max(),
            Role::Defender => within.min(),
        }
        .unwrap_or(0)
    }
}

/// The key of a position in the table.
pub(super) fn key(position: &Position, role: Role) -> u64 {
    position.key() | u64::from(role == Role::Defender) << 61
}

const fn decided(is_proved: bool) -> Numbers {
    if is_proved { PROVED } else { DISPROVED }
}

/// The sum of the numbers; [`NEVER`] only if one of the summands is.
fn sum(numbers: impl Iterator<Item = Number>) -> Number {
    let mut total: Number = 0;
    for number in numbers {
        if number == NEVER {
            return NEVER;
        }
        total = total.saturating_add(number).min(NEVER - 1);
    }
    total
}

/// The numbers of a position, computed from those of its successors.
fn combined(children: &[(Position, Numbers)], role: Role) -> Numbers {
    let proofs = children.iter().map(|(_, numbers)| numbers.proof);
    let disproofs = children.iter().map(|(_, numbers)| numbers.disproof);
    match role {
        Role::Attacker => Numbers { proof: proofs.min().unwrap_or(NEVER), disproof: sum(disproofs) },
        Role::Defender => Numbers { proof: sum(proofs), disproof: disproofs.min().unwrap_or(NEVER) },
    }
}

/// The part of the limit that is left for one summand.
fn rest(limit: Number, total: Number, own: Number) -> Number {
    if limit == NEVER { NEVER } else { limit - total + own }
}

/// The index of the child with the least number for the player to move, and the second least number.
fn two_best(children: &[(Position, Numbers)], role: Role) -> (usize, Number) {
    let number = |index: usize| match role {
        Role::Attacker => children[index].1.proof,
        Role::Defender => children[index].1.disproof,
    };
    let (mut best, mut second) = (0, NEVER);
    for index in 1..children.len() {
        if number(index) < number(best) {
            second = number(best);
            best = index;
        } else {
            second = second.min(number(index));
        }
    }
    (best, second)
}
