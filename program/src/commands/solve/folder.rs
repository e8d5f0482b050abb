//! The folder of a game in a folder of tables: its contents, and its preparation for writing.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::plan::{Contents, Kept};
use crate::io::{Failure, complain};
use dovemate::Game;
use dovemate_solver::in_files::{Access, ByParts, FolderLock};
use dovemate_solver::whole_files::{WholeFile, create_folder};
use dovemate_solver::{TableError, Tablebase};

/// Reads the contents of a game's folder in a folder of tables. A share does not need the rounds of a solved game.
///
/// # Errors
/// If a file cannot be trusted.
pub fn contents(
    folder: &Path,
    game: &Game,
    keep: Kept,
    is_share: bool,
) -> Result<Contents<Tablebase>, Failure> {
    let of_game = of_game(folder, game);
    let tables = open_tables(&of_game, game)?;
    let is_begun = tables.is_none() && ByParts::is_begun(&of_game);
    let mut rounds = None;
    if is_begun && !keep.in_tables() && !is_share {
        rounds = Tablebase::open_parts(&of_game, *game)?;
        if !rounds.as_ref().map_or(Ok(false), |solved| solved.keeps(keep.in_files()))? {
            rounds = None;
        }
    }
    Ok(Contents { tables, rounds, is_begun })
}

/// The folder of a game in a folder of tables.
pub fn of_game(folder: &Path, game: &Game) -> PathBuf {
    folder.join(Tablebase::folder_name(game))
}

/// The tables in the folder of a game, if they are finished.
pub fn open_tables(of_game: &Path, game: &Game) -> Result<Option<Tablebase>, Failure> {
    match Tablebase::open_finished(of_game, *game) {
        Ok(stored) => Ok(Some(stored)),
        Err(TableError::Missing(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Creates the folder of a game, checks that tables can be written there, and locks it.
pub fn prepare(folder: &Path, game: &Game, access: Access) -> Result<Prepared, Failure> {
    let of_game = of_game(folder, game);
    create_folder(&of_game).with_context(|| format!("the folder {} cannot be created", of_game.display()))?;
    // Check now; otherwise the failure would show only after the game is solved.
    let manifest = of_game.join(Tablebase::MANIFEST);
    WholeFile::open(&manifest).with_context(|| format!("{} cannot be written", manifest.display()))?;
    let owner = match sysinfo::System::host_name() {
        Ok(host) => format!("process {} on {host}", std::process::id()),
        Err(_) => format!("process {}", std::process::id()),
    };
    let lock = FolderLock::new(&of_game, access, &owner)?;
    Ok(Prepared { of_game, lock })
}

/// The folder of a game that this process solves.
pub struct Prepared {
    pub of_game: PathBuf,
    lock: FolderLock,
}

impl Prepared {
    /// Unlocks the folder, which now contains finished tables, and removes its rounds.
    pub fn finish(self) {
        // Windows does not remove a folder with open files.
        drop(self.lock);
        remove_rounds(&self.of_game);
    }
}

/// Removes the rounds beside finished tables: those of this run, or of an interrupted one.
pub fn remove_rounds(of_game: &Path) {
    if let Err(error) = ByParts::remove_rounds(of_game) {
        complain(format_args!("the rounds are no longer needed, but could not be removed: {error}"));
    }
}
