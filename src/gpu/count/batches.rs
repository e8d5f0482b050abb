//! The batches of boss placements that a GPU counts, and the check of the results.
//!
//! Each boss placement returns a count, the number of blocks decided, which the invocations add up themselves, and the
//! serial number of the batch. So a count that was cut short, or is left over from an earlier batch, does not pass.
//!
//! A result without the serial number of its batch was never computed: some systems silently kill long work. The device
//! then counts as lost, and earlier results stay confirmed. A result with the right serial number and another number of
//! blocks is a wrong answer.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

use super::layout::{RESULT_WORDS, batch_words};
use crate::gpu::GpuError;
use crate::gpu::pace::Pace;
use crate::shapes::BossPlacement;
use crate::shapes::deals::CONSTANTS;

/// The most batches in flight: the GPU works on one while the host processes the other.
pub(super) const MAX_IN_FLIGHT: usize = 2;
/// The most boss placements in a batch; their tables take 28 MB.
pub(super) const MAX_PLACEMENTS: usize = 8192;

/// Divides a list of boss placements into batches sized to the pace of a device, and takes in their results in order.
#[derive(Default)]
pub(crate) struct Batches {
    pace: Pace,
    placements: Vec<BossPlacement>,
    /// The number of boss placements sent so far.
    sent: usize,
    /// The serial number of the last batch.
    serial: u32,
    /// The batches in flight, oldest first.
    flights: VecDeque<Batch>,
}

/// A batch: a range of the list of boss placements, and its serial number.
struct Batch {
    places: Range<usize>,
    serial: u32,
}

impl Batches {
    /// Starts on a new list of boss placements, at the pace measured on the last one.
    pub(crate) fn begin(&mut self, placements: Vec<BossPlacement>) {
        self.placements = placements;
        self.sent = 0;
        self.flights.clear();
    }

    /// The boss placements.
    pub(crate) fn placements(&self) -> &[BossPlacement] {
        &self.placements
    }

    /// The words of the next batch; `None` if [`MAX_IN_FLIGHT`] batches are in flight, or all are sent.
    pub(crate) fn next(&mut self) -> Option<Vec<u32>> {
        if self.flights.len() == MAX_IN_FLIGHT || self.sent == self.placements.len() {
            return None;
        }
        let first = self.sent;
        let mut left = self.pace.cost();
        for placement in self.placements[first..].iter().take(MAX_PLACEMENTS) {
            if left == 0 {
                break;
            }
            left = left.saturating_sub(cost(placement.slots()));
            self.sent += 1;
        }
        self.serial = self.serial.wrapping_add(1).max(1);
        self.flights.push_back(Batch { places: first..self.sent, serial: self.serial });
        Some(batch_words(&self.placements[first..self.sent], self.serial))
    }

    /// Takes in the results of the oldest batch in flight; `worked` is the time that the device was busy with it.
    /// Returns its range in the list, and the counts on its boss placements.
    ///
    /// # Errors
    /// - no batch is in flight;
    /// - a result is missing, or of another batch;
    /// - a result is incomplete.
    pub(crate) fn take(
        &mut self,
        results: &[u32],
        worked: Duration,
    ) -> Result<(Range<usize>, Vec<u64>), GpuError> {
        let Some(Batch { places, serial }) = self.flights.pop_front() else {
            return Err(GpuError::Wrong("there are results of no batch".to_owned()));
        };
        let placements = &self.placements[places.clone()];
        self.pace.learn(placements.iter().map(|placement| cost(placement.slots())).sum(), worked);
        let (results, _) = results.as_chunks::<RESULT_WORDS>();
        let mut counts = Vec::with_capacity(placements.len());
        for (placement, &[found, decided, of_batch]) in placements.iter().zip(results) {
            if of_batch == serial {
                let blocks = blocks(placement.slots());
                if decided != blocks {
                    return Err(GpuError::Undecided { blocks, decided });
                }
                counts.push(u64::from(found));
            }
        }
        let (undone, placements) = (placements.len() - counts.len(), placements.len());
        if undone == 0 { Ok((places, counts)) } else { Err(GpuError::Undone { undone, placements }) }
    }

    /// Whether all batches have come back.
    pub(crate) fn are_done(&self) -> bool {
        self.flights.is_empty() && self.sent == self.placements.len()
    }

    /// Forgets the pace, which the self-test's untypical boss placements have set.
    pub(crate) fn forget_pace(&mut self) {
        self.pace = Pace::default();
    }
}

/// The number of blocks of a boss placement with this many slots.
fn blocks(slots: u32) -> u32 {
    CONSTANTS.opposing_sets[slots as usize].len() as u32
}

/// The cost of a boss placement with this many slots, in blocks; building its table costs as much as a few blocks.
pub(super) fn cost(slots: u32) -> u64 {
    const TABLE_BLOCKS: u64 = 4;
    TABLE_BLOCKS + u64::from(blocks(slots))
}
