//! Arguments that several commands take, and how they are read and checked.

pub mod actions;
pub mod ascii;
pub mod ask;
pub mod game;
pub mod game_file;
pub mod input;
pub mod job;
pub mod language;
pub mod memory_limit;
pub mod parse;
pub mod rules;
pub mod tablebase;
pub mod tdl_file;
pub mod threads;
