//! Lets a card work as the protocol says.

use std::collections::VecDeque;

use super::protocol::{Phase, Protocol};
use crate::clock::Instant;
use crate::gpu::GpuError;

/// What counts on batches: a device, or what a test puts in its place.
pub(crate) trait Card: Send {
    /// Submits the words of a batch.
    fn submit(&mut self, batch: &[u32]);
    /// Waits for the oldest batch in flight.
    ///
    /// # Errors
    /// If the device fails.
    fn collect(&mut self) -> Result<Returned, GpuError>;
}

/// What comes back of a batch.
#[derive(Debug)]
pub struct Returned {
    /// The words of its results.
    pub results: Vec<u32>,
    /// When it began and ended by the device's clock, in nanoseconds, if it has one.
    pub stamps: Option<[u64; 2]>,
}

/// Sends batches and takes in their results, until a phase begins or `goes_on`, which is asked after each batch,
/// returns false.
///
/// # Errors
/// If the device fails, or what comes back is wrong. Every later call fails with the same error.
pub(crate) fn drive(
    card: &mut dyn Card,
    protocol: &mut Protocol,
    until: Phase,
    mut goes_on: impl FnMut(&Protocol) -> bool,
) -> Result<(), GpuError> {
    let mut sent = VecDeque::new();
    let mut last = Instant::now();
    while protocol.phase()? < until {
        while let Some(batch) = protocol.next_batch() {
            card.submit(&batch);
            sent.push_back(Instant::now());
        }
        let Some(submitted) = sent.pop_front() else { return Ok(()) };
        let collected = card.collect();
        let elapsed = submitted.max(last).elapsed();
        last = Instant::now();
        protocol.take(collected, elapsed)?;
        if !goes_on(protocol) {
            // What is on its way belongs to nothing that follows.
            return sent.drain(..).try_for_each(|_| card.collect().map(|_| ()));
        }
    }
    Ok(())
}
