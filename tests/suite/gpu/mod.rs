//! What of the GPU code needs no GPU.

mod answers;
mod device;
mod engines;
mod modules;
mod pace;
mod plan;
mod selection;
mod shards;
mod table_sizes;
