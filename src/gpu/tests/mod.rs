//! The GPU code, without a GPU and on an adapter.

mod adapter;
mod device;
mod modules;
mod pace;
mod protocol;
mod selection;
mod stopwatch;
mod table_sizes;
