//! `dovemate puzzles`: positions won in n plies, with their solutions.

use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use super::{best, show};
use crate::io::{
    Failure, OutputFile, Progress, check_distinct, command_line, complain, counted, grouped, plies, streams,
};
use crate::options::{KnownGameArguments, LanguageArguments, doves_of, number, parse_doves, threads};
use dovemate::Game;
use dovemate_analysis::{Puzzle, Puzzler, texts};
use dovemate_web::Sheet;
use dovemate_web::documents::FoundPuzzle;
use dovemate_web::texts::Language;

/// Drawing ends after this many positions in a row without a new puzzle.
const MAX_MISSES: u64 = 2_000_000;

/// Draw puzzles: positions that are won in N plies.
///
/// N counts both players' actions. Positions of the game are drawn with equal probability, and those that are not
/// puzzles are discarded, so every set of K puzzles is equally likely. The same seed draws the same puzzles. With
/// --unique, the winner has only one action that wins in the fewest plies, at each turn except the last and against
/// every longest defence. Actions that lead to the same position count as one.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate puzzles --plies 3 --unique --count 6 --seed 1 -o puzzles.html
  dovemate puzzles --plies 5 --unique --csv puzzles.csv
  dovemate puzzles --plies 7 --kinds AYT
  dovemate puzzles --plies 15 --kinds AYM --tables tables")]
pub struct Arguments {
    /// The number of plies to win in, an odd number
    #[arg(long, value_name = "N", value_parser = odd)]
    plies: u32,
    /// Only puzzles with one solution
    #[arg(long)]
    unique: bool,
    /// The number of puzzles
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = number(1..=100_000_u32))]
    count: u32,
    /// The seed of the random draw
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number(0..=u64::MAX))]
    seed: u64,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range, as in 2..7 [default:
    /// all]
    #[arg(long, value_name = "N or N..N", value_parser = parse_doves)]
    doves: Option<RangeInclusive<u32>>,
    #[command(flatten)]
    known: KnownGameArguments,
    /// Write JSON instead of text, one puzzle per line
    #[arg(long, conflicts_with_all = ["csv", "output"])]
    json: bool,
    /// Write boards and solutions as CSV to this file instead of text
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write an HTML page for printing to this file instead of text, with the solutions on a separate sheet
    #[arg(short, long, value_name = "PAGE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageArguments,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

/// Parses an odd number of plies.
fn odd(text: &str) -> Result<u32, String> {
    const MAX_PLIES: u32 = 99;
    match text.parse() {
        Ok(plies) if plies % 2 == 1 && plies <= MAX_PLIES => Ok(plies),
        _ => Err(format!(
            "write an odd number from 1 to {MAX_PLIES}, as in 3: the winner has the first action and the last"
        )),
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.known.game();
    let doves = doves_of(&game, arguments.doves.as_ref())?;
    check_distinct(&[("--csv", &arguments.csv), ("-o", &arguments.output)])?;
    let (csv, page) = (OutputFile::open_given(&arguments.csv)?, OutputFile::open_given(&arguments.output)?);

    threads::start()?;
    let puzzles = find(arguments, &doves)?;
    let language = arguments.language.language();
    let is_text = csv.is_none() && page.is_none();
    if arguments.json {
        let lines: String = puzzles.iter().map(|puzzle| json_line(&game, puzzle)).collect();
        return Ok(streams::say(&lines)?);
    }
    if let Some(file) = csv {
        file.finish(&mut |writer| write_csv(writer, &puzzles))?;
    }
    if is_text {
        let mut out = BufWriter::new(streams::coloured());
        write_text(&mut out, language, &game, &puzzles)?;
        out.flush()?;
    }
    if let Some(file) = page {
        file.finish_text(&Sheet { game, puzzles }.document(language, &command_line()))?;
    }
    Ok(())
}

/// Draws the puzzles. Fails if there are none, and warns if there are fewer than requested.
fn find(arguments: &Arguments, doves: &RangeInclusive<u32>) -> Result<Vec<Puzzle>, Failure> {
    let plies = plies(arguments.plies);
    let values = arguments.known.values(None, arguments.quiet)?;
    let puzzler = Puzzler::new(&values, arguments.plies, arguments.unique);
    if !puzzler.is_possible(doves.clone()) {
        let (first, last) = (doves.start(), doves.end());
        let doves = if first == last { first.to_string() } else { format!("{first} to {last}") };
        return Err(Failure::Failed(anyhow!(
            "no position with {doves} doves is a win in {plies}; try another number of plies, or another game"
        )));
    }
    let progress = Progress::of("puzzles found", arguments.quiet);
    progress.begin(u64::from(arguments.count));
    let (mut shown, mut drawn) = (0, 0);
    let report = |found: usize, positions| {
        drawn = positions;
        progress.advance(found as u64 - shown);
        shown = found as u64;
    };
    let puzzles =
        puzzler.draw(doves.clone(), arguments.seed, arguments.count as usize, MAX_MISSES, report)?;
    drop(progress);
    if puzzles.is_empty() {
        let kind = if arguments.unique { "unique win" } else { "win" };
        let drawn = grouped(drawn);
        return Err(Failure::Failed(anyhow!(
            "none of the {drawn} positions drawn is a {kind} in {plies}; try another number of plies, or another game"
        )));
    }
    if puzzles.len() < arguments.count as usize {
        let (found, misses) = (counted(puzzles.len() as u64, "puzzle", "puzzles"), grouped(MAX_MISSES));
        complain(format_args!(
            "only {found} found: there was no new one among the last {misses} positions drawn"
        ));
    }
    Ok(puzzles)
}

/// The texts of the solution's actions.
fn solution(puzzle: &Puzzle) -> String {
    texts(&puzzle.board, &puzzle.line).join(" ")
}

/// A puzzle as a line of JSON.
fn json_line(game: &Game, puzzle: &Puzzle) -> String {
    serde_json::to_string(&FoundPuzzle::of(game, puzzle)).expect("the keys are strings") + "\n"
}

/// Writes boards with solutions as CSV. Boards are quoted, because programs that guess the column separator would
/// choose `;`.
fn write_csv(writer: &mut dyn Write, puzzles: &[Puzzle]) -> io::Result<()> {
    writeln!(writer, "board,to_move,plies,unique,solution")?;
    puzzles.iter().try_for_each(|puzzle| {
        let (mover, unique) = (puzzle.mover.name(), if puzzle.is_unique { "yes" } else { "no" });
        writeln!(writer, "\"{}\",{mover},{},{unique},\"{}\"", puzzle.board, puzzle.plies, solution(puzzle))
    })
}

/// Prints the puzzles, and then their solutions.
fn write_text(out: &mut impl Write, language: Language, game: &Game, puzzles: &[Puzzle]) -> io::Result<()> {
    for (number, puzzle) in (1..).zip(puzzles) {
        let (player, plies) = (language.color(puzzle.mover), language.plies(puzzle.plies));
        writeln!(out, "{}", language.puzzle_text(number, player, plies))?;
        writeln!(out, "{}", show::drawing(language, &puzzle.board, puzzle.mover, game, None, None))?;
    }
    writeln!(out, "{}", language.solutions_text())?;
    for (number, puzzle) in (1..).zip(puzzles) {
        let one = if puzzle.is_unique { String::new() } else { language.other_ways() };
        let end = best::ending(language, game, &puzzle.line, puzzle.mover);
        writeln!(out, "{number}. {}{end}{one}", solution(puzzle))?;
    }
    Ok(())
}
