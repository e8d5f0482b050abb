//! Counts by number of doves: adding up, comparing with what is published, writing as CSV and JSON.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use crate::mates::What;
use crate::rules::Rules;
use crate::shapes::{BossPlacement, Shape, assignments};

/// The dove counts there are.
pub const ALL_DOVES: RangeInclusive<u32> = 2..=12;

/// The work of a count: the shapes with some numbers of doves, and their boss placements. Of these the enclosure prune leaves
/// those that may hold a mate; for anything else all are looked at.
pub struct Workload {
    shapes: Vec<Shape>,
    /// The boss placements, shape by shape.
    pub placements: Vec<BossPlacement>,
    what: What,
    /// Where each shape's boss placements end.
    ends: Vec<usize>,
}

/// The counts for one number of doves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Doves on the board, bosses included.
    pub doves: u32,
    /// Canonical shapes.
    pub shapes: u64,
    /// Boss placements that were looked at, each of each canonical shape counted.
    pub boss_placements: u64,
    /// Assignments of doves to these.
    pub assignments: u64,
    /// What was counted among them, as positions: up to symmetry.
    pub positions: u64,
}

/// The counts of a range of dove counts, one row each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// What was counted.
    pub what: What,
    /// One row per dove count, ascending.
    pub rows: Vec<Row>,
}

/// How a total compares with a published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It is the published figure.
    Agrees,
    /// It is not; this is.
    Contradicts(u64),
    /// No figure has been published for this range of doves under these rules.
    Unpublished,
}

impl Workload {
    /// All shapes with a number of doves in the range.
    pub fn new(doves: &RangeInclusive<u32>, what: What) -> Workload {
        let mut shapes = Shape::all();
        shapes.retain(|shape| doves.contains(&shape.doves()));
        let mut placements = Vec::new();
        let mut ends = Vec::new();
        for shape in &shapes {
            let all = BossPlacement::all(shape);
            placements.extend(all.filter(|placement| what != What::Mates || !placement.is_pruned()));
            ends.push(placements.len());
        }
        Workload { shapes, placements, what, ends }
    }

    /// How many assignments there are in all.
    pub fn assignments(&self) -> u64 {
        self.placements.iter().map(|placement| assignments(placement.slots())).sum()
    }

    /// The tally of the counts of all boss placements, in their order.
    ///
    /// # Panics
    /// If there is not a count for each, or if the counts of a shape are no whole number of positions.
    pub fn tally(&self, counts: &[u64]) -> Tally {
        let mut rows: Vec<Row> = Vec::new();
        let mut start = 0;
        for ((shape, positions), &end) in self.by_shape(counts).iter().zip(&self.ends) {
            let doves = shape.doves();
            if rows.last().is_none_or(|row| row.doves != doves) {
                rows.push(Row { doves, ..Row::default() });
            }
            let row = rows.last_mut().expect("a row was just added");
            row.shapes += 1;
            row.boss_placements += (end - start) as u64;
            row.assignments += (end - start) as u64 * assignments(doves - 2);
            row.positions += positions;
            start = end;
        }
        Tally { what: self.what, rows }
    }

    /// The positions on each shape, from the counts of all boss placements in their order.
    ///
    /// # Panics
    /// As [`Workload::tally`].
    pub fn by_shape(&self, counts: &[u64]) -> Vec<(Shape, u64)> {
        assert_eq!(counts.len(), self.placements.len(), "one count for each boss placement");
        let starts = std::iter::once(&0).chain(&self.ends);
        let counts = starts.zip(&self.ends).map(|(&start, &end)| counts[start..end].iter().sum());
        self.shapes.iter().zip(counts).map(|(shape, raw)| (*shape, shape.positions(raw))).collect()
    }
}

impl Tally {
    /// The sum over all rows; its number of doves has no meaning.
    pub fn total(&self) -> Row {
        self.rows.iter().fold(Row::default(), |total, row| Row {
            doves: 0,
            shapes: total.shapes + row.shapes,
            boss_placements: total.boss_placements + row.boss_placements,
            assignments: total.assignments + row.assignments,
            positions: total.positions + row.positions,
        })
    }

    /// Compares the total with the published one.
    pub fn compare(&self, rules: Rules) -> Comparison {
        let is_complete = self.rows.iter().map(|row| row.doves).eq(ALL_DOVES);
        match published(self.what, rules) {
            Some(published) if is_complete && published == self.total().positions => Comparison::Agrees,
            Some(published) if is_complete => Comparison::Contradicts(published),
            _ => Comparison::Unpublished,
        }
    }

    /// Writes the rows as CSV, with a header.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_csv(&self, writer: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(writer);
        csv.write_record(["doves", "shapes", "boss_placements", "assignments", self.what.name()])?;
        for row in &self.rows {
            let numbers = [u64::from(row.doves), row.shapes, row.boss_placements, row.assignments, row.positions];
            csv.write_record(numbers.map(|number| number.to_string()))?;
        }
        csv.flush()
    }
}

/// The published total over all dove counts, if there is one: the article's corrected number of mates of 2022-11-12, with
/// returns and the mover losing when both bosses are surrounded. Only to compare results with.
pub fn published(what: What, rules: Rules) -> Option<u64> {
    (what == What::Mates && rules == Rules::default()).then_some(4_779_515_952)
}
