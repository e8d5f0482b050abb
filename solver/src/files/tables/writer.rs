//! Writing tables.

use std::io;
use std::path::Path;

use super::manifest::{Summary, write_manifest};
use super::table_file::{TableFile, file_name, header};
use crate::files::archive::{FileEntry, Frame, Frames};
use crate::files::game_folder::{GameFolder, folder_name};
use crate::solve::SolvedGame;
use crate::solved::{Lookup, LookupError, Solved, TableError};
use crate::space::layout::{ClassId, GroupId, Layout};
use crate::space::sets::GroupValues;
use crate::whole_files::create_folder;

/// The greatest size of a file, in bytes, unless a single group is larger.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 30;
/// zstd's compression level; see *Sizes* in [`super`].
const LEVEL: i32 = 9;

impl SolvedGame {
    /// The number of times that [`SolvedGame::write_to`] calls `on_group`.
    pub fn groups(&self) -> u64 {
        self.0.layout().all_groups().len() as u64
    }

    /// Writes tables into the game's own folder, which must exist. `on_group` is called once for every group of
    /// positions.
    ///
    /// # Errors
    /// As [`SolvedGame::write`].
    pub fn write_to(&self, of_game: &Path, on_group: &(dyn Fn() + Sync)) -> Result<(), TableError> {
        write(&*self.0, &GameFolder::new(of_game), MAX_FILE_BYTES, on_group)
    }

    /// Writes tables as `dovemate solve --tables` does: into the game's own folder within `folder`. Missing folders are
    /// created. Each file appears whole or not at all; existing files are compared and kept.
    ///
    /// # Errors
    /// If a file cannot be written, or an existing one is damaged or has other values.
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<(), TableError> {
        let folder = folder.as_ref().join(folder_name(&self.game()));
        create_folder(&folder).map_err(|error| TableError::Unwritten(folder.clone(), error))?;
        self.write_to(&folder, &|| ())
    }
}

/// Writes the tables of a solved game into an existing folder, each file below `max_bytes` bytes if it has several
/// groups. `on_group` is called once for every group.
///
/// The values in existing files, as an interrupted run leaves them, are compared with those to be written; the files
/// are kept.
///
/// # Errors
/// If a file cannot be written, or an existing one is damaged or has other values. Finished files stay.
pub(crate) fn write(
    solved: &dyn Solved,
    folder: &GameFolder,
    max_bytes: u64,
    on_group: &(dyn Fn() + Sync),
) -> Result<(), TableError> {
    let layout = solved.layout();
    let group = |group| solved.group(group).map_err(LookupError::into_tables);
    let files = write_classes(layout, folder, max_bytes, layout.ids(), &group, on_group)?;
    let rows = solved.solution().rows().to_vec();
    let summary = Summary { rounds: solved.rounds(), longest: solved.longest(), files, rows };
    write_manifest(layout, summary, folder)
}

/// Writes the files of some classes, as [`write`](fn@write) does, from the values of each group.
pub(crate) fn write_classes(
    layout: &Layout,
    folder: &GameFolder,
    max_bytes: u64,
    classes: impl IntoIterator<Item = ClassId>,
    group: &(dyn Fn(GroupId) -> Result<GroupValues, TableError> + Sync),
    on_group: &(dyn Fn() + Sync),
) -> Result<Vec<FileEntry>, TableError> {
    let mut files = Vec::new();
    for class in classes {
        let frame = |number| {
            let values = group(GroupId { class, number }).map_err(io::Error::other)?;
            Frame::new(&values.encode(), LEVEL)
        };
        let groups = layout[class].groups();
        let mut frames = Frames::new(groups, &frame);
        while frames.number < groups {
            let first = GroupId { class, number: frames.number };
            let name = file_name(layout, first);
            let path = folder.path.join(&name);
            let entry = if path.exists() {
                let file = TableFile::open(path, layout, first)?;
                file.read_all(layout, on_group, &|id, values| match group(id)? == *values {
                    true => Ok(()),
                    false => Err(file.archive.contradicts("the values that this program finds")),
                })?;
                frames.skip_to(file.end());
                file.archive.entry()
            } else {
                let header = header(layout, first);
                folder.create_archive(&path, &header, &mut |bytes| {
                    let room = (frames.number > first.number).then(|| max_bytes.saturating_sub(bytes));
                    frames.next(room).inspect(|frame| frame.iter().for_each(|_| on_group()))
                })?
            };
            files.push(entry);
        }
    }
    Ok(files)
}
