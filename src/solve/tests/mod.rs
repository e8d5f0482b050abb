//! The solver, its parts and its files.

mod blocks;
mod caches;
mod hostile;
mod solver;
mod tables;
