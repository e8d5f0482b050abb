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

/// Says that something is not tested, and why.
pub fn say_skipped(what: &str) {
    // Not eprintln!, whose output the test harness hides if the test passes.
    std::io::stderr().lock().write_all(format!("\nSKIPPED: {what}\n").as_bytes()).expect("standard error");
}
