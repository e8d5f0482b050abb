//! Solved games and rounds as files: written once, read at random, rejected if damaged.
//!
//! An [`archive`] is a file of compressed frames; `sealed` documents list those that belong together. In a
//! [`game_folder`], which one process at a time solves ([`lock`]), [`tables`] are a solved game and a
//! [`journal`] the rounds of a game that is being solved. A [`snapshot`] has the wins so far, `spill` caches
//! what fits in memory, `history` combines the rounds of a part.

pub(crate) mod archive;
pub(crate) mod cache;
pub(crate) mod game_folder;
pub(crate) mod history;
pub(crate) mod journal;
pub(crate) mod lock;
pub(crate) mod sealed;
pub(crate) mod snapshot;
pub(crate) mod spill;
pub(crate) mod tables;
