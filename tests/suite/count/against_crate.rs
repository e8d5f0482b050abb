//! Verdicts against an outside oracle, the crate `tokyodoves`, and changes that must not change a verdict.
//!
//! Most of the drawn positions are mates or one dove away from one; random positions hardly ever are.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::{boards, cases, images};
use dovemate::Listing;
use dovemate::Verdict;
use dovemate::count::ALL_DOVES;
use dovemate::count::Category;
use dovemate::count::reference::{self, verdict};
use dovemate::random::Random;
use dovemate::rules::{Board, BothSurrounded, Color, Dove, Kind, Rules};
use dovemate::shapes::{BossPlacement, Shape};
use proptest::prelude::RngExt;
use rayon::prelude::*;
use tokyodoves::analysis::{BoardValue, compare_board_value};
use tokyodoves::game::{GameRule, Judge};

/// The rule variants of the crate, which does not support a draw when both bosses are surrounded.
fn variants_of_the_crate() -> impl Iterator<Item = Rules> {
    Rules::variants().filter(|rules| rules.both_surrounded != BothSurrounded::Draw)
}

fn their_board(board: &Board) -> tokyodoves::Board {
    let builder: tokyodoves::BoardBuilder = board.to_string().parse().expect("the crate reads board text");
    builder.build().expect("a board is a board for the crate too")
}

/// Whether a position with red to move has this value according to the crate.
fn has_value(board: &Board, rules: Rules, value: BoardValue) -> bool {
    let judge = match rules.both_surrounded {
        BothSurrounded::MoverLoses => Judge::NextWins,
        BothSurrounded::MoverWins => Judge::LastWins,
        BothSurrounded::Draw => panic!("the crate compares no values under this ruling"),
    };
    let rule = GameRule::new(rules.returns).with_suicide_atk_judge(judge);
    let compared = compare_board_value(their_board(board), value, tokyodoves::Color::Red, rule);
    compared.unwrap_or_else(|error| panic!("{board}: {error}")) == Ordering::Equal
}

fn crate_says_mate(board: &Board, rules: Rules) -> bool {
    has_value(board, rules, BoardValue::lose(2).expect("losing takes an even number of actions"))
}

fn crate_says_win_in_one(board: &Board, rules: Rules) -> bool {
    has_value(board, rules, BoardValue::win(1).expect("winning takes an odd number of actions"))
}

/// The number of mates to draw for each number of doves and rule variant, if there are that many.
const DRAWN: usize = 120;

/// Mates, each with a neighbour in which one dove is exchanged for another on the board or in hand.
type MatesAndNeighbours = (Vec<Board>, Vec<Board>);

/// [`DRAWN`] mates of this many doves under these rules, and their neighbours, all with red to move. Drawing
/// needs a count of the mates, so it is done once for all tests.
fn mates_and_neighbours(doves: u32, rules: Rules) -> &'static MatesAndNeighbours {
    static DRAWS: [[OnceLock<MatesAndNeighbours>; 6]; 13] = [const { [const { OnceLock::new() }; 6] }; 13];
    let variant = Rules::variants().position(|variant| variant == rules).expect("one of the six");
    DRAWS[doves as usize][variant].get_or_init(|| draw(doves, rules, DRAWN as u64))
}

fn draw(doves: u32, rules: Rules, mates: u64) -> MatesAndNeighbours {
    // Only from every twelfth shape, because all mates to draw from must be counted.
    let shapes = Shape::all().into_iter().filter(|shape| shape.doves() == doves).step_by(12);
    let listing = Listing::on(Category::Mates, shapes, rules);
    let ranks = listing.ranks();
    let drawn = ranks.locate(&Random::sample(ranks.total(), mates.min(ranks.total()), u64::from(doves)));
    let mates: Vec<Board> = drawn.iter().map(|code| code.board()).collect();
    let mut rng = boards::random_numbers(doves as u8);
    let neighbours = mates.iter().map(|mate| {
        let others: Vec<Dove> = Dove::all().filter(|dove| dove.kind != Kind::Boss).collect();
        let (first, second) = (rng.random_range(0..10), rng.random_range(0..9));
        let pair = [others[first], others[second + usize::from(second >= first)]];
        let exchanged = |dove| pair.iter().position(|&one| one == dove).map_or(dove, |place| pair[1 - place]);
        Board::new(mate.doves().map(|(dove, cell)| (exchanged(dove), cell)))
            .expect("the cells are those of a board")
    });
    let neighbours = neighbours.collect();
    (mates, neighbours)
}

/// Random boards of this many doves with neither boss surrounded.
fn open_boards(doves: u32, count: usize) -> Vec<Board> {
    let mut rng = boards::random_numbers(100 + doves as u8);
    std::iter::repeat_with(|| boards::random_board(&mut rng, doves as usize))
        .filter(|board| Color::ALL.into_iter().all(|color| !board.is_surrounded(color)))
        .take(count)
        .collect()
}

#[test]
fn verdicts_equal_those_of_the_crate() {
    for doves in ALL_DOVES {
        let (mut mates_seen, mut wins_seen, mut others_seen) = (0, 0, 0);
        for rules in variants_of_the_crate() {
            let (mates, neighbours) = mates_and_neighbours(doves, rules);
            let boards = [&mates[..], neighbours, &open_boards(doves, 80)].concat();
            let seen = boards.par_iter().map(|board| {
                let verdict = verdict(board, Color::Red, rules);
                let shown = || format!("{board}, red to move, {rules:?}: {verdict:?}");
                assert_eq!(verdict == Verdict::Mate, crate_says_mate(board, rules), "{}", shown());
                assert_eq!(verdict == Verdict::WinInOne, crate_says_win_in_one(board, rules), "{}", shown());
                verdict
            });
            for verdict in seen.collect::<Vec<_>>() {
                match verdict {
                    Verdict::Mate => mates_seen += 1,
                    Verdict::WinInOne => wins_seen += 1,
                    _ => others_seen += 1,
                }
            }
        }
        println!("{doves} doves: {mates_seen} mates, {wins_seen} wins in one, {others_seen} others");
        // There are no mates of fewer than 6 doves, and no wins in one of fewer than 5.
        assert!(doves < 6 || mates_seen >= 400, "{doves} doves: only {mates_seen} mates");
        assert!(doves < 7 || wins_seen >= 10, "{doves} doves: only {wins_seen} wins in one");
        assert!(others_seen >= 50, "{doves} doves: only {others_seen} others");
    }
}

/// The mates with up to 6 doves, on all shapes or some, as they are listed and as the crate finds them among the same
/// boards, compared as sets of invariant u64s.
#[test]
fn all_mates_up_to_6_doves_are_those_of_the_crate() {
    for rules in variants_of_the_crate().take(1) {
        let all = Shape::all().into_iter().filter(|shape| shape.doves() <= 6);
        let (rich, poor): (Vec<Shape>, Vec<Shape>) =
            all.partition(|shape| Listing::on(Category::Mates, [*shape], rules).ranks().total() > 0);
        let shapes: Vec<Shape> =
            [rich, poor].into_iter().flat_map(|all| all.into_iter().step_by(cases(6, 1))).collect();
        let mut listed = BTreeSet::new();
        for code in &Listing::on(Category::Mates, shapes.iter().copied(), rules) {
            assert!(listed.insert(code.canonical(Color::Red).to_u64()), "{} is listed twice", code.text());
        }
        // The lemma of the prune has its own test.
        let placements: Vec<BossPlacement> =
            shapes.iter().flat_map(BossPlacement::all).filter(|placement| !placement.is_pruned()).collect();
        let found: BTreeSet<u64> = placements
            .par_iter()
            .flat_map_iter(reference::boards)
            .filter(|board| crate_says_mate(board, rules))
            .map(|board| their_board(&board).to_invariant_u64(tokyodoves::Color::Red))
            .collect();
        assert!(!found.is_empty());
        assert_eq!(listed.len(), found.len(), "listed (left) and found by the crate");
        if let Some(code) = listed.symmetric_difference(&found).next() {
            panic!("{code:016x} is a mate by one of the two only");
        }
    }
}

/// Rotations, reflections, translations and exchanging the colours do not change a verdict.
#[test]
fn the_same_position_has_the_same_verdict() {
    for doves in 6..=12 {
        for rules in Rules::variants() {
            let (mates, neighbours) = mates_and_neighbours(doves, rules);
            let few = cases(4, 20);
            let some = |boards: &[Board]| boards.iter().step_by(DRAWN / few).cloned().collect::<Vec<_>>();
            for board in [some(mates), some(neighbours), open_boards(doves, few / 2)].concat() {
                let expected = verdict(&board, Color::Red, rules);
                for (image, mover) in images::images(&board, Color::Red) {
                    assert_eq!(verdict(&image, mover, rules), expected, "{board} turned to {image}");
                }
            }
        }
    }
}

/// Without returns the mover has fewer actions and the opponent no fewer refutations, so a mate stays a mate unless
/// all its actions that did not lose outright were returns.
#[test]
fn a_mate_stays_a_mate_without_returns() {
    for doves in 6..=12 {
        for both_surrounded in BothSurrounded::ALL {
            let with = Rules { returns: true, both_surrounded };
            let without = Rules { returns: false, both_surrounded };
            for mate in &mates_and_neighbours(doves, with).0 {
                assert_eq!(verdict(mate, Color::Red, with), Verdict::Mate, "{mate}");
                let has_safe_action = mate.legal_actions(Color::Red, without).any(|(_, after)| {
                    without.outcome_of(&after, Color::Red) == dovemate::rules::Outcome::Open
                });
                let expected = if has_safe_action { Verdict::Mate } else { Verdict::Stuck };
                assert_eq!(verdict(mate, Color::Red, without), expected, "{mate} without returns");
            }
        }
    }
}
