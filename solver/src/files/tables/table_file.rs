//! One file of tables, with consecutive groups of a class: its name, its header and its values.

use std::path::PathBuf;

use crate::files::archive::{self, Archive, VERSION};
use crate::solved::TableError;
use crate::space::layout::{GroupId, Layout};
use crate::space::sets::GroupValues;
use dovemate::rules::Color;

/// The name of the file that starts with a group.
pub(crate) fn file_name(layout: &Layout, first: GroupId) -> String {
    let class = &layout[first.class];
    let mover = layout.mover(class.side).map_or("any", Color::name);
    format!("{mover}-{}-{}-{:05}.table", class.slots, class.opposing, first.number)
}

/// The header of the file that starts with a group.
pub(crate) fn header(layout: &Layout, first: GroupId) -> Vec<u8> {
    let class = &layout[first.class];
    let mut what = vec![1, class.side as u8, class.slots as u8, class.opposing as u8];
    what.extend([class.own_kinds.bits(), class.opposing_kinds.bits()]);
    for number in
        [class.width, class.rows, class.sets, class.group, class.placements, first.number * class.group]
    {
        what.extend((number as u32).to_le_bytes());
    }
    archive::header(VERSION, &layout.game, &what)
}

/// A file with groups of a class.
pub(crate) struct TableFile {
    pub archive: Archive,
    pub first: GroupId,
}

impl TableFile {
    /// Opens the file with the groups of a class from `first` on.
    pub(crate) fn open(path: PathBuf, layout: &Layout, first: GroupId) -> Result<TableFile, TableError> {
        let (header, most) = (header(layout, first), layout[first.class].groups() - first.number);
        Ok(TableFile { archive: Archive::open(path, &layout.game, &header, most)?, first })
    }

    /// The number of the group after its last one.
    pub(crate) fn end(&self) -> usize {
        self.first.number + self.archive.frames.len()
    }

    /// Reads everything from the first byte to the last, and visits its groups. `on_group` is called before each.
    pub(crate) fn read_all(
        &self,
        layout: &Layout,
        on_group: &(dyn Fn() + Sync),
        visit: &(dyn Fn(GroupId, &GroupValues) -> Result<(), TableError> + Sync),
    ) -> Result<(), TableError> {
        let class = &layout[self.first.class];
        self.archive.read_all(&|frame, content| {
            let group = GroupId { number: self.first.number + frame, ..self.first };
            let values = self.archive.values(class, group, &content)?;
            on_group();
            visit(group, &values)
        })
    }
}
