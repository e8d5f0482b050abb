//! The dialogue with a GPU: which boss placements it is asked, in batches, and which of its answers are confirmed.
//!
//! It first counts boss placements of many sizes whose counts are *known*, then a *sample* of the requested ones, for a
//! forecast, then *all*. The driver, native or in a page, passes on the words of each batch and the results. Each count
//! is compared with the CPU's on arrival.

use std::fmt;
use std::time::Duration;

use super::batches::Batches;
use super::forecast::Forecast;
use super::stopwatch::Stopwatch;
use crate::count::{Counter, Method, Question};
use crate::gpu::GpuError;
use crate::gpu::count::driver::Returned;
use crate::shapes::{BossPlacement, Shape};

/// The least device time of the last sample, unless that sample would be a large part of the whole.
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

/// The dialogue with one GPU: the questions, and the answers so far.
pub struct Protocol {
    question: Question,
    phase: Phase,
    batches: Batches,
    stopwatch: Stopwatch,
    forecast: Forecast,
    counter: Counter,
    /// The boss placements to count, and the CPU's counts, if they are known.
    placements: Vec<BossPlacement>,
    counts: Option<Vec<u64>>,
    /// The counts on which the GPU and the CPU agree: those of the first boss placements.
    confirmed: Vec<u64>,
    /// The CPU's counts on the boss placements of this phase, if they are known.
    expected: Option<Vec<u64>>,
    /// The number of boss placements in the sample.
    sample: usize,
    failure: Option<GpuError>,
}

impl fmt::Debug for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Protocol").field("phase", &self.phase).finish_non_exhaustive()
    }
}

impl Protocol {
    /// Begins with the known counts of a question.
    pub fn new(question: Question) -> Protocol {
        let question = Question { method: Method::Factored, ..question };
        let mut protocol = Protocol {
            question,
            phase: Phase::Known,
            batches: Batches::default(),
            stopwatch: Stopwatch::default(),
            forecast: Forecast::default(),
            counter: Counter::new(question),
            placements: Vec::new(),
            counts: None,
            confirmed: Vec::new(),
            expected: None,
            sample: FIRST_SAMPLE_PLACEMENTS,
            failure: None,
        };
        protocol.begin_known();
        protocol
    }

    /// Asks for the counts on these boss placements, after the known ones and a sample. Without the CPU's `counts`, the
    /// CPU counts each boss placement when the GPU's result arrives. No batch may be in flight.
    pub fn ask(&mut self, placements: Vec<BossPlacement>, counts: Option<Vec<u64>>) {
        (self.placements, self.counts) = (placements, counts);
        self.confirmed.clear();
        if self.phase != Phase::Known {
            self.begin_sample(FIRST_SAMPLE_PLACEMENTS);
        }
    }

    /// Skips the sample. No batch may be in flight.
    pub(crate) fn skip_sample(&mut self) {
        if self.phase == Phase::Sample {
            self.begin_all();
        }
    }

    /// Limits the count to this many boss placements, the first ones. No batch may be in flight.
    pub(crate) fn limit(&mut self, placements: usize) {
        self.placements.truncate(placements);
        self.confirmed.truncate(placements);
        if self.phase >= Phase::All {
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

    /// The boss placements to count.
    pub(crate) fn placements(&self) -> &[BossPlacement] {
        &self.placements
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
        self.forecast.time(placements)
    }

    /// The forecast for the remaining boss placements, after a sample.
    pub fn time_left(&self) -> Option<Duration> {
        (self.phase >= Phase::All).then(|| self.forecast(&self.placements[self.confirmed.len()..])).flatten()
    }

    /// The words of the next batch: the number of its boss placements, its serial number, and a word for each of them.
    /// `None` while the most batches are in flight, and when none is left.
    pub fn next_batch(&mut self) -> Option<Vec<u32>> {
        if self.failure.is_some() { None } else { self.batches.next() }
    }

    /// Takes in the results of the oldest batch in flight, or the device's error. `elapsed`: the time since its
    /// submission, or since the previous batch returned if that was later.
    ///
    /// # Errors
    /// - the device failed, so there are no results;
    /// - the results are incomplete;
    /// - a result is wrong: then nothing that this GPU counted is confirmed.
    ///
    /// After an error there are no more batches.
    pub fn take(&mut self, returned: Result<Returned, GpuError>, elapsed: Duration) -> Result<(), GpuError> {
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
        let (places, counts) = self.batches.take(&returned.results, worked)?;
        let placements = &self.batches.placements()[places.clone()];
        for ((place, placement), found) in places.zip(placements).zip(counts) {
            let expected = match &self.expected {
                Some(counts) => counts[place],
                None => self.counter.count(placement),
            };
            GpuError::unless_equal(placement, found, expected)?;
            if self.phase == Phase::All {
                self.confirmed.push(found);
            }
        }
        self.forecast.learn(placements, elapsed, worked);
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
        let left = self.placements.len() - self.confirmed.len();
        self.forecast.worked() < SAMPLE_TIME && self.sample * SAMPLE_GROWTH * SAMPLE_GROWTH < left
    }

    fn begin_known(&mut self) {
        let (placements, counts) = known_counts(self.question).into_iter().unzip();
        self.batches.forget_pace();
        self.begin(Phase::Known, placements, Some(counts));
    }

    fn begin_sample(&mut self, size: usize) {
        if self.phase == Phase::Known {
            // The known boss placements are not typical.
            self.batches.forget_pace();
        }
        (self.sample, self.forecast) = (size, Forecast::default());
        let first = self.confirmed.len();
        let step = ((self.placements.len() - first) / size).max(1);
        // The middle of each part; the first of each would give the smallest boss placements too much weight.
        let places: Vec<usize> = (first + step / 2..self.placements.len()).step_by(step).collect();
        let placements = places.iter().map(|&place| self.placements[place]).collect();
        let counts = self.counts.as_ref().map(|counts| places.iter().map(|&place| counts[place]).collect());
        self.begin(Phase::Sample, placements, counts);
    }

    fn begin_all(&mut self) {
        self.forecast.begin();
        self.stopwatch.reset();
        let first = self.confirmed.len();
        let counts = self.counts.as_ref().map(|counts| counts[first..].to_vec());
        self.begin(Phase::All, self.placements[first..].to_vec(), counts);
    }

    fn begin(&mut self, phase: Phase, placements: Vec<BossPlacement>, expected: Option<Vec<u64>>) {
        (self.phase, self.expected) = (phase, expected);
        self.batches.begin(placements);
        if self.batches.are_done() {
            self.begin_next();
        }
    }
}

/// The known boss placements with their counts by the CPU: for every number of slots, the ones in a sample with the
/// largest counts.
fn known_counts(question: Question) -> Vec<(BossPlacement, u64)> {
    const CANDIDATES_PER_SIZE: usize = 32;
    const KNOWN_PER_SIZE: usize = 2;
    // A slow adapter would take seconds for each of the largest boss placements.
    const MAX_SLOTS_KNOWN: u32 = 7;
    let mut counter = Counter::new(question);
    let mut all: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
    all.retain(|placement| !placement.is_pruned());
    let mut known = Vec::new();
    for slots in 0..=MAX_SLOTS_KNOWN {
        let of_size: Vec<&BossPlacement> =
            all.iter().filter(|placement| placement.slots() == slots).collect();
        let step = (of_size.len() / CANDIDATES_PER_SIZE).max(1);
        let mut counted: Vec<(BossPlacement, u64)> =
            of_size.iter().step_by(step).map(|&&placement| (placement, counter.count(&placement))).collect();
        counted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        known.extend(counted.into_iter().take(KNOWN_PER_SIZE));
    }
    known
}
