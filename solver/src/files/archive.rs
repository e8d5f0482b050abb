//! Archives: files of compressed frames, written once and read at random.
//!
//! All numbers are little-endian; CRC means CRC32C. The frames follow the header one after the other, each compressed
//! by zstd; then come the index and the trailer.
//!
//! | bytes | header | | bytes | trailer |
//! |---|---|---|---|---|
//! | 8 | `\x89doves\r\n` | | 8 | where the index begins |
//! | 4 | version of the format: 6 for files of wins, else 4 | | 4 | frames in this file |
//! | 2 | dove sets of red and green, as [`DoveSet::bits`] | | 4 | CRC of the index |
//! | 1 | returns: 0 off, 1 on | | 32 | BLAKE3 of all that comes before |
//! | 1 | both surrounded: 0 mover loses, 1 mover wins, 2 draw | | 4 | CRC of the trailer so far |
//! | | what the frames are, in the writer's own terms | | 8 | `finished` |
//! | 4 | CRC of the header so far | | | |
//!
//! The index has three numbers of four bytes for each frame: its compressed size, its uncompressed size, and
//! the CRC of the compressed bytes.
//!
//! [`Archive::open`] checks header, index and trailer; every frame is checked against its CRC when it is
//! read; [`Archive::read_all`] checks everything. Any mismatch is an error that names the file.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::solved::TableError;
use crate::space::layout::{Class, GroupId};
use crate::space::sets::GroupValues;
use dovemate::rules::{BothSurrounded, DoveSet, Game, Rules};

/// The version of the format.
pub(crate) const VERSION: u32 = 4;
/// The version of files of wins, which store equal rows of a block once, and of the document that lists them.
pub(crate) const WINS_VERSION: u32 = 6;

const MAGIC: [u8; 8] = *b"\x89doves\r\n";
const END_MAGIC: [u8; 8] = *b"finished";
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
    pub number: usize,
    /// The frames from `number` on that are ready.
    ready: VecDeque<Frame>,
}

impl<'a> Frames<'a> {
    /// `count` frames, each made from its number.
    pub(crate) fn new(count: usize, make: &'a (dyn Fn(usize) -> io::Result<Frame> + Sync)) -> Frames<'a> {
        Frames { count, make, number: 0, ready: VecDeque::new() }
    }

    /// The next frame, if it has fewer bytes than `room`; `None` otherwise, and after the last.
    pub(crate) fn next(&mut self, room: Option<u64>) -> io::Result<Option<Frame>> {
        if self.ready.is_empty() && self.number < self.count {
            let last = self.count.min(self.number + FRAMES_A_THREAD * rayon::current_num_threads());
            let made = (self.number..last).into_par_iter().map(self.make);
            self.ready = made.collect::<io::Result<VecDeque<Frame>>>()?;
        }
        let frame =
            self.ready.pop_front_if(|frame| room.is_none_or(|room| (frame.bytes.len() as u64) < room));
        self.number += usize::from(frame.is_some());
        Ok(frame)
    }

    /// Skips to a later frame.
    pub(crate) fn skip_to(&mut self, number: usize) {
        self.ready.drain(..self.ready.len().min(number - self.number));
        self.number = number;
    }
}

/// Writes an archive with the frames that `next` returns until it returns `None`. `next` gets the number of
/// bytes of the file so far, index and trailer included. Returns the file's size and BLAKE3.
pub(crate) fn write(
    out: &mut dyn Write,
    header: &[u8],
    next: &mut dyn FnMut(u64) -> io::Result<Option<Frame>>,
) -> io::Result<(u64, blake3::Hash)> {
    // The hasher also counts the bytes so far.
    let mut hasher = blake3::Hasher::new();
    let mut put = |hasher: &mut blake3::Hasher, bytes: &[u8]| {
        hasher.update(bytes);
        out.write_all(bytes)
    };
    put(&mut hasher, header)?;
    let mut index = Vec::new();
    while let Some(frame) = next(hasher.count() + (index.len() + ENTRY_BYTES + TRAILER_BYTES) as u64)? {
        for number in [frame.bytes.len() as u32, frame.size as u32, crc32c::crc32c(&frame.bytes)] {
            index.extend(number.to_le_bytes());
        }
        put(&mut hasher, &frame.bytes)?;
    }
    let mut trailer = hasher.count().to_le_bytes().to_vec();
    trailer.extend(((index.len() / ENTRY_BYTES) as u32).to_le_bytes());
    trailer.extend(crc32c::crc32c(&index).to_le_bytes());
    put(&mut hasher, &index)?;
    put(&mut hasher, &trailer)?;
    let hash = hasher.finalize();
    trailer.extend(hash.as_bytes());
    trailer.extend(crc32c::crc32c(&trailer).to_le_bytes());
    trailer.extend(END_MAGIC);
    let rest = &trailer[trailer.len() - UNHASHED..];
    out.write_all(rest)?;
    Ok((hasher.count() + rest.len() as u64, hash))
}

/// An open file whose header, index and trailer have been checked.
pub(crate) struct Archive {
    pub path: PathBuf,
    pub bytes: u64,
    /// The BLAKE3 in its trailer.
    pub hash: blake3::Hash,
    file: File,
    header_bytes: usize,
    pub frames: Vec<FrameEntry>,
}

/// A file, as named in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileEntry {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) blake3: String,
}

impl FileEntry {
    pub(crate) fn new(path: &Path, bytes: u64, hash: blake3::Hash) -> FileEntry {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        FileEntry { name, bytes, blake3: hash.to_string() }
    }
}

/// Where a frame is in the file.
#[derive(Clone, Copy)]
pub(crate) struct FrameEntry {
    start: u64,
    /// Its compressed size.
    pub bytes: usize,
    /// The size of its content.
    pub size: usize,
    crc: u32,
}

/// Reads bytes at an offset; threads may do so at the same time.
#[cfg(unix)]
fn read_at(file: &File, start: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    std::os::unix::fs::FileExt::read_exact_at(file, &mut bytes, start)?;
    Ok(bytes)
}

#[cfg(windows)]
fn read_at(file: &File, start: u64, length: usize) -> io::Result<Vec<u8>> {
    let (mut bytes, mut done) = (vec![0; length], 0);
    while done < length {
        match std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], start + done as u64)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            read => done += read,
        }
    }
    Ok(bytes)
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
        let file = File::open(&path).map_err(unreadable)?;
        let bytes = file.metadata().map_err(unreadable)?.len();
        let header_bytes = header.len();
        if bytes < (header_bytes + TRAILER_BYTES) as u64 {
            return damaged("it is cut off");
        }

        let head = read_at(&file, 0, header_bytes).map_err(unreadable)?;
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

        let trailer = read_at(&file, bytes - TRAILER_BYTES as u64, TRAILER_BYTES).map_err(unreadable)?;
        if trailer[TRAILER_BYTES - 8..] != END_MAGIC {
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
        let index = read_at(&file, start, length).map_err(unreadable)?;
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

    /// The content of a frame.
    pub(crate) fn content(&self, number: usize) -> Result<Vec<u8>, TableError> {
        let FrameEntry { start, bytes, .. } = self.frames[number];
        self.decompressed(number, &self.read(start, bytes)?)
    }

    fn read(&self, start: u64, length: usize) -> Result<Vec<u8>, TableError> {
        read_at(&self.file, start, length).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.damaged("it is cut off"),
            _ => TableError::Unreadable(self.path.clone(), error),
        })
    }

    /// The content of a frame from its compressed bytes, which are checked against its CRC.
    fn decompressed(&self, number: usize, bytes: &[u8]) -> Result<Vec<u8>, TableError> {
        let FrameEntry { size, crc, .. } = self.frames[number];
        if crc32c::crc32c(bytes) != crc {
            return Err(TableError::Checksum(self.path.clone(), "a group"));
        }
        let content = zstd::bulk::decompress(bytes, size).ok().filter(|content| content.len() == size);
        content.ok_or_else(|| self.damaged("a group cannot be decompressed"))
    }

    /// The values of a group of a class, from the content of its frame.
    pub(crate) fn values(
        &self,
        class: &Class,
        group: GroupId,
        content: &[u8],
    ) -> Result<GroupValues, TableError> {
        let values = GroupValues::decode(class, group, content);
        values.ok_or_else(|| self.damaged("a group cannot be decoded"))
    }

    /// The file as a manifest names it.
    pub(crate) fn entry(&self) -> FileEntry {
        FileEntry::new(&self.path, self.bytes, self.hash)
    }

    /// Checks that a manifest names this file.
    pub(crate) fn check(&self, named: &[FileEntry]) -> Result<(), TableError> {
        let is_named = named.contains(&self.entry());
        if is_named { Ok(()) } else { Err(self.contradicts("the manifest beside it")) }
    }

    /// The error that this file contradicts something, such as the manifest beside it.
    pub(crate) fn contradicts(&self, what: &'static str) -> TableError {
        TableError::Contradiction(self.path.clone(), what)
    }

    /// The error that this file is damaged.
    pub(crate) fn damaged(&self, what: &'static str) -> TableError {
        TableError::Damaged(self.path.clone(), what)
    }

    /// Reads everything from the first byte to the last, and visits each frame's number and content, on many threads.
    pub(crate) fn read_all(
        &self,
        visit: &(dyn Fn(usize, Vec<u8>) -> Result<(), TableError> + Sync),
    ) -> Result<(), TableError> {
        let mut hasher = blake3::Hasher::new();
        let mut next = 0;
        let mut read = |end: u64| {
            let bytes = self.read(next, (end - next) as usize)?;
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
            numbers
                .into_par_iter()
                .zip(bytes)
                .try_for_each(|(number, bytes)| visit(number, self.decompressed(number, &bytes)?))?;
        }
        read(self.bytes - UNHASHED as u64)?;
        if hasher.finalize() != self.hash {
            return Err(TableError::Checksum(self.path.clone(), "all of it"));
        }
        Ok(())
    }
}
