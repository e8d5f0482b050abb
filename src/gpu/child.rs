//! Child processes that use the GPU drivers on behalf of this one: a driver that crashes or hangs takes its own process
//! down with it.
//!
//! A child is the same program with a hidden argument, so a program is protected only if its `main` calls [`begin`].
//! The processes exchange lines of JSON. Drivers may print to the child's standard output, too; lines without the mark
//! of an answer are ignored.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::caught::caught;
use super::count::{Card, DeviceCard, Returned, Setup};
use super::{Adapters, GpuError};
use crate::count::Category;
use crate::rules::Rules;

/// The argument of a child.
const ARGUMENT: &str = "use-drivers";
/// The beginning of every line with an answer.
const MARK: &str = "dovemate: ";
/// The longest that listing adapters, or opening a device, may take. Either usually takes less than a second.
const OPENING_LIMIT: Duration = Duration::from_secs(30);
/// The longest to wait while a card compiles its shaders, or for a batch. The child has lower limits of its own and
/// reports them more precisely, but it cannot abandon a driver call that never returns.
const LIMIT: Duration = Duration::from_secs(300);
/// `CREATE_NEW_PROCESS_GROUP` of the Windows API.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

static IS_PROTECTED: AtomicBool = AtomicBool::new(false);

/// What a child is to do.
#[derive(Serialize, Deserialize)]
pub(super) enum DriverRequest {
    /// List the adapters, close the drivers, and end.
    List,
    /// Open an adapter for counting. Comes first; `Submit` and `Collect` follow.
    Open {
        index: usize,
        category: Category,
        rules: Rules,
    },
    Submit(Vec<u32>),
    Collect,
}

/// What a child has done.
#[derive(Serialize, Deserialize)]
enum DriverAnswer {
    /// The adapters are listed, and the drivers closed.
    Listed,
    /// The device is open; its shaders are compiled next.
    Opened,
    /// The driver takes long to compile them.
    Slow,
    /// The card takes batches.
    Ready,
    Collected(Returned),
    Failed(GpuError),
}

/// If this process was started as such a child, serves its parent and returns true; `main` must then return. Otherwise
/// returns false, and from now on drivers are used in child processes. Must be called first in `main`.
pub fn begin() -> bool {
    let is_child = std::env::args_os().nth(1).is_some_and(|first| first == ARGUMENT);
    IS_PROTECTED.store(!is_child, Ordering::Relaxed);
    if is_child {
        // Errors and panics can be ignored: the parent judges by what this process has printed.
        let _ = caught(serve);
    }
    is_child
}

/// A child process, which may have opened a device.
pub(super) struct DriverProcess {
    process: std::process::Child,
    requests: ChildStdin,
    answers: Receiver<DriverAnswer>,
}

impl DriverProcess {
    /// Starts a child and makes a request; `None` if this process is not protected, or no other can be started.
    pub(super) fn start(request: &DriverRequest) -> Option<DriverProcess> {
        if !IS_PROTECTED.load(Ordering::Relaxed) {
            return None;
        }
        let mut command = Command::new(std::env::current_exe().ok()?);
        // Standard error is dropped: drivers repeat their complaints in this process when it lists the adapters.
        command.arg(ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A terminal's interrupt should reach this process only. When it ends, its pipes close, and the child ends too.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, NEW_PROCESS_GROUP);
        let mut process = command.spawn().ok()?;
        let (requests, out) = (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        let (sender, answers) = mpsc::channel();
        let mut child = DriverProcess { process, requests, answers };
        thread::Builder::new().spawn(move || read(out, &sender)).ok()?;
        child.request(request);
        Some(child)
    }

    /// Waits until the card takes batches; calls `slow` if its driver takes long to compile shaders.
    pub(super) fn wait_until_ready(&self, slow: &(dyn Fn() + Sync)) -> Result<(), GpuError> {
        let mut limit = OPENING_LIMIT;
        loop {
            match self.answer(limit)? {
                DriverAnswer::Ready => return Ok(()),
                DriverAnswer::Slow => slow(),
                _ => {}
            }
            limit = LIMIT;
        }
    }

    fn request(&mut self, request: &DriverRequest) {
        // If the child has ended, the wait for its answer says so.
        let _ = writeln!(self.requests, "{}", line(request));
    }

    fn answer(&self, limit: Duration) -> Result<DriverAnswer, GpuError> {
        match self.answers.recv_timeout(limit) {
            Ok(DriverAnswer::Failed(error)) => Err(error),
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Disconnected) => Err(GpuError::Crashed("crashed".to_owned())),
            Err(RecvTimeoutError::Timeout) => Err(GpuError::Crashed("hung".to_owned())),
        }
    }
}

impl Card for DriverProcess {
    fn submit(&mut self, batch: &[u32]) {
        self.request(&DriverRequest::Submit(batch.to_vec()));
    }

    fn collect(&mut self) -> Result<Returned, GpuError> {
        self.request(&DriverRequest::Collect);
        match self.answer(LIMIT)? {
            DriverAnswer::Collected(returned) => Ok(returned),
            _ => Err(GpuError::Driver("its process gave another answer than was asked for".to_owned())),
        }
    }
}

impl Drop for DriverProcess {
    fn drop(&mut self) {
        // The child may be hanging, and nothing more is expected from it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Lists the adapters in a child, and says how a driver failed while listing or closing. `None` if none failed, or no
/// child can be started.
pub(super) fn failure_at_listing() -> Option<&'static str> {
    let mut child = DriverProcess::start(&DriverRequest::List)?;
    let mut is_listed = false;
    let deadline = Instant::now() + OPENING_LIMIT;
    loop {
        match child.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(_) => is_listed = true,
            Err(RecvTimeoutError::Timeout) => return Some("hung"),
            // The child has ended.
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let has_succeeded = is_listed && child.process.wait().is_ok_and(|status| status.success());
    (!has_succeeded).then_some("crashed")
}

fn line(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("it is plain data")
}

/// Reads the answers of a child, to its end.
fn read(out: ChildStdout, answers: &Sender<DriverAnswer>) {
    let lines = BufReader::new(out).split(b'\n').map_while(Result::ok);
    let mut read = lines.filter_map(|line| serde_json::from_slice(line.strip_prefix(MARK.as_bytes())?).ok());
    // The receiver is gone once the child is.
    let _ = read.try_for_each(|answer| answers.send(answer));
}

/// The work of a child: lists the adapters, or opens a card and passes batches to it until standard input ends.
///
/// # Errors
/// If the parent is gone, or sends a malformed request.
fn serve() -> io::Result<()> {
    // A driver may have printed without ending the line.
    let say = |answer: &DriverAnswer| writeln!(io::stdout(), "\n{MARK}{}", line(answer));
    let mut requests =
        io::stdin().lines().map(|line| -> io::Result<DriverRequest> { Ok(serde_json::from_str(&line?)?) });
    let (index, setup) = match requests.next().transpose()? {
        Some(DriverRequest::Open { index, category, rules }) => (index, Setup::new(category, rules)),
        Some(DriverRequest::List) => {
            drop(Adapters::list());
            return say(&DriverAnswer::Listed);
        }
        _ => return Ok(()),
    };
    let adapters = Adapters::list();
    let opened = adapters.open(index).and_then(|device| {
        // If the parent is gone, reading fails.
        let _ = say(&DriverAnswer::Opened);
        DeviceCard::new(device, &setup, &|| drop(say(&DriverAnswer::Slow)))
    });
    let mut card = match opened {
        Ok(card) => card,
        Err(error) => return say(&DriverAnswer::Failed(error)),
    };
    say(&DriverAnswer::Ready)?;
    for request in requests {
        match request? {
            DriverRequest::List | DriverRequest::Open { .. } => {}
            DriverRequest::Submit(batch) => card.submit(&batch),
            DriverRequest::Collect => {
                say(&card.collect().map_or_else(DriverAnswer::Failed, DriverAnswer::Collected))?
            }
        }
    }
    Ok(())
}
