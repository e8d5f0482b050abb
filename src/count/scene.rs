//! A boss placement from the point of view of its actions: the legal ones, their outcomes, and what refutes
//! them.
//!
//! Nothing here depends on the kinds of the doves on the slots: each action comes with the doves that can
//! take it, each answer with those that can give it.
//!
//! Almost no action exposes the mover's boss, and that can be seen without looking at the opposing doves one by one.
//! The cells on which one more dove surrounds a boss depend on the doves beside it and on the bounds of all doves.
//! Removing a dove that is not *outermost* keeps the bounds. If that dove stood beside the boss, a side opens that
//! only a dove on the same cell could close, because a wall there would need the removed dove to have been outermost.
//! If it stood elsewhere, the cells stay the same. So one set of cells, computed once per action, serves all answers
//! except those of outermost doves.
//!
//! The twin of this file and of `table.rs` is `shaders/table.wgsl`.

use super::clause::{Actors, BOSS_GROUP, PUT_GROUP, Refuters};
use super::sets::{Kinds, Pairs, Slots};
use crate::rules::{Kind, Outcome, Rules};
use crate::shapes::deals::{KINDS, MAX_SLOTS};
use crate::shapes::plane::{self, Bounds};
use crate::shapes::{BossPlacement, moves};

/// The state that all actions of a boss placement share. Cells are those of the [`plane`].
pub(super) struct Scene {
    rules: Rules,
    doves: u64,
    own_boss: u64,
    opposing_boss: u64,
    slot_cells: [u64; MAX_SLOTS],
    pub(super) slots: u32,
}

/// An action of the mover: the doves that can take it, and its changes.
pub(super) struct MoverAction {
    pub(super) actors: Actors,
    /// The doves on the board afterwards.
    pub(super) doves: u64,
    /// The cell of the mover's boss afterwards.
    pub(super) own_boss: u64,
    /// The slot that a dove of the mover leaves, if any.
    vacated: Slots,
}

impl Scene {
    pub(super) fn of(placement: &BossPlacement, rules: Rules) -> Scene {
        let mut slot_cells = [0; MAX_SLOTS];
        for (slot, cell) in placement.slot_cells().enumerate() {
            slot_cells[slot] = plane::window_cell(cell);
        }
        Scene {
            rules,
            doves: plane::window_cells(placement.cells()),
            own_boss: plane::window_cell(placement.own_boss()),
            opposing_boss: plane::window_cell(placement.opposing_boss()),
            slot_cells,
            slots: placement.slots(),
        }
    }

    /// Calls `found` with every action of a group that some assignment gives the mover. Puts may be among them that no
    /// dove can make, on cells that touch only the opposing boss; these have no actors.
    pub(super) fn actions(&self, group: usize, found: impl FnMut(MoverAction)) {
        match group {
            BOSS_GROUP => self.boss_moves(found),
            PUT_GROUP => self.puts(found),
            _ if group <= self.slots as usize => self.slot_actions(group as u32 - 1, found),
            _ => {}
        }
    }

    fn boss_moves(&self, mut found: impl FnMut(MoverAction)) {
        let others = self.doves & !self.own_boss;
        let landings = plane::landings(others, Bounds::of(others));
        for target in plane::each_cell(plane::neighbours(self.own_boss) & landings) {
            let (actors, doves) = (Actors(Slots::BOSS.0), others | target);
            found(MoverAction { actors, doves, own_boss: target, vacated: Slots::NONE });
        }
    }

    fn slot_actions(&self, slot: u32, mut found: impl FnMut(MoverAction)) {
        let from = self.slot_cells[slot as usize];
        let others = self.doves & !from;
        let action = |actors: Kinds, doves| MoverAction {
            actors: Actors(actors.0),
            doves,
            own_boss: self.own_boss,
            vacated: Slots::one(slot),
        };
        if self.rules.returns && plane::isolated(others) == 0 {
            found(action(Kinds::ALL, others));
        }
        let landings = plane::landings(others, Bounds::of(others));
        let reached = Kind::OTHERS.map(|kind| moves::reach(kind, from, others) & landings);
        for target in plane::each_cell(reached.iter().fold(0, |all, cells| all | cells)) {
            let kinds =
                (0..KINDS).fold(0, |kinds, kind| kinds | u32::from(reached[kind] & target != 0) << kind);
            found(action(Kinds(kinds), others | target));
        }
    }

    fn puts(&self, mut found: impl FnMut(MoverAction)) {
        let landings = plane::landings(self.doves, Bounds::of(self.doves));
        for target in plane::each_cell(landings & !plane::sides(self.opposing_boss)) {
            let actors = Actors(self.touching(target, self.own_boss).0);
            let doves = self.doves | target;
            found(MoverAction { actors, doves, own_boss: self.own_boss, vacated: Slots::NONE });
        }
    }

    /// The outcome of an action, before any answer.
    pub(super) fn outcome(&self, action: &MoverAction) -> Outcome {
        let own_surrounded = plane::open_sides(action.own_boss, action.doves) == 0;
        let opposing_surrounded = plane::open_sides(self.opposing_boss, action.doves) == 0;
        self.rules.outcome(own_surrounded, opposing_surrounded)
    }

    /// The answers that refute an action which leaves the game open; `None` if a move of the opposing boss
    /// always does.
    pub(super) fn refuters(&self, action: &MoverAction) -> Option<Refuters> {
        let MoverAction { doves, own_boss, .. } = *action;
        let bounds = Bounds::of(doves);
        let outermost = plane::outermost(doves, bounds);
        // The cells on which one more dove surrounds the mover's boss, unless a dove's leaving changes the bounds.
        let exposed = plane::surrounding_cells(own_boss, doves, bounds);
        let may_refute = outermost | if exposed != 0 { !plane::sides(own_boss) } else { 0 };
        if self.opposing_boss & may_refute != 0 && self.boss_refutes(doves, own_boss) {
            return None;
        }
        let mut refuters = Refuters::NONE;
        if exposed != 0 {
            refuters.putters = self.refuting_putters(action, bounds, exposed);
        }
        if doves & may_refute != 0 {
            for slot in action.vacated.others(self.slots).iter() {
                let from = self.slot_cells[slot as usize];
                if from & may_refute != 0 {
                    refuters.movers |= Pairs::at(slot, self.refuting_kinds(doves, own_boss, from));
                }
            }
        }
        Some(refuters)
    }

    /// Whether a move of the opposing boss wins.
    fn boss_refutes(&self, doves: u64, own_boss: u64) -> bool {
        let others = doves & !self.opposing_boss;
        let bounds = Bounds::of(others);
        let surrounding =
            plane::surrounding_cells(own_boss, others, bounds) & plane::neighbours(self.opposing_boss);
        surrounding != 0
            && plane::each_cell(surrounding & plane::landings(others, bounds)).any(|target| {
                let own_surrounded = plane::open_sides(target, others | target) == 0;
                matches!(self.rules.outcome(own_surrounded, true), Outcome::Won)
            })
    }

    /// The kinds with which an opposing dove on `from` can win by a move.
    fn refuting_kinds(&self, doves: u64, own_boss: u64, from: u64) -> Kinds {
        let others = doves & !from;
        let bounds = Bounds::of(others);
        let surrounding = plane::surrounding_cells(own_boss, others, bounds);
        let mut winning = moves::winning(surrounding, self.opposing_boss, others, bounds, self.rules);
        if winning != 0 {
            winning &= plane::landings(others, bounds);
        }
        if winning == 0 {
            return Kinds::NONE;
        }
        let wins = |kind: Kind| moves::reach(kind, from, others) & winning != 0;
        Kinds(
            (0..).zip(Kind::OTHERS).fold(0, |kinds, (number, kind)| kinds | u32::from(wins(kind)) << number),
        )
    }

    /// The slots (with [`Slots::BOSS`]) beside which the opponent can win by a put.
    fn refuting_putters(&self, action: &MoverAction, bounds: Bounds, exposed: u64) -> Slots {
        let MoverAction { doves, own_boss, vacated, .. } = *action;
        let winning = moves::winning(exposed, self.opposing_boss, doves, bounds, self.rules);
        let winning = winning & !plane::sides(own_boss);
        if winning == 0 {
            return Slots::NONE;
        }
        let winning = winning & plane::landings(doves, bounds);
        // A put on any of the cells refutes, so the slots that touch them can be combined.
        self.touching(winning, self.opposing_boss) & Slots(!vacated.0)
    }

    /// The slots that touch one of `targets`, and [`Slots::BOSS`] if `boss` does.
    fn touching(&self, targets: u64, boss: u64) -> Slots {
        let around = plane::neighbours(targets);
        let slots = self.slot_cells.iter().take(self.slots as usize).zip(0..);
        let beside = slots.filter(|(cell, _)| **cell & around != 0);
        let boss = if boss & around != 0 { Slots::BOSS } else { Slots::NONE };
        beside.fold(boss, |touching, (_, slot)| touching | Slots::one(slot))
    }
}
