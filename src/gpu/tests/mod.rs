//! The GPU code: what needs no GPU, and what an adapter computes.

mod adapter;
mod device;
mod modules;
mod pace;
mod protocol;
mod selection;
mod stopwatch;
mod table_sizes;
