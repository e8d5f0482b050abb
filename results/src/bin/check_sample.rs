//! Checks the sample that was drawn before the whole game with returns was solved: positions with the values
//! that the rounds have given them.
//!
//! - A search to a number of plies, which knows nothing of the solver, must find the values of those that are won or
//!   lost within that many plies, and of no others.
//! - By the literal rules, whether each is won, lost or drawn must follow from the positions after it, whose values
//!   come from the set of wins that was left at the end.
//!
//! `cargo result check_sample -- tables 10000 5 1000`, with the folder given to `--tables`, searches 10,000
//! positions with each number of doves 5 plies deep, and derives the values of 1,000 with each.

use std::collections::BTreeMap;

use anyhow::{Result, bail, ensure};
use dovemate::internals::solve::check::derive;
use dovemate::internals::solve::files::tables::Tablebase;
use dovemate::rules::{Board, Game, Rules};
use dovemate::{Lookup, LookupError, Worth};
use dovemate_results::by_search::{Valued, agree, drawn};
use rayon::prelude::*;

/// Bytes of the cache of groups.
const CACHE_BYTES: usize = 4 << 30;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, searched, plies, derived] = &arguments[..] else {
        bail!("usage: check_sample FOLDER POSITIONS PLIES POSITIONS");
    };
    let (searched, plies, derived) =
        (searched.parse::<usize>()?, plies.parse::<u32>()?, derived.parse::<usize>()?);
    let game = Game::whole(Rules::default());
    let tables = Tablebase::open(folder, game)?.with_cache(CACHE_BYTES);
    let mut by_doves: BTreeMap<usize, Vec<Valued>> = BTreeMap::new();
    // Places of finished boards have no value.
    for sampled in tables.sampled()?.into_iter().filter(|(board, ..)| game.check(board).is_ok()) {
        by_doves.entry(sampled.0.doves().count()).or_default().push(sampled);
    }
    ensure!(!by_doves.is_empty(), "{folder} has no sample: it is not of a game solved with --distances N");
    println!("doves,sampled,searched,decided,derived");
    for (doves, positions) in by_doves {
        // They are in the order of their places, so neighbours read the same groups.
        let to_search = drawn(&positions, searched);
        let decided = agree(game, &to_search, plies)?;
        let to_derive = drawn(&positions, derived);
        to_derive.par_iter().try_for_each(|(board, mover, value)| {
            let after = |after: &Board, mover| {
                Ok::<Worth, LookupError>(tables.value(after, mover)?.expect("a position of the game").worth)
            };
            let follows = derive(&game, board, *mover, after)?;
            ensure!(
                follows.wdl() == Some(value.wdl()),
                "{board}, {} to move: {value}, but {follows} follows",
                mover.name()
            );
            Ok(())
        })?;
        println!("{doves},{},{},{decided},{}", positions.len(), to_search.len(), to_derive.len());
    }
    Ok(())
}
