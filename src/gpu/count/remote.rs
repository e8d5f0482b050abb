//! A count on a GPU that somebody else drives, as a page does by WebGPU: what its device must be and compute,
//! the words of each batch, and the comparison of what comes back with the CPU's count on every boss
//! placement.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use serde::Serialize;

use super::batches::{Batches, MAX_IN_FLIGHT, MAX_PLACEMENTS, MAX_SLICES};
use super::forecast::Forecast;
use super::layout::{Count, TABLE_SIZE, Upload, constants};
use super::self_test::known_placements;
use super::shaders::{TABLES_PER_WORKGROUP, slice_module, table_module};
use crate::count::tally::{TallyRow, Workload};
use crate::count::{Category, Counter, Method, Question};
use crate::gpu::known_answer::KnownAnswer;
use crate::gpu::module::Module;
use crate::gpu::{GpuError, barriers, limits, words};
use crate::rules::Rules;
use crate::shapes::{BossPlacement, Shape};

/// What drives the device must know.
#[derive(Debug, Serialize)]
pub struct RemoteDevice {
    /// The limits that a device must offer, by their names in WebGPU.
    limits: BTreeMap<&'static str, u64>,
    build_tables: Module,
    count_slice: Module,
    tables_per_workgroup: u32,
    /// Bytes of a refutation table.
    table_bytes: u64,
    /// Bytes of a slice's result.
    count_bytes: usize,
    /// The content of the buffer of constants.
    constants: Vec<u32>,
    placements_in_batch: usize,
    slices_in_batch: usize,
    max_in_flight: usize,
    /// What the device must compute before it counts.
    known: Vec<NamedAnswer>,
}

/// A known answer.
#[derive(Debug, Serialize)]
struct NamedAnswer {
    name: &'static str,
    #[serde(flatten)]
    known: KnownAnswer,
    /// The buffer that is bound between the uniform and the answer, if any: it is all zeros, before and
    /// afterwards.
    buffer: Option<&'static str>,
}

impl RemoteDevice {
    /// For a category, under these rules.
    pub fn new(category: Category, rules: Rules) -> RemoteDevice {
        let large = |buffer, bytes| NamedAnswer {
            name: "words",
            known: words::known_answer(bytes),
            buffer: Some(buffer),
        };
        RemoteDevice {
            limits: limits::by_name(),
            build_tables: table_module(rules),
            count_slice: slice_module(category),
            tables_per_workgroup: TABLES_PER_WORKGROUP,
            table_bytes: TABLE_SIZE,
            count_bytes: size_of::<Count>(),
            constants: constants(),
            placements_in_batch: MAX_PLACEMENTS,
            slices_in_batch: MAX_SLICES,
            max_in_flight: MAX_IN_FLIGHT,
            known: vec![
                NamedAnswer { name: "barriers", known: barriers::known_answer(), buffer: None },
                large("tables", MAX_PLACEMENTS as u64 * TABLE_SIZE),
                large("counts", (MAX_SLICES * size_of::<Count>()) as u64),
            ],
        }
    }
}

/// How far a count has come.
#[derive(Debug, Serialize)]
pub struct RemoteProgress {
    /// The boss placements on which the device and the CPU agree.
    placements: usize,
    /// The number of assignments that were tested on these.
    assignments: u64,
    /// What was found on them; positions are those on shapes of which all boss placements are counted.
    rows: Vec<TallyRow>,
    /// Whether these were the counts of the self-test.
    self_test: bool,
    /// About how long the rest will take; unknown in the self-test, but to its last batch.
    seconds_left: Option<f64>,
}

/// A count in Tokyo Doves itself, of which the self-test is the beginning.
pub struct RemoteCount {
    question: Question,
    batches: Batches,
    counter: Counter,
    workload: Workload,
    phase: Phase,
    /// The boss placements of this phase.
    placements: Vec<BossPlacement>,
    forecast: Forecast,
    agreed: Agreed,
}

/// How far the device is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It counts on boss placements of many sizes.
    Known,
    /// It counts on so many of those that are left, spread evenly: the rest will take accordingly long.
    Sample(usize),
    /// It counts on all that are left.
    Count,
}

/// What the device and the CPU agree on.
#[derive(Default)]
struct Agreed {
    /// The shapes that are not counted to the end, the next one last.
    shapes: Vec<(Shape, Range<usize>)>,
    /// The number of boss placements.
    placements: usize,
    /// The sum of the counts on the next shape.
    sum: u64,
    rows: Vec<TallyRow>,
}

impl RemoteCount {
    /// A count of positions of a category, with these numbers of doves on the board.
    pub fn new(category: Category, rules: Rules, doves: &RangeInclusive<u32>) -> RemoteCount {
        let question = Question { category, rules, method: Method::Factored };
        let workload = Workload::new(doves, category);
        let mut agreed = Agreed { shapes: workload.shapes().collect(), ..Agreed::default() };
        agreed.shapes.reverse();
        agreed.close();
        let mut count = RemoteCount {
            question,
            batches: Batches::default(),
            counter: Counter::new(question),
            workload,
            phase: Phase::Known,
            placements: Vec::new(),
            forecast: Forecast::default(),
            agreed,
        };
        count.resume();
        count
    }

    /// Goes on where it was, with another device, or one that is opened again: the self-test comes first.
    /// What was on its way counts as lost.
    pub fn resume(&mut self) {
        self.batches.forget_pace();
        let known = known_placements(self.question);
        self.enter(Phase::Known, known.into_iter().map(|(placement, _)| placement).collect());
    }

    /// What is counted on.
    pub fn workload(&self) -> &Workload {
        &self.workload
    }

    /// The words of the next batch: the numbers of its boss placements and of its slices, its serial number,
    /// a word for each boss placement and four for each slice. `None` while as many are in flight as may be,
    /// and when all are sent.
    pub fn next_batch(&mut self) -> Option<Vec<u32>> {
        let (plan, serial) = self.batches.next()?;
        let placements = &self.placements[plan.first..][..plan.units];
        Some(Upload::new(placements, &plan.slices, serial).words())
    }

    /// Takes in the words that came back for the oldest batch in flight, three for each slice, and compares
    /// what they say. Since the batch before, so much time has `elapsed`, in which the device has `worked` so
    /// long: what it did comes back late where a browser looks for it ten times a second.
    ///
    /// # Errors
    /// If they are incomplete, or differ from what the CPU finds. Then there are no more batches.
    pub fn take(
        &mut self,
        words: &[u32],
        elapsed: Duration,
        worked: Duration,
    ) -> Result<RemoteProgress, GpuError> {
        let RemoteCount { batches, counter, workload, phase, placements, agreed, .. } = self;
        let (triples, _) = words.as_chunks();
        let counts: Vec<Count> =
            triples.iter().map(|&[found, decided, serial]| Count { found, decided, serial }).collect();
        let turn = &workload.turns()[0];
        let is_count = *phase == Phase::Count;
        let taken = batches.take(&counts, worked, |index, found| {
            let placement = &placements[index];
            GpuError::unless_equal(placement, found, counter.count(placement))?;
            if is_count {
                agreed.add(found, turn.assignments(placement.slots()));
            }
            Ok(())
        });
        let plan = match taken {
            Ok(plan) => plan,
            Err(error) => {
                batches.begin(&[]);
                return Err(error);
            }
        };
        self.forecast.learn(&placements[plan.first..][..plan.units], plan.cost, elapsed, worked);
        while self.batches.are_done() && self.phase != Phase::Count {
            self.go_on();
        }
        let is_forecast = self.phase == Phase::Count;
        let left = is_forecast.then(|| self.forecast.time(self.left())).flatten();
        let rows = self.agreed.rows.clone();
        Ok(RemoteProgress {
            placements: self.agreed.placements,
            assignments: rows.iter().map(|row| row.assignments).sum(),
            rows,
            self_test: !is_count,
            seconds_left: left.map(|left| left.as_secs_f64()),
        })
    }

    /// The boss placements on which nothing is agreed yet.
    fn left(&self) -> &[BossPlacement] {
        &self.workload.placements[self.agreed.placements..]
    }

    /// Begins the phase that follows the one that is done.
    fn go_on(&mut self) {
        /// How long a device is to work on a sample, at least, unless that is a large part of all.
        const ENOUGH: Duration = Duration::from_millis(100);
        const FIRST_SAMPLE: usize = 4;
        const GROWTH: usize = 4;
        let all = self.left().len();
        let size = match self.phase {
            Phase::Known => {
                // What was counted so far was not typical.
                self.batches.forget_pace();
                FIRST_SAMPLE
            }
            Phase::Sample(size) if self.forecast.worked() < ENOUGH && size * GROWTH * GROWTH < all => {
                size * GROWTH
            }
            Phase::Sample(_) | Phase::Count => {
                self.forecast.begin();
                return self.enter(Phase::Count, self.left().to_vec());
            }
        };
        self.forecast = Forecast::default();
        let step = (all / size).max(1);
        // The middles of equal parts; their ends would give the smallest boss placements too much weight.
        self.enter(Phase::Sample(size), self.left().iter().skip(step / 2).step_by(step).copied().collect());
    }

    fn enter(&mut self, phase: Phase, placements: Vec<BossPlacement>) {
        self.phase = phase;
        self.placements = placements;
        self.batches.begin(&self.placements);
    }
}

impl Agreed {
    /// Adds the count on the next boss placement, which has so many assignments.
    fn add(&mut self, found: u64, assignments: u64) {
        let row = self.row();
        row.boss_placements += 1;
        row.assignments += assignments;
        self.placements += 1;
        self.sum += found;
        self.close();
    }

    /// The row of the next shape.
    fn row(&mut self) -> &mut TallyRow {
        let doves = self.shapes.last().expect("a boss placement has a shape").0.doves();
        if self.rows.last().is_none_or(|row| row.doves != doves) {
            self.rows.push(TallyRow { doves, ..TallyRow::default() });
        }
        self.rows.last_mut().expect("a row was just added")
    }

    /// Adds the shapes up of which all boss placements are counted.
    fn close(&mut self) {
        while let Some((shape, places)) = self.shapes.last().cloned()
            && places.end <= self.placements
        {
            let positions = shape.positions(std::mem::take(&mut self.sum));
            let row = self.row();
            row.shapes += 1;
            row.positions += positions;
            self.shapes.pop();
        }
    }
}
