//! Solved games and rounds as files: written once, read at random, rejected if damaged.
//!
//! An [`archive`] is a file of compressed frames; in tables and rounds, each frame is a group in the
//! [`group_encoding`]. `sealed` JSON [`documents`] list the files that belong together. A [`game_folder`] is locked by
//! one process, or by several that do shares ([`lock`]). In it, [`tables`] are a solved game, and each of the [`parts`]
//! being solved has a [`part_folder`], with files for each [`shard`] of each round. A [`snapshot`] has the wins so far,
//! `group_cache` caches what fits in memory, and `history` combines the rounds.

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
