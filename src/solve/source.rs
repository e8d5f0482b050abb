//! What a round reads: the wins so far, and what the round before has found – in memory, or wherever else they are.

use super::changes::{Changes, SparseBits};
use super::rounds::WinBits;

/// All wins so far, group by group.
pub trait Wins: Sync {
    /// What a thread keeps of them while it works on one group: the actions from there lead to few others, but to these many times.
    type Held: Default;

    /// The blocks of a group, and at least [`super::word::PADDING`] bytes of no meaning after them.
    fn group<'a>(&'a self, held: &'a mut Self::Held, class: usize, group: usize) -> &'a [u8];
}

/// What a round has found, group by group.
pub trait RoundResult: Sync {
    /// What a thread keeps of it while it works on one group.
    type Held: Default;

    /// What has been found in a group, if there is anything.
    fn group<'a>(&'a self, held: &'a mut Self::Held, class: usize, group: usize) -> Option<&'a SparseBits>;

    /// All groups in which there may be something: class, and number in the class.
    fn groups(&self) -> Vec<(usize, usize)>;

    /// In how many blocks there is something.
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
