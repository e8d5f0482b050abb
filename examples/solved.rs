//! Solves all games with up to so many kinds a player, under all rule variants, and writes a row a game: `results/solved.csv`.
//!
//!     cargo run --release --example solved -- 3 results/solved.csv
//!
//! Games that the file has already are passed over, so that it can be interrupted. A pair of dove sets is solved in one order: with
//! the players exchanged it is the same game. Every game is checked by the literal rules before its row is written.

use std::collections::HashSet;
use std::fs::OpenOptions;

use anyhow::{Context, Result};
use dovemate::retrograde::Value;
use dovemate::rules::{Board, Color, DoveSet, Game, Rules};
use dovemate::solve::check::check;
use dovemate::solve::{Options, solve};

const HEADS: [&str; 13] = [
    "red",
    "green",
    "returns",
    "both_surrounded",
    "positions",
    "win",
    "lose",
    "draw",
    "start_red",
    "start_green",
    "longest",
    "longest_board",
    "to_move",
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, kinds, path] = &arguments[..] else {
        anyhow::bail!("usage: solved KINDS FILE");
    };
    let kinds: u32 = kinds.parse().context("the number of kinds")?;
    let done: HashSet<Vec<String>> = match csv::Reader::from_path(path) {
        Ok(mut rows) => rows.records().map(|row| Ok(key(&row?))).collect::<Result<_>>()?,
        Err(_) => HashSet::new(),
    };
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let is_new = file.metadata()?.len() == 0;
    let mut file = csv::Writer::from_writer(file);
    if is_new {
        file.write_record(HEADS)?;
    }
    let sets: Vec<DoveSet> = DoveSet::all().into_iter().filter(|set| set.len() <= kinds).collect();
    let mut games: Vec<Game> = Rules::variants()
        .flat_map(|rules| {
            sets.iter().flat_map(move |&red| DoveSet::all().into_iter().map(move |green| (red, green, rules)))
        })
        .filter(|(red, green, _)| place(red) <= place(green) && green.len() <= kinds)
        .map(|(red, green, rules)| Game { red, green, rules })
        .collect();
    games.sort_by_key(|game| game.most_doves());
    for game in games {
        let row = key(&csv::StringRecord::from(names(&game).to_vec()));
        if !done.contains(&row) {
            file.write_record(solved(game)?)?;
            file.flush()?;
        }
    }
    Ok(())
}

/// The place of a dove set among all.
fn place(set: &DoveSet) -> Option<usize> {
    DoveSet::all().iter().position(|other| other == set)
}

/// What names a game.
fn names(game: &Game) -> [String; 4] {
    let Game { red, green, rules } = game;
    [red.to_string(), green.to_string(), rules.returns.to_string(), rules.both_surrounded.name().to_owned()]
}

fn key(row: &csv::StringRecord) -> Vec<String> {
    row.iter().take(4).map(str::to_owned).collect()
}

fn solved(game: Game) -> Result<Vec<String>> {
    let solved = solve(game, Options { distances: true }, &|_| {});
    check(&*solved, 2022, &|| {})?;
    let solution = solved.solution();
    let count = |name: &str| solution.count(|row| row.value.name() == name).to_string();
    let start = |mover| solved.value(&Board::default(), mover).map_or(String::new(), |value: Value| value.to_string());
    let longest = solved.longest();
    let mut row = names(&game).to_vec();
    row.push(solution.count(|_| true).to_string());
    row.extend(["win", "lose", "draw"].map(count));
    row.extend([Color::Red, Color::Green].map(start));
    row.extend(match longest {
        Some(longest) => [longest.value.to_string(), longest.board.to_string(), longest.mover.name().to_owned()],
        None => [const { String::new() }; 3],
    });
    Ok(row)
}
