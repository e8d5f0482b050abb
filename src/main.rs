//! The program: parses the command line and runs a command. See the library for everything else.
// Not forbidden: what runs before `main` is marked so, in `cli::process`.
#![deny(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
