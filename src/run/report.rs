//! The report of a count: what ran where and what checked it.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::count::Method;
pub use crate::count::tally::Comparison;
use crate::count::tally::{Tally, Workload};
pub use crate::gpu::{AdapterDescription, GpuError, Selection, SelectionError};
pub use crate::run::backend::NoGpu;
use crate::shapes::Shape;

/// The result, and what ran where.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The counts.
    pub tally: Tally,
    /// The same, shape by shape, whoever is to move.
    pub by_shape: Vec<(Shape, u64)>,
    /// The counting method.
    pub method: Method,
    /// All boss placements.
    pub placements: usize,
    /// The GPU's count, if there was one.
    pub confirmation: Option<Confirmation>,
    /// Why no GPU was used, if one might have been.
    pub no_gpu: Option<NoGpu>,
    /// The number of CPU threads for counting.
    pub threads: usize,
    /// The time for finding, opening and testing adapters.
    pub start_up: Duration,
    /// The time for counting.
    pub counting: Duration,
}

impl Report {
    /// A report on counts that the CPU has made or confirmed; the caller adds what else ran.
    pub(super) fn of(
        workload: &Workload,
        counts: &[u64],
        method: Method,
        threads: usize,
        counting: Duration,
    ) -> Report {
        Report {
            tally: workload.tally(counts),
            by_shape: workload.by_shape(counts),
            method,
            placements: workload.placements.len(),
            confirmation: None,
            no_gpu: None,
            threads,
            start_up: Duration::ZERO,
            counting,
        }
    }

    /// The GPU's count, if that is the result; `None` if the GPU only confirms the CPU's.
    pub fn on_gpu(&self) -> Option<&Confirmation> {
        self.confirmation.as_ref().filter(|_| self.method == Method::Exhaustive)
    }
}

/// A GPU's count by the exhaustive method, which agrees with the CPU's factored count on every boss
/// placement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Confirmation {
    /// The adapter.
    pub adapter: AdapterDescription,
    /// The numbers of doves that the GPU was to count.
    pub doves: RangeInclusive<u32>,
    /// The boss placements that agree: all with these numbers of doves, unless it failed.
    pub placements: usize,
    /// The assignments of these, each of which was tested.
    pub assignments: u64,
    /// The forecast for all numbers of doves, if the GPU was not requested and would have taken too long.
    pub forecast: Option<Duration>,
    /// Why the GPU did not finish or is not believed, if that happened; the result does not depend on it.
    pub failure: Option<GpuError>,
    /// The time for counting.
    pub counting: Duration,
    /// The part of it in which the GPU itself worked, if known.
    pub device_time: Option<Duration>,
}
