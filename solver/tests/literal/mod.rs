//! Tokyo Doves with any dove sets, by the literal rules: the reference for every faster solver.
//!
//! All positions are enumerated, reachable or not: every board with doves of the game on which neither boss is
//! surrounded, with each player to move. A position is identified by its canonical code, which is from the mover's
//! point of view, so the mover is called *red* below, even if it is green. Only if the players have different dove sets
//! does it matter which player moves.
//!
//! The boards come from [`Board::new`] and [`Code::canonical`] alone: of all ways to put the doves on the cells of a
//! 4×4 window, only those count whose code is canonical. That is exactly one image of each position.

use rayon::prelude::*;

use dovemate::rules::{Board, Cell, Code, Color, Dove, DoveSet, Game, Kind, Outcome};
use dovemate_solver::retrograde::{self, After, End, Graph, validate};
use dovemate_solver::{Known, Lookup, LookupError, Solution, SolutionRow, Source, Value, Worth};

/// The rows, and columns, of the window.
const WINDOW: u32 = 4;

/// A position: the canonical code of a board, and the player to move.
///
/// The code is recoloured so that the mover is red. In a game in which both players have the same dove set
/// the mover is always given as red; otherwise it is the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LiteralPosition {
    mover: Color,
    code: Code,
}

impl LiteralPosition {
    /// The position of a game for a board, in any window and colours, and a player to move.
    pub(crate) fn of(game: &Game, board: &Board, mover: Color) -> LiteralPosition {
        let code = board.code().canonical(mover);
        LiteralPosition { mover: if game.is_even() { Color::Red } else { mover }, code }
    }

    /// The canonical code, in which the mover is red.
    pub(crate) const fn code(self) -> Code {
        self.code
    }

    /// The player to move; red if both players have the same dove set.
    pub(crate) const fn mover(self) -> Color {
        self.mover
    }

    /// The board, with the mover's doves red.
    pub(crate) fn board(self) -> Board {
        self.code().board()
    }
}

/// The text of the board, on which the mover is red, and the player to move.
impl std::fmt::Debug for LiteralPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let note = if self.mover() == Color::Green { " (green's to move, recoloured)" } else { "" };
        write!(f, "{}{note}", self.code().text())
    }
}

/// The game from the mover's point of view, recoloured so that the mover is red.
fn seen_by(game: &Game, mover: Color) -> Game {
    match mover {
        Color::Red => *game,
        Color::Green => Game { red: game.green, green: game.red, rules: game.rules },
    }
}

/// A game in the form that retrograde analysis needs.
struct LiteralGame(Game);

impl retrograde::Game for LiteralGame {
    type Position = LiteralPosition;

    fn actions(&self, position: &LiteralPosition) -> Vec<After<LiteralPosition>> {
        let LiteralGame(game) = self;
        let seen = seen_by(game, position.mover());
        let next_mover = if game.is_even() { Color::Red } else { position.mover().opponent() };
        let board = position.board();
        let mut actions = Vec::new();
        for (_, after) in seen.legal_actions(&board, Color::Red) {
            actions.push(match game.rules.outcome_of(&after, Color::Red) {
                Outcome::Open => {
                    let code = after.code().canonical(Color::Green);
                    After::Position(LiteralPosition { mover: next_mover, code })
                }
                Outcome::Won => After::End(End::Won),
                Outcome::Lost => After::End(End::Lost),
                Outcome::Drawn => After::End(End::Drawn),
            });
        }
        actions
    }
}

/// All positions of a game, ascending by mover and code.
pub(crate) fn positions(game: &Game) -> Vec<LiteralPosition> {
    let movers = if game.is_even() { &[Color::Red][..] } else { &Color::ALL };
    let mut positions: Vec<LiteralPosition> = Vec::new();
    for &mover in movers {
        let seen = seen_by(game, mover);
        for red in subsets(seen.red) {
            for green in subsets(seen.green) {
                let doves: Vec<Dove> = team(Color::Red, red).chain(team(Color::Green, green)).collect();
                let codes = boards(&doves).into_iter();
                positions.extend(codes.map(|code| LiteralPosition { mover, code }));
            }
        }
    }
    positions.par_sort_unstable();
    positions
}

/// All subsets of these kinds.
fn subsets(kinds: DoveSet) -> impl Iterator<Item = DoveSet> {
    DoveSet::all().into_iter().filter(move |&set| kinds.includes(set))
}

/// The boss and these kinds.
fn team(color: Color, kinds: DoveSet) -> impl Iterator<Item = Dove> {
    std::iter::once(Kind::Boss).chain(kinds.kinds()).map(move |kind| Dove::new(color, kind))
}

/// The boards with exactly these doves on which neither boss is surrounded, each as the image whose code is canonical.
fn boards(doves: &[Dove]) -> Vec<Code> {
    (0..=u16::MAX)
        .into_par_iter()
        .filter(|cells| cells.count_ones() as usize == doves.len())
        .flat_map_iter(|cells| boards_on(doves, cells))
        .collect()
}

/// The boards with these doves on these cells of the window.
fn boards_on(doves: &[Dove], cells: u16) -> Vec<Code> {
    let mut squares: Vec<u32> = (0..WINDOW * WINDOW).filter(|square| cells >> square & 1 == 1).collect();
    let mut codes = Vec::new();
    let on = |squares: &[u32]| doves.iter().copied().zip(squares.to_vec());
    let board_on =
        |squares: &[u32]| Board::new(on(squares).map(|(dove, square)| (dove, Cell::from_number(square))));
    // Whether doves on these cells make a board at the window's origin does not depend on which doves they
    // are.
    if !board_on(&squares).is_ok_and(|board| board.code() == Code::from_squares(on(&squares))) {
        return codes;
    }
    for_each_order(&mut squares, 0, &mut |squares| {
        let code = Code::from_squares(on(squares));
        if code.canonical(Color::Red) != code {
            return;
        }
        let board = board_on(squares).expect("the cells make a board");
        if Color::ALL.into_iter().all(|color| !board.is_surrounded(color)) {
            codes.push(code);
        }
    });
    codes
}

/// Calls a function with every order of the items, those before `first` unmoved.
fn for_each_order(items: &mut [u32], first: usize, visit: &mut impl FnMut(&[u32])) {
    if first + 1 >= items.len() {
        return visit(items);
    }
    for other in first..items.len() {
        items.swap(first, other);
        for_each_order(items, first + 1, visit);
        items.swap(first, other);
    }
}

/// A game with the value of every position.
pub(crate) struct LiteralSolution {
    game: Game,
    graph: Graph<LiteralPosition>,
    values: Vec<Value>,
}

impl LiteralSolution {
    /// Solves a game. Time and memory grow with its positions: up to 6 doves take seconds, 8 doves minutes
    /// and gigabytes.
    ///
    /// # Panics
    /// If an action leads to a board that is not among the positions, which means that the enumeration or the
    /// rules are wrong.
    pub(crate) fn new(game: Game) -> LiteralSolution {
        let graph = Graph::of(&LiteralGame(game), positions(&game)).unwrap_or_else(|error| panic!("{error}"));
        let values = graph.values();
        LiteralSolution { game, graph, values }
    }

    /// Every position with its value, ascending by mover and code.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (LiteralPosition, Value)> {
        self.graph.positions().iter().copied().zip(self.values.iter().copied())
    }

    /// The value of a position; `None` if the game does not have it.
    pub(crate) fn value(&self, position: LiteralPosition) -> Option<Value> {
        self.graph.number(&position).map(|number| self.values[number])
    }

    /// The number of positions with each value.
    pub(crate) fn table(&self) -> Solution {
        let rows = self.iter().map(|(position, value)| SolutionRow {
            mover: (!self.game.is_even()).then_some(position.mover()),
            doves: position.code().count(),
            worth: Worth::Exact(value),
            positions: 1,
        });
        Solution::new(rows)
    }

    /// Derives every value again from the rules and the values of its successors.
    ///
    /// # Errors
    /// If a value does not follow.
    pub(crate) fn validate(&self) -> Result<(), retrograde::Inconsistent<LiteralPosition>> {
        validate(&LiteralGame(self.game), &self.graph, &self.values)
    }
}

/// The literal solver can also be probed.
impl Lookup for LiteralSolution {
    fn game(&self) -> Game {
        self.game
    }

    fn probe(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let value = self.value(LiteralPosition::of(&self.game, board, mover));
        Ok(value.map(|value| Known { worth: Worth::Exact(value), source: Source::Solved }))
    }

    fn knows_all(&self) -> bool {
        true
    }
}
