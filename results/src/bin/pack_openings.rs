//! Makes the openings embedded in the program from a table of all positions with few doves, as `opening`
//! writes it.
//!
//! `cargo result pack_openings -- results/no-returns-opening.csv solver/src/openings/no-returns.bin`; append
//! `returns` for the game with returns.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use dovemate::rules::{Board, Color};
use dovemate_results::games;
use dovemate_solver::Value;
use dovemate_solver::openings::Openings;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [table, file, returns @ ..] = &arguments[..] else {
        bail!("usage: pack_openings TABLE.csv FILE [returns]");
    };
    let game = games::whole(returns)?;
    let (mut values, mut most_doves) = (HashMap::new(), 0);
    for record in csv::Reader::from_path(table)?.deserialize() {
        let (doves, board, value, plies): (u32, String, String, Option<u32>) = record?;
        let plies = || plies.with_context(|| format!("{board} has no distance"));
        let value = match value.as_str() {
            "win" => Value::Win(plies()?),
            "lose" => Value::Lose(plies()?),
            "draw" => Value::Draw,
            other => bail!("{other} is no value"),
        };
        values.insert(board.parse::<Board>()?.code().canonical(Color::Red), value);
        most_doves = most_doves.max(doves);
    }
    let bytes = Openings::write(game, most_doves, |board, mover| {
        values.get(&board.code().canonical(mover)).copied()
    })?;
    println!("{} positions with up to {most_doves} doves, {} bytes", values.len(), bytes.len());
    Ok(std::fs::write(file, bytes)?)
}
