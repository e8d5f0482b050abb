//! The engine that counts on boss placements with a device. Every count is checked before it is used.
//!
//! A slice returns a count and a done mark: the serial number of the batch, and the number of items decided, which the
//! invocations add up themselves. So a slice that was cut short, or is left over from an earlier batch, does not pass
//! as done.
//!
//! A slice without the serial number of its batch was not done: some systems silently kill work that takes long. That
//! is a loss, and earlier results are kept. A slice with the right serial number and too few items is a wrong answer.

use std::time::{Duration, Instant};

use super::card::{MAX_IN_FLIGHT, MAX_PLACEMENTS, MAX_SLICES};
use super::items::{ITEMS, SLICE_ITEMS};
use super::layout::Count;
use super::plan::{Plan, Planner, Room, Slice};
use crate::gpu::GpuError;
use crate::gpu::pace::Pace;
use crate::gpu::stream::{Batches, check_done, stream};
use crate::shapes::{BossPlacement, assignments};

/// The capacity of a batch; building a table costs as much as 64 items.
pub(super) const ROOM: Room = Room { units: MAX_PLACEMENTS, slices: MAX_SLICES, items: SLICE_ITEMS, unit_cost: 64 };

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
    pace: Pace,
    /// The serial number of the last batch.
    serial: u32,
    /// The error that ended a count. It may have left batches in flight, so no further batch is sent.
    failure: Option<GpuError>,
}

impl Engine {
    /// An engine on this card.
    pub fn new(card: Box<dyn BatchCard>) -> Engine {
        Engine { card, pace: Pace::default(), serial: 0, failure: None }
    }

    /// How long the device has worked since the engine was made; `None` if unknown.
    pub fn device_time(&self) -> Option<Duration> {
        self.card.device_time()
    }

    /// Counts on each boss placement, in order. `found` gets its index in the list and its count as soon as they are
    /// known, and may refuse the count. By then every slice is marked as done; whether the counts are right is for `found`
    /// to check.
    ///
    /// # Errors
    /// As soon as the device fails, a count is invalid, or `found` refuses one. Every later call fails with the same
    /// error.
    pub fn count(
        &mut self,
        placements: &[BossPlacement],
        found: impl FnMut(usize, u64) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let planner = Planner::new(items(placements), ROOM);
        let (card, pace) = (&mut *self.card, &mut self.pace);
        let mut batches = Counting { card, pace, planner, placements, found, unfinished: 0 };
        let result = stream(&mut batches, &mut self.serial);
        self.failure = result.as_ref().err().cloned();
        result
    }

    /// The time that all these boss placements would take, extrapolated from an evenly spread sample that takes at
    /// least a tenth of a second.
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
        let work = |placements: &[BossPlacement]| -> u64 { placements.iter().map(|p| assignments(p.slots())).sum() };
        let mut size = FIRST_SAMPLE;
        loop {
            let step = (placements.len() / size).max(1);
            // The middles of equal parts; taking their ends would give the smallest placements too much weight.
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
        self.pace = Pace::default();
    }
}

/// Boss placements on their way through a card.
struct Counting<'a, F> {
    card: &'a mut dyn BatchCard,
    pace: &'a mut Pace,
    planner: Planner,
    placements: &'a [BossPlacement],
    found: F,
    /// What was found on the boss placement that the last batch did not finish.
    unfinished: u64,
}

impl<F: FnMut(usize, u64) -> Result<(), GpuError>> Batches for Counting<'_, F> {
    type Batch = Plan;
    type Answer = Vec<Count>;
    const MAX_IN_FLIGHT: usize = MAX_IN_FLIGHT;

    fn send(&mut self, serial: u32) -> Option<Plan> {
        let plan = self.planner.next(self.pace.cost())?;
        self.card.submit(&self.placements[plan.first..][..plan.units], &plan.slices, serial);
        Some(plan)
    }

    fn collect(&mut self, done: &mut dyn FnMut()) -> Result<Vec<Count>, GpuError> {
        let counts = self.card.collect()?;
        done();
        Ok(counts)
    }

    fn learn(&mut self, plan: &Plan, elapsed: Duration) {
        self.pace.learn(plan.cost, elapsed);
    }

    fn take(&mut self, plan: Plan, serial: u32, counts: Vec<Count>) -> Result<(), GpuError> {
        let marked = plan.slices.iter().zip(&counts).filter(|(_, count)| count.serial == serial);
        check_done(plan.slices.len(), marked.map(|(slice, count)| (slice.items, count.decided)))?;
        let mut sums = vec![0; plan.units];
        sums[0] = std::mem::take(&mut self.unfinished);
        for (slice, count) in plan.slices.iter().zip(&counts) {
            sums[slice.unit as usize] += u64::from(count.found);
        }
        for (place, &sum) in sums.iter().enumerate() {
            if place < plan.finished {
                (self.found)(plan.first + place, sum)?;
            } else {
                self.unfinished = sum;
            }
        }
        Ok(())
    }
}

/// The number of items of each of these boss placements.
pub(super) fn items(placements: &[BossPlacement]) -> Vec<u32> {
    placements.iter().map(|placement| ITEMS[placement.slots() as usize]).collect()
}
