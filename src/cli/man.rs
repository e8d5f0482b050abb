//! `dovemate man`: the manual pages.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::Failure;

/// Print a manual page: of the program, or of one of its commands.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate man | man -l -
  dovemate man list > dovemate-list.1")]
pub struct Arguments {
    /// The command; without one, the page of the program
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut program = super::Arguments::command();
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => {
            let Some(command) = program.find_subcommand(name) else {
                let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                let message = format!("there is no command '{name}'; there are {}", names.join(", "));
                return Err(Failure::Usage(message));
            };
            command.clone()
        }
    };
    let mut out = io::stdout().lock();
    Man::new(page).render(&mut out)?;
    Ok(out.flush()?)
}
