//! The options shared by the commands that count: numbers of doves, backend and threads.

use std::ops::RangeInclusive;

use clap::Args;

use super::parse::{named, parse_doves};
use super::threads::ThreadArguments;
use crate::io::failure::Failure;
use dovemate::gpu::Selection;
use dovemate::{Backend, Category, Count};

/// The numbers of doves, and the backend.
#[derive(Args)]
pub struct JobArguments {
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range with both ends, as in
    /// 2..12
    #[arg(long, value_name = "N or N..N", default_value = "2..12", value_parser = parse_doves)]
    pub doves: RangeInclusive<u32>,
    #[command(flatten)]
    pub engine: BackendArguments,
    #[command(flatten)]
    pub threads: ThreadArguments,
}

#[derive(Args, Clone)]
pub struct BackendArguments {
    /// Where to count; auto: the CPU, and a hardware GPU that passes its self-test confirms its count, or counts by
    /// the exhaustive method itself
    #[arg(long, default_value_t, value_parser = named::<Backend>(Backend::ALL.map(Backend::name)))]
    pub backend: Backend,
    /// The GPU to use: an index from `dovemate adapters`, or part of a name
    #[arg(long, value_name = "N or NAME")]
    pub adapter: Option<Selection>,
}

impl BackendArguments {
    /// Refuses `--adapter` with `--backend cpu`.
    pub fn check(&self) -> Result<(), Failure> {
        match (self.backend, &self.adapter) {
            (Backend::Cpu, Some(adapter)) => Err(Failure::Usage(format!(
                "--backend cpu uses no adapter, but --adapter {adapter} names one; leave out one of the two"
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses a GPU for `what`, which is counted on the CPU only; `instead` names an alternative to leaving out the
    /// option.
    pub fn check_cpu_only(&self, what: &str, instead: &str) -> Result<(), Failure> {
        let gpu = match (self.backend, &self.adapter) {
            (_, Some(adapter)) => format!("--adapter {adapter}"),
            (Backend::Gpu, None) => "--backend gpu".to_owned(),
            _ => return Ok(()),
        };
        Err(Failure::Usage(format!(
            "{what} is counted on the CPU only, but {gpu} requests a GPU; leave it out{instead}"
        )))
    }
}

impl JobArguments {
    /// The count to make, as the library's type.
    pub fn count(&self, category: Category) -> Count<'static> {
        let count = Count::new(category).doves(self.doves.clone()).threads(self.threads.number());
        count.on(self.engine.backend, self.engine.adapter.clone())
    }
}
