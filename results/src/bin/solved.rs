//! Solves all games with up to KINDS kinds per player, under all rule variants, and writes one line per game:
//! `results/solved.csv`.
//!
//!     cargo result solved -- 4 results/solved.csv
//!
//! Games already in the file are skipped, so a run can be interrupted and continued. A pair of dove sets is
//! solved in one order only, because exchanging the players gives the same game. Every game is checked by the
//! literal rules before its line is written.

use anyhow::{Context, Result, bail};
use dovemate::rules::{Board, Color, Game, Rules};
use dovemate_results::games;
use dovemate_results::rows::Rows;
use dovemate_solver::{Lookup, LookupError, Wdl, solve};

/// The columns after those that name the game.
const HEADS: [&str; 9] =
    ["positions", "win", "lose", "draw", "start_red", "start_green", "longest", "longest_board", "to_move"];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, kinds, path] = &arguments[..] else {
        bail!("usage: solved KINDS FILE");
    };
    let kinds: u32 = kinds.parse().context("the number of kinds")?;
    let mut rows = Rows::open(path, &HEADS)?;
    let mut pairs = games::all();
    pairs.retain(|game| game.red.len().max(game.green.len()) <= kinds);
    let mut games: Vec<Game> =
        Rules::variants().flat_map(|rules| pairs.iter().map(move |pair| Game { rules, ..*pair })).collect();
    games.sort_by_key(Game::most_doves);
    for game in games {
        if !rows.have(&game) {
            rows.write(&game, solved(game)?)?;
        }
    }
    Ok(())
}

/// Solves a game; returns the fields that follow its name.
fn solved(game: Game) -> Result<Vec<String>> {
    let solved = solve(game)?;
    solved.check(2022, &|| {})?;
    let solution = solved.solution();
    let count = |value: Wdl| solution.count(|row| row.worth.wdl() == Some(value)).to_string();
    let start =
        |mover| Ok(solved.probe(&Board::default(), mover)?.map_or(String::new(), |known| known.to_string()));
    let longest = solved.longest();
    let mut row = vec![solution.count(|_| true).to_string()];
    row.extend([Wdl::Win, Wdl::Lose, Wdl::Draw].map(count));
    row.extend(Color::ALL.into_iter().map(start).collect::<Result<Vec<String>, LookupError>>()?);
    row.extend(match longest {
        Some(longest) => {
            [longest.value.to_string(), longest.board.to_string(), longest.mover.name().to_owned()]
        }
        None => [const { String::new() }; 3],
    });
    Ok(row)
}
