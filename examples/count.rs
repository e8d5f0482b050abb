//! Counts all mates with 2 to 6 doves, on one thread, in a fraction of a second: `cargo run --release --example count`.

use dovemate::count::tally::Workload;
use dovemate::count::{Category, Counter, Method, Question};
use dovemate::rules::Rules;

fn main() {
    // Every boss placement of every shape that may hold a mate.
    let workload = Workload::new(&(2..=6), Category::Mates);
    let question = Question { category: Category::Mates, rules: Rules::default(), method: Method::Factored };
    let mut counter = Counter::new(question);
    let counts: Vec<u64> = workload.placements.iter().map(|placement| counter.count(placement)).collect();
    // Turns counts on boss placements into counts of positions, where images under symmetries count as one.
    for row in workload.tally(&counts).rows {
        println!("{:2} doves: {:6} mates among {} assignments", row.doves, row.positions, row.assignments);
    }
}
