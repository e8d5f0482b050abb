//! Writing tables.

use std::io;

use super::manifest::{Summary, write_manifest};
use super::table_file::{TableFile, file_name, header};
use crate::files::archive::{FileEntry, Frame, Frames, TableError};
use crate::files::game_folder::GameFolder;
use crate::solved::{LookupError, Solved};
use crate::space::layout::{ClassId, GroupId, Layout};
use crate::space::sets::GroupValues;

/// The greatest size of a file, in bytes, unless a single group is larger.
pub(crate) const SHARD: u64 = 1 << 30;
/// zstd's compression level; see *Sizes*.
const LEVEL: i32 = 9;

/// Writes the tables of a solved game into an existing folder, each file below `shard` bytes. `each` is
/// called after every group.
///
/// Existing files, from an interrupted run, are compared with what would be written, and kept.
///
/// # Errors
/// If a file cannot be written, or an existing one is damaged or has other values. Finished files stay.
pub(crate) fn write(
    solved: &dyn Solved,
    folder: &GameFolder,
    shard: u64,
    each: &(dyn Fn() + Sync),
) -> Result<(), TableError> {
    let layout = solved.layout();
    let group = |group| solved.group(group).map_err(LookupError::into_tables);
    let files = Writer { layout, folder, shard, each }.write(layout.ids(), &group)?;
    let rows = solved.solution().rows().to_vec();
    let summary = Summary { rounds: solved.rounds(), longest: solved.longest(), files, rows };
    write_manifest(layout, summary, folder)
}

/// Writes tables into a folder.
pub(crate) struct Writer<'a> {
    pub layout: &'a Layout,
    pub folder: &'a GameFolder,
    /// Files are smaller than this, in bytes.
    pub shard: u64,
    /// Called after every group.
    pub each: &'a (dyn Fn() + Sync),
}

impl Writer<'_> {
    /// Writes the files of some classes, as [`write`](fn@write) does, from the values of each group.
    pub(crate) fn write(
        &self,
        classes: impl IntoIterator<Item = ClassId>,
        group: &(dyn Fn(GroupId) -> Result<GroupValues, TableError> + Sync),
    ) -> Result<Vec<FileEntry>, TableError> {
        let &Writer { layout, folder, shard, each } = self;
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
                    file.read_all(layout, each, &|id, values| match group(id)? == *values {
                        true => Ok(()),
                        false => Err(file.archive.contradicts("the values that this program finds")),
                    })?;
                    frames.skip_to(file.end());
                    file.archive.entry()
                } else {
                    let header = header(layout, first);
                    folder.create_archive(&path, &header, &mut |bytes| {
                        let room = (frames.number > first.number).then(|| shard.saturating_sub(bytes));
                        frames.next(room).inspect(|frame| frame.iter().for_each(|_| each()))
                    })?
                };
                files.push(entry);
            }
        }
        Ok(files)
    }
}
