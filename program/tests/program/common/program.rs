//! The program, as a user runs it.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

/// The result of a run.
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// Runs the program in a folder, with `input` on standard input.
pub fn dovemate_in(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    let mut command = Command::cargo_bin("dovemate").expect("the program is built");
    let output = command.current_dir(folder).args(arguments).write_stdin(input).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { status: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs the program in the current folder, with empty standard input.
pub fn dovemate(arguments: &[&str]) -> Ran {
    dovemate_in(Path::new("."), arguments, "")
}

/// All output of a process.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
