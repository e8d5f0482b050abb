//! Input and output of the process: files, standard output and error, progress, signals, and facts about the machine.

pub mod about_gpu;
pub mod board_lines;
mod command_line;
mod control_groups;
mod failure;
mod host;
pub mod memory;
mod output;
pub mod process;
mod progress;
mod signs;
pub mod slurm;
pub mod streams;
mod text;

pub use board_lines::FAINT;
pub use command_line::{command_line, shell_word};
pub use failure::{Failure, complain, has_control, one_line, visible};
pub use host::Host;
pub use output::{OutputFile, check_distinct, is_stdout, is_stream, open_exports, resolved};
pub use progress::Progress;
pub use signs::{has_letters, signs};
pub use text::{counted, cpu_threads, grouped, number_table, plies, seconds, terminal_width};
