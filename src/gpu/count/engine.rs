//! The engine that counts on boss placements with a device. Every count is checked before it is used.

use std::collections::VecDeque;
use std::time::Duration;

use super::batches::Batches;
use super::layout::Count;
use super::plan::Slice;
use crate::clock::Instant;
use crate::gpu::GpuError;
use crate::shapes::{BossPlacement, assignments};

/// What counts batches: a device, or what a test puts in its place.
pub trait BatchCard: Send {
    /// Submits a batch: slices of these boss placements.
    fn submit(&mut self, placements: &[BossPlacement], slices: &[Slice], serial: u32);
    /// Waits for the oldest batch in flight; returns its counts in the order of its slices.
    fn collect(&mut self) -> Result<Vec<Count>, GpuError>;
    /// How long the device has worked; `None` if unknown.
    fn device_time(&self) -> Option<Duration>;
}

/// A device prepared to answer one question.
pub struct Engine {
    card: Box<dyn BatchCard>,
    batches: Batches,
    /// The error that ended a count. It may have left batches in flight, so no further batch is sent.
    failure: Option<GpuError>,
}

impl Engine {
    /// An engine on this card.
    pub fn new(card: Box<dyn BatchCard>) -> Engine {
        Engine { card, batches: Batches::default(), failure: None }
    }

    /// How long the device has worked since the engine was made; `None` if unknown.
    pub fn device_time(&self) -> Option<Duration> {
        self.card.device_time()
    }

    /// Counts on each boss placement, in order. `found` gets its index in the list and its count as soon as
    /// they are known, and may refuse the count. By then every slice is marked as done; whether the counts
    /// are right is for `found` to check.
    ///
    /// # Errors
    /// As soon as the device fails, a count is invalid, or `found` refuses one. Every later call fails with
    /// the same error.
    pub fn count(
        &mut self,
        placements: &[BossPlacement],
        found: impl FnMut(usize, u64) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let result = self.stream(placements, found);
        self.failure = result.as_ref().err().cloned();
        result
    }

    /// Sends batches, and takes in their counts in order, with several batches in flight.
    fn stream(
        &mut self,
        placements: &[BossPlacement],
        mut found: impl FnMut(usize, u64) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        self.batches.begin(placements);
        let mut sent = VecDeque::new();
        let mut last_done = Instant::now();
        loop {
            while let Some((plan, serial)) = self.batches.next() {
                self.card.submit(&placements[plan.first..][..plan.units], &plan.slices, serial);
                sent.push_back(Instant::now());
            }
            let Some(submitted) = sent.pop_front() else { return Ok(()) };
            let counts = self.card.collect()?;
            let elapsed = submitted.max(last_done).elapsed();
            last_done = Instant::now();
            self.batches.take(&counts, elapsed, &mut found)?;
        }
    }

    /// The time that all these boss placements would take, extrapolated from an evenly spread sample that
    /// takes at least a tenth of a second.
    ///
    /// # Errors
    /// As [`Engine::count`].
    pub fn forecast(
        &mut self,
        placements: &[BossPlacement],
        mut found: impl FnMut(usize, u64) -> Result<(), GpuError>,
    ) -> Result<Duration, GpuError> {
        const ENOUGH: Duration = Duration::from_millis(100);
        const FIRST_SAMPLE: usize = 4;
        const GROWTH: usize = 4;
        let work =
            |placements: &[BossPlacement]| -> u64 { placements.iter().map(|p| assignments(p.slots())).sum() };
        let mut size = FIRST_SAMPLE;
        loop {
            let step = (placements.len() / size).max(1);
            // The middles of equal parts; taking their ends would give the smallest placements too much
            // weight.
            let places: Vec<usize> = (step / 2..placements.len()).step_by(step).collect();
            let sample: Vec<BossPlacement> = places.iter().map(|&place| placements[place]).collect();
            let began = Instant::now();
            self.count(&sample, |place, count| found(places[place], count))?;
            let elapsed = began.elapsed();
            if elapsed >= ENOUGH || step == 1 {
                let part = work(&sample).max(1) as f64 / work(placements).max(1) as f64;
                return Ok(Duration::try_from_secs_f64(elapsed.as_secs_f64() / part).unwrap_or(Duration::MAX));
            }
            size *= GROWTH;
        }
    }

    /// Forgets the pace: what was counted so far, in the self-test, was not typical.
    pub(super) fn forget_pace(&mut self) {
        self.batches.forget_pace();
    }
}
