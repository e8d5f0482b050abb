//! Boss placements: a shape and the cells of the two bosses, neither of them surrounded; and the enclosure
//! prune.
//!
//! The prune rests on a lemma of the article: if the mover's boss has a legal move after which its enclosure degree is
//! at most 2, the position is not a mate, whichever doves stand on the other cells. Unless an answer builds two walls
//! at once, it raises a boss's degree by at most 1, so it cannot surround the boss there. Where an answer could build
//! two walls, the boss has another move to a degree of at most 2, which no answer refutes in this way.

use std::fmt;

use super::deals::MAX_SLOTS;
use super::{Cells, Shape, moves, plane};
use crate::rules::{Kind, grid};

/// A shape, canonical or not, with the two bosses' cells, as cell numbers of the window. The mover is the
/// player to move; *own* and *opposing* are from the mover's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BossPlacement {
    cells: Cells,
    own_boss: u32,
    opposing_boss: u32,
}

impl BossPlacement {
    /// The boss placement with the mover's boss and the opposing boss on these cells; `None` if the cells are
    /// not a shape, or the bosses do not stand on two of them, both with an open side.
    pub(crate) fn new(cells: Cells, own_boss: u32, opposing_boss: u32) -> Option<BossPlacement> {
        let free = cells.free();
        let is_placed = own_boss != opposing_boss && free.contains(own_boss) && free.contains(opposing_boss);
        (cells.is_shape() && is_placed).then_some(BossPlacement { cells, own_boss, opposing_boss })
    }

    /// All boss placements of a shape in which neither boss is surrounded.
    pub fn all(shape: &Shape) -> impl Iterator<Item = BossPlacement> {
        let (cells, free) = (shape.cells, shape.cells.free());
        free.iter().flat_map(move |own_boss| {
            let others = free.iter().filter(move |&cell| cell != own_boss);
            others.map(move |opposing_boss| BossPlacement { cells, own_boss, opposing_boss })
        })
    }

    /// The cells of the shape.
    pub const fn cells(&self) -> Cells {
        self.cells
    }

    /// The cell of the mover's boss.
    pub const fn own_boss(&self) -> u32 {
        self.own_boss
    }

    /// The cell of the opposing boss.
    pub const fn opposing_boss(&self) -> u32 {
        self.opposing_boss
    }

    /// Whether the mover's boss has a legal move after which its enclosure degree is at most 2; then no
    /// assignment is a mate.
    pub fn is_pruned(&self) -> bool {
        let boss = plane::window_cell(self.own_boss);
        let others = plane::window_cells(self.cells) & !boss;
        moves::escapes(moves::moves(Kind::Boss, boss, others), others).next().is_some()
    }

    /// The number of cells left for doves other than the bosses: 0 to 10.
    pub fn slots(&self) -> u32 {
        self.cells.count() - 2
    }

    /// The *slots*: the cells left for doves other than the bosses, in ascending order.
    pub fn slot_cells(&self) -> impl Iterator<Item = u32> + Clone {
        let bosses = [self.own_boss, self.opposing_boss];
        self.cells.iter().filter(move |cell| !bosses.contains(cell))
    }
}

/// Rows from the top, joined by `;`: `M` is the mover's boss, `o` the opposing boss, `x` another dove.
impl fmt::Display for BossPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&grid(|cell| match cell {
            _ if cell == self.own_boss => 'M',
            _ if cell == self.opposing_boss => 'o',
            _ if self.cells.contains(cell) => 'x',
            _ => '-',
        }))
    }
}

/// The number of ways to fill `slots` slots with ten different doves: 10 · 9 · … , `slots` factors.
pub(crate) fn assignments(slots: u32) -> u64 {
    (0..u64::from(slots)).map(|filled| MAX_SLOTS as u64 - filled).product()
}
