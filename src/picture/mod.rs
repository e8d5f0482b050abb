//! Pictures of boards: as text for a terminal and as SVG for an article.
//!
//! Both show what the rules speak of and a board text does not: the walls where they stand, the hands, and which doves are
//! bosses. Colour is never the only thing that tells two doves apart.

pub mod svg;
pub mod terminal;
