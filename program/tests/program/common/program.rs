//! The program, as a user runs it.
//!
//! No test here needs a GPU: the Vulkan loader is pointed at a driver that does not exist, so that every
//! machine seems to have none. (Metal and DX12 cannot be hidden; for these, tests that count use `--backend
//! cpu`.)

use std::ffi::OsString;
use std::io::Write;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;

use serde_json::Value;

use super::wait_for;

/// Where the program is.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_dovemate");

/// The two variables that tell new and old Vulkan loaders which drivers to use.
const HIDE_GPUS: [(&str, &str); 2] =
    [("VK_DRIVER_FILES", "/nonexistent/driver.json"), ("VK_ICD_FILENAMES", "/nonexistent/driver.json")];

/// The result of a run.
pub struct Ran {
    /// The exit status; −1 after a signal.
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// The program that is tested: ours, or the one that `DOVEMATE_PROGRAM` names, such as one for another system.
pub fn tested() -> OsString {
    std::env::var_os("DOVEMATE_PROGRAM").unwrap_or_else(|| PROGRAM.into())
}

/// This program, or a shell that runs ours, in a folder and without a GPU.
pub fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(if program == PROGRAM { tested() } else { program.into() });
    // Boards are drawn with the characters of a locale with UTF-8.
    command.current_dir(folder).envs(HIDE_GPUS).env("LC_ALL", "C.UTF-8");
    command
}

/// Variables of the environment, as in `LANG=C LC_ALL=`.
pub fn variables(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split_whitespace().filter_map(|variable| variable.split_once('='))
}

/// Builds a source file as a library for C, which the program is to load.
#[cfg(target_os = "linux")]
pub fn build_library(source: &Path, library: &Path) {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-C", "panic=abort"]).arg(source);
    let built = run(rustc.arg("-o").arg(library), "");
    assert_eq!(built.status, 0, "{}", built.err);
}

/// Replaces the system's functions in a program by those of this source, for as long as the returned folder exists.
#[cfg(target_os = "linux")]
pub fn replace_functions(program: &mut Command, source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, library) = (folder.path().join("functions.rs"), folder.path().join("libfunctions.so"));
    std::fs::write(&file, source).expect("it is written");
    build_library(&file, &library);
    program.env("LD_PRELOAD", library);
    folder
}

/// A count that goes on for hours on any machine, because it is repeated.
pub const ENDLESS: &str = "bench --backend cpu --method exhaustive --threads 1 --runs 1000";

/// The program in a folder, to be interrupted. Where signals are ignored when the tests start, as in the
/// background of a script, whatever they start would ignore them, too.
pub fn interruptible(folder: &Path) -> Command {
    if !cfg!(target_os = "linux") {
        return command(PROGRAM, folder);
    }
    let mut command = command("env", folder);
    command.arg("--default-signal=HUP,INT,TERM").arg(tested());
    command
}

/// A process that is killed when it is dropped, if it has not ended already.
pub struct Running(pub Child);

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.kill();
        let _ = self.wait();
    }
}

/// Starts a command, and ignores what it prints.
pub fn started(command: &mut Command) -> Running {
    Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts"))
}

/// Sends a signal, such as `-INT`.
pub fn send(signal: &str, process: &Child) {
    let kill = Command::new("kill").args([signal, &process.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
}

/// The numbers of signals.
#[cfg(unix)]
const SIGNALS: [(&str, i32); 4] = [("-HUP", 1), ("-INT", 2), ("-KILL", 9), ("-TERM", 15)];

/// Asserts that a process has died by a signal, such as `-INT`.
#[cfg(unix)]
pub fn died_by(signal: &str, status: ExitStatus) {
    use std::os::unix::process::ExitStatusExt;
    let number = SIGNALS.into_iter().find(|(name, _)| *name == signal).expect("a signal").1;
    assert_eq!(status.signal(), Some(number), "{signal}: {status:?}");
}

/// Waits for the end of a process.
pub fn end_of(process: &mut Child) -> ExitStatus {
    wait_for("the end of a process", || process.try_wait().expect("a process"))
}

/// Runs a command to its end, with `input` on standard input.
pub fn run(command: &mut Command, input: &str) -> Ran {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = pipes.spawn().expect("it starts");
    let mut stdin = process.stdin.take().expect("a pipe");
    let output = thread::scope(|scope| {
        // A program that needs no more input may have ended.
        scope.spawn(move || stdin.write_all(input.as_bytes()).is_ok());
        process.wait_with_output()
    });
    Ran::from(output.expect("it runs"))
}

/// Runs a line of a shell, in which `dovemate` is the program.
pub fn shell(line: &str, folder: &Path) -> Ran {
    let own = Path::new(PROGRAM).parent().expect("a folder");
    let path = format!("{}:{}", own.display(), std::env::var("PATH").expect("a path"));
    run(command("sh", folder).args(["-c", line]).env("PATH", path).env("COLUMNS", "100"), "")
}

/// Arguments of the program: words between spaces, or between quotes as in a shell; or a list of texts.
pub trait Arguments {
    fn list(&self) -> Vec<String>;
}

impl Arguments for str {
    fn list(&self) -> Vec<String> {
        let parts = self.split('\'').enumerate().flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        parts.map(str::to_owned).collect()
    }
}

impl Arguments for String {
    fn list(&self) -> Vec<String> {
        self.as_str().list()
    }
}

impl<T: AsRef<str>> Arguments for [T] {
    fn list(&self) -> Vec<String> {
        self.iter().map(|text| text.as_ref().to_owned()).collect()
    }
}

impl<T: AsRef<str>, const N: usize> Arguments for [T; N] {
    fn list(&self) -> Vec<String> {
        self[..].list()
    }
}

/// Runs the program in a folder, with `input` on standard input.
pub fn dovemate_in(folder: &Path, arguments: &(impl Arguments + ?Sized), input: &str) -> Ran {
    run(command(PROGRAM, folder).args(arguments.list()), input)
}

/// Runs the program with `input` on standard input.
pub fn dovemate_reading(arguments: &(impl Arguments + ?Sized), input: &str) -> Ran {
    dovemate_in(Path::new("."), arguments, input)
}

/// Runs the program with empty standard input.
pub fn dovemate(arguments: &(impl Arguments + ?Sized)) -> Ran {
    dovemate_reading(arguments, "")
}

/// Asserts that a text has these parts, separated by ` … `, one after the other.
#[track_caller]
pub fn has(text: &str, parts: &str) {
    let mut rest = text;
    for part in parts.split(" … ") {
        let Some((_, after)) = rest.split_once(part) else {
            panic!("{part:?} of {parts:?} is not in: {text}")
        };
        rest = after;
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { status: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    /// Asserts success, with nothing on standard error.
    pub fn succeeds(self) -> Ran {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "exit status and standard error");
        self
    }

    /// Asserts this exit status, one error with this text on standard error, and nothing on standard output. In the
    /// text, `…` stands for anything.
    pub fn fails(&self, status: i32, says: &str) {
        assert_eq!(self.status, status, "exit status; standard error: {}", self.err);
        assert_eq!(self.out, "", "standard output");
        let errors: Vec<&str> = self.err.lines().filter(|line| line.starts_with("error: ")).collect();
        let [error] = errors[..] else { panic!("not exactly one error: {}", self.err) };
        has(&self.err, says);
        assert!(self.err.starts_with(error) && !self.err.contains("panicked"), "{}", self.err);
        // Errors from clap add where to find help; ours are exactly one line.
        assert!(self.err.trim_end() == error || self.err.contains("--help"), "{}", self.err);
    }

    /// Asserts this exit status.
    pub fn ends(self, status: i32) -> Ran {
        assert_eq!(self.status, status, "exit status; {}", self.text());
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// Asserts that this is printed, where `…` stands for anything.
    #[track_caller]
    pub fn says(&self, parts: &str) {
        has(&self.out, parts);
    }

    /// What it printed, as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// All output.
    pub fn text(&self) -> String {
        self.out.clone() + &self.err
    }
}

/// All output of a process.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
