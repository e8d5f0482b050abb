//! The engine that counts on boss placements with a device. Every count is checked before it is used.
//!
//! A slice returns a count and a done mark: the serial number of the batch, and the number of items decided, which the
//! invocations add up themselves. So a slice that was cut short, or is left over from an earlier batch, does not pass
//! as done.
//!
//! A slice without the serial number of its batch was not done: some systems silently kill work that takes long. That
//! is a loss, and earlier results are kept. A slice with the right serial number and too few items is a wrong answer.

use std::collections::VecDeque;
use std::time::Duration;

use super::items::{ITEMS, SLICE_ITEMS};
use super::layout::Count;
use super::plan::{Plan, Planner, Room, Slice};
use crate::clock::Instant;
use crate::gpu::GpuError;
use crate::gpu::device::MAX_WORKGROUPS;
use crate::gpu::pace::Pace;
use crate::shapes::{BossPlacement, assignments};

/// Batches in flight: the GPU works on one while the host processes the other.
pub(super) const MAX_IN_FLIGHT: usize = 2;
/// Boss placements in a batch; their tables take 28 MB.
pub(super) const MAX_PLACEMENTS: usize = 8192;
/// Slices in a batch.
pub(super) const MAX_SLICES: usize = MAX_WORKGROUPS as usize;
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
        let mut planner = Planner::new(items(placements), ROOM);
        let mut flights = VecDeque::new();
        let mut last_done = Instant::now();
        // What was found on the boss placement that the last batch did not finish.
        let mut unfinished = 0;
        loop {
            while flights.len() < MAX_IN_FLIGHT
                && let Some(plan) = planner.next(self.pace.cost())
            {
                self.serial = self.serial.wrapping_add(1).max(1);
                self.card.submit(&placements[plan.first..][..plan.units], &plan.slices, self.serial);
                flights.push_back((plan, self.serial, Instant::now()));
            }
            let Some((plan, serial, submitted)) = flights.pop_front() else { return Ok(()) };
            let counts = self.card.collect()?;
            self.pace.learn(plan.cost, submitted.max(last_done).elapsed());
            last_done = Instant::now();

            let mut sums = summed(&plan, &counts, serial)?;
            sums[0] += std::mem::take(&mut unfinished);
            if plan.finished < plan.units {
                unfinished = sums[plan.finished];
            }
            for (place, &sum) in sums[..plan.finished].iter().enumerate() {
                found(plan.first + place, sum)?;
            }
        }
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

/// What a batch has found on each of its boss placements. Fails unless every slice is marked as done, with all of its
/// items decided. Twin of `summed` in `web/page/card.js`.
fn summed(plan: &Plan, counts: &[Count], serial: u32) -> Result<Vec<u64>, GpuError> {
    let mut sums = vec![0; plan.units];
    let slices = plan.slices.len();
    let mut undone = slices;
    for (slice, count) in plan.slices.iter().zip(counts).filter(|(_, count)| count.serial == serial) {
        let (items, decided) = (slice.items, count.decided);
        if decided != items {
            let message = format!("a slice with {items} items is marked as done with {decided} decided");
            return Err(GpuError::Wrong(message));
        }
        sums[slice.unit as usize] += u64::from(count.found);
        undone -= 1;
    }
    if undone == 0 { Ok(sums) } else { Err(GpuError::Undone { undone, slices }) }
}

/// The number of items of each of these boss placements.
pub(super) fn items(placements: &[BossPlacement]) -> Vec<u32> {
    placements.iter().map(|placement| ITEMS[placement.slots() as usize]).collect()
}
