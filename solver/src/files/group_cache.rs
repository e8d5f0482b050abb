//! Wins and results of rounds that do not fit in memory: they stay in files, with as many groups cached as fit.
//!
//! The wins so far are a [`super::snapshot`], the results of a round are in the folder of its part, [`PartFolder`].
//!
//! The actions of a group lead to few other groups: those of shapes that differ by one dove. Groups are ordered by
//! shape, so neighbouring groups need the same others, and a small cache serves most reads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::cache::{Cache, ThreadCache};
use super::part_folder::{PartFolder, StoredResults};
use super::shard::HalfRound;
use crate::solved::TableError;
use crate::space::inputs::RoundResult;
use crate::space::layout::{ClassId, GroupId, Layout};
use crate::space::sparse::{SparseGroup, SparseSet};

/// Memory, in bytes, that a block takes besides its rows: the set of its rows with bits, and where the block starts.
/// Equal rows are stored once; each row with bits takes another byte to say which stored row equals it, which is not
/// counted.
const ROW_SET_BYTES: u64 = (size_of::<u128>() + size_of::<u32>()) as u64;
/// Because equal rows are stored once, the results of a round may take as little as 1 ÷ this of the maximum.
const EQUAL_ROWS_DIVISOR: u64 = 8;
/// When the last results are all in memory, their cache gets only 1 ÷ this of the room.
const FEW_DIVISOR: u64 = 32;

/// The wins of a group after some rounds.
#[derive(Default)]
pub(crate) struct GroupWins {
    /// The number of rounds.
    pub(super) rounds: u32,
    pub(super) bits: SparseGroup,
}

/// A cache of groups, shared by all readers, with the first failure to read one.
pub(crate) struct GroupCache {
    /// The wins of each group, each as they were after some round.
    pub(super) wins: Cache<GroupId, GroupWins>,
    /// The results of rounds, group by group.
    found: Cache<(HalfRound, GroupId), SparseGroup>,
    /// The bytes available for wins and results of rounds, cached here or held whole elsewhere.
    bytes: u64,
    /// Maximum number of these bytes that results of a round may take.
    max_found: u64,
    failure: Mutex<Option<TableError>>,
}

impl GroupCache {
    /// A cache of `bytes` bytes for wins and results, at most `max_found` of them for results.
    pub(crate) fn new(bytes: u64, max_found: u64) -> GroupCache {
        let (wins, found) = (Cache::new(0), Cache::new(0));
        let cache = GroupCache { wins, found, bytes, max_found, failure: Mutex::new(None) };
        cache.divide(0);
        cache
    }

    /// Divides the room between the results of a round, which take `found` bytes, and wins.
    fn divide(&self, found: u64) {
        let fits = found <= self.max_found;
        // Results that are whole in memory are not cached. The cache then serves only the rounds that files of the
        // snapshot lack.
        let in_memory = if fits { found } else { 0 };
        let cached = if fits { self.bytes / FEW_DIVISOR } else { self.max_found };
        let capacity = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
        self.found.resize(capacity(cached));
        self.wins.resize(capacity(self.bytes.saturating_sub(in_memory + cached)));
    }

    /// Records a failure to read.
    pub(crate) fn fail(&self, error: TableError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// Returns a failure recorded since the last call; results computed meanwhile must be discarded.
    pub(crate) fn check(&self) -> Result<(), TableError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// Half of the results of a finished round, in a part and the parts that it leads to: in files, or loaded from them.
pub(crate) struct FileFound<'a> {
    half: HalfRound,
    cache: &'a GroupCache,
    /// The parts that have results.
    parts: Vec<StoredResults>,
    /// For each class, the index in `parts` of its part; `None` if that has no results, or the class is not read.
    part_of: Vec<Option<usize>>,
    /// All groups that may have results.
    groups: Vec<GroupId>,
    /// The number of blocks with results in these parts.
    blocks: usize,
    /// All results, if they are in memory.
    pub all: Option<Arc<SparseSet>>,
}

impl<'a> FileFound<'a> {
    /// The results of a round in the classes of a part and those it leads to. `folders` has the part's own folder
    /// first, then those of the parts that it leads to.
    pub(crate) fn new(
        folders: &[Arc<PartFolder>],
        half: HalfRound,
        cache: &'a GroupCache,
    ) -> Result<FileFound<'a>, TableError> {
        let (layout, part) = (folders[0].layout(), &folders[0].part);
        let mut part_of = vec![None; layout.classes.len()];
        let (mut parts, mut groups) = (Vec::new(), Vec::new());
        for folder in folders {
            let Some(results) = folder.results(half)? else { continue };
            for class in part.all().filter(|class| folder.part.classes.contains(class)) {
                part_of[class.0] = Some(parts.len());
                groups.extend(layout.groups(&[class]));
            }
            parts.push(results);
        }
        let blocks = parts.iter().map(|part| part.blocks).sum();
        Ok(FileFound { half, cache, parts, part_of, groups, blocks, all: None })
    }

    /// Reads all results into memory, if there is room for them.
    pub(crate) fn load(&mut self, layout: &Layout) -> Result<(), TableError> {
        let (cache, most) = (self.cache, self.cache.max_found);
        // Make room for the results read whole. Cached results of earlier rounds that a snapshot still needs are read
        // again.
        cache.found.clear();
        let at_most = self.max_bytes()?;
        let may_fit = at_most / EQUAL_ROWS_DIVISOR <= most;
        cache.divide(if may_fit { at_most.min(most) } else { u64::MAX });
        if !may_fit {
            return Ok(());
        }
        let (taken, read) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        let is_read = |class: ClassId| self.part_of[class.0].is_some();
        for part in &self.parts {
            part.visit(&is_read, &|group, positions| {
                let bytes = positions.bytes() as u64;
                if taken.fetch_add(bytes, Ordering::Relaxed) + bytes <= most {
                    read.lock().unwrap_or_else(PoisonError::into_inner).push((group, positions));
                }
            })?;
            if taken.load(Ordering::Relaxed) > most {
                cache.divide(u64::MAX);
                return Ok(());
            }
        }
        let all = SparseSet::of(layout, read.into_inner().unwrap_or_else(PoisonError::into_inner));
        cache.divide(all.bytes());
        (self.groups, self.blocks) = (all.groups(), all.blocks());
        self.all = Some(Arc::new(all));
        Ok(())
    }

    /// Roughly the most bytes of memory that the results can take, which they do if no rows of a block are equal. One
    /// byte for each row with bits is not counted.
    fn max_bytes(&self) -> Result<u64, TableError> {
        let mut bytes = 0;
        for &group in &self.groups {
            bytes += self.bytes(group)?.1;
        }
        // The set of a block's rows takes a fixed size in memory, whereas files have a bit for each row.
        Ok(bytes + self.blocks as u64 * ROW_SET_BYTES)
    }

    /// The files with the results in a group; `None` if its part has no results, or its class is not read.
    fn stored(&self, group: GroupId) -> Option<&StoredResults> {
        self.part_of[group.class.0].map(|part| &self.parts[part])
    }

    /// The results in a group; `None` if its part has none, or its class is not read.
    pub(crate) fn read(&self, group: GroupId) -> Result<Option<Arc<SparseGroup>>, TableError> {
        let Some(stored) = self.stored(group) else { return Ok(None) };
        let read = || stored.group(group).map(Arc::new);
        self.cache.found.get((self.half, group), SparseGroup::bytes, read).map(Some)
    }

    /// Bytes of the results in a group, compressed and before compression.
    fn bytes(&self, group: GroupId) -> Result<(u64, u64), TableError> {
        self.stored(group).map_or(Ok((0, 0)), |stored| stored.bytes(group))
    }

    /// Bytes in files of the results in some groups.
    pub(crate) fn file_bytes(&self, groups: &[GroupId]) -> Result<u64, TableError> {
        groups.iter().map(|&group| Ok(self.bytes(group)?.0)).sum()
    }
}

impl RoundResult for FileFound<'_> {
    type Cache = ThreadCache<SparseGroup>;

    #[inline]
    fn group<'a>(
        &'a self,
        cache: &'a mut ThreadCache<SparseGroup>,
        group: GroupId,
    ) -> Option<&'a SparseGroup> {
        if let Some(all) = &self.all {
            return all.group(group);
        }
        self.part_of[group.class.0]?;
        Some(cache.get(group, || {
            let read = self.read(group).unwrap_or_else(|error| {
                self.cache.fail(error);
                None
            });
            read.unwrap_or_default()
        }))
    }

    fn groups(&self) -> Vec<GroupId> {
        self.groups.clone()
    }

    fn blocks(&self) -> usize {
        self.blocks
    }
}
