//! `dovemate verify`: checks the published claims, one after the other.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use rayon::prelude::*;

use super::output::OutputFile;
use super::progress::Progress;
use super::rules::RuleArguments;
use super::table::{grouped, seconds};
use super::{Failure, complain, tdl_file};
use dovemate::gpu::{Adapters, Selection};
use dovemate::mates::reference::{Verdict, verdict};
use dovemate::rules::{Board, Color, Rules};
use dovemate::run::RunError;
use dovemate::verify::{self, Finding, Setting};

/// Check every published figure and claim about Tokyo Doves and the small games, and the program's two methods against each other.
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["full", "adapter", "csv", "threads"])]
    tdl: Option<PathBuf>,
    /// What the positions of the .tdl file are said to be [default: what its sidecar says, or mates]
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
        return verify_file(path, arguments.what, arguments.rules.rules());
    }
    if arguments.rules.rules() != Rules::default() {
        let message =
            "the claims say themselves which rules they are about; --no-return and --both-surrounded go with --tdl";
        return Err(Failure::Usage(message.to_owned()));
    }
    if let Some(selection) = &arguments.adapter {
        // The checks that need it come last.
        Adapters::find().select(selection).map_err(RunError::from)?;
    }
    let csv = arguments.csv.as_deref().map(OutputFile::open).transpose()?;
    let mut rows: Vec<[String; 7]> = Vec::new();
    let (mut failed, mut skipped) = (0, 0);
    for claim in verify::claims().filter(|claim| arguments.full || !claim.is_long) {
        if !arguments.quiet {
            complain(format_args!("checking: {}", claim.claim));
        }
        let progress = Progress::new(arguments.quiet);
        let adapter = arguments.adapter.clone();
        let setting = Setting { adapter, threads: arguments.threads.map(usize::from), observer: &progress };
        let started = Instant::now();
        let finding = claim.check(&setting);
        progress.finish();
        // A count that cannot be made is no reason to lose the others.
        let finding = finding.unwrap_or_else(|error| Finding {
            expected: String::new(),
            found: error.to_string(),
            verdict: verify::Verdict::Fails,
        });
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
fn verify_file(path: &Path, listed: Option<Listed>, rules: Rules) -> Result<(), Failure> {
    /// Positions that are looked at together, on all threads.
    const BATCH: usize = 1 << 14;
    let sidecar = tdl_file::check(path)?;
    let rules = match &sidecar {
        Some(sidecar) if rules == Rules::default() => sidecar.rules(),
        _ => rules,
    };
    let lists_wins = sidecar.as_ref().is_some_and(|sidecar| sidecar.what.starts_with("wins"));
    let listed_by_sidecar = lists_wins.then_some(Listed::Wins);
    let (wanted, name) = match listed.or(listed_by_sidecar).unwrap_or(Listed::Mates) {
        Listed::Mates => (Verdict::Mate, "a mate"),
        Listed::Wins => (Verdict::WinInOne, "a win in one"),
    };
    let check = |boards: &[Board]| {
        let is_other = |board: &&Board| verdict(board, Color::Red, rules) != wanted;
        match boards.par_iter().find_first(is_other) {
            None => Ok(()),
            Some(board) => {
                Err(Failure::Contradiction(format!("{}: {board}, red to move, is not {name}", path.display())))
            }
        }
    };
    let mut codes = Vec::new();
    let mut batch = Vec::with_capacity(BATCH);
    tdl_file::each(path, sidecar.as_ref(), u64::MAX, |board| {
        codes.push(board.code().invariant(Color::Red));
        batch.push(board.clone());
        if batch.len() == BATCH {
            check(&batch)?;
            batch.clear();
        }
        Ok(())
    })?;
    check(&batch)?;
    // The crate writes its groups in any order, so only sorting tells what is there twice.
    codes.sort_unstable();
    if let Some(twice) = codes.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Failure::Contradiction(format!("{}: the position {} is there twice", path.display(), twice[0])));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {} positions, each {name}, none twice", path.display(), grouped(codes.len() as u64))?;
    Ok(out.flush()?)
}
