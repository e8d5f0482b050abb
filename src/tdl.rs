//! `.tdl` files: sets of positions in the format of the crate `tokyodoves`.
//!
//! A file is a sequence of groups of big-endian 32-bit words. A group is an upper half, then the lower halves of one or
//! more invariant u64s that have it, then `FFFFFFFF`, which cannot be a lower half, because no two doves stand on
//! square 15. There is no header, no count and no checksum.
//!
//! Files written here have one group for each upper half, with upper and lower halves ascending, as the
//! crate's lazy loader needs. They are sorted in memory, which limits their size. A file of any size can be
//! read, with its groups in any order: the crate itself writes such files.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

use crate::rules::{Board, Code, CodeError, Color, board_of};

/// The word that ends a group.
const END_OF_GROUP: u32 = u32::MAX;

/// Maximum number of positions that are sorted in memory. They take 2 GB.
pub const MAX_POSITIONS: u64 = 250_000_000;

/// The result of writing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of positions.
    pub positions: u64,
    /// The file's SHA-256, in hexadecimal, as `sha256sum` prints it.
    pub sha256: String,
}

/// Sorts invariant u64s and writes them, each once, as a `.tdl` file.
///
/// # Errors
/// If the writer fails.
pub fn write(codes: &mut [Code], writer: &mut dyn Write) -> io::Result<Written> {
    let mut hash = Sha256::new();
    let mut put = |word: u32| {
        let bytes = word.to_be_bytes();
        hash.update(bytes);
        writer.write_all(&bytes)
    };
    let upper_half = |code: &Code| (code.0 >> 32) as u32;
    let mut positions = 0;
    codes.sort_unstable();
    for group in codes.chunk_by(|one, next| upper_half(one) == upper_half(next)) {
        put(upper_half(&group[0]))?;
        for same in group.chunk_by(PartialEq::eq) {
            put(same[0].0 as u32)?;
            positions += 1;
        }
        put(END_OF_GROUP)?;
    }
    let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Written { positions, sha256 })
}

/// Why bytes are not a `.tdl` file. Offsets are in bytes from the start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TdlError {
    /// The file ends within a word or a group.
    #[error("it ends at byte {0} in the middle of a group, so it is truncated or not a .tdl file")]
    Truncated(u64),
    /// A group has no lower half.
    #[error("byte {0}: a group without positions, so it is not a .tdl file")]
    EmptyGroup(u64),
    /// A number is not a board.
    #[error("byte {0}: {1}; it is not a .tdl file, or it is damaged")]
    NoBoard(u64, CodeError),
    /// A number is a board, but not the invariant u64 of its position.
    #[error(
        "byte {0}: {1} is not the invariant u64 of its position, which is {2}; it is not a .tdl file, or it is damaged"
    )]
    NotInvariant(u64, Code, Code),
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// A number in a `.tdl` file, not yet checked to be an invariant u64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The offset of its lower half, in bytes from the start.
    pub offset: u64,
    /// The number.
    pub number: u64,
}

impl Entry {
    /// The board, red to move.
    ///
    /// # Errors
    /// If the number is not the invariant u64 of a position.
    pub fn board(self) -> Result<Board, TdlError> {
        let Entry { offset, number } = self;
        let board = board_of(number).map_err(|error| TdlError::NoBoard(offset, error))?;
        match Code(number).canonical(Color::Red) {
            canonical if canonical == Code(number) => Ok(board),
            canonical => Err(TdlError::NotInvariant(offset, Code(number), canonical)),
        }
    }

    /// The number, checked.
    ///
    /// # Errors
    /// If it is not the invariant u64 of a position.
    pub fn code(self) -> Result<Code, TdlError> {
        self.board().map(|_| Code(self.number))
    }
}

/// The numbers of a `.tdl` file as they are stored; only the structure of the groups is checked. Ends after
/// the first error.
#[derive(Debug)]
pub struct Entries<R> {
    reader: R,
    offset: u64,
    /// The group's upper half, and whether it has a position yet.
    group: Option<(u32, bool)>,
    last: Option<u64>,
    disorder: Option<u64>,
    is_over: bool,
}

impl<R: Read> Entries<R> {
    /// Reads from `reader`, which should be buffered.
    pub fn new(reader: R) -> Entries<R> {
        Entries { reader, offset: 0, group: None, last: None, disorder: None, is_over: false }
    }

    /// The offset in bytes of the first group, among those read so far, whose upper half is not greater than
    /// the previous one. Groups are then unsorted or split, and the crate's lazy loader may miss positions.
    pub fn disorder(&self) -> Option<u64> {
        self.disorder
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
                    if self.last.is_some_and(|last| last >> 32 >= u64::from(word)) {
                        self.disorder.get_or_insert(offset);
                    }
                    self.group = Some((word, false));
                }
                Some(_) if word == END_OF_GROUP => self.group = None,
                Some((top, _)) => {
                    self.group = Some((top, true));
                    let number = u64::from(top) << 32 | u64::from(word);
                    self.last = Some(number);
                    return Ok(Some(Entry { offset, number }));
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
