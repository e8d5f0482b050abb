//! The batches of a count, one after another, and the check of what comes back.
//!
//! A slice returns a count and a done mark: the serial number of the batch, and the number of items decided,
//! which the invocations add up themselves. So a slice that was cut short, or is left over from an earlier
//! batch, does not pass as done.
//!
//! A slice without the serial number of its batch was not done: some systems silently kill work that takes
//! long. That is a loss, and earlier results are kept. A slice with the right serial number and too few items
//! is a wrong answer.

use std::collections::VecDeque;
use std::time::Duration;

use super::items::{ITEMS, SLICE_ITEMS};
use super::layout::Count;
use super::plan::{Plan, Planner, Room};
use crate::gpu::GpuError;
use crate::gpu::limits::MAX_WORKGROUPS;
use crate::gpu::pace::Pace;
use crate::shapes::BossPlacement;

/// Batches in flight: the GPU works on one while the host processes the other.
pub(super) const MAX_IN_FLIGHT: usize = 2;
/// Boss placements in a batch; their tables take 28 MB.
pub(super) const MAX_PLACEMENTS: usize = 8192;
/// Slices in a batch.
pub(super) const MAX_SLICES: usize = MAX_WORKGROUPS as usize;
/// The capacity of a batch; building a table costs as much as 64 items.
pub(super) const ROOM: Room =
    Room { units: MAX_PLACEMENTS, slices: MAX_SLICES, items: SLICE_ITEMS, unit_cost: 64 };

/// Divides counts on boss placements into batches at the pace of a device, and takes in what comes back in
/// their order.
pub struct Batches {
    pace: Pace,
    planner: Planner,
    /// The serial number of the last batch.
    serial: u32,
    /// The batches that were sent and are not back, each with its serial number.
    flights: VecDeque<(Plan, u32)>,
    /// What was found on the boss placement that the last batch did not finish.
    unfinished: u64,
}

impl Default for Batches {
    fn default() -> Batches {
        let planner = Planner::new(Vec::new(), ROOM);
        Batches { pace: Pace::default(), planner, serial: 0, flights: VecDeque::new(), unfinished: 0 }
    }
}

impl Batches {
    /// Begins a count on these boss placements, at the pace of the last one.
    pub fn begin(&mut self, placements: &[BossPlacement]) {
        self.planner = Planner::new(items(placements), ROOM);
        self.flights.clear();
        self.unfinished = 0;
    }

    /// The next batch, to be sent with this serial number. `None` if as many are in flight as may be, or all
    /// are sent.
    #[expect(clippy::should_implement_trait, reason = "a later call may return a batch after None")]
    pub fn next(&mut self) -> Option<(&Plan, u32)> {
        if self.flights.len() == MAX_IN_FLIGHT {
            return None;
        }
        let plan = self.planner.next(self.pace.cost())?;
        self.serial = self.serial.wrapping_add(1).max(1);
        self.flights.push_back((plan, self.serial));
        self.flights.back().map(|(plan, serial)| (plan, *serial))
    }

    /// Takes in the counts of the oldest batch in flight, for which the device worked so long. `found` gets
    /// the index of each boss placement and its count as soon as all of it is known, and may refuse the
    /// count. By then every slice is marked as done; whether the counts are right is for `found` to check.
    /// Returns the batch.
    ///
    /// # Errors
    /// If a count is invalid, or `found` refuses one.
    pub fn take(
        &mut self,
        counts: &[Count],
        elapsed: Duration,
        mut found: impl FnMut(usize, u64) -> Result<(), GpuError>,
    ) -> Result<Plan, GpuError> {
        let Some((plan, serial)) = self.flights.pop_front() else {
            return Err(GpuError::Wrong("there are counts of no batch".to_owned()));
        };
        self.pace.learn(plan.cost, elapsed);
        let mut sums = summed(&plan, counts, serial)?;
        sums[0] += std::mem::take(&mut self.unfinished);
        if plan.finished < plan.units {
            self.unfinished = sums[plan.finished];
        }
        for (place, &sum) in sums[..plan.finished].iter().enumerate() {
            found(plan.first + place, sum)?;
        }
        Ok(plan)
    }

    /// Whether all batches have come back.
    pub fn are_done(&self) -> bool {
        self.flights.is_empty() && self.planner.is_done()
    }

    /// Forgets the pace: what was counted so far, in the self-test, was not typical.
    pub fn forget_pace(&mut self) {
        self.pace = Pace::default();
    }
}

/// What a batch has found on each of its boss placements. Fails unless every slice is marked as done, with
/// all of its items decided.
fn summed(plan: &Plan, counts: &[Count], serial: u32) -> Result<Vec<u64>, GpuError> {
    let mut sums = vec![0; plan.units];
    let slices = plan.slices.len();
    let mut undone = slices;
    for (slice, count) in plan.slices.iter().zip(counts).filter(|(_, count)| count.serial == serial) {
        let (items, decided) = (slice.items, count.decided);
        if decided != items {
            return Err(GpuError::Undecided { items, decided });
        }
        sums[slice.unit as usize] += u64::from(count.found);
        undone -= 1;
    }
    if undone == 0 { Ok(sums) } else { Err(GpuError::Undone { undone, slices }) }
}

/// The number of items of each of these boss placements.
fn items(placements: &[BossPlacement]) -> Vec<u32> {
    placements.iter().map(|placement| ITEMS[placement.slots() as usize]).collect()
}

/// The cost of a boss placement with so many slots.
pub(super) fn cost(slots: u32) -> u64 {
    ROOM.unit_cost + u64::from(ITEMS[slots as usize])
}
