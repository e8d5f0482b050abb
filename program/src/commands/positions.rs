//! `dovemate positions`: counts all positions by number of doves and by which bosses are surrounded.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use comfy_table::Table;
use serde::Serialize;
use serde_json::{Value, json};

use crate::io::{Failure, grouped, number_table, open_exports, streams};
use crate::options::parse_doves;
use crate::verify::naive_estimate;
use dovemate::count::{ALL_DOVES, published};
use dovemate::shapes::positions::{Convention, PositionRow, Surrounded, positions};
use dovemate_web::documents::Origin;

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

#[derive(Serialize)]
struct PositionsDocument {
    #[serde(flatten)]
    origin: Origin,
    convention: ConventionName,
    rows: Vec<Value>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum ConventionName {
    /// Up to translation, rotation and reflection
    #[default]
    Exact,
    /// As in the article
    Article,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;
    let convention = match arguments.convention {
        ConventionName::Exact => Convention::Exact,
        ConventionName::Article => Convention::Article,
    };
    let by_surrounded = arguments.by.is_some();
    let rows = positions(&arguments.doves, convention);
    if let Some(file) = csv {
        file.finish(&mut |writer| write_csv(writer, &rows, by_surrounded))?;
    }
    if let Some(file) = json {
        file.finish_json(&PositionsDocument {
            origin: Origin::of_format(JSON_FORMAT),
            convention: arguments.convention,
            rows: rows.iter().map(|row| document(row, by_surrounded)).collect(),
        })?;
    }

    let sum = |case| rows.iter().map(|row| row.count(case)).sum();
    let total = PositionRow { doves: 0, by_surrounded: Surrounded::ALL.map(sum) };
    let mut out = streams::stdout();
    writeln!(out, "{}\n", table(&rows, &total, by_surrounded))?;
    if arguments.doves != ALL_DOVES {
        return Ok(out.flush()?);
    }
    let contradiction = compare(&mut out, &total, convention)?;
    let estimate = grouped(naive_estimate());
    writeln!(out, "{estimate} by the article's naive estimate, on a 4×4 board without symmetries")?;
    out.flush()?;
    match contradiction {
        Some(message) => Err(Failure::Contradiction(message)),
        None => Ok(()),
    }
}

/// The columns of the table and of the CSV.
fn heads(by_surrounded: bool) -> &'static [&'static str] {
    match by_surrounded {
        true => &["doves", "neither", "mover", "opponent", "both", "positions"],
        false => &["doves", "positions"],
    }
}

/// The numbers of a row, except its number of doves.
fn numbers(row: &PositionRow, by_surrounded: bool) -> impl Iterator<Item = u64> {
    row.by_surrounded.into_iter().filter(move |_| by_surrounded).chain([row.total()])
}

fn write_csv(writer: &mut dyn Write, rows: &[PositionRow], by_surrounded: bool) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(writer);
    csv.write_record(heads(by_surrounded))?;
    for row in rows {
        let numbers = [u64::from(row.doves)].into_iter().chain(numbers(row, by_surrounded));
        csv.write_record(numbers.map(|number| number.to_string()))?;
    }
    csv.flush()
}

/// A row of the JSON document.
fn document(row: &PositionRow, by_surrounded: bool) -> Value {
    let mut document = json!({ "doves": row.doves, "positions": row.total() });
    if by_surrounded {
        let [neither, mover, opponent, both] = row.by_surrounded;
        document["by_surrounded"] =
            json!({ "neither": neither, "mover": mover, "opponent": opponent, "both": both });
    }
    document
}

/// The rows as a table, with the total if there are several.
fn table(rows: &[PositionRow], total: &PositionRow, by_surrounded: bool) -> Table {
    let mut table = number_table(heads(by_surrounded));
    let mut add = |name, row| {
        table.add_row([name].into_iter().chain(numbers(row, by_surrounded).map(grouped)));
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
        let agrees = found == *published;
        let [found, published] = [found, *published].map(grouped);
        if agrees {
            writeln!(out, "{found} {name} – agrees with the published figure")?;
        } else {
            writeln!(out, "{found} {name} – CONTRADICTS the published figure, {published}")?;
            contradiction.get_or_insert(format!("{found} contradicts {published}"));
        }
    }
    Ok(contradiction)
}
