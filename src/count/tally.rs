//! Tallies: counts by number of doves, their comparison with published figures, and CSV output; and the texts that name
//! numbers of doves.

use std::io::{self, Write};
use std::iter::Sum;
use std::ops::{AddAssign, RangeInclusive};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::published;
use super::{Category, Turn, Workload};
use crate::rules::{Color, Rules, ascii_forms};
use crate::shapes::Shape;

/// The possible numbers of doves on the board.
pub const ALL_DOVES: RangeInclusive<u32> = 2..=12;

/// Why a text does not name numbers of doves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DovesError {
    /// A part of the text is not a number.
    #[error("'{}' is not a valid number of doves; {FORM}", .0.escape_debug())]
    NoNumber(String),
    /// No board has this many doves.
    #[error("there are never {0} doves on the board; {FORM}")]
    Outside(u32),
    /// The range ends before it starts.
    #[error("the range is empty; write {1}..{0}")]
    Empty(u32, u32),
}

/// The accepted forms of numbers of doves, for messages.
const FORM: &str = "write one number from 2 to 12, as in 7, or a range with both ends, as in 2..12";

/// Parses a number of doves on the board, or a range of them: `7`, `2..12`. Both ends are included; `2..=12` means
/// the same.
///
/// # Errors
/// If the text is neither, names numbers outside [`ALL_DOVES`], or names an empty range.
pub fn read_doves(text: &str) -> Result<RangeInclusive<u32>, DovesError> {
    let text = &ascii_forms(text);
    let number = |text: &str| text.parse::<u32>().map_err(|_| DovesError::NoNumber(text.to_owned()));
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last.strip_prefix('=').unwrap_or(last))?),
        None => (number(text)?, number(text)?),
    };
    if let Some(outside) = [first, last].into_iter().find(|doves| !ALL_DOVES.contains(doves)) {
        return Err(DovesError::Outside(outside));
    }
    if first > last { Err(DovesError::Empty(first, last)) } else { Ok(first..=last) }
}

/// The counts for one number of doves on the board, with one player to move.
///
/// ```
/// use dovemate::{Count, count};
///
/// let rows = count(Count::mates().doves(6..=6))?.rows;
/// assert_eq!((rows[0].doves, rows[0].shapes, rows[0].positions), (6, 374, 14_310));
/// # Ok::<(), dovemate::RunError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TallyRow {
    /// The player to move; `None` if both have the same dove set.
    #[serde(serialize_with = "mover_name", deserialize_with = "mover_of_name")]
    pub mover: Option<Color>,
    /// Doves on the board, bosses included.
    pub doves: u32,
    /// Canonical shapes.
    pub shapes: u64,
    /// Boss placements examined, over all canonical shapes.
    pub boss_placements: u64,
    /// Assignments of doves to these boss placements.
    pub assignments: u64,
    /// Positions of the category among these, up to symmetry.
    pub positions: u64,
}

/// What files write for the player to move if it makes no difference, because both have the same dove set.
const ANY: &str = "any";

fn mover_name<S: Serializer>(mover: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(mover.map_or(ANY, Color::name))
}

fn mover_of_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
    let name = String::deserialize(deserializer)?;
    let mover = Color::ALL.into_iter().find(|color| color.name() == name);
    if mover.is_some() || name == ANY { Ok(mover) } else { Err(D::Error::custom("no player to move")) }
}

/// The counts for a range of numbers of doves, with a row for each number; if the players have different dove sets, a
/// row for each number and player to move.
///
/// ```
/// use dovemate::{Count, count};
///
/// let tally = count(Count::mates().doves(2..=6))?;
/// let mut csv = Vec::new();
/// tally.write_csv(&mut csv)?;
/// assert!(csv.starts_with(b"doves,shapes,boss_placements,assignments,mates\n2,2,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// The category that was counted.
    pub category: Category,
    /// The rows, by player to move (red first), then by number of doves, ascending.
    pub rows: Vec<TallyRow>,
}

/// The comparison of a total with the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The total is equal to the published figure.
    Agrees,
    /// The total differs from the published figure, given here.
    Contradicts(u64),
    /// No figure is published for this category and range of doves under these rules.
    Unpublished,
}

impl Workload {
    /// The tally of the counts on all boss placements. They are given turn by turn, in the order of the placements.
    ///
    /// # Panics
    /// If the number of counts differs from the number of boss placements in all turns, or a shape's counts do not make
    /// a whole number of positions.
    pub fn tally(&self, counts: &[u64]) -> Tally {
        let rows = self.by_turn(counts).flat_map(|(turn, counts)| self.rows(turn, counts));
        Tally::of(self.category, rows)
    }

    /// The tally of the first turn so far: over the shapes whose boss placements all have a count.
    pub fn tally_of_first(&self, counts: &[u64]) -> Tally {
        Tally::of(self.category, self.rows(&self.turns()[0], counts))
    }

    fn rows<'a>(&'a self, turn: &'a Turn, counts: &'a [u64]) -> impl Iterator<Item = TallyRow> + 'a {
        let whole = self.shapes().take_while(|(_, placements)| placements.end <= counts.len());
        whole.map(|(shape, placements)| TallyRow::of(turn, &shape, &counts[placements]))
    }
}

impl TallyRow {
    /// The row of a shape, from the counts on all of its boss placements.
    pub fn of(turn: &Turn, shape: &Shape, counts: &[u64]) -> TallyRow {
        let (doves, boss_placements) = (shape.doves(), counts.len() as u64);
        TallyRow {
            mover: turn.mover,
            doves,
            shapes: 1,
            boss_placements,
            assignments: boss_placements * turn.assignments(doves - 2),
            positions: shape.positions(counts.iter().sum()),
        }
    }
}

/// Adds the counts; the number of doves and the player to move stay.
impl AddAssign<&TallyRow> for TallyRow {
    fn add_assign(&mut self, other: &TallyRow) {
        self.shapes += other.shapes;
        self.boss_placements += other.boss_placements;
        self.assignments += other.assignments;
        self.positions += other.positions;
    }
}

/// The sum of the counts, without a number of doves or a player to move.
impl<'a> Sum<&'a TallyRow> for TallyRow {
    fn sum<I: Iterator<Item = &'a TallyRow>>(rows: I) -> TallyRow {
        rows.fold(TallyRow::default(), |mut total, row| {
            total += row;
            total
        })
    }
}

impl Tally {
    /// The tally of these rows: those with the same player to move and number of doves are added up.
    pub fn of(category: Category, rows: impl IntoIterator<Item = TallyRow>) -> Tally {
        let mut sums: Vec<TallyRow> = Vec::new();
        for row in rows {
            match sums.iter_mut().find(|sum| (sum.mover, sum.doves) == (row.mover, row.doves)) {
                Some(sum) => *sum += &row,
                None => sums.push(row),
            }
        }
        sums.sort_by_key(|row| (row.mover, row.doves));
        Tally { category, rows: sums }
    }

    /// The sum over all rows; its mover and its number of doves are meaningless.
    pub fn total(&self) -> TallyRow {
        self.rows.iter().sum()
    }

    /// Compares the total with the published one.
    pub fn compare(&self, rules: Rules) -> Comparison {
        let is_complete = self.rows.iter().map(|row| row.doves).eq(ALL_DOVES);
        match published::total(self.category, rules) {
            Some(published) if is_complete && published == self.total().positions => Comparison::Agrees,
            Some(published) if is_complete => Comparison::Contradicts(published),
            _ => Comparison::Unpublished,
        }
    }

    /// A tally for each player to move.
    #[doc(hidden)]
    pub fn by_mover(&self) -> impl Iterator<Item = Tally> {
        let by_mover = self.rows.chunk_by(|row, next| row.mover == next.mover);
        by_mover.map(|rows| Tally { category: self.category, rows: rows.to_vec() })
    }

    /// Writes the rows as CSV, with a header. There is a column for the player to move only if the dove sets differ.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_csv(&self, writer: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(writer);
        let has_mover = self.rows.iter().any(|row| row.mover.is_some());
        let heads = ["doves", "shapes", "boss_placements", "assignments", self.category.name()];
        csv.write_record(has_mover.then_some("mover").into_iter().chain(heads))?;
        for row in &self.rows {
            let numbers = [row.doves.into(), row.shapes, row.boss_placements, row.assignments, row.positions];
            let mover = row.mover.map(|mover| mover.name().to_owned());
            csv.write_record(mover.into_iter().chain(numbers.map(|number: u64| number.to_string())))?;
        }
        csv.flush()
    }
}
