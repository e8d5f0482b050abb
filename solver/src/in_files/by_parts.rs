//! Solving with rounds in files, part by part: for games that do not fit in memory, runs that may be interrupted at any
//! moment, and processes that each do a share of a round.
//!
//! Parts are solved in order, each after those it leads to; `part` solves one. A solved part can be probed in its
//! rounds or, if only the wins are kept, in these. Once all parts are solved, [`ByParts::write`] can replace rounds by
//! tables, part by part: it writes the part's tables, then their manifest, then removes the part's rounds.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::part::{MemoryPlan, PartSolver};
use crate::actions::block_actions::CompiledGame;
use crate::files::archive::FileEntry;
use crate::files::cache::MAX_THREAD_GROUPS;
use crate::files::documents::PartEntry;
use crate::files::game_folder::{GameFolder, names};
use crate::files::group_cache::GroupCache;
use crate::files::history::{History, SolvedPart};
use crate::files::lock::FolderLock;
use crate::files::part_folder::{Keep, PartFolder};
use crate::files::parts::{Part, Parts, SMALL_BYTES};
use crate::files::shard::Shard;
use crate::files::tables::manifest::write_manifest;
use crate::files::tables::table_file::file_name;
use crate::files::tables::writer::{MAX_FILE_BYTES, write_classes};
use crate::memory::fixed_bytes;
use crate::rounds::Round;
use crate::solved::TableError;
use crate::space::layout::Layout;
use dovemate::Limits;
use dovemate::rules::Game;

/// Maximum number of bytes of win bits in a shard of a round, unless the round is expected to find little.
const SHARD_BYTES: u64 = 1 << 28;
/// Gaps between cached groups are expected to take at most 1 ÷ this of the memory.
const GAPS_DIVISOR: u64 = 12;
/// Wins are held in memory only if there is also room for the results of rounds: 1 ÷ this of the bytes of the wins.
const CHANGES_DIVISOR: u64 = 8;
/// The minimum memory has room for this many of the largest groups, so that up to as many threads can have one each.
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
        /// The number of groups to be written in all.
        groups: u64,
    },
}

/// The progress callback, called from any thread.
type OnEvent<'a> = &'a (dyn Fn(Event) + Sync);

/// A game that is solved in files.
pub struct ByParts {
    compiled: CompiledGame,
    parts: Arc<Parts>,
    limits: Limits,
    keep: Keep,
}

/// The memory that solving a game by parts takes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Roughly the bytes needed if wins stay in files and there is hardly any room for groups.
    pub least: u64,
    /// Roughly how much of `least` the process and the actions take.
    pub fixed: u64,
}

impl fmt::Debug for ByParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByParts").field("folder", &self.parts.game_folder.path).finish_non_exhaustive()
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

    /// A game in its folder, which must exist and be locked by this process. Wins and results of rounds fill the memory
    /// limit; what exceeds it stays in files. [`ByParts::solve`] also checks the deadline and the stop flag before each
    /// round. `keep` says what to keep of the solved game.
    ///
    /// # Errors
    /// If the game was begun with another `keep` or by an earlier version, or a file cannot be read.
    pub fn new(game: Game, of_game: &Path, limits: Limits, keep: Keep) -> Result<ByParts, TableError> {
        ByParts::with(Parts::new(game, SMALL_BYTES, GameFolder::new(of_game))?, limits, keep)
    }

    /// Like [`ByParts::new`], with other parts, or in a folder that creates its files in another way.
    pub(crate) fn with(parts: Arc<Parts>, limits: Limits, keep: Keep) -> Result<ByParts, TableError> {
        for part in PartFolder::all(&parts) {
            if let Some(begun) = part.begun()?.filter(|&begun| begun != keep) {
                let begun = if begun == Keep::Wins { "its wins alone" } else { "all its rounds" };
                return Err(TableError::OtherKeep { folder: parts.game_folder.path.clone(), begun });
            }
        }
        Ok(ByParts { compiled: CompiledGame::of(parts.index.clone()), parts, limits, keep })
    }

    /// The folder of the part with a number.
    fn part(&self, number: usize) -> Arc<PartFolder> {
        PartFolder::new(&self.parts, &self.parts.list[number])
    }

    /// For each part, its rounds if it is solved and has no tables.
    fn histories(&self) -> Result<Vec<Option<History>>, TableError> {
        let rounds = |folder| match SolvedPart::of(&folder)? {
            Some(SolvedPart::Rounds(history)) => Ok(Some(history)),
            _ => Ok(None),
        };
        PartFolder::all(&self.parts).map(rounds).collect()
    }

    /// The memory plan of a part.
    fn plan(&self, part: &Part) -> MemoryPlan {
        let (layout, memory) = (&self.parts.index.layout, self.limits.memory.unwrap_or(u64::MAX));
        let wins: u64 = part.all().map(|class| layout[class].bytes()).sum();
        let beside_wins = memory.checked_sub(wins).filter(|&bytes| bytes >= wins / CHANGES_DIVISOR);
        let (cache, shard_bytes) = match beside_wins {
            Some(bytes) => (GroupCache::new(bytes, bytes), SHARD_BYTES),
            None => {
                // Threads hold groups of wins and results, and there are gaps between groups of different sizes.
                let group = part.all().map(|class| layout[class].group_bytes() as u64).max().unwrap_or(0);
                let held = 2 * (rayon::current_num_threads() * MAX_THREAD_GROUPS) as u64 * group;
                let cached = memory - held.min(memory / 3) - memory / GAPS_DIVISOR;
                // The results of a shard are in memory until its file is written.
                (GroupCache::new(cached, cached / 2), (memory / 8).clamp(1, SHARD_BYTES))
            }
        };
        let drops = self.keep == Keep::Wins && self.parts.readers(part).next().is_none();
        MemoryPlan { holds_wins: beside_wins.is_some(), cache, shard_bytes, drops }
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.parts.list.len()
    }

    /// Maximum number of shards that the part with this number, from 0, can be cut into.
    pub fn most_shards(&self, part: usize) -> usize {
        self.part(part).groups.len()
    }

    /// The number, from 0, of the first part that is not solved; `None` if all are.
    ///
    /// # Errors
    /// If a file is damaged.
    pub fn unsolved(&self) -> Result<Option<usize>, TableError> {
        Ok(self.first_unsolved()?.map(|folder| folder.part.number))
    }

    fn first_unsolved(&self) -> Result<Option<Arc<PartFolder>>, TableError> {
        for folder in PartFolder::all(&self.parts) {
            if SolvedPart::of(&folder)?.is_none() {
                return Ok(Some(folder));
            }
        }
        Ok(None)
    }

    /// Solves all parts that are not solved yet.
    ///
    /// # Errors
    /// If a file cannot be written, an existing one cannot be trusted, or a limit is reached. Finished files stay, and
    /// the next call continues from them.
    pub fn solve(&self, on_event: &(dyn Fn(Event) + Sync)) -> Result<(), TableError> {
        self.solve_in_shards(None, on_event)
    }

    /// As [`ByParts::solve`], with `shards` files of wins and as many of losses in each round; by default, enough to
    /// make each moderately large.
    pub(crate) fn solve_in_shards(&self, shards: Option<usize>, on_event: OnEvent) -> Result<(), TableError> {
        self.tidy()?;
        for folder in PartFolder::all(&self.parts) {
            if SolvedPart::of(&folder)?.is_none() {
                self.solve_part(folder, shards, on_event)?;
                self.tidy()?;
            }
        }
        Ok(())
    }

    fn solve_part(
        &self,
        folder: Arc<PartFolder>,
        shards: Option<usize>,
        on_event: OnEvent,
    ) -> Result<(), TableError> {
        let (plan, number, most) = (self.plan(&folder.part), folder.part.number, folder.groups.len());
        let mut work = PartSolver::new(&self.compiled, folder, self.keep, &plan)?;
        on_event(Event::Part { number, of: self.parts(), round: work.history.round() });
        work.update_snapshot()?;
        while !work.is_over()? {
            if let Some(limit) = self.limits.reached() {
                return Err(TableError::Limit { limit, round: work.history.round() });
            }
            let shards = shards.map_or_else(|| work.usual_shards(), Ok)?.min(most);
            // Alternate rounds run backwards, to begin with the groups that are still in memory.
            let mut order: Vec<Shard> = Shard::all(shards).collect();
            if work.history.round() % 2 == 1 {
                order.reverse();
            }
            match work.find_next(&order)? {
                Some(round) => on_event(Event::Round(round, work.history.bytes()?)),
                None => return Err(work.history.unfinished(shards)),
            }
        }
        work.complete()
    }

    /// Removes files of solved parts that are no longer needed: those that no document names and, where only the wins
    /// are kept, rounds once all parts that read them are solved.
    fn tidy(&self) -> Result<(), TableError> {
        let histories = self.histories()?;
        for history in histories.iter().flatten() {
            let mut readers = self.parts.readers(&history.folder.part);
            let is_read = readers.any(|reader| histories[reader.number].is_none());
            let dropped = if history.is_wins_alone() && !is_read { u32::MAX } else { 0 };
            history.folder.tidy(history.round(), [dropped; 2])?;
        }
        Ok(())
    }

    /// Does a share of a round of the part with this number, counted from 0, and finishes the round if all other shares
    /// are done. Returns `false` if the part was already over.
    ///
    /// # Errors
    /// If a file cannot be written, an existing one cannot be trusted, or earlier rounds, or parts that this one leads
    /// to, are not finished. A deadline and a stop flag are not checked.
    ///
    /// # Panics
    /// If there is no such part or shard.
    pub fn share(
        &self,
        part: usize,
        round: u32,
        shard: Shard,
        on_event: &(dyn Fn(Event) + Sync),
    ) -> Result<bool, TableError> {
        let folder = self.part(part);
        assert!(shard.number < shard.of && shard.of <= folder.groups.len(), "there is no such shard");
        for downstream in folder.downstream() {
            if SolvedPart::of(&downstream)?.is_none() {
                return Err(History::new(downstream)?.unfinished(shard.of));
            }
        }
        if SolvedPart::of(&folder)?.is_some() {
            return Ok(false);
        }
        let plan = self.plan(&folder.part);
        let mut work = PartSolver::new(&self.compiled, folder.clone(), self.keep, &plan)?;
        let was_over = work.is_over()?;
        if !was_over {
            if round > work.history.round() {
                return Err(work.history.unfinished(shard.of));
            }
            if round < work.history.round() {
                return Ok(true);
            }
            on_event(Event::Part { number: part, of: self.parts(), round });
            if let Some(round) = work.find_next(&[shard])? {
                on_event(Event::Round(round, work.history.bytes()?));
            }
        }
        if work.is_over()?
            && let Some(_lock) = FolderLock::to_finish(&self.parts.game_folder)?
            && SolvedPart::of(&folder)?.is_none()
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
    /// If a part is not solved, a file cannot be written, or an existing one cannot be trusted.
    pub fn write(&self, on_event: &(dyn Fn(Event) + Sync)) -> Result<(), TableError> {
        let (layout, game_folder) = (&self.parts.index.layout, &self.parts.game_folder);
        // Other parts need the rounds of a solved one until they are solved, too.
        if let Some(folder) = self.first_unsolved()? {
            return Err(TableError::Missing(folder.tables_path()));
        }
        let histories: Vec<History> = self.histories()?.into_iter().flatten().collect();
        let groups = histories.iter().map(|history| history.folder.groups.len() as u64).sum();
        let on_group = || on_event(Event::Writing { groups });
        for history in histories {
            let classes = history.folder.part.classes.iter().copied();
            let group = |group| history.group(group);
            let files = write_classes(layout, game_folder, MAX_FILE_BYTES, classes, &group, &on_group)?;
            history.folder.write_tables(&history.entry(files)?)?;
            // Windows does not remove a folder that has open files.
            let rounds = history.folder.path.clone();
            drop(history);
            // A failure is ignored: these files are no longer needed, and the final removal of all rounds reports what
            // stays.
            let _ = game_folder.remove(&rounds);
        }
        self.finish()
    }

    /// Writes the manifest of the game from those of its parts.
    fn finish(&self) -> Result<(), TableError> {
        let missing = |folder: &PartFolder| TableError::Missing(folder.tables_path());
        let entries =
            PartFolder::all(&self.parts).map(|folder| folder.tables()?.ok_or_else(|| missing(&folder)));
        let mut summary = PartEntry::combined(entries.collect::<Result<_, _>>()?);
        // Class by class, as in tables of a game that was solved in memory.
        let mut named: HashMap<String, FileEntry> =
            summary.files.drain(..).map(|file| (file.name.clone(), file)).collect();
        let layout = &self.parts.index.layout;
        let names = layout.all_groups().into_iter().map(|group| file_name(layout, group));
        summary.files = names.filter_map(|name| named.remove(&name)).collect();
        write_manifest(layout, summary, &self.parts.game_folder)
    }
}
