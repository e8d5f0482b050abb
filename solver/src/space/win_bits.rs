//! The wins found so far, in memory: one bit for each place. A small game has its losses in the same form.

use rayon::prelude::*;

use super::layout::{Block, Class, ClassId, GroupId, Layout};
use super::word::PADDING;

/// All wins, or all losses, found so far, block by block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WinBits {
    /// The blocks of each class, followed by [`PADDING`]; empty for a class that is not needed.
    pub classes: Vec<Vec<u8>>,
}

impl WinBits {
    /// Win bits of some classes, none set.
    pub(crate) fn empty(layout: &Layout, classes: impl IntoIterator<Item = ClassId>) -> WinBits {
        let mut wins = WinBits { classes: vec![Vec::new(); layout.classes.len()] };
        for class in classes {
            wins.classes[class.0] = vec![0; layout[class].bytes() as usize + PADDING];
        }
        wins
    }

    /// A block, followed by meaningless bytes.
    #[inline]
    pub(crate) fn block(&self, class: &Class, block: Block) -> &[u8] {
        let number = block.placement * class.sets + block.set;
        &self.classes[block.class.0][number * class.block_bytes()..][..class.block_bytes() + PADDING]
    }

    /// The blocks of a group.
    pub(crate) fn group(&self, class: &Class, group: GroupId) -> &[u8] {
        let bytes = class.group_blocks(group) * class.block_bytes();
        &self.classes[group.class.0][group.number * class.group_bytes()..][..bytes]
    }

    /// The blocks of a class, mutable, group by group.
    pub(crate) fn groups_mut(
        &mut self,
        layout: &Layout,
        class: ClassId,
    ) -> impl IndexedParallelIterator<Item = &mut [u8]> {
        let bytes = self.classes[class.0].len().saturating_sub(PADDING);
        self.classes[class.0][..bytes].par_chunks_mut(layout[class].group_bytes())
    }
}
