//! What a browser needs to count mates on its own GPU by WebGPU: the modules, the limits, the known answers
//! and the numbers that the host here works with, so that the browser's script has none of its own.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::batches::{MAX_IN_FLIGHT, MAX_SLICES, ROOM, items};
use super::items::ITEMS;
use super::layout::{Count, TABLE_SIZE, Upload, constants, placement_word};
use super::plan::{Planner, Room};
use super::self_test::known_placements;
use super::shaders::{TABLES_PER_WORKGROUP, slice_module, table_module};
use crate::count::tally::{ALL_DOVES, TallyRow, Workload};
use crate::count::{Category, Counter, Method, Question};
use crate::gpu::known_answer::KnownAnswer;
use crate::gpu::module::Module;
use crate::gpu::{barriers, limits, pace, words};
use crate::rules::Rules;
use crate::shapes::BossPlacement;

/// The mates of the whole game as a browser counts them, and the CPU's counts.
#[derive(Debug, Serialize)]
pub struct BrowserCount {
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
    room: Room,
    pace: BTreeMap<&'static str, u64>,
    max_in_flight: usize,
    /// The items of a boss placement, by its number of slots.
    items: Vec<u32>,
    /// What a device must compute before it counts; the last two, on the buffers of tables and of counts.
    barriers: KnownAnswer,
    large_tables: KnownAnswer,
    large_counts: KnownAnswer,
    /// The boss placements that are counted first, by their indices.
    known: Vec<usize>,
    /// Each shape's number of boss placements, and its positions for each assignment, in eighths.
    shapes: Vec<[u64; 2]>,
    /// The boss placements, shape by shape and by number of doves, as the words that a device gets, each as
    /// its difference from the one before: so they take less in a file.
    placement_steps: Vec<i64>,
    /// The CPU's count on each boss placement, by the factored method.
    counts: Vec<u64>,
    /// The CPU's counts by number of doves.
    rows: Vec<TallyRow>,
}

impl BrowserCount {
    /// Counts on the CPU, and puts together what a browser needs to do the same.
    pub fn new(rules: Rules) -> BrowserCount {
        let question = Question { category: Category::Mates, rules, method: Method::Factored };
        let workload = workload();
        let placements = &workload.placements;
        let count = |counter: &mut Counter, placement: &BossPlacement| counter.count(placement);
        let counts: Vec<u64> = placements.par_iter().map_init(|| Counter::new(question), count).collect();
        let index = |known: &BossPlacement| placements.iter().position(|placement| placement == known);
        BrowserCount {
            limits: limits::by_name(),
            build_tables: table_module(rules),
            count_slice: slice_module(Category::Mates),
            tables_per_workgroup: TABLES_PER_WORKGROUP,
            table_bytes: TABLE_SIZE,
            count_bytes: size_of::<Count>(),
            constants: constants(),
            room: ROOM,
            pace: pace::numbers(),
            max_in_flight: MAX_IN_FLIGHT,
            items: ITEMS.to_vec(),
            barriers: barriers::known_answer(),
            large_tables: words::known_answer(ROOM.units as u64 * TABLE_SIZE),
            large_counts: words::known_answer((MAX_SLICES * size_of::<Count>()) as u64),
            known: known_placements(question).iter().filter_map(|(placement, _)| index(placement)).collect(),
            shapes: workload
                .shapes()
                .map(|(shape, places)| [places.len() as u64, shape.weight_in_eighths()])
                .collect(),
            placement_steps: placements
                .iter()
                .map(|placement| i64::from(placement_word(placement)))
                .scan(0, |last, word| Some(word - std::mem::replace(last, word)))
                .collect(),
            rows: workload.tally(&counts).rows,
            counts,
        }
    }
}

fn workload() -> Workload {
    Workload::new(&ALL_DOVES, Category::Mates)
}

/// The words that the host here sends with its first batches, if its pace asks for these costs: of the batch
/// itself, of its boss placements and of its slices.
pub fn uploads(costs: &[u64]) -> Vec<[Vec<u32>; 3]> {
    let placements = workload().placements;
    let mut planner = Planner::new(items(&placements), ROOM);
    let upload = |(serial, &cost)| {
        let plan = planner.next(cost)?;
        let upload = Upload::new(&placements[plan.first..plan.first + plan.units], &plan.slices, serial);
        let words = |bytes: &[u8]| bytemuck::pod_collect_to_vec(bytes);
        Some([
            words(bytemuck::bytes_of(&upload.batch)),
            upload.placements,
            words(bytemuck::cast_slice(&upload.slices)),
        ])
    };
    (1..).zip(costs).map_while(upload).collect()
}
