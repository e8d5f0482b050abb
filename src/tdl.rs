//! `.tdl` files: sets of positions in the format of the crate `tokyodoves`.
//!
//! A file is a sequence of groups of big-endian 32-bit words. A group is the upper half of some invariant u64s, then
//! the lower halves of all invariant u64s with that upper half, then `FFFFFFFF`, which cannot be a lower half: no two
//! doves stand on square 15. There is no header, no count and no checksum; a *sidecar*, a JSON file of the same name
//! with `.json` appended, has these.
//!
//! Files written here have one group for each upper half, with upper and lower halves ascending, as the crate's lazy
//! loader needs. Sorting takes bounded memory: sorted runs go to temporary files and are merged. Files that are read
//! may have their groups in any order, as the crate itself writes them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::count::Category;
use crate::count::tally::ALL_DOVES;
use crate::rules::{Board, Code, CodeError, Color, Rules};

/// The word that ends a group.
const END_OF_GROUP: u32 = u32::MAX;

/// The length of a sorted run: 128 MiB, so that all mates make fewer runs than a process may have files open.
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
    /// A sorter that keeps at most `capacity` numbers ([`RUN`], for example) in memory. Its temporary files, in
    /// `folder`, have no name and vanish with the process.
    pub fn new(folder: &Path, capacity: usize) -> Sorter {
        Sorter { run: Vec::new(), capacity: capacity.max(1), runs: Vec::new(), folder: folder.to_owned() }
    }

    /// Adds an invariant u64. If memory is short, runs are shorter.
    ///
    /// # Errors
    /// If a temporary file cannot be written, or there is no memory at all.
    pub fn push(&mut self, code: Code) -> io::Result<()> {
        if let Err(error) = self.run.try_reserve(1) {
            if self.run.is_empty() {
                return Err(error.into());
            }
            self.end_run()?;
        }
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

    /// Writes all numbers without duplicates and returns their number.
    ///
    /// # Errors
    /// If the writer or a temporary file fails.
    pub fn write(self, writer: &mut dyn Write) -> io::Result<u64> {
        let mut groups = Groups { writer, last: None, count: 0 };
        self.each(|code| groups.push(code))?;
        groups.finish()
    }

    /// The least number that was added more than once, if any.
    ///
    /// # Errors
    /// If a temporary file fails.
    pub fn twice(self) -> io::Result<Option<Code>> {
        let (mut last, mut twice) = (None, None);
        self.each(|code| {
            if twice.is_none() && last == Some(code) {
                twice = Some(Code(code));
            }
            last = Some(code);
            Ok(())
        })?;
        Ok(twice)
    }

    /// Calls `each` with all numbers, ascending.
    fn each(mut self, mut each: impl FnMut(u64) -> io::Result<()>) -> io::Result<()> {
        if self.runs.is_empty() {
            self.run.sort_unstable();
            return self.run.into_iter().try_for_each(each);
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
            each(code)?;
            heads.extend(next(&mut runs[index])?.map(|code| Reverse((code, index))));
        }
        Ok(())
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

/// A writer of ascending numbers in groups.
struct Groups<'a> {
    writer: &'a mut dyn Write,
    last: Option<u64>,
    count: u64,
}

impl Groups<'_> {
    fn push(&mut self, code: u64) -> io::Result<()> {
        if self.last == Some(code) {
            return Ok(());
        }
        if self.last.is_none_or(|last| last >> 32 != code >> 32) {
            self.end_group()?;
            self.writer.write_all(&((code >> 32) as u32).to_be_bytes())?;
        }
        self.last = Some(code);
        self.count += 1;
        self.writer.write_all(&(code as u32).to_be_bytes())
    }

    fn end_group(&mut self) -> io::Result<()> {
        self.last.map_or(Ok(()), |_| self.writer.write_all(&END_OF_GROUP.to_be_bytes()))
    }

    fn finish(mut self) -> io::Result<u64> {
        self.end_group()?;
        Ok(self.count)
    }
}

/// Why bytes are not a `.tdl` file. Offsets are in bytes from the start.
#[derive(Debug, thiserror::Error)]
pub enum TdlError {
    /// The file ends within a word or a group.
    #[error("it ends at byte {0} in the middle of a group, so it is truncated or no .tdl file")]
    Truncated(u64),
    /// A group has no lower half.
    #[error("byte {0}: a group without positions, so it is no .tdl file")]
    EmptyGroup(u64),
    /// A number is not a board.
    #[error("byte {0}: {1}; it is no .tdl file, or a damaged one")]
    NoBoard(u64, CodeError),
    /// A number is a board, but not the invariant u64 of its position.
    #[error(
        "byte {0}: {1} is not the invariant u64 of its position, which is {2}; it is no .tdl file, or a damaged one"
    )]
    NotInvariant(u64, Code, Code),
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// A number of a `.tdl` file, not checked yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The offset of its lower half, in bytes from the start.
    pub offset: u64,
    /// The number.
    pub code: Code,
}

impl Entry {
    /// The board, red to move.
    ///
    /// # Errors
    /// If the number is not the invariant u64 of a position.
    pub fn board(self) -> Result<Board, TdlError> {
        let Entry { offset, code } = self;
        let board = code.board().map_err(|error| TdlError::NoBoard(offset, error))?;
        match code.invariant(Color::Red) {
            invariant if invariant == code => Ok(board),
            invariant => Err(TdlError::NotInvariant(offset, code, invariant)),
        }
    }
}

/// The numbers of a `.tdl` file as they are stored; only the structure of the groups is checked. Ends after the first
/// error.
pub struct Entries<R> {
    reader: R,
    offset: u64,
    /// The group's upper half, and whether it has a position yet.
    group: Option<(u32, bool)>,
    /// The last number.
    last: Option<Code>,
    disorder: Option<u64>,
    is_ascending: bool,
    is_over: bool,
}

impl<R: Read> Entries<R> {
    /// Reads from `reader`, which should be buffered.
    pub fn new(reader: R) -> Entries<R> {
        Entries { reader, offset: 0, group: None, last: None, disorder: None, is_ascending: true, is_over: false }
    }

    /// The offset in bytes of the first group, among those read so far, whose upper half is not greater than the
    /// previous one. Groups are then unsorted or split, and the crate's lazy loader may miss positions.
    pub fn disorder(&self) -> Option<u64> {
        self.disorder
    }

    /// Whether each number so far is greater than the previous one, so that there are no duplicates.
    pub fn is_ascending(&self) -> bool {
        self.is_ascending
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

    fn entry(&mut self) -> Result<Option<Entry>, TdlError> {
        loop {
            let Some(word) = self.word()? else {
                return match self.group {
                    None => Ok(None),
                    Some(_) => Err(TdlError::Truncated(self.offset)),
                };
            };
            let offset = self.offset - 4;
            match self.group {
                None | Some((_, false)) if word == END_OF_GROUP => return Err(TdlError::EmptyGroup(offset)),
                None => {
                    if self.last.is_some_and(|last| last.0 >> 32 >= u64::from(word)) {
                        self.disorder.get_or_insert(offset);
                    }
                    self.group = Some((word, false));
                }
                Some(_) if word == END_OF_GROUP => self.group = None,
                Some((top, _)) => {
                    self.group = Some((top, true));
                    let code = Code(u64::from(top) << 32 | u64::from(word));
                    self.is_ascending &= self.last.is_none_or(|last| last < code);
                    self.last = Some(code);
                    return Ok(Some(Entry { offset, code }));
                }
            }
        }
    }
}

impl<R: Read> Iterator for Entries<R> {
    type Item = Result<Entry, TdlError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let entry = self.entry().transpose();
        self.is_over = !matches!(entry, Some(Ok(_)));
        entry
    }
}

/// The version of the sidecar's format; it changes when the fields or their meaning do.
pub const SIDECAR_FORMAT: u32 = 1;

/// The maximum size of a sidecar, in bytes; anything longer is rejected.
const LONGEST_SIDECAR: u64 = 1 << 16;

/// A sidecar: metadata of a `.tdl` file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sidecar {
    /// The category of the positions.
    #[serde(rename = "what")]
    pub category: Category,
    /// The part that is listed, in words: a sample, the first few, those on a shape; `None` for all.
    pub part: Option<String>,
    /// The least and the greatest number of doves on the board.
    pub doves: [u32; 2],
    /// The rule variant.
    pub rules: Rules,
    /// The number of positions.
    pub positions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The file's SHA-256, in hexadecimal, as `sha256sum` prints it.
    pub sha256: String,
}

/// Why a text is not a sidecar.
#[derive(Debug, thiserror::Error)]
pub enum SidecarError {
    /// It is not JSON, or a field is missing, unknown or of the wrong type.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It is longer than any sidecar.
    #[error("it is longer than {LONGEST_SIDECAR} bytes")]
    TooLong,
    /// It has another format number.
    #[error("its format is {0}, but this program knows only format {SIDECAR_FORMAT}")]
    Format(u32),
    /// Its numbers of doves are not a range within 2 to 12.
    #[error("its doves are {0} to {1}; there are 2 to 12 on the board")]
    Doves(u32, u32),
}

/// A sidecar as it is written, with the format number and what wrote it.
#[derive(Serialize)]
struct SidecarDocument<'a> {
    format: u32,
    program: &'static str,
    version: &'static str,
    #[serde(flatten)]
    sidecar: &'a Sidecar,
}

impl Sidecar {
    /// Reads a sidecar.
    ///
    /// # Errors
    /// If it is not a sidecar, or is one that this program does not understand.
    pub fn read(reader: impl Read) -> Result<Sidecar, SidecarError> {
        #[derive(Deserialize)]
        struct Versioned {
            format: u32,
        }
        let mut text = Vec::new();
        reader.take(LONGEST_SIDECAR + 1).read_to_end(&mut text).map_err(serde_json::Error::io)?;
        if text.len() as u64 > LONGEST_SIDECAR {
            return Err(SidecarError::TooLong);
        }
        // Some editors begin every file with a byte order mark.
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
        // The format number first: another format may have other fields.
        let Versioned { format } = serde_json::from_slice(text)?;
        if format != SIDECAR_FORMAT {
            return Err(SidecarError::Format(format));
        }
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(text)?;
        fields.remove("format");
        // What wrote it is not kept, but must be said.
        for field in ["program", "version"] {
            let value = fields.remove(field).ok_or_else(|| serde_json::Error::missing_field(field))?;
            String::deserialize(value)?;
        }
        let sidecar: Sidecar = serde_json::from_value(fields.into())?;
        let [least, most] = sidecar.doves;
        if least > most || !ALL_DOVES.contains(&least) || !ALL_DOVES.contains(&most) {
            return Err(SidecarError::Doves(least, most));
        }
        Ok(sidecar)
    }

    /// Writes the sidecar, as an indented JSON document.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, mut writer: impl Write) -> io::Result<()> {
        let document = SidecarDocument {
            format: SIDECAR_FORMAT,
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            sidecar: self,
        };
        serde_json::to_writer_pretty(&mut writer, &document)?;
        writeln!(writer)
    }
}

/// The path of the sidecar of a `.tdl` file: `mates.tdl.json` for `mates.tdl`.
pub fn sidecar_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

/// A writer that passes bytes on, counts them and computes their SHA-256.
pub struct HashingWriter<W> {
    inner: W,
    hash: Sha256,
    bytes: u64,
}

impl<W> HashingWriter<W> {
    /// Passes bytes on to `inner`.
    pub fn new(inner: W) -> HashingWriter<W> {
        HashingWriter { inner, hash: Sha256::new(), bytes: 0 }
    }

    /// The number of bytes, and their SHA-256 in hexadecimal.
    pub fn finish(self) -> (u64, String) {
        (self.bytes, self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl<W: Write> Write for HashingWriter<W> {
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
