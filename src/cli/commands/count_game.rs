//! `dovemate count` with dove sets: a game with fewer doves, counted on the CPU.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::time::Instant;

use crate::cli::io::failure::Failure;
use crate::cli::io::output::OutputFile;
use crate::cli::io::progress::Progress;
use crate::cli::io::run_columns::{RunColumns, method_name};
use crate::cli::io::tally_table::{FORMAT, row_document, table};
use crate::cli::io::text_table::{cpu_threads, grouped, seconds};
use dovemate::count::{Category, Method};
use dovemate::rules::Game;
use dovemate::run::RunError;
use dovemate::run::count::game::{self, GameTally};

/// The arguments of `count` that concern a game.
pub struct Job<'a> {
    pub game: Game,
    pub category: Category,
    pub method: Method,
    /// The range from the command line; the default range is cut to the game.
    pub doves: &'a RangeInclusive<u32>,
    pub threads: Option<usize>,
    pub quiet: bool,
    /// Whether each row of the CSV says what was counted and how.
    pub has_run_columns: bool,
}

/// The numbers of doves to count. The default, 2 to 12, is cut to the most doves that the game has.
///
/// # Errors
/// If the range goes beyond that number.
pub fn doves_of(game: &Game, doves: &RangeInclusive<u32>) -> Result<RangeInclusive<u32>, Failure> {
    let most = game.most_doves();
    let end = if *doves == dovemate::count::tally::ALL_DOVES { most } else { *doves.end() };
    if end > most {
        return Err(Failure::Usage(format!(
            "--doves goes up to {end}, but with these dove sets there are at most {most} doves on the board, bosses included"
        )));
    }
    Ok(*doves.start()..=end)
}

pub fn run(job: &Job, csv: Option<OutputFile>, json: Option<OutputFile>) -> Result<(), Failure> {
    let doves = doves_of(&job.game, job.doves)?;
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads.unwrap_or(0)).build();
    let pool = pool.map_err(RunError::from)?;
    let progress = Progress::new(job.quiet);
    let tallies = pool.install(|| game::count(&job.game, job.category, job.method, &doves, &progress));
    progress.finish();
    let counting = started.elapsed();

    if let Some(file) = csv {
        let run = RunColumns { category: job.category, method: job.method, game: job.game };
        let rows = || tallies.iter().flat_map(|of| of.tally.rows.iter().map(|row| (of.mover, row)));
        file.finish(&mut |writer| match job.has_run_columns {
            true => run.write(rows(), writer),
            false => game::write_csv(&tallies, writer),
        })?;
    }
    if let Some(file) = json {
        let document = serde_json::json!({
            "format": FORMAT,
            "program": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "commit": option_env!("DOVEMATE_COMMIT"),
            "method": method_name(job.method),
            "rules": { "returns": job.game.rules.returns, "both_surrounded": job.game.rules.both_surrounded.name() },
            "red": job.game.red.to_string(),
            "green": job.game.green.to_string(),
            "backend": "cpu",
            "threads": pool.current_num_threads(),
            "counting_seconds": counting.as_secs_f64(),
            "what": job.category.name(),
            "rows": tallies.iter().flat_map(rows_of).collect::<Vec<_>>(),
            "total": tallies.iter().map(|of| of.tally.total().positions).sum::<u64>(),
        });
        file.finish(&mut |writer| {
            serde_json::to_writer_pretty(&mut *writer, &document)?;
            writeln!(writer)
        })?;
    }
    let mut out = io::stdout().lock();
    for GameTally { mover, tally } in &tallies {
        if let Some(mover) = mover {
            writeln!(out, "{} to move", mover.name())?;
        }
        writeln!(out, "{}", table(tally))?;
    }
    let total = tallies.iter().map(|of| of.tally.total().positions).sum();
    let threads = cpu_threads(pool.current_num_threads());
    writeln!(
        out,
        "{} with {} against {} – no figure is published for this\ncounted on {threads} with the {} method in {}; games with \
         dove sets are counted on the CPU only",
        grouped(total),
        job.game.red,
        job.game.green,
        method_name(job.method),
        seconds(counting)
    )?;
    out.flush()?;
    Ok(())
}

/// The rows as JSON, with the column names of the CSV.
fn rows_of(of: &GameTally) -> impl Iterator<Item = serde_json::Value> {
    of.tally.rows.iter().map(|row| {
        let mut value = row_document(row, of.tally.category);
        if let Some(mover) = of.mover {
            value["mover"] = mover.name().into();
        }
        value
    })
}
