//! Files that a user names: games, and `.tdl` files.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::{Context, anyhow};

use crate::io::{Failure, complain, grouped, is_stream, streams};
use dovemate::Board;
use dovemate::tdl::{Entries, TdlError};
use dovemate_analysis::record::Record;

/// Maximum number of bytes of a game's file: far more than any game takes.
const MAX_GAME_BYTES: u64 = 1 << 20;
/// The bytes of a `.tdl` file to read at once.
const CHUNK_BYTES: usize = 1 << 18;

/// Reads a saved game, as `doc/game-file.md` describes it; `-` is standard input.
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
    file.take(MAX_GAME_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_GAME_BYTES {
        return Err(anyhow!("it has more than {} bytes, so it is not a game", grouped(MAX_GAME_BYTES)));
    }
    String::from_utf8(bytes).map_err(|_| anyhow!("it is not UTF-8 text"))
}

/// Calls `each` with the first `limit` positions of a `.tdl` file, red to move. Warns of unsorted groups among them.
///
/// # Errors
/// If the file is not a regular one, cannot be read or is damaged, or if `each` fails.
pub fn each_in_tdl(
    path: &Path,
    limit: u64,
    mut each: impl FnMut(&Board) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let file = open_regular(path).with_context(|| cannot_be_read(path))?;
    let mut entries = Entries::new(BufReader::with_capacity(CHUNK_BYTES, file));
    for _ in 0..limit {
        let Some(entry) = entries.next() else { break };
        let board = entry.and_then(|entry| entry.board()).map_err(|error| match error {
            TdlError::Io(error) => anyhow!(error).context(cannot_be_read(path)),
            error => anyhow!("{}: {error}", path.display()),
        })?;
        each(&board)?;
    }
    if let Some(offset) = entries.disorder() {
        complain(format_args!(
            "warning: {}: the group at byte {offset} does not come after the one before, so groups are unsorted or \
             split; the lazy loader of the crate tokyodoves may miss positions",
            path.display()
        ));
    }
    Ok(())
}

/// Opens a file. Refuses any that is not regular, because opening a pipe might wait forever.
fn open_regular(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    File::open(path)
}

/// The message for a file that cannot be read; the reason follows it.
fn cannot_be_read(path: &Path) -> String {
    format!("{} cannot be read", path.display())
}
