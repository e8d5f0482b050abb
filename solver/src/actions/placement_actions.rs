//! The mover's actions on a boss placement, whichever doves stand on its slots: the actions of whole blocks.
//!
//! An action moves a dove to another cell, puts one on a cell, or returns one. Where it leads – to which boss
//! placement, with the players' roles exchanged, and which slot every dove then stands on – depends on the cells alone.
//! Whether a deal allows it depends only on the kind of the dove that acts (and, for puts, on which slots are the
//! mover's). So an action leads from a whole *block*, a boss placement with the set of slots that are the opponent's,
//! to one other block.

use rayon::prelude::*;

use super::passages::{Passage, Passages};
use crate::space::placements::{CellNumbers, Nibbles, Placement, Placements, shapes_with};
use dovemate::rules::{Game, Outcome, Rules};
use dovemate::shapes::canonical::shapes;
use dovemate::shapes::{moves, plane};

/// The dove that acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// The dove on a slot moves, if it is of one of the kinds (bits as in [`dovemate::rules::DoveSet::bits`]).
    Move {
        slot: u8,
        /// The kinds that can move so.
        kinds: u8,
    },
    /// The mover's boss moves.
    BossMove,
    /// A dove is put.
    Put {
        /// The slots next to the cell: a dove of the mover must stand on one of them …
        touching: u16,
        /// … unless the mover's boss is next to it.
        touches_boss: bool,
    },
    /// The dove on a slot returns to the hand.
    Return { slot: u8 },
}

/// An action on a boss placement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockAction {
    pub act: Act,
    /// Its outcome. The fields below are meaningful only if the game stays open.
    pub outcome: Outcome,
    /// The boss placement that it leads to, as an index into the list of boss placements with its number of slots.
    pub target: u32,
    /// Slot → flipped slot at the target, for the mover's doves; a dove that is put counts as if on the slot after the
    /// last.
    pub own: Nibbles,
    /// Flipped slot → slot at the target, for the opponent's doves.
    pub opposing: Nibbles,
    /// Whether the mover's doves that are on the board before and after the action always keep their order.
    pub keeps_own_order: bool,
    /// Whether the opponent's doves always keep their order.
    pub keeps_opposing_order: bool,
}

impl BlockAction {
    /// The change in the number of slots.
    pub(crate) const fn slot_delta(&self) -> i32 {
        SLOT_DELTAS[self.list()]
    }

    /// Its index in [`SLOT_DELTAS`].
    const fn list(&self) -> usize {
        match self.act {
            Act::Move { .. } | Act::BossMove => 0,
            Act::Put { .. } => 1,
            Act::Return { .. } => 2,
        }
    }
}

/// The changes in the number of slots, in the order in which a boss placement lists its actions.
pub(crate) const SLOT_DELTAS: [i32; 3] = [0, 1, -1];

/// An action that leads to a boss placement, seen from the target.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Arrival {
    /// The boss placement that it comes from, as an index into the list of boss placements with its number of slots.
    pub source: u32,
    /// The flipped slot of the dove that acted, at the target or, for a return, at the source; `None` for a boss.
    pub acting: Option<u8>,
    /// Flipped slot → flipped slot at the source, for the doves of the player who acted. A dove that was put has none
    /// there.
    pub before: Nibbles,
}

/// The actions on all boss placements with one number of slots.
struct ActionsOfSlots {
    /// The actions of each shape, boss placement by boss placement: for each, first the actions that end the game, then
    /// the others in the order of [`SLOT_DELTAS`].
    actions: Vec<Vec<BlockAction>>,
    /// The actions of each boss placement.
    spans: Vec<Span>,
}

/// The actions that lead to boss placements with a given number of slots, from those whose number differs by one of
/// [`SLOT_DELTAS`]; empty if the game has no such sources.
#[derive(Default)]
struct Arrivals {
    /// The start in `list` of the arrivals at each boss placement, and the end of the last ones.
    starts: Vec<u32>,
    list: Vec<Arrival>,
}

/// The actions of a boss placement, as a range of its shape's actions.
#[derive(Clone, Copy)]
struct Span {
    /// The shape, counted from the first one with its number of slots.
    shape: u32,
    start: u32,
    /// The first action that leaves the game open.
    open: u32,
    end: u32,
}

/// The actions on all boss placements of a game.
pub(crate) struct Actions {
    /// By number of slots.
    from: Vec<ActionsOfSlots>,
    /// By number of slots, for each of [`SLOT_DELTAS`].
    to: Vec<Vec<Arrivals>>,
}

impl Actions {
    /// All actions with a game's doves.
    pub(crate) fn new(placements: &Placements, game: &Game) -> Actions {
        let of_slots = |slots: u32| {
            let of_shape = |(number, shape)| of_shape(placements, shape, number as u32, game);
            let (actions, spans): (Vec<_>, Vec<Vec<Span>>) =
                shapes_with(slots).into_par_iter().enumerate().map(of_shape).unzip();
            ActionsOfSlots { actions, spans: spans.concat() }
        };
        let from = by_slots(placements, of_slots);
        let arrivals = |slots: u32| {
            let targets = placements.with_slots(slots).len();
            let of_delta = |(list, delta): (usize, i32)| {
                let sources =
                    slots.checked_add_signed(-delta).filter(|&slots| slots <= placements.max_slots());
                sources.map_or_else(Arrivals::default, |slots| {
                    from[slots as usize].by_target(placements.with_slots(slots), list, targets)
                })
            };
            SLOT_DELTAS.into_par_iter().enumerate().map(of_delta).collect()
        };
        let to = by_slots(placements, arrivals);
        Actions { from, to }
    }

    /// The actions on a boss placement with `slots` slots: those that end the game, and those that leave it
    /// open.
    pub(crate) fn of(&self, slots: u32, placement: usize) -> (&[BlockAction], &[BlockAction]) {
        self.from[slots as usize].of(placement)
    }

    /// The actions that lead to a boss placement and change the number of slots by `SLOT_DELTAS[list]`.
    pub(crate) fn arrivals(&self, slots: u32, list: usize, placement: usize) -> &[Arrival] {
        let Arrivals { starts, list } = &self.to[slots as usize][list];
        &list[starts[placement] as usize..starts[placement + 1] as usize]
    }
}

/// A result for each number of slots, ascending. The largest numbers of slots take longest, so they are begun first.
fn by_slots<T: Send>(placements: &Placements, of_slots: impl Fn(u32) -> T + Send + Sync) -> Vec<T> {
    let slots = (0..placements.max_slots() + 1).into_par_iter().rev().with_max_len(1);
    let mut results: Vec<T> = slots.map(of_slots).collect();
    results.reverse();
    results
}

impl ActionsOfSlots {
    fn of(&self, placement: usize) -> (&[BlockAction], &[BlockAction]) {
        let Span { shape, start, open, end } = self.spans[placement];
        let actions = &self.actions[shape as usize];
        (&actions[start as usize..open as usize], &actions[open as usize..end as usize])
    }

    /// Sorts the actions of one of [`SLOT_DELTAS`] by target (a counting sort). `placements` are the boss placements on
    /// which these actions are taken.
    fn by_target(&self, placements: &[Placement], list: usize, targets: usize) -> Arrivals {
        let of_list = |placement: usize| {
            let (_, open) = self.of(placement);
            let start = |list: usize| open.partition_point(|action| action.list() < list);
            &open[start(list)..start(list + 1)]
        };
        let mut starts = vec![0u32; targets + 1];
        for action in (0..placements.len()).flat_map(of_list) {
            starts[action.target as usize + 1] += 1;
        }
        for target in 0..targets {
            starts[target + 1] += starts[target];
        }
        let mut next = starts.clone();
        let mut arrivals = vec![Arrival::default(); starts[targets] as usize];
        for (source, placement) in placements.iter().enumerate() {
            for action in of_list(source) {
                let index = &mut next[action.target as usize];
                arrivals[*index as usize] = placement.arrival(source as u32, action);
                *index += 1;
            }
        }
        Arrivals { starts, list: arrivals }
    }
}

impl Placement {
    /// An action on this boss placement, which has the number `source`, seen from its target.
    fn arrival(&self, source: u32, action: &BlockAction) -> Arrival {
        let (mut before, mut returned) = (Nibbles::default(), None);
        for flipped in 0..self.slot_count() {
            let slot = self.unflipped.get(flipped);
            match action.act {
                Act::Return { slot: gone } if u32::from(gone) == slot => returned = Some(flipped),
                _ => before.set(action.own.get(slot), flipped),
            }
        }
        let acting = match action.act {
            Act::BossMove => None,
            Act::Move { slot, .. } => Some(action.own.get(slot.into())),
            Act::Put { .. } => Some(action.own.get(self.slot_count())),
            Act::Return { .. } => returned,
        };
        Arrival { source, acting: acting.map(|flipped| flipped as u8), before }
    }
}

/// The actions on the boss placements of a shape, and the span of each; `number` is the shape's number among the shapes
/// with as many slots.
fn of_shape(placements: &Placements, shape: u32, number: u32, game: &Game) -> (Vec<BlockAction>, Vec<Span>) {
    let of_shape = placements.of_shape(shape);
    if of_shape.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let cells = shapes()[shape as usize].cells;
    let slots = cells.count() - 2;
    let passages = Passages::new(placements, cells, game);
    let mut actions = Vec::with_capacity(passages.count() * of_shape.len());
    let mut spans = Vec::with_capacity(of_shape.len());
    for index in of_shape {
        let placement = &placements.with_slots(slots)[index];
        let at =
            Acting { placements, placement, numbers: &placements.numbers(slots)[index], rules: game.rules };
        let start = actions.len();
        at.visit(&passages, |act, passage| actions.push(at.action(act, passage)));
        let of_placement = &mut actions[start..];
        of_placement.sort_by_key(|action| action.outcome == Outcome::Open);
        let open = start + of_placement.partition_point(|action| action.outcome != Outcome::Open);
        let [start, open, end] = [start, open, actions.len()].map(|action| action as u32);
        spans.push(Span { shape: number, start, open, end });
    }
    actions.shrink_to_fit();
    (actions, spans)
}

/// A boss placement to act on.
struct Acting<'a> {
    placements: &'a Placements,
    placement: &'a Placement,
    numbers: &'a CellNumbers,
    rules: Rules,
}

impl Acting<'_> {
    /// Visits all actions in the order of [`SLOT_DELTAS`], the boss's first.
    fn visit<'a>(&self, passages: &'a Passages, mut visit: impl FnMut(Act, &'a Passage)) {
        let placement = self.placement;
        let slots =
            || (0..placement.slot_count()).map(|slot| (slot, placement.slot_cells.get(slot) as usize));
        for by_boss in passages.moves[placement.own_boss as usize].iter().filter(|to| to.by_boss) {
            visit(Act::BossMove, &by_boss.passage);
        }
        for (slot, cell) in slots() {
            for by_kinds in passages.moves[cell].iter().filter(|to| to.kinds != 0) {
                visit(Act::Move { slot: slot as u8, kinds: by_kinds.kinds }, &by_kinds.passage);
            }
        }
        // Every cell that some choice of the mover's slots allows.
        let opposing_boss = plane::window_cell(placement.opposing_boss);
        let cells = moves::puts(passages.doves & !opposing_boss, opposing_boss, passages.doves);
        for put in passages.puts.iter().filter(|put| put.to & cells != 0) {
            let on_slots = put.near.iter().filter(|&cell| !placement.is_boss(cell));
            let touching = on_slots.fold(0, |set, cell| set | 1 << self.numbers.slots.get(cell));
            visit(Act::Put { touching, touches_boss: put.near.contains(placement.own_boss) }, &put.passage);
        }
        for (slot, cell) in slots() {
            if let Some(passage) = &passages.returns[cell] {
                visit(Act::Return { slot: slot as u8 }, passage);
            }
        }
    }

    fn action(&self, act: Act, passage: &Passage) -> BlockAction {
        let Passage { after: shape, cells, new } = passage;
        // The cells of both bosses after the action.
        let [own_boss, opposing_boss] =
            [self.placement.own_boss, self.placement.opposing_boss].map(|cell| cells.get(cell));
        let outcome = self.rules.outcome(shape.is_surrounded(own_boss), shape.is_surrounded(opposing_boss));
        let placement = self.placement;
        let mut action = BlockAction {
            act,
            outcome,
            target: 0,
            own: Nibbles::default(),
            opposing: Nibbles::default(),
            keeps_own_order: true,
            keeps_opposing_order: true,
        };
        if outcome != Outcome::Open {
            return action;
        }
        // The players exchange roles.
        action.target = shape.placement(opposing_boss, own_boss);
        let slots = placement.slot_count();
        let after =
            slots.checked_add_signed(action.slot_delta()).expect("one slot at least if a dove is to return");
        let target = &self.placements.numbers(after)[action.target as usize];
        let acting = match act {
            Act::Move { slot, .. } | Act::Return { slot } => Some(u32::from(slot)),
            Act::Put { .. } | Act::BossMove => None,
        };
        let cell_after = |slot| cells.get(placement.slot_cells.get(slot));
        let (mut last_own, mut last_opposing) = (None, None);
        let is_return = matches!(act, Act::Return { .. });
        for slot in (0..slots).filter(|&slot| !is_return || acting != Some(slot)) {
            let flipped = target.flipped.get(cell_after(slot));
            action.own.set(slot, flipped);
            action.keeps_own_order &= last_own.replace(flipped) < Some(flipped);
        }
        if let Act::Put { .. } = act {
            action.own.set(slots, target.flipped.get(*new));
        }
        for flipped in (0..slots).filter(|&flipped| acting != Some(placement.unflipped.get(flipped))) {
            let slot = target.slots.get(cell_after(placement.unflipped.get(flipped)));
            action.opposing.set(flipped, slot);
            action.keeps_opposing_order &= last_opposing.replace(slot) < Some(slot);
        }
        action
    }
}
