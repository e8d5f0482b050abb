//! Shared by several test files: running the program, a server, a browser.

mod asked;
pub mod browser;
pub mod folders;
pub mod host;
pub mod program;
pub mod server;
pub mod tour;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) use asked::{cases, is_asked_for};
use proptest::test_runner::{RngAlgorithm, TestRng};

/// A win in 5 with all twelve doves on the board.
pub const WIN_IN_5: &str = "YmaH;MtAT;-yh-;B-b-";

/// The longest to wait for anything: far longer than it takes on a slow machine that has other work. It only
/// ends a test that hangs.
pub const PATIENCE: Duration = Duration::from_secs(300);
/// The time between two looks at what is waited for.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until `look` finds something; `what` names it if it never does.
pub fn wait_for<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    waited(look).unwrap_or_else(|| panic!("{what}: not within {PATIENCE:?}"))
}

/// Waits until `look` finds something; `None` if it never does.
pub fn waited<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        let found = look();
        if found.is_some() || begun.elapsed() > PATIENCE {
            return found;
        }
        std::thread::sleep(PAUSE);
    }
}

/// A deterministic source of random numbers; each seed gives its own.
pub fn random_numbers(seed: u8) -> TestRng {
    TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32])
}

/// A file or folder of the repository, such as `doc/guide.md`. `None`, with a line that says so, where the package of
/// the program is by itself, as when it is tested from its tarball.
pub fn repository(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .filter(|root| root.join("program/Cargo.toml").is_file());
    if root.is_none() {
        say_skipped("what needs the repository, as the package of the program is by itself");
    }
    root.map(|root| root.join(path))
}

/// Says that something is not tested, and why.
pub fn say_skipped(what: &str) {
    // Not eprintln!, whose output the test harness hides if the test passes.
    std::io::stderr().lock().write_all(format!("\nSKIPPED: {what}\n").as_bytes()).expect("standard error");
}
