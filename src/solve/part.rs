//! A part of a game that is being solved: round after round, each in shares.
//!
//! Only the part's own classes and those that its puts lead to have their wins in memory, or not even these
//! ([`super::past_memory`]); what earlier rounds found is read from its [`Journal`], that of the last at one time if there is room for it,
//! else group by group. The classes that are given have been solved before; they
//! take part with what each of their rounds found, so that rounds are strict: *won in n* and *lost in n* mean the same as where all is
//! solved at one time.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::archive::{Create, Frame, TableError};
use super::changes::{Changes, GroupChanges};
use super::counts::{Counts, by_shape, kept, total};
use super::gather::Board;
use super::history::History;
use super::index::Index;
use super::journal::{Journal, Outcome, Shard};
use super::layout::{Layout, Part};
use super::past_memory::{FileFound, Room, Snapshot, Snapshots};
use super::rounds::{Candidates, Plane, Rounds, add};
use super::solver::Round;
use super::source::{Found, Wins};
use crate::solution::Row;

/// Where the wins of the rounds before are, of a part's own classes and of those that are given, and what the last of them has found.
enum Store<'a> {
    Memory {
        wins: Plane,
        /// Once it was needed; `None` in it if there is no room.
        before: Option<(Outcome, Option<Changes>)>,
    },
    Files {
        snapshots: Snapshots<'a>,
        /// The wins after the round before, once they were needed.
        wins: Option<Snapshot<'a>>,
    },
}

/// What there is for solving a part.
pub(super) struct Means {
    /// Whether the wins are in memory.
    pub holds_wins: bool,
    /// Room for what is read besides.
    pub room: Room,
    /// Bytes of a plane for each file of a round.
    pub shard_bytes: u64,
}

/// A part that is being solved.
pub(super) struct Work<'a> {
    board: &'a Board,
    /// The folder of the game.
    folder: &'a Path,
    /// The part.
    part: &'a Part,
    /// Its number.
    number: usize,
    /// Its rounds so far.
    history: History,
    /// The parts that have the given classes.
    given: Vec<Journal>,
    started: Instant,
    store: Store<'a>,
    means: &'a Means,
}

impl<'a> Work<'a> {
    /// The part with this number of all, as far as it has come.
    pub fn new(
        board: &'a Board,
        folder: &'a Path,
        parts: &'a [Part],
        number: usize,
        means: &'a Means,
    ) -> Result<Work<'a>, TableError> {
        let (layout, part) = (&board.index.layout, &parts[number]);
        let journal = Journal::new(folder, &board.index, part, number);
        journal.prepare().map_err(|error| TableError::Unreadable(super::journal::folder(folder, number), error))?;
        let given = given(folder, &board.index, parts, number);
        let store = if means.holds_wins {
            Store::Memory { wins: Plane::empty(layout, &part.all().collect::<Vec<usize>>()), before: None }
        } else {
            let snapshots = Snapshots::new(layout, folder, part, number, &means.room, means.shard_bytes);
            Store::Files { snapshots, wins: None }
        };
        let history = History::new(journal)?;
        let mut work = Work { board, folder, part, number, history, given, started: Instant::now(), store, means };
        for round in 0..work.history.round() {
            work.take_up(round)?;
        }
        Ok(work)
    }

    fn layout(&self) -> &'a Layout {
        &self.board.index.layout
    }

    /// So many that each has a moderate size.
    pub fn usual_shards(&self) -> usize {
        let bytes: u64 = self.part.classes.iter().map(|&class| self.layout().classes[class].bytes() as u64).sum();
        bytes.div_ceil(self.means.shard_bytes).max(1) as usize
    }

    /// What a round has found in the part's own classes and in those that are given; `None` if there is no room for it.
    fn found(&self, round: u32, outcome: Outcome) -> Result<Option<Changes>, TableError> {
        let room = &self.means.room;
        // Nobody asks for what rounds before found, and what is read whole has the same room.
        room.clear_changes();
        let mut bytes = 0;
        for (journal, classes) in self.sources() {
            bytes += journal.found_bytes(round, outcome, classes)?;
        }
        if !room.has(bytes) {
            return Ok(None);
        }
        let mut changes = Changes::of(self.layout(), &[], Vec::new());
        for (journal, classes) in self.sources() {
            journal.add_to(&mut changes, round, outcome, classes)?;
        }
        Ok(Some(changes))
    }

    /// Into how many shards it can be cut.
    pub fn most_shards(&self) -> usize {
        self.history.journal.most_shards()
    }

    /// The round that comes next.
    pub fn round(&self) -> u32 {
        self.history.round()
    }

    /// Whether the files of all shards of the next round are there.
    pub fn is_found(&self, shards: usize) -> bool {
        let is_there = |(outcome, shard)| self.history.journal.has(self.round(), outcome, shard);
        Shard::all(shards).flat_map(|shard| Outcome::ALL.map(|outcome| (outcome, shard))).all(is_there)
    }

    /// Whether nothing more can be found.
    pub fn is_over(&self) -> Result<bool, TableError> {
        self.history.is_over(&self.given)
    }

    /// The journals of the part and of those that it leads to, each with those classes of which some are in it and are read.
    fn sources(&self) -> impl Iterator<Item = (&Journal, &[usize])> {
        sources(self.part, &self.history, &self.given)
    }

    /// The journals of the part and of those that it leads to.
    fn journals(&self) -> Vec<&Journal> {
        self.sources().map(|(journal, _)| journal).collect()
    }

    /// Makes sure that what this round needs is at hand: the wins so far, and if asked for what the round before has found.
    fn prepare<E: From<TableError>>(&mut self, needed: Option<Outcome>, create: Create<'_, E>) -> Result<(), E> {
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
                let found = self.found(self.round() - 1, outcome)?;
                if let Store::Memory { before, .. } = &mut self.store {
                    *before = Some((outcome, found));
                }
            }
            Store::Files { wins: Some(_), .. } => {}
            Store::Files { snapshots, .. } => {
                let snapshot = snapshots.after(self.round().saturating_sub(1), &self.journals(), create)?;
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
        let round = self.round();
        if self.history.journal.has(round, outcome, shard) {
            return Ok(());
        }
        let needed = match outcome {
            Outcome::Wins if round > 0 => Some(Outcome::Losses),
            Outcome::Losses if round > 2 => Some(Outcome::Wins),
            _ => None,
        };
        self.prepare(needed, create)?;
        let none = Changes::of(self.layout(), &[], Vec::new());
        let journals = self.journals();
        let in_files =
            |outcome| FileFound::new(self.layout(), self.part, &journals, round - 1, outcome, &self.means.room);
        let frames = match (&self.store, needed) {
            (Store::Memory { wins, .. }, None) => self.frames(outcome, shard, wins, &none),
            (Store::Memory { wins, before: Some((_, Some(before))) }, _) => self.frames(outcome, shard, wins, before),
            (Store::Memory { wins, .. }, Some(needed)) => self.frames(outcome, shard, wins, &in_files(needed)?),
            (Store::Files { wins, .. }, needed) => {
                let wins = wins.as_ref().expect("it has just been made");
                match needed {
                    None => self.frames(outcome, shard, wins, &none),
                    Some(needed) => self.frames(outcome, shard, wins, &in_files(needed)?),
                }
            }
        };
        self.means.room.check()?;
        let unwritten = |error| TableError::Unreadable(super::journal::folder(self.folder, self.number), error);
        self.history.journal.write(round, outcome, shard, frames.map_err(unwritten)?, create)
    }

    /// What this round adds in a shard, from the wins so far and what the round before has found.
    fn frames(&self, outcome: Outcome, shard: Shard, wins: &impl Wins, before: &impl Found) -> io::Result<Vec<Frame>> {
        let round = self.round();
        let rounds = Rounds { board: self.board, groups: self.history.journal.groups(shard) };
        let keep = |class, group, found: GroupChanges| self.history.journal.frame(round, outcome, class, group, found);
        let frames: Vec<io::Result<Frame>> = match (outcome, round) {
            (Outcome::Wins, 1) => rounds.first_wins(before, &keep),
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
        let round = self.round();
        let mut rows = Vec::new();
        let mut blocks = [0; 2];
        for outcome in Outcome::ALL {
            let counted = Mutex::new((Counts::new(), 0));
            self.history.journal.each(round, outcome, &self.part.classes, shards, &|class, group, found| {
                let here = by_shape(&self.board.index, class, group, found.blocks().map(kept));
                let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
                counted.0.add_counts(&self.board.index, class, here);
                counted.1 += found.count();
            })?;
            let (counts, blocks_here) = counted.into_inner().unwrap_or_else(PoisonError::into_inner);
            blocks[outcome as usize] = blocks_here;
            rows.extend(counts.rows(self.layout(), outcome.value(round)));
        }
        self.means.room.check()?;
        self.history.journal.finish(round, shards, blocks, &rows, create)?;
        let of = |outcome: Outcome| rows.iter().filter(move |row| row.value == outcome.value(round)).copied();
        let count = |outcome| total(&of(outcome).collect::<Vec<Row>>());
        let (wins, losses) = (count(Outcome::Wins), count(Outcome::Losses));
        self.history.enter(shards, rows);
        self.take_up(round)?;
        Ok(Round { number: round, wins, losses, elapsed: self.started.elapsed() })
    }

    /// Has the wins that a finished round has found, for those that come after it.
    fn take_up(&mut self, round: u32) -> Result<(), TableError> {
        if let Store::Files { wins, .. } = &mut self.store {
            *wins = None;
            return Ok(());
        }
        if let Store::Memory { before, .. } = &mut self.store {
            *before = None;
        }
        let found = self.found(round, Outcome::Wins)?;
        if let Store::Memory { wins, before } = &mut self.store {
            match &found {
                Some(found) => wins.add(&self.board.index.layout, found),
                None => {
                    let layout = &self.board.index.layout;
                    let groups = wins.all_groups_mut().into_iter();
                    let groups: Vec<Vec<Mutex<&mut [u8]>>> =
                        groups.map(|groups| groups.into_iter().map(Mutex::new).collect()).collect();
                    let add = |class: usize, group: usize, found: GroupChanges| {
                        let mut rows = groups[class][group].lock().unwrap_or_else(PoisonError::into_inner);
                        add(&layout.classes[class], &mut rows, &found);
                    };
                    for (journal, classes) in sources(self.part, &self.history, &self.given) {
                        journal.each_of(round, Outcome::Wins, classes, &add)?;
                    }
                }
            }
            *before = Some((Outcome::Wins, found));
        }
        Ok(())
    }
}

/// As [`Work::sources`], of a part whose wins are being changed.
fn sources<'a>(
    part: &'a Part,
    history: &'a History,
    given: &'a [Journal],
) -> impl Iterator<Item = (&'a Journal, &'a [usize])> {
    let given = given.iter().map(|journal| (journal, &part.given[..]));
    std::iter::once((&history.journal, &part.classes[..])).chain(given)
}

/// The rounds of the parts that the part with this number of all leads to.
pub(super) fn given(folder: &Path, index: &Arc<Index>, parts: &[Part], number: usize) -> Vec<Journal> {
    let is_given = |other: &usize| parts[number].leads_to(&parts[*other]);
    (0..number).filter(is_given).map(|other| Journal::new(folder, index, &parts[other], other)).collect()
}
