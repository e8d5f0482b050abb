//! Nim, for the article on three-pile nim (三山崩し) in R: a player takes one or more stones from one pile. A
//! player who cannot loses or, in *misère* play, wins: there, taking the last stone loses.
//!
//!     cargo run --release --example nim

mod claims;

use std::process::ExitCode;

use claims::Claims;
use dovemate_solver::Value;
use dovemate_solver::retrograde::{After, End, Game, Graph, validate};

struct Nim {
    misere: bool,
}

impl Game for Nim {
    type Position = Vec<u8>;

    fn actions(&self, piles: &Vec<u8>) -> Vec<After<Vec<u8>>> {
        let take = |pile: usize| {
            (0..piles[pile]).map(move |left| {
                let mut piles = piles.clone();
                piles[pile] = left;
                After::Position(piles)
            })
        };
        (0..piles.len()).flat_map(take).collect()
    }

    fn without_action(&self, _: &Vec<u8>) -> End {
        if self.misere { End::Won } else { End::Lost }
    }
}

/// All positions with `piles` piles of up to `most`, as `expand.grid` orders them in R: the first pile changes fastest.
fn rows(piles: usize, most: u8) -> Vec<Vec<u8>> {
    let longer = |rows: Vec<Vec<u8>>| (0..=most).flat_map(|pile| with_last(&rows, pile)).collect();
    (0..piles).fold(vec![Vec::new()], |rows, _| longer(rows))
}

fn with_last(rows: &[Vec<u8>], pile: u8) -> Vec<Vec<u8>> {
    rows.iter().map(|row| [&row[..], &[pile]].concat()).collect()
}

/// The rows, and the numbers of those that are lost for the player to move.
fn solved(piles: usize, most: u8, misere: bool) -> (Graph<Vec<u8>>, Vec<usize>) {
    let game = Nim { misere };
    let graph = Graph::of(&game, rows(piles, most)).expect("taking leaves a position with no more stones");
    let values = graph.values();
    validate(&game, &graph, &values).expect("every value follows from its successors");
    let lost = (0..values.len()).filter(|&row| matches!(values[row], Value::Lose(_))).collect();
    (graph, lost)
}

/// The article's program f2 goes down the rows, and marks each one unless a marked one differs from it in exactly one
/// pile. The first row, without stones, is never marked: a player who leaves it to the other has lost.
fn by_the_article(rows: &[Vec<u8>]) -> Vec<usize> {
    let differ =
        |one: usize, other: usize| rows[one].iter().zip(&rows[other]).filter(|(a, b)| a != b).count();
    let mut marked: Vec<usize> = Vec::new();
    for row in 1..rows.len() {
        if !marked.iter().any(|&other| differ(row, other) == 1) {
            marked.push(row);
        }
    }
    marked
}

/// Bouton's rule (1901): a position is lost if the exclusive or of its piles is 0; in misère play without a
/// pile of two or more, if it is 1.
fn by_bouton(piles: &[u8], misere: bool) -> bool {
    let xor = piles.iter().fold(0, |xor, pile| xor ^ pile);
    xor == u8::from(misere && piles.iter().all(|&pile| pile < 2))
}

fn main() -> ExitCode {
    let mut claims = Claims::default();
    let (graph, lost) = solved(3, 10, true);
    let later =
        (0..graph.len()).filter(|&row| graph.successors(row).iter().any(|&to| to as usize >= row)).count();
    claims.holds("in the order of expand.grid every action leads to an earlier row", later == 0);
    let is_same = lost == by_the_article(graph.positions());
    claims.holds(
        "the article's program lists exactly the lost positions of misère play, 3 piles of up to 10",
        is_same,
    );
    let first: Vec<String> =
        lost.iter().take(7).map(|&row| format!("{:?}", graph.positions()[row])).collect();
    let seven = "[1, 0, 0] [0, 1, 0] [2, 2, 0] [3, 3, 0] [4, 4, 0] [5, 5, 0] [6, 6, 0]";
    claims.finds("the first of them", first.join(" "), seven);
    for (piles, most) in [(3, 40), (4, 15), (5, 7)] {
        for misere in [false, true] {
            let (graph, lost) = solved(piles, most, misere);
            let by_rule: Vec<usize> =
                (0..graph.len()).filter(|&row| by_bouton(&graph.positions()[row], misere)).collect();
            let play = if misere { "misère" } else { "normal" };
            let claim =
                format!("Bouton's rule names the lost positions, {play} play, {piles} piles of up to {most}");
            claims.holds(&claim, lost == by_rule);
        }
    }
    claims.exit()
}
