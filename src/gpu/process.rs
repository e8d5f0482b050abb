//! Child processes that use drivers in place of this one, because a driver that crashes ends its process.
//!
//! A child is the same program with a hidden argument, so a program is protected only if its `main` calls
//! [`begin`](super::child::begin).

use std::ffi::OsStr;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The task of a child process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// List the adapters, and print [`LISTED`] once that is done and the drivers are closed.
    List,
    /// Count, as `gpu/count/child_card.rs` says.
    Count,
}

impl Task {
    /// The argument of a process with this task.
    const fn argument(self) -> &'static str {
        match self {
            Task::List => "try-drivers",
            Task::Count => "count-on-a-gpu",
        }
    }
}

/// The line that a child prints after listing the adapters.
pub(super) const LISTED: &str = "listed";
/// The longest that listing may take. It usually takes less than a second.
const TIME_LIMIT: Duration = Duration::from_secs(30);

static IS_PROTECTED: AtomicBool = AtomicBool::new(false);

/// The task for which this process was started, if it is a child. Otherwise, from now on children protect this process.
pub(super) fn requested() -> Option<Task> {
    let first = std::env::args_os().nth(1);
    let is = |task: &Task| first.as_deref() == Some(OsStr::new(task.argument()));
    let task = [Task::List, Task::Count].into_iter().find(is);
    IS_PROTECTED.store(task.is_none(), Ordering::Relaxed);
    task
}

/// Starts a child, with pipes for its standard input and output; `None` if this process is not protected, or no other
/// can be started.
pub(super) fn start(task: Task) -> Option<Child> {
    if !IS_PROTECTED.load(Ordering::Relaxed) {
        return None;
    }
    let mut command = Command::new(std::env::current_exe().ok()?);
    // What drivers complain of, they say to this process, too, when it lists adapters.
    command.arg(task.argument()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // An interrupt from the terminal is for this process, at whose end the pipes end, and the child with them.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, NEW_PROCESS_GROUP);
    command.spawn().ok()
}

/// `CREATE_NEW_PROCESS_GROUP` of the Windows API.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

/// The failure of a driver at listing its adapters or at its end, tried in a child; `None` if there is none, or no child
/// can be started.
pub(super) fn failure_at_listing() -> Option<&'static str> {
    let mut process = start(Task::List)?;
    let mut out = process.stdout.take().expect("a pipe");
    let (sender, receiver) = mpsc::channel();
    let read = move || {
        let mut printed = Vec::new();
        let _ = out.read_to_end(&mut printed);
        // The receiver is gone if this took too long.
        let _ = sender.send(printed);
    };
    let has_thread = thread::Builder::new().spawn(read).is_ok();
    let printed = receiver.recv_timeout(TIME_LIMIT);
    if printed.is_err() {
        let _ = process.kill();
    }
    let has_succeeded = process.wait().is_ok_and(|status| status.success());
    let is_listed = |printed: &[u8]| String::from_utf8_lossy(printed).lines().any(|line| line == LISTED);
    match printed {
        Ok(printed) if has_succeeded && is_listed(&printed) => None,
        Ok(_) => Some("crashed"),
        Err(_) => has_thread.then_some("hung"),
    }
}
