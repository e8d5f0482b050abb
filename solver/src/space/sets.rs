//! The positions of a group by value.

use super::index::BitAddress;
use super::layout::Class;
use super::sparse::SparseGroup;
use crate::known::Worth;
use crate::value::Value;

/// The positions of a group by value; at first all are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GroupValues {
    /// All values except draws, each with its positions: sorted by plies, wins before losses.
    pub sets: Vec<(Worth, SparseGroup)>,
}

impl GroupValues {
    /// Gives these positions a value. Each value may be pushed only once.
    pub(crate) fn push(&mut self, worth: Worth, positions: SparseGroup) {
        if !positions.is_empty() {
            let key = |worth: Worth| (worth.plies().unwrap_or(0), is_loss(worth));
            let index = self.sets.partition_point(|set| key(set.0) < key(worth));
            self.sets.insert(index, (worth, positions));
        }
    }

    /// The value at an address in the group, which is of `class`.
    pub(crate) fn value(&self, class: &Class, address: BitAddress) -> Worth {
        self.sets
            .iter()
            .find(|(_, positions)| positions.has(class, address))
            .map_or(Worth::Exact(Value::Draw), |set| set.0)
    }
}

/// Whether the mover loses.
pub(crate) fn is_loss(worth: Worth) -> bool {
    matches!(worth, Worth::Lose | Worth::Exact(Value::Lose(_)))
}
