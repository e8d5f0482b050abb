//! The child process of a trial (`gpu/trial.rs`): lists the adapters, opens the hardware ones or the requested one, and prints
//! a line after each step.

use std::io::{self, Write};

use super::{Adapters, trial};

/// Must be called first in `main`. If this process was started to try drivers, tries them and returns true; `main` must
/// then end. Otherwise, from now on drivers are tried before this process uses them.
pub fn begin() -> bool {
    let requested = trial::requested();
    if let Some(index) = requested {
        // An error does not matter: the lines printed so far show which steps the driver survived.
        let _ = try_drivers(index);
    }
    requested.is_some()
}

fn try_drivers(index: Option<usize>) -> io::Result<()> {
    let adapters = Adapters::list();
    let hardware = || adapters.hardware().into_iter().map(|adapter| adapter.index).collect();
    let indices = index.map_or_else(hardware, |index| vec![index]);
    // A driver may have printed, too, without ending the line.
    let mut out = io::stdout();
    writeln!(out, "\n{} {}", trial::LISTED, indices.len())?;
    for index in indices {
        adapters.try_to_open(index);
        writeln!(out, "\n{index}")?;
    }
    drop(adapters);
    writeln!(out, "\n{}", trial::CLOSED)
}
