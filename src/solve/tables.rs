//! Tables: a solved game as files, written once, and read at random.
//!
//! A game has a folder of its own, named by dove sets and rules, as in `AYM-AYM-returns-mover-loses`; an empty dove set is `none`, and
//! tables without distances have `-values` at the end of the name. In it there are, for each class of [`super::layout`], one or more
//! files below 1 GiB, named by mover, slots, opposing doves and the first group, as in `any-6-3-00000.table`; and `manifest.json`.
//!
//! # A file
//!
//! All numbers have their least byte first; CRC is CRC32C.
//!
//! | bytes | header | | bytes | trailer |
//! |---|---|---|---|---|
//! | 8 | `\x89doves\r\n` | | 8 | where the index begins |
//! | 4 | version of the format, 1 | | 4 | groups in this file |
//! | 2 | dove sets of red and green, as [`crate::rules::DoveSet::bits`] | | 4 | CRC of the index |
//! | 1 | 1 with returns | | 32 | BLAKE3 of all that comes before |
//! | 1 | both surrounded: 0 mover loses, 1 mover wins, 2 draw | | 4 | CRC of the trailer so far |
//! | 1 | 1 with distances | | 8 | `finished` |
//! | 3 | class: side, slots, opposing doves | | | |
//! | 4 | bits of a row | | | |
//! | 4 | rows of a block | | | |
//! | 4 | blocks of a placement | | | |
//! | 4 | placements of a group | | | |
//! | 4 | placements of the class | | | |
//! | 4 | the first placement in this file | | | |
//! | 4 | CRC of the header so far | | | |
//!
//! After the header come the groups, each one zstd frame that holds what [`super::sets`] describes, then the index, and at last the
//! trailer. The index has for each group the bytes of its frame, those of what the frame holds, and the frame's CRC, four bytes each;
//! frames lie one after the other. Positions have their places as [`super::index::Index`] finds them; if that changes, so does the
//! version. Placements in a file are as many as its groups have, and the class has no more after its last file.
//!
//! # The manifest
//!
//! It is written last, once all files are there: without it the tables are not finished. It has what the game came to, and for each
//! file its name, size and BLAKE3. Its own last field is the BLAKE3 of itself with that field empty.
//!
//! # Sizes
//!
//! With A Y M for both, 58,925,630 positions, files have 476,567 bytes in all, 0.065 bits a position; without distances 408,737, 0.055
//! bits. A Y M for red and Y M T H for green take 15,720,147 bytes, 0.10 bits a position. zstd's levels 3 and 19 instead of 9 make
//! 543,116 and 442,873 bytes of the first, in 0.6 and 10 times the time.
//!
//! # What is believed
//!
//! [`Stored::open`] compares manifest, headers, indices and trailers, and every frame is compared with its CRC when it is read;
//! [`Stored::verify`] reads everything, and counts all values once more. Whatever does not fit is an error that names the file.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::index::Index;
use super::layout::{Class, Layout};
use super::sets::GroupSets;
use super::solver::{Longest, Solved};
use crate::retrograde::Value;
use crate::rules::{self, BothSurrounded, Color, DoveSet, Game, Rules};
use crate::shapes::canonical::shapes;
use crate::solution::{Row, Solution};

/// The version of the format.
pub const VERSION: u32 = 1;
/// Files are below this size, in bytes, unless a single group is larger.
pub const SHARD: u64 = 1 << 30;
/// The name of a folder's manifest.
pub const MANIFEST: &str = "manifest.json";

const MAGIC: [u8; 8] = *b"\x89doves\r\n";
const MARK: [u8; 8] = *b"finished";
const HEADER_BYTES: usize = 48;
const ENTRY_BYTES: usize = 12;
const TRAILER_BYTES: usize = 60;
/// Bytes at the end that the BLAKE3 does not cover: itself, and what follows it.
const UNHASHED: usize = 44;
/// zstd's level.
const LEVEL: i32 = 9;
/// About how many bytes of groups that were read are kept.
const CACHE_BYTES: usize = 1 << 28;
/// Groups that each thread has before it when many are compressed, or read.
const GROUPS_A_THREAD: usize = 4;

/// Why tables are not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// There are none, or they are not finished.
    #[error("{} has no finished tables: there is no {MANIFEST}", .0.display())]
    Missing(PathBuf),
    /// A file is not there, or the system refuses to read it.
    #[error("{} cannot be read: {}", .0.display(), .1)]
    Unreadable(PathBuf, #[source] io::Error),
    /// They are of another game.
    #[error("{} is of another game: {found}, not {wanted}", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its game.
        found: Box<Game>,
        /// The game that is asked for.
        wanted: Box<Game>,
    },
    /// Another version of the program wrote them in another format.
    #[error("{} has format {found}, and this program reads and writes format {VERSION}; remove it and solve again", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The file is cut off, or no table.
    #[error("{} is damaged: {}; remove it and solve again", .0.display(), .1)]
    Damaged(PathBuf, &'static str),
    /// Bytes that are not those that were written.
    #[error("{} is damaged: {} contradicts its checksum; remove it and solve again", .0.display(), .1)]
    Checksum(PathBuf, &'static str),
    /// Everything is as it was written, but the values are not those that the tables say they are.
    #[error("{} contradicts {}", .0.display(), .1)]
    Contradiction(PathBuf, &'static str),
}

/// The name of the folder of a game.
pub fn folder_name(game: &Game, has_distances: bool) -> String {
    let set = |set: DoveSet| if set.is_empty() { "none".to_owned() } else { set.to_string() };
    let Rules { returns, both_surrounded } = game.rules;
    let returns = if returns { "returns" } else { "no-returns" };
    let values = if has_distances { "" } else { "-values" };
    format!("{}-{}-{returns}-{}{values}", set(game.red), set(game.green), both_surrounded.name())
}

fn file_name(layout: &Layout, class: &Class, group: usize) -> String {
    let mover = layout.mover(class.side).map_or("any", Color::name);
    format!("{mover}-{}-{}-{group:05}.table", class.slots, class.opposing)
}

/// The first bytes of a file.
fn header(layout: &Layout, has_distances: bool, class: &Class, group: usize) -> Vec<u8> {
    let Game { red, green, rules } = layout.game;
    let ruling = BothSurrounded::ALL.iter().position(|ruling| *ruling == rules.both_surrounded);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([red.bits(), green.bits(), u8::from(rules.returns), ruling.expect("one of all") as u8]);
    bytes.extend([u8::from(has_distances), class.side as u8, class.slots as u8, class.opposing as u8]);
    for number in [class.width, class.rows, class.sets, class.group, class.placements, group * class.group] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(crc32c::crc32c(&bytes).to_le_bytes());
    bytes
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// The game that a header names, if there is such a game.
fn game_of(header: &[u8]) -> Option<Game> {
    let set = |bits: u8| DoveSet::all().into_iter().find(|set| set.bits() == bits);
    let both_surrounded = *BothSurrounded::ALL.get(usize::from(header[15]))?;
    Some(Game {
        red: set(header[12])?,
        green: set(header[13])?,
        rules: Rules { returns: header[14] == 1, both_surrounded },
    })
}

/// A group as it is in a file.
struct Frame {
    bytes: Vec<u8>,
    /// Bytes of what it holds.
    size: usize,
}

/// The groups of a class, compressed one after the other.
struct Frames<'a> {
    solved: &'a dyn Solved,
    class: usize,
    /// The group that comes next.
    next: usize,
    /// Groups from that on.
    ready: VecDeque<Frame>,
}

impl Frames<'_> {
    fn peek(&mut self) -> io::Result<Option<&Frame>> {
        let groups = self.solved.layout().classes[self.class].groups();
        if self.ready.is_empty() && self.next < groups {
            let last = groups.min(self.next + GROUPS_A_THREAD * rayon::current_num_threads());
            let compressed = (self.next..last).into_par_iter().map(|group| {
                let content = self.solved.group(self.class, group).encode();
                let size = content.len();
                // What frames hold comes with a length of four bytes; no group of any game has a tenth of that.
                u32::try_from(size).map_err(|_| io::Error::other("a group is too large"))?;
                Ok(Frame { bytes: zstd::bulk::compress(&content, LEVEL)?, size })
            });
            self.ready = compressed.collect::<io::Result<VecDeque<Frame>>>()?;
        }
        Ok(self.ready.front())
    }

    fn take(&mut self) {
        self.ready.pop_front();
        self.next += 1;
    }

    /// Goes on to a later group.
    fn skip_to(&mut self, group: usize) {
        self.ready.drain(..self.ready.len().min(group - self.next));
        self.next = group;
    }
}

/// Counts and hashes what is written.
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

/// Writes one file: as many of the groups as it may hold. Its size and BLAKE3.
fn write_file(
    out: &mut dyn Write,
    header: &[u8],
    frames: &mut Frames,
    shard: u64,
    each: &(dyn Fn() + Sync),
) -> io::Result<(u64, blake3::Hash)> {
    let mut out = Hashing { out, hasher: blake3::Hasher::new(), bytes: 0 };
    out.write(header)?;
    let mut index = Vec::new();
    while let Some(frame) = frames.peek()? {
        let end = (frame.bytes.len() + index.len() + ENTRY_BYTES + TRAILER_BYTES) as u64;
        if !index.is_empty() && out.bytes + end >= shard {
            break;
        }
        for number in [frame.bytes.len() as u32, frame.size as u32, crc32c::crc32c(&frame.bytes)] {
            index.extend(number.to_le_bytes());
        }
        out.write(&frame.bytes)?;
        frames.take();
        each();
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

/// Makes a file with this path, whole or not at all: what it is given writes the content.
pub type Create<'a, E> = &'a dyn Fn(&Path, &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<(), E>;

/// Writes the tables of a solved game into a folder that is there, each file below `shard` bytes. `each` is called after every group, of
/// [`groups`] in all.
///
/// Files that are there already, from a run that was interrupted, are compared with what would be written, and kept.
///
/// # Errors
/// If `create` fails, or at a file that is there and damaged or of other values. What is finished stays.
pub fn write<E: From<TableError>>(
    solved: &dyn Solved,
    folder: &Path,
    shard: u64,
    create: Create<'_, E>,
    each: &(dyn Fn() + Sync),
) -> Result<(), E> {
    let (layout, has_distances) = (solved.layout(), solved.solution().has_distances);
    let mut files = Vec::new();
    for (index, class) in layout.classes.iter().enumerate() {
        let mut frames = Frames { solved, class: index, next: 0, ready: VecDeque::new() };
        while frames.next < class.groups() {
            let name = file_name(layout, class, frames.next);
            let path = folder.join(&name);
            let (bytes, hash) = if path.exists() {
                let file = TableFile::open(path, layout, has_distances, index, frames.next)?;
                file.read_all(layout, each, &|group, sets| {
                    let same = *sets == solved.group(index, group);
                    same.then_some(()).ok_or("the values that this program finds")
                })?;
                frames.skip_to(file.first + file.frames.len());
                (file.bytes, file.hash)
            } else {
                let header = header(layout, has_distances, class, frames.next);
                let mut written = None;
                create(&path, &mut |out| {
                    written = Some(write_file(out, &header, &mut frames, shard, each)?);
                    Ok(())
                })?;
                written.expect("the file is written")
            };
            files.push(FileEntry { name, bytes, blake3: hash.to_hex().to_string() });
        }
    }
    let text = Manifest::of(solved, files).text();
    create(&folder.join(MANIFEST), &mut |out| out.write_all(text.as_bytes()))
}

/// How many groups a game has: steps of writing its tables, and of verifying them.
pub fn groups(layout: &Layout) -> u64 {
    layout.classes.iter().map(|class| class.groups() as u64).sum()
}

/// What a folder holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    program: String,
    version: String,
    red: String,
    green: String,
    returns: bool,
    both_surrounded: String,
    distances: bool,
    positions: u64,
    /// Positions on every boss placement of every canonical shape.
    places: u64,
    rounds: u32,
    longest: Option<LongestEntry>,
    files: Vec<FileEntry>,
    rows: Vec<RowEntry>,
    blake3: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LongestEntry {
    board: String,
    to_move: String,
    value: String,
    plies: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileEntry {
    name: String,
    bytes: u64,
    blake3: String,
}

/// As in the CSV of a solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RowEntry {
    mover: String,
    doves: u32,
    value: String,
    plies: Option<u32>,
    positions: u64,
}

fn value_of(name: &str, plies: Option<u32>) -> Option<Value> {
    match (name, plies) {
        ("win", plies) => Some(Value::Win(plies.unwrap_or(0))),
        ("lose", plies) => Some(Value::Lose(plies.unwrap_or(0))),
        ("draw", None) => Some(Value::Draw),
        _ => None,
    }
}

impl Manifest {
    fn of(solved: &dyn Solved, files: Vec<FileEntry>) -> Manifest {
        let (game, solution) = (solved.game(), solved.solution());
        let row = |row: &Row| RowEntry {
            mover: row.mover.map_or("any", Color::name).to_owned(),
            doves: row.doves,
            value: row.value.name().to_owned(),
            plies: row.value.plies().filter(|_| solution.has_distances),
            positions: row.positions,
        };
        let longest = |longest: Longest| LongestEntry {
            board: longest.board.to_string(),
            to_move: longest.mover.name().to_owned(),
            value: longest.value.name().to_owned(),
            plies: longest.value.plies().unwrap_or(0),
        };
        Manifest {
            format: VERSION,
            program: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            red: game.red.to_string(),
            green: game.green.to_string(),
            returns: game.rules.returns,
            both_surrounded: game.rules.both_surrounded.name().to_owned(),
            distances: solution.has_distances,
            positions: solution.count(|_| true),
            places: solved.places(),
            rounds: solved.rounds(),
            longest: solved.longest().map(longest),
            files,
            rows: solution.rows().iter().map(row).collect(),
            blake3: String::new(),
        }
    }

    fn text_with(&self, hash: &str) -> String {
        let manifest = Manifest { blake3: hash.to_owned(), ..self.clone() };
        serde_json::to_string_pretty(&manifest).expect("a manifest has nothing but texts and numbers") + "\n"
    }

    /// As it is written.
    fn text(&self) -> String {
        let hash = blake3::hash(self.text_with("").as_bytes());
        self.text_with(&hash.to_hex())
    }

    fn read(path: &Path) -> Result<Manifest, TableError> {
        let damaged = |what| TableError::Damaged(path.to_owned(), what);
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(TableError::Missing(path.parent().unwrap_or(Path::new("")).to_owned()));
            }
            Err(error) => return Err(TableError::Unreadable(path.to_owned(), error)),
        };
        let text = String::from_utf8(bytes).map_err(|_| damaged("it is no text"))?;
        // Other formats may have other fields.
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let no_manifest = |_| damaged("it is no manifest, or cut off");
        let Format { format } = serde_json::from_str(&text).map_err(no_manifest)?;
        if format != VERSION {
            return Err(TableError::Version { path: path.to_owned(), found: format });
        }
        let manifest: Manifest = serde_json::from_str(&text).map_err(no_manifest)?;
        if manifest.text() != text {
            return Err(TableError::Checksum(path.to_owned(), "it"));
        }
        Ok(manifest)
    }

    fn game(&self) -> Option<Game> {
        let rules = Rules { returns: self.returns, both_surrounded: self.both_surrounded.parse().ok()? };
        Some(Game { red: self.red.parse().ok()?, green: self.green.parse().ok()?, rules })
    }

    fn solution(&self) -> Option<Solution> {
        let row = |row: &RowEntry| {
            let mover = if row.mover == "any" { None } else { Some(row.mover.parse().ok()?) };
            Some(Row { mover, doves: row.doves, value: value_of(&row.value, row.plies)?, positions: row.positions })
        };
        Some(Solution::new(self.distances, self.rows.iter().map(row).collect::<Option<Vec<Row>>>()?))
    }

    /// `None` if what it says of the longest game is senseless.
    fn longest(&self) -> Option<Option<Longest>> {
        let Some(longest) = &self.longest else { return Some(None) };
        let (board, mover) = (longest.board.parse().ok()?, longest.to_move.parse().ok()?);
        Some(Some(Longest { board, mover, value: value_of(&longest.value, Some(longest.plies))? }))
    }
}

/// A file, whose header, index and trailer are right.
struct TableFile {
    path: PathBuf,
    file: File,
    /// The place of its class among all.
    class: usize,
    /// Its first group.
    first: usize,
    frames: Vec<FrameEntry>,
    bytes: u64,
    hash: blake3::Hash,
}

/// Where a frame is.
struct FrameEntry {
    start: u64,
    bytes: usize,
    size: usize,
    crc: u32,
}

/// Reads bytes at a place of a file, whoever else reads it at the same time.
#[cfg(unix)]
fn read_at(file: &File, _: &Path, start: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(not(unix))]
fn read_at(_: &File, path: &Path, start: u64, bytes: &mut [u8]) -> io::Result<()> {
    // A file has one place to read at, so everybody needs one of their own.
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(bytes)
}

impl TableFile {
    /// Opens the file with the groups of a class from one on.
    fn open(
        path: PathBuf,
        layout: &Layout,
        has_distances: bool,
        class: usize,
        first: usize,
    ) -> Result<TableFile, TableError> {
        let damaged = |what| Err(TableError::Damaged(path.clone(), what));
        let checksum = |what| Err(TableError::Checksum(path.clone(), what));
        let unreadable = |error| TableError::Unreadable(path.clone(), error);
        let mut file = File::open(&path).map_err(unreadable)?;
        let bytes = file.seek(SeekFrom::End(0)).map_err(unreadable)?;
        if bytes < (HEADER_BYTES + TRAILER_BYTES) as u64 {
            return damaged("it is cut off");
        }
        let mut read = |start: u64, length: usize| {
            let mut buffer = vec![0; length];
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut buffer).map(|()| buffer)
        };

        let head = read(0, HEADER_BYTES).map_err(unreadable)?;
        let at = &layout.classes[class];
        let expected = header(layout, has_distances, at, first);
        if head[..8] != MAGIC {
            return damaged("it does not begin as tables do");
        }
        if u32_at(&head, 8) != VERSION {
            return Err(TableError::Version { path, found: u32_at(&head, 8) });
        }
        if u32_at(&head, HEADER_BYTES - 4) != crc32c::crc32c(&head[..HEADER_BYTES - 4]) {
            return checksum("its header");
        }
        match game_of(&head) {
            None => return damaged("its header names no game"),
            Some(found) if found != layout.game => {
                return Err(TableError::Foreign { path, found: found.into(), wanted: layout.game.into() });
            }
            Some(_) if head != expected => return damaged("it holds another part of the game than its name says"),
            Some(_) => {}
        }

        let trailer = read(bytes - TRAILER_BYTES as u64, TRAILER_BYTES).map_err(unreadable)?;
        if trailer[TRAILER_BYTES - 8..] != MARK {
            return damaged("it does not end as finished tables do: it is cut off");
        }
        if u32_at(&trailer, 48) != crc32c::crc32c(&trailer[..48]) {
            return checksum("its trailer");
        }
        let (start, groups) = (u64_at(&trailer, 0), u32_at(&trailer, 8) as usize);
        let length = groups * ENTRY_BYTES;
        if groups == 0
            || groups > at.groups() - first
            || start.checked_add((length + TRAILER_BYTES) as u64) != Some(bytes)
        {
            return damaged("its size is not that of its groups");
        }
        let index = read(start, length).map_err(unreadable)?;
        if u32_at(&trailer, 12) != crc32c::crc32c(&index) {
            return checksum("its index");
        }
        let mut end = HEADER_BYTES as u64;
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
        Ok(TableFile { path, file, class, first, frames, bytes, hash })
    }

    /// What a frame holds.
    fn decode(&self, class: &Class, place: usize, bytes: &[u8]) -> Result<GroupSets, TableError> {
        let frame = &self.frames[place];
        if crc32c::crc32c(bytes) != frame.crc {
            return Err(TableError::Checksum(self.path.clone(), "a group"));
        }
        let content = zstd::bulk::decompress(bytes, frame.size).ok().filter(|content| content.len() == frame.size);
        let sets = content.and_then(|content| GroupSets::decode(class, self.first + place, &content));
        sets.ok_or_else(|| TableError::Damaged(self.path.clone(), "a group holds no values"))
    }

    /// Reads one group.
    fn group(&self, class: &Class, group: usize) -> Result<GroupSets, TableError> {
        let place = group - self.first;
        let frame = &self.frames[place];
        let mut bytes = vec![0; frame.bytes];
        read_at(&self.file, &self.path, frame.start, &mut bytes).map_err(|error| self.unreadable(error))?;
        self.decode(class, place, &bytes)
    }

    fn unreadable(&self, error: io::Error) -> TableError {
        match error.kind() {
            ErrorKind::UnexpectedEof => TableError::Damaged(self.path.clone(), "it is cut off"),
            _ => TableError::Unreadable(self.path.clone(), error),
        }
    }

    /// Reads everything from the first byte to the last, and shows each group, with its number in the class, to somebody who may say what
    /// it contradicts.
    fn read_all(
        &self,
        layout: &Layout,
        each: &(dyn Fn() + Sync),
        show: &(dyn Fn(usize, &GroupSets) -> Result<(), &'static str> + Sync),
    ) -> Result<(), TableError> {
        let class = &layout.classes[self.class];
        let mut hasher = blake3::Hasher::new();
        let mut next = 0;
        let mut read = |end: u64| {
            let mut bytes = vec![0; (end - next) as usize];
            read_at(&self.file, &self.path, next, &mut bytes).map_err(|error| self.unreadable(error))?;
            hasher.update(&bytes);
            next = end;
            Ok::<_, TableError>(bytes)
        };
        read(HEADER_BYTES as u64)?;
        let batch = GROUPS_A_THREAD * rayon::current_num_threads();
        for first in (0..self.frames.len()).step_by(batch) {
            let places = first..self.frames.len().min(first + batch);
            let bytes: Vec<Vec<u8>> = self.frames[places.clone()]
                .iter()
                .map(|frame| read(frame.start + frame.bytes as u64))
                .collect::<Result<_, _>>()?;
            places.into_par_iter().zip(bytes).try_for_each(|(place, bytes)| {
                let sets = self.decode(class, place, &bytes)?;
                each();
                show(self.first + place, &sets).map_err(|what| TableError::Contradiction(self.path.clone(), what))
            })?;
        }
        read(self.bytes - UNHASHED as u64)?;
        if hasher.finalize() != self.hash {
            return Err(TableError::Checksum(self.path.clone(), "all of it"));
        }
        Ok(())
    }
}

/// Groups that were read, so many bytes of them: when the young ones have half of these, they become the old ones, and the old ones go.
#[derive(Default)]
struct Cache {
    young: HashMap<(usize, usize), Arc<GroupSets>>,
    old: HashMap<(usize, usize), Arc<GroupSets>>,
    bytes: usize,
}

impl Cache {
    fn get(&mut self, key: (usize, usize)) -> Option<Arc<GroupSets>> {
        if let Some(sets) = self.young.get(&key) {
            return Some(sets.clone());
        }
        let sets = self.old.remove(&key)?;
        self.insert(key, sets.clone());
        Some(sets)
    }

    fn insert(&mut self, key: (usize, usize), sets: Arc<GroupSets>) {
        let bytes = sets.bytes();
        if self.young.insert(key, sets).is_none() {
            self.bytes += bytes;
        }
        if self.bytes > CACHE_BYTES / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
    }
}

/// A solved game in tables.
pub struct Stored {
    index: Index,
    folder: PathBuf,
    solution: Solution,
    rounds: u32,
    longest: Option<Longest>,
    /// For each class, in the order of their groups.
    files: Vec<Vec<TableFile>>,
    cache: Mutex<Cache>,
    failed: fn(&TableError) -> !,
}

impl Stored {
    /// Opens the tables of a game in its folder. Frames are not read.
    ///
    /// # Errors
    /// If they are missing, damaged as far as this looks at them, or not those of the game.
    pub fn open(folder: &Path, game: Game, has_distances: bool) -> Result<Stored, TableError> {
        let path = folder.join(MANIFEST);
        let manifest = Manifest::read(&path)?;
        let senseless = || TableError::Damaged(path.clone(), "what it says makes no sense");
        let found = manifest.game().ok_or_else(senseless)?;
        if found != game {
            return Err(TableError::Foreign { path, found: found.into(), wanted: game.into() });
        }
        if manifest.distances != has_distances {
            return Err(TableError::Damaged(path, "tables with distances and without have changed their folders"));
        }
        let index = Index::new(game);
        let mut named = manifest.files.iter();
        let mut files = Vec::new();
        for (number, class) in index.layout.classes.iter().enumerate() {
            let mut of_class: Vec<TableFile> = Vec::new();
            let mut next = 0;
            while next < class.groups() {
                let name = file_name(&index.layout, class, next);
                let entry = named.next().filter(|entry| entry.name == name).ok_or_else(senseless)?;
                let file = TableFile::open(folder.join(&name), &index.layout, has_distances, number, next)?;
                if file.bytes != entry.bytes || file.hash.to_hex().as_str() != entry.blake3 {
                    return Err(TableError::Contradiction(file.path, "the manifest beside it"));
                }
                next += file.frames.len();
                of_class.push(file);
            }
            files.push(of_class);
        }
        let solution = manifest.solution().ok_or_else(senseless)?;
        let is_whole = named.next().is_none()
            && index.places() == manifest.places
            && solution.count(|_| true) == manifest.positions;
        let longest = manifest.longest().filter(|_| is_whole).ok_or_else(senseless)?;
        Ok(Stored {
            solution,
            rounds: manifest.rounds,
            longest,
            index,
            folder: folder.to_owned(),
            files,
            cache: Mutex::default(),
            failed: |error| panic!("{error}"),
        })
    }

    /// What is done if [`Solved::value`] and [`Solved::group`], which have no other way to say so, come upon a file that is damaged or
    /// cannot be read. They panic if nothing is named. [`Stored::probe`] returns the error.
    #[must_use]
    pub fn on_failure(mut self, failed: fn(&TableError) -> !) -> Stored {
        self.failed = failed;
        self
    }

    /// The folder of the game.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many files there are beside the manifest.
    pub fn files(&self) -> usize {
        self.files.iter().map(Vec::len).sum()
    }

    /// The value of a position, as [`Solved::value`].
    ///
    /// # Errors
    /// If the file in which it is is damaged or cannot be read.
    pub fn probe(&self, board: &rules::Board, mover: Color) -> Result<Option<Value>, TableError> {
        let Some(place) = self.index.place(board, mover) else { return Ok(None) };
        let class = &self.index.layout.classes[place.block.class];
        let key = (place.block.class, place.block.placement / class.group);
        let cache = || self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        // Not in the match, so that the cache is free while a group is read.
        let kept = cache().get(key);
        let sets = match kept {
            Some(sets) => sets,
            None => {
                let sets = Arc::new(self.read(key.0, key.1)?);
                cache().insert(key, sets.clone());
                sets
            }
        };
        let block = place.block.placement % class.group * class.sets + place.block.set;
        Ok(Some(sets.value(block, place.row, place.bit)))
    }

    fn read(&self, class: usize, group: usize) -> Result<GroupSets, TableError> {
        let of_class = &self.files[class];
        let file = &of_class[of_class.partition_point(|file| file.first <= group) - 1];
        file.group(&self.index.layout.classes[class], group)
    }

    /// Reads everything: compares every file with its checksums, and counts the positions of each value once more. `each` is called after
    /// every group, of [`groups`] in all.
    ///
    /// # Errors
    /// At the first thing that does not fit.
    pub fn verify(&self, each: &(dyn Fn() + Sync)) -> Result<(), TableError> {
        type Counts = HashMap<(usize, u32, Value), u64>;
        let layout = &self.index.layout;
        let counts: Mutex<Counts> = Mutex::default();
        for file in self.files.iter().flatten() {
            let class = &layout.classes[file.class];
            let list = self.index.placements.with_slots(class.slots);
            file.read_all(layout, each, &|group, sets| {
                if !sets.is_disjoint() {
                    return Err("itself: a position has two values");
                }
                let mut here = Counts::new();
                for (value, placement, bits) in sets.counts() {
                    let shape = list[group * class.group + placement].shape;
                    *here.entry((class.side, shape, value)).or_default() += bits;
                }
                let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
                here.into_iter().for_each(|(key, bits)| *counts.entry(key).or_default() += bits);
                Ok(())
            })?;
        }
        let path = self.folder.join(MANIFEST);
        let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        let solution = self.count(counts.into_iter().collect());
        if solution.is_none_or(|solution| solution != self.solution) {
            return Err(TableError::Contradiction(path, "the values in the files beside it"));
        }
        let plies = self.solution.rows().iter().filter_map(|row| row.value.plies()).max();
        let is_longest = match &self.longest {
            Some(longest) => {
                longest.value.plies() == plies && self.probe(&longest.board, longest.mover)? == Some(longest.value)
            }
            None => !self.solution.has_distances || plies.is_none(),
        };
        if !is_longest {
            return Err(TableError::Contradiction(path, "the longest game in the files beside it"));
        }
        Ok(())
    }

    /// Bits of each side, shape and value, and draws for the rest, as positions; `None` if these are no whole numbers.
    fn count(&self, mut counts: Vec<((usize, u32, Value), u64)>) -> Option<Solution> {
        let layout = &self.index.layout;
        let mut draws: HashMap<(usize, u32), u64> = HashMap::new();
        for class in &layout.classes {
            for placement in self.index.placements.with_slots(class.slots) {
                *draws.entry((class.side, placement.shape)).or_default() +=
                    (class.placement_rows() * class.width) as u64;
            }
        }
        for ((side, shape, _), bits) in &counts {
            let draws = draws.get_mut(&(*side, *shape))?;
            *draws = draws.checked_sub(*bits)?;
        }
        counts.extend(draws.into_iter().map(|((side, shape), bits)| ((side, shape, Value::Draw), bits)));
        let rows = counts.into_iter().map(|((side, shape, value), bits)| {
            let shape = &shapes()[shape as usize];
            Some(Row {
                mover: layout.mover(side),
                doves: shape.doves(),
                value,
                positions: shape.whole_positions(bits)?,
            })
        });
        Some(Solution::new(self.solution.has_distances, rows.collect::<Option<Vec<Row>>>()?))
    }
}

impl Solved for Stored {
    fn game(&self) -> Game {
        self.index.layout.game
    }

    fn solution(&self) -> &Solution {
        &self.solution
    }

    fn rounds(&self) -> u32 {
        self.rounds
    }

    fn value(&self, board: &rules::Board, mover: Color) -> Option<Value> {
        self.probe(board, mover).unwrap_or_else(|error| (self.failed)(&error))
    }

    fn longest(&self) -> Option<Longest> {
        self.longest.clone()
    }

    /// Bytes of the files.
    fn bytes(&self) -> u64 {
        self.files.iter().flatten().map(|file| file.bytes).sum()
    }

    fn places(&self) -> u64 {
        self.index.places()
    }

    fn position(&self, place: u64) -> Option<(rules::Board, Color)> {
        self.index.nth_place(place).map(|place| self.index.position(place))
    }

    fn layout(&self) -> &Layout {
        &self.index.layout
    }

    fn group(&self, class: usize, group: usize) -> GroupSets {
        self.read(class, group).unwrap_or_else(|error| (self.failed)(&error))
    }
}
