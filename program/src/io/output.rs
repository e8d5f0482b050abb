//! Output files that appear whole or not at all.
//!
//! A device or a pipe is written directly, and so is a file that standard output goes to.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use super::failure::Failure;
use dovemate::internals::files::Content;
use dovemate::internals::files::{WholeFile, fill, names_a_folder};
pub use dovemate::internals::files::{remove_unfinished_files, resolved};

/// An output file: opened before the work begins, put in place only when complete.
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    /// A file that is made or replaced when it is complete.
    Replaced(WholeFile),
    /// A device or a pipe, written directly.
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

    /// Writes the file and puts it in place. A pipe whose reader leaves early is not an error.
    ///
    /// # Errors
    /// If writing fails. No temporary file is left then, and an existing file is unchanged.
    pub fn finish(self, write: Content<'_>) -> Result<()> {
        let cannot = || format!("{} cannot be written", self.path.display());
        match self.target {
            Target::Direct(mut file) => match fill(&mut file, write) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                result => result.with_context(cannot),
            },
            Target::Replaced(file) => file.finish(write).with_context(cannot),
        }
    }

    /// Writes a JSON document, indented.
    pub fn finish_json(self, document: &impl Serialize) -> Result<()> {
        self.finish(&mut |writer| {
            serde_json::to_writer_pretty(&mut *writer, document)?;
            writeln!(writer)
        })
    }

    /// Writes rows as CSV, with a header.
    pub fn finish_csv<R: IntoIterator<Item: AsRef<[u8]>>>(
        self,
        header: &[&str],
        rows: impl IntoIterator<Item = R>,
    ) -> Result<()> {
        let mut rows = rows.into_iter();
        self.finish(&mut |writer| {
            let mut csv = csv::Writer::from_writer(writer);
            csv.write_record(header)?;
            rows.try_for_each(|row| csv.write_record(row))?;
            csv.flush()
        })
    }
}

fn target(path: &Path) -> io::Result<Target> {
    let metadata = match path.metadata() {
        Ok(metadata) if metadata.is_dir() => return Err(io::Error::other("it is a folder")),
        _ if path.as_os_str().is_empty() => return Err(io::Error::other("the name is empty")),
        _ if names_a_folder(path) => return Err(io::Error::other("that names a folder")),
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    match &metadata {
        Some(metadata) if is_stdout(metadata) => stdout().map(Target::Direct),
        Some(metadata) if !metadata.is_file() => File::options().write(true).open(path).map(Target::Direct),
        _ => WholeFile::open(path).map(Target::Replaced),
    }
}

/// Whether standard output goes to this file: replacing it would lose that output.
#[cfg(unix)]
fn is_stdout(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let out = stdout().and_then(|file| file.metadata());
    out.is_ok_and(|out| (out.dev(), out.ino()) == (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn is_stdout(_: &Metadata) -> bool {
    false
}

/// Standard output as a file that shares its write position.
#[cfg(unix)]
fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
fn stdout() -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
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

/// Refuses the same file for two of these options.
pub fn check_distinct(files: &[(&str, &Option<PathBuf>)]) -> Result<(), Failure> {
    let files: Vec<(&str, PathBuf)> =
        files.iter().filter_map(|(option, path)| Some((*option, resolved(path.as_deref()?)))).collect();
    for (index, (option, path)) in files.iter().enumerate() {
        if let Some((other, _)) = files[..index].iter().find(|(_, other)| other == path) {
            return Err(Failure::Usage(format!("{other} and {option} name the same file; give each its own")));
        }
    }
    Ok(())
}
