//! Solving with the rounds in files, part by part: games that memory does not hold at one time, runs that may be interrupted at any
//! moment, and several processes that share the work.
//!
//! For a part only its own classes and those that its puts lead to have their wins in memory; what earlier rounds found is read
//! from its [`Journal`]. The classes that are given have been solved before; they take part with what each of their rounds found, so that rounds are
//! strict: *won in n* and *lost in n* mean the same as where all is solved at one time. When a part has ended its tables are written, and
//! rounds that no other part needs are removed.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::archive::{Create, Frame, TableError, VERSION};
use super::changes::{Changes, GroupChanges};
use super::counts::{Counts, draws, total};
use super::gather::Board;
use super::index::Place;
use super::journal::{Journal, Outcome, Shard};
use super::layout::{Layout, Part};
use super::rounds::{Candidates, Plane, Rounds};
use super::sealed;
use super::sets::GroupSets;
use super::solver::{ACTIONS_BYTES, Longest, Round};
use super::tables::{self, FileEntry, LongestEntry, RowEntry, folder_name};
use crate::retrograde::Value;
use crate::rules::Game;
use crate::solution::{Row, Solution};

/// A plane of all classes with few doves, which are one part together, has at most so many bytes, unless somebody wants it otherwise.
pub const FEW_BYTES: u64 = 3 << 29;
/// Bytes of a plane for each shard of a part.
const SHARD_BYTES: u64 = 1 << 28;

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

/// About how many bytes solving a game by parts takes.
pub fn memory(game: &Game) -> u64 {
    let index = super::index::Index::new(*game);
    let layout = &index.layout;
    let bytes = |classes: &[usize]| classes.iter().map(|&class| layout.classes[class].bytes() as u64).sum::<u64>();
    // The wins, and as many bits of what a round has found.
    let part = |part: &Part| 2 * (bytes(&part.classes) + bytes(&part.given));
    let placements: usize =
        (0..=index.placements.most_slots()).map(|slots| index.placements.with_slots(slots).len()).sum();
    layout.parts(FEW_BYTES).iter().map(part).max().unwrap_or(0) + placements as u64 * ACTIONS_BYTES
}

impl ByParts {
    /// A game, in its folder, which is there. `few_bytes` are as in [`Layout::parts`].
    pub fn new(game: Game, folder: &Path, few_bytes: u64) -> ByParts {
        let board = Board::new(game);
        let parts = board.index.layout.parts(few_bytes);
        ByParts { board, parts, folder: folder.to_owned() }
    }

    fn layout(&self) -> &Layout {
        &self.board.index.layout
    }

    fn journal(&self, part: usize) -> Journal<'_> {
        Journal::new(&self.folder, self.layout(), &self.parts[part], part)
    }

    fn entry_path(&self, part: usize) -> PathBuf {
        self.folder.join(format!("part-{part:03}.json"))
    }

    fn entry(&self, part: usize) -> Result<Option<PartEntry>, TableError> {
        let path = self.entry_path(part);
        let Some(entry) = sealed::read::<PartEntry>(&path)? else { return Ok(None) };
        if (&entry.game, entry.part) != (&folder_name(&self.layout().game, true), part) {
            return Err(TableError::Damaged(path, "it is of another part than its name says"));
        }
        Ok(Some(entry))
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.parts.len()
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
            self.finish_part(&work, create, each)?;
        }
        self.finish(create)
    }

    /// Finds what one round of a part adds in one shard, and finishes the round if its other shards are there. `false` if the part was over
    /// before this round.
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
            self.finish_part(&work, create, each)?;
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
    fn finish_part<E: From<TableError>>(&self, work: &Work, create: Create<'_, E>, each: Each) -> Result<(), E> {
        let layout = self.layout();
        let classes = &work.part.classes;
        let groups = classes.iter().map(|&class| layout.classes[class].groups() as u64).sum();
        let mut files = Vec::new();
        for &class in classes {
            let group = |group| work.group(class, group).map_err(io::Error::other);
            let each = || each(Event::Writing { groups });
            let shard = tables::SHARD;
            files.extend(tables::write_class(layout, true, class, &group, &self.folder, shard, create, &each)?);
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
        tables::finish(&self.layout().game, &solution, places, rounds, longest, files, &self.folder, create)
    }
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
    /// All wins of the rounds before, of the part's own classes and of those that are given.
    plane: Plane,
    /// What the round before has found, once it was needed.
    before: Option<(Outcome, Changes)>,
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
        let layout = game.layout();
        let all: Vec<usize> = part.classes.iter().chain(&part.given).copied().collect();
        let mut plane = Plane::empty(layout, &all);
        plane.begin(&game.board, &all);
        let (round, started) = (journal.finished()?, Instant::now());
        let mut work = Work {
            game,
            part,
            number,
            journal,
            given,
            started,
            round: 0,
            plane,
            before: None,
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
        bytes.div_ceil(SHARD_BYTES).max(1) as usize
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

    /// What the round before this one has found, anywhere.
    fn found_before(&mut self, outcome: Outcome) -> Result<&Changes, TableError> {
        if self.before.as_ref().is_none_or(|(there, _)| *there != outcome) {
            // Only one at a time, as they may be large.
            self.before = None;
            self.before = Some((outcome, self.found(self.round - 1, outcome, true)?));
        }
        Ok(&self.before.as_ref().expect("it has just been read").1)
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

    /// Finds what this round adds in a shard, unless it is there already.
    fn find<E: From<TableError>>(&mut self, outcome: Outcome, shard: Shard, create: Create<'_, E>) -> Result<(), E> {
        let round = self.round;
        if self.journal.has(round, outcome, shard) {
            return Ok(());
        }
        if round > 0 && (outcome == Outcome::Wins || round > 2) {
            let before = if outcome == Outcome::Wins { Outcome::Losses } else { Outcome::Wins };
            self.found_before(before)?;
        }
        let none = Changes::of(self.layout(), &[], Vec::new());
        let before = self.before.as_ref().map_or(&none, |(_, before)| before);
        let rounds = Rounds { board: &self.game.board, groups: self.journal.groups(shard) };
        let keep = |class, group, found: GroupChanges| self.journal.frame(round, outcome, class, group, found);
        let frames: Vec<io::Result<Frame>> = match (outcome, round) {
            (Outcome::Wins, 0) => rounds.wins(&self.plane, &none, &keep),
            (Outcome::Wins, _) => rounds.wins(&self.plane, before, &keep),
            (Outcome::Losses, 0) => rounds.stuck(&keep),
            (Outcome::Losses, 1) => rounds.self_lost(&keep),
            (Outcome::Losses, 2) => rounds.losses(&self.plane, Candidates::All, &keep),
            (Outcome::Losses, _) => rounds.losses(&self.plane, Candidates::Before(before), &keep),
        };
        let frames: io::Result<Vec<Frame>> = frames.into_iter().collect();
        let unwritten = |error| TableError::Unreadable(super::journal::folder(&self.game.folder, self.number), error);
        self.journal.write(round, outcome, shard, frames.map_err(unwritten)?, create)
    }

    /// Finishes this round, all of whose files are there, and goes on to the next.
    fn finish_round<E: From<TableError>>(&mut self, shards: usize, create: Create<'_, E>) -> Result<Round, E> {
        let round = self.round;
        let mut rows = Vec::new();
        for outcome in Outcome::ALL {
            let mut found = Changes::of(self.layout(), &[], Vec::new());
            self.journal.read(&mut found, round, outcome, &self.part.classes, shards)?;
            let mut counts = Counts::new();
            counts.add(&self.game.board, &found);
            if (outcome, round) == (Outcome::Wins, 1) {
                counts.add_plane(&self.game.board, &self.part.classes, &self.plane);
            }
            rows.extend(counts.rows(self.layout(), outcome.value(round)));
        }
        self.journal.finish(round, shards, &rows, create)?;
        let of = |outcome: Outcome| rows.iter().filter(move |row| row.value == outcome.value(round)).copied();
        let count = |outcome| total(&of(outcome).collect::<Vec<Row>>());
        let (wins, losses) = (count(Outcome::Wins), count(Outcome::Losses));
        self.enter(shards, rows)?;
        Ok(Round { number: round, wins, losses, elapsed: self.started.elapsed() })
    }

    /// Takes up what a finished round has found.
    fn enter(&mut self, shards: usize, rows: Vec<Row>) -> Result<(), TableError> {
        if self.round > 0 {
            self.before = None;
            let wins = self.found(self.round, Outcome::Wins, true)?;
            self.plane.add(self.layout(), &wins);
            self.before = Some((Outcome::Wins, wins));
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
        let mut first = self.plane.blocks(class)[group * at.group_bytes()..][..bytes].to_vec();
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
        let mut sets = GroupSets::new(at, group);
        sets.push(Value::Win(1), GroupChanges::packed(&first, at.block_bytes()));
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
            let mut blocks = self.plane.blocks(class).chunks(layout.classes[class].block_bytes()).enumerate();
            blocks.find_map(|block| at(Value::Win(1), class, block))
        }))
    }
}
