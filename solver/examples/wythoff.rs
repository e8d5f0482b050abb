//! Wythoff's game, which the article on three-pile nim asks about: a player takes one or more stones of one
//! colour, or equally many of both. Taking the last stone wins or, in *misère* play, loses.
//!
//!     cargo run --release --example wythoff

mod claims;

use std::process::ExitCode;

use claims::Claims;
use dovemate_solver::Value;
use dovemate_solver::retrograde::{After, End, Game, Graph, validate};

struct Wythoff {
    misere: bool,
}

impl Game for Wythoff {
    /// The numbers of stones, the lesser first.
    type Position = [u32; 2];

    fn actions(&self, &[less, greater]: &[u32; 2]) -> Vec<After<[u32; 2]>> {
        let of_less = (0..less).map(|left| [left, greater]);
        let of_greater = (0..greater).map(|left| [left.min(less), left.max(less)]);
        let of_both = (1..=less).map(|taken| [less - taken, greater - taken]);
        of_less.chain(of_greater).chain(of_both).map(After::Position).collect()
    }

    fn without_action(&self, _: &[u32; 2]) -> End {
        if self.misere { End::Won } else { End::Lost }
    }
}

/// The lost positions with up to `most` stones of a colour, ascending.
fn lost(most: u32, misere: bool) -> Vec<[u32; 2]> {
    let game = Wythoff { misere };
    let positions = (0..=most).flat_map(|less| (less..=most).map(move |greater| [less, greater])).collect();
    let graph = Graph::of(&game, positions).expect("taking leaves a position with no more stones");
    let values = graph.values();
    validate(&game, &graph, &values).expect("every value follows from its successors");
    let is_lost = |(_, value): &(&[u32; 2], &Value)| matches!(value, Value::Lose(_));
    graph.positions().iter().zip(&values).filter(is_lost).map(|(position, _)| *position).collect()
}

/// Wythoff (1907): with φ = (1 + √5) ÷ 2, the pairs ⌊nφ⌋ and ⌊nφ⌋ + n. In integers nφ = (n + √(5n²)) ÷ 2, and rounding
/// the root down first does not change the result.
fn golden_pair(n: u32) -> [u32; 2] {
    let less = (n + (5 * n * n).isqrt()) / 2;
    [less, less + n]
}

/// The same positions as [`lost`], by the formula. In misère play two pairs differ.
fn by_formula(most: u32, misere: bool) -> Vec<[u32; 2]> {
    let pair = |n| match (misere, n) {
        (true, 0) => [0, 1],
        (true, 1) => [2, 2],
        _ => golden_pair(n),
    };
    (0..=most).map(pair).filter(|[_, greater]| *greater <= most).collect()
}

fn main() -> ExitCode {
    const MOST: u32 = 200;
    let mut claims = Claims::default();
    for (misere, claim, first) in [
        (
            false,
            "the lost positions are ⌊nφ⌋ and ⌊nφ⌋ + n stones",
            "[[0, 0], [1, 2], [3, 5], [4, 7], [6, 10], [8, 13]]",
        ),
        (
            true,
            "in misère play they are the same, but 0, 1 and 2, 2 instead of 0, 0 and 1, 2",
            "[[0, 1], [2, 2], [3, 5], [4, 7], [6, 10], [8, 13]]",
        ),
    ] {
        let lost = lost(MOST, misere);
        claims.holds(&format!("{claim}, up to {MOST} of a colour"), lost == by_formula(MOST, misere));
        claims.finds("the first of them", format!("{:?}", &lost[..6]), first);
    }
    claims.exit()
}
