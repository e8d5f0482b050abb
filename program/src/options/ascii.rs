//! The command line in ASCII: full-width letters, digits, signs and dashes become ASCII ones, except in names of files
//! and captions.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, Command};
use dovemate::rules::ascii_forms;

/// The arguments of this run in ASCII, except values that stay as they are: names of files, after `--csv` and the like,
/// and captions.
pub fn arguments(program: &Command, mut given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let is_verbatim =
        |arg: &Arg| arg.get_value_parser().type_id() == TypeId::of::<PathBuf>() || arg.get_id() == "caption";
    let mut arguments: Vec<OsString> = given.next().into_iter().collect();
    let mut command = program;
    let mut verbatim_follows = false;
    for argument in given {
        // A pasted command may begin with a byte order mark.
        let text = argument.to_str().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text));
        let Some(text) = text.filter(|_| !verbatim_follows) else {
            verbatim_follows = false;
            arguments.push(argument);
            continue;
        };
        let form = ascii_forms(text);
        command = command.find_subcommand(&form).unwrap_or(command);
        let name =
            if form.starts_with("--") { form.split('=').next() } else { form.get(..2) }.unwrap_or_default();
        let is_named = |arg: &&Arg| match name.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short().is_some_and(|short| name == format!("-{short}")),
        };
        let takes_verbatim = command.get_arguments().find(is_named).is_some_and(is_verbatim);
        verbatim_follows = takes_verbatim && form == name;
        arguments.push(if takes_verbatim {
            let ascii = name.len() + usize::from(form[name.len()..].starts_with('='));
            // The conversion maps each character to one character.
            (form[..ascii].to_owned() + &text.chars().skip(ascii).collect::<String>()).into()
        } else {
            form.into()
        });
    }
    arguments
}
