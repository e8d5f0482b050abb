//! The self-test of solving. An adapter must pass the test of its barriers, and begin a small game with every block of
//! the rounds equal to the CPU's: the first rounds, which include all stages, and as many more as half a second allows.
//! For games with five kinds it must also agree with the CPU on a sample of blocks with the widest rows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::SolveEngine;
use super::card::{BATCHES_BYTES, Capacity, MIN_SHARD_WORDS, SolveCard, SolveStage, Task};
use super::shaders::{AT_ONCE, NO_START, RowWidth, SAFE};
use super::shards::{Shards, blocks};
use crate::gpu::{Adapters, GpuError};
use crate::rules::{Game, Rules};
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::in_memory::driver::{Contradiction, Found, RoundsInMemory};
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::layout::{Class, Layout};
use crate::solve::space::win_bits::WinBits;
use crate::solve::{Bounds, CpuEngine, Options};

/// The last round that every adapter must solve, and the time after which no later one is begun.
const MIN_ROUNDS: u32 = 2;
const ENOUGH: Duration = Duration::from_millis(500);

/// The rounds that are probed in the game with the widest rows, besides the one of wins at once: one finds losses, the
/// other wins.
const PROBED_ROUNDS: [u32; 2] = [4, 5];
/// About the number of blocks probed in each class: this many of all blocks, and as many of those in which something is
/// found.
const PROBED_BLOCKS: usize = 48;

/// How long the first rounds of the game of the self-test took.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestTimes {
    /// On all threads of the CPU.
    pub cpu: Duration,
    /// On the GPU: by its own clock if it has one, as large games keep it busy.
    pub gpu: Duration,
}

/// Opens the adapter with this index, tests it, and puts a game on it.
///
/// # Errors
/// If it has no room for the game, cannot be opened, or gives a wrong answer.
pub fn open_tested(adapters: &Adapters, index: usize, compiled: &Arc<CompiledGame>) -> Result<SolveEngine, GpuError> {
    open_tested_in_shards(adapters, index, compiled, u32::MAX)
}

/// The same as [`open_tested`], with planes in shards of at most `most_words` words.
///
/// # Errors
/// As [`open_tested`].
pub fn open_tested_in_shards(
    adapters: &Adapters,
    index: usize,
    compiled: &Arc<CompiledGame>,
    most_words: u32,
) -> Result<SolveEngine, GpuError> {
    let game = compiled.index.layout.game;
    let rows = RowWidth::of(game.red.len().max(game.green.len()));
    let capacity = Capacity::of(adapters, index);
    let shards = Shards::new(&compiled.index.layout, capacity.shard_words.min(most_words).max(MIN_SHARD_WORDS));
    let no_room = |reason| no_room(&shards, reason);
    if shards.count() > capacity.shards {
        return Err(no_room(format!("the adapter has room for {} buffers a plane", capacity.shards)));
    }
    if !compiled.index.layout.crossings().is_empty() {
        return Err(no_room(
            "too large a game for the stages, which do not know classes that are cut by kinds".to_owned(),
        ));
    }
    let card = SolveCard::open(adapters, index, rows, shards.count())?;
    let (mut card, times) = try_all(card, game.rules)?;
    if rows == RowWidth::WIDE {
        card = try_some(card, game.rules)?;
    }
    let loaded = card.load(compiled, shards)?;
    let mut engine = SolveEngine::new(card, compiled.clone(), loaded);
    engine.times = times;
    Ok(engine)
}

/// Checks that a game fits on the adapter with this index if that shares the machine's memory, of which `room` bytes
/// are left for it.
///
/// # Errors
/// If it does not fit.
pub fn check_shared(adapters: &Adapters, index: usize, layout: &Layout, room: u64) -> Result<(), GpuError> {
    let shards = Shards::new(layout, Capacity::of(adapters, index).shard_words.max(MIN_SHARD_WORDS));
    if !adapters.shares_memory(index) || bytes(&shards) <= room {
        return Ok(());
    }
    Err(no_room(&shards, format!("it shares the machine's memory, of which {room} bytes are left for it")))
}

/// The fewest bytes that a game in these shards takes on a card.
fn bytes(shards: &Shards) -> u64 {
    3 * shards.plane_bytes() + shards.ends_bytes() + BATCHES_BYTES
}

fn no_room(shards: &Shards, reason: String) -> GpuError {
    let largest = shards.words.iter().map(|&words| 4 * u64::from(words)).max().unwrap_or(0);
    GpuError::Room { bytes: bytes(shards), buffers: shards.count(), largest, reason }
}

/// Puts a game on the card, in as many shards as the stages allow.
fn loaded(mut card: SolveCard, compiled: &Arc<CompiledGame>) -> Result<SolveEngine, GpuError> {
    let mut most_words = MIN_SHARD_WORDS;
    let shards = loop {
        let shards = Shards::new(&compiled.index.layout, most_words);
        if shards.count() <= card.shards {
            break shards;
        }
        most_words += most_words / 2;
    };
    let loaded = card.load(compiled, shards)?;
    Ok(SolveEngine::new(card, compiled.clone(), loaded))
}

/// A game of the self-test, compiled.
fn compiled(red: &str, green: &str, rules: Rules) -> Arc<CompiledGame> {
    let set = |text: &str| text.parse().expect("a dove set");
    CompiledGame::shared(Game { red: set(red), green: set(green), rules })
}

/// A game with no round found.
fn begun(compiled: &Arc<CompiledGame>) -> RoundsInMemory {
    RoundsInMemory::new(compiled.clone(), Options { distances: true }, Bounds::default())
}

/// Has the CPU find the next round.
fn on_cpu(rounds: &mut RoundsInMemory, engine: &mut CpuEngine) -> Found {
    let found: Result<Found, Contradiction> = rounds.find(engine);
    found.expect("the CPU does not fail")
}

/// Fails if a round has found anything but what is expected.
fn compare(round: u32, found: &Found, expected: &Found) -> Result<(), GpuError> {
    if found == expected {
        return Ok(());
    }
    let told = |round: &Found| {
        let groups = || [&round.wins, &round.losses].into_iter().flat_map(|changes| changes.groups.iter().flatten());
        let blocks: usize = groups().map(SparseBits::count).sum();
        let bits: u64 = groups().flat_map(SparseBits::blocks).map(|(_, changed)| changed.count_bits()).sum();
        format!("{bits} positions in {blocks} blocks")
    };
    Err(GpuError::Wrong(format!("round {round}: the GPU finds {}, the CPU {}", told(found), told(expected))))
}

/// Has the card solve a game that has all types of actions, as far as there is time.
fn try_all(card: SolveCard, rules: Rules) -> Result<(SolveCard, TestTimes), GpuError> {
    let compiled = compiled("AT", "H", rules);
    let mut engine = loaded(card, &compiled)?;
    let (mut rounds, mut expected_rounds, mut cpu) = (begun(&compiled), begun(&compiled), CpuEngine::default());
    let began = Instant::now();
    let mut times = TestTimes::default();
    // Slow adapters do only the first rounds, which include all stages.
    while !rounds.is_over() && (rounds.number() <= MIN_ROUNDS || began.elapsed() < ENOUGH) {
        let (number, on_cpu_from) = (rounds.number(), Instant::now());
        let expected = on_cpu(&mut expected_rounds, &mut cpu);
        let (on_gpu_from, worked) = (Instant::now(), engine.device_time());
        let found = rounds.find(&mut engine)?;
        // Later rounds look at few blocks: they say how long a batch waits, not how fast it is.
        if number <= MIN_ROUNDS {
            let of_device = engine.device_time().map(|after| after - worked.unwrap_or_default());
            times.cpu += on_gpu_from - on_cpu_from;
            times.gpu += of_device.unwrap_or(on_gpu_from.elapsed());
        }
        compare(number, &found, &expected)?;
        rounds.enter(found)?;
        expected_rounds.enter(expected)?;
        if number > 0 && rounds.wins() != expected_rounds.wins() {
            return Err(GpuError::Wrong(format!("round {number}: its wins are not the CPU's")));
        }
    }
    Ok((engine.into_card(), times))
}

/// Has the card examine a sample of the blocks of a game with the widest rows, of either player: all blocks would take
/// slow adapters minutes.
fn try_some(card: SolveCard, rules: Rules) -> Result<SolveCard, GpuError> {
    let compiled = compiled("AYMTH", "-", rules);
    let layout = &compiled.index.layout;
    let mut engine = loaded(card, &compiled)?;
    let (mut rounds, mut cpu) = (begun(&compiled), CpuEngine::default());
    let none = WinBits::empty(layout, layout.ids());
    let mut losses = none.clone();
    for number in 0..=PROBED_ROUNDS[1] {
        let new = on_cpu(&mut rounds, &mut cpu);
        let task = |stage, start| Task { stage, start, gathers: true };
        let mut probe = |task: Task, wins: &WinBits, of_stage: &Changes| {
            let sample = sample(layout, of_stage);
            let (mut expected, part) = (nothing(layout), part(layout, of_stage, &sample));
            *(if task.stage == SolveStage::Wins { &mut expected.wins } else { &mut expected.losses }) = part;
            compare(number, &engine.probe(task, [wins, &losses], sample)?, &expected)
        };
        if number == 1 {
            probe(task(SolveStage::Wins, AT_ONCE), &none, &all_wins(layout, rounds.wins()))?;
        }
        if PROBED_ROUNDS.contains(&number) {
            probe(task(SolveStage::Losses, SAFE), rounds.wins(), &new.losses)?;
            probe(task(SolveStage::Wins, NO_START), rounds.wins(), &new.wins)?;
        }
        losses.add(layout, &new.losses);
        rounds.enter(new)?;
    }
    Ok(engine.into_card())
}

/// No result of a round.
fn nothing(layout: &Layout) -> Found {
    Found { wins: Changes::none(layout), losses: Changes::none(layout) }
}

/// All wins, as if they were new.
fn all_wins(layout: &Layout, wins: &WinBits) -> Changes {
    let mut all = Changes::none(layout);
    for group in layout.all_groups() {
        let class = &layout[group.class];
        all[group] = SparseBits::packed(wins.group(class, group), class, group);
    }
    all
}

/// The numbers of the blocks of a class in which something is found.
fn numbers<'a>(class: &'a Class, groups: &'a [SparseBits]) -> impl Iterator<Item = u32> + 'a {
    let first = |group: usize| group * class.group * class.sets;
    let groups = groups.iter().enumerate();
    groups.flat_map(move |(group, found)| found.blocks().map(move |(number, _)| (first(group) + number) as u32))
}

/// A sample of the blocks of every class, evenly spread, and of those in which something is found.
fn sample(layout: &Layout, found: &Changes) -> Vec<Vec<u32>> {
    let of_class = |(class, groups): (&Class, &Vec<SparseBits>)| {
        let all = blocks(class);
        let new: Vec<u32> = numbers(class, groups).collect();
        let mut some: Vec<u32> = (0..all).step_by((all as usize / PROBED_BLOCKS).max(1)).collect();
        some.extend(new.iter().step_by((new.len() / PROBED_BLOCKS).max(1)));
        some.sort_unstable();
        some.dedup();
        some
    };
    layout.classes.iter().zip(&found.groups).map(of_class).collect()
}

/// The part of some changes that lies in a sample.
fn part(layout: &Layout, found: &Changes, sample: &[Vec<u32>]) -> Changes {
    let mut part = Changes::none(layout);
    for (group, found) in found.iter() {
        let class = &layout[group.class];
        part[group] = SparseBits::new(class, group);
        for (number, changed) in found.blocks() {
            let in_class = (group.number * class.group * class.sets + number) as u32;
            if sample[group.class.0].binary_search(&in_class).is_ok() {
                part[group].push(number, &changed.whole());
            }
        }
        part[group].finish();
    }
    part
}
