//! What the operating system does to the process: signals that end it, and its limit on open files.

use std::future::poll_fn;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::thread;

use super::failure::complain;
use super::output;

/// Exit status after Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Whether the work is kept in files, so that the same command resumes it after an interrupt.
static IS_RESUMABLE: AtomicBool = AtomicBool::new(false);

/// Declares that the work is kept in files from now on: the message of an interrupt then says how to resume
/// it.
pub fn set_resumable() {
    IS_RESUMABLE.store(true, Ordering::Relaxed);
}

/// Sets up signals and limits; must be called first.
pub fn prepare() {
    // A large game in files has thousands of them open. If this fails, the old limit stays, and opening a
    // file may fail with the system's message.
    #[cfg(unix)]
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    // Without a handler a signal still ends the program; only temporary files may stay behind.
    if let Err(error) = wait_for_interrupt() {
        complain(format_args!("warning: Ctrl-C cannot be handled: {error}"));
    }
}

/// Starts a thread that removes temporary files and exits on Ctrl-C or a similar signal. What was ignored
/// when the program started, as by `nohup` or by a shell that starts a job in the background, stays ignored.
fn wait_for_interrupt() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let mut signals = {
        let _entered = runtime.enter();
        interrupts()?
    };
    if signals.is_empty() {
        return Ok(());
    }
    let wait = move || {
        runtime.block_on(poll_fn(|context| {
            match signals.iter_mut().any(|signal| signal(context).is_ready()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        }));
        let _lock = output::remove_unfinished_files();
        let hint = if IS_RESUMABLE.load(Ordering::Relaxed) { "; run the same command to resume" } else { "" };
        complain(format_args!("interrupted{hint}"));
        std::process::exit(INTERRUPTED);
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Polls for one signal; ready when it has arrived.
type Interrupt = Box<dyn FnMut(&mut Context<'_>) -> Poll<Option<()>> + Send>;

/// The signals that ask the program to end, except ignored ones.
#[cfg(unix)]
fn interrupts() -> io::Result<Vec<Interrupt>> {
    use tokio::signal::unix::{SignalKind, signal};
    let ignored = ignored_signals();
    let all = [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::terminate()];
    let handled = all.into_iter().filter(|kind| ignored >> (kind.as_raw_value() - 1) & 1 == 0);
    let polled = |kind| -> io::Result<Interrupt> {
        let mut signal = signal(kind)?;
        Ok(Box::new(move |context| signal.poll_recv(context)))
    };
    handled.map(polled).collect()
}

/// The signals that are ignored, a bit each, signal 1 in the lowest. Only Linux lists them without unsafe
/// code; other systems are taken to ignore none.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(windows)]
fn interrupts() -> io::Result<Vec<Interrupt>> {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};
    let (mut c, mut r#break, mut close) = (ctrl_c()?, ctrl_break()?, ctrl_close()?);
    let (mut logoff, mut shutdown) = (ctrl_logoff()?, ctrl_shutdown()?);
    Ok(vec![
        Box::new(move |context| c.poll_recv(context)),
        Box::new(move |context| r#break.poll_recv(context)),
        Box::new(move |context| close.poll_recv(context)),
        Box::new(move |context| logoff.poll_recv(context)),
        Box::new(move |context| shutdown.poll_recv(context)),
    ])
}
