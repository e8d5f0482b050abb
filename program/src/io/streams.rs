//! Standard streams, and a wrapper that makes non-blocking streams block.

use std::io::{self, BufRead, ErrorKind, Read, StdinLock, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use anstream::AutoStream;

/// How long to wait before retrying a read or write that would block.
const RETRY_PAUSE: Duration = Duration::from_millis(2);

/// A stream that blocks where the inner one returns [`ErrorKind::WouldBlock`], as with `O_NONBLOCK`.
pub struct Blocking<S>(pub S);

/// Windows' error for a pipe without a reader, which is not mapped to [`ErrorKind::BrokenPipe`].
const PIPE_NOT_CONNECTED: i32 = 233;

/// Repeats a call until its result is not [`ErrorKind::WouldBlock`].
fn retry_while_blocked<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => sleep(RETRY_PAUSE),
            Err(error) if cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED) => {
                return Err(ErrorKind::BrokenPipe.into());
            }
            result => return result,
        }
    }
}

impl<S: Write> Write for Blocking<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        retry_while_blocked(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        retry_while_blocked(|| self.0.flush())
    }
}

impl<S: Read> Read for Blocking<S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        retry_while_blocked(|| self.0.read(bytes))
    }
}

impl<S: BufRead> BufRead for Blocking<S> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        // At the end of the input, return at once: a second call would read from a terminal again.
        if retry_while_blocked(|| self.0.fill_buf().map(<[u8]>::is_empty))? {
            Ok(&[])
        } else {
            self.0.fill_buf()
        }
    }

    fn consume(&mut self, bytes: usize) {
        self.0.consume(bytes);
    }
}

/// Whether an output file is standard output, by the name `-` or `/dev/stdout`.
static IS_OUTPUT_FILE: AtomicBool = AtomicBool::new(false);

/// Reserves standard output for an output file, so that programs can read it: results for people go to
/// standard error from now on.
pub fn reserve_stdout() {
    IS_OUTPUT_FILE.store(true, Ordering::Relaxed);
}

/// Where results for people go: standard output, or standard error if standard output is reserved.
pub fn stdout() -> Blocking<Box<dyn Write>> {
    Blocking(if IS_OUTPUT_FILE.load(Ordering::Relaxed) {
        Box::new(io::stderr())
    } else {
        Box::new(io::stdout())
    })
}

/// Like [`stdout`], for text with ANSI escapes, which are removed where they are not wanted.
pub fn coloured() -> AutoStream<Box<dyn Write>> {
    let choice = match IS_OUTPUT_FILE.load(Ordering::Relaxed) {
        true => AutoStream::choice(&io::stderr()),
        false => AutoStream::choice(&io::stdout()),
    };
    AutoStream::new(Box::new(stdout()), choice)
}

/// Writes text for people in one go, so that Ctrl-C cannot cut an escape sequence.
pub fn say(text: &str) -> io::Result<()> {
    let mut out = coloured();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Whether standard output is open. If not, the standard library opens `/dev/null` for reading and writing instead, so
/// that no later file becomes standard output. A shell that redirects to `/dev/null` opens it for writing only.
#[cfg(unix)]
pub fn has_stdout() -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path| std::fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino())).ok();
    let is_null = device("/dev/stdout").is_some_and(|out| Some(out) == device("/dev/null"));
    let mode = rustix::fs::fcntl_getfl(io::stdout()).ok();
    !(is_null && mode.is_some_and(|mode| mode.contains(rustix::fs::OFlags::RDWR)))
}

/// On other systems, this is not checked.
#[cfg(not(unix))]
pub fn has_stdout() -> bool {
    true
}

pub fn stdin() -> Blocking<StdinLock<'static>> {
    Blocking(io::stdin().lock())
}
