//! The batches of boss placements that a GPU counts, and the check of the results.
//!
//! A boss placement's result has three numbers: the count; the number of blocks decided, which the invocations add up
//! themselves; and the batch's serial number. So a count cut short, or left over from an earlier batch, does not pass.
//!
//! A result without the serial number of its batch was never computed: some systems silently kill long work. The device
//! then counts as lost, and earlier results stay confirmed. A result with the right serial number but the wrong number
//! of blocks is a wrong answer.

use std::collections::VecDeque;
use std::time::Duration;

use crate::gpu::GpuError;
use crate::gpu::pace::Pace;
use crate::shapes::BossPlacement;
use crate::shapes::deals::CONSTANTS;

/// Maximum number of batches in flight: the GPU works on one while the host processes the other.
pub(super) const MAX_IN_FLIGHT: usize = 2;
/// Maximum number of boss placements in a batch; their tables take 28 MiB.
pub(crate) const MAX_PLACEMENTS: usize = 8192;

/// The words of a boss placement's result: the number found, the number of blocks decided, and the serial number.
pub(crate) const RESULT_WORDS: usize = 3;

/// A boss placement to count, with the CPU's count if it is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub placement: BossPlacement,
    pub count: Option<u64>,
}

/// Divides a list of boss placements into batches sized to the pace of a device, and receives their results in order.
#[derive(Debug, Default)]
pub(super) struct Batches {
    pace: Pace,
    /// The boss placements that have not been sent yet.
    rest: std::vec::IntoIter<Asked>,
    /// The serial number of the last batch.
    serial: u32,
    /// The batches in flight, oldest first.
    flights: VecDeque<Batch>,
}

/// A batch, and its serial number.
#[derive(Debug)]
struct Batch {
    list: Vec<Asked>,
    serial: u32,
}

impl Batches {
    /// Starts on a new list of boss placements, at the pace measured on the last one.
    pub(super) fn begin(&mut self, list: Vec<Asked>) {
        self.rest = list.into_iter();
        self.flights.clear();
    }

    /// The words of the next batch; `None` if [`MAX_IN_FLIGHT`] batches are in flight, or all are sent.
    pub(super) fn next(&mut self) -> Option<Vec<u32>> {
        if self.flights.len() == MAX_IN_FLIGHT || self.rest.len() == 0 {
            return None;
        }
        let (mut left, mut list) = (self.pace.cost(), Vec::new());
        while left > 0
            && list.len() < MAX_PLACEMENTS
            && let Some(asked) = self.rest.next()
        {
            left = left.saturating_sub(cost(asked.placement.slots()));
            list.push(asked);
        }
        self.serial = self.serial.wrapping_add(1).max(1);
        let words = batch_words(list.iter().map(|asked| asked.placement), self.serial);
        self.flights.push_back(Batch { list, serial: self.serial });
        Some(words)
    }

    /// Receives the results of the oldest batch in flight; `worked` is the time that the device was busy with it.
    /// Returns its boss placements, each with the device's count.
    ///
    /// # Errors
    /// - no batch is in flight;
    /// - a result is missing, or belongs to another batch;
    /// - a result is incomplete.
    pub(super) fn take(&mut self, results: &[u32], worked: Duration) -> Result<Vec<(Asked, u64)>, GpuError> {
        let Some(Batch { list, serial }) = self.flights.pop_front() else {
            return Err(GpuError::Wrong("results came back, but no batch was in flight".to_owned()));
        };
        self.pace.learn(list.iter().map(|asked| cost(asked.placement.slots())).sum(), worked);
        let placements = list.len();
        let (results, _) = results.as_chunks::<RESULT_WORDS>();
        let mut counted = Vec::with_capacity(placements);
        for (asked, &[found, decided, of_batch]) in list.into_iter().zip(results) {
            if of_batch == serial {
                let blocks = blocks(asked.placement.slots());
                if decided != blocks {
                    return Err(GpuError::Undecided { blocks, decided });
                }
                counted.push((asked, u64::from(found)));
            }
        }
        let undone = placements - counted.len();
        if undone == 0 { Ok(counted) } else { Err(GpuError::Undone { undone, placements }) }
    }

    /// Whether all batches have come back.
    pub(super) fn are_done(&self) -> bool {
        self.flights.is_empty() && self.rest.len() == 0
    }

    /// Resets the pace, before and after the self-test, whose boss placements are not typical.
    pub(super) fn forget_pace(&mut self) {
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

/// The words of a batch.
fn batch_words(placements: impl ExactSizeIterator<Item = BossPlacement>, serial: u32) -> Vec<u32> {
    let head = [placements.len() as u32, serial];
    head.into_iter().chain(placements.map(|placement| placement_word(&placement))).collect()
}

/// A boss placement as one word: the cells in the low 16 bits, then the cell numbers of the two bosses.
fn placement_word(placement: &BossPlacement) -> u32 {
    u32::from(placement.cells().0) | placement.own_boss() << 16 | placement.opposing_boss() << 20
}
