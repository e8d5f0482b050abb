//! Lists some mates with 6 doves, and draws a random sample of those with 12: `cargo run --release --example list`.

use dovemate::random::Random;
use dovemate::rules::Rules;
use dovemate::{Category, Listing};

fn main() {
    // Positions come in order, each once, and are found in batches as they are needed.
    for code in Listing::new(Category::Mates, 6..=6, Rules::default()).iter().take(5) {
        println!("{}", code.text());
    }

    // A sample without listing: a rank is an index in the list, and the drawn ranks are looked up.
    let listing = Listing::new(Category::Mates, 12..=12, Rules::default());
    let ranks = listing.ranks();
    println!("{} mates with 12 doves; five of them, each set of five equally likely:", ranks.total());
    for code in ranks.locate(&Random::sample(ranks.total(), 5, 2022)) {
        println!("{}  {}", code.text(), code);
    }
}
