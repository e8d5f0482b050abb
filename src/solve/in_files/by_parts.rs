//! Solving with rounds in files, part by part: games that do not fit in memory, runs that may be interrupted
//! at any moment, and several processes that share the work.
//!
//! Parts are solved in order, each after those it leads to; `part` solves one. Rounds stay in their files,
//! and can be queried, until all parts are solved. Then tables are written part by part: first the part's
//! tables, then its summary; last, its rounds are removed.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::part::{MemoryPlan, PartSolver, downstream};
use crate::rules::Game;
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::files::archive::{TableError, VERSION};
use crate::solve::files::cache::MAX_THREAD_GROUPS;
use crate::solve::files::claim::Claim;
use crate::solve::files::game_folder::GameFolder;
use crate::solve::files::history::History;
use crate::solve::files::journal::{Journal, Shard, WinOrLoss};
use crate::solve::files::keep::Keep;
use crate::solve::files::manifest::{FileEntry, folder_name};
use crate::solve::files::sealed;
use crate::solve::files::snapshot::{self, Snapshots};
use crate::solve::files::spill::SpillCache;
use crate::solve::files::tables::{self, GameSummary, Manifest, SolvedRounds, Tablebase, Writer};
use crate::solve::memory::fixed_bytes;
use crate::solve::rounds::Round;
use crate::solve::solved::{Longest, Solution, SolutionRow};
use crate::solve::space::index::Index;
use crate::solve::space::layout::{Layout, Part, PartId};
use crate::value::Value;

/// The most bytes of win bits in each shard of a part.
pub(super) const SHARD_BYTES: u64 = 1 << 28;
/// Gaps between cached groups take up to this fraction of memory, as a divisor.
const GAPS_SHARE: u64 = 12;
/// Wins are kept in memory if there is also room for the results of rounds: this fraction of the wins' bytes,
/// as a divisor.
const CHANGES_SHARE: u64 = 8;
/// There must be room for this many of the largest groups, so that each thread has its own.
const MIN_GROUPS: u64 = 64;

/// Progress while a game is solved.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A part is started or resumed.
    Part {
        /// Its number, counted from 0.
        number: usize,
        /// The number of parts.
        of: usize,
        /// The next round.
        round: u32,
    },
    /// A round is finished; the part's files have this many bytes then.
    Round(Round, u64),
    /// Tables are being written: sent once for each group.
    Writing {
        /// The number of groups in all.
        groups: u64,
    },
}

/// Receives progress, from any thread.
pub type Each<'a> = &'a (dyn Fn(Event) + Sync);

/// A game that is solved in files.
pub struct ByParts {
    compiled: Arc<CompiledGame>,
    folder: GameFolder,
    /// The most bytes for wins and the results of rounds; `None` for no limit.
    memory: Option<u64>,
    /// Which rounds are kept.
    keep: Keep,
}

/// The manifest of a solved part.
#[derive(Serialize, Deserialize)]
struct PartEntry {
    format: u32,
    /// The game's folder name.
    game: String,
    part: usize,
    rounds: u32,
    longest: Option<Longest>,
    /// The class of the longest position.
    longest_class: usize,
    files: Vec<FileEntry>,
    rows: Vec<SolutionRow>,
}

/// The memory that solving a game by parts takes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Roughly the bytes needed if wins stay in files and there is hardly any room for groups.
    pub least: u64,
    /// Roughly the bytes of these that the process and the actions take.
    pub fixed: u64,
}

/// The memory that solving a game by parts takes.
pub fn memory(game: &Game) -> Memory {
    let layout = Layout::new(*game);
    let fixed = fixed_bytes(game);
    let group = layout.classes.iter().map(|class| class.group_bytes() as u64).max().unwrap_or(0);
    Memory { least: fixed + MIN_GROUPS * group, fixed }
}

/// Reads the manifest of a part; `None` if it has none, or lacks one of its files.
fn entry(folder: &GameFolder, game: &Game, part: PartId) -> Result<Option<PartEntry>, TableError> {
    let belongs = |entry: &PartEntry| (&entry.game, entry.part) == (&folder_name(game), part.0);
    let entry = sealed::read_own(&folder.part_manifest(part), belongs)?;
    Ok(entry.filter(|entry| entry.files.iter().all(|file| folder.path.join(&file.name).exists())))
}

/// The combined summary of some parts.
fn summary(entries: &[PartEntry]) -> GameSummary {
    let rows = entries.iter().flat_map(|entry| entry.rows.iter().copied());
    // Of equally long ones, wins come first, then earlier classes.
    let key = |entry: &&PartEntry| {
        let value = entry.longest.as_ref().map(|longest| longest.value);
        (value.and_then(Value::plies), matches!(value, Some(Value::Win(_))), Reverse(entry.longest_class))
    };
    GameSummary {
        solution: Solution::new(rows),
        rounds: entries.iter().map(|entry| entry.rounds).max().unwrap_or(0),
        longest: entries.iter().max_by_key(key).and_then(|entry| entry.longest.clone()),
    }
}

/// The files of a solved part.
enum PartFiles {
    Tables(PartEntry),
    Rounds(History),
}

/// The files of a part; `None` if it is not solved.
fn solved(folder: &GameFolder, index: &Arc<Index>, part: &Part) -> Result<Option<PartFiles>, TableError> {
    if let Some(entry) = entry(folder, &index.layout.game, part.id)? {
        return Ok(Some(PartFiles::Tables(entry)));
    }
    let history = History::new(Journal::open_existing(folder, index, part)?)?;
    let is_over = history.is_over(&downstream(folder, index, part)?)?;
    // Manifests come before the snapshot is complete.
    if is_over && history.journal.is_complete()? {
        return Ok(Some(PartFiles::Rounds(history)));
    }
    // Another process may have written the tables and removed the rounds meanwhile.
    Ok(entry(folder, &index.layout.game, part.id)?.map(PartFiles::Tables))
}

/// The manifest of a solved part, made from its rounds.
fn entry_of(history: &History, PartId(part): PartId, files: Vec<FileEntry>) -> Result<PartEntry, TableError> {
    let index = &history.journal.index;
    let rows = history.finished.rows_with_draws(index, history.journal.classes.iter().copied());
    let longest = history.longest()?;
    let address = longest.as_ref().and_then(|longest| index.address(&longest.board, longest.mover));
    Ok(PartEntry {
        format: VERSION,
        game: folder_name(&index.layout.game),
        part,
        rounds: history.finished.last,
        longest,
        longest_class: address.map_or(0, |address| address.block.class.0),
        files,
        rows,
    })
}

/// Refuses files of earlier versions, which divided the whole game without returns into more parts.
fn check_parts(layout: &Layout, folder: &GameFolder) -> Result<(), TableError> {
    let beyond = PartId(layout.parts().len());
    match folder.part(beyond).exists() || folder.part_manifest(beyond).exists() {
        true => Err(TableError::OtherParts(folder.path.clone())),
        false => Ok(()),
    }
}

/// Opens the solved parts of a game, in its folder; `None` if no part is solved. Positions in other parts are
/// unknown.
///
/// # Errors
/// If the files cannot be trusted.
pub fn open_solved(layout: Layout, folder: &Path) -> Result<Option<Tablebase>, TableError> {
    let (index, folder) = (Arc::new(Index::of(layout)), &GameFolder::new(folder));
    check_parts(&index.layout, folder)?;
    let (mut entries, mut histories) = (Vec::new(), Vec::new());
    for part in index.layout.parts() {
        match solved(folder, &index, part)? {
            Some(PartFiles::Tables(entry)) => entries.push(entry),
            Some(PartFiles::Rounds(history)) => {
                entries.push(entry_of(&history, part.id, Vec::new())?);
                let wins = match history.journal.keep {
                    Keep::Everything => None,
                    Keep::UpTo(_) => Some(snapshot::open_complete(&index.layout, folder, part)?),
                };
                histories.push(SolvedRounds { history, wins });
            }
            None => {}
        }
    }
    if entries.is_empty() {
        return Ok(None);
    }
    let summary = summary(&entries);
    let files: Vec<FileEntry> = entries.into_iter().flat_map(|entry| entry.files).collect();
    Tablebase::of_files(index, &folder.path, &files, histories, summary).map(Some)
}

impl ByParts {
    /// A game, in its folder, which exists. Wins and the results of rounds take at most `memory` bytes; what
    /// exceeds that stays in files. Rounds are kept as `keep` says.
    ///
    /// # Errors
    /// If the game was begun with another `keep`, by this process or another, or if its claim is damaged.
    pub fn new(
        layout: Layout,
        folder: GameFolder,
        memory: Option<u64>,
        keep: Keep,
    ) -> Result<ByParts, TableError> {
        check_parts(&layout, &folder)?;
        let claim = Claim::new(&folder, &layout.game, keep);
        if claim.found()?.is_none() {
            claim.make()?;
        }
        // Another process may have made the claim first.
        let found = claim.found()?.ok_or_else(|| TableError::Overtaken(folder.path.clone()))?;
        if found != keep {
            let found = found.to_string();
            return Err(TableError::OtherKeep { folder: folder.path.clone(), found });
        }
        let compiled = Arc::new(CompiledGame::of(layout));
        Ok(ByParts { compiled, folder, memory, keep })
    }

    fn layout(&self) -> &Layout {
        &self.compiled.index.layout
    }

    fn journal(&self, part: &Part) -> Journal {
        Journal::new(&self.folder, &self.compiled.index, part, self.keep)
    }

    /// The parts that read the rounds of a part.
    fn readers(&self, part: &Part) -> impl Iterator<Item = &Part> {
        self.layout().parts().iter().filter(move |other| other.leads_to(part))
    }

    /// The memory plan of a part.
    fn plan(&self, part: &Part) -> MemoryPlan {
        let wins: u64 = part.all().map(|class| self.layout()[class].bytes()).sum();
        let drops = self.keep != Keep::Everything && self.readers(part).next().is_none();
        let holding = |changes| {
            let cache = SpillCache::new(changes, changes);
            MemoryPlan { holds_wins: true, cache, shard_bytes: SHARD_BYTES, drops }
        };
        match self.memory {
            None => holding(u64::MAX),
            Some(memory) if memory >= wins + wins / CHANGES_SHARE => holding(memory - wins),
            Some(memory) => {
                let cached = memory - self.uncached(part, memory);
                MemoryPlan {
                    holds_wins: false,
                    cache: SpillCache::new(cached, cached / 2),
                    // The results of a shard are in memory until its file is written.
                    shard_bytes: (memory / 8).clamp(1, SHARD_BYTES),
                    drops,
                }
            }
        }
    }

    /// The part of `memory`, in bytes, that the caches leave free: for the groups of wins and of results that
    /// threads hold on to, and for gaps between groups of different sizes.
    fn uncached(&self, part: &Part, memory: u64) -> u64 {
        let groups = part.all().map(|class| self.layout()[class].group_bytes() as u64);
        let threads = 2 * (rayon::current_num_threads() * MAX_THREAD_GROUPS) as u64;
        (threads * groups.max().unwrap_or(0)).min(memory / 3) + memory / GAPS_SHARE
    }

    fn work<'a>(&'a self, part: &'a Part, plan: &'a MemoryPlan) -> Result<PartSolver<'a>, TableError> {
        PartSolver::new(&self.compiled, &self.folder, part, self.keep, plan)
    }

    fn unfinished(&self, part: &Part, round: u32) -> TableError {
        TableError::Unfinished { path: self.folder.part(part.id), round }
    }

    fn solved(&self, part: &Part) -> Result<Option<PartFiles>, TableError> {
        solved(&self.folder, &self.compiled.index, part)
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.layout().parts().len()
    }

    fn part(&self, PartId(part): PartId) -> &Part {
        &self.layout().parts()[part]
    }

    /// The most shards that a part can be cut into.
    pub fn most_shards(&self, part: PartId) -> usize {
        self.journal(self.part(part)).most_shards()
    }

    /// The first part that is not solved; `None` if all are.
    ///
    /// # Errors
    /// If a file is damaged.
    pub fn unsolved(&self) -> Result<Option<PartId>, TableError> {
        for part in self.layout().parts() {
            if self.solved(part)?.is_none() {
                return Ok(Some(part.id));
            }
        }
        Ok(None)
    }

    /// Solves all parts that are not solved yet. Each round has `shards` files of wins and as many of losses;
    /// by default, enough to make each moderately large.
    ///
    /// # Errors
    /// If a file cannot be written, or an existing one cannot be trusted. Finished files stay, and are not
    /// computed again.
    pub fn solve(&self, shards: Option<usize>, each: Each) -> Result<(), TableError> {
        self.drop_unneeded_rounds()?;
        for part in self.layout().parts() {
            if self.solved(part)?.is_none() {
                self.solve_part(part, shards, each).map_err(|error| self.overtaken(part, error))?;
                self.drop_unneeded_rounds()?;
            }
        }
        Ok(())
    }

    fn solve_part(&self, part: &Part, shards: Option<usize>, each: Each) -> Result<(), TableError> {
        let plan = self.plan(part);
        let mut work = self.work(part, &plan)?;
        each(Event::Part { number: part.id.0, of: self.parts(), round: work.round() });
        work.resume()?;
        while !work.is_over()? {
            let most = work.history.journal.most_shards();
            let shards = shards.map_or_else(|| work.usual_shards(), Ok)?.min(most);
            // Every other round goes backwards: it begins with the groups that are still in memory.
            let mut order: Vec<Shard> = Shard::all(shards).collect();
            if work.round() % 2 == 1 {
                order.reverse();
            }
            find_next(&mut work, &order, each)?;
        }
        work.complete()
    }

    /// The error that stopped this process in a part: if another process has solved the part meanwhile, files
    /// that this one needed are gone.
    fn overtaken(&self, part: &Part, error: TableError) -> TableError {
        let folder = self.folder.part(part.id);
        let may_be_gone =
            matches!(error, TableError::Damaged(..) | TableError::Unreadable(..) | TableError::Unwritten(..));
        let is_solved = || self.solved(part).is_ok_and(|solved| solved.is_some());
        if may_be_gone && (!folder.exists() || self.folder.manifest().exists() || is_solved()) {
            TableError::Overtaken(folder)
        } else {
            error
        }
    }

    /// Removes from complete parts what is no longer needed: files that no manifest names, and snapshots of
    /// wins that the rounds or other parts have. If rounds are dropped at all, drops those of complete parts
    /// that no other part still reads.
    ///
    /// # Errors
    /// As [`ByParts::solve`].
    pub fn drop_unneeded_rounds(&self) -> Result<(), TableError> {
        let mut rounds = Vec::new();
        for part in self.layout().parts() {
            let solved = self.solved(part)?;
            rounds.push(if let Some(PartFiles::Rounds(history)) = solved {
                Some(history.round())
            } else {
                None
            });
        }
        for (part, all) in self.layout().parts().iter().zip(&rounds) {
            let (Some(all), journal) = (*all, self.journal(part)) else { continue };
            journal.remove_other_shards(0..all)?;
            Snapshots::new(self.layout(), &self.folder, part).remove_unneeded(self.keep)?;
            if self.readers(part).all(|reader| rounds[reader.id.0].is_some()) {
                journal.drop_below(all, all)?;
            }
        }
        Ok(())
    }

    /// Finds what a round of a part adds in one shard, and finishes the round if its other shards exist.
    /// Returns `false` if the part was already over.
    ///
    /// # Errors
    /// As [`ByParts::solve`]; also if earlier rounds, or parts that this one leads to, are not finished.
    pub fn find(&self, part: PartId, round: u32, shard: Shard, each: Each) -> Result<bool, TableError> {
        let part = self.part(part);
        for downstream in self.layout().downstream(part) {
            if self.solved(downstream)?.is_none() {
                return Err(self.unfinished(downstream, History::new(self.journal(downstream))?.round()));
            }
        }
        if self.solved(part)?.is_some() {
            return Ok(false);
        }
        self.find_in(part, round, shard, each).map_err(|error| self.overtaken(part, error))
    }

    fn find_in(&self, part: &Part, round: u32, shard: Shard, each: Each) -> Result<bool, TableError> {
        let plan = self.plan(part);
        let mut work = self.work(part, &plan)?;
        let was_over = work.is_over()?;
        match round.cmp(&work.round()) {
            Ordering::Less => return Ok(true),
            _ if was_over => {}
            Ordering::Equal => {
                each(Event::Part { number: part.id.0, of: self.parts(), round });
                find_next(&mut work, &[shard], each)?;
            }
            Ordering::Greater => return Err(self.unfinished(part, work.round())),
        }
        if work.is_over()? {
            work.complete()?;
            self.drop_unneeded_rounds()?;
        }
        Ok(!was_over)
    }

    /// Writes the tables of a game whose parts are all solved, and removes the rounds. Only one of several
    /// processes may do that.
    ///
    /// # Errors
    /// As [`ByParts::solve`].
    pub fn write(&self, each: Each) -> Result<(), TableError> {
        let layout = self.layout();
        let mut histories = Vec::new();
        for part in layout.parts() {
            if let Some(PartFiles::Rounds(history)) = self.solved(part)? {
                histories.push((part, history));
            }
        }
        let classes = histories.iter().flat_map(|(_, history)| &history.journal.classes);
        let groups = classes.map(|&class| layout[class].groups() as u64).sum();
        let each = || each(Event::Writing { groups });
        let writer = Writer { layout, folder: &self.folder, shard: tables::SHARD, each: &each };
        for (part, history) in histories {
            let mut files = Vec::new();
            for &class in &history.journal.classes {
                files.extend(writer.class(class, &|group| history.group(group))?);
            }
            self.folder
                .create_document(&self.folder.part_manifest(part.id), &entry_of(&history, part.id, files)?)?;
            // Windows keeps a folder with files that are open.
            let rounds = history.journal.folder.clone();
            drop(history);
            self.folder.remove(&rounds)?;
        }
        self.finish()?;
        self.folder.remove(&self.folder.rounds())
    }

    /// Writes the manifest of the game from those of its parts.
    fn finish(&self) -> Result<(), TableError> {
        let layout = self.layout();
        let mut entries = Vec::new();
        for part in layout.parts() {
            let entry = entry(&self.folder, &layout.game, part.id)?;
            entries.push(entry.ok_or_else(|| TableError::Overtaken(self.folder.path.clone()))?);
        }
        let found = summary(&entries);
        let of_parts = entries.into_iter().flat_map(|entry| entry.files);
        let mut named: HashMap<String, FileEntry> = of_parts.map(|file| (file.name.clone(), file)).collect();
        let names = layout.all_groups().into_iter().map(|group| tables::file_name(layout, group));
        let files = names.filter_map(|name| named.remove(&name)).collect();
        Manifest::new(layout, found, files).write(&self.folder)
    }
}

/// Finds the next round of a part in some shards, and finishes the round if the others exist.
fn find_next(work: &mut PartSolver, shards: &[Shard], each: Each) -> Result<(), TableError> {
    for outcome in WinOrLoss::IN_ORDER {
        shards.iter().try_for_each(|&shard| work.find(outcome, shard))?;
    }
    let of = shards[0].of;
    if work.is_found(of) {
        let round = work.finish_round(of)?;
        each(Event::Round(round, work.history.bytes()?));
    }
    Ok(())
}
