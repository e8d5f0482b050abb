//! A part of a game that is being solved, round after round, each in shards.
//!
//! Memory holds the wins of the part's own classes and of the classes that its puts lead to. If these wins do not fit,
//! it holds as many of them as do: see [`crate::files::group_cache`]. The results of the last round are read from the
//! [`PartFolder`]s of the part and of those downstream, all at once if there is room, otherwise group by group. The
//! classes downstream were solved before; the results of each of their rounds take effect in the round with the same
//! number, so that rounds are strict: *won in n* and *lost in n* mean the same as when everything is solved together.

use std::collections::HashSet;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::actions::block_actions::CompiledGame;
use crate::actions::predecessors::BlockPredecessors;
use crate::files::archive::Frame;
use crate::files::group_cache::{FileFound, GroupCache};
use crate::files::history::History;
use crate::files::lock::FolderLock;
use crate::files::part_folder::{Keep, PartFolder, RoundTally};
use crate::files::parts::Part;
use crate::files::shard::{HalfRound, Shard};
use crate::files::snapshot::{Snapshot, Snapshots};
use crate::rounds::Round;
use crate::rounds::round::{Candidates, add, map_groups, terminal_values};
use crate::solved::TableError;
use crate::space::inputs::{RoundResult, Wins};
use crate::space::layout::{GroupId, Layout};
use crate::space::sparse::SparseGroup;
use crate::space::win_bits::WinBits;
use crate::whole_files::create_folder;

/// Files of a round should not be much smaller than this, in bytes, because writing each one takes milliseconds.
const MIN_SHARD_BYTES: u64 = 1 << 20;

/// How memory is used for a part.
pub(super) struct MemoryPlan {
    /// Whether the wins are in memory.
    pub holds_wins: bool,
    /// Memory for everything else that is read.
    pub cache: GroupCache,
    /// Maximum number of bytes of win bits for each file of a round, unless the round is expected to find little.
    pub shard_bytes: u64,
    /// Whether rounds are removed while the part is being solved: only the wins are kept, and no other part needs the
    /// rounds.
    pub drops: bool,
}

/// The wins or the losses of the round before.
struct Before<'a> {
    half: HalfRound,
    /// The results, in memory, or in their files if they do not fit.
    found: FileFound<'a>,
    /// The blocks of the part from which actions lead to the results, for all shards of a round.
    to_examine: BlockPredecessors,
}

/// A part that is being solved.
pub(super) struct PartSolver<'a> {
    compiled: &'a CompiledGame,
    keep: Keep,
    /// Its rounds so far.
    pub history: History,
    /// The part's own folder first, then those of the parts downstream, whose rounds are finished.
    folders: Vec<Arc<PartFolder>>,
    /// The wins of earlier rounds, of the part's own classes and of those downstream, if the plan holds them in memory.
    wins: Option<WinBits>,
    /// Otherwise the same wins in files, opened when a round first needs them.
    snapshot: Option<Snapshot<'a>>,
    snapshots: Arc<Snapshots>,
    /// The wins or the losses of the round before, once they are needed.
    before: Option<Before<'a>>,
    /// The numbers of wins and losses of this round, in the shards counted so far.
    tallies: [Mutex<RoundTally>; 2],
    /// The shards that this process has computed, which are already counted.
    counted: HashSet<(HalfRound, Shard)>,
    plan: &'a MemoryPlan,
}

impl<'a> PartSolver<'a> {
    /// Opens a part as far as it has been solved. `keep` says what to keep of it.
    pub(super) fn new(
        compiled: &'a CompiledGame,
        folder: Arc<PartFolder>,
        keep: Keep,
        plan: &'a MemoryPlan,
    ) -> Result<PartSolver<'a>, TableError> {
        create_folder(&folder.path).map_err(|error| TableError::Unwritten(folder.path.clone(), error))?;
        let mut folders = vec![folder.clone()];
        for downstream in folder.downstream() {
            if downstream.round(0)?.is_none() {
                let what = "a part must be solved again, but the rounds that this needs were removed";
                return Err(TableError::Damaged(folder.parts.game_folder.path.clone(), what));
            }
            folders.push(downstream);
        }
        let snapshots = Snapshots::new(&folder);
        if keep == Keep::Wins {
            snapshots.begin_alone()?;
        }
        let history = History::new(folder)?;
        let mut work = PartSolver {
            compiled,
            keep,
            history,
            folders,
            wins: None,
            snapshot: None,
            snapshots,
            before: None,
            tallies: Default::default(),
            counted: HashSet::new(),
            plan,
        };
        if plan.holds_wins {
            work.wins = Some(work.wins_in_memory()?);
        }
        Ok(work)
    }

    /// All wins so far, read from the files.
    fn wins_in_memory(&self) -> Result<WinBits, TableError> {
        let layout = self.layout();
        let mut wins = WinBits::empty(layout, self.part().all());
        if let Some(last) = self.history.round().checked_sub(1) {
            let snapshot = self.wins_after(last)?;
            for class in self.part().all() {
                wins.groups_mut(layout, class).enumerate().try_for_each(|(number, rows)| {
                    add(&layout[class], rows, &snapshot.read(GroupId { class, number })?);
                    Ok(())
                })?;
            }
        }
        Ok(wins)
    }

    /// The wins after a finished round, in files.
    fn wins_after(&self, round: u32) -> Result<Snapshot<'a>, TableError> {
        self.snapshots.after(round, &self.folders, &self.plan.cache)
    }

    fn layout(&self) -> &'a Layout {
        &self.compiled.index.layout
    }

    fn part(&self) -> &Part {
        &self.history.folder.part
    }

    /// A number of shards for the next round that gives each a moderate size: fewer in late rounds, whose results are
    /// expected to take as many bytes as those of two rounds earlier.
    pub(super) fn usual_shards(&self) -> Result<usize, TableError> {
        let wins: u64 = self.part().classes.iter().map(|&class| self.layout()[class].bytes()).sum();
        let mut shards = wins.div_ceil(self.plan.shard_bytes);
        // Rounds 0 and 1 find positions that are decided at once, and do not predict the size of later rounds.
        if self.history.round() >= 4 {
            let alike = self.history.folder.round(self.history.round() - 2)?;
            let bytes = alike.iter().flat_map(|entry| &entry.files).map(|file| file.bytes).sum::<u64>();
            shards = shards.min(bytes.div_ceil(MIN_SHARD_BYTES));
        }
        Ok(shards.max(1) as usize)
    }

    /// Whether no further round can find anything.
    pub(super) fn is_over(&self) -> Result<bool, TableError> {
        self.history.is_over(&self.folders[1..])
    }

    /// Loads the results of a round if there is room for them, and finds the blocks from which actions lead to them.
    fn read(&self, half: HalfRound) -> Result<Before<'a>, TableError> {
        let mut found = FileFound::new(&self.folders, half, &self.plan.cache)?;
        found.load(self.layout())?;
        let to_examine = BlockPredecessors::of(self.compiled, &self.history.folder.groups, &found);
        // Reading the files may have failed.
        self.plan.cache.check()?;
        Ok(Before { half, found, to_examine })
    }

    /// Loads what this round needs: the wins so far and, if `needed`, results of the round before.
    fn prepare(&mut self, needed: Option<HalfRound>) -> Result<(), TableError> {
        if let Some(half) =
            needed.filter(|&half| self.before.as_ref().is_none_or(|before| before.half != half))
        {
            // Only the wins or only the losses at a time, because either may be large.
            self.before = None;
            self.before = Some(self.read(half)?);
        }
        if self.wins.is_none() && self.snapshot.is_none() {
            self.snapshot = Some(self.wins_after(self.history.round().saturating_sub(1))?);
        }
        if let Some(wins) = &mut self.snapshot
            && let Some(Before { half: HalfRound::Wins(_), found, .. }) = &self.before
            && let Some(all) = &found.all
        {
            wins.last = Some(all.clone());
        }
        Ok(())
    }

    /// Computes this round's results in some shards, and finishes the round if the files of all other shards exist.
    /// `None` if they do not, or if another process is finishing the round or has done so.
    pub(super) fn find_next(&mut self, shards: &[Shard]) -> Result<Option<Round>, TableError> {
        let (halves, of) = (HalfRound::both(self.history.round()), shards[0].of);
        // Losses first: they need the wins of the round before, which are still loaded.
        for half in halves.into_iter().rev() {
            shards.iter().try_for_each(|&shard| self.find(half, shard))?;
        }
        let has = |shard| halves.iter().all(|&half| self.history.folder.has(half, shard));
        if Shard::all(of).all(has) { self.finish_round(of) } else { Ok(None) }
    }

    /// Computes this round's results in a shard, unless the file exists already.
    fn find(&mut self, half: HalfRound, shard: Shard) -> Result<(), TableError> {
        if self.history.folder.has(half, shard) {
            return Ok(());
        }
        self.prepare(match half {
            HalfRound::Wins(round @ 1..) => Some(HalfRound::Losses(round - 1)),
            HalfRound::Losses(round @ 3..) => Some(HalfRound::Wins(round - 1)),
            _ => None,
        })?;
        let frames = match (&self.wins, &self.snapshot) {
            (Some(wins), _) => self.frames(half, shard, wins),
            (None, Some(wins)) => self.frames(half, shard, wins),
            (None, None) => unreachable!("the wins are at hand"),
        };
        let frames =
            frames.map_err(|error| TableError::Unwritten(self.history.folder.path.clone(), error))?;
        self.plan.cache.check()?;
        self.history.folder.write(half, shard, frames)?;
        self.counted.insert((half, shard));
        Ok(())
    }

    /// This round's results in a shard, given the wins so far.
    fn frames(&self, half: HalfRound, shard: Shard, wins: &impl Wins) -> io::Result<Vec<Frame>> {
        let compiled = self.compiled;
        let groups = self.history.folder.groups(shard);
        let keep = |group: GroupId, found: SparseGroup| {
            RoundTally::add(&self.tallies[half.index()], &compiled.index, group, &found);
            PartFolder::frame(half, found)
        };
        let frames = match (half, &self.before) {
            (HalfRound::Losses(round @ (0 | 1)), _) => {
                map_groups(groups, |group| keep(group, terminal_losses(compiled, round, group)))
            }
            (HalfRound::Losses(2), _) => map_groups(groups, |group| {
                let all = Candidates::<FileFound>::All;
                keep(group, compiled.losses(wins, &all, &BlockPredecessors::All, group))
            }),
            (HalfRound::Losses(_), Some(Before { found, to_examine, .. })) => map_groups(groups, |group| {
                keep(group, compiled.losses(wins, &Candidates::LeadTo(found), to_examine, group))
            }),
            (HalfRound::Wins(0), _) => map_groups(groups, |group| keep(group, SparseGroup::default())),
            (HalfRound::Wins(1), Some(Before { found, to_examine, .. })) => {
                map_groups(groups, |group| keep(group, first_wins(compiled, wins, found, to_examine, group)))
            }
            (HalfRound::Wins(_), Some(Before { found, to_examine, .. })) => {
                map_groups(groups, |group| keep(group, compiled.wins(wins, found, to_examine, group)))
            }
            (_, None) => unreachable!("the round before has been read"),
        };
        frames.into_iter().collect()
    }

    /// Finishes this round, whose files must all exist, and advances to the next. `None` if another process is
    /// finishing it or has done so.
    fn finish_round(&mut self, shards: usize) -> Result<Option<Round>, TableError> {
        let round = self.history.round();
        let Some(_lock) = FolderLock::to_finish(&self.history.folder.parts.game_folder)? else {
            return Ok(None);
        };
        if self.history.folder.round(round)?.is_some() {
            return Ok(None);
        }
        for half in HalfRound::both(round) {
            let (tally, index) = (&self.tallies[half.index()], &self.compiled.index);
            // Count the shards that other processes have computed, by reading their files.
            for shard in Shard::all(shards).filter(|&shard| !self.counted.contains(&(half, shard))) {
                let count = |group, found| RoundTally::add(tally, index, group, &found);
                self.history.folder.visit_shard(half, shard, &|_| true, &count)?;
            }
        }
        self.counted.clear();
        let tallies = mem::take(&mut self.tallies);
        let tallies = tallies.map(|tally| tally.into_inner().unwrap_or_else(PoisonError::into_inner));
        let rows = self.history.folder.finish(round, shards, &tallies)?;
        let finished = self.history.finished.enter(rows);
        self.before = None;
        self.add_wins_of(round)?;
        self.update_snapshot()?;
        Ok(Some(finished))
    }

    /// Adds the wins of a finished round to the wins in memory.
    fn add_wins_of(&mut self, round: u32) -> Result<(), TableError> {
        let Some(mut wins) = self.wins.take() else { return Ok(()) };
        let (before, layout) = (self.read(HalfRound::Wins(round))?, self.layout());
        for class in self.part().all() {
            wins.groups_mut(layout, class).enumerate().for_each(|(number, rows)| {
                let mut cache = Default::default();
                if let Some(found) = before.found.group(&mut cache, GroupId { class, number }) {
                    add(&layout[class], rows, found);
                }
            });
        }
        self.plan.cache.check()?;
        (self.wins, self.before) = (Some(wins), Some(before));
        Ok(())
    }

    /// Updates the wins in files to the last finished round, if they are needed there, and removes the files that
    /// neither these wins nor the next round need. Also called when a solve begins or resumes a part.
    pub(super) fn update_snapshot(&mut self) -> Result<(), TableError> {
        let Some(last) = self.history.round().checked_sub(1) else { return Ok(()) };
        self.snapshot = None;
        if self.plan.drops || self.wins.is_none() {
            let mut snapshot = self.wins_after(last)?;
            snapshot.compact(false, self.wins.as_ref())?;
            self.snapshot = self.wins.is_none().then_some(snapshot);
        }
        self.tidy(last)
    }

    /// Removes the files that nothing needs after a finished round.
    fn tidy(&self, last: u32) -> Result<(), TableError> {
        let folder = &self.history.folder;
        // The wins of the last round are needed by the next one.
        let dropped = match folder.wins()? {
            Some(wins) if self.plan.drops => [wins.least_found(last), last],
            _ => [0; 2],
        };
        folder.tidy(self.history.round(), dropped)
    }

    /// Completes a part after its last round: finishes or removes its snapshot, then removes unneeded files.
    pub(super) fn complete(&mut self) -> Result<(), TableError> {
        let last = self.history.round().saturating_sub(1);
        match self.keep {
            Keep::Wins => self.wins_after(last)?.complete(self.wins.as_ref())?,
            Keep::Rounds => self.history.folder.remove_wins()?,
        }
        self.tidy(last)
    }
}

/// The losses of a group that need no other position: in round 0 those without an action, in round 1 those in which
/// every action loses outright.
fn terminal_losses(compiled: &CompiledGame, round: u32, group: GroupId) -> SparseGroup {
    let [lost] =
        terminal_values(compiled, group, |rows| [if round == 0 { rows.without_action } else { rows.lost }]);
    lost
}

/// The positions of a group that are won in 1, because an action wins at once or leads to a position lost in 0. `wins`
/// must still be empty.
fn first_wins(
    compiled: &CompiledGame,
    wins: &impl Wins,
    without_action: &impl RoundResult,
    to_examine: &BlockPredecessors,
    group: GroupId,
) -> SparseGroup {
    let [at_once] = terminal_values(compiled, group, |rows| [rows.won]);
    at_once.with(&[&compiled.wins(wins, without_action, to_examine, group)])
}
