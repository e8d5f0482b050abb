//! Wins and what rounds have found where memory does not hold them: in files, with as many groups at hand as there is room for.
//!
//! The wins so far are a [`super::snapshot`], what a round has found is in its [`Journal`].
//!
//! An action leads to few other groups: those of shapes that differ by one dove. Groups lie by shapes, so what one group has needed the
//! next one needs too, and a cache of a small share of all serves most.

use std::sync::{Arc, Mutex, PoisonError};

use super::archive::TableError;
use super::cache::Cache;
use super::changes::SparseBits;
use super::journal::{Journal, WinOrLoss};
use super::layout::{Layout, Part};
use super::snapshot::GroupWins;
use super::source::RoundResult;

/// So many groups a thread keeps for itself. The room has most of them, too, so that they take little memory of their own.
const MAX_THREAD_GROUPS: usize = 64;

/// A round, what it found, and a group.
type Key = (u32, WinOrLoss, usize, usize);

/// Room for groups, shared by all that is read, and the first failure to read one.
pub struct SpillCache {
    /// Wins so far, each group's after some round.
    wins: Cache<(usize, usize), GroupWins>,
    changes: Cache<Key, SparseBits>,
    /// How many bytes of wins and of what rounds have found there is room for, here or elsewhere.
    bytes: u64,
    /// At most this many of them are for what a round has found.
    most_found: u64,
    failure: Mutex<Option<TableError>>,
}

impl SpillCache {
    /// Room for this many bytes of wins and of what rounds have found, and for at most this many of the latter.
    pub fn new(bytes: u64, most_found: u64) -> SpillCache {
        SpillCache { wins: Cache::new(0), changes: Cache::new(0), bytes, most_found, failure: Mutex::new(None) }
    }

    /// Shares the room between what a round has found, which has this many bytes, and wins. Whether there is room for all that was found
    /// at one time.
    pub fn share(&self, found: u64) -> bool {
        let share = found.min(self.most_found);
        let capacity = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
        self.changes.resize(capacity(share));
        self.wins.resize(capacity(self.bytes - share));
        found <= self.most_found
    }

    /// The wins of a group, made from those that are held, if any, unless these are current.
    ///
    /// # Errors
    /// If they cannot be made.
    pub fn wins<E>(
        &self,
        class: usize,
        group: usize,
        is_current: impl Fn(&GroupWins) -> bool,
        make: impl FnOnce(Option<Arc<GroupWins>>) -> Result<Arc<GroupWins>, E>,
    ) -> Result<Arc<GroupWins>, E> {
        self.wins.renew((class, group), GroupWins::bytes, is_current, make)
    }

    /// Lets go of what rounds have found.
    pub fn clear_changes(&self) {
        self.changes.clear();
    }

    /// Remembers that something could not be read.
    pub fn fail(&self, error: TableError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// What could not be read since this was asked last: what came of it is not to be believed.
    ///
    /// # Errors
    /// The first failure.
    pub fn check(&self) -> Result<(), TableError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// Groups that a thread has asked for while it works on one, so that it seldom asks the room, which all threads share.
pub struct ThreadCache<V> {
    /// For each class its groups, up to the last that was asked for.
    classes: Vec<Vec<Option<Arc<V>>>>,
    /// How many there are.
    count: usize,
}

impl<V> Default for ThreadCache<V> {
    fn default() -> ThreadCache<V> {
        ThreadCache { classes: Vec::new(), count: 0 }
    }
}

impl<V> ThreadCache<V> {
    /// A group: what was asked for before, or what `ask` gives.
    #[inline]
    pub fn get(&mut self, class: usize, group: usize, ask: impl FnOnce() -> Arc<V>) -> &V {
        let is_there = self.classes.get(class).and_then(|groups| groups.get(group)).is_some_and(Option::is_some);
        if !is_there {
            self.enter(class, group, ask());
        }
        self.classes[class][group].as_deref().expect("it has just been entered")
    }

    fn enter(&mut self, class: usize, group: usize, value: Arc<V>) {
        if self.count == MAX_THREAD_GROUPS {
            *self = ThreadCache::default();
        }
        if self.classes.len() <= class {
            self.classes.resize_with(class + 1, Vec::new);
        }
        let groups = &mut self.classes[class];
        if groups.len() <= group {
            groups.resize(group + 1, None);
        }
        groups[group] = Some(value);
        self.count += 1;
    }
}

/// What a finished round has found.
pub struct FileFound<'a> {
    round: u32,
    outcome: WinOrLoss,
    room: &'a SpillCache,
    /// All groups in which there may be something.
    groups: Vec<(usize, usize)>,
    /// Where what has been found in each class is: its journal, and in how many shards; `None` if nothing has, or nobody reads it.
    journals: Vec<Option<(Arc<Journal>, usize)>>,
    /// In how many blocks of these journals there is something.
    blocks: usize,
}

impl<'a> FileFound<'a> {
    /// What a round has found in the classes of a part and those that it leads to, which have these journals.
    ///
    /// # Errors
    /// If a manifest is damaged or cannot be read.
    pub fn new(
        layout: &Layout,
        part: &Part,
        journals: &[Arc<Journal>],
        round: u32,
        outcome: WinOrLoss,
        room: &'a SpillCache,
    ) -> Result<FileFound<'a>, TableError> {
        let mut found = FileFound {
            round,
            outcome,
            room,
            groups: Vec::new(),
            journals: vec![None; layout.classes.len()],
            blocks: 0,
        };
        for journal in journals {
            let Some(entry) = journal.entry(round)?.filter(|entry| entry.blocks(outcome) > 0) else { continue };
            for class in part.all().filter(|class| journal.classes().contains(class)) {
                found.journals[class] = Some((journal.clone(), entry.shards));
                found.groups.extend(layout.groups(&[class]));
            }
            found.blocks += entry.blocks(outcome);
        }
        Ok(found)
    }

    /// What has been found in a group, `None` if nothing of the kind in its class.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn read(&self, class: usize, group: usize) -> Result<Option<Arc<SparseBits>>, TableError> {
        let Some((journal, shards)) = &self.journals[class] else { return Ok(None) };
        let read = || journal.group(self.round, self.outcome, *shards, class, group).map(Arc::new);
        let key = (self.round, self.outcome, class, group);
        // An empty group takes little room, but some.
        let bytes = |changes: &SparseBits| size_of::<SparseBits>() + changes.bytes();
        self.room.changes.get(key, bytes, read).map(Some)
    }

    /// Bytes of what has been found in a group, in the file; 0 if nothing was.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub fn file_bytes(&self, class: usize, group: usize) -> Result<u64, TableError> {
        let Some((journal, shards)) = &self.journals[class] else { return Ok(0) };
        journal.group_bytes(self.round, self.outcome, *shards, class, group)
    }
}

impl RoundResult for FileFound<'_> {
    type Held = ThreadCache<SparseBits>;

    #[inline]
    fn group<'a>(
        &'a self,
        held: &'a mut ThreadCache<SparseBits>,
        class: usize,
        group: usize,
    ) -> Option<&'a SparseBits> {
        self.journals[class].as_ref()?;
        Some(held.get(class, group, || {
            let read = self.read(class, group).unwrap_or_else(|error| {
                self.room.fail(error);
                None
            });
            read.unwrap_or_default()
        }))
    }

    fn groups(&self) -> Vec<(usize, usize)> {
        self.groups.clone()
    }

    fn blocks(&self) -> usize {
        self.blocks
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use super::{MAX_THREAD_GROUPS, ThreadCache};

    /// Whatever was asked for before, and let go of, a group is the one that is asked for; asked for again, it is not asked for elsewhere.
    #[test]
    fn groups_that_are_near_are_those_asked_for() {
        let mut near = ThreadCache::default();
        let asked = Cell::new(0);
        let mut get = |class, group| {
            let ask = || {
                asked.set(asked.get() + 1);
                Arc::new((class, group))
            };
            assert_eq!(*near.get(class, group, ask), (class, group));
        };
        for number in 0..3 * MAX_THREAD_GROUPS {
            for _ in 0..2 {
                get(number % 7, number / 2);
            }
            assert_eq!(asked.get(), number + 1);
        }
        get(0, 0);
        assert_eq!(asked.get(), 3 * MAX_THREAD_GROUPS + 1, "it was let go of");
    }
}
