//! Checks of a round: every position that it found must be new, and some values are derived again by the literal rules:
//! those of some positions that it found, of some drawn from all, and of the last place of each class.
//!
//! A win or loss in n follows from earlier rounds alone, and the rules must not yet give a value to a position that has
//! none so far. So any value can be derived again before the game is solved.

use std::convert::Infallible;

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::driver::{Contradiction, Found, RoundsInMemory};
use crate::known::Worth;
use crate::random;
use crate::solve::check::derive;
use crate::solve::space::changes::{Changed, Changes, SparseBits};
use crate::solve::space::index::BitAddress;
use crate::solve::space::layout::{GroupId, Layout};
use crate::solve::space::source::RoundResult;
use crate::solve::space::word::Word;
use crate::value::Value;

/// The number of wins and of losses of each round that are derived again; as many places are drawn from all.
const SAMPLE: usize = 64;
/// The seed of the samples.
const SEED: u64 = 2022;

impl RoundsInMemory {
    /// Refuses positions that are won or lost already, as far as earlier losses are held, since they would count twice.
    pub(super) fn check_new(&self, found: &Found) -> Result<(), Contradiction> {
        let layout = &self.compiled.index.layout;
        let is_new = |&group: &GroupId| {
            let class = &layout[group.class];
            let [wins, losses] = [&found.wins, &found.losses].map(|found| &found[group]);
            let won = self.wins.group(class, group);
            let is_won = |(number, changed): (usize, Changed)| {
                let block = &won[number * class.block_bytes()..];
                changed.pieces().any(|(start, bits)| block[start..].iter().zip(bits).any(|(won, bit)| won & bit != 0))
            };
            let mut lost = self.history.iter().map(|before| &before.losses[group]);
            let is_twice = wins.overlaps(losses)
                || wins.blocks().chain(losses.blocks()).any(is_won)
                || lost.any(|before| before.overlaps(wins) || before.overlaps(losses));
            !is_twice
        };
        self.groups.par_iter().all(is_new).then_some(()).ok_or(Contradiction::Twice(self.number()))
    }

    /// Derives some positions by the literal rules after a round; distances must be known.
    pub(super) fn check_last(&mut self) -> Result<(), Contradiction> {
        let (index, round) = (&self.compiled.index, self.number() - 1);
        let layout = &index.layout;
        let mut rng = random::seeded(SEED + u64::from(round));
        let all = index.places();
        let mut places: Vec<BitAddress> =
            (0..SAMPLE).filter_map(|_| index.nth_place(random::below(&mut rng, all))).collect();
        // The last place of each class has the highest addresses on a card.
        places.extend(layout.ids().map(|class| BitAddress::nth(layout, class, layout[class].places() - 1)));
        if let Some(found) = self.history.get(round as usize) {
            places.extend(drawn(layout, &found.wins, &mut rng));
            places.extend(drawn(layout, &found.losses, &mut rng));
        }
        if round == 1 {
            // Some groups have no wins, so more are drawn than needed.
            let wins = (0..8 * SAMPLE).filter_map(|_| {
                let group = self.groups[below(&mut rng, self.groups.len())];
                let wins = SparseBits::packed(&self.wins_of(group), &layout[group.class], group);
                drawn_in(layout, group, &wins, &mut rng)
            });
            places.extend(wins.take(SAMPLE));
        }
        places.par_iter().try_for_each(|&place| {
            let (board, mover) = index.position(place);
            let found = self.value(place);
            let Ok(derived) = derive(&layout.game, &board, mover, |after, mover| {
                let place = index.place(after, mover).expect("an open action leads to a position of the game");
                Ok::<Worth, Infallible>(Worth::Exact(self.value(place)))
            });
            // A win or loss in `round + 1` is for the next round to find.
            let is_right = Worth::Exact(found) == derived || found == Value::Draw && derived.plies() == Some(round + 1);
            if is_right {
                return Ok(());
            }
            let told = |worth: Worth| format!("{board} with {} to move: {worth}", mover.name());
            Err(Contradiction::Value { round, found: told(Worth::Exact(found)), expected: told(derived) })
        })?;
        self.checked += places.len() as u64;
        Ok(())
    }
}

/// An index below a length.
fn below(rng: &mut ChaCha8Rng, length: usize) -> usize {
    random::below(rng, length as u64) as usize
}

/// Places drawn from what a round found: for each, a group is drawn evenly, then one of its blocks, then a bit.
fn drawn(layout: &Layout, found: &Changes, rng: &mut ChaCha8Rng) -> Vec<BitAddress> {
    let groups = found.groups();
    let draw = |_| {
        let &group = groups.get(below(rng, groups.len().max(1)))?;
        drawn_in(layout, group, &found[group], rng)
    };
    (0..SAMPLE).filter_map(draw).collect()
}

/// A place drawn from what was found in a group of a class; `None` if that is nothing.
fn drawn_in(layout: &Layout, group: GroupId, found: &SparseBits, rng: &mut ChaCha8Rng) -> Option<BitAddress> {
    let (number, changed) = found.blocks().nth(below(rng, found.count().max(1)))?;
    let mut bits = changed.rows().flat_map(|(row, bytes)| {
        let of_byte = move |(byte, bits): (usize, &u8)| bits.bits().map(move |bit| (row, 8 * byte + bit));
        bytes.iter().enumerate().flat_map(of_byte)
    });
    let (row, bit) = bits.nth(below(rng, changed.count_bits() as usize))?;
    Some(BitAddress { block: layout[group.class].block(group, number), row, bit })
}
