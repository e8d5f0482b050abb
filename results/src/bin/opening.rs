//! Writes the value of every position with few doves in the whole game without returns, from its tables or
//! rounds, as CSV, red to move: `results/no-returns-opening.csv`.
//!
//! `cargo result opening -- tables 4` writes all positions with up to 4 doves, bosses included, if the folder
//! of the game is in `tables`. Append `returns` for the game with returns.

use std::collections::BTreeMap;
use std::io;

use anyhow::{Result, bail, ensure};
use dovemate::Lookup;
use dovemate::internals::solve::Solved;
use dovemate::internals::solve::files::tables::Tablebase;
use dovemate_results::games;

/// Bytes of the cache of groups: with so few doves, every group of a class is read once.
const CACHE_BYTES: usize = 1 << 30;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, most_doves, returns @ ..] = &arguments[..] else {
        bail!("name the folder given to --tables, then the most doves");
    };
    let most_doves = most_doves.parse::<u32>()?;
    let game = games::whole(returns)?;
    let stored = Tablebase::open(folder, game)?.with_cache(CACHE_BYTES);
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record(["doves", "board", "value", "plies"])?;
    ensure!(stored.knows_distances(), "only who wins is known, and no distances");
    for doves in 2..=most_doves {
        // A position that is stored in several places is written once.
        let mut positions = BTreeMap::new();
        let mut first = 0;
        for (id, class) in stored.layout().ids().zip(&stored.layout().classes) {
            let places = first..first + class.places();
            first = places.end;
            if class.slots + 2 != doves {
                continue;
            }
            ensure!(stored.knows(id), "not all positions with {doves} doves are solved yet");
            for place in places {
                let (board, mover) = stored.position(place).expect("the place is one of the game");
                let value = stored.value(&board, mover)?.expect("the class is known").worth;
                positions.insert(board.code().canonical(mover), (board, value));
            }
        }
        for (board, value) in positions.into_values() {
            let plies = value.plies().map_or(String::new(), |plies| plies.to_string());
            out.write_record([&doves.to_string(), &board.to_string(), value.name(), &plies])?;
        }
    }
    Ok(out.flush()?)
}
