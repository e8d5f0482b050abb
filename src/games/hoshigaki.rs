//! Hoshigaki (干し柿落とし): piles of dried persimmons, and a winning condition that the players settle during the game.
//!
//! A player takes one or more persimmons from one pile or, while the winning condition is open (A), settles it: whoever
//! acts last wins (W), or loses (L). The game is over when nothing is left and the condition is settled. So a position
//! is a set of piles and a condition, as in `123A`.
//!
//! The article gives a formula for the Grundy numbers, and a winning strategy by cases. The formula is right in every
//! position checked. The strategy as printed is wrong where the condition is open and a pile has four persimmons or
//! more:
//!
//! - It asks whether *two* or more persimmons remain on some pile where it should ask for *four*: from `24A` it goes to
//!   `23A`, which the opponent wins, and not to `2A`, which the opponent loses.
//! - With Grundy number 1 it looks for a pile with an odd number, and there may be none: `44A`. Settling the condition,
//!   either way, always wins then.
//!
//! All versions are implemented here, so that the difference can be shown.

use std::fmt;
use std::str::FromStr;

use crate::retrograde::{After, End, Game, Graph, NoGrundyNumbers};

/// The winning condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// W: whoever acts last wins.
    LastWins,
    /// L: whoever acts last loses.
    LastLoses,
    /// A: not settled yet.
    Open,
}

impl Condition {
    /// All three, in the article's order.
    pub const ALL: [Condition; 3] = [Condition::LastWins, Condition::LastLoses, Condition::Open];

    /// The letter of the notation: W, L or A.
    pub const fn letter(self) -> char {
        match self {
            Condition::LastWins => 'W',
            Condition::LastLoses => 'L',
            Condition::Open => 'A',
        }
    }
}

/// Piles and the winning condition. The order of the piles does not matter, and empty piles are dropped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The piles, ascending, none empty.
    piles: Vec<u16>,
    /// The winning condition.
    condition: Condition,
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is no position: {reason}; write piles and W, L or A, as in 123A, or with commas, as in 12,3,1A", .text.escape_default())]
pub struct PositionError {
    text: String,
    reason: String,
}

impl Position {
    /// The position with these piles, in any order, and a condition.
    pub fn new(piles: impl IntoIterator<Item = u16>, condition: Condition) -> Position {
        let mut piles: Vec<u16> = piles.into_iter().filter(|&pile| pile > 0).collect();
        piles.sort_unstable();
        Position { piles, condition }
    }

    /// The piles, ascending, none empty.
    pub fn piles(&self) -> &[u16] {
        &self.piles
    }

    /// The winning condition.
    pub const fn condition(&self) -> Condition {
        self.condition
    }

    /// The number of persimmons on all piles.
    pub fn sum(&self) -> u32 {
        self.piles.iter().copied().map(u32::from).sum()
    }

    /// The order of the search for counterexamples: least sum, then fewest piles, then the piles, then W, L, A.
    pub fn rank(&self) -> (u32, usize, &[u16], Condition) {
        (self.sum(), self.piles.len(), &self.piles, self.condition)
    }

    /// The exclusive or of the piles.
    pub fn xor(&self) -> u16 {
        self.piles.iter().fold(0, |xor, pile| xor ^ pile)
    }

    /// The number of piles with at least `least` persimmons.
    fn piles_of(&self, least: u16) -> usize {
        self.piles.iter().filter(|&&pile| pile >= least).count()
    }

    /// The position with another number of persimmons on one of the piles.
    fn with_pile(&self, index: usize, left: u16) -> Position {
        let piles = self.piles.iter().enumerate().map(|(other, &pile)| if other == index { left } else { pile });
        Position::new(piles, self.condition)
    }

    /// The position with the condition settled.
    fn settled(&self, condition: Condition) -> Position {
        Position { piles: self.piles.clone(), condition }
    }

    /// An upper bound on the number of reachable positions.
    pub fn reachable(&self) -> u128 {
        let orders = self.piles.iter().fold(1_u128, |product, &pile| product.saturating_mul(u128::from(pile) + 1));
        let conditions = if self.condition == Condition::Open { 3 } else { 1 };
        orders.saturating_mul(conditions)
    }

    /// All positions of up to `piles` piles with up to `most` persimmons each, in the order of [`Position::rank`].
    pub fn all(piles: u32, most: u16) -> Vec<Position> {
        let mut found: Vec<Vec<u16>> = vec![Vec::new()];
        let mut longest = found.clone();
        for _ in 0..piles {
            let longer = |shorter: &Vec<u16>| {
                let shorter = shorter.clone();
                (shorter.last().copied().unwrap_or(1)..=most).map(move |pile| [&shorter[..], &[pile]].concat())
            };
            longest = longest.iter().flat_map(longer).collect();
            found.extend_from_slice(&longest);
        }
        let with_condition = |piles: Vec<u16>| {
            Condition::ALL.into_iter().map(move |condition| Position { piles: piles.clone(), condition })
        };
        let mut positions: Vec<Position> = found.into_iter().flat_map(with_condition).collect();
        positions.sort_by(|one, other| one.rank().cmp(&other.rank()));
        positions
    }

    /// The number of positions that [`Position::all`] gives: 3 · C(piles + most, piles).
    pub fn count(piles: u32, most: u16) -> u128 {
        let (piles, most) = (u128::from(piles), u128::from(most));
        // The product of the first n factors is divisible by n!.
        (1..=piles)
            .try_fold(1_u128, |product, k| Some(product.checked_mul(most + k)? / k))
            .map_or(u128::MAX, |count| count.saturating_mul(3))
    }

    /// The Grundy number by the article's formula.
    ///
    /// It is the exclusive or of the piles, changed by 1 if the last to act loses and no pile has two or more, or if
    /// the condition is open and some pile has four or more; changed by 2 if the condition is open and no pile has four
    /// or more.
    pub fn formula(&self) -> u16 {
        let change = match self.condition {
            Condition::LastWins => 0,
            Condition::LastLoses => u16::from(self.piles_of(2) == 0),
            Condition::Open if self.piles_of(4) > 0 => 1,
            Condition::Open => 2,
        };
        self.xor() ^ change
    }

    /// Each pile size that occurs twice or more, with the position without two piles of that size.
    pub fn without_equal_piles(&self) -> Vec<(u16, Position)> {
        let mut without = Vec::new();
        for index in 1..self.piles.len() {
            let pile = self.piles[index];
            let is_first_pair = index == 1 || self.piles[index - 2] != pile;
            if self.piles[index - 1] == pile && is_first_pair {
                let mut piles = self.piles.clone();
                piles.drain(index - 1..=index);
                without.push((pile, Position { piles, condition: self.condition }));
            }
        }
        without
    }

    /// Whether the corrected remark on equal piles applies: removing two piles of this size, which leaves this
    /// position, keeps the Grundy number. It does unless these two piles alone decide which case of the formula
    /// applies.
    pub fn keeps_number_with_pair_of(&self, pile: u16) -> bool {
        match self.condition {
            Condition::LastWins => true,
            Condition::LastLoses => pile < 2 || self.piles_of(2) > 0,
            Condition::Open => pile < 4 || self.piles_of(4) > 0,
        }
    }
}

/// `123A`; with commas if a pile has more than nine persimmons; `0A` if none are left.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let piles: Vec<String> = self.piles.iter().map(u16::to_string).collect();
        let text = match &piles[..] {
            [] => "0".to_owned(),
            // A single number of several digits would be read digit by digit.
            [pile] if pile.len() > 1 => format!("{pile},"),
            _ if piles.iter().all(|pile| pile.len() == 1) => piles.concat(),
            _ => piles.join(","),
        };
        f.pad(&format!("{text}{}", self.condition.letter()))
    }
}

impl FromStr for Position {
    type Err = PositionError;

    /// Reads digits, one per pile, or numbers separated by commas with an optional comma at the end; then W, L or A in
    /// either case.
    fn from_str(text: &str) -> Result<Position, PositionError> {
        let wrong = |reason: String| PositionError { text: text.to_owned(), reason };
        let last = text.chars().next_back().ok_or_else(|| wrong("it is empty".to_owned()))?;
        let condition = Condition::ALL.into_iter().find(|condition| condition.letter() == last.to_ascii_uppercase());
        let condition = condition.ok_or_else(|| wrong("the winning condition is missing at its end".to_owned()))?;
        let piles = &text[..text.len() - last.len_utf8()];
        let number = |pile: &str| {
            let is_number = !pile.is_empty() && pile.bytes().all(|digit| digit.is_ascii_digit());
            match pile.parse() {
                Ok(number) if is_number => Ok(number),
                _ if is_number => Err(wrong(format!("a pile has at most {} persimmons", u16::MAX))),
                _ => Err(wrong(format!("'{}' is no number of persimmons", pile.escape_default()))),
            }
        };
        let piles: Vec<u16> = if piles.contains(',') {
            piles.strip_suffix(',').unwrap_or(piles).split(',').map(number).collect::<Result<_, _>>()?
        } else if piles.is_empty() {
            return Err(wrong("it has no piles; write 0 for an empty one".to_owned()));
        } else {
            piles.chars().map(|digit| number(digit.encode_utf8(&mut [0; 4]))).collect::<Result<_, _>>()?
        };
        Ok(Position::new(piles, condition))
    }
}

/// The game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hoshigaki;

impl Game for Hoshigaki {
    type Position = Position;

    fn actions(&self, position: &Position) -> Vec<After<Position>> {
        let takes = position.piles.iter().enumerate().flat_map(|(index, &pile)| {
            // Of several equal piles one is enough.
            let is_new = index == 0 || position.piles[index - 1] != pile;
            (0..pile).filter(move |_| is_new).map(move |left| position.with_pile(index, left))
        });
        let settles = [Condition::LastWins, Condition::LastLoses]
            .into_iter()
            .filter(|_| position.condition == Condition::Open)
            .map(|condition| position.settled(condition));
        takes.chain(settles).map(After::Position).collect()
    }

    /// The other player acted last.
    fn without_action(&self, position: &Position) -> End {
        if position.condition == Condition::LastLoses { End::Won } else { End::Lost }
    }
}

/// Positions with their Grundy numbers.
pub struct Numbered {
    /// The positions.
    pub graph: Graph<Position>,
    numbers: Vec<u32>,
}

impl Numbered {
    /// All positions of up to `piles` piles with up to `most` persimmons each.
    pub fn all(piles: u32, most: u16) -> Numbered {
        let graph = Graph::of(&Hoshigaki, Position::all(piles, most));
        Numbered::of(graph.unwrap_or_else(|error| panic!("{error}")))
    }

    /// All positions reachable from one, which comes first.
    pub fn from(position: Position) -> Numbered {
        Numbered::of(Graph::reachable(&Hoshigaki, [position]))
    }

    fn of(graph: Graph<Position>) -> Numbered {
        match graph.grundy_numbers() {
            Ok(numbers) => Numbered { graph, numbers },
            Err(NoGrundyNumbers::Circle | NoGrundyNumbers::Drawn) => {
                unreachable!("every action takes something or settles the condition, and somebody wins in the end")
            }
        }
    }

    /// The Grundy number of a position.
    ///
    /// # Panics
    /// If the position is not among these.
    pub fn number(&self, position: &Position) -> u32 {
        self.numbers[self.graph.number(position).unwrap_or_else(|| panic!("{position} is not among the positions"))]
    }

    /// Every position with its Grundy number.
    pub fn iter(&self) -> impl Iterator<Item = (&Position, u32)> {
        self.graph.positions().iter().zip(self.numbers.iter().copied())
    }

    /// The positions that winning actions lead to, in the order of [`Position::rank`].
    pub fn winning(&self, position: &Position) -> Vec<&Position> {
        let number = self.graph.number(position).expect("the position is one of these");
        let successors = self.graph.successors(number).iter().map(|&successor| successor as usize);
        let mut winning: Vec<&Position> =
            successors.filter(|&to| self.numbers[to] == 0).map(|to| &self.graph.positions()[to]).collect();
        winning.sort_by(|one, other| one.rank().cmp(&other.rank()));
        winning
    }
}

/// The cases of the article's winning strategy, for positions that are not lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Case {
    /// W.
    LastWins,
    /// L, no pile of two or more.
    LastLosesSmall,
    /// L, a pile of two or more.
    LastLosesLarge,
    /// A, no pile of four or more, Grundy number 1.
    OpenSmall1,
    /// A, no pile of four or more, Grundy number 2.
    OpenSmall2,
    /// A, no pile of two or more, Grundy number 3.
    OpenSmall3Ones,
    /// A, no pile of four or more and exactly one of two or more, Grundy number 3; the article says that this is
    /// impossible.
    OpenSmall3Single,
    /// A, no pile of four or more and several of two or more, Grundy number 3.
    OpenSmall3Several,
    /// A, a pile of four or more.
    OpenLarge,
}

/// The strategy as printed, or with its errors corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// As in the article.
    Printed,
    /// With only the first error corrected: four instead of two.
    HalfCorrected,
    /// With both errors corrected: it also settles the condition at Grundy number 1 if a pile has four or more.
    Corrected,
}

impl Version {
    /// All three.
    pub const ALL: [Version; 3] = [Version::Printed, Version::HalfCorrected, Version::Corrected];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Version::Printed => "as printed",
            Version::HalfCorrected => "half corrected",
            Version::Corrected => "corrected",
        }
    }
}

impl Case {
    /// All cases, in the article's order.
    pub const ALL: [Case; 9] = [
        Case::LastWins,
        Case::LastLosesSmall,
        Case::LastLosesLarge,
        Case::OpenSmall1,
        Case::OpenSmall2,
        Case::OpenSmall3Ones,
        Case::OpenSmall3Single,
        Case::OpenSmall3Several,
        Case::OpenLarge,
    ];

    /// The case of a position with a Grundy number other than 0. `None` if the strategy has no case for it.
    pub fn of(position: &Position, number: u32) -> Option<Case> {
        Some(match (position.condition, number) {
            (Condition::LastWins, _) => Case::LastWins,
            (Condition::LastLoses, _) if position.piles_of(2) == 0 => Case::LastLosesSmall,
            (Condition::LastLoses, _) => Case::LastLosesLarge,
            (Condition::Open, _) if position.piles_of(4) > 0 => Case::OpenLarge,
            (Condition::Open, 1) => Case::OpenSmall1,
            (Condition::Open, 2) => Case::OpenSmall2,
            (Condition::Open, 3) => match position.piles_of(2) {
                0 => Case::OpenSmall3Ones,
                1 => Case::OpenSmall3Single,
                _ => Case::OpenSmall3Several,
            },
            (Condition::Open, _) => return None,
        })
    }

    /// The condition of the case, in words.
    pub const fn applies(self) -> &'static str {
        match self {
            Case::LastWins => "W",
            Case::LastLosesSmall => "L, no pile of 2 or more",
            Case::LastLosesLarge => "L, a pile of 2 or more",
            Case::OpenSmall1 => "A, no pile of 4 or more, number 1",
            Case::OpenSmall2 => "A, no pile of 4 or more, number 2",
            Case::OpenSmall3Ones => "A, no pile of 2 or more, number 3",
            Case::OpenSmall3Single => "A, no pile of 4 or more and one of 2 or more, number 3",
            Case::OpenSmall3Several => "A, no pile of 4 or more and several of 2 or more, number 3",
            Case::OpenLarge => "A, a pile of 4 or more",
        }
    }

    /// The advice of the case, in words. G is the Grundy number, K its highest bit, S the size of a pile.
    pub const fn says(self, version: Version) -> &'static str {
        match (self, version) {
            (Case::LastWins, _) => "a pile with bit K, from S to S xor G",
            (Case::LastLosesSmall, _) => "take a pile of 1",
            (Case::LastLosesLarge, _) => {
                "a pile with bit K, from S to S xor G, or to S xor G xor 1 if no pile of 2 or more would remain"
            }
            (Case::OpenSmall1, _) => "take 1 from an odd pile",
            (Case::OpenSmall2, _) => "settle W",
            (Case::OpenSmall3Ones, _) => "settle L",
            (Case::OpenSmall3Single, _) => "cannot be",
            (Case::OpenSmall3Several, _) => "take 1 from a pile of 2, or all of a pile of 3",
            (Case::OpenLarge, Version::Printed) => {
                "a pile with bit K, from S to S xor G, or to S xor G xor 3 if no pile of 2 or more would remain"
            }
            (Case::OpenLarge, Version::HalfCorrected) => {
                "a pile with bit K, from S to S xor G, or to S xor G xor 3 if no pile of 4 or more would remain"
            }
            (Case::OpenLarge, Version::Corrected) => {
                "settle, either way, if G is 1; else a pile with bit K, from S to S xor G, or to S xor G xor 3 if no pile of 4 or \
                 more would remain"
            }
        }
    }

    /// Every action that the strategy allows in a position of this case: the position it leads to, or a pile and the
    /// number of persimmons to leave on it if that is not fewer than before and thus not an action.
    pub fn advice(self, position: &Position, number: u32, version: Version) -> Vec<Result<Position, (u16, u16)>> {
        let highest = 1 << number.checked_ilog2().unwrap_or(0);
        let has_bit = |pile: u16| u32::from(pile) & highest != 0;
        let piles = |wanted: &dyn Fn(u16) -> bool, left: &dyn Fn(usize, u16) -> u16| {
            let all = position.piles.iter().copied().enumerate().filter(|&(_, pile)| wanted(pile));
            all.map(|(index, pile)| match left(index, pile) {
                left if left < pile => Ok(position.with_pile(index, left)),
                left => Err((pile, left)),
            })
            .collect()
        };
        let number = number as u16;
        // To S xor G, changed once more if no pile of at least `least` would remain.
        let crossing = |least: u16, change: u16| {
            piles(&has_bit, &|index, pile| {
                let left = pile ^ number;
                if position.with_pile(index, left).piles_of(least) == 0 { left ^ change } else { left }
            })
        };
        match self {
            Case::LastWins => piles(&has_bit, &|_, pile| pile ^ number),
            Case::LastLosesSmall => piles(&|pile| pile == 1, &|_, _| 0),
            Case::LastLosesLarge => crossing(2, 1),
            Case::OpenSmall1 => piles(&|pile| pile % 2 == 1, &|_, pile| pile - 1),
            Case::OpenSmall2 => vec![Ok(position.settled(Condition::LastWins))],
            Case::OpenSmall3Ones => vec![Ok(position.settled(Condition::LastLoses))],
            Case::OpenSmall3Single => Vec::new(),
            Case::OpenSmall3Several => piles(&|pile| pile == 2 || pile == 3, &|_, pile| if pile == 2 { 1 } else { 0 }),
            Case::OpenLarge if version == Version::Printed => crossing(2, 3),
            Case::OpenLarge if number == 1 && version == Version::Corrected => {
                vec![Ok(position.settled(Condition::LastWins)), Ok(position.settled(Condition::LastLoses))]
            }
            Case::OpenLarge => crossing(4, 3),
        }
    }
}

/// The result of checking a statement about all positions.
#[derive(Clone, Debug, Default)]
pub struct Decided {
    /// The number of cases checked.
    pub cases: u64,
    /// The number of cases in which the statement fails.
    pub failures: u64,
    /// The first position in which it fails.
    pub counterexample: Option<Position>,
}

impl Decided {
    fn add(&mut self, position: &Position, holds: bool) {
        self.cases += 1;
        if !holds {
            self.failures += 1;
            let is_first = self.counterexample.as_ref().is_none_or(|first| position.rank() < first.rank());
            if is_first {
                self.counterexample = Some(position.clone());
            }
        }
    }
}

/// Checks the strategy on all of these positions, case by case: it must allow at least one action, every action that it
/// allows must win, and a case that is said to be impossible must not occur. The last result, without a case, is for
/// the positions for which the strategy has none.
///
/// A finished game that the mover has won needs no action and is left out.
pub fn decide_strategy(numbered: &Numbered, version: Version) -> Vec<(Option<Case>, Decided)> {
    let cases = Case::ALL.into_iter().map(Some).chain([None]);
    let mut decided: Vec<(Option<Case>, Decided)> = cases.map(|case| (case, Decided::default())).collect();
    for (position, number) in numbered.iter() {
        let is_over = position.piles.is_empty() && position.condition != Condition::Open;
        if number == 0 || is_over {
            continue;
        }
        let case = Case::of(position, number);
        let advice = case.map_or(Vec::new(), |case| case.advice(position, number, version));
        let wins = |to: &Result<Position, _>| to.as_ref().is_ok_and(|to| numbered.number(to) == 0);
        let holds = !advice.is_empty() && advice.iter().all(wins);
        let (_, decided) = decided.iter_mut().find(|(other, _)| *other == case).expect("every case is there");
        decided.add(position, holds);
    }
    decided
}

/// Checks the formula for the Grundy numbers.
pub fn decide_formula(numbered: &Numbered) -> Decided {
    let mut decided = Decided::default();
    for (position, number) in numbered.iter() {
        decided.add(position, u32::from(position.formula()) == number);
    }
    decided
}

/// Checks the remark on equal piles as printed: if a position without two equal piles is won, so is the position with
/// them.
pub fn decide_equal_piles(numbered: &Numbered) -> Decided {
    let mut decided = Decided::default();
    for (position, number) in numbered.iter() {
        for (_, without) in position.without_equal_piles() {
            if numbered.number(&without) != 0 {
                decided.add(position, number != 0);
            }
        }
    }
    decided
}

/// Checks the corrected remark: two equal piles can be removed without changing the Grundy number, unless these two
/// alone decide which case of the formula applies ([`Position::keeps_number_with_pair_of`]); then it always changes.
pub fn decide_equal_piles_corrected(numbered: &Numbered) -> Decided {
    let mut decided = Decided::default();
    for (position, number) in numbered.iter() {
        for (pile, without) in position.without_equal_piles() {
            let is_kept = numbered.number(&without) == number;
            decided.add(position, is_kept == without.keeps_number_with_pair_of(pile));
        }
    }
    decided
}
