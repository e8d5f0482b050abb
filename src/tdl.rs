//! `.tdl` files: sets of positions as the crate `tokyodoves` saves and loads them.
//!
//! A file is groups of big-endian 32-bit words: the top half of invariant u64s, then the lower halves of all invariant u64s of
//! the group, then `FFFFFFFF`, which is no lower half, as not all doves stand on square 15. There is no header, no count
//! and no checksum; so a *sidecar*, a JSON file of the same name with `.json` after it, has these.
//!
//! Files written here have one group for each top half, top halves and lower halves ascending, which the crate's lazy loader
//! needs. Sorting takes bounded memory: sorted runs go to temporary files and are merged. Files that are read may have their
//! groups in any order, as the crate itself writes them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::rules::{BothSurrounded, Code, CodeError, Color, Rules};

/// Ends a group.
const END_OF_GROUP: u32 = u32::MAX;

/// Numbers of a sorted run: 128 MiB, so that all mates make fewer runs than a process may have files open.
pub const RUN: usize = 1 << 24;

/// Sorts numbers in bounded memory and writes them as a `.tdl` file.
pub struct Sorter {
    run: Vec<u64>,
    capacity: usize,
    /// Sorted runs, each rewound to its start.
    runs: Vec<File>,
    folder: PathBuf,
}

impl Sorter {
    /// A sorter that keeps at most `capacity` numbers in memory ([`RUN`], say) and its temporary files, which have no
    /// name and vanish with the process, in `folder`.
    pub fn new(folder: &Path, capacity: usize) -> Sorter {
        Sorter { run: Vec::new(), capacity: capacity.max(1), runs: Vec::new(), folder: folder.to_owned() }
    }

    /// Adds an invariant u64.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, code: Code) -> io::Result<()> {
        self.run.push(code.0);
        if self.run.len() == self.capacity { self.end_run() } else { Ok(()) }
    }

    fn end_run(&mut self) -> io::Result<()> {
        self.run.sort_unstable();
        let cannot = |error: io::Error| {
            let message = format!("a temporary file in {} cannot be written: {error}", self.folder.display());
            io::Error::new(error.kind(), message)
        };
        let mut file = tempfile::tempfile_in(&self.folder).map_err(cannot)?;
        let mut writer = BufWriter::new(&mut file);
        self.run.iter().try_for_each(|code| writer.write_all(&code.to_be_bytes())).map_err(cannot)?;
        writer.flush().map_err(cannot)?;
        drop(writer);
        file.rewind().map_err(cannot)?;
        self.runs.push(file);
        self.run.clear();
        Ok(())
    }

    /// Writes all numbers, each once; how many there are.
    ///
    /// # Errors
    /// If the writer fails, or a temporary file.
    pub fn write(mut self, writer: &mut dyn Write) -> io::Result<u64> {
        let mut groups = Groups { writer, top: None, last: None, count: 0 };
        if self.runs.is_empty() {
            self.run.sort_unstable();
            self.run.iter().try_for_each(|&code| groups.push(code))?;
            return groups.finish();
        }
        if !self.run.is_empty() {
            self.end_run()?;
        }
        let mut runs: Vec<BufReader<File>> = self.runs.into_iter().map(BufReader::new).collect();
        let mut heads = BinaryHeap::new();
        for (index, run) in runs.iter_mut().enumerate() {
            heads.extend(next(run)?.map(|code| Reverse((code, index))));
        }
        while let Some(Reverse((code, index))) = heads.pop() {
            groups.push(code)?;
            heads.extend(next(&mut runs[index])?.map(|code| Reverse((code, index))));
        }
        groups.finish()
    }
}

/// The next number of a sorted run; `None` at its end.
fn next(run: &mut impl Read) -> io::Result<Option<u64>> {
    let mut bytes = [0; 8];
    match run.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(u64::from_be_bytes(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes ascending numbers in groups.
struct Groups<'a> {
    writer: &'a mut dyn Write,
    top: Option<u32>,
    last: Option<u64>,
    count: u64,
}

impl Groups<'_> {
    fn push(&mut self, code: u64) -> io::Result<()> {
        if self.last == Some(code) {
            return Ok(());
        }
        let top = (code >> 32) as u32;
        if self.top != Some(top) {
            self.end_group()?;
            self.writer.write_all(&top.to_be_bytes())?;
            self.top = Some(top);
        }
        self.last = Some(code);
        self.count += 1;
        self.writer.write_all(&(code as u32).to_be_bytes())
    }

    fn end_group(&mut self) -> io::Result<()> {
        self.top.map_or(Ok(()), |_| self.writer.write_all(&END_OF_GROUP.to_be_bytes()))
    }

    fn finish(mut self) -> io::Result<u64> {
        self.end_group()?;
        Ok(self.count)
    }
}

/// Why bytes are no `.tdl` file. Offsets are in bytes from the start.
#[derive(Debug, thiserror::Error)]
pub enum TdlError {
    /// The bytes end within a word or a group.
    #[error("it ends at byte {0} in the middle of a group, so it is truncated or no .tdl file")]
    Truncated(u64),
    /// A group has no lower half.
    #[error("byte {0}: a group without positions, so it is no .tdl file")]
    EmptyGroup(u64),
    /// A number that is no board.
    #[error("byte {0}: {1}; it is no .tdl file, or a damaged one")]
    NoBoard(u64, CodeError),
    /// A number that is a board but not the invariant u64 of its position.
    #[error(
        "byte {0}: {1} is not the invariant u64 of its position, which is {2}; it is no .tdl file, or a damaged one"
    )]
    NotInvariant(u64, Code, Code),
    /// The bytes cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// The positions of a `.tdl` file, each checked to be one. Ends after the first error.
pub struct Reader<R> {
    reader: R,
    offset: u64,
    /// The group's top half and whether it has a position yet.
    group: Option<(u32, bool)>,
    is_over: bool,
}

impl<R: Read> Reader<R> {
    /// Reads from here; buffering is up to the caller.
    pub fn new(reader: R) -> Reader<R> {
        Reader { reader, offset: 0, group: None, is_over: false }
    }

    /// The next word; `None` at the end.
    fn word(&mut self) -> Result<Option<u32>, TdlError> {
        let mut bytes = [0; 4];
        let mut filled = 0;
        while filled < bytes.len() {
            match self.reader.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(TdlError::Truncated(self.offset + filled as u64)),
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.offset += bytes.len() as u64;
        Ok(Some(u32::from_be_bytes(bytes)))
    }

    fn position(&mut self) -> Result<Option<Code>, TdlError> {
        loop {
            let Some(word) = self.word()? else {
                return match self.group {
                    None => Ok(None),
                    Some(_) => Err(TdlError::Truncated(self.offset)),
                };
            };
            let start = self.offset - 4;
            match self.group {
                None if word == END_OF_GROUP => return Err(TdlError::EmptyGroup(start)),
                None => self.group = Some((word, false)),
                Some((_, false)) if word == END_OF_GROUP => return Err(TdlError::EmptyGroup(start)),
                Some(_) if word == END_OF_GROUP => self.group = None,
                Some((top, _)) => {
                    self.group = Some((top, true));
                    let code = Code(u64::from(top) << 32 | u64::from(word));
                    code.board().map_err(|error| TdlError::NoBoard(start, error))?;
                    return match code.invariant(Color::Red) {
                        invariant if invariant == code => Ok(Some(code)),
                        invariant => Err(TdlError::NotInvariant(start, code, invariant)),
                    };
                }
            }
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Code, TdlError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let position = self.position().transpose();
        self.is_over = !matches!(position, Some(Ok(_)));
        position
    }
}

/// What is known of a `.tdl` file besides its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sidecar {
    /// The program and its version.
    pub made_by: String,
    /// What is listed, in words: `mates`, `wins in one`, a part or a sample of them.
    pub what: String,
    /// The least and the greatest number of doves on the board.
    pub doves: [u32; 2],
    /// Whether doves may be returned to the hand.
    pub returns: bool,
    /// The ruling on an action that surrounds both bosses.
    pub both_surrounded: String,
    /// How many positions there are.
    pub positions: u64,
    /// How many bytes the file has.
    pub bytes: u64,
    /// The file's SHA-256, in hexadecimal, as `sha256sum` prints it.
    pub sha256: String,
}

impl Sidecar {
    /// The rule variant that it names; the default ruling if it names none that there is.
    pub fn rules(&self) -> Rules {
        let named = BothSurrounded::ALL.into_iter().find(|ruling| ruling.name() == self.both_surrounded);
        Rules { returns: self.returns, both_surrounded: named.unwrap_or_default() }
    }
}

/// Where the sidecar of a `.tdl` file is: `mates.tdl.json` for `mates.tdl`.
pub fn sidecar_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

/// Passes bytes on, counts them and computes their SHA-256.
pub struct Checked<W> {
    inner: W,
    hash: Sha256,
    bytes: u64,
}

impl<W> Checked<W> {
    /// Passes bytes on to, or from, here.
    pub fn new(inner: W) -> Checked<W> {
        Checked { inner, hash: Sha256::new(), bytes: 0 }
    }

    /// How many bytes there were, and their SHA-256 in hexadecimal.
    pub fn finish(self) -> (u64, String) {
        (self.bytes, self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl<W: Write> Write for Checked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
