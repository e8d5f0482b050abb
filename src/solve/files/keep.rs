//! Which rounds of a part are kept once later rounds no longer need them, and a mark of what was dropped.
//!
//! Rounds in files take more disk space than anything else. Either all of them are kept, or, with a number of
//! doves N, only their results on boards with up to N doves, a sample of all positions
//! ([`crate::solve::rounds::sample`]), and a win and a loss of each round. `dropped.json` names what is
//! dropped before the first file is removed, so that no reader takes a gap for a round that found nothing.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::archive::{FORMAT_WITH_GAPS, TableError};
use super::game_folder::GameFolder;
use super::sealed;
use crate::solve::space::layout::PartId;

/// Which rounds are kept on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All of them.
    Everything,
    /// The results of each round on boards with up to this many doves, bosses included.
    UpTo(u32),
}

impl Keep {
    /// The number of doves, if there is a limit.
    pub fn doves(self) -> Option<u32> {
        match self {
            Keep::Everything => None,
            Keep::UpTo(doves) => Some(doves),
        }
    }

    /// Whether results on boards with this many slots are kept.
    pub fn has_slots(self, slots: u32) -> bool {
        self.doves().is_none_or(|doves| slots + 2 <= doves)
    }
}

/// As in messages about the command that began a solve.
impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keep::Everything => f.write_str("all distances"),
            Keep::UpTo(doves) => write!(f, "--distances {doves}"),
        }
    }
}

/// Rounds of a part whose files are gone, or about to go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    format: u32,
    /// The game's folder name.
    game: String,
    /// The number of the part, counted from 0.
    part: usize,
    /// Boards with up to this many doves are kept.
    pub doves: u32,
    /// The wins of all rounds below this one are dropped.
    pub wins: u32,
    /// The losses of all rounds below this one are dropped.
    pub losses: u32,
    /// Whether the part is over and its snapshot has the wins of all rounds. Before that, it must not be
    /// queried.
    pub complete: bool,
    /// The files of wins written so far, by the part of their names after the round: if one is missing, the
    /// folder is damaged or a complete part has removed it; it does not mean that there are no wins.
    pub snapshots: BTreeSet<String>,
}

impl Dropped {
    /// Nothing has been dropped yet.
    pub fn nothing(game: &str, PartId(part): PartId, doves: u32) -> Dropped {
        let (format, game) = (FORMAT_WITH_GAPS, game.to_owned());
        Dropped { format, game, part, doves, wins: 0, losses: 0, complete: false, snapshots: BTreeSet::new() }
    }

    fn path(folder: &Path) -> PathBuf {
        folder.join("dropped.json")
    }

    /// Reads the mark in the folder of a part; `None` if there is none.
    pub fn read(folder: &Path, game: &str, PartId(part): PartId) -> Result<Option<Dropped>, TableError> {
        sealed::read_own(&Dropped::path(folder), |found: &Dropped| {
            (&found.game[..], found.part) == (game, part)
        })
    }

    /// Writes the mark, with the files of wins that there are now. No other process may do so meanwhile.
    pub fn write(&self, folder: &GameFolder) -> Result<(), TableError> {
        let of_part = folder.part(PartId(self.part));
        let names = entries(&of_part)?;
        let mut dropped = self.clone();
        dropped.snapshots.extend(names.iter().filter_map(|name| Some(snapshot_of(name)?.1.to_owned())));
        // Another process that has finished its tables may remove the folder meanwhile.
        let overtaken = |error| if of_part.exists() { error } else { TableError::Overtaken(of_part.clone()) };
        folder.create_document(&Dropped::path(&of_part), &dropped).map_err(overtaken)
    }

    /// Removes the remaining files of dropped rounds, including shards that no manifest names.
    pub fn remove_files(&self, folder: &Path) -> Result<(), TableError> {
        remove_files(folder, |round, rest| {
            Ok(rest.starts_with("wins-") && round < self.wins
                || rest.starts_with("losses-") && round < self.losses)
        })
    }
}

/// The names of the files in the folder of a part.
///
/// # Errors
/// If it cannot be read, or another process has removed it.
pub fn entries(folder: &Path) -> Result<Vec<String>, TableError> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => TableError::Overtaken(folder.to_owned()),
        _ => TableError::Unreadable(folder.to_owned(), error),
    };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        names.extend(entry.map_err(unreadable)?.file_name().into_string());
    }
    Ok(names)
}

/// The round that a file name begins with, and the rest of the name: `0007-wins-1-of-2.round` is of round 7.
pub fn round_of(name: &str) -> Option<(u32, &str)> {
    let (round, rest) = name.split_once('-')?;
    let is_number = round.len() >= 4 && round.bytes().all(|byte| byte.is_ascii_digit());
    Some((round.parse().ok().filter(|_| is_number)?, rest))
}

/// The round that the name of a file of wins begins with, and the rest of the name; `None` for other files.
pub fn snapshot_of(name: &str) -> Option<(u32, &str)> {
    round_of(name).filter(|(_, rest)| rest.starts_with("snapshot-"))
}

/// Removes the files in the folder of a part for which `goes` is true, given the round in the name and the
/// rest of the name.
pub fn remove_files(
    folder: &Path,
    goes: impl Fn(u32, &str) -> Result<bool, TableError>,
) -> Result<(), TableError> {
    for name in entries(folder)? {
        let Some((round, rest)) = round_of(&name) else { continue };
        if goes(round, rest)? {
            remove(&folder.join(&name))?;
        }
    }
    Ok(())
}

/// Removes a file that another process may have removed already.
fn remove(path: &Path) -> Result<(), TableError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(TableError::Unremoved(path.to_owned(), error))
        }
        _ => Ok(()),
    }
}
