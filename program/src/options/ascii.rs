//! The command line in ASCII: full-width letters, digits, signs and dashes become ASCII ones, except in names of files
//! and captions.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, Command};
use dovemate::rules::ascii_forms;

/// The arguments of this run in ASCII, except the names of files after `--csv` and the like.
pub fn arguments(program: &Command, mut given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let is_file =
        |arg: &Arg| arg.get_value_parser().type_id() == TypeId::of::<PathBuf>() || arg.get_id() == "caption";
    let mut arguments: Vec<OsString> = given.next().into_iter().collect();
    let mut command = program;
    let mut file_follows = false;
    for argument in given {
        // A pasted command may begin with a byte order mark.
        let text = argument.to_str().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text));
        let Some(text) = text.filter(|_| !file_follows) else {
            file_follows = false;
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
        let takes_file = command.get_arguments().find(is_named).is_some_and(is_file);
        file_follows = takes_file && form == name;
        arguments.push(if takes_file {
            let ascii = name.len() + usize::from(form[name.len()..].starts_with('='));
            // The conversion maps each character to one character.
            (form[..ascii].to_owned() + &text.chars().skip(ascii).collect::<String>()).into()
        } else {
            form.into()
        });
    }
    arguments
}
