//! Output files. A new file appears only when it is complete. An existing one, like a pipe or a device, is written in
//! place, so it keeps its owner, mode and hard links. A streamed file is written while its content is computed, any
//! other once everything is computed.
//!
//! Whether an output can be written is checked before the work begins.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::io::{
    Failure,
    streams::{self, Blocking},
};
pub use dovemate_solver::whole_files::resolved;
use dovemate_solver::whole_files::{Content, Draft, WholeFile, fill, folder_of, names_a_folder};

/// An output file: checked before the work begins; written while its content is computed if it is streamed, otherwise
/// once everything is computed.
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    StandardOutput,
    /// A new file.
    New(WholeFile),
    /// An existing file, pipe or device. Without a draft it is written while the content is computed.
    Existing(File, Option<Draft>),
}

impl OutputFile {
    /// Checks that `path` can be written, without changing an existing file.
    pub fn open(path: &Path) -> Result<OutputFile> {
        OutputFile::checked(path, false)
    }

    /// Like [`OutputFile::open`], for content that may be too large to store twice: an existing file is overwritten
    /// while the content is computed.
    pub fn open_streamed(path: &Path) -> Result<OutputFile> {
        OutputFile::checked(path, true)
    }

    fn checked(path: &Path, is_streamed: bool) -> Result<OutputFile> {
        let target = target(path, is_streamed).with_context(|| cannot_be_written(path))?;
        Ok(OutputFile { path: path.to_owned(), target })
    }

    /// The file at a path, if one is given.
    pub fn open_given(path: &Option<PathBuf>) -> Result<Option<OutputFile>> {
        path.as_deref().map(OutputFile::open).transpose()
    }

    /// Writes the output. A pipe whose reader leaves early is not an error.
    ///
    /// # Errors
    /// If writing fails. A new file then does not appear. An existing one is unchanged, or its complete new content is
    /// in a file that the error names; a streamed one ends where writing failed.
    pub fn finish(self, write: Content<'_>) -> Result<()> {
        let path = &self.path;
        let written = match self.target {
            Target::StandardOutput => fill(Blocking(io::stdout()), write),
            Target::New(file) => file.finish(write),
            Target::Existing(file, None) => from_the_start(file, path).and_then(|file| fill(file, write)),
            Target::Existing(file, Some(draft)) => draft.finish(write, || from_the_start(file, path)),
        };
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            result => result.with_context(|| cannot_be_written(path)),
        }
    }

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

    /// Writes rows as CSV, below the names of their fields.
    pub fn finish_csv(self, rows: impl IntoIterator<Item = impl Serialize>) -> Result<()> {
        let mut rows = rows.into_iter();
        self.finish(&mut |writer| {
            let mut csv = csv::Writer::from_writer(writer);
            rows.try_for_each(|row| csv.serialize(row))?;
            csv.flush()
        })
    }
}

fn cannot_be_written(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}

fn target(path: &Path, is_streamed: bool) -> io::Result<Target> {
    if path.as_os_str().is_empty() {
        return Err(io::Error::other("the name is empty"));
    }
    if is_stdout(path) {
        streams::reserve_stdout();
        return Ok(Target::StandardOutput);
    }
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => Err(io::Error::other("it is a folder")),
        _ if names_a_folder(path) => Err(io::Error::other("that names a folder")),
        Ok(_) => {
            let file = File::options().write(true).append(is_system(path)).open(path)?;
            let draft = if is_streamed { None } else { Some(draft_for(path)?) };
            Ok(Target::Existing(file, draft))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => WholeFile::open(path).map(Target::New),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            let folder = folder_of(path).display();
            Err(io::Error::other(format!("the folder {folder} cannot be entered: {error}")))
        }
        Err(error) => Err(error),
    }
}

/// A draft beside the file, or in the folder for temporary files if none can be made there.
fn draft_for(path: &Path) -> io::Result<Draft> {
    let temporary = std::env::temp_dir();
    let beside = if is_system(path) { temporary.clone() } else { folder_of(&resolved(path)).to_owned() };
    Draft::in_folder(&beside).or_else(|_| Draft::in_folder(&temporary)).map_err(|error| {
        let folder = temporary.display();
        io::Error::other(format!("no temporary file can be created in {folder}: {error}"))
    })
}

/// Whether a path leads to a device or to a descriptor of a process, such as `/dev/fd/3`. Output is appended there.
fn is_system(path: &Path) -> bool {
    (path.starts_with("/dev") && !path.starts_with("/dev/shm")) || path.starts_with("/proc")
}

/// The open file at a path, emptied unless it is a pipe, a device or a descriptor.
fn from_the_start(file: File, path: &Path) -> io::Result<File> {
    let is_rewritten = !is_system(path) && file.metadata().is_ok_and(|metadata| metadata.is_file());
    // Open it again, because the name may mean another file than when the work began.
    if is_rewritten { File::options().write(true).truncate(true).open(path) } else { Ok(file) }
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

/// Whether an output is standard output. `/dev/stdout` counts, too: if the file behind it were opened a second time,
/// printed text would overwrite the output.
pub fn is_stdout(path: &Path) -> bool {
    is_stream(path) || path == "/dev/stdout"
}

/// Refuses options that name the same file.
pub fn check_distinct(files: &[(&str, &Option<PathBuf>)]) -> Result<(), Failure> {
    let target = |path: &Path| if is_stdout(path) { PathBuf::from("-") } else { resolved(path) };
    let files: Vec<(&str, PathBuf)> =
        files.iter().filter_map(|(option, path)| Some((*option, target(path.as_deref()?)))).collect();
    for (index, (option, path)) in files.iter().enumerate() {
        if let Some((other, _)) = files[..index].iter().find(|(_, other)| other == path) {
            return Err(Failure::Usage(format!(
                "{other} and {option} name the same file; give each its own"
            )));
        }
    }
    Ok(())
}
