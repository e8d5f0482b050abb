//! `dovemate games nim`: the lost positions of nim.

use std::io::Write;

use clap::Args;
use serde_json::json;

use super::results::{StonesArguments, stdout, verdict};
use crate::cli::io::failure::Failure;
use crate::cli::io::memory;
use crate::cli::io::text_table::grouped;
use crate::cli::options::parse::number;
use dovemate::games::nim::Piles;
use dovemate::retrograde::Unmarked;

/// Nim: list the lost positions, and check them against Bouton's rule.
///
/// Positions are listed in the order of the article's programs: piles are distinct, and the first changes fastest. The
/// article's programs are for misère play: whoever takes the last stone loses.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate games nim --piles 3 --max 10 --misere\n  dovemate games nim --piles 3 --max 200 --csv lost.csv"
)]
pub struct Arguments {
    /// The number of piles
    #[arg(long, value_name = "M", value_parser = number(1..=64_u32))]
    piles: u32,
    /// The most stones in a pile
    #[arg(long, value_name = "N", value_parser = number(0..=1_000_000_000_u32))]
    max: u32,
    #[command(flatten)]
    stones: StonesArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let &Arguments { piles: count, max: most, ref stones } = arguments;
    let misere = stones.misere;
    let piles = Piles { piles: count, most };
    let positions = piles.positions().unwrap_or(u128::MAX);
    // A mark for each position, and a number for each lost one: at most one for each choice of the other piles.
    let lost = u128::from(most).saturating_add(1).checked_pow(count - 1).unwrap_or(u128::MAX);
    let bytes = Unmarked::bytes(positions).saturating_add(lost.saturating_mul(16));
    memory::check(&format!("nim with {count} piles of up to {most}"), bytes, "take fewer or smaller piles")?;
    let opened = stones.files.open()?;

    let lost = piles.lost(misere);
    let holds = lost.iter().copied().eq(piles.lost_by_bouton(misere));
    let heads: Vec<String> = (1..=count).map(|pile| format!("pile{pile}")).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let rows = lost.iter().map(|&number| piles.position(number).into_iter().map(|pile| pile.to_string()));
    let fields = json!({
        "piles": count,
        "max": most,
        "misere": misere,
        "positions": u64::try_from(positions).ok(),
        "agrees_with_bouton": holds,
        "lost": if opened.json.is_some() {
            lost.iter().map(|&number| piles.position(number)).collect()
        } else {
            Vec::new()
        },
    });
    opened.finish(&heads, rows, "nim", fields)?;
    let mut out = stdout();
    for &number in &lost {
        writeln!(out, "{}", spaced(&piles.position(number)))?;
    }
    let (lost, positions) = (grouped(lost.len() as u64), grouped(u64::try_from(positions).unwrap_or(u64::MAX)));
    writeln!(out, "\n{lost} of {positions} positions are lost in {} play", stones.play())?;
    verdict(&mut out, "these are exactly the ones that Bouton's rule names", holds)
}

fn spaced(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
