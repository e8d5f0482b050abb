//! The self-test of solving. An adapter must pass the test of its barriers and solve a small game with every block of
//! every round equal to the CPU's. For games with five kinds it must also agree with the CPU on a sample of blocks with
//! the widest rows.

use std::time::{Duration, Instant};

use super::card::{Card, MIN_SHARD_WORDS, Room, Stage, Task};
use super::engine::joined;
use super::shaders::{AT_ONCE, NO_START, Rows, SAFE};
use super::shards::{Shards, blocks};
use super::{Engine, Found, Ground, reference};
use crate::gpu::{Adapters, GpuError};
use crate::rules::{Game, Rules};
use crate::solve::space::layout::{Class, Layout};

/// A generous bound on the loop iterations of an invocation in any stage. An adapter that ends loops earlier is
/// refused.
const ITERATIONS: u32 = 6_000;

/// The last round that every adapter must solve, and the time after which no later one is begun.
const MIN_ROUNDS: u32 = 2;
const ENOUGH: Duration = Duration::from_millis(500);

/// The rounds that are probed in the game with the widest rows, besides the one of wins at once: one finds losses, the
/// other wins.
const PROBED_ROUNDS: [u32; 2] = [4, 5];
/// About the number of blocks probed in each class, and of those among them in which something is found.
const PROBED_BLOCKS: usize = 48;

/// Opens the adapter with this index, tests it, and puts a game on it.
///
/// # Errors
/// If it has no room for the game, cannot be opened, or gives a wrong answer.
pub fn open_tested(adapters: &Adapters, index: usize, ground: &Ground) -> Result<Engine, GpuError> {
    open_tested_in_shards(adapters, index, ground, u32::MAX)
}

/// The same as [`open_tested`], with planes in shards of at most `most_words` words.
///
/// # Errors
/// As [`open_tested`].
pub fn open_tested_in_shards(
    adapters: &Adapters,
    index: usize,
    ground: &Ground,
    most_words: u32,
) -> Result<Engine, GpuError> {
    let game = ground.index.layout.game;
    let rows = Rows::of(game.red.len().max(game.green.len()));
    let room = Room::of(adapters, index);
    let shards = Shards::new(&ground.index.layout, room.shard_words.min(most_words).max(MIN_SHARD_WORDS));
    let no_room = |reason: String| GpuError::Room {
        bytes: 3 * shards.plane_bytes() + shards.ends_bytes(),
        buffers: shards.count(),
        largest: shards.words.iter().map(|&words| 4 * u64::from(words)).max().unwrap_or(0),
        reason,
    };
    if shards.count() > room.shards {
        return Err(no_room(format!("the adapter has room for {} buffers a plane", room.shards)));
    }
    if !ground.index.layout.crossings().is_empty() {
        return Err(no_room(
            "too large a game for the stages, which do not know classes that are cut by kinds".to_owned(),
        ));
    }
    let mut card = Card::open(adapters, index, rows, shards.count())?;
    card.test_barriers()?;
    if let Some(limit) = card.loop_limit()?
        && limit < ITERATIONS
    {
        return Err(GpuError::Loops(format!("its loops stop after {limit} iterations, before a round is done")));
    }
    card = try_all(card, game.rules)?;
    if rows == Rows::Wide {
        card = try_some(card, game.rules)?;
    }
    let loaded = card.load(ground, shards)?;
    Ok(Engine::new(card, loaded))
}

fn game(red: &str, green: &str, rules: Rules) -> Game {
    let set = |text: &str| text.parse().expect("a dove set");
    Game { red: set(red), green: set(green), rules }
}

/// Puts a game on the card, in as many shards as the stages allow.
fn loaded(mut card: Card, ground: &Ground) -> Result<Engine, GpuError> {
    let mut most_words = MIN_SHARD_WORDS;
    let shards = loop {
        let shards = Shards::new(&ground.index.layout, most_words);
        if shards.count() <= card.shards {
            break shards;
        }
        most_words += most_words / 2;
    };
    let loaded = card.load(ground, shards)?;
    Ok(Engine::new(card, loaded))
}

/// Fails if a round has found something else than expected.
fn compare(round: u32, found: Vec<Found>, expected: &[Found]) -> Result<(), GpuError> {
    let found = joined(found);
    if found == expected {
        return Ok(());
    }
    let told = |round: &[Found]| {
        let blocks: usize = round.iter().map(|found| found.blocks.len()).sum();
        let bits: u32 = round.iter().flat_map(|found| &found.words).map(|word| word.count_ones()).sum();
        format!("{bits} positions in {blocks} blocks")
    };
    Err(GpuError::Round { round, found: told(&found), expected: told(expected) })
}

/// Has the card solve a whole game that has all types of actions.
fn try_all(card: Card, rules: Rules) -> Result<Card, GpuError> {
    let ground = Ground::new(game("AT", "H", rules));
    let mut twin = reference::begin(ground.index.layout.game);
    let mut engine = loaded(card, &ground)?;
    let began = Instant::now();
    for number in 0.. {
        // Slow adapters do only the first rounds, which include all stages.
        if number > MIN_ROUNDS && began.elapsed() > ENOUGH {
            break;
        }
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        twin.round(&mut |new| expected.push(new));
        engine.round(&ground, number, &mut |new| {
            found.push(new);
            Ok(())
        })?;
        compare(number, found, &expected)?;
        if number > 1 && expected.is_empty() {
            break;
        }
    }
    Ok(engine.into_card())
}

/// Has the card examine a sample of the blocks of a game with the widest rows, of either player: all blocks would take
/// slow adapters minutes.
fn try_some(card: Card, rules: Rules) -> Result<Card, GpuError> {
    let ground = Ground::new(game("AYMTH", "-", rules));
    let layout = &ground.index.layout;
    let mut twin = reference::begin(layout.game);
    let mut engine = loaded(card, &ground)?;
    let mut planes: Vec<[Vec<u32>; 2]> = vec![[Vec::new(), Vec::new()]; layout.classes.len()];
    for number in 0..=PROBED_ROUNDS[1] {
        let mut expected = Vec::new();
        twin.round(&mut |new| expected.push(new));
        let task = |stage, start| Task { stage, start, gathers: true };
        let tasks = match number {
            1 => vec![task(Stage::Wins, AT_ONCE)],
            number if PROBED_ROUNDS.contains(&number) => vec![task(Stage::Losses, SAFE), task(Stage::Wins, NO_START)],
            _ => Vec::new(),
        };
        for task in tasks {
            let of_stage: Vec<&Found> =
                expected.iter().filter(|new| new.is_win == (task.stage == Stage::Wins)).collect();
            let sample = sample(layout, &of_stage);
            let expected: Vec<Found> = of_stage.iter().filter_map(|new| part(new, &sample[new.class])).collect();
            let found = engine.probe(task, &planes, sample)?;
            compare(number, found, &expected)?;
        }
        for new in &expected {
            let size = new.words.len() / new.blocks.len();
            let plane = &mut planes[new.class][usize::from(!new.is_win)];
            plane.resize(blocks(&layout.classes[new.class]) as usize * size, 0);
            for (&block, words) in new.blocks.iter().zip(new.words.chunks_exact(size)) {
                plane[block as usize * size..][..size].iter_mut().zip(words).for_each(|(there, word)| *there |= word);
            }
        }
    }
    Ok(engine.into_card())
}

/// A sample of the blocks of every class, evenly spread, and of those in which something is found.
fn sample(layout: &Layout, found: &[&Found]) -> Vec<Vec<u32>> {
    let classes = layout.classes.iter().enumerate();
    let of_class = |(index, class): (usize, &Class)| {
        let all = blocks(class);
        let mut some: Vec<u32> = (0..all).step_by((all as usize / PROBED_BLOCKS).max(1)).collect();
        for new in found.iter().filter(|new| new.class == index) {
            some.extend(new.blocks.iter().step_by((new.blocks.len() / PROBED_BLOCKS).max(1)));
        }
        some.sort_unstable();
        some.dedup();
        some
    };
    classes.map(of_class).collect()
}

/// The part of a result that lies in these blocks, if any.
fn part(found: &Found, blocks: &[u32]) -> Option<Found> {
    let size = found.words.len() / found.blocks.len();
    let mut part = Found { blocks: Vec::new(), words: Vec::new(), ..*found };
    for (block, words) in found.blocks.iter().zip(found.words.chunks_exact(size)) {
        if blocks.binary_search(block).is_ok() {
            part.blocks.push(*block);
            part.words.extend(words);
        }
    }
    (!part.blocks.is_empty()).then_some(part)
}
