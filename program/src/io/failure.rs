//! The failures of a command, which decide its exit status and its message.

use std::fmt;
use std::io::{self, Write};

use dovemate::RunError;
use dovemate::report::NoGpu;

use crate::io::about_gpu::advised;
use crate::io::streams::Blocking;

/// Why a command ends without success.
pub enum Failure {
    /// The command could not be carried out: exit status 1.
    Failed(anyhow::Error),
    /// The arguments make no sense: exit status 2.
    Usage(String),
    /// A result contradicts a published figure or another result, or a file does not match its checksum: exit status 3.
    Contradiction(String),
    /// The reader of standard output has closed it: exit status 0.
    ReaderGone,
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Failed(error)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Selection(error) => Failure::Usage(format!("--adapter: {error}")),
            RunError::NoGpu(reason) => {
                let hint = if reason == NoGpu::NoAdapter { "; --backend cpu works without one" } else { "" };
                Failure::Failed(anyhow::anyhow!("no GPU can be used: {}{hint}", advised(&reason)))
            }
            // The text of the error already includes the cause.
            other => Failure::Failed(anyhow::anyhow!(other.to_string())),
        }
    }
}

/// Converts an error from writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            // An error that is not the system's names what failed, such as a temporary file.
            _ if error.get_ref().is_some() => Failure::Failed(anyhow::anyhow!("{error}")),
            _ => Failure::Failed(anyhow::anyhow!("standard output cannot be written: {error}")),
        }
    }
}

/// An error with its causes, on one line. The most common system errors are worded differently on every
/// system, so the program's own words replace them.
pub fn one_line(error: &anyhow::Error) -> String {
    // An error that is not the system's has its own wording, which may say where the content is.
    let of_system = |error: &&io::Error| error.get_ref().is_none();
    let words = |cause: &(dyn std::error::Error + 'static)| match cause
        .downcast_ref::<io::Error>()
        .filter(of_system)
        .map(io::Error::kind)
    {
        Some(io::ErrorKind::NotFound) => "there is no such file".to_owned(),
        Some(io::ErrorKind::PermissionDenied) => "permission denied".to_owned(),
        Some(io::ErrorKind::IsADirectory) => "it is a folder, not a file".to_owned(),
        _ => cause.to_string(),
    };
    error.chain().map(words).collect::<Vec<_>>().join(": ")
}

/// Text as one line that is safe to print on a terminal: control characters, and characters that change the direction
/// of writing, become escapes.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_control(letter) { shown.extend(letter.escape_default()) } else { shown.push(letter) }
    }
    shown
}

/// Whether a text contains characters that [`visible`] escapes.
pub fn has_control(text: &str) -> bool {
    text.contains(is_control)
}

fn is_control(letter: char) -> bool {
    let changes_direction = ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&letter)
        || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || changes_direction
}

/// Writes a line to standard error. Ignores an error, because there is nowhere left to report it.
pub fn complain(message: fmt::Arguments) {
    let _ = writeln!(Blocking(io::stderr()), "{}", visible(&message.to_string()));
}
