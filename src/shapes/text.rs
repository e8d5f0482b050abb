//! Shapes as text.

use std::fmt;
use std::str::FromStr;

use super::{Canonical, Cells, Shape, WINDOW};
use crate::rules::{Dove, board_rows, grid};

/// Why a text is not a shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// Too many rows or columns.
    #[error("it has {0} rows and {1} columns; a shape fits in 4×4, its rows joined by ';'")]
    TooLarge(usize, usize),
    /// A character that is neither a dove nor an empty cell.
    #[error(
        "row {row}, column {column}: '{}' is not a cell; write x or a dove's letter where a dove stands, '-', '.' or a \
         space where none does",
        .letter.escape_debug()
    )]
    UnknownLetter {
        /// Row of the text, from 1.
        row: usize,
        /// Column of the text, from 1.
        column: usize,
        /// The character.
        letter: char,
    },
    /// Too few or too many cells.
    #[error("it has {0} cell{s} with a dove; there are 2 to 12", s = if *_0 == 1 { "" } else { "s" })]
    Count(u32),
    /// A cell has no neighbour.
    #[error("a dove on it would be isolated")]
    Isolated,
}

/// Four rows of four cells joined by `;`, `x` for a dove: a text that [`Shape::from_str`] reads.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&grid(|cell| if self.cells.contains(cell) { 'x' } else { '-' }))
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    /// Reads rows from the top, separated like those of a board ([`board_rows`]), with `-`, `.` or a space for an empty
    /// cell and `x`, `X` or the letter of a dove for a dove, in any translation, rotation or reflection.
    fn from_str(text: &str) -> Result<Shape, ShapeError> {
        let rows = board_rows(text);
        let mut doves: Vec<(usize, usize)> = Vec::new();
        for (row, cells) in rows.iter().enumerate() {
            for (column, letter) in cells.chars().enumerate() {
                if matches!(letter, 'x' | 'X') || Dove::from_letter(letter).is_some() {
                    doves.push((row, column));
                } else if !matches!(letter, '-' | '.' | ' ') {
                    return Err(ShapeError::UnknownLetter { row: row + 1, column: column + 1, letter });
                }
            }
        }
        let columns = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        if rows.len() > WINDOW as usize || columns > WINDOW as usize {
            return Err(ShapeError::TooLarge(rows.len(), columns));
        }
        let number = |&(row, column): &(usize, usize)| WINDOW * row as u32 + column as u32;
        let mut cells: Cells = doves.iter().map(number).collect();
        if !(2..=12).contains(&cells.count()) {
            return Err(ShapeError::Count(cells.count()));
        }
        while !cells.is_normal() {
            let top_row_is_empty = cells.iter().all(|cell| cell >= WINDOW);
            cells = Cells(cells.0 >> if top_row_is_empty { WINDOW } else { 1 });
        }
        Canonical::of(cells).map(Canonical::shape).ok_or(ShapeError::Isolated)
    }
}
