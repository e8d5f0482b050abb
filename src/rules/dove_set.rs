//! Dove sets: the kinds of doves that a player has besides the boss.

use std::fmt;
use std::str::FromStr;

use super::{Dove, Kind, ascii_forms};

/// The kinds of doves that a player has besides the boss. Written as letters in the order `AYMTH`, or `-` for none; in
/// files of the program the letter of the boss comes first ([`DoveSet::with_boss`]). Both forms are read.
///
/// ```
/// use dovemate::DoveSet;
///
/// let kinds: DoveSet = "mAy".parse()?;
/// assert_eq!((kinds.to_string(), kinds.len()), ("AYM".to_owned(), 3));
/// assert_eq!((kinds.with_boss(), "BAYM".parse()), ("BAYM".to_owned(), Ok(kinds)));
/// assert!("AQ".parse::<DoveSet>().is_err());
/// # Ok::<(), dovemate::rules::DoveSetError>(())
/// ```
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
    #[error("'{}' is not a kind of dove; write letters of A Y M T H, as in AYM, or - for none", .0.escape_default())]
    NoKind(char),
    /// A letter occurs twice.
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

    /// Whether the player has this kind. True for the boss, which every player has, although it is not a
    /// member of the set.
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
    pub const fn index_of(self, kind: Kind) -> Option<u32> {
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

    /// The letters of all doves of the player, the boss first, so `B` for the empty set. The program writes this form
    /// into files, because programs that read CSV may take `T` for *true*.
    pub fn with_boss(self) -> String {
        [Kind::Boss].into_iter().chain(self.kinds()).map(Kind::letter).collect()
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
        let letters: String = self.kinds().map(Kind::letter).collect();
        f.pad(if letters.is_empty() { "-" } else { &letters })
    }
}

impl FromStr for DoveSet {
    type Err = DoveSetError;

    /// Reads letters in any order and case, also [full-width ones](ascii_forms), with or without that of the
    /// boss; or `-`.
    fn from_str(text: &str) -> Result<DoveSet, DoveSetError> {
        let text = ascii_forms(text);
        if text == "-" {
            return Ok(DoveSet::NONE);
        }
        let mut kinds: Vec<Kind> = Vec::new();
        for letter in text.chars() {
            let dove = Dove::from_letter(letter.to_ascii_uppercase()).ok_or(DoveSetError::NoKind(letter))?;
            if kinds.contains(&dove.kind) {
                return Err(DoveSetError::Twice(letter));
            }
            kinds.push(dove.kind);
        }
        if kinds.is_empty() { Err(DoveSetError::Empty) } else { Ok(kinds.into_iter().collect()) }
    }
}
