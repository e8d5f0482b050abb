//! `dovemate games wythoff`: the lost positions of Wythoff's game, the article's game (*).

use std::io::Write;

use clap::Args;
use serde_json::json;

use super::results::{StonesArguments, stdout, verdict};
use crate::cli::io::failure::Failure;
use crate::cli::io::memory;
use crate::cli::io::text_table::grouped;
use crate::cli::options::parse::number;
use dovemate::games::wythoff::{lost, lost_by_formula};
use dovemate::retrograde::Unmarked;

/// Wythoff's game, the article's game (*): list the lost positions, and check them against the golden ratio.
///
/// There are black and white stones; a player takes any number of one colour, or equally many of both. Positions are
/// listed as numbers of black and white stones, black changing fastest.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate games wythoff --max 20\n  dovemate games wythoff --max 1000 --misere --csv lost.csv"
)]
pub struct Arguments {
    /// The most stones of a colour
    #[arg(long, value_name = "N", value_parser = number(0..=1_000_000_000_u32))]
    max: u32,
    #[command(flatten)]
    stones: StonesArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let &Arguments { max: most, ref stones } = arguments;
    let misere = stones.misere;
    let positions = (u128::from(most) + 1).pow(2);
    let what = format!("Wythoff's game with up to {most} stones of a colour");
    memory::check(&what, Unmarked::bytes(positions), "take a smaller --max")?;
    let opened = stones.files.open()?;

    let found = lost(most, misere);
    let holds = found == lost_by_formula(most, misere);
    let rows = found.iter().map(|position| position.map(|stones| stones.to_string()));
    let fields = json!({ "max": most, "misere": misere, "agrees_with_formula": holds, "lost": found });
    opened.finish(&["black", "white"], rows, "wythoff", fields)?;
    let mut out = stdout();
    for [black, white] in &found {
        writeln!(out, "{black} {white}")?;
    }
    let (lost, positions) = (grouped(found.len() as u64), grouped(u64::try_from(positions).unwrap_or(u64::MAX)));
    writeln!(out, "\n{lost} of {positions} positions are lost in {} play", stones.play())?;
    let claim = if misere {
        "these are the pairs ⌊nφ⌋ and ⌊nφ⌋ + n for n ≥ 2, and instead of 0, 0 and 1, 2 the pairs 0, 1 and 2, 2"
    } else {
        "these are the pairs ⌊nφ⌋ and ⌊nφ⌋ + n for n ≥ 0"
    };
    verdict(&mut out, claim, holds)
}
