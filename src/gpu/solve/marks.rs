//! The blocks that a round must examine: those with an action that leads to a changed block.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::Ground;
use super::shards::blocks;
use crate::solve::actions::marks::{each_source, no_bits, set_bit};

/// The predecessors of some blocks: for each class, the numbers of the blocks with an action that leads to a changed
/// one, ascending. `changed` has the numbers of the changed blocks of each class.
pub(super) fn before(ground: &Ground, changed: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let layout = &ground.index.layout;
    let marks: Vec<Vec<AtomicU64>> = layout.classes.iter().map(|class| no_bits(blocks(class) as usize)).collect();
    for (class, changed) in changed.iter().enumerate() {
        let sets = layout.classes[class].sets;
        let by_placement = changed.par_chunk_by(|one, other| *one as usize / sets == *other as usize / sets);
        by_placement.for_each(|numbers| {
            let placement = numbers[0] as usize / sets;
            let sets: Vec<usize> = numbers.iter().map(|&number| number as usize % sets).collect();
            each_source(&ground.index, &ground.actions, class, placement, &sets, |source| {
                let number = source.placement * layout.classes[source.class].sets + source.set;
                set_bit(&marks[source.class][number / 64], number);
            });
        });
    }
    let listed = marks.iter().map(|words| {
        let words = words.iter().enumerate();
        let of_word = |(place, word): (usize, &AtomicU64)| {
            let word = word.load(Ordering::Relaxed);
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * place as u32 + bit)
        };
        words.flat_map(of_word).collect()
    });
    listed.collect()
}
