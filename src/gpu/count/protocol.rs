//! The dialogue with a GPU: which boss placements it is given, in batches, and which of its answers are confirmed.
//!
//! The GPU first counts boss placements of many sizes whose counts are *known*, then, for a forecast, a *sample* of the
//! requested ones, then *all* of them. [`drive`](super::drive) passes on the words of each batch and the results. Each
//! count is compared with the CPU's on arrival.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::batches::{Asked, Batches};
use super::forecast::Forecast;
use super::stopwatch::Stopwatch;
use crate::count::{Counter, Method, Question};
use crate::gpu::GpuError;
use crate::shapes::{BossPlacement, Shape};

/// Samples grow until one keeps the device busy for this long, or the next would be a large part of the whole.
const SAMPLE_TIME: Duration = Duration::from_millis(100);
/// Boss placements in the first sample.
const FIRST_SAMPLE_PLACEMENTS: usize = 4;
/// The factor by which each further sample is larger.
const SAMPLE_GROWTH: usize = 4;

/// The phases of the protocol, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Counting boss placements whose counts are known.
    Known,
    /// Counting an evenly spread sample of the remaining boss placements.
    Sample,
    /// Counting all remaining boss placements.
    All,
    /// Finished.
    Done,
}

/// The results of a batch.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Returned {
    /// The result words.
    pub results: Vec<u32>,
    /// The start and end of the batch by the device's clock, in nanoseconds, if it has one.
    pub stamps: Option<[u64; 2]>,
}

/// The dialogue with one GPU: the questions, and the answers so far.
#[derive(Debug)]
pub struct Protocol {
    phase: Phase,
    batches: Batches,
    stopwatch: Stopwatch,
    forecast: Forecast,
    counter: Counter,
    /// The boss placements to count.
    all: Vec<Asked>,
    /// The counts on which the GPU and the CPU agree: those of the first boss placements.
    confirmed: Vec<u64>,
    /// The number of boss placements intended for the sample.
    sample: usize,
    failure: Option<GpuError>,
}

impl Protocol {
    /// Begins with the known counts of a question.
    pub fn new(question: Question) -> Protocol {
        let question = Question { method: Method::Factored, ..question };
        let mut protocol = Protocol {
            phase: Phase::Known,
            batches: Batches::default(),
            stopwatch: Stopwatch::default(),
            forecast: Forecast::default(),
            counter: Counter::new(question),
            all: Vec::new(),
            confirmed: Vec::new(),
            sample: FIRST_SAMPLE_PLACEMENTS,
            failure: None,
        };
        protocol.begin_known();
        protocol
    }

    /// Asks for the counts on these boss placements, after the known ones and a sample. Without the CPU's `counts`, the
    /// CPU counts each boss placement when the GPU's result arrives. No batch may be in flight; the forecast begins
    /// anew.
    pub fn ask(&mut self, placements: Vec<BossPlacement>, counts: Option<Vec<u64>>) {
        let counts = counts.into_iter().flatten().map(Some).chain(std::iter::repeat(None));
        self.all =
            placements.into_iter().zip(counts).map(|(placement, count)| Asked { placement, count }).collect();
        self.confirmed.clear();
        if self.phase != Phase::Known {
            self.begin_sample(FIRST_SAMPLE_PLACEMENTS);
        }
    }

    /// Skips the sample, if that is the current phase. No batch may be in flight.
    pub(crate) fn skip_sample(&mut self) {
        if self.phase == Phase::Sample {
            self.begin_all();
        }
    }

    /// Resumes with another device, or with the same one reopened, beginning with the known counts. Confirmed counts
    /// stay; batches in flight are lost.
    pub fn resume(&mut self) {
        (self.failure, self.stopwatch) = (None, Stopwatch::default());
        self.begin_known();
    }

    /// The current phase.
    ///
    /// # Errors
    /// If the GPU has failed: its first error.
    pub(crate) fn phase(&self) -> Result<Phase, GpuError> {
        self.failure.clone().map_or(Ok(self.phase), Err)
    }

    /// Whether it is counting known boss placements or a sample.
    pub fn is_testing(&self) -> bool {
        self.failure.is_none() && self.phase < Phase::All
    }

    /// The counts on which the GPU and the CPU agree: those of the first boss placements.
    pub fn confirmed(&self) -> &[u64] {
        &self.confirmed
    }

    /// The time that the device was busy with the count, by its own clock; `None` if unknown.
    pub(crate) fn device_time(&self) -> Option<Duration> {
        self.stopwatch.device_time()
    }

    /// The forecast for these boss placements, after a sample.
    pub(crate) fn forecast(&self, placements: &[BossPlacement]) -> Option<Duration> {
        self.forecast.time(placements.iter().map(BossPlacement::slots))
    }

    /// The forecast for the remaining boss placements, after a sample.
    pub fn time_left(&self) -> Option<Duration> {
        let slots = self.left().iter().map(|asked| asked.placement.slots());
        if self.phase >= Phase::All { self.forecast.time(slots) } else { None }
    }

    /// The time of the batches of the current phase; of several samples, only that of the latest.
    pub fn elapsed(&self) -> Duration {
        self.forecast.elapsed()
    }

    /// The words of the next batch: the number of its boss placements, its serial number, and a word for each of them.
    /// `None` while the maximum number of batches is in flight, when no batch is left, and after an error.
    pub(crate) fn next_batch(&mut self) -> Option<Vec<u32>> {
        if self.failure.is_some() { None } else { self.batches.next() }
    }

    /// Receives the results of the oldest batch in flight, or the device's error. `elapsed`: the time since its
    /// submission, or since the previous batch returned if that was later.
    ///
    /// # Errors
    /// - the device failed, so there are no results;
    /// - the results are incomplete;
    /// - a result is wrong: then nothing that this GPU counted is confirmed.
    ///
    /// After an error there are no more batches until [`Protocol::resume`].
    pub(crate) fn take(
        &mut self,
        returned: Result<Returned, GpuError>,
        elapsed: Duration,
    ) -> Result<(), GpuError> {
        let taken = returned.and_then(|returned| self.compare(&returned, elapsed));
        if let Err(error) = taken {
            if !error.is_loss() {
                self.confirmed.clear();
            }
            return Err(self.failure.insert(error).clone());
        }
        if self.batches.are_done() {
            self.begin_next();
        }
        Ok(())
    }

    fn compare(&mut self, returned: &Returned, elapsed: Duration) -> Result<(), GpuError> {
        let worked = self.stopwatch.worked(returned.stamps, elapsed);
        let counted = self.batches.take(&returned.results, worked)?;
        let mut slots = Vec::with_capacity(counted.len());
        for (Asked { placement, count }, found) in counted {
            let expected = count.unwrap_or_else(|| self.counter.count(&placement));
            if found != expected {
                return Err(GpuError::Differs { placement: placement.to_string(), found, expected });
            }
            if self.phase == Phase::All {
                self.confirmed.push(found);
            }
            slots.push(placement.slots());
        }
        self.forecast.learn(&slots, elapsed, worked);
        Ok(())
    }

    /// Begins the next phase, or a larger sample.
    fn begin_next(&mut self) {
        match self.phase {
            Phase::Known => self.begin_sample(FIRST_SAMPLE_PLACEMENTS),
            Phase::Sample if self.is_sample_too_small() => self.begin_sample(SAMPLE_GROWTH * self.sample),
            Phase::Sample => self.begin_all(),
            Phase::All | Phase::Done => self.phase = Phase::Done,
        }
    }

    fn is_sample_too_small(&self) -> bool {
        let larger = self.sample * SAMPLE_GROWTH * SAMPLE_GROWTH;
        self.forecast.worked() < SAMPLE_TIME && larger < self.left().len()
    }

    /// The boss placements without a confirmed count.
    fn left(&self) -> &[Asked] {
        &self.all[self.confirmed.len()..]
    }

    fn begin_known(&mut self) {
        self.forecast = Forecast::default();
        let known = known_counts(&mut self.counter);
        self.begin(Phase::Known, known);
    }

    fn begin_sample(&mut self, size: usize) {
        (self.sample, self.forecast) = (size, Forecast::default());
        let step = (self.left().len() / size).max(1);
        // The middle one of every `step`; the first ones would give the smallest boss placements too much weight.
        let sample = self.left().iter().skip(step / 2).step_by(step).copied().collect();
        self.begin(Phase::Sample, sample);
    }

    fn begin_all(&mut self) {
        self.forecast.begin();
        self.stopwatch.reset();
        self.begin(Phase::All, self.left().to_vec());
    }

    fn begin(&mut self, phase: Phase, list: Vec<Asked>) {
        if self.phase == Phase::Known || phase == Phase::Known {
            // The known boss placements are not typical.
            self.batches.forget_pace();
        }
        self.phase = phase;
        self.batches.begin(list);
        if self.batches.are_done() {
            self.begin_next();
        }
    }
}

/// The known boss placements with the CPU's counts: for each number of slots up to `MAX_SLOTS_KNOWN`, those with the
/// largest counts in a sample.
fn known_counts(counter: &mut Counter) -> Vec<Asked> {
    const CANDIDATES_PER_SIZE: usize = 32;
    const KNOWN_PER_SIZE: usize = 2;
    // A slow adapter would take seconds for each of the largest boss placements.
    const MAX_SLOTS_KNOWN: u32 = 7;
    let mut all: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
    all.retain(|placement| !placement.is_pruned());
    let mut known = Vec::new();
    for slots in 0..=MAX_SLOTS_KNOWN {
        let of_size = all.iter().filter(|placement| placement.slots() == slots);
        let step = (of_size.clone().count() / CANDIDATES_PER_SIZE).max(1);
        let counted = of_size.step_by(step);
        let counted = counted.map(|&placement| Asked { placement, count: Some(counter.count(&placement)) });
        let mut counted: Vec<Asked> = counted.collect();
        counted.sort_by_key(|asked| std::cmp::Reverse(asked.count));
        known.extend(counted.into_iter().take(KNOWN_PER_SIZE));
    }
    known
}
