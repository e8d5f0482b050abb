//! A game solved in memory.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::rounds::{Found, RoundsInMemory};
use crate::known::{Known, Source, Worth};
use crate::rules::{Board, Color, Game};
use crate::solve::actions::block_actions::CompiledGame;
use crate::solve::actions::marks::BlockPredecessors;
use crate::solve::rounds::round::{GroupSweep, as_they_are, remove, wins_at_once};
use crate::solve::solved::{Longest, Lookup, LookupError, Solution, Solved, from_wins};
use crate::solve::space::changes::{Changes, SparseBits};
use crate::solve::space::index::{BitAddress, Index};
use crate::solve::space::layout::{ClassId, GroupId, Layout};
use crate::solve::space::sets::GroupValues;
use crate::solve::space::win_bits::WinBits;
use crate::value::Value;

/// A solved game in memory.
pub(super) struct SolvedInMemory {
    compiled: Arc<CompiledGame>,
    groups: Vec<GroupId>,
    /// All wins.
    wins: WinBits,
    /// The results of each round, by its number. Empty without distances.
    history: Vec<Found>,
    /// For each group of each class, a bit for each block with losses: most have none. Empty without distances.
    lost_blocks: Vec<Vec<Vec<u64>>>,
    /// The last round that found something.
    last: u32,
    solution: Solution,
}

impl SolvedInMemory {
    /// The solved game, when all rounds are found.
    pub fn new(rounds: RoundsInMemory) -> SolvedInMemory {
        let RoundsInMemory { compiled, groups, options, wins, mut history, finished, .. } = rounds;
        let index = &compiled.index;
        if !options.distances {
            history.clear();
        }
        let lost_blocks = blocks_with_losses(&index.layout, &history);
        let solution = Solution::new(options.distances, finished.rows_with_draws(index, index.layout.ids()));
        SolvedInMemory { groups, wins, history, lost_blocks, last: finished.last, solution, compiled }
    }

    /// Whether a place is won.
    fn is_win(&self, place: BitAddress) -> bool {
        let class = &self.layout()[place.block.class];
        let rows = self.wins.block(class, place.block);
        rows[place.row * class.row_bytes + place.bit / 8] >> (place.bit % 8) & 1 == 1
    }

    /// The value at a place; distances must be known.
    fn value_at(&self, place: BitAddress) -> Value {
        let class = &self.layout()[place.block.class];
        let group = class.group_of(place.block);
        let among = |changes: &Changes| changes.group(group).is_some_and(|found| found.has(class, place));
        let mut rounds = (0..).zip(&self.history);
        if self.is_win(place) {
            let at_once = wins_at_once(&self.compiled.view(place.block)) >> place.bit & 1 == 1;
            let later = if at_once { None } else { rounds.find(|(_, found)| among(&found.wins)) };
            // The wins of round 1 are among all wins only.
            return Value::Win(later.map_or(1, |(number, _)| number));
        }
        let number = class.number_in_group(place.block);
        let lost = &self.lost_blocks[group.class.0][group.number];
        if lost[number / 64] >> (number % 64) & 1 == 0 {
            return Value::Draw;
        }
        rounds.find(|(_, found)| among(&found.losses)).map_or(Value::Draw, |(number, _)| Value::Lose(number))
    }

    /// The rows of a group with all its wins.
    fn wins_of(&self, group: GroupId) -> Vec<u8> {
        self.wins.group(&self.layout()[group.class], group).to_vec()
    }

    /// The positions of a group with a value that rounds have found; distances must be known.
    fn with_value(&self, value: Value, group: GroupId) -> SparseBits {
        match value {
            Value::Win(1) => {
                // Those that no later round has found.
                let (class, mut first) = (&self.layout()[group.class], self.wins_of(group));
                let later = self.history.iter().skip(2).map(|found| &found.wins[group]);
                later.for_each(|later| remove(class, &mut first, later));
                SparseBits::packed(&first, class, group)
            }
            Value::Win(round) => self.history[round as usize].wins[group].clone(),
            Value::Lose(round) => self.history[round as usize].losses[group].clone(),
            Value::Draw => SparseBits::default(),
        }
    }

    /// All losses of a group, as derived from the wins.
    fn losses_of(&self, group: GroupId) -> SparseBits {
        let sweep = GroupSweep { compiled: &self.compiled, groups: &[group] };
        let later = sweep.losses(&self.wins, None::<&Changes>, &BlockPredecessors::All, &as_they_are);
        let [stuck, lost] = [0, 1].map(|round| sweep.terminal_losses(round, &as_they_are));
        later[0].with(&[&stuck[0], &lost[0]])
    }
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
impl Lookup for SolvedInMemory {
    fn game(&self) -> Game {
        self.layout().game
    }

    fn value(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let Some(place) = self.index().place(board, mover) else { return Ok(None) };
        let is_win = |board: &Board, mover| {
            let place = self.index().place(board, mover);
            Ok::<bool, LookupError>(self.is_win(place.expect("an open action leads to a position of the game")))
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
        self.last
    }

    fn longest(&self) -> Option<Longest> {
        if !self.solution.has_distances {
            return None;
        }
        let first = |value| {
            let mut groups = self.groups.iter();
            groups.find_map(|&group| self.with_value(value, group).first(self.layout(), group))
        };
        let values = [Value::Win(self.rounds()), Value::Lose(self.rounds())];
        values.into_iter().find_map(|value| {
            let (board, mover) = self.index().position(first(value)?);
            Some(Longest { board, mover, value })
        })
    }

    fn bytes(&self) -> u64 {
        self.layout().plane_bytes() + self.history.iter().map(Found::bytes).sum::<u64>()
    }

    fn index(&self) -> &Index {
        &self.compiled.index
    }

    fn group(&self, group: GroupId) -> Result<GroupValues, LookupError> {
        let class = &self.layout()[group.class];
        let mut sets = GroupValues::default();
        if self.solution.has_distances {
            for value in (0..=self.rounds()).flat_map(|number| [Value::Win(number), Value::Lose(number)]) {
                sets.push(Worth::Exact(value), self.with_value(value, group));
            }
            return Ok(sets);
        }
        let mut first = self.wins_of(group);
        let mut later = first.clone();
        for (number, rows) in first.chunks_exact_mut(class.block_bytes()).enumerate() {
            let at_once = wins_at_once(&self.compiled.view(class.block(group, number))).to_le_bytes();
            rows.iter_mut().zip(at_once[..class.row_bytes].iter().cycle()).for_each(|(byte, once)| *byte &= *once);
        }
        later.iter_mut().zip(&first).for_each(|(byte, first)| *byte &= !*first);
        sets.push(Worth::Win, SparseBits::packed(&later, class, group));
        sets.push(Worth::Exact(Value::Win(1)), SparseBits::packed(&first, class, group));
        sets.push(Worth::Lose, self.losses_of(group));
        Ok(sets)
    }
}
