//! Streaming work through a device: batches go out and results come back, with several batches in flight.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::GpuError;

/// Work that goes through a device in batches, several of them in flight.
pub(super) trait Batches {
    /// A batch in flight.
    type Batch;
    /// Its results.
    type Answer;
    /// The number of batches that may be in flight.
    const MAX_IN_FLIGHT: usize;
    /// Submits the next batch, with a serial number; `None` when all are sent.
    fn send(&mut self, serial: u32) -> Option<Self::Batch>;
    /// Waits for the oldest batch in flight. Calls `done` when the device has finished it; fetching may take longer.
    fn collect(&mut self, done: &mut dyn FnMut()) -> Result<Self::Answer, GpuError>;
    /// Records how long the device took for a batch.
    fn learn(&mut self, batch: &Self::Batch, elapsed: Duration);
    /// Checks the results of a batch, and uses them.
    fn take(&mut self, batch: Self::Batch, serial: u32, answer: Self::Answer) -> Result<(), GpuError>;
}

/// Fails unless this many slices are marked as done, with all of their items decided. `marked` has the number of items
/// of each, and of those decided.
pub(super) fn check_done(slices: usize, marked: impl Iterator<Item = (u32, u32)>) -> Result<(), GpuError> {
    let mut done = 0;
    for (items, decided) in marked {
        if decided != items {
            let told = format!("a slice with {items} items is marked as done with {decided} decided");
            return Err(GpuError::Wrong(told));
        }
        done += 1;
    }
    if done == slices { Ok(()) } else { Err(GpuError::Undone { undone: slices - done, slices }) }
}

/// Sends all batches and takes in their results, in order. `serial` is the last serial number of the device.
pub(super) fn stream<B: Batches>(batches: &mut B, serial: &mut u32) -> Result<(), GpuError> {
    let mut flights = VecDeque::new();
    let mut last_done = Instant::now();
    loop {
        while flights.len() < B::MAX_IN_FLIGHT {
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
