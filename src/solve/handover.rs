//! Handover of a game from memory to files: the rounds finished in memory become the files of these rounds.
//!
//! In memory all parts of a game advance together, round by round; in files they are solved one after the other. Rounds
//! are strict, so each part has the same ones either way; where a part finished earlier, its last rounds are empty.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::by_parts::{ByParts, SHARD_BYTES};
use super::driver::Halted;
use super::files::archive::{Create, Frame, TableError};
use super::files::journal::{Journal, Shard, WinOrLoss};
use super::files::keep::Keep;
use super::rounds::round_tally::{GroupTally, RoundTally};

/// The fewest files that a game has for each round.
const MIN_SHARDS: u64 = 16;

/// Writes the rounds that a solver with distances has finished into the folder of the game, which exists. For
/// `small_bytes` see [`Layout::parts`](super::space::layout::Layout::parts); `memory` is that of [`ByParts::new`].
/// Returns the game, to be solved further in files.
///
/// # Errors
/// If a file cannot be written. Rounds that were written whole stay.
pub fn hand_over(
    mut halted: Box<Halted>,
    game_folder: &Path,
    small_bytes: u64,
    memory: Option<u64>,
    create: Create<'_>,
) -> Result<ByParts, TableError> {
    let compiled = halted.rounds.compiled.clone();
    let index = compiled.index.clone();
    let parts = index.layout.parts(small_bytes);
    let shard_bytes = (index.layout.plane_bytes() / MIN_SHARDS).clamp(1, SHARD_BYTES);
    let mut journals = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let journal = Journal::new(game_folder, &index, part, number, Keep::Everything);
        journal.prepare()?;
        let bytes: u64 = part.classes.iter().map(|&class| index.layout.classes[class].bytes() as u64).sum();
        let shards = (bytes.div_ceil(shard_bytes).max(1) as usize).min(journal.most_shards());
        journals.push((journal, shards));
    }
    // Before the first whole round there is nothing to write.
    let rounds = if halted.round == 0 { 0 } else { halted.round + 1 };
    for round in 0..rounds {
        for (journal, shards) in &journals {
            write_round(&halted, round, journal, *shards, create)?;
        }
        if round > 1 {
            // The wins in 1 are those that no later round has found; they have been written.
            halted.rounds.forget(round);
        }
    }
    drop((journals, index, halted));
    Ok(ByParts::of(compiled, game_folder, small_bytes, memory, Keep::Everything))
}

/// Writes a round of a part.
fn write_round(
    halted: &Halted,
    round: u32,
    journal: &Journal,
    shards: usize,
    create: Create<'_>,
) -> Result<(), TableError> {
    let index = journal.index();
    let mut tallies = [RoundTally::default(), RoundTally::default()];
    for (outcome, all) in WinOrLoss::ALL.into_iter().zip(&mut tallies) {
        let all = Mutex::new(all);
        for shard in Shard::all(shards) {
            let frame = |&(class, group): &(usize, usize)| {
                let found = halted.rounds.with_value(outcome.value(round), class, group);
                let tally = GroupTally::new(index, None, class, group, &found);
                all.lock().unwrap_or_else(PoisonError::into_inner).add(index, tally);
                journal.frame(round, outcome, class, group, found)
            };
            let frames = journal.groups(shard).par_iter().map(frame).collect::<io::Result<Vec<Frame>>>();
            let frames = frames.map_err(|error| TableError::Unwritten(journal.folder().to_owned(), error))?;
            journal.write(round, outcome, shard, frames, create)?;
        }
    }
    journal.finish(round, shards, &tallies, create).map(|_| ())
}
