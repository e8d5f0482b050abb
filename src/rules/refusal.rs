//! Why an action is not legal: the rules of `action.rs`, checked one by one.

use super::{Action, Board, BoardError, Cell, Color, Dove, Game, Kind, Rules};

/// Why an action is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The game is played without the dove.
    #[error("'{0}' is not in this game")]
    NotInGame(char),
    /// A boss is surrounded, or the game has ended otherwise.
    #[error("the game is over")]
    Over,
    /// The other player, given here, acts next.
    #[error("it is {0}'s turn")]
    OtherTurn(Color),
    /// A dove on the board cannot be put.
    #[error("'{0}' is on the board")]
    OnBoard(char),
    /// A dove in hand cannot be moved or returned.
    #[error("'{0}' is in hand")]
    InHand(char),
    /// Doves are not returned under these rules.
    #[error("doves may not be returned in this game")]
    NoReturns,
    /// A boss is never returned.
    #[error("a boss cannot be returned")]
    BossStays,
    /// There is a dove on the cell.
    #[error("'{0}' stands there")]
    Occupied(char),
    /// The dove does not move in that way.
    #[error("'{0}' does not move that way")]
    Moves(char),
    /// The dove would have to pass over another one.
    #[error("'{0}' cannot pass over another dove")]
    InTheWay(char),
    /// A dove must be put on a cell that touches a dove of its own colour.
    #[error("a dove must be put on a cell that touches one of its own colour")]
    TouchesNone,
    /// No dove may be put on a side of the opposing boss.
    #[error("no dove may be put on a side of the opposing boss")]
    BesideBoss,
    /// A dove would be isolated.
    #[error("'{0}' would be isolated; every dove needs another one on one of its 8 neighbouring cells")]
    Isolated(char),
    /// The doves would not fit in 4×4.
    #[error("the doves would take {rows} rows and {columns} columns; all must fit in 4×4")]
    TooLarge {
        /// Rows of the bounding box.
        rows: i8,
        /// Columns of the bounding box.
        columns: i8,
    },
}

impl Game {
    /// The board after an action of the game. The caller must know whose turn it is.
    ///
    /// ```
    /// use dovemate::rules::{Action, Board, Color, Game, Refusal};
    ///
    /// let (game, start) = (Game::both("A")?, Board::default());
    /// let action = Action::from_text("+AS1", &start)?;
    /// let after = game.after(&start, action).expect("it is legal");
    /// assert_eq!(after.to_string(), "b---;B---;A---;----");
    /// assert_eq!(game.after(&after, action), Err(Refusal::OnBoard('A')));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first rule that the action breaks.
    pub fn after(&self, board: &Board, action: Action) -> Result<Board, Refusal> {
        let dove = action.dove();
        match (action, board.cell_of(dove)) {
            (Action::Put { .. }, Some(_)) => return Err(Refusal::OnBoard(dove.letter())),
            (Action::Move { .. }, None) => return Err(Refusal::InHand(dove.letter())),
            _ => {}
        }
        let (_, after) = self.attempt(board, dove, action.to())?;
        Ok(after)
    }

    /// The action that puts a dove on a cell or moves it there, or that returns it, and the board after it. The caller
    /// must know whose turn it is.
    ///
    /// ```
    /// use dovemate::rules::{Board, Cell, Dove, Game, Refusal};
    ///
    /// let (game, start) = (Game::default(), Board::default());
    /// let aniki = Dove::from_letter('A').expect("it is a dove");
    /// let (action, _) = game.attempt(&start, aniki, Some(Cell::new(2, 0))).expect("it is legal");
    /// assert_eq!(action.text(&start), "+AS1");
    /// assert_eq!(game.attempt(&start, aniki, None), Err(Refusal::InHand('A')));
    /// ```
    ///
    /// # Errors
    /// The first rule that the action breaks.
    pub fn attempt(&self, board: &Board, dove: Dove, to: Option<Cell>) -> Result<(Action, Board), Refusal> {
        let letter = dove.letter();
        if board.is_over() {
            return Err(Refusal::Over);
        }
        if !self.doves(dove.color).contains(dove.kind) {
            return Err(Refusal::NotInGame(letter));
        }
        if let Some(other) = to.and_then(|cell| board.dove_at(cell)) {
            return Err(Refusal::Occupied(other.letter()));
        }
        let action = match (board.cell_of(dove), to) {
            (None, None) => return Err(Refusal::InHand(letter)),
            (Some(_), None) if !self.rules.returns => return Err(Refusal::NoReturns),
            (Some(_), None) if dove.kind == Kind::Boss => return Err(Refusal::BossStays),
            (Some(_), None) => Action::Return { dove },
            (Some(from), Some(to)) => {
                board.check_move(dove, from, to)?;
                Action::Move { dove, to }
            }
            (None, Some(to)) => {
                if !board.touches_any_of(dove.color, to) {
                    return Err(Refusal::TouchesNone);
                }
                if board.boss(dove.color.opponent()).sides().any(|side| side == to) {
                    return Err(Refusal::BesideBoss);
                }
                Action::Put { dove, to }
            }
        };
        let others = board.doves().filter(|(other, _)| *other != dove);
        match Board::new(others.chain(to.map(|to| (dove, to)))) {
            Ok(after) => Ok((action, after)),
            Err(BoardError::Isolated(letter)) => Err(Refusal::Isolated(letter)),
            Err(BoardError::TooLarge { rows, columns }) => Err(Refusal::TooLarge { rows, columns }),
            // No other error can occur: no boss is missing, no dove stands twice, and none stands on another one.
            Err(_) => Err(Refusal::Moves(letter)),
        }
    }
}

impl Board {
    /// The board after an action of Tokyo Doves itself; [`Game::after`] is for games with fewer doves. The caller must
    /// know whose turn it is.
    ///
    /// # Errors
    /// The first rule that the action breaks.
    pub fn after(&self, action: Action, rules: Rules) -> Result<Board, Refusal> {
        Game::whole(rules).after(self, action)
    }

    /// Fails unless the dove's kind moves from one cell to the other, which must be empty.
    fn check_move(&self, dove: Dove, from: Cell, to: Cell) -> Result<(), Refusal> {
        if self.destinations(dove.kind, from).any(|cell| cell == to) {
            return Ok(());
        }
        let is_on_line = dove.kind == Kind::Totsu && (from.row == to.row) != (from.column == to.column);
        let step = (to.row.saturating_sub(from.row).signum(), to.column.saturating_sub(from.column).signum());
        let mut between = std::iter::successors(Some(from.step(step)), |cell| Some(cell.step(step)));
        if is_on_line && between.by_ref().take_while(|&cell| cell != to).any(|cell| !self.is_empty(cell)) {
            return Err(Refusal::InTheWay(dove.letter()));
        }
        Err(Refusal::Moves(dove.letter()))
    }
}
