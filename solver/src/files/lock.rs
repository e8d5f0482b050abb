//! The lock of a game's folder: either one process solves the game, or several do shares of its rounds.
//!
//! The system releases the lock when its process ends, even by a crash. The content of the file names the last holder.
//! On a file system without locks, no process is refused.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::game_folder::GameFolder;
use crate::solved::TableError;
use crate::whole_files::{create_folder, try_lock};
use dovemate::waiting::LIMIT;

/// Whether others may lock the same folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// No other process may: this one solves the game.
    Alone,
    /// Processes that do other shares may lock it, too.
    Shared,
}

/// A lock, held until it is dropped.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Locks the folder of a game. `owner` names this process to processes that are refused.
    ///
    /// # Errors
    /// If another process has locked it, the lock file cannot be made, or the file system does not answer.
    pub fn new(of_game: &Path, access: Access, owner: &str) -> Result<FolderLock, TableError> {
        let folder = GameFolder::new(of_game);
        let path = folder.rounds().join("lock");
        let unwritten = |error| TableError::Unwritten(path.clone(), error);
        create_folder(&folder.rounds()).map_err(unwritten)?;
        let (file, is_ours) = open(&path, access).map_err(unwritten)?;
        if !is_ours {
            // On Windows a file that another process has locked cannot be read.
            let owner = std::fs::read_to_string(&path).ok().filter(|owner| !owner.is_empty());
            let owner = owner.unwrap_or_else(|| "another process".to_owned());
            return Err(TableError::Locked { folder: folder.path, owner });
        }
        // A failure is ignored: the name only helps the user.
        let _ = file.set_len(0).and_then(|()| (&file).write_all(owner.as_bytes()));
        Ok(FolderLock { _file: file })
    }

    /// The right to finish rounds, which one process holds at a time; `None` if another holds it.
    pub(crate) fn to_finish(folder: &GameFolder) -> Result<Option<FolderLock>, TableError> {
        let path = folder.rounds().join("finishing");
        let (file, is_ours) =
            open(&path, Access::Alone).map_err(|error| TableError::Unwritten(path, error))?;
        Ok(is_ours.then_some(FolderLock { _file: file }))
    }
}

/// Opens or makes a file, and tries to lock it. Returns the file, and `false` if another process has a lock that
/// excludes this one.
fn open(path: &Path, access: Access) -> std::io::Result<(File, bool)> {
    // On network file systems a shared lock needs read access.
    let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    let lock = match access {
        Access::Alone => File::try_lock,
        Access::Shared => File::try_lock_shared,
    };
    match try_lock(&file, lock, LIMIT, "the lock on the folder of the game") {
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::TimedOut => {
            Err(std::io::Error::new(ErrorKind::TimedOut, "its file system does not answer to a lock"))
        }
        locked => Ok((file, !matches!(locked, Err(TryLockError::WouldBlock)))),
    }
}
