//! The setup of a device for a count.

use super::batches::MAX_PLACEMENTS;
use super::batches::RESULT_WORDS;
use super::layout::{TABLE_SIZE, constants};
use super::shaders::{count_module, table_module};
use crate::count::Category;
use crate::gpu::module::{KnownAnswer, Module};
use crate::gpu::{barriers, words};
use crate::rules::Rules;

/// The shaders, their constants, and the known answers that come before a count.
#[derive(Debug)]
pub struct Setup {
    /// Stage 1, with one invocation per group of a table.
    pub(crate) build_tables: Module,
    /// Stage 2, with one workgroup per boss placement.
    pub(crate) count_placement: Module,
    /// The content of the buffer of constants.
    pub(crate) constants: Vec<u32>,
    /// The known answers that the device must compute before it counts.
    pub(crate) known: Vec<KnownAnswer>,
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
    pub(crate) fn new(category: Category, rules: Rules) -> Setup {
        let placements = MAX_PLACEMENTS as u64;
        Setup {
            build_tables: table_module(rules),
            count_placement: count_module(category),
            constants: constants(),
            known: vec![
                barriers::known_answer(),
                words::known_answer("tables", placements * TABLE_SIZE),
                words::known_answer("results", placements * 4 * RESULT_WORDS as u64),
            ],
        }
    }
}
