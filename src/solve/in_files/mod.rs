//! Solving with rounds in files, part by part.

pub mod by_parts;
mod part;
