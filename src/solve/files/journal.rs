//! The rounds of a solver as files: a run can be restarted at any moment, and several processes can do shares of a
//! round.
//!
//! The folder `rounds` in a game's folder has a folder for each [`Part`] of the game, with two kinds of files
//! for each round, in one or more *shards* each: the wins and the losses that the round found. Each file is
//! an [`archive`] with a frame for each group of the shard, in the encoding of [`crate::solve::space::sets`].
//! A shard's groups are a range of the part's, so a file depends only on the rounds before and its own name:
//! making it twice gives the same bytes.
//!
//! When all files of a round exist, its manifest is written: `0007.json` for round 7. A round without a
//! manifest is not finished. A part that is solved for its wins alone ([`super::snapshot`]) has the manifests
//! of all rounds, and the files only of those that are still needed.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::archive::{self, Archive, Frame, TableError};
use super::cache::Cache;
use super::game_folder::{GameFolder, names, round_of};
use super::manifest::{FileEntry, folder_name};
use super::sealed;
use super::snapshot::WinsEntry;
use crate::files::create_folder;
use crate::known::Worth;
use crate::solve::rounds::counts::RoundTally;
use crate::solve::solved::SolutionRow;
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::index::Index;
use crate::solve::space::layout::{ClassId, GroupId, Layout, Part, PartId};
use crate::solve::space::sets::GroupValues;
use crate::value::Value;

/// zstd's level: rounds are read a few times and removed.
const LEVEL: i32 = 1;
/// The most bytes of the index of the kept rows of a block.
const ROW_SET_BYTES: u64 = (size_of::<u128>() + size_of::<u32>()) as u64;
/// The most files open at a time.
const OPEN_FILES: usize = 512;

/// The two kinds of results of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WinOrLoss {
    /// Positions won in as many plies as the round's number.
    Wins,
    /// Positions lost in as many plies.
    Losses,
}

impl WinOrLoss {
    /// Both kinds.
    pub(crate) const ALL: [WinOrLoss; 2] = [WinOrLoss::Wins, WinOrLoss::Losses];
    /// Both kinds in the best order to compute them: losses first, as they need the wins of the round before, which
    /// were read last.
    pub(crate) const IN_ORDER: [WinOrLoss; 2] = [WinOrLoss::Losses, WinOrLoss::Wins];

    /// Its name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            WinOrLoss::Wins => "wins",
            WinOrLoss::Losses => "losses",
        }
    }

    /// These results of a round.
    pub(crate) const fn of(self, round: u32) -> HalfRound {
        HalfRound { round, outcome: self }
    }
}

/// One half of the results of a round: its wins, or its losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct HalfRound {
    /// The number of the round.
    pub round: u32,
    /// The half.
    pub outcome: WinOrLoss,
}

impl HalfRound {
    /// Both halves of a round.
    pub(crate) fn both(round: u32) -> [HalfRound; 2] {
        WinOrLoss::ALL.map(|outcome| outcome.of(round))
    }

    /// The value of the positions in it.
    pub(crate) const fn value(self) -> Value {
        match self.outcome {
            WinOrLoss::Wins => Value::Win(self.round),
            WinOrLoss::Losses => Value::Lose(self.round),
        }
    }
}

/// A share of the groups of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// Its number, counted from 0.
    pub number: usize,
    /// The number of shards.
    pub of: usize,
}

impl Shard {
    /// All shards of a part that is cut into `of` of them.
    pub fn all(of: usize) -> impl Iterator<Item = Shard> {
        (0..of).map(move |number| Shard { number, of })
    }

    /// This shard's slice of `count` items.
    pub fn range(self, count: usize) -> Range<usize> {
        count * self.number / self.of..count * (self.number + 1) / self.of
    }
}

/// The manifest of a finished round.
#[derive(Serialize, Deserialize)]
pub(crate) struct RoundEntry {
    format: u32,
    /// The game's folder name.
    game: String,
    /// The number of the part, counted from 0.
    part: usize,
    round: u32,
    /// The number of shards of its files.
    pub shards: usize,
    files: Vec<FileEntry>,
    /// The number of blocks with wins, and with losses.
    blocks: [usize; 2],
    /// The number of positions found.
    pub rows: Vec<SolutionRow>,
}

impl RoundEntry {
    /// The number of blocks with results.
    pub(crate) fn blocks(&self, outcome: WinOrLoss) -> usize {
        self.blocks[outcome as usize]
    }

    /// Bytes of the files with all results.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The rounds of a part.
pub(crate) struct Journal {
    game_folder: GameFolder,
    /// The folder of the part.
    pub folder: PathBuf,
    game: String,
    /// The positions of the game.
    pub index: Arc<Index>,
    /// The classes of the part.
    pub classes: Vec<ClassId>,
    id: PartId,
    /// All groups of the part, ascending; shards divide them in this order.
    groups: Vec<GroupId>,
    open: Cache<(HalfRound, Shard), Archive>,
    /// The manifests read so far.
    entries: Mutex<HashMap<u32, Arc<RoundEntry>>>,
}

/// Reads the manifest of a round of a part, in the part's folder; `None` if there is none.
pub(crate) fn read_entry(
    folder: &Path,
    game: &str,
    part: PartId,
    round: u32,
) -> Result<Option<RoundEntry>, TableError> {
    let belongs = |entry: &RoundEntry| (&entry.game[..], entry.part, entry.round) == (game, part.0, round);
    sealed::read_own(&manifest_path(folder, round), belongs)
}

fn manifest_path(folder: &Path, round: u32) -> PathBuf {
    folder.join(format!("{round:04}.json"))
}

/// The half round and the number of shards in the name of a shard's file; `None` for other files.
fn shards_of(name: &str) -> Option<(HalfRound, usize)> {
    let (round, rest) = round_of(name.strip_suffix(".round")?)?;
    let outcome = WinOrLoss::ALL.into_iter().find(|outcome| rest.starts_with(outcome.name()))?;
    let (_, of) = rest.rsplit_once("-of-")?;
    Some((outcome.of(round), of.parse().ok()?))
}

impl Journal {
    /// The rounds of a part, in the folder of its game.
    pub(crate) fn new(game_folder: &GameFolder, index: &Arc<Index>, part: &Part) -> Journal {
        Journal {
            folder: game_folder.part(part.id),
            game: folder_name(&index.layout.game),
            groups: index.layout.groups(&part.classes),
            index: index.clone(),
            classes: part.classes.clone(),
            id: part.id,
            game_folder: game_folder.clone(),
            open: Cache::new(OPEN_FILES),
            entries: Mutex::default(),
        }
    }

    /// The document of the part's wins; `None` if there is none.
    pub(crate) fn wins(&self) -> Result<Option<WinsEntry>, TableError> {
        WinsEntry::read(&self.folder, &self.game, self.id)
    }

    /// The classes of the game.
    pub(crate) fn layout(&self) -> &Layout {
        &self.index.layout
    }

    /// An error about the files of the part.
    pub(crate) fn damaged(&self, what: &'static str) -> TableError {
        TableError::Damaged(self.folder.clone(), what)
    }

    /// The groups of a shard.
    pub(crate) fn groups(&self, shard: Shard) -> &[GroupId] {
        &self.groups[shard.range(self.groups.len())]
    }

    /// The greatest useful number of shards.
    pub(crate) fn most_shards(&self) -> usize {
        self.groups.len()
    }

    fn name(&self, HalfRound { round, outcome }: HalfRound, shard: Shard) -> String {
        format!("{round:04}-{}-{}-of-{}.round", outcome.name(), shard.number + 1, shard.of)
    }

    fn path(&self, half: HalfRound, shard: Shard) -> PathBuf {
        self.folder.join(self.name(half, shard))
    }

    /// The path of a round's manifest.
    pub(crate) fn manifest_path(&self, round: u32) -> PathBuf {
        manifest_path(&self.folder, round)
    }

    fn header(&self, HalfRound { round, outcome }: HalfRound, Shard { number, of }: Shard) -> Vec<u8> {
        let numbers = [self.id.0 as u32, round, number as u32, of as u32];
        let what: Vec<u8> =
            [2 + outcome as u8].into_iter().chain(numbers.into_iter().flat_map(u32::to_le_bytes)).collect();
        archive::header(archive::VERSION, &self.layout().game, &what)
    }

    /// Whether a file exists.
    pub(crate) fn has(&self, half: HalfRound, shard: Shard) -> bool {
        self.path(half, shard).exists()
    }

    /// The results of a round in a group, as a frame of its file.
    pub(crate) fn frame(half: HalfRound, found: SparseBits) -> io::Result<Frame> {
        let mut sets = GroupValues::default();
        sets.push(Worth::Exact(half.value()), found);
        Frame::new(&sets.encode(), LEVEL)
    }

    /// Writes the results of a round in the groups of a shard.
    pub(crate) fn write(&self, half: HalfRound, shard: Shard, frames: Vec<Frame>) -> Result<(), TableError> {
        let (header, bytes) = (self.header(half, shard), frames.iter().map(|frame| frame.bytes.len()).sum());
        let mut frames = frames.into_iter();
        self.game_folder.create_sized(&self.path(half, shard), bytes, &mut |out| {
            archive::write(out, &header, &mut |_| Ok(frames.next())).map(|_| ())
        })
    }

    /// Opens the file of a shard, unless it is open.
    fn archive(&self, half: HalfRound, shard: Shard) -> Result<Arc<Archive>, TableError> {
        self.open.get((half, shard), |_| 1, || self.open_file(half, shard).map(Arc::new))
    }

    fn open_file(&self, half: HalfRound, shard: Shard) -> Result<Archive, TableError> {
        let (path, header) = (self.path(half, shard), self.header(half, shard));
        let frames = self.groups(shard).len();
        let archive = Archive::open(path, &self.layout().game, &header, frames)?;
        match archive.frames() == frames {
            true => Ok(archive),
            false => Err(archive.damaged("it lacks groups of its shard")),
        }
    }

    /// The index of a group in the part.
    fn group_index(&self, group: GroupId) -> usize {
        self.groups.binary_search(&group).expect("a group of the part")
    }

    /// The shard of the group with an index in the part, and the index of the shard's first group.
    fn shard_of(&self, group_index: usize, shards: usize) -> (Shard, usize) {
        // The last shard that starts at this index or before, since `Shard::range` rounds down.
        let shard = Shard { number: ((group_index + 1) * shards - 1) / self.groups.len(), of: shards };
        (shard, shard.range(self.groups.len()).start)
    }

    fn decode(
        &self,
        archive: &Archive,
        half: HalfRound,
        group: GroupId,
        content: &[u8],
    ) -> Result<SparseBits, TableError> {
        let sets = GroupValues::decode(&self.layout()[group.class], group, content);
        let sets = sets.ok_or_else(|| archive.damaged("a group holds no values"))?;
        Ok(sets.into_changes(Worth::Exact(half.value())))
    }

    /// Adds the results of a round in some of the part's classes, if it is finished. Returns whether
    /// `changes` then take at most `most` bytes; if not, groups are missing.
    pub(crate) fn add_to(
        &self,
        changes: &mut Changes,
        half: HalfRound,
        classes: &[ClassId],
        most: u64,
    ) -> Result<bool, TableError> {
        let Some(entry) = self.entry_with(half)? else { return Ok(true) };
        let taken = AtomicU64::new(changes.bytes());
        let found: Mutex<Vec<(GroupId, SparseBits)>> = Mutex::default();
        for shard in Shard::all(entry.shards) {
            self.each_in(half, classes, shard, &|group, changes| {
                let bytes = changes.bytes() as u64;
                if taken.fetch_add(bytes, Ordering::Relaxed) + bytes <= most {
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((group, changes));
                }
            })?;
        }
        changes.enter(self.layout(), found.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ok(taken.into_inner() <= most)
    }

    /// Roughly the most bytes of memory that the results of a finished round in some of the part's classes
    /// can take: those that they take if no rows of a block are equal.
    pub(crate) fn found_bytes(&self, half: HalfRound, classes: &[ClassId]) -> Result<u64, TableError> {
        let Some(entry) = self.entry_with(half)? else { return Ok(0) };
        let mut bytes = 0;
        for shard in Shard::all(entry.shards) {
            let groups =
                self.groups(shard).iter().enumerate().filter(|(_, group)| classes.contains(&group.class));
            let frames: Vec<usize> = groups.map(|(frame, _)| frame).collect();
            if !frames.is_empty() {
                let archive = self.archive(half, shard)?;
                bytes += frames.into_iter().map(|frame| archive.content_bytes(frame)).sum::<u64>();
            }
        }
        // The set of a block's rows takes a fixed size in memory, where files have a bit for each row.
        Ok(bytes + entry.blocks(half.outcome) as u64 * ROW_SET_BYTES)
    }

    /// Calls `show` with the results of a round in the groups of some classes, on many threads: those in a
    /// shard, whose file must exist.
    pub(crate) fn each_in(
        &self,
        half: HalfRound,
        classes: &[ClassId],
        shard: Shard,
        show: &(dyn Fn(GroupId, SparseBits) + Sync),
    ) -> Result<(), TableError> {
        let groups = self.groups(shard);
        if !groups.iter().any(|group| classes.contains(&group.class)) {
            return Ok(());
        }
        let archive = self.archive(half, shard)?;
        archive.read_all(&|frame, content| {
            let group = groups[frame];
            if classes.contains(&group.class) && !content.is_empty() {
                show(group, self.decode(&archive, half, group, &content)?);
            }
            Ok(())
        })
    }

    /// Reads a finished round from the first byte to the last, checks the files against the manifest, and calls `show`
    /// with the results of each group, on many threads.
    pub(crate) fn verify(
        &self,
        round: u32,
        show: &(dyn Fn(HalfRound, GroupId, SparseBits) + Sync),
    ) -> Result<(), TableError> {
        let entry = self.entry(round)?.ok_or_else(|| self.damaged("a round is missing"))?;
        for half in HalfRound::both(round) {
            for shard in Shard::all(entry.shards) {
                let (name, archive) = (self.name(half, shard), self.archive(half, shard)?);
                let named = entry.files.iter().find(|file| file.name == name);
                named.ok_or_else(|| FileEntry::contradiction(&archive))?.check(&archive)?;
                self.each_in(half, &self.classes, shard, &|group, found| show(half, group, found))?;
            }
        }
        Ok(())
    }

    /// The results of a finished round, in `shards` shards, in one group.
    pub(crate) fn group(
        &self,
        half: HalfRound,
        shards: usize,
        group: GroupId,
    ) -> Result<SparseBits, TableError> {
        let (archive, frame) = self.stored(half, shards, group)?;
        self.decode(&archive, half, group, &archive.content(frame)?)
    }

    /// Bytes in the file of the results of a finished round, in `shards` shards, in one group.
    pub(crate) fn group_bytes(
        &self,
        half: HalfRound,
        shards: usize,
        group: GroupId,
    ) -> Result<u64, TableError> {
        let (archive, frame) = self.stored(half, shards, group)?;
        Ok(archive.frame_bytes(frame))
    }

    /// The shard file that has a group, and its frame there.
    fn stored(
        &self,
        half: HalfRound,
        shards: usize,
        group: GroupId,
    ) -> Result<(Arc<Archive>, usize), TableError> {
        let group_index = self.group_index(group);
        let (shard, first) = self.shard_of(group_index, shards);
        Ok((self.archive(half, shard)?, group_index - first))
    }

    /// The manifest of a round that has such results; `None` if there are none, or it is not finished.
    pub(crate) fn entry_with(&self, half: HalfRound) -> Result<Option<Arc<RoundEntry>>, TableError> {
        Ok(self.entry(half.round)?.filter(|entry| entry.blocks(half.outcome) > 0))
    }

    /// The manifest of a round; `None` if it is not finished.
    pub(crate) fn entry(&self, round: u32) -> Result<Option<Arc<RoundEntry>>, TableError> {
        let entries = || self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries().get(&round) {
            return Ok(Some(entry.clone()));
        }
        let Some(entry) = read_entry(&self.folder, &self.game, self.id, round)? else { return Ok(None) };
        if !(1..=self.most_shards()).contains(&entry.shards) {
            let path = self.manifest_path(round);
            return Err(TableError::Damaged(path, "its number of shards is not one that there can be"));
        }
        let entry = Arc::new(entry);
        entries().insert(round, entry.clone());
        Ok(Some(entry))
    }

    /// Finishes a round whose files are all there: writes its manifest from the tallies of wins and losses.
    /// Returns the number of positions of each value.
    pub(crate) fn finish(
        &self,
        round: u32,
        shards: usize,
        tallies: &[RoundTally; 2],
    ) -> Result<Vec<SolutionRow>, TableError> {
        let rows = |(half, tally): (HalfRound, &RoundTally)| {
            tally.counts.rows(self.layout(), Worth::Exact(half.value()))
        };
        let rows: Vec<SolutionRow> = HalfRound::both(round).into_iter().zip(tallies).flat_map(rows).collect();
        let mut files = Vec::new();
        for half in HalfRound::both(round) {
            for shard in Shard::all(shards) {
                let archive = self.archive(half, shard)?;
                files.push(FileEntry::new(self.name(half, shard), archive.bytes, archive.hash));
            }
        }
        let entry = RoundEntry {
            format: archive::VERSION,
            game: self.game.clone(),
            part: self.id.0,
            round,
            shards,
            files,
            blocks: tallies.each_ref().map(|tally| tally.blocks),
            rows: rows.clone(),
        };
        self.game_folder.create_document(&self.manifest_path(round), &entry)?;
        Ok(rows)
    }

    /// The files that are no longer needed once all rounds below `next` are finished: those that no document names,
    /// which runs with other memory or other shares have left, and the wins and the losses of the rounds below
    /// `dropped`.
    pub(crate) fn unneeded(
        &self,
        next: u32,
        wins: Option<&WinsEntry>,
        dropped: [u32; 2],
    ) -> Result<Vec<PathBuf>, TableError> {
        let mut unneeded = Vec::new();
        for name in names(&self.folder)?.into_iter().filter(|name| name.ends_with(".round")) {
            let is_needed = match shards_of(&name) {
                Some((half, _)) if half.round >= next => true,
                Some((half, _)) if half.round < dropped[half.outcome as usize] => false,
                Some((half, of)) => self.entry(half.round)?.is_some_and(|entry| entry.shards == of),
                None => wins.is_some_and(|wins| wins.names(&name)),
            };
            if !is_needed {
                unneeded.push(self.folder.join(name));
            }
        }
        Ok(unneeded)
    }

    /// Removes what [`Journal::unneeded`] returns.
    pub(crate) fn tidy(
        &self,
        next: u32,
        wins: Option<&WinsEntry>,
        dropped: [u32; 2],
    ) -> Result<(), TableError> {
        let unneeded = self.unneeded(next, wins, dropped)?;
        if !unneeded.is_empty() {
            // Windows does not remove an open file.
            self.open.clear();
        }
        unneeded.iter().try_for_each(|path| self.game_folder.remove_file(path))
    }

    /// Makes the folder.
    pub(crate) fn make_folder(&self) -> Result<(), TableError> {
        create_folder(&self.folder).map_err(|error| TableError::Unwritten(self.folder.clone(), error))
    }
}
