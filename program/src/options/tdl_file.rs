//! `.tdl` files that a user names.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::input::{cannot_be_read, open_regular};
use crate::io::failure::{Failure, complain};
use dovemate::rules::Board;
use dovemate::tdl::{Entries, TdlError};

/// Bytes to read at once.
const CHUNK_BYTES: usize = 1 << 18;

pub struct TdlFile {
    path: PathBuf,
    entries: Entries<BufReader<File>>,
}

impl TdlFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is not a regular file, or cannot be read.
    pub fn open(path: &Path) -> Result<TdlFile, Failure> {
        let file = open_regular(path).with_context(|| cannot_be_read(path))?;
        let entries = Entries::new(BufReader::with_capacity(CHUNK_BYTES, file));
        Ok(TdlFile { path: path.to_owned(), entries })
    }

    /// The failure for a file that cannot be read or is damaged.
    fn wrong(&self, error: TdlError) -> Failure {
        match error {
            TdlError::Io(error) => Failure::Failed(anyhow!(error).context(cannot_be_read(&self.path))),
            error => Failure::Failed(anyhow!("{}: {error}", self.path.display())),
        }
    }

    /// Calls `each` with the first `limit` positions, red to move. Warns of unsorted groups among them.
    ///
    /// # Errors
    /// If the file is damaged, or if `each` fails.
    pub fn each(
        mut self,
        limit: u64,
        mut each: impl FnMut(&Board) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for _ in 0..limit {
            let Some(entry) = self.entries.next() else { break };
            let board = entry.and_then(|entry| entry.board()).map_err(|error| self.wrong(error))?;
            each(&board)?;
        }
        if let Some(offset) = self.entries.disorder() {
            complain(format_args!(
                "warning: {}: the group at byte {offset} does not come after the one before, so groups are unsorted or \
                 split; the crate's lazy loader may miss positions",
                self.path.display()
            ));
        }
        Ok(())
    }
}
