//! The changes of a shape by actions: a dove moves to another cell, is put, or returns.
//!
//! The cells of the doves afterwards, their shape, and the symmetry that makes it canonical do not depend on
//! the owners of the doves. So all boss placements of a shape share its *passages*, and an action on one of
//! them is a passage with the bosses known: up to 132 times less work on the plane. They also share which
//! kinds can move from cell to cell; kinds that neither player has are left out.

use crate::space::placements::{Nibbles, OnShape, Placements};
use dovemate::rules::{DoveSet, Game, Kind};
use dovemate::shapes::{Cells, WINDOW, moves, plane};

/// The change of a shape by an action.
pub(super) struct Passage {
    /// The resulting shape.
    pub after: OnShape,
    /// Cell → cell of the resulting shape, for each dove.
    pub cells: Nibbles,
    /// The cell of the resulting shape that the dove came to; meaningless for a return.
    pub new: u32,
}

/// A dove moves to another cell.
pub(super) struct Move {
    /// The kinds that can make the move (bits as in [`dovemate::rules::DoveSet::bits`]).
    pub kinds: u8,
    /// Whether a boss can make it.
    pub by_boss: bool,
    pub passage: Passage,
}

/// A dove is put.
pub(super) struct Put {
    /// The cell of the plane, as a set of one.
    pub to: u64,
    /// The cells of the doves next to it.
    pub near: Cells,
    pub passage: Passage,
}

/// All changes of a shape by actions.
pub(super) struct Passages {
    /// The doves, as cells of the plane.
    pub doves: u64,
    /// The moves, by the cell that the dove leaves.
    pub moves: [Vec<Move>; CELLS],
    /// All puts, by either player.
    pub puts: Vec<Put>,
    /// The returns, by the cell that the dove leaves.
    pub returns: [Option<Passage>; CELLS],
}

/// The number of cells of the window.
const CELLS: usize = (WINDOW * WINDOW) as usize;

impl Passages {
    /// The passages of a shape with the doves of a game.
    pub(super) fn new(placements: &Placements, cells: Cells, game: &Game) -> Passages {
        let doves = plane::window_cells(cells);
        // From one cell, or none (a put), to another, or none (a return).
        let passage = |from: u64, to: u64| {
            let after = placements.find(doves & !from | to).expect("the doves are a board");
            let mut there = Nibbles::default();
            for cell in cells.iter() {
                let stays = plane::window_cell(cell) & !from;
                // The image of a returned dove is meaningless and unused.
                if stays | to != 0 {
                    there.set(cell, after.cell(if stays != 0 { stays } else { to }));
                }
            }
            Passage { after, cells: there, new: if to != 0 { after.cell(to) } else { 0 } }
        };
        let kinds: DoveSet = game.red.kinds().chain(game.green.kinds()).collect();
        let mut all =
            Passages { doves, moves: Default::default(), puts: Vec::new(), returns: Default::default() };
        for cell in cells.iter() {
            let from = plane::window_cell(cell);
            let others = doves & !from;
            let reached: Vec<(Kind, u64)> =
                kinds.kinds().map(|kind| (kind, moves::reach(kind, from, others))).collect();
            for to in plane::each_cell(plane::landings(others, plane::Bounds::of(others)) & !from) {
                let kinds = reached.iter().filter(|(_, cells)| cells & to != 0).map(|&(kind, _)| kind);
                let kinds = kinds.collect::<DoveSet>().bits();
                let by_boss = moves::reach(Kind::Boss, from, others) & to != 0;
                if kinds != 0 || by_boss {
                    all.moves[cell as usize].push(Move { kinds, by_boss, passage: passage(from, to) });
                }
            }
            if game.rules.returns && cells.count() > 2 && plane::isolated(others) == 0 {
                all.returns[cell as usize] = Some(passage(from, 0));
            }
        }
        if cells.count() - 2 < placements.max_slots() {
            let near =
                |to| cells.iter().filter(move |&cell| plane::neighbours(to) & plane::window_cell(cell) != 0);
            let put = |to| Put { to, near: near(to).collect(), passage: passage(0, to) };
            all.puts = plane::each_cell(plane::landings(doves, plane::Bounds::of(doves))).map(put).collect();
        }
        all
    }

    /// The number of passages: no boss placement has more actions.
    pub(super) fn count(&self) -> usize {
        let moves = self.moves.iter().map(Vec::len).sum::<usize>();
        moves + self.puts.len() + self.returns.iter().flatten().count()
    }
}
