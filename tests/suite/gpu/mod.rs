//! What of the GPU code needs no GPU.

mod device;
mod modules;
mod pace;
mod plan;
mod remote;
mod selection;
mod table_sizes;
