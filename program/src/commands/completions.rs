//! `dovemate completions`: a script that completes the command line in a shell.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use crate::io::{Failure, streams};

/// Print a completion script for a shell.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate completions bash > ~/.local/share/bash-completion/completions/dovemate
  dovemate completions zsh > \"${fpath[1]}/_dovemate\"
  dovemate completions fish > ~/.config/fish/completions/dovemate.fish")]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script for `program`.
pub fn run(arguments: &Arguments, mut program: clap::Command) -> Result<(), Failure> {
    // Generate in memory, because the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "dovemate", &mut script);
    let mut out = streams::stdout();
    out.write_all(&script)?;
    Ok(out.flush()?)
}
