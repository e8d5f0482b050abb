//! Solving with rounds in files, part by part: games that do not fit in memory, runs that may be interrupted
//! at any moment, and processes that each do a share of a round.
//!
//! Parts are solved in order, each after those it leads to; `part` solves one. Rounds stay in their files,
//! and can be queried, until all parts are solved. Then tables are written part by part: first the part's
//! tables, then its summary; last, its rounds are removed.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::part::{MemoryPlan, PartSolver, downstream};
use crate::actions::block_actions::CompiledGame;
use crate::files::archive::{FileEntry, TableError, VERSION};
use crate::files::cache::MAX_THREAD_GROUPS;
use crate::files::game_folder::{GameFolder, folder_name, names};
use crate::files::history::History;
use crate::files::journal::{HalfRound, Journal, Shard};
use crate::files::lock::FolderLock;
use crate::files::sealed;
use crate::files::snapshot::{Keep, Snapshots, WinsEntry};
use crate::files::spill::SpillCache;
use crate::files::tables::manifest::{Summary, write_manifest};
use crate::files::tables::table_file::file_name;
use crate::files::tables::tablebase::{SolvedRounds, Tablebase};
use crate::files::tables::writer::{SHARD, Writer};
use crate::memory::fixed_bytes;
use crate::rounds::Round;
use crate::solved::Solution;
use crate::space::index::Index;
use crate::space::layout::{Layout, Part, PartId};
use crate::value::Value;
use dovemate::Limits;
use dovemate::rules::Game;

/// The most bytes of win bits in each shard of a part.
const SHARD_BYTES: u64 = 1 << 28;
/// Gaps between cached groups take at most this fraction of the memory, as a divisor.
const GAPS_DIVISOR: u64 = 12;
/// Wins are held in memory only if there is also room for the results of rounds: this fraction of the bytes of the
/// wins, as a divisor.
const CHANGES_DIVISOR: u64 = 8;
/// The minimum memory holds this many of the largest groups, so that each thread has its own.
const MIN_GROUPS: u64 = 64;

/// Progress while a game is solved.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A part is started or resumed.
    Part {
        /// The number of the part, counted from 0.
        number: usize,
        /// The number of parts.
        of: usize,
        /// The next round.
        round: u32,
    },
    /// A round is finished; the number is the size of the part's files in bytes.
    Round(Round, u64),
    /// Tables are being written: sent once for each group.
    Writing {
        /// The number of groups in all.
        groups: u64,
    },
}

/// The progress callback, called from any thread.
type OnEvent<'a> = &'a (dyn Fn(Event) + Sync);

/// A game that is solved in files.
pub struct ByParts {
    compiled: CompiledGame,
    folder: GameFolder,
    limits: Limits,
    keep: Keep,
}

/// The manifest of a solved part.
#[derive(Serialize, Deserialize)]
struct PartEntry {
    format: u32,
    /// The game's folder name.
    game: String,
    part: usize,
    /// The class of the longest position.
    longest_class: usize,
    #[serde(flatten)]
    summary: Summary,
}

/// The memory that solving a game by parts takes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Roughly the bytes needed if wins stay in files and there is hardly any room for groups.
    pub least: u64,
    /// Roughly the part of `least` that the process and the actions take.
    pub fixed: u64,
}

/// Reads the manifest of a part; `None` if there is none, or one of the files that it names is missing.
fn entry(folder: &GameFolder, game: &Game, part: PartId) -> Result<Option<PartEntry>, TableError> {
    let belongs = |entry: &PartEntry| (&entry.game, entry.part) == (&folder_name(game), part.0);
    let entry = sealed::read(&folder.part_manifest(part), belongs)?;
    Ok(entry.filter(|entry| entry.summary.files.iter().all(|file| folder.path.join(&file.name).exists())))
}

/// The combined summary of some parts.
fn combined(entries: Vec<PartEntry>) -> Summary {
    // Among positions of equal distance, wins come first, then earlier classes.
    let key = |entry: &&PartEntry| {
        let value = entry.summary.longest.as_ref().map(|longest| longest.value);
        (value.and_then(Value::plies), matches!(value, Some(Value::Win(_))), Reverse(entry.longest_class))
    };
    let longest = entries.iter().max_by_key(key).and_then(|entry| entry.summary.longest.clone());
    let rounds = entries.iter().map(|entry| entry.summary.rounds).max().unwrap_or(0);
    let solution = Solution::new(entries.iter().flat_map(|entry| entry.summary.rows.iter().copied()));
    let files = entries.into_iter().flat_map(|entry| entry.summary.files).collect();
    Summary { rounds, longest, files, rows: solution.rows().to_vec() }
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
    let history = History::new(Journal::new(folder, index, part))?;
    // The last round's manifest is written before the wins are complete.
    let is_complete = history.wins.as_ref().is_none_or(|wins| !wins.alone || wins.complete);
    if is_complete && history.is_over(&downstream(folder, index, part))? {
        return Ok(Some(PartFiles::Rounds(history)));
    }
    // Another process may have written the tables meanwhile, and removed the rounds.
    Ok(entry(folder, &index.layout.game, part.id)?.map(PartFiles::Tables))
}

/// The manifest of a solved part, made from its rounds.
fn entry_of(history: &History, files: Vec<FileEntry>) -> Result<PartEntry, TableError> {
    let Journal { index, part, game, .. } = &*history.journal;
    let rows = history.finished.rows_with_draws(index, part.classes.iter().copied());
    let (longest, class) = history.longest()?.unzip();
    Ok(PartEntry {
        format: VERSION,
        game: game.clone(),
        part: part.id.0,
        longest_class: class.map_or(0, |class| class.0),
        summary: Summary { rounds: history.finished.last, longest, files, rows },
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

/// The choice with which a part was begun: to keep all rounds, or the wins alone. `None` if the part is not begun.
fn begun(journal: &Journal) -> Result<Option<Keep>, TableError> {
    if WinsEntry::read(journal)?.is_some_and(|wins| wins.alone) {
        return Ok(Some(Keep::Wins));
    }
    let has_tables = || journal.game_folder.part_manifest(journal.part.id).exists();
    Ok((journal.entry(0)?.is_some() || has_tables()).then_some(Keep::Rounds))
}

/// Opens the solved parts of a game, in its folder; `None` if no part is solved. Positions in other parts are
/// unknown.
///
/// # Errors
/// If the files cannot be trusted.
pub(crate) fn open_solved(layout: Layout, folder: &Path) -> Result<Option<Tablebase>, TableError> {
    let (index, folder) = (Arc::new(Index::of(layout)), &GameFolder::new(folder));
    check_parts(&index.layout, folder)?;
    let (mut entries, mut histories) = (Vec::new(), Vec::new());
    for part in index.layout.parts() {
        match solved(folder, &index, part)? {
            Some(PartFiles::Tables(entry)) => entries.push(entry),
            Some(PartFiles::Rounds(history)) => {
                entries.push(entry_of(&history, Vec::new())?);
                let wins = match history.is_wins_alone() {
                    true => Some(Snapshots::new(&history.journal).open_complete()?),
                    false => None,
                };
                histories.push(SolvedRounds { history, wins });
            }
            None => {}
        }
    }
    if entries.is_empty() {
        return Ok(None);
    }
    Tablebase::of_files(index, &folder.path, histories, combined(entries)).map(Some)
}

impl fmt::Debug for ByParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByParts").field("folder", &self.folder.path).finish_non_exhaustive()
    }
}

impl ByParts {
    /// The memory that solving a game by parts takes.
    pub fn memory(game: &Game) -> Memory {
        let layout = Layout::new(*game);
        let fixed = fixed_bytes(game);
        let group = layout.classes.iter().map(|class| class.group_bytes() as u64).max().unwrap_or(0);
        Memory { least: fixed + MIN_GROUPS * group, fixed }
    }

    /// Whether the folder of a game has rounds, or solved parts of a game that is being solved in files.
    pub fn is_begun(of_game: &Path) -> bool {
        let names = |folder: &Path| names(folder).unwrap_or_default();
        let rounds = GameFolder::new(of_game).rounds();
        names(of_game).iter().any(|name| name.starts_with("part-"))
            || names(&rounds).iter().any(|part| !names(&rounds.join(part)).is_empty())
    }

    /// Removes the rounds in the folder of a game, which finished tables do not need.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn remove_rounds(of_game: &Path) -> Result<(), TableError> {
        let folder = GameFolder::new(of_game);
        folder.remove(&folder.rounds())
    }

    /// A game in its folder, which must exist and be locked by this process. Of its memory limit wins and the
    /// results of rounds take all; the rest stays in files. The other limits are looked at before each round. `keep`
    /// says what to keep of the solved game.
    ///
    /// # Errors
    /// If the game was begun with another `keep`.
    pub fn new(game: Game, of_game: &Path, limits: Limits, keep: Keep) -> Result<ByParts, TableError> {
        ByParts::with(Layout::new(game), GameFolder::new(of_game), limits, keep)
    }

    /// As [`ByParts::new`], for a layout with other parts, or a folder that creates its files in another way.
    pub(crate) fn with(
        layout: Layout,
        folder: GameFolder,
        limits: Limits,
        keep: Keep,
    ) -> Result<ByParts, TableError> {
        check_parts(&layout, &folder)?;
        let index = Arc::new(Index::of(layout));
        for part in index.layout.parts() {
            let begun = begun(&Journal::new(&folder, &index, part))?;
            if let Some(begun) = begun.filter(|&begun| begun != keep) {
                let begun = if begun == Keep::Wins { "its wins alone" } else { "all its rounds" };
                return Err(TableError::OtherKeep { folder: folder.path, begun });
            }
        }
        Ok(ByParts { compiled: CompiledGame::of(index), folder, limits, keep })
    }

    fn layout(&self) -> &Layout {
        &self.compiled.index.layout
    }

    fn journal(&self, part: &Part) -> Arc<Journal> {
        Journal::new(&self.folder, &self.compiled.index, part)
    }

    /// The parts that read the rounds of a part.
    fn readers(&self, part: &Part) -> impl Iterator<Item = &Part> {
        self.layout().parts().iter().filter(move |other| other.leads_to(part))
    }

    /// The memory plan of a part.
    fn plan(&self, part: &Part) -> MemoryPlan {
        let (layout, memory) = (self.layout(), self.limits.memory.unwrap_or(u64::MAX));
        let wins: u64 = part.all().map(|class| layout[class].bytes()).sum();
        let beside_wins = memory.checked_sub(wins).filter(|&bytes| bytes >= wins / CHANGES_DIVISOR);
        let (cache, shard_bytes) = match beside_wins {
            Some(bytes) => (SpillCache::new(bytes, bytes), SHARD_BYTES),
            None => {
                // Threads hold groups of wins and results, and there are gaps between groups of different sizes.
                let group = part.all().map(|class| layout[class].group_bytes() as u64).max().unwrap_or(0);
                let held = 2 * (rayon::current_num_threads() * MAX_THREAD_GROUPS) as u64 * group;
                let cached = memory - held.min(memory / 3) - memory / GAPS_DIVISOR;
                // The results of a shard are in memory until its file is written.
                (SpillCache::new(cached, cached / 2), (memory / 8).clamp(1, SHARD_BYTES))
            }
        };
        let drops = self.keep == Keep::Wins && self.readers(part).next().is_none();
        MemoryPlan { holds_wins: beside_wins.is_some(), cache, shard_bytes, drops }
    }

    fn work<'a>(&'a self, part: &'a Part, plan: &'a MemoryPlan) -> Result<PartSolver<'a>, TableError> {
        PartSolver::new(&self.compiled, &self.folder, part, self.keep, plan)
    }

    /// The error that a round comes first, which has perhaps been begun in this number of shares.
    fn unfinished(&self, part: &Part, round: u32, of: usize) -> TableError {
        let journal = self.journal(part);
        let is_missing =
            |&shard: &Shard| !HalfRound::both(round).into_iter().all(|half| journal.has(half, shard));
        let missing: Vec<String> =
            Shard::all(of).filter(is_missing).map(|shard| format!("{} of {of}", shard.number + 1)).collect();
        let missing = match missing.len() {
            none if none == 0 || none == of => String::new(),
            _ => format!("; share {} is missing", missing.join(", ")),
        };
        TableError::Unfinished { path: self.folder.part(part.id), round, missing }
    }

    fn solved(&self, part: &Part) -> Result<Option<PartFiles>, TableError> {
        solved(&self.folder, &self.compiled.index, part)
    }

    /// The rounds of a part that is solved and has no tables.
    fn rounds_of(&self, part: &Part) -> Result<Option<History>, TableError> {
        Ok(match self.solved(part)? {
            Some(PartFiles::Rounds(history)) => Some(history),
            _ => None,
        })
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.layout().parts().len()
    }

    fn part(&self, part: usize) -> &Part {
        &self.layout().parts()[part]
    }

    /// The most shards that the part with this number, from 0, can be cut into.
    pub fn most_shards(&self, part: usize) -> usize {
        self.journal(self.part(part)).groups.len()
    }

    /// The number, from 0, of the first part that is not solved; `None` if all are.
    ///
    /// # Errors
    /// If a file is damaged.
    pub fn unsolved(&self) -> Result<Option<usize>, TableError> {
        for part in self.layout().parts() {
            if self.solved(part)?.is_none() {
                return Ok(Some(part.id.0));
            }
        }
        Ok(None)
    }

    /// Solves all parts that are not solved yet.
    ///
    /// # Errors
    /// If a file cannot be written, or an existing one cannot be trusted. Finished files stay, and are not
    /// computed again. If a limit is reached; the next call goes on after the last finished round.
    pub fn solve(&self, on_event: &(dyn Fn(Event) + Sync)) -> Result<(), TableError> {
        self.solve_in_shards(None, on_event)
    }

    /// As [`ByParts::solve`], with `shards` files of wins and as many of losses in each round; by default, enough to
    /// make each moderately large.
    pub(crate) fn solve_in_shards(&self, shards: Option<usize>, on_event: OnEvent) -> Result<(), TableError> {
        self.tidy()?;
        for part in self.layout().parts() {
            if self.solved(part)?.is_none() {
                self.solve_part(part, shards, on_event)?;
                self.tidy()?;
            }
        }
        Ok(())
    }

    fn solve_part(&self, part: &Part, shards: Option<usize>, on_event: OnEvent) -> Result<(), TableError> {
        let plan = self.plan(part);
        let mut work = self.work(part, &plan)?;
        on_event(Event::Part { number: part.id.0, of: self.parts(), round: work.round() });
        work.update_snapshot()?;
        while !work.is_over()? {
            if let Some(limit) = self.limits.reached() {
                return Err(TableError::Limit { limit, round: work.round() });
            }
            let most = work.history.journal.groups.len();
            let shards = shards.map_or_else(|| work.usual_shards(), Ok)?.min(most);
            // Alternate rounds run backwards, to begin with the groups that are still in memory.
            let mut order: Vec<Shard> = Shard::all(shards).collect();
            if work.round() % 2 == 1 {
                order.reverse();
            }
            match work.find_next(&order)? {
                Some(round) => on_event(Event::Round(round, work.history.bytes()?)),
                None => return Err(self.unfinished(part, work.round(), shards)),
            }
        }
        work.complete()
    }

    /// Removes files of solved parts that are no longer needed: those that no document names and, where only the wins
    /// are kept, rounds once all parts that read them are solved.
    fn tidy(&self) -> Result<(), TableError> {
        let parts = self.layout().parts();
        let histories: Vec<Option<History>> =
            parts.iter().map(|part| self.rounds_of(part)).collect::<Result<_, _>>()?;
        for (part, history) in parts.iter().zip(&histories) {
            let Some(history) = history else { continue };
            let is_read = self.readers(part).any(|reader| histories[reader.id.0].is_none());
            let dropped = if history.is_wins_alone() && !is_read { u32::MAX } else { 0 };
            history.journal.tidy(history.round(), [dropped; 2], history.wins.as_ref())?;
        }
        Ok(())
    }

    /// Does a share of a round of the part with this number, counted from 0, and finishes the round if all other shares
    /// are done. Returns `false` if the part was already over.
    ///
    /// # Errors
    /// As [`ByParts::solve`]; also if earlier rounds, or parts that this one leads to, are not finished.
    pub fn share(
        &self,
        part: usize,
        round: u32,
        share: Shard,
        on_event: &(dyn Fn(Event) + Sync),
    ) -> Result<bool, TableError> {
        let part = self.part(part);
        for downstream in self.layout().downstream(part) {
            if self.solved(downstream)?.is_none() {
                let round = History::new(self.journal(downstream))?.round();
                return Err(self.unfinished(downstream, round, share.of));
            }
        }
        if self.solved(part)?.is_some() {
            return Ok(false);
        }
        let plan = self.plan(part);
        let mut work = self.work(part, &plan)?;
        let was_over = work.is_over()?;
        if !was_over {
            if round > work.round() {
                return Err(self.unfinished(part, work.round(), share.of));
            }
            if round < work.round() {
                return Ok(true);
            }
            on_event(Event::Part { number: part.id.0, of: self.parts(), round });
            if let Some(round) = work.find_next(&[share])? {
                on_event(Event::Round(round, work.history.bytes()?));
            }
        }
        if work.is_over()?
            && let Some(_lock) = FolderLock::to_finish(&self.folder)?
            && self.solved(part)?.is_none()
        {
            work.complete()?;
            self.tidy()?;
        }
        Ok(!was_over)
    }

    /// Writes the tables of a game whose parts are all solved, and removes their rounds. Only one process may call
    /// this.
    ///
    /// # Errors
    /// As [`ByParts::solve`].
    pub fn write(&self, on_event: &(dyn Fn(Event) + Sync)) -> Result<(), TableError> {
        let layout = self.layout();
        let mut histories = Vec::new();
        for part in layout.parts() {
            histories.extend(self.rounds_of(part)?.map(|history| (part, history)));
        }
        let groups = histories.iter().map(|(_, history)| history.journal.groups.len() as u64).sum();
        let each = || on_event(Event::Writing { groups });
        let writer = Writer { layout, folder: &self.folder, shard: SHARD, each: &each };
        for (part, history) in histories {
            let files = writer.write(part.classes.iter().copied(), &|group| history.group(group))?;
            self.folder.create_document(&self.folder.part_manifest(part.id), &entry_of(&history, files)?)?;
            // Windows does not remove a folder that has open files.
            let rounds = history.journal.folder.clone();
            drop(history);
            // A failure is ignored: these files are no longer needed, and the final removal of all rounds reports what
            // stays.
            let _ = self.folder.remove(&rounds);
        }
        self.finish()
    }

    /// Writes the manifest of the game from those of its parts.
    fn finish(&self) -> Result<(), TableError> {
        let layout = self.layout();
        let mut entries = Vec::new();
        for part in layout.parts() {
            let entry = entry(&self.folder, &layout.game, part.id)?;
            entries.push(entry.ok_or_else(|| TableError::Missing(self.folder.part_manifest(part.id)))?);
        }
        let mut summary = combined(entries);
        // Class by class, as in tables of a game that was solved in memory.
        let mut named: HashMap<String, FileEntry> =
            summary.files.drain(..).map(|file| (file.name.clone(), file)).collect();
        let names = layout.all_groups().into_iter().map(|group| file_name(layout, group));
        summary.files = names.filter_map(|name| named.remove(&name)).collect();
        write_manifest(layout, summary, &self.folder)
    }
}
