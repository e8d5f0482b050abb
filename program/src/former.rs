//! Options that earlier versions had, and what to write instead.

use clap::error::{ContextKind, ContextValue};

/// Options by command and name, with the words that follow the name.
const FORMER: [(&str, &str, &str); 5] = [
    ("solve", "--values-only", "is now --distances none"),
    (
        "solve",
        "--keep-rounds",
        "N is now --distances N; to keep all rounds, name the most doves of the game, as 12 of AYMTH",
    ),
    ("solve", "--round", SHARE),
    ("solve", "--shard", SHARE),
    ("solve", "--part", SHARE),
];
const SHARE: &str = "is now in --share: write --share R:I/N for round R and shard I/N, --share P:R:I/N for part P, too";

/// What to write instead, if an error is about such an option.
pub fn advice(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return None };
    let command = std::env::args_os().nth(1)?;
    let former = FORMER.iter().find(|(of, name, _)| command == *of && unknown == name);
    former.map(|(_, name, words)| format!("{name} {words}"))
}
