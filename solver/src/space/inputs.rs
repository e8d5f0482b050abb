//! The inputs of a round: the wins so far, and the results of the round before, in memory or elsewhere.

use super::layout::{Block, Class, ClassId, GroupId};
use super::prefetch::prefetch;
use super::sparse::{BlockBits, SparseGroup, SparseSet};
use super::win_bits::WinBits;

/// All wins so far, block by block.
pub(crate) trait Wins: Sync {
    /// The cache of a thread while it works on one group, whose actions lead to few other groups, but to each of these
    /// many times.
    type Cache: Default;

    /// The wins in a block of a class; `None` only if it has none.
    fn block<'a>(&'a self, cache: &'a mut Self::Cache, class: &Class, block: Block) -> Option<BlockBits<'a>>;

    /// Prefetches a block that will soon be read.
    fn prefetch(&self, cache: &Self::Cache, class: &Class, block: Block);
}

/// The results of a round, group by group.
pub(crate) trait RoundResult: Sync {
    /// The cache of a thread while it works on one group.
    type Cache: Default;

    /// The results in a group; `None` only if there are none.
    fn group<'a>(&'a self, cache: &'a mut Self::Cache, group: GroupId) -> Option<&'a SparseGroup>;

    /// All groups that may have results.
    fn groups(&self) -> Vec<GroupId>;

    /// The number of blocks with results.
    fn blocks(&self) -> usize;
}

impl Wins for WinBits {
    type Cache = ();

    #[inline]
    fn block<'a>(&'a self, (): &mut (), class: &Class, block: Block) -> Option<BlockBits<'a>> {
        Some(BlockBits::all_rows(class, WinBits::block(self, class, block)))
    }

    #[inline]
    fn prefetch(&self, (): &(), class: &Class, block: Block) {
        prefetch(WinBits::block(self, class, block), 0..class.block_bytes());
    }
}

impl RoundResult for SparseSet {
    type Cache = ();

    #[inline]
    fn group<'a>(&'a self, (): &mut (), group: GroupId) -> Option<&'a SparseGroup> {
        SparseSet::group(self, group)
    }

    fn groups(&self) -> Vec<GroupId> {
        let of_class = |(class, groups): (usize, &Vec<SparseGroup>)| {
            let has_bits = |&number: &usize| !groups[number].is_empty();
            let numbers = (0..groups.len()).filter(has_bits);
            numbers.map(|number| GroupId { class: ClassId(class), number }).collect::<Vec<_>>()
        };
        self.groups.iter().enumerate().flat_map(of_class).collect()
    }

    fn blocks(&self) -> usize {
        self.groups.iter().flatten().map(SparseGroup::count).sum()
    }
}
