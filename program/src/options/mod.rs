//! Arguments that several commands share, and how they are read and checked.

pub mod ascii;
pub mod ask;
mod backend;
mod files;
mod game;
pub mod input;
mod language;
mod memory_limit;
mod parse;
mod tablebase;
pub mod threads;

pub use ask::SearchArguments;
pub use backend::BackendArguments;
pub use files::{each_in_tdl, read_record};
pub use game::{GameArguments, RuleArguments, doves_of, in_parentheses};
pub use input::{ActionArguments, PositionArguments};
pub use language::LanguageArguments;
pub use memory_limit::MemoryLimit;
pub use parse::{named, number, parse_doves, player};
pub use tablebase::KnownGameArguments;
pub use threads::ThreadArguments;
