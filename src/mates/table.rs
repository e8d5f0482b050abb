//! The refutation table of a boss placement: what each action of the mover needs to exist, and what refutes it.
//!
//! An action of the mover changes which cells are occupied and perhaps where the mover's boss is. Whether the opponent
//! then has a winning answer depends on that and on which *opposing* dove stands where, never on the kinds of the mover's
//! doves. So every action is, once and for all,
//!
//! - *self-losing*: no constraint;
//! - *winning* or *drawing*: the position is no mate, which is a clause that nothing refutes;
//! - or a *clause*: the opposing (slot, kind) pairs of which one must be there.
//!
//! The answers that refute, judged on the board after both actions:
//!
//! - (a) a move of the opposing boss: then the clause always holds and is left out;
//! - (b) a move of an opposing dove of some kind from some slot;
//! - (c) a put. It is never beside the mover's boss, so it can only build walls. It needs a dove in the opponent's hand and,
//!   among the put cell's 8 neighbours, the opposing boss or an opposing dove of whatever kind.
//!
//! (d) A return never refutes: it only takes doves and walls away.
//!
//! When the actions exist: a boss move always; a return or a move from a slot if a dove of the mover stands there, a move
//! moreover of a kind that gets to the cell; a put on a cell if the mover has a dove in hand and, among the cell's 8
//! neighbours, its boss or a dove. Actions of one group (see [`Table::group`]) that occupy the same cells share a clause.
//!
//! The twin of this file is `shaders/table.wgsl`.

use super::pairs::{ALL_KINDS, BOSS_SLOT, KINDS, MAX_SLOTS, pairs};
use crate::rules::{Kind, Outcome, Rules};
use crate::shapes::plane::{self, Bounds};
use crate::shapes::{BossPlacement, moves};

/// Groups of clauses: the boss's moves, one group a slot, the puts.
pub const GROUPS: usize = MAX_SLOTS + 2;
/// The group of the boss's moves.
pub const BOSS_GROUP: usize = 0;
/// The group of the puts.
pub const PUT_GROUP: usize = GROUPS - 1;

/// The actions of the mover that leave the same cells occupied, and the opponent's answers that refute them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clause {
    /// Who can act. In the group of a slot: the kinds that have the action when they stand there. Among the puts: the slots
    /// (with [`BOSS_SLOT`]) of which the mover must hold one. For the boss, who is always there: [`BOSS_SLOT`].
    pub actors: u32,
    /// The slots (with [`BOSS_SLOT`]) of which one must be the opponent's, so that its putting a dove from the hand refutes.
    pub putters: u32,
    /// The opposing (slot, kind) pairs of which one must be there, so that its moving refutes.
    pub movers: u64,
}

/// What decides every assignment of a boss placement.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// How many slots there are.
    pub slots: u32,
    clauses: Vec<Clause>,
    /// Where each group ends in `clauses`.
    ends: [usize; GROUPS],
    /// For each group, who can act without losing by it, as in [`Clause::actors`].
    pub safe: [u32; GROUPS],
    /// For each group, who wins by an action.
    pub wins: [u32; GROUPS],
}

/// The group of a slot: its return and its moves.
pub const fn slot_group(slot: u32) -> usize {
    slot as usize + 1
}

/// Everything about a boss placement that its actions have in common.
struct Scene {
    rules: Rules,
    doves: u64,
    mover: u64,
    opponent: u64,
    slot_cells: [u64; MAX_SLOTS],
    slots: u32,
}

/// What the board after an action of the mover comes to.
enum Effect {
    SelfLosing,
    Winning,
    Drawing,
    /// Refuted by the opposing boss, always.
    Refuted,
    Clause {
        putters: u32,
        movers: u64,
    },
}

impl Table {
    /// Fills the table for a boss placement, in the space that it has already.
    pub fn build(&mut self, placement: &BossPlacement, rules: Rules) {
        let scene = Scene::of(placement, rules);
        self.clauses.clear();
        self.slots = scene.slots;
        self.safe = [0; GROUPS];
        self.wins = [0; GROUPS];
        for group in 0..GROUPS {
            match group {
                BOSS_GROUP => self.boss_moves(&scene),
                PUT_GROUP => self.puts(&scene),
                _ if group <= scene.slots as usize => self.slot_actions(&scene, group as u32 - 1),
                _ => {}
            }
            self.ends[group] = self.clauses.len();
        }
    }

    /// The clauses of a group: [`BOSS_GROUP`], that of a slot (see [`slot_group`]), or [`PUT_GROUP`].
    pub fn group(&self, group: usize) -> &[Clause] {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        &self.clauses[start..self.ends[group]]
    }

    /// Whether the mover's boss alone sees to it that no assignment is a mate: it has a move that nothing refutes.
    pub fn is_hopeless(&self) -> bool {
        self.group(BOSS_GROUP).iter().any(|clause| clause.putters == 0 && clause.movers == 0)
    }

    fn boss_moves(&mut self, scene: &Scene) {
        let others = scene.doves & !scene.mover;
        let landings = plane::landings(others, Bounds::of(others));
        for target in cells(plane::neighbours(scene.mover) & landings) {
            self.note(BOSS_GROUP, BOSS_SLOT, scene.effect(others | target, target, None));
        }
    }

    fn slot_actions(&mut self, scene: &Scene, slot: u32) {
        let from = scene.slot_cells[slot as usize];
        let others = scene.doves & !from;
        if scene.rules.returns && plane::isolated(others) == 0 {
            self.note(slot_group(slot), ALL_KINDS, scene.effect(others, scene.mover, Some(slot)));
        }
        let landings = plane::landings(others, Bounds::of(others));
        let reached: [u64; KINDS] = std::array::from_fn(|kind| reach(kind as u32, from, others) & landings);
        for target in cells(reached.iter().fold(0, |all, cells| all | cells)) {
            let kinds = (0..KINDS).fold(0, |kinds, kind| kinds | u32::from(reached[kind] & target != 0) << kind);
            self.note(slot_group(slot), kinds, scene.effect(others | target, scene.mover, Some(slot)));
        }
    }

    fn puts(&mut self, scene: &Scene) {
        let landings = plane::landings(scene.doves, Bounds::of(scene.doves));
        for target in cells(landings & !plane::sides(scene.opponent)) {
            let actors = scene.touching(target, scene.mover, None);
            self.note(PUT_GROUP, actors, scene.effect(scene.doves | target, scene.mover, None));
        }
    }

    /// Adds what an action of a group comes to.
    fn note(&mut self, group: usize, actors: u32, effect: Effect) {
        if let Effect::SelfLosing = effect {
            return;
        }
        self.safe[group] |= actors;
        let (putters, movers) = match effect {
            Effect::Clause { putters, movers } => (putters, movers),
            Effect::SelfLosing | Effect::Refuted => return,
            Effect::Drawing => (0, 0),
            Effect::Winning => {
                self.wins[group] |= actors;
                (0, 0)
            }
        };
        self.clauses.push(Clause { actors, putters, movers });
    }
}

impl Scene {
    fn of(placement: &BossPlacement, rules: Rules) -> Scene {
        let mut slot_cells = [0; MAX_SLOTS];
        for (slot, cell) in placement.slot_cells().enumerate() {
            slot_cells[slot] = plane::window_cell(cell);
        }
        Scene {
            rules,
            doves: plane::window_cells(placement.cells()),
            mover: plane::window_cell(placement.own_boss()),
            opponent: plane::window_cell(placement.opposing_boss()),
            slot_cells,
            slots: placement.slots(),
        }
    }

    /// What an action comes to that leaves `doves` on the board and the mover's boss on `mover`; `vacated` is the slot that a
    /// dove of the mover has left.
    fn effect(&self, doves: u64, mover: u64, vacated: Option<u32>) -> Effect {
        let own_surrounded = plane::open_sides(mover, doves) == 0;
        let opposing_surrounded = plane::open_sides(self.opponent, doves) == 0;
        match self.rules.outcome(own_surrounded, opposing_surrounded) {
            Outcome::Lost => return Effect::SelfLosing,
            Outcome::Won => return Effect::Winning,
            Outcome::Drawn => return Effect::Drawing,
            Outcome::Open => {}
        }
        if self.boss_refutes(doves, mover) {
            return Effect::Refuted;
        }
        let mut movers = 0;
        for slot in (0..self.slots).filter(|&slot| Some(slot) != vacated) {
            movers |= pairs(slot, self.refuting_kinds(doves, mover, self.slot_cells[slot as usize]));
        }
        Effect::Clause { putters: self.refuting_putters(doves, mover, vacated), movers }
    }

    /// The cells on which one more dove of the opponent wins, the opposing boss standing still on `self.opponent`.
    fn winning_cells(&self, doves: u64, mover: u64, bounds: Bounds) -> u64 {
        let winning = plane::surrounding_cells(mover, doves, bounds);
        if winning == 0 || matches!(self.rules.outcome(true, true), Outcome::Won) {
            return winning;
        }
        winning & !plane::surrounding_cells(self.opponent, doves, bounds)
    }

    /// Whether a move of the opposing boss wins.
    fn boss_refutes(&self, doves: u64, mover: u64) -> bool {
        let others = doves & !self.opponent;
        let bounds = Bounds::of(others);
        let surrounding = plane::surrounding_cells(mover, others, bounds) & plane::neighbours(self.opponent);
        cells(surrounding & plane::landings(others, bounds)).any(|target| {
            let own_surrounded = plane::open_sides(target, others | target) == 0;
            matches!(self.rules.outcome(own_surrounded, true), Outcome::Won)
        })
    }

    /// The kinds of an opposing dove on `from` that win by a move.
    fn refuting_kinds(&self, doves: u64, mover: u64, from: u64) -> u32 {
        let others = doves & !from;
        let bounds = Bounds::of(others);
        let mut winning = self.winning_cells(others, mover, bounds);
        if winning == 0 {
            return 0;
        }
        winning &= plane::landings(others, bounds);
        (0..KINDS as u32).fold(0, |kinds, kind| kinds | u32::from(reach(kind, from, others) & winning != 0) << kind)
    }

    /// The slots (with [`BOSS_SLOT`]) beside which the opponent wins by a put.
    fn refuting_putters(&self, doves: u64, mover: u64, vacated: Option<u32>) -> u32 {
        let bounds = Bounds::of(doves);
        let winning = self.winning_cells(doves, mover, bounds) & plane::landings(doves, bounds);
        cells(winning & !plane::sides(mover))
            .fold(0, |putters, target| putters | self.touching(target, self.opponent, vacated))
    }

    /// The slots that touch `target`, but for a vacated one, and [`BOSS_SLOT`] if `boss` touches it.
    fn touching(&self, target: u64, boss: u64, vacated: Option<u32>) -> u32 {
        let around = plane::neighbours(target);
        let slots =
            (0..self.slots).filter(|&slot| Some(slot) != vacated && self.slot_cells[slot as usize] & around != 0);
        slots.fold(if boss & around != 0 { BOSS_SLOT } else { 0 }, |touching, slot| touching | 1 << slot)
    }
}

/// The cells that a dove of a kind, given by its number in [`Kind::OTHERS`], on `from` can reach with `others` in its way,
/// wherever the box would then be.
pub const fn reach(kind: u32, from: u64, others: u64) -> u64 {
    moves::reach(Kind::OTHERS[kind as usize], from, others)
}

/// The cells of a set one by one, as sets of one.
fn cells(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = set & set.wrapping_neg();
        set ^= cell;
        (cell != 0).then_some(cell)
    })
}
