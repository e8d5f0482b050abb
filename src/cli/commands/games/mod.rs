//! `dovemate games`: the small games of the articles, and Tokyo Doves by the literal rules; one file for each game.

mod doves;
mod hoshigaki;
mod nim;
mod waribashi;
mod wythoff;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::cli::io::failure::Failure;
use crate::cli::io::memory;
use crate::cli::io::output::{OutputFile, resolved};

/// Solve a small game completely: who wins, in how many plies, and whether the claims of its article hold.
///
/// Every result is derived by retrograde analysis from the rules alone, then compared with the formula or rule that the
/// game is known for.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate games waribashi --pruned --svg waribashi.svg
  dovemate games nim --piles 3 --max 10 --misere
  dovemate games wythoff --max 20
  dovemate games hoshigaki 123A
  dovemate games hoshigaki --strategy --piles 4 --max 9
  dovemate games doves --kinds AY")]
pub struct Arguments {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {
    Waribashi(waribashi::Arguments),
    Nim(nim::Arguments),
    Wythoff(wythoff::Arguments),
    Hoshigaki(hoshigaki::Arguments),
    Doves(doves::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.game {
        Game::Waribashi(arguments) => waribashi::run(arguments),
        Game::Nim(arguments) => nim::run(arguments),
        Game::Wythoff(arguments) => wythoff::run(arguments),
        Game::Hoshigaki(arguments) => hoshigaki::run(arguments),
        Game::Doves(arguments) => doves::run(arguments),
    }
}

/// Files for the result, besides standard output.
#[derive(Args)]
struct Files {
    /// Write the table as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the result as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The opened files.
struct Opened {
    csv: Option<OutputFile>,
    json: Option<OutputFile>,
}

impl Files {
    fn open(&self) -> Result<Opened, Failure> {
        check_distinct(&[("--csv", self.csv.as_deref()), ("--json", self.json.as_deref())])?;
        Ok(Opened { csv: open(self.csv.as_deref())?, json: open(self.json.as_deref())? })
    }
}

impl Opened {
    /// Writes the table and the document to the files that were asked for.
    fn finish<R: IntoIterator<Item = String>>(
        self,
        columns: &[&str],
        rows: impl IntoIterator<Item = R>,
        game: &str,
        fields: serde_json::Value,
    ) -> Result<(), Failure> {
        if let Some(file) = self.csv {
            file.finish(|writer| {
                let mut csv = csv::Writer::from_writer(writer);
                csv.write_record(columns)?;
                for row in rows {
                    csv.write_record(row)?;
                }
                csv.flush()
            })?;
        }
        let Some(file) = self.json else {
            return Ok(());
        };
        let mut document = serde_json::json!({
            "program": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "game": game,
        });
        if let (Some(document), serde_json::Value::Object(fields)) = (document.as_object_mut(), fields) {
            document.extend(fields);
        }
        Ok(file.finish(|writer| writeln!(writer, "{document:#}"))?)
    }
}

fn open(path: Option<&Path>) -> Result<Option<OutputFile>, Failure> {
    Ok(path.map(OutputFile::open).transpose()?)
}

/// Refuses the same file for two outputs.
fn check_distinct(files: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    for (index, (option, path)) in files.iter().enumerate() {
        let same = files[..index].iter().find(|(_, other)| path.is_some() && other.map(resolved) == path.map(resolved));
        if let Some((other, _)) = same {
            return Err(Failure::Usage(format!("{other} and {option} name the same file; give each its own")));
        }
    }
    Ok(())
}

/// Prints whether a claim holds; one that fails is a contradiction.
fn verdict(out: &mut impl Write, what: &str, holds: bool) -> Result<(), Failure> {
    writeln!(out, "{what}: {}", if holds { "holds" } else { "FAILS" })?;
    out.flush()?;
    if holds { Ok(()) } else { Err(Failure::Contradiction(format!("not so: {what}"))) }
}

/// Standard output, buffered.
fn stdout() -> io::BufWriter<io::StdoutLock<'static>> {
    io::BufWriter::new(io::stdout().lock())
}
