//! What of the GPU code needs no GPU.

mod device;
mod modules;
mod pace;
mod protocol;
mod selection;
mod stopwatch;
mod table_sizes;
