//! Values: the solver, its tables, and retrograde analysis of any game.

mod literal;
mod retrograde;
mod small_games;
mod solver;
mod tables;
