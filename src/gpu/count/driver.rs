//! Drives a card by the protocol.

use std::collections::VecDeque;

use super::protocol::{Phase, Protocol, Returned};
use crate::clock::Instant;
use crate::gpu::GpuError;

/// Counts batches of boss placements: a device, here or in a child process, or a stand-in in tests.
pub(crate) trait Card: Send {
    /// Submits the words of a batch.
    fn submit(&mut self, batch: &[u32]);
    /// Waits for the oldest batch in flight.
    ///
    /// # Errors
    /// If the device fails.
    fn collect(&mut self) -> Result<Returned, GpuError>;
}

/// Sends batches and takes in their results, until the phase `until` begins or `should_continue`, which is called after
/// each batch, returns false.
///
/// # Errors
/// If the device fails or a result is wrong. Every later call fails with the same error.
pub(crate) fn drive(
    card: &mut dyn Card,
    protocol: &mut Protocol,
    until: Phase,
    mut should_continue: impl FnMut(&Protocol) -> bool,
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
        if !should_continue(protocol) {
            // Drain the batches in flight, so that no later batch is given their results.
            return sent.drain(..).try_for_each(|_| card.collect().map(|_| ()));
        }
    }
    Ok(())
}
