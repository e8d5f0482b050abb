//! The solution of a game: the number of positions of each value, by player to move and number of doves.
//!
//! Where both players have the same dove set, a position and its recolouring with the other player to move count as
//! one; otherwise positions are counted by player to move.

use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::known::Worth;
use crate::value::Value;
use dovemate::rules::Color;

/// The number of positions with one value.
///
/// ```
/// use dovemate::Game;
/// use dovemate_solver::{Value, Worth, solve};
///
/// let solved = solve(Game::both("A")?)?;
/// let drawn = solved.solution().count(|row| row.doves == 2 && row.worth == Worth::Exact(Value::Draw));
/// println!("{drawn} positions of the bosses alone are draws");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RowFields", into = "RowFields")]
pub struct SolutionRow {
    /// The player to move; `None` where both players have the same dove set.
    pub mover: Option<Color>,
    /// Doves on the board, bosses included.
    pub doves: u32,
    /// The value; its distance is known.
    pub worth: Worth,
    /// The number of positions, up to symmetry; never 0.
    pub positions: u64,
}

/// As in `2 doves, draw: 2 positions`, with the player to move if that makes a difference.
impl fmt::Display for SolutionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mover = self.mover.map_or(String::new(), |mover| format!("{mover} to move, "));
        let positions = if self.positions == 1 { "position" } else { "positions" };
        write!(f, "{} doves, {mover}{}: {} {positions}", self.doves, self.worth, self.positions)
    }
}

/// A [`SolutionRow`] as in files.
#[derive(Serialize, Deserialize)]
struct RowFields {
    mover: String,
    doves: u32,
    value: String,
    plies: Option<u32>,
    positions: u64,
}

impl From<SolutionRow> for RowFields {
    fn from(SolutionRow { mover, doves, worth, positions }: SolutionRow) -> RowFields {
        let (mover, value) = (mover.map_or("any", Color::name).to_owned(), worth.name().to_owned());
        RowFields { mover, doves, value, plies: worth.plies(), positions }
    }
}

impl TryFrom<RowFields> for SolutionRow {
    type Error = &'static str;

    fn try_from(
        RowFields { mover, doves, value, plies, positions }: RowFields,
    ) -> Result<SolutionRow, &'static str> {
        let mover = match &mover[..] {
            "any" => None,
            name => Some(name.parse().map_err(|_| "not a valid player")?),
        };
        let worth = Worth::named(&value, plies).ok_or("not a valid value")?;
        Ok(SolutionRow { mover, doves, worth, positions })
    }
}

/// The numbers of positions of a game by value.
///
/// ```
/// use dovemate::Game;
/// use dovemate_solver::solve;
///
/// let solved = solve(Game::both("A")?)?;
/// let mut csv = Vec::new();
/// solved.solution().write_csv(&mut csv)?;
/// assert!(csv.starts_with(b"mover,doves,value,plies,positions\nany,2,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// Sorted by mover (red first), doves, value (win, lose, draw) and distance.
    rows: Vec<SolutionRow>,
}

/// The sort key of a row.
fn key(row: &SolutionRow) -> (Option<Color>, u32, u8, Option<u32>) {
    let value = match row.worth {
        Worth::Win | Worth::Exact(Value::Win(_)) => 0,
        Worth::Lose | Worth::Exact(Value::Lose(_)) => 1,
        Worth::NoneWithin(_) | Worth::Exact(Value::Draw) => 2,
    };
    (row.mover, row.doves, value, row.worth.plies())
}

impl Solution {
    /// A solution from counts in any order. Counts with the same mover, doves and value are added up; zeros are
    /// dropped.
    pub fn new(counts: impl IntoIterator<Item = SolutionRow>) -> Solution {
        let mut sorted: Vec<SolutionRow> = counts.into_iter().filter(|row| row.positions > 0).collect();
        sorted.sort_by_key(key);
        let mut rows: Vec<SolutionRow> = Vec::with_capacity(sorted.len());
        for row in sorted {
            match rows.last_mut() {
                Some(last) if key(last) == key(&row) => {
                    // A forged file may have any numbers.
                    last.positions = last.positions.saturating_add(row.positions);
                }
                _ => rows.push(row),
            }
        }
        Solution { rows }
    }

    /// The rows, by mover (red first), doves, value (win, lose, draw) and distance.
    pub fn rows(&self) -> &[SolutionRow] {
        &self.rows
    }

    /// The number of positions in the rows that satisfy a condition.
    pub fn count(&self, wanted: impl Fn(&SolutionRow) -> bool) -> u64 {
        self.rows.iter().filter(|row| wanted(row)).map(|row| row.positions).fold(0, u64::saturating_add)
    }

    /// Whether a position with one of these numbers of doves has this value.
    pub(crate) fn may_have(&self, value: Value, doves: &RangeInclusive<u32>) -> bool {
        self.rows.iter().any(|row| doves.contains(&row.doves) && row.worth == Worth::Exact(value))
    }

    /// Writes the rows as CSV, with the header `mover,doves,value,plies,positions`.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_csv(&self, writer: impl Write) -> io::Result<()> {
        // Also without rows, the file has its header.
        let mut csv = csv::WriterBuilder::new().has_headers(false).from_writer(writer);
        csv.write_record(["mover", "doves", "value", "plies", "positions"])?;
        self.rows.iter().try_for_each(|row| csv.serialize(row))?;
        csv.flush()
    }
}
