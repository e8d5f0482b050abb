//! Values: the solver, its tables, and retrograde analysis of any game.

mod literal;
mod retrograde;
mod solver;
mod tables;
