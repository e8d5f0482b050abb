//! The help: a first screen that begins with the commands for a newcomer, and a compact page for each command.

use std::fmt::Write;

use clap::Command;
use clap::builder::Resettable;

/// The commands for a newcomer; the board first, because players look for it.
const FIRST: [&str; 5] = ["serve", "count", "best", "solve", "adapters"];

/// The program's command line with this help.
pub fn with_help(program: Command) -> Command {
    let template = template(&program);
    program.mut_subcommands(compact).help_template(template)
}

/// The first screen: a few commands to begin with, then all others.
fn template(program: &Command) -> String {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let find = |name| program.find_subcommand(name).into_iter();
    list(&mut text, "To begin with", FIRST.into_iter().flat_map(find));
    let others = program.get_subcommands().filter(|command| !FIRST.contains(&command.get_name()));
    list(&mut text, "All other commands", others);
    let manual = if cfg!(feature = "packaging") { ", `dovemate man COMMAND` the manual page" } else { "" };
    text + &format!(
        "\n`dovemate COMMAND --help` has examples{manual}.\n\nOptions:\n{{options}}{{after-help}}"
    )
}

fn list<'a>(text: &mut String, heading: &str, commands: impl Iterator<Item = &'a Command>) {
    let _ = writeln!(text, "\n{heading}:");
    for command in commands {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "  {:<11}  {about}", command.get_name());
    }
}

/// A command without short help: the long one then lists options without a blank line after each.
fn compact(command: Command) -> Command {
    match command.get_long_about().cloned() {
        Some(about) => command.about(about).long_about(Resettable::Reset),
        None => command,
    }
}
