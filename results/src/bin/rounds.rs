//! Writes what the finished rounds of a game solved in files have found, as CSV: by part, round, mover, doves and
//! value, with the BLAKE3 hash of the manifest of each round, which in turn has the hashes of its files.
//!
//! `cargo result rounds -- tables AYMTH/AYMTH returns > results/returns-rounds.csv`, or `no-returns`.

use std::io::stdout;
use std::path::Path;

use anyhow::{Result, bail};
use dovemate_results::games;
use dovemate_solver::Tablebase;
use serde_json::Value;

const USAGE: &str = "usage: rounds TABLES GAME returns|no-returns, with a GAME such as AYMTH/AYM";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, sets, returns] = &arguments[..] else { bail!(USAGE) };
    let mut game = games::game(sets)?;
    game.rules.returns = match &returns[..] {
        "returns" => true,
        "no-returns" => false,
        _ => bail!(USAGE),
    };
    let rounds = Path::new(folder).join(Tablebase::folder_name(&game)).join("rounds");
    let mut csv = csv::Writer::from_writer(stdout().lock());
    csv.write_record(["part", "round", "mover", "doves", "value", "positions", "shards", "blake3"])?;
    let parts = (0..).map(|part| (part, rounds.join(format!("part-{part:03}"))));
    for (part, folder) in parts.take_while(|(_, folder)| folder.is_dir()) {
        let manifests = (0..).map(|round| folder.join(format!("{round:04}.json")));
        for (round, path) in manifests.take_while(|path| path.exists()).enumerate() {
            let bytes = std::fs::read(path)?;
            let (manifest, hash) = (serde_json::from_slice::<Value>(&bytes)?, blake3::hash(&bytes).to_hex());
            let rows = manifest["rows"].as_array().map_or(&[][..], Vec::as_slice);
            let none = [serde_json::json!({ "positions": 0 })];
            for row in if rows.is_empty() { &none } else { rows } {
                let field = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let of_row = ["mover", "doves", "value", "positions"].map(|name| match row.get(name) {
                    Some(value) => field(value),
                    None => String::new(),
                });
                let head = [part.to_string(), round.to_string()];
                let tail = [field(&manifest["shards"]), hash.to_string()];
                csv.write_record(head.into_iter().chain(of_row).chain(tail))?;
            }
        }
    }
    Ok(csv.flush()?)
}
