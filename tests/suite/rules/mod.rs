//! The rules, and boards, positions and actions as text and numbers.

mod against_crate;
mod code;
mod notation;
mod parsers;
mod perft;
