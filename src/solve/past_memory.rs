//! Wins and what rounds have found where memory does not hold them: in files, with as many groups at hand as there is room for.
//!
//! The wins after each round are a *snapshot*: files of compressed groups beside those of the rounds, made from the snapshot before and what
//! the round has found. They can always be made again from the rounds, so nothing rests on them; the last two are kept.
//!
//! An action leads to few other groups: those of shapes that differ by one dove. Groups lie by shapes, so what one group has needed the
//! next one needs too, and a cache of a small share of all serves most.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::archive::{self, Archive, Create, Frame, Frames, TableError};
use super::cache::Cache;
use super::changes::GroupChanges;
use super::journal::{Journal, Outcome, folder};
use super::layout::{Class, Layout, Part};
use super::rounds::add;
use super::source::{Found, Wins};
use super::word::PADDING;

/// zstd's level for what is read a few times.
const LEVEL: i32 = 1;

/// So many groups a thread keeps for itself. The room has most of them, too, so that they take little memory of their own.
const MOST_NEAR: usize = 64;

/// A round, an outcome or the wins so far, and a group.
type Key = (u32, Option<Outcome>, usize, usize);

/// Room for groups, shared by all that is read, and the first failure to read one.
pub struct Room {
    rows: Cache<Key, Vec<u8>>,
    changes: Cache<Key, GroupChanges>,
    /// How many bytes of what rounds have found there is room for, here or elsewhere.
    changes_bytes: u64,
    failure: Mutex<Option<TableError>>,
}

impl Room {
    /// Room for so many bytes of wins, and of what rounds have found.
    pub fn new(wins: u64, changes: u64) -> Room {
        let [rows, held] = [wins, changes].map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        Room { rows: Cache::new(rows), changes: Cache::new(held), changes_bytes: changes, failure: Mutex::new(None) }
    }

    /// Whether there is room for so many bytes of what a round has found.
    pub fn has(&self, bytes: u64) -> bool {
        bytes <= self.changes_bytes
    }

    /// Lets go of what rounds have found.
    pub fn clear_changes(&self) {
        self.changes.clear();
    }

    fn fail(&self, error: TableError) {
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
pub struct Near<V> {
    /// For each class its groups, up to the last that was asked for.
    classes: Vec<Vec<Option<Arc<V>>>>,
    /// How many there are.
    count: usize,
}

impl<V> Default for Near<V> {
    fn default() -> Near<V> {
        Near { classes: Vec::new(), count: 0 }
    }
}

impl<V> Near<V> {
    #[inline]
    fn get(&mut self, class: usize, group: usize, ask: impl FnOnce() -> Arc<V>) -> &V {
        let is_there = self.classes.get(class).and_then(|groups| groups.get(group)).is_some_and(Option::is_some);
        if !is_there {
            self.enter(class, group, ask());
        }
        self.classes[class][group].as_deref().expect("it has just been entered")
    }

    fn enter(&mut self, class: usize, group: usize, value: Arc<V>) {
        if self.count == MOST_NEAR {
            *self = Near::default();
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

/// The wins after a round.
pub struct Snapshot<'a> {
    layout: &'a Layout,
    room: &'a Room,
    round: u32,
    /// For each class the place of its first group.
    first: HashMap<usize, usize>,
    archives: Vec<Archive>,
    /// How many groups each archive has, but for the last.
    per_archive: usize,
}

/// Where the snapshots of a part are, and what they are made from.
pub struct Snapshots<'a> {
    layout: &'a Layout,
    room: &'a Room,
    folder: PathBuf,
    part: &'a Part,
    number: usize,
    /// All groups that the part reads.
    groups: Vec<(usize, usize)>,
    first: HashMap<usize, usize>,
    per_archive: usize,
}

impl<'a> Snapshots<'a> {
    /// Those of a part, in the folder of its game.
    pub fn new(
        layout: &'a Layout,
        game_folder: &Path,
        part: &'a Part,
        number: usize,
        room: &'a Room,
        bytes: u64,
    ) -> Snapshots<'a> {
        let mut groups = Vec::new();
        let mut first = HashMap::new();
        for class in part.all() {
            first.insert(class, groups.len());
            groups.extend(layout.groups(&[class]));
        }
        let all: usize = groups.iter().map(|&(class, _)| layout.classes[class].group_bytes()).sum();
        let archives = (all as u64).div_ceil(bytes).max(1) as usize;
        let per_archive = groups.len().div_ceil(archives);
        Snapshots { layout, room, folder: folder(game_folder, number), part, number, groups, first, per_archive }
    }

    fn archives(&self) -> usize {
        self.groups.len().div_ceil(self.per_archive)
    }

    fn path(&self, round: u32, archive: usize) -> PathBuf {
        self.folder.join(format!("{round:04}-snapshot-{}-of-{}.round", archive + 1, self.archives()))
    }

    fn header(&self, round: u32, archive: usize) -> Vec<u8> {
        let mut what = vec![4];
        for number in [self.number as u32, round, archive as u32, self.archives() as u32] {
            what.extend(number.to_le_bytes());
        }
        archive::header(&self.layout.game, &what)
    }

    fn open(&self, round: u32) -> Result<Snapshot<'a>, TableError> {
        let game = &self.layout.game;
        let open = |(archive, groups): (usize, &[(usize, usize)])| {
            Archive::open(self.path(round, archive), game, &self.header(round, archive), groups.len())
        };
        let archives = self.groups.chunks(self.per_archive).enumerate().map(open).collect::<Result<_, _>>()?;
        Ok(Snapshot {
            layout: self.layout,
            room: self.room,
            round,
            first: self.first.clone(),
            archives,
            per_archive: self.per_archive,
        })
    }

    /// The wins after a round, all of which are finished, from the files that are there or from what the rounds have found.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn after<E: From<TableError>>(
        &self,
        round: u32,
        journals: &[&Journal],
        create: Create<'_, E>,
    ) -> Result<Snapshot<'a>, E> {
        let is_there = |round| (0..self.archives()).all(|archive| self.path(round, archive).exists());
        let begun = (0..=round).rev().find(|&round| is_there(round));
        for round in begun.map_or(0, |begun| begun + 1)..=round {
            let before = if round == 0 { None } else { Some(self.open(round - 1)?) };
            let found = FileFound::new(self.layout, self.part, journals, round, Outcome::Wins, self.room)?;
            for (archive, groups) in self.groups.chunks(self.per_archive).enumerate() {
                let path = self.path(round, archive);
                if !path.exists() {
                    let header = self.header(round, archive);
                    create(&path, &mut |out| {
                        let frame = |place: usize| self.group(before.as_ref(), &found, groups[place]);
                        let mut frames = Frames::new(groups.len(), &frame);
                        archive::write(out, &header, &mut |_| frames.next(None)).map(|_| ())
                    })?;
                }
            }
            for old in (0..round.saturating_sub(1)).rev().take_while(|&old| self.path(old, 0).exists()) {
                for archive in 0..self.archives() {
                    let path = self.path(old, archive);
                    // Another process may have been faster.
                    match std::fs::remove_file(&path) {
                        Err(error) if error.kind() != io::ErrorKind::NotFound => {
                            return Err(TableError::Unreadable(path, error).into());
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(self.open(round)?)
    }

    /// The wins of a group after a round, from those before.
    fn group(&self, before: Option<&Snapshot>, found: &FileFound, (class, group): (usize, usize)) -> io::Result<Frame> {
        let at = &self.layout.classes[class];
        let rows = match before {
            None => vec![0; at.group_blocks(group) * at.block_bytes()],
            Some(before) => {
                let mut rows = before.read(at, class, group).map_err(io::Error::other)?;
                rows.truncate(at.group_blocks(group) * at.block_bytes());
                let found = found.read(class, group).map_err(io::Error::other)?;
                found.iter().for_each(|found| add(at, &mut rows, found));
                rows
            }
        };
        Frame::new(&rows, LEVEL)
    }
}

impl Snapshot<'_> {
    fn read(&self, class: &Class, index: usize, group: usize) -> Result<Vec<u8>, TableError> {
        let place = self.first[&index] + group;
        let archive = &self.archives[place / self.per_archive];
        let mut rows = archive.content(place % self.per_archive)?;
        if rows.len() != class.group_blocks(group) * class.block_bytes() {
            return Err(archive.damaged("a group has not the size of its blocks"));
        }
        rows.extend([0; PADDING]);
        Ok(rows)
    }
}

impl Wins for Snapshot<'_> {
    type Held = Near<Vec<u8>>;

    #[inline]
    fn group<'a>(&'a self, held: &'a mut Near<Vec<u8>>, class: usize, group: usize) -> &'a [u8] {
        held.get(class, group, || {
            let at = &self.layout.classes[class];
            let read = || self.read(at, class, group).map(Arc::new);
            self.room.rows.get((self.round, None, class, group), Vec::len, read).unwrap_or_else(|error| {
                self.room.fail(error);
                vec![0; at.group_bytes() + PADDING].into()
            })
        })
    }
}

/// What a finished round has found.
pub struct FileFound<'a> {
    round: u32,
    outcome: Outcome,
    room: &'a Room,
    /// All groups in which there may be something.
    groups: Vec<(usize, usize)>,
    /// Where what has been found in each class is: its journal, and in how many shards; `None` if nothing has, or nobody reads it.
    journals: Vec<Option<(&'a Journal, usize)>>,
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
        journals: &[&'a Journal],
        round: u32,
        outcome: Outcome,
        room: &'a Room,
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
                found.journals[class] = Some((journal, entry.shards));
                found.groups.extend(layout.groups(&[class]));
            }
            found.blocks += entry.blocks(outcome);
        }
        Ok(found)
    }

    /// What has been found in a group, `None` if nothing of the kind in its class.
    fn read(&self, class: usize, group: usize) -> Result<Option<Arc<GroupChanges>>, TableError> {
        let Some((journal, shards)) = self.journals[class] else { return Ok(None) };
        let read = || journal.group(self.round, self.outcome, shards, class, group).map(Arc::new);
        let key = (self.round, Some(self.outcome), class, group);
        // An empty group takes little room, but some.
        let bytes = |changes: &GroupChanges| size_of::<GroupChanges>() + changes.bytes();
        self.room.changes.get(key, bytes, read).map(Some)
    }
}

impl Found for FileFound<'_> {
    type Held = Near<GroupChanges>;

    #[inline]
    fn group<'a>(&'a self, held: &'a mut Near<GroupChanges>, class: usize, group: usize) -> Option<&'a GroupChanges> {
        self.journals[class]?;
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

    use super::{MOST_NEAR, Near};

    /// Whatever was asked for before, and let go of, a group is the one that is asked for; asked for again, it is not asked for elsewhere.
    #[test]
    fn groups_that_are_near_are_those_asked_for() {
        let mut near = Near::default();
        let asked = Cell::new(0);
        let mut get = |class, group| {
            let ask = || {
                asked.set(asked.get() + 1);
                Arc::new((class, group))
            };
            assert_eq!(*near.get(class, group, ask), (class, group));
        };
        for number in 0..3 * MOST_NEAR {
            for _ in 0..2 {
                get(number % 7, number / 2);
            }
            assert_eq!(asked.get(), number + 1);
        }
        get(0, 0);
        assert_eq!(asked.get(), 3 * MOST_NEAR + 1, "it was let go of");
    }
}
