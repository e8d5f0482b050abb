//! What actions make of a shape: one dove goes to another cell, comes, or goes away.
//!
//! Where the doves are then, which shape that is, and how it is turned to be canonical does not depend on which dove is whose. So all boss
//! placements of a shape share its *passages*, and an action on one of them is a passage with the bosses known: that is up to 132 times less
//! to do on the plane. Which kinds of doves get from cell to cell is the same for all of them, too; kinds that neither player has are left out.

use super::placements::{Nibbles, OnShape, Placements};
use crate::rules::{DoveSet, Game, Kind};
use crate::shapes::{Cells, WINDOW, moves, plane};

/// What an action makes of a shape.
pub struct Passage {
    /// The shape that comes of it.
    pub after: OnShape,
    /// Cell → cell of that shape: where each dove then is.
    pub cells: Nibbles,
    /// The cell of that shape to which the dove has come; without a meaning if it has gone away.
    pub new: u32,
}

/// A dove goes to another cell.
pub struct Move {
    /// The kinds that get there (bits as in [`crate::rules::DoveSet::bits`]).
    pub kinds: u8,
    /// Whether a boss gets there.
    pub by_boss: bool,
    /// What comes of it.
    pub passage: Passage,
}

/// A dove comes.
pub struct Put {
    /// The cell of the plane, as a set of one.
    pub to: u64,
    /// The doves next to it.
    pub near: Cells,
    /// What comes of it.
    pub passage: Passage,
}

/// What all actions make of a shape.
pub struct Passages {
    /// The doves, as cells of the plane.
    pub doves: u64,
    /// By the cell that a dove leaves.
    pub moves: [Vec<Move>; CELLS],
    /// Whoever puts.
    pub puts: Vec<Put>,
    /// By the cell that a dove leaves for the hand.
    pub returns: [Option<Passage>; CELLS],
}

/// The cells of the window.
const CELLS: usize = (WINDOW * WINDOW) as usize;

impl Passages {
    /// Those of a shape with the doves of a game.
    pub fn new(placements: &Placements, cells: Cells, game: &Game) -> Passages {
        let doves = plane::window_cells(cells);
        // From one cell, or none, to another, or none.
        let passage = |from: u64, to: u64| {
            let after = placements.find(doves & !from | to).expect("the doves are a board");
            let mut there = Nibbles::default();
            for cell in cells.iter() {
                let stays = plane::window_cell(cell) & !from;
                // Of a dove that has gone away the image has no meaning, and is not used.
                if stays | to != 0 {
                    there.set(cell, after.cell(if stays != 0 { stays } else { to }));
                }
            }
            Passage { after, cells: there, new: if to != 0 { after.cell(to) } else { 0 } }
        };
        let kinds: DoveSet = game.red.kinds().chain(game.green.kinds()).collect();
        let mut all = Passages { doves, moves: Default::default(), puts: Vec::new(), returns: Default::default() };
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
        if cells.count() - 2 < placements.most_slots() {
            let near = |to| cells.iter().filter(move |&cell| plane::neighbours(to) & plane::window_cell(cell) != 0);
            let put = |to| Put { to, near: near(to).collect(), passage: passage(0, to) };
            all.puts = plane::each_cell(plane::landings(doves, plane::Bounds::of(doves))).map(put).collect();
        }
        all
    }

    /// How many there are: no boss placement has more actions.
    pub fn count(&self) -> usize {
        let moves = self.moves.iter().map(Vec::len).sum::<usize>();
        moves + self.puts.len() + self.returns.iter().flatten().count()
    }
}
