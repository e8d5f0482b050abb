//! Positions to which `results/fit-network` fits the estimate.
//!
//!     cargo result fit_estimate -- draw sample 600000 AYMT/AYMH AYMT/AYMH-
//!     cargo result fit_estimate -- sample sample 600000 tables AYMTH/AYMTH-
//!     cargo result fit_estimate -- openings sample 300000 AYMTH/AYMTH-
//!     cargo result fit_estimate -- play sample 100000 5 1
//!     cargo result fit_estimate -- rows rows sample…
//!
//! `draw` solves each game and draws COUNT positions of every number of doves evenly. `sample` draws them from the
//! tables of a solved game, or of the part of it that is solved, and `openings` from the openings in the program. Wins
//! in one are left out, because search sees them at once; of the draws that `draw` finds, one in [`THINNED`] is kept.
//! `play` lets the program play GAMES of the whole game against itself, looking PLIES ahead, with chance from a SEED.
//! All four add positions to a file.
//!
//! `rows` writes into a folder what the fit reads: for each position the features that both players see, the points
//! expected, and what positions are grouped by.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use dovemate::rules::{Board, Color, Game};
use dovemate_analysis::Draw;
use dovemate_analysis::search::Position;
use dovemate_analysis::search::estimate::features::{FEATURES, MOST, Seen};
use dovemate_results::examples::{self, BYTES, Evidence, Example};
use dovemate_results::{games, played};
use dovemate_solver::openings::Openings;
use dovemate_solver::{Lookup, Tablebase, Wdl, solve};
use rayon::prelude::*;

/// The seed of the positions drawn.
const SEED: u64 = 2022;
/// Of the draws that `draw` finds, one in this many is kept.
const THINNED: u64 = 8;
/// Bytes of the cache of groups.
const CACHE_BYTES: usize = 12 << 30;
/// The number of positions in a piece of work.
const PIECE: usize = 1 << 16;
/// The number of games in a piece of work.
const GAMES: u64 = 256;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["draw", path, count, ref games @ ..] => draw(path, count.parse()?, games),
        ["sample", path, count, folder, name] => {
            let game = games::game(name)?;
            let tables = Tablebase::open(folder, game)?.with_cache(CACHE_BYTES);
            eprintln!("{name}: {}", add(path, count.parse()?, 1, game, &tables)?);
            Ok(())
        }
        ["openings", path, count, name] => {
            let game = games::game(name)?;
            let openings = Openings::of(&game).with_context(|| format!("there are no openings of {name}"))?;
            eprintln!("{name}: {}", add(path, count.parse()?, 1, game, openings)?);
            Ok(())
        }
        ["play", path, games, plies, seed] => play(path, games.parse()?, plies.parse()?, seed.parse()?),
        ["rows", folder, ref paths @ ..] if !paths.is_empty() => {
            rows(Path::new(folder), &examples::read(paths)?)
        }
        _ => bail!(
            "usage: fit_estimate draw FILE COUNT GAME… | sample FILE COUNT TABLES GAME | \
             openings FILE COUNT GAME | play FILE GAMES PLIES SEED | rows FOLDER FILE…"
        ),
    }
}

/// Solves each game and adds positions of it to a file.
fn draw(path: &str, count: u64, games: &[&str]) -> Result<()> {
    for name in games {
        let game = games::game(name)?;
        let added = add(path, count, THINNED, game, &solve(game)?)?;
        eprintln!("{name}: {added}");
    }
    Ok(())
}

/// Adds positions of a game to a file: for each number of doves, `count` that are drawn at random, without those of
/// unknown value, wins in one, and all but one in `thinned` of the draws. They are added in one go, so that a run can
/// be interrupted between games. Returns their number.
fn add(path: &str, count: u64, thinned: u64, game: Game, values: &(dyn Lookup + Sync)) -> Result<usize> {
    let mut bytes = Vec::new();
    for doves in 2..=game.most_doves() {
        let mut draw = Draw::new(game, doves..=doves, SEED);
        let mut left = count.min(draw.total());
        while left > 0 {
            let piece: Vec<(u64, (Board, Color))> =
                (0..left.min(PIECE as u64)).map(|number| (number, draw.position())).collect();
            left -= piece.len() as u64;
            let example = |(number, (board, mover)): &(u64, (Board, Color))| {
                let position = Position::of(board, *mover, &game)?;
                if position.surrounds_in_one(game.rules) {
                    return Ok(None);
                }
                let Some(known) = values.probe(board, *mover)? else { return Ok(None) };
                let value = known.worth.wdl().context("a solved game has every value")?;
                let is_kept = value != Wdl::Draw || number.is_multiple_of(thinned);
                Ok(is_kept.then(|| Example::of(&position, game, Evidence::Value(value)).bytes()))
            };
            let examples: Vec<Option<[u8; BYTES]>> = piece.par_iter().map(example).collect::<Result<_>>()?;
            if examples.iter().all(Option::is_none) && doves > 5 {
                // This part of the game is not solved.
                break;
            }
            bytes.extend(examples.into_iter().flatten().flatten());
            eprintln!("{doves} doves: {} positions", bytes.len() / BYTES);
        }
    }
    append(path, &bytes)?;
    Ok(bytes.len() / BYTES)
}

/// Plays games and adds their positions to a file.
fn play(path: &str, games: u64, plies: u32, seed: u64) -> Result<()> {
    let mut count = 0;
    for first in (0..games).step_by(GAMES as usize) {
        let numbers = first..games.min(first + GAMES);
        let positions: Vec<Vec<Example>> =
            numbers.into_par_iter().map(|number| played::positions(seed << 32 | number, plies)).collect();
        let bytes: Vec<u8> = positions.iter().flatten().flat_map(Example::bytes).collect();
        append(path, &bytes)?;
        count += bytes.len() / BYTES;
        eprintln!("{} games: {count} positions", games.min(first + GAMES));
    }
    Ok(())
}

fn append(path: &str, bytes: &[u8]) -> Result<()> {
    Ok(OpenOptions::new().create(true).append(true).open(path)?.write_all(bytes)?)
}

/// Writes what the fit reads. In `features.u16`, each of the two players of a position has [`MOST`] features; where
/// there are fewer, [`FEATURES`] fills up. The other files have a number for each position: `expected.u16` the points
/// expected, in 65,535ths; `halves.u8` the points of the value, in halves, or 3 if it is unknown; and `doves.u8`,
/// `kinds.u8`, `returns.u8` and `aside.u8`.
fn rows(folder: &Path, examples: &[Example]) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut features = BufWriter::new(File::create(folder.join("features.u16"))?);
    for piece in examples.chunks(PIECE) {
        let of = |example: &Example| {
            let seen = Seen::of(&example.position(), example.game.rules);
            let mut rows = [FEATURES as u16; 2 * MOST];
            for player in 0..2 {
                let by = seen.by(player);
                rows[player * MOST..][..by.len()].copy_from_slice(by);
            }
            rows.map(u16::to_le_bytes)
        };
        let bytes: Vec<[[u8; 2]; 2 * MOST]> = piece.par_iter().map(of).collect();
        features.write_all(bytes.as_flattened().as_flattened())?;
    }
    features.flush()?;
    let expected =
        |example: &Example| ((example.expected() * f64::from(u16::MAX)).round() as u16).to_le_bytes();
    let expected: Vec<[u8; 2]> = examples.par_iter().map(expected).collect();
    std::fs::write(folder.join("expected.u16"), expected.as_flattened())?;
    let column = |name: &str, of: &(dyn Fn(&Example) -> u8 + Sync)| {
        let bytes: Vec<u8> = examples.par_iter().map(of).collect();
        std::fs::write(folder.join(name), bytes)
    };
    column("halves.u8", &|example| example.half_points().unwrap_or(3))?;
    column("doves.u8", &|example| example.doves() as u8)?;
    column("kinds.u8", &|example| (example.game.red.len() + example.game.green.len()) as u8)?;
    column("returns.u8", &|example| u8::from(example.game.rules.returns))?;
    column("aside.u8", &|example| u8::from(example.is_aside()))?;
    println!("{} {FEATURES} {MOST}", examples.len());
    Ok(())
}
