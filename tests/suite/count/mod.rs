//! Mates, wins in one and stuck positions: counted, listed and decided, and the shapes beneath.

mod against_crate;
mod answer_kinds;
mod games;
mod list;
mod methods;
mod shapes;
#[cfg(feature = "gpu")]
mod unreliable_gpus;
