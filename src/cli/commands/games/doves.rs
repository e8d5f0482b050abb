//! `dovemate games doves`: solves Tokyo Doves with fewer doves by the literal rules.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Args;
use serde_json::json;

use super::results::{Files, Opened, stdout};
use crate::cli::io::failure::Failure;
use crate::cli::io::memory;
use crate::cli::io::text_table::{Table, grouped};
use crate::cli::options::game::GameArguments;
use dovemate::Value;
use dovemate::count::tally::ALL_DOVES;
use dovemate::games::doves::{Position, Solved};
use dovemate::rules::{Board, Color, Game, Rules};
use dovemate::shapes::positions::{Convention, Surrounded, positions};
use dovemate::solve::solved::{Row, Solution};

/// Tokyo Doves with the given dove sets, by the literal rules: the value of every position, reachable or not.
///
/// This is the slow, plain solver that every faster one is compared with. Each value is derived a second time from the
/// rules. Games with up to 6 doves, both bosses included, take seconds; games with 8 doves take minutes and gigabytes.
/// Without dove sets, each player has an Aniki and a Yaibato.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate games doves --kinds AY
  dovemate games doves --red AYM --green - --no-return
  dovemate games doves --kinds TH --both-surrounded draw --csv values.csv")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    files: Files,
}

/// Roughly the peak number of bytes for each position of a graph, with its actions and values.
const POSITION_BYTES: u128 = 200;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.named().unwrap_or_else(|| {
        let doves = "AY".parse().expect("A and Y are kinds");
        Game { red: doves, green: doves, rules: arguments.game.rules.rules() }
    });
    let expected = closed_form(&game);
    let name = format!("the game with {} against {}, {} positions,", game.red, game.green, grouped(expected));
    memory::check(&name, u128::from(expected) * POSITION_BYTES, "take fewer kinds")?;
    let opened = arguments.files.open()?;

    let solved = Solved::new(game);
    let found = solved.iter().len() as u64;
    if found != expected {
        let message =
            format!("{} positions were enumerated, but in closed form there are {}", grouped(found), grouped(expected));
        return Err(Failure::Contradiction(message));
    }
    solved.validate().map_err(|error| Failure::Contradiction(error.to_string()))?;
    let table = solved.table();
    if let Some(file) = opened.csv {
        file.finish(&mut |writer| table.write_csv(writer))?;
    }
    let longest = longest(&solved);
    let start = |mover| solved.value(Position::of(&game, &Board::default(), mover)).expect("the start is a position");
    let value = |value: Value| json!({ "value": value.name(), "plies": value.plies() });
    let Rules { returns, both_surrounded } = game.rules;
    let fields = json!({
        "rules": game.rules,
        "red": game.red.to_string(),
        "green": game.green.to_string(),
        "positions": found,
        "start": { "red": value(start(Color::Red)), "green": value(start(Color::Green)) },
        "longest": longest.as_ref().map(|longest| json!({
            "plies": longest.value.plies(),
            "board": longest.board.to_string(),
            "to_move": longest.mover.name(),
            "line": longest.line,
        })),
        "rows": table.rows().iter().map(|row| json!({
            "mover": row.mover.map_or("any", Color::name),
            "doves": row.doves,
            "value": row.value.name(),
            "plies": row.value.plies(),
            "positions": row.positions,
        })).collect::<Vec<_>>(),
    });
    let files = Opened { csv: None, json: opened.json };
    files.finish(&[], std::iter::empty::<[String; 0]>(), "doves", fields)?;

    let mut out = stdout();
    let movers: &[Option<Color>] = if game.is_even() { &[None] } else { &[Some(Color::Red), Some(Color::Green)] };
    let returns = if returns { "" } else { ", no returns" };
    writeln!(
        out,
        "Tokyo Doves, {} against {}{returns}, both surrounded: {}",
        game.red,
        game.green,
        both_surrounded.name()
    )?;
    for &mover in movers {
        if let Some(mover) = mover {
            writeln!(out, "\n{} to move", mover.name())?;
        }
        writeln!(out, "{}", by_value(&table, &game, mover))?;
    }
    writeln!(out, "{} positions, each value derived twice from the rules", grouped(found))?;
    if game.is_even() {
        writeln!(out, "the start: {}", start(Color::Red))?;
    } else {
        writeln!(out, "the start: {} with red to move, {} with green", start(Color::Red), start(Color::Green))?;
    }
    if let Some(Longest { board, mover, value, line }) = longest {
        writeln!(out, "the longest: {board}, {} to move, {value}: {}", mover.name(), line.join(" "))?;
    }
    Ok(out.flush()?)
}

/// The number of positions of a game, in closed form from those of the whole game: on each shape, the doves besides the
/// bosses are chosen from the game's instead of from all ten.
fn closed_form(game: &Game) -> u64 {
    let choose = |of: u64, chosen: u64| (0..chosen).fold(1, |product, k| product * (of - k) / (k + 1));
    let doves = u64::from(game.most_doves()) - 2;
    let movers = if game.is_even() { 1 } else { 2 };
    let of_row = |row: &dovemate::shapes::positions::PositionRow| {
        let others = u64::from(row.doves) - 2;
        if others > doves { 0 } else { row.count(Surrounded::Neither) / choose(10, others) * choose(doves, others) }
    };
    movers * positions(&ALL_DOVES, Convention::Exact).iter().map(of_row).sum::<u64>()
}

/// A table of positions with values down and numbers of doves across.
fn by_value(table: &Solution, game: &Game, mover: Option<Color>) -> Table {
    let of_mover = |row: &&Row| row.mover == mover;
    let doves: Vec<u32> = (2..=game.most_doves()).collect();
    let heads: Vec<String> = doves.iter().map(|doves| format!("{doves} doves")).collect();
    let heads: Vec<&str> = std::iter::once("value").chain(heads.iter().map(String::as_str)).chain(["total"]).collect();
    let mut lines = Table::new(&heads);
    let values: BTreeSet<Value> = table.rows().iter().filter(of_mover).map(|row| row.value).collect();
    for &value in values.iter().rev() {
        let count = |doves| table.count(|row| row.mover == mover && row.value == value && row.doves == doves);
        let counts: Vec<u64> = doves.iter().map(|&doves| count(doves)).collect();
        lines.add(value.to_string(), &[&counts[..], &[counts.iter().sum()]].concat());
    }
    lines
}

/// A longest win or loss.
struct Longest {
    board: Board,
    mover: Color,
    value: Value,
    line: Vec<String>,
}

fn longest(solved: &Solved) -> Option<Longest> {
    let number = solved.graph().longest(solved.values())?;
    let position = solved.graph().positions()[number];
    let (board, mover) = solved.as_played(position);
    let mut before = board.clone();
    let line = solved.best_line(&board, mover).into_iter().map(|(action, after)| {
        let text = action.text(&before);
        before = after;
        text
    });
    let line = line.collect();
    Some(Longest { board, mover, value: solved.values()[number], line })
}
