//! The purpose of the rounds in a game's folder: `distances.json`, which the first process makes before round
//! 0.
//!
//! It names the distances that are kept, and only one process can make it. All others compare it with their
//! own request, before they begin and at every finish, and fail if it differs. It is also the lock under
//! which documents of the rounds are changed.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::archive::{FORMAT_WITH_GAPS, TableError, VERSION};
use super::game_folder::GameFolder;
use super::keep::Keep;
use super::manifest::folder_name;
use super::sealed;
use crate::files::{create_folder, create_new};
use crate::rules::Game;

/// The purpose of the rounds in the folder of a game.
pub struct Claim {
    path: PathBuf,
    entry: ClaimEntry,
}

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ClaimEntry {
    format: u32,
    /// The game's folder name.
    game: String,
    /// Boards with up to this many doves are kept; `None` if everything is.
    doves: Option<u32>,
}

impl Claim {
    /// The claim of a process that solves a game in its folder, not made yet.
    pub fn new(folder: &GameFolder, game: &Game, keep: Keep) -> Claim {
        let format = if keep == Keep::Everything { VERSION } else { FORMAT_WITH_GAPS };
        let entry = ClaimEntry { format, game: folder_name(game), doves: keep.doves() };
        Claim { path: folder.rounds().join("distances.json"), entry }
    }

    /// What the folder has been claimed for, if it has.
    pub fn found(&self) -> Result<Option<Keep>, TableError> {
        let found = sealed::read_own(&self.path, |found: &ClaimEntry| found.game == self.entry.game)?;
        Ok(found.map(|found| found.doves.map_or(Keep::Everything, Keep::UpTo)))
    }

    /// Makes the claim, unless there is one.
    ///
    /// # Errors
    /// If the file cannot be written, or another process has removed its folder.
    pub fn make(&self) -> Result<(), TableError> {
        let text = sealed::text(&self.entry);
        let made = create_folder(self.folder())
            .and_then(|()| create_new(&self.path, &mut |out| out.write_all(text.as_bytes())));
        made.map_err(|error| match error.kind() {
            // Another process has just finished its tables, and removed the folder.
            ErrorKind::NotFound => TableError::Overtaken(self.folder().to_owned()),
            _ => TableError::Unwritten(self.path.clone(), error),
        })
    }

    /// Makes a change of the documents that other processes may change, too, while none of them does.
    ///
    /// # Errors
    /// If the claim is gone, or another one has replaced it, or if the change fails.
    pub fn locked<T>(&self, change: impl FnOnce() -> Result<T, TableError>) -> Result<T, TableError> {
        let overtaken = || TableError::Overtaken(self.folder().to_owned());
        let file = File::options().write(true).open(&self.path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => overtaken(),
            _ => TableError::Unwritten(self.path.clone(), error),
        })?;
        // Some file systems have no locks.
        let _ = file.lock();
        match sealed::read::<ClaimEntry>(&self.path)? {
            Some(found) if found == self.entry => change(),
            _ => Err(overtaken()),
        }
    }

    fn folder(&self) -> &Path {
        self.path.parent().expect("the folder of rounds")
    }
}
