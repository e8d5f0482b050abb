//! The boss placements of a game, and the order of their slots.
//!
//! Slots are numbered so that a symmetry seldom changes the order of doves that stay where they are: by distance from
//! their owner's boss, then from the other boss, then left or right of the line from boss to boss. These criteria are
//! the same in every image, except for left and right in a reflection.
//!
//! So each player's doves have an order of their own, and each cell has two numbers. Its *slot* is its index in the
//! order for the mover's doves, its *flipped slot* the index in the order for the opponent's, which is its slot once
//! the bosses are exchanged. An action exchanges the players' roles, and so slots and flipped slots.

use std::ops::Range;

use rayon::prelude::*;

use dovemate::shapes::canonical::shapes;
use dovemate::shapes::{Canonical, Cells, Shape, WINDOW, plane};

/// Sixteen numbers below 16, four bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nibbles(pub u64);

impl Nibbles {
    /// The number at an index.
    pub(crate) const fn get(self, index: u32) -> u32 {
        (self.0 >> (4 * index)) as u32 & 15
    }

    /// Sets the number at an index where there is a 0.
    pub(crate) const fn set(&mut self, index: u32, number: u32) {
        self.0 |= (number as u64) << (4 * index);
    }

    /// The set of the numbers at a set of indices.
    pub(crate) const fn image(self, mut set: u32) -> u32 {
        let mut image = 0;
        while set != 0 {
            image |= 1 << self.get(set.trailing_zeros());
            set &= set - 1;
        }
        image
    }
}

/// A boss placement of a canonical shape, neither boss surrounded, with its slots in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// The shape's index in [`shapes`].
    pub shape: u32,
    pub cells: Cells,
    /// The cell of the mover's boss.
    pub own_boss: u32,
    /// The cell of the opposing boss.
    pub opposing_boss: u32,
    /// Slot → cell.
    pub slot_cells: Nibbles,
    /// Flipped slot → slot.
    pub unflipped: Nibbles,
}

/// The slots and flipped slots of a boss placement's cells. They have a list of their own, because queries jump all
/// over it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellNumbers {
    /// Cell → slot.
    pub slots: Nibbles,
    /// Cell → flipped slot.
    pub flipped: Nibbles,
}

/// The sort key of a cell for the doves whose boss is on `own`: see the head of this file.
fn key(cell: u32, own: u32, other: u32) -> (i32, i32, bool) {
    let at = |cell: u32| ((cell / WINDOW) as i32, (cell % WINDOW) as i32);
    let step = |from: u32, to: u32| (at(to).0 - at(from).0, at(to).1 - at(from).1);
    let square = |(rows, columns): (i32, i32)| rows * rows + columns * columns;
    let (line, way) = (step(own, other), step(own, cell));
    (square(way), square(step(other, cell)), line.0 * way.1 - line.1 * way.0 > 0)
}

impl Placement {
    fn new(shape: u32, cells: Cells, own_boss: u32, opposing_boss: u32) -> (Placement, CellNumbers) {
        let ordered = |own: u32, other: u32| {
            let mut others: Vec<u32> = cells.iter().filter(|&cell| cell != own && cell != other).collect();
            others.sort_by_key(|&cell| key(cell, own, other));
            others
        };
        let (mut slot_cells, mut slots) = (Nibbles::default(), Nibbles::default());
        for (slot, cell) in (0..).zip(ordered(own_boss, opposing_boss)) {
            slot_cells.set(slot, cell);
            slots.set(cell, slot);
        }
        let (mut unflipped, mut flipped) = (Nibbles::default(), Nibbles::default());
        for (number, cell) in (0..).zip(ordered(opposing_boss, own_boss)) {
            unflipped.set(number, slots.get(cell));
            flipped.set(cell, number);
        }
        (
            Placement { shape, cells, own_boss, opposing_boss, slot_cells, unflipped },
            CellNumbers { slots, flipped },
        )
    }

    /// Whether a boss is on a cell.
    pub(crate) const fn is_boss(&self, cell: u32) -> bool {
        cell == self.own_boss || cell == self.opposing_boss
    }

    /// The number of slots.
    pub(crate) fn slot_count(&self) -> u32 {
        self.cells.count() - 2
    }
}

/// The shapes with `slots` slots, as indices in [`shapes`].
pub(crate) fn shapes_with(slots: u32) -> Range<u32> {
    // Shapes are sorted by number of doves.
    let first = |slots: u32| shapes().partition_point(|shape| shape.doves() < slots + 2) as u32;
    first(slots)..first(slots + 1)
}

/// The number of boss placements of a shape, given its cells on which a boss is not surrounded.
fn count(free: Cells) -> u32 {
    free.count() * free.count().saturating_sub(1)
}

/// The number of boss placements by number of slots, up to `max_slots`.
pub(crate) fn counts(max_slots: u32) -> Vec<usize> {
    let of_shape = |shape: u32| count(shapes()[shape as usize].cells.free()) as usize;
    (0..=max_slots).map(|slots| shapes_with(slots).map(of_shape).sum()).collect()
}

/// All boss placements up to some number of slots.
pub(crate) struct Placements {
    /// The boss placements, by number of slots.
    lists: Vec<Vec<Placement>>,
    /// The cell numbers of these boss placements, in the same order.
    numbers: Vec<Vec<CellNumbers>>,
    /// For each shape, in the order of [`shapes`], the index of its first boss placement in the list, and the
    /// cells on which a boss is not surrounded.
    by_shape: Vec<(u32, Cells)>,
}

impl Placements {
    /// All boss placements with at most `max_slots` slots.
    pub(crate) fn new(max_slots: u32) -> Placements {
        let of_shape = |(number, shape): (usize, &Shape)| {
            let free = shape.cells.free();
            let pairs = free.iter().flat_map(|own| free.iter().map(move |opposing| (own, opposing)));
            let placements = pairs.filter(|(own, opposing)| own != opposing);
            let placement = |(own, opposing)| Placement::new(number as u32, shape.cells, own, opposing);
            (free, placements.map(placement).collect::<(Vec<Placement>, Vec<CellNumbers>)>())
        };
        let few = &shapes()[..shapes_with(max_slots).end as usize];
        let of_shapes: Vec<_> = few.par_iter().enumerate().map(of_shape).collect();
        let mut lists = vec![Vec::new(); max_slots as usize + 1];
        let mut numbers = vec![Vec::new(); max_slots as usize + 1];
        let mut by_shape = Vec::new();
        for (shape, (free, of_shape)) in shapes().iter().zip(of_shapes) {
            let slots = shape.doves() as usize - 2;
            by_shape.push((lists[slots].len() as u32, free));
            lists[slots].extend(of_shape.0);
            numbers[slots].extend(of_shape.1);
        }
        Placements { lists, numbers, by_shape }
    }

    /// The boss placements with `slots` slots.
    pub(crate) fn with_slots(&self, slots: u32) -> &[Placement] {
        &self.lists[slots as usize]
    }

    /// The slots and flipped slots of the cells of the boss placements with `slots` slots.
    pub(crate) fn numbers(&self, slots: u32) -> &[CellNumbers] {
        &self.numbers[slots as usize]
    }

    /// The greatest number of slots.
    pub(crate) fn max_slots(&self) -> u32 {
        self.lists.len() as u32 - 1
    }

    /// The boss placements of a shape, as a range in the list of those with its number of slots.
    pub(crate) fn of_shape(&self, shape: u32) -> Range<usize> {
        let (first, free) = self.by_shape[shape as usize];
        first as usize..(first + count(free)) as usize
    }

    /// The shape of a board's doves, given as cells of the plane. `None` if the cells do not form a board, or form one
    /// with too many slots.
    pub(crate) fn find(&self, doves: u64) -> Option<OnShape> {
        let (canonical, start) = Canonical::of_plane(doves)?;
        let &(first, free) = self.by_shape.get(canonical.index())?;
        Some(OnShape { first, free, canonical, start })
    }
}

/// A board's doves, matched to their shape.
#[derive(Clone, Copy)]
pub(crate) struct OnShape {
    /// The index of the shape's first boss placement in the list of those with its number of slots.
    first: u32,
    /// The cells of the shape on which a boss is not surrounded.
    free: Cells,
    canonical: Canonical,
    /// Row and column of the plane at which the box starts.
    start: (u32, u32),
}

impl OnShape {
    /// The cell of the shape for a dove's cell of the plane.
    pub(crate) fn cell(&self, cell: u64) -> u32 {
        let (bit, (row, column)) = (cell.trailing_zeros(), self.start);
        self.canonical.image_of_cell(WINDOW * (bit / plane::PLANE - row) + bit % plane::PLANE - column)
    }

    /// Whether a boss on a cell of the shape is surrounded.
    pub(crate) const fn is_surrounded(&self, cell: u32) -> bool {
        !self.free.contains(cell)
    }

    /// The index of a boss placement in the list of those with its number of slots, given the cells of the
    /// shape that the bosses are on; neither may be surrounded.
    pub(crate) fn placement(&self, own_boss: u32, opposing_boss: u32) -> u32 {
        let before = |cell: u32| Cells(self.free.0 & ((1 << cell) - 1)).count();
        let opposing = before(opposing_boss) - u32::from(own_boss < opposing_boss);
        self.first + before(own_boss) * (self.free.count() - 1) + opposing
    }
}
