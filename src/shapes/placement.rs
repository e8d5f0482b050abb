//! Boss placements: a shape with the cells of the two bosses chosen, neither of them surrounded; and the enclosure prune.
//!
//! The prune rests on a lemma of the article: if the mover's boss has a legal move after which its enclosure degree is at
//! most 2, the position is no mate, whatever doves stand on the other cells. For one answer raises a boss's degree by at
//! most 1, but for two walls built at once, and where that threatens there is another such move.

use std::fmt;

use super::{Cells, Shape, WINDOW, plane};

/// A shape with the two bosses' cells, as cell numbers of the window. The mover is the player whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BossPlacement {
    /// The cells of the shape.
    pub cells: Cells,
    /// The cell of the mover's boss.
    pub mover: u32,
    /// The cell of the opposing boss.
    pub opponent: u32,
}

impl BossPlacement {
    /// All boss placements of a shape in which neither boss is surrounded.
    pub fn all(shape: &Shape) -> impl Iterator<Item = BossPlacement> {
        let cells = shape.cells;
        let doves = plane::window_cells(cells);
        let free = cells.iter().filter(move |&cell| plane::open_sides(plane::window_cell(cell), doves) != 0);
        free.clone().flat_map(move |mover| {
            let opponents = free.clone().filter(move |&opponent| opponent != mover);
            opponents.map(move |opponent| BossPlacement { cells, mover, opponent })
        })
    }

    /// Whether the mover's boss has a legal move after which its enclosure degree is at most 2; there is no mate then.
    pub fn is_pruned(&self) -> bool {
        let boss = plane::window_cell(self.mover);
        let others = plane::window_cells(self.cells) & !boss;
        let mut targets = plane::neighbours(boss) & plane::landings(others, plane::Bounds::of(others));
        while targets != 0 {
            let target = targets & targets.wrapping_neg();
            if plane::open_sides(target, others | target).count_ones() >= 2 {
                return true;
            }
            targets &= targets - 1;
        }
        false
    }

    /// How many cells are left for doves other than the bosses: 0 to 10.
    pub fn slots(&self) -> u32 {
        self.cells.count() - 2
    }

    /// The cells left for doves other than the bosses, in ascending order: the *slots*.
    pub fn slot_cells(&self) -> impl Iterator<Item = u32> + Clone {
        let (mover, opponent) = (self.mover, self.opponent);
        self.cells.iter().filter(move |&cell| cell != mover && cell != opponent)
    }
}

/// Rows from the top joined by `;`: `M` the mover's boss, `o` the opposing boss, `x` another dove.
impl fmt::Display for BossPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = (0..WINDOW).map(|row| {
            let letter = |column| match WINDOW * row + column {
                cell if cell == self.mover => 'M',
                cell if cell == self.opponent => 'o',
                cell if self.cells.contains(cell) => 'x',
                _ => '-',
            };
            (0..WINDOW).map(letter).collect::<String>()
        });
        f.write_str(&rows.collect::<Vec<_>>().join(";"))
    }
}

/// In how many ways ten different doves fill `slots` slots: 10 · 9 · … , `slots` factors.
pub fn assignments(slots: u32) -> u64 {
    (0..u64::from(slots)).map(|filled| 10 - filled).product()
}
