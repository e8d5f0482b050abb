//! Where each position has its bit, and sets of positions as bits.
//!
//! [`word`] is the row of a block, [`deals`] numbers the deals, [`placements`] the boss placements;
//! [`layout`] orders the bits of positions, [`index`] finds the bit of a board and the board of a bit.
//! [`changes`] has the few positions that a round adds, [`sets`] all values of a group; [`source`] is what a
//! round reads of either. `win_bits` has all wins, every bit of them. [`prefetch`] requests memory ahead.

pub(crate) mod changes;
pub(crate) mod deals;
pub(crate) mod distinct;
pub(crate) mod index;
pub(crate) mod layout;
pub(crate) mod placements;
pub(crate) mod prefetch;
pub(crate) mod sets;
pub(crate) mod source;
pub(crate) mod win_bits;
pub(crate) mod word;
