//! Solving in memory: a driver over the rounds that an engine finds, the CPU as an engine, and the checks of others.

pub mod driver;
mod round_check;
pub(crate) mod solver;
