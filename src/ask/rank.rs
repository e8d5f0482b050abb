//! Every action of a player with its value, best first, and the line that follows.
//!
//! The value of an action is that of the position after it, from the other player's point of view and one ply further
//! away: an action that surrounds the opposing boss is a *win in 1*, one that loses outright a *lose in 1*. Wins come
//! first, the quickest first; then draws; then *none within n plies*; then losses, the slowest first. Equal actions are
//! sorted by their text. A win or loss without a known distance counts as longer than any that search has proved.

use std::cmp::Ordering;
use std::fmt;
use std::time::Instant;

use super::Values;
use crate::digits::plies;
use crate::retrograde::Value;
use crate::rules::{Action, Board, Color, Game, Outcome, PositionError};
use crate::search::{Position, Search};

/// The value of a position to the player to move, or of an action to the player who takes it, as far as it is known.
///
/// ```
/// use dovemate::{Board, Color, Game, Value, Worth, rank_within};
///
/// let board: Board = "YmaH;MtAT;-yh-;B-b-".parse()?;
/// let ranked = rank_within(&Game::default(), &board, Color::Red, 5)?;
/// assert_eq!(ranked[0].worth, Worth::Exact(Value::Win(5)));
/// assert!(ranked.iter().any(|ranked| ranked.worth == Worth::NoneWithin(5)), "a draw, or a longer win or loss");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Worth {
    /// An exact value.
    Exact(Value),
    /// A win at an unknown distance.
    Win,
    /// A loss at an unknown distance.
    Lose,
    /// Neither a win nor a loss within this many plies: a draw, or a longer win or loss.
    NoneWithin(u32),
}

impl Worth {
    /// A key that is least for the best.
    const fn rank(self) -> (u8, i64) {
        match self {
            Worth::Exact(Value::Win(plies)) => (0, plies as i64),
            Worth::Win => (1, 0),
            Worth::Exact(Value::Draw) => (2, 0),
            Worth::NoneWithin(_) => (3, 0),
            Worth::Lose => (4, 0),
            Worth::Exact(Value::Lose(plies)) => (5, -(plies as i64)),
        }
    }

    /// Compares two values; the greater is better for the player.
    pub fn compare(self, other: Worth) -> Ordering {
        other.rank().cmp(&self.rank())
    }

    /// The name in files: `win`, `draw`, `none` or `lose`.
    pub const fn name(self) -> &'static str {
        match self {
            Worth::Exact(value) => value.name(),
            Worth::Win => "win",
            Worth::Lose => "lose",
            Worth::NoneWithin(_) => "none",
        }
    }

    /// The distance, or the plies within which there is none; `None` for a draw or an unknown distance.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Worth::Exact(value) => value.plies(),
            Worth::Win | Worth::Lose => None,
            Worth::NoneWithin(plies) => Some(plies),
        }
    }

    /// Whether this is a win or a loss without a distance, which a search may find.
    const fn lacks_distance(self) -> bool {
        matches!(self, Worth::Win | Worth::Lose)
    }

    /// The value of an action to the player who takes it, if it leads to a position with this value for the other
    /// player.
    #[must_use]
    pub const fn before(self) -> Worth {
        match self {
            Worth::Exact(value) => Worth::Exact(value.before()),
            Worth::Win => Worth::Lose,
            Worth::Lose => Worth::Win,
            Worth::NoneWithin(plies) => Worth::NoneWithin(plies + 1),
        }
    }
}

/// `win in 3`, `win`, `draw`, `none within 9 plies`, `lose`, `lose in 2`.
impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Exact(value) => value.fmt(f),
            Worth::Win | Worth::Lose => f.write_str(self.name()),
            Worth::NoneWithin(within) => write!(f, "none within {}", plies(*within)),
        }
    }
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most plies, counted from the position in question; up to [`Search::LONGEST`].
    pub plies: u32,
    /// The time at which to stop.
    pub deadline: Option<Instant>,
}

/// An action with its value to its player.
///
/// ```
/// use dovemate::{Board, Color, Game, rank_within};
///
/// let board = Board::default();
/// let ranked = rank_within(&Game::both("A")?, &board, Color::Red, 1)?;
/// assert!(ranked.iter().any(|ranked| ranked.text == "BW1" && ranked.worth.to_string() == "none within 1 ply"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The action.
    pub action: Action,
    /// Its text on the board before it.
    pub text: String,
    /// The board after it.
    pub after: Board,
    /// Its value.
    pub worth: Worth,
}

/// All actions of a player in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The actions, best first.
    pub actions: Vec<Ranked>,
    /// The number of plies searched completely, if anything had to be searched.
    pub searched: Option<u32>,
    /// Whether the deadline passed before all allowed plies were searched.
    pub is_out_of_time: bool,
}

/// Actions of the two players in turn, each with the board it leads to.
pub type Line = Vec<(Action, Board)>;

/// The texts of a line's actions, starting from a board.
pub fn texts(board: &Board, line: &Line) -> Vec<String> {
    let boards = std::iter::once(board).chain(line.iter().map(|(_, after)| after));
    line.iter().zip(boards).map(|((action, _), before)| action.text(before)).collect()
}

impl Ranking {
    /// The value of the position to its player: that of the best action. If that is a draw and another action is
    /// undecided within n plies, the position is undecided too.
    pub fn worth(&self) -> Worth {
        let best = self.actions.first().map_or(Worth::Exact(Value::Lose(0)), |best| best.worth);
        let open = self.actions.iter().map(|ranked| ranked.worth).find(|worth| matches!(worth, Worth::NoneWithin(_)));
        open.filter(|_| best == Worth::Exact(Value::Draw)).unwrap_or(best)
    }
}

/// Answers questions about the positions of one game.
pub struct Asker<'a> {
    game: Game,
    values: Option<&'a dyn Values>,
    search: Search,
}

impl<'a> Asker<'a> {
    /// Uses these values first, if there are any, and searches where they have none.
    pub fn new(game: Game, values: Option<&'a dyn Values>) -> Asker<'a> {
        Asker { game, values, search: Search::new(&game) }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The values that need no search, if there are any.
    pub(super) fn values(&self) -> Option<&'a dyn Values> {
        self.values
    }

    /// The value of a position, if it is known, or is a win or loss within this many plies (at most
    /// [`Search::LONGEST`]).
    ///
    /// # Errors
    /// If a dove on the board is not in the game, or a boss is surrounded.
    pub fn value(&mut self, board: &Board, mover: Color, plies: u32) -> Result<Option<Value>, PositionError> {
        let position = Position::of(board, mover, &self.game)?;
        if let Some(Worth::Exact(value)) = self.values.and_then(|values| values.worth(board, mover)) {
            return Ok(Some(value));
        }
        self.search.stop_at(None);
        Ok(self.search.value(&position, plies.min(Search::LONGEST)).expect("there is no deadline"))
    }

    /// Ranks the actions of a player.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, or a boss is surrounded.
    pub fn rank(&mut self, board: &Board, mover: Color, limits: Limits) -> Result<Ranking, PositionError> {
        self.game.check(board)?;
        Ok(self.rank_open(board, mover, limits))
    }

    /// Ranks the actions of a player on a board of the game on which no boss is surrounded.
    fn rank_open(&mut self, board: &Board, mover: Color, limits: Limits) -> Ranking {
        let opponent = mover.opponent();
        let mut actions = Vec::new();
        let mut open = Vec::new();
        for (action, after) in self.game.legal_actions(board, mover) {
            let known = match self.game.rules.outcome_of(&after, mover) {
                Outcome::Won => Some(Worth::Exact(Value::Win(1))),
                Outcome::Lost => Some(Worth::Exact(Value::Lose(1))),
                Outcome::Drawn => Some(Worth::Exact(Value::Draw)),
                Outcome::Open => self.values.and_then(|values| values.worth(&after, opponent)).map(Worth::before),
            };
            if known.is_none_or(Worth::lacks_distance) {
                let position = Position::of(&after, opponent, &self.game).expect("the game goes on after this action");
                open.push((actions.len(), position));
            }
            let worth = known.unwrap_or(Worth::NoneWithin(0));
            actions.push(Ranked { action, text: action.text(board), after, worth });
        }
        let (mut searched, mut is_out_of_time) = (None, false);
        if !open.is_empty() {
            self.search.stop_at(limits.deadline);
            let mut done = 0;
            'deeper: for plies in 1..=limits.plies.min(Search::LONGEST) {
                let mut still_open = Vec::new();
                for &(index, position) in &open {
                    match self.search.value_in(&position, plies - 1) {
                        Ok(Some(value)) => actions[index].worth = Worth::Exact(value.before()),
                        Ok(None) => still_open.push((index, position)),
                        Err(_) => {
                            is_out_of_time = true;
                            break 'deeper;
                        }
                    }
                }
                open = still_open;
                done = plies;
            }
            for ranked in &mut actions {
                if let Worth::NoneWithin(_) = ranked.worth {
                    ranked.worth = Worth::NoneWithin(done);
                }
            }
            searched = Some(done);
        }
        actions.sort_by(|a, b| b.worth.compare(a.worth).then_with(|| a.text.cmp(&b.text)));
        Ranking { actions, searched, is_out_of_time }
    }

    /// A player's action, if there is one, and the line that follows if both players choose their first-ranked action.
    /// A win or a loss is played to the end of the game; a draw for at most `most_drawn` plies. The line stops where
    /// the value or its distance is unknown.
    pub fn line(&mut self, first: Option<&Ranked>, mover: Color, most_drawn: usize) -> Line {
        self.line_within(first, mover, most_drawn, None)
    }

    /// Like [`Asker::line`], but the line may stop earlier if the deadline passes.
    pub fn line_within(
        &mut self,
        first: Option<&Ranked>,
        mover: Color,
        most_drawn: usize,
        deadline: Option<Instant>,
    ) -> Line {
        let mut line = Line::new();
        let mut best = first.cloned();
        let mut player = mover;
        while let Some(Ranked { action, after, worth, .. }) = best {
            // The distance is proved, so the rest needs no deeper search.
            let limits = match worth {
                Worth::NoneWithin(_) | Worth::Win | Worth::Lose => break,
                Worth::Exact(Value::Draw) if line.len() >= most_drawn => break,
                Worth::Exact(value) => Limits { plies: value.plies().unwrap_or(0).saturating_sub(1), deadline },
            };
            let is_over = self.game.rules.outcome_of(&after, player) != Outcome::Open;
            line.push((action, after.clone()));
            if is_over {
                break;
            }
            player = player.opponent();
            best = self.rank_open(&after, player, limits).actions.into_iter().next();
        }
        line
    }
}
