//! The folder of a part, and its documents, which only [`PartFolder`] reads and writes. A run can be restarted at any
//! moment, and several processes can compute shards of a round.
//!
//! Each [`Part`] of a game has a folder in `rounds` in the game's folder. Of each round it has the wins and the losses,
//! each cut into one or more [`Shard`]s: consecutive groups of the part in one file. Such a file is an [`archive`] with
//! a frame for each group, in the [`encoding`](super::group_encoding) of tables. It depends only on the earlier rounds
//! and on its own name: writing it again gives the same bytes.
//!
//! | document | written |
//! |---|---|
//! | `0007.json` | once round 7 is finished: all its files exist |
//! | `wins.json` | with each change of a [`super::snapshot`], or from the beginning if only the wins are kept |
//! | `part-000.json`, in the game's folder | once the part has tables; then its folder is removed |
//!
//! A part that is solved for its wins alone has the manifests of all rounds, and the files only of those that are still
//! needed.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::archive::{self, Archive, FileEntry, Frame, FrameEntry, VERSION};
use super::cache::Cache;
use super::documents::{Owner, PartEntry, RoundEntry, WinsEntry};
use super::game_folder::{names, round_of};
use super::parts::{Part, Parts};
use super::sealed;
use super::shard::{HalfRound, Shard};
use crate::known::Worth;
use crate::rounds::counts::{ShapeCounts, by_shape};
use crate::solved::{SolutionRow, TableError};
use crate::space::index::Index;
use crate::space::layout::{ClassId, GroupId, Layout};
use crate::space::sets::GroupValues;
use crate::space::sparse::SparseGroup;

/// zstd's level: most rounds are read a few times and removed.
const LEVEL: i32 = 1;
/// Maximum number of files of a part's rounds that stay open at a time.
const OPEN_FILES: usize = 512;

/// What the files of a solved game keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All rounds.
    Rounds,
    /// The wins alone; rounds are removed as soon as they are no longer needed.
    Wins,
}

/// The tally of a round's wins or losses.
#[derive(Default)]
pub(crate) struct RoundTally {
    /// The numbers of their bits, by shape.
    counts: ShapeCounts,
    /// The number of blocks with such positions.
    blocks: usize,
}

impl RoundTally {
    /// Adds the results in a group to a tally that many threads share; groups may come in any order.
    pub(crate) fn add(tally: &Mutex<RoundTally>, index: &Index, group: GroupId, found: &SparseGroup) {
        if found.is_empty() {
            return;
        }
        let counts = by_shape(index, group, found);
        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.counts.add_group(index, group, &counts);
        tally.blocks += found.count();
    }
}

/// The folder of a part.
pub(crate) struct PartFolder {
    pub parts: Arc<Parts>,
    pub part: Part,
    pub path: PathBuf,
    /// All groups of the part, ascending; shards divide them in this order.
    pub groups: Vec<GroupId>,
    open: Cache<(HalfRound, Shard), Archive>,
    /// The manifests of rounds read so far.
    rounds: Mutex<HashMap<u32, Arc<RoundEntry>>>,
}

impl PartFolder {
    /// The folder of a part.
    pub(crate) fn new(parts: &Arc<Parts>, part: &Part) -> Arc<PartFolder> {
        Arc::new(PartFolder {
            path: parts.game_folder.part(part.number),
            groups: parts.index.layout.groups(&part.classes),
            parts: parts.clone(),
            part: part.clone(),
            open: Cache::new(OPEN_FILES),
            rounds: Mutex::default(),
        })
    }

    /// The folders of all parts, each after those it leads to.
    pub(crate) fn all(parts: &Arc<Parts>) -> impl Iterator<Item = Arc<PartFolder>> {
        parts.list.iter().map(|part| PartFolder::new(parts, part))
    }

    /// The folders of the parts that this one leads to.
    pub(crate) fn downstream(&self) -> impl Iterator<Item = Arc<PartFolder>> {
        let others = self.parts.list.iter().filter(|other| self.part.leads_to(other));
        others.map(|other| PartFolder::new(&self.parts, other))
    }

    /// The positions of the game.
    pub(crate) fn index(&self) -> &Index {
        &self.parts.index
    }

    /// The layout of the game.
    pub(crate) fn layout(&self) -> &Layout {
        &self.parts.index.layout
    }

    /// The common fields of a document of this part.
    pub(crate) fn owner(&self, format: u32) -> Owner {
        Owner { format, game: self.parts.name.clone(), part: self.part.number }
    }

    fn owns(&self, Owner { game, part, .. }: &Owner) -> bool {
        (game, *part) == (&self.parts.name, self.part.number)
    }

    fn wins_path(&self) -> PathBuf {
        self.path.join("wins.json")
    }

    /// Reads the document of the part's wins; `None` if there is none.
    pub(crate) fn wins(&self) -> Result<Option<WinsEntry>, TableError> {
        sealed::read(&self.wins_path(), |wins: &WinsEntry| self.owns(&wins.owner))
    }

    /// Writes the document of the part's wins.
    pub(crate) fn write_wins(&self, wins: &WinsEntry) -> Result<(), TableError> {
        self.parts.game_folder.create_document(&self.wins_path(), wins)
    }

    /// Removes the document of the wins of a part that keeps its rounds, which include them.
    pub(crate) fn remove_wins(&self) -> Result<(), TableError> {
        self.parts.game_folder.remove_file(&self.wins_path())
    }

    /// The path of the manifest of the part's tables.
    pub(crate) fn tables_path(&self) -> PathBuf {
        self.parts.game_folder.part_manifest(self.part.number)
    }

    /// Reads the manifest of the part's tables; `None` if there is none, or one of the files that it names is missing.
    pub(crate) fn tables(&self) -> Result<Option<PartEntry>, TableError> {
        let entry = sealed::read(&self.tables_path(), |entry: &PartEntry| self.owns(&entry.owner))?;
        let exists = |file: &FileEntry| self.parts.game_folder.path.join(&file.name).exists();
        Ok(entry.filter(|entry| entry.summary.files.iter().all(exists)))
    }

    /// Writes the manifest of the part's tables.
    pub(crate) fn write_tables(&self, entry: &PartEntry) -> Result<(), TableError> {
        self.parts.game_folder.create_document(&self.tables_path(), entry)
    }

    /// The choice with which the part was begun: to keep all rounds, or the wins alone. `None` if no file records it
    /// yet.
    pub(crate) fn begun(&self) -> Result<Option<Keep>, TableError> {
        if self.wins()?.is_some_and(|wins| wins.alone) {
            return Ok(Some(Keep::Wins));
        }
        Ok((self.round(0)?.is_some() || self.tables_path().exists()).then_some(Keep::Rounds))
    }

    /// An error about the files of the part.
    pub(crate) fn damaged(&self, what: &'static str) -> TableError {
        TableError::Damaged(self.path.clone(), what)
    }

    /// The groups of a shard.
    pub(crate) fn groups(&self, shard: Shard) -> &[GroupId] {
        &self.groups[shard.range(self.groups.len())]
    }

    fn shard_path(&self, half: HalfRound, shard: Shard) -> PathBuf {
        self.path.join(shard.file_name(half))
    }

    fn manifest_path(&self, round: u32) -> PathBuf {
        self.path.join(format!("{round:04}.json"))
    }

    /// The header of a file of the part, from its format version, the number of the kind of file, its round and its
    /// shard.
    pub(crate) fn header(&self, version: u32, kind: u8, round: u32, shard: Shard) -> Vec<u8> {
        let numbers = [self.part.number, round as usize, shard.number, shard.of];
        let mut what = vec![kind];
        what.extend(numbers.into_iter().flat_map(|number| (number as u32).to_le_bytes()));
        archive::header(version, &self.layout().game, &what)
    }

    fn header_of(&self, half: HalfRound, shard: Shard) -> Vec<u8> {
        self.header(VERSION, 2 + half.index() as u8, half.round(), shard)
    }

    /// Whether a file exists.
    pub(crate) fn has(&self, half: HalfRound, shard: Shard) -> bool {
        self.shard_path(half, shard).exists()
    }

    /// The results of a round in a group, as a frame of its file.
    pub(crate) fn frame(half: HalfRound, found: SparseGroup) -> io::Result<Frame> {
        let mut values = GroupValues::default();
        values.push(Worth::Exact(half.value()), found);
        Frame::new(&values.encode(), LEVEL)
    }

    /// Writes the results of a round in the groups of a shard.
    pub(crate) fn write(&self, half: HalfRound, shard: Shard, frames: Vec<Frame>) -> Result<(), TableError> {
        let (header, bytes) =
            (self.header_of(half, shard), frames.iter().map(|frame| frame.bytes.len()).sum());
        let mut frames = frames.into_iter();
        self.parts.game_folder.create_sized(&self.shard_path(half, shard), bytes, &mut |out| {
            archive::write(out, &header, &mut |_| Ok(frames.next())).map(|_| ())
        })
    }

    /// Opens the file of a shard, unless it is open.
    fn archive(&self, half: HalfRound, shard: Shard) -> Result<Arc<Archive>, TableError> {
        let frames = self.groups(shard).len();
        let open = || {
            let header = self.header_of(half, shard);
            let archive = Archive::open(self.shard_path(half, shard), &self.layout().game, &header, frames)?;
            match archive.frames.len() == frames {
                true => Ok(Arc::new(archive)),
                false => Err(archive.damaged("it lacks groups of its shard")),
            }
        };
        self.open.get((half, shard), |_| 1, open)
    }

    /// Visits the results of a round in those groups of a shard that are in wanted classes, on many threads. The
    /// shard's file must exist.
    pub(crate) fn visit_shard(
        &self,
        half: HalfRound,
        shard: Shard,
        is_wanted: &(dyn Fn(ClassId) -> bool + Sync),
        visit: &(dyn Fn(GroupId, SparseGroup) + Sync),
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
                visit(group, values.into_positions(Worth::Exact(half.value())));
            }
            Ok(())
        })
    }

    /// Reads a finished round from the first byte to the last, checks the files against the manifest, and visits the
    /// results of each group, on many threads.
    pub(crate) fn verify(
        &self,
        round: u32,
        visit: &(dyn Fn(HalfRound, GroupId, SparseGroup) + Sync),
    ) -> Result<(), TableError> {
        let entry = self.round(round)?.ok_or_else(|| self.damaged("a round is missing"))?;
        for half in HalfRound::both(round) {
            for shard in Shard::all(entry.shards) {
                self.archive(half, shard)?.check(&entry.files)?;
                self.visit_shard(half, shard, &|_| true, &|group, found| visit(half, group, found))?;
            }
        }
        Ok(())
    }

    /// The results of a half round; `None` if there are none, or the round is not finished.
    pub(crate) fn results(self: &Arc<Self>, half: HalfRound) -> Result<Option<StoredResults>, TableError> {
        let Some(entry) = self.round(half.round())? else { return Ok(None) };
        let blocks = entry.blocks[half.index()];
        Ok((blocks > 0).then(|| StoredResults { folder: self.clone(), half, shards: entry.shards, blocks }))
    }

    /// The manifest of a round; `None` if it is not finished.
    pub(crate) fn round(&self, round: u32) -> Result<Option<Arc<RoundEntry>>, TableError> {
        let rounds = || self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = rounds().get(&round) {
            return Ok(Some(entry.clone()));
        }
        let path = self.manifest_path(round);
        let belongs = |entry: &RoundEntry| self.owns(&entry.owner) && entry.round == round;
        let Some(entry) = sealed::read(&path, belongs)? else { return Ok(None) };
        if !(1..=self.groups.len()).contains(&entry.shards) {
            return Err(TableError::Damaged(path, "its number of shards is not one that there can be"));
        }
        let entry = Arc::new(entry);
        rounds().insert(round, entry.clone());
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
            owner: self.owner(VERSION),
            round,
            shards,
            files,
            blocks: tallies.each_ref().map(|tally| tally.blocks),
            rows: rows.clone(),
        };
        self.parts.game_folder.create_document(&self.manifest_path(round), &entry)?;
        Ok(rows)
    }

    /// The files that are no longer needed once all rounds below `next` are finished. They are files that no document
    /// names, as runs with another number of shards leave them, and the results of rounds below `dropped`, which has
    /// one limit for wins and one for losses.
    pub(crate) fn unneeded(&self, next: u32, dropped: [u32; 2]) -> Result<Vec<PathBuf>, TableError> {
        let (wins, mut needed) = (self.wins()?, HashSet::new());
        for half in (0..next).flat_map(HalfRound::both) {
            if half.round() >= dropped[half.index()]
                && let Some(entry) = self.round(half.round())?
            {
                needed.extend(Shard::all(entry.shards).map(|shard| shard.file_name(half)));
            }
        }
        let is_unneeded = |name: &String| {
            name.ends_with(".round")
                && round_of(name).is_none_or(|round| round < next)
                && !needed.contains(name)
                && !wins.as_ref().is_some_and(|wins| wins.names(name))
        };
        Ok(names(&self.path)?.into_iter().filter(is_unneeded).map(|name| self.path.join(name)).collect())
    }

    /// Removes what [`PartFolder::unneeded`] returns.
    pub(crate) fn tidy(&self, next: u32, dropped: [u32; 2]) -> Result<(), TableError> {
        let unneeded = self.unneeded(next, dropped)?;
        if !unneeded.is_empty() {
            // Windows does not remove an open file.
            self.open.clear();
        }
        unneeded.iter().try_for_each(|path| self.parts.game_folder.remove_file(path))
    }
}

/// The results of one half of a finished round of a part, in files.
pub(crate) struct StoredResults {
    folder: Arc<PartFolder>,
    half: HalfRound,
    /// The number of shards.
    shards: usize,
    /// The number of blocks with results; at least 1.
    pub blocks: usize,
}

impl StoredResults {
    /// The results in a group.
    pub(crate) fn group(&self, group: GroupId) -> Result<SparseGroup, TableError> {
        let (archive, frame) = self.frame_of(group)?;
        let class = &self.folder.layout()[group.class];
        let values = archive.values(class, group, &archive.content(frame)?)?;
        Ok(values.into_positions(Worth::Exact(self.half.value())))
    }

    /// The bytes of the results in a group, compressed and uncompressed; both 0 if there are none.
    pub(crate) fn bytes(&self, group: GroupId) -> Result<(u64, u64), TableError> {
        let (archive, frame) = self.frame_of(group)?;
        let FrameEntry { bytes, size, .. } = archive.frames[frame];
        Ok(if size == 0 { (0, 0) } else { (bytes as u64, size as u64) })
    }

    /// The file that has a group, and its frame there.
    fn frame_of(&self, group: GroupId) -> Result<(Arc<Archive>, usize), TableError> {
        let groups = &self.folder.groups;
        let index = groups.binary_search(&group).expect("a group of the part");
        let shard = Shard::with(index, groups.len(), self.shards);
        Ok((self.folder.archive(self.half, shard)?, index - shard.range(groups.len()).start))
    }

    /// Visits the results in all groups of wanted classes, on many threads. Their files are read from the first byte to
    /// the last.
    pub(crate) fn visit(
        &self,
        is_wanted: &(dyn Fn(ClassId) -> bool + Sync),
        visit: &(dyn Fn(GroupId, SparseGroup) + Sync),
    ) -> Result<(), TableError> {
        let visit_shard = |shard| self.folder.visit_shard(self.half, shard, is_wanted, visit);
        Shard::all(self.shards).try_for_each(visit_shard)
    }
}
