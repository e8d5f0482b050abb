//! Listing mates, wins in one or stuck positions, each once, in a fixed order; and drawing a sample without
//! listing them all.
//!
//! # One of each
//!
//! A listing iterates over canonical shapes, boss placements and assignments. Two assignments on a shape are
//! the same position exactly if a symmetry of the shape turns one into the other. So one of each orbit must
//! be chosen, in such a way that the chosen ones can also be *counted* without examining them:
//!
//! 1. Of the boss placements that symmetries of the shape turn into each other, only the least is taken: by the cell of
//!    the mover's boss, then by that of the opposing boss. If two symmetries both bring an assignment to this boss
//!    placement, the two images differ by a symmetry that keeps both bosses' cells.
//! 2. A symmetry of the plane that keeps two points is the identity or the reflection in the line through them. So at
//!    most one such symmetry moves a dove at all, the *mirror*, σ. Without a mirror all assignments are taken.
//! 3. With a mirror, let O be the set of slots that the opponent holds. If σ(O) ≠ O, the assignments with O and those
//!    with σ(O) are each other's images, so all are taken for the set that is smaller as a number, and none for the
//!    greater.
//! 4. If σ(O) = O, let s be the first slot that σ moves. The doves on s and σ(s) have one owner, and are different; an
//!    assignment is taken if the kind on s comes before that on σ(s). Its image has the two exchanged, so exactly half
//!    of the assignments are taken.
//!
//! The [factored method](factored::count_with) counts for each O, so the number taken is known: all of that count,
//! none, or half. Over all shapes this adds up to the numbers that [`Shape::positions`] derives from the raw counts.
//!
//! # Drawing
//!
//! The positions of a listing have ranks, 0 to n − 1. A sample is a set of k ranks, each such set equally likely
//! ([`crate::random::Random::sample`]). Adding up the counts finds a rank's boss placement, then its O; only there
//! are assignments examined, 14,400 at most.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use crate::count::exhaustive::Block;
use crate::count::sets::Slots;
use crate::count::table::Table;
use crate::count::{Category, Sides, factored};
use crate::rules::{Code, Color, Dove, Kind, Rules};
use crate::shapes::deals::{CONSTANTS, KINDS, deals};
use crate::shapes::{BossPlacement, Shape, Symmetry, assignments};

/// A listing: a set of positions in a fixed order. The mover is red in all of them.
///
/// ```
/// use dovemate::{Category, Listing, Rules};
///
/// let mates = Listing::new(Category::Mates, 6..=6, Rules::default());
/// for code in mates.iter().take(3) {
///     println!("{}", code.text());
/// }
/// assert_eq!(mates.iter().count() as u64, mates.ranks().total());
/// ```
#[derive(Clone, Debug)]
pub struct Listing {
    category: Category,
    rules: Rules,
    placements: Vec<OrbitPlacement>,
}

/// A boss placement that is the least of its orbit under the symmetries of its shape.
#[derive(Clone, Debug)]
struct OrbitPlacement {
    placement: BossPlacement,
    /// The mirror, as the image of each slot; `None` if there is none.
    mirror: Option<Vec<u32>>,
}

/// Which assignments with one set of opposing slots are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    None,
    All,
    /// Those with the kind on the first of these slots before that on the second.
    Half(u32, u32),
}

impl OrbitPlacement {
    /// The boss placement of a shape, if it is the least of its orbit.
    fn of(placement: BossPlacement) -> Option<OrbitPlacement> {
        let cells = placement.cells();
        let bosses = (placement.own_boss(), placement.opposing_boss());
        let extent = cells.extent();
        let mut mirror = None;
        for symmetry in Symmetry::all().filter(|symmetry| symmetry.image(cells) == cells) {
            let image = |cell| symmetry.image_of_cell(cell, extent);
            let images = (image(bosses.0), image(bosses.1));
            if images < bosses {
                return None;
            }
            if images == bosses && cells.iter().any(|cell| image(cell) != cell) {
                let slot_of = |cell| placement.slot_cells().position(|other| other == cell);
                let image_slots = placement.slot_cells().map(|cell| {
                    slot_of(image(cell)).expect("a symmetry that keeps the bosses permutes the slots") as u32
                });
                mirror = Some(image_slots.collect());
            }
        }
        Some(OrbitPlacement { placement, mirror })
    }

    fn assignments(&self) -> u64 {
        assignments(self.placement.slots())
    }

    fn taken(&self, opposing: Slots) -> Taken {
        let Some(mirror) = &self.mirror else {
            return Taken::All;
        };
        let images = opposing.iter().map(|slot| Slots::one(mirror[slot as usize]));
        let image = images.fold(Slots::NONE, |image, slot| image | slot);
        match opposing.cmp(&image) {
            Ordering::Less => Taken::All,
            Ordering::Greater => Taken::None,
            Ordering::Equal => {
                let moved = (0..).zip(mirror).find(|(slot, image_slot)| slot != *image_slot);
                let (slot, &image_slot) = moved.expect("a mirror moves a slot");
                Taken::Half(slot, image_slot)
            }
        }
    }

    /// The positions of the category in which the opponent holds the slots of `opposing`, one for each taken
    /// assignment. Some must be taken, and `table` must be built for this placement and category.
    fn codes(&self, table: &Table, category: Category, opposing: Slots) -> Vec<Code> {
        let (taken, mut codes) = (self.taken(opposing), Vec::new());
        let cells: Vec<u32> = self.placement.slot_cells().collect();
        let boss = |color| Dove::new(color, Kind::Boss);
        let (own, other) = (self.placement.own_boss(), self.placement.opposing_boss());
        let bosses = Code::from_squares([(boss(Color::Red), own), (boss(Color::Green), other)]);
        let mut block = Block::default();
        block.settle(table, category, Sides::WHOLE, opposing);
        let mover = deals_taken(Color::Red, opposing.others(table.slots), &cells, taken);
        for (order, opponent) in deals_taken(Color::Green, opposing, &cells, taken) {
            let row = block.row(order);
            for (_, mover) in mover.iter().filter(|(order, _)| row >> order & 1 == 1) {
                codes.push(Code(bosses.0 | opponent.0 | mover.0));
            }
        }
        codes
    }
}

/// The taken deals of a player's doves to its slots: the index of each order, and the code of its doves.
fn deals_taken(color: Color, slots: Slots, cells: &[u32], taken: Taken) -> Vec<(usize, Code)> {
    let place = |slot| slots.iter().position(|other| other == slot);
    let compared = match taken {
        Taken::Half(first, second) => place(first).zip(place(second)),
        _ => None,
    };
    let orders = CONSTANTS.orders[..deals(slots.count())].iter().enumerate();
    let taken =
        orders.filter(|(_, kinds)| compared.is_none_or(|(first, second)| kinds[first] < kinds[second]));
    let deal = |(order, kinds): (usize, &[u8; KINDS])| {
        let doves = kinds.iter().map(|&kind| Dove::new(color, Kind::OTHERS[usize::from(kind)]));
        (order, Code::from_squares(doves.zip(slots.iter().map(|slot| cells[slot as usize]))))
    };
    taken.map(deal).collect()
}

impl Listing {
    /// The positions whose number of doves is in the range.
    pub fn new(category: Category, doves: RangeInclusive<u32>, rules: Rules) -> Listing {
        Listing::on(category, Shape::all().into_iter().filter(|shape| doves.contains(&shape.doves())), rules)
    }

    /// The positions on these shapes, shape by shape.
    pub fn on(category: Category, shapes: impl IntoIterator<Item = Shape>, rules: Rules) -> Listing {
        let may_hold = |placement: &BossPlacement| category.may_be_on(placement);
        let placements = shapes.into_iter().flat_map(|shape| BossPlacement::all(&shape).collect::<Vec<_>>());
        let placements = placements.filter(may_hold).filter_map(OrbitPlacement::of).collect();
        Listing { category, rules, placements }
    }

    /// The number of assignments on the listing's boss placements, as the total for a progress display.
    pub fn assignments(&self) -> u64 {
        self.placements.iter().map(OrbitPlacement::assignments).sum()
    }

    /// The positions in order, found on demand, in batches of boss placements on all threads. Only the positions of one
    /// batch are in memory.
    pub fn iter(&self) -> ListedPositions<'_> {
        ListedPositions { listing: self, rest: &self.placements, batch: Vec::new().into_iter(), examined: 0 }
    }

    fn positions_on(&self, placement: &OrbitPlacement) -> Vec<Code> {
        let (table, mut counts) = self.counts(placement);
        // Counting is faster than testing, and most sets have no mate.
        counts.retain(|(_, count)| *count != 0);
        counts.iter().flat_map(|&(opposing, _)| placement.codes(&table, self.category, opposing)).collect()
    }

    /// The table of a boss placement, and the number of its positions for each set of opposing slots.
    fn counts(&self, placement: &OrbitPlacement) -> (Table, Vec<(Slots, u64)>) {
        let mut table = Table::default();
        table.build(Some(self.category), &placement.placement, self.rules);
        let count = |opposing| {
            let all = || factored::count_with(&table, self.category, Sides::WHOLE, opposing);
            match placement.taken(opposing) {
                Taken::None => 0,
                Taken::All => all(),
                Taken::Half(..) => all() / 2,
            }
        };
        let sets = CONSTANTS.opposing_sets[table.slots as usize].iter().copied().map(Slots);
        let counts = sets.map(|opposing| (opposing, count(opposing))).collect();
        (table, counts)
    }

    /// The ranks of the positions, found by counting the positions on every boss placement.
    pub fn ranks(&self) -> Ranks<'_> {
        let count = |placement| self.counts(placement).1.iter().map(|(_, count)| count).sum();
        let mut ends: Vec<u64> = self.placements.par_iter().map(count).collect();
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        Ranks { listing: self, ends }
    }
}

impl<'a> IntoIterator for &'a Listing {
    type Item = Code;
    type IntoIter = ListedPositions<'a>;

    fn into_iter(self) -> ListedPositions<'a> {
        self.iter()
    }
}

/// The positions of a [`Listing`], each as the code of its board with the box at the window's origin and red
/// to move.
#[derive(Clone, Debug)]
pub struct ListedPositions<'a> {
    listing: &'a Listing,
    rest: &'a [OrbitPlacement],
    batch: std::vec::IntoIter<Code>,
    examined: u64,
}

impl ListedPositions<'_> {
    /// The number of assignments examined so far, out of [all of the listing](Listing::assignments).
    pub fn examined(&self) -> u64 {
        self.examined
    }

    /// Finds the positions of the next boss placements.
    fn find_more(&mut self) {
        /// A batch of boss placements has at most this many assignments, unless it is a single one.
        const BATCH_ASSIGNMENTS: u64 = 1 << 19;
        let mut gathered = 0;
        let fits = self.rest.iter().take_while(|placement| {
            gathered += placement.assignments();
            gathered <= BATCH_ASSIGNMENTS
        });
        let (batch, others) = self.rest.split_at(fits.count().max(1));
        self.rest = others;
        let lists: Vec<Vec<Code>> =
            batch.par_iter().map(|placement| self.listing.positions_on(placement)).collect();
        self.batch = lists.concat().into_iter();
        self.examined += batch.iter().map(OrbitPlacement::assignments).sum::<u64>();
    }
}

impl Iterator for ListedPositions<'_> {
    type Item = Code;

    fn next(&mut self) -> Option<Code> {
        while self.batch.len() == 0 && !self.rest.is_empty() {
            self.find_more();
        }
        self.batch.next()
    }
}

/// The ranks of a listing's positions, which locate any of them without listing the others.
#[derive(Debug)]
pub struct Ranks<'a> {
    listing: &'a Listing,
    ends: Vec<u64>,
}

impl Ranks<'_> {
    /// The number of positions.
    pub fn total(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The positions with these ranks, in the same order.
    ///
    /// # Panics
    /// If the ranks are not ascending, or not below the total.
    pub fn locate(&self, ranks: &[u64]) -> Vec<Code> {
        assert!(
            ranks.is_sorted() && ranks.last().is_none_or(|&last| last < self.total()),
            "ascending, below the total"
        );
        let index_of = |rank: u64| self.ends.partition_point(|&end| end <= rank);
        let chunks: Vec<&[u64]> = ranks.chunk_by(|&a, &b| index_of(a) == index_of(b)).collect();
        chunks.par_iter().flat_map_iter(|ranks| self.locate_on(index_of(ranks[0]), ranks)).collect()
    }

    /// The positions with these ranks, all of them on one boss placement.
    fn locate_on(&self, index: usize, ranks: &[u64]) -> Vec<Code> {
        let placement = &self.listing.placements[index];
        let (table, counts) = self.listing.counts(placement);
        let mut first = if index == 0 { 0 } else { self.ends[index - 1] };
        let (mut rest, mut located) = (ranks, Vec::with_capacity(ranks.len()));
        for (opposing, count) in counts {
            let (here, others) = rest.split_at(rest.partition_point(|&rank| rank < first + count));
            rest = others;
            if !here.is_empty() {
                let codes = placement.codes(&table, self.listing.category, opposing);
                located.extend(here.iter().map(|rank| codes[(rank - first) as usize]));
            }
            first += count;
        }
        located
    }
}
