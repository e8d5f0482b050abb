//! What the mover can do on a boss placement, whichever doves stand on its slots: the actions of blocks.
//!
//! An action takes a dove from a slot to a cell, puts one on a cell, or takes one away. Where it leads – to which boss placement,
//! with the players' parts exchanged, and which slot of it every dove then stands on – depends on the cells alone. Which doves can
//! do it depends on the kind of the dove that acts (and, for puts, on which slots are the mover's), and on nothing else. So an
//! action leads from a whole *block*, a boss placement with the set of slots that are the opponent's, to one other block.

use rayon::prelude::*;

use super::placements::{Nibbles, Placement, Placements};
use crate::rules::{Kind, Outcome, Rules};
use crate::shapes::{moves, plane};

/// Which dove acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// The dove on a slot moves, if it is of one of the kinds (bits as in [`crate::rules::DoveSet::bits`]).
    Move {
        /// The slot.
        slot: u8,
        /// The kinds that can move so.
        kinds: u8,
    },
    /// The mover's boss moves.
    BossMove,
    /// A dove is put.
    Put {
        /// The slots next to the cell: one of them must hold a dove of the mover, …
        touching: u16,
        /// … unless the mover's boss is next to it.
        touches_boss: bool,
    },
    /// The dove on a slot returns to the hand.
    Return {
        /// The slot.
        slot: u8,
    },
}

/// An action on a boss placement.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    /// Which dove acts.
    pub act: Act,
    /// What it does to the game. What follows has a meaning only if the game goes on.
    pub outcome: Outcome,
    /// The boss placement it leads to, in the list of those with as many slots as there are then.
    pub target: u32,
    /// For each slot the rank that a dove of the mover there has at the target; a dove that is put has the slot after the last.
    pub own: Nibbles,
    /// For each *rank* the slot that a dove of the opponent there has at the target.
    pub opposing: Nibbles,
    /// Whether the mover's doves other than the one that acts keep their order, whichever they are.
    pub keeps_own_order: bool,
    /// Whether the opponent's doves keep their order, whichever they are.
    pub keeps_opposing_order: bool,
}

impl Action {
    /// The change in the number of slots.
    pub const fn gain(&self) -> i32 {
        match self.act {
            Act::Put { .. } => 1,
            Act::Return { .. } => -1,
            Act::Move { .. } | Act::BossMove => 0,
        }
    }
}

/// An action that leads to a boss placement, by where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The boss placement it comes from, in the list of those with as many slots as there are then.
    pub source: u32,
    /// Its place among all actions on boss placements with as many slots as the source has.
    pub action: u32,
}

/// The actions on all boss placements with one number of slots, placement by placement: those that end the game first.
struct Level {
    actions: Vec<Action>,
    /// Where those of each placement begin, and the end.
    starts: Vec<u32>,
    /// Where those of each placement begin after which the game goes on.
    open_starts: Vec<u32>,
    /// The actions that lead to each placement: those that keep the number of slots, then puts, then returns.
    arrivals: [Vec<Arrival>; 3],
    arrival_starts: [Vec<u32>; 3],
}

/// The actions on all boss placements of a game.
pub struct Actions {
    levels: Vec<Level>,
}

/// The change in the number of slots, for each list of arrivals.
pub const GAINS: [i32; 3] = [0, 1, -1];

impl Actions {
    /// All actions under these rules.
    pub fn new(placements: &Placements, rules: Rules) -> Actions {
        let mut levels: Vec<Level> = (0..=placements.most_slots())
            .map(|slots| {
                let list = placements.with_slots(slots);
                let parts: Vec<Part> = list.par_chunks(PART).map(|part| Part::of(placements, part, rules)).collect();
                let (mut starts, mut open_starts) = (vec![0], Vec::with_capacity(list.len()));
                for &(ends, open) in parts.iter().flat_map(|part| &part.counts) {
                    let start = starts[starts.len() - 1];
                    open_starts.push(start + ends);
                    starts.push(start + ends + open);
                }
                let actions: Vec<Vec<Action>> = parts.into_iter().map(|part| part.actions).collect();
                Level {
                    actions: actions.concat(),
                    starts,
                    open_starts,
                    arrivals: Default::default(),
                    arrival_starts: Default::default(),
                }
            })
            .collect();
        let lists = (0..levels.len()).flat_map(|slots| (0..GAINS.len()).map(move |list| (slots, list)));
        let lists: Vec<(usize, usize)> = lists.collect();
        let arrivals = |&(slots, list): &(usize, usize)| {
            let targets = placements.with_slots(slots as u32).len();
            let source = slots.checked_add_signed(-GAINS[list] as isize).and_then(|source| levels.get(source));
            let nothing = || (vec![0; targets + 1], Vec::new());
            source.map_or_else(nothing, |source| sorted_by_target(source, GAINS[list], targets))
        };
        // Those of the most slots are the longest, and are begun first.
        let arrivals: Vec<(Vec<u32>, Vec<Arrival>)> = lists.par_iter().rev().with_max_len(1).map(arrivals).collect();
        for (&(slots, list), (starts, arrivals)) in lists.iter().rev().zip(arrivals) {
            levels[slots].arrival_starts[list] = starts;
            levels[slots].arrivals[list] = arrivals;
        }
        Actions { levels }
    }

    /// The actions on a boss placement with so many slots: those that end the game, and those after which it goes on.
    pub fn of(&self, slots: u32, placement: usize) -> (&[Action], &[Action]) {
        let level = &self.levels[slots as usize];
        let (start, end) = (level.starts[placement] as usize, level.starts[placement + 1] as usize);
        level.actions[start..end].split_at(level.open_starts[placement] as usize - start)
    }

    /// The action of an arrival that comes from a boss placement with so many slots.
    pub fn action(&self, slots: u32, arrival: &Arrival) -> &Action {
        &self.levels[slots as usize].actions[arrival.action as usize]
    }

    /// The actions by which the number of slots changes by `GAINS[list]` and that lead to a boss placement.
    pub fn arrivals(&self, slots: u32, list: usize, placement: usize) -> &[Arrival] {
        let level = &self.levels[slots as usize];
        let starts = &level.arrival_starts[list];
        &level.arrivals[list][starts[placement] as usize..starts[placement + 1] as usize]
    }
}

/// So many boss placements are gone through by one thread at a time.
const PART: usize = 256;

/// The actions on some boss placements.
struct Part {
    actions: Vec<Action>,
    /// For each boss placement how many end the game, and after how many it goes on.
    counts: Vec<(u32, u32)>,
}

impl Part {
    fn of(placements: &Placements, part: &[Placement], rules: Rules) -> Part {
        let mut all = Part { actions: Vec::with_capacity(32 * part.len()), counts: Vec::with_capacity(part.len()) };
        for placement in part {
            let before = all.actions.len();
            add_actions(placements, placement, rules, &mut all.actions);
            let here = &mut all.actions[before..];
            here.sort_by_key(|action| action.outcome == Outcome::Open);
            let ends = here.partition_point(|action| action.outcome != Outcome::Open);
            all.counts.push((ends as u32, (here.len() - ends) as u32));
        }
        all
    }
}

/// A counting sort of the actions with a gain by their targets.
fn sorted_by_target(source: &Level, gain: i32, targets: usize) -> (Vec<u32>, Vec<Arrival>) {
    let leads_on = |action: &&Action| action.outcome == Outcome::Open && action.gain() == gain;
    let mut starts = vec![0u32; targets + 1];
    for action in source.actions.iter().filter(leads_on) {
        starts[action.target as usize + 1] += 1;
    }
    for target in 0..targets {
        starts[target + 1] += starts[target];
    }
    let mut next = starts.clone();
    let mut arrivals = vec![Arrival { source: 0, action: 0 }; starts[targets] as usize];
    for (placement, bounds) in source.starts.windows(2).enumerate() {
        for index in bounds[0]..bounds[1] {
            let action = &source.actions[index as usize];
            if leads_on(&action) {
                let place = &mut next[action.target as usize];
                arrivals[*place as usize] = Arrival { source: placement as u32, action: index };
                *place += 1;
            }
        }
    }
    (starts, arrivals)
}

/// A boss placement on the plane.
struct OnPlane<'a> {
    placement: &'a Placement,
    placements: &'a Placements,
    rules: Rules,
    doves: u64,
    own_boss: u64,
    opposing_boss: u64,
    /// The cell of each slot.
    slots: Vec<u64>,
}

/// What becomes of the doves on slots.
#[derive(Clone, Copy)]
enum Change {
    /// The one on this slot goes to this cell.
    Moved(u32, u64),
    /// The boss goes to this cell.
    BossMoved(u64),
    /// There is one more, on this cell.
    Put(u64),
    /// The one on this slot goes.
    Returned(u32),
}

/// Adds the actions on a boss placement.
fn add_actions(placements: &Placements, placement: &Placement, rules: Rules, actions: &mut Vec<Action>) {
    let at = OnPlane {
        placement,
        placements,
        rules,
        doves: plane::window_cells(placement.cells),
        own_boss: plane::window_cell(placement.own_boss),
        opposing_boss: plane::window_cell(placement.opposing_boss),
        slots: (0..placement.slot_count()).map(|slot| plane::window_cell(placement.slot_cells.get(slot))).collect(),
    };
    for to in cells(at.landings_without(at.own_boss) & plane::neighbours(at.own_boss)) {
        actions.push(at.action(Act::BossMove, Change::BossMoved(to)));
    }
    for (slot, &from) in (0..).zip(&at.slots) {
        let reached = Kind::OTHERS.map(|kind| moves::reach(kind, from, at.doves & !from));
        for to in cells(at.landings_without(from)) {
            let kinds = (0..5).filter(|&kind| reached[kind] & to != 0).fold(0, |kinds, kind| kinds | 1 << kind);
            if kinds != 0 {
                actions.push(at.action(Act::Move { slot: slot as u8, kinds }, Change::Moved(slot, to)));
            }
        }
    }
    if at.slots.len() < placements.most_slots() as usize {
        // Whichever doves on slots are the mover's.
        for to in cells(moves::puts(at.doves & !at.opposing_boss, at.opposing_boss, at.doves)) {
            let near = plane::neighbours(to);
            let touching = (0..).zip(&at.slots).fold(0, |set, (slot, &cell)| set | u16::from(near & cell != 0) << slot);
            let touches_boss = near & at.own_boss != 0;
            actions.push(at.action(Act::Put { touching, touches_boss }, Change::Put(to)));
        }
    }
    if rules.returns {
        for (slot, &cell) in (0..).zip(&at.slots) {
            if plane::isolated(at.doves & !cell) == 0 {
                actions.push(at.action(Act::Return { slot: slot as u8 }, Change::Returned(slot)));
            }
        }
    }
}

/// Twelve doves less the bosses.
const MOST_SLOTS: usize = 10;

/// The cells of a set, one by one.
fn cells(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = set & set.wrapping_neg();
        set &= set.wrapping_sub(1);
        (cell != 0).then_some(cell)
    })
}

impl OnPlane<'_> {
    /// The cells to which the dove on `from` could go by the rules for boards, whatever its kind.
    fn landings_without(&self, from: u64) -> u64 {
        let others = self.doves & !from;
        plane::landings(others, plane::Bounds::of(others)) & !from
    }

    fn action(&self, act: Act, change: Change) -> Action {
        let doves = match change {
            Change::Moved(slot, to) => self.doves & !self.slots[slot as usize] | to,
            Change::BossMoved(to) => self.doves & !self.own_boss | to,
            Change::Put(to) => self.doves | to,
            Change::Returned(slot) => self.doves & !self.slots[slot as usize],
        };
        let own_boss = if let Change::BossMoved(to) = change { to } else { self.own_boss };
        let is_surrounded = |boss| plane::open_sides(boss, doves) == 0;
        let outcome = self.rules.outcome(is_surrounded(own_boss), is_surrounded(self.opposing_boss));
        let mut action = Action {
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
        let found = self.placements.find(doves, self.opposing_boss, own_boss).expect("the board has a boss placement");
        let slot_count = self.slots.len() as u32 + u32::from(matches!(change, Change::Put(_)));
        let after = slot_count - u32::from(matches!(change, Change::Returned(_)));
        let target = &self.placements.with_slots(after)[found.index as usize];
        action.target = found.index;
        let acting = match change {
            Change::Moved(slot, _) | Change::Returned(slot) => Some(slot),
            Change::Put(_) => Some(self.slots.len() as u32),
            Change::BossMoved(_) => None,
        };
        // Where the doves on slots stand in the target; the dove that is put comes after the last.
        let mut cells = [0; MOST_SLOTS + 1];
        for (cell, &there) in cells.iter_mut().zip(&self.slots) {
            // Of a dove that has gone from its cell the image has no meaning, and is not used.
            *cell = if there & doves != 0 { found.cell(there) } else { 0 };
        }
        if let (Some(slot), Change::Moved(_, to) | Change::Put(to)) = (acting, change) {
            cells[slot as usize] = found.cell(to);
        }
        let mut last = None;
        for slot in 0..slot_count {
            if let Change::Returned(returned) = change
                && returned == slot
            {
                continue;
            }
            let rank = target.ranks.get(cells[slot as usize]);
            action.own.set(slot, rank);
            if acting != Some(slot) {
                action.keeps_own_order &= last < Some(rank);
                last = Some(rank);
            }
        }
        let mut last = None;
        for rank in 0..self.slots.len() as u32 {
            let slot = self.placement.ranked.get(rank);
            if acting != Some(slot) {
                let there = target.slots.get(cells[slot as usize]);
                action.opposing.set(rank, there);
                action.keeps_opposing_order &= last < Some(there);
                last = Some(there);
            }
        }
        action
    }
}
