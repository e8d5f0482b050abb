//! The self-test of solving. An adapter must pass the test of its barriers, and begin a small game with every block of
//! the rounds equal to the CPU's: the first rounds, which include all stages, and as many more as half a second allows.
//! For games with five kinds it must also agree with the CPU on a sample of blocks with the widest rows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::SolveEngine;
use super::card::{Capacity, MIN_SHARD_WORDS, SolveCard, SolveStage, Task, least_bytes, no_room};
use super::shaders::{AT_ONCE, NO_START, RowWidth, SAFE};
use super::shards::{Shards, blocks};
use crate::gpu::{Adapters, GpuError};
use crate::rules::{Game, Rules};
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::in_memory::driver::{Contradiction, Found, RoundsInMemory};
use crate::solve::space::changes::{Changed, Changes, SparseBits};
use crate::solve::space::layout::{Class, ClassId, Layout};
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
    if !adapters.shares_memory(index) || least_bytes(&shards) <= room {
        return Ok(());
    }
    Err(no_room(&shards, format!("it shares the machine's memory, of which {room} bytes are left for it")))
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
    let mut engine = SolveEngine::spread(card, &compiled)?;
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
    let mut engine = SolveEngine::spread(card, &compiled)?;
    let (mut rounds, mut cpu) = (begun(&compiled), CpuEngine::default());
    let none = WinBits::empty(layout, layout.ids());
    let mut losses = none.clone();
    for number in 0..=PROBED_ROUNDS[1] {
        let new = on_cpu(&mut rounds, &mut cpu);
        let mut probe = |stage, start, wins: &WinBits, expected: &Changes| {
            let sample = sample(layout, expected);
            let is_in_sample = |(class, block, _): &(ClassId, u32, _)| sample[class.0].binary_search(block).is_ok();
            let expected = blocks_of(layout, expected).filter(is_in_sample);
            let rows = |(class, block, changed): (ClassId, u32, Changed)| (class, block, changed.whole());
            let task = Task { stage, start, gathers: true };
            let Found { wins, losses } = engine.probe(task, [wins, &losses], sample.clone())?;
            let [found, others] = if stage == SolveStage::Wins { [wins, losses] } else { [losses, wins] };
            if others.is_empty() && blocks_of(layout, &found).map(rows).eq(expected.map(rows)) {
                return Ok(());
            }
            Err(GpuError::Wrong(format!("round {number}: in a sample the GPU finds other positions than the CPU")))
        };
        if number == 1 {
            probe(SolveStage::Wins, AT_ONCE, &none, &all_wins(layout, rounds.wins()))?;
        }
        if PROBED_ROUNDS.contains(&number) {
            probe(SolveStage::Losses, SAFE, rounds.wins(), &new.losses)?;
            probe(SolveStage::Wins, NO_START, rounds.wins(), &new.wins)?;
        }
        losses.add(layout, &new.losses);
        rounds.enter(new)?;
    }
    Ok(engine.into_card())
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

/// The blocks in which something is found, with their numbers in the class.
fn blocks_of<'a>(layout: &'a Layout, found: &'a Changes) -> impl Iterator<Item = (ClassId, u32, Changed<'a>)> {
    found.iter().flat_map(|(group, found)| {
        let first = group.number * layout[group.class].group * layout[group.class].sets;
        found.blocks().map(move |(number, changed)| (group.class, (first + number) as u32, changed))
    })
}

/// A sample of the blocks of every class, evenly spread, and of those in which something is found.
fn sample(layout: &Layout, found: &Changes) -> Vec<Vec<u32>> {
    let mut new = vec![Vec::new(); layout.classes.len()];
    blocks_of(layout, found).for_each(|(class, block, _)| new[class.0].push(block));
    let of_class = |(class, new): (&Class, &Vec<u32>)| {
        let all = blocks(class);
        let mut some: Vec<u32> = (0..all).step_by((all as usize / PROBED_BLOCKS).max(1)).collect();
        some.extend(new.iter().step_by((new.len() / PROBED_BLOCKS).max(1)));
        some.sort_unstable();
        some.dedup();
        some
    };
    layout.classes.iter().zip(&new).map(of_class).collect()
}
