//! `dovemate man`: prints a manual page.

use std::io::{self, Write};

use clap::Args;
use clap_mangen::Man;
use clap_mangen::roff::{self, Roff, roman};

use crate::io::{Failure, streams};

/// Print the manual page of the program or of a command.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate man | man -l -
  dovemate man list > dovemate-list.1")]
pub struct Arguments {
    /// The command [default: the program's own page]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Prints a page of `program`. `exit_status` lists its exit statuses, one per line after the first line.
pub fn run(arguments: &Arguments, mut program: clap::Command, exit_status: &str) -> Result<(), Failure> {
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => {
            let Some(command) = program.find_subcommand(name) else {
                let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                let (name, names) = (name.escape_debug(), names.join(", "));
                return Err(Failure::Usage(format!("'{name}' is not a command; the commands are {names}")));
            };
            command.clone()
        }
    };
    let mut out = streams::stdout();
    write(page, exit_status, &mut out)?;
    Ok(out.flush()?)
}

/// Writes a page as the generator does, but with a section for a command's examples and one for the exit status.
fn write(page: clap::Command, exit_status: &str, out: &mut impl Write) -> io::Result<()> {
    // Commands have no version of their own.
    let is_program = page.get_version().is_some();
    let man = Man::new(page.clone());
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    let mut roff = Roff::new();
    if page.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    if !is_program && let Some(examples) = page.get_after_help().map(ToString::to_string) {
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in examples.lines().filter_map(|line| line.strip_prefix("  ")) {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for line in exit_status.lines().skip(1) {
        let (status, meaning) = line.trim_start().split_once(' ').unwrap_or((line, ""));
        roff.control("TP", ["6"]).text([roff::bold(status)]).text([roman(meaning.trim_start())]);
    }
    roff.to_writer(out)?;
    if is_program { man.render_version_section(out) } else { Ok(()) }
}
