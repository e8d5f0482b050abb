//! How strong the levels are, and how much is proved in a time: lines of `results/strength.csv`.
//!
//!     cargo result players -- levels 100 0.3s results/strength.csv
//!     cargo result players -- proved now 40 1s results/strength.csv
//!
//! `levels`: from the start of the whole game with returns, every level plays that many games against each of three
//! scripted players, half of them with either colour, over at most 200 plies; a game that goes on counts as a draw. The
//! strongest level has that many seconds for an action; the others take what they need. The players are *random*; *one*,
//! which takes a win in one, does not allow one if it can help it, and is random otherwise; and *two plies*, which
//! looks two plies ahead and goes by the estimate. All play on one thread. What is kept are the points, 1 for a win.
//!
//! `proved`: positions are drawn evenly, that many with each number of doves from six on. How many are known to be
//! won, lost or drawn after so many seconds, by `best` as it is, with the openings in the program.

use std::fs::OpenOptions;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use dovemate::ask::level::{Chooser, Level};
use dovemate::ask::openings::Openings;
use dovemate::ask::record::{Ending, ending_by_rules};
use dovemate::ask::{Asker, Draw, Limits, Lookup, Ranked, Ranking};
use dovemate::internals::search::Search;
use dovemate::random::{below, seeded};
use dovemate::rules::{Board, Code, Color, Game};
use rand_chacha::ChaCha8Rng;

/// The most plies of a game.
const MAX_PLIES: usize = 200;
const SEED: u64 = 49;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let game = Game::default();
    let openings = Openings::embedded(&game).context("there are openings of the whole game")?;
    let (lines, effort, path) = match arguments[..] {
        ["levels", games, seconds, path] => {
            let time = seconds.strip_suffix('s').context("the time is in seconds, as in 0.3s")?;
            let time = Duration::try_from_secs_f64(time.parse()?)?;
            (levels(game, &openings, games.parse()?, time)?, seconds, path)
        }
        ["proved", who, count, seconds, path] => {
            (proved(game, &openings, who, count.parse()?, seconds)?, seconds, path)
        }
        _ => bail!("usage: players levels GAMES SECONDS FILE, or players proved WHO COUNT EFFORT FILE"),
    };
    let text: String = lines.iter().map(|line| format!("AYMTH/AYMTH,{effort},{line}\n")).collect();
    print!("{text}");
    OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())?;
    Ok(())
}

fn proved(game: Game, values: &dyn Lookup, who: &str, count: u32, effort: &str) -> Result<Vec<String>> {
    (6..=12)
        .map(|doves| {
            let mut draw = Draw::new(&game, &(doves..=doves), SEED);
            let mut known = 0;
            for _ in 0..count {
                let (board, mover) = draw.position();
                let asker = Asker::new(game, Some(values));
                let (mut asker, time) = match effort.strip_suffix('s') {
                    Some(seconds) => (asker, Some(Duration::try_from_secs_f64(seconds.parse()?)?)),
                    None => (asker.with_effort(effort.parse()?), None),
                };
                let limits = Limits { plies: Search::LONGEST, deadline: time.map(|time| Instant::now() + time) };
                let ranking = asker.rank_proved(&board, mover, limits)?;
                known += u32::from(ranking.worth().name() != "none");
            }
            eprintln!("{doves} doves: {known} of {count}");
            Ok(format!("proved,{who},{doves},{count},{known}"))
        })
        .collect()
}

/// A player of a game.
enum Player<'a> {
    Random(ChaCha8Rng),
    One(Asker<'a>, ChaCha8Rng),
    TwoPlies(Asker<'a>),
    Level(Asker<'a>, Chooser, Duration),
}

const SCRIPTED: [&str; 3] = ["random", "one", "two plies"];

impl<'a> Player<'a> {
    fn scripted(name: &str, game: Game, seed: u64) -> Player<'a> {
        match name {
            "random" => Player::Random(seeded(seed)),
            "one" => Player::One(Asker::new(game, None), seeded(seed)),
            _ => Player::TwoPlies(Asker::new(game, None)),
        }
    }

    /// The board after the player's action; `seen` are the positions that have come up.
    fn act(&mut self, game: &Game, board: &Board, mover: Color, seen: &[Code]) -> Result<Board> {
        let two = Limits { plies: 2, deadline: None };
        let any = |rng: &mut ChaCha8Rng, boards: &[&Board]| boards[below(rng, boards.len() as u64) as usize].clone();
        Ok(match self {
            Player::Random(rng) => {
                let legal: Vec<Board> = game.legal_actions(board, mover).map(|(_, after)| after).collect();
                any(rng, &legal.iter().collect::<Vec<_>>())
            }
            Player::One(asker, rng) => {
                let Ranking { actions, .. } = asker.rank_proved(board, mover, two)?;
                let equal = actions.iter().take_while(|ranked| ranked.worth == actions[0].worth);
                any(rng, &equal.map(|ranked| &ranked.after).collect::<Vec<_>>())
            }
            Player::TwoPlies(asker) => asker.rank(board, mover, two)?.actions.swap_remove(0).after,
            Player::Level(asker, chooser, time) => {
                let limits = Limits { plies: Search::LONGEST, deadline: Some(Instant::now() + *time) };
                let ranking = chooser.rank(asker, board, mover, limits)?;
                let code = |ranked: &Ranked| ranked.after.code().invariant(mover.opponent());
                let times = |ranked: &Ranked| seen.iter().filter(|&&seen| seen == code(ranked)).count();
                chooser.choose(&ranking, times).context("there is an action")?.after.clone()
            }
        })
    }
}

/// The half points of the first player, who is red.
fn play(game: &Game, mut players: [Player; 2]) -> Result<u32> {
    let (mut board, mut mover) = (Board::default(), Color::Red);
    let mut seen = Vec::new();
    for _ in 0..MAX_PLIES {
        match ending_by_rules(game, &board, mover) {
            Ending::Unfinished => {}
            Ending::Won(winner) => return Ok(if winner == Color::Red { 2 } else { 0 }),
            _ => return Ok(1),
        }
        board = players[mover as usize].act(game, &board, mover, &seen)?;
        mover = mover.opponent();
        seen.push(board.code().invariant(mover));
    }
    Ok(1)
}

fn levels(game: Game, values: &dyn Lookup, games: u64, time: Duration) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for level in Level::ALL {
        for scripted in SCRIPTED {
            let mut half_points = 0;
            for seed in 0..games {
                let player = Player::Level(Asker::new(game, Some(values)), Chooser::new(level, seed), time);
                let other = Player::scripted(scripted, game, SEED + seed);
                half_points +=
                    if seed % 2 == 0 { play(&game, [player, other])? } else { 2 - play(&game, [other, player])? };
            }
            eprintln!("{} against {scripted}: {} of {games}", level.name(), f64::from(half_points) / 2.0);
            lines.push(format!(
                "points against {scripted},{},all,{games},{:.1}",
                level.name(),
                f64::from(half_points) / 2.0
            ));
        }
    }
    Ok(lines)
}
