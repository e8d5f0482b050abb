//! Solved games and rounds as files: written once, read at random, rejected if damaged.
//!
//! An [`archive`] is a file of compressed frames; `sealed` documents say which belong together. In a [`game_folder`],
//! [`tables`] are a solved game, a [`journal`] the rounds of a game that is being solved, of which [`keep`] says what
//! stays, and `claim` what the folder is for; a `snapshot` has the wins so far. `spill` keeps in memory what fits, `history` combines the rounds of a part.

pub mod archive;
pub mod cache;
pub(crate) mod claim;
pub mod game_folder;
pub(crate) mod history;
pub mod journal;
pub mod keep;
pub(crate) mod manifest;
pub(crate) mod sealed;
pub(crate) mod snapshot;
pub(crate) mod spill;
pub mod tables;
