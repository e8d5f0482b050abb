//! Wins and results of rounds that do not fit in memory: they stay in files, with as many groups cached as fit.
//!
//! The wins so far are a [`super::snapshot`], the results of a round are in its [`Journal`].
//!
//! An action leads to few other groups: those of shapes that differ by one dove. Groups are ordered by shape,
//! so neighbouring groups need the same others, and a small cache serves most reads.

use std::sync::{Arc, Mutex, PoisonError};

use super::archive::TableError;
use super::cache::{Cache, ThreadCache};
use super::journal::{HalfRound, Journal};
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::layout::{GroupId, Layout, Part};
use crate::solve::space::source::RoundResult;

/// The wins of a group after some rounds.
pub(crate) struct GroupWins {
    /// The number of rounds.
    pub(super) rounds: u32,
    pub(super) bits: SparseBits,
}

/// A cache of groups, shared by all readers, with the first failure to read one.
pub(crate) struct SpillCache {
    /// The wins so far, of each group after some round.
    pub(super) wins: Cache<GroupId, GroupWins>,
    changes: Cache<(HalfRound, GroupId), SparseBits>,
    /// The room for wins and results of rounds, in bytes, here or elsewhere.
    bytes: u64,
    /// The most bytes of it for results of a round.
    most_found: u64,
    failure: Mutex<Option<TableError>>,
}

/// Where the last results are whole in memory, the cache of results has this fraction of the room, as a
/// divisor.
const SMALL_SHARE: u64 = 32;

impl SpillCache {
    /// A cache of `bytes` bytes for wins and results, at most `most_found` of them for results.
    pub(crate) fn new(bytes: u64, most_found: u64) -> SpillCache {
        let (wins, changes) = (Cache::new(0), Cache::new(0));
        let cache = SpillCache { wins, changes, bytes, most_found, failure: Mutex::new(None) };
        cache.share(0);
        cache
    }

    /// The most bytes for the results of a round.
    pub(crate) fn most_found(&self) -> u64 {
        self.most_found
    }

    /// Divides the room between the results of a round, which take `found` bytes, and wins.
    pub(crate) fn share(&self, found: u64) {
        let fits = found <= self.most_found;
        // Results that are whole in memory are not cached. The cache then serves only the rounds that files of the
        // snapshot lack.
        let in_memory = if fits { found } else { 0 };
        let cached = if fits { self.bytes / SMALL_SHARE } else { self.most_found };
        let capacity = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
        self.changes.resize(capacity(cached));
        self.wins.resize(capacity(self.bytes.saturating_sub(in_memory + cached)));
    }

    /// Drops the results of rounds.
    pub(crate) fn clear_changes(&self) {
        self.changes.clear();
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

/// The results of a finished round, in files, or read from them.
pub(crate) struct FileFound<'a> {
    half: HalfRound,
    cache: &'a SpillCache,
    /// All groups that may have results.
    groups: Vec<GroupId>,
    /// The journal of each class and its number of shards; `None` if the class has no results, or is not
    /// read.
    journals: Vec<Option<(Arc<Journal>, usize)>>,
    /// The number of blocks with results in these journals.
    blocks: usize,
    /// All results, if they are in memory.
    changes: Option<Arc<Changes>>,
}

impl<'a> FileFound<'a> {
    /// The results of a round in the classes of a part and those it leads to, whose journals are `journals`.
    pub(crate) fn new(
        layout: &Layout,
        part: &Part,
        journals: &[Arc<Journal>],
        half: HalfRound,
        cache: &'a SpillCache,
    ) -> Result<FileFound<'a>, TableError> {
        let journals_of = vec![None; layout.classes.len()];
        let mut found =
            FileFound { half, cache, groups: Vec::new(), journals: journals_of, blocks: 0, changes: None };
        for journal in journals {
            let Some(entry) = journal.entry_with(half)? else { continue };
            for class in part.all().filter(|class| journal.classes.contains(class)) {
                found.journals[class.0] = Some((journal.clone(), entry.shards));
                found.groups.extend(layout.groups(&[class]));
            }
            found.blocks += entry.blocks(half.outcome);
        }
        Ok(found)
    }

    /// Switches to reading the results from memory rather than from their files.
    pub(crate) fn hold(&mut self, changes: Changes) {
        (self.groups, self.blocks) = (RoundResult::groups(&changes), changes.count());
        self.changes = Some(Arc::new(changes));
    }

    /// All results, if they are in memory.
    pub(crate) fn in_memory(&self) -> Option<&Arc<Changes>> {
        self.changes.as_ref()
    }

    /// The results in a group; `None` if there are none in its class.
    pub(crate) fn read(&self, group: GroupId) -> Result<Option<Arc<SparseBits>>, TableError> {
        let Some((journal, shards)) = &self.journals[group.class.0] else { return Ok(None) };
        let read = || journal.group(self.half, *shards, group).map(Arc::new);
        self.cache.changes.get((self.half, group), SparseBits::bytes, read).map(Some)
    }

    /// Bytes in the file of the results in a group; 0 if there are none.
    pub(crate) fn file_bytes(&self, group: GroupId) -> Result<u64, TableError> {
        let Some((journal, shards)) = &self.journals[group.class.0] else { return Ok(0) };
        journal.group_bytes(self.half, *shards, group)
    }
}

impl RoundResult for FileFound<'_> {
    type Cache = ThreadCache<SparseBits>;

    #[inline]
    fn group<'a>(&'a self, cache: &'a mut ThreadCache<SparseBits>, group: GroupId) -> Option<&'a SparseBits> {
        if let Some(changes) = &self.changes {
            return changes.group(group);
        }
        self.journals[group.class.0].as_ref()?;
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
