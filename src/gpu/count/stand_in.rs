//! Cards for tests: one that counts on the CPU, and one that falsifies the counts of another.

use std::collections::VecDeque;
use std::time::Duration;

use super::items::Items;
use crate::count::{Counter, Method, Question};
use crate::gpu::GpuError;
use crate::gpu::plan::Slice;
use crate::gpu::stream::{Card, Count, Work};
use crate::shapes::BossPlacement;

/// Counts on the CPU, always by the factored method. The count of a boss placement is attributed to its first slices.
pub(crate) struct Honest {
    items: Items,
    counter: Counter,
    /// An extra delay for every batch.
    pub delay: Duration,
    flights: VecDeque<Vec<Count>>,
}

impl Honest {
    pub fn new(question: Question) -> Honest {
        let counter = Counter::new(Question { method: Method::Factored, ..question });
        Honest { items: Items::new(), counter, delay: Duration::ZERO, flights: VecDeque::new() }
    }
}

impl Card<BossPlacement> for Honest {
    fn max_in_flight(&self) -> usize {
        2
    }

    fn submit(&mut self, placements: &[BossPlacement], slices: &[Slice], serial: u32) {
        let counts: Vec<u64> = placements.iter().map(|placement| self.counter.count(placement)).collect();
        let count = |slice: &Slice| {
            let placement = &placements[slice.unit as usize];
            let before = Slice { first_item: 0, items: slice.first_item, ..*slice };
            let through = Slice { first_item: 0, items: slice.first_item + slice.items, ..*slice };
            let [before, through] =
                [before, through].map(|slice| self.items.most(placement, &slice).min(counts[slice.unit as usize]));
            Count { found: (through - before) as u32, decided: slice.items, serial }
        };
        self.flights.push_back(slices.iter().map(count).collect());
    }

    fn target(&self) -> Duration {
        Duration::from_millis(100)
    }

    fn collect(&mut self) -> Result<Vec<Count>, GpuError> {
        std::thread::sleep(self.delay);
        Ok(self.flights.pop_front().expect("a batch is under way"))
    }

    fn device_time(&self) -> Option<Duration> {
        None
    }
}

/// A fault injected for a boss placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// The count is one too high, or one too low if it is already at the maximum.
    Wrong,
    /// The count exceeds the maximum.
    Excess,
    /// One item has not been decided.
    Undone,
    /// Not a lie: the work was killed, and the mark is that of the batch before.
    Stale,
    /// Not a lie: the work was killed, and results are missing at the end of the batch.
    Short,
    /// Not a lie: the work times out.
    Hangs,
    /// Not a lie: the device is lost.
    Lost,
    /// Not a lie: the device is lost, and wgpu panics.
    Panics,
}

impl Lie {
    pub const MISCOUNTS: [Lie; 3] = [Lie::Wrong, Lie::Excess, Lie::Undone];
    pub const LOSSES: [Lie; 5] = [Lie::Stale, Lie::Short, Lie::Hangs, Lie::Lost, Lie::Panics];
}

/// Forwards batches to another card and falsifies the results of some boss placements.
pub(crate) struct Liar {
    pub card: Box<dyn Card<BossPlacement>>,
    pub lies: Vec<(BossPlacement, Lie)>,
    flights: VecDeque<Vec<(usize, u32, Lie)>>,
    items: Items,
}

impl Liar {
    pub fn new(card: Box<dyn Card<BossPlacement>>, lies: Vec<(BossPlacement, Lie)>) -> Liar {
        Liar { card, lies, flights: VecDeque::new(), items: Items::new() }
    }
}

impl Card<BossPlacement> for Liar {
    fn max_in_flight(&self) -> usize {
        self.card.max_in_flight()
    }

    fn submit(&mut self, placements: &[BossPlacement], slices: &[Slice], serial: u32) {
        let lies = slices.iter().enumerate().flat_map(|(place, slice)| {
            let placement = placements[slice.unit as usize];
            let room = self.items.most(&placement, slice) as u32;
            let about_it = self.lies.iter().filter(move |(about, _)| *about == placement && slice.first_item == 0);
            about_it.map(move |&(_, lie)| (place, room, lie))
        });
        self.flights.push_back(lies.collect());
        let tells = |wanted: Lie| self.flights.back().is_some_and(|lies| lies.iter().any(|&(_, _, lie)| lie == wanted));
        let (is_lost, panics, hangs) = (tells(Lie::Lost), tells(Lie::Panics), tells(Lie::Hangs));
        if is_lost {
            self.card.lose();
        }
        if panics {
            self.card.panic();
        }
        self.card.submit(placements, slices, serial);
        if hangs {
            self.card.hang();
        }
    }

    fn target(&self) -> Duration {
        self.card.target()
    }

    fn collect(&mut self) -> Result<Vec<Count>, GpuError> {
        let lies = self.flights.pop_front().expect("a batch is under way");
        let mut counts = self.card.collect()?;
        for (place, room, lie) in lies {
            match lie {
                Lie::Wrong if counts[place].found < room => counts[place].found += 1,
                Lie::Wrong => counts[place].found -= 1,
                Lie::Excess => counts[place].found = room + 1,
                Lie::Undone => counts[place].decided -= 1,
                Lie::Stale => counts[place].serial = counts[place].serial.wrapping_sub(1),
                Lie::Short => counts.truncate(place),
                Lie::Hangs => return Err(GpuError::Timeout(120)),
                Lie::Lost | Lie::Panics => return Err(GpuError::Lost("by a test".to_owned())),
            }
        }
        Ok(counts)
    }

    fn device_time(&self) -> Option<Duration> {
        self.card.device_time()
    }
}
