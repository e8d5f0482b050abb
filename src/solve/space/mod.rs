//! Where each position has its bit, and sets of positions as bits.
//!
//! [`word`] is the row of a block, [`deals`] numbers the deals, [`placements`] the boss placements;
//! [`layout`] orders the bits of positions, [`index`] finds the bit of a board and the board of a bit.
//! [`changes`] has the few positions that a round adds, [`sets`] all values of a group; [`source`] is what a
//! round reads of either. `win_bits` has all wins, every bit of them. [`prefetch`] requests memory ahead.

pub mod changes;
pub mod deals;
pub mod distinct;
pub mod index;
pub mod layout;
pub mod placements;
pub mod prefetch;
pub mod sets;
pub mod source;
pub mod win_bits;
pub mod word;
