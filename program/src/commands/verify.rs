//! `dovemate verify`: checks the published claims, and some of this program's own.

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use serde::Serialize;

use crate::io::{Failure, OutputFile, Progress, complain, grouped, streams};
use crate::options::ThreadArguments;
use crate::verify::{self, Claim, ClaimVerdict, Finding, Setting};
use dovemate::RunError;
use dovemate::clock::Instant;
use dovemate::gpu::{Adapters, Selection};

/// Check every published claim, and the methods against each other.
///
/// Slow checks, and those on a GPU, run only with --full; the others take well under a minute on two cores. If a result
/// contradicts a claim, the exit status is 3.
#[derive(Args)]
#[command(after_help = "Examples:\n  dovemate verify\n  dovemate verify --full --adapter 0 --csv verify.csv")]
pub struct Arguments {
    /// Run all checks, those on the GPU too
    #[arg(long)]
    full: bool,
    /// The GPU for --full: an index from `dovemate adapters`, or part of a name [default: a certified hardware GPU, if
    /// any]
    #[arg(long, value_name = "N or NAME", requires = "full")]
    adapter: Option<Selection>,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Write the table as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

/// Columns of the printed table; the CSV has all.
const SHOWN_COLUMNS: [&str; 5] = ["claim", "how it is decided", "found", "verdict", "s"];

/// Width of the printed table: that of a usual terminal.
const TABLE_COLUMNS: u16 = 80;

/// A claim with the finding of its check, as a row of the CSV.
#[derive(Serialize)]
struct ClaimRow {
    claim: &'static str,
    #[serde(rename = "stated in")]
    stated: &'static str,
    #[serde(rename = "how it is decided")]
    how: &'static str,
    expected: String,
    found: String,
    verdict: &'static str,
    /// How long the check took.
    seconds: String,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let csv = OutputFile::open_given(&arguments.csv)?;
    if let Some(selection) = &arguments.adapter {
        // Check the selection now, because the checks that need the adapter come last.
        Adapters::find().select(selection).map_err(RunError::from)?;
    }
    let pool = arguments.threads.pool()?;
    let long = if arguments.full { verify::LONG_CLAIMS } else { &[] };
    let claims = verify::CLAIMS.iter().chain(long);
    let (verdicts, rows): (Vec<ClaimVerdict>, Vec<ClaimRow>) =
        claims.map(|claim| pool.install(|| check(claim, arguments))).unzip();
    if let Some(file) = csv {
        file.finish_csv(&rows)?;
    }
    let number = |verdict| verdicts.iter().filter(|one| **one == verdict).count();
    let [holding, failed, unchecked, skipped] =
        [ClaimVerdict::Holds, ClaimVerdict::Fails, ClaimVerdict::Unchecked, ClaimVerdict::Skipped]
            .map(number);
    let mut out = streams::stdout();
    writeln!(out, "{}\n", table(&verdicts, &rows))?;
    writeln!(
        out,
        "{holding} claims hold, {failed} fail, {unchecked} could not be checked, {skipped} skipped"
    )?;
    out.flush()?;
    match (failed, unchecked) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::Failed(anyhow!("{unchecked} of {} claims could not be checked", rows.len()))),
        _ => Err(Failure::Contradiction(format!("{failed} of {} claims fail", rows.len()))),
    }
}

/// Checks a claim.
fn check(claim: &Claim, arguments: &Arguments) -> (ClaimVerdict, ClaimRow) {
    if !arguments.quiet {
        complain(format_args!("checking: {}", claim.claim));
    }
    let setting = Setting { adapter: arguments.adapter.clone(), observer: &Progress::new(arguments.quiet) };
    let began = Instant::now();
    let Finding { expected, found, verdict } = claim.check(&setting);
    let row = ClaimRow {
        claim: claim.claim,
        stated: claim.stated,
        how: claim.how,
        expected: readable(&expected),
        found: readable(&found),
        verdict: verdict.name(),
        seconds: format!("{:.2}", began.elapsed().as_secs_f64()),
    };
    (verdict, row)
}

fn table(verdicts: &[ClaimVerdict], rows: &[ClaimRow]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(TABLE_COLUMNS);
    table.set_header(SHOWN_COLUMNS);
    for (verdict, row) in verdicts.iter().zip(rows) {
        // The expected result is shown only if the check fails; otherwise it would add nothing.
        let found = match verdict {
            ClaimVerdict::Fails if !row.expected.is_empty() => {
                format!("{}; expected {}", row.found, row.expected)
            }
            _ => row.found.clone(),
        };
        table.add_row([row.claim, row.how, &found, row.verdict, &row.seconds]);
    }
    if let Some(column) = table.column_mut(2) {
        // Do not break a canonical code.
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(21)));
    }
    if let Some(column) = table.column_mut(SHOWN_COLUMNS.len() - 1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A text with the digits of its numbers grouped.
fn readable(text: &str) -> String {
    let words = text.split(' ').map(|word| word.parse().map_or_else(|_| word.to_owned(), grouped));
    words.collect::<Vec<_>>().join(" ")
}
