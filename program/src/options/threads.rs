//! The option for the number of CPU threads.

use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::parse::number;
use crate::io::failure::Failure;
use dovemate::internals::run::RunError;

/// The number of CPU threads.
#[derive(Args, Clone, Copy)]
pub struct ThreadArguments {
    /// CPU threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
}

impl ThreadArguments {
    /// The number of threads, if given.
    pub fn number(self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    /// A pool of this many threads.
    pub fn pool(self) -> Result<ThreadPool, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(self.number().unwrap_or(0)).build();
        pool.map_err(|error| RunError::from(error).into())
    }
}
