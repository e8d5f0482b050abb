//! The rounds of a game on a card, in short batches whose results are checked before they are used.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::answers::believed;
use super::card::{BatchAnswer, Blocks, Loaded, MAX_IN_FLIGHT, MIN_SHARD_WORDS, SolveCard, SolveStage, Task};
use super::new_blocks::{Gathering, NewBlocks, Plane, stored, words};
use super::self_test::TestTimes;
use super::shaders::{AT_ONCE, NO_START, SAFE, SELF_LOST, STUCK};
use super::shards::{Segment, Shards};
use crate::gpu::GpuError;
use crate::gpu::pace::Pace;
use crate::gpu::stream::{Batches, stream};
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::actions::marks::BlockPredecessors;
use crate::solve::bounds::{Bounds, BoundsWatch};
use crate::solve::in_memory::driver::{Contradiction, Found, RoundEngine, RoundsInMemory};
use crate::solve::space::changes::{Changes, count_bits};
use crate::solve::space::layout::{ClassId, GroupId};
use crate::solve::space::win_bits::WinBits;

/// The time that one thread takes to mark the predecessors of a changed block.
const MARKING: Duration = Duration::from_micros(2);

/// A game on a card.
pub struct SolveEngine {
    card: SolveCard,
    compiled: Arc<CompiledGame>,
    game: Loaded,
    /// How long the CPU and the GPU took in the self-test.
    pub times: TestTimes,
    /// By stage, without and with gathering: reading the successors makes items much heavier.
    paces: [[Pace; 2]; 4],
    /// How long the last pass over all blocks took, for wins and for losses.
    sweeps: [Option<Duration>; 2],
    /// Whether some position is lost regardless of all others.
    has_early_losses: bool,
    /// The error that ended a round. It may have left batches in flight, so no further batch is sent.
    failure: Option<GpuError>,
}

/// Takes in what a batch has found, and may refuse it.
type Taker<'a> = &'a mut dyn FnMut(NewBlocks) -> Result<(), GpuError>;

/// The blocks that a stage examines.
enum Scope {
    /// All blocks.
    All,
    /// Some blocks of each class, ascending.
    Listed(Vec<Vec<u32>>),
}

/// A batch in flight.
struct SentBatch<'a> {
    segment: usize,
    blocks: Blocks<'a>,
    cost: u64,
}

/// A stage on its way through the card, over all blocks of a scope.
struct Pass<'a> {
    engine: &'a mut SolveEngine,
    task: Task,
    /// What is not sent yet: segments, with blocks of each.
    left: VecDeque<(usize, Blocks<'a>)>,
    found: Taker<'a>,
    /// Bits found.
    counted: u64,
}

impl Pass<'_> {
    fn pace(&mut self) -> &mut Pace {
        &mut self.engine.paces[self.task.stage as usize][usize::from(self.task.gathers)]
    }
}

impl<'a> Batches for Pass<'a> {
    type Batch = SentBatch<'a>;
    type Answer = BatchAnswer;
    const MAX_IN_FLIGHT: usize = MAX_IN_FLIGHT;

    fn send(&mut self, serial: u32) -> Option<SentBatch<'a>> {
        let (segment, blocks) = self.left.pop_front()?;
        let pace = self.pace().cost();
        let SolveEngine { card, game, .. } = &mut *self.engine;
        let at = &game.shards.segments[segment];
        let class = &game.classes[at.class.0];
        let most = card.most_blocks(class, matches!(blocks, Blocks::Listed(_)));
        let by_pace = (pace >> class.team_shift).clamp(1, u64::from(most)) as u32;
        let (blocks, rest) = blocks.split(by_pace);
        if rest.count() > 0 {
            self.left.push_front((segment, rest));
        }
        card.submit(game, self.task, at, &blocks, serial);
        Some(SentBatch { segment, cost: u64::from(blocks.count()) << class.team_shift, blocks })
    }

    fn collect(&mut self, done: &mut dyn FnMut()) -> Result<BatchAnswer, GpuError> {
        self.engine.card.collect(done)
    }

    fn learn(&mut self, flight: &SentBatch<'a>, elapsed: Duration) {
        self.pace().learn(flight.cost, elapsed);
    }

    fn take(&mut self, flight: SentBatch<'a>, serial: u32, answer: BatchAnswer) -> Result<(), GpuError> {
        let (stage, engine) = (self.task.stage, &*self.engine);
        self.counted += answer.counts.iter().map(|count| u64::from(count[0])).sum::<u64>();
        let class = engine.game.shards.segments[flight.segment].class;
        let of_class = &engine.game.classes[class.0];
        let new = believed(stage, class, of_class, engine.card.teams(of_class), &flight.blocks, serial, answer)?;
        if new.blocks.is_empty() { Ok(()) } else { (self.found)(new) }
    }
}

impl SolveEngine {
    /// An engine for a game on a card, with nothing solved yet.
    pub(super) fn new(card: SolveCard, compiled: Arc<CompiledGame>, game: Loaded) -> SolveEngine {
        SolveEngine {
            card,
            compiled,
            game,
            times: TestTimes::default(),
            paces: std::array::from_fn(|_| [Pace::default(), Pace::default()]),
            sweeps: [None; 2],
            has_early_losses: false,
            failure: None,
        }
    }

    /// An engine for a game on a card, in as many shards as its stages allow.
    ///
    /// # Errors
    /// If the card has no room for it.
    pub(super) fn spread(card: SolveCard, compiled: &Arc<CompiledGame>) -> Result<SolveEngine, GpuError> {
        let mut most_words = MIN_SHARD_WORDS;
        let shards = loop {
            let shards = Shards::new(&compiled.index.layout, most_words);
            if shards.count() <= card.shards {
                break shards;
            }
            most_words += most_words / 2;
        };
        let game = card.load(compiled, shards)?;
        Ok(SolveEngine::new(card, compiled.clone(), game))
    }

    /// The same adapter with another game, whose rows must be no wider than those that it was prepared for.
    ///
    /// # Errors
    /// If the card has no room for it.
    pub fn another(self, compiled: &Arc<CompiledGame>) -> Result<SolveEngine, GpuError> {
        SolveEngine::spread(self.card, compiled)
    }

    /// The card, for another game.
    pub(super) fn into_card(self) -> SolveCard {
        self.card
    }

    /// The measured bytes per second, read and written together, that the device's memory copies.
    ///
    /// # Errors
    /// If the device fails.
    pub fn copying(&self) -> Result<f64, GpuError> {
        self.card.copying()
    }

    /// Bytes of all buffers on the card.
    pub fn bytes(&self) -> u64 {
        self.game.bytes()
    }

    /// The number of buffers that each plane is in.
    pub fn buffers(&self) -> usize {
        self.game.shards.count()
    }

    /// How long the device has worked since it was opened; `None` if unknown.
    pub fn device_time(&self) -> Option<Duration> {
        self.card.device_time()
    }

    /// The stages of a round. `found` gets all positions that are won or lost in `number` plies, losses first, the
    /// blocks of each class in ascending order, and may refuse them. `before` is the round before.
    fn stages(&mut self, number: u32, before: Option<&Found>, found: Taker) -> Result<(), GpuError> {
        let had_losses = before.is_some_and(|before| !before.losses.is_empty());
        match (number, before) {
            (0, _) => {
                self.has_early_losses = self.run(Task::alone(SolveStage::Ends), &Scope::All, &mut |_| Ok(()))? > 0;
                if self.early_losses(STUCK, found)? > 0 {
                    self.add(&Scope::All)?;
                }
            }
            (1, _) => {
                let losses = self.early_losses(SELF_LOST, found)?;
                self.find(Task { stage: SolveStage::Wins, start: AT_ONCE, gathers: had_losses }, &Scope::All, found)?;
                if losses > 0 {
                    self.add(&Scope::All)?;
                }
            }
            (_, None) => {}
            (_, Some(before)) => {
                // In round 2 all wins so far come from round 1, and lie anywhere.
                let lost = match number {
                    2 => Some(Scope::All),
                    _ => (!before.wins.is_empty()).then(|| self.scope(&before.wins, 1)),
                };
                let won = had_losses.then(|| self.scope(&before.losses, 0));
                let losses = match &lost {
                    Some(scope) => {
                        self.find(Task { stage: SolveStage::Losses, start: SAFE, gathers: true }, scope, found)?
                    }
                    None => 0,
                };
                if let Some(scope) = &won {
                    self.find(Task { stage: SolveStage::Wins, start: NO_START, gathers: true }, scope, found)?;
                }
                if let Some(scope) = lost.filter(|_| losses > 0) {
                    self.add(&scope)?;
                }
            }
        }
        Ok(())
    }

    /// Runs a stage on some blocks of each class, with these wins and losses of earlier rounds, and returns what it
    /// finds.
    pub(super) fn probe(
        &mut self,
        task: Task,
        [wins, losses]: [&WinBits; 2],
        blocks: Vec<Vec<u32>>,
    ) -> Result<Found, GpuError> {
        let layout = &self.compiled.index.layout;
        for class in layout.ids() {
            for (plane, rows) in [(Plane::Wins, wins), (Plane::Losses, losses)] {
                self.card.write(&self.game, plane, class, &words(&layout[class], rows.blocks(class)));
            }
        }
        let (compiled, watch, scope) =
            (self.compiled.clone(), BoundsWatch::new(Bounds::default(), 0), Scope::Listed(blocks));
        let mut gathering = Gathering::new(&compiled, &watch, None);
        self.run(Task::alone(SolveStage::Ends), &scope, &mut |_| Ok(()))?;
        self.run(task, &scope, &mut |new| gathering.add(&new))?;
        Ok(gathering.finish())
    }

    /// The losses that depend on no other position; returns the number of blocks that have any.
    fn early_losses(&mut self, start: u32, found: Taker) -> Result<usize, GpuError> {
        if self.has_early_losses {
            let task = Task { stage: SolveStage::Losses, start, gathers: false };
            return self.find(task, &Scope::All, found);
        }
        Ok(0)
    }

    /// Adds the new losses to the plane of losses within a scope, and marks the blocks that have any.
    fn add(&mut self, scope: &Scope) -> Result<(), GpuError> {
        self.card.clear_marks(&self.game);
        self.run(Task::alone(SolveStage::Add), scope, &mut |_| Ok(())).map(|_| ())
    }

    /// The blocks to examine after some have changed: their predecessors, or all blocks if finding the predecessors
    /// would take at least half as long as examining all.
    fn scope(&self, changes: &Changes, sweep: usize) -> Scope {
        let marking = MARKING * u32::try_from(changes.count() / rayon::current_num_threads()).unwrap_or(u32::MAX);
        if self.sweeps[sweep].is_none_or(|sweep| 2 * marking >= sweep) {
            return Scope::All;
        }
        let layout = &self.compiled.index.layout;
        let marks = BlockPredecessors::of(&self.compiled, &layout.all_groups(), changes);
        if let BlockPredecessors::All = marks {
            return Scope::All;
        }
        let of_class = |class: ClassId| {
            let group_blocks = layout[class].group * layout[class].sets;
            let of_group = |group: GroupId| {
                let first = group.number * group_blocks;
                marks.of_group(layout, group).map(move |number| (first + number) as u32)
            };
            layout.groups(&[class]).into_par_iter().flat_map_iter(of_group).collect()
        };
        Scope::Listed(layout.ids().map(of_class).collect())
    }

    /// Runs a stage that finds wins or losses; returns the number of blocks it changes.
    fn find(&mut self, task: Task, scope: &Scope, found: Taker) -> Result<usize, GpuError> {
        let began = Instant::now();
        let mut changed = 0;
        self.run(task, scope, &mut |new| {
            changed += new.blocks.len();
            found(new)
        })?;
        if task.gathers && matches!(scope, Scope::All) {
            self.sweeps[usize::from(task.stage == SolveStage::Losses)] = Some(began.elapsed());
        }
        Ok(changed)
    }

    /// Runs a stage on all blocks of a scope, in batches; returns the number of bits counted.
    fn run(&mut self, task: Task, scope: &Scope, found: Taker) -> Result<u64, GpuError> {
        let blocks = |segment: &Segment| match scope {
            Scope::All => Blocks::From(segment.blocks.clone()),
            Scope::Listed(lists) => {
                let list = &lists[segment.class.0];
                let place = |number: u32| list.partition_point(|&block| block < number);
                Blocks::Listed(&list[place(segment.blocks.start)..place(segment.blocks.end)])
            }
        };
        let left = self.game.shards.segments.iter().map(blocks).enumerate().filter(|(_, it)| it.count() > 0).collect();
        let mut serial = self.card.serial;
        let mut pass = Pass { engine: self, task, left, found, counted: 0 };
        let result = stream(&mut pass, &mut serial);
        let counted = pass.counted;
        self.card.serial = serial;
        result.map(|()| counted)
    }

    /// The rows of a plane of a class, block by block, as the solver stores them.
    ///
    /// # Errors
    /// If the device fails.
    pub fn plane(&mut self, plane: Plane, class: ClassId) -> Result<Vec<u8>, GpuError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let most = self.card.most_read(&self.game.classes[class.0]);
        let of_class = &self.compiled.index.layout[class];
        let mut rows = Vec::with_capacity(of_class.bytes());
        for segment in self.game.shards.segments.iter().filter(|segment| segment.class == class) {
            let mut first = segment.blocks.start;
            while first < segment.blocks.end {
                let count = most.min(segment.blocks.end - first);
                rows.extend(stored(of_class, &self.card.read(&self.game, plane, segment, first, count)?));
                first += count;
            }
        }
        Ok(rows)
    }

    /// Compares the planes with the rounds that were reported: the wins must be the same, and the losses equal in
    /// number.
    ///
    /// # Errors
    /// If they differ, or the device fails.
    pub fn confirm(&mut self, rounds: &RoundsInMemory) -> Result<(), GpuError> {
        let mut lost = 0;
        for class in self.compiled.index.layout.ids() {
            if self.plane(Plane::Wins, class)? != rounds.wins().blocks(class) {
                return Err(GpuError::Wrong("its wins are not those of all rounds".to_owned()));
            }
            lost += count_bits(&self.plane(Plane::Losses, class)?);
        }
        if lost != rounds.lost() {
            let told = format!("{lost} places are lost, not the {} of all rounds", rounds.lost());
            return Err(GpuError::Wrong(told));
        }
        Ok(())
    }
}

impl From<Contradiction> for GpuError {
    fn from(contradiction: Contradiction) -> GpuError {
        GpuError::Wrong(contradiction.to_string())
    }
}

impl RoundEngine for SolveEngine {
    type Error = GpuError;
    const IS_CHECKED: bool = true;

    /// Finds the next round. Rounds must be called in order, from 0 on. Fails as soon as the device fails or a result
    /// is invalid; every later call fails with the same error.
    fn round(&mut self, rounds: &mut RoundsInMemory) -> Result<Found, GpuError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let number = rounds.number();
        let RoundsInMemory { wins, watch, history, .. } = rounds;
        let compiled = self.compiled.clone();
        let mut gathering = Gathering::new(&compiled, watch, (number == 1).then_some(wins));
        let result = self.stages(number, history.last(), &mut |new| gathering.add(&new));
        self.failure = result.as_ref().err().cloned();
        result.map(|()| gathering.finish())
    }
}
