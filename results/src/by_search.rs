//! Compares values of positions with those that a search finds, which knows nothing of the solver.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, ensure};
use dovemate::rules::{Board, Color, Game};
use dovemate_analysis::Analysis;
use dovemate_analysis::Effort;
use dovemate_solver::Value;
use rayon::prelude::*;

/// The number of positions searched in a row by one analysis, which reuses what it found for the earlier ones.
const CHUNK: usize = 100;

/// A position, the player to move, and its value.
pub type Valued = (Board, Color, Value);

/// Searches positions to a number of plies; returns how many are won or lost within them.
///
/// # Errors
/// If the search finds another value for a position that is decided within that many plies, or any value for
/// one that is not.
pub fn agree(game: Game, positions: &[&Valued], plies: u32) -> Result<u64> {
    let decided = AtomicU64::new(0);
    positions.par_chunks(CHUNK).try_for_each(|chunk| {
        let mut analysis = Analysis::by_search(game);
        chunk.iter().try_for_each(|(board, mover, value)| {
            let within = Some(*value).filter(|value| value.plies().is_some_and(|number| number <= plies));
            let found = analysis.value(board, *mover, &Effort::plies(plies))?;
            ensure!(
                found == within,
                "{board}, {} to move: solved as {value}, searched {found:?}",
                mover.name()
            );
            decided.fetch_add(u64::from(found.is_some()), Ordering::Relaxed);
            Ok(())
        })
    })?;
    Ok(decided.into_inner())
}

/// Up to `count` of the items (but at least one, if there are any), at equal intervals.
pub fn drawn<T>(items: &[T], count: usize) -> Vec<&T> {
    items.iter().step_by(items.len().div_ceil(count.max(1)).max(1)).collect()
}
