//! `dovemate games hoshigaki`: Grundy numbers and strategies of 干し柿落とし.

use std::io::Write;

use clap::{ArgGroup, Args, ValueEnum};
use serde_json::json;

use super::results::{Files, stdout};
use crate::cli::io::failure::Failure;
use crate::cli::io::memory;
use crate::cli::io::text_table::grouped;
use crate::cli::options::parse::number;
use dovemate::Value;
use dovemate::games::hoshigaki::{
    Condition, Decided, Hoshigaki, Numbered, Position, Version, decide_equal_piles, decide_equal_piles_corrected,
    decide_formula, decide_strategy,
};
use dovemate::retrograde::validate;

/// Roughly the number of bytes for each position of a graph, without its successors.
const POSITION_BYTES: u128 = 220;

/// Hoshigaki (干し柿落とし): Grundy numbers, winning moves, and a check of the article.
///
/// A player takes any number of persimmons from one pile or, while the winning condition is open (A), settles it:
/// whoever acts last wins (W) or loses (L). With POSITION, show its Grundy number and all winning moves. With --table,
/// show the article's table of two piles. With --strategy, check the article's formula, its remark on equal piles and
/// its winning strategy on all positions up to --piles and --max.
#[derive(Args)]
#[command(
    group(ArgGroup::new("question").required(true).args(["position", "table", "strategy"])),
    after_help = "Examples:
  dovemate games hoshigaki 123A
  dovemate games hoshigaki 12,3,1A
  dovemate games hoshigaki --table A --max 7
  dovemate games hoshigaki --strategy --piles 4 --max 9"
)]
pub struct Arguments {
    /// Piles and W, L or A: digits, as in 123A, or numbers with commas, as in 12,3,1A or 12,A
    #[arg(value_name = "POSITION", conflicts_with_all = ["max", "piles"])]
    position: Option<Position>,
    /// Show the table of Grundy numbers of two piles under this condition
    #[arg(long, value_enum, ignore_case = true, value_name = "W|L|A", requires = "max", conflicts_with = "piles")]
    table: Option<ConditionName>,
    /// Check the article's formula, remark and strategy
    #[arg(long, requires_all = ["piles", "max"])]
    strategy: bool,
    /// The most piles, for --strategy
    #[arg(long, value_name = "M", value_parser = number(1..=32_u32))]
    piles: Option<u32>,
    /// The most persimmons in a pile
    #[arg(long, value_name = "N", value_parser = number(1..=u16::MAX))]
    max: Option<u16>,
    #[command(flatten)]
    files: Files,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "UPPER")]
enum ConditionName {
    /// Whoever acts last wins
    W,
    /// Whoever acts last loses
    L,
    /// Open
    A,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let max = arguments.max.unwrap_or(0);
    if let Some(position) = &arguments.position {
        return look(position, &arguments.files);
    }
    if let Some(condition) = arguments.table {
        let condition = match condition {
            ConditionName::W => Condition::LastWins,
            ConditionName::L => Condition::LastLoses,
            ConditionName::A => Condition::Open,
        };
        return table(condition, max, &arguments.files);
    }
    strategy(arguments.piles.unwrap_or(0), max, &arguments.files)
}

/// Refuses this many positions, each with about this many successors, if they take too much memory.
fn check_memory(what: &str, positions: u128, successors: u128, instead: &str) -> Result<(), Failure> {
    memory::check(what, positions.saturating_mul(POSITION_BYTES + 8 * successors), instead)
}

fn look(position: &Position, files: &Files) -> Result<(), Failure> {
    check_memory(&position.to_string(), position.reachable(), position.sum().into(), "take fewer or smaller piles")?;
    let opened = files.open()?;
    let numbered = Numbered::from(position.clone());
    let values = numbered.graph.values();
    validate(&Hoshigaki, &numbered.graph, &values).map_err(|error| Failure::Contradiction(error.to_string()))?;
    let (number, value) = (numbered.number(position), values[0]);
    let winning = numbered.winning(position);
    let value_of = |position: &Position| values[numbered.graph.number(position).expect("it can be reached")];
    let columns = ["position", "grundy", "value", "plies"];
    let plies = |value: Value| value.plies().map_or(String::new(), |plies| plies.to_string());
    let row = |position: &Position| {
        let value = value_of(position);
        [position.to_string(), numbered.number(position).to_string(), value.name().to_owned(), plies(value)]
    };
    let rows: Vec<[String; 4]> = std::iter::once(position).chain(winning.iter().copied()).map(row).collect();
    let fields = json!({
        "position": position.to_string(),
        "grundy": number,
        "formula": position.formula(),
        "value": value.name(),
        "plies": value.plies(),
        "winning": winning.iter().map(|to| json!({
            "position": to.to_string(), "plies": value_of(to).before().plies(),
        })).collect::<Vec<_>>(),
    });
    opened.finish(&columns, rows, "hoshigaki", fields)?;
    let mut out = stdout();
    writeln!(out, "{position}: Grundy number {number}, {value}")?;
    let is_same = u32::from(position.formula()) == number;
    writeln!(
        out,
        "the article's formula {}",
        if is_same { "says so too".to_owned() } else { format!("says {}", position.formula()) }
    )?;
    if winning.is_empty() {
        let is_over = numbered.graph.without_action(0).is_some();
        let why = match (is_over, number) {
            (true, 0) => "the game is over: the other player has acted last and won",
            (true, _) => "the game is over: the other player has acted last and lost",
            (false, _) => "no action wins",
        };
        writeln!(out, "{why}")?;
    } else {
        writeln!(out, "winning actions lead to:")?;
        for to in winning {
            writeln!(out, "  {to:<12} {}", value_of(to).before())?;
        }
    }
    out.flush()?;
    if is_same { Ok(()) } else { Err(Failure::Contradiction(format!("{position} contradicts the article's formula"))) }
}

fn table(condition: Condition, most: u16, files: &Files) -> Result<(), Failure> {
    let what = format!("the table up to {most}");
    check_memory(&what, Position::count(2, most), 2 * u128::from(most), "take a smaller --max")?;
    let opened = files.open()?;
    let numbered = Numbered::all(2, most);
    let number = |row: u16, column: u16| numbered.number(&Position::new([row, column], condition));
    let letter = condition.letter().to_string();
    let heads: Vec<String> = std::iter::once(letter.clone()).chain((0..=most).map(|pile| pile.to_string())).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let line = |row: u16| (0..=most).map(move |column| (row, column));
    let rows: Vec<Vec<String>> = (0..=most)
        .map(|row| {
            let numbers = line(row).map(|(row, column)| number(row, column).to_string());
            std::iter::once(row.to_string()).chain(numbers).collect()
        })
        .collect();
    let table = (0..=most).map(|row| line(row).map(|(row, column)| number(row, column)).collect::<Vec<_>>());
    let fields = json!({ "condition": letter, "max": most, "table": table.collect::<Vec<_>>() });
    let width = rows.iter().flatten().map(String::len).max().unwrap_or(1).max(heads[heads.len() - 1].len());
    opened.finish(&heads, rows.iter().cloned(), "hoshigaki", fields)?;
    let mut out = stdout();
    for line in std::iter::once(heads.iter().map(|&head| head.to_owned()).collect()).chain(rows) {
        let padded: Vec<String> = line.iter().map(|cell| format!("{cell:>width$}")).collect();
        writeln!(out, "{}", padded.join(" "))?;
    }
    Ok(out.flush()?)
}

fn strategy(piles: u32, most: u16, files: &Files) -> Result<(), Failure> {
    let what = format!("all positions of up to {piles} piles of up to {most}");
    let successors = u128::from(piles) * u128::from(most) / 2;
    check_memory(&what, Position::count(piles, most), successors, "take a smaller --piles or --max")?;
    let opened = files.open()?;
    let numbered = Numbered::all(piles, most);
    let values = numbered.graph.values();
    validate(&Hoshigaki, &numbered.graph, &values).map_err(|error| Failure::Contradiction(error.to_string()))?;
    let mut rows: Vec<[String; 7]> = Vec::new();
    let mut add = |what: &str, version: &str, says: &str, decided: &Decided| {
        let Decided { cases, failures, counterexample } = decided;
        let verdict = if *failures == 0 { "holds" } else { "fails" };
        let first = counterexample.as_ref().map_or(String::new(), Position::to_string);
        let (cases, failures) = (cases.to_string(), failures.to_string());
        rows.push([what.into(), version.into(), says.into(), cases, failures, verdict.into(), first]);
    };
    let formula = decide_formula(&numbered);
    add("Grundy numbers", "as printed", "the formula", &formula);
    let remark = decide_equal_piles(&numbered);
    add("two equal piles", "as printed", "won without them, so won with them", &remark);
    let corrected_remark = decide_equal_piles_corrected(&numbered);
    let says = "the number is the same without them, unless they alone change the case of the formula";
    add("two equal piles", "corrected", says, &corrected_remark);
    let mut wrong = formula.failures + corrected_remark.failures;
    for version in Version::ALL {
        for (case, decided) in decide_strategy(&numbered, version) {
            wrong += if version == Version::Corrected { decided.failures } else { 0 };
            let (applies, says) = match case {
                Some(case) => (case.applies(), case.says(version)),
                // Every position has a case, so this one needs no row.
                None if decided.cases == 0 => continue,
                None => ("in no case", "nothing"),
            };
            // The corrected version is shown only for cases that it changes.
            if version == Version::Printed || case.is_some_and(|case| case.says(Version::Printed) != says) {
                add(applies, version.name(), says, &decided);
            }
        }
    }
    let columns = ["case", "version", "says", "positions", "failures", "verdict", "first_counterexample"];
    let records = rows
        .iter()
        .map(|row| columns.iter().map(|column| (*column).to_owned()).zip(row.iter().map(|cell| json!(cell))).collect());
    let records: Vec<serde_json::Map<String, serde_json::Value>> = records.collect();
    let fields = json!({ "piles": piles, "max": most, "positions": numbered.graph.len(), "rows": records });
    let mut out = stdout();
    writeln!(
        out,
        "hoshigaki, all {} positions of up to {piles} piles of up to {most}; G is the Grundy number, K its highest bit",
        grouped(numbered.graph.len() as u64)
    )?;
    for [what, version, says, cases, failures, _, first] in &rows {
        let says = if says.is_empty() { String::new() } else { format!(": {says}") };
        let verdict = match first.as_str() {
            "" => format!("holds in all {cases}"),
            first => format!("FAILS in {failures} of {cases}, first in {first}{}", instead(&numbered, first)),
        };
        writeln!(out, "\n{what}{says} ({version})\n    {verdict}")?;
    }
    opened.finish(&columns, rows, "hoshigaki", fields)?;
    out.flush()?;
    match wrong {
        0 => Ok(()),
        _ => Err(Failure::Contradiction("the formula or a corrected rule fails".to_owned())),
    }
}

/// The actions that win instead, as the end of a message.
fn instead(numbered: &Numbered, position: &str) -> String {
    let Ok(position) = position.parse::<Position>() else {
        return String::new();
    };
    let winning: Vec<String> = numbered.winning(&position).into_iter().map(Position::to_string).collect();
    if winning.is_empty() { ", which is lost".to_owned() } else { format!(", where {} wins", winning.join(" or ")) }
}
