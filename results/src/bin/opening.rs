//! Writes as CSV the value of every position with few doves and red to move in the whole game without returns, from its
//! tables or rounds: `results/no-returns-opening.csv`.
//!
//! `cargo result opening -- tables 4` writes all positions with up to 4 doves, bosses included, if the folder
//! of the game is in `tables`. Append `returns` for the game with returns.

use std::collections::BTreeMap;
use std::io;

use anyhow::{Context, Result, bail};
use dovemate::count::reference::boards;
use dovemate::rules::Color;
use dovemate::shapes::{BossPlacement, Shape};
use dovemate_results::games;
use dovemate_solver::{Lookup, Tablebase};

/// Bytes of the cache of groups: with so few doves, every group of a class is read once.
const CACHE_BYTES: usize = 1 << 30;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, most_doves, returns @ ..] = &arguments[..] else {
        bail!("usage: opening TABLES MOST_DOVES [returns]");
    };
    let most_doves = most_doves.parse::<u32>()?;
    let game = games::whole(returns)?;
    let stored = Tablebase::open(folder, game)?.with_cache(CACHE_BYTES);
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record(["doves", "board", "value", "plies"])?;
    for doves in 2..=most_doves {
        let mut positions = BTreeMap::new();
        for shape in Shape::all().into_iter().filter(|shape| shape.doves() == doves) {
            for board in BossPlacement::all(&shape).flat_map(|placement| boards(&placement)) {
                positions.entry(board.code().canonical(Color::Red)).or_insert(board);
            }
        }
        for board in positions.into_values() {
            let known = stored.probe(&board, Color::Red)?;
            let value = known.and_then(|known| known.exact());
            let value = value.with_context(|| format!("{board}: no value, or one without a distance"))?;
            let plies = value.plies().map_or(String::new(), |plies| plies.to_string());
            out.write_record([&doves.to_string(), &board.to_string(), value.name(), &plies])?;
        }
    }
    Ok(out.flush()?)
}
