//! The small games of the articles: the solver for any game against marking, textbooks and the articles' programs.

use std::collections::{BTreeMap, BTreeSet};

use dovemate::Value;
use dovemate::games::hoshigaki::{Case, Condition, Numbered, Position, Version, decide_strategy};
use dovemate::games::nim::{Piles, is_lost_by_bouton};
use dovemate::games::waribashi::{Player, SelfAttack, Solved, Waribashi};
use dovemate::games::wythoff;
use dovemate::retrograde::{After, End, Game, Graph, NoGrundyNumbers, mex, validate};

/// Nim.
struct Nim {
    /// Whether taking the last stone loses.
    misere: bool,
}

impl Game for Nim {
    /// The piles, in any order.
    type Position = Vec<u32>;

    fn actions(&self, piles: &Vec<u32>) -> Vec<After<Vec<u32>>> {
        let take = |pile: usize| {
            (0..piles[pile]).map(move |left| {
                let mut piles = piles.clone();
                piles[pile] = left;
                After::Position(piles)
            })
        };
        (0..piles.len()).flat_map(take).collect()
    }

    fn without_action(&self, _: &Vec<u32>) -> End {
        if self.misere { End::Won } else { End::Lost }
    }
}

/// Wythoff's game.
struct Wythoff {
    /// Whether taking the last stone loses.
    misere: bool,
}

impl Game for Wythoff {
    /// The numbers of black and white stones.
    type Position = [u32; 2];

    fn actions(&self, &[black, white]: &[u32; 2]) -> Vec<After<[u32; 2]>> {
        let of_black = (1..=black).map(|taken| [black - taken, white]);
        let of_white = (1..=white).map(|taken| [black, white - taken]);
        let of_both = (1..=black.min(white)).map(|taken| [black - taken, white - taken]);
        of_black.chain(of_white).chain(of_both).map(After::Position).collect()
    }

    fn without_action(&self, _: &[u32; 2]) -> End {
        if self.misere { End::Won } else { End::Lost }
    }
}

/// The lost positions by the solver for any game.
fn lost<G: Game>(game: &G, positions: Vec<G::Position>) -> Vec<G::Position>
where
    G::Position: std::fmt::Debug,
{
    let graph = Graph::of(game, positions).unwrap();
    let values = graph.values();
    validate(game, &graph, &values).unwrap();
    let is_lost = |&(_, value): &(&G::Position, &Value)| matches!(value, Value::Lose(_));
    graph.positions().iter().zip(&values).filter(is_lost).map(|(position, _)| position.clone()).collect()
}

#[test]
fn nim_by_retrograde_analysis_by_marking_and_by_bouton() {
    for misere in [false, true] {
        for piles in [Piles { piles: 1, most: 9 }, Piles { piles: 3, most: 6 }, Piles { piles: 5, most: 2 }] {
            let count = piles.positions().unwrap() as usize;
            let all: Vec<Vec<u32>> = (0..count).map(|number| piles.position(number)).collect();
            let marked: Vec<Vec<u32>> = piles.lost(misere).into_iter().map(|number| piles.position(number)).collect();
            assert_eq!(lost(&Nim { misere }, all.clone()), marked, "{piles:?} {misere}");
            let named = all.into_iter().filter(|piles| is_lost_by_bouton(piles, misere));
            assert_eq!(named.collect::<Vec<_>>(), marked, "{piles:?} {misere}");
        }
    }
    // Without stones the game is over, and in misère play the player to move has won.
    assert_eq!(Piles { piles: 2, most: 0 }.lost(false), [0]);
    assert!(Piles { piles: 2, most: 0 }.lost(true).is_empty());
}

#[test]
fn grundy_numbers_of_nim_are_exclusive_ors() {
    let graph = Graph::reachable(&Nim { misere: false }, [vec![5, 6, 7]]);
    let numbers = graph.grundy_numbers().unwrap();
    for (piles, number) in graph.positions().iter().zip(numbers) {
        assert_eq!(number, piles.iter().fold(0, |xor, pile| xor ^ pile), "{piles:?}");
    }
    assert_eq!(mex(&mut [3, 0, 1, 0, 7]), 2);
    assert_eq!(mex(&mut []), 0);
}

/// Moore's nim: stones are taken from one or two piles. A position is lost exactly if every binary digit is set in a
/// number of piles that three divides (Moore, 1910).
struct Moore;

impl Game for Moore {
    type Position = [u32; 4];

    fn actions(&self, piles: &[u32; 4]) -> Vec<After<[u32; 4]>> {
        let mut next = BTreeSet::new();
        for one in 0..4 {
            for other in 0..4 {
                for (left, left_other) in
                    (0..=piles[one]).flat_map(|left| (0..=piles[other]).map(move |rest| (left, rest)))
                {
                    let mut after = *piles;
                    (after[one], after[other]) = (left, left_other);
                    next.insert(after);
                }
            }
        }
        // A pair with the same pile twice takes no more than one action may.
        next.into_iter().filter(|after| after != piles).map(After::Position).collect()
    }
}

#[test]
fn moores_nim() {
    let mut positions = vec![[0; 4]];
    for pile in 0..4 {
        positions = positions
            .into_iter()
            .flat_map(|piles| {
                (0..=4).map(move |stones| {
                    let mut piles: [u32; 4] = piles;
                    piles[pile] = stones;
                    piles
                })
            })
            .collect();
    }
    let digit = |piles: &[u32; 4], digit: u32| piles.iter().filter(|&&pile| pile >> digit & 1 == 1).count();
    let named = positions.iter().filter(|piles| (0..3).all(|place| digit(piles, place) % 3 == 0));
    assert_eq!(lost(&Moore, positions.clone()), named.copied().collect::<Vec<_>>());
}

#[test]
fn wythoff_by_retrograde_analysis_by_marking_and_by_formula() {
    for misere in [false, true] {
        let all = (0..=25).flat_map(|white| (0..=25).map(move |black| [black, white])).collect();
        let found = lost(&Wythoff { misere }, all);
        assert_eq!(found, wythoff::lost(25, misere), "{misere}");
        for most in [0, 1, 2, 3, 25, 500] {
            assert_eq!(wythoff::lost(most, misere), wythoff::lost_by_formula(most, misere), "{most} {misere}");
        }
    }
    let pairs: Vec<[u64; 2]> = (0..8).map(wythoff::golden_pair).collect();
    assert_eq!(pairs, [[0, 0], [1, 2], [3, 5], [4, 7], [6, 10], [8, 13], [9, 15], [11, 18]]);
}

/// The article's program: its states, its recursion for the tree, and its recursion for the pruning, which changes the
/// tree as it goes.
mod article {
    use super::*;

    pub type State = (bool, [u8; 2], [u8; 2]);

    fn next(&(is_first, f, s): &State, fi: usize, si: usize) -> State {
        let (mut f2, mut s2) = (f, s);
        let d = if f[fi] + s[si] >= 5 { 0 } else { f[fi] + s[si] };
        if is_first {
            s2[si] = d
        } else {
            f2[fi] = d
        }
        let sorted = |[one, other]: [u8; 2]| [one.max(other), one.min(other)];
        (!is_first, sorted(f2), sorted(s2))
    }

    pub fn tree() -> BTreeMap<State, Vec<State>> {
        let mut siblings = BTreeMap::new();
        let mut open = vec![(true, [1, 1], [1, 1])];
        while let Some(state) = open.pop() {
            if siblings.contains_key(&state) {
                continue;
            }
            let mut next_states: Vec<State> = Vec::new();
            for (fi, si) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let child = next(&state, fi, si);
                if state.1[fi] != 0 && state.2[si] != 0 && !next_states.contains(&child) {
                    next_states.push(child);
                }
            }
            open.extend(&next_states);
            siblings.insert(state, next_states);
        }
        siblings
    }

    pub fn prune(state: State, siblings: &mut BTreeMap<State, Vec<State>>) -> bool {
        if state.2 == [0, 0] {
            return true;
        }
        let copy = siblings[&state].clone();
        if state.0 {
            return copy.into_iter().any(|next| prune(next, siblings));
        }
        for next in copy {
            if prune(next, siblings) {
                siblings.get_mut(&state).unwrap().retain(|kept| *kept != next);
            }
        }
        siblings[&state].is_empty()
    }
}

#[test]
fn waribashi_and_its_pruned_graph_as_the_articles_program_has_them() {
    let solved = Solved::new(Waribashi::BASIC);
    let state = |number: usize| {
        let position = solved.graph.positions()[number];
        (position.to_move == Player::First, position.hands[0].fingers(), position.hands[1].fingers())
    };
    let mut tree = article::tree();
    let whole: BTreeSet<_> = solved.whole().edges.iter().map(|&(from, to)| (state(from), state(to))).collect();
    let theirs: BTreeSet<_> = tree.iter().flat_map(|(from, next)| next.iter().map(move |to| (*from, *to))).collect();
    assert_eq!((tree.len(), whole.len()), (165, 273));
    assert_eq!(whole, theirs);

    let root = (true, [1, 1], [1, 1]);
    assert!(!article::prune(root, &mut tree), "the second player wins");
    let (mut seen, mut open, mut edges) = (BTreeSet::from([root]), vec![root], BTreeSet::new());
    while let Some(from) = open.pop() {
        for &to in &tree[&from] {
            edges.insert((from, to));
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    let part = solved.pruned().unwrap();
    assert_eq!(part.positions.iter().map(|&number| state(number)).collect::<BTreeSet<_>>(), seen);
    assert_eq!(part.edges.iter().map(|&(from, to)| (state(from), state(to))).collect::<BTreeSet<_>>(), edges);
}

/// Every rule with every number of fingers: values follow from successors, and if a player wins, the pruned graph
/// proves it.
#[test]
fn waribashi_under_all_rules() {
    for fingers in 2..=9 {
        for variant in Waribashi::variants() {
            let game = Waribashi { fingers, ..variant };
            let solved = Solved::new(game);
            validate(&game, &solved.graph, &solved.values).unwrap();
            let Some(winner) = solved.winner() else {
                assert!(solved.pruned().is_none() && solved.has_circles(), "{game:?}");
                continue;
            };
            let part = solved.pruned().unwrap();
            for &number in &part.positions {
                let position = solved.graph.positions()[number];
                let kept: Vec<usize> =
                    part.edges.iter().filter(|(from, _)| *from == number).map(|(_, to)| *to).collect();
                if position.loser().is_some() {
                    assert_eq!(position.loser(), Some(winner.opponent()), "{game:?} {position}");
                } else if position.to_move == winner {
                    assert!(kept.iter().any(|&to| solved.is_quickest(number, to)), "{game:?} {position}");
                } else {
                    assert_eq!(kept.len(), solved.graph.successors(number).len(), "{game:?} {position}");
                }
            }
        }
    }
    let first_wins = Solved::new(Waribashi { fingers: 4, ..Waribashi::BASIC });
    assert_eq!(first_wins.winner(), Some(Player::First));
    let dead_too = Solved::new(Waribashi { self_attack: SelfAttack::Any, ..Waribashi::BASIC });
    assert_eq!((dead_too.winner(), dead_too.graph.grundy_numbers()), (None, Err(NoGrundyNumbers::Circle)));
}

#[test]
fn positions_of_hoshigaki_as_text() {
    for (text, again) in
        [("123A", "123A"), ("3,12,1a", "1,3,12A"), ("0L", "0L"), ("12,W", "12,W"), ("303W", "33W"), ("5,A", "5A")]
    {
        let position: Position = text.parse().unwrap();
        assert_eq!(position.to_string(), again);
        assert_eq!(again.parse(), Ok(position));
    }
    for (text, reason) in [
        ("", "empty"),
        ("A", "no piles"),
        ("123", "winning condition is missing"),
        ("12xA", "'x' is no number"),
        ("1,,2A", "'' is no number"),
        ("-1,2A", "'-1' is no number"),
        ("70000,A", "at most 65535"),
        ("１A", "is no number"),
    ] {
        let error = text.parse::<Position>().unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn hoshigaki_has_as_many_positions_as_multisets() {
    for (piles, most) in [(1, 1), (2, 7), (4, 5)] {
        let positions = Position::all(piles, most);
        assert_eq!(positions.len() as u128, Position::count(piles, most));
        assert!(positions.windows(2).all(|pair| pair[0].rank() < pair[1].rank()));
    }
}

/// The formula for three piles, far beyond what `verify` checks.
#[test]
fn the_formula_of_hoshigaki_for_larger_piles() {
    let numbered = Numbered::all(3, 20);
    assert!(numbered.iter().all(|(position, number)| u32::from(position.formula()) == number));
}

#[test]
fn the_strategy_of_hoshigaki_case_by_case() {
    let numbered = Numbered::all(4, 9);
    let failing = |version| -> Vec<(Option<Case>, String)> {
        let decided = decide_strategy(&numbered, version).into_iter();
        decided.filter_map(|(case, decided)| Some((case, decided.counterexample?.to_string()))).collect()
    };
    assert_eq!(failing(Version::Printed), [(Some(Case::OpenLarge), "24A".to_owned())]);
    assert_eq!(failing(Version::HalfCorrected), [(Some(Case::OpenLarge), "44A".to_owned())]);
    assert_eq!(failing(Version::Corrected), []);
    // What the article says about this position, and what wins instead.
    let position: Position = "24A".parse().unwrap();
    let advice = Case::OpenLarge.advice(&position, numbered.number(&position), Version::Printed);
    assert_eq!(advice, [Ok("23A".parse().unwrap())]);
    assert_eq!(numbered.winning(&position), [&"2A".parse::<Position>().unwrap()]);
    // Every position that is not lost belongs to a case.
    let unfinished = |position: &Position| !position.piles().is_empty() || position.condition() == Condition::Open;
    let won = numbered.iter().filter(|&(position, number)| number != 0 && unfinished(position)).count() as u64;
    let decided = decide_strategy(&numbered, Version::Printed);
    assert_eq!(decided.iter().filter(|(case, _)| case.is_some()).map(|(_, decided)| decided.cases).sum::<u64>(), won);
}

/// A drawing has a box for every node, without overlaps, and a line for every edge.
#[test]
fn drawings_are_complete() {
    let solved = Solved::new(Waribashi::BASIC);
    let circular = Solved::new(Waribashi { fingers: 4, modulo: true, ..Waribashi::BASIC });
    for (solved, part) in
        [(&solved, solved.pruned().unwrap()), (&solved, solved.whole()), (&circular, circular.pruned().unwrap())]
    {
        let drawing = solved.drawing(&part);
        let (svg, dot) = (drawing.svg(), drawing.dot());
        let boxes: Vec<[f64; 4]> = svg
            .lines()
            .filter(|line| line.starts_with("<rect class=\"node\""))
            .map(|line| {
                ["x", "y", "width", "height"].map(|name| {
                    let (_, rest) = line.split_once(&format!(" {name}=\"")).unwrap();
                    rest.split('"').next().unwrap().parse().unwrap()
                })
            })
            .collect();
        assert_eq!(boxes.len(), part.positions.len());
        for (index, [x, y, width, height]) in boxes.iter().enumerate() {
            for [x2, y2, width2, height2] in &boxes[..index] {
                let apart = x + width <= *x2 || x2 + width2 <= *x || y + height <= *y2 || y2 + height2 <= *y;
                assert!(apart, "boxes at {x} {y} and {x2} {y2}");
            }
        }
        assert_eq!(svg.matches("<path class=\"edge").count(), part.edges.len());
        assert_eq!(dot.matches(" -> ").count(), part.edges.len());
        assert_eq!(dot.matches("label = ").count(), part.positions.len());
        let (colour, note) = match solved.winner() {
            Some(Player::Second) => ("#FF9999", "second won"),
            _ => ("#9999FF", "first won"),
        };
        assert!(dot.contains(colour) && svg.contains(note), "{note}");
    }
}
