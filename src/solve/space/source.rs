//! What a round reads: the wins so far, and the results of the round before, in memory or elsewhere.

use super::changes::{BlockForm, Changes, SparseBits};
use super::layout::{Block, Class, GroupId};
use super::prefetch::prefetch;
use super::win_bits::WinBits;

/// All wins so far, block by block.
pub trait Wins: Sync {
    /// What a thread holds while it works on one group: the group's actions lead to few other groups, but to each of
    /// these many times.
    type Held: Default;

    /// The wins in a block.
    type Block<'a>: BlockWins
    where
        Self: 'a;

    /// The wins in a block of a class.
    fn block<'a>(&'a self, held: &'a mut Self::Held, class: &Class, block: Block) -> Self::Block<'a>;

    /// Prefetches a block that will soon be read.
    fn prefetch(&self, held: &Self::Held, class: &Class, block: Block);
}

/// The wins in a block: its rows, of which equal ones may be kept only once.
pub trait BlockWins {
    /// The place of a row among the kept ones.
    fn place(&self, row: usize) -> usize;

    /// The number of kept rows.
    fn count(&self) -> usize;

    /// The kept rows, followed by at least [`super::word::PADDING`] meaningless bytes.
    fn kept(&self) -> &[u8];

    /// All rows as stored; `room` is a buffer for rows that must be put together first.
    fn whole<'b>(&'b self, form: BlockForm, room: &'b mut Vec<u8>) -> &'b [u8];
}

/// A block whose rows are all kept.
#[derive(Clone, Copy, Debug)]
pub struct AllRows<'a> {
    count: usize,
    /// The rows, and whatever comes after them.
    rows: &'a [u8],
}

impl<'a> AllRows<'a> {
    /// A block of a class that begins with the first of these bytes.
    #[inline]
    pub fn new(class: &Class, rows: &'a [u8]) -> AllRows<'a> {
        AllRows { count: class.rows, rows }
    }
}

impl BlockWins for AllRows<'_> {
    #[inline]
    fn place(&self, row: usize) -> usize {
        row
    }

    #[inline]
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn kept(&self) -> &[u8] {
        self.rows
    }

    #[inline]
    fn whole<'b>(&'b self, form: BlockForm, _: &'b mut Vec<u8>) -> &'b [u8] {
        &self.rows[..form.block_bytes()]
    }
}

/// The results of a round, group by group.
pub trait RoundResult: Sync {
    /// What a thread holds while it works on one group.
    type Held: Default;

    /// The results in a group; `None` if there are none.
    fn group<'a>(&'a self, held: &'a mut Self::Held, group: GroupId) -> Option<&'a SparseBits>;

    /// All groups that may have results.
    fn groups(&self) -> Vec<GroupId>;

    /// The number of blocks with results.
    fn blocks(&self) -> usize;
}

impl Wins for WinBits {
    type Held = ();
    type Block<'a> = AllRows<'a>;

    #[inline]
    fn block<'a>(&'a self, (): &mut (), class: &Class, block: Block) -> AllRows<'a> {
        AllRows::new(class, WinBits::block(self, class, block))
    }

    #[inline]
    fn prefetch(&self, (): &(), class: &Class, block: Block) {
        prefetch(WinBits::block(self, class, block), 0..class.block_bytes());
    }
}

impl RoundResult for Changes {
    type Held = ();

    #[inline]
    fn group<'a>(&'a self, (): &mut (), group: GroupId) -> Option<&'a SparseBits> {
        Changes::group(self, group)
    }

    fn groups(&self) -> Vec<GroupId> {
        self.iter().filter(|(_, changes)| !changes.is_empty()).map(|(group, _)| group).collect()
    }

    fn blocks(&self) -> usize {
        self.count()
    }
}
