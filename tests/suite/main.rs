//! All tests except those beside the code and those of the GPU, which report whether there was one.

mod common;

mod ask;
mod count;
mod program;
mod rules;
mod solve;
