//! The legal actions: put, move and return.

use serde::Serialize;

use super::cell::{ALL_AROUND, DIAGONAL, KNIGHT, ORTHOGONAL};
use super::{BOX_SIZE, Board, Cell, Color, Dove, DoveSet, Kind, Rules};

/// An action of a player. Cells are those of the board before the action; they may lie outside its bounding box.
///
/// ```
/// use dovemate::{Board, Color, Rules};
///
/// let board = Board::default();
/// let (action, after) = board.legal_actions(Color::Red, Rules::default()).next().expect("red can act");
/// println!("after {} the board is {after}", action.text(&board));
/// assert!(board.legal_actions(Color::Red, Rules::default()).any(|(action, _)| action.text(&board) == "BW1"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Action {
    /// Puts a dove from the hand onto an empty cell.
    Put {
        /// The dove, whose colour is the acting player's.
        dove: Dove,
        /// The cell it is put on.
        to: Cell,
    },
    /// Moves a dove on the board to another cell.
    Move {
        /// The dove, whose colour is the acting player's.
        dove: Dove,
        /// The cell it moves to.
        to: Cell,
    },
    /// Returns a dove other than the boss to the hand.
    Return {
        /// The dove, whose colour is the acting player's.
        dove: Dove,
    },
}

impl Action {
    /// The cell that the dove is put on or moves to; `None` if it returns to the hand.
    pub const fn to(self) -> Option<Cell> {
        match self {
            Action::Put { to, .. } | Action::Move { to, .. } => Some(to),
            Action::Return { .. } => None,
        }
    }

    /// The dove that is put, moved or returned.
    pub fn dove(self) -> Dove {
        match self {
            Action::Put { dove, .. } | Action::Move { dove, .. } | Action::Return { dove } => dove,
        }
    }
}

impl Kind {
    /// The steps of this kind, and how many times in a row a dove may take a step in one turn, while the cells on its
    /// way are empty. A Totsu must end next to another dove, and all others are within 3 rows and columns of it, so 4
    /// steps are enough.
    pub(crate) fn steps(self) -> (&'static [(i8, i8)], i8) {
        match self {
            Kind::Boss | Kind::Aniki => (&ALL_AROUND, 1),
            Kind::Yaibato => (&ORTHOGONAL, 1),
            Kind::Mamedeppo => (&DIAGONAL, 1),
            Kind::Hajike => (&KNIGHT, 1),
            Kind::Totsu => (&ORTHOGONAL, BOX_SIZE),
        }
    }
}

impl Board {
    /// Every legal action of `color` with the board it leads to: puts, then moves, then returns (if `rules`
    /// allow them). There is none if a boss is surrounded: the game is over.
    pub fn legal_actions(&self, color: Color, rules: Rules) -> impl Iterator<Item = (Action, Board)> {
        self.legal_actions_with(DoveSet::ALL, color, rules)
    }

    /// Like [`Board::legal_actions`], but only with doves of these kinds; bosses are always included.
    pub(super) fn legal_actions_with(
        &self,
        kinds: DoveSet,
        color: Color,
        rules: Rules,
    ) -> impl Iterator<Item = (Action, Board)> {
        let can_act = move |dove: &Dove| dove.color == color && kinds.contains(dove.kind);
        let returns = self.returns(can_act).filter(move |_| rules.returns);
        let actions = self.puts(color, can_act).chain(self.moves(can_act)).chain(returns);
        (!self.is_over()).then_some(actions).into_iter().flatten()
    }

    fn puts(
        &self,
        color: Color,
        can_act: impl Fn(&Dove) -> bool + Copy,
    ) -> impl Iterator<Item = (Action, Board)> {
        self.put_cells(color).flat_map(move |to| {
            let doves = self.hand(color).filter(can_act);
            doves.filter_map(move |dove| Some((Action::Put { dove, to }, self.with(dove, Some(to))?)))
        })
    }

    fn moves(&self, can_act: impl Fn(&Dove) -> bool + Copy) -> impl Iterator<Item = (Action, Board)> {
        let doves = self.doves().filter(move |(dove, _)| can_act(dove));
        doves.flat_map(move |(dove, from)| {
            let cells = self.destinations(dove.kind, from);
            cells.filter_map(move |to| Some((Action::Move { dove, to }, self.with(dove, Some(to))?)))
        })
    }

    fn returns(&self, can_act: impl Fn(&Dove) -> bool + Copy) -> impl Iterator<Item = (Action, Board)> {
        let doves = self.doves().map(|(dove, _)| dove);
        let doves = doves.filter(move |dove| can_act(dove) && dove.kind != Kind::Boss);
        doves.filter_map(|dove| Some((Action::Return { dove }, self.with(dove, None)?)))
    }

    /// The empty cells that touch a dove of `color` and are not orthogonally next to the opposing boss.
    fn put_cells(&self, color: Color) -> impl Iterator<Item = Cell> {
        let opposing_boss = self.boss(color.opponent());
        let columns = |row| (-1..=BOX_SIZE).map(move |column| Cell::new(row, column));
        let cells = (-1..=BOX_SIZE).flat_map(columns);
        let cells = cells.filter(move |&cell| self.is_empty(cell) && self.touches_any_of(color, cell));
        cells.filter(move |&cell| opposing_boss.sides().all(|side| side != cell))
    }

    /// The empty cells that a dove of `kind` on `from` reaches by its kind's movement, even where the box
    /// would become too large.
    pub(super) fn destinations(&self, kind: Kind, from: Cell) -> impl Iterator<Item = Cell> {
        let (steps, most) = kind.steps();
        steps.iter().flat_map(move |(rows, columns)| {
            let cells = (1..=most).map(move |n| from.step((n * rows, n * columns)));
            cells.take_while(|&cell| self.is_empty(cell))
        })
    }
}
