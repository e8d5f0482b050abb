//! The deals of [`crate::shapes::deals`], and the (slot, kind) pairs that they make.

pub use crate::shapes::deals::{CONSTANTS, ORDERS, OrderSet, Orders, deal_set, deals, slots_of};

use super::pairs::pairs;

impl Orders {
    /// The (slot, kind) pairs when the slots of a set get the kinds of an order.
    pub fn deal(&self, slots: u32, order: usize) -> u64 {
        slots_of(slots).zip(self.orders[order]).fold(0, |dealt, (slot, kind)| dealt | pairs(slot, 1 << kind))
    }
}
