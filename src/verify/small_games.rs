//! The claims of the articles on the four small games, and this program's additions where an article is wrong or leaves
//! a question open.
//!
//! Where an article is wrong, the claim here is that it is, and the expected result is the first counterexample (by
//! least sum, then fewest piles, then in order). The corrected rule follows as a claim of its own.

use super::claim::{Claim, Finding, HERE, Setting, claim};
use crate::games::hoshigaki::{
    Case, Condition, Decided, Hoshigaki, Numbered, Position, Version, decide_equal_piles, decide_equal_piles_corrected,
    decide_formula, decide_strategy,
};
use crate::games::nim::Piles;
use crate::games::waribashi::{self, Player, SelfAttack, Solved, Waribashi};
use crate::games::wythoff;
use crate::retrograde::{After, Game, Graph, validate};
use crate::value::Value;

const WARIBASHI: &str = "article on waribashi (割りばし)";
const NIM: &str = "article on three-pile nim (三山崩し) in R";
const HOSHIGAKI: &str = "article on hoshigaki (干し柿落とし)";

/// The greatest numbers of piles, and of persimmons on a pile, for which the article on hoshigaki is checked.
const PILES: u32 = 5;
const MOST: u16 = 10;
const ALL_PILES: &str = "all positions of up to 5 piles of up to 10, W, L and A";

/// The claims, article by article.
pub const CLAIMS: &[Claim] = &[
    claim(
        "waribashi, basic rules: 165 states, 273 edges, 8 ends won by the first player and 8 by the second",
        WARIBASHI,
        "all states that can be reached, the hands of a player not told apart",
        |_| Ok(waribashi_size()),
    ),
    claim(
        "waribashi, basic rules: with a dead hand counted as 5 the fingers grow with every turn, so that play always ends, and \
         never drawn",
        WARIBASHI,
        "every edge of the graph; a search for circles; the value of every state",
        |_| Ok(waribashi_ends()),
    ),
    claim(
        "waribashi, basic rules: the game ends only when the last hand of the player who is then to move is killed",
        WARIBASHI,
        "every end",
        |_| {
            let solved = Solved::new(Waribashi::BASIC);
            let ends = || solved.graph.positions().iter().filter(|position| position.loser().is_some());
            let otherwise = ends().filter(|position| position.loser() != Some(position.to_move)).count();
            let found = format!("{} ends, {otherwise} otherwise", ends().count());
            Ok(Finding::new("0 otherwise", found, otherwise == 0))
        },
    ),
    claim(
        "waribashi, basic rules: the second player wins",
        WARIBASHI,
        "retrograde analysis, every value derived once more from the rules",
        |_| {
            let (outcome, is_valid) = outcome(Waribashi::BASIC);
            Ok(Finding::new("second", &outcome, is_valid && outcome.starts_with("second")))
        },
    ),
    claim(
        "waribashi, basic rules: in the pruned graph the second player wins whatever the first does",
        WARIBASHI,
        "every state of the pruned graph: all actions of the first player, at least one of the second's, no circle, every end \
         lost by the first",
        |_| Ok(waribashi_proof()),
    ),
    claim("waribashi: the example f [1,0] [3,1] is in the pruned graph", WARIBASHI, "looked up", |_| {
        let solved = Solved::new(Waribashi::BASIC);
        let example = waribashi::Position {
            to_move: Player::First,
            hands: [waribashi::Hands::new(1, 0), waribashi::Hands::new(3, 1)],
        };
        let number = solved.graph.number(&example);
        let pruned = solved.pruned().map_or(Vec::new(), |part| part.positions);
        let is_there = number.is_some_and(|number| pruned.contains(&number));
        Ok(Finding::new("there", if is_there { "there" } else { "not there" }, is_there))
    }),
    claim(
        "waribashi: some of the second player's actions in the pruned graph delay a win that was there at once",
        WARIBASHI,
        "every action of the second player from a win in 1",
        |_| {
            let solved = Solved::new(Waribashi::BASIC);
            let edges = solved.pruned().map_or(Vec::new(), |part| part.edges);
            let delays = |&&(from, to): &&(usize, usize)| {
                solved.values[from] == Value::Win(1) && solved.values[to] != Value::Lose(0)
            };
            let delaying = edges.iter().filter(delays).count();
            Ok(Finding::new("at least 1", format!("{delaying} actions"), delaying > 0))
        },
    ),
    claim(
        "waribashi with mod, split or both, with self-attack or without: play can go in circles, and best play is a draw (supposed)",
        WARIBASHI,
        "all states of the six combinations with 5 fingers",
        |_| {
            let games = Waribashi::variants().filter(|game| game.modulo || game.split);
            Ok(all_drawn(games))
        },
    ),
    claim(
        "waribashi with self-attack alone: play always ends, and the second player wins as without",
        HERE,
        "all states with 5 fingers",
        |_| {
            let game = Waribashi { self_attack: SelfAttack::Living, ..Waribashi::BASIC };
            let (outcome, is_valid) = outcome(game);
            let holds = is_valid && outcome == "second in 8 plies" && !Solved::new(game).has_circles();
            Ok(Finding::new("second in 8 plies", outcome, holds))
        },
    ),
    claim(
        "waribashi with self-attack on dead hands too, whatever the other rules: play can go in circles, and best play is a draw",
        HERE,
        "all states of the four combinations with 5 fingers",
        |_| {
            let games = Waribashi::variants().filter(|game| game.self_attack == SelfAttack::Living);
            Ok(all_drawn(games.map(|game| Waribashi { self_attack: SelfAttack::Any, ..game })))
        },
    ),
    claim(
        "nim: in the order of expand.grid every action leads to an earlier row",
        NIM,
        "every action from every position of 3 piles of up to 15",
        |_| Ok(nim_order()),
    ),
    claim(
        "nim: the article's program (f2 with M = 3, N = 10) lists exactly the lost positions of misère play",
        NIM,
        "the program's loop over the rows, against marking from the lost positions",
        |_| {
            let piles = Piles { piles: 3, most: 10 };
            let (theirs, ours) = (nim_by_the_article(piles), piles.lost(true));
            let found = format!("{} and {} positions", theirs.len(), ours.len());
            Ok(Finding::new("the same", found, theirs == ours))
        },
    ),
    claim(
        "nim: normal play follows the known theory, and misère play hardly differs (Bouton's rule)",
        NIM,
        "every position of 3 piles of up to 200, 4 of up to 30 and 5 of up to 12, normal and misère",
        |_| Ok(nim_by_bouton()),
    ),
    claim(
        "Wythoff's game (the article's question): the lost positions are ⌊nφ⌋ and ⌊nφ⌋ + n",
        "Wythoff, 1907; asked in the article on three-pile nim",
        "every position with up to 1,000 stones of a colour",
        |_| Ok(wythoff_by_formula(false)),
    ),
    claim(
        "Wythoff's game, misère: the same, but 0, 1 and 2, 2 instead of 0, 0 and 1, 2",
        "this program; asked in the article on three-pile nim",
        "every position with up to 1,000 stones of a colour",
        |_| Ok(wythoff_by_formula(true)),
    ),
    claim(
        "saying numbers up to 21: the second player wins, and who is to move has lost exactly after a multiple of 4",
        HOSHIGAKI,
        "every position",
        |_| {
            let graph = Graph::reachable(&SayingNumbers, [0]);
            let values = graph.values();
            let is_lost = |&number: &u32| matches!(values[graph.number(&number).unwrap_or(0)], Value::Lose(_));
            let lost: Vec<u32> = (0..=20).filter(is_lost).collect();
            let found = lost.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            Ok(Finding::new("0 4 8 12 16 20", &found, found == "0 4 8 12 16 20" && graph.len() == 21))
        },
    ),
    claim(
        "two piles of stones: who is to move has lost exactly if they are equal",
        HOSHIGAKI,
        "every position of up to 100 each",
        |_| {
            let piles = Piles { piles: 2, most: 100 };
            let equal: Vec<usize> = (0..=100).map(|pile| pile * 101 + pile).collect();
            let lost = piles.lost(false);
            Ok(Finding::new("101 equal ones", format!("{} lost", lost.len()), lost == equal))
        },
    ),
    claim(
        "the Grundy number of a sum of games in normal play is the exclusive or of theirs",
        HOSHIGAKI,
        "saying numbers with a pile of up to 10, and two piles of up to 10",
        |_| Ok(sums()),
    ),
    claim(
        "hoshigaki: the three tables of Grundy numbers of two piles",
        HOSHIGAKI,
        "all 96 entries, by definition from the rules",
        |_| Ok(tables()),
    ),
    claim(
        "hoshigaki: what is said of single positions of one and two piles, with the winning actions",
        HOSHIGAKI,
        "each statement by itself; those about any k for k up to 10",
        |_| Ok(by_hand()),
    ),
    claim("hoshigaki: the Grundy number is 0 exactly if the player to move has lost", HOSHIGAKI, ALL_PILES, |_| {
        Ok(zero_is_lost())
    }),
    claim(
        "hoshigaki: the formula for Grundy numbers (xor; changed by 1 for L without a pile of 2 or more and for A with one of 4 or \
         more; by 2 for A without)",
        HOSHIGAKI,
        ALL_PILES,
        |_| Ok(holds_always(&decide_formula(&numbered()))),
    ),
    claim(
        "hoshigaki, L: with a pile of 2 or more a position's successors have the same set of numbers as under W",
        HOSHIGAKI,
        ALL_PILES,
        |_| Ok(same_sets()),
    ),
    claim(
        "hoshigaki, A: the numbers of two piles below 4, and of those below 8, are a Latin square",
        HOSHIGAKI,
        "every row and column",
        |_| {
            let numbered = numbered();
            let number = |row: u16, column: u16| numbered.number(&Position::new([row, column], Condition::Open));
            let is_latin = |size: u16| {
                (0..size).all(|line| {
                    let mut row: Vec<u32> = (0..size).map(|place| number(line, place)).collect();
                    row.sort_unstable();
                    row.into_iter().eq(0..u32::from(size))
                })
            };
            let holds = is_latin(4) && is_latin(8);
            Ok(Finding::new("Latin squares", if holds { "Latin squares" } else { "no Latin squares" }, holds))
        },
    ),
    claim(
        "hoshigaki, A: the exclusive or of single piles' numbers is not the number of the piles together",
        HOSHIGAKI,
        "the first position where it is not",
        |_| Ok(no_sum()),
    ),
    claim(
        "hoshigaki, two equal piles: a position that is won without them is won with them – NOT so as printed",
        HOSHIGAKI,
        ALL_PILES,
        |_| Ok(refuted(&decide_equal_piles(&numbered()), "22L")),
    ),
    claim(
        "hoshigaki, two equal piles: without them the Grundy number is the same, exactly unless they alone are the piles of 2 or more \
         under L or of 4 or more under A",
        HERE,
        ALL_PILES,
        |_| Ok(holds_always(&decide_equal_piles_corrected(&numbered()))),
    ),
    claim(
        "hoshigaki, winning strategy: all cases but the last (A, a pile of 4 or more)",
        HOSHIGAKI,
        "all positions of up to 5 piles of up to 10; every action that the text allows must win, and there must be one",
        |_| Ok(strategy(Version::Printed, |case| case != Some(Case::OpenLarge), None)),
    ),
    claim(
        "hoshigaki, winning strategy: A, a pile of 4 or more – NOT so as printed",
        HOSHIGAKI,
        "likewise; 24A goes to 23A, but 2A wins: the text says 2 where it should say 4",
        |_| Ok(strategy(Version::Printed, |case| case == Some(Case::OpenLarge), Some("24A"))),
    ),
    claim(
        "hoshigaki, winning strategy: the same with 4 for 2 – still NOT so",
        HERE,
        "likewise; 44A has Grundy number 1 and no odd pile, but settling wins",
        |_| Ok(strategy(Version::HalfCorrected, |case| case == Some(Case::OpenLarge), Some("44A"))),
    ),
    claim(
        "hoshigaki, winning strategy corrected: with 4 for 2, and settling if the Grundy number is 1",
        HERE,
        "likewise, all cases",
        |_| Ok(strategy(Version::Corrected, |_| true, None)),
    ),
];

/// All of these claims with their findings.
///
/// # Errors
/// None in practice, as none of the checks counts on a backend.
pub fn findings() -> Result<Vec<(&'static Claim, Finding)>, crate::run::RunError> {
    let setting = Setting { adapter: None, threads: None, observer: &() };
    CLAIMS.iter().map(|claim| Ok((claim, claim.check(&setting)?))).collect()
}

fn waribashi_size() -> Finding {
    let solved = Solved::new(Waribashi::BASIC);
    let (first, second) = (solved.ends(Player::Second), solved.ends(Player::First));
    let found = format!("{} states, {} edges, {first} and {second} ends", solved.graph.len(), solved.graph.edges());
    let expected = "165 states, 273 edges, 8 and 8 ends";
    Finding::new(expected, &found, found == expected)
}

fn waribashi_ends() -> Finding {
    let solved = Solved::new(Waribashi::BASIC);
    let sum = |position: &waribashi::Position, player| {
        let fingers = position.hands_of(player).fingers();
        fingers.into_iter().map(|fingers| if fingers == 0 { 5 } else { u32::from(fingers) }).sum::<u32>()
    };
    let positions = solved.graph.positions();
    let grows = |&(from, to): &(usize, usize)| {
        let (from, to) = (&positions[from], &positions[to]);
        let (own, opposing) = (from.to_move, from.to_move.opponent());
        sum(to, own) == sum(from, own) && sum(to, opposing) > sum(from, opposing)
    };
    let edges = solved.whole().edges;
    let growing = edges.iter().filter(|edge| grows(edge)).count();
    let circles = if solved.has_circles() { "circles" } else { "no circle" };
    let draws = solved.values.iter().filter(|value| **value == Value::Draw).count();
    let found = format!("fingers grow on {growing} of {} edges; {circles}; {draws} draws", edges.len());
    Finding::new(
        "on every edge; no circle; 0 draws",
        found,
        growing == edges.len() && !solved.has_circles() && draws == 0,
    )
}

/// The winner and the number of plies, and whether every value follows from its successors.
fn outcome(game: Waribashi) -> (String, bool) {
    let solved = Solved::new(game);
    let outcome = match (solved.winner(), solved.start().plies()) {
        (Some(winner), Some(plies)) => format!("{} in {plies} plies", winner.name()),
        _ => "draw".to_owned(),
    };
    (outcome, validate(&game, &solved.graph, &solved.values).is_ok())
}

fn waribashi_proof() -> Finding {
    let solved = Solved::new(Waribashi::BASIC);
    let Some(part) = solved.pruned() else {
        return Finding::new("a proof", "nobody wins", false);
    };
    let is_proved = |&position: &usize| {
        let kept = part.edges.iter().filter(|&&(from, _)| from == position).count();
        match solved.graph.positions()[position] {
            ended if ended.loser().is_some() => ended.loser() == Some(Player::First) && kept == 0,
            open if open.to_move == Player::First => kept == solved.graph.successors(position).len(),
            _ => kept > 0,
        }
    };
    let proved = part.positions.iter().filter(|position| is_proved(position)).count();
    let (positions, edges) = (part.positions.len(), part.edges.len());
    let found = format!("{positions} states, {proved} of them so; {edges} edges");
    Finding::new("all states so", found, proved == positions && !solved.has_circles())
}

fn all_drawn(games: impl Iterator<Item = Waribashi>) -> Finding {
    let (mut count, mut drawn) = (0, 0);
    for game in games {
        let (outcome, is_valid) = outcome(game);
        count += 1;
        drawn += usize::from(is_valid && outcome == "draw" && Solved::new(game).has_circles());
    }
    let found = format!("{drawn} of {count} drawn, with circles");
    Finding::new("all drawn, with circles", found, count > 0 && drawn == count)
}

fn nim_order() -> Finding {
    let piles = Piles { piles: 3, most: 15 };
    let row = |position: &[u32]| position.iter().rev().fold(0, |row, &pile| row * 16 + pile as usize);
    let (mut actions, mut later) = (0_u64, 0_u64);
    for number in 0..4096 {
        let position = piles.position(number);
        for pile in 0..3 {
            for left in 0..position[pile] {
                let mut after = position.clone();
                after[pile] = left;
                actions += 1;
                later += u64::from(row(&after) >= number);
            }
        }
    }
    Finding::new("0 to later rows", format!("{actions} actions, {later} to later rows"), later == 0 && actions > 0)
}

/// The loop of the article's f2. The row without stones is a loss for the player who made it. Going down the rows, one
/// is marked 1 unless a row marked 1 differs from it in exactly one pile. The result lists the rows marked 1.
fn nim_by_the_article(piles: Piles) -> Vec<usize> {
    let count = (piles.most as usize + 1).pow(piles.piles);
    let rows: Vec<Vec<u32>> = (0..count).map(|row| piles.position(row)).collect();
    let mut marked: Vec<usize> = Vec::new();
    for row in 1..count {
        let differs_in_one =
            |&other: &usize| rows[other].iter().zip(&rows[row]).filter(|(pile, other)| pile != other).count() == 1;
        if !marked.iter().any(differs_in_one) {
            marked.push(row);
        }
    }
    marked
}

fn nim_by_bouton() -> Finding {
    let (mut positions, mut different) = (0, 0);
    for (count, most) in [(3, 200), (4, 30), (5, 12)] {
        for misere in [false, true] {
            let piles = Piles { piles: count, most };
            positions += piles.positions().unwrap_or(0);
            different += u32::from(!piles.lost(misere).into_iter().eq(piles.lost_by_bouton(misere)));
        }
    }
    Finding::new("0 lists different", format!("{positions} positions, {different} lists different"), different == 0)
}

fn wythoff_by_formula(misere: bool) -> Finding {
    let (lost, by_formula) = (wythoff::lost(1000, misere), wythoff::lost_by_formula(1000, misere));
    Finding::new(by_formula.len(), lost.len(), lost == by_formula)
}

/// Saying numbers: a player says the next one, two or three; nobody may say 21. A position is the last number said.
struct SayingNumbers;

impl Game for SayingNumbers {
    type Position = u32;

    fn actions(&self, &last: &u32) -> Vec<After<u32>> {
        (last + 1..=last + 3).filter(|&number| number <= 20).map(After::Position).collect()
    }
}

/// The sum of two games: each action is an action in one of them.
struct Sum<A, B>(A, B);

impl<A: Game<Position = u32>, B: Game<Position = u32>> Game for Sum<A, B> {
    type Position = (u32, u32);

    fn actions(&self, &(one, other): &(u32, u32)) -> Vec<After<(u32, u32)>> {
        let open = |after| match after {
            After::Position(position) => Some(position),
            After::End(_) => None,
        };
        let in_one = self.0.actions(&one).into_iter().filter_map(open).map(|one| (one, other));
        let in_other = self.1.actions(&other).into_iter().filter_map(open).map(|other| (one, other));
        in_one.chain(in_other).map(After::Position).collect()
    }
}

/// One pile, from which any number may be taken.
struct Pile;

impl Game for Pile {
    type Position = u32;

    fn actions(&self, &pile: &u32) -> Vec<After<u32>> {
        (0..pile).map(After::Position).collect()
    }
}

fn sums() -> Finding {
    fn different<A: Game<Position = u32>, B: Game<Position = u32>>(
        one: A,
        other: B,
        start: (u32, u32),
    ) -> (usize, usize) {
        let numbers = |graph: &Graph<u32>| graph.grundy_numbers().unwrap_or_default();
        let (left, right) = (Graph::reachable(&one, [start.0]), Graph::reachable(&other, [start.1]));
        let (of_left, of_right) = (numbers(&left), numbers(&right));
        let sum = Graph::reachable(&Sum(one, other), [start]);
        let of_sum = sum.grundy_numbers().unwrap_or_default();
        let is_xor = |&number: &usize| {
            let (one, other) = &sum.positions()[number];
            let part = |graph: &Graph<u32>, numbers: &[u32], position| {
                graph.number(position).and_then(|number| numbers.get(number).copied())
            };
            let xor = part(&left, &of_left, one).zip(part(&right, &of_right, other)).map(|(one, other)| one ^ other);
            xor.is_some() && of_sum.get(number).copied() == xor
        };
        (sum.len(), (0..sum.len()).filter(|number| !is_xor(number)).count())
    }
    let (one, one_wrong) = different(SayingNumbers, Pile, (0, 10));
    let (two, two_wrong) = different(Pile, Pile, (10, 10));
    let (positions, wrong) = (one + two, one_wrong + two_wrong);
    Finding::new("0 different", format!("{positions} positions, {wrong} different"), wrong == 0)
}

fn numbered() -> Numbered {
    Numbered::all(PILES, MOST)
}

fn holds_always(decided: &Decided) -> Finding {
    let found = format!("{} cases, {} fail", decided.cases, decided.failures);
    Finding::new("0 fail", found, decided.failures == 0 && decided.cases > 0)
}

/// A finding that a statement fails, and first in this position.
fn refuted(decided: &Decided, first: &str) -> Finding {
    counterexample(decided.cases, decided.failures, decided.counterexample.as_ref(), Some(first))
}

fn counterexample(cases: u64, failures: u64, found: Option<&Position>, expected: Option<&str>) -> Finding {
    let found = found.map(Position::to_string);
    let words = |first: Option<&str>| first.map_or("0 fail".to_owned(), |first| format!("first fails in {first}"));
    let holds = found.as_deref() == expected && cases > 0;
    Finding::new(words(expected), format!("{cases} cases, {failures} fail; {}", words(found.as_deref())), holds)
}

fn strategy(version: Version, wanted: impl Fn(Option<Case>) -> bool, first: Option<&str>) -> Finding {
    let decided = decide_strategy(&numbered(), version);
    let wanted = || decided.iter().filter(|(case, _)| wanted(*case)).map(|(_, decided)| decided);
    let (cases, failures) = (wanted().map(|it| it.cases).sum(), wanted().map(|it| it.failures).sum());
    let found = wanted().filter_map(|it| it.counterexample.as_ref()).min_by_key(|position| position.rank());
    counterexample(cases, failures, found, first)
}

/// The article's tables, row by row.
const TABLE_W: [[u32; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];
const TABLE_L: [[u32; 4]; 4] = [[1, 0, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];
const TABLE_A: [[u32; 8]; 8] = [
    [2, 3, 0, 1, 5, 4, 7, 6],
    [3, 2, 1, 0, 4, 5, 6, 7],
    [0, 1, 2, 3, 7, 6, 5, 4],
    [1, 0, 3, 2, 6, 7, 4, 5],
    [5, 4, 7, 6, 1, 0, 3, 2],
    [4, 5, 6, 7, 0, 1, 2, 3],
    [7, 6, 5, 4, 3, 2, 1, 0],
    [6, 7, 4, 5, 2, 3, 0, 1],
];

fn tables() -> Finding {
    let numbered = Numbered::all(2, 7);
    let different = |table: &[&[u32]], condition| {
        let rows =
            (0..).zip(table).flat_map(|(row, numbers)| (0..).zip(*numbers).map(move |(column, n)| (row, column, n)));
        rows.filter(|&(row, column, &number)| numbered.number(&Position::new([row, column], condition)) != number)
            .count()
    };
    let wrong = different(&TABLE_W.each_ref().map(|row| &row[..]), Condition::LastWins)
        + different(&TABLE_L.each_ref().map(|row| &row[..]), Condition::LastLoses)
        + different(&TABLE_A.each_ref().map(|row| &row[..]), Condition::Open);
    Finding::new("0 entries different", format!("{wrong} entries different"), wrong == 0)
}

/// Positions that the article calls lost.
const LOST: [&str; 7] = ["0W", "1L", "2A", "11W", "13A", "22W", "22L"];
/// Positions that the article calls won without giving an action.
const WON: [&str; 2] = ["0L", "11L"];
/// Positions with actions that the article says win; `k` is any number from the third entry on.
const WINNING: [(&str, &str, u32); 23] = [
    ("0A", "0W", 0),
    ("1W", "0W", 0),
    ("1A", "1L", 0),
    ("2W", "0W", 0),
    ("2L", "1L", 0),
    ("kW", "0W", 3),
    ("kL", "1L", 3),
    ("kA", "2A", 3),
    ("11A", "11W", 0),
    ("12W", "11W", 0),
    ("12L", "1L", 0),
    ("12A", "2A", 0),
    ("13W", "11W", 0),
    ("13L", "1L", 0),
    ("1,k,W", "11W", 4),
    ("1,k,L", "1L", 4),
    ("1,k,A", "13A", 4),
    ("22A", "2A", 0),
    ("22A", "22W", 0),
    ("22A", "22L", 0),
    ("2,k,W", "22W", 3),
    ("2,k,L", "22L", 3),
    ("2,k,A", "2A", 3),
];
/// Positions with all of their successors.
const FOLLOWING: [(&str, &[&str]); 4] = [
    ("1L", &["0L"]),
    ("2A", &["0A", "1A", "2W", "2L"]),
    ("13A", &["1A", "11A", "12A", "3A", "13W", "13L"]),
    ("22L", &["12L", "2L"]),
];

fn by_hand() -> Finding {
    let numbered = numbered();
    let read = |text: &str| text.parse::<Position>().unwrap_or_else(|error| panic!("{error}"));
    let (mut statements, mut wrong) = (0, 0);
    let mut say = |holds: bool| {
        statements += 1;
        wrong += u32::from(!holds);
    };
    LOST.iter().for_each(|text| say(numbered.number(&read(text)) == 0));
    WON.iter().for_each(|text| say(numbered.number(&read(text)) != 0));
    for (from, to, first) in WINNING {
        let to = read(to);
        for k in if from.contains('k') { first..=u32::from(MOST) } else { 0..=0 } {
            // A comma keeps a number of two digits together as one pile.
            let from = read(&from.replace("k,", &format!("{k},")).replace('k', &format!("{k},")));
            say(numbered.winning(&from).contains(&&to));
        }
    }
    for (from, expected) in FOLLOWING {
        let mut following: Vec<String> = Hoshigaki
            .actions(&read(from))
            .into_iter()
            .map(|after| match after {
                After::Position(position) => position.to_string(),
                After::End(_) => "an end".to_owned(),
            })
            .collect();
        let mut expected = expected.to_vec();
        following.sort();
        expected.sort_unstable();
        say(following == expected);
    }
    Finding::new("0 wrong", format!("{statements} statements, {wrong} wrong"), wrong == 0)
}

fn zero_is_lost() -> Finding {
    let numbered = numbered();
    let values = numbered.graph.values();
    let is_valid = validate(&Hoshigaki, &numbered.graph, &values).is_ok();
    let is_wrong =
        |((_, number), value): &((&Position, u32), &Value)| (*number == 0) != matches!(value, Value::Lose(_));
    let wrong = numbered.iter().zip(&values).filter(is_wrong).count();
    Finding::new("0 otherwise", format!("{} positions, {wrong} otherwise", values.len()), is_valid && wrong == 0)
}

fn same_sets() -> Finding {
    let numbered = numbered();
    let set = |position: &Position| {
        let number = numbered.graph.number(position).expect("the position is among them");
        let successors = numbered.graph.successors(number).iter();
        let mut set: Vec<u32> =
            successors.map(|&to| numbered.number(&numbered.graph.positions()[to as usize])).collect();
        set.sort_unstable();
        set.dedup();
        set
    };
    let (mut cases, mut different) = (0_u64, 0_u64);
    for (position, _) in numbered.iter() {
        if position.condition() == Condition::LastLoses && position.piles().iter().any(|&pile| pile >= 2) {
            let settled_otherwise = Position::new(position.piles().iter().copied(), Condition::LastWins);
            cases += 1;
            different += u64::from(set(position) != set(&settled_otherwise));
        }
    }
    Finding::new("0 different", format!("{cases} positions, {different} different"), different == 0 && cases > 0)
}

fn no_sum() -> Finding {
    let numbered = numbered();
    let single = |pile: u16| numbered.number(&Position::new([pile], Condition::Open));
    let differs = |(position, number): &(&Position, u32)| {
        let is_open = position.condition() == Condition::Open && position.piles().len() >= 2;
        is_open && position.piles().iter().fold(0, |xor, &pile| xor ^ single(pile)) != *number
    };
    let first = numbered.iter().filter(differs).map(|(position, _)| position).min_by_key(|position| position.rank());
    let found = first.map_or("none".to_owned(), Position::to_string);
    Finding::new("11A", &found, found == "11A")
}
