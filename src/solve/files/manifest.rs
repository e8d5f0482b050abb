//! What manifests say of files, of a longest position and of results, and the name of a game's folder.

use serde::{Deserialize, Serialize};

use super::archive::{Archive, TableError};
use crate::known::Worth;
use crate::rules::{Color, DoveSet, Game, Rules};
use crate::solve::solved::{Longest, Row};
use crate::value::Value;

/// The name of a dove set in names of files.
pub(super) fn set_name(set: DoveSet) -> String {
    if set.is_empty() { "none".to_owned() } else { set.to_string() }
}

/// The name of the folder of a game.
pub fn folder_name(game: &Game, has_distances: bool) -> String {
    let Rules { returns, both_surrounded } = game.rules;
    let returns = if returns { "returns" } else { "no-returns" };
    let values = if has_distances { "" } else { "-values" };
    format!("{}-{}-{returns}-{}{values}", set_name(game.red), set_name(game.green), both_surrounded.name())
}

/// A position with the greatest distance, as named in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LongestEntry {
    board: String,
    to_move: String,
    value: String,
    plies: u32,
}

impl LongestEntry {
    pub(crate) fn new(longest: &Longest) -> LongestEntry {
        LongestEntry {
            board: longest.board.to_string(),
            to_move: longest.mover.name().to_owned(),
            value: longest.value.name().to_owned(),
            plies: longest.value.plies().unwrap_or(0),
        }
    }

    /// `None` if it makes no sense.
    pub(crate) fn longest(&self) -> Option<Longest> {
        let (board, mover) = (self.board.parse().ok()?, self.to_move.parse().ok()?);
        let Worth::Exact(value) = worth_of(&self.value, Some(self.plies))? else { return None };
        Some(Longest { board, mover, value })
    }
}

/// A file, as named in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileEntry {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) blake3: String,
}

impl FileEntry {
    pub(crate) fn new(name: String, bytes: u64, hash: blake3::Hash) -> FileEntry {
        FileEntry { name, bytes, blake3: hash.to_hex().to_string() }
    }

    /// Checks that a file is the one that is named.
    pub(crate) fn check(&self, archive: &Archive) -> Result<(), TableError> {
        let is_same = archive.bytes == self.bytes && archive.hash.to_hex().as_str() == self.blake3;
        if is_same { Ok(()) } else { Err(FileEntry::contradiction(archive)) }
    }

    /// The error that a file is another one than its manifest names.
    pub(crate) fn contradiction(archive: &Archive) -> TableError {
        TableError::Contradiction(archive.path.clone(), "the manifest beside it")
    }
}

/// A row of the solution, as in its CSV.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RowEntry {
    mover: String,
    doves: u32,
    value: String,
    plies: Option<u32>,
    positions: u64,
}

impl RowEntry {
    pub(crate) fn new(row: &Row) -> RowEntry {
        RowEntry {
            mover: row.mover.map_or("any", Color::name).to_owned(),
            doves: row.doves,
            value: row.worth.name().to_owned(),
            plies: row.worth.plies(),
            positions: row.positions,
        }
    }

    /// `None` if it makes no sense.
    pub(crate) fn row(&self) -> Option<Row> {
        let mover = if self.mover == "any" { None } else { Some(self.mover.parse().ok()?) };
        let worth = worth_of(&self.value, self.plies)?;
        Some(Row { mover, doves: self.doves, worth, positions: self.positions })
    }
}

fn worth_of(name: &str, plies: Option<u32>) -> Option<Worth> {
    match (name, plies) {
        ("win", plies) => Some(plies.map_or(Worth::Win, |plies| Worth::Exact(Value::Win(plies)))),
        ("lose", plies) => Some(plies.map_or(Worth::Lose, |plies| Worth::Exact(Value::Lose(plies)))),
        ("draw", None) => Some(Worth::Exact(Value::Draw)),
        _ => None,
    }
}
