//! The report of a count: who counted, and who confirmed it.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::count::Method;
use crate::count::tally::Tally;
pub use crate::gpu::{AdapterDescription, GpuError, NoGpu, Selection, SelectionError};
use crate::shapes::Shape;

/// The result of a count and its provenance.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The counts by number of doves.
    pub tally: Tally,
    /// The number of positions on each shape, summed over the players to move.
    pub by_shape: Vec<(Shape, u64)>,
    /// The number of boss placements examined.
    pub placements: usize,
    /// Who counted.
    pub counted: Counted,
    /// The second count, by the other method.
    pub confirmation: Option<Confirmation>,
    /// Why no GPU was used, if one might have been.
    pub no_gpu: Option<NoGpu>,
    /// The time for finding, opening and testing adapters.
    pub start_up: Duration,
}

/// The processor of a count.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Processor {
    /// The CPU, with this number of threads.
    Cpu(usize),
    /// A GPU, with its description.
    Gpu(AdapterDescription),
}

/// A count: by whom, how, and how long it took.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Counted {
    /// Who counted.
    pub by: Processor,
    /// The method.
    pub method: Method,
    /// The time for counting.
    pub time: Duration,
    /// The part of `time` during which the GPU was busy, if known.
    pub device_time: Option<Duration>,
}

/// A second count, compared with the first one on each boss placement that it reached.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Confirmation {
    /// The second count: by whom, how, and how long it took.
    pub counted: Counted,
    /// The numbers of doves to confirm.
    pub doves: RangeInclusive<u32>,
    /// The number of boss placements that agree: all with these numbers of doves, unless the GPU failed.
    pub placements: usize,
    /// The number of assignments to these boss placements, each decided a second time.
    pub assignments: u64,
    /// The GPU's forecast for all numbers of doves, if it was too long to confirm them all.
    pub forecast: Option<Duration>,
    /// Why the GPU did not finish or was rejected, if so. The result does not depend on it.
    pub failure: Option<GpuError>,
}

impl Report {
    /// The count on a GPU, whether it is the result or confirms it.
    pub fn on_gpu(&self) -> Option<&Counted> {
        let counts =
            [Some(&self.counted), self.confirmation.as_ref().map(|confirmation| &confirmation.counted)];
        counts.into_iter().flatten().find(|counted| counted.by.adapter().is_some())
    }
}

impl Processor {
    /// The adapter of a GPU.
    pub fn adapter(&self) -> Option<&AdapterDescription> {
        match self {
            Processor::Cpu(_) => None,
            Processor::Gpu(adapter) => Some(adapter),
        }
    }

    /// The backend as written in files: `cpu` or `gpu`.
    pub fn backend(&self) -> &'static str {
        if self.adapter().is_some() { "gpu" } else { "cpu" }
    }
}

/// For example *16 CPU threads*, or the name of the GPU.
impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Processor::Cpu(1) => f.write_str("1 CPU thread"),
            Processor::Cpu(threads) => write!(f, "{threads} CPU threads"),
            Processor::Gpu(adapter) => f.write_str(&adapter.name),
        }
    }
}
