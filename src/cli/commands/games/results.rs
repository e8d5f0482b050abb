//! What the commands of the small games write: files, claims, and standard output.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::io::failure::Failure;
use crate::cli::io::output::{OutputFile, resolved};

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

/// The opened files.
pub struct Opened {
    pub csv: Option<OutputFile>,
    pub json: Option<OutputFile>,
}

impl Files {
    pub fn open(&self) -> Result<Opened, Failure> {
        check_distinct(&[("--csv", self.csv.as_deref()), ("--json", self.json.as_deref())])?;
        Ok(Opened { csv: open(self.csv.as_deref())?, json: open(self.json.as_deref())? })
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
            let mut rows = rows.into_iter();
            file.finish(&mut |writer| {
                let mut csv = csv::Writer::from_writer(writer);
                csv.write_record(columns)?;
                for row in rows.by_ref() {
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
        Ok(file.finish(&mut |writer| writeln!(writer, "{document:#}"))?)
    }
}

pub fn open(path: Option<&Path>) -> Result<Option<OutputFile>, Failure> {
    Ok(path.map(OutputFile::open).transpose()?)
}

/// Refuses the same file for two outputs.
pub fn check_distinct(files: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    for (index, (option, path)) in files.iter().enumerate() {
        let same = files[..index].iter().find(|(_, other)| path.is_some() && other.map(resolved) == path.map(resolved));
        if let Some((other, _)) = same {
            return Err(Failure::Usage(format!("{other} and {option} name the same file; give each its own")));
        }
    }
    Ok(())
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
