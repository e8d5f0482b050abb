//! Opening the tables of a solved game.

use std::path::Path;

use crate::files::game_folder::folder_name;
use crate::files::tables::tablebase::Tablebase;
use crate::in_files::by_parts::open_solved;
use crate::solved::{Longest, Solution, Solved, SolvedPositions, TableError};
use crate::space::layout::{ClassId, Layout};
use crate::value::Value;
use dovemate::rules::Game;

impl Tablebase {
    /// Opens the tables of a game in a folder where `dovemate solve --tables` or
    /// [`SolvedGame::write`](crate::SolvedGame::write) wrote them. While a game is being solved in files, the
    /// values of its solved parts are known.
    ///
    /// # Errors
    /// If the tables are missing, of another format, or damaged as far as they are read here. Values are read later.
    pub fn open(folder: impl AsRef<Path>, game: Game) -> Result<Tablebase, TableError> {
        let of_game = folder.as_ref().join(folder_name(&game));
        let missing = match Tablebase::open_finished(&of_game, game) {
            Err(TableError::Missing(path)) => path,
            result => return result,
        };
        if let Some(solved) = open_solved(Layout::new(game), &of_game)? {
            return Ok(solved);
        }
        let without_distances = folder.as_ref().join(folder_name(&game) + "-values");
        Err(match without_distances.is_dir() {
            true => TableError::WithoutDistances(without_distances),
            false => TableError::Missing(missing),
        })
    }

    /// Opens the solved parts of a game in its own folder, in rounds or in tables; `None` if no part is solved.
    ///
    /// # Errors
    /// If the files cannot be trusted.
    pub fn open_parts(of_game: &Path, game: Game) -> Result<Option<Tablebase>, TableError> {
        open_solved(Layout::new(game), of_game)
    }

    /// The number of positions of each value.
    pub fn solution(&self) -> &Solution {
        Solved::solution(self)
    }

    /// The positions whose value is wanted, each once, of the parts that are solved. Where only the wins are kept, there
    /// are errors in their place.
    pub fn positions<'a>(&'a self, is_wanted: impl Fn(Value) -> bool + 'a) -> SolvedPositions<'a> {
        let known: Vec<ClassId> = self.layout().ids().filter(|&class| self.knows(class)).collect();
        SolvedPositions::new(self, &known, is_wanted)
    }

    /// A position with the greatest distance; `None` if all are drawn.
    pub fn longest(&self) -> Option<Longest> {
        Solved::longest(self)
    }
}
