//! The option for the number of CPU threads, and the pool of threads of a command.

use std::thread::available_parallelism;

use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::io::{Failure, counted, slurm};
use dovemate::RunError;

/// The variable that sets the number of threads of every program that uses rayon.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// The number of CPU threads.
#[derive(Args, Clone, Copy)]
pub struct ThreadArguments {
    /// CPU threads [default: RAYON_NUM_THREADS, or else all cores, or those of the Slurm task]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
}

impl ThreadArguments {
    /// The number of threads, if given.
    pub fn given(self) -> Option<usize> {
        self.threads
    }

    /// The number of threads.
    pub fn number(self) -> usize {
        self.threads.unwrap_or_else(usual_threads)
    }

    /// A pool of this many threads.
    pub fn pool(self) -> Result<ThreadPool, Failure> {
        ThreadPoolBuilder::new().num_threads(self.number()).build().map_err(not_started)
    }
}

/// Starts the threads of the global pool, as many as if the option is not given. Rayon would start them when they are
/// first needed, but would panic if that failed.
///
/// # Errors
/// If the system does not start the threads.
pub fn start() -> Result<(), Failure> {
    ThreadPoolBuilder::new().num_threads(usual_threads()).build_global().map_err(not_started)
}

fn not_started(error: rayon::ThreadPoolBuildError) -> Failure {
    RunError::from(error).into()
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Maximum number of threads: four per core, because more only wait. At least 64, so that a small machine can reproduce
/// what a large one does; at most 1,024, because more idle threads waste minutes looking for work.
fn max_threads() -> usize {
    (4 * cores()).clamp(64, 1024)
}

/// The number of threads if none is given.
fn usual_threads() -> usize {
    let variable = std::env::var(VARIABLE).ok().and_then(|number| number.parse().ok());
    let cores = || slurm::cores().map_or_else(cores, |of_task| of_task.min(cores()));
    variable.filter(|&number| number > 0).unwrap_or_else(cores).min(max_threads())
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=max_threads()).contains(number));
    number.ok_or_else(|| {
        let (max_threads, cores) = (max_threads(), counted(cores() as u64, "core", "cores"));
        format!("write a whole number from 1 to {max_threads}; this machine has {cores}")
    })
}
