//! What the operating system does to the process: signals that end it, and its limit on open files.

use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::complain;
use super::output;

/// Exit status after Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Whether the work is kept in files, so that the same command continues it after an interrupt.
static GOES_ON: AtomicBool = AtomicBool::new(false);

/// Declares that the work is kept in files from now on, so that an interrupt says that the command can be repeated.
pub fn goes_on_after_interrupt() {
    GOES_ON.store(true, Ordering::Relaxed);
}

/// Sets up signals and limits; must be called first.
pub fn prepare() {
    // A large game in files has thousands of them open. If this fails, the old limit stays, and opening a file may fail
    // with the system's message.
    #[cfg(unix)]
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    remove_unfinished_files_on_interrupt();
}

/// Installs a handler that removes temporary files and exits on Ctrl-C or a similar signal.
fn remove_unfinished_files_on_interrupt() {
    let set = ctrlc::set_handler(|| {
        let _held = output::remove_unfinished_files();
        let hint = if GOES_ON.load(Ordering::Relaxed) { "; the same command goes on" } else { "" };
        complain(format_args!("interrupted{hint}"));
        std::process::exit(INTERRUPTED);
    });
    // Without a handler a signal still ends the program; only temporary files may stay behind.
    if let Err(error) = set {
        complain(format_args!("warning: Ctrl-C cannot be handled: {error}"));
    }
}
