//! `.tdl` files that a user names, checked against their sidecars.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, sink};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::input::{cannot_be_read, open_regular};
use super::rules::RuleArguments;
use crate::io::failure::{Failure, complain};
use crate::io::progress::Progress;
use dovemate::internals::run::Observer;
use dovemate::rules::{Board, Rules};
use dovemate::tdl::{Entries, Entry, HashingWriter, Sidecar, TdlError, sidecar_of};

/// Bytes to read at once.
const CHUNK: usize = 1 << 18;

/// A `.tdl` file whose length and checksum match its sidecar, if it has one.
pub struct TdlFile {
    /// The file's path.
    pub path: PathBuf,
    /// The sidecar, if there is one.
    pub sidecar: Option<Sidecar>,
    /// The file's length in bytes.
    pub bytes: u64,
}

impl TdlFile {
    /// Reads the sidecar of a `.tdl` file, if it has one, and checks the file's bytes against it. Shows progress unless
    /// `quiet`.
    ///
    /// # Errors
    /// If either cannot be read, or they do not match.
    pub fn open(path: &Path, quiet: bool) -> Result<TdlFile, Failure> {
        // It is read twice, and its length must be known.
        let metadata = open_regular(path).and_then(|file| file.metadata()).with_context(|| cannot_be_read(path))?;
        let file = TdlFile { path: path.to_owned(), sidecar: sidecar(path)?, bytes: metadata.len() };
        file.check(&Progress::of("bytes checked", quiet))?;
        Ok(file)
    }

    /// Checks the file's bytes against the sidecar.
    fn check(&self, progress: &Progress) -> Result<(), Failure> {
        let Some(sidecar) = &self.sidecar else { return Ok(()) };
        if self.bytes != sidecar.bytes {
            return Err(self.mismatch("length in bytes", &self.bytes.to_string(), &sidecar.bytes.to_string()));
        }
        let cannot = || cannot_be_read(&self.path);
        let mut file = BufReader::with_capacity(CHUNK, File::open(&self.path).with_context(cannot)?);
        let mut checked = HashingWriter::new(sink());
        progress.begin(self.bytes);
        loop {
            let read = io::copy(&mut file.by_ref().take(CHUNK as u64), &mut checked).with_context(cannot)?;
            if read == 0 {
                break;
            }
            progress.advance(read);
        }
        let (_, sha256) = checked.finish();
        if sha256 == sidecar.sha256 {
            return Ok(());
        }
        Err(self.mismatch("SHA-256", &sha256, &sidecar.sha256))
    }

    fn mismatch(&self, what: &str, has: &str, says: &str) -> Failure {
        let (file, sidecar) = (self.path.display(), sidecar_of(&self.path));
        Failure::Contradiction(format!(
            "{file} has {what} {has}, but {} says {says}: one of them is damaged or stale",
            sidecar.display()
        ))
    }

    /// The rule variant for the positions: from the options, else from the sidecar, else the default.
    pub fn rules(&self, arguments: RuleArguments) -> Rules {
        arguments.over(self.sidecar.as_ref().map_or(Rules::default(), |sidecar| sidecar.rules))
    }

    /// The numbers in the file, not yet checked.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn entries(&self) -> Result<Entries<BufReader<File>>, Failure> {
        let file = File::open(&self.path).with_context(|| cannot_be_read(&self.path))?;
        Ok(Entries::new(BufReader::with_capacity(CHUNK, file)))
    }

    /// The board of a number.
    ///
    /// # Errors
    /// If the number is not a position, or its number of doves is outside the sidecar's range.
    pub fn board(&self, entry: Entry) -> Result<Board, Failure> {
        let board = entry.board().map_err(|error| self.wrong(error))?;
        match &self.sidecar {
            Some(Sidecar { doves: [least, most], .. }) if !(least..=most).contains(&&entry.code.count()) => {
                Err(Failure::Contradiction(format!(
                    "{}: {board} has {} doves, but its sidecar says {least} to {most}",
                    self.path.display(),
                    entry.code.count()
                )))
            }
            _ => Ok(board),
        }
    }

    /// The failure for a file that cannot be read or is damaged.
    pub fn wrong(&self, error: TdlError) -> Failure {
        match error {
            TdlError::Io(error) => Failure::Failed(anyhow!(error).context(cannot_be_read(&self.path))),
            error => Failure::Failed(anyhow!("{}: {error}", self.path.display())),
        }
    }

    /// Checks the number of positions of a file that has been read to its end, and warns of unsorted groups.
    ///
    /// # Errors
    /// If the sidecar has another number.
    pub fn conclude<R: Read>(&self, entries: &Entries<R>, positions: u64) -> Result<(), Failure> {
        if let Some(offset) = entries.disorder() {
            complain(format_args!(
                "warning: {}: the group at byte {offset} does not come after the one before, so groups are unsorted or split; the \
                 crate's lazy loader may miss positions",
                self.path.display()
            ));
        }
        match &self.sidecar {
            Some(sidecar) if sidecar.positions != positions => Err(Failure::Contradiction(format!(
                "{} has {positions} positions, but its sidecar says {}",
                self.path.display(),
                sidecar.positions
            ))),
            _ => Ok(()),
        }
    }

    /// Calls `each` with the first `limit` positions, red to move.
    ///
    /// # Errors
    /// If the file is damaged or does not match its sidecar, or if `each` fails.
    pub fn each(&self, limit: u64, mut each: impl FnMut(&Board) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut positions = 0;
        let mut entries = self.entries()?;
        while positions < limit {
            let Some(entry) = entries.next().transpose().map_err(|error| self.wrong(error))? else {
                return self.conclude(&entries, positions);
            };
            positions += 1;
            each(&self.board(entry)?)?;
        }
        Ok(())
    }
}

/// The sidecar of a `.tdl` file, if there is one.
fn sidecar(path: &Path) -> Result<Option<Sidecar>, Failure> {
    let name = sidecar_of(path);
    let file = match open_regular(&name) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(|| cannot_be_read(&name))?,
    };
    let hint = "without a file of that name, the .tdl file is checked by itself";
    let wrong = |error| anyhow!("{} is no sidecar of a .tdl file: {error}; {hint}", name.display());
    Ok(Some(Sidecar::read(file).map_err(wrong)?))
}

/// Refuses to replace a file that has the name of a sidecar but is not one.
///
/// # Errors
/// If there is such a file.
pub fn check_sidecar_may_be_written(path: &Path) -> Result<(), Failure> {
    let name = sidecar_of(path);
    match open_regular(&name).map(Sidecar::read) {
        Ok(Err(_)) => Err(Failure::Failed(anyhow!(
            "{} is there and is no sidecar of a .tdl file; it is not replaced: move it away, or take another name with -o",
            name.display()
        ))),
        _ => Ok(()),
    }
}
