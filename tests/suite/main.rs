//! All tests except those beside the code and those of the GPU, which report whether there was one.

mod common;

// The rules, positions and mates.
mod code;
mod count;
mod list;
mod notation;
mod oracle;
mod parsers;
mod perft;
mod rules_against_crate;
mod shapes;

// Values.
mod ask;
mod games;
mod retrograde;
mod search;
mod small_games;
mod solve;
mod tables;

// The program as a process.
mod asking;
mod evidence;
mod games_program;
mod in_files;
mod look;
mod memory;
mod program;
mod report;
mod slurm;
