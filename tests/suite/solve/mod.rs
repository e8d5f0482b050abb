//! Retrograde analysis of any game.

mod retrograde;
