//! Passes the git commit on to the program, where it is known.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=.git/HEAD");
    println!("cargo::rerun-if-changed=.git/refs/heads");
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    if let Some(commit) = output.ok().filter(|output| output.status.success()) {
        println!("cargo::rustc-env=DOVEMATE_COMMIT={}", String::from_utf8_lossy(&commit.stdout).trim());
    }
}
