//! Solved games and rounds as files: written once, read at random, rejected if damaged.
//!
//! An [`archive`] is a file of compressed frames, with a [`group_encoding`]; `sealed` JSON [`documents`] list those
//! that belong together. In a [`game_folder`], which one process solves or several do shares of ([`lock`]), [`tables`]
//! are a solved game, and each of its [`parts`] that is being solved has a [`part_folder`]: of each round, a file for
//! each [`shard`]. A [`snapshot`] has the wins so far, `group_cache` caches what fits in memory, `history` combines the
//! rounds.

pub(crate) mod archive;
pub(crate) mod cache;
pub(crate) mod documents;
pub(crate) mod game_folder;
pub(crate) mod group_cache;
pub(crate) mod group_encoding;
pub(crate) mod history;
pub(crate) mod lock;
pub(crate) mod part_folder;
pub(crate) mod parts;
pub(crate) mod sealed;
pub(crate) mod shard;
pub(crate) mod snapshot;
pub(crate) mod tables;
