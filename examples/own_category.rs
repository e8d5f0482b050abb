//! Counts a category of one's own, by a function that accepts a position: `cargo run --release --example own_category`.

use dovemate::count::count_where;
use dovemate::{Board, Color, Rules, Verdict, decide};

fn main() {
    // Each player wins at once, if it is that player's turn.
    let is_sharp = |board: &Board, _: Color| {
        Color::BOTH.into_iter().all(|mover| decide(board, mover, Rules::default()) == Verdict::WinInOne)
    };
    let rows = count_where(2..=5, is_sharp).expect("the images of a position are all accepted, or none is");
    for row in rows {
        println!("{} doves: whoever moves wins in {:6} positions", row.doves, row.positions);
    }
}
