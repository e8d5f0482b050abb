//! Turns what the operating system does to a process into ordinary errors: a closed standard output, a limit on file
//! sizes, too little memory, Ctrl-C.
//!
//! - Rust opens `/dev/null` in place of a closed standard stream, so that output is lost without an error. We check for
//!   a closed standard output before that, and replace it by a pipe without a reader: writing then fails.
//! - A write beyond the limit on file sizes (`ulimit -f`) raises SIGXFSZ, which kills the process unless it is handled.
//!   With a handler, the write fails as on a full disk.
//! - When memory runs out, the standard library reports how much was wanted and aborts; we turn the abort into exit
//!   status 1.

use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::{Failure, complain};
use super::output;

/// Exit status after Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Whether the work is kept in files, so that the same command continues it after an interrupt.
static GOES_ON: AtomicBool = AtomicBool::new(false);

/// Declares that the work is kept in files from now on, so that an interrupt says that the command can be repeated.
pub fn goes_on_after_interrupt() {
    GOES_ON.store(true, Ordering::Relaxed);
}

/// Sets up signals and checks the environment; must be called first.
pub fn prepare() -> Result<(), Failure> {
    #[cfg(unix)]
    unix::prepare();
    remove_unfinished_files_on_interrupt();
    check_thread_variables()
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

/// Refuses a number of threads in the environment that `--threads` would refuse: the thread pool would use it.
fn check_thread_variables() -> Result<(), Failure> {
    for name in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"] {
        let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else {
            continue;
        };
        // To the pool, 0 means all cores.
        let is_number = value.to_str().and_then(|text| text.parse().ok()).is_some_and(|n| (0..=1024_u32).contains(&n));
        if !is_number {
            let message =
                format!("{name} is '{}'; it takes 1 to 1024 threads, or 0 for all cores", value.to_string_lossy());
            return Err(Failure::Usage(message));
        }
    }
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::io;

    use signal_hook::consts::{SIGABRT, SIGXFSZ};
    use signal_hook::flag;

    use crate::io::failure::complain;
    use crate::io::stdout::is_stdout_closed;

    pub fn prepare() {
        if let Err(error) = set_up() {
            complain(format_args!("warning: signals cannot be handled: {error}"));
        }
    }

    fn set_up() -> io::Result<()> {
        // A large game in files has thousands of them open. If this fails, the old limit stays, and opening a file may
        // fail with the system's message.
        let _ = rlimit::increase_nofile_limit(u64::MAX);
        if is_stdout_closed() {
            let (reader, writer) = io::pipe()?;
            drop(reader);
            rustix::stdio::dup2_stdout(writer)?;
        }
        // The flag is never read: the failing write is enough.
        flag::register(SIGXFSZ, std::sync::Arc::default())?;
        flag::register_conditional_shutdown(SIGABRT, 1, std::sync::Arc::new(true.into()))?;
        Ok(())
    }
}
