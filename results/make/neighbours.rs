//! Measures how large a cache of groups a round needs so that hardly any group is read more than once.
//!
//! `cargo result neighbours -- AYMTH/AYMTH no-returns results/neighbours.csv`
//!
//! A round processes the groups of a part in order, and each needs the groups that its actions lead to. For
//! least-recently-used caches of several sizes, the file gets the bytes that must be read, in total and as a multiple
//! of the bytes that are needed at all. Without returns the parts are processed one after another.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use dovemate::internals::solve::actions::block_actions::CompiledGame;
use dovemate::internals::solve::actions::placement_actions::Act;
use dovemate::internals::solve::files::cache::Cache;
use dovemate::internals::solve::space::layout::{ClassId, GroupId};
use dovemate::rules::{DoveSet, Game, Outcome, Rules};

/// The sizes of the caches, as divisors of the size of the largest part with the groups it leads to.
const SHARES: [u64; 7] = [64, 32, 16, 10, 8, 4, 2];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [sets, returns, path] = &arguments[..] else {
        bail!("usage: neighbours RED/GREEN returns|no-returns FILE");
    };
    let (red, green) = sets.split_once('/').context("write the dove sets as RED/GREEN")?;
    let (red, green): (DoveSet, DoveSet) = (red.parse()?, green.parse()?);
    ensure!(["returns", "no-returns"].contains(&&returns[..]), "returns or no-returns, not {returns}");
    let game = Game { red, green, rules: Rules { returns: returns == "returns", ..Rules::default() } };
    let board = CompiledGame::shared(game);
    let layout = &board.index.layout;
    let bytes = |group: GroupId| {
        let class = &layout[group.class];
        (class.group_blocks(group) * class.block_bytes()) as u64
    };
    let parts = layout.parts();
    let largest = parts.iter().map(|part| part.all().map(|class| layout[class].bytes() as u64).sum::<u64>());
    let largest = largest.max().unwrap_or(0);
    let mut read = SHARES.map(|_| 0);
    let mut needed_at_all = 0;
    for part in parts {
        // Each part begins with empty caches, as large as the largest part allows.
        let caches = SHARES.map(|share| Cache::new((largest / share) as usize));
        let mut of_part = BTreeSet::new();
        for group in layout.groups(&part.classes) {
            for needed in neighbours(&board, group) {
                if of_part.insert(needed) {
                    needed_at_all += bytes(needed);
                }
                for (cache, read) in caches.iter().zip(&mut read) {
                    let make = || {
                        *read += bytes(needed);
                        Ok::<_, Infallible>(Arc::new(()))
                    };
                    cache.get(needed, |()| bytes(needed) as usize, make)?;
                }
            }
        }
    }
    let mut file = csv::Writer::from_path(path)?;
    file.write_record(["game", "cache_bytes", "share", "bytes_needed", "bytes_read", "times"])?;
    for (read, share) in read.into_iter().zip(SHARES) {
        file.write_record([
            game.to_string(),
            (largest / share).to_string(),
            format!("1/{share}"),
            needed_at_all.to_string(),
            read.to_string(),
            format!("{:.2}", read as f64 / needed_at_all as f64),
        ])?;
    }
    Ok(file.flush()?)
}

/// The groups that the actions of a group lead to.
fn neighbours(board: &CompiledGame, group: GroupId) -> BTreeSet<GroupId> {
    let layout = &board.index.layout;
    let class = &layout[group.class];
    let mut found = BTreeSet::new();
    for placement in class.group_placements(group) {
        let (_, open) = board.actions.of(class.slots, placement);
        for action in open {
            debug_assert_eq!(action.outcome, Outcome::Open);
            let mut add = |class: ClassId| {
                found.insert(GroupId { class, number: action.target as usize / layout[class].group });
            };
            match action.act {
                Act::BossMove => {
                    add(class.after_move);
                }
                Act::Move { .. } if class.own > 0 => {
                    add(class.after_move);
                }
                Act::Return { .. } if class.own > 0 => {
                    class.after_return.map(add);
                }
                Act::Put { .. } => class.after_puts.iter().for_each(|put| {
                    add(put.class);
                }),
                Act::Move { .. } | Act::Return { .. } => {}
            }
        }
    }
    found
}
