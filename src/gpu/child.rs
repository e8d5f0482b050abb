//! The main function of a child process (`gpu/process.rs`).

use std::io::{self, Write};

use super::caught::caught;
use super::process::{self, LISTED, Task};
use super::{Adapters, count};

/// Must be called first in `main`. If this process was started to use drivers in place of another, does so and returns
/// true; `main` must then end. Otherwise, from now on drivers are used in such processes.
pub fn begin() -> bool {
    let requested = process::requested();
    // Errors and panics do not matter: the other process knows what was done from what was printed.
    let _ = match requested {
        Some(Task::List) => caught(list),
        Some(Task::Count) => caught(count::serve),
        None => return false,
    };
    true
}

fn list() -> io::Result<()> {
    drop(Adapters::list());
    // A driver may have printed without ending the line.
    writeln!(io::stdout(), "\n{LISTED}")
}
