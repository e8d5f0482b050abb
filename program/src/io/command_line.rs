//! The command line of this run, quoted so that it can be typed again.

/// The program's name and its arguments, quoted where a shell needs quotes.
pub fn command_line() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| shell_word(&argument.to_string_lossy()));
    std::iter::once(env!("CARGO_BIN_NAME").to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// An argument as one shell word.
pub fn shell_word(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:=+@%".contains(letter);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.to_owned()
    } else {
        // Double quotes where possible, because cmd.exe does not understand single quotes. Between double quotes,
        // other shells take all characters but these five literally.
        let has_special = argument.contains(['"', '$', '`', '\\', '!']);
        if has_special { format!("'{}'", argument.replace('\'', r"'\''")) } else { format!("\"{argument}\"") }
    }
}
