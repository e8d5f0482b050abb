//! The images of a position under its symmetries, by the definition.

use dovemate::rules::{Board, Cell, Color, Dove};

/// The images of a board under rotations and reflections, first with the colours as they are, then exchanged.
pub(crate) fn images(board: &Board, mover: Color) -> impl Iterator<Item = (Board, Color)> {
    (0..16).map(move |image| {
        let doves = board.doves().map(|(dove, Cell { row, column })| {
            let row = if image & 1 == 0 { row } else { 3 - row };
            let column = if image & 2 == 0 { column } else { 3 - column };
            let cell = if image & 4 == 0 { Cell::new(row, column) } else { Cell::new(column, row) };
            (if image & 8 == 0 { dove } else { Dove::new(dove.color.opponent(), dove.kind) }, cell)
        });
        (
            Board::new(doves).expect("an image of a board"),
            if image & 8 == 0 { mover } else { mover.opponent() },
        )
    })
}
