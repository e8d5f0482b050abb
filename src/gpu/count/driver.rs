//! Drives a card through the protocol. The same code waits for a device natively, on the calling thread, and in a
//! page, in the event loop.

use std::collections::VecDeque;
use std::pin::Pin;
use std::time::Duration;

use super::protocol::{Phase, Protocol, Returned};
use crate::clock::Instant;
use crate::gpu::GpuError;

/// The longest plausible time of a batch, which is sized for a thirtieth of a second. If more time has passed, the
/// computer has probably slept, which browsers' clocks do not exclude.
const LONGEST_BATCH: Duration = Duration::from_secs(10);

/// The results of a batch in flight, or the error of the device.
pub(crate) type Collecting<'c> = Pin<Box<dyn Future<Output = Result<Returned, GpuError>> + 'c>>;

/// Counts batches of boss placements: a device, here or in a child process, or a stand-in in tests.
pub(crate) trait Card {
    /// Submits the words of a batch.
    fn submit(&mut self, batch: &[u32]);
    /// Waits for the oldest batch in flight.
    ///
    /// # Errors
    /// If the device fails.
    fn collect(&mut self) -> Collecting<'_>;
}

/// Sends batches and receives their results, until the phase `until` begins or `should_continue`, which is called after
/// each batch, returns false.
///
/// # Errors
/// If the device fails or a result is wrong. Later calls fail, too, until [`Protocol::resume`].
pub(crate) async fn drive(
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
        let collected = card.collect().await;
        let elapsed = submitted.max(last).elapsed().min(LONGEST_BATCH);
        last = Instant::now();
        protocol.take(collected, elapsed)?;
        if !should_continue(protocol) {
            // Drain the batches in flight, so that no later batch is given their results.
            for _ in sent {
                card.collect().await?;
            }
            return Ok(());
        }
    }
    Ok(())
}
