//! Games for the solver of [`retrograde`](crate::retrograde): Tokyo Doves by the literal rules.

pub mod doves;
