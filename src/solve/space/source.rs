//! What a round reads: the wins so far, and the results of the round before, in memory or elsewhere.

use super::changes::{Changes, SparseBits};
use super::win_bits::WinBits;

/// All wins so far, group by group.
pub trait Wins: Sync {
    /// What a thread holds while it works on one group: the group's actions lead to few other groups, but to these many
    /// times.
    type Held: Default;

    /// The blocks of a group, followed by at least [`super::word::PADDING`] meaningless bytes.
    fn group<'a>(&'a self, held: &'a mut Self::Held, class: usize, group: usize) -> &'a [u8];
}

/// The results of a round, group by group.
pub trait RoundResult: Sync {
    /// What a thread holds while it works on one group.
    type Held: Default;

    /// The results in a group; `None` if there are none.
    fn group<'a>(&'a self, held: &'a mut Self::Held, class: usize, group: usize) -> Option<&'a SparseBits>;

    /// All groups that may have results: class, and number in the class.
    fn groups(&self) -> Vec<(usize, usize)>;

    /// The number of blocks with results.
    fn blocks(&self) -> usize;
}

impl Wins for WinBits {
    type Held = ();

    #[inline]
    fn group<'a>(&'a self, (): &mut (), class: usize, group: usize) -> &'a [u8] {
        let start = group * self.group_bytes[class];
        &self.classes[class][start..]
    }
}

impl RoundResult for Changes {
    type Held = ();

    #[inline]
    fn group<'a>(&'a self, (): &mut (), class: usize, group: usize) -> Option<&'a SparseBits> {
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
