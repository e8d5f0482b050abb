//! A part of a game that is being solved, round after round, each in shards.
//!
//! Memory holds only the wins of the part's own classes and of those that its puts lead to, or not even these: see
//! [`crate::solve::files::spill`]. The results of the last round are read from its [`Journal`], all at once if there is
//! room, otherwise group by group. The classes downstream were solved before; the results of each of their rounds enter
//! in that round, so that rounds are strict: *won in n* and *lost in n* mean the same as when everything is solved
//! together.

use std::collections::HashSet;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::actions::marks::BlockPredecessors;
use crate::solve::files::archive::{Frame, TableError};
use crate::solve::files::game_folder::GameFolder;
use crate::solve::files::history::History;
use crate::solve::files::journal::{HalfRound, Journal, Shard, WinOrLoss};
use crate::solve::files::lock::FolderLock;
use crate::solve::files::snapshot::{Keep, Snapshot, Snapshots};
use crate::solve::files::spill::{FileFound, SpillCache};
use crate::solve::rounds::Round;
use crate::solve::rounds::counts::RoundTally;
use crate::solve::rounds::round::{Candidates, add, each_group};
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::index::Index;
use crate::solve::space::layout::{ClassId, GroupId, Layout, Part};
use crate::solve::space::source::{RoundResult, Wins};
use crate::solve::space::win_bits::WinBits;

/// The results of a round may take as little as this fraction of [`Journal::found_bytes`], as a divisor, because equal
/// rows are stored once.
const EQUAL_ROWS_DIVISOR: u64 = 8;

/// Files of a round should not be much smaller than this, in bytes, because writing each one takes milliseconds.
const MIN_SHARD_BYTES: u64 = 1 << 20;

/// The wins of earlier rounds, of a part's own classes and of those downstream.
enum Store<'a> {
    Memory(WinBits),
    /// In files, opened when a round first needs them.
    Files(Option<Snapshot<'a>>),
}

/// How memory is used for a part.
pub(super) struct MemoryPlan {
    /// Whether the wins are in memory.
    pub holds_wins: bool,
    /// Memory for everything else that is read.
    pub cache: SpillCache,
    /// Bytes of win bits for each file of a round.
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
    /// The blocks of the part that the results reach, for all shards of a round.
    marks: BlockPredecessors,
}

/// A part that is being solved.
pub(super) struct PartSolver<'a> {
    compiled: &'a CompiledGame,
    folder: &'a GameFolder,
    part: &'a Part,
    keep: Keep,
    /// Its rounds so far.
    pub history: History,
    /// The parts downstream, whose rounds are finished.
    downstream: Vec<Arc<Journal>>,
    store: Store<'a>,
    snapshots: Snapshots<'a>,
    /// The wins or the losses of the round before, once they are needed.
    before: Option<Before<'a>>,
    /// The wins and the losses of this round, in the shards that are counted.
    tallies: [Mutex<RoundTally>; 2],
    /// The shards that this process has computed, which are already counted.
    counted: HashSet<(WinOrLoss, Shard)>,
    plan: &'a MemoryPlan,
}

impl<'a> PartSolver<'a> {
    /// Opens a part as far as it has been solved. `keep` says what to keep of it.
    pub(super) fn new(
        compiled: &'a CompiledGame,
        folder: &'a GameFolder,
        part: &'a Part,
        keep: Keep,
        plan: &'a MemoryPlan,
    ) -> Result<PartSolver<'a>, TableError> {
        let layout = &compiled.index.layout;
        let journal = Journal::new(folder, &compiled.index, part);
        journal.make_folder()?;
        let downstream = downstream(folder, &compiled.index, part);
        for downstream in &downstream {
            if downstream.entry(0)?.is_none() {
                let what = "a part must be solved again, but the rounds that this needs were removed";
                return Err(TableError::Damaged(folder.path.clone(), what));
            }
        }
        let snapshots = Snapshots::new(layout, folder, part);
        if keep == Keep::Wins {
            snapshots.begin_alone()?;
        }
        let history = History::new(journal)?;
        let mut work = PartSolver {
            compiled,
            folder,
            part,
            keep,
            history,
            downstream,
            store: Store::Files(None),
            snapshots,
            before: None,
            tallies: Default::default(),
            counted: HashSet::new(),
            plan,
        };
        if plan.holds_wins {
            work.store = Store::Memory(work.wins_in_memory()?);
        }
        Ok(work)
    }

    /// All wins so far, read from the files.
    fn wins_in_memory(&self) -> Result<WinBits, TableError> {
        let layout = self.layout();
        let mut wins = WinBits::empty(layout, self.part.all());
        if let Some(last) = self.round().checked_sub(1) {
            let snapshot = self.snapshot(last)?;
            for class in self.part.all() {
                wins.groups_mut(layout, class).enumerate().try_for_each(|(number, rows)| {
                    add(&layout[class], rows, &snapshot.read(GroupId { class, number })?);
                    Ok(())
                })?;
            }
        }
        Ok(wins)
    }

    /// The wins after a finished round, in files.
    fn snapshot(&self, round: u32) -> Result<Snapshot<'a>, TableError> {
        self.snapshots.after(round, &self.journals(), &self.plan.cache)
    }

    fn layout(&self) -> &'a Layout {
        &self.compiled.index.layout
    }

    /// A number of shards for the next round that gives each a moderate size: fewer in late rounds, whose
    /// results are expected to take as many bytes as those of two rounds before.
    pub(super) fn usual_shards(&self) -> Result<usize, TableError> {
        let wins: u64 = self.part.classes.iter().map(|&class| self.layout()[class].bytes()).sum();
        let shards = wins.div_ceil(self.plan.shard_bytes);
        // Rounds 0 and 1 find what is decided at once, by which later rounds cannot be judged.
        let shards = if self.round() < 4 {
            shards
        } else {
            let alike = self.history.journal.entry(self.round() - 2)?;
            shards.min(alike.map_or(0, |entry| entry.bytes()).div_ceil(MIN_SHARD_BYTES))
        };
        Ok(shards.max(1) as usize)
    }

    /// The results of a round in the part's own classes and in those downstream; `None` if they do not fit.
    fn found(&self, half: HalfRound) -> Result<Option<Changes>, TableError> {
        let cache = &self.plan.cache;
        // Free the results of earlier rounds, which are no longer needed: the results that are read whole take their
        // room.
        cache.clear_changes();
        let mut at_most = 0;
        for (journal, classes) in self.sources() {
            at_most += journal.found_bytes(half, classes)?;
        }
        let most = cache.most_found();
        if at_most / EQUAL_ROWS_DIVISOR > most {
            cache.share(u64::MAX);
            return Ok(None);
        }
        cache.share(at_most.min(most));
        let mut changes = Changes::of(self.layout(), []);
        for (journal, classes) in self.sources() {
            if !journal.add_to(&mut changes, half, classes, most)? {
                cache.share(u64::MAX);
                return Ok(None);
            }
        }
        cache.share(changes.bytes());
        Ok(Some(changes))
    }

    /// The next round.
    pub(super) fn round(&self) -> u32 {
        self.history.round()
    }

    /// Whether the files of all shards of the next round exist.
    pub(super) fn is_found(&self, shards: usize) -> bool {
        let halves = WinOrLoss::ALL.map(|outcome| outcome.of(self.round()));
        Shard::all(shards).all(|shard| halves.iter().all(|&half| self.history.journal.has(half, shard)))
    }

    /// Whether no further round can find anything.
    pub(super) fn is_over(&self) -> Result<bool, TableError> {
        self.history.is_over(&self.downstream)
    }

    /// The journals of the part and of the parts it leads to, each with a list of classes to read, some of which are in
    /// other journals.
    fn sources(&self) -> impl Iterator<Item = (&Arc<Journal>, &[ClassId])> {
        let downstream = self.downstream.iter().map(|journal| (journal, &self.part.downstream[..]));
        std::iter::once((&self.history.journal, &self.part.classes[..])).chain(downstream)
    }

    /// The journals of the part and of the parts it leads to.
    fn journals(&self) -> Vec<Arc<Journal>> {
        self.sources().map(|(journal, _)| journal.clone()).collect()
    }

    /// Loads the results of a round if there is room for them, and finds the blocks that they reach.
    fn read(&self, half: HalfRound) -> Result<Before<'a>, TableError> {
        let mut found = FileFound::new(self.layout(), self.part, &self.journals(), half, &self.plan.cache)?;
        if let Some(changes) = self.found(half)? {
            found.hold(changes);
        }
        let marks = BlockPredecessors::of(self.compiled, &self.layout().groups(&self.part.classes), &found);
        // Reading the files may have failed.
        self.plan.cache.check()?;
        Ok(Before { half, found, marks })
    }

    /// Loads what this round needs: the wins so far and, if `needed`, results of the round before.
    fn prepare(&mut self, needed: Option<HalfRound>) -> Result<(), TableError> {
        if let Some(half) =
            needed.filter(|&half| self.before.as_ref().is_none_or(|before| before.half != half))
        {
            // Only one kind at a time, as they may be large.
            self.before = None;
            self.before = Some(self.read(half)?);
        }
        if let Store::Files(None) = self.store {
            self.store = Store::Files(Some(self.snapshot(self.round().saturating_sub(1))?));
        }
        if let Store::Files(Some(wins)) = &mut self.store
            && let Some(Before { half: HalfRound { outcome: WinOrLoss::Wins, .. }, found, .. }) = &self.before
            && let Some(changes) = found.in_memory()
        {
            wins.hold(changes.clone());
        }
        Ok(())
    }

    /// Computes this round's results in a shard, unless the file exists already.
    pub(super) fn find(&mut self, outcome: WinOrLoss, shard: Shard) -> Result<(), TableError> {
        let round = self.round();
        if self.history.journal.has(outcome.of(round), shard) {
            return Ok(());
        }
        self.prepare(match outcome {
            WinOrLoss::Wins if round > 0 => Some(WinOrLoss::Losses.of(round - 1)),
            WinOrLoss::Losses if round > 2 => Some(WinOrLoss::Wins.of(round - 1)),
            _ => None,
        })?;
        let frames = match &self.store {
            Store::Memory(wins) => self.frames(outcome, shard, wins),
            Store::Files(wins) => self.frames(outcome, shard, wins.as_ref().expect("the wins are at hand")),
        };
        let frames =
            frames.map_err(|error| TableError::Unwritten(self.history.journal.folder.clone(), error))?;
        self.plan.cache.check()?;
        self.history.journal.write(outcome.of(round), shard, frames)?;
        self.counted.insert((outcome, shard));
        Ok(())
    }

    /// This round's results in a shard, given the wins so far.
    fn frames(&self, outcome: WinOrLoss, shard: Shard, wins: &impl Wins) -> io::Result<Vec<Frame>> {
        let (compiled, round) = (self.compiled, self.round());
        let groups = self.history.journal.groups(shard);
        let keep = |group: GroupId, found: SparseBits| {
            self.count(outcome, group, &found);
            Journal::frame(outcome.of(round), found)
        };
        let frames = match (outcome, round, &self.before) {
            (WinOrLoss::Losses, 0 | 1, _) => {
                each_group(groups, |group| keep(group, compiled.terminal_losses(round, group)))
            }
            (WinOrLoss::Losses, 2, _) => each_group(groups, |group| {
                let all = Candidates::<FileFound>::All;
                keep(group, compiled.losses(wins, &all, &BlockPredecessors::All, group))
            }),
            (WinOrLoss::Losses, _, Some(Before { found, marks, .. })) => each_group(groups, |group| {
                keep(group, compiled.losses(wins, &Candidates::LeadTo(found), marks, group))
            }),
            (WinOrLoss::Wins, 0, _) => each_group(groups, |group| keep(group, SparseBits::default())),
            (WinOrLoss::Wins, 1, Some(Before { found, marks, .. })) => {
                each_group(groups, |group| keep(group, compiled.first_wins(wins, found, marks, group)))
            }
            (WinOrLoss::Wins, _, Some(Before { found, marks, .. })) => {
                each_group(groups, |group| keep(group, compiled.wins(wins, found, marks, group)))
            }
            (_, _, None) => unreachable!("the round before has been read"),
        };
        frames.into_iter().collect()
    }

    /// Adds this round's results in a group to its tally.
    fn count(&self, outcome: WinOrLoss, group: GroupId, found: &SparseBits) {
        let tally = &self.tallies[outcome as usize];
        RoundTally::add(tally, &self.compiled.index, group, found);
    }

    /// Finishes this round, whose files must all exist, and advances to the next. `None` if another process is
    /// finishing it or has done so.
    pub(super) fn finish_round(&mut self, shards: usize) -> Result<Option<Round>, TableError> {
        let round = self.round();
        let Some(_lock) = FolderLock::to_finish(self.folder)? else { return Ok(None) };
        if self.history.journal.entry(round)?.is_some() {
            return Ok(None);
        }
        for outcome in WinOrLoss::ALL {
            // Count the shards that other processes have computed, by reading their files.
            for shard in Shard::all(shards).filter(|&shard| !self.counted.contains(&(outcome, shard))) {
                let count = |group, found: SparseBits| self.count(outcome, group, &found);
                self.history.journal.each_in(outcome.of(round), &self.part.classes, shard, &count)?;
            }
        }
        self.counted.clear();
        let tallies = mem::take(&mut self.tallies);
        let tallies = tallies.map(|tally| tally.into_inner().unwrap_or_else(PoisonError::into_inner));
        let rows = self.history.journal.finish(round, shards, &tallies)?;
        let finished = self.history.finished.enter(rows);
        self.before = None;
        self.add_wins_of(round)?;
        self.update_snapshot()?;
        Ok(Some(finished))
    }

    /// Adds the wins of a finished round to the wins in memory.
    fn add_wins_of(&mut self, round: u32) -> Result<(), TableError> {
        if let Store::Files(_) = self.store {
            return Ok(());
        }
        let before = self.read(WinOrLoss::Wins.of(round))?;
        let Store::Memory(wins) = &mut self.store else { return Ok(()) };
        let layout = &self.compiled.index.layout;
        for class in self.part.all() {
            wins.groups_mut(layout, class).enumerate().for_each(|(number, rows)| {
                let mut cache = Default::default();
                if let Some(found) = before.found.group(&mut cache, GroupId { class, number }) {
                    add(&layout[class], rows, found);
                }
            });
        }
        self.plan.cache.check()?;
        self.before = Some(before);
        Ok(())
    }

    /// Updates the wins in files, if there are any, to the last finished round, and removes the files that
    /// neither they nor the next round needs.
    fn update_snapshot(&mut self) -> Result<(), TableError> {
        let Some(last) = self.round().checked_sub(1) else { return Ok(()) };
        let holds_wins = matches!(self.store, Store::Memory(_));
        if !holds_wins {
            self.store = Store::Files(None);
        }
        if self.plan.drops || !holds_wins {
            let mut snapshot = self.snapshot(last)?;
            self.snapshots.update(&mut snapshot, false, self.wins_at_hand())?;
            if !holds_wins {
                self.store = Store::Files(Some(snapshot));
            }
        }
        self.tidy(last)
    }

    /// The wins, if they are in memory.
    fn wins_at_hand(&self) -> Option<&WinBits> {
        if let Store::Memory(wins) = &self.store { Some(wins) } else { None }
    }

    /// Removes the files that nothing needs after a finished round.
    fn tidy(&self, last: u32) -> Result<(), TableError> {
        let journal = &self.history.journal;
        let wins = journal.wins()?;
        // The wins of the last round are needed by the next one.
        let dropped = match &wins {
            Some(wins) if self.plan.drops => [wins.rounds_of_all().min(last), last],
            _ => [0; 2],
        };
        journal.tidy(self.round(), wins.as_ref(), dropped)
    }

    /// Completes a part after its last round: finishes or removes its snapshot, then removes unneeded files.
    pub(super) fn complete(&mut self) -> Result<(), TableError> {
        let last = self.round().saturating_sub(1);
        match self.keep {
            Keep::Wins => self.snapshots.complete(&mut self.snapshot(last)?, self.wins_at_hand())?,
            Keep::Rounds => self.snapshots.remove()?,
        }
        self.tidy(last)
    }

    /// Resumes an interrupted part, beginning with the work that should have followed its last round.
    pub(super) fn resume(&mut self) -> Result<(), TableError> {
        self.update_snapshot()
    }
}

/// The rounds of the parts that a part leads to.
pub(super) fn downstream(folder: &GameFolder, index: &Arc<Index>, part: &Part) -> Vec<Arc<Journal>> {
    let others = index.layout.downstream(part);
    others.map(|other| Arc::new(Journal::new(folder, index, other))).collect()
}
