//! Output files that appear whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

use super::Failure;

/// Temporary files that an interrupt must remove.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Exit status after Ctrl-C.
const INTERRUPTED: i32 = 130;

/// A file to be written: opened before the work, in place only once it is complete.
pub struct OutputFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    /// A temporary file beside the target, to be renamed to this.
    Replaced(NamedTempFile, PathBuf),
    /// A device or a pipe, written directly.
    Direct(File),
}

impl OutputFile {
    /// Makes sure that `path` can be written, without touching what is there.
    ///
    /// # Errors
    /// If it cannot.
    pub fn open(path: &Path) -> Result<OutputFile> {
        let cannot = || format!("{} cannot be written", path.display());
        let target = match path.metadata() {
            Ok(metadata) if metadata.is_dir() => return Err(anyhow::anyhow!("it is a folder")).with_context(cannot),
            Ok(metadata) if !metadata.is_file() => {
                Target::Direct(File::options().write(true).open(path).with_context(cannot)?)
            }
            _ => {
                // Through a link, the file it points to is replaced, not the link.
                let path = resolved(path);
                Target::Replaced(temporary_beside(&path).with_context(cannot)?, path)
            }
        };
        Ok(OutputFile { path: path.to_owned(), target })
    }

    /// Writes the file and puts it in place.
    ///
    /// # Errors
    /// If that fails; nothing is left then, and an earlier file of the name stays as it was.
    pub fn finish(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let cannot = || format!("{} cannot be written", self.path.display());
        match self.target {
            Target::Direct(mut file) => fill(&mut file, write).with_context(cannot),
            Target::Replaced(mut temporary, path) => {
                fill(temporary.as_file_mut(), write).with_context(cannot)?;
                temporary.as_file().sync_all().with_context(cannot)?;
                temporary.persist(&path).map_err(|error| error.error).with_context(cannot)?;
                Ok(())
            }
        }
    }
}

fn fill(file: &mut File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut buffered = BufWriter::new(file);
    write(&mut buffered)?;
    buffered.flush()
}

/// Refuses one file for two outputs.
pub fn check_distinct(csv: &Option<PathBuf>, json: &Option<PathBuf>) -> Result<(), Failure> {
    if csv.is_some() && csv.as_deref().map(resolved) == json.as_deref().map(resolved) {
        return Err(Failure::Usage("--csv and --json name the same file; give each its own".to_owned()));
    }
    Ok(())
}

/// The path without links, `.` and `..`, so that two names of one file are the same.
pub fn resolved(path: &Path) -> PathBuf {
    let in_its_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_its_folder).unwrap_or_else(|| path.to_owned())
}

fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    if path.exists() {
        // A file that may not be written must not be replaced either.
        File::options().write(true).open(path)?;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(io::Error::other(format!("there is no folder {}", folder.display())));
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file, and not for the owner alone; the user's umask applies.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    // Held until the file is on the list: an interrupt in between would leave it behind.
    let mut unfinished = unfinished();
    // The error would name the temporary file, which means nothing to a user.
    let temporary = builder.prefix(".dovemate-").suffix(".part").tempfile_in(folder).map_err(|error| error.kind())?;
    unfinished.push(temporary.path().to_owned());
    Ok(temporary)
}

fn unfinished() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// On Ctrl-C and the like: removes temporary files and ends the program.
pub fn remove_unfinished_files_on_interrupt() {
    let set = ctrlc::set_handler(|| {
        for path in unfinished().iter() {
            // It may have been renamed or removed by now.
            let _ = std::fs::remove_file(path);
        }
        super::complain(format_args!("interrupted"));
        std::process::exit(INTERRUPTED);
    });
    // Without a handler the program is ended all the same; only temporary files may stay behind.
    if let Err(error) = set {
        super::complain(format_args!("warning: Ctrl-C cannot be handled: {error}"));
    }
}
