//! `dovemate verify`: checks the published claims, one after the other.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::anyhow;
use clap::Args;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::output::OutputFile;
use super::progress::Progress;
use super::table::{grouped, seconds};
use super::{Failure, complain};
use dovemate::gpu::Selection;
use dovemate::run::RunError;
use dovemate::verify::{CLAIMS, Setting, Verdict};

/// Check every published figure and claim about Tokyo Doves, and the program's two methods against each other.
///
/// Without --full it takes well under a minute on two cores and leaves out what takes minutes. A claim that fails gives exit
/// status 3.
#[derive(Args)]
#[command(after_help = "Examples:\n  dovemate verify\n  dovemate verify --full --adapter 0 --csv verify.csv")]
pub struct Arguments {
    /// Check everything, on the GPU too
    #[arg(long)]
    full: bool,
    /// The GPU for --full: an index from `dovemate adapters`, or a part of a name [default: a hardware GPU, if there is one]
    #[arg(long, value_name = "N or NAME", requires = "full")]
    adapter: Option<Selection>,
    /// CPU threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write the table as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

const COLUMNS: [&str; 7] = ["claim", "stated in", "how it is decided", "expected", "found", "verdict", "seconds"];

/// Width of the table.
const WIDTH: u16 = 150;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let csv = arguments.csv.as_deref().map(OutputFile::open).transpose()?;
    let mut rows: Vec<[String; 7]> = Vec::new();
    let (mut failed, mut skipped) = (0, 0);
    for claim in CLAIMS.iter().filter(|claim| arguments.full || !claim.is_long) {
        if !arguments.quiet {
            complain(format_args!("checking: {}", claim.claim));
        }
        let progress = Progress::new(arguments.quiet);
        let adapter = arguments.adapter.clone();
        let setting = Setting { adapter, threads: arguments.threads.map(usize::from), observer: &progress };
        let started = Instant::now();
        let finding = claim.check(&setting);
        progress.finish();
        let finding = finding.map_err(|error| match error {
            RunError::Selection(error) => Failure::Usage(format!("--adapter: {error}")),
            other => Failure::Failed(anyhow!(other)),
        })?;
        let verdict = match finding.verdict {
            Verdict::Holds => "holds",
            Verdict::Fails => "FAILS",
            Verdict::Skipped => "skipped",
        };
        failed += usize::from(finding.verdict == Verdict::Fails);
        skipped += usize::from(finding.verdict == Verdict::Skipped);
        let (expected, found) = (readable(&finding.expected), readable(&finding.found));
        let time = seconds(started.elapsed()).trim_end_matches(" s").to_owned();
        rows.push([claim.claim.into(), claim.stated.into(), claim.how.into(), expected, found, verdict.into(), time]);
    }
    if let Some(file) = csv {
        file.finish(|writer| {
            let mut csv = csv::Writer::from_writer(writer);
            csv.write_record(COLUMNS)?;
            for row in &rows {
                csv.write_record(row)?;
            }
            csv.flush()
        })?;
    }
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(WIDTH);
    table.set_header(COLUMNS).add_rows(&rows);
    if let Some(column) = table.column_mut(COLUMNS.len() - 1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut out = io::stdout().lock();
    let held = rows.len() - failed - skipped;
    writeln!(out, "{table}\n\n{held} claims hold, {failed} fail, {skipped} skipped")?;
    out.flush()?;
    match failed {
        0 => Ok(()),
        _ => Err(Failure::Contradiction(format!("{failed} of {} claims fail", rows.len()))),
    }
}

/// A text with the digits of its long numbers in groups.
fn readable(text: &str) -> String {
    let words = text.split(' ').map(|word| word.parse().map_or_else(|_| word.to_owned(), grouped));
    words.collect::<Vec<_>>().join(" ")
}
