//! Games with fewer doves: a *dove set* for each player, and a rule variant.
//!
//! A player's doves are the boss and one dove of each kind in the player's dove set. With all five kinds for both
//! players the game is Tokyo Doves itself. A dove outside its owner's set is neither on the board nor in hand.

use std::fmt;
use std::str::FromStr;

use super::{Action, Board, Color, Dove, Kind, Rules};

/// The kinds of doves that a player has besides the boss. Written as letters in the order `AYMTH`, or `-` for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DoveSet(u8);

/// Why a text is not a dove set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DoveSetError {
    /// The text is empty.
    #[error("no kinds are named; write letters of A Y M T H, as in AYM, or - for none")]
    Empty,
    /// A letter is not a kind.
    #[error("'{}' is no kind of dove; write letters of A Y M T H, as in AYM, or - for none", .0.escape_default())]
    NoKind(char),
    /// The boss is named; every player has one anyway.
    #[error("'{0}' is the boss, which every player has; name only others of A Y M T H, as in AYM, or - for none")]
    Boss(char),
    /// A kind is named twice.
    #[error("'{0}' is named twice; a player has one dove of each kind")]
    Twice(char),
}

impl DoveSet {
    /// The boss alone.
    pub const NONE: DoveSet = DoveSet(0);
    /// All five kinds.
    pub const ALL: DoveSet = DoveSet(0b11111);

    /// All 32 dove sets, by number of kinds, then in the order of the notation.
    pub fn all() -> Vec<DoveSet> {
        let mut sets: Vec<DoveSet> = (0..=DoveSet::ALL.0).map(DoveSet).collect();
        sets.sort_by_key(|set| (set.len(), set.kinds().collect::<Vec<_>>()));
        sets
    }

    /// The kinds, in the order of [`Kind::OTHERS`].
    pub fn kinds(self) -> impl Iterator<Item = Kind> + Clone {
        Kind::OTHERS.into_iter().filter(move |&kind| self.contains(kind))
    }

    /// Whether the player has this kind. True for the boss, which every player has, although it is not a member of the
    /// set.
    pub const fn contains(self, kind: Kind) -> bool {
        matches!(kind, Kind::Boss) || self.0 >> (kind as u8 - 1) & 1 == 1
    }

    /// Whether this set includes all kinds of another.
    pub const fn includes(self, other: DoveSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// The set with this kind added; a boss adds nothing.
    #[must_use]
    pub const fn with(self, kind: Kind) -> DoveSet {
        match kind {
            Kind::Boss => self,
            _ => DoveSet(self.0 | 1 << (kind as u8 - 1)),
        }
    }

    /// The index of a kind among those of the set; `None` if the set does not have it.
    pub const fn place(self, kind: Kind) -> Option<u32> {
        match kind {
            Kind::Boss => None,
            _ if !self.contains(kind) => None,
            _ => Some((self.0 & ((1 << (kind as u8 - 1)) - 1)).count_ones()),
        }
    }

    /// The kinds as bits, Aniki the least significant.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The number of kinds, 0 to 5.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no kind.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Kind> for DoveSet {
    /// The set of these kinds; a boss adds nothing.
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> DoveSet {
        kinds.into_iter().fold(DoveSet::NONE, DoveSet::with)
    }
}

impl fmt::Display for DoveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.kinds().map(|kind| Dove::new(Color::Red, kind).letter()).collect();
        f.pad(if letters.is_empty() { "-" } else { &letters })
    }
}

impl FromStr for DoveSet {
    type Err = DoveSetError;

    /// Reads letters in any order and case, or `-`.
    fn from_str(text: &str) -> Result<DoveSet, DoveSetError> {
        if text == "-" {
            return Ok(DoveSet::NONE);
        }
        let mut set = DoveSet::NONE;
        for letter in text.chars() {
            let dove = Dove::from_letter(letter.to_ascii_uppercase()).ok_or(DoveSetError::NoKind(letter))?;
            let with = set.with(dove.kind);
            if dove.kind == Kind::Boss {
                return Err(DoveSetError::Boss(letter));
            }
            if with == set {
                return Err(DoveSetError::Twice(letter));
            }
            set = with;
        }
        if set.is_empty() { Err(DoveSetError::Empty) } else { Ok(set) }
    }
}

/// Why no player can act on a board: it does not belong to the game, or the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A dove on the board is not in its owner's dove set.
    #[error("'{letter}' is not in this game, in which red has {red} and green has {green} besides the bosses")]
    NotInGame {
        /// The dove's letter.
        letter: char,
        /// The kinds that red has.
        red: DoveSet,
        /// The kinds that green has.
        green: DoveSet,
    },
    /// A boss is surrounded; the red one is named if both are.
    #[error("the {0} boss is surrounded, so the game is over")]
    Over(Color),
}

/// A game: the dove sets of both players, and the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    /// The kinds that red has.
    pub red: DoveSet,
    /// The kinds that green has.
    pub green: DoveSet,
    /// The rule variant.
    pub rules: Rules,
}

impl Game {
    /// Tokyo Doves itself: all doves for both players.
    pub const fn whole(rules: Rules) -> Game {
        Game { red: DoveSet::ALL, green: DoveSet::ALL, rules }
    }

    /// The kinds that a player has.
    pub const fn doves(&self, player: Color) -> DoveSet {
        match player {
            Color::Red => self.red,
            Color::Green => self.green,
        }
    }

    /// Whether both players have the same kinds; a position is then the same as its recolouring with the other player
    /// to move.
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

    /// Checks that a board belongs to the game and that the game is not over.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, or a boss is surrounded.
    pub fn check(&self, board: &Board) -> Result<(), PositionError> {
        if let Some(dove) = self.stranger(board) {
            return Err(PositionError::NotInGame { letter: dove.letter(), red: self.red, green: self.green });
        }
        match Color::ALL.into_iter().find(|&color| board.is_surrounded(color)) {
            Some(color) => Err(PositionError::Over(color)),
            None => Ok(()),
        }
    }

    /// Every legal action of `player` with the board it leads to, like [`Board::legal_actions`], but only doves of the
    /// game are put.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dove_sets_are_read_in_any_order_and_case() {
        assert_eq!("mAy".parse::<DoveSet>().unwrap().to_string(), "AYM");
        assert_eq!("-".parse(), Ok(DoveSet::NONE));
        assert_eq!("".parse::<DoveSet>(), Err(DoveSetError::Empty));
        assert_eq!("AQ".parse::<DoveSet>(), Err(DoveSetError::NoKind('Q')));
        assert_eq!("Ab".parse::<DoveSet>(), Err(DoveSetError::Boss('b')));
        assert_eq!("AYa".parse::<DoveSet>(), Err(DoveSetError::Twice('a')));
        assert!(DoveSet::all().into_iter().all(|set| set.to_string().parse() == Ok(set)));
        assert_eq!(DoveSet::all().len(), 32);
    }
}
