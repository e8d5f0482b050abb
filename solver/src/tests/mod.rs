//! The solver, its parts and its files.

mod blocks;
mod caches;
mod hostile;
mod literal;
mod solver;
mod tables;
