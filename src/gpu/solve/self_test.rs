//! No adapter is believed before it has solved a small game as the CPU does, every block of every round.

use std::thread;
use std::time::{Duration, Instant};

use super::card::{Card, LEAST_SHARD_WORDS, Room};
use super::shaders::Rows;
use super::shards::Shards;
use super::{Engine, Found, Ground, reference};
use crate::gpu::{Adapters, GpuError};
use crate::rules::{Game, Rules};

/// What the stages may loop in one invocation's group, generously; an adapter that ends loops must not do so before a multiple of it.
const ITERATIONS: u32 = 6_000;

/// Rounds that every adapter must solve, though it may take long, and after how long no further one is begun.
const LEAST_ROUNDS: u32 = 2;
const ENOUGH: Duration = Duration::from_millis(500);

/// Opens the adapter with this index, tests it, and puts a game on it.
///
/// # Errors
/// If it has no room for the game, cannot be opened, or gives a wrong answer.
pub fn vet(adapters: &Adapters, index: usize, ground: &Ground) -> Result<Engine, GpuError> {
    vet_in_shards(adapters, index, ground, u32::MAX)
}

/// The same, with planes in shards of at most so many words.
///
/// # Errors
/// As [`vet`].
pub fn vet_in_shards(adapters: &Adapters, index: usize, ground: &Ground, most_words: u32) -> Result<Engine, GpuError> {
    let game = ground.index.layout.game;
    let rows = Rows::of(game.red.len().max(game.green.len()));
    let room = Room::of(adapters, index);
    let shards = Shards::new(&ground.index.layout, room.shard_words.min(most_words).max(LEAST_SHARD_WORDS));
    if shards.count() > room.shards {
        return Err(GpuError::Room {
            bytes: 3 * shards.plane_bytes() + shards.ends_bytes(),
            buffers: shards.count(),
            largest: shards.words.iter().map(|&words| 4 * u64::from(words)).max().unwrap_or(0),
            reason: format!("the adapter has room for {} buffers a plane", room.shards),
        });
    }
    thread::scope(|scope| {
        let test = test_game(rows, game.rules);
        let known = scope.spawn(move || known_rounds(test));
        let card = Card::open(adapters, index, rows, shards.count())?;
        if let Some(limit) = card.loop_limit()?
            && limit < ITERATIONS
        {
            return Err(GpuError::Loops(format!("its loops stop after {limit} iterations, before a round is done")));
        }
        let ground_of_test = Ground::new(test);
        let mut card = try_out(card, &ground_of_test, &known.join().expect("solving does not panic"))?;
        let loaded = card.load(ground, shards)?;
        Ok(Engine::new(card, loaded))
    })
}

/// A game with all kinds of actions, the rows of which are as wide as any.
fn test_game(rows: Rows, rules: Rules) -> Game {
    let set = |text: &str| text.parse().expect("a dove set");
    match rows {
        Rows::Narrow => Game { red: set("AT"), green: set("H"), rules },
        Rows::Wide => Game { red: set("AYMTH"), green: set("-"), rules },
    }
}

/// All rounds by the CPU.
fn known_rounds(game: Game) -> Vec<Vec<Found>> {
    let mut twin = reference::begin(game);
    let mut rounds: Vec<Vec<Found>> = Vec::new();
    loop {
        let mut round = Vec::new();
        twin.round(&mut |found| round.push(found));
        let is_over = rounds.len() > 1 && round.is_empty();
        rounds.push(round);
        if is_over {
            return rounds;
        }
    }
}

/// Has the card solve a game that is known, in as many shards as it will have.
fn try_out(mut card: Card, ground: &Ground, known: &[Vec<Found>]) -> Result<Card, GpuError> {
    let mut most_words = LEAST_SHARD_WORDS;
    let shards = loop {
        let shards = Shards::new(&ground.index.layout, most_words);
        if shards.count() <= card.shards {
            break shards;
        }
        most_words += most_words / 2;
    };
    let loaded = card.load(ground, shards)?;
    let mut engine = Engine::new(card, loaded);
    let began = Instant::now();
    for (number, expected) in (0..).zip(known) {
        // Slow adapters do the first rounds, which have all stages.
        if number > LEAST_ROUNDS && began.elapsed() > ENOUGH {
            break;
        }
        let mut round: Vec<Found> = Vec::new();
        engine.round(ground, number, &mut |found| {
            match round.last_mut() {
                Some(last) if (last.is_win, last.class) == (found.is_win, found.class) => {
                    last.blocks.extend(found.blocks);
                    last.words.extend(found.words);
                }
                _ => round.push(found),
            }
            Ok(())
        })?;
        if round != *expected {
            let told = |round: &[Found]| {
                let blocks: usize = round.iter().map(|found| found.blocks.len()).sum();
                let bits: u32 = round.iter().flat_map(|found| &found.words).map(|word| word.count_ones()).sum();
                format!("{bits} positions in {blocks} blocks")
            };
            return Err(GpuError::Round { round: number, found: told(&round), expected: told(expected) });
        }
    }
    Ok(engine.into_card())
}
