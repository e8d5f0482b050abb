//! `.tdl` files that a user names.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::input::{cannot_be_read, open_regular};
use crate::io::failure::{Failure, complain};
use dovemate::rules::Board;
use dovemate::tdl::{Entries, TdlError};

/// Bytes to read at once.
const CHUNK: usize = 1 << 18;

pub struct TdlFile {
    pub path: PathBuf,
    /// The file's length in bytes.
    pub bytes: u64,
}

impl TdlFile {
    /// Finds a file.
    ///
    /// # Errors
    /// If it is not a regular file, or cannot be read.
    pub fn open(path: &Path) -> Result<TdlFile, Failure> {
        // It may be read twice, and its length must be known.
        let metadata =
            open_regular(path).and_then(|file| file.metadata()).with_context(|| cannot_be_read(path))?;
        Ok(TdlFile { path: path.to_owned(), bytes: metadata.len() })
    }

    /// The numbers in the file, not yet checked.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn entries(&self) -> Result<Entries<BufReader<File>>, Failure> {
        let file = File::open(&self.path).with_context(|| cannot_be_read(&self.path))?;
        Ok(Entries::new(BufReader::with_capacity(CHUNK, file)))
    }

    /// The failure for a file that cannot be read or is damaged.
    pub fn wrong(&self, error: TdlError) -> Failure {
        match error {
            TdlError::Io(error) => Failure::Failed(anyhow!(error).context(cannot_be_read(&self.path))),
            error => Failure::Failed(anyhow!("{}: {error}", self.path.display())),
        }
    }

    /// Warns of unsorted groups in a file that has been read to its end.
    pub fn warn_of_disorder<R: Read>(&self, entries: &Entries<R>) {
        if let Some(offset) = entries.disorder() {
            complain(format_args!(
                "warning: {}: the group at byte {offset} does not come after the one before, so groups are unsorted or \
                 split; the crate's lazy loader may miss positions",
                self.path.display()
            ));
        }
    }

    /// Calls `each` with the first `limit` positions, red to move.
    ///
    /// # Errors
    /// If the file is damaged, or if `each` fails.
    pub fn each(
        &self,
        limit: u64,
        mut each: impl FnMut(&Board) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut entries = self.entries()?;
        for _ in 0..limit {
            let Some(entry) = entries.next() else {
                self.warn_of_disorder(&entries);
                break;
            };
            let board = entry.and_then(|entry| entry.board()).map_err(|error| self.wrong(error))?;
            each(&board)?;
        }
        Ok(())
    }
}
