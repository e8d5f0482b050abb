//! The last test target: says in one line what the run before it has left out.

/// What `DOVEMATE_TEST_WITH` may ask for.
const OTHERS: [(&str, &str); 5] = [
    ("browser", "tests in browsers"),
    ("cases", "most cases of long tests"),
    ("gpu", "tests on a GPU"),
    ("node", "tests under Node"),
    ("slurm", "tests under Slurm"),
];

fn main() {
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let asked = std::env::var("DOVEMATE_TEST_WITH").unwrap_or_default();
    let is_known = |word: &&str| *word == "all" || OTHERS.iter().any(|(name, _)| name == word);
    if let Some(word) = asked.split_whitespace().find(|word| !is_known(word)) {
        let names = OTHERS.map(|(name, _)| name).join(" ");
        panic!("DOVEMATE_TEST_WITH has '{word}'; write all, or some of {names}");
    }
    let is_asked_for = |name: &str| asked.split_whitespace().any(|word| [name, "all"].contains(&word));
    let (names, left_out): (Vec<&str>, Vec<&str>) =
        OTHERS.into_iter().filter(|(name, _)| !is_asked_for(name)).unzip();
    if !names.is_empty() {
        let (names, left_out) = (names.join(" "), left_out.join(", "));
        println!("\nleft out: {left_out}; DOVEMATE_TEST_WITH=\"{names}\" cargo test --release runs them\n");
    }
}
