//! Games for the solver of [`retrograde`](crate::retrograde): the small games of the articles, and Tokyo Doves by the
//! literal rules.

pub mod doves;
pub mod hoshigaki;
pub mod nim;
pub mod waribashi;
pub mod wythoff;
