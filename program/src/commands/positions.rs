//! `dovemate positions`: counts all positions by number of doves and by which bosses are surrounded.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::json;

use crate::io::failure::Failure;
use crate::io::output::open_exports;
use crate::io::streams;
use crate::io::text_table::{TextTable, grouped};
use crate::options::parse::parse_doves;
use crate::verify::naive_estimate;
use dovemate::count::ALL_DOVES;
use dovemate::count::published;
use dovemate::shapes::positions::{Convention, PositionRow, Surrounded, positions};

/// Count all positions in closed form.
///
/// Positions are counted up to symmetry and from the mover's side, including those in which a boss is
/// surrounded.
///
/// The convention 'article' reproduces the published figures. It counts each shape, pushed into the corner of
/// a fixed 4×4 frame, once for each different set of cells that the frame's 8 symmetries give, although some
/// of these differ only by a translation; and it overlooks that doves in one line are their own mirror image.
/// Its total is therefore 0.3 % too high.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate positions\n  dovemate positions --by surrounded --convention article --csv positions.csv"
)]
pub struct Arguments {
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in
    /// 2..12
    #[arg(long, value_name = "N or N..N", default_value = "2..12", value_parser = parse_doves)]
    doves: RangeInclusive<u32>,
    /// Count separately by which bosses are surrounded: neither, the mover's, the opponent's or both
    #[arg(long, value_parser = ["surrounded"])]
    by: Option<String>,
    /// What counts as one position
    #[arg(long, value_enum, default_value_t)]
    convention: ConventionName,
    /// Write the table as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The format number of the JSON document.
const JSON_FORMAT: u32 = 2;

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum ConventionName {
    /// Up to translation, rotation and reflection
    #[default]
    Exact,
    /// As in the article
    Article,
}

/// A row of the JSON document.
#[derive(Serialize)]
struct RowDocument {
    doves: u32,
    positions: u64,
    /// The number of positions by the bosses that are surrounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_surrounded: Option<SurroundedDocument>,
}

#[derive(Serialize)]
struct SurroundedDocument {
    neither: u64,
    mover: u64,
    opponent: u64,
    both: u64,
}

impl RowDocument {
    fn of(row: &PositionRow, has_surrounded: bool) -> RowDocument {
        let [neither, mover, opponent, both] = row.by_surrounded;
        let by_surrounded = has_surrounded.then_some(SurroundedDocument { neither, mover, opponent, both });
        RowDocument { doves: row.doves, positions: row.total(), by_surrounded }
    }
}

/// A row of the CSV.
#[derive(Serialize)]
#[serde(untagged)]
enum ExportedRow {
    Total { doves: u32, positions: u64 },
    BySurrounded { doves: u32, neither: u64, mover: u64, opponent: u64, both: u64, positions: u64 },
}

impl ExportedRow {
    fn of(row: &PositionRow, by_surrounded: bool) -> ExportedRow {
        let (doves, positions) = (row.doves, row.total());
        if !by_surrounded {
            return ExportedRow::Total { doves, positions };
        }
        let [neither, mover, opponent, both] = row.by_surrounded;
        ExportedRow::BySurrounded { doves, neither, mover, opponent, both, positions }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
    let convention = match arguments.convention {
        ConventionName::Exact => Convention::Exact,
        ConventionName::Article => Convention::Article,
    };
    let rows = positions(&arguments.doves, convention);
    if let Some(file) = csv {
        file.finish_csv(rows.iter().map(|row| ExportedRow::of(row, arguments.by.is_some())))?;
    }
    if let Some(file) = json {
        let convention = arguments.convention.to_possible_value().expect("no convention is skipped");
        file.finish_json(&json!({
            "format": JSON_FORMAT,
            "program": env!("CARGO_BIN_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "convention": convention.get_name(),
            "rows": rows.iter().map(|row| RowDocument::of(row, arguments.by.is_some())).collect::<Vec<_>>(),
        }))?;
    }

    let mut total = PositionRow { doves: 0, by_surrounded: [0; 4] };
    for row in &rows {
        for (total, count) in total.by_surrounded.iter_mut().zip(row.by_surrounded) {
            *total += count;
        }
    }
    let mut out = streams::stdout();
    writeln!(out, "{}", table(&rows, &total, arguments.by.is_some()))?;
    if arguments.doves != ALL_DOVES {
        return Ok(out.flush()?);
    }
    let contradiction = compare(&mut out, &total, convention)?;
    writeln!(
        out,
        "{} by the article's naive estimate, on a 4×4 board without symmetries",
        grouped(naive_estimate())
    )?;
    out.flush()?;
    match contradiction {
        Some(message) => Err(Failure::Contradiction(message)),
        None => Ok(()),
    }
}

/// The rows as a table, with the total if there are several.
fn table(rows: &[PositionRow], total: &PositionRow, by_surrounded: bool) -> TextTable {
    let heads: &[&str] = match by_surrounded {
        true => &["doves", "neither", "mover", "opponent", "both", "positions"],
        false => &["doves", "positions"],
    };
    let mut table = TextTable::new(heads);
    let mut add = |name: String, row: &PositionRow| {
        let mut numbers = if by_surrounded { row.by_surrounded.to_vec() } else { Vec::new() };
        numbers.push(row.total());
        table.add(name, &numbers);
    };
    for row in rows {
        add(row.doves.to_string(), row);
    }
    if rows.len() > 1 {
        add("total".to_owned(), total);
    }
    table
}

/// Compares the total with the published figures, and prints the result. Returns the first contradiction.
fn compare(out: &mut impl Write, total: &PositionRow, convention: Convention) -> io::Result<Option<String>> {
    let mut found = vec![("positions", total.total())];
    if convention == Convention::Article {
        let same = total.count(Surrounded::Neither) + total.count(Surrounded::Both);
        found.push(("with neither boss surrounded, or both (the article says: or the mover's)", same));
    }
    let mut contradiction = None;
    for ((name, found), published) in found.into_iter().zip(published::positions(convention)) {
        if found == *published {
            writeln!(out, "{} {name} – agrees with the published figure", grouped(found))?;
        } else {
            writeln!(
                out,
                "{} {name} – CONTRADICTS the published figure, {}",
                grouped(found),
                grouped(*published)
            )?;
            contradiction.get_or_insert(format!("{} contradicts {}", grouped(found), grouped(*published)));
        }
    }
    Ok(contradiction)
}
