//! Solving games that do not fit in memory: part by part, with rounds in files, resumable, and in shares.
//!
//! ```
//! use dovemate_solver::in_files::{Access, ByParts, FolderLock, Keep};
//! use dovemate::{Game, Limits};
//! use dovemate_solver::Tablebase;
//!
//! let (folder, game) = (tempfile::tempdir()?, Game::both("A")?);
//! let of_game = folder.path().join(Tablebase::folder_name(&game));
//! std::fs::create_dir(&of_game)?;
//! let lock = FolderLock::new(&of_game, Access::Alone, "an example")?;
//! let by_parts = ByParts::new(game, &of_game, Limits { memory: Some(1 << 28), ..Limits::default() }, Keep::Rounds)?;
//! by_parts.solve(&|event| println!("{event:?}"))?;
//! by_parts.write(&|_| ())?;
//! drop(lock);
//! assert!(Tablebase::open(folder.path(), game)?.is_whole());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod by_parts;
mod part;

pub use super::files::lock::{Access, FolderLock};
pub use super::files::part_folder::Keep;
pub use super::files::shard::Shard;
pub use super::files::tables::tablebase::Tablebase;
pub use super::solved::TableError;
pub use by_parts::{ByParts, Event, Memory};
