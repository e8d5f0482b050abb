//! The solver in memory: rounds on the CPU, and the solved game.

use std::ops::RangeInclusive;
use std::time::Instant;

use super::driver::{Contradiction, Found, Halted, RoundEngine, RoundsInMemory, Stop};
use crate::known::{Known, Source, Worth};
use crate::rules::{self, Color, Game};
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::actions::marks::BlockPredecessors;
use crate::solve::bounds::{Bounds, Options};
use crate::solve::rounds::Round;
use crate::solve::rounds::round::{GroupSweep, as_they_are, wins_at_once};
use crate::solve::solved::{Longest, Lookup, LookupError, Solution, Solved, from_wins};
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::index::{BitAddress, Index};
use crate::solve::space::layout::{ClassId, GroupId, Layout};
use crate::solve::space::sets::GroupValues;
use crate::value::Value;

/// Solves a game. `each` is called after rounds as [`RoundsInMemory::run`] says.
pub fn solve(game: Game, options: Options, each: &(dyn Fn(Round) + Sync)) -> Box<dyn Solved> {
    solve_within(game, options, Bounds::default(), each).expect("nothing bounds it")
}

/// Solves a game within some bounds. `each` is called after rounds as [`RoundsInMemory::run`] says.
///
/// # Errors
/// If it meets one of them. The results of complete rounds are kept.
pub fn solve_within(
    game: Game,
    options: Options,
    bounds: Bounds,
    each: &(dyn Fn(Round) + Sync),
) -> Result<Box<dyn Solved>, Box<Halted>> {
    let started = Instant::now();
    finish_on_cpu(RoundsInMemory::since(started, CompiledGame::shared(game), options, bounds), each)
}

/// Has the CPU find all further rounds of a game.
pub(crate) fn finish_on_cpu(
    mut rounds: RoundsInMemory,
    each: &(dyn Fn(Round) + Sync),
) -> Result<Box<dyn Solved>, Box<Halted>> {
    match rounds.run(&mut CpuEngine::default(), each) {
        Ok(()) => Ok(solved(rounds)),
        Err(Stop::Bound(bound)) => Err(rounds.halted(bound)),
        Err(Stop::Failed(contradiction)) => panic!("the CPU contradicts itself: {contradiction}"),
    }
}

/// The solved game, when all rounds are found.
pub(crate) fn solved(mut rounds: RoundsInMemory) -> Box<dyn Solved> {
    if !rounds.options.distances {
        rounds.history.clear();
    }
    let solution = rounds.solution();
    let lost_blocks = blocks_with_losses(&rounds.compiled.index.layout, &rounds.history);
    Box::new(SolvedInMemory { rounds, lost_blocks, solution })
}

/// Finds rounds on the CPU.
#[derive(Default)]
pub struct CpuEngine {
    /// After round 0, the losses of round 1, where every action loses outright.
    self_lost: Option<Changes>,
}

impl RoundEngine for CpuEngine {
    type Error = Contradiction;
    const IS_CHECKED: bool = false;

    fn round(&mut self, rounds: &mut RoundsInMemory) -> Result<Found, Contradiction> {
        let compiled = rounds.compiled.clone();
        let layout = &compiled.index.layout;
        let nothing = || Changes::none(layout);
        Ok(match rounds.number() {
            0 => {
                let [stuck, lost] = rounds.wins.begin(&compiled);
                rounds.watch.holds(stuck.bytes() + lost.bytes());
                self.self_lost = Some(lost);
                Found { wins: nothing(), losses: stuck }
            }
            1 => {
                let lost = self.self_lost.take().unwrap_or_else(|| {
                    // Another engine has found round 0, and may have left some wins of this one.
                    rounds.wins.clear();
                    let [_, lost] = rounds.wins.begin(&compiled);
                    lost
                });
                rounds.watch.add(lost.bytes());
                let wins = find_wins(rounds);
                rounds.wins.add(layout, &wins);
                Found { wins: nothing(), losses: lost }
            }
            _ => {
                let wins = find_wins(rounds);
                if !rounds.options.distances
                    && let Some(before) = rounds.history.last_mut()
                {
                    // The losses are no longer needed.
                    before.losses = nothing();
                    rounds.watch.holds(before.bytes() + wins.bytes());
                }
                Found { losses: find_losses(rounds), wins }
            }
        })
    }
}

/// The results of the round before the next one, which is not the first.
fn last(rounds: &RoundsInMemory) -> &Found {
    rounds.history.last().expect("there is a round before")
}

fn find_wins(rounds: &RoundsInMemory) -> Changes {
    let of_groups = GroupSweep { compiled: &rounds.compiled, groups: &rounds.groups };
    let losses = &last(rounds).losses;
    let wins =
        of_groups.wins(&rounds.wins, losses, &of_groups.predecessors(losses), &|_, find| rounds.watch.found(find));
    Changes::of(&rounds.compiled.index.layout, rounds.groups.iter().copied().zip(wins))
}

/// The losses that follow from the wins of the round before. After the first wins, which are all new, losses are looked
/// for everywhere.
fn find_losses(rounds: &RoundsInMemory) -> Changes {
    let of_groups = GroupSweep { compiled: &rounds.compiled, groups: &rounds.groups };
    let new = (rounds.number() > 2).then_some(&last(rounds).wins);
    let marks = new.map_or(BlockPredecessors::All, |new| of_groups.predecessors(new));
    let losses = of_groups.losses(&rounds.wins, new, &marks, &|_, find| rounds.watch.found(find));
    Changes::of(&rounds.compiled.index.layout, rounds.groups.iter().copied().zip(losses))
}

/// A solved game in memory.
struct SolvedInMemory {
    /// All its rounds.
    rounds: RoundsInMemory,
    /// For each group of each class, a bit for each block with losses: most have none. Empty without distances.
    lost_blocks: Vec<Vec<Vec<u64>>>,
    solution: Solution,
}

/// For each group of each class, a bit for each block in which a round found losses.
fn blocks_with_losses(layout: &Layout, history: &[Found]) -> Vec<Vec<Vec<u64>>> {
    let of_group = |group: GroupId| {
        let mut blocks = vec![0; layout[group.class].group_blocks(group).div_ceil(64)];
        for found in history {
            let marks = found.losses[group].marks();
            blocks.iter_mut().zip(marks).for_each(|(blocks, marks)| *blocks |= *marks);
        }
        blocks
    };
    let of_class = |class: ClassId| layout.groups(&[class]).into_iter().map(of_group).collect();
    layout.ids().map(of_class).collect()
}

impl SolvedInMemory {
    /// The value at a place; distances must be known.
    fn value_at(&self, place: BitAddress) -> Value {
        let class = &self.layout()[place.block.class];
        if self.rounds.is_win(place) {
            let at_once = wins_at_once(&self.rounds.compiled.view(place.block)) >> place.bit & 1 == 1;
            return if at_once { Value::Win(1) } else { self.rounds.value(place) };
        }
        let (number, group) = (class.number_in_group(place.block), class.group_of(place.block));
        let lost = &self.lost_blocks[group.class.0][group.number];
        if lost[number / 64] >> (number % 64) & 1 == 0 { Value::Draw } else { self.rounds.value(place) }
    }

    /// All losses of a group, as derived from the wins.
    fn losses_of(&self, group: GroupId) -> SparseBits {
        let RoundsInMemory { compiled, wins, .. } = &self.rounds;
        let rounds = GroupSweep { compiled, groups: &[group] };
        let later = rounds.losses(wins, None::<&Changes>, &BlockPredecessors::All, &as_they_are);
        let [stuck, lost] = [0, 1].map(|round| rounds.terminal_losses(round, &as_they_are));
        later[0].with(&[&stuck[0], &lost[0]])
    }
}

impl Lookup for SolvedInMemory {
    fn game(&self) -> Game {
        self.rounds.game()
    }

    fn value(&self, board: &rules::Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let Some(place) = self.index().place(board, mover) else { return Ok(None) };
        let is_win = |board: &rules::Board, mover| {
            let place = self.index().place(board, mover);
            Ok::<bool, LookupError>(self.rounds.is_win(place.expect("an open action leads to a position of the game")))
        };
        let worth = match self.solution.has_distances {
            true => Worth::Exact(self.value_at(place)),
            false => from_wins::value(&self.game(), board, mover, is_win)?,
        };
        Ok(Some(Known { worth, source: Source::Solved }))
    }

    fn knows_all(&self) -> bool {
        self.solution.has_distances
    }

    fn may_have(&self, value: Value, doves: &RangeInclusive<u32>) -> bool {
        self.solution.may_have(value, doves)
    }
}

impl Solved for SolvedInMemory {
    fn solution(&self) -> &Solution {
        &self.solution
    }

    fn rounds(&self) -> u32 {
        self.rounds.finished.last
    }

    fn longest(&self) -> Option<Longest> {
        if !self.solution.has_distances {
            return None;
        }
        let first = |value| {
            let mut groups = self.rounds.groups.iter();
            groups.find_map(|&group| self.rounds.with_value(value, group).first(self.layout(), group))
        };
        let values = [Value::Win(self.rounds()), Value::Lose(self.rounds())];
        values.into_iter().find_map(|value| {
            let (board, mover) = self.index().position(first(value)?);
            Some(Longest { board, mover, value })
        })
    }

    fn bytes(&self) -> u64 {
        self.layout().plane_bytes() + self.rounds.history.iter().map(Found::bytes).sum::<u64>()
    }

    fn index(&self) -> &Index {
        &self.rounds.compiled.index
    }

    fn group(&self, group: GroupId) -> Result<GroupValues, LookupError> {
        let class = &self.layout()[group.class];
        let mut sets = GroupValues::default();
        if self.solution.has_distances {
            for value in (0..=self.rounds()).flat_map(|number| [Value::Win(number), Value::Lose(number)]) {
                sets.push(Worth::Exact(value), self.rounds.with_value(value, group));
            }
            return Ok(sets);
        }
        let mut first = self.rounds.wins_of(group);
        let mut later = first.clone();
        for (number, rows) in first.chunks_exact_mut(class.block_bytes()).enumerate() {
            let at_once = wins_at_once(&self.rounds.compiled.view(class.block(group, number))).to_le_bytes();
            rows.iter_mut().zip(at_once[..class.row_bytes].iter().cycle()).for_each(|(byte, once)| *byte &= *once);
        }
        later.iter_mut().zip(&first).for_each(|(byte, first)| *byte &= !*first);
        sets.push(Worth::Win, SparseBits::packed(&later, class, group));
        sets.push(Worth::Exact(Value::Win(1)), SparseBits::packed(&first, class, group));
        sets.push(Worth::Lose, self.losses_of(group));
        Ok(sets)
    }
}
