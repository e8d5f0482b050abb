//! Checks rounds of a game that is being solved in files. Random positions of a part are searched to a number
//! of plies: the rounds must have found the value that the search finds, or none if it finds none.
//!
//! `cargo result check_rounds -- tables 0 20 1000 5` checks the whole game without returns in the folder
//! `tables`: 1,000 positions of each of 20 groups of the part whose rounds are in `part-000`, 5 plies deep.
//! Append `returns` for the game with returns.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail, ensure};
use dovemate::ask::Asker;
use dovemate::internals::solve::files::game_folder::GameFolder;
use dovemate::internals::solve::files::journal::{HalfRound, Journal};
use dovemate::internals::solve::files::tables::folder_name;
use dovemate::internals::solve::space::index::{BitAddress, Index};
use dovemate_results::games;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, part, groups, count, plies, returns @ ..] = &arguments[..] else {
        bail!(
            "name the folder given to --tables, the part, the groups, the positions of each, and the plies"
        );
    };
    let (part, groups) = (part.parse::<usize>()?, groups.parse::<u64>()?);
    let (count, plies) = (count.parse::<u64>()?, plies.parse()?);
    let game = games::whole(returns)?;
    let index = Arc::new(Index::new(game));
    let layout = &index.layout;
    let parts = layout.parts();
    let of_number = parts.get(part).with_context(|| format!("there are parts 0 to {}", parts.len() - 1))?;
    let folder = GameFolder::new(&Path::new(folder).join(folder_name(&game)));
    let journal = Journal::new(&folder, &index, of_number);
    let all_groups = layout.groups(&of_number.classes);
    let decided = AtomicU64::new(0);
    (0..groups).into_par_iter().try_for_each(|seed| -> Result<()> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut below = |number: usize| (random.next_u64() % number as u64) as usize;
        let group = all_groups[below(all_groups.len())];
        let class = &layout[group.class];
        let mut found = Vec::new();
        for round in 0..=plies {
            let entry = journal.entry(round)?.context("the round is not finished")?;
            for half in HalfRound::both(round) {
                found.push((half, journal.group(half, entry.shards, group)?));
            }
        }
        let mut asker = Asker::by_search(game);
        for _ in 0..count {
            let number = below(class.group_blocks(group));
            let block = class.block(group, number);
            let place = BitAddress { block, row: below(class.rows), bit: below(class.width) };
            let in_round = found.iter().find(|(_, changes)| changes.has(class, place));
            let solved = in_round.map(|(half, _)| half.value());
            let (position, mover) = index.position(place);
            let searched = asker.value(&position, mover, plies)?;
            ensure!(
                solved == searched,
                "{position}, {} to move: solved as {solved:?}, searched {searched:?}",
                mover.name()
            );
            decided.fetch_add(u64::from(solved.is_some()), Ordering::Relaxed);
        }
        Ok(())
    })?;
    let decided = decided.into_inner();
    println!(
        "{} positions, {decided} of them won or lost within {plies} plies: search finds the same",
        groups * count
    );
    Ok(())
}
