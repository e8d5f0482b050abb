//! Reads games from the files that `doc/game-file.md` describes.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow};

use super::input::{cannot_be_read, open_regular};
use crate::io::digits::grouped;
use crate::io::failure::Failure;
use crate::io::output::is_stream;
use crate::io::streams;
use dovemate::ask::record::Record;

/// The most bytes of a game's file: far more than any game takes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Reads a saved game; `-` is standard input.
///
/// # Errors
/// If the file cannot be read, or is not a game.
pub fn read_record(path: &Path) -> Result<Record, Failure> {
    let name = if is_stream(path) { Path::new("standard input") } else { path };
    let text = read_text(path).with_context(|| cannot_be_read(name))?;
    text.parse().map_err(|error| Failure::Failed(anyhow!("{}: {error}", name.display())))
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    let file: Box<dyn Read> =
        if is_stream(path) { Box::new(streams::stdin()) } else { Box::new(open_regular(path)?) };
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(anyhow!("it has more than {} bytes, so it is not a game", grouped(MAX_FILE_BYTES)));
    }
    String::from_utf8(bytes).map_err(|_| anyhow!("it is not UTF-8 text"))
}
