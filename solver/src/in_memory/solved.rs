//! A game solved in memory.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::rounds::{Found, RoundsInMemory};
use crate::actions::block_actions::CompiledGame;
use crate::known::{Known, Source, Worth};
use crate::rounds::round::{remove, terminal_rows};
use crate::solved::{Longest, Lookup, LookupError, Solution, Solved};
use crate::space::index::{BitAddress, Index};
use crate::space::layout::{ClassId, GroupId, Layout};
use crate::space::sets::GroupValues;
use crate::space::sparse::{SparseGroup, SparseSet};
use crate::space::win_bits::WinBits;
use crate::value::Value;
use dovemate::rules::{Board, Color, Game};

/// A solved game in memory.
pub(super) struct SolvedInMemory {
    compiled: Arc<CompiledGame>,
    wins: WinBits,
    /// The results of each round, by its number.
    history: Vec<Found>,
    /// For each group of each class, a bit for each block, set if the block has losses; most have none.
    lost_blocks: Vec<Vec<Vec<u64>>>,
    /// The last round that found something.
    last: u32,
    solution: Solution,
}

impl SolvedInMemory {
    /// The solved game, once all rounds are complete.
    pub(super) fn new(rounds: RoundsInMemory) -> SolvedInMemory {
        let RoundsInMemory { compiled, wins, history, finished, .. } = rounds;
        let index = &compiled.index;
        let lost_blocks = blocks_with_losses(&index.layout, &history);
        let solution = Solution::new(finished.rows_with_draws(index, index.layout.ids()));
        SolvedInMemory { wins, history, lost_blocks, last: finished.last, solution, compiled }
    }

    /// The value at an address.
    fn value_at(&self, address: BitAddress) -> Value {
        let class = &self.layout()[address.block.class];
        let group = class.group_of(address.block);
        let among = |set: &SparseSet| set.group(group).is_some_and(|found| found.has(class, address));
        let mut rounds = (0..).zip(&self.history);
        let rows = self.wins.block(class, address.block);
        if rows[address.row * class.row_bytes + address.bit / 8] >> (address.bit % 8) & 1 == 1 {
            let at_once = terminal_rows(&self.compiled.view(address.block)).won >> address.bit & 1 == 1;
            let later = if at_once { None } else { rounds.find(|(_, found)| among(&found.wins)) };
            // The wins of round 1 are only in the set of all wins.
            return Value::Win(later.map_or(1, |(number, _)| number));
        }
        let number = class.number_in_group(address.block);
        let lost = &self.lost_blocks[group.class.0][group.number];
        if lost[number / 64] >> (number % 64) & 1 == 0 {
            return Value::Draw;
        }
        rounds.find(|(_, found)| among(&found.losses)).map_or(Value::Draw, |(number, _)| Value::Lose(number))
    }

    /// The positions of a group that have this value; none for a draw, which rounds do not find.
    fn with_value(&self, value: Value, group: GroupId) -> SparseGroup {
        let found = |set: &SparseSet| set.group(group).cloned().unwrap_or_default();
        match value {
            Value::Win(1) => {
                // The wins that no later round has found are those of round 1.
                let class = &self.layout()[group.class];
                let mut first = self.wins.group(class, group).to_vec();
                let later = self.history.iter().skip(2).filter_map(|found| found.wins.group(group));
                later.for_each(|later| remove(class, &mut first, later));
                SparseGroup::packed(&first, class, group)
            }
            Value::Win(round) => found(&self.history[round as usize].wins),
            Value::Lose(round) => found(&self.history[round as usize].losses),
            Value::Draw => SparseGroup::default(),
        }
    }
}

/// For each group of each class, a bit for each block, set if a round found losses in it.
fn blocks_with_losses(layout: &Layout, history: &[Found]) -> Vec<Vec<Vec<u64>>> {
    let of_group = |group: GroupId| {
        let mut blocks = vec![0; layout[group.class].group_blocks(group).div_ceil(64)];
        for losses in history.iter().filter_map(|found| found.losses.group(group)) {
            blocks.iter_mut().zip(losses.present()).for_each(|(blocks, present)| *blocks |= *present);
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

    fn probe(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let Some(address) = self.index().address(board, mover) else { return Ok(None) };
        Ok(Some(Known { worth: Worth::Exact(self.value_at(address)), source: Source::Solved }))
    }

    fn knows_all(&self) -> bool {
        true
    }

    fn may_have(&self, value: Value, doves: RangeInclusive<u32>) -> bool {
        self.solution.may_have(value, &doves)
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
        let first = |value| {
            let mut groups = self.layout().all_groups().into_iter();
            groups.find_map(|group| self.with_value(value, group).first(self.layout(), group))
        };
        let values = [Value::Win(self.rounds()), Value::Lose(self.rounds())];
        values.into_iter().find_map(|value| {
            let (board, mover) = self.index().position(first(value)?);
            Some(Longest { board, mover, value })
        })
    }

    fn bytes(&self) -> u64 {
        self.layout().win_bytes() + self.history.iter().map(Found::bytes).sum::<u64>()
    }

    fn index(&self) -> &Index {
        &self.compiled.index
    }

    fn group(&self, group: GroupId) -> Result<GroupValues, LookupError> {
        let mut sets = GroupValues::default();
        for value in (0..=self.rounds()).flat_map(|number| [Value::Win(number), Value::Lose(number)]) {
            sets.push(Worth::Exact(value), self.with_value(value, group));
        }
        Ok(sets)
    }
}
