//! Lists some mates with 6 doves, and draws a random sample of those with 12: `cargo run --release --example
//! list`.

use std::ops::ControlFlow;

use dovemate::random::sample;
use dovemate::rules::Rules;
use dovemate::{Category, Listing};

fn main() {
    // Positions come in order, each once; ControlFlow::Break ends the listing.
    let mut left = 5;
    let _ = Listing::new(Category::Mates, &(6..=6), Rules::default()).try_for_each(
        |code| {
            println!("{}", code.text());
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
        |_assignments| {},
    );

    // A sample without listing: a rank is an index in the list, and the drawn ranks are looked up.
    let listing = Listing::new(Category::Mates, &(12..=12), Rules::default());
    let ranks = listing.ranks();
    println!("{} mates with 12 doves; five of them, each set of five equally likely:", ranks.total());
    for code in ranks.locate(&sample(ranks.total(), 5, 2022)) {
        println!("{}  {}", code.text(), code);
    }
}
