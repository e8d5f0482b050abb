//! Pictures as SVG: of boards, and of the rules.
//!
//! A picture of a board shows the walls and the hands, which its text does not, and marks the bosses. Colour is never
//! the only distinction between two doves.

pub mod rules;
pub mod svg;
