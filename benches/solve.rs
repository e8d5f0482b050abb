//! Benchmarks of solving a game: its first rounds one by one, then the whole.
//!
//! `cargo bench --package dovemate-results --bench solve`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dovemate::internals::solve::actions::block_actions::CompiledGame;
use dovemate::internals::solve::actions::marks::BlockPredecessors;
use dovemate::internals::solve::rounds::round::{Candidates, GroupSweep, as_they_are};
use dovemate::internals::solve::solve;
use dovemate::internals::solve::space::changes::{Changes, SparseBits};
use dovemate::internals::solve::space::layout::Layout;
use dovemate::internals::solve::space::win_bits::WinBits;
use dovemate::rules::{Game, Kind, Rules};

/// Two kinds for each player: 6 doves and 291,614 positions.
const KINDS: [Kind; 2] = [Kind::Yaibato, Kind::Totsu];

fn game() -> Game {
    let kinds = KINDS.into_iter().collect();
    Game { red: kinds, green: kinds, rules: Rules::default() }
}

/// The rounds in which most games spend their time. All blocks are examined in the first rounds, later only
/// those that changes reach.
fn round(criterion: &mut Criterion) {
    let compiled = CompiledGame::of(Layout::new(game()));
    let layout = &compiled.index.layout;
    let groups = layout.all_groups();
    let rounds = GroupSweep { compiled: &compiled, groups: &groups };
    let mut wins = WinBits::empty(layout, layout.ids());
    let [without_action, _] = wins.begin(&compiled);
    assert!(without_action.is_empty(), "then wins in 1 would be missing");
    let changes = |found| Changes::of(layout, groups.iter().copied().zip::<Vec<SparseBits>>(found));
    let first_losses =
        || changes(rounds.losses(&wins, &Candidates::<Changes>::All, &BlockPredecessors::All, &as_they_are));
    let lost_in_2 = first_losses();
    let find_wins = |wins: &WinBits| {
        let marks = rounds.predecessors(&lost_in_2);
        changes(rounds.wins(wins, &lost_in_2, &marks, &as_they_are))
    };
    let won_in_3 = find_wins(&wins);
    assert!(!won_in_3.is_empty(), "there would be nothing to find");

    let mut group = criterion.benchmark_group("round");
    group.throughput(Throughput::Elements(compiled.index.places()));
    group.bench_function("1: wins at once", |bencher| {
        bencher.iter_batched_ref(
            || WinBits::empty(layout, layout.ids()),
            |plane| plane.begin(&compiled),
            criterion::BatchSize::LargeInput,
        );
    });
    group.bench_function("2: losses", |bencher| bencher.iter(first_losses));
    group.bench_function("3: wins", |bencher| bencher.iter(|| find_wins(&wins)));
    wins.add(layout, &won_in_3);
    group.bench_function("4: losses", |bencher| {
        bencher.iter(|| {
            let marks = rounds.predecessors(&won_in_3);
            changes(rounds.losses(&wins, &Candidates::LeadTo(&won_in_3), &marks, &as_they_are))
        });
    });
    group.finish();
}

fn whole(criterion: &mut Criterion) {
    let game = game();
    let solved = || solve(game, &|_| {});
    let mut group = criterion.benchmark_group("solve");
    group.throughput(Throughput::Elements(solved().solution().count(|_| true)));
    group.bench_function("whole", |bencher| bencher.iter(solved));
    group.finish();
}

criterion_group!(benches, round, whole);
criterion_main!(benches);
