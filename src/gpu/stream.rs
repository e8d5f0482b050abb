//! Streaming work through a card: batches go out, counts come back, several batches under way, and nothing is believed that does
//! not look whole.
//!
//! What comes back for a slice is a count and a done mark: the batch's serial number, and how many items the invocations have
//! decided, added up by themselves. So a slice that was cut short or left over from an earlier batch does not pass as done.
//! No count may exceed what the slice's own items have room for.
//!
//! A slice without its batch's number was not done: some systems end work that takes long, and say nothing. That is a loss, and what came
//! before is kept. A slice that has the number and a wrong figure is a wrong answer.

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};

use super::GpuError;
use super::pace::Pace;
use super::plan::{Plan, Planner, Room, Slice};

/// What comes back for a slice.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Count {
    /// How many were found.
    pub found: u32,
    /// How many items were decided.
    pub decided: u32,
    /// The batch's serial number.
    pub serial: u32,
}

/// Where batches are computed: a device, or in tests a stand-in.
pub(crate) trait Card<U>: Send {
    /// How many batches may be under way.
    fn lanes(&self) -> usize;
    /// Sends a batch: slices of some units.
    fn submit(&mut self, units: &[U], slices: &[Slice], serial: u32);
    /// How long a batch should take on it.
    fn target(&self) -> Duration;
    /// Waits for the batch that has been under way longest; its counts, in the order of its slices.
    fn collect(&mut self) -> Result<Vec<Count>, GpuError>;
    /// How long the card itself has worked; `None` if it cannot tell.
    fn device_time(&self) -> Option<Duration>;
    /// Loses the device, where there is one to be lost.
    #[cfg(test)]
    fn lose(&mut self) {}
    /// Has no batch come to an end in time, where there is a device.
    #[cfg(test)]
    fn hang(&mut self) {}
}

/// What there is to know of the units of some kind of work.
pub(crate) trait Work {
    /// A unit.
    type Unit;
    /// How many items it has.
    fn items(&self, unit: &Self::Unit) -> u32;
    /// The most that can be found in some of its items.
    fn most(&self, unit: &Self::Unit, slice: &Slice) -> u64;
}

/// A card, and how fast it is.
pub(crate) struct Stream<U> {
    card: Box<dyn Card<U>>,
    room: Room,
    pace: Pace,
    serial: u32,
    /// The error that ended a run. It may have left batches under way, so none follows.
    failure: Option<GpuError>,
}

impl<U> Stream<U> {
    /// Work will go through this card.
    pub fn new(card: Box<dyn Card<U>>, room: Room) -> Stream<U> {
        let pace = Pace::new(card.target());
        Stream { card, room, pace, serial: 0, failure: None }
    }

    /// The same work through something around the card.
    #[cfg(test)]
    pub fn through(self, wrap: impl FnOnce(Box<dyn Card<U>>) -> Box<dyn Card<U>>) -> Stream<U> {
        Stream { card: wrap(self.card), ..self }
    }

    /// How long the card itself has worked; `None` if it cannot tell.
    pub fn device_time(&self) -> Option<Duration> {
        self.card.device_time()
    }

    /// Forgets how fast the card was: what it did until now was not typical.
    pub fn forget_pace(&mut self) {
        self.pace = Pace::new(self.card.target());
    }

    /// Computes every unit, in order; `found` gets a unit's place in the list and what was found in it as soon as it is whole,
    /// and may refuse it.
    ///
    /// # Errors
    /// As soon as the card fails, a count does not look whole, or `found` refuses one. What `found` has got until then was whole.
    /// From then on every call fails with the same error.
    pub fn run<W: Work<Unit = U>>(
        &mut self,
        work: &W,
        units: &[U],
        found: impl FnMut(usize, u64) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let result = self.run_batches(work, units, found);
        self.failure = result.as_ref().err().cloned();
        result
    }

    fn run_batches<W: Work<Unit = U>>(
        &mut self,
        work: &W,
        units: &[U],
        mut found: impl FnMut(usize, u64) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        let mut planner = Planner::new(units.iter().map(|unit| work.items(unit)).collect(), self.room);
        let mut flights = std::collections::VecDeque::new();
        let mut last_done = Instant::now();
        let mut unfinished = 0;
        loop {
            while flights.len() < self.card.lanes() {
                let Some(plan) = planner.next(self.pace.cost()) else {
                    break;
                };
                self.serial = self.serial.wrapping_add(1).max(1);
                self.card.submit(&units[plan.first..plan.first + plan.units], &plan.slices, self.serial);
                flights.push_back((plan, self.serial, Instant::now()));
            }
            let Some((plan, serial, submitted)) = flights.pop_front() else {
                return Ok(());
            };
            let counts = self.card.collect()?;
            self.pace.learn(plan.cost, submitted.max(last_done).elapsed());
            last_done = Instant::now();
            let units = &units[plan.first..plan.first + plan.units];
            check_whole(work, units, &plan, serial, &counts)?;

            let mut sums = vec![0; plan.units];
            sums[0] = std::mem::take(&mut unfinished);
            for (slice, count) in plan.slices.iter().zip(&counts) {
                sums[slice.unit as usize] += u64::from(count.found);
            }
            for (place, &sum) in sums.iter().enumerate() {
                if place < plan.finished {
                    found(plan.first + place, sum)?;
                } else {
                    unfinished = sum;
                }
            }
        }
    }
}

/// Fails if a slice is not marked as done, or what it says cannot be.
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
