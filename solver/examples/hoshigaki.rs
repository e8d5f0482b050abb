//! Hoshigaki (干し柿落とし), for the article on its Grundy numbers: piles of dried persimmons, and a winning
//! condition that the players settle during the game.
//!
//! A player takes one or more persimmons from one pile or, while the winning condition is open (A), settles
//! it: whoever acts last wins (W), or loses (L). A position is a set of piles and a condition, as in 123A.
//!
//! The article's strategy is wrong where the condition is open and a pile has four or more: it asks whether *two* or
//! more persimmons remain on some pile, but should ask for *four*; and with Grundy number 1, where settling always
//! wins, it looks for an odd pile, which there may not be.
//!
//!     cargo run --release --example hoshigaki

mod claims;

use std::fmt;
use std::process::ExitCode;

use claims::Claims;
use dovemate_solver::Value;
use dovemate_solver::retrograde::{After, End, Game, Graph, validate};

/// The greatest numbers of piles, and of persimmons on a pile, for which the statements are checked.
const PILES: usize = 5;
const MOST: u32 = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Condition {
    W,
    L,
    A,
}

use Condition::{A, L, W};

/// The piles, ascending, none empty, and the condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Position {
    piles: Vec<u32>,
    condition: Condition,
}

impl Position {
    fn new(piles: impl IntoIterator<Item = u32>, condition: Condition) -> Position {
        let mut piles: Vec<u32> = piles.into_iter().filter(|&pile| pile > 0).collect();
        piles.sort_unstable();
        Position { piles, condition }
    }

    /// A position of the article, such as `13A`; k stands for a number.
    fn read(text: &str, k: u32) -> Position {
        let (piles, condition) = text.split_at(text.len() - 1);
        let condition = [W, L, A].into_iter().find(|it| format!("{it:?}") == condition).expect("W, L or A");
        Position::new(piles.chars().map(|pile| pile.to_digit(10).unwrap_or(k)), condition)
    }

    fn settled(&self, condition: Condition) -> Position {
        Position { condition, ..self.clone() }
    }

    fn with_pile(&self, index: usize, left: u32) -> Position {
        let mut piles = self.piles.clone();
        piles[index] = left;
        Position::new(piles, self.condition)
    }

    /// Whether some pile has at least this many persimmons.
    fn has(&self, least: u32) -> bool {
        self.piles.iter().any(|&pile| pile >= least)
    }

    fn xor(&self) -> u32 {
        self.piles.iter().fold(0, |xor, pile| xor ^ pile)
    }

    /// The article's formula for the Grundy number.
    fn formula(&self) -> u32 {
        self.xor()
            ^ match self.condition {
                W => 0,
                L => u32::from(!self.has(2)),
                A if self.has(4) => 1,
                A => 2,
            }
    }

    /// For each size of which there are two piles, the size and the position without two such piles.
    fn without_pairs(&self) -> Vec<(u32, Position)> {
        let mut sizes = self.piles.clone();
        sizes.dedup();
        let starts = sizes.into_iter().map(|size| (size, self.piles.partition_point(|&pile| pile < size)));
        let pairs = starts.filter(|&(size, start)| self.piles.get(start + 1) == Some(&size));
        let without = |(size, start)| {
            let mut piles = self.piles.clone();
            piles.drain(start..start + 2);
            (size, Position { piles, condition: self.condition })
        };
        pairs.map(without).collect()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.piles.iter().try_for_each(|pile| write!(f, "{pile}"))?;
        write!(f, "{}{:?}", if self.piles.is_empty() { "0" } else { "" }, self.condition)
    }
}

struct Hoshigaki;

impl Game for Hoshigaki {
    type Position = Position;

    fn actions(&self, position: &Position) -> Vec<After<Position>> {
        let piles = position.piles.iter().enumerate();
        let takes =
            piles.flat_map(|(index, &pile)| (0..pile).map(move |left| position.with_pile(index, left)));
        let settles = [W, L].into_iter().filter(|_| position.condition == A).map(|to| position.settled(to));
        takes.chain(settles).map(After::Position).collect()
    }

    fn without_action(&self, position: &Position) -> End {
        if position.condition == L { End::Won } else { End::Lost }
    }
}

/// All positions of up to [`PILES`] piles of up to [`MOST`], by sum, then number of piles, so that a first
/// counterexample is a least one.
fn positions() -> Vec<Position> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..PILES {
        let longer = |piles: &Vec<u32>| {
            let least = piles.last().copied().unwrap_or(1);
            (least..=MOST).map(|pile| [&piles[..], &[pile]].concat()).collect::<Vec<_>>()
        };
        longest = longest.iter().flat_map(longer).collect();
        all.extend_from_slice(&longest);
    }
    all.sort_by_key(|piles| (piles.iter().sum::<u32>(), piles.len(), piles.clone()));
    all.into_iter()
        .flat_map(|piles| [W, L, A].map(|condition| Position { piles: piles.clone(), condition }))
        .collect()
}

/// All positions with their Grundy numbers.
struct Numbered {
    graph: Graph<Position>,
    numbers: Vec<u32>,
}

impl Numbered {
    fn of(&self, position: &Position) -> u32 {
        self.numbers[self.graph.number(position).expect("it is one of these")]
    }

    fn iter(&self) -> impl Iterator<Item = (&Position, u32)> {
        self.graph.positions().iter().zip(self.numbers.iter().copied())
    }

    /// The first position in which a statement fails.
    fn counterexample(&self, holds: impl Fn(&Position, u32) -> bool) -> Option<String> {
        self.iter()
            .find(|&(position, number)| !holds(position, number))
            .map(|(position, _)| position.to_string())
    }

    /// The Grundy numbers of the positions that actions lead to.
    fn following(&self, position: &Position) -> Vec<u32> {
        let number = self.graph.number(position).expect("it is one of these");
        let mut numbers: Vec<u32> =
            self.graph.successors(number).iter().map(|&to| self.numbers[to as usize]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// The winning strategy as printed, with *four* in place of *two*, or with settling at Grundy number 1, too.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    Printed,
    Four,
    Corrected,
}

/// Where the strategy's actions lead from a position that is not lost and has the Grundy number `g`; `None` for advice
/// that leaves no fewer persimmons, and so is no action.
fn strategy(position: &Position, g: u32, version: Version) -> Vec<Option<Position>> {
    let to = |wanted: &dyn Fn(u32) -> bool, left: &dyn Fn(usize, u32) -> u32| -> Vec<Option<Position>> {
        let piles = position.piles.iter().copied().enumerate().filter(|&(_, pile)| wanted(pile));
        let action = |(index, pile)| {
            let left = left(index, pile);
            (left < pile).then(|| position.with_pile(index, left))
        };
        piles.map(action).collect()
    };
    // Reduces a pile of S persimmons with the highest bit of `g` to S xor `g`, or to S xor `g` xor `change` if no pile
    // of at least `least` would remain.
    let crossing = |least: u32, change: u32| {
        let left = |index, pile| {
            let left = pile ^ g;
            if position.with_pile(index, left).has(least) { left } else { left ^ change }
        };
        to(&|pile| pile >> g.ilog2() & 1 == 1, &left)
    };
    match position.condition {
        W => crossing(0, 0),
        L if !position.has(2) => to(&|_| true, &|_, _| 0),
        L => crossing(2, 1),
        A if position.has(4) => match version {
            Version::Printed => crossing(2, 3),
            Version::Corrected if g == 1 => vec![Some(position.settled(W)), Some(position.settled(L))],
            _ => crossing(4, 3),
        },
        A if g == 1 => to(&|pile| pile % 2 == 1, &|_, pile| pile - 1),
        A if g == 2 => vec![Some(position.settled(W))],
        A if !position.has(2) => vec![Some(position.settled(L))],
        A => to(&|pile| pile >= 2, &|_, pile| if pile == 2 { 1 } else { 0 }),
    }
}

/// A sum of games without a winning condition: for each part, where an action leads from a number.
struct Sum(&'static [fn(u32) -> std::ops::Range<u32>]);

/// Saying one to three numbers, which follow the last one; nobody may say 21.
fn say(last: u32) -> std::ops::Range<u32> {
    last + 1..21.min(last + 4)
}

/// Taking from a pile.
fn take(pile: u32) -> std::ops::Range<u32> {
    0..pile
}

impl Game for Sum {
    type Position = Vec<u32>;

    fn actions(&self, parts: &Vec<u32>) -> Vec<After<Vec<u32>>> {
        let act = |part: usize| {
            self.0[part](parts[part]).map(move |next| {
                let mut parts = parts.clone();
                parts[part] = next;
                After::Position(parts)
            })
        };
        (0..parts.len()).flat_map(act).collect()
    }
}

impl Sum {
    /// Every position that can be reached from one, with its Grundy number.
    fn numbered(&self, start: &[u32]) -> Vec<(Vec<u32>, u32)> {
        let graph = Graph::reachable(self, [start.to_vec()]);
        let numbers = graph.grundy_numbers().expect("it always ends, and never drawn");
        graph.positions().iter().cloned().zip(numbers).collect()
    }
}

/// What the article says of other games.
fn sums(claims: &mut Claims) {
    let said = Sum(&[say]).numbered(&[0]);
    let lost: Vec<u32> = said.iter().filter(|(_, number)| *number == 0).map(|(last, _)| last[0]).collect();
    claims.finds("saying numbers up to 21: lost after", format!("{lost:?}"), "[0, 4, 8, 12, 16, 20]");
    let piles = Sum(&[take, take]).numbered(&[100, 100]);
    let otherwise = piles.iter().filter(|(piles, number)| (*number == 0) != (piles[0] == piles[1])).count();
    claims.holds("two piles of stones, of up to 100: lost exactly if they are equal", otherwise == 0);
    let number = |last: u32| said.iter().find(|(it, _)| it[0] == last).expect("it can be said").1;
    let of_saying = Sum(&[say, take]).numbered(&[0, 10]);
    let wrong = of_saying.iter().filter(|(parts, sum)| number(parts[0]) ^ parts[1] != *sum).count()
        + piles.iter().filter(|(piles, sum)| piles[0] ^ piles[1] != *sum).count();
    claims.holds("the Grundy number of a sum of games is the exclusive or of the parts'", wrong == 0);
}

/// The article's tables, row by row.
const TABLES: [(Condition, &[&str]); 3] = [
    (W, &["0123", "1032", "2301", "3210"]),
    (L, &["1023", "0132", "2301", "3210"]),
    (A, &["23015476", "32104567", "01237654", "10326745", "54761032", "45670123", "76543210", "67452301"]),
];

/// Positions that the article calls lost, and some that it calls won without naming an action.
const LOST: [&str; 7] = ["0W", "1L", "2A", "11W", "13A", "22W", "22L"];
const WON: [&str; 2] = ["0L", "11L"];

/// Positions with actions that the article says win; k stands for any number that is at least the third entry.
const WINNING: [(&str, &str, u32); 23] = [
    ("0A", "0W", 10),
    ("1W", "0W", 10),
    ("1A", "1L", 10),
    ("2W", "0W", 10),
    ("2L", "1L", 10),
    ("kW", "0W", 3),
    ("kL", "1L", 3),
    ("kA", "2A", 3),
    ("11A", "11W", 10),
    ("12W", "11W", 10),
    ("12L", "1L", 10),
    ("12A", "2A", 10),
    ("13W", "11W", 10),
    ("13L", "1L", 10),
    ("1kW", "11W", 4),
    ("1kL", "1L", 4),
    ("1kA", "13A", 4),
    ("22A", "2A", 10),
    ("22A", "22W", 10),
    ("22A", "22L", 10),
    ("2kW", "22W", 3),
    ("2kL", "22L", 3),
    ("2kA", "2A", 3),
];

/// The article's tables, and what it says of single positions.
fn by_hand(claims: &mut Claims, numbered: &Numbered) {
    let mut different = 0;
    for (condition, rows) in TABLES {
        for (row, numbers) in (0..).zip(rows) {
            let table = (0..).zip(numbers.chars()).map(|(column, number)| (column, number.to_digit(10)));
            different += table
                .filter(|&(column, number)| {
                    Some(numbered.of(&Position::new([row, column], condition))) != number
                })
                .count();
        }
    }
    claims.holds("the three tables of Grundy numbers of two piles", different == 0);
    let number = |text| numbered.of(&Position::read(text, 0));
    let mut wrong = LOST.iter().filter(|text| number(text) != 0).count();
    wrong += WON.iter().filter(|text| number(text) == 0).count();
    for (from, to, least) in WINNING {
        let to = Position::read(to, 0);
        let is_there = |k| Hoshigaki.actions(&Position::read(from, k)).contains(&After::Position(to.clone()));
        wrong += (least..=MOST).filter(|&k| !is_there(k) || numbered.of(&to) != 0).count();
    }
    claims
        .holds("what is said of single positions of one and two piles, with the winning actions", wrong == 0);
}

fn main() -> ExitCode {
    let mut claims = Claims::default();
    sums(&mut claims);

    let graph = Graph::of(&Hoshigaki, positions()).expect("actions add nothing");
    let numbers = graph.grundy_numbers().expect("it always ends, and never drawn");
    let values = graph.values();
    validate(&Hoshigaki, &graph, &values).expect("every value follows from its successors");
    let otherwise = numbers
        .iter()
        .zip(&values)
        .filter(|(number, value)| (**number == 0) != matches!(value, Value::Lose(_)));
    let otherwise = otherwise.count();
    let numbered = Numbered { graph, numbers };
    println!("of up to {PILES} piles of up to {MOST}, {} positions:", values.len());
    claims.holds("lost exactly if the Grundy number is 0", otherwise == 0);
    by_hand(&mut claims, &numbered);

    claims.holds(
        "the formula for Grundy numbers",
        numbered.counterexample(|position, number| position.formula() == number).is_none(),
    );
    let same_set = |position: &Position, _| {
        let is_meant = position.condition == L && position.has(2);
        !is_meant || numbered.following(position) == numbered.following(&position.settled(W))
    };
    claims.holds(
        "L with a pile of 2 or more: the same numbers follow as under W",
        numbered.counterexample(same_set).is_none(),
    );
    let is_latin = |size: u32| {
        (0..size).all(|row| {
            let mut line: Vec<u32> =
                (0..size).map(|column| numbered.of(&Position::new([row, column], A))).collect();
            line.sort_unstable();
            line.into_iter().eq(0..size)
        })
    };
    claims.holds(
        "A: two piles below 4, and below 8, are Latin squares",
        [4, 8].map(is_latin).iter().all(|&it| it),
    );
    let is_sum = |position: &Position, number| {
        let single = |xor, &pile: &u32| xor ^ numbered.of(&Position::new([pile], A));
        position.condition != A || position.piles.len() < 2 || position.piles.iter().fold(0, single) == number
    };
    claims.finds(
        "A: where the exclusive or of single piles' numbers is another, as the article warns, first",
        numbered.counterexample(is_sum).unwrap_or_default(),
        "11A",
    );

    let keeps_win = |position: &Position, number| {
        number != 0 || position.without_pairs().iter().all(|(_, without)| numbered.of(without) == 0)
    };
    claims.finds(
        "won without two equal piles and so with them, NOT as printed; counterexample",
        numbered.counterexample(keeps_win).unwrap_or_default(),
        "22L",
    );
    let keeps_number = |position: &Position, number| {
        let is_right = |(pile, without): &(u32, Position)| {
            let border = [0, 2, 4][position.condition as usize];
            (numbered.of(without) == number) == (*pile < border || without.has(border) || border == 0)
        };
        position.without_pairs().iter().all(is_right)
    };
    let claim = "two equal piles change the Grundy number only if they alone are 2 or more under L, 4 or more under A, and do so then";
    claims.holds(claim, numbered.counterexample(keeps_number).is_none());

    for (version, name, first) in [
        (Version::Printed, "is NOT right as printed", "24A"),
        (Version::Four, "is NOT right with 4 for 2", "44A"),
        (Version::Corrected, "is right with 4 for 2 and settling if the Grundy number is 1", "none"),
    ] {
        // A finished game that the mover has won needs no action.
        let wins = |position: &Position, number| {
            let advice = if number == 0 { Vec::new() } else { strategy(position, number, version) };
            let is_over = number == 0 || position.piles.is_empty() && position.condition != A;
            let is_won = |to: &Option<Position>| to.as_ref().is_some_and(|to| numbered.of(to) == 0);
            is_over || !advice.is_empty() && advice.iter().all(is_won)
        };
        let found = numbered.counterexample(wins).unwrap_or("none".to_owned());
        claims.finds(&format!("the winning strategy {name}; counterexample"), found, first);
        if version == Version::Printed {
            let is_elsewhere = |position: &Position, number| {
                position.condition == A && position.has(4) || wins(position, number)
            };
            claims.holds(
                "as printed it is right in all cases but A with a pile of 4 or more",
                numbered.counterexample(is_elsewhere).is_none(),
            );
        }
    }
    let position = Position::read("24A", 0);
    let advised = strategy(&position, numbered.of(&position), Version::Printed);
    let advised: Vec<String> = advised.iter().flatten().map(Position::to_string).collect();
    claims.finds("from 24A the strategy as printed goes to", advised.join(" "), "23A");
    let won = numbered.iter().filter(|(to, number)| {
        *number == 0 && Hoshigaki.actions(&position).contains(&After::Position((*to).clone()))
    });
    claims.finds("from 24A these win", won.map(|(to, _)| to.to_string()).collect::<Vec<_>>().join(" "), "2A");
    claims.exit()
}
