//! Writes what the finished rounds of a game solved in files have found, as CSV: by part, round, doves and
//! value, with the BLAKE3 hash of the manifest of each round, which in turn has the hashes of its files.
//!
//! `cargo result rounds -- tables AYMTH/AYMTH returns > results/returns-rounds.csv`, or `no-returns`.

use std::io::stdout;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use dovemate::internals::solve::files::game_folder::GameFolder;
use dovemate::internals::solve::files::journal::Journal;
use dovemate::internals::solve::files::tables::folder_name;
use dovemate::internals::solve::space::index::Index;
use dovemate::rules::Color;
use dovemate_results::games;

const USAGE: &str =
    "name the folder given to --tables, the dove sets as in AYMTH/AYM, and returns or no-returns";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, sets, returns] = &arguments[..] else { bail!(USAGE) };
    let mut game = games::game(sets)?;
    game.rules.returns = match &returns[..] {
        "returns" => true,
        "no-returns" => false,
        _ => bail!(USAGE),
    };
    let index = Arc::new(Index::new(game));
    let folder = GameFolder::new(&Path::new(folder).join(folder_name(&game)));
    let mut csv = csv::Writer::from_writer(stdout().lock());
    csv.write_record(["part", "round", "mover", "doves", "value", "positions", "shards", "blake3"])?;
    for (number, part) in index.layout.parts().iter().enumerate() {
        let journal = Journal::new(&folder, &index, part);
        let mut round = 0;
        while let Some(entry) = journal.entry(round)? {
            let hash = blake3::hash(&std::fs::read(journal.manifest_path(round))?).to_hex();
            if entry.rows.is_empty() {
                let [part, round, shards] =
                    [number, round as usize, entry.shards].map(|number| number.to_string());
                csv.write_record([&part, &round, "", "", "", "0", &shards, hash.as_str()])?;
            }
            for row in &entry.rows {
                csv.write_record([
                    number.to_string(),
                    round.to_string(),
                    row.mover.map_or("any", Color::name).to_owned(),
                    row.doves.to_string(),
                    row.worth.name().to_owned(),
                    row.positions.to_string(),
                    entry.shards.to_string(),
                    hash.to_string(),
                ])?;
            }
            round += 1;
        }
    }
    Ok(csv.flush()?)
}
