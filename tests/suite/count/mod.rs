//! Mates, wins in one and stuck positions: listed and decided.

mod against_crate;
mod list;
