//! Counting a category of one's own: the positions that a function accepts.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::reference::boards;
use super::tally::TallyRow;
use super::{Category, Workload};
use crate::rules::{Board, Color};

/// The positions of Tokyo Doves that a function accepts, by number of doves, up to symmetry. The function must treat
/// all images of a position alike; `None` if the number on some shape shows that it does not. It is called for every
/// assignment, on all threads, with red to move: 1.7 million with up to five doves, 55 million with six, 855 million
/// with seven.
///
/// ```
/// use dovemate::count::count_where;
/// use dovemate::{Category, Count, Rules, Verdict, count, decide};
///
/// let is_won = |board: &_, mover| decide(board, mover, Rules::default()) == Verdict::WinInOne;
/// let rows = count_where(5..=5, is_won).expect("symmetries preserve it");
/// assert_eq!(rows, count(Count::new(Category::Wins).doves(5..=5))?.rows);
/// # Ok::<(), dovemate::RunError>(())
/// ```
pub fn count_where(
    doves: RangeInclusive<u32>,
    is_named: impl Fn(&Board, Color) -> bool + Sync,
) -> Option<Vec<TallyRow>> {
    // Unlike the workload for mates, this one is not pruned.
    let workload = Workload::new(&doves, Category::Stuck);
    let named = |placement| boards(placement).filter(|board| is_named(board, Color::Red)).count() as u64;
    let counts: Vec<u64> = workload.placements.par_iter().map(named).collect();
    let mut shapes = workload.shapes();
    let is_whole =
        shapes.all(|(shape, placements)| shape.whole_positions(counts[placements].iter().sum()).is_some());
    is_whole.then(|| workload.tally(&counts).rows)
}
