//! Files that appear whole or not at all, content for files that are written in place, and folders.
//!
//! Content is first written to a temporary file, beside its target if possible. The file is locked while it is written.
//! A temporary file without a lock was therefore left by a killed run, and the next run that writes there removes it.
//! Where locks exclude no other process, as on some network file systems, such files stay.
//!
//! Complete content that cannot be put in place stays in a file that the error names. It is lost only if that file
//! cannot be made either, or if the reader of a pipe is gone.

#[cfg(all(test, unix))]
mod tests;

use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tempfile::NamedTempFile;

use dovemate::waiting::{SILENCE, in_time};

/// Writes the content of a file.
pub type Content<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Temporary files that an interrupt must remove.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The beginning and the end of the names of temporary files.
const PREFIX: &str = ".dovemate-";
const SUFFIX: &str = ".part";
/// The number of random characters between them.
const RANDOM: usize = 12;
/// The extension that replaces [`SUFFIX`] on a complete file left for the user.
const COMPLETE: &str = "complete";

/// A file that appears under its name, new or as a replacement, when its content is complete.
#[derive(Debug)]
pub struct WholeFile {
    temporary: NamedTempFile,
    path: PathBuf,
}

impl WholeFile {
    /// Checks that a file can be made or replaced, without changing an existing one. A link is followed: the
    /// file that it points to is replaced or made, not the link.
    ///
    /// # Errors
    /// If the file cannot be made or replaced.
    pub fn open(path: &Path) -> io::Result<WholeFile> {
        let path = resolved(path);
        if names_a_folder(&path) {
            // A link to a folder that does not exist.
            return Err(io::Error::other(format!("it leads to a folder, {}", path.display())));
        }
        if path.exists() {
            // Do not replace a write-protected file.
            File::options().write(true).open(&path)?;
        }
        let folder = folder_of(&path);
        if !folder.is_dir() {
            return Err(io::Error::other(format!("the folder {} does not exist", folder.display())));
        }
        let temporary = temporary_in(folder).map_err(|error| {
            let folder = folder.display();
            io::Error::other(format!("no file can be made in the folder {folder}: {error}"))
        })?;
        Ok(WholeFile { temporary, path })
    }

    /// Writes the file and puts it in place.
    ///
    /// # Errors
    /// If writing fails. No temporary file is left then, and an existing file is unchanged. If only the last step
    /// fails, the complete content is in a file that the error names.
    pub fn finish(self, write: Content<'_>) -> io::Result<()> {
        let WholeFile { mut temporary, path } = self;
        fill(temporary.as_file_mut(), write)?;
        sync(temporary.as_file())?;
        // The list's lock is held until the file is in place, so that an interrupt comes either before or after.
        let mut unfinished = unfinished();
        unfinished.retain(|other| other != temporary.path());
        let replaced = replace(&temporary, &path);
        drop(unfinished);
        if let Err(error) = replaced {
            return Err(keep(temporary, error));
        }
        // Nothing has the temporary name any more.
        drop(temporary.into_temp_path().keep());
        sync_folder(folder_of(&path));
        Ok(())
    }
}

/// Gives the file with complete content a name that no later run removes, and adds the name to an error. If the file
/// cannot be renamed, it is copied.
fn keep(temporary: NamedTempFile, error: io::Error) -> io::Error {
    // The new name is free: most of it is random.
    let kept = temporary.path().with_extension(COMPLETE);
    let copied = || std::fs::copy(temporary.path(), &kept).map(drop);
    if std::fs::rename(temporary.path(), &kept).or_else(|_| copied()).is_err() {
        let _ = std::fs::remove_file(&kept);
        return error;
    }
    io::Error::new(error.kind(), format!("{error}; the complete content is in {}", kept.display()))
}

/// Replaces a file with a temporary one, even while others are reading it.
#[cfg(not(windows))]
fn replace(temporary: &NamedTempFile, path: &Path) -> io::Result<()> {
    std::fs::rename(temporary.path(), path)
}

/// Replaces a file with a temporary one, on Windows. If the file system does not let an open file be replaced, the old
/// file is renamed first, and stays readable to processes that have it open.
#[cfg(windows)]
fn replace(temporary: &NamedTempFile, path: &Path) -> io::Result<()> {
    let put = || std::fs::rename(temporary.path(), path);
    match put() {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {}
        result => return result,
    }
    // The renamed file is removed when this returns, or else by the next run that writes here.
    let old = temporary_names().make_in(folder_of(path), |_| Ok(()))?;
    std::fs::rename(path, old.path())?;
    let is_put = put();
    if is_put.is_err() && std::fs::rename(old.path(), path).is_err() {
        // Give the old content a name that no later run removes.
        let _ = std::fs::rename(old.path(), old.path().with_extension(COMPLETE));
    }
    is_put
}

/// Makes the content of a file survive a power failure. File systems of virtual machines, of networks and in user space
/// may not support this, which is no error.
fn sync(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => Ok(()),
        result => result,
    }
}

/// Content for an existing file, pipe or device. It is written in place once it is complete, which changes
/// only the content of a file, not its owner, mode or other names.
#[derive(Debug)]
pub struct Draft(NamedTempFile);

impl Draft {
    /// A draft in a folder.
    ///
    /// # Errors
    /// If no file can be made there.
    pub fn in_folder(folder: &Path) -> io::Result<Draft> {
        temporary_in(folder).map(Draft)
    }

    /// Completes the draft and writes it to the file, pipe or device that `open` opens.
    ///
    /// # Errors
    /// If writing fails. If only the last step fails, the draft stays and the error names it, unless the reader of a
    /// pipe is gone.
    pub fn finish(mut self, write: Content<'_>, open: impl FnOnce() -> io::Result<File>) -> io::Result<()> {
        let draft = self.0.as_file_mut();
        fill(&mut *draft, write)?;
        sync(draft)?;
        match copy(draft, open) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(keep(self.0, error)),
            done => done,
        }
    }
}

/// Writes all of a draft to the file, pipe or device that `open` opens.
fn copy(draft: &mut File, open: impl FnOnce() -> io::Result<File>) -> io::Result<()> {
    draft.rewind()?;
    let lock = unfinished();
    let mut file = open()?;
    let is_file = file.metadata()?.is_file();
    // An interrupt waits until a file is complete, but not for the reader of a pipe.
    let _lock = is_file.then_some(lock);
    io::copy(draft, &mut file)?;
    if is_file { sync(&file) } else { Ok(()) }
}

/// Makes a folder and its parents, unless they exist.
///
/// # Errors
/// If one cannot be made.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.is_dir()).collect();
    std::fs::create_dir_all(path)?;
    missing.into_iter().map(folder_of).for_each(sync_folder);
    Ok(())
}

/// Removes a folder with its content, if it exists.
///
/// # Errors
/// If it cannot be removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// On Unix, makes new names in a folder survive a power failure. An error is ignored, because the files are in place
/// anyway.
fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    #[cfg(not(unix))]
    let _ = folder;
}

/// Writes content to an open file.
///
/// # Errors
/// If writing fails.
pub fn fill(file: impl Write, write: Content<'_>) -> io::Result<()> {
    let mut buffered = BufWriter::new(file);
    write(&mut buffered)?;
    buffered.flush()
}

/// Whether a path is empty or ends in `/`, or its last component is `.` or `..`.
pub fn names_a_folder(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    let last = bytes.rsplit(|&byte| std::path::is_separator(char::from(byte))).next();
    matches!(last, Some(b"" | b"." | b".."))
}

/// Maximum number of links to follow, as in Linux.
const LINKS: usize = 40;

/// The path without links, `.` and `..`, so that two names of one file become equal, even before the file
/// exists.
pub fn resolved(path: &Path) -> PathBuf {
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

/// The folder that a path is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A builder of temporary files with names of this program's form.
fn temporary_names() -> tempfile::Builder<'static, 'static> {
    let mut names = tempfile::Builder::new();
    names.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    names
}

/// A temporary file in a folder.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    // Create an ordinary file, because the crate's temporary files are readable by their owner only and its errors name
    // the file.
    let new = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    // If all of 100 new files appear locked by others, the file system reports every file as locked. Then no other run
    // can lock this file and remove it as a leftover, so it is used without a lock.
    let mut tries = 100;
    loop {
        // Hold the list's lock until the file is in the list, because an interrupt in between would leave the file
        // behind.
        let mut unfinished = unfinished();
        let temporary = temporary_names().make_in(folder, new)?;
        unfinished.push(temporary.path().to_owned());
        drop(unfinished);
        match try_lock(temporary.as_file(), File::try_lock, SILENCE, "") {
            // Another process takes it for a leftover and removes it.
            Err(TryLockError::WouldBlock) if tries > 0 => tries -= 1,
            Err(_) => return Ok(temporary),
            Ok(()) if !temporary.path().exists() => {}
            Ok(()) => {
                if locked(temporary.path()).is_none() {
                    remove_left_over(folder);
                }
                return Ok(temporary);
            }
        }
    }
}

/// The file, opened and locked; `None` if it cannot be opened or locked, for example because another handle, in this
/// process or another, has the lock.
fn locked(path: &Path) -> Option<File> {
    let file = File::options().read(true).write(true).open(path).ok()?;
    try_lock(&file, File::try_lock, SILENCE, "").ok().map(|()| file)
}

/// Tries to lock a file. If the system does not answer within the limit, as on some network file systems, that is an
/// error. After a while a message says that `what` is being waited for. If `what` is empty, there is no message, and
/// once any attempt has gone unanswered, the call fails at once.
pub(crate) fn try_lock(
    file: &File,
    lock: fn(&File) -> Result<(), TryLockError>,
    limit: Duration,
    what: &str,
) -> Result<(), TryLockError> {
    static IS_SILENT: AtomicBool = AtomicBool::new(false);
    let is_silent = || TryLockError::Error(ErrorKind::TimedOut.into());
    if what.is_empty() && IS_SILENT.load(Ordering::Relaxed) {
        return Err(is_silent());
    }
    let file = file.try_clone().map_err(TryLockError::Error)?;
    in_time(limit, what, move || lock(&file)).unwrap_or_else(|| {
        IS_SILENT.store(true, Ordering::Relaxed);
        Err(is_silent())
    })
}

/// Removes temporary files that killed runs have left in a folder where locks exclude other processes: those with a
/// name of this program's form and without a lock. Files that cannot be removed stay.
fn remove_left_over(folder: &Path) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let is_ours = is_file && entry.file_name().to_str().is_some_and(is_temporary);
        // Another process may have made the file and not locked it yet. It finds the file locked here, and makes
        // another.
        if let Some(_lock) = is_ours.then(|| locked(&entry.path())).flatten() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether a name has the form of this program's temporary files.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn unfinished() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of this process, which must then exit. While the returned guard is held, no
/// thread can begin or finish another file.
#[must_use]
pub fn remove_unfinished_files() -> impl Drop {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        // It may already be gone.
        let _ = std::fs::remove_file(path);
    }
    unfinished
}
