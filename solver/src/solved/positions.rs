//! The positions of a solved game with their values, one after the other.

use std::fmt;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::vec::IntoIter;

use super::{LookupError, Solved};
use crate::known::Worth;
use crate::space::index::{BitAddress, Index};
use crate::space::layout::{Class, ClassId, GroupId};
use crate::space::sets::GroupValues;
use crate::value::Value;
use dovemate::rules::{Board, Cell, Color, Dove};
use dovemate::shapes::Symmetry;

/// The positions of a solved game, each once, with their values, in a fixed order: by player to move where the dove
/// sets differ, then by number of doves. Values are read as they are needed.
///
/// ```
/// use dovemate::Game;
/// use dovemate_solver::{Value, Worth, solve};
///
/// let solved = solve(Game::both("AY")?)?;
/// let longest = solved.longest().expect("not all are draws");
/// for position in solved.positions(|value| value == longest.value) {
///     let ((board, mover), value) = position?;
///     println!("{board}, {mover} to move: {value}");
/// }
///
/// let drawn = solved.positions(|value| value == Value::Draw).doves(2..=4).count();
/// let counted = solved.solution().count(|row| row.doves <= 4 && row.worth == Worth::Exact(Value::Draw));
/// assert_eq!(drawn as u64, counted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SolvedPositions<'a> {
    solved: &'a dyn Solved,
    is_wanted: Rc<dyn Fn(Value) -> bool + 'a>,
    /// The groups that are not read yet.
    groups: IntoIter<GroupId>,
    /// The positions of the group that was read last.
    found: Box<dyn Iterator<Item = ((Board, Color), Value)> + 'a>,
}

impl fmt::Debug for SolvedPositions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolvedPositions").field("solved", &self.solved).finish_non_exhaustive()
    }
}

impl<'a> SolvedPositions<'a> {
    /// The positions of these classes that have a wanted value.
    pub(crate) fn new(
        solved: &'a dyn Solved,
        classes: &[ClassId],
        is_wanted: impl Fn(Value) -> bool + 'a,
    ) -> SolvedPositions<'a> {
        let groups = solved.layout().groups(classes).into_iter();
        SolvedPositions { solved, is_wanted: Rc::new(is_wanted), groups, found: Box::new(std::iter::empty()) }
    }

    /// Only the positions with these numbers of doves on the board, bosses included.
    #[must_use]
    pub fn doves(self, doves: RangeInclusive<u32>) -> SolvedPositions<'a> {
        let layout = self.solved.layout();
        let has_doves = |group: &GroupId| doves.contains(&(layout[group.class].slots + 2));
        let groups = self.groups.filter(has_doves).collect::<Vec<_>>().into_iter();
        let found = self.found.filter(move |((board, _), _)| doves.contains(&(board.doves().count() as u32)));
        SolvedPositions { groups, found: Box::new(found), ..self }
    }
}

/// The addresses in a block of a group that have a wanted value.
fn in_block(
    class: &Class,
    (group, number): (GroupId, usize),
    values: &GroupValues,
    is_wanted: &dyn Fn(Value) -> bool,
) -> Vec<(BitAddress, Value)> {
    let wanted = |worth| match worth {
        Worth::Exact(value) if is_wanted(value) => Some(value),
        _ => None,
    };
    let is_in_block = |present: &[u64]| present[number / 64] >> (number % 64) & 1 == 1;
    let has_wanted = is_wanted(Value::Draw)
        || values.sets.iter().any(|(worth, set)| wanted(*worth).is_some() && is_in_block(set.present()));
    if !has_wanted {
        return Vec::new();
    }
    let block = class.block(group, number);
    let addresses =
        (0..class.rows).flat_map(|row| (0..class.width).map(move |bit| BitAddress { block, row, bit }));
    addresses.filter_map(|address| Some((address, wanted(values.value(class, address))?))).collect()
}

/// Whether this address stands for its position. A position on a symmetric shape may have several addresses; only the
/// one of its canonical code stands for it.
fn is_canonical(index: &Index, address: BitAddress, board: &Board, mover: Color) -> bool {
    let slots = index.layout[address.block.class].slots;
    let placement = &index.placements.with_slots(slots)[address.block.placement];
    let images = Symmetry::all().filter(|symmetry| symmetry.image(placement.cells) == placement.cells);
    images.count() == 1 || {
        let canonical = board.code().canonical(mover).doves();
        // In a canonical code the mover is red.
        let recoloured = canonical.map(|(dove, square)| {
            let color = if mover == Color::Red { dove.color } else { dove.color.opponent() };
            (Dove::new(color, dove.kind), Cell::from_number(square))
        });
        let image = Board::new(recoloured).expect("an image of a board is one");
        index.address(&image, mover) == Some(address)
    }
}

impl Iterator for SolvedPositions<'_> {
    type Item = Result<((Board, Color), Value), LookupError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.found.next() {
                return Some(Ok(found));
            }
            let group = self.groups.next()?;
            let values = match self.solved.group(group) {
                Ok(values) => values,
                Err(error) => return Some(Err(error)),
            };
            let (index, is_wanted) = (self.solved.index(), self.is_wanted.clone());
            let class = &index.layout[group.class];
            let blocks = 0..class.group_blocks(group);
            let found = blocks.flat_map(move |number| in_block(class, (group, number), &values, &*is_wanted));
            self.found = Box::new(found.filter_map(|(address, value)| {
                let (board, mover) = index.position(address);
                is_canonical(index, address, &board, mover).then_some(((board, mover), value))
            }));
        }
    }
}
