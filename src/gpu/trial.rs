//! Starts a child process that opens drivers first, because a driver that crashes ends its process.
//!
//! The child is the same program with a hidden argument, so a program is protected only if its `main` calls
//! [`begin`](super::child::begin).

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The first argument of a process that tries drivers; the index of an adapter may follow.
const ARGUMENT: &str = "try-drivers";
/// The line that the child prints after listing the adapters, with the number of those that it opens.
pub(super) const LISTED: &str = "listed";
/// The line that it prints after all drivers are closed.
pub(super) const CLOSED: &str = "closed";
/// The longest that a trial may take. Opening a device takes less than a second.
const TIME_LIMIT: Duration = Duration::from_secs(30);

static IS_PROTECTED: AtomicBool = AtomicBool::new(false);

/// `Some` if this process was started by a trial: with the adapter to open, or `None` for all hardware. Otherwise
/// `None`, and from now on trials protect this process.
pub(super) fn requested() -> Option<Option<usize>> {
    let mut arguments = std::env::args_os().skip(1);
    let is_trial = arguments.next().is_some_and(|first| first == ARGUMENT);
    IS_PROTECTED.store(!is_trial, Ordering::Relaxed);
    is_trial.then(|| arguments.next().and_then(|index| index.to_str()?.parse().ok()))
}

/// The outcome of a trial.
pub(super) struct Trial {
    /// Whether the adapters were listed, and closed again if all were opened.
    pub has_listed: bool,
    /// The indices of the adapters that were opened, or that refused without a crash.
    pub opened: Vec<usize>,
    /// The failure of the driver, if it did not complete the trial.
    pub failure: &'static str,
}

impl Trial {
    /// Tries to list the adapters and to open the one with this index, or all hardware; `None` if no process
    /// or thread can be started for that.
    pub(super) fn new(index: Option<usize>) -> Option<Trial> {
        if !IS_PROTECTED.load(Ordering::Relaxed) {
            return None;
        }
        let mut command = Command::new(std::env::current_exe().ok()?);
        command.arg(ARGUMENT).args(index.map(|index| index.to_string()));
        let pipes = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = pipes.spawn().ok()?;
        let mut out = process.stdout.take().expect("a pipe");
        let (sender, receiver) = mpsc::channel();
        let read = move || {
            let mut printed = Vec::new();
            let _ = out.read_to_end(&mut printed);
            let _ = sender.send(printed);
        };
        if thread::Builder::new().spawn(read).is_err() {
            let _ = process.kill();
            let _ = process.wait();
            return None;
        }
        let in_time = receiver.recv_timeout(TIME_LIMIT);
        let _ = process.kill();
        let _ = process.wait();
        let failure = if in_time.is_ok() { "crashed" } else { "hung" };
        // If the child hung, its output arrives when it is killed.
        let printed = in_time.or_else(|_| receiver.recv_timeout(TIME_LIMIT)).unwrap_or_default();
        let printed = String::from_utf8_lossy(&printed);
        let listed = printed.lines().find_map(|line| line.strip_prefix(LISTED)?.trim().parse::<usize>().ok());
        let opened: Vec<usize> = printed.lines().filter_map(|line| line.parse().ok()).collect();
        let has_closed = printed.lines().any(|line| line == CLOSED);
        // A driver that crashes while it is closed would end this process with a wrong status.
        let has_listed = listed.is_some_and(|number| has_closed || opened.len() < number);
        Some(Trial { has_listed, opened, failure })
    }
}
