//! `dovemate openings`: the tree of openings, action by action, with the values that are known without a search.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use crate::io::{FAINT, Failure, complain, counted, open_exports, streams};
use crate::options::{ActionArguments, KnownGameArguments, ask, number, threads};
use dovemate::rules::Outcome;
use dovemate::{Board, Color};
use dovemate_analysis::Ranked;
use dovemate_analysis::{Analysis, Effort};
use dovemate_solver::{LookupError, Worth};
use dovemate_web::documents::AboutGame;

/// Write the tree of openings, with the values that are known.
///
/// Actions that lead to images of one position form a family. Each family has one line, with its value to the player
/// who acts and how many of the opponent's answers keep that value. A position that several families lead to is
/// followed only after the first of them. Nothing is searched: the values are those of the openings in the program, of
/// a game that is solved on the spot, or of --tables, and families without a known value are left out.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate openings
  dovemate openings --depth 3 --value draw
  dovemate openings --action +MS1E1 --depth 2
  dovemate openings --depth 3 --csv openings.csv")]
pub struct Arguments {
    /// The number of plies
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=99_usize))]
    depth: usize,
    #[command(flatten)]
    actions: ActionArguments,
    /// Only families of this value to the player who acts: win, draw or lose, or with its distance, as in "win in 21"
    #[arg(long, value_name = "VALUE")]
    value: Option<Worth>,
    #[command(flatten)]
    known: KnownGameArguments,
    /// Write CSV to this file, or to standard output, instead of text
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    csv: Option<PathBuf>,
    /// Write JSON to this file, or to standard output, instead of text
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

/// A position of the tree, with the actions that lead to it.
struct Opening {
    line: Vec<String>,
    board: Board,
}

/// A family of actions, as a row of the CSV.
#[derive(Clone, Serialize)]
struct FamilyRow {
    ply: usize,
    /// The actions from the root of the tree to the position in which the family's actions are played.
    line: String,
    actions: String,
    value: &'static str,
    plies: Option<u32>,
    /// How many answers keep the value, and how many there are; `None` if a boss is surrounded, or the value of an
    /// answer is not known.
    kept: Option<usize>,
    answers: Option<usize>,
    /// The canonical code of the position after the family's actions.
    code: String,
    #[serde(skip)]
    worth: Worth,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.known.game();
    let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
    let start = arguments.actions.after(Board::default(), Color::Red, &game)?;
    ask::check(&start, &game)?;
    threads::start()?;
    let values = arguments.known.values(None, arguments.quiet)?;
    let analysis = ask::analysis(&values);
    let (rows, unknown) = tree(&analysis, start, arguments.actions.mover(Color::Red), arguments.depth)?;
    let is_wanted = |row: &FamilyRow| arguments.value.is_none_or(|value| value.includes(row.worth));
    let rows: Vec<FamilyRow> = rows.into_iter().filter(is_wanted).collect();
    if let Some(file) = json {
        file.finish_json(&AboutGame::new(&game, serde_json::json!({ "families": json_of(&rows) })))?;
    } else if csv.is_none() {
        print(&rows)?;
    }
    if let Some(file) = csv {
        file.finish_csv(&rows)?;
    }
    if unknown > 0 && !arguments.quiet {
        let families = counted(unknown as u64, "family is", "families are");
        complain(format_args!("{families} left out: the value is not known without a search"));
    }
    Ok(())
}

/// The families with a known value, of all positions up to this depth, ply by ply; and the number of other families.
fn tree(
    analysis: &Analysis,
    start: Board,
    mut mover: Color,
    depth: usize,
) -> Result<(Vec<FamilyRow>, usize), LookupError> {
    let mut seen = HashSet::from([(mover, start.code().canonical(mover))]);
    let mut openings = vec![Opening { line: Vec::new(), board: start }];
    let (mut rows, mut unknown) = (Vec::new(), 0);
    for ply in 1..=depth {
        let families =
            |analysis: &mut Analysis<'_>, opening: &Opening| families(analysis, opening, mover, ply);
        let found = openings.par_iter().map_init(|| analysis.clone(), families);
        let found: Vec<Vec<(FamilyRow, Option<Opening>)>> = found.collect::<Result<_, _>>()?;
        openings = Vec::new();
        mover = mover.opponent();
        for (row, next) in found.into_iter().flatten() {
            match row.worth {
                Worth::NoneWithin(_) => unknown += 1,
                _ => {
                    openings
                        .extend(next.filter(|next| seen.insert((mover, next.board.code().canonical(mover)))));
                    rows.push(row);
                }
            }
        }
    }
    Ok((rows, unknown))
}

/// The families of a position, best first; equal ones by how many answers keep the value, fewest first.
/// Each is returned with the position after it, unless a boss is surrounded there.
fn families(
    analysis: &mut Analysis,
    opening: &Opening,
    mover: Color,
    ply: usize,
) -> Result<Vec<(FamilyRow, Option<Opening>)>, LookupError> {
    let known = &Effort::plies(0);
    let game = *analysis.game();
    let mut families = Vec::new();
    for family in analysis.rank_proved(&opening.board, mover, known)?.families() {
        let Ranked { text, after, worth, .. } = family[0];
        let is_open = game.rules.outcome_of(after, mover) == Outcome::Open;
        let mut ways = None;
        if is_open && let Some(value) = worth.wdl() {
            let answers = analysis.rank_proved(after, mover.opponent(), known)?.actions;
            let values: Option<Vec<_>> = answers.iter().map(|answer| answer.worth.wdl()).collect();
            ways = values.map(|all| (all.iter().filter(|of| **of == value.before()).count(), all.len()));
        }
        let texts: Vec<&str> = family.iter().map(|ranked| &ranked.text[..]).collect();
        let (kept, answers) = ways.unzip();
        let row = FamilyRow {
            ply,
            line: opening.line.join(" "),
            actions: texts.join(" "),
            value: worth.name(),
            plies: worth.plies(),
            kept,
            answers,
            code: after.code().canonical(mover.opponent()).to_string(),
            worth: *worth,
        };
        let line = opening.line.iter().chain([text]).cloned().collect();
        families.push((row, is_open.then(|| Opening { line, board: after.clone() })));
    }
    families.sort_by_key(|(row, _)| (Reverse(row.worth), row.kept));
    Ok(families)
}

/// The families as JSON, with lists where the CSV has texts separated by spaces.
fn json_of(rows: &[FamilyRow]) -> Vec<serde_json::Value> {
    let list = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let with_lists = |row: &FamilyRow| {
        let mut json = serde_json::json!(row);
        (json["line"], json["actions"]) = (list(&row.line).into(), list(&row.actions).into());
        json
    };
    rows.iter().map(with_lists).collect()
}

/// Prints the families position by position, below the actions that lead to each position.
fn print(rows: &[FamilyRow]) -> Result<(), Failure> {
    let mut out = BufWriter::new(streams::coloured());
    for (number, of_line) in rows.chunk_by(|a, b| a.line == b.line).enumerate() {
        if !of_line[0].line.is_empty() {
            writeln!(out, "{}{FAINT}{}{FAINT:#}", if number > 0 { "\n" } else { "" }, of_line[0].line)?;
        }
        let worth = |row: &FamilyRow| row.worth.to_string();
        let width = of_line.iter().map(|row| worth(row).len()).max().unwrap_or(0);
        for row in of_line {
            let ways = row.kept.zip(row.answers).map(|(kept, answers)| format!("{kept}/{answers}"));
            writeln!(out, "{:width$}  {:>5}  {}", worth(row), ways.unwrap_or_default(), row.actions)?;
        }
    }
    Ok(out.flush()?)
}
