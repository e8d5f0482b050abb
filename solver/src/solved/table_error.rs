//! Why tables and rounds cannot be read or written. The error is here because lookups and files both need it.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use dovemate::Limit;
use dovemate::rules::Game;

/// Why tables cannot be used.
///
/// ```
/// use dovemate::Game;
/// use dovemate_solver::{TableError, Tablebase};
///
/// let nothing = Tablebase::open("no/such/folder", Game::default());
/// assert!(matches!(nothing, Err(TableError::Missing(_))));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The tables do not exist or are not finished: this file is missing.
    #[error("there are no finished tables: {} is missing", .0.display())]
    Missing(PathBuf),
    /// The tables say only who wins; earlier versions could write such tables.
    #[error("{} has tables without distances, which only earlier versions read; solve the game again, with \
             --keep wins to keep no more than who wins", .0.display())]
    WithoutDistances(PathBuf),
    /// A file or folder is missing, or the system refuses to read it.
    #[error("{} cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, #[source] io::Error),
    /// The system refuses to create or write a file or folder.
    #[error("{} cannot be written: {}", .0.display(), .1)]
    Unwritten(PathBuf, #[source] io::Error),
    /// The system refuses to remove a file or folder.
    #[error("{} cannot be removed: {}", .0.display(), .1)]
    Unremoved(PathBuf, #[source] io::Error),
    /// Another process is solving the game in the same folder.
    #[error("{} is being solved by {owner}; wait for it, or solve in another folder", .folder.display())]
    Locked {
        /// The folder of the game.
        folder: PathBuf,
        /// The other process.
        owner: String,
    },
    /// A game was begun with another choice of what to keep: all its rounds, or its wins alone.
    #[error("{} was begun to keep {begun}; continue with that, or solve in another folder", .folder.display())]
    OtherKeep {
        /// The folder of the game.
        folder: PathBuf,
        /// The choice with which it was begun.
        begun: &'static str,
    },
    /// A game was divided into parts as earlier versions did.
    #[error("{} has parts that only earlier versions read; remove that folder and solve again", .0.display())]
    OtherParts(PathBuf),
    /// A limit was reached before a round could begin.
    #[error("the game is not solved; round {round} was not begun: {limit}")]
    Limit {
        /// The limit.
        limit: Limit,
        /// The next round of the part that is being solved.
        round: u32,
    },
    /// A round is requested before the rounds that it depends on are finished.
    #[error("{} is not solved far enough: round {round} comes next{missing}", .path.display())]
    Unfinished {
        /// The folder of the part.
        path: PathBuf,
        /// The next round of the part, which must be finished first.
        round: u32,
        /// The end of the message, which lists the missing shares of the round if others are done.
        missing: String,
    },
    /// The tables are of another game.
    #[error("{} is of another game: {found}, not {wanted}", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its game.
        found: Box<Game>,
        /// The game requested.
        wanted: Box<Game>,
    },
    /// The file has a format of another version of the program.
    #[error("{} has format {found}, which this version {}; {}", .path.display(), reads(*.found), remedy(.path))]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// A file is cut off, is of another kind, or has content that cannot be right; or a folder lacks a file.
    #[error("{} is damaged: {}; {}", .0.display(), .1, remedy(.0))]
    Damaged(PathBuf, &'static str),
    /// The bytes are not those that were written.
    #[error("{} is damaged: {} contradicts its checksum; {}", .0.display(), .1, remedy(.0))]
    Checksum(PathBuf, &'static str),
    /// The file is intact, but contradicts other files, itself, or the values computed now.
    #[error("{} contradicts {}", .0.display(), .1)]
    Contradiction(PathBuf, &'static str),
}

/// The newest format of a file.
const NEWEST_FORMAT: u32 = 6;

/// The words for a format that this version does not read, which say whether earlier ones did.
fn reads(format: u32) -> &'static str {
    if format <= NEWEST_FORMAT { "no longer reads" } else { "does not read" }
}

/// Advice for a damaged file. Rounds of a part build on earlier ones, which may be gone, so the whole part is removed.
fn remedy(path: &Path) -> String {
    let is_part = |name: &OsStr| name.to_string_lossy().starts_with("part-");
    match path.parent().filter(|folder| folder.file_name().is_some_and(is_part)) {
        Some(folder) => format!("remove the folder {} and solve again", folder.display()),
        None => "remove it and solve again".to_owned(),
    }
}
