//! A child process that uses the GPU drivers for its parent: it lists the adapters, opens one and counts on it.
//!
//! It is the same program with a hidden argument, so a program is protected only if its `main` calls [`begin`].

use std::io::{self, Write};

use pollster::block_on;

use super::Adapters;
use super::caught::caught;
use super::count::{Card, DeviceCard, Setup};
use super::driver_process::{ARGUMENT, DriverAnswer, DriverRequest, MARK, line, protect};

/// If this process was started as such a child, serves its parent and returns true; `main` must then return. Otherwise
/// returns false, and from now on drivers are used in child processes. Must be called first in `main`.
pub fn begin() -> bool {
    let is_child = std::env::args_os().nth(1).is_some_and(|first| first == ARGUMENT);
    protect(!is_child);
    if is_child {
        // Ignore errors and panics, because the parent judges by this process's output.
        let _ = caught(serve);
    }
    is_child
}

/// The work of a child: lists the adapters, opens a card, and passes batches to it until standard input ends.
///
/// # Errors
/// If the parent is gone, or sends a malformed request.
fn serve() -> io::Result<()> {
    // A driver may have printed without ending the line.
    let say = |answer: &DriverAnswer| writeln!(io::stdout(), "\n{MARK}{}", line(answer));
    let mut requests =
        io::stdin().lines().map(|line| -> io::Result<DriverRequest> { Ok(serde_json::from_str(&line?)?) });
    let adapters = Adapters::list();
    say(&DriverAnswer::Listed(adapters.listed().to_owned()))?;
    let Some(DriverRequest::Open { index, category, rules }) = requests.next().transpose()? else {
        return Ok(());
    };
    let setup = Setup::new(category, rules);
    let opened = adapters.open(index).and_then(|device| {
        // If the parent is gone, the next answer fails, too.
        let _ = say(&DriverAnswer::Opened);
        block_on(DeviceCard::new(device, &setup, &|| drop(say(&DriverAnswer::Slow))))
    });
    let mut card = match opened {
        Ok(card) => card,
        Err(error) => return say(&DriverAnswer::Failed(error)),
    };
    say(&DriverAnswer::Ready)?;
    for request in requests {
        match request? {
            DriverRequest::Open { .. } => {}
            DriverRequest::Submit(batch) => card.submit(&batch),
            DriverRequest::Collect => {
                say(&block_on(card.collect()).map_or_else(DriverAnswer::Failed, DriverAnswer::Collected))?
            }
        }
    }
    Ok(())
}
