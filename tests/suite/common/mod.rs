//! Shared by several test files.

pub mod boards;
pub mod unwatched;
