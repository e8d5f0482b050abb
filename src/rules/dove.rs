//! The twelve doves: a colour and a kind each, and the letters of the board notation.

use std::fmt;

use super::name::written_as_its_name;

/// One of the two players.
///
/// ```
/// use dovemate::Color;
///
/// assert_eq!(Color::Red.opponent(), Color::Green);
/// assert_eq!("green".parse(), Ok(Color::Green));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Written in upper case; moves first.
    Red,
    /// Written in lower case.
    Green,
}

impl Color {
    /// Both colours, red first.
    pub const ALL: [Color; 2] = [Color::Red, Color::Green];

    /// The name: `red` or `green`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Green => "green",
        }
    }

    /// The other player.
    pub fn opponent(self) -> Color {
        match self {
            Color::Red => Color::Green,
            Color::Green => Color::Red,
        }
    }
}

written_as_its_name!(Color, "player");

/// The kind of a dove, which determines how it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// ボスハト: one step in any of 8 directions. Always on the board.
    Boss,
    /// アニキハト: one step in any of 8 directions.
    Aniki,
    /// ヤイバト: one step orthogonally.
    Yaibato,
    /// マメデッポウバト: one step diagonally.
    Mamedeppo,
    /// トツハト: any distance orthogonally, but never over a dove.
    Totsu,
    /// ハジケハト: a knight's jump, over anything.
    Hajike,
}

impl Kind {
    /// All six kinds, in the order of the notation.
    pub const ALL: [Kind; 6] =
        [Kind::Boss, Kind::Aniki, Kind::Yaibato, Kind::Mamedeppo, Kind::Totsu, Kind::Hajike];

    /// The five kinds that can be in hand, in the order of the notation.
    pub const OTHERS: [Kind; 5] = [Kind::Aniki, Kind::Yaibato, Kind::Mamedeppo, Kind::Totsu, Kind::Hajike];

    /// The name: `boss`, `aniki` and so on.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Boss => "boss",
            Kind::Aniki => "aniki",
            Kind::Yaibato => "yaibato",
            Kind::Mamedeppo => "mamedeppo",
            Kind::Totsu => "totsu",
            Kind::Hajike => "hajike",
        }
    }

    /// The letter of the notation, in upper case: `B A Y M T H`.
    pub const fn letter(self) -> char {
        match self {
            Kind::Boss => 'B',
            Kind::Aniki => 'A',
            Kind::Yaibato => 'Y',
            Kind::Mamedeppo => 'M',
            Kind::Totsu => 'T',
            Kind::Hajike => 'H',
        }
    }
}

written_as_its_name!(Kind, "kind of dove");

/// One of the twelve doves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dove {
    /// Its owner.
    pub color: Color,
    /// Its kind.
    pub kind: Kind,
}

impl Dove {
    /// The dove of this colour and kind.
    pub const fn new(color: Color, kind: Kind) -> Dove {
        Dove { color, kind }
    }

    /// All twelve doves, red ones first.
    pub fn all() -> impl Iterator<Item = Dove> {
        Color::ALL.into_iter().flat_map(|color| Kind::ALL.into_iter().map(move |kind| Dove { color, kind }))
    }

    /// Its letter: one of `B A Y M T H`, in upper case for red and in lower case for green.
    pub const fn letter(self) -> char {
        match self.color {
            Color::Red => self.kind.letter(),
            Color::Green => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The dove with this letter, if there is one.
    pub fn from_letter(letter: char) -> Option<Dove> {
        Dove::all().find(|dove| dove.letter() == letter)
    }
}

/// Its letter.
impl fmt::Display for Dove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter().encode_utf8(&mut [0; 4]))
    }
}
