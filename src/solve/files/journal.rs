//! The rounds of a solver as files, which make it restartable at any moment, and let several processes share
//! the work.
//!
//! The folder `rounds` in a game's folder has a folder for each [`Part`] of the game, with two kinds of files
//! for each round, in one or more *shards* each: the wins and the losses that the round found. Each file is
//! an [`archive`] with a frame for each group of the shard, in the encoding of [`crate::solve::space::sets`].
//! A shard's groups are a range of the part's, so a file depends only on the rounds before and its own name:
//! making it twice gives the same bytes.
//!
//! When all files of a round exist, its manifest is written: `0007.json` for round 7. A round without a
//! manifest is not finished.
//!
//! Where most results are dropped ([`super::keep`]), each round has one more file, which is kept:
//! `0007-kept.round`. Its frames are those of the kept groups, first of the wins and then of the losses, and
//! two with the ordinals of the [`Sample`]'s places that were found won and found lost, each ordinal as 4
//! bytes, little-endian. Such manifests have format 5.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::archive::{self, Archive, FORMAT_WITH_GAPS, Frame, TableError};
use super::cache::Cache;
use super::claim::Claim;
use super::game_folder::GameFolder;
use super::keep::{Dropped, Keep, remove_files};
use super::manifest::{FileEntry, folder_name};
use super::sealed;
use crate::files::create_folder;
use crate::known::Worth;
use crate::solve::rounds::round_tally::RoundTally;
use crate::solve::rounds::sample::Sample;
use crate::solve::solved::{Longest, SolutionRow};
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::index::Index;
use crate::solve::space::layout::{ClassId, GroupId, Layout, Part, PartId};
use crate::solve::space::sets::GroupValues;
use crate::value::Value;

/// zstd's level: rounds are read a few times and removed.
const LEVEL: i32 = 1;
/// The most bytes of the index of the kept rows of a block.
const ROW_SET_BYTES: u64 = (size_of::<u128>() + size_of::<u32>()) as u64;
/// The number of files that are kept open.
const OPEN_FILES: usize = 512;

/// The two kinds of results of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinOrLoss {
    /// Positions won in as many plies as the round's number.
    Wins,
    /// Positions lost in as many plies.
    Losses,
}

impl WinOrLoss {
    /// Both.
    pub const ALL: [WinOrLoss; 2] = [WinOrLoss::Wins, WinOrLoss::Losses];
    /// Both, in the order in which they are best found: losses need the wins of the round before, which were
    /// read last.
    pub const IN_ORDER: [WinOrLoss; 2] = [WinOrLoss::Losses, WinOrLoss::Wins];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            WinOrLoss::Wins => "wins",
            WinOrLoss::Losses => "losses",
        }
    }

    /// These results of a round.
    pub const fn of(self, round: u32) -> HalfRound {
        HalfRound { round, outcome: self }
    }
}

/// One half of the results of a round: its wins, or its losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HalfRound {
    /// The number of the round.
    pub round: u32,
    /// Which half.
    pub outcome: WinOrLoss,
}

impl HalfRound {
    /// Both halves of a round.
    pub fn both(round: u32) -> [HalfRound; 2] {
        WinOrLoss::ALL.map(|outcome| outcome.of(round))
    }

    /// The value of the positions in it.
    pub const fn value(self) -> Value {
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
pub struct RoundEntry {
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
    /// What is kept of the round, if not everything is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept: Option<KeptEntry>,
}

/// What is kept of a round that is mostly dropped.
#[derive(Serialize, Deserialize)]
struct KeptEntry {
    /// The file has the results on boards with up to this many doves.
    doves: u32,
    file: FileEntry,
    /// The first win and the first loss found.
    witnesses: Vec<Longest>,
}

impl RoundEntry {
    /// Which rounds are kept.
    pub fn keep(&self) -> Keep {
        self.kept.as_ref().map_or(Keep::Everything, |kept| Keep::UpTo(kept.doves))
    }

    /// A position found, a win if there is one, if the round is mostly dropped.
    pub fn witness(&self) -> Option<&Longest> {
        self.kept.as_ref()?.witnesses.first()
    }

    /// The number of blocks with results.
    pub fn blocks(&self, outcome: WinOrLoss) -> usize {
        self.blocks[outcome as usize]
    }

    /// Bytes of the files with all results.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// A file of a round.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum RoundFile {
    /// A shard of the wins or losses.
    Results(HalfRound, Shard),
    /// What is kept of a round that is mostly dropped.
    Kept(u32),
}

/// The rounds of a part.
pub struct Journal {
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
    /// Which rounds are kept.
    pub keep: Keep,
    claim: Claim,
    /// The indices of the groups whose results are kept for good.
    kept_groups: Vec<usize>,
    open: Cache<RoundFile, Archive>,
    /// The manifests read so far.
    entries: Mutex<HashMap<u32, Arc<RoundEntry>>>,
}

/// Reads the manifest of a round of a part, in the part's folder; `None` if there is none.
fn read_entry(folder: &Path, game: &str, part: PartId, round: u32) -> Result<Option<RoundEntry>, TableError> {
    let belongs = |entry: &RoundEntry| (&entry.game[..], entry.part, entry.round) == (game, part.0, round);
    sealed::read_own(&manifest_path(folder, round), belongs)
}

fn manifest_path(folder: &Path, round: u32) -> PathBuf {
    folder.join(format!("{round:04}.json"))
}

/// The number of shards in the name of a shard's file, without its round; `None` for other files.
fn shards_of(name: &str) -> Option<usize> {
    let is_results = WinOrLoss::ALL.iter().any(|outcome| name.starts_with(outcome.name()));
    let (_, of) = name.strip_suffix(".round").filter(|_| is_results)?.rsplit_once("-of-")?;
    of.parse().ok()
}

impl Journal {
    /// The rounds of a part, in the folder of its game, kept as `keep` says.
    pub fn new(game_folder: &GameFolder, index: &Arc<Index>, part: &Part, keep: Keep) -> Journal {
        let groups = index.layout.groups(&part.classes);
        let is_kept = |&group_index: &usize| keep.has_slots(index.layout[groups[group_index].class].slots);
        Journal {
            folder: game_folder.part(part.id),
            game: folder_name(&index.layout.game),
            kept_groups: (0..groups.len()).filter(is_kept).collect(),
            groups,
            index: index.clone(),
            classes: part.classes.clone(),
            id: part.id,
            keep,
            claim: Claim::new(game_folder, &index.layout.game, keep),
            game_folder: game_folder.clone(),
            open: Cache::new(OPEN_FILES),
            entries: Mutex::default(),
        }
    }

    /// The rounds of a part that is solved or being solved, with the `keep` of their manifests.
    pub fn open_existing(
        game_folder: &GameFolder,
        index: &Arc<Index>,
        part: &Part,
    ) -> Result<Journal, TableError> {
        let first = read_entry(&game_folder.part(part.id), &folder_name(&index.layout.game), part.id, 0)?;
        let keep = first.map_or(Keep::Everything, |entry| entry.keep());
        Ok(Journal::new(game_folder, index, part, keep))
    }

    /// What the part has dropped; `None` if it keeps everything.
    pub fn dropped(&self) -> Result<Option<Dropped>, TableError> {
        let dropped = Dropped::read(&self.folder, &self.game, self.id)?;
        match (self.keep.doves(), dropped) {
            (Some(doves), Some(dropped)) if dropped.doves == doves => Ok(Some(dropped)),
            (_, Some(_)) => Err(self.mixed()),
            (doves, None) => Ok(doves.map(|doves| Dropped::nothing(&self.game, self.id, doves))),
        }
    }

    /// The error that the folder has rounds that keep other distances than this part does.
    fn mixed(&self) -> TableError {
        TableError::Damaged(self.game_folder.rounds(), "it has rounds that keep different distances")
    }

    /// The classes of the game.
    pub fn layout(&self) -> &Layout {
        &self.index.layout
    }

    /// An error about the files of the part.
    pub(crate) fn damaged(&self, what: &'static str) -> TableError {
        TableError::Damaged(self.folder.clone(), what)
    }

    /// The groups of a shard.
    pub fn groups(&self, shard: Shard) -> &[GroupId] {
        &self.groups[shard.range(self.groups.len())]
    }

    /// The greatest useful number of shards.
    pub fn most_shards(&self) -> usize {
        self.groups.len()
    }

    fn name(&self, file: RoundFile) -> String {
        match file {
            RoundFile::Results(HalfRound { round, outcome }, shard) => {
                format!("{round:04}-{}-{}-of-{}.round", outcome.name(), shard.number + 1, shard.of)
            }
            RoundFile::Kept(round) => format!("{round:04}-kept.round"),
        }
    }

    fn path(&self, file: RoundFile) -> PathBuf {
        self.folder.join(self.name(file))
    }

    /// The path of a round's manifest.
    pub fn manifest_path(&self, round: u32) -> PathBuf {
        manifest_path(&self.folder, round)
    }

    fn header(&self, file: RoundFile) -> Vec<u8> {
        let (kind, round, numbers) = match file {
            RoundFile::Results(HalfRound { round, outcome }, Shard { number, of }) => {
                (2 + outcome as u8, round, vec![number as u32, of as u32])
            }
            RoundFile::Kept(round) => (5, round, vec![self.keep.doves().unwrap_or(0)]),
        };
        let numbers = [self.id.0 as u32, round].into_iter().chain(numbers);
        let what: Vec<u8> = [kind].into_iter().chain(numbers.flat_map(u32::to_le_bytes)).collect();
        archive::header(archive::VERSION, &self.layout().game, &what)
    }

    /// Whether a file exists.
    pub fn has(&self, half: HalfRound, shard: Shard) -> bool {
        self.path(RoundFile::Results(half, shard)).exists()
    }

    /// The results of a round in a group, as a frame of its file.
    pub fn frame(half: HalfRound, found: SparseBits) -> io::Result<Frame> {
        let mut sets = GroupValues::default();
        sets.push(Worth::Exact(half.value()), found);
        Frame::new(&sets.encode(), LEVEL)
    }

    /// Writes the results of a round in the groups of a shard.
    pub fn write(&self, half: HalfRound, shard: Shard, frames: Vec<Frame>) -> Result<(), TableError> {
        let file = RoundFile::Results(half, shard);
        let (header, bytes) = (self.header(file), frames.iter().map(|frame| frame.bytes.len()).sum());
        let mut frames = frames.into_iter();
        self.game_folder.create_sized(&self.path(file), bytes, &mut |out| {
            archive::write(out, &header, &mut |_| Ok(frames.next())).map(|_| ())
        })
    }

    /// Why a file is missing: another process has continued and no longer needs it, or a user has removed it.
    fn missing(&self, file: RoundFile, path: PathBuf) -> Result<TableError, TableError> {
        // When there are tables, the rounds are removed.
        let manifests = [self.game_folder.part_manifest(self.id), self.game_folder.manifest()];
        let is_removed = !self.folder.exists() || manifests.iter().any(|path| path.exists());
        let is_gone = match file {
            _ if is_removed => true,
            RoundFile::Results(HalfRound { round, outcome }, shard) => {
                // The manifest may have changed since this process read it.
                let entry = read_entry(&self.folder, &self.game, self.id, round)?;
                entry.is_some_and(|entry| entry.shards != shard.of)
                    || self
                        .dropped()?
                        .is_some_and(|dropped| round < [dropped.wins, dropped.losses][outcome as usize])
            }
            RoundFile::Kept(_) => false,
        };
        Ok(match is_gone {
            true => TableError::Overtaken(self.folder.clone()),
            false => TableError::Damaged(path, "it is missing"),
        })
    }

    /// Opens a file, unless it is open.
    fn archive(&self, file: RoundFile) -> Result<Arc<Archive>, TableError> {
        self.open.get(file, |_| 1, || self.open_file(file).map(Arc::new))
    }

    fn open_file(&self, file: RoundFile) -> Result<Archive, TableError> {
        let frames = match file {
            RoundFile::Results(_, shard) => self.groups(shard).len(),
            RoundFile::Kept(_) => 2 * (self.kept_groups.len() + 1),
        };
        let archive = match Archive::open(self.path(file), &self.layout().game, &self.header(file), frames) {
            Err(TableError::Unreadable(path, error)) if error.kind() == io::ErrorKind::NotFound => {
                return Err(self.missing(file, path)?);
            }
            opened => opened?,
        };
        if archive.frames() != frames {
            return Err(archive.damaged("it lacks groups of its shard"));
        }
        Ok(archive)
    }

    /// Writes the kept file of a round whose shards are all there.
    fn write_kept(
        &self,
        round: u32,
        shards: usize,
        tallies: &[RoundTally; 2],
    ) -> Result<FileEntry, TableError> {
        let groups = HalfRound::both(round).into_iter().flat_map(|half| {
            self.kept_groups.iter().map(move |&group_index| {
                let stored = self.stored(half, shards, group_index);
                stored.and_then(|(archive, frame)| archive.frame(frame)).map_err(io::Error::other)
            })
        });
        let samples = tallies.iter().map(|tally| {
            let mut sampled = tally.sampled.clone();
            sampled.sort_unstable();
            let bytes: Vec<u8> = sampled.iter().flat_map(|ordinal| ordinal.to_le_bytes()).collect();
            Frame::new(&bytes, LEVEL)
        });
        let (file, mut frames) = (RoundFile::Kept(round), groups.chain(samples));
        self.game_folder
            .create_archive(&self.path(file), &self.header(file), &mut |_| frames.next().transpose())
    }

    /// The ordinals of the [`Sample`]'s places that a finished round has found, if the rounds are mostly
    /// dropped.
    pub fn sampled(&self, half: HalfRound) -> Result<Vec<u32>, TableError> {
        let archive = self.archive(RoundFile::Kept(half.round))?;
        let content = archive.content(2 * self.kept_groups.len() + half.outcome as usize)?;
        if !content.len().is_multiple_of(4) {
            return Err(archive.damaged("its sample is cut off"));
        }
        Ok(content
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
            .collect())
    }

    /// The sample of the part's positions, if the rounds are mostly dropped.
    pub fn sample(&self) -> Option<Sample> {
        self.keep.doves().map(|_| Sample::new(self.layout(), &self.classes))
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
    pub fn add_to(
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
    pub fn found_bytes(&self, half: HalfRound, classes: &[ClassId]) -> Result<u64, TableError> {
        let Some(entry) = self.entry_with(half)? else { return Ok(0) };
        let mut bytes = 0;
        for shard in Shard::all(entry.shards) {
            let groups =
                self.groups(shard).iter().enumerate().filter(|(_, group)| classes.contains(&group.class));
            let frames: Vec<usize> = groups.map(|(frame, _)| frame).collect();
            if !frames.is_empty() {
                let archive = self.archive(RoundFile::Results(half, shard))?;
                bytes += frames.into_iter().map(|frame| archive.content_bytes(frame)).sum::<u64>();
            }
        }
        // The set of a block's rows takes a fixed size in memory, where files have a bit for each row.
        Ok(bytes + entry.blocks(half.outcome) as u64 * ROW_SET_BYTES)
    }

    /// Calls `show` with the results of a round in the groups of some classes, on many threads: those in a
    /// shard, whose file must exist.
    pub fn each_in(
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
        let archive = self.archive(RoundFile::Results(half, shard))?;
        archive.read_all(&|frame, content| {
            let group = groups[frame];
            if classes.contains(&group.class) && !content.is_empty() {
                show(group, self.decode(&archive, half, group, &content)?);
            }
            Ok(())
        })
    }

    /// Reads all that is kept of a finished round from the first byte to the last, checks the files against
    /// the manifest, and calls `show` with the results of each group, on many threads.
    pub fn verify(
        &self,
        round: u32,
        show: &(dyn Fn(HalfRound, GroupId, SparseBits) + Sync),
    ) -> Result<(), TableError> {
        let entry = self.entry(round)?.ok_or_else(|| self.damaged("a round is missing"))?;
        if let Some(kept) = &entry.kept {
            let (archive, groups) = (self.archive(RoundFile::Kept(round))?, self.kept_groups.len());
            kept.file.check(&archive)?;
            return archive.read_all(&|frame, content| {
                // The last two frames are the sample's.
                if frame < 2 * groups && !content.is_empty() {
                    let half = HalfRound::both(round)[frame / groups];
                    let group = self.groups[self.kept_groups[frame % groups]];
                    show(half, group, self.decode(&archive, half, group, &content)?);
                }
                Ok(())
            });
        }
        for half in HalfRound::both(round) {
            for shard in Shard::all(entry.shards) {
                let file = RoundFile::Results(half, shard);
                let (name, archive) = (self.name(file), self.archive(file)?);
                let named = entry.files.iter().find(|file| file.name == name);
                named.ok_or_else(|| FileEntry::contradiction(&archive))?.check(&archive)?;
                self.each_in(half, &self.classes, shard, &|group, found| show(half, group, found))?;
            }
        }
        Ok(())
    }

    /// The results of a finished round, in `shards` shards, in one group.
    pub fn group(&self, half: HalfRound, shards: usize, group: GroupId) -> Result<SparseBits, TableError> {
        let group_index = self.group_index(group);
        let (archive, frame) = match (self.keep, self.kept_groups.binary_search(&group_index)) {
            (Keep::UpTo(_), Ok(kept)) => {
                let frame = half.outcome as usize * self.kept_groups.len() + kept;
                (self.archive(RoundFile::Kept(half.round))?, frame)
            }
            _ => self.stored(half, shards, group_index)?,
        };
        self.decode(&archive, half, group, &archive.content(frame)?)
    }

    /// Bytes in the file of the results of a finished round, in `shards` shards, in one group.
    pub fn group_bytes(&self, half: HalfRound, shards: usize, group: GroupId) -> Result<u64, TableError> {
        let (archive, frame) = self.stored(half, shards, self.group_index(group))?;
        Ok(archive.frame_bytes(frame))
    }

    /// The shard file that has a group, by its index in the part, and its frame there.
    fn stored(
        &self,
        half: HalfRound,
        shards: usize,
        group_index: usize,
    ) -> Result<(Arc<Archive>, usize), TableError> {
        let (shard, first) = self.shard_of(group_index, shards);
        Ok((self.archive(RoundFile::Results(half, shard))?, group_index - first))
    }

    /// The manifest of a round that has such results; `None` if there are none, or it is not finished.
    pub fn entry_with(&self, half: HalfRound) -> Result<Option<Arc<RoundEntry>>, TableError> {
        Ok(self.entry(half.round)?.filter(|entry| entry.blocks(half.outcome) > 0))
    }

    /// The manifest of a round; `None` if it is not finished.
    pub fn entry(&self, round: u32) -> Result<Option<Arc<RoundEntry>>, TableError> {
        let entries = || self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries().get(&round) {
            return Ok(Some(entry.clone()));
        }
        let Some(entry) = read_entry(&self.folder, &self.game, self.id, round)? else { return Ok(None) };
        if entry.keep() != self.keep {
            return Err(self.mixed());
        }
        if !(1..=self.most_shards()).contains(&entry.shards) {
            let path = self.manifest_path(round);
            return Err(TableError::Damaged(path, "its number of shards is not one that there can be"));
        }
        let entry = Arc::new(entry);
        entries().insert(round, entry.clone());
        Ok(Some(entry))
    }

    /// Finishes a round whose files are all there: writes its manifest from the tallies of wins and losses,
    /// unless another process has, and removes files of other shards. Returns the number of positions of each
    /// value.
    ///
    /// # Errors
    /// Also if another process has finished the round with another number of shards.
    pub fn finish(
        &self,
        round: u32,
        shards: usize,
        tallies: &[RoundTally; 2],
    ) -> Result<Vec<SolutionRow>, TableError> {
        let rows = |(half, tally): (HalfRound, &RoundTally)| {
            tally.counts.rows(self.layout(), Worth::Exact(half.value()))
        };
        let rows: Vec<SolutionRow> = HalfRound::both(round).into_iter().zip(tallies).flat_map(rows).collect();
        self.claim.locked(|| {
            match self.entry(round)? {
                Some(entry) if entry.shards != shards => {
                    return Err(TableError::Overtaken(self.folder.clone()));
                }
                Some(_) => {}
                None => self.write_manifest(round, shards, tallies, &rows)?,
            }
            self.remove_other_shards(round..round + 1)
        })?;
        Ok(rows)
    }

    fn write_manifest(
        &self,
        round: u32,
        shards: usize,
        tallies: &[RoundTally; 2],
        rows: &[SolutionRow],
    ) -> Result<(), TableError> {
        let kept = match self.keep {
            Keep::Everything => None,
            Keep::UpTo(doves) => {
                let file = self.write_kept(round, shards, tallies)?;
                let witness = |(half, tally): (HalfRound, &RoundTally)| {
                    let (board, mover) = self.index.position(tally.first?.1);
                    Some(Longest { board, mover, value: half.value() })
                };
                let witnesses = HalfRound::both(round).into_iter().zip(tallies).filter_map(witness).collect();
                Some(KeptEntry { doves, file, witnesses })
            }
        };
        let shard_files = HalfRound::both(round)
            .into_iter()
            .flat_map(|half| Shard::all(shards).map(move |shard| RoundFile::Results(half, shard)));
        let files = shard_files.map(|file| {
            let archive = self.archive(file)?;
            Ok(FileEntry::new(self.name(file), archive.bytes, archive.hash))
        });
        let entry = RoundEntry {
            format: if kept.is_some() { FORMAT_WITH_GAPS } else { archive::VERSION },
            game: self.game.clone(),
            part: self.id.0,
            round,
            shards,
            files: files.collect::<Result<_, TableError>>()?,
            blocks: tallies.each_ref().map(|tally| tally.blocks),
            rows: rows.to_vec(),
            kept,
        };
        self.game_folder.create_document(&self.manifest_path(round), &entry)
    }

    /// Removes the files of finished rounds that their manifests do not name: runs with other memory, which
    /// have cut the part into another number of shards, have left them.
    pub fn remove_other_shards(&self, rounds: Range<u32>) -> Result<(), TableError> {
        remove_files(&self.folder, |round, rest| {
            let Some(of) = shards_of(rest).filter(|_| rounds.contains(&round)) else { return Ok(false) };
            Ok(self.entry(round)?.is_some_and(|entry| entry.shards != of))
        })
    }

    /// Drops the wins and the losses of all rounds below these: writes the mark, then removes the files.
    pub fn drop_below(&self, wins: u32, losses: u32) -> Result<(), TableError> {
        if self.keep == Keep::Everything {
            return Ok(());
        }
        let dropped = self.change_dropped(|dropped| {
            (dropped.wins, dropped.losses) = (dropped.wins.max(wins), dropped.losses.max(losses));
        })?;
        // These files must not be read any more.
        self.open.clear();
        dropped.remove_files(&self.folder)
    }

    /// Marks the part as complete: it is over, and its snapshot has the wins of all rounds.
    pub fn mark_complete(&self) -> Result<(), TableError> {
        self.change_dropped(|dropped| dropped.complete = true).map(drop)
    }

    /// Changes the mark of what the part has dropped, unless it would stay the same. Returns the new one.
    fn change_dropped(&self, change: impl FnOnce(&mut Dropped)) -> Result<Dropped, TableError> {
        self.claim.locked(|| {
            let before = self.dropped()?.ok_or_else(|| self.mixed())?;
            let mut dropped = before.clone();
            change(&mut dropped);
            if dropped != before {
                dropped.write(&self.game_folder)?;
            }
            Ok(dropped)
        })
    }

    /// Whether win, draw or loss is known of every position of a part that is over: a snapshot that is still
    /// being completed lacks wins.
    pub fn is_complete(&self) -> Result<bool, TableError> {
        Ok(self.dropped()?.is_none_or(|dropped| dropped.complete))
    }

    /// Makes the folder.
    pub fn make_folder(&self) -> Result<(), TableError> {
        create_folder(&self.folder).map_err(|error| TableError::Unwritten(self.folder.clone(), error))
    }
}
