//! The options for where to count.

use clap::Args;

use crate::io::Failure;
use crate::options::named;
use dovemate::Backend;
use dovemate::gpu::Selection;

#[derive(Args, Clone)]
pub struct BackendArguments {
    /// Where to count. auto counts on the CPU and lets a certified hardware GPU, if its self-test passes, confirm the
    /// result; with --method exhaustive that GPU counts
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
