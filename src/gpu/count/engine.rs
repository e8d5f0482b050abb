//! The engine that counts on boss placements with a device.

use std::time::{Duration, Instant};

use super::card::{MAX_PLACEMENTS, MAX_SLICES};
use super::items::{Items, SLICE_ITEMS};
use crate::gpu::GpuError;
use crate::gpu::plan::Room;
use crate::gpu::stream::{Card, Stream};
use crate::shapes::{BossPlacement, assignments};

/// The cost of building a table, in items.
const TABLE_COST: u64 = 64;

/// A device prepared to answer one question.
pub struct Engine {
    items: Items,
    stream: Stream<BossPlacement>,
}

impl Engine {
    /// An engine on this card.
    pub(crate) fn new(card: Box<dyn Card<BossPlacement>>) -> Engine {
        let room = Room { units: MAX_PLACEMENTS, slices: MAX_SLICES, items: SLICE_ITEMS, unit_cost: TABLE_COST };
        Engine { items: Items::new(), stream: Stream::new(card, room) }
    }

    /// How long the device has worked since the engine was made; `None` if unknown.
    pub fn device_time(&self) -> Option<Duration> {
        self.stream.device_time()
    }

    /// Counts on each boss placement, in order. `found` gets its index in the list and its count as soon as they are
    /// known, and may refuse the count. By then every slice is marked as done and no count exceeds its slice; whether
    /// the counts are right is for `found` to check.
    ///
    /// # Errors
    /// As soon as the device fails, a count is invalid, or `found` refuses one. Every later call fails with the same
    /// error.
    pub fn count(
        &mut self,
        placements: &[BossPlacement],
        found: impl FnMut(usize, u64) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        self.stream.run(&self.items, placements, found)
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

    /// The same engine with its card wrapped.
    #[cfg(test)]
    pub(crate) fn through(
        self,
        wrap: impl FnOnce(Box<dyn Card<BossPlacement>>) -> Box<dyn Card<BossPlacement>>,
    ) -> Engine {
        Engine { stream: self.stream.through(wrap), ..self }
    }

    /// Forgets the pace that was measured in the self-test.
    pub(super) fn forget_pace(&mut self) {
        self.stream.forget_pace();
    }
}
