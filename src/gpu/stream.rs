//! Streaming work through a device: batches go out and counts come back, with several batches in flight. Every count is
//! checked before it is used.
//!
//! A slice returns a count and a done mark: the serial number of the batch, and the number of items decided, which the
//! invocations add up themselves. So a slice that was cut short, or is left over from an earlier batch, does not pass
//! as done. No count may exceed what the items of its slice can hold.
//!
//! A slice without the serial number of its batch was not done: some systems silently kill work that takes long. That
//! is a loss, and earlier results are kept. A slice with the right serial number and an impossible figure is a wrong
//! answer.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};

use super::GpuError;
use super::pace::Pace;
use super::plan::{Plan, Planner, Room, Slice};

/// Work that goes through a device in batches, several of them in flight.
pub(super) trait Batches {
    /// A batch in flight.
    type Batch;
    /// Its results.
    type Answer;
    /// The number of batches that may be in flight.
    fn max_in_flight(&self) -> usize;
    /// Submits the next batch, with a serial number; `None` when all are sent.
    fn send(&mut self, serial: u32) -> Option<Self::Batch>;
    /// Waits for the oldest batch in flight. Calls `done` when the device has finished it; fetching may take longer.
    fn collect(&mut self, done: &mut dyn FnMut()) -> Result<Self::Answer, GpuError>;
    /// Records how long the device took for a batch.
    fn learn(&mut self, batch: &Self::Batch, elapsed: Duration);
    /// Checks the results of a batch, and uses them.
    fn take(&mut self, batch: Self::Batch, serial: u32, answer: Self::Answer) -> Result<(), GpuError>;
}

/// Sends all batches and takes in their results, in order. `serial` is the last serial number of the device.
pub(super) fn stream(batches: &mut impl Batches, serial: &mut u32) -> Result<(), GpuError> {
    let mut flights = VecDeque::new();
    let mut last_done = Instant::now();
    loop {
        while flights.len() < batches.max_in_flight() {
            *serial = serial.wrapping_add(1).max(1);
            let Some(batch) = batches.send(*serial) else { break };
            flights.push_back((batch, *serial, Instant::now()));
        }
        let Some((batch, serial, submitted)) = flights.pop_front() else { return Ok(()) };
        let mut elapsed = Duration::ZERO;
        let answer = batches.collect(&mut || {
            elapsed = submitted.max(last_done).elapsed();
            last_done = Instant::now();
        })?;
        batches.learn(&batch, elapsed);
        batches.take(batch, serial, answer)?;
    }
}

/// The result of a slice.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Count {
    /// The number found.
    pub found: u32,
    /// The number of items decided.
    pub decided: u32,
    /// The serial number of the batch.
    pub serial: u32,
}

/// What computes batches: a device, or a stand-in in tests.
pub(crate) trait Card<U>: Send {
    /// The number of batches that may be in flight.
    fn max_in_flight(&self) -> usize;
    /// Submits a batch: slices of these units.
    fn submit(&mut self, units: &[U], slices: &[Slice], serial: u32);
    /// How long a batch should take.
    fn target(&self) -> Duration;
    /// Waits for the oldest batch in flight; returns its counts in the order of its slices.
    fn collect(&mut self) -> Result<Vec<Count>, GpuError>;
    /// How long the device has worked; `None` if unknown.
    fn device_time(&self) -> Option<Duration>;
    /// Loses the device, if there is one.
    #[cfg(test)]
    fn lose(&mut self) {}
    /// Makes wgpu panic as it does if the driver reports a lost device.
    #[cfg(test)]
    fn panic(&mut self) {}
    /// Makes every batch time out, if there is a device.
    #[cfg(test)]
    fn hang(&mut self) {}
}

/// A kind of work: the sizes of its units.
pub(crate) trait Work {
    /// A unit.
    type Unit;
    /// The number of items of a unit.
    fn items(&self, unit: &Self::Unit) -> u32;
    /// The most that can be found in a slice of a unit.
    fn most(&self, unit: &Self::Unit, slice: &Slice) -> u64;
}

/// A card and its pace.
pub(crate) struct Stream<U> {
    card: Box<dyn Card<U>>,
    room: Room,
    pace: Pace,
    serial: u32,
    /// The error that ended a run. It may have left batches in flight, so no further batch is sent.
    failure: Option<GpuError>,
}

impl<U> Stream<U> {
    /// A stream through this card.
    pub fn new(card: Box<dyn Card<U>>, room: Room) -> Stream<U> {
        let pace = Pace::new(card.target());
        Stream { card, room, pace, serial: 0, failure: None }
    }

    /// The same stream with its card wrapped.
    #[cfg(test)]
    pub fn through(self, wrap: impl FnOnce(Box<dyn Card<U>>) -> Box<dyn Card<U>>) -> Stream<U> {
        Stream { card: wrap(self.card), ..self }
    }

    /// How long the device has worked; `None` if unknown.
    pub fn device_time(&self) -> Option<Duration> {
        self.card.device_time()
    }

    /// Forgets the pace: the work so far was not typical.
    pub fn forget_pace(&mut self) {
        self.pace = Pace::new(self.card.target());
    }

    /// Computes all units in order. As soon as a unit is complete, `found` gets its index in the list and its count,
    /// and may refuse it.
    ///
    /// # Errors
    /// As soon as the card fails, a count is invalid, or `found` refuses one. All counts passed to `found` before were
    /// complete. Every later call fails with the same error.
    pub fn run<W: Work<Unit = U>>(
        &mut self,
        work: &W,
        units: &[U],
        found: impl FnMut(usize, u64) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let planner = Planner::new(units.iter().map(|unit| work.items(unit)).collect(), self.room);
        let (card, pace) = (&mut *self.card, &mut self.pace);
        let mut batches = Units { card, pace, planner, work, units, found, unfinished: 0 };
        let result = stream(&mut batches, &mut self.serial);
        self.failure = result.as_ref().err().cloned();
        result
    }
}

/// Units on their way through a card.
struct Units<'a, W: Work, F> {
    card: &'a mut dyn Card<W::Unit>,
    pace: &'a mut Pace,
    planner: Planner,
    work: &'a W,
    units: &'a [W::Unit],
    found: F,
    /// What was found in the unit that the last batch did not finish.
    unfinished: u64,
}

impl<W: Work, F: FnMut(usize, u64) -> Result<(), GpuError>> Batches for Units<'_, W, F> {
    type Batch = Plan;
    type Answer = Vec<Count>;

    fn max_in_flight(&self) -> usize {
        self.card.max_in_flight()
    }

    fn send(&mut self, serial: u32) -> Option<Plan> {
        let plan = self.planner.next(self.pace.cost())?;
        self.card.submit(&self.units[plan.first..plan.first + plan.units], &plan.slices, serial);
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
        check_whole(self.work, &self.units[plan.first..plan.first + plan.units], &plan, serial, &counts)?;
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

/// Fails if a slice is not marked as done, or its figures are impossible.
fn check_whole<W: Work>(
    work: &W,
    units: &[W::Unit],
    plan: &Plan,
    serial: u32,
    counts: &[Count],
) -> Result<(), GpuError> {
    let mut done = 0;
    for (slice, count) in plan.slices.iter().zip(counts).filter(|(_, count)| count.serial == serial) {
        done += 1;
        if count.decided != slice.items {
            return Err(GpuError::Undecided { items: slice.items, decided: count.decided });
        }
        let most = work.most(&units[slice.unit as usize], slice);
        if u64::from(count.found) > most {
            return Err(GpuError::Excess { count: count.found, most });
        }
    }
    let slices = plan.slices.len();
    if done == slices { Ok(()) } else { Err(GpuError::Undone { undone: slices - done, slices }) }
}
