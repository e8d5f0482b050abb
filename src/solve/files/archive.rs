//! Archives: files of compressed frames, written once and read at random.
//!
//! All numbers are little-endian; CRC means CRC32C. The frames follow the header one after the other, each
//! compressed by zstd, then come the index and the trailer.
//!
//! | bytes | header | | bytes | trailer |
//! |---|---|---|---|---|
//! | 8 | `\x89doves\r\n` | | 8 | where the index begins |
//! | 4 | version of the format: 6 for files of wins, else 4 | | 4 | frames in this file |
//! | 2 | dove sets of red and green, as [`DoveSet::bits`] | | 4 | CRC of the index |
//! | 1 | 1 with returns | | 32 | BLAKE3 of all that comes before |
//! | 1 | both surrounded: 0 mover loses, 1 mover wins, 2 draw | | 4 | CRC of the trailer so far |
//! | | what the frames are, in the writer's own terms | | 8 | `finished` |
//! | 4 | CRC of the header so far | | | |
//!
//! The index has three numbers of four bytes for each frame: its compressed size, its uncompressed size, and
//! the CRC of the compressed bytes.
//!
//! [`Archive::open`] checks header, index and trailer; every frame is checked against its CRC when it is
//! read; [`Archive::read_all`] checks everything. Whatever does not fit is an error that names the file.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use rayon::prelude::*;

pub(crate) use crate::solve::solved::TableError;

use crate::rules::{BothSurrounded, DoveSet, Game, Rules};

/// The version of the format.
pub(crate) const VERSION: u32 = 4;
/// The version of files of wins, which keep equal rows of a block once, and of the document that lists them.
pub(crate) const WINS_VERSION: u32 = 6;

const MAGIC: [u8; 8] = *b"\x89doves\r\n";
const MARK: [u8; 8] = *b"finished";
const ENTRY_BYTES: usize = 12;
const TRAILER_BYTES: usize = 60;
/// Bytes at the end that the BLAKE3 does not cover: the hash itself and what follows it.
const UNHASHED: usize = 44;
/// Frames that each thread gets in a batch, when writing or reading.
const FRAMES_A_THREAD: usize = 4;

/// The header of a file about a game, in a version of the format; `what` describes its frames.
pub(crate) fn header(version: u32, game: &Game, what: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend(game.bytes());
    bytes.extend(what);
    bytes.extend(crc32c::crc32c(&bytes).to_le_bytes());
    bytes
}

/// The game that a header names; `None` if it does not name one.
fn game_of(header: &[u8]) -> Option<Game> {
    let set = |bits: u8| DoveSet::all().into_iter().find(|set| set.bits() == bits);
    let both_surrounded = *BothSurrounded::ALL.get(usize::from(header[15]))?;
    Some(Game {
        red: set(header[12])?,
        green: set(header[13])?,
        rules: Rules { returns: header[14] == 1, both_surrounded },
    })
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// Compressed bytes.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The output of zstd.
    pub bytes: Vec<u8>,
    /// Bytes before compression.
    pub size: usize,
}

impl Frame {
    /// Compresses `content` with zstd's `level`.
    pub(crate) fn new(content: &[u8], level: i32) -> io::Result<Frame> {
        let size = content.len();
        u32::try_from(size).map_err(|_| io::Error::other("a frame is too large"))?;
        Ok(Frame { bytes: zstd::bulk::compress(content, level)?, size })
    }
}

/// Frames that are compressed in parallel batches and taken one after the other.
pub(crate) struct Frames<'a> {
    count: usize,
    make: &'a (dyn Fn(usize) -> io::Result<Frame> + Sync),
    /// The number of the next frame.
    next: usize,
    /// The frames from `next` on that are ready.
    ready: VecDeque<Frame>,
}

impl<'a> Frames<'a> {
    /// `count` frames, each made from its number.
    pub(crate) fn new(count: usize, make: &'a (dyn Fn(usize) -> io::Result<Frame> + Sync)) -> Frames<'a> {
        Frames { count, make, next: 0, ready: VecDeque::new() }
    }

    /// The number of the next frame.
    pub(crate) fn number(&self) -> usize {
        self.next
    }

    /// The next frame, if it has fewer bytes than `room`; `None` otherwise, and after the last.
    pub(crate) fn next(&mut self, room: Option<u64>) -> io::Result<Option<Frame>> {
        if self.ready.is_empty() && self.next < self.count {
            let last = self.count.min(self.next + FRAMES_A_THREAD * rayon::current_num_threads());
            let made = (self.next..last).into_par_iter().map(|number| (self.make)(number));
            self.ready = made.collect::<io::Result<VecDeque<Frame>>>()?;
        }
        let frame =
            self.ready.pop_front_if(|frame| room.is_none_or(|room| (frame.bytes.len() as u64) < room));
        self.next += usize::from(frame.is_some());
        Ok(frame)
    }

    /// Skips to a later frame.
    pub(crate) fn skip_to(&mut self, number: usize) {
        self.ready.drain(..self.ready.len().min(number - self.next));
        self.next = number;
    }
}

/// A writer that counts and hashes the bytes that pass through.
struct Hashing<'a> {
    out: &'a mut dyn Write,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

/// Writes an archive with the frames that `next` returns until it returns `None`. `next` gets the number of
/// bytes of the file so far, index and trailer included. Returns the file's size and BLAKE3.
pub(crate) fn write(
    out: &mut dyn Write,
    header: &[u8],
    next: &mut dyn FnMut(u64) -> io::Result<Option<Frame>>,
) -> io::Result<(u64, blake3::Hash)> {
    let mut out = Hashing { out, hasher: blake3::Hasher::new(), bytes: 0 };
    out.write(header)?;
    let mut index = Vec::new();
    while let Some(frame) = next(out.bytes + (index.len() + ENTRY_BYTES + TRAILER_BYTES) as u64)? {
        for number in [frame.bytes.len() as u32, frame.size as u32, crc32c::crc32c(&frame.bytes)] {
            index.extend(number.to_le_bytes());
        }
        out.write(&frame.bytes)?;
    }
    let mut trailer = out.bytes.to_le_bytes().to_vec();
    trailer.extend(((index.len() / ENTRY_BYTES) as u32).to_le_bytes());
    trailer.extend(crc32c::crc32c(&index).to_le_bytes());
    out.write(&index)?;
    out.write(&trailer)?;
    let hash = out.hasher.finalize();
    trailer.extend(hash.as_bytes());
    trailer.extend(crc32c::crc32c(&trailer).to_le_bytes());
    trailer.extend(MARK);
    let rest = &trailer[trailer.len() - UNHASHED..];
    out.out.write_all(rest)?;
    Ok((out.bytes + rest.len() as u64, hash))
}

/// An open file whose header, index and trailer have been checked.
pub(crate) struct Archive {
    /// Its path.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// The BLAKE3 in its trailer.
    pub hash: blake3::Hash,
    file: File,
    header_bytes: usize,
    frames: Vec<FrameEntry>,
}

/// The place of a frame in the file.
struct FrameEntry {
    start: u64,
    bytes: usize,
    size: usize,
    crc: u32,
}

/// Reads bytes at an offset; threads may do so at the same time.
#[cfg(unix)]
fn read_at(file: &File, start: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(windows)]
fn read_at(file: &File, mut start: u64, mut bytes: &mut [u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, start)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            read => (start, bytes) = (start + read as u64, &mut bytes[read..]),
        }
    }
    Ok(())
}

impl Archive {
    /// Opens a file that should start with `header` and have at most `most` frames.
    pub(crate) fn open(
        path: PathBuf,
        game: &Game,
        header: &[u8],
        most: usize,
    ) -> Result<Archive, TableError> {
        let damaged = |what| Err(TableError::Damaged(path.clone(), what));
        let checksum = |what| Err(TableError::Checksum(path.clone(), what));
        let unreadable = |error| TableError::Unreadable(path.clone(), error);
        let mut file = File::open(&path).map_err(unreadable)?;
        let bytes = file.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let header_bytes = header.len();
        if bytes < (header_bytes + TRAILER_BYTES) as u64 {
            return damaged("it is cut off");
        }
        let mut read = |start: u64, length: usize| {
            let mut buffer = vec![0; length];
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut buffer).map(|()| buffer)
        };

        let head = read(0, header_bytes).map_err(unreadable)?;
        if head[..8] != MAGIC {
            return damaged("it does not begin like a table");
        }
        if u32_at(&head, 8) != u32_at(header, 8) {
            return Err(TableError::Version { path, found: u32_at(&head, 8) });
        }
        if u32_at(&head, header_bytes - 4) != crc32c::crc32c(&head[..header_bytes - 4]) {
            return checksum("its header");
        }
        match game_of(&head) {
            None => return damaged("its header names no game"),
            Some(found) if found != *game => {
                return Err(TableError::Foreign { path, found: found.into(), wanted: (*game).into() });
            }
            Some(_) if head != header => return damaged("its name is that of another part of the game"),
            Some(_) => {}
        }

        let trailer = read(bytes - TRAILER_BYTES as u64, TRAILER_BYTES).map_err(unreadable)?;
        if trailer[TRAILER_BYTES - 8..] != MARK {
            return damaged("it does not end as finished tables do: it is cut off");
        }
        if u32_at(&trailer, 48) != crc32c::crc32c(&trailer[..48]) {
            return checksum("its trailer");
        }
        let (start, frames) = (u64_at(&trailer, 0), u32_at(&trailer, 8) as usize);
        let length = frames * ENTRY_BYTES;
        if frames == 0 || frames > most || start.checked_add((length + TRAILER_BYTES) as u64) != Some(bytes) {
            return damaged("its size is not that of its groups");
        }
        let index = read(start, length).map_err(unreadable)?;
        if u32_at(&trailer, 12) != crc32c::crc32c(&index) {
            return checksum("its index");
        }
        let mut end = header_bytes as u64;
        let frames: Vec<FrameEntry> = index
            .chunks_exact(ENTRY_BYTES)
            .map(|entry| {
                let (bytes, size) = (u32_at(entry, 0) as usize, u32_at(entry, 4) as usize);
                let start = end;
                end += bytes as u64;
                FrameEntry { start, bytes, size, crc: u32_at(entry, 8) }
            })
            .collect();
        if end != start {
            return damaged("its index does not fit its groups");
        }
        let hash = blake3::Hash::from_bytes(trailer[16..48].try_into().expect("32 bytes"));
        Ok(Archive { path, bytes, hash, file, header_bytes, frames })
    }

    /// The number of frames.
    pub(crate) fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Bytes of a frame's content, by its number.
    pub(crate) fn content_bytes(&self, number: usize) -> u64 {
        self.frames[number].size as u64
    }

    /// Bytes of a frame in the file; 0 if its content is empty.
    pub(crate) fn frame_bytes(&self, number: usize) -> u64 {
        let FrameEntry { bytes, size, .. } = self.frames[number];
        if size == 0 { 0 } else { bytes as u64 }
    }

    /// The content of a frame.
    pub(crate) fn content(&self, number: usize) -> Result<Vec<u8>, TableError> {
        let bytes = self.compressed(number)?;
        self.decompressed(number, &bytes)
    }

    /// A frame's compressed bytes, checked against its CRC.
    fn compressed(&self, number: usize) -> Result<Vec<u8>, TableError> {
        let frame = &self.frames[number];
        let mut bytes = vec![0; frame.bytes];
        read_at(&self.file, frame.start, &mut bytes).map_err(|error| self.unreadable(error))?;
        self.confirmed(number, bytes)
    }

    fn confirmed(&self, number: usize, bytes: Vec<u8>) -> Result<Vec<u8>, TableError> {
        if crc32c::crc32c(&bytes) == self.frames[number].crc {
            Ok(bytes)
        } else {
            Err(TableError::Checksum(self.path.clone(), "a group"))
        }
    }

    fn decompressed(&self, number: usize, bytes: &[u8]) -> Result<Vec<u8>, TableError> {
        let size = self.frames[number].size;
        let content = zstd::bulk::decompress(bytes, size).ok().filter(|content| content.len() == size);
        content.ok_or_else(|| self.damaged("a group cannot be decompressed"))
    }

    /// The error that this file is damaged.
    pub(crate) fn damaged(&self, what: &'static str) -> TableError {
        TableError::Damaged(self.path.clone(), what)
    }

    fn unreadable(&self, error: io::Error) -> TableError {
        match error.kind() {
            ErrorKind::UnexpectedEof => self.damaged("it is cut off"),
            _ => TableError::Unreadable(self.path.clone(), error),
        }
    }

    /// Reads everything from the first byte to the last, and passes each frame's number and content to
    /// `show`, on many threads.
    pub(crate) fn read_all(
        &self,
        show: &(dyn Fn(usize, Vec<u8>) -> Result<(), TableError> + Sync),
    ) -> Result<(), TableError> {
        let mut hasher = blake3::Hasher::new();
        let mut next = 0;
        let mut read = |end: u64| {
            let mut bytes = vec![0; (end - next) as usize];
            read_at(&self.file, next, &mut bytes).map_err(|error| self.unreadable(error))?;
            hasher.update(&bytes);
            next = end;
            Ok::<_, TableError>(bytes)
        };
        read(self.header_bytes as u64)?;
        let batch = FRAMES_A_THREAD * rayon::current_num_threads();
        for first in (0..self.frames.len()).step_by(batch) {
            let numbers = first..self.frames.len().min(first + batch);
            let bytes: Vec<Vec<u8>> = self.frames[numbers.clone()]
                .iter()
                .map(|frame| read(frame.start + frame.bytes as u64))
                .collect::<Result<_, _>>()?;
            numbers.into_par_iter().zip(bytes).try_for_each(|(number, bytes)| {
                show(number, self.decompressed(number, &self.confirmed(number, bytes)?)?)
            })?;
        }
        read(self.bytes - UNHASHED as u64)?;
        if hasher.finalize() != self.hash {
            return Err(TableError::Checksum(self.path.clone(), "all of it"));
        }
        Ok(())
    }
}
