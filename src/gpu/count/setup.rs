//! The setup of a device for a count.

use std::collections::BTreeMap;

use serde::Serialize;

use super::batches::{MAX_IN_FLIGHT, MAX_PLACEMENTS};
use super::layout::{HEAD_WORDS, RESULT_WORDS, TABLE_SIZE, constants};
use super::shaders::{TABLES_PER_WORKGROUP, count_module, table_module};
use crate::count::Category;
use crate::gpu::module::{KnownAnswer, Module};
use crate::gpu::{barriers, limits, words};
use crate::rules::Rules;

/// The shaders, the sizes of the buffers, and the known answers that come before a count.
#[derive(Debug, Serialize)]
pub struct Setup {
    /// The limits that a device must offer, by their names in WebGPU.
    pub limits: BTreeMap<&'static str, u64>,
    /// Stage 1, with one invocation for a group of a table.
    pub build_tables: Module,
    /// Boss placements in a workgroup of stage 1.
    pub tables_per_workgroup: u32,
    /// Stage 2, with one workgroup for a boss placement.
    pub count_placement: Module,
    /// Words at the head of a batch, which go to the uniform buffer; a word for each boss placement follows.
    pub head_words: usize,
    /// Bytes of a refutation table.
    pub table_bytes: u64,
    /// Words of a boss placement's result.
    pub result_words: usize,
    /// The content of the buffer of constants.
    pub constants: Vec<u32>,
    /// The most boss placements in a batch.
    pub placements_in_batch: usize,
    /// The most batches in flight.
    pub max_in_flight: usize,
    /// The known answers that the device must compute before it counts.
    pub known: Vec<KnownAnswer>,
}

impl Setup {
    /// All modules that are sent to a device: the kernels of the self-test, the tables under every rule variant, and
    /// the counts of every category.
    pub fn modules() -> Vec<Module> {
        let kernels = [barriers::known_answer(), words::known_answer("tables", TABLE_SIZE)];
        let stages = Rules::variants().map(table_module).chain(Category::ALL.map(count_module));
        kernels.map(|kernel| kernel.module).into_iter().chain(stages).collect()
    }

    /// The setup for counting a category under these rules.
    pub fn new(category: Category, rules: Rules) -> Setup {
        let placements = MAX_PLACEMENTS as u64;
        Setup {
            limits: limits::by_name(),
            build_tables: table_module(rules),
            tables_per_workgroup: TABLES_PER_WORKGROUP,
            count_placement: count_module(category),
            head_words: HEAD_WORDS,
            table_bytes: TABLE_SIZE,
            result_words: RESULT_WORDS,
            constants: constants(),
            placements_in_batch: MAX_PLACEMENTS,
            max_in_flight: MAX_IN_FLIGHT,
            known: vec![
                barriers::known_answer(),
                words::known_answer("tables", placements * TABLE_SIZE),
                words::known_answer("results", placements * 4 * RESULT_WORDS as u64),
            ],
        }
    }
}
