//! A position as sets of cells: twelve doves on the plane, from the point of view of the player to move.
//!
//! Every dove on the board is a set of one cell of [`plane`], any other dove the empty set. The top left corner of the
//! box is always at the same cell of the plane (`ORIGIN`), so two positions are equal exactly if their boards are and
//! the same player is to move.
//!
//! Whether an action surrounds a boss depends only on the cells occupied after it. So the test for a win in
//! one works backwards: with one dove lifted, which cells would surround the opposing boss
//! ([`plane::surrounding_cells`]), and can the dove go to one of them? A return only removes doves and walls
//! and never surrounds.

use dovemate::rules::{Board, Cell, Code, Color, Dove, DoveSet, Game, Kind, Outcome, PositionError, Rules};
use dovemate::shapes::moves;
use dovemate::shapes::plane::{self, Bounds, PLANE};

/// The row, and column, of the plane at which every position's box starts.
const ORIGIN: u32 = 2;
/// The number of kinds of doves, the boss included.
pub(super) const KINDS: usize = 6;
pub(super) const BOSS: usize = Kind::Boss as usize;

/// A board with a player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The cell of each dove, empty if it is not on the board: the mover's doves by kind, then the
    /// opponent's.
    pub(super) cells: [[u64; KINDS]; 2],
    /// The cells of all doves of the mover, and of the opponent.
    pub(super) sides: [u64; 2],
    /// The dove sets of the mover and of the opponent: kinds on the board and in hand.
    pub(super) sets: [DoveSet; 2],
    mover: Color,
}

/// An action, with its effect on the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    kind: usize,
    /// The cell that becomes empty; no cell for a put.
    from: u64,
    /// The cell that becomes occupied; no cell for a return.
    to: u64,
    /// The outcome for the player who acts.
    pub outcome: Outcome,
}

impl Position {
    /// The position for a board of a game with this player to move.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, or a boss is surrounded.
    pub fn of(board: &Board, mover: Color, game: &Game) -> Result<Position, PositionError> {
        game.check(board)?;
        Ok(Position::with(
            board.doves().map(|(dove, cell)| (usize::from(dove.color != mover), dove.kind, cell)),
            mover,
            game,
        ))
    }

    /// The position of a canonical code, which must be that of a board of the game with no boss surrounded.
    pub fn of_canonical(code: Code, mover: Color, game: &Game) -> Position {
        // In a canonical code the mover is red.
        Position::with(
            code.doves().map(|(dove, square)| (dove.color as usize, dove.kind, Cell::from_number(square))),
            mover,
            game,
        )
    }

    fn with(doves: impl Iterator<Item = (usize, Kind, Cell)>, mover: Color, game: &Game) -> Position {
        let mut cells = [[0; KINDS]; 2];
        for (side, kind, cell) in doves {
            let (row, column) = (cell.row as u32 + ORIGIN, cell.column as u32 + ORIGIN);
            cells[side][kind as usize] = 1 << (PLANE * row + column);
        }
        let sides = cells.map(|cells| cells.iter().fold(0, |all, cell| all | cell));
        Position { cells, sides, sets: [game.doves(mover), game.doves(mover.opponent())], mover }
    }

    /// The board.
    pub fn board(&self) -> Board {
        let mut doves = Vec::new();
        for (cells, color) in self.cells.iter().zip([self.mover, self.mover.opponent()]) {
            for (kind, cell) in Kind::ALL.into_iter().zip(cells) {
                if *cell != 0 {
                    let (row, column) = (cell.trailing_zeros() / PLANE, cell.trailing_zeros() % PLANE);
                    doves.push((Dove::new(color, kind), Cell::new(row as i8, column as i8)));
                }
            }
        }
        Board::new(doves).expect("a position is a board")
    }

    /// The player to move.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// A number that identifies the position among those of the same game: 12 presence bits and twelve squares, as in
    /// [`dovemate::rules::Code`] but with all doves of the mover first, and the player to move in bit 60.
    pub fn key(&self) -> u64 {
        let mut key = u64::from(self.mover == Color::Green);
        let mut squares = 0;
        for &cell in self.cells.as_flattened() {
            // An empty set has no cell; its square is 0, that of the box's top left cell.
            let index = if cell == 0 { PLANE * ORIGIN + ORIGIN } else { cell.trailing_zeros() };
            let square = (index / PLANE - ORIGIN) * 4 + (index % PLANE - ORIGIN);
            key = key << 1 | u64::from(cell != 0);
            squares = squares << 4 | u64::from(square);
        }
        key << 48 | squares
    }

    /// The number of doves on the board, bosses included.
    pub fn count(&self) -> u32 {
        self.doves().count_ones()
    }

    /// The cells of all doves.
    pub(super) fn doves(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// Whether the mover has a dove in hand.
    fn has_hand(&self) -> bool {
        self.hand().next().is_some()
    }

    /// The kinds that the mover has in hand.
    fn hand(&self) -> impl Iterator<Item = usize> + '_ {
        self.sets[0].kinds().map(|kind| kind as usize).filter(|&kind| self.cells[0][kind] == 0)
    }

    /// Whether a legal action satisfies a condition. None is tried after the first that does; the boss's
    /// moves come first, because they escape most often.
    pub fn any_step(&self, rules: Rules, mut condition: impl FnMut(Step) -> bool) -> bool {
        let doves = self.doves();
        for kind in 0..KINDS {
            let from = self.cells[0][kind];
            if from == 0 {
                continue;
            }
            let others = doves & !from;
            let targets = moves::moves(Kind::ALL[kind], from, others);
            for to in plane::each_cell(targets) {
                if condition(self.step(kind, from, to, others | to, rules)) {
                    return true;
                }
            }
        }
        if self.has_hand() {
            for to in plane::each_cell(moves::puts(self.sides[0], self.cells[1][BOSS], doves)) {
                // The kind of the dove that is put does not change the occupied cells.
                let step = self.step(BOSS, 0, to, doves | to, rules);
                if self.hand().any(|kind| condition(Step { kind, ..step })) {
                    return true;
                }
            }
        }
        if rules.returns {
            for kind in BOSS + 1..KINDS {
                let from = self.cells[0][kind];
                let others = doves & !from;
                let is_legal = from != 0 && plane::isolated(others) == 0;
                if is_legal && condition(self.step(kind, from, 0, others, rules)) {
                    return true;
                }
            }
        }
        false
    }

    /// An action after which these cells are occupied.
    fn step(&self, kind: usize, from: u64, to: u64, after: u64, rules: Rules) -> Step {
        let own = if kind == BOSS && from != 0 { to } else { self.cells[0][BOSS] };
        let own_surrounded = plane::open_sides(own, after) == 0;
        let opposing_surrounded = plane::open_sides(self.cells[1][BOSS], after) == 0;
        Step { kind, from, to, outcome: rules.outcome(own_surrounded, opposing_surrounded) }
    }

    /// The position after an action, with the other player to move.
    pub fn after(&self, step: Step) -> Position {
        let [mut mine, theirs] = self.cells;
        mine[step.kind] = step.to;
        let sides = [self.sides[1], self.sides[0] & !step.from | step.to];
        let sets = [self.sets[1], self.sets[0]];
        let mut after = Position { cells: [theirs, mine], sides, sets, mover: self.mover.opponent() };
        after.move_to_origin();
        after
    }

    /// Moves the box to the origin; in place, because most positions are there already.
    fn move_to_origin(&mut self) {
        let (top, left) = Bounds::of(self.doves()).start();
        let (now, origin) = (PLANE * top + left, PLANE * ORIGIN + ORIGIN);
        if now != origin {
            // Both coordinates are at most 1 too small or 3 too great, so no bit leaves the plane.
            let shifted = |cells: u64| match now > origin {
                true => cells >> (now - origin),
                false => cells << (origin - now),
            };
            self.cells = self.cells.map(|side| side.map(shifted));
            self.sides = self.sides.map(shifted);
        }
    }

    /// Whether the mover has a legal action.
    pub fn can_act(&self, rules: Rules) -> bool {
        self.any_step(rules, |_| true)
    }

    /// Whether the mover has an action that surrounds the opposing boss and wins.
    pub fn surrounds_in_one(&self, rules: Rules) -> bool {
        let doves = self.doves();
        let (own, opposing) = (self.cells[0][BOSS], self.cells[1][BOSS]);
        if plane::open_sides(opposing, doves).count_ones() > 2 {
            // One action closes one side, or two by walls (see the lemma in `shapes::placement`).
            return false;
        }
        let others = doves & !own;
        let bounds = Bounds::of(others);
        let surrounding = plane::surrounding_cells(opposing, others, bounds) & plane::neighbours(own);
        if surrounding != 0 {
            let wins = |to| self.step(BOSS, own, to, others | to, rules).outcome == Outcome::Won;
            if plane::each_cell(surrounding & plane::landings(others, bounds)).any(wins) {
                return true;
            }
        }
        for kind in BOSS + 1..KINDS {
            let from = self.cells[0][kind];
            if from == 0 {
                continue;
            }
            let others = doves & !from;
            let bounds = Bounds::of(others);
            let winning = self.winning_cells(others, bounds, rules);
            // Mostly there is no such cell, which saves the rest.
            if winning == 0 {
                continue;
            }
            let reached = moves::reach(Kind::ALL[kind], from, others) & plane::landings(others, bounds);
            if winning & reached != 0 {
                return true;
            }
        }
        if self.has_hand() {
            let bounds = Bounds::of(doves);
            let winning = self.winning_cells(doves, bounds, rules) & plane::neighbours(self.sides[0]);
            return winning & !plane::sides(opposing) & plane::landings(doves, bounds) != 0;
        }
        false
    }

    /// Whether the opponent could surround the mover's boss and win if the mover did not act.
    pub fn is_threatened(&self, rules: Rules) -> bool {
        let mut passed = Position { mover: self.mover.opponent(), ..*self };
        passed.cells.swap(0, 1);
        passed.sides.swap(0, 1);
        passed.sets.swap(0, 1);
        passed.surrounds_in_one(rules)
    }

    /// The cells on which one more dove wins for the mover, provided that the mover's boss does not move.
    fn winning_cells(&self, doves: u64, bounds: Bounds, rules: Rules) -> u64 {
        let surrounding = plane::surrounding_cells(self.cells[1][BOSS], doves, bounds);
        moves::winning(surrounding, self.cells[0][BOSS], doves, bounds, rules)
    }

    /// Whether the mover's boss has a move to a cell with enclosure degree at most 2. If so, the mover has an
    /// action after which the opponent cannot surround the boss with the next one: the enclosure lemma (see
    /// `shapes::placement`).
    pub fn boss_is_free(&self) -> bool {
        let boss = self.cells[0][BOSS];
        let others = self.doves() & !boss;
        moves::escapes(moves::moves(Kind::Boss, boss, others), others).next().is_some()
    }
}
