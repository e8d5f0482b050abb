//! Counting positions of a game with fewer doves, on the CPU.
//!
//! A position is counted from the mover's side, so where the players have different dove sets there are two counts: with red to
//! move, and with green. Shapes, boss placements and weights are those of Tokyo Doves; the enclosure prune holds whatever is on
//! the board and in hand (`tests/suite/count/games.rs` looks at all boss placements that it drops).

use std::io::{self, Write};
use std::ops::RangeInclusive;

use rayon::prelude::*;

use crate::count::{Category, Counter, Method, Sides};
use crate::rules::{Color, Game};
use crate::run::Observer;
use crate::tally::{Tally, Workload};

/// The counts with one player to move.
#[derive(Clone, Debug)]
pub struct GameTally {
    /// Who moves; `None` if both have the same dove set, and it makes no difference.
    pub mover: Option<Color>,
    /// The counts by number of doves on the board.
    pub tally: Tally,
}

/// Counts on the threads of the pool that this is called in. `doves` is within 2 and [`Game::most_doves`].
pub fn count(
    game: &Game,
    what: Category,
    method: Method,
    doves: &RangeInclusive<u32>,
    observer: &dyn Observer,
) -> Vec<GameTally> {
    let workload = Workload::new(doves, what);
    let movers = if game.is_even() { vec![None] } else { Color::ALL.map(Some).to_vec() };
    // By mover: how many assignments there are to so many slots.
    let assignments = |&mover: &Option<Color>| -> Vec<u64> {
        let sides = Sides::of(game, mover.unwrap_or(Color::Red));
        (0..=doves.end() - 2).map(|slots| sides.assignments(slots)).collect()
    };
    let by_slots: Vec<Vec<u64>> = movers.iter().map(assignments).collect();
    let on_all_placements = |by_slots: &Vec<u64>| {
        workload.placements.iter().map(|placement| by_slots[placement.slots() as usize]).sum::<u64>()
    };
    observer.begin(by_slots.iter().map(on_all_placements).sum());
    let count_for = |(&mover, by_slots): (&Option<Color>, &Vec<u64>)| {
        let counter = || Counter::for_game(game, mover.unwrap_or(Color::Red), what, method);
        let counts: Vec<u64> = workload
            .placements
            .par_iter()
            .map_init(counter, |counter, placement| {
                let found = counter.count(placement);
                observer.advance(by_slots[placement.slots() as usize]);
                found
            })
            .collect();
        let mut tally = workload.tally(&counts);
        for row in &mut tally.rows {
            row.assignments = row.boss_placements * by_slots[row.doves as usize - 2];
        }
        GameTally { mover, tally }
    };
    movers.iter().zip(&by_slots).map(count_for).collect()
}

/// Writes the rows as CSV, with a header: as [`Tally::write_csv`], with the mover first where that makes a difference.
///
/// # Errors
/// If the writer fails.
pub fn write_csv(tallies: &[GameTally], writer: impl Write) -> io::Result<()> {
    if let [GameTally { mover: None, tally }] = tallies {
        return tally.write_csv(writer);
    }
    let mut csv = csv::Writer::from_writer(writer);
    for (place, GameTally { mover, tally }) in tallies.iter().enumerate() {
        if place == 0 {
            csv.write_record(["mover", "doves", "shapes", "boss_placements", "assignments", tally.what.name()])?;
        }
        let mover = match mover {
            None => "any",
            Some(Color::Red) => "red",
            Some(Color::Green) => "green",
        };
        for row in &tally.rows {
            let numbers = [u64::from(row.doves), row.shapes, row.boss_placements, row.assignments, row.positions];
            csv.write_field(mover)?;
            csv.write_record(numbers.map(|number| number.to_string()))?;
        }
    }
    csv.flush()
}
