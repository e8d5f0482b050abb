//! Positions compared with their images under the symmetries of their shape, which have places of their own.

use crate::LookupError;
use crate::rules::{Board, Cell};
use crate::shapes::{Cells, Symmetry};
use crate::solve::check::{places_of, sample};
use crate::solve::solved::Solved;
use crate::solve::space::layout::ClassId;
use rayon::prelude::*;

/// Compares `count` positions on one boss placement of a class, drawn with a seed, with their images on it.
/// Returns the number of images: 0 if the shape has no symmetries; or an image that has another value, or one
/// that cannot be read.
pub(crate) fn compare_images(
    solved: &dyn Solved,
    class: ClassId,
    placement: usize,
    count: u64,
    seed: u64,
) -> Result<u64, String> {
    let numbers = sample(seed, count, places_of(solved.layout(), class, placement));
    let images = numbers.par_iter().map(|&number| {
        let (board, mover) = solved.position(number).expect("the place is one of the game");
        let has_distances = solved.knows_distances();
        let worth = |board: &Board| {
            let known = solved.value(board, mover).map_err(|error: LookupError| error.to_string())?;
            let worth = known.expect("a position of the game has a value").worth;
            Ok::<_, String>(if has_distances { worth } else { worth.without_distance() })
        };
        let images = images(&board);
        for image in &images {
            let (found, other) = (worth(&board)?, worth(image)?);
            if found != other {
                let both = format!("{board} and its image {image} with {mover} to move");
                return Err(format!("{both} are one position, solved as {found} and as {other}"));
            }
        }
        Ok(images.len() as u64)
    });
    images.sum()
}

/// The images of a board in normal form that stand on the same cells, without the board itself.
fn images(board: &Board) -> Vec<Board> {
    let cells: Cells = board.doves().map(|(_, cell)| cell.number()).collect();
    let image = |symmetry: Symmetry| {
        let moved = |cell: Cell| Cell::from_number(symmetry.image_of_cell(cell.number(), cells.extent()));
        Board::new(board.doves().map(|(dove, cell)| (dove, moved(cell))))
            .expect("an image of a board is a board")
    };
    let onto_itself = Symmetry::all().skip(1).filter(|symmetry| symmetry.image(cells) == cells);
    onto_itself.map(image).collect()
}
