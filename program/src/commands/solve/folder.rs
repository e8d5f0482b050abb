//! The folder of a game in a folder of tables: what it holds, and what `dovemate solve` writes there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::plan::{Kept, Present};
use crate::io::failure::{Failure, complain};
use crate::io::process;
use dovemate::internals::files::{WholeFile, create_folder, remove_folder};
use dovemate::internals::solve::files::game_folder::{GameFolder, ROUNDS};
use dovemate::internals::solve::files::lock::{Access, FolderLock};
use dovemate::internals::solve::files::tables::{MANIFEST, TableError, Tablebase, folder_name};
use dovemate::internals::solve::in_files::by_parts::open_solved;
use dovemate::internals::solve::space::layout::Layout;
use dovemate::rules::Game;

/// What the folder of a game holds.
#[derive(Default)]
pub struct Contents {
    pub tables: Option<Tablebase>,
    /// The whole game in its rounds, or in its wins alone, as requested.
    pub rounds: Option<Tablebase>,
    /// Whether there are rounds or parts.
    is_begun: bool,
}

impl Contents {
    /// Reads what a folder of tables holds of a game. A share does not need the rounds of a solved game.
    ///
    /// # Errors
    /// If a file cannot be trusted.
    pub fn read(folder: &Path, game: &Game, keep: Kept, is_share: bool) -> Result<Contents, Failure> {
        let of_game = of_game(folder, game);
        let tables = open_tables(&of_game, game)?;
        let is_begun = tables.is_none() && is_begun(&of_game);
        let mut rounds = None;
        if is_begun && !keep.in_tables() && !is_share {
            let solved = open_rounds(&of_game, game)?;
            if solved.as_ref().map_or(Ok(false), |solved| solved.keeps(keep.in_files()))? {
                rounds = solved;
            }
        }
        Ok(Contents { tables, rounds, is_begun })
    }

    /// Which of these there are.
    pub fn present(&self) -> Present {
        Present { tables: self.tables.is_some(), rounds: self.rounds.is_some(), is_begun: self.is_begun }
    }
}

/// The folder of a game in a folder of tables.
pub fn of_game(folder: &Path, game: &Game) -> PathBuf {
    folder.join(folder_name(game))
}

/// The tables in the folder of a game, if they are finished.
pub fn open_tables(of_game: &Path, game: &Game) -> Result<Option<Tablebase>, Failure> {
    match Tablebase::open_finished(of_game, *game) {
        Ok(stored) => Ok(Some(stored)),
        Err(TableError::Missing(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The solved parts in the folder of a game, in rounds or in tables; `None` if no part is solved.
pub fn open_rounds(of_game: &Path, game: &Game) -> Result<Option<Tablebase>, Failure> {
    Ok(open_solved(Layout::new(*game), of_game)?)
}

/// Whether the folder of a game has rounds, or solved parts of a game that is being solved in files.
fn is_begun(of_game: &Path) -> bool {
    let entries =
        |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_part =
        |path: PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"));
    entries(of_game).any(is_part)
        || entries(&of_game.join(ROUNDS)).any(|part| entries(&part).next().is_some())
}

/// Makes the folder of a game, checks that tables can be written there, and locks it.
pub fn prepare(folder: &Path, game: &Game, access: Access) -> Result<Prepared, Failure> {
    let of_game = of_game(folder, game);
    create_folder(&of_game).with_context(|| format!("the folder {} cannot be made", of_game.display()))?;
    // Otherwise the first file would fail only after the game is solved.
    let manifest = of_game.join(MANIFEST);
    WholeFile::open(&manifest).with_context(|| format!("{} cannot be written", manifest.display()))?;
    let owner = match sysinfo::System::host_name() {
        Ok(host) => format!("process {} on {host}", std::process::id()),
        Err(_) => format!("process {}", std::process::id()),
    };
    let lock = FolderLock::new(&GameFolder::new(&of_game), access, &owner)?;
    process::set_resumable();
    Ok(Prepared { of_game, lock })
}

/// The folder of a game that this process solves.
pub struct Prepared {
    pub of_game: PathBuf,
    lock: FolderLock,
}

impl Prepared {
    /// Leaves the folder to others, with finished tables and without rounds.
    pub fn finish(self) {
        // Windows keeps a folder with files that are open.
        drop(self.lock);
        remove_rounds(&self.of_game);
    }
}

/// Removes rounds that an interrupt may have left beside finished tables.
pub fn remove_rounds(of_game: &Path) {
    let rounds = of_game.join(ROUNDS);
    if let Err(error) = remove_folder(&rounds) {
        complain(format_args!("{} is no longer needed, but cannot be removed: {error}", rounds.display()));
    }
}
