//! Solving with the rounds in files, part by part: games that memory does not hold at one time, runs that may be interrupted at any
//! moment, and several processes that share the work.
//!
//! For a part only its own classes and those that its puts lead to have their wins in memory, or not even these
//! (`past_memory`); what earlier rounds found is read from its [`Journal`]. The classes that are given have been solved before; they take part with what each of their rounds found, so that rounds are
//! strict: *won in n* and *lost in n* mean the same as where all is solved at one time. When a part has ended its tables are written, and
//! rounds that no other part needs are removed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::archive::{Create, Frame, TableError, VERSION};
use super::changes::{Changes, GroupChanges};
use super::counts::{Counts, by_shape, draws, total};
use super::gather::Board;
use super::index::{Index, Place};
use super::journal::{Journal, Outcome, Shard};
use super::layout::{Layout, Part};
use super::past_memory::{FileFound, Room, Snapshot, Snapshots};
use super::rounds::{Candidates, Plane, Rounds, wins_of_group};
use super::sealed;
use super::sets::GroupSets;
use super::solver::{ACTIONS_BYTES, Longest, Round};
use super::source::{Found, Wins};
use super::tables::{self, FileEntry, LongestEntry, Manifest, RowEntry, Stored, Summary, Writer, folder_name};
use crate::retrograde::Value;
use crate::rules::Game;
use crate::solution::{Row, Solution};

/// A plane of all classes with few doves, which are one part together, has at most so many bytes, unless somebody wants it otherwise.
pub const FEW_BYTES: u64 = 3 << 29;
/// Bytes of a plane for each shard of a part.
const SHARD_BYTES: u64 = 1 << 28;

/// Room for so many of the largest groups, so that each thread has what it works on.
const LEAST_GROUPS: u64 = 64;

/// What happens while a game is solved.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A part is begun, or taken up again.
    Part {
        /// Its number, counted from 0.
        number: usize,
        /// How many parts there are.
        of: usize,
        /// The round that comes next.
        round: u32,
    },
    /// A round is over.
    Round(Round),
    /// The tables of a part are being written: this is called for each of so many groups.
    Writing {
        /// The groups.
        groups: u64,
    },
}

/// Tells of what happens, from any thread.
pub type Each<'a> = &'a (dyn Fn(Event) + Sync);

/// A game that is solved in files.
pub struct ByParts {
    board: Board,
    parts: Vec<Part>,
    /// The folder of the game.
    folder: PathBuf,
    /// Where wins stay in files, the room for groups of them.
    room: Option<Room>,
    /// Bytes of a plane for each shard of a part.
    shard_bytes: u64,
}

/// What is known of a part that is solved.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PartEntry {
    format: u32,
    /// The game's folder name.
    game: String,
    part: usize,
    rounds: u32,
    longest: Option<LongestEntry>,
    /// The class of that position.
    longest_class: usize,
    files: Vec<FileEntry>,
    rows: Vec<RowEntry>,
}

/// How much memory solving a game by parts takes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// About how many bytes, if the wins of a part are in memory.
    pub usual: u64,
    /// About how many bytes, if they stay in files and there is hardly any room for groups.
    pub least: u64,
    /// Of all that, about how many bytes the actions take.
    pub actions: u64,
}

/// How much memory solving a game by parts takes.
pub fn memory(game: &Game) -> Memory {
    let index = Index::new(*game);
    let layout = &index.layout;
    let bytes = |classes: &[usize]| classes.iter().map(|&class| layout.classes[class].bytes() as u64).sum::<u64>();
    // The wins, and as many bits of what a round has found.
    let part = |part: &Part| 2 * (bytes(&part.classes) + bytes(&part.given));
    let placements: usize =
        (0..=index.placements.most_slots()).map(|slots| index.placements.with_slots(slots).len()).sum();
    let actions = placements as u64 * ACTIONS_BYTES;
    let group = layout.classes.iter().map(|class| class.group_bytes() as u64).max().unwrap_or(0);
    Memory {
        usual: layout.parts(FEW_BYTES).iter().map(part).max().unwrap_or(0) + actions,
        least: actions + LEAST_GROUPS * group,
        actions,
    }
}

fn entry_path(folder: &Path, part: usize) -> PathBuf {
    folder.join(format!("part-{part:03}.json"))
}

/// Reads what is known of a part; `None` if it is not solved.
fn entry(folder: &Path, game: &Game, part: usize) -> Result<Option<PartEntry>, TableError> {
    let path = entry_path(folder, part);
    let Some(entry) = sealed::read::<PartEntry>(&path)? else { return Ok(None) };
    if (&entry.game, entry.part) != (&folder_name(game, true), part) {
        return Err(TableError::Damaged(path, "it is of another part than its name says"));
    }
    Ok(Some(entry))
}

/// The tables of the parts of a game that are solved, in its folder; `None` if none is. Positions in others are not known.
///
/// # Errors
/// If they cannot be believed.
pub fn open_solved(game: Game, folder: &Path) -> Result<Option<Stored>, TableError> {
    let index = Index::new(game);
    let (mut files, mut rows, mut rounds, mut longest) = (Vec::new(), Vec::new(), 0, None::<Longest>);
    for part in 0..index.layout.parts(FEW_BYTES).len() {
        let Some(entry) = entry(folder, &game, part)? else { continue };
        let senseless = || TableError::Damaged(entry_path(folder, part), "what it says makes no sense");
        rows.extend(entry.rows.iter().map(RowEntry::row).collect::<Option<Vec<Row>>>().ok_or_else(senseless)?);
        rounds = rounds.max(entry.rounds);
        if let Some(here) = &entry.longest {
            let here = here.longest().ok_or_else(senseless)?;
            if longest.as_ref().is_none_or(|longest| here.value.plies() > longest.value.plies()) {
                longest = Some(here);
            }
        }
        files.extend(entry.files);
    }
    if files.is_empty() {
        return Ok(None);
    }
    let summary = Summary { solution: Solution::new(true, rows), rounds, longest };
    Stored::of_files(index, folder, true, &files, summary).map(Some)
}

impl ByParts {
    /// A game, in its folder, which is there. `few_bytes` are as in [`Layout::parts`]. With `room` for so many bytes wins stay in files.
    pub fn new(game: Game, folder: &Path, few_bytes: u64, room: Option<u64>) -> ByParts {
        let board = Board::new(game);
        let parts = board.index.layout.parts(few_bytes);
        // What a shard finds is in memory until its file is written.
        let shard_bytes = room.map_or(SHARD_BYTES, |room| (room / 8).clamp(1, SHARD_BYTES));
        ByParts { board, parts, folder: folder.to_owned(), room: room.map(Room::new), shard_bytes }
    }

    /// How many groups have been read from files, where wins stay in them.
    pub fn reads(&self) -> u64 {
        self.room.as_ref().map_or(0, Room::reads)
    }

    fn layout(&self) -> &Layout {
        &self.board.index.layout
    }

    fn journal(&self, part: usize) -> Journal<'_> {
        Journal::new(&self.folder, self.layout(), &self.parts[part], part)
    }

    fn entry_path(&self, part: usize) -> PathBuf {
        entry_path(&self.folder, part)
    }

    fn entry(&self, part: usize) -> Result<Option<PartEntry>, TableError> {
        entry(&self.folder, &self.layout().game, part)
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Into how many shards a part can be cut.
    pub fn most_shards(&self, part: usize) -> usize {
        self.journal(part).most_shards()
    }

    /// The first part that is not solved; `None` if all are.
    ///
    /// # Errors
    /// If what is there is damaged.
    pub fn unsolved(&self) -> Result<Option<usize>, TableError> {
        for part in 0..self.parts.len() {
            if self.entry(part)?.is_none() {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    /// Solves all that is not solved yet, and writes the tables of the game. `shards` are the files of a round, of its wins and of its losses;
    /// by default as many as make each moderately large.
    ///
    /// # Errors
    /// If a file cannot be written, or one that is there cannot be believed. What is finished stays, and is not done again.
    pub fn solve<E: From<TableError>>(
        &self,
        shards: Option<usize>,
        create: Create<'_, E>,
        each: Each,
    ) -> Result<(), E> {
        while let Some(part) = self.unsolved()? {
            let mut work = Work::new(self, part)?;
            each(Event::Part { number: part, of: self.parts.len(), round: work.round });
            let shards = shards.unwrap_or_else(|| work.usual_shards()).min(work.journal.most_shards());
            while !work.is_over()? {
                for outcome in Outcome::IN_ORDER {
                    for shard in Shard::all(shards) {
                        work.find(outcome, shard, create)?;
                    }
                }
                each(Event::Round(work.finish_round(shards, create)?));
            }
            self.finish_part(&mut work, create, each)?;
        }
        self.finish(create)
    }

    /// Finds what one round of a part adds in one shard, and finishes the round if its other shards are there. `false` if the part was over
    /// before this round; the first shard then writes its tables, and those of the game if this was the last part.
    ///
    /// # Errors
    /// As [`ByParts::solve`]; also if earlier rounds are not finished.
    pub fn find<E: From<TableError>>(
        &self,
        part: usize,
        round: u32,
        shard: Shard,
        create: Create<'_, E>,
        each: Each,
    ) -> Result<bool, E> {
        if self.entry(part)?.is_some() {
            return Ok(false);
        }
        let mut work = Work::new(self, part)?;
        if round < work.round {
            return Ok(true);
        }
        if round > work.round {
            let path = self.entry_path(part);
            return Err(TableError::Unfinished { path, round: work.round }.into());
        }
        each(Event::Part { number: part, of: self.parts.len(), round });
        if work.is_over()? {
            // Only one of those who come here may remove the rounds, and the others must not read them any more.
            if shard.number > 0 {
                return Ok(false);
            }
            self.finish_part(&mut work, create, each)?;
            if self.unsolved()?.is_none() {
                self.finish(create)?;
            }
            return Ok(false);
        }
        for outcome in Outcome::IN_ORDER {
            work.find(outcome, shard, create)?;
        }
        let is_there = |(outcome, shard)| work.journal.has(round, outcome, shard);
        if Shard::all(shard.of).flat_map(|shard| Outcome::ALL.map(|outcome| (outcome, shard))).all(is_there) {
            each(Event::Round(work.finish_round(shard.of, create)?));
        }
        Ok(true)
    }

    /// Writes the tables of a part's classes, then what is known of it, and removes rounds that nobody needs.
    fn finish_part<E: From<TableError>>(&self, work: &mut Work, create: Create<'_, E>, each: Each) -> Result<(), E> {
        work.prepare(None, create)?;
        let work = &*work;
        let layout = self.layout();
        let classes = &work.part.classes;
        let groups = classes.iter().map(|&class| layout.classes[class].groups() as u64).sum();
        let mut files = Vec::new();
        let each = || each(Event::Writing { groups });
        let writer = self.writer(create, &each);
        for &class in classes {
            files.extend(writer.class(class, &|group| work.group(class, group).map_err(io::Error::other))?);
        }
        let mut rows = work.rows.clone();
        rows.extend(draws(&self.board, classes, &rows));
        let longest = work.longest()?;
        let entry = PartEntry {
            format: VERSION,
            game: folder_name(&layout.game, true),
            part: work.number,
            rounds: work.last,
            longest: longest.as_ref().map(|(longest, _)| LongestEntry::new(longest)),
            longest_class: longest.map_or(0, |(_, class)| class),
            files,
            rows: rows.iter().map(|row| RowEntry::new(row, true)).collect(),
        };
        let text = sealed::text(&entry);
        create(&self.entry_path(work.number), &mut |out| out.write_all(text.as_bytes()))?;
        self.clean()?;
        Ok(())
    }

    fn writer<'a, E>(&'a self, create: Create<'a, E>, each: &'a (dyn Fn() + Sync)) -> Writer<'a, E> {
        let (layout, folder) = (self.layout(), &self.folder);
        Writer { layout, has_distances: true, folder, shard: tables::SHARD, create, each }
    }

    /// Removes the rounds of parts that are solved and to which no unsolved part leads.
    fn clean(&self) -> Result<(), TableError> {
        let is_solved = |part| self.entry(part).map(|entry| entry.is_some());
        for (number, part) in self.parts.iter().enumerate() {
            let mut is_needed = !is_solved(number)?;
            for (other, Part { given, .. }) in self.parts.iter().enumerate() {
                is_needed |= part.classes.iter().any(|class| given.contains(class)) && !is_solved(other)?;
            }
            if !is_needed {
                let journal = self.journal(number);
                journal.remove().map_err(|error| TableError::Unreadable(self.folder.join("rounds"), error))?;
            }
        }
        Ok(())
    }

    /// Writes the manifest of the game from those of its parts.
    fn finish<E: From<TableError>>(&self, create: Create<'_, E>) -> Result<(), E> {
        let mut entries = Vec::new();
        for part in 0..self.parts.len() {
            entries.extend(self.entry(part)?);
        }
        let senseless = |part: usize| TableError::Damaged(self.entry_path(part), "what it says makes no sense");
        let mut rows = Vec::new();
        let mut longest: Option<(Longest, usize)> = None;
        for entry in &entries {
            let here: Option<Vec<Row>> = entry.rows.iter().map(RowEntry::row).collect();
            rows.extend(here.ok_or_else(|| senseless(entry.part))?);
            if let Some(here) = &entry.longest {
                let here = here.longest().ok_or_else(|| senseless(entry.part))?;
                // Of equally long ones wins come first, then earlier classes.
                let key = |(longest, class): &(Longest, usize)| {
                    let is_win = matches!(longest.value, Value::Win(_));
                    (longest.value.plies(), is_win, std::cmp::Reverse(*class))
                };
                let here = (here, entry.longest_class);
                if longest.as_ref().is_none_or(|longest| key(&here) > key(longest)) {
                    longest = Some(here);
                }
            }
        }
        let mut files: Vec<FileEntry> = Vec::new();
        for (class, at) in self.layout().classes.iter().enumerate() {
            let name = |group| tables::file_name(self.layout(), at, group);
            let of_part = entries.iter().zip(&self.parts).find(|(_, part)| part.classes.contains(&class));
            let (entry, _) = of_part.expect("every class is in a part");
            let of_class: Vec<String> = (0..at.groups()).map(name).collect();
            files.extend(entry.files.iter().filter(|file| of_class.contains(&file.name)).cloned());
        }
        let rounds = entries.iter().map(|entry| entry.rounds).max().unwrap_or(0);
        let solution = Solution::new(true, rows);
        let places = self.board.index.places();
        let longest = longest.map(|(longest, _)| longest);
        let manifest = Manifest::new(&self.layout().game, &solution, places, rounds, longest, files);
        self.writer(create, &|| ()).finish(&manifest)
    }
}

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
struct Work<'a> {
    game: &'a ByParts,
    part: &'a Part,
    number: usize,
    journal: Journal<'a>,
    /// The parts that have the given classes.
    given: Vec<Journal<'a>>,
    started: Instant,
    /// The round that comes next.
    round: u32,
    store: Store<'a>,
    /// How many positions the rounds before have found, of each value.
    rows: Vec<Row>,
    /// The last round before in which something was found.
    last: u32,
    /// Shards of each round before.
    shards: Vec<usize>,
}

impl<'a> Work<'a> {
    /// The part with this number, as far as it has come.
    fn new(game: &'a ByParts, number: usize) -> Result<Work<'a>, TableError> {
        let part = &game.parts[number];
        let journal = game.journal(number);
        journal.prepare().map_err(|error| TableError::Unreadable(game.folder.join("rounds"), error))?;
        let others =
            (0..number).filter(|&other| game.parts[other].classes.iter().any(|class| part.given.contains(class)));
        let given = others.map(|other| game.journal(other)).collect();
        let store = match &game.room {
            None => {
                let all: Vec<usize> = part.classes.iter().chain(&part.given).copied().collect();
                let mut wins = Plane::empty(game.layout(), &all);
                wins.begin(&game.board, &all);
                Store::Memory { wins, before: None }
            }
            Some(room) => {
                let snapshots = Snapshots::new(&game.board, &game.folder, part, number, room, game.shard_bytes);
                Store::Files { snapshots, room, wins: None }
            }
        };
        let (round, started) = (journal.finished()?, Instant::now());
        let mut work = Work {
            game,
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
                TableError::Damaged(super::journal::folder(&game.folder, number), "what a manifest says makes no sense")
            })?;
            work.enter(entry.shards, rows)?;
        }
        Ok(work)
    }

    fn layout(&self) -> &'a Layout {
        self.game.layout()
    }

    /// So many that each has a moderate size.
    fn usual_shards(&self) -> usize {
        let bytes: u64 = self.part.classes.iter().map(|&class| self.layout().classes[class].bytes() as u64).sum();
        bytes.div_ceil(self.game.shard_bytes).max(1) as usize
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
    fn is_over(&self) -> Result<bool, TableError> {
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
    fn find<E: From<TableError>>(&mut self, outcome: Outcome, shard: Shard, create: Create<'_, E>) -> Result<(), E> {
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
        let unwritten = |error| TableError::Unreadable(super::journal::folder(&self.game.folder, self.number), error);
        self.journal.write(round, outcome, shard, frames.map_err(unwritten)?, create)
    }

    /// What this round adds in a shard, from the wins so far and what the round before has found.
    fn frames(&self, outcome: Outcome, shard: Shard, wins: &impl Wins, before: &impl Found) -> io::Result<Vec<Frame>> {
        let round = self.round;
        let rounds = Rounds { board: &self.game.board, groups: self.journal.groups(shard) };
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
    fn finish_round<E: From<TableError>>(&mut self, shards: usize, create: Create<'_, E>) -> Result<Round, E> {
        let round = self.round;
        let mut rows = Vec::new();
        let mut blocks = [0; 2];
        for outcome in Outcome::ALL {
            let counted = Mutex::new((Counts::new(), 0));
            self.journal.each(round, outcome, &self.part.classes, shards, &|class, group, found| {
                let here = by_shape(&self.game.board, class, group, found.blocks());
                let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
                counted.0.add_counts(&self.game.board, class, here);
                counted.1 += found.count();
            })?;
            let mut counts;
            (counts, blocks[outcome as usize]) = counted.into_inner().unwrap_or_else(PoisonError::into_inner);
            if (outcome, round) == (Outcome::Wins, 1) {
                let (board, classes) = (&self.game.board, &self.part.classes);
                self.prepare(None, create)?;
                match &self.store {
                    Store::Memory { wins, .. } => counts.add_plane(board, classes, wins),
                    Store::Files { wins, .. } => {
                        counts.add_plane(board, classes, wins.as_ref().expect("it has just been made"));
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
                    wins.add(&self.game.board.index.layout, &found);
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
    fn group(&self, class: usize, group: usize) -> Result<GroupSets, TableError> {
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
    fn longest(&self) -> Result<Option<(Longest, usize)>, TableError> {
        let layout = self.layout();
        let at = |value: Value, class: usize, (number, rows): (usize, &[u8])| {
            let place = Place::first_of(layout, class, number, rows)?;
            let (board, mover) = self.game.board.index.position(place);
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
                let rows = wins_of_group(&self.game.board, class, group);
                let before = group * at_class.group * at_class.sets;
                let mut blocks = rows.chunks_exact(at_class.block_bytes()).enumerate();
                blocks.find_map(|(number, rows)| at(Value::Win(1), class, (before + number, rows)))
            })
        }))
    }
}
