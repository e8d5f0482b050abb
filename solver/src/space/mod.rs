//! The bit of each position, and sets of positions as bits.
//!
//! [`word`] is the row of a block, [`distinct`] finds a block's different rows; [`deals`] numbers the deals,
//! [`placements`] the boss placements; [`layout`] orders the bits of positions, [`index`] finds the bit of a board and
//! the board of a bit. [`sparse`] stores the positions that a round adds, or a group's wins, as rows with bits;
//! [`sets`] stores all values of a group, `win_bits` all wins with a bit for each place. [`inputs`] is the interface by
//! which a round reads wins and results. [`prefetch`] requests memory ahead.

pub(crate) mod deals;
pub(crate) mod distinct;
pub(crate) mod index;
pub(crate) mod inputs;
pub(crate) mod layout;
pub(crate) mod placements;
pub(crate) mod prefetch;
pub(crate) mod sets;
pub(crate) mod sparse;
pub(crate) mod win_bits;
pub(crate) mod word;
