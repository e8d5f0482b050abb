//! Reads games from the files that `doc/game-file.md` describes.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context;

use crate::io::failure::Failure;
use dovemate::ask::record::Record;

/// The most bytes of a game's file: far more than any game takes.
const LONGEST_FILE: u64 = 1 << 20;

/// Reads a saved game.
///
/// # Errors
/// If the file cannot be read, or is not a game.
pub fn read_record(path: &Path) -> Result<Record, Failure> {
    let cannot = || format!("{} cannot be read", path.display());
    if !path.metadata().with_context(cannot)?.is_file() {
        return Err(Failure::Failed(anyhow::anyhow!("it is not a regular file").context(cannot())));
    }
    let mut text = String::new();
    File::open(path).with_context(cannot)?.take(LONGEST_FILE).read_to_string(&mut text).with_context(cannot)?;
    text.parse().map_err(|error| Failure::Failed(anyhow::anyhow!("{}: {error}", path.display())))
}
