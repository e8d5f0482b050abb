//! What a round reads: the wins so far, and what the round before has found – in memory, or wherever else they are.

use std::ops::Deref;

use super::changes::{Changes, GroupChanges};
use super::rounds::Plane;

/// All wins so far, group by group.
pub trait Wins: Sync {
    /// A group, as long as it is looked at.
    type Group<'a>: Deref<Target = [u8]>
    where
        Self: 'a;

    /// The blocks of a group, and at least [`super::word::PADDING`] bytes of no meaning after them.
    fn group(&self, class: usize, group: usize) -> Self::Group<'_>;
}

/// What a round has found, group by group.
pub trait Found: Sync {
    /// A group, as long as it is looked at.
    type Group<'a>: Deref<Target = GroupChanges>
    where
        Self: 'a;

    /// What has been found in a group, if there is anything.
    fn group(&self, class: usize, group: usize) -> Option<Self::Group<'_>>;

    /// All groups in which there may be something: class, and number in the class.
    fn groups(&self) -> Vec<(usize, usize)>;

    /// In how many blocks there is something.
    fn blocks(&self) -> usize;
}

impl Wins for Plane {
    type Group<'a> = &'a [u8];

    #[inline]
    fn group(&self, class: usize, group: usize) -> &[u8] {
        let start = group * self.group_bytes[class];
        &self.classes[class][start..]
    }
}

impl Found for Changes {
    type Group<'a> = &'a GroupChanges;

    #[inline]
    fn group(&self, class: usize, group: usize) -> Option<&GroupChanges> {
        self.groups[class].get(group)
    }

    fn groups(&self) -> Vec<(usize, usize)> {
        let groups = self.groups.iter().enumerate().flat_map(|(class, groups)| {
            let found = groups.iter().enumerate().filter(|(_, changes)| !changes.is_empty());
            found.map(move |(group, _)| (class, group))
        });
        groups.collect()
    }

    fn blocks(&self) -> usize {
        self.count()
    }
}
