//! Retrograde analysis of any finite game: it knows no dove.

mod value;

pub use value::Value;
