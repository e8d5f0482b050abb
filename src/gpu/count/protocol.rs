//! What a GPU is asked, in batches of boss placements, and what is known of its answers.
//!
//! It first counts on boss placements of many sizes whose counts are *known*; then on a *sample* of those that are to be
//! counted, for a forecast; then on *all*. Whatever drives the device, natively or in a page, passes on the words of each
//! batch and what comes back of it. Each count is compared with the CPU's as soon as it is there.

use std::fmt;
use std::time::Duration;

use super::batches::Batches;
use super::forecast::Forecast;
use super::stopwatch::Stopwatch;
use crate::count::{Counter, Method, Question};
use crate::gpu::GpuError;
use crate::gpu::count::driver::Returned;
use crate::shapes::{BossPlacement, Shape};

/// How long a device is to work on a sample, unless that is a large part of all.
const SAMPLE_TIME: Duration = Duration::from_millis(100);
/// The boss placements of the first sample, and how many times as many each further one has.
const FIRST_SAMPLE: usize = 4;
const SAMPLE_GROWTH: usize = 4;

/// How far a GPU has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// It counts on boss placements whose counts are known.
    Known,
    /// It counts on a sample of those that are left, spread evenly.
    Sample,
    /// It counts on all that are left.
    All,
    /// It has counted on all.
    Done,
}

/// The questions to one GPU, and its answers so far.
pub struct Protocol {
    question: Question,
    phase: Phase,
    batches: Batches,
    stopwatch: Stopwatch,
    forecast: Forecast,
    counter: Counter,
    /// The boss placements to count on, and the CPU's counts, if they are known.
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
            sample: FIRST_SAMPLE,
            failure: None,
        };
        protocol.begin_known();
        protocol
    }

    /// Asks for the counts on these boss placements, after the known ones and a sample. Where the CPU's `counts` are not
    /// given, the CPU counts on a boss placement when the GPU's result arrives. Nothing may be in flight.
    pub fn ask(&mut self, placements: Vec<BossPlacement>, counts: Option<Vec<u64>>) {
        (self.placements, self.counts) = (placements, counts);
        self.confirmed.clear();
        if self.phase != Phase::Known {
            self.begin_sample(FIRST_SAMPLE);
        }
    }

    /// Does without a sample. Nothing may be in flight.
    pub(crate) fn skip_sample(&mut self) {
        if self.phase == Phase::Sample {
            self.begin_all();
        }
    }

    /// Counts on no more than the first boss placements. Nothing may be in flight.
    pub(crate) fn limit(&mut self, placements: usize) {
        self.placements.truncate(placements);
        self.confirmed.truncate(placements);
        if self.phase >= Phase::All {
            self.begin_all();
        }
    }

    /// Goes on where it was, with another device or one that is opened again, from the known counts on. What was
    /// on its way counts as lost.
    pub fn resume(&mut self) {
        (self.failure, self.stopwatch) = (None, Stopwatch::default());
        self.begin_known();
    }

    /// How far the GPU has come.
    ///
    /// # Errors
    /// If it has failed: the first error.
    pub(crate) fn phase(&self) -> Result<Phase, GpuError> {
        self.failure.clone().map_or(Ok(self.phase), Err)
    }

    /// Whether what it counts is known, or a sample.
    pub fn is_testing(&self) -> bool {
        self.failure.is_none() && self.phase < Phase::All
    }

    /// The boss placements to count on.
    pub(crate) fn placements(&self) -> &[BossPlacement] {
        &self.placements
    }

    /// The counts on which the GPU and the CPU agree: those of the first boss placements.
    pub fn confirmed(&self) -> &[u64] {
        &self.confirmed
    }

    /// How long the device has worked on what it was asked, by its own clock; `None` if unknown.
    pub(crate) fn device_time(&self) -> Option<Duration> {
        self.stopwatch.device_time()
    }

    /// About how long the device takes for these boss placements, after a sample.
    pub(crate) fn forecast(&self, placements: &[BossPlacement]) -> Option<Duration> {
        self.forecast.time(placements)
    }

    /// About how long the rest will take, after a sample.
    pub fn time_left(&self) -> Option<Duration> {
        (self.phase >= Phase::All).then(|| self.forecast(&self.placements[self.confirmed.len()..])).flatten()
    }

    /// The words of the next batch: the number of its boss placements, its serial number, and a word for each of
    /// them. `None` while as many are in flight as may be, and when there are no more.
    pub fn next_batch(&mut self) -> Option<Vec<u32>> {
        if self.failure.is_some() { None } else { self.batches.next() }
    }

    /// Takes in what came back of the oldest batch in flight, or why nothing did. It was `elapsed` after its
    /// submission, or after the one before it had come back.
    ///
    /// # Errors
    /// If nothing came back, or what did is incomplete or wrong. There are no more batches then; and if it was
    /// wrong, nothing of this GPU counts as confirmed.
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

    /// Begins what follows the phase, or the sample, that is done.
    fn begin_next(&mut self) {
        match self.phase {
            Phase::Known => self.begin_sample(FIRST_SAMPLE),
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
            // What was counted so far was not typical.
            self.batches.forget_pace();
        }
        (self.sample, self.forecast) = (size, Forecast::default());
        let first = self.confirmed.len();
        let step = ((self.placements.len() - first) / size).max(1);
        // The middles of equal parts; their ends would give the smallest boss placements too much weight.
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

/// Boss placements with their counts by the CPU: for every number of slots, those of a sample with the
/// largest counts.
fn known_counts(question: Question) -> Vec<(BossPlacement, u64)> {
    const CANDIDATES: usize = 32;
    const TAKEN: usize = 2;
    // A slow adapter would take seconds for each of the largest boss placements.
    const MOST_SLOTS: u32 = 7;
    let mut counter = Counter::new(question);
    let mut all: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
    all.retain(|placement| !placement.is_pruned());
    let mut known = Vec::new();
    for slots in 0..=MOST_SLOTS {
        let of_size: Vec<&BossPlacement> =
            all.iter().filter(|placement| placement.slots() == slots).collect();
        let step = (of_size.len() / CANDIDATES).max(1);
        let mut counted: Vec<(BossPlacement, u64)> =
            of_size.iter().step_by(step).map(|&&placement| (placement, counter.count(&placement))).collect();
        counted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        known.extend(counted.into_iter().take(TAKEN));
    }
    known
}
