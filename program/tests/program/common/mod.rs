//! Shared by several test files: running the program, a server, a browser.

/// The library's tests have the same boards, and look into folders alike.
#[path = "../../../../tests/suite/common/boards.rs"]
pub mod boards;
pub mod chromium;
#[path = "../../../../tests/suite/common/folders.rs"]
pub mod folders;
pub mod program;
pub mod server;

use std::io::Write;
use std::time::{Duration, Instant};

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

/// Says that something is not tested, and why.
pub fn say_skipped(what: &str) {
    // Not eprintln!, whose output the test harness hides if the test passes.
    std::io::stderr().lock().write_all(format!("\nSKIPPED: {what}\n").as_bytes()).expect("standard error");
}
