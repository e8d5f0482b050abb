//! Checks a game that is solved part by part, from its tables or its rounds: of every class that is solved, so many positions are derived once more by the
//! literal rules from those that follow.
//!
//! `cargo run --release --example check_parts -- tables 1000000` for the whole game without returns, whose folder is in `tables`.

use std::error::Error;
use std::path::Path;

use dovemate::rules::{Game, Rules};
use dovemate::solve::Solved;
use dovemate::solve::by_parts::{FEW_BYTES, open_solved};
use dovemate::solve::check::check_class;
use dovemate::solve::layout::{Class, Layout};
use dovemate::solve::tables::folder_name;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "name the folder that --tables had, and how many positions of each class are to be checked";
    let (folder, count) = (arguments.next().ok_or(usage)?, arguments.next().ok_or(usage)?.parse()?);
    let game = Game::whole(Rules { returns: false, ..Rules::default() });
    let folder = Path::new(&folder).join(folder_name(&game, true));
    let stored = open_solved(Layout::new(game), &folder, FEW_BYTES)?.ok_or("no part is solved yet")?;
    for (number, class) in stored.layout().classes.iter().enumerate().rev().filter(|(class, _)| stored.knows(*class)) {
        check_class(&stored, number, count, number as u64, &|| ())?;
        let Class { own, own_kinds, opposing, opposing_kinds, .. } = class;
        let places = class.places();
        println!("{own} of {own_kinds} against {opposing} of {opposing_kinds}: {count} of {places} places follow");
    }
    Ok(())
}
