//! Checks the openings embedded in the program by a search to a number of plies, which knows nothing of the solver. It
//! must find the values of the positions that are won or lost within that many plies, and of no others.
//!
//! `cargo result check_openings -- 100000 7` searches 100,000 of the positions of the whole game without
//! returns 7 plies deep, or all if there are fewer; append `returns` for the game with returns.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use dovemate_results::by_search::{Valued, agree, drawn};
use dovemate_results::games;
use dovemate_solver::openings::Openings;
use dovemate_solver::{Known, Lookup};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, plies, returns @ ..] = &arguments[..] else {
        bail!("usage: check_openings POSITIONS PLIES [returns]");
    };
    let (count, plies) = (count.parse()?, plies.parse()?);
    let game = games::whole(returns)?;
    let openings = Openings::of(&game).context("the program has no openings of this game")?;
    let valued = |(board, mover)| {
        let known = openings.probe(&board, mover)?.and_then(Known::exact);
        Ok((board, mover, known.context("it is of the openings")?))
    };
    let positions: Vec<Valued> = openings.positions().map(valued).collect::<Result<_>>()?;
    let mut by_doves: BTreeMap<usize, Vec<&Valued>> = BTreeMap::new();
    for position in drawn(&positions, count) {
        by_doves.entry(position.0.doves().count()).or_default().push(position);
    }
    println!("doves,searched,decided");
    for (doves, positions) in by_doves {
        println!("{doves},{},{}", positions.len(), agree(game, &positions, plies)?);
    }
    Ok(())
}
