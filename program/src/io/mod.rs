//! Input and output of the process: files, standard output and error, progress, signals, and facts about the machine.

pub mod about_gpu;
pub mod board_lines;
pub mod command_line;
mod control_groups;
pub mod digits;
pub mod failure;
pub mod host;
pub mod memory;
pub mod output;
pub mod process;
pub mod progress;
pub mod signs;
pub mod slurm;
pub mod streams;
pub mod text_table;
