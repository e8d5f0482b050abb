//! Values: the solver, its tables, and retrograde analysis of any game.

mod blocks;
mod caches;
mod hostile;
mod literal;
mod retrograde;
mod solver;
mod tables;
