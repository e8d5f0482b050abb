//! The parent's view of the child process that uses the GPU drivers on its behalf: a driver that crashes or hangs
//! affects only the child. The parent loads no driver.
//!
//! The processes exchange lines of JSON. If something fails, the last lines that drivers have printed to the child's
//! standard output or error are shown.

use std::collections::VecDeque;
use std::future::ready;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::count::Card;
use super::count::driver::Collecting;
use super::count::protocol::Returned;
use super::{AdapterDescription, GpuError};
use crate::count::{Category, Question};
use crate::rules::Rules;
use crate::waiting::{LIMIT, receive, say};

/// The argument of a child.
pub(super) const ARGUMENT: &str = "use-drivers";
/// The beginning of every line with an answer.
pub(super) const MARK: &str = "dovemate: ";
/// The longest that listing adapters, or opening a device, may take. Either usually takes less than a second.
const OPENING_LIMIT: Duration = Duration::from_secs(30);
/// The time limit for a child to end once it is killed or has closed its output.
const END: Duration = Duration::from_secs(1);
/// Maximum number of lines kept of the drivers' output.
const LINES: usize = 5;
/// `CREATE_NEW_PROCESS_GROUP` of the Windows API.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

static IS_PROTECTED: AtomicBool = AtomicBool::new(false);

/// An adapter as a child lists it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ListedAdapter {
    pub description: AdapterDescription,
    pub details: Vec<(String, String)>,
}

/// A request to a child that has listed the adapters.
#[derive(Serialize, Deserialize)]
pub(super) enum DriverRequest {
    /// Open an adapter for counting. Comes first; `Submit` and `Collect` follow.
    Open {
        index: usize,
        category: Category,
        rules: Rules,
    },
    Submit(Vec<u32>),
    Collect,
}

/// An answer of a child.
#[derive(Serialize, Deserialize)]
pub(super) enum DriverAnswer {
    /// The adapters are listed.
    Listed(Vec<ListedAdapter>),
    /// The device is open; its shaders are compiled next.
    Opened,
    /// The driver takes long to compile the shaders.
    Slow,
    /// The card is ready for batches.
    Ready,
    Collected(Returned),
    Failed(GpuError),
}

/// Sets whether drivers are used in child processes from now on.
pub(super) fn protect(is_protected: bool) {
    IS_PROTECTED.store(is_protected, Ordering::Relaxed);
}

/// Whether drivers are used in child processes.
pub(super) fn is_protected() -> bool {
    IS_PROTECTED.load(Ordering::Relaxed)
}

/// A child process, which may have opened a device.
#[derive(Debug)]
pub(super) struct DriverProcess {
    process: std::process::Child,
    requests: ChildStdin,
    answers: Receiver<DriverAnswer>,
    /// The last lines that a driver has printed.
    printed: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected once the child can print nothing more.
    printing: Receiver<()>,
}

impl DriverProcess {
    /// Starts a child, and waits until it has listed the adapters.
    ///
    /// # Errors
    /// Why there is no list, as a sentence: no process can be started, or a driver crashes or hangs.
    pub(super) fn start() -> Result<(DriverProcess, Vec<ListedAdapter>), String> {
        let mut child = DriverProcess::spawn()
            .map_err(|error| format!("no process can be started for the drivers: {error}"))?;
        match child.answer(OPENING_LIMIT, "the drivers to list their adapters") {
            Ok(DriverAnswer::Listed(adapters)) => Ok((child, adapters)),
            Err(GpuError::Crashed(what)) => Err(format!("a driver {what} while listing its adapters")),
            _ => Err("the drivers' process does not list their adapters".to_owned()),
        }
    }

    fn spawn() -> io::Result<DriverProcess> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A terminal's interrupt should reach this process only. When it ends, its pipes close, and the child ends too.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, NEW_PROCESS_GROUP);
        let mut process = command.spawn()?;
        let (requests, out) = (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        let err = process.stderr.take().expect("a pipe");
        let ((sender, answers), (is_printing, printing)) = (mpsc::channel(), mpsc::channel());
        let printed = Arc::<Mutex<VecDeque<String>>>::default();
        let child = DriverProcess { process, requests, answers, printed: printed.clone(), printing };
        let of_out = (printed.clone(), is_printing.clone());
        thread::Builder::new().spawn(move || read(out, &of_out.0, Some(&sender), of_out.1))?;
        thread::Builder::new().spawn(move || read(err, &printed, None, is_printing))?;
        Ok(child)
    }

    /// Opens an adapter for counting, and waits until the card is ready for batches; calls `slow` if its driver takes
    /// long to compile shaders.
    pub(super) fn open(
        &mut self,
        index: usize,
        Question { category, rules, .. }: Question,
        slow: &(dyn Fn() + Sync),
    ) -> Result<(), GpuError> {
        self.request(&DriverRequest::Open { index, category, rules });
        let (mut limit, mut what) = (OPENING_LIMIT, "the driver to open a device");
        loop {
            match self.answer(limit, what)? {
                DriverAnswer::Ready => return Ok(()),
                DriverAnswer::Slow => {
                    slow();
                    what = "";
                }
                _ => what = "the driver to compile shaders",
            }
            limit = LIMIT;
        }
    }

    fn request(&mut self, request: &DriverRequest) {
        // If the child has ended, the wait for its answer says so.
        let _ = writeln!(self.requests, "{}", line(request));
    }

    /// Waits for the next answer. On a failure, ends the child and shows the last lines that its driver has printed.
    fn answer(&mut self, limit: Duration, what: &str) -> Result<DriverAnswer, GpuError> {
        let error = match receive(&self.answers, limit, what) {
            Ok(DriverAnswer::Failed(error)) => error,
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => GpuError::Crashed("hung".to_owned()),
            Err(RecvTimeoutError::Disconnected) => GpuError::Crashed(match self.ended() {
                // A driver may call `exit`. A crash gives no such exit code.
                Some(status) if matches!(status.code(), Some(0..128)) => "ended its process".to_owned(),
                _ => "crashed".to_owned(),
            }),
        };
        self.end();
        let _ = self.printing.recv_timeout(END);
        for line in self.printed.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            say(&format!("the driver printed: {line}"));
        }
        Err(error)
    }

    /// Ends the child. One that hangs in a system call is left to the system.
    fn end(&mut self) {
        let _ = self.process.kill();
        self.ended();
    }

    /// How the child has ended; `None` if it is still running after a while.
    fn ended(&mut self) -> Option<ExitStatus> {
        const LOOKS: u32 = 100;
        (0..LOOKS).find_map(|_| {
            let ended = self.process.try_wait().ok().flatten();
            if ended.is_none() {
                thread::sleep(END / LOOKS);
            }
            ended
        })
    }
}

impl Card for DriverProcess {
    fn submit(&mut self, batch: &[u32]) {
        self.request(&DriverRequest::Submit(batch.to_vec()));
    }

    fn collect(&mut self) -> Collecting<'_> {
        self.request(&DriverRequest::Collect);
        let answer = self.answer(LIMIT, "the driver to finish a batch");
        let collected = answer.and_then(|answer| match answer {
            DriverAnswer::Collected(returned) => Ok(returned),
            _ => Err(GpuError::Driver("its process gave an unexpected answer".to_owned())),
        });
        Box::pin(ready(collected))
    }
}

impl Drop for DriverProcess {
    fn drop(&mut self) {
        // The child may hang, or crash while it closes the drivers, and nothing more is expected from it.
        self.end();
    }
}

pub(super) fn line(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("it is plain data")
}

/// Reads a stream of a child, to its end: answers, and the drivers' output.
fn read(
    stream: impl Read,
    printed: &Mutex<VecDeque<String>>,
    answers: Option<&Sender<DriverAnswer>>,
    _is_printing: Sender<()>,
) {
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let answer = line.strip_prefix(MARK.as_bytes()).and_then(|line| serde_json::from_slice(line).ok());
        if let (Some(answer), Some(answers)) = (answer, answers) {
            // If the parent has given up the child, there is no receiver.
            let _ = answers.send(answer);
            continue;
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
        if !line.is_empty() {
            printed.push_back(line);
        }
        if printed.len() > LINES {
            printed.pop_front();
        }
    }
}
