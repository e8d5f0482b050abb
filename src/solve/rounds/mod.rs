//! Rounds: which positions are won or lost in n, from those won or lost in n − 1, and how many of each shape.

pub(crate) mod counts;
pub mod round;
#[cfg(feature = "tables")]
pub mod round_tally;
#[cfg(feature = "tables")]
pub mod sample;
