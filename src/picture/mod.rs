//! Pictures of boards: text for a terminal, SVG for an article.
//!
//! Both show what a board text does not: the walls, the hands, and which doves are bosses. Colour is never
//! the only distinction between two doves.

pub mod rules;
pub mod svg;
