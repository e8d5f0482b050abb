//! Counts a category of one's own, by a function that accepts a position: `cargo run --release --example own_category`.

use dovemate::count::count_where;
use dovemate::{Board, Color, Rules, Verdict, decide};

fn main() {
    let rules = Rules::default();
    // Exactly one action wins at once. Most positions have none, which `decide` finds faster than the literal rules.
    let has_one_win = |board: &Board, mover: Color| {
        let wins = |after: &Board| after.is_surrounded(mover.opponent()) && !after.is_surrounded(mover);
        decide(board, mover, rules) == Verdict::WinInOne
            && board.legal_actions(mover, rules).filter(|(_, after)| wins(after)).count() == 1
    };
    let rows =
        count_where(2..=5, has_one_win).expect("the images of a position are all accepted, or none is");
    for row in rows {
        println!("{} doves: one action wins in {:6} positions", row.doves, row.positions);
    }
}
