//! Writes the value of every position with few doves in the whole game without returns, from its tables or rounds, as
//! CSV, red to move: `results/no-returns-opening.csv`.
//!
//! `cargo result opening -- tables 4` writes all positions with up to 4 doves, bosses included, if the folder of the game
//! is in `tables`. Append `returns` for the game with returns.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::path::Path;

use dovemate::solve::Solved;
use dovemate::solve::by_parts::{SMALL_BYTES, open_solved};
use dovemate::solve::files::tables::folder_name;
use dovemate::solve::space::layout::Layout;

/// Bytes of the cache of groups: with so few doves, every group of a class is read once.
const CACHE_BYTES: usize = 1 << 30;

mod whole;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("name the folder given to --tables, then the most doves");
    let (folder, most_doves) = (next()?, next()?.parse::<u32>()?);
    let game = whole::game(arguments.next().as_deref())?;
    let folder = Path::new(&folder).join(folder_name(&game, true));
    let stored = open_solved(Layout::new(game), &folder, SMALL_BYTES)?.ok_or("no part is solved yet")?;
    let stored = stored.with_cache(CACHE_BYTES);
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record(["doves", "board", "value", "plies"])?;
    for doves in 2..=most_doves {
        // A position that is stored in several places is written once.
        let mut positions = BTreeMap::new();
        let mut first = 0;
        for (number, class) in stored.layout().classes.iter().enumerate() {
            let places = first..first + class.places();
            first = places.end;
            if class.slots + 2 != doves {
                continue;
            }
            if !stored.knows(number) {
                return Err(format!("not all positions with {doves} doves are solved yet").into());
            }
            for place in places {
                let (board, mover) = stored.position(place).expect("the place is one of the game");
                let value = stored.value(&board, mover)?.expect("the class is known");
                positions.insert(board.code().invariant(mover), (board, value));
            }
        }
        for (board, value) in positions.into_values() {
            let plies = value.plies().map_or(String::new(), |plies| plies.to_string());
            out.write_record([&doves.to_string(), &board.to_string(), value.name(), &plies])?;
        }
    }
    Ok(out.flush()?)
}
