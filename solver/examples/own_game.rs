//! Solves a game of your own: subtract a square. The player to move takes a square number of stones from a
//! pile; a player who cannot loses.
//!
//!     cargo run --release --example own_game

use dovemate_solver::Value;
use dovemate_solver::retrograde::{After, Game, Graph, validate};

struct SubtractASquare;

impl Game for SubtractASquare {
    type Position = u32;

    fn actions(&self, &stones: &u32) -> Vec<After<u32>> {
        (1..)
            .map(|root| root * root)
            .take_while(|&square| square <= stones)
            .map(|square| After::Position(stones - square))
            .collect()
    }
}

fn main() {
    let graph = Graph::of(&SubtractASquare, (0..=100).collect()).expect("no action leads to more stones");
    let values = graph.values();
    validate(&SubtractASquare, &graph, &values).expect("every value follows from its successors");

    let is_lost = |&&stones: &&u32| matches!(values[stones as usize], Value::Lose(_));
    let lost: Vec<String> = graph.positions().iter().filter(is_lost).map(u32::to_string).collect();
    println!("lost with {} stones", lost.join(", "));

    let numbers = graph.grundy_numbers().expect("stones only become fewer");
    println!("100 stones: {}, Grundy number {}", values[100], numbers[100]);
    if let Some(longest) = graph.longest(&values) {
        let line: Vec<String> = graph.best_line(&values, longest).iter().map(usize::to_string).collect();
        println!("the longest game, {}: {}", values[longest], line.join(" → "));
    }
}
