//! The folder of a game: where its files are, and how they are made.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::archive::{self, FileEntry, Frame};
use super::sealed;
use crate::solved::TableError;
use crate::whole_files::{Content, WholeFile, remove_folder};
use dovemate::rules::{DoveSet, Game, Rules};

/// The name of the manifest of a game's tables.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The name of the folder with the rounds of all parts.
pub(crate) const ROUNDS: &str = "rounds";

/// The name of the folder of a game.
pub(crate) fn folder_name(game: &Game) -> String {
    let name = |set: DoveSet| if set.is_empty() { "none".to_owned() } else { set.to_string() };
    let Rules { returns, both_surrounded } = game.rules;
    let returns = if returns { "returns" } else { "no-returns" };
    format!("{}-{}-{returns}-{}", name(game.red), name(game.green), both_surrounded.name())
}

/// Makes a file, whole or not at all.
type Create = dyn Fn(&Path, Content<'_>) -> Result<(), TableError> + Send + Sync;

/// The folder with the rounds and tables of a game.
#[derive(Clone)]
pub(crate) struct GameFolder {
    pub path: PathBuf,
    create: Arc<Create>,
}

impl GameFolder {
    /// The folder at a path.
    pub(crate) fn new(path: &Path) -> GameFolder {
        GameFolder::with(path, create)
    }

    /// As [`GameFolder::new`], with another way to make files.
    pub(crate) fn with(
        path: &Path,
        create: impl Fn(&Path, Content<'_>) -> Result<(), TableError> + Send + Sync + 'static,
    ) -> GameFolder {
        GameFolder { path: path.to_owned(), create: Arc::new(create) }
    }

    /// The folder with the rounds of all parts.
    pub(crate) fn rounds(&self) -> PathBuf {
        self.path.join(ROUNDS)
    }

    /// The folder with the rounds of a part, by the part's number.
    pub(crate) fn part(&self, part: usize) -> PathBuf {
        self.rounds().join(format!("part-{part:03}"))
    }

    /// The manifest of a part that has tables.
    pub(crate) fn part_manifest(&self, part: usize) -> PathBuf {
        self.path.join(format!("part-{part:03}.json"))
    }

    /// Makes a file of about `bytes` bytes; if there is no space for it, the error gives its size.
    pub(crate) fn create_sized(
        &self,
        path: &Path,
        bytes: usize,
        content: Content<'_>,
    ) -> Result<(), TableError> {
        let no_space = |error: io::Error| match error.kind() {
            ErrorKind::StorageFull => io::Error::other(format!(
                "no space is left, and this file takes about {bytes} bytes; free some space and run the same command to resume"
            )),
            _ => error,
        };
        (self.create)(path, &mut |out| content(out).and_then(|()| out.flush()).map_err(no_space))
    }

    /// Makes an archive with a header and the frames that `next` returns, as [`archive::write`] does.
    pub(crate) fn create_archive(
        &self,
        path: &Path,
        header: &[u8],
        next: &mut dyn FnMut(u64) -> io::Result<Option<Frame>>,
    ) -> Result<FileEntry, TableError> {
        let mut written = None;
        (self.create)(path, &mut |out| {
            written = Some(archive::write(out, header, next)?);
            Ok(())
        })?;
        let (bytes, hash) = written.expect("the file is written");
        Ok(FileEntry::new(path, bytes, hash))
    }

    /// Makes a file with a sealed document.
    pub(crate) fn create_document(&self, path: &Path, document: &impl Serialize) -> Result<(), TableError> {
        let text = sealed::text(document);
        self.create_sized(path, text.len(), &mut |out| out.write_all(text.as_bytes()))
    }

    /// Removes a file in this folder, unless it is gone.
    pub(crate) fn remove_file(&self, path: &Path) -> Result<(), TableError> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(TableError::Unremoved(path.to_owned(), error))
            }
            _ => Ok(()),
        }
    }

    /// Removes a folder in this folder, unless it is gone.
    pub(crate) fn remove(&self, folder: &Path) -> Result<(), TableError> {
        remove_folder(folder).map_err(|error| TableError::Unremoved(folder.to_owned(), error))
    }
}

/// The names of the files and folders in a folder, except those that are not valid Unicode.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, TableError> {
    let unreadable = |error| TableError::Unreadable(folder.to_owned(), error);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        names.extend(entry.map_err(unreadable)?.file_name().into_string());
    }
    Ok(names)
}

/// The number of files in a folder and in those below it, and their bytes. Other processes may remove some meanwhile.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn on_disk(folder: &Path) -> Result<(u64, u64), TableError> {
    let (mut files, mut bytes) = (0, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in names(&folder)?.iter().map(|name| folder.join(name)) {
            match path.symlink_metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(path),
                Ok(metadata) => (files, bytes) = (files + 1, bytes + metadata.len()),
                Err(_) => {}
            }
        }
    }
    Ok((files, bytes))
}

/// The round that a file name begins with: `0007-wins-1-of-2.round` is of round 7.
pub(crate) fn round_of(name: &str) -> Option<u32> {
    let (round, _) = name.split_once('-')?;
    let is_number = round.len() >= 4 && round.bytes().all(|byte| byte.is_ascii_digit());
    round.parse().ok().filter(|_| is_number)
}

/// Makes a file, whole or not at all.
///
/// # Errors
/// If the file cannot be written, or its sources cannot be read.
pub(crate) fn create(path: &Path, content: Content<'_>) -> Result<(), TableError> {
    let written = WholeFile::open(path).and_then(|file| file.finish(content));
    written.map_err(|error| {
        error.downcast().unwrap_or_else(|error| TableError::Unwritten(path.to_owned(), error))
    })
}
