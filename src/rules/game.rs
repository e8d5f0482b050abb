//! Games with fewer doves: a *dove set* for each player, and a rule variant.
//!
//! A player's doves are the boss and one dove of each kind in the player's dove set. With all five kinds for
//! both players the game is Tokyo Doves itself. A dove outside its owner's set is neither on the board nor in
//! hand.

use std::fmt;

use serde::Serialize;

use super::{Action, Board, BothSurrounded, Color, Dove, DoveSet, DoveSetError, Outcome, Rules};

/// Why a game cannot continue on a board: a dove on it is not in the game, or a boss is surrounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A dove on the board is not in its owner's dove set.
    #[error(
        "'{letter}' is not in this game, in which red has {red} and green has {green} besides the bosses; \
         name every kind on the board"
    )]
    NotInGame {
        /// The dove's letter.
        letter: char,
        /// The kinds that red has.
        red: DoveSet,
        /// The kinds that green has.
        green: DoveSet,
    },
    /// A boss is surrounded; if both are, the red one is named.
    #[error("the {0} boss is surrounded, so the game is over")]
    Over(Color),
}

/// A game: the dove sets of both players, and the rules.
///
/// ```
/// use dovemate::{DoveSet, Game, Rules};
///
/// let game = Game { red: "AY".parse()?, green: DoveSet::NONE, rules: Rules::default() };
/// assert_eq!(game.to_string(), "AY for red, - for green");
/// assert_eq!(Game::both("AYMTH")?, Game::default());
/// # Ok::<(), dovemate::rules::DoveSetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Game {
    /// The kinds that red has.
    pub red: DoveSet,
    /// The kinds that green has.
    pub green: DoveSet,
    /// The rule variant.
    #[serde(flatten)]
    pub rules: Rules,
}

impl Game {
    /// The game in which both players have the doves of these kinds besides the boss, as in `AYM`, under the
    /// default rules.
    ///
    /// # Errors
    /// If the text is not a dove set.
    pub fn both(kinds: &str) -> Result<Game, DoveSetError> {
        let kinds = kinds.parse()?;
        Ok(Game { red: kinds, green: kinds, rules: Rules::default() })
    }

    /// The game as written in the headers of files: the dove sets of red and green, whether doves return, and the
    /// ruling on an action that surrounds both bosses.
    pub fn bytes(&self) -> [u8; 4] {
        let Game { red, green, rules } = self;
        let ruling = BothSurrounded::ALL.iter().position(|ruling| *ruling == rules.both_surrounded);
        [red.bits(), green.bits(), u8::from(rules.returns), ruling.expect("one of all") as u8]
    }

    /// Tokyo Doves itself: all doves for both players.
    pub const fn whole(rules: Rules) -> Game {
        Game { red: DoveSet::ALL, green: DoveSet::ALL, rules }
    }

    /// Whether this is Tokyo Doves itself, under whatever rules: both players have all doves.
    pub fn is_whole(&self) -> bool {
        *self == Game::whole(self.rules)
    }

    /// The kinds that a player has.
    pub const fn doves(&self, player: Color) -> DoveSet {
        match player {
            Color::Red => self.red,
            Color::Green => self.green,
        }
    }

    /// Whether both players have the same kinds; a position is then the same as its recolouring with the
    /// other player to move.
    pub fn is_even(&self) -> bool {
        self.red == self.green
    }

    /// The greatest possible number of doves on the board, both bosses included.
    pub const fn most_doves(&self) -> u32 {
        2 + self.red.len() + self.green.len()
    }

    /// The first dove on the board that its owner does not have in this game.
    pub fn stranger(&self, board: &Board) -> Option<Dove> {
        board.doves().map(|(dove, _)| dove).find(|dove| !self.doves(dove.color).contains(dove.kind))
    }

    /// Checks that every dove on a board is in the game, and that no boss is surrounded.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, or a boss is surrounded.
    pub fn check(&self, board: &Board) -> Result<(), PositionError> {
        self.check_doves(board)?;
        match Color::ALL.into_iter().find(|&color| board.is_surrounded(color)) {
            Some(color) => Err(PositionError::Over(color)),
            None => Ok(()),
        }
    }

    /// Checks that every dove on a board is in the game.
    ///
    /// # Errors
    /// If a dove is not in the game.
    pub fn check_doves(&self, board: &Board) -> Result<(), PositionError> {
        match self.stranger(board) {
            Some(dove) => {
                Err(PositionError::NotInGame { letter: dove.letter(), red: self.red, green: self.green })
            }
            None => Ok(()),
        }
    }

    /// The outcome for `actor`, whose action led to the board: that of [the rules](Rules::outcome_of) or, where they
    /// leave the game open, a win if the other player has no legal action.
    ///
    /// ```
    /// use dovemate::rules::{Board, Color, Game, Outcome};
    ///
    /// let game = Game::default();
    /// let (mut board, mut player) = (Board::default(), Color::Red);
    /// // Both players always take their first action.
    /// while game.outcome(&board, player.opponent()) == Outcome::Open {
    ///     let (_, after) = game.legal_actions(&board, player).next().expect("the game is not over");
    ///     (board, player) = (after, player.opponent());
    /// }
    /// assert_eq!(game.outcome(&board, player.opponent()), Outcome::Lost, "it surrounds its own boss");
    /// ```
    pub fn outcome(&self, after: &Board, actor: Color) -> Outcome {
        match self.rules.outcome_of(after, actor) {
            Outcome::Open if self.legal_actions(after, actor.opponent()).next().is_none() => Outcome::Won,
            outcome => outcome,
        }
    }

    /// Every legal action of `player` with the board it leads to, like [`Board::legal_actions`], but only
    /// doves of the game act.
    pub fn legal_actions(&self, board: &Board, player: Color) -> impl Iterator<Item = (Action, Board)> {
        board.legal_actions_with(self.doves(player), player, self.rules)
    }
}

/// `AYM for both`, or `AY for red, M for green`, followed by any differences from the default rules.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_even() {
            true => write!(f, "{} for both", self.red)?,
            false => write!(f, "{} for red, {} for green", self.red, self.green)?,
        }
        if !self.rules.returns {
            write!(f, ", no returns")?;
        }
        if self.rules.both_surrounded != Rules::default().both_surrounded {
            write!(f, ", both surrounded: {}", self.rules.both_surrounded)?;
        }
        Ok(())
    }
}

impl Default for Game {
    /// Tokyo Doves under the default rules.
    fn default() -> Game {
        Game::whole(Rules::default())
    }
}
