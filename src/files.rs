//! Files that appear whole or not at all, and folders.
//!
//! A file is written beside its target under a temporary name, and renamed when complete. It is locked while it is
//! written, so a temporary file without a lock was left by a killed run, and the next run that writes there removes it.
//!
//! A file that is there may be more than its content: it may have other names, an owner whom this process cannot give
//! to another file, or be mounted by itself; or its folder may not be writable. Such a file is overwritten once the new
//! content is complete.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Seek, Write};
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

/// The number of attempts to remove a folder in which other processes write.
const REMOVE_ATTEMPTS: usize = 100;

/// A file that is made or replaced when its content is complete.
pub struct WholeFile {
    content: Waiting,
    path: PathBuf,
    /// Whether the file that is there is overwritten, as replacing it would lose more than its content.
    is_overwritten: bool,
}

/// Content on its way to a file.
enum Waiting {
    /// Beside the file.
    Beside(NamedTempFile),
    /// In the folder for temporary files, without a name, as no file can be made beside the file.
    Elsewhere(File),
}

impl WholeFile {
    /// Makes sure that a file can be made or replaced, without changing what is there. A link is followed: the file
    /// that it points to is replaced or made, not the link.
    ///
    /// # Errors
    /// If it cannot.
    pub fn open(path: &Path) -> io::Result<WholeFile> {
        let path = resolved(path);
        if names_a_folder(&path) {
            // A link to a folder that does not exist.
            return Err(io::Error::other(format!("it leads to a folder, {}", path.display())));
        }
        let replaced = path.metadata().ok();
        if replaced.is_some() {
            // A write-protected file must not be replaced either.
            File::options().write(true).open(&path)?;
        }
        let folder = folder_of(&path);
        if !folder.is_dir() {
            return Err(io::Error::other(format!("there is no folder {}", folder.display())));
        }
        let (content, is_overwritten) = match temporary_in(folder) {
            Ok(temporary) => {
                let is_overwritten = replaced.is_some_and(|replaced| !becomes_like(temporary.as_file(), &replaced));
                (Waiting::Beside(temporary), is_overwritten)
            }
            Err(error) => {
                let elsewhere = replaced.and_then(|_| tempfile::tempfile().ok());
                let folder = folder.display();
                let refused = || io::Error::other(format!("no file can be made in the folder {folder}: {error}"));
                (Waiting::Elsewhere(elsewhere.ok_or_else(refused)?), true)
            }
        };
        Ok(WholeFile { content, path, is_overwritten })
    }

    /// The folder where the content waits until it is complete.
    pub fn folder(&self) -> PathBuf {
        match self.content {
            Waiting::Beside(_) => folder_of(&self.path).to_owned(),
            Waiting::Elsewhere(_) => std::env::temp_dir(),
        }
    }

    /// Writes the file and puts it in place.
    ///
    /// # Errors
    /// If writing fails. No temporary file is left then, and an existing file is unchanged, unless it is one that is
    /// overwritten and the failure comes while the complete content is copied to it.
    pub fn finish(mut self, write: Content<'_>) -> io::Result<()> {
        let file = match &mut self.content {
            Waiting::Beside(temporary) => temporary.as_file_mut(),
            Waiting::Elsewhere(file) => file,
        };
        fill(&mut *file, write)?;
        file.sync_all()?;
        // The lock is held until the file is in place, so that an interrupt comes either before or after.
        let mut unfinished = unfinished();
        match self.content {
            Waiting::Elsewhere(file) => overwrite(&self.path, &file)?,
            Waiting::Beside(temporary) => {
                unfinished.retain(|other| other != temporary.path());
                if self.is_overwritten {
                    overwrite(&self.path, temporary.as_file())?;
                } else if let Err(refused) = temporary.persist(&self.path) {
                    // A mount point, or on some systems a file that is open elsewhere.
                    if !self.path.exists() {
                        return Err(refused.error);
                    }
                    overwrite(&self.path, refused.file.as_file())?;
                }
            }
        }
        drop(unfinished);
        sync_folder(folder_of(&self.path));
        Ok(())
    }
}

/// Makes a file whose name is not taken. If it is, nothing changes: of several processes one makes the file, whole.
///
/// # Errors
/// If it cannot be made.
pub fn create_new(path: &Path, write: Content<'_>) -> io::Result<()> {
    let mut temporary = temporary_in(folder_of(path))?;
    fill(temporary.as_file_mut(), write)?;
    temporary.as_file().sync_all()?;
    let mut unfinished = unfinished();
    unfinished.retain(|other| other != temporary.path());
    match temporary.persist_noclobber(path) {
        Err(refused) if refused.error.kind() != ErrorKind::AlreadyExists => return Err(refused.error),
        _ => drop(unfinished),
    }
    sync_folder(folder_of(path));
    Ok(())
}

/// Overwrites a file with complete content. It keeps what else it is.
fn overwrite(path: &Path, mut content: &File) -> io::Result<()> {
    let mut file = File::options().write(true).truncate(true).open(path)?;
    content.rewind()?;
    io::copy(&mut content, &mut file)?;
    file.sync_all()
}

/// Makes a folder, and those that it is in, unless they are there.
///
/// # Errors
/// If one cannot be made.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.is_dir()).collect();
    std::fs::create_dir_all(path)?;
    missing.into_iter().map(folder_of).for_each(sync_folder);
    Ok(())
}

/// Removes a folder and all that is in it, unless it is gone.
///
/// # Errors
/// If it cannot be removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    for _ in 0..REMOVE_ATTEMPTS {
        match std::fs::remove_dir_all(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            // Another process has just written a file there.
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
            result => return result,
        }
    }
    std::fs::remove_dir_all(path)
}

/// Makes new names in a folder survive a power failure. If this fails, what they name is in place all the same.
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

/// Whether a path ends in `/`, `.` or `..`.
pub fn names_a_folder(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    let last = bytes.rsplit(|&byte| std::path::is_separator(char::from(byte))).next();
    matches!(last, Some(b"" | b"." | b".."))
}

/// The number of links that the kernel follows.
pub const LINKS: usize = 40;

/// The path without links, `.` and `..`, so that two names of one file become equal, even before the file exists.
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

/// A temporary file in a folder.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    remove_left_over(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    // An ordinary file: not for its owner alone, as temporary files are, and with the system's own errors, which do not
    // name it.
    let new = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    loop {
        // The list is locked until it has the file: an interrupt in between would leave the file behind.
        let mut unfinished = unfinished();
        let temporary = builder.make_in(folder, new)?;
        unfinished.push(temporary.path().to_owned());
        drop(unfinished);
        // Before it was locked, another process may have removed it as a left-over.
        if temporary.as_file().lock().is_err() || temporary.path().exists() {
            return Ok(temporary);
        }
    }
}

/// Gives a file the owner, group and mode of one that it is to replace. `false` if it cannot have them, or if the other
/// file has more names.
#[cfg(unix)]
fn becomes_like(file: &File, replaced: &Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let mode = |metadata: &Metadata| metadata.mode() & 0o7777;
    let owner = |metadata: &Metadata| (metadata.uid(), metadata.gid());
    let has = |of: &dyn Fn(&Metadata) -> bool| file.metadata().is_ok_and(|metadata| of(&metadata));
    // What cannot be given shows afterwards. A new owner takes bits of the mode away.
    if !has(&|metadata| owner(metadata) == owner(replaced)) {
        let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
    }
    if !has(&|metadata| mode(metadata) == mode(replaced)) {
        let _ = file.set_permissions(std::fs::Permissions::from_mode(mode(replaced)));
    }
    replaced.nlink() == 1 && has(&|now| (owner(now), mode(now)) == (owner(replaced), mode(replaced)))
}

#[cfg(not(unix))]
fn becomes_like(_: &File, _: &Metadata) -> bool {
    true
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
