//! The board: the cell of each dove, the bounding box, its walls, enclosure and isolation.

use super::cell::ORTHOGONAL;
use super::{BOX_SIZE, Cell, Color, Dove, Kind};

/// The cell of each dove on the board. Both bosses are on the board, no dove is isolated, and all doves fit
/// in 4×4.
///
/// The plane has no origin of its own, so a board keeps the top left corner of its bounding box at row 0,
/// column 0. Two boards are therefore equal exactly if a translation turns one into the other.
///
/// ```
/// use dovemate::{Board, Color, Rules};
///
/// // Rows from the top; upper case is red, lower case green, and '-' is empty.
/// let board: Board = "-Y-B;--ay;H---;b---".parse()?;
/// assert!(!board.is_surrounded(Color::Red));
/// assert_eq!(board.legal_actions(Color::Red, Rules::default()).count(), 19);
/// # Ok::<(), dovemate::rules::BoardTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    cells: [[Option<Cell>; 6]; 2],
}

/// The smallest box that holds all doves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundingBox {
    /// The box's top left cell.
    pub top_left: Cell,
    /// The box's bottom right cell.
    pub bottom_right: Cell,
}

/// The content of a side of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Nothing.
    Open,
    /// A wall.
    Wall,
    /// A dove.
    Dove(Dove),
}

/// Why doves on cells do not make a board. Doves are named by their letters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A boss is not on the board.
    #[error("boss '{0}' is missing; both bosses, 'B' and 'b', are always on the board")]
    MissingBoss(char),
    /// One dove stands on two cells.
    #[error("'{0}' stands on two cells; there is only one of each dove")]
    Twice(char),
    /// Two doves stand on one cell.
    #[error("'{0}' and '{1}' stand on the same cell")]
    SameCell(char, char),
    /// The doves do not fit in 4×4.
    #[error("the doves take {rows} rows and {columns} columns; all must fit in 4×4")]
    TooLarge {
        /// Rows of the bounding box.
        rows: i8,
        /// Columns of the bounding box.
        columns: i8,
    },
    /// A dove has no neighbour.
    #[error("'{0}' is isolated; every dove needs another one on one of its 8 neighbouring cells")]
    Isolated(char),
}

impl BoundingBox {
    /// The box around these cells, of which there must be at least one.
    fn around(cells: impl Iterator<Item = Cell>) -> BoundingBox {
        let mut top_left = Cell::new(i8::MAX, i8::MAX);
        let mut bottom_right = Cell::new(i8::MIN, i8::MIN);
        for Cell { row, column } in cells {
            top_left = Cell::new(top_left.row.min(row), top_left.column.min(column));
            bottom_right = Cell::new(bottom_right.row.max(row), bottom_right.column.max(column));
        }
        BoundingBox { top_left, bottom_right }
    }

    /// The number of rows of the box, at most 127 (saturating).
    pub fn rows(&self) -> i8 {
        self.bottom_right.row.saturating_sub(self.top_left.row).saturating_add(1)
    }

    /// The number of columns of the box, at most 127 (saturating).
    pub fn columns(&self) -> i8 {
        self.bottom_right.column.saturating_sub(self.top_left.column).saturating_add(1)
    }

    /// Whether the box is within the 4×4 of the rules.
    fn fits(&self) -> bool {
        self.rows() <= BOX_SIZE && self.columns() <= BOX_SIZE
    }

    /// Whether `cell` lies beyond a wall: outside the box in a direction in which the box spans 4 cells.
    pub fn is_beyond_wall(&self, cell: Cell) -> bool {
        let row_inside = (self.top_left.row..=self.bottom_right.row).contains(&cell.row);
        let column_inside = (self.top_left.column..=self.bottom_right.column).contains(&cell.column);
        (!row_inside && self.rows() == BOX_SIZE) || (!column_inside && self.columns() == BOX_SIZE)
    }
}

impl Default for Board {
    /// The start of the game: the two bosses side by side, all other doves in hand.
    fn default() -> Board {
        let start = [
            (Dove::new(Color::Green, Kind::Boss), Cell::new(0, 0)),
            (Dove::new(Color::Red, Kind::Boss), Cell::new(1, 0)),
        ];
        Board::new(start).expect("the start of the game is a board")
    }
}

impl Board {
    /// The board with these doves on these cells and all others in hand.
    ///
    /// # Errors
    /// If the doves do not make a board: see [`BoardError`].
    pub fn new(doves: impl IntoIterator<Item = (Dove, Cell)>) -> Result<Board, BoardError> {
        let mut board = Board { cells: [[None; 6]; 2] };
        for (dove, cell) in doves {
            if board.cell_of(dove).is_some() {
                return Err(BoardError::Twice(dove.letter()));
            }
            if let Some(other) = board.dove_at(cell) {
                return Err(BoardError::SameCell(other.letter(), dove.letter()));
            }
            board.set(dove, Some(cell));
        }
        for color in Color::ALL {
            let boss = Dove::new(color, Kind::Boss);
            if board.cell_of(boss).is_none() {
                return Err(BoardError::MissingBoss(boss.letter()));
            }
        }
        let bounds = board.bounding_box();
        if !bounds.fits() {
            return Err(BoardError::TooLarge { rows: bounds.rows(), columns: bounds.columns() });
        }
        if let Some((dove, _)) = board.doves().find(|&(_, cell)| board.is_isolated(cell)) {
            return Err(BoardError::Isolated(dove.letter()));
        }
        Ok(board.moved(bounds.top_left))
    }

    /// This board with `dove` on `cell`, or in hand for `None`, wherever it was before. `None` if the result
    /// is not a board because it does not fit in 4×4 or a dove is isolated. The cell must be empty.
    pub(super) fn with(&self, dove: Dove, cell: Option<Cell>) -> Option<Board> {
        let mut board = self.clone();
        board.set(dove, cell);
        let bounds = board.bounding_box();
        let is_board = bounds.fits() && board.occupied().all(|cell| !board.is_isolated(cell));
        is_board.then(|| board.moved(bounds.top_left))
    }

    fn set(&mut self, dove: Dove, cell: Option<Cell>) {
        self.cells[dove.color as usize][dove.kind as usize] = cell;
    }

    /// The board translated so that this cell becomes row 0, column 0.
    fn moved(mut self, Cell { row, column }: Cell) -> Board {
        for cell in self.cells.iter_mut().flatten().flatten() {
            *cell = Cell::new(cell.row - row, cell.column - column);
        }
        self
    }

    /// The cell on which `dove` stands, or `None` if it is in hand.
    pub fn cell_of(&self, dove: Dove) -> Option<Cell> {
        self.cells[dove.color as usize][dove.kind as usize]
    }

    /// The cell of the boss of this colour.
    pub fn boss(&self, color: Color) -> Cell {
        self.cell_of(Dove::new(color, Kind::Boss)).expect("both bosses are on the board")
    }

    /// The dove on `cell`, if there is one.
    pub fn dove_at(&self, cell: Cell) -> Option<Dove> {
        Dove::all().find(|&dove| self.cell_of(dove) == Some(cell))
    }

    /// All doves on the board with their cells, red ones first.
    pub fn doves(&self) -> impl Iterator<Item = (Dove, Cell)> {
        Dove::all().filter_map(|dove| Some((dove, self.cell_of(dove)?)))
    }

    /// Whether no dove stands on `cell`.
    pub(super) fn is_empty(&self, cell: Cell) -> bool {
        self.occupied().all(|other| other != cell)
    }

    /// Whether `cell` touches a dove of this colour.
    pub(super) fn touches_any_of(&self, color: Color, cell: Cell) -> bool {
        self.cells[color as usize].iter().flatten().any(|&other| cell.touches(other))
    }

    /// The cells with a dove.
    fn occupied(&self) -> impl Iterator<Item = Cell> {
        self.cells.as_flattened().iter().flatten().copied()
    }

    /// The doves of this colour that are in hand.
    pub fn hand(&self, color: Color) -> impl Iterator<Item = Dove> {
        Dove::all().filter(move |&dove| dove.color == color && self.cell_of(dove).is_none())
    }

    /// The smallest box that holds all doves.
    pub fn bounding_box(&self) -> BoundingBox {
        BoundingBox::around(self.occupied())
    }

    /// Whether none of the 8 neighbours of `cell` holds a dove.
    fn is_isolated(&self, cell: Cell) -> bool {
        self.occupied().all(|other| !cell.touches(other))
    }

    /// Whether `side`, a cell next to a dove, holds a dove or lies beyond a wall.
    fn is_closed(&self, side: Cell, bounds: &BoundingBox) -> bool {
        bounds.is_beyond_wall(side) || !self.is_empty(side)
    }

    /// The enclosure degree (包囲度) of a dove on `cell`: the number of its 4 sides that hold a dove or a wall.
    pub fn enclosure_degree(&self, cell: Cell) -> usize {
        let bounds = self.bounding_box();
        cell.sides().filter(|&side| self.is_closed(side, &bounds)).count()
    }

    /// The contents of the sides of a cell: above, left, right, below.
    pub fn sides(&self, cell: Cell) -> [Side; 4] {
        let bounds = self.bounding_box();
        ORTHOGONAL.map(|step| {
            let side = cell.step(step);
            match self.dove_at(side) {
                Some(dove) => Side::Dove(dove),
                None if bounds.is_beyond_wall(side) => Side::Wall,
                None => Side::Open,
            }
        })
    }

    /// Whether a boss is surrounded, so that the game is over.
    pub(super) fn is_over(&self) -> bool {
        Color::ALL.into_iter().any(|color| self.is_surrounded(color))
    }

    /// Whether the boss of this colour is surrounded, that is, has enclosure degree 4.
    pub fn is_surrounded(&self, color: Color) -> bool {
        let bounds = self.bounding_box();
        self.boss(color).sides().all(|side| self.is_closed(side, &bounds))
    }
}
