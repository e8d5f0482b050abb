//! The driver of rounds: solves a game round by round, whichever engine finds them.
//!
//! A [`RoundEngine`] – the CPU or a GPU – answers *round n: these are new*. Everything else is here, once for every
//! engine: the wins so far and the results of each round, the counts of positions, the checks of what an engine
//! reports, the bounds, and when to stop. A round follows from earlier rounds alone, so another engine may take over
//! after any of them.

use std::sync::Arc;
use std::time::Instant;

use crate::known::Worth;
use crate::rules::Game;
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::bounds::{Bound, Bounds, BoundsWatch, Options};
#[cfg(feature = "gpu")]
use crate::solve::memory::fixed_bytes;
use crate::solve::memory::fixed_bytes_now;
use crate::solve::rounds::counts::ShapeCounts;
use crate::solve::rounds::round::remove;
use crate::solve::rounds::{FinishedRounds, Round};
use crate::solve::solved::{Row, Solution};
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::index::BitAddress;
use crate::solve::space::layout::GroupId;
use crate::solve::space::win_bits::WinBits;
use crate::value::Value;

/// The results of a round: the positions won, and those lost, in as many plies as its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Positions won; none in round 1, as [`RoundEngine::round`] says.
    pub wins: Changes,
    /// Positions lost.
    pub losses: Changes,
}

impl Found {
    /// Bytes of the results.
    pub(super) fn bytes(&self) -> u64 {
        self.wins.bytes() + self.losses.bytes()
    }
}

/// Finds rounds.
pub trait RoundEngine {
    /// Why it may fail, or is not believed.
    type Error: From<Contradiction>;

    /// Whether what it finds is checked in every round: that it is new, and a sample by the literal rules.
    const IS_CHECKED: bool;

    /// Finds the next round. The wins of round 1 are many, so it adds them to the wins so far instead of returning
    /// them. Once a bound is met, the result may be incomplete.
    ///
    /// # Errors
    /// If it fails. Then it has changed nothing, except that wins of round 1 may have been added.
    fn round(&mut self, rounds: &mut RoundsInMemory) -> Result<Found, Self::Error>;
}

/// An impossible result of a round.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// The counts on a shape do not add up to a whole number of positions.
    #[error("the counts on the shape {shape} add up to no whole number of positions")]
    Uneven {
        /// The shape, by its cells.
        shape: String,
    },
    /// A position is won or lost a second time.
    #[error("round {0} finds positions that have a value already")]
    Twice(u32),
    /// A position has another value by the literal rules.
    #[error("round {round} finds {found}, the rules {expected}")]
    Value {
        /// The round.
        round: u32,
        /// The position, with the value found.
        found: String,
        /// The same with the value that follows.
        expected: String,
    },
}

/// Why a driver stopped before the end.
#[derive(Debug)]
pub enum Stop<E> {
    /// A bound was met.
    Bound(Bound),
    /// The engine failed, or is not believed.
    Failed(E),
}

/// A game whose solver has met one of its bounds.
#[derive(Debug)]
pub struct Halted {
    /// The bound.
    pub bound: Bound,
    /// The last complete round; 0 if there is none.
    pub round: u32,
    /// Bytes held when the bound was met; more than the limit, if that was memory.
    pub bytes: u64,
    /// The positions that complete rounds have found, of each value.
    pub rows: Vec<Row>,
}

/// A game with the rounds found so far, in memory.
pub struct RoundsInMemory {
    pub(crate) compiled: Arc<CompiledGame>,
    /// All groups of the game.
    pub(super) groups: Vec<GroupId>,
    pub(super) options: Options,
    /// All wins so far.
    pub(crate) wins: WinBits,
    /// The results of each round, by its number; without distances, those of the last round only.
    pub(crate) history: Vec<Found>,
    pub(crate) watch: BoundsWatch,
    pub(super) finished: FinishedRounds,
    /// Places lost so far.
    lost: u64,
    /// Places that were checked by the literal rules.
    pub checked: u64,
}

impl RoundsInMemory {
    /// A game with no round found, and the bounds of its solver.
    pub fn new(compiled: Arc<CompiledGame>, options: Options, bounds: Bounds) -> RoundsInMemory {
        RoundsInMemory::since(Instant::now(), compiled, options, bounds)
    }

    /// The same for a solver that started earlier.
    pub(crate) fn since(
        started: Instant,
        compiled: Arc<CompiledGame>,
        options: Options,
        bounds: Bounds,
    ) -> RoundsInMemory {
        let layout = &compiled.index.layout;
        let fixed = fixed_bytes_now(&layout.game, bounds);
        RoundsInMemory {
            groups: layout.all_groups(),
            options,
            wins: WinBits::empty(layout, layout.ids()),
            history: Vec::new(),
            watch: BoundsWatch::new(bounds, fixed + layout.plane_bytes()),
            finished: FinishedRounds::none(started),
            lost: 0,
            checked: 0,
            compiled,
        }
    }

    /// Sets the bounds anew once a GPU's driver no longer takes memory: the process then counts as taking what is
    /// usual.
    #[cfg(feature = "gpu")]
    pub(crate) fn bound_again(&mut self, bounds: Bounds) {
        let layout = &self.compiled.index.layout;
        self.watch = BoundsWatch::new(bounds, fixed_bytes(&layout.game) + layout.plane_bytes());
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.compiled.index.layout.game
    }

    /// The next round, which is also the number of complete rounds.
    pub fn number(&self) -> u32 {
        self.finished.next
    }

    /// Whether the last round has found nothing, so that no further one will.
    pub fn is_over(&self) -> bool {
        self.finished.is_over()
    }

    /// All wins so far.
    pub fn wins(&self) -> &WinBits {
        &self.wins
    }

    /// The number of places that are lost so far.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Has an engine find rounds until nothing is new. `each` is called after every round but round 0 and the last,
    /// which finds nothing.
    ///
    /// # Errors
    /// If a bound is met, or the engine fails or is not believed. Complete rounds stay valid unless the engine is not
    /// believed.
    pub fn run<E: RoundEngine>(&mut self, engine: &mut E, each: &(dyn Fn(Round) + Sync)) -> Result<(), Stop<E::Error>> {
        while !self.is_over() {
            let found = self.find(engine).map_err(Stop::Failed)?;
            if let Some(bound) = self.watch.look() {
                return Err(Stop::Bound(bound));
            }
            if E::IS_CHECKED {
                self.check_new(&found).map_err(|error| Stop::Failed(error.into()))?;
            }
            let round = self.enter(found).map_err(|error| Stop::Failed(error.into()))?;
            if E::IS_CHECKED && self.options.distances {
                self.check_last().map_err(|error| Stop::Failed(error.into()))?;
            }
            if round.number > 0 && !self.is_over() {
                each(round);
            }
        }
        Ok(())
    }

    /// Has an engine find the next round.
    pub fn find<E: RoundEngine>(&mut self, engine: &mut E) -> Result<Found, E::Error> {
        if !self.options.distances {
            // Only the round before is needed.
            self.history.drain(..self.history.len().saturating_sub(1));
        }
        self.watch.holds(self.history.iter().map(Found::bytes).sum());
        engine.round(self)
    }

    /// Takes in what an engine has found as the next round.
    ///
    /// # Errors
    /// If it is impossible. Then nothing found so far may be used.
    pub fn enter(&mut self, found: Found) -> Result<Round, Contradiction> {
        let (index, number) = (self.compiled.index.clone(), self.number());
        let (mut won, mut lost) = (ShapeCounts::default(), ShapeCounts::default());
        if number == 1 {
            won.add_plane(&index, &self.wins);
        } else {
            self.wins.add(&index.layout, &found.wins);
            won.add(&index, &found.wins);
        }
        lost.add(&index, &found.losses);
        if let Some(shape) = won.uneven().or_else(|| lost.uneven()) {
            return Err(Contradiction::Uneven { shape: format!("{:#06x}", shape.cells.0) });
        }
        self.lost += lost.bits();
        let mut rows = won.rows(&index.layout, Worth::Exact(Value::Win(number)));
        rows.extend(lost.rows(&index.layout, Worth::Exact(Value::Lose(number))));
        let before: u64 = self.finished.rows.iter().map(|row| row.positions).sum();
        let mut round = self.finished.enter(rows);
        if number == 1 {
            // The losses of round 0 are reported here.
            round.losses += before;
        }
        if !self.is_over() {
            self.history.push(found);
        }
        Ok(round)
    }

    /// The halted game, when a bound was met.
    pub fn halted(self, bound: Bound) -> Box<Halted> {
        let (round, bytes) = (self.number().saturating_sub(1), self.watch.bytes());
        Box::new(Halted { bound, round, bytes, rows: self.finished.rows })
    }

    /// The number of positions of each value, once all rounds are found.
    pub(super) fn solution(&self) -> Solution {
        let index = &self.compiled.index;
        Solution::new(self.options.distances, self.finished.rows_with_draws(index, index.layout.ids()))
    }

    /// Whether a place is won so far.
    pub(super) fn is_win(&self, place: BitAddress) -> bool {
        let class = &self.compiled.index.layout[place.block.class];
        let rows = self.wins.block(class, place.block);
        rows[place.row * class.row_bytes + place.bit / 8] >> (place.bit % 8) & 1 == 1
    }

    /// The value of a place so far; distances must be known.
    pub(super) fn value(&self, place: BitAddress) -> Value {
        let class = &self.compiled.index.layout[place.block.class];
        let group = class.group_of(place.block);
        let among = |changes: &Changes| changes.group(group).is_some_and(|found| found.has(class, place));
        let mut rounds = (0..).zip(&self.history);
        if self.is_win(place) {
            // The wins in 1 are among all wins only.
            return Value::Win(rounds.skip(2).find(|(_, found)| among(&found.wins)).map_or(1, |(number, _)| number));
        }
        rounds.find(|(_, found)| among(&found.losses)).map_or(Value::Draw, |(number, _)| Value::Lose(number))
    }

    /// The rows of a group with all its wins.
    pub(super) fn wins_of(&self, group: GroupId) -> Vec<u8> {
        self.wins.group(&self.compiled.index.layout[group.class], group).to_vec()
    }

    /// The positions of a group with a value that rounds have found; distances must be known.
    pub(super) fn with_value(&self, value: Value, group: GroupId) -> SparseBits {
        match value {
            Value::Win(1) => {
                // Those that no later round has found.
                let (class, mut first) = (&self.compiled.index.layout[group.class], self.wins_of(group));
                let later = self.history.iter().skip(2).map(|found| &found.wins[group]);
                later.for_each(|later| remove(class, &mut first, later));
                SparseBits::packed(&first, class, group)
            }
            Value::Win(round) => self.history[round as usize].wins[group].clone(),
            Value::Lose(round) => self.history[round as usize].losses[group].clone(),
            Value::Draw => SparseBits::default(),
        }
    }
}
