//! What the commands of the small games write: files, claims, and standard output.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::io::failure::Failure;
use crate::cli::io::output::{OutputFile, open_exports};

/// Files for the result, besides standard output.
#[derive(Args)]
pub struct Files {
    /// Write the table as CSV to this file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write the result as JSON to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// How a game of taking stones is played, and files for the result.
#[derive(Args)]
pub struct StonesArguments {
    /// Play the misère game: whoever takes the last stone loses
    #[arg(long)]
    pub misere: bool,
    #[command(flatten)]
    pub files: Files,
}

impl StonesArguments {
    /// The name of the play.
    pub fn play(&self) -> &'static str {
        if self.misere { "misère" } else { "normal" }
    }
}

/// The opened files.
pub struct Opened {
    pub csv: Option<OutputFile>,
    pub json: Option<OutputFile>,
}

impl Files {
    pub fn open(&self) -> Result<Opened, Failure> {
        let (csv, json) = open_exports(&self.csv, &self.json)?;
        Ok(Opened { csv, json })
    }
}

impl Opened {
    /// Writes the table and the document to the files that were asked for.
    pub fn finish<R: IntoIterator<Item = String>>(
        self,
        columns: &[&str],
        rows: impl IntoIterator<Item = R>,
        game: &str,
        fields: serde_json::Value,
    ) -> Result<(), Failure> {
        if let Some(file) = self.csv {
            file.finish_csv(columns, rows)?;
        }
        let Some(file) = self.json else {
            return Ok(());
        };
        let mut document = serde_json::json!({
            "program": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "format": 1,
            "game": game,
        });
        if let (Some(document), serde_json::Value::Object(fields)) = (document.as_object_mut(), fields) {
            document.extend(fields);
        }
        Ok(file.finish_json(&document)?)
    }
}

/// Prints whether a claim holds; one that fails is a contradiction.
pub fn verdict(out: &mut impl Write, what: &str, holds: bool) -> Result<(), Failure> {
    writeln!(out, "{what}: {}", if holds { "holds" } else { "FAILS" })?;
    out.flush()?;
    if holds { Ok(()) } else { Err(Failure::Contradiction(format!("not so: {what}"))) }
}

/// Standard output, buffered.
pub fn stdout() -> io::BufWriter<io::StdoutLock<'static>> {
    io::BufWriter::new(io::stdout().lock())
}
