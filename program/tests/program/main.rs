//! The program as a process: what a user types, sees and finds on disk.

mod adapters;
mod asking;
mod common;
mod consistency;
mod count_page;
mod docs;
mod evidence;
#[cfg(target_os = "linux")]
mod guest;
mod host_names;
#[cfg(target_os = "linux")]
mod houses;
mod installed_page;
mod json;
mod languages;
mod memory;
#[cfg(unix)]
mod outputs;
mod process;
mod refusals;
mod serve;
mod showing;
mod slurm;
mod solving_in_files;
#[cfg(unix)]
mod streams;
mod tables;
mod terminal;
mod tours;
mod wgsl;
