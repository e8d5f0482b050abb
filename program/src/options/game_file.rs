//! Reads games from the files that `doc/game-file.md` describes.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::Context;

use crate::io::failure::Failure;
use crate::io::output::is_stream;
use crate::io::streams;
use dovemate::ask::record::Record;
use dovemate::internals::digits::grouped;

/// The most bytes of a game's file: far more than any game takes.
const LONGEST_FILE: u64 = 1 << 20;

/// Reads a saved game; `-` is standard input.
///
/// # Errors
/// If the file cannot be read, or is not a game.
pub fn read_record(path: &Path) -> Result<Record, Failure> {
    let name = if is_stream(path) { "standard input".to_owned() } else { path.display().to_string() };
    let cannot = || format!("{name} cannot be read");
    let mut bytes = Vec::new();
    if is_stream(path) {
        streams::stdin().take(LONGEST_FILE + 1).read_to_end(&mut bytes).with_context(cannot)?;
    } else if path.metadata().with_context(cannot)?.is_file() {
        File::open(path).with_context(cannot)?.take(LONGEST_FILE + 1).read_to_end(&mut bytes).with_context(cannot)?;
    } else {
        return Err(Failure::Failed(anyhow::anyhow!("it is not a regular file").context(cannot())));
    }
    if bytes.len() as u64 > LONGEST_FILE {
        let error = anyhow::anyhow!("it has more than {} bytes, so it is no game", grouped(LONGEST_FILE));
        return Err(Failure::Failed(error.context(cannot())));
    }
    let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("it is not UTF-8 text").context(cannot()))?;
    text.parse().map_err(|error| Failure::Failed(anyhow::anyhow!("{name}: {error}")))
}
