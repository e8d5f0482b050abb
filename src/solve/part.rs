//! A part of a game that is being solved: round after round, each in shares.
//!
//! Only the part's own classes and those that its puts lead to have their wins in memory, or not even these
//! ([`super::past_memory`]); what earlier rounds found is read from its [`Journal`]. The classes that are given have been solved before; they
//! take part with what each of their rounds found, so that rounds are strict: *won in n* and *lost in n* mean the same as where all is
//! solved at one time.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::archive::{Create, Frame, TableError};
use super::changes::{Changes, GroupChanges};
use super::counts::{Counts, by_shape, total};
use super::gather::Board;
use super::index::Place;
use super::journal::{Journal, Outcome, Shard};
use super::layout::{Layout, Part};
use super::past_memory::{FileFound, Room, Snapshot, Snapshots};
use super::rounds::{Candidates, Plane, Rounds, wins_of_group};
use super::sets::GroupSets;
use super::solver::{Longest, Round};
use super::source::{Found, Wins};
use crate::retrograde::Value;
use crate::solution::Row;

/// Where the wins of the rounds before are, of a part's own classes and of those that are given, and what the last of them has found.
enum Store<'a> {
    Memory {
        wins: Plane,
        /// Once it was needed.
        before: Option<(Outcome, Changes)>,
    },
    Files {
        snapshots: Snapshots<'a>,
        room: &'a Room,
        /// The wins after the round before, once they were needed.
        wins: Option<Snapshot<'a>>,
    },
}

/// A part that is being solved.
pub(super) struct Work<'a> {
    board: &'a Board,
    /// The folder of the game.
    folder: &'a Path,
    /// Bytes of a plane for each shard.
    shard_bytes: u64,
    /// The part.
    pub part: &'a Part,
    /// Its number.
    pub number: usize,
    /// Its rounds.
    pub journal: Journal<'a>,
    /// The parts that have the given classes.
    given: Vec<Journal<'a>>,
    started: Instant,
    /// The round that comes next.
    pub round: u32,
    store: Store<'a>,
    /// How many positions the rounds before have found, of each value.
    pub rows: Vec<Row>,
    /// The last round before in which something was found.
    pub last: u32,
    /// Shards of each round before.
    shards: Vec<usize>,
}

impl<'a> Work<'a> {
    /// The part with this number of all, as far as it has come. The wins stay in files if there is room for some groups of them; each file
    /// of a round has about so many bytes of a plane.
    pub fn new(
        board: &'a Board,
        folder: &'a Path,
        parts: &'a [Part],
        number: usize,
        room: Option<&'a Room>,
        shard_bytes: u64,
    ) -> Result<Work<'a>, TableError> {
        let (layout, part) = (&board.index.layout, &parts[number]);
        let journal_of = |number: usize| Journal::new(folder, layout, &parts[number], number);
        let journal = journal_of(number);
        journal.prepare().map_err(|error| TableError::Unreadable(folder.join("rounds"), error))?;
        let is_given = |other: &usize| parts[*other].classes.iter().any(|class| part.given.contains(class));
        let given = (0..number).filter(is_given).map(journal_of).collect();
        let store = match room {
            None => {
                let all: Vec<usize> = part.classes.iter().chain(&part.given).copied().collect();
                let mut wins = Plane::empty(layout, &all);
                wins.begin(board, &all);
                Store::Memory { wins, before: None }
            }
            Some(room) => {
                let snapshots = Snapshots::new(board, folder, part, number, room, shard_bytes);
                Store::Files { snapshots, room, wins: None }
            }
        };
        let (round, started) = (journal.finished()?, Instant::now());
        let mut work = Work {
            board,
            folder,
            shard_bytes,
            part,
            number,
            journal,
            given,
            started,
            round: 0,
            store,
            rows: Vec::new(),
            last: 1,
            shards: Vec::new(),
        };
        while work.round < round {
            let entry = work.journal.entry(work.round)?.expect("the round is finished");
            let rows = entry.rows().ok_or_else(|| {
                TableError::Damaged(super::journal::folder(folder, number), "what a manifest says makes no sense")
            })?;
            work.enter(entry.shards, rows)?;
        }
        Ok(work)
    }

    fn layout(&self) -> &'a Layout {
        &self.board.index.layout
    }

    /// So many that each has a moderate size.
    pub fn usual_shards(&self) -> usize {
        let bytes: u64 = self.part.classes.iter().map(|&class| self.layout().classes[class].bytes() as u64).sum();
        bytes.div_ceil(self.shard_bytes).max(1) as usize
    }

    /// What a round has found in the part's own classes and, if `with_given`, in those that are given.
    fn found(&self, round: u32, outcome: Outcome, with_given: bool) -> Result<Changes, TableError> {
        let mut changes = Changes::of(self.layout(), &[], Vec::new());
        self.journal.add_to(&mut changes, round, outcome, &self.part.classes)?;
        for given in self.given.iter().filter(|_| with_given) {
            given.add_to(&mut changes, round, outcome, &self.part.given)?;
        }
        Ok(changes)
    }

    /// Whether nothing more can be found.
    pub fn is_over(&self) -> Result<bool, TableError> {
        if self.round < 3 || self.last == self.round - 1 {
            return Ok(false);
        }
        for given in &self.given {
            // Its last round found nothing.
            if given.finished()? > self.round {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The journals of the part and of those that it leads to.
    fn journals(&self) -> Vec<&Journal<'a>> {
        std::iter::once(&self.journal).chain(&self.given).collect()
    }

    /// Makes sure that what this round needs is at hand: the wins so far, and if asked for what the round before has found.
    pub fn prepare<E: From<TableError>>(&mut self, needed: Option<Outcome>, create: Create<'_, E>) -> Result<(), E> {
        match &self.store {
            Store::Memory { before, .. } => {
                let Some(outcome) = needed.filter(|&needed| before.as_ref().is_none_or(|(there, _)| *there != needed))
                else {
                    return Ok(());
                };
                // Only one at a time, as they may be large.
                if let Store::Memory { before, .. } = &mut self.store {
                    *before = None;
                }
                let found = self.found(self.round - 1, outcome, true)?;
                if let Store::Memory { before, .. } = &mut self.store {
                    *before = Some((outcome, found));
                }
            }
            Store::Files { wins: Some(_), .. } => {}
            Store::Files { snapshots, .. } => {
                let snapshot = snapshots.after(self.round.saturating_sub(1), &self.journals(), create)?;
                if let Store::Files { wins, .. } = &mut self.store {
                    *wins = Some(snapshot);
                }
            }
        }
        Ok(())
    }

    /// Finds what this round adds in a shard, unless it is there already.
    pub fn find<E: From<TableError>>(
        &mut self,
        outcome: Outcome,
        shard: Shard,
        create: Create<'_, E>,
    ) -> Result<(), E> {
        let round = self.round;
        if self.journal.has(round, outcome, shard) {
            return Ok(());
        }
        let needed = match outcome {
            Outcome::Wins if round > 0 => Some(Outcome::Losses),
            Outcome::Losses if round > 2 => Some(Outcome::Wins),
            _ => None,
        };
        self.prepare(needed, create)?;
        let none = Changes::of(self.layout(), &[], Vec::new());
        let frames = match &self.store {
            Store::Memory { wins, before } => {
                let before = before.as_ref().filter(|(there, _)| Some(*there) == needed);
                self.frames(outcome, shard, wins, before.map_or(&none, |(_, before)| before))
            }
            Store::Files { room, wins, .. } => {
                let wins = wins.as_ref().expect("it has just been made");
                let frames = match needed {
                    Some(outcome_before) => {
                        let journals = self.journals();
                        let round = round - 1;
                        let found = FileFound { journals: &journals, round, outcome: outcome_before, room };
                        self.frames(outcome, shard, wins, &found)
                    }
                    None => self.frames(outcome, shard, wins, &none),
                };
                room.check()?;
                frames
            }
        };
        let unwritten = |error| TableError::Unreadable(super::journal::folder(self.folder, self.number), error);
        self.journal.write(round, outcome, shard, frames.map_err(unwritten)?, create)
    }

    /// What this round adds in a shard, from the wins so far and what the round before has found.
    fn frames(&self, outcome: Outcome, shard: Shard, wins: &impl Wins, before: &impl Found) -> io::Result<Vec<Frame>> {
        let round = self.round;
        let rounds = Rounds { board: self.board, groups: self.journal.groups(shard) };
        let keep = |class, group, found: GroupChanges| self.journal.frame(round, outcome, class, group, found);
        let frames: Vec<io::Result<Frame>> = match (outcome, round) {
            (Outcome::Wins, _) => rounds.wins(wins, before, &keep),
            (Outcome::Losses, 0) => rounds.stuck(&keep),
            (Outcome::Losses, 1) => rounds.self_lost(&keep),
            (Outcome::Losses, 2) => rounds.losses(wins, Candidates::All::<Changes>, &keep),
            (Outcome::Losses, _) => rounds.losses(wins, Candidates::Before(before), &keep),
        };
        frames.into_iter().collect()
    }

    /// Finishes this round, all of whose files are there, and goes on to the next.
    pub fn finish_round<E: From<TableError>>(&mut self, shards: usize, create: Create<'_, E>) -> Result<Round, E> {
        let round = self.round;
        let mut rows = Vec::new();
        let mut blocks = [0; 2];
        for outcome in Outcome::ALL {
            let counted = Mutex::new((Counts::new(), 0));
            self.journal.each(round, outcome, &self.part.classes, shards, &|class, group, found| {
                let here = by_shape(&self.board.index, class, group, found.blocks());
                let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
                counted.0.add_counts(&self.board.index, class, here);
                counted.1 += found.count();
            })?;
            let mut counts;
            (counts, blocks[outcome as usize]) = counted.into_inner().unwrap_or_else(PoisonError::into_inner);
            if (outcome, round) == (Outcome::Wins, 1) {
                let (index, classes) = (&self.board.index, &self.part.classes);
                self.prepare(None, create)?;
                match &self.store {
                    Store::Memory { wins, .. } => counts.add_plane(index, classes, wins),
                    Store::Files { wins, .. } => {
                        counts.add_plane(index, classes, wins.as_ref().expect("it has just been made"));
                    }
                }
            }
            rows.extend(counts.rows(self.layout(), outcome.value(round)));
        }
        self.check()?;
        self.journal.finish(round, shards, blocks, &rows, create)?;
        let of = |outcome: Outcome| rows.iter().filter(move |row| row.value == outcome.value(round)).copied();
        let count = |outcome| total(&of(outcome).collect::<Vec<Row>>());
        let (wins, losses) = (count(Outcome::Wins), count(Outcome::Losses));
        self.enter(shards, rows)?;
        Ok(Round { number: round, wins, losses, elapsed: self.started.elapsed() })
    }

    /// Whether everything could be read.
    fn check(&self) -> Result<(), TableError> {
        match &self.store {
            Store::Memory { .. } => Ok(()),
            Store::Files { room, .. } => room.check(),
        }
    }

    /// Takes up what a finished round has found.
    fn enter(&mut self, shards: usize, rows: Vec<Row>) -> Result<(), TableError> {
        let is_in_memory = matches!(self.store, Store::Memory { .. });
        let found =
            if is_in_memory && self.round > 0 { Some(self.found(self.round, Outcome::Wins, true)?) } else { None };
        match &mut self.store {
            Store::Memory { wins, before } => {
                if let Some(found) = found {
                    wins.add(&self.board.index.layout, &found);
                    *before = Some((Outcome::Wins, found));
                }
            }
            Store::Files { wins, .. } => *wins = None,
        }
        if !rows.is_empty() {
            self.last = self.last.max(self.round);
        }
        self.rows.extend(rows);
        self.shards.push(shards);
        self.round += 1;
        Ok(())
    }

    /// The values of a group, all rounds together.
    pub fn group(&self, class: usize, group: usize) -> Result<GroupSets, TableError> {
        let at = &self.layout().classes[class];
        let bytes = at.group_blocks(group) * at.block_bytes();
        // Wins in 1 are those that no later round has found.
        let mut first = match &self.store {
            Store::Memory { wins, .. } => wins.group(class, group)[..bytes].to_vec(),
            Store::Files { wins, .. } => {
                wins.as_ref().expect("they were prepared").group(class, group)[..bytes].to_vec()
            }
        };
        let mut found: Vec<(Value, GroupChanges)> = Vec::new();
        for (round, &shards) in (0..).zip(&self.shards) {
            for outcome in Outcome::ALL {
                let value = outcome.value(round);
                let is_found = self.rows.iter().any(|row| row.value == value);
                // Wins in 1 by leaving no action are in the plane too.
                if is_found && value != Value::Win(1) {
                    found.push((value, self.journal.group(round, outcome, shards, class, group)?));
                }
            }
        }
        for (_, wins) in found.iter().filter(|(value, _)| matches!(value, Value::Win(_))) {
            for (block, rows) in wins.blocks() {
                first[block * rows.len()..].iter_mut().zip(rows).for_each(|(byte, later)| *byte &= !*later);
            }
        }
        self.check()?;
        let mut sets = GroupSets::new(at, group);
        sets.push(Value::Win(1), GroupChanges::packed(&first, at, group));
        found.into_iter().for_each(|(value, positions)| sets.push(value, positions));
        Ok(sets)
    }

    /// A position with the greatest distance of the part, and its class.
    pub fn longest(&self) -> Result<Option<(Longest, usize)>, TableError> {
        let layout = self.layout();
        let at = |value: Value, class: usize, (number, rows): (usize, &[u8])| {
            let place = Place::first_of(layout, class, number, rows)?;
            let (board, mover) = self.board.index.position(place);
            Some((Longest { board, mover, value }, class))
        };
        for outcome in Outcome::ALL {
            let found = self.found(self.last, outcome, false)?;
            let mut classes = self.part.classes.iter();
            let first = classes.find_map(|&class| {
                let per_group = layout.classes[class].group * layout.classes[class].sets;
                found.groups[class].iter().enumerate().find_map(|(group, changes)| {
                    let (number, rows) = changes.blocks().next()?;
                    at(outcome.value(self.last), class, (group * per_group + number, rows))
                })
            });
            if first.is_some() {
                return Ok(first);
            }
        }
        // Nothing but wins at once, or nothing.
        Ok(self.part.classes.iter().find_map(|&class| {
            let at_class = &layout.classes[class];
            (0..at_class.groups()).find_map(|group| {
                let rows = wins_of_group(self.board, class, group);
                let before = group * at_class.group * at_class.sets;
                let mut blocks = rows.chunks_exact(at_class.block_bytes()).enumerate();
                blocks.find_map(|(number, rows)| at(Value::Win(1), class, (before + number, rows)))
            })
        }))
    }
}
