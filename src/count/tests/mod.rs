//! The methods of counting, and their parts, compared with the literal reference.

mod answer_kinds;
mod games;
mod methods;
