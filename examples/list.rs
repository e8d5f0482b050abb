//! Lists mates with 6 doves, and draws some of those with 12: `cargo run --release --example list`.

use std::ops::ControlFlow;

use dovemate::count::Category;
use dovemate::list::{Listing, sample};
use dovemate::rules::Rules;

fn main() {
    // In order, each position once; ControlFlow ends it where you like.
    let mut left = 5;
    let _ = Listing::new(Category::Mates, &(6..=6), Rules::default()).each(
        |code| {
            println!("{}", code.text());
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
        |_assignments| {},
    );

    // Without listing them: a rank is a place in the list, and those drawn are looked up.
    let listing = Listing::new(Category::Mates, &(12..=12), Rules::default());
    let ranks = listing.ranks();
    println!("{} mates with 12 doves; five of them, each set of five equally likely:", ranks.total());
    for code in ranks.locate(&sample(ranks.total(), 5, 2022)) {
        println!("{}  {}", code.text(), code);
    }
}
