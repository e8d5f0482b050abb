//! How many positions are proved with a given effort: lines of `results/strength.csv`.
//!
//!     cargo result proved -- now 40 1s results/strength.csv
//!
//! For each number of doves from six on, this draws 40 positions of the whole game with returns evenly. It counts those
//! that proofs alone, with the openings in the program, find to be won, lost or drawn in 1 second on all cores. Without
//! the `s`, the effort is a number of positions that proofs look at, on one core. `now` names who proves, in the lines.

use std::fs::OpenOptions;
use std::io::Write;

use anyhow::{Context, Result, bail};
use dovemate::rules::Game;
use dovemate_analysis::{Analysis, Draw, built_in};
use dovemate_results::work::Work;

const SEED: u64 = 49;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [who, count, effort, path] = &arguments[..] else { bail!("usage: proved WHO COUNT EFFORT FILE") };
    let text: String = proved(count.parse()?, effort.parse()?)?
        .into_iter()
        .map(|(doves, known)| format!("AYMTH/AYMTH,{effort},proved,{who},{doves},{count},{known}\n"))
        .collect();
    print!("{text}");
    OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())?;
    Ok(())
}

/// Each number of doves, with how many of the positions are won, lost or drawn by proofs.
fn proved(count: u32, work: Work) -> Result<Vec<(u32, u32)>> {
    let game = Game::default();
    (6..=12)
        .map(|doves| {
            let mut draw = Draw::new(game, doves..=doves, SEED);
            let openings = built_in(&game).context("the openings are in the library")?;
            let mut known = 0;
            for _ in 0..count {
                let (board, mover) = draw.position();
                let mut analysis = Analysis::new(openings);
                let ranking = analysis.rank_proved(&board, mover, &work.effort())?;
                known += u32::from(ranking.worth().wdl().is_some());
            }
            eprintln!("{doves} doves: {known} of {count}");
            Ok((doves, known))
        })
        .collect()
}
