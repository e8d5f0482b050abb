//! Whether standard output was closed when the program started.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output was closed when the program started.
static IS_STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed from the start, so that nobody can read it.
pub fn is_stdout_closed() -> bool {
    IS_STDOUT_CLOSED.load(Ordering::Relaxed)
}

#[cfg(unix)]
mod unix {
    use std::sync::atomic::Ordering;

    use super::IS_STDOUT_CLOSED;

    /// Runs before the standard library opens `/dev/null` in place of a closed standard stream; only asks the kernel.
    #[ctor::ctor(unsafe)]
    fn look_at_stdout() {
        let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()) == Err(rustix::io::Errno::BADF);
        IS_STDOUT_CLOSED.store(is_closed, Ordering::Relaxed);
    }
}
