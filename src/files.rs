//! Files that appear whole or not at all, and folders.
//!
//! A file is written beside its target under a temporary name, and renamed when complete. It is locked while it is
//! written, so a temporary file without a lock was left by a killed run, and the next run that writes there removes it.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

/// Writes the content of a file.
pub type Content<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Temporary files that an interrupt must remove.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// How the names of temporary files begin and end.
const PREFIX: &str = ".dovemate-";
const SUFFIX: &str = ".part";
/// The number of random characters in between.
const RANDOM: usize = 12;

/// A file that is made or replaced when its content is complete.
pub struct WholeFile {
    temporary: NamedTempFile,
    path: PathBuf,
}

impl WholeFile {
    /// Makes sure that a file can be made or replaced, without changing what is there. A link is followed: the file
    /// that it points to is replaced or made, not the link.
    ///
    /// # Errors
    /// If it cannot.
    pub fn open(path: &Path) -> io::Result<WholeFile> {
        let path = resolved(path);
        let metadata = path.metadata().ok();
        Ok(WholeFile { temporary: temporary_beside(&path, metadata.as_ref())?, path })
    }

    /// Writes the file and puts it in place.
    ///
    /// # Errors
    /// If writing fails. No temporary file is left then, and an existing file is unchanged.
    pub fn finish(mut self, write: Content<'_>) -> io::Result<()> {
        fill(self.temporary.as_file_mut(), write)?;
        self.temporary.as_file().sync_all()?;
        // The lock is held while renaming, so that an interrupt comes either before or after.
        let mut unfinished = unfinished();
        unfinished.retain(|other| other != self.temporary.path());
        self.temporary.persist(&self.path).map_err(|error| error.error)?;
        drop(unfinished);
        sync_folder(folder_of(&self.path));
        Ok(())
    }
}

/// Makes a folder, and those that it is in, unless they are there.
///
/// # Errors
/// If one cannot be made.
pub fn create_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    create_folder(folder_of(path))?;
    match std::fs::create_dir(path) {
        // Another process may have made it meanwhile.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => {}
        made => made?,
    }
    sync_folder(folder_of(path));
    Ok(())
}

/// Makes new names in a folder survive a power failure. If this fails, what they name is in place all the same.
fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}

/// Writes the content of an open file.
///
/// # Errors
/// If writing fails.
pub fn fill(file: &mut File, write: Content<'_>) -> io::Result<()> {
    let mut buffered = BufWriter::new(file);
    write(&mut buffered)?;
    buffered.flush()
}

/// Whether a path ends in `/`, `.` or `..`.
pub fn names_a_folder(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    let last = bytes.rsplit(|&byte| std::path::is_separator(char::from(byte))).next();
    matches!(last, Some(b"" | b"." | b".."))
}

/// The path without links, `.` and `..`, so that two names of one file become equal, even before the file exists.
pub fn resolved(path: &Path) -> PathBuf {
    /// The number of links that the kernel follows.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(there) = path.canonicalize() {
            return there;
        }
        let Ok(target) = path.read_link() else { break };
        path = folder_of(&path).join(target);
    }
    if names_a_folder(&path) {
        return path;
    }
    let in_its_folder = || Some(folder_of(&path).canonicalize().ok()?.join(path.file_name()?));
    in_its_folder().unwrap_or_else(|| path.clone())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file beside `path`, with the mode of the file there, if there is one.
fn temporary_beside(path: &Path, replaced: Option<&Metadata>) -> io::Result<NamedTempFile> {
    if names_a_folder(path) {
        // A link to a folder that does not exist.
        return Err(io::Error::other(format!("it leads to a folder, {}", path.display())));
    }
    if replaced.is_some() {
        // A write-protected file must not be replaced either.
        File::options().write(true).open(path)?;
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(io::Error::other(format!("there is no folder {}", folder.display())));
    }
    remove_left_over(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    // An ordinary file: not for its owner alone, as temporary files are, and with the system's own errors, which do not
    // name it.
    let new = |path: &Path| File::options().write(true).create_new(true).open(path);
    loop {
        // The list is locked until it has the file: an interrupt in between would leave the file behind.
        let mut unfinished = unfinished();
        let temporary = builder.make_in(folder, new)?;
        unfinished.push(temporary.path().to_owned());
        drop(unfinished);
        // Before it was locked, another process may have removed it as a left-over.
        if temporary.as_file().lock().is_err() || temporary.path().exists() {
            keep_mode(temporary.as_file(), replaced)?;
            return Ok(temporary);
        }
    }
}

/// Gives a file the mode of the file that it replaces.
#[cfg(unix)]
fn keep_mode(file: &File, replaced: Option<&Metadata>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = |metadata: &Metadata| std::fs::Permissions::from_mode(metadata.permissions().mode() & 0o777);
    replaced.map_or(Ok(()), |metadata| file.set_permissions(mode(metadata)))
}

#[cfg(not(unix))]
fn keep_mode(_: &File, _: Option<&Metadata>) -> io::Result<()> {
    Ok(())
}

/// Removes temporary files that killed runs have left in a folder: those with our form of name and without a lock.
/// Files that cannot be removed stay.
fn remove_left_over(folder: &Path) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !entry.file_name().to_str().is_some_and(is_temporary) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether a name has the form of this program's temporary files.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn unfinished() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of this process, which must then exit. While the returned guard is held, no thread can
/// begin or finish another file.
#[must_use]
pub fn remove_unfinished_files() -> impl Drop {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        // It may already be gone.
        let _ = std::fs::remove_file(path);
    }
    unfinished
}
