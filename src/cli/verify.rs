//! `dovemate verify`: checks the published claims, one after the other.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use rayon::prelude::*;

use super::output::OutputFile;
use super::progress::Progress;
use super::rules::RuleArguments;
use super::table::{grouped, seconds};
use super::{Failure, complain, tdl_file};
use dovemate::gpu::Selection;
use dovemate::mates::reference::{Verdict, verdict};
use dovemate::rules::{Board, Color, Rules};
use dovemate::run::RunError;
use dovemate::verify::{self, CLAIMS, Setting};

/// Check every published figure and claim about Tokyo Doves, and the program's two methods against each other.
///
/// Without --full it takes well under a minute on two cores and leaves out what takes minutes. With --tdl, check a file of
/// positions instead: against its sidecar, and every position by the rules alone. What fails gives exit status 3.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  dovemate verify\n  dovemate verify --full --adapter 0 --csv verify.csv\n  dovemate verify --tdl mates-7.tdl"
)]
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
    /// Check the positions of this .tdl file instead; red is to move
    #[arg(long, value_name = "FILE", conflicts_with_all = ["full", "csv", "threads"])]
    tdl: Option<PathBuf>,
    /// What the positions of the .tdl file are said to be [default: mates]
    #[arg(long, value_enum, requires = "tdl")]
    what: Option<Listed>,
    #[command(flatten)]
    rules: RuleArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Listed {
    Mates,
    Wins,
}

const COLUMNS: [&str; 7] = ["claim", "stated in", "how it is decided", "expected", "found", "verdict", "seconds"];

/// Width of the table.
const WIDTH: u16 = 150;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.tdl {
        return verify_file(path, arguments.what.unwrap_or(Listed::Mates), arguments.rules.rules());
    }
    if arguments.rules.rules() != Rules::default() {
        let message =
            "the claims say themselves which rules they are about; --no-return and --both-surrounded go with --tdl";
        return Err(Failure::Usage(message.to_owned()));
    }
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
            verify::Verdict::Holds => "holds",
            verify::Verdict::Fails => "FAILS",
            verify::Verdict::Skipped => "skipped",
        };
        failed += usize::from(finding.verdict == verify::Verdict::Fails);
        skipped += usize::from(finding.verdict == verify::Verdict::Skipped);
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

/// Checks a `.tdl` file: its form and sidecar, that no position is there twice, and what each position is.
fn verify_file(path: &Path, listed: Listed, rules: Rules) -> Result<(), Failure> {
    /// Positions that are looked at together, on all threads.
    const BATCH: usize = 1 << 14;
    let (wanted, name) = match listed {
        Listed::Mates => (Verdict::Mate, "mates"),
        Listed::Wins => (Verdict::WinInOne, "wins in one"),
    };
    let check = |boards: &[Board]| {
        let is_other = |board: &&Board| verdict(board, Color::Red, rules) != wanted;
        match boards.par_iter().find_first(is_other) {
            None => Ok(()),
            Some(board) => {
                let found = verdict(board, Color::Red, rules);
                Err(Failure::Contradiction(format!(
                    "{}: {board}, red to move, is none of the {name} but {found:?}",
                    path.display()
                )))
            }
        }
    };
    let (mut positions, mut last) = (0, None);
    let mut batch = Vec::with_capacity(BATCH);
    tdl_file::each(path, u64::MAX, |board| {
        let code = board.code().invariant(Color::Red);
        if last.replace(code).is_some_and(|last| last >= code) {
            return Err(Failure::Contradiction(format!("{}: {board} is there twice or out of order", path.display())));
        }
        positions += 1;
        batch.push(board.clone());
        if batch.len() == BATCH {
            check(&batch)?;
            batch.clear();
        }
        Ok(())
    })?;
    check(&batch)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {} positions, all of them {name}, each once", path.display(), grouped(positions))?;
    Ok(out.flush()?)
}
