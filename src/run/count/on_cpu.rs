//! Counting on all threads of the CPU.

use rayon::prelude::*;

use crate::count::tally::Workload;
use crate::count::{Counter, Question, Turn};
use crate::run::error::RunError;
use crate::run::observer::Observer;
use crate::shapes::BossPlacement;
use crate::threads::Threads;

/// Counts every boss placement of a workload, turn by turn.
///
/// # Errors
/// If the observer stops it.
pub(super) fn count_on_cpu(
    pool: &Threads,
    question: Question,
    workload: &Workload,
    observer: &dyn Observer,
) -> Result<Vec<u64>, RunError> {
    /// Boss placements that a thread takes at once: a thousandth of the work or less.
    const CHUNK: usize = 16;
    let count_turn = |turn: &Turn| -> Result<Vec<u64>, RunError> {
        let count = |counter: &mut Counter, placement: &BossPlacement| {
            if observer.is_stopped() {
                return Err(RunError::Stopped);
            }
            let count = counter.count(placement);
            observer.advance(turn.assignments(placement.slots()));
            Ok(count)
        };
        let placements = workload.placements.par_iter().with_min_len(CHUNK);
        placements.map_init(|| Counter::with(question, turn.sides), count).collect()
    };
    observer.begin(workload.assignments());
    let by_turn: Vec<Vec<u64>> =
        pool.run(|| workload.turns().iter().map(count_turn).collect::<Result<_, _>>())?;
    Ok(by_turn.concat())
}
