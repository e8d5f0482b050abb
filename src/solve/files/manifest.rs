//! Entries of files in manifests, and the name of a game's folder.

use serde::{Deserialize, Serialize};

use super::archive::{Archive, TableError};
use crate::rules::{DoveSet, Game, Rules};

/// The name of a dove set in names of files.
pub(super) fn set_name(set: DoveSet) -> String {
    if set.is_empty() { "none".to_owned() } else { set.to_string() }
}

/// The name of the folder of a game.
pub(crate) fn folder_name(game: &Game) -> String {
    let Rules { returns, both_surrounded } = game.rules;
    let returns = if returns { "returns" } else { "no-returns" };
    format!("{}-{}-{returns}-{}", set_name(game.red), set_name(game.green), both_surrounded.name())
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

    /// The error that a file is not the one that its manifest names.
    pub(crate) fn contradiction(archive: &Archive) -> TableError {
        TableError::Contradiction(archive.path.clone(), "the manifest beside it")
    }
}
