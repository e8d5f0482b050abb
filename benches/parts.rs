//! Benchmarks of the parts of a count (shapes, the two methods), and of the crate
//! `tokyodoves` on the same assignments.
//!
//! `cargo bench --package dovemate-results --bench parts` runs all, and with `-- assignments` only the
//! comparison of ways to decide one assignment.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dovemate::count::{Category, Counter, Method, Question, reference};
use dovemate::rules::{Board, Color, Rules};
use dovemate::shapes::{BossPlacement, Shape};
use tokyodoves::analysis::{BoardValue, compare_board_value};
use tokyodoves::game::GameRule;

/// An even sample of the unpruned boss placements with up to `most_doves` doves.
fn sample(most_doves: u32, size: usize) -> Vec<BossPlacement> {
    let shapes = Shape::all().into_iter().filter(|shape| shape.doves() <= most_doves).collect::<Vec<_>>();
    let all: Vec<BossPlacement> =
        shapes.iter().flat_map(BossPlacement::all).filter(|placement| !placement.is_pruned()).collect();
    all.iter().step_by(all.len() / size).copied().collect()
}

/// The mates on these boss placements, as assignments.
fn mates(placements: &[BossPlacement], method: Method) -> u64 {
    let question = Question { category: Category::Mates, rules: Rules::default(), method };
    let mut counter = Counter::new(question);
    placements.iter().map(|placement| counter.count(black_box(placement))).sum()
}

fn shapes(criterion: &mut Criterion) {
    criterion.bench_function("shapes/canonical", |bencher| bencher.iter(Shape::all));
    let shapes = Shape::all();
    let placements =
        || shapes.iter().flat_map(BossPlacement::all).filter(|placement| !placement.is_pruned()).count();
    criterion.bench_function("shapes/boss placements with prune", |bencher| bencher.iter(placements));
}

fn parts_of_a_count(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("boss placements");
    let placements = sample(12, 512);
    group.throughput(Throughput::Elements(placements.len() as u64));
    for method in Method::ALL {
        group.bench_function(method.name(), |bencher| bencher.iter(|| mates(&placements, method)));
    }
    group.finish();
}

/// The same assignments decided by the exhaustive method, the literal reference and the crate `tokyodoves`.
fn one_assignment_after_another(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("assignments");
    group.sample_size(10);
    let placements = sample(6, 4);
    let boards: Vec<Board> = placements.iter().flat_map(reference::boards).collect();
    let theirs: Vec<tokyodoves::Board> = boards
        .iter()
        .map(|board| {
            let builder: tokyodoves::BoardBuilder =
                board.to_string().parse().expect("the crate reads board text");
            builder.build().expect("a board is a board")
        })
        .collect();
    group.throughput(Throughput::Elements(boards.len() as u64));

    let by_method = || mates(&placements, Method::Exhaustive) as usize;
    let is_mate =
        |board: &&Board| reference::verdict(board, Color::Red, Rules::default()) == dovemate::Verdict::Mate;
    let by_rules = || boards.iter().filter(is_mate).count();
    let lose_in_2 = BoardValue::lose(2).expect("losing takes an even number of actions");
    let game_rule = GameRule::new(true);
    let is_their_mate = |board: &&tokyodoves::Board| {
        let compared = compare_board_value(**board, lose_in_2, tokyodoves::Color::Red, game_rule);
        compared.expect("the game goes on") == std::cmp::Ordering::Equal
    };
    let by_crate = || theirs.iter().filter(is_their_mate).count();
    assert_eq!(by_method(), by_rules(), "the exhaustive method and the reference differ");
    assert_eq!(by_method(), by_crate(), "the exhaustive method and the crate differ");

    group.bench_function("exhaustive method", |bencher| bencher.iter(by_method));
    group.bench_function("literal reference", |bencher| bencher.iter(by_rules));
    group.bench_function("tokyodoves 1.0.2", |bencher| bencher.iter(by_crate));
    group.finish();
}

criterion_group!(benches, shapes, parts_of_a_count, one_assignment_after_another);
criterion_main!(benches);
