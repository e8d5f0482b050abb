//! The program: parses the command line and runs a command. Everything else is in the library.
// Denied, not forbidden: the function in `cli::io::stdout` that runs before `main` is marked unsafe.
#![deny(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
