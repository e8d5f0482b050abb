//! Waiting with a time limit for a lock, or for the answer of a driver, which may never come. After two seconds a
//! message says what is being waited for.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::clock::Instant;

/// The time before the message.
pub const SILENCE: Duration = Duration::from_secs(2);
/// The longest wait for a lock or for work of a driver. A driver's process gives up after two minutes and reports
/// why; the rest of the time is for its answer.
pub const LIMIT: Duration = Duration::from_secs(125);
/// The interval between readings of the clock, which excludes time in which this process was stopped.
const PAUSE: Duration = Duration::from_millis(250);

/// Prints a line for the user.
type Say = fn(&str);

/// The function that prints lines, and the last line about a wait.
static SAY: Mutex<(Option<Say>, String)> = Mutex::new((None, String::new()));

/// Sets the function that prints lines for the user. Without it, nothing is printed.
pub fn announce(say: Say) {
    SAY.lock().unwrap_or_else(PoisonError::into_inner).0 = Some(say);
}

/// Prints a line.
pub fn say(line: &str) {
    if let Some(say) = SAY.lock().unwrap_or_else(PoisonError::into_inner).0 {
        say(line);
    }
}

/// Waits for a message, at most for this long, and after a while says that it is waiting for `what`, if that is not
/// empty.
///
/// # Errors
/// If there is none within the limit, or all senders are gone.
pub fn receive<T>(from: &Receiver<T>, limit: Duration, what: &str) -> Result<T, RecvTimeoutError> {
    let began = Instant::now();
    let mut is_said = what.is_empty();
    loop {
        match from.recv_timeout(PAUSE.min(limit)) {
            Err(RecvTimeoutError::Timeout) if began.elapsed() < limit => {
                if !is_said && began.elapsed() >= SILENCE {
                    is_said = true;
                    say_once(what);
                }
            }
            result => return result,
        }
    }
}

/// Says what is being waited for, unless the last line already said so.
fn say_once(what: &str) {
    let mut last = SAY.lock().unwrap_or_else(PoisonError::into_inner);
    if last.1 != what {
        last.1 = what.to_owned();
        drop(last);
        say(&format!("waiting for {what}"));
    }
}

/// Makes a call in a thread of its own; `None` if it panics or does not return within the limit, or no thread can be
/// started.
pub fn in_time<T: Send + 'static>(
    limit: Duration,
    what: &str,
    call: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().stack_size(1 << 16).spawn(move || sender.send(call())).ok()?;
    receive(&receiver, limit, what).ok()
}
