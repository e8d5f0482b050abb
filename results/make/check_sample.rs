//! Checks the sample that was drawn before the whole game with returns was solved: positions with the values that the
//! rounds have given them.
//!
//! - A search to a number of plies, which knows nothing of the solver, finds the values of those that are won or lost
//!   in as many plies or less, and of no others.
//! - By the literal rules, each is won, lost or drawn as the positions after it are, by the set of wins that was left
//!   at the end.
//!
//! `cargo result check_sample -- tables 10000 5 1000`, with the folder given to `--tables`, searches 10,000 positions
//! with each number of doves 5 plies deep, and derives the values of 1,000 with each.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail, ensure};
use dovemate::ask::Asker;
use dovemate::retrograde::Value;
use dovemate::rules::{Board, Color, Game, Rules};
use dovemate::solve::Solved;
use dovemate::solve::check::derive;
use dovemate::solve::files::tables::Tablebase;
use rayon::prelude::*;

/// Bytes of the cache of groups.
const CACHE_BYTES: usize = 4 << 30;
/// The number of positions that one after the other are searched with what was found for the ones before.
const CHUNK: usize = 100;

type Sampled = (Board, Color, Value);

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, searched, plies, derived] = &arguments[..] else {
        bail!("usage: check_sample FOLDER POSITIONS PLIES POSITIONS");
    };
    let (searched, plies, derived) = (searched.parse::<usize>()?, plies.parse::<u32>()?, derived.parse::<usize>()?);
    let game = Game::whole(Rules::default());
    let tables = Tablebase::open(folder, game)?.with_cache(CACHE_BYTES);
    let mut by_doves: BTreeMap<usize, Vec<Sampled>> = BTreeMap::new();
    // Places of finished boards have no value.
    for sampled in tables.sampled()?.into_iter().filter(|(board, ..)| game.check(board).is_ok()) {
        by_doves.entry(sampled.0.doves().count()).or_default().push(sampled);
    }
    ensure!(!by_doves.is_empty(), "{folder} has no sample: it is not of a game solved with --keep-rounds N");
    println!("doves,sampled,searched,decided,derived");
    for (doves, positions) in by_doves {
        // They are in the order of their places, so neighbours read the same groups.
        let drawn = |count: usize| -> Vec<&Sampled> {
            positions.iter().step_by(positions.len().div_ceil(count.max(1))).collect()
        };
        let decided = AtomicU64::new(0);
        let to_search = drawn(searched);
        to_search.par_chunks(CHUNK).try_for_each(|chunk| {
            let mut asker = Asker::new(game, None);
            chunk.iter().try_for_each(|(board, mover, value)| {
                let within = Some(*value).filter(|value| value.plies().is_some_and(|number| number <= plies));
                let found = asker.value(board, *mover, plies)?;
                ensure!(
                    found == within,
                    "{board}, {} to move: {value} in the sample, search finds {found:?}",
                    mover.name()
                );
                decided.fetch_add(u64::from(found.is_some()), Ordering::Relaxed);
                Ok(())
            })
        })?;
        let to_derive = drawn(derived);
        to_derive.par_chunks(CHUNK).try_for_each(|chunk| {
            chunk.iter().try_for_each(|(board, mover, value)| {
                let after =
                    |after: &Board, mover| Solved::value(&tables, after, mover).expect("a position of the game");
                let follows = derive(&game, board, *mover, after);
                ensure!(
                    follows.name() == value.name(),
                    "{board}, {} to move: {value}, but {follows} follows",
                    mover.name()
                );
                Ok(())
            })
        })?;
        println!("{doves},{},{},{},{}", positions.len(), to_search.len(), decided.into_inner(), to_derive.len());
    }
    Ok(())
}
