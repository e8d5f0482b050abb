//! Counting on all threads of the CPU.

use rayon::prelude::*;

use crate::count::tally::Workload;
use crate::count::{Counter, Question, Turn};
use crate::run::observer::Observer;
use crate::shapes::BossPlacement;
use crate::threads::Threads;

/// Counts every boss placement of a workload, turn by turn.
pub(super) fn count_on_cpu(
    pool: &Threads,
    question: Question,
    workload: &Workload,
    observer: &dyn Observer,
) -> Vec<u64> {
    /// Boss placements that a thread takes at once: a thousandth of the work or less.
    const CHUNK: usize = 16;
    let count_turn = |turn: &Turn| -> Vec<u64> {
        let count = |counter: &mut Counter, placement: &BossPlacement| {
            let count = counter.count(placement);
            observer.advance(turn.assignments(placement.slots()));
            count
        };
        let placements = workload.placements.par_iter().with_min_len(CHUNK);
        placements.map_init(|| Counter::with(question, turn.sides), count).collect()
    };
    observer.begin(workload.assignments());
    pool.run(|| workload.turns().iter().flat_map(count_turn).collect())
}
