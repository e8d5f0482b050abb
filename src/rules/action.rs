//! The legal actions: put, move and return.

use super::cell::{DIAGONAL, KNIGHT, ORTHOGONAL};
use super::{BOX_SIZE, Board, Cell, Color, Dove, Kind, Rules};

/// What a player does in a turn. Cells are those of the board before the action; they may lie outside its bounding box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A dove from the hand onto an empty cell.
    Put {
        /// The dove, whose colour is the acting player's.
        dove: Dove,
        /// Where it is put.
        to: Cell,
    },
    /// A dove on the board to another cell.
    Move {
        /// The dove, whose colour is the acting player's.
        dove: Dove,
        /// Where it goes.
        to: Cell,
    },
    /// A dove other than the boss back to the hand.
    Return {
        /// The dove, whose colour is the acting player's.
        dove: Dove,
    },
}

impl Action {
    /// The dove that is put, moved or returned.
    pub fn dove(self) -> Dove {
        match self {
            Action::Put { dove, .. } | Action::Move { dove, .. } | Action::Return { dove } => dove,
        }
    }
}

impl Board {
    /// Every legal action of `color` with the board it leads to: puts, then moves, then returns (if `rules` have them).
    pub fn legal_actions(&self, color: Color, rules: Rules) -> impl Iterator<Item = (Action, Board)> {
        self.puts(color).chain(self.moves(color)).chain(self.returns(color).filter(move |_| rules.returns))
    }

    fn puts(&self, color: Color) -> impl Iterator<Item = (Action, Board)> {
        self.put_cells(color).flat_map(move |to| {
            let put = move |dove| Some((Action::Put { dove, to }, self.with(dove, Some(to))?));
            self.hand(color).filter_map(put)
        })
    }

    fn moves(&self, color: Color) -> impl Iterator<Item = (Action, Board)> {
        self.doves().filter(move |(dove, _)| dove.color == color).flat_map(move |(dove, from)| {
            let go = move |to| Some((Action::Move { dove, to }, self.with(dove, Some(to))?));
            self.destinations(dove.kind, from).into_iter().filter_map(go)
        })
    }

    fn returns(&self, color: Color) -> impl Iterator<Item = (Action, Board)> {
        let can_return = move |dove: &Dove| dove.color == color && dove.kind != Kind::Boss;
        let doves = self.doves().map(|(dove, _)| dove).filter(can_return);
        doves.filter_map(|dove| Some((Action::Return { dove }, self.with(dove, None)?)))
    }

    /// The empty cells that touch a dove of `color` and are not orthogonally next to the opposing boss.
    fn put_cells(&self, color: Color) -> impl Iterator<Item = Cell> {
        let opposing_boss = self.boss(color.opponent());
        let touches_own = move |cell: Cell| self.doves().any(|(dove, own)| dove.color == color && cell.touches(own));
        (-1..=BOX_SIZE).flat_map(|row| (-1..=BOX_SIZE).map(move |column| Cell::new(row, column))).filter(move |&cell| {
            self.dove_at(cell).is_none() && touches_own(cell) && opposing_boss.sides().all(|side| side != cell)
        })
    }

    /// The empty cells that a dove of `kind` on `from` can reach as its kind moves, wherever the box would then be.
    fn destinations(&self, kind: Kind, from: Cell) -> Vec<Cell> {
        let is_empty = |cell: &Cell| self.dove_at(*cell).is_none();
        let steps = |steps: &[(i8, i8)]| steps.iter().map(|&step| from.step(step)).filter(is_empty).collect();
        match kind {
            Kind::Boss | Kind::Aniki => steps(&[ORTHOGONAL, DIAGONAL].concat()),
            Kind::Yaibato => steps(&ORTHOGONAL),
            Kind::Mamedeppo => steps(&DIAGONAL),
            Kind::Hajike => steps(&KNIGHT),
            // The other doves are within 4 cells of `from`, and the Totsu must touch one of them in the end.
            Kind::Totsu => ORTHOGONAL
                .iter()
                .flat_map(|&(rows, columns)| {
                    (1..=BOX_SIZE).map(move |n| from.step((n * rows, n * columns))).take_while(is_empty)
                })
                .collect(),
        }
    }
}
