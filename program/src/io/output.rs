//! Output files that appear whole or not at all.
//!
//! What cannot appear whole is written directly: a device, a pipe, a descriptor that the process was given, and a file
//! that its standard output or standard error goes to. Whether and how an output can be written is found out before the
//! work begins.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use super::descriptor;
use super::failure::Failure;
use super::streams::Patient;
use dovemate::internals::files::{Content, WholeFile, fill, folder_of, names_a_folder};
pub use dovemate::internals::files::{remove_unfinished_files, resolved};

/// An output file: opened before the work begins, put in place only when complete.
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    /// A file that is made or replaced when it is complete.
    Replaced(WholeFile),
    /// A device, a pipe or a descriptor, written directly.
    Direct(File),
}

impl OutputFile {
    /// Makes sure that `path` can be written, without changing what is there.
    pub fn open(path: &Path) -> Result<OutputFile> {
        let target = target(path).with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(OutputFile { path: path.to_owned(), target })
    }

    /// The file at a path, if one is given.
    pub fn open_given(path: &Option<PathBuf>) -> Result<Option<OutputFile>> {
        path.as_deref().map(OutputFile::open).transpose()
    }

    /// Whether this is a regular file that will be replaced or made, and not a device or a pipe.
    pub fn is_replaced(&self) -> bool {
        matches!(self.target, Target::Replaced(_))
    }

    /// The folder for temporary files of the same size.
    pub fn scratch(&self) -> PathBuf {
        match &self.target {
            Target::Replaced(file) => file.folder(),
            Target::Direct(_) => std::env::temp_dir(),
        }
    }

    /// Writes the file and puts it in place. A pipe whose reader leaves early is not an error.
    ///
    /// # Errors
    /// If writing fails. No temporary file is left then.
    pub fn finish(self, write: Content<'_>) -> Result<()> {
        let cannot = || format!("{} cannot be written", self.path.display());
        match self.target {
            Target::Direct(file) => match fill(Patient(file), write) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                result => result.with_context(cannot),
            },
            Target::Replaced(file) => file.finish(write).with_context(cannot),
        }
    }

    /// Writes a text.
    pub fn finish_text(self, text: &str) -> Result<()> {
        self.finish(&mut |writer| writer.write_all(text.as_bytes()))
    }

    /// Writes a JSON document, indented.
    pub fn finish_json(self, document: &impl Serialize) -> Result<()> {
        self.finish(&mut |writer| {
            serde_json::to_writer_pretty(&mut *writer, document)?;
            writeln!(writer)
        })
    }

    /// Writes rows as CSV, below this line of heads.
    pub fn finish_csv(self, heads: &str, rows: impl IntoIterator<Item = impl Serialize>) -> Result<()> {
        let mut rows = rows.into_iter();
        self.finish(&mut |writer| {
            let mut csv = csv::WriterBuilder::new().has_headers(false).from_writer(writer);
            csv.write_record(heads.split(','))?;
            rows.try_for_each(|row| csv.serialize(row))?;
            csv.flush()
        })
    }
}

fn target(path: &Path) -> io::Result<Target> {
    if path.as_os_str().is_empty() {
        return Err(io::Error::other("the name is empty"));
    }
    if let Some(file) = descriptor::named(path) {
        return file.map(Target::Direct);
    }
    let metadata = match path.metadata() {
        Ok(metadata) if metadata.is_dir() => return Err(io::Error::other("it is a folder")),
        _ if names_a_folder(path) => return Err(io::Error::other("that names a folder")),
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return WholeFile::open(path).map(Target::Replaced),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            let folder = folder_of(path).display();
            return Err(io::Error::other(format!("the folder {folder} cannot be entered: {error}")));
        }
        Err(error) => return Err(error),
    };
    if let Some(file) = descriptor::standard_output_to(&metadata) {
        return Ok(Target::Direct(file));
    }
    match metadata.is_file() {
        true => WholeFile::open(path).map(Target::Replaced),
        false => descriptor::open_special(path, &metadata).map(Target::Direct),
    }
}

/// Opens the files of `--csv` and `--json`, if they are given.
///
/// # Errors
/// If they are the same file, or one cannot be written.
pub fn open_exports(
    csv: &Option<PathBuf>,
    json: &Option<PathBuf>,
) -> Result<(Option<OutputFile>, Option<OutputFile>), Failure> {
    check_distinct(&[("--csv", csv), ("--json", json)])?;
    Ok((OutputFile::open_given(csv)?, OutputFile::open_given(json)?))
}

/// Whether a file is named `-`: standard output, or standard input if it is to be read.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses the same file for two of these options.
pub fn check_distinct(files: &[(&str, &Option<PathBuf>)]) -> Result<(), Failure> {
    let place = |path: &Path| resolved(if is_stream(path) { Path::new("/dev/stdout") } else { path });
    let files: Vec<(&str, PathBuf)> =
        files.iter().filter_map(|(option, path)| Some((*option, place(path.as_deref()?)))).collect();
    for (index, (option, path)) in files.iter().enumerate() {
        if let Some((other, _)) = files[..index].iter().find(|(_, other)| other == path) {
            return Err(Failure::Usage(format!("{other} and {option} name the same file; give each its own")));
        }
    }
    Ok(())
}
