//! Running a solver: rounds come from a GPU or the CPU, and the CPU finishes what a GPU leaves.
//!
//! Every round of a GPU is checked when it is finished. The counts on each shape must add up to a whole number of
//! positions. And some of the positions that it found, and some of all positions, are derived by the literal rules from
//! what was found before. A win or loss in n follows from earlier rounds alone, and a position that is neither so far
//! must not follow yet, so any value can be checked before the game is solved. Nothing of a GPU that is caught in a
//! contradiction is believed, and the CPU starts over. A GPU that is lost, or whose work is ended early or never ends,
//! has not lied: the CPU continues after the last round that was checked.

#[cfg(all(test, feature = "gpu"))]
mod tests;

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::{Backend, Chosen, NoGpu, Observer, RunError, choose};
use crate::gpu::solve::{Engine, Found, Ground, Plane, open_tested, reference};
use crate::gpu::{AdapterDescription, GpuError, Selection};
use crate::retrograde::Value;
use crate::rules::{Board, Color, Game};
use crate::shapes::canonical::shapes;
use crate::solve::actions::block_actions;
use crate::solve::bounds::Watch;
use crate::solve::check::derive;
use crate::solve::rounds::counts::{draws, summed};
use crate::solve::solved::{Row, Solution};
use crate::solve::solver::{HeldRounds, fixed_bytes_now};
use crate::solve::space::changes::SparseBits;
use crate::solve::space::index::{Index, Place};
use crate::solve::space::layout::{Block, Class, Layout};
use crate::solve::space::sets::GroupValues;
use crate::solve::{self, Bound, Bounds, Halted, Longest, Options, Round, Solved};

/// The number of positions found in each round that are derived by the literal rules; as many are drawn from all.
const SAMPLE: usize = 64;
/// The seed of the samples.
const SEED: u64 = 2022;

/// What to solve, and where.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Job {
    /// The game.
    pub game: Game,
    /// The solver's options.
    pub options: Options,
    /// Where to solve.
    pub backend: Backend,
    /// Which adapter; a software adapter is used only if named.
    pub adapter: Option<Selection>,
    /// Whether to measure the speed of a GPU's memory.
    pub measures_memory: bool,
    /// The memory and the time available.
    pub bounds: Bounds,
}

impl Job {
    /// A job for whatever backend there is.
    pub fn new(game: Game, options: Options) -> Job {
        Job { game, options, backend: Backend::Auto, adapter: None, measures_memory: false, bounds: Bounds::default() }
    }
}

/// The result, and what ran where.
pub struct Report {
    /// The solved game.
    pub solved: Box<dyn Solved>,
    /// What a GPU did, if one was used.
    pub gpu: Option<OnGpu>,
    /// Why no GPU was used, if one might have been.
    pub no_gpu: Option<NoGpu>,
    /// The time for finding, opening and testing adapters, and preparing the game for one.
    pub start_up: Duration,
    /// The time for solving.
    pub solving: Duration,
}

/// What a GPU did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OnGpu {
    /// The adapter.
    pub adapter: AdapterDescription,
    /// Why it did not finish or is not believed, if that happened.
    pub failure: Option<GpuError>,
    /// Rounds of the GPU that are believed, including the last one, which finds nothing, and round 0; the CPU solved
    /// the others.
    pub rounds: u32,
    /// Places that were checked by the literal rules.
    pub checked: u64,
    /// Bytes used of its memory.
    pub bytes: u64,
    /// Blocks of each class that its rounds looked at.
    pub looked_at: Vec<u64>,
    /// The time that it worked, if it can tell.
    pub device_time: Option<Duration>,
    /// Bytes per second that its memory reads and writes in copying, if measured.
    pub copying: Option<f64>,
}

/// Solves a game. `each` is called after every round.
///
/// # Errors
/// If it cannot be solved as requested, or not within its bounds. A GPU that fails halfway is not an error: the CPU
/// finishes, and the report says so.
pub fn solve(job: &Job, observer: &dyn Observer, each: &(dyn Fn(Round) + Sync)) -> Result<Report, RunError> {
    let ground = OnceLock::new();
    let open = |adapters: &_, index| open_tested(adapters, index, ground.get_or_init(|| Ground::new(job.game)));
    let chosen = choose(job.backend, job.adapter.as_ref(), observer, open)?;
    let ground = ground.into_inner();
    run_on(job, chosen, ground, observer, each)
}

/// Solves on the chosen backend.
fn run_on(
    job: &Job,
    chosen: Chosen<Engine>,
    ground: Option<Ground>,
    observer: &dyn Observer,
    each: &(dyn Fn(Round) + Sync),
) -> Result<Report, RunError> {
    let Chosen { gpu, no_gpu, start_up } = chosen;
    let began = Instant::now();
    let (Some((adapter, engine)), Some(ground)) = (gpu, ground) else {
        let solved = solve::solve_within(job.game, job.options, job.bounds, each)?;
        return Ok(Report { solved, gpu: None, no_gpu, start_up, solving: began.elapsed() });
    };
    let mut gathered = Gathered::new(ground, job);
    let (mut on_gpu, solving) = gathered.solve_on(engine, adapter, job.measures_memory, each);
    if let Some(bound) = gathered.met {
        return Err(gathered.halted(bound).into());
    }
    let failure = on_gpu.failure.clone();
    let Some(error) = failure else {
        return Ok(Report { solved: Box::new(gathered), gpu: Some(on_gpu), no_gpu, start_up, solving });
    };
    // Without distances, none of its values have been read back.
    let keeps = error.is_loss() && job.options.distances;
    let (told, rounds) = (error.told_of(&format!("GPU {}", on_gpu.adapter)), on_gpu.rounds);
    let solved: Box<dyn Solved> = if keeps {
        observer.warn(&format!("{told}; its first {rounds} rounds are checked and kept, the CPU continues from there"));
        gathered.finish_on_cpu(began, each);
        if let Some(bound) = gathered.met {
            return Err(gathered.halted(bound).into());
        }
        Box::new(gathered)
    } else {
        observer.warn(&format!("{told}; nothing it found is kept, the CPU starts over"));
        (on_gpu.rounds, on_gpu.checked) = (0, 0);
        drop(gathered);
        solve::solve_within(job.game, job.options, job.bounds, each)?
    };
    Ok(Report { solved, gpu: Some(on_gpu), no_gpu, start_up, solving: began.elapsed() })
}

/// A game whose rounds come from an engine.
struct Gathered {
    ground: Ground,
    values: Values,
    has_distances: bool,
    /// Complete rounds; those of a GPU are checked.
    done: u32,
    /// The last round that found something.
    rounds: u32,
    checked: u64,
    /// The first position lost and the first one won in the last round that found something.
    first: [Option<Place>; 2],
    /// The number of places decided.
    bits: u64,
    rows: Vec<Row>,
    solution: Solution,
    watch: Watch,
    /// Bytes that the process takes whatever is found.
    fixed: u64,
    /// The bound that was met before the end, if any.
    met: Option<Bound>,
}

/// The values found, by group, and the tally of the current round.
struct Values {
    /// `groups[class][group]`; without distances, empty until the end.
    groups: Vec<Vec<GroupValues>>,
    keeps: bool,
    round: Tally,
}

/// The tally of a round.
struct Tally {
    /// `raw[is win][side][shape]`: bits on all boss placements.
    raw: [[Vec<u64>; 2]; 2],
    /// The first position lost, and the first one won.
    first: [Option<Place>; 2],
    /// Some places of its results.
    sample: Vec<Place>,
    any: bool,
}

impl Tally {
    fn new() -> Tally {
        let zeros = || [0, 1].map(|_| vec![0; shapes().len()]);
        Tally { raw: [zeros(), zeros()], first: [None; 2], sample: Vec::new(), any: false }
    }
}

/// The value of a round's wins or losses.
fn value_of(is_win: bool, round: u32) -> Value {
    if is_win { Value::Win(round) } else { Value::Lose(round) }
}

/// The block with a number in its class.
fn block(layout: &Layout, class: usize, number: u32) -> Block {
    let sets = layout.classes[class].sets;
    Block { class, placement: number as usize / sets, set: number as usize % sets }
}

/// The rows of a block of a class as bytes, as in [`GroupValues`]; a card has them as words.
fn bytes(class: &Class, words: &[u32]) -> Vec<u8> {
    let rows = words.chunks_exact(class.width.div_ceil(32));
    rows.flat_map(|row| row.iter().flat_map(|word| word.to_le_bytes()).take(class.row_bytes)).collect()
}

/// Assigns a value to positions of some blocks of a group; blocks without a set bit are left out.
fn add(sets: &mut GroupValues, value: Value, blocks: &[(usize, Vec<u8>)]) {
    let some = blocks.iter().filter(|(_, rows)| rows.iter().any(|&byte| byte != 0));
    sets.extend(value, some.map(|(place, rows)| (*place, &rows[..])));
}

impl Values {
    fn new(layout: &Layout, keeps: bool) -> Values {
        let groups = layout.classes.iter().map(|class| {
            let groups = if keeps { class.groups() } else { 0 };
            (0..groups).map(|group| GroupValues::new(class, group)).collect()
        });
        Values { groups: groups.collect(), keeps, round: Tally::new() }
    }

    /// Takes in results of a round.
    fn take(&mut self, index: &Index, round: u32, found: &Found, watch: &Watch) {
        if watch.look().is_some() {
            // A bound is met, so the round will not be completed.
            return;
        }
        let layout = &index.layout;
        let class = &layout.classes[found.class];
        let size = found.words.len() / found.blocks.len();
        let row_words = size / class.rows;
        let list = index.placements.with_slots(class.slots);
        let tally = &mut self.round;
        tally.any = true;
        let raw = &mut tally.raw[usize::from(found.is_win)][class.side];
        /// Blocks that a thread counts at once.
        const CHUNK: usize = 4096;
        let chunks = found.blocks.par_chunks(CHUNK).zip(found.words.par_chunks(CHUNK * size));
        let counts = chunks.map(|(blocks, words)| {
            summed(blocks.iter().zip(words.chunks_exact(size)).map(|(&number, words)| {
                let bits: u32 = words.iter().map(|word| word.count_ones()).sum();
                (list[number as usize / class.sets].shape, u64::from(bits))
            }))
        });
        for (shape, count) in counts.collect::<Vec<_>>().into_iter().flatten() {
            raw[shape as usize] += count;
        }
        let place = |entry: usize| {
            let words = &found.words[entry * size..][..size];
            let word = words.iter().position(|word| *word != 0).expect("a block that is found has a bit");
            let bit = 32 * (word % row_words) + words[word].trailing_zeros() as usize;
            Place { block: block(layout, found.class, found.blocks[entry]), row: word / row_words, bit }
        };
        tally.first[usize::from(found.is_win)].get_or_insert_with(|| place(0));
        // Later batches replace some places of earlier ones.
        for turn in 0..4 {
            let place = place(turn * (found.blocks.len() - 1) / 3);
            match tally.sample.len() {
                SAMPLE => {
                    let turn = (found.blocks[0] as usize).wrapping_mul(7) + 17 * turn;
                    tally.sample[turn % SAMPLE] = place;
                }
                _ => tally.sample.push(place),
            }
        }
        if !self.keeps {
            return;
        }
        let group_blocks = (class.group * class.sets) as u32;
        let value = value_of(found.is_win, round);
        let of_group = |group: usize| {
            let start = group as u32 * group_blocks;
            let [from, to] =
                [start, start + group_blocks].map(|end| found.blocks.partition_point(|&block| block < end));
            (start, from..to)
        };
        let add = |(group, sets): (usize, &mut GroupValues)| {
            let (start, entries) = of_group(group);
            let block = |entry: usize| {
                ((found.blocks[entry] - start) as usize, bytes(class, &found.words[entry * size..][..size]))
            };
            let before = sets.bytes();
            add(sets, value, &entries.map(block).collect::<Vec<_>>());
            watch.add((sets.bytes() - before) as u64);
        };
        let groups = &mut self.groups[found.class];
        let [first, last] =
            [found.blocks[0], found.blocks[found.blocks.len() - 1]].map(|block| (block / group_blocks) as usize);
        let touched = groups[first..=last].par_iter_mut().enumerate();
        touched.for_each(|(group, sets)| add((first + group, sets)));
    }

    /// The value of a position so far.
    fn value(&self, index: &Index, place: Place) -> Value {
        let class = &index.layout.classes[place.block.class];
        let number = place.block.placement % class.group * class.sets + place.block.set;
        self.groups[place.block.class][place.block.placement / class.group].value(number, place.row, place.bit)
    }
}

impl Gathered {
    fn new(ground: Ground, job: &Job) -> Gathered {
        let has_distances = job.options.distances;
        let values = Values::new(&ground.index.layout, has_distances);
        let solution = Solution::new(has_distances, []);
        let fixed = fixed_bytes_now(&job.game, job.bounds);
        let watch = Watch::new(job.bounds, fixed);
        Gathered {
            ground,
            values,
            has_distances,
            done: 0,
            rounds: 1,
            checked: 0,
            first: [None; 2],
            bits: 0,
            rows: Vec::new(),
            solution,
            watch,
            fixed,
            met: None,
        }
    }

    /// The halted game, when a bound was met.
    fn halted(self, bound: Bound) -> Box<Halted> {
        let bytes = self.watch.bytes();
        // Rounds are counted from 0.
        let round = self.done.saturating_sub(1);
        Box::new(Halted { bound, round, bytes, fixed: self.fixed, rounds: Box::new(self) })
    }

    /// Solves on a card. Returns what the GPU did, and the time.
    fn solve_on(
        &mut self,
        mut engine: Engine,
        adapter: AdapterDescription,
        measures_memory: bool,
        each: &(dyn Fn(Round) + Sync),
    ) -> (OnGpu, Duration) {
        let (began, before) = (Instant::now(), engine.device_time());
        let failure = self.solve(&mut engine, began, each).err();
        let solving = began.elapsed();
        let mut on_gpu = OnGpu {
            adapter,
            failure,
            rounds: self.done,
            checked: self.checked,
            bytes: engine.bytes(),
            looked_at: engine.looked_at().to_vec(),
            device_time: engine.device_time().zip(before).map(|(after, before)| after - before),
            copying: None,
        };
        if measures_memory && on_gpu.failure.is_none() {
            on_gpu.copying = engine.copying().ok();
        }
        (on_gpu, solving)
    }

    fn solve(&mut self, engine: &mut Engine, began: Instant, each: &(dyn Fn(Round) + Sync)) -> Result<(), GpuError> {
        loop {
            let Gathered { ground, values, watch, done: number, .. } = self;
            let (ground, watch, number) = (&*ground, &*watch, *number);
            engine.round(ground, number, &mut |found| {
                values.take(&ground.index, number, &found, watch);
                Ok(())
            })?;
            self.met = self.watch.look();
            if self.met.is_some() {
                return Ok(());
            }
            if self.has_distances {
                self.check(number)?;
            }
            if self.end_round(began, each)? {
                break;
            }
        }
        if !self.has_distances {
            self.read_planes(engine)?;
        }
        self.finish();
        Ok(())
    }

    /// Counts the results of a round; returns whether it was the last.
    fn end_round(&mut self, began: Instant, each: &(dyn Fn(Round) + Sync)) -> Result<bool, GpuError> {
        let (layout, number) = (&self.ground.index.layout, self.done);
        let tally = std::mem::replace(&mut self.values.round, Tally::new());
        let mut totals = [0, 0];
        for (is_win, raw) in tally.raw.iter().enumerate() {
            for (side, raw) in raw.iter().enumerate() {
                for (shape, &raw) in shapes().iter().zip(raw).filter(|(_, raw)| **raw > 0) {
                    let uneven = || GpuError::Uneven { shape: format!("{:#06x}", shape.cells.0) };
                    let positions = shape.whole_positions(raw).ok_or_else(uneven)?;
                    totals[is_win] += positions;
                    self.bits += raw;
                    let value = value_of(is_win == 1, number);
                    self.rows.push(Row { mover: layout.mover(side), doves: shape.doves(), value, positions });
                }
            }
        }
        self.done += 1;
        if tally.any && number > 1 {
            self.rounds = number;
        }
        if number > 0 && (tally.any || number == 1) {
            each(Round { number, wins: totals[1], losses: totals[0], elapsed: began.elapsed() });
        }
        let is_over = number > 1 && !tally.any;
        if tally.any {
            self.first = tally.first;
        }
        Ok(is_over)
    }

    /// Derives some positions by the literal rules after a round.
    fn check(&mut self, number: u32) -> Result<(), GpuError> {
        let index = &self.ground.index;
        let mut random = ChaCha8Rng::seed_from_u64(SEED + u64::from(number));
        let all = index.places();
        let of_all = (0..SAMPLE).filter_map(|_| index.nth_place(random.next_u64() % all));
        // The last place of each class has the highest addresses on the card.
        let ends = index.layout.classes.iter().scan(0, |end, class| {
            *end += class.places();
            Some(*end - 1)
        });
        let last = ends.filter_map(|place| index.nth_place(place));
        let places: Vec<Place> = self.values.round.sample.iter().copied().chain(of_all).chain(last).collect();
        let values = &self.values;
        places.par_iter().try_for_each(|&place| {
            let (board, mover) = index.position(place);
            let found = values.value(index, place);
            let derived = derive(&index.layout.game, &board, mover, |after, mover| {
                let place = index.place(after, mover).expect("an open action leads to a position of the game");
                values.value(index, place)
            });
            // A value in the next round's distance is for the next round to find.
            let is_right = found == derived || found == Value::Draw && derived.plies() == Some(number + 1);
            if is_right {
                return Ok(());
            }
            let told = |value: Value| format!("{board} with {} to move: {value}", mover.name());
            Err(GpuError::Round { round: number, found: told(found), expected: told(derived) })
        })?;
        self.checked += places.len() as u64;
        Ok(())
    }

    /// Without distances: reads all wins and losses from the card.
    fn read_planes(&mut self, engine: &mut Engine) -> Result<(), GpuError> {
        let layout = &self.ground.index.layout;
        let at_once_of = reference::wins_at_once(layout.game);
        for (index, class) in layout.classes.iter().enumerate() {
            let wins = engine.plane(Plane::Wins, index)?;
            let losses = engine.plane(Plane::Losses, index)?;
            let row_words = class.width.div_ceil(32);
            let size = class.rows * row_words;
            let group_words = class.group * class.sets * size;
            let groups = wins.par_chunks(group_words).zip(losses.par_chunks(group_words)).enumerate();
            let groups = groups.map(|(group, (wins, losses))| {
                let mut sets = GroupValues::new(class, group);
                let [mut later, mut at_once] = [Vec::new(), Vec::new()];
                for (place, words) in wins.chunks_exact(size).enumerate() {
                    let block = block(layout, index, (group * class.group * class.sets + place) as u32);
                    let first = at_once_of(block);
                    let part = |is_first: bool| -> Vec<u32> {
                        let masks = first.iter().map(|mask| if is_first { *mask } else { !*mask });
                        words.iter().zip(masks.cycle()).map(|(word, mask)| word & mask).collect()
                    };
                    later.push((place, bytes(class, &part(false))));
                    at_once.push((place, bytes(class, &part(true))));
                }
                let lost = losses.chunks_exact(size).map(|words| bytes(class, words)).enumerate();
                add(&mut sets, Value::Win(0), &later);
                add(&mut sets, Value::Win(1), &at_once);
                add(&mut sets, Value::Lose(0), &lost.collect::<Vec<_>>());
                sets
            });
            self.values.groups[index] = groups.collect();
        }
        // There must be as many bits as the rounds reported.
        let bits: u64 =
            self.values.groups.iter().flatten().flat_map(GroupValues::counts).map(|(_, _, bits)| bits).sum();
        if bits != self.bits {
            let (found, expected) = (format!("{bits} places decided"), format!("{} in all rounds", self.bits));
            return Err(GpuError::Round { round: self.done, found, expected });
        }
        Ok(())
    }

    /// Continues on the CPU after the last complete round.
    fn finish_on_cpu(&mut self, began: Instant, each: &(dyn Fn(Round) + Sync)) {
        let layout = &self.ground.index.layout;
        // Results of an incomplete round are dropped.
        let is_whole = |value: Value| value.plies().is_some_and(|plies| plies < self.done);
        let whole = |sets: &GroupValues| {
            let mut sets = sets.clone();
            sets.retain(is_whole);
            sets
        };
        let groups = self.values.groups.iter().map(|groups| groups.iter().map(whole).collect()).collect();
        self.values = Values { groups, ..Values::new(layout, true) };
        let mut twin = reference::resume(layout.game, self.done, &|each| {
            for (class, groups) in self.values.groups.iter().enumerate() {
                let group_blocks = layout.classes[class].group * layout.classes[class].sets;
                for (group, sets) in groups.iter().enumerate() {
                    sets.each(|value, place, bytes| each(value, class, group * group_blocks + place, bytes));
                }
            }
        });
        loop {
            let Gathered { ground, values, watch, done: number, .. } = self;
            let (ground, watch, number) = (&*ground, &*watch, *number);
            twin.round(&mut |found| values.take(&ground.index, number, &found, watch));
            self.met = self.watch.look();
            if self.met.is_some() {
                return;
            }
            if self.end_round(began, each).expect("the CPU counts whole positions") {
                break;
            }
        }
        self.finish();
    }

    /// Counts the draws, which are all other positions.
    fn finish(&mut self) {
        let index = &self.ground.index;
        let classes: Vec<usize> = (0..index.layout.classes.len()).collect();
        self.rows.extend(draws(index, &classes, &self.rows));
        self.solution = Solution::new(self.has_distances, std::mem::take(&mut self.rows));
    }
}

impl HeldRounds for Gathered {
    fn rows(&self) -> &[Row] {
        &self.rows
    }

    fn index(&self) -> Arc<Index> {
        Arc::new(Index::new(self.ground.index.layout.game))
    }

    fn found(&self, value: Value, class: usize, group: usize) -> SparseBits {
        self.values.groups[class][group].of(value).cloned().unwrap_or_default()
    }

    fn forget(&mut self, round: u32) {
        let groups = self.values.groups.par_iter_mut().flatten();
        groups.for_each(|sets| sets.retain(|value| value.plies() != Some(round)));
    }

    fn into_board(self: Box<Self>) -> Option<block_actions::CompiledGame> {
        None
    }
}

impl Solved for Gathered {
    fn game(&self) -> Game {
        self.ground.index.layout.game
    }

    fn solution(&self) -> &Solution {
        &self.solution
    }

    fn rounds(&self) -> u32 {
        self.rounds
    }

    fn value(&self, board: &Board, mover: Color) -> Option<Value> {
        let index = &self.ground.index;
        index.place(board, mover).map(|place| self.values.value(index, place))
    }

    fn longest(&self) -> Option<Longest> {
        let [lost, won] = self.first;
        let place = won.or(lost).filter(|_| self.has_distances)?;
        let (board, mover) = self.ground.index.position(place);
        Some(Longest { board, mover, value: self.values.value(&self.ground.index, place) })
    }

    fn bytes(&self) -> u64 {
        self.values.groups.iter().flatten().map(|sets| sets.bytes() as u64).sum()
    }

    fn places(&self) -> u64 {
        self.ground.index.places()
    }

    fn position(&self, place: u64) -> Option<(Board, Color)> {
        self.ground.index.nth_place(place).map(|place| self.ground.index.position(place))
    }

    fn layout(&self) -> &Layout {
        &self.ground.index.layout
    }

    fn group(&self, class: usize, group: usize) -> GroupValues {
        self.values.groups[class][group].clone()
    }
}
