//! The process as the operating system sees it: signals that end it, and its limit on open files.

use std::ffi::OsString;
use std::future::poll_fn;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::task::{Context, Poll};
use std::thread;

use sysinfo::{ProcessRefreshKind, ProcessesToUpdate};

use super::failure::complain;
use super::output;

/// The number of a signal; on Windows, where there are none, that of Ctrl-C.
type Signal = i32;

const HANGUP: Signal = 1;
#[cfg(windows)]
const INTERRUPT: Signal = 2;

/// Whether the work is stored in files, so that the same command resumes it after an interrupt.
static IS_RESUMABLE: AtomicBool = AtomicBool::new(false);

/// Whether the process serves others until it is asked to end.
static IS_SERVER: AtomicBool = AtomicBool::new(false);

/// Declares that the work is stored in files from now on. The message of an interrupt then says how to resume it.
pub fn set_resumable() {
    IS_RESUMABLE.store(true, Ordering::Relaxed);
}

/// Declares that the process is a server from now on. A request to end is then no failure, as with other servers.
pub fn set_server() {
    IS_SERVER.store(true, Ordering::Relaxed);
}

/// Sets up signals and limits; must be called first.
pub fn prepare() {
    // A large game has thousands of files open. If raising the limit fails, the old one stays, and opening a file may
    // fail with the system's message.
    #[cfg(unix)]
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    // If this fails, a signal still ends the program; temporary files may then stay behind until the next run removes
    // them.
    let _ = wait_for_interrupt();
}

/// Whether the Windows desktop started the program, as by a double click.
pub fn is_from_desktop() -> bool {
    cfg!(windows) && parent().is_some_and(|name| name.eq_ignore_ascii_case("explorer.exe"))
}

/// The name of the program that started this one.
fn parent() -> Option<OsString> {
    let mut system = sysinfo::System::new().ok()?;
    let mut process = |pid| {
        let nothing = ProcessRefreshKind::nothing();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, nothing);
        system.process(pid).map(|process| (process.name().to_owned(), process.parent()))
    };
    let (_, parent) = process(sysinfo::get_current_pid().ok()?)?;
    process(parent?).map(|(name, _)| name)
}

/// Starts a thread that removes temporary files and ends the process on Ctrl-C or a similar signal. A signal that was
/// ignored when the program started, as by `nohup` or by a shell for a background job, stays ignored.
fn wait_for_interrupt() -> io::Result<()> {
    let (sender, receiver) = mpsc::channel();
    // Signals are taken over in the thread, so that they have their usual effect if it cannot be started.
    let wait = move || {
        let prepared = || -> io::Result<_> {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
            let signals = {
                let _entered = runtime.enter();
                interrupts()?
            };
            Ok((runtime, signals))
        };
        let (is_prepared, prepared) = match prepared() {
            Ok(prepared) => (Ok(()), Some(prepared)),
            Err(error) => (Err(error), None),
        };
        // Sending cannot fail, as the receiver waits for it.
        let _ = sender.send(is_prepared);
        let Some((runtime, mut signals)) = prepared.filter(|(_, signals)| !signals.is_empty()) else {
            return;
        };
        let arrived = |context: &mut Context<'_>| {
            let arrived =
                |(signal, poll): &mut (Signal, Interrupt)| poll(context).is_ready().then_some(*signal);
            signals.iter_mut().find_map(arrived).map_or(Poll::Pending, Poll::Ready)
        };
        end(runtime.block_on(poll_fn(arrived)));
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    receiver.recv().unwrap_or(Ok(()))
}

/// Ends the process in response to a signal.
fn end(signal: Signal) -> ! {
    let _lock = output::remove_unfinished_files();
    if IS_SERVER.load(Ordering::Relaxed) && signal != HANGUP {
        std::process::exit(0);
    }
    let hint = if IS_RESUMABLE.load(Ordering::Relaxed) { "; run the same command to resume" } else { "" };
    complain(format_args!("interrupted{hint}"));
    // A shell ends a loop when a command in it has died by Ctrl-C, but not when one has exited, whatever its
    // status. The first process of a container cannot be ended by its own signal.
    #[cfg(unix)]
    if std::process::id() != 1 {
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    std::process::exit(128 + signal)
}

/// Polls for one signal; ready when it has arrived.
type Interrupt = Box<dyn FnMut(&mut Context<'_>) -> Poll<Option<()>> + Send>;

/// The signals that ask the program to end, except ignored ones.
#[cfg(unix)]
fn interrupts() -> io::Result<Vec<(Signal, Interrupt)>> {
    use tokio::signal::unix::{SignalKind, signal};
    let ignored = ignored_signals();
    let all = [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::terminate()];
    let handled = all.into_iter().filter(|kind| ignored >> (kind.as_raw_value() - 1) & 1 == 0);
    let polled = |kind: SignalKind| -> io::Result<(Signal, Interrupt)> {
        let mut signal = signal(kind)?;
        Ok((kind.as_raw_value(), Box::new(move |context| signal.poll_recv(context))))
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
fn interrupts() -> io::Result<Vec<(Signal, Interrupt)>> {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};
    let (mut c, mut r#break, mut close) = (ctrl_c()?, ctrl_break()?, ctrl_close()?);
    let (mut logoff, mut shutdown) = (ctrl_logoff()?, ctrl_shutdown()?);
    let all: [Interrupt; 5] = [
        Box::new(move |context| c.poll_recv(context)),
        Box::new(move |context| r#break.poll_recv(context)),
        Box::new(move |context| close.poll_recv(context)),
        Box::new(move |context| logoff.poll_recv(context)),
        Box::new(move |context| shutdown.poll_recv(context)),
    ];
    Ok(all.map(|interrupt| (INTERRUPT, interrupt)).into())
}
