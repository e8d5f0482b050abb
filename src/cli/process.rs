//! What the operating system does to a process, turned into ordinary errors: a standard output that is closed, a limit on the
//! size of files, too little memory, Ctrl-C.
//!
//! - Rust puts `/dev/null` where a standard stream is closed, so that what is written there is lost without an error. Whether
//!   standard output was closed is looked at before that, and a pipe without a reader put in its place: writing fails.
//! - A write beyond the limit on the size of files (`ulimit -f`) sends SIGXFSZ, which ends a process unless it is handled. Once
//!   it is, the write fails, as on a full disk.
//! - Where memory runs out, the standard library says how much was wanted and aborts; the abort is made the exit status 1.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Failure, output};

/// Exit status after Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Whether standard output was closed when the program started.
static IS_STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether what is done is kept in files, so that the same command goes on after an interrupt.
static GOES_ON: AtomicBool = AtomicBool::new(false);

/// From now on what is done is kept in files: whoever interrupts it is told so.
pub fn goes_on_after_interrupt() {
    GOES_ON.store(true, Ordering::Relaxed);
}

/// Whether nobody can ever have read standard output, because it was closed from the start.
pub fn is_stdout_closed() -> bool {
    IS_STDOUT_CLOSED.load(Ordering::Relaxed)
}

/// Makes ready; to be called first of all.
pub fn prepare() -> Result<(), Failure> {
    #[cfg(unix)]
    unix::prepare();
    remove_unfinished_files_on_interrupt();
    check_thread_variables()
}

/// On Ctrl-C and the like: removes temporary files and ends the program.
fn remove_unfinished_files_on_interrupt() {
    let set = ctrlc::set_handler(|| {
        let _held = output::remove_unfinished_files();
        let hint = if GOES_ON.load(Ordering::Relaxed) { "; the same command goes on" } else { "" };
        super::complain(format_args!("interrupted{hint}"));
        std::process::exit(INTERRUPTED);
    });
    // Without a handler the program is ended all the same; only temporary files may stay behind.
    if let Err(error) = set {
        super::complain(format_args!("warning: Ctrl-C cannot be handled: {error}"));
    }
}

/// Refuses a number of threads in the environment that `--threads` would refuse: the thread pool would try it.
fn check_thread_variables() -> Result<(), Failure> {
    for name in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"] {
        let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else {
            continue;
        };
        // 0 is the pool's word for all cores.
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
    use std::sync::atomic::Ordering;

    use signal_hook::consts::{SIGABRT, SIGXFSZ};
    use signal_hook::flag;

    use super::super::complain;
    use super::IS_STDOUT_CLOSED;

    /// Before the standard library opens `/dev/null` where a standard stream is closed. Asks the kernel, and no more.
    #[ctor::ctor(unsafe)]
    fn look_at_stdout() {
        let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()) == Err(rustix::io::Errno::BADF);
        IS_STDOUT_CLOSED.store(is_closed, Ordering::Relaxed);
    }

    pub fn prepare() {
        if let Err(error) = set_up() {
            complain(format_args!("warning: signals cannot be handled: {error}"));
        }
    }

    fn set_up() -> io::Result<()> {
        if super::is_stdout_closed() {
            let (reader, writer) = io::pipe()?;
            drop(reader);
            rustix::stdio::dup2_stdout(writer)?;
        }
        // Nobody asks whether there was a signal: the write says so.
        flag::register(SIGXFSZ, std::sync::Arc::default())?;
        flag::register_conditional_shutdown(SIGABRT, 1, std::sync::Arc::new(true.into()))?;
        Ok(())
    }
}
