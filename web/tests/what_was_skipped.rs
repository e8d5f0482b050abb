//! The last test target: says in one line how many tests of the run before it were skipped, and why.
//!
//! A test that is skipped appends a line with the reason to a file named by its parent, which is Cargo, or another
//! runner of all tests. libtest hides the output of passing tests, and has no word for this.

use std::collections::BTreeMap;
use std::path::Path;

fn main() {
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    #[cfg(unix)]
    let run = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let run = 0;
    let lines = std::fs::read_to_string(folder.join(format!("skipped-{run}"))).unwrap_or_default();
    // Those of runs without this target go, too.
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("skipped-") {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    lines.lines().for_each(|reason| *reasons.entry(reason).or_default() += 1);
    let reasons: Vec<String> = reasons.iter().map(|(reason, tests)| format!("{reason} ({tests})")).collect();
    let number = lines.lines().count();
    println!("\n{number} skipped{}{}\n", if number == 0 { "" } else { ": " }, reasons.join("; "));
}
