//! Mates: every way of counting compared with every other, and with the literal reference.

use crate::Verdict;
use crate::count::clause::{Actors, BOSS_GROUP, GROUPS, PUT_GROUP};
use crate::count::decide::decide_in;
use crate::count::exhaustive::{self, Block};
use crate::count::factored;
use crate::count::reference::{boards_in, verdict, verdict_in};
use crate::count::sets::Slots;
use crate::count::table::Table;
use crate::count::tally::{ALL_DOVES, Comparison};
use crate::count::{Category, Counter, Method, Question, Sides, Workload, decide};
use crate::rules::{Board, Cell, Color, Dove, Game, Kind, Rules};
use crate::shapes::deals::CONSTANTS;
use crate::shapes::{BossPlacement, Cells, Shape, WINDOW};
use crate::testing::{self, cases};
use proptest::prelude::RngExt;
use rayon::prelude::*;

/// All boss placements with this many doves, including those that the enclosure prune drops.
pub(super) fn all_placements(doves: u32) -> Vec<BossPlacement> {
    let shapes = Shape::all();
    shapes.iter().filter(|shape| shape.doves() == doves).flat_map(BossPlacement::all).collect()
}

/// The boss placements with this many doves that the enclosure prune leaves.
fn placements(doves: u32) -> Vec<BossPlacement> {
    Workload::new(&(doves..=doves), Category::Mates).placements
}

/// The number of positions of each boss placement that answer the question.
fn answers(placements: &[BossPlacement], question: Question) -> Vec<u64> {
    let counter = || Counter::new(question);
    placements.par_iter().map_init(counter, |counter, placement| counter.count(placement)).collect()
}

/// The mates of each boss placement by one method.
fn counts(placements: &[BossPlacement], rules: Rules, method: Method) -> Vec<u64> {
    answers(placements, Question { category: Category::Mates, rules, method })
}

/// Compares both methods on these boss placements; returns the total.
fn compare_methods(placements: &[BossPlacement], category: Category, rules: Rules) -> u64 {
    let [factored, exhaustive] = [Method::Factored, Method::Exhaustive]
        .map(|method| answers(placements, Question { category, rules, method }));
    for ((placement, count), exhaustive) in placements.iter().zip(&factored).zip(exhaustive) {
        assert_eq!(*count, exhaustive, "{placement}, {category:?}, {rules:?}: factored (left)");
    }
    factored.iter().sum()
}

/// Compares both methods and the reference on these boss placements; returns the total of each category, in
/// the order of [`Category::ALL`]. The reference is slow, so one verdict serves all three categories.
pub(super) fn compare_with_reference(game: &Game, placements: &[BossPlacement]) -> [u64; 3] {
    let (sides, rules) = (Sides::of(game, Color::Red), game.rules);
    let counters = || {
        [Method::Factored, Method::Exhaustive].map(|method| {
            Category::ALL.map(|category| Counter::with(Question { category, rules, method }, sides))
        })
    };
    let by_placement = placements.par_iter().map_init(counters, |counters, placement| {
        let mut expected = [0; 3];
        for board in boards_in(game, placement) {
            let verdict = verdict_in(game, &board, Color::Red);
            assert_eq!(decide_in(game, &board, Color::Red), verdict, "{board}, {game:?}: decided (left)");
            match verdict {
                Verdict::Mate => expected[0] += 1,
                Verdict::WinInOne => expected[1] += 1,
                Verdict::Stuck => expected[2] += 1,
                Verdict::Finished | Verdict::Escape => {}
            }
        }
        for by_method in counters {
            let found = by_method.each_mut().map(|counter| counter.count(placement));
            assert_eq!(found, expected, "{placement}, {game:?}: mates, wins, stuck by the tables (left)");
        }
        expected
    });
    by_placement.reduce(|| [0; 3], |a, b| std::array::from_fn(|category| a[category] + b[category]))
}

/// An assignment in the tables' form: the boss placement, the opponent's slots, and the kinds on the mover's and on
/// the opponent's.
struct Assignment {
    placement: BossPlacement,
    opposing: Slots,
    mover: Vec<u8>,
    opponent: Vec<u8>,
}

impl Assignment {
    /// The board as the player to move sees it.
    fn of(board: &Board, mover: Color) -> Assignment {
        let number = |cell: Cell| WINDOW * cell.row as u32 + cell.column as u32;
        let cells: Cells = board.doves().map(|(_, cell)| number(cell)).collect();
        let [own_boss, opposing_boss] = [mover, mover.opponent()].map(|color| number(board.boss(color)));
        let placement = BossPlacement::new(cells, own_boss, opposing_boss).expect("the board is not over");
        let mut assignment =
            Assignment { placement, opposing: Slots::NONE, mover: Vec::new(), opponent: Vec::new() };
        for (slot, slot_cell) in (0..).zip(placement.slot_cells()) {
            let on_slot = |&(_, cell): &(Dove, Cell)| number(cell) == slot_cell;
            let (dove, _) = board.doves().find(on_slot).expect("a dove stands on every cell of the shape");
            let kind =
                Kind::OTHERS.iter().position(|&kind| kind == dove.kind).expect("bosses have no slot") as u8;
            if dove.color == mover {
                assignment.mover.push(kind);
            } else {
                assignment.opponent.push(kind);
                assignment.opposing |= Slots::one(slot);
            }
        }
        assignment
    }

    fn is_mate(&self, table: &Table) -> bool {
        let mut block = Block::default();
        block.settle(table, Category::Mates, Sides::WHOLE, self.opposing);
        let order = |kinds: &[u8]| {
            let is_dealt = |order: &[u8; 5]| order.starts_with(kinds);
            CONSTANTS.orders.iter().position(is_dealt).expect("some order begins with any different kinds")
        };
        block.row(order(&self.opponent)) >> order(&self.mover) & 1 == 1
    }
}

/// Whether the position is a mate by the tables.
pub(super) fn is_mate_by_table(board: &Board, mover: Color, rules: Rules) -> bool {
    let assignment = Assignment::of(board, mover);
    let mut table = Table::default();
    table.build(None, &assignment.placement, rules);
    assignment.is_mate(&table)
}

/// Boss placements with 5 and 6 doves, including the one with the most mates; a test below has fewer doves. The
/// reference takes a minute for all placements with 6 doves, which `dovemate verify --full` checks.
#[test]
fn both_methods_and_the_reference_with_5_and_6_doves() {
    for (doves, step) in [(5, cases(4, 1)), (6, cases(40, 10))] {
        let all = placements(doves);
        let found = counts(&all, Rules::default(), Method::Factored);
        let richest = found.into_iter().zip(&all).max_by_key(|&(mates, _)| mates);
        let some = all.iter().step_by(step).chain(richest.map(|(_, placement)| placement));
        let [mates, ..] = compare_with_reference(&Game::default(), &some.copied().collect::<Vec<_>>());
        println!("{doves} doves: {mates} mates, raw");
        // There are no mates with fewer doves, so the comparison would compare zeros.
        assert_eq!(mates > 0, doves == 6, "{doves} doves: {mates} mates");
    }
}

/// The test above has the default rules, and one below has up to 4 doves. The reference is slow, so this takes some
/// boss placements, and those with the most mates.
#[test]
fn both_methods_and_the_reference_under_every_rule_variant() {
    let all = placements(6);
    for rules in Rules::variants().skip(1).step_by(cases(2, 1)) {
        let mut chosen: Vec<BossPlacement> = placements(5).into_iter().step_by(cases(192, 48)).collect();
        chosen.extend(all.iter().step_by(cases(4_000, 1_000)));
        let mut by_mates: Vec<_> = counts(&all, rules, Method::Factored).into_iter().zip(&all).collect();
        by_mates.sort_by_key(|&(mates, _)| std::cmp::Reverse(mates));
        chosen.extend(by_mates.iter().take(2).map(|&(_, placement)| placement));
        let [mates, wins, _] = compare_with_reference(&Game::whole(rules), &chosen);
        println!("{rules:?}: {mates} mates and {wins} wins in one in the sample, raw");
        assert!(mates > 0, "{rules:?}: no mate in the sample");
    }
}

#[test]
fn both_methods_on_samples_of_7_to_12_doves() {
    for (doves, sample) in [(7, 400), (8, 150), (9, 40), (10, 8), (11, 3), (12, 1)] {
        let all = placements(doves);
        let mut rng = testing::boards::random_numbers(doves as u8);
        let drawn: Vec<BossPlacement> = (0..sample).map(|_| all[rng.random_range(0..all.len())]).collect();
        // The boss placements drawn may all lack mates, so the one with the most mates in a larger sample is added.
        let more: Vec<BossPlacement> =
            (0..sample + 50).map(|_| all[rng.random_range(0..all.len())]).collect();
        let richest =
            counts(&more, Rules::default(), Method::Factored).into_iter().zip(more).max_by_key(|&(n, _)| n);
        let chosen = [drawn, vec![richest.expect("the sample is not empty").1]].concat();
        for (index, rules) in Rules::variants().enumerate() {
            // All rule variants on the quick samples, the default rules on all.
            if index == 0 || doves <= 8 {
                let mates = compare_methods(&chosen, Category::Mates, rules);
                assert!(mates > 0, "{doves} doves, {rules:?}: no mate in the sample");
            }
        }
    }
}

/// Wins in one and stuck positions: against the reference up to 4 doves (every eighth boss placement with 4, more
/// under the default rules) and on samples with 5 and 6, and by both methods on samples with more. The prune drops no
/// boss placements here.
#[test]
fn wins_and_stuck_positions_by_both_methods_and_the_reference() {
    for rules in Rules::variants().step_by(cases(2, 1)) {
        let sample = |doves: u32, size: usize| {
            let all = all_placements(doves);
            all.iter().step_by(all.len().div_ceil(size)).copied().collect::<Vec<_>>()
        };
        let with_4 = all_placements(4)
            .into_iter()
            .step_by(if rules == Rules::default() { cases(4, 1) } else { 8 })
            .collect();
        let small =
            [all_placements(2), all_placements(3), with_4, sample(5, cases(4, 16)), sample(6, cases(1, 2))];
        let small = small.concat();
        let large = [sample(7, 60), sample(8, 20), sample(9, cases(1, 4))].concat();
        let [_, wins, stuck] = compare_with_reference(&Game::whole(rules), &small);
        let wins = wins + compare_methods(&large, Category::Wins, rules);
        let stuck = stuck + compare_methods(&large, Category::Stuck, rules);
        assert!(wins > 0, "{rules:?}: no win in one in the sample");
        assert_eq!(stuck, 0, "{rules:?}: see no_position_is_stuck");
    }
}

/// Random walks over the assignments of boss placements with many mates. Each step swaps two doves, or one with a
/// dove in hand, and three in four of the steps from a mate to another position are undone. So many of the positions
/// are mates, and most of the others are close to one.
#[test]
fn single_assignments_against_the_reference() {
    let seen: Vec<[usize; 2]> = (7..=12_u32)
        .into_par_iter()
        .map(|doves| {
            let mut rng = testing::boards::random_numbers(doves as u8);
            let all = placements(doves);
            let mut seen = [0; 2];
            for rules in Rules::variants() {
                let drawn: Vec<BossPlacement> =
                    (0..60).map(|_| all[rng.random_range(0..all.len())]).collect();
                let found = counts(&drawn, rules, Method::Factored);
                let mut drawn: Vec<(u64, BossPlacement)> = found.into_iter().zip(drawn).collect();
                drawn.sort_by_key(|&(mates, _)| std::cmp::Reverse(mates));
                for (_, placement) in drawn.into_iter().take(12) {
                    let [others, mates] = walk(&placement, rules, 40, &mut rng);
                    seen = [seen[0] + others, seen[1] + mates];
                }
            }
            println!("{doves} doves: {} mates and {} others", seen[1], seen[0]);
            seen
        })
        .collect();
    for (doves, [others, mates]) in (7..).zip(seen) {
        assert!(others > 500 && mates > 500, "{doves} doves: {mates} mates and {others} others");
    }
}

/// Compares the verdicts on a walk of `steps` steps; returns how many positions were not mates, and how many
/// were.
fn walk(placement: &BossPlacement, rules: Rules, steps: usize, rng: &mut impl RngExt) -> [usize; 2] {
    let mut table = Table::default();
    table.build(None, placement, rules);
    let on_window = |cell: u32| Cell::new((cell / WINDOW) as i8, (cell % WINDOW) as i8);
    let cells: Vec<Cell> = placement.slot_cells().map(on_window).collect();
    let boss = |color| Dove::new(color, Kind::Boss);
    let bosses = [(Color::Red, placement.own_boss()), (Color::Green, placement.opposing_boss())];
    let bosses = bosses.map(|(color, cell)| (boss(color), on_window(cell)));
    let board = |doves: &[Dove]| {
        let others = doves.iter().copied().zip(cells.iter().copied());
        Board::new(bosses.into_iter().chain(others)).expect("doves on a shape are a board")
    };
    // The first doves stand on the slots; the others are in hand.
    let mut doves: Vec<Dove> = Dove::all().filter(|dove| dove.kind != Kind::Boss).collect();
    let mut was_mate = false;
    // Random assignments until one is a mate. Few are, but this boss placement has many mates.
    for _ in 0..20_000 {
        for place in 0..cells.len() {
            doves.swap(place, rng.random_range(place..10));
        }
        was_mate = Assignment::of(&board(&doves), Color::Red).is_mate(&table);
        if was_mate {
            break;
        }
    }
    let mut seen = [0; 2];
    for _ in 0..steps {
        let swapped = (rng.random_range(0..cells.len()), rng.random_range(0..10));
        doves.swap(swapped.0, swapped.1);
        let board = board(&doves);
        let is_mate = Assignment::of(&board, Color::Red).is_mate(&table);
        let (expected, said) =
            (verdict(&board, Color::Red, rules), format!("{board}, red to move, {rules:?}"));
        assert_eq!(is_mate, expected == Verdict::Mate, "{said}: {expected:?}");
        assert_eq!(decide(&board, Color::Red, rules), expected, "{said}: decided (left)");
        seen[usize::from(is_mate)] += 1;
        if was_mate && !is_mate && rng.random_range(0..4) > 0 {
            doves.swap(swapped.0, swapped.1);
        } else {
            was_mate = is_mate;
        }
    }
    seen
}

/// A stuck position, in which every action loses outright or there is none, is not a mate. But a position with neither
/// boss surrounded is never stuck: wherever no move of the boss is safe, some other action is. So the second permanent
/// of the factored method changes no count, and only the made-up tables below test it.
///
/// `dovemate verify` checks all boss placements under every variant; this test checks every tenth.
#[test]
fn no_position_is_stuck() {
    let mut without_safe_boss_move = 0;
    for doves in ALL_DOVES {
        let all = all_placements(doves);
        for rules in Rules::variants() {
            let stuck = all.par_iter().step_by(10).map(|placement| {
                let mut table = Table::default();
                table.build(None, placement, rules);
                if !table.safe[BOSS_GROUP].is_empty() {
                    return (0, 0);
                }
                let mates = factored::count(&table, Category::Mates, Sides::WHOLE);
                table.safe = [Actors(u32::MAX); GROUPS];
                let with_stuck = factored::count(&table, Category::Mates, Sides::WHOLE);
                assert_eq!(mates, with_stuck, "{placement}, {rules:?}: without and with stuck positions");
                (1, mates)
            });
            let (placements, mates): (u64, u64) = stuck.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
            println!("{doves} doves, {rules:?}: {placements} without a safe boss move, {mates} mates");
            without_safe_boss_move += placements;
        }
    }
    assert!(without_safe_boss_move > 0, "nothing was looked at");
}

/// Both methods must agree on made-up safe actions too, under which some assignments are stuck and some are
/// not.
#[test]
fn stuck_positions_on_made_up_tables() {
    for (doves, sample) in [(6, 60), (7, 60), (8, 20), (9, 4)] {
        let all = placements(doves);
        let found = counts(&all, Rules::default(), Method::Factored);
        let mut rng = testing::boards::random_numbers(200 + doves as u8);
        let mut fewer = 0;
        for _ in 0..sample {
            // A boss placement with mates: the first one at or after a random place.
            let start = rng.random_range(0..all.len());
            let place = (0..all.len()).map(|step| (start + step) % all.len()).find(|&place| found[place] > 0);
            let place = place.expect("there are mates of so many doves");
            let mut table = Table::default();
            table.build(None, &all[place], Rules::default());
            table.safe = [Actors::default(); GROUPS];
            let both = |table: &Table| {
                [factored::count, exhaustive::count].map(|count| count(table, Category::Mates, Sides::WHOLE))
            };
            assert_eq!(both(&table), [0, 0], "{}: nothing is safe", all[place]);
            // The group of a slot has kinds; the group of puts has slots, and is usually empty.
            for group in 1..PUT_GROUP {
                table.safe[group] = Actors(rng.random_range(0..32) & rng.random_range(0..32));
            }
            let slots = if rng.random_range(0..4) == 0 { rng.random_range(0..1 << 10) } else { 0 };
            table.safe[PUT_GROUP] = Actors(slots);
            let [mates, exhaustive] = both(&table);
            assert_eq!(mates, exhaustive, "{}, safe {:x?}: factored (left)", all[place], table.safe);
            fewer += usize::from(mates > 0 && mates < found[place]);
        }
        assert!(fewer > 0, "{doves} doves: on no boss placement were some mates stuck and some not");
    }
}

/// The mates by number of doves. Only their sum, 4,779,515,952, is published (the article's corrected figure). The
/// parts were found here, by both methods and, up to 6 doves, by the reference.
const MATES: [(u32, u64); 11] = [
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 14_310),
    (7, 842_656),
    (8, 21_923_937),
    (9, 248_790_189),
    (10, 1_203_251_971),
    (11, 2_188_848_474),
    (12, 1_115_844_415),
];

#[test]
fn all_mates_by_number_of_doves() {
    let workload = Workload::new(&ALL_DOVES, Category::Mates);
    let tally = workload.tally(&counts(&workload.placements, Rules::default(), Method::Factored));
    let by_doves: Vec<(u32, u64)> = tally.rows.iter().map(|row| (row.doves, row.positions)).collect();
    assert_eq!(by_doves, MATES);
    assert_eq!(tally.total().positions, 4_779_515_952, "the published total");
    assert_eq!(tally.compare(Rules::default()), Comparison::Agrees);
    // The published figure is for the default rules and all doves.
    assert_eq!(tally.compare(Rules { returns: false, ..Rules::default() }), Comparison::Unpublished);
    let mut part = tally.clone();
    part.rows.pop();
    assert_eq!(part.compare(Rules::default()), Comparison::Unpublished);
    let mut wrong = tally;
    wrong.rows[5].positions += 1;
    assert_eq!(wrong.compare(Rules::default()), Comparison::Contradicts(4_779_515_952));
}
