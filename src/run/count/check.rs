//! Checks of a GPU's counts as they come in, against everything that is known about them.
//!
//! - The CPU counts boss placements by the factored method at the same time; where both have counted, they must agree.
//!   The caller decides whether that is every boss placement or a sample.
//! - Boss placements that a symmetry of their shape maps onto each other must have equal counts.
//! - The counts on a shape must add up to a whole number of positions: see
//!   [`Shape::positions`](crate::shapes::Shape::positions).

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::count::{Counter, Method, Question};
use crate::gpu::GpuError;
use crate::shapes::{BossPlacement, Shape, Symmetry};

/// An unknown count; greater than the number of assignments of any boss placement.
const UNKNOWN: u64 = u64::MAX;

/// The checks of one run.
pub(super) struct Check<'a> {
    placements: &'a [BossPlacement],
    /// For each boss placement, the first one that a symmetry maps onto it.
    twins: Vec<usize>,
    shapes: Vec<ShapeOf>,
    /// The shape whose counts are coming in from the GPU, and their sum so far.
    shape: usize,
    raw: u64,
    counts: Counts<'a>,
}

/// A shape, and where its boss placements are among all.
struct ShapeOf {
    places: Range<usize>,
    shape: Shape,
}

/// The counts of both sides. Each side writes its own count first and then reads the other's, so one of them sees both.
pub(super) struct Counts<'a> {
    placements: &'a [BossPlacement],
    gpu: Vec<AtomicU64>,
    cpu: Vec<AtomicU64>,
    difference: Mutex<Option<GpuError>>,
}

impl<'a> Check<'a> {
    /// A check of counts on all boss placements of some shapes, shape by shape.
    pub fn new(placements: &'a [BossPlacement]) -> Check<'a> {
        let mut twins = Vec::with_capacity(placements.len());
        let mut shapes = Vec::new();
        let mut start = 0;
        for of_shape in placements.chunk_by(|a, b| a.cells() == b.cells()) {
            let shape = ShapeOf::of(start, of_shape, &mut twins);
            start = shape.places.end;
            shapes.push(shape);
        }
        let unknown = || placements.iter().map(|_| AtomicU64::new(UNKNOWN)).collect();
        let counts = Counts { placements, gpu: unknown(), cpu: unknown(), difference: Mutex::new(None) };
        Check { placements, twins, shapes, shape: 0, raw: 0, counts }
    }

    /// Splits off the GPU's side, whose counts come in order, from the counts that both sides write.
    pub fn sides(&mut self) -> (GpuSide<'_>, &Counts<'a>) {
        let Check { placements, twins, shapes, shape, raw, counts } = self;
        (GpuSide { placements, twins, shapes, shape, raw, counts }, counts)
    }

    /// The counts of both sides.
    pub fn counts(&self) -> &Counts<'a> {
        &self.counts
    }
}

/// Takes in a GPU's counts.
pub(super) struct GpuSide<'c> {
    placements: &'c [BossPlacement],
    twins: &'c [usize],
    shapes: &'c [ShapeOf],
    shape: &'c mut usize,
    raw: &'c mut u64,
    counts: &'c Counts<'c>,
}

impl GpuSide<'_> {
    /// Takes in the next boss placement's count. Returns how many boss placements are on shapes that are done: only the
    /// count of a whole shape can be checked by itself.
    ///
    /// # Errors
    /// If it cannot be right, or an earlier one has meanwhile proved wrong.
    pub fn found(&mut self, place: usize, count: u64) -> Result<usize, GpuError> {
        self.counts.gpu[place].store(count, Ordering::SeqCst);
        let cpu = self.counts.cpu[place].load(Ordering::SeqCst);
        self.counts.compare(place, count, cpu);
        self.counts.verdict()?;
        let twin = self.twins[place];
        let expected = self.counts.gpu[twin].load(Ordering::SeqCst);
        if count != expected {
            let [placement, twin] = [place, twin].map(|place| self.placements[place].to_string());
            return Err(GpuError::Asymmetric { placement, twin, found: count, expected });
        }
        let ShapeOf { places, shape } = &self.shapes[*self.shape];
        *self.raw += count;
        if place + 1 == places.end {
            if shape.whole_positions(*self.raw).is_none() {
                return Err(GpuError::Uneven { shape: format!("{:#06x}", self.placements[place].cells().0) });
            }
            *self.shape += 1;
            *self.raw = 0;
            return Ok(place + 1);
        }
        Ok(places.start)
    }
}

impl Counts<'_> {
    /// The number of boss placements.
    pub fn len(&self) -> usize {
        self.placements.len()
    }

    /// The boss placements.
    pub fn placements(&self) -> &[BossPlacement] {
        self.placements
    }

    /// Counts on the CPU: at least `least` boss placements, spread over all, and more until `stop` is set. The last one
    /// comes first, as it has the highest addresses on the card.
    pub fn count_on_cpu(&self, pool: &rayon::ThreadPool, question: Question, least: usize, stop: &AtomicBool) {
        let all = self.placements.len();
        let step = spread(all);
        let next = AtomicUsize::new(0);
        pool.broadcast(|_| {
            let mut counter = Counter::new(Question { method: Method::Factored, ..question });
            loop {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                let is_enough = turn >= least && stop.load(Ordering::Relaxed);
                if turn >= all || is_enough || self.verdict().is_err() {
                    return;
                }
                let place = ((all as u64 - 1 + turn as u64 * step) % all as u64) as usize;
                let count = counter.count(&self.placements[place]);
                self.cpu[place].store(count, Ordering::SeqCst);
                let gpu = self.gpu[place].load(Ordering::SeqCst);
                self.compare(place, gpu, count);
            }
        });
    }

    fn compare(&self, place: usize, gpu: u64, cpu: u64) {
        if gpu == UNKNOWN || cpu == UNKNOWN {
            return;
        }
        if let Err(error) = GpuError::unless_equal(&self.placements[place], gpu, cpu) {
            self.difference.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// Fails with the first difference found, if any.
    pub fn verdict(&self) -> Result<(), GpuError> {
        let difference = self.difference.lock().unwrap_or_else(PoisonError::into_inner);
        difference.clone().map_or(Ok(()), Err)
    }

    /// The CPU's count by the factored method, if it has been made.
    pub fn on_cpu(&self, place: usize) -> Option<u64> {
        Some(self.cpu[place].load(Ordering::SeqCst)).filter(|&count| count != UNKNOWN)
    }

    /// The number of boss placements, among the first `places`, that both sides have counted.
    pub fn compared(&self, places: usize) -> usize {
        let known = |counts: &[AtomicU64], place: usize| counts[place].load(Ordering::SeqCst) != UNKNOWN;
        (0..places).filter(|&place| known(&self.gpu, place) && known(&self.cpu, place)).count()
    }
}

impl ShapeOf {
    /// The shape of the boss placements that start at `start`; adds the twin of each to `twins`.
    fn of(start: usize, placements: &[BossPlacement], twins: &mut Vec<usize>) -> ShapeOf {
        let cells = placements[0].cells();
        let extent = cells.extent();
        let symmetries: Vec<Symmetry> = Symmetry::all().filter(|symmetry| symmetry.image(cells) == cells).collect();
        let first_image = |placement: &BossPlacement| {
            let image = |symmetry: &Symmetry| {
                [placement.own_boss(), placement.opposing_boss()].map(|cell| symmetry.image_of_cell(cell, extent))
            };
            let images: Vec<[u32; 2]> = symmetries.iter().map(image).collect();
            placements.iter().position(|other| images.contains(&[other.own_boss(), other.opposing_boss()]))
        };
        for (place, placement) in placements.iter().enumerate() {
            let first = if symmetries.len() > 1 { first_image(placement) } else { None };
            twins.push(start + first.unwrap_or(place));
        }
        ShapeOf { places: start..start + placements.len(), shape: Shape::canonical(cells) }
    }
}

/// A step that visits all of `all` places, and spreads them evenly from the start: about `all` divided by the golden
/// ratio.
fn spread(all: usize) -> u64 {
    fn common_divisor(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { common_divisor(b, a % b) }
    }
    let all = all as u64;
    (all * 618 / 1000..).find(|&step| common_divisor(step, all) == 1).unwrap_or(1)
}
