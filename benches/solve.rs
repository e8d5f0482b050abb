//! Benchmarks of solving games in memory.
//!
//! `cargo bench --package dovemate-results --bench solve`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dovemate::Game;
use dovemate_solver::solve;

/// Two kinds for each player: 6 doves and 291,614 positions; and three: 8 doves and 58,925,630.
fn whole(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(10);
    for kinds in ["YT", "AYM"] {
        let game = Game::both(kinds).expect("dove sets");
        let solved = || solve(game).expect("nothing bounds it");
        group.throughput(Throughput::Elements(solved().solution().count(|_| true)));
        group.bench_function(kinds, |bencher| bencher.iter(solved));
    }
    group.finish();
}

criterion_group!(benches, whole);
criterion_main!(benches);
