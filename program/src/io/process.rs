//! The process as the operating system sees it: signals that end it, and its limit on open files.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use sysinfo::{ProcessRefreshKind, ProcessesToUpdate};

use crate::io::complain;
use dovemate_solver::whole_files::remove_unfinished_files;

/// The number of a signal; on Windows, where there are none, that of Ctrl-C.
type Signal = i32;

const HANGUP: Signal = 1;
#[cfg(windows)]
const INTERRUPT: Signal = 2;

/// Whether the work is stored in files, so that the same command resumes it after an interruption.
static IS_RESUMABLE: AtomicBool = AtomicBool::new(false);

/// Whether the process serves others until it is asked to end.
static IS_SERVER: AtomicBool = AtomicBool::new(false);

/// Declares that the work is stored in files from now on. The message about an interruption then says how to resume it.
pub fn set_resumable() {
    IS_RESUMABLE.store(true, Ordering::Relaxed);
}

/// Declares that the process is a server from now on. As for other servers, a request to end is then no failure.
pub fn set_server() {
    IS_SERVER.store(true, Ordering::Relaxed);
}

/// Sets up signals and limits; must be called before the work begins.
pub fn prepare() {
    // A large game needs thousands of open files. If raising the limit fails, the old one applies, and opening a file
    // may fail with the system's message.
    #[cfg(unix)]
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    // With a handler, writing beyond a limit on file sizes is an error instead of the end of the process.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    // A thread removes temporary files and ends the process on Ctrl-C or a similar signal. The thread installs the
    // handlers itself. If it cannot be started, signals still end the program, and the next run removes temporary files
    // that stay behind.
    let (set_up, is_set_up) = mpsc::channel();
    let _ = thread::Builder::new()
        .name("signals".to_owned())
        .spawn(|| interrupt(set_up).map(|signal| end(signal)));
    let _ = is_set_up.recv();
}

/// Whether the Windows desktop started the program, for example by a double click.
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

/// Ends the process in response to a signal.
fn end(signal: Signal) -> ! {
    let _lock = remove_unfinished_files();
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

/// Waits for a signal that asks the program to end, and drops `set_up` once the handlers are installed. A signal that
/// was ignored when the program started, as by `nohup` or by a shell for a background job, stays ignored.
#[cfg(unix)]
fn interrupt(set_up: mpsc::Sender<()>) -> Option<Signal> {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGXCPU};
    let ignored = ignored_signals();
    let handled =
        [HANGUP, SIGINT, SIGTERM, SIGXCPU].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(handled).ok()?;
    drop(set_up);
    signals.forever().next()
}

/// The ignored signals, one bit each, with signal 1 in the lowest bit. Only Linux lists them without unsafe
/// code; other systems are assumed to ignore none.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(windows)]
fn interrupt(set_up: mpsc::Sender<()>) -> Option<Signal> {
    use std::task::Poll;
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().ok()?;
    runtime.block_on(async {
        let (mut c, mut r#break, mut close) = (ctrl_c().ok()?, ctrl_break().ok()?, ctrl_close().ok()?);
        let (mut logoff, mut shutdown) = (ctrl_logoff().ok()?, ctrl_shutdown().ok()?);
        drop(set_up);
        std::future::poll_fn(|context| {
            let console = [c.poll_recv(context), r#break.poll_recv(context), close.poll_recv(context)];
            let session = [logoff.poll_recv(context), shutdown.poll_recv(context)];
            let has_arrived = console.iter().chain(&session).any(Poll::is_ready);
            if has_arrived { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        // Keep listening until the process has ended, because without a listener a later signal would end it at once.
        std::mem::forget((c, r#break, close, logoff, shutdown));
        Some(INTERRUPT)
    })
}
