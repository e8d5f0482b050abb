//! A card in a child process, so that a driver that crashes or hangs ends no other process.
//!
//! The processes exchange lines of JSON. A driver may print on the child's standard output, too: its lines lack the mark of
//! an answer.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::device_card::DeviceCard;
use super::driver::{Card, Returned};
use super::setup::Setup;
use crate::count::Category;
use crate::gpu::process::{self, Task};
use crate::gpu::{Adapters, GpuError};
use crate::rules::Rules;

/// The beginning of every line with an answer.
const MARK: &str = "dovemate: ";
/// The longest that opening a device may take. It usually takes less than a second.
const OPENING_LIMIT: Duration = Duration::from_secs(30);
/// The longest to wait for a card that compiles its shaders, or for a batch. The child has lower limits of its own, which
/// say more, but cannot leave a driver that does not return.
const LIMIT: Duration = Duration::from_secs(300);

/// What the child is to do.
#[derive(Serialize, Deserialize)]
enum CardRequest {
    /// Open an adapter for counting: always the first request.
    Open {
        index: usize,
        category: Category,
        rules: Rules,
    },
    Submit(Vec<u32>),
    Collect,
}

/// What the child has done.
#[derive(Serialize, Deserialize)]
enum CardAnswer {
    /// The device is open; its shaders are compiled next.
    Opened,
    /// The driver takes long to compile them.
    Slow,
    /// The card takes batches.
    Ready,
    Collected(Returned),
    Failed(GpuError),
}

/// A device that a child process has opened.
pub(super) struct ChildCard {
    process: Child,
    requests: ChildStdin,
    answers: Receiver<CardAnswer>,
}

impl ChildCard {
    /// Opens the adapter with this index in a child process, and sets `is_slow` if its driver takes long to compile
    /// shaders. `None` if no process can be started.
    pub(super) fn open(
        index: usize,
        category: Category,
        rules: Rules,
        is_slow: &AtomicBool,
    ) -> Option<Result<ChildCard, GpuError>> {
        let mut process = process::start(Task::Count)?;
        let (requests, out) = (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        let (sender, answers) = mpsc::channel();
        let mut card = ChildCard { process, requests, answers };
        thread::Builder::new().spawn(move || read(out, &sender)).ok()?;
        card.request(&CardRequest::Open { index, category, rules });
        Some(card.wait_until_ready(is_slow).map(|()| card))
    }

    fn wait_until_ready(&self, is_slow: &AtomicBool) -> Result<(), GpuError> {
        let mut answer = self.answer(OPENING_LIMIT)?;
        while !matches!(answer, CardAnswer::Ready) {
            is_slow.fetch_or(matches!(answer, CardAnswer::Slow), Ordering::Relaxed);
            answer = self.answer(LIMIT)?;
        }
        Ok(())
    }

    fn request(&mut self, request: &CardRequest) {
        // If the child has ended, the wait for its answer says so.
        let _ = writeln!(self.requests, "{}", line(request));
    }

    fn answer(&self, limit: Duration) -> Result<CardAnswer, GpuError> {
        match self.answers.recv_timeout(limit) {
            Ok(CardAnswer::Failed(error)) => Err(error),
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Disconnected) => Err(GpuError::Crashed("crashed".to_owned())),
            Err(RecvTimeoutError::Timeout) => Err(GpuError::Crashed("hung".to_owned())),
        }
    }
}

impl Card for ChildCard {
    fn submit(&mut self, batch: &[u32]) {
        self.request(&CardRequest::Submit(batch.to_vec()));
    }

    fn collect(&mut self) -> Result<Returned, GpuError> {
        self.request(&CardRequest::Collect);
        match self.answer(LIMIT)? {
            CardAnswer::Collected(returned) => Ok(returned),
            _ => Err(GpuError::Driver("its process gave another answer than was asked for".to_owned())),
        }
    }
}

impl Drop for ChildCard {
    fn drop(&mut self) {
        // It may hang, and has nothing left to say.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn line(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("it is plain data")
}

/// Reads the answers of the child, to its end.
fn read(out: ChildStdout, answers: &Sender<CardAnswer>) {
    let lines = BufReader::new(out).split(b'\n').map_while(Result::ok);
    let mut read = lines.filter_map(|line| serde_json::from_slice(line.strip_prefix(MARK.as_bytes())?).ok());
    // The receiver is gone once the card is.
    let _ = read.try_for_each(|answer| answers.send(answer));
}

/// The work of the child: opens a card and passes batches to it until standard input ends.
///
/// # Errors
/// If its parent is gone, or does not keep to the form.
pub(crate) fn serve() -> io::Result<()> {
    // A driver may have printed without ending the line.
    let say = |answer: &CardAnswer| writeln!(io::stdout(), "\n{MARK}{}", line(answer));
    let mut requests =
        io::stdin().lines().map(|line| -> io::Result<CardRequest> { Ok(serde_json::from_str(&line?)?) });
    let Some(CardRequest::Open { index, category, rules }) = requests.next().transpose()? else {
        return Ok(());
    };
    let adapters = Adapters::list();
    let opened = adapters.reporting_slow_compiles(&|| drop(say(&CardAnswer::Slow)), || {
        let device = adapters.open(index)?;
        // If the parent is gone, reading fails.
        let _ = say(&CardAnswer::Opened);
        DeviceCard::new(device, &Setup::new(category, rules))
    });
    let mut card = match opened {
        Ok(card) => card,
        Err(error) => return say(&CardAnswer::Failed(error)),
    };
    say(&CardAnswer::Ready)?;
    for request in requests {
        match request? {
            CardRequest::Open { .. } => {}
            CardRequest::Submit(batch) => card.submit(&batch),
            CardRequest::Collect => {
                say(&card.collect().map_or_else(CardAnswer::Failed, CardAnswer::Collected))?
            }
        }
    }
    Ok(())
}
