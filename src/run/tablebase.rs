//! Opening the tables of a solved game.

use std::path::Path;

use crate::rules::Game;
use crate::solve::files::tables::{MANIFEST, TableError, Tablebase, folder_name};
use crate::solve::in_files::by_parts::open_solved;
use crate::solve::solved::{Longest, Solution, Solved};
use crate::solve::space::layout::Layout;

impl Tablebase {
    /// Opens the tables of a game in a folder where `dovemate solve --tables` or
    /// [`SolvedGame::write`](crate::SolvedGame::write) wrote them, with distances if they are there. While a game is
    /// being solved in files, the values of its solved parts are known.
    ///
    /// # Errors
    /// If the tables are missing or of another format, or if what is read of them is damaged. Values are read later.
    pub fn open(folder: impl AsRef<Path>, game: Game) -> Result<Tablebase, TableError> {
        let of_game = |has_distances| folder.as_ref().join(folder_name(&game, has_distances));
        let mut missing = of_game(true).join(MANIFEST);
        for has_distances in [true, false] {
            match Tablebase::open_finished(&of_game(has_distances), game, has_distances) {
                Err(TableError::Missing(path)) if path.ends_with(MANIFEST) => {}
                Err(TableError::Missing(path)) => missing = path,
                result => return result,
            }
        }
        let parts = open_solved(Layout::new(game), &of_game(true))?;
        parts.ok_or(TableError::Missing(missing))
    }

    /// The number of positions of each value.
    pub fn solution(&self) -> &Solution {
        Solved::solution(self)
    }

    /// A position with the greatest distance; `None` if all are drawn, or without distances.
    pub fn longest(&self) -> Option<Longest> {
        Solved::longest(self)
    }
}
