//! Depth-first proof-number search (df-pn) with a bound on the plies.
//!
//! The question is always *can the attacker win within n plies?*. A position with the attacker to move is
//! proved by one action, a position with the defender to move by all of them. Every open position has a proof
//! number, the least number of positions that must still be proved below it, and a disproof number; here they
//! are seen by the player to move ([`Numbers`]). The search goes where these are least and so finds narrow
//! lines, threat upon threat, without looking at the rest (Nagai's df-pn). Because every ply uses up one of the n,
//! no line returns to the same question, and the graph-history interaction (GHI) problem of df-pn does not arise.
//!
//! Distances are exact: n is increased until the answer is yes. In Tokyo Doves itself every player always has
//! an action that does not lose outright (`verify` checks this), so wins have odd distances and losses even
//! ones; with fewer doves every n is tried.
//!
//! A question may also have far more plies than can be searched to the end ([`Search::prove_winner`]). The answer is
//! then found along threats, which leave the defender few answers, and in positions with few doves, whose values are
//! known ([`Search::probe_in`]). The length of the proof that was found is not the distance, but an upper bound of it.
//! There a line may come back to one of its positions, and the GHI problem arises. The shortest proof has no
//! repetition, so the search gives a repeated position a large number (`REPEATED`) and looks elsewhere first. Whether a
//! position is repeated depends on the path, so it does not count as disproved.
//!
//! The last three plies are decided directly, without proof numbers: a win in one by its own test
//! ([`Position::surrounds_in_one`]), and a mate by that test after every action. With all doves, the enclosure lemma is
//! tried before the test for a mate. The initial φ of both players is 1, and the initial δ the number of actions that
//! do not end the game; for a defender who is threatened, only of those after which the attacker has no win in one.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::budget::{Meter, Stopped};
use super::numbers::{INFINITY, Number, Numbers, two_least};
use super::position::{Position, Step};
use super::table::{Proof, TranspositionTable};
use dovemate::Limits;
use dovemate::rules::{Game, Outcome, Rules};
use dovemate_solver::Lookup;
use dovemate_solver::Value;

/// Attacks with at most this many plies left are decided by trying all actions, without expanding them. Beyond one ply,
/// the table keeps the result.
const DIRECT_PLIES: u32 = 3;
/// With at least this many plies left, the proof numbers stored for a different depth, also at least this large, are a
/// good start: the depth limit is so far away that it cuts few lines. The number is a guess; only the time to a proof
/// depends on it.
const SIMILAR_PLIES: u32 = 20;
/// Stands in for the proof number (and, if the attacker is to move, for the disproof number) of a position that the
/// path has come back to: so large that such a position is searched only when nothing else is left.
const REPEATED: Number = 1 << 22;
/// Maximum number of plies of a table entry, which stores them in a byte.
const MAX_ENTRY_PLIES: u32 = u8::MAX as u32;

/// A search in one game. Its results stay in a table that clones share.
#[derive(Clone)]
pub struct Search {
    pub(super) rules: Rules,
    /// Whether a player may be stuck: every action loses outright, or there is none.
    can_be_stuck: bool,
    pub(super) table: Arc<TranspositionTable>,
    /// Exact values of the positions with up to this many doves.
    tablebase: Option<(&'static dyn Lookup, u32)>,
    pub(super) meter: Meter,
    /// The keys of the positions from the question's to the one that is expanded.
    path: Vec<u64>,
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// The role of the player to move in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The question is whether this player wins.
    Attacker,
    /// The question is whether this player loses.
    Defender,
}

/// A successor of the position that is searched.
struct Child {
    position: Position,
    numbers: Numbers,
    /// The plies within which the attacker wins, if that is proved; `u32::MAX` before the child is evaluated.
    proof_plies: u32,
}

impl Role {
    /// The role of the other player.
    pub const fn other(self) -> Role {
        match self {
            Role::Attacker => Role::Defender,
            Role::Defender => Role::Attacker,
        }
    }

    /// The key of a position in the table, with this role of the player to move.
    pub(super) fn key(self, position: &Position) -> u64 {
        position.key() | u64::from(self == Role::Defender) << 61
    }

    /// The numbers of a position in which it is decided whether the attacker wins.
    const fn decided(self, wins: bool) -> Numbers {
        match self {
            Role::Attacker => Numbers::decided(wins),
            Role::Defender => Numbers::decided(!wins),
        }
    }

    /// The numbers of a position in which the attacker wins.
    const fn proved(self) -> Numbers {
        self.decided(true)
    }
}

impl Search {
    /// Maximum number of plies that a question may have.
    pub const LONGEST: u32 = 200;

    /// A search in this game, without a limit.
    pub fn new(game: &Game) -> Search {
        Search {
            rules: game.rules,
            can_be_stuck: !game.is_whole(),
            table: Arc::default(),
            tablebase: None,
            meter: Meter::default(),
            path: Vec::new(),
        }
    }

    /// Takes the values of positions with up to this many doves from a tablebase, which must know all of them
    /// exactly.
    pub fn probe_in(&mut self, tablebase: &'static dyn Lookup, most_doves: u32) {
        self.tablebase = Some((tablebase, most_doves));
    }

    /// The value of a position that the tablebase has.
    pub(super) fn probe(&self, position: &Position) -> Option<Value> {
        let (tablebase, most_doves) = self.tablebase?;
        if position.count() > most_doves {
            return None;
        }
        tablebase.probe(&position.board(), position.mover()).ok()??.exact()
    }

    /// The same search within limits of its own, of which nothing is spent yet.
    #[must_use]
    pub fn within(&self, limits: Limits) -> Search {
        Search { meter: self.meter.within(limits), ..self.clone() }
    }

    /// The same search as one of several for the same answer: it ends when `flag` is set because one of them has found
    /// it.
    #[must_use]
    pub(crate) fn until_found(mut self, flag: &Arc<AtomicBool>) -> Search {
        self.meter.is_found = Some(Arc::clone(flag));
        self
    }

    /// The number of positions that proofs have expanded and lookaheads have visited.
    pub fn visited(&self) -> u64 {
        self.meter.visited()
    }

    /// Checks the clock and the flags.
    ///
    /// # Errors
    /// If the search is to stop.
    pub(crate) fn check_clock(&self) -> Result<(), Stopped> {
        self.meter.check_clock()
    }

    /// The value of a position on which no boss is surrounded, if it is a win or a loss within this many
    /// plies.
    ///
    /// # Errors
    /// If a limit is reached.
    ///
    /// # Panics
    /// If the search gets beyond [`Search::LONGEST`] plies.
    pub fn value(&mut self, position: &Position, plies: u32) -> Result<Option<Value>, Stopped> {
        for within in 0..=plies {
            if let Some(value) = self.value_in(position, within)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// The value of a position, if it is a win or a loss in exactly this many plies. The caller must know already that
    /// it is neither within fewer.
    ///
    /// # Errors
    /// If a limit is reached.
    ///
    /// # Panics
    /// If there are more than [`Search::LONGEST`] plies.
    pub fn value_in(&mut self, position: &Position, plies: u32) -> Result<Option<Value>, Stopped> {
        assert!(plies <= Search::LONGEST, "at most {} plies", Search::LONGEST);
        let may_lose = self.can_be_stuck || plies.is_multiple_of(2) && plies > 0;
        if may_lose && self.prove(position, plies, Role::Defender, INFINITY)? {
            return Ok(Some(Value::Lose(plies)));
        }
        let may_win = self.can_be_stuck && plies > 0 || plies % 2 == 1;
        if may_win && self.prove(position, plies, Role::Attacker, INFINITY)? {
            return Ok(Some(Value::Win(plies)));
        }
        Ok(None)
    }

    /// Whether the mover wins (attacker) or loses (defender), at any distance below [`Search::LONGEST`], if a proof is
    /// found before the search stops. [`Search::bound`] then returns its length.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn prove_winner(&mut self, position: &Position) -> Result<Option<Role>, Stopped> {
        // Both questions in turn, with doubling limits, so that the easier one is answered first.
        for limit in (3..Number::BITS).map(|bits| 1 << bits) {
            for role in [Role::Attacker, Role::Defender] {
                if self.prove(position, winner_plies(role), role, limit)? {
                    return Ok(Some(role));
                }
            }
        }
        Ok(None)
    }

    /// Whether the mover is proved to win (attacker) or to lose (defender), at any distance below [`Search::LONGEST`].
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn prove_result(&mut self, position: &Position, role: Role) -> Result<bool, Stopped> {
        self.prove(position, winner_plies(role), role, INFINITY)
    }

    /// The plies within which the mover is known to win (attacker), or to lose (defender).
    pub fn bound(&self, position: &Position, role: Role) -> Option<u32> {
        let plies = self.table.proof(role.key(position)).proved_plies;
        (plies > 0).then_some(plies.into())
    }

    /// The positions after the mover's actions that do not end the game, in the form under which proofs store them; not
    /// all of them if an action wins.
    pub fn successors(&self, position: &Position) -> Vec<Position> {
        let (children, _) = self.children(position, Role::Attacker);
        children.into_iter().map(|child| child.position).collect()
    }

    /// Whether the attacker is proved to win within these plies. Gives up when the proof number reaches `max_number`.
    fn prove(
        &mut self,
        position: &Position,
        plies: u32,
        role: Role,
        max_number: Number,
    ) -> Result<bool, Stopped> {
        self.check_clock()?;
        // A stopped question leaves its path behind.
        self.path.clear();
        let (mut numbers, _) = self.evaluate(position, plies, role);
        if !numbers.is_decided() {
            let thresholds = match role {
                Role::Attacker => Numbers { phi: max_number, delta: INFINITY },
                Role::Defender => Numbers { phi: INFINITY, delta: max_number },
            };
            (numbers, _) = self.expand(position, plies, role, thresholds)?;
        }
        Ok(numbers == role.proved())
    }

    /// Whether the mover wins with the next action.
    fn wins_in_one(&self, position: &Position) -> bool {
        if position.surrounds_in_one(self.rules) {
            return true;
        }
        // Leaving the opponent without an action also wins.
        let wins = |step: Step| step.outcome == Outcome::Open && !position.after(step).can_act(self.rules);
        self.can_be_stuck && position.any_step(self.rules, wins)
    }

    /// Whether the mover wins within a few plies.
    fn wins_within(&self, position: &Position, plies: u32) -> bool {
        if plies == 0 {
            return false;
        }
        if self.wins_in_one(position) {
            return true;
        }
        plies > 1
            && position.any_step(self.rules, |step| {
                step.outcome == Outcome::Open && self.loses_within(&position.after(step), plies - 1)
            })
    }

    /// Whether the mover loses within a few plies.
    fn loses_within(&self, position: &Position, plies: u32) -> bool {
        if plies == 0 {
            return self.can_be_stuck && !position.can_act(self.rules);
        }
        // Where no player is ever stuck, a loss within 2 is a mate.
        if !self.can_be_stuck && plies <= 2 && position.boss_is_free() {
            return false;
        }
        !position.any_step(self.rules, |step| match step.outcome {
            Outcome::Lost => false,
            Outcome::Won | Outcome::Drawn => true,
            Outcome::Open => !self.wins_within(&position.after(step), plies - 1),
        })
    }

    /// Whether the attacker wins within a few plies.
    fn attack_wins(&self, position: &Position, plies: u32, role: Role) -> bool {
        match role {
            Role::Attacker => self.wins_within(position, plies),
            Role::Defender => self.loses_within(position, plies),
        }
    }

    /// The numbers of a position and, if it is proved, the plies within which the attacker wins. With at most one ply
    /// left, a direct test gives the numbers. Otherwise the table does; where it has none, the tablebase, a direct test
    /// or the initial numbers do, and the result is stored.
    fn evaluate(&self, position: &Position, plies: u32, role: Role) -> (Numbers, u32) {
        let is_short = match role {
            Role::Attacker => plies <= DIRECT_PLIES,
            Role::Defender => plies < DIRECT_PLIES,
        };
        if is_short && plies <= 1 {
            return (role.decided(self.attack_wins(position, plies, role)), plies);
        }
        let proof = self.table.proof(role.key(position));
        if let Some(numbers) = stored_numbers(proof, plies, role) {
            return (numbers, proof.proved_plies.into());
        }
        if let Some(value) = self.probe(position) {
            let won = match (value, role) {
                (Value::Win(won), Role::Attacker) | (Value::Lose(won), Role::Defender) => {
                    Some(won.min(MAX_ENTRY_PLIES))
                }
                _ => None,
            };
            let numbers = role.decided(won.is_some_and(|won| (1..=plies).contains(&won)));
            let proof_plies = won.unwrap_or(0);
            self.store(position, role, proof, plies, numbers, proof_plies);
            return (numbers, proof_plies);
        }
        let (numbers, proof_plies) = match role {
            _ if is_short => (role.decided(self.attack_wins(position, plies, role)), plies),
            Role::Attacker => (self.initial_attack(position), 1),
            Role::Defender => (self.initial_defence(position), 2),
        };
        self.store(position, role, proof, plies, numbers, proof_plies);
        (numbers, proof_plies)
    }

    /// The initial numbers of a position with the attacker to move.
    fn initial_attack(&self, position: &Position) -> Numbers {
        if self.wins_in_one(position) {
            return Numbers::REACHED;
        }
        let mut actions = 0;
        position.any_step(self.rules, |step| {
            actions += Number::from(step.outcome == Outcome::Open);
            false
        });
        Numbers { phi: 1, delta: actions.max(1) }
    }

    /// The initial numbers of a position with the defender to move: δ is the number of actions that do not end the
    /// game; if the defender is threatened, only of those after which the attacker has no win in one.
    fn initial_defence(&self, position: &Position) -> Numbers {
        let is_threatened = position.is_threatened(self.rules);
        let mut defences = 0;
        let is_saved = position.any_step(self.rules, |step| {
            let is_open = step.outcome == Outcome::Open;
            if is_open && !(is_threatened && self.wins_in_one(&position.after(step))) {
                defences += 1;
            }
            matches!(step.outcome, Outcome::Won | Outcome::Drawn)
        });
        match defences {
            _ if is_saved => Numbers::REACHED,
            0 => Numbers::MISSED,
            defences => Numbers { phi: 1, delta: defences },
        }
    }

    /// Merges the numbers of a question into the table's entry. `proof_plies` is the length of the proof, if the
    /// numbers are those of a proved position.
    fn store(
        &self,
        position: &Position,
        role: Role,
        before: Proof,
        plies: u32,
        numbers: Numbers,
        proof_plies: u32,
    ) {
        let Proof { mut proved_plies, mut disproved_plies, .. } = before;
        if numbers == role.proved() {
            if proved_plies == 0 || proof_plies < u32::from(proved_plies) {
                proved_plies = proof_plies as u8;
            }
        } else if numbers.is_decided() {
            disproved_plies = disproved_plies.max(plies as u8);
        }
        self.table.put_proof(
            role.key(position),
            Proof { numbers, plies: plies as u8, proved_plies, disproved_plies },
        );
    }

    /// Searches below a position until it is decided or one of its numbers reaches its limit. Returns the numbers and,
    /// if the position is proved, the plies within which the attacker wins.
    fn expand(
        &mut self,
        position: &Position,
        plies: u32,
        role: Role,
        thresholds: Numbers,
    ) -> Result<(Numbers, u32), Stopped> {
        self.meter.count()?;
        let key = role.key(position);
        self.path.push(key);
        let (mut children, is_reached) = self.children(position, role);
        let mut numbers = Numbers::REACHED;
        if !is_reached {
            numbers = self.evaluate_children(&mut children, plies - 1, role.other());
        }
        while !numbers.is_decided() && numbers.phi < thresholds.phi && numbers.delta < thresholds.delta {
            let (best, second) = two_least(children.iter().map(|child| child.numbers.delta));
            let child = &mut children[best];
            let below = Numbers::thresholds_below(thresholds, numbers, child.numbers, second);
            (child.numbers, child.proof_plies) =
                self.expand(&child.position, plies - 1, role.other(), below)?;
            numbers = Numbers::combined(children.iter().map(|child| child.numbers));
        }
        let proof_plies = match numbers == role.proved() {
            true if is_reached => 1,
            true => 1 + proof_length(&children, role.other()),
            false => 0,
        };
        self.path.pop();
        self.store(position, role, self.table.proof(key), plies, numbers, proof_plies);
        Ok((numbers, proof_plies))
    }

    /// The positions after the mover's actions that do not end the game, not evaluated yet; and whether an action
    /// reaches the mover's goal at once, which ends the list.
    fn children(&self, position: &Position, role: Role) -> (Vec<Child>, bool) {
        let mut children = Vec::new();
        let is_reached = position.any_step(self.rules, |step| match step.outcome {
            Outcome::Open => {
                children.push(Child {
                    position: position.after(step),
                    numbers: Numbers::MISSED,
                    proof_plies: u32::MAX,
                });
                false
            }
            Outcome::Won => true,
            Outcome::Drawn => role == Role::Defender,
            Outcome::Lost => false,
        });
        (children, is_reached)
    }

    /// Evaluates the successors of a position, up to the first in which the opponent misses the goal. Returns
    /// the numbers of the position itself.
    fn evaluate_children(&self, children: &mut [Child], plies: u32, role: Role) -> Numbers {
        for child in &mut *children {
            (child.numbers, child.proof_plies) = self.evaluate(&child.position, plies, role);
            if child.numbers == Numbers::MISSED {
                return Numbers::REACHED;
            }
            let is_open = plies >= SIMILAR_PLIES && !child.numbers.is_decided();
            if is_open && self.path.contains(&role.key(&child.position)) {
                let phi = if role == Role::Defender { 1 } else { REPEATED };
                child.numbers = Numbers { phi, delta: REPEATED };
            }
        }
        Numbers::combined(children.iter().map(|child| child.numbers))
    }
}

/// The plies of a question about the winner alone.
const fn winner_plies(role: Role) -> u32 {
    match role {
        Role::Attacker => Search::LONGEST - 1,
        Role::Defender => Search::LONGEST - 2,
    }
}

/// The numbers that an entry gives with this many plies left.
fn stored_numbers(proof: Proof, plies: u32, role: Role) -> Option<Numbers> {
    let Proof { numbers, plies: stored, proved_plies, disproved_plies } = proof;
    if proved_plies != 0 && u32::from(proved_plies) <= plies {
        return Some(role.proved());
    }
    if u32::from(disproved_plies) >= plies {
        return Some(role.decided(false));
    }
    let is_open = stored > 0 && !numbers.is_decided();
    let is_alike = is_open && plies.min(stored.into()) >= SIMILAR_PLIES;
    (u32::from(stored) == plies || is_alike).then_some(numbers)
}

/// The length in plies of a position's proof after its first ply. `role` is that of the player to move in the
/// successors; of the attacker's actions the quickest counts, of the defender's the slowest.
fn proof_length(children: &[Child], role: Role) -> u32 {
    let proved = children.iter().filter(|child| child.numbers == role.proved());
    let lengths = proved.map(|child| child.proof_plies);
    let length = match role {
        Role::Attacker => lengths.max(),
        Role::Defender => lengths.min(),
    };
    length.unwrap_or(0)
}
