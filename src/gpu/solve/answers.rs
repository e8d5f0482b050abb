//! Whether the answer of a batch is valid. Nothing else that a card returns is used.

use rayon::prelude::*;

use super::card::{BatchAnswer, Blocks, SolveStage};
use super::layout::SolveBatch;
use super::new_blocks::{NewBlocks, garbled};
use crate::gpu::GpuError;
use crate::gpu::stream::check_done;
use crate::solve::space::layout::ClassId;

/// What a batch has found, if the answer is valid: every workgroup has decided all its rows, every block that arrived
/// is one of the batch and arrived once, no row has bits beyond its deals, and the bits of each workgroup's blocks are
/// as many as it has counted.
pub fn believed(
    stage: SolveStage,
    class: ClassId,
    of_class: &SolveBatch,
    teams: u32,
    blocks: &Blocks,
    serial: u32,
    answer: BatchAnswer,
) -> Result<NewBlocks, GpuError> {
    let count = blocks.count();
    let each = if stage == SolveStage::Ends { of_class.own_words } else { of_class.rows };
    let workgroups = count.div_ceil(teams) as usize;
    let marked = (0..).zip(answer.counts.iter().take(workgroups)).filter(|(_, counts)| counts[2] == serial);
    let items = |place: u32| each * teams.min(count - place * teams);
    check_done(workgroups, marked.map(|(place, counts)| (items(place), counts[1])))?;
    let nothing = NewBlocks { is_win: stage == SolveStage::Wins, class, blocks: Vec::new(), words: Vec::new() };
    if matches!(stage, SolveStage::Ends | SolveStage::Add) {
        return Ok(nothing);
    }
    let size = (of_class.rows * of_class.own_words) as usize;
    let mut entries: Vec<&[u32]> = answer.found.chunks_exact(size + 1).collect();
    entries.par_sort_unstable_by_key(|entry| entry[0]);
    let garbled = |block: u32, reason| garbled(class, block, reason);
    // The bits in each word of a row that belong to no deal.
    let padding = |word: u32| {
        let bits = of_class.width.saturating_sub(32 * word).min(32);
        if bits == 32 { 0 } else { u32::MAX << bits }
    };
    let paddings: Vec<u32> = (0..of_class.own_words).map(padding).collect();
    // For each block, its number of bits, and whether it has bits that belong to no deal.
    let looked_at: Vec<(u32, bool)> = entries
        .par_iter()
        .map(|entry| {
            let rows = entry[1..].iter().zip(paddings.iter().cycle());
            rows.fold((0, false), |(bits, padded), (word, padding)| {
                (bits + word.count_ones(), padded | (word & padding != 0))
            })
        })
        .collect();
    let mut left: Vec<u32> = answer.counts.iter().map(|count| count[0]).collect();
    let mut numbers: Vec<u32> = Vec::with_capacity(entries.len());
    for (entry, &(bits, padded)) in entries.iter().zip(&looked_at) {
        let number = entry[0];
        let place = match blocks {
            Blocks::From(blocks) => blocks.contains(&number).then(|| number - blocks.start),
            Blocks::Listed(list) => list.binary_search(&number).ok().map(|place| place as u32),
        };
        let place = place.ok_or_else(|| garbled(number, "it is none of the batch"))?;
        if numbers.last() == Some(&number) {
            return Err(garbled(number, "it came twice"));
        }
        if padded {
            return Err(garbled(number, "it has bits that are no deal's"));
        }
        let left = &mut left[(place / teams) as usize];
        let rest = left.checked_sub(bits).filter(|_| bits > 0);
        *left = rest.ok_or_else(|| garbled(number, "its bits are not those that were counted"))?;
        numbers.push(number);
    }
    let mut words = vec![0; entries.len() * size];
    words.par_chunks_exact_mut(size).zip(&entries).for_each(|(words, entry)| words.copy_from_slice(&entry[1..]));
    match left.iter().position(|&left| left > 0) {
        None => Ok(NewBlocks { blocks: numbers, words, ..nothing }),
        Some(workgroup) => {
            let place = workgroup as u32 * teams;
            let number = match blocks {
                Blocks::From(blocks) => blocks.start + place,
                Blocks::Listed(list) => list[place as usize],
            };
            Err(garbled(number, "bits that were counted in it or beside it have not come"))
        }
    }
}
