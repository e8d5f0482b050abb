//! The rounds of a game in memory: the wins so far, and the results of each round.

use std::sync::Arc;

use crate::actions::block_actions::CompiledGame;
use crate::actions::predecessors::BlockPredecessors;
use crate::known::Worth;
use crate::memory::{fixed_bytes_now, lost_bytes};
use crate::rounds::counts::ShapeCounts;
use crate::rounds::round::{Candidates, map_groups};
use crate::rounds::{FinishedRounds, Round};
use crate::solved::SolutionRow;
use crate::space::layout::Layout;
use crate::space::sparse::SparseSet;
use crate::space::win_bits::WinBits;
use crate::value::Value;
use crate::watch::Watch;
use dovemate::clock::Instant;
use dovemate::threads::Threads;
use dovemate::{Limit, Limits};

/// The state of a solver that has reached one of its limits.
#[derive(Debug)]
pub struct Halted {
    /// The limit that was reached.
    pub limit: Limit,
    /// The last complete round; 0 if there is none.
    pub round: u32,
    /// Bytes used when the limit was reached; more than allowed if it was the memory limit.
    pub bytes: u64,
    /// The numbers of positions of each value found by complete rounds.
    pub rows: Vec<SolutionRow>,
}

/// The results of a round: the positions won, and those lost, in as many plies as its number.
pub(super) struct Found {
    /// Positions won. Empty for round 1, whose wins are many and stored only in the set of all wins.
    pub wins: SparseSet,
    /// Positions lost.
    pub losses: SparseSet,
}

impl Found {
    /// Bytes of the results.
    pub(super) fn bytes(&self) -> u64 {
        self.wins.bytes() + self.losses.bytes()
    }
}

/// A game with the rounds found so far.
pub(super) struct RoundsInMemory {
    pub compiled: Arc<CompiledGame>,
    /// All wins so far.
    pub wins: WinBits,
    /// All losses so far, in a small game: from round 3 on, only its undecided positions are examined for losses.
    lost: Option<WinBits>,
    /// The results of each round, by its number.
    pub history: Vec<Found>,
    pub finished: FinishedRounds,
    /// The positions lost in 1, in which every action loses outright; round 0 finds them, too.
    lost_in_1: Option<SparseSet>,
    watch: Watch,
}

impl RoundsInMemory {
    /// A game before its first round, in a solver that started at this time.
    pub(super) fn new(started: Instant, compiled: Arc<CompiledGame>, limits: Limits) -> RoundsInMemory {
        let layout = &compiled.index.layout;
        let (fixed, lost) = (fixed_bytes_now(&layout.game, &limits), lost_bytes(layout));
        RoundsInMemory {
            wins: WinBits::empty(layout, layout.ids()),
            lost: (lost > 0).then(|| WinBits::empty(layout, layout.ids())),
            history: Vec::new(),
            finished: FinishedRounds::none(started),
            lost_in_1: None,
            watch: Watch::new(limits, fixed + layout.win_bytes() + lost),
            compiled,
        }
    }

    fn layout(&self) -> &Layout {
        &self.compiled.index.layout
    }

    /// Computes rounds on `threads` until one after round 1 finds nothing. `on_round` is called after every round
    /// except round 0 and the last.
    ///
    /// # Errors
    /// If a limit is reached. Complete rounds stay valid.
    pub(super) fn run(&mut self, threads: &Threads, on_round: &(dyn Fn(Round) + Sync)) -> Result<(), Limit> {
        while !self.finished.is_over() {
            self.watch.set_results(self.history.iter().map(Found::bytes).sum());
            let round = threads.run(|| {
                let found = self.find();
                self.watch.check().map_or_else(|| Ok(self.enter(found)), Err)
            })?;
            if round.number > 0 && !self.finished.is_over() {
                on_round(round);
            }
        }
        Ok(())
    }

    /// Computes the next round, which is incomplete if a limit is reached.
    fn find(&mut self) -> Found {
        let compiled = self.compiled.clone();
        let layout = &compiled.index.layout;
        let nothing = || SparseSet::of(layout, []);
        match self.finished.next {
            0 => {
                let [without_action, lost_in_1] = self.wins.begin(&compiled);
                self.watch.set_results(without_action.bytes() + lost_in_1.bytes());
                self.lost_in_1 = Some(lost_in_1);
                Found { wins: nothing(), losses: without_action }
            }
            1 => {
                let lost_in_1 = self.lost_in_1.take().expect("round 0 has found them");
                self.watch.add(lost_in_1.bytes());
                let wins = self.find_wins();
                self.wins.add(layout, &wins);
                Found { wins: nothing(), losses: lost_in_1 }
            }
            _ => Found { wins: self.find_wins(), losses: self.find_losses() },
        }
    }

    /// The results of the last complete round; there must be one.
    fn last(&self) -> &Found {
        self.history.last().expect("there is a round before")
    }

    fn find_wins(&self) -> SparseSet {
        let (layout, losses) = (self.layout(), &self.last().losses);
        let groups = layout.all_groups();
        let to_examine = BlockPredecessors::of(&self.compiled, &groups, losses);
        let find = |group| self.compiled.wins(&self.wins, losses, &to_examine, group);
        let wins = map_groups(&groups, |group| self.watch.run(&|| find(group)));
        SparseSet::of(layout, groups.into_iter().zip(wins))
    }

    /// The losses that follow from the wins of the round before. After the first wins, which are all new,
    /// every block is searched for losses.
    fn find_losses(&self) -> SparseSet {
        let groups = self.layout().all_groups();
        let new = (self.finished.next > 2).then_some(&self.last().wins);
        let to_examine =
            new.map_or(BlockPredecessors::All, |new| BlockPredecessors::of(&self.compiled, &groups, new));
        let candidates = match (new, &self.lost) {
            (None, _) => Candidates::All,
            (Some(_), Some(lost)) => Candidates::NotAmong(lost),
            (Some(new), None) => Candidates::LeadTo(new),
        };
        let find = |group| self.compiled.losses(&self.wins, &candidates, &to_examine, group);
        let losses = map_groups(&groups, |group| self.watch.run(&|| find(group)));
        SparseSet::of(self.layout(), groups.into_iter().zip(losses))
    }

    /// Counts the results of the next round, and adds them to the rounds.
    fn enter(&mut self, found: Found) -> Round {
        let (index, number) = (self.compiled.index.clone(), self.finished.next);
        let (mut won, mut lost) = (ShapeCounts::default(), ShapeCounts::default());
        if number == 1 {
            won.add_wins(&index, &self.wins);
        } else {
            self.wins.add(&index.layout, &found.wins);
            won.add(&index, &found.wins);
        }
        lost.add(&index, &found.losses);
        if let Some(lost) = &mut self.lost {
            lost.add(&index.layout, &found.losses);
        }
        assert!(
            won.is_whole() && lost.is_whole(),
            "round {number} finds a position in only some of its places"
        );
        let mut rows = won.rows(&index.layout, Worth::Exact(Value::Win(number)));
        rows.extend(lost.rows(&index.layout, Worth::Exact(Value::Lose(number))));
        let before: u64 = self.finished.rows.iter().map(|row| row.positions).sum();
        let mut round = self.finished.enter(rows);
        if number == 1 {
            // The losses of round 0 are reported with round 1.
            round.losses += before;
        }
        if !self.finished.is_over() {
            self.history.push(found);
        }
        round
    }

    /// The counts of complete rounds, after a limit was reached.
    pub(super) fn halted(self, limit: Limit) -> Halted {
        let (round, bytes) = (self.finished.next.saturating_sub(1), self.watch.bytes());
        Halted { limit, round, bytes, rows: self.finished.rows }
    }
}
