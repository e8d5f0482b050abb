//! The rounds of a solver as files: a run can be restarted at any moment, and several processes can do shares of a
//! round.
//!
//! The folder `rounds` in a game's folder has a folder for each [`Part`] of the game, with two kinds of files for each
//! round, in one or more *shards* each: the wins and the losses that the round found. Each file is an [`archive`] with
//! a frame for each group of the shard, in the encoding of [`crate::space::sets`]. A shard's groups are a range
//! of the part's, so a file depends only on the earlier rounds and its own name: making it twice gives the same bytes.
//!
//! When all files of a round exist, its manifest is written: `0007.json` for round 7. A round without a
//! manifest is not finished. A part that is solved for its wins alone ([`super::snapshot`]) has the manifests
//! of all rounds, and the files only of those that are still needed.

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::archive::{self, Archive, FileEntry, Frame, FrameEntry, TableError, VERSION};
use super::cache::Cache;
use super::game_folder::{GameFolder, folder_name, names, round_of};
use super::sealed;
use super::snapshot::WinsEntry;
use crate::known::Worth;
use crate::rounds::counts::RoundTally;
use crate::solved::SolutionRow;
use crate::space::changes::SparseBits;
use crate::space::index::Index;
use crate::space::layout::{ClassId, GroupId, Layout, Part};
use crate::space::sets::GroupValues;
use crate::value::Value;
use crate::whole_files::create_folder;

/// zstd's level: rounds are read a few times and removed.
const LEVEL: i32 = 1;
/// The most files open at a time.
const OPEN_FILES: usize = 512;

/// Half of the results of round n: the positions won in n plies, or those lost in n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum HalfRound {
    Wins(u32),
    Losses(u32),
}

impl HalfRound {
    /// Both halves of a round, by [`HalfRound::index`].
    pub(crate) const fn both(round: u32) -> [HalfRound; 2] {
        [HalfRound::Wins(round), HalfRound::Losses(round)]
    }

    /// The number of the round.
    pub(crate) const fn round(self) -> u32 {
        let (HalfRound::Wins(round) | HalfRound::Losses(round)) = self;
        round
    }

    /// 0 for wins, 1 for losses.
    pub(crate) const fn index(self) -> usize {
        matches!(self, HalfRound::Losses(_)) as usize
    }

    /// The value of the positions in it.
    pub(crate) const fn value(self) -> Value {
        match self {
            HalfRound::Wins(round) => Value::Win(round),
            HalfRound::Losses(round) => Value::Lose(round),
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
    pub files: Vec<FileEntry>,
    /// The number of blocks with wins, and with losses.
    blocks: [usize; 2],
    /// The number of positions found.
    pub rows: Vec<SolutionRow>,
}

/// The rounds of a part.
pub(crate) struct Journal {
    /// The folder of the game.
    pub game_folder: GameFolder,
    /// The folder of the part.
    pub folder: PathBuf,
    /// The name of the game's folder.
    pub game: String,
    /// The positions of the game.
    pub index: Arc<Index>,
    /// The part.
    pub part: Part,
    /// All groups of the part, ascending; shards divide them in this order.
    pub groups: Vec<GroupId>,
    open: Cache<(HalfRound, Shard), Archive>,
    /// The manifests read so far.
    entries: Mutex<HashMap<u32, Arc<RoundEntry>>>,
}

impl Journal {
    /// The rounds of a part, in the folder of its game.
    pub(crate) fn new(game_folder: &GameFolder, index: &Arc<Index>, part: &Part) -> Arc<Journal> {
        Arc::new(Journal {
            folder: game_folder.part(part.id),
            game: folder_name(&index.layout.game),
            groups: index.layout.groups(&part.classes),
            index: index.clone(),
            part: part.clone(),
            game_folder: game_folder.clone(),
            open: Cache::new(OPEN_FILES),
            entries: Mutex::default(),
        })
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

    fn path(&self, half: HalfRound, shard: Shard) -> PathBuf {
        self.folder.join(shard_name(half, shard))
    }

    fn manifest_path(&self, round: u32) -> PathBuf {
        self.folder.join(format!("{round:04}.json"))
    }

    /// The header of a file of the part, from its format version, the number of its kind, its round and its shard.
    pub(crate) fn header(&self, version: u32, kind: u8, round: u32, shard: Shard) -> Vec<u8> {
        let numbers = [self.part.id.0, round as usize, shard.number, shard.of];
        let mut what = vec![kind];
        what.extend(numbers.into_iter().flat_map(|number| (number as u32).to_le_bytes()));
        archive::header(version, &self.layout().game, &what)
    }

    fn header_of(&self, half: HalfRound, shard: Shard) -> Vec<u8> {
        self.header(VERSION, 2 + half.index() as u8, half.round(), shard)
    }

    /// Whether a file exists.
    pub(crate) fn has(&self, half: HalfRound, shard: Shard) -> bool {
        self.path(half, shard).exists()
    }

    /// The results of a round in a group, as a frame of its file.
    pub(crate) fn frame(half: HalfRound, found: SparseBits) -> io::Result<Frame> {
        let mut values = GroupValues::default();
        values.push(Worth::Exact(half.value()), found);
        Frame::new(&values.encode(), LEVEL)
    }

    /// Writes the results of a round in the groups of a shard.
    pub(crate) fn write(&self, half: HalfRound, shard: Shard, frames: Vec<Frame>) -> Result<(), TableError> {
        let (header, bytes) =
            (self.header_of(half, shard), frames.iter().map(|frame| frame.bytes.len()).sum());
        let mut frames = frames.into_iter();
        self.game_folder.create_sized(&self.path(half, shard), bytes, &mut |out| {
            archive::write(out, &header, &mut |_| Ok(frames.next())).map(|_| ())
        })
    }

    /// Opens the file of a shard, unless it is open.
    fn archive(&self, half: HalfRound, shard: Shard) -> Result<Arc<Archive>, TableError> {
        let frames = self.groups(shard).len();
        let open = || {
            let header = self.header_of(half, shard);
            let archive = Archive::open(self.path(half, shard), &self.layout().game, &header, frames)?;
            match archive.frames.len() == frames {
                true => Ok(Arc::new(archive)),
                false => Err(archive.damaged("it lacks groups of its shard")),
            }
        };
        self.open.get((half, shard), |_| 1, open)
    }

    /// Calls `show`, on many threads, with the results of a round in those groups of a shard that are in wanted
    /// classes. The shard's file must exist.
    pub(crate) fn each_in(
        &self,
        half: HalfRound,
        shard: Shard,
        is_wanted: &(dyn Fn(ClassId) -> bool + Sync),
        show: &(dyn Fn(GroupId, SparseBits) + Sync),
    ) -> Result<(), TableError> {
        let groups = self.groups(shard);
        if !groups.iter().any(|group| is_wanted(group.class)) {
            return Ok(());
        }
        let archive = self.archive(half, shard)?;
        archive.read_all(&|frame, content| {
            let group = groups[frame];
            if is_wanted(group.class) && !content.is_empty() {
                let values = archive.values(&self.layout()[group.class], group, &content)?;
                show(group, values.into_changes(Worth::Exact(half.value())));
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
                self.archive(half, shard)?.check(&entry.files)?;
                self.each_in(half, shard, &|_| true, &|group, found| show(half, group, found))?;
            }
        }
        Ok(())
    }

    /// The results of a half round; `None` if there are none, or the round is not finished.
    pub(crate) fn results(self: &Arc<Journal>, half: HalfRound) -> Result<Option<StoredResults>, TableError> {
        let Some(entry) = self.entry(half.round())? else { return Ok(None) };
        let blocks = entry.blocks[half.index()];
        Ok((blocks > 0).then(|| StoredResults { journal: self.clone(), half, shards: entry.shards, blocks }))
    }

    /// The manifest of a round; `None` if it is not finished.
    pub(crate) fn entry(&self, round: u32) -> Result<Option<Arc<RoundEntry>>, TableError> {
        let entries = || self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries().get(&round) {
            return Ok(Some(entry.clone()));
        }
        let path = self.manifest_path(round);
        let belongs = |entry: &RoundEntry| {
            (&entry.game, entry.part, entry.round) == (&self.game, self.part.id.0, round)
        };
        let Some(entry) = sealed::read(&path, belongs)? else { return Ok(None) };
        if !(1..=self.groups.len()).contains(&entry.shards) {
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
        let (mut rows, mut files) = (Vec::new(), Vec::new());
        for (half, tally) in HalfRound::both(round).into_iter().zip(tallies) {
            rows.extend(tally.counts.rows(self.layout(), Worth::Exact(half.value())));
            for shard in Shard::all(shards) {
                files.push(self.archive(half, shard)?.entry());
            }
        }
        let entry = RoundEntry {
            format: VERSION,
            game: self.game.clone(),
            part: self.part.id.0,
            round,
            shards,
            files,
            blocks: tallies.each_ref().map(|tally| tally.blocks),
            rows: rows.clone(),
        };
        self.game_folder.create_document(&self.manifest_path(round), &entry)?;
        Ok(rows)
    }

    /// The files that are no longer needed once all rounds below `next` are finished: files that no document names,
    /// left by runs with another memory limit or other shares, and the wins and losses of rounds below `dropped`, which
    /// has a limit for each. `wins` is the part's document of wins, if there is one.
    pub(crate) fn unneeded(
        &self,
        next: u32,
        dropped: [u32; 2],
        wins: Option<&WinsEntry>,
    ) -> Result<Vec<PathBuf>, TableError> {
        let mut needed = HashSet::new();
        for half in (0..next).flat_map(HalfRound::both) {
            if half.round() >= dropped[half.index()]
                && let Some(entry) = self.entry(half.round())?
            {
                needed.extend(Shard::all(entry.shards).map(|shard| shard_name(half, shard)));
            }
        }
        let is_unneeded = |name: &String| {
            name.ends_with(".round")
                && round_of(name).is_none_or(|round| round < next)
                && !needed.contains(name)
                && !wins.is_some_and(|wins| wins.names(name))
        };
        Ok(names(&self.folder)?.into_iter().filter(is_unneeded).map(|name| self.folder.join(name)).collect())
    }

    /// Removes what [`Journal::unneeded`] returns.
    pub(crate) fn tidy(
        &self,
        next: u32,
        dropped: [u32; 2],
        wins: Option<&WinsEntry>,
    ) -> Result<(), TableError> {
        let unneeded = self.unneeded(next, dropped, wins)?;
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

/// The name of a shard's file.
fn shard_name(half: HalfRound, Shard { number, of }: Shard) -> String {
    let outcome = ["wins", "losses"][half.index()];
    format!("{:04}-{outcome}-{}-of-{of}.round", half.round(), number + 1)
}

/// The results of one half of a finished round of a part, in files.
#[derive(Clone)]
pub(crate) struct StoredResults {
    journal: Arc<Journal>,
    half: HalfRound,
    /// The number of shards.
    shards: usize,
    /// The number of blocks with results; at least 1.
    pub blocks: usize,
}

impl StoredResults {
    /// The results in a group.
    pub(crate) fn group(&self, group: GroupId) -> Result<SparseBits, TableError> {
        let (archive, frame) = self.frame_of(group)?;
        let class = &self.journal.layout()[group.class];
        let values = archive.values(class, group, &archive.content(frame)?)?;
        Ok(values.into_changes(Worth::Exact(self.half.value())))
    }

    /// The bytes of the results in a group, compressed and uncompressed; both 0 if there are none.
    pub(crate) fn bytes(&self, group: GroupId) -> Result<(u64, u64), TableError> {
        let (archive, frame) = self.frame_of(group)?;
        let FrameEntry { bytes, size, .. } = archive.frames[frame];
        Ok(if size == 0 { (0, 0) } else { (bytes as u64, size as u64) })
    }

    /// The shard file that has a group, and its frame there.
    fn frame_of(&self, group: GroupId) -> Result<(Arc<Archive>, usize), TableError> {
        let groups = &self.journal.groups;
        let index = groups.binary_search(&group).expect("a group of the part");
        // The last shard that starts at this index or before, since `Shard::range` rounds down.
        let shard = Shard { number: ((index + 1) * self.shards - 1) / groups.len(), of: self.shards };
        Ok((self.journal.archive(self.half, shard)?, index - shard.range(groups.len()).start))
    }

    /// Reads, from the first byte to the last, all files that have groups in wanted classes, and calls `show` on many
    /// threads with the results in those groups.
    pub(crate) fn each(
        &self,
        is_wanted: &(dyn Fn(ClassId) -> bool + Sync),
        show: &(dyn Fn(GroupId, SparseBits) + Sync),
    ) -> Result<(), TableError> {
        Shard::all(self.shards).try_for_each(|shard| self.journal.each_in(self.half, shard, is_wanted, show))
    }
}
