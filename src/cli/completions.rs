//! `dovemate completions`: what makes a shell complete the command line.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Failure;

/// Print the completions for a shell.
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

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::Arguments::command(), "dovemate", &mut script);
    let mut out = io::stdout().lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}
