//! A guest in other houses: the program among file systems, limits, terminals and shells that are not those of the
//! machine it was made on. Each test was a public report of some other program.

use std::path::Path;

#[cfg(target_os = "linux")]
use crate::common::program::Ran;
use crate::common::program::{PROGRAM, command, dovemate, dovemate_in, run};

/// Calls that file systems refuse, and with which error.
#[cfg(target_os = "linux")]
struct Refused {
    calls: Vec<i64>,
    /// Only if this argument, by number, is not 0.
    unless_zero: Option<u8>,
    error: i32,
}

#[cfg(target_os = "linux")]
impl Refused {
    fn new(calls: &[i64], error: i32) -> Refused {
        Refused { calls: calls.to_owned(), unless_zero: None, error }
    }

    /// Makes the calls fail in this thread, and in what it starts, from now on. `None` if the system does not let it.
    fn apply(&self) -> Option<()> {
        use seccompiler::{
            BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
            SeccompRule, apply_filter,
        };
        let condition = |number| {
            let unequal = SeccompCondition::new(number, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0);
            SeccompRule::new(vec![unequal.expect("an argument")]).expect("a condition")
        };
        let rules = || self.unless_zero.map(condition).into_iter().collect();
        let filter = SeccompFilter::new(
            self.calls.iter().map(|&call| (call, rules())).collect(),
            SeccompAction::Allow,
            SeccompAction::Errno(self.error.unsigned_abs()),
            std::env::consts::ARCH.try_into().ok()?,
        );
        let program: BpfProgram = filter.expect("a filter").try_into().expect("a program");
        apply_filter(&program).ok()
    }
}

/// Runs the program where calls are refused. `None`, and a word about it, where the system does not let a process do
/// that to itself.
#[cfg(target_os = "linux")]
fn refusing(refused: &[Refused], folder: &Path, arguments: &[&str]) -> Option<Ran> {
    // What is refused stays so to the end of the thread.
    let in_thread = || {
        refused.iter().map(Refused::apply).collect::<Option<Vec<()>>>()?;
        Some(dovemate_in(folder, arguments, ""))
    };
    let ran = std::thread::scope(|scope| scope.spawn(in_thread).join().expect("it runs"));
    if ran.is_none() {
        crate::common::say_skipped(
            "file systems that sync and link nothing, as calls cannot be refused here",
        );
    }
    ran
}

/// What FUSE, SMB, exFAT and shared folders of virtual machines may do without: syncing, links, and renaming without
/// replacing.
#[cfg(target_os = "linux")]
fn poor_file_system() -> [Refused; 3] {
    let links = [
        #[cfg(target_arch = "x86_64")]
        libc::SYS_link,
        libc::SYS_linkat,
    ];
    let renames = Refused { unless_zero: Some(4), ..Refused::new(&[libc::SYS_renameat2], libc::EINVAL) };
    [
        Refused::new(&[libc::SYS_fsync, libc::SYS_fdatasync], libc::EINVAL),
        Refused::new(&links, libc::EPERM),
        renames,
    ]
}

#[test]
#[cfg(target_os = "linux")]
fn files_are_written_where_nothing_can_be_synced_or_linked() {
    let (poor, usual) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let count =
        &["count", "--doves", "4", "--backend", "cpu", "--csv", "new.csv", "--json", "there.json"][..];
    let solve =
        &["solve", "--kinds", "AY", "--no-return", "--quiet", "--tables", "tables", "--keep", "rounds"];
    for folder in [&poor, &usual] {
        std::fs::write(folder.path().join("there.json"), "earlier").expect("a file");
    }
    for arguments in [count, solve] {
        let Some(ran) = refusing(&poor_file_system(), poor.path(), arguments) else { return };
        ran.succeeds();
        dovemate_in(usual.path(), arguments, "").succeeds();
    }
    let csv = |folder: &Path| std::fs::read_to_string(folder.join("new.csv")).expect("a file");
    assert_eq!(csv(poor.path()), csv(usual.path()));
    let json = std::fs::read_to_string(poor.path().join("there.json")).expect("a file");
    assert!(json.starts_with('{') && json.ends_with("}\n"), "{json}");
    let written = super::solving_in_files::tables_and_rounds;
    assert!(written(poor.path()) == written(usual.path()), "other tables or rounds");
    let hidden = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("an entry").file_name().to_string_lossy().starts_with('.')
    };
    assert!(!poor.path().read_dir().expect("a folder").any(hidden), "a temporary file is left");
}

/// A disk that loses what is written is another thing: there the output fails, and nothing is half there.
#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_fails_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["count", "--doves", "4", "--backend", "cpu", "--csv", "new.csv"];
    let broken = [Refused::new(&[libc::SYS_fsync], libc::EIO)];
    let Some(ran) = refusing(&broken, folder.path(), &arguments) else { return };
    let Ran { out, err, .. } = ran.ends(1);
    assert!(err.contains("new.csv cannot be written: Input/output error"), "{err}");
    assert!(out.starts_with("doves  shapes"), "what was counted is not lost: {out}");
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
}

/// A stack so large that no thread can be started, as where a limit on processes is reached.
#[cfg(target_os = "linux")]
const NO_THREADS: (&str, &str) = ("RUST_MIN_STACK", "70368744177664");

#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_be_started_are_an_error() {
    for arguments in [
        "count --doves 4 --backend cpu",
        "list --doves 4",
        "solve --kinds A",
        "best b;B --kinds A --depth 2",
        "puzzles --kinds AY --plies 3",
        "play --kinds A",
        "serve --port 0 --kinds A",
        "verify",
    ] {
        let mut program = command(PROGRAM, Path::new("."));
        run(program.args(arguments.split(' ')).envs([NO_THREADS]), "").fails(1, "threads cannot be started");
    }
    // What needs none does its work.
    run(command(PROGRAM, Path::new(".")).args(["show", "b;B"]).envs([NO_THREADS]), "").succeeds();
}

/// The variable with which all programs that use rayon are given their threads is bounded as the option is.
#[test]
fn the_environment_gives_a_number_of_threads_within_bounds() {
    let threads = |number: &str| {
        let mut program = command(PROGRAM, Path::new("."));
        let arguments = ["count", "--doves", "4", "--backend", "cpu", "--quiet", "--json", "-"];
        let ran = run(program.args(arguments).env("RAYON_NUM_THREADS", number), "");
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        json["counted"]["threads"].as_u64().expect("a number")
    };
    let refused = dovemate(&["count", "--threads", "100000"]).err;
    let most = refused.split("from 1 to ").nth(1).and_then(|rest| rest.split(';').next());
    let most: u64 = most.and_then(|most| most.parse().ok()).unwrap_or_else(|| panic!("{refused}"));
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    assert!(most >= cores.min(1024) && most <= 64.max(4 * cores), "{most} threads for {cores} cores");
    assert_eq!(threads("3"), 3);
    assert_eq!(threads("100000"), most);
    for nothing in ["", "0", "many", "-1"] {
        assert_eq!(threads(nothing), cores.min(most), "'{nothing}'");
    }
}

/// What `ulimit -v` leaves is what a solve may take.
#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_address_space_is_a_limit_on_memory() {
    let solve = |limit: &str, arguments: &str| {
        let script = format!(r#"ulimit -v {limit}; exec "$0" solve --threads 1 --quiet {arguments}"#);
        run(command("sh", Path::new(".")).args(["-c", &script, PROGRAM]), "")
    };
    solve("400000", "--kinds AYMT").fails(2, "GB are free here");
    let solved = solve("400000", "--kinds AY").succeeds();
    assert!(solved.out.contains("\nsolved on "), "{}", solved.out);
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = command("sh", folder.path());
    // Too little for the game in memory, and enough for it in files.
    let script = r#"ulimit -v 400000; exec "$0" solve --threads 1 --quiet --kinds AYM --tables tables"#;
    run(program.args(["-c", script, PROGRAM]), "").succeeds();
}

/// Ctrl-C ends a loop of a shell, as the program dies by the signal: a program that exits with 130 has handled it, and
/// the loop would go on.
#[test]
#[cfg(target_os = "linux")]
fn one_interrupt_ends_a_loop() {
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;

    use crate::common::program::{ENDLESS, died_by, end_of};
    use crate::common::wait_for;
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"for number in 1 2; do "$0" "$@" --json new.json; echo "and on, after $?"; done"#;
    let mut shell = command("env", folder.path());
    shell.args(["--default-signal=HUP,INT,TERM", "bash", "-c", script, PROGRAM]).args(ENDLESS);
    let mut shell =
        shell.process_group(0).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("there is `env`");
    let has_begun = wait_for("a temporary file", || {
        let has_ended = shell.try_wait().expect("it can be asked").is_some();
        let is_there = folder.path().read_dir().expect("a folder").next().is_some();
        (has_ended || is_there).then_some(is_there)
    });
    if !has_begun {
        return crate::common::say_skipped("an interrupt of a loop, as there is no `bash`");
    }
    // A terminal sends it to all processes of the group.
    let group = format!("-{}", shell.id());
    let kill = std::process::Command::new("kill").args(["-INT", "--", &group]).status();
    assert!(kill.expect("kill starts").success());
    died_by("-INT", end_of(&mut shell));
    assert_eq!(shell.wait_with_output().expect("its output").stdout, b"");
}

/// Cells of a spreadsheet, joined by tabs: as an argument, and on standard input, a board in several lines.
#[test]
fn boards_come_from_spreadsheets() {
    let expected = dovemate(&["show", "-b-B;--Ma;A---;Y---"]).succeeds().out;
    for rows in ["\tb\t\tB\r\n\t\tM\ta\r\nA\t\t\t\r\nY\t\t\t\r\n", "-\tb\t-\tB\n-\t-\tM\ta\nA\nY"] {
        assert_eq!(dovemate(&["show", rows]).succeeds().out, expected, "{rows:?}");
    }
    let rows = "\tb\t\tB\n\t\tM\ta\nA\t\t\t\nY\t\t\t\n";
    assert_eq!(dovemate_in(Path::new("."), &["show", "-"], rows).succeeds().out, expected);
    let best = |board: &str| dovemate(&["best", board, "--depth", "3"]).succeeds().out;
    assert_eq!(best(rows), best("-b-B;--Ma;A---;Y---"));
    // A blank line is between two boards, and a row with separators is a board of its own.
    let two = dovemate_in(Path::new("."), &["show"], &format!("{rows}\nb\t;B\n")).succeeds().out;
    assert_eq!(two, expected + "\n" + &dovemate(&["show", "b;B"]).succeeds().out);
    dovemate_in(Path::new("."), &["show"], "\nb\t\nx\tB\n")
        .fails(2, "line 2: board of rows 'b ', 'xB': row 2, column 1");
}
