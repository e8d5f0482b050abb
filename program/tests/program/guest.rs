//! A guest in other houses: the program among file systems, limits, terminals and shells that are not those of the
//! machine it was made on. A public report about some other program suggested each test.

use std::path::Path;

use crate::common::folders::Folder;
use crate::common::program::{PROGRAM, Ran, command, dovemate_in, run};

/// Calls that file systems refuse, and with which error.
struct Refused {
    calls: Vec<i64>,
    /// Only if this argument, by number, is not 0.
    unless_zero: Option<u8>,
    error: i32,
}

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

/// Runs the program where calls are refused. `None`, with a line that says so, where the system does not let a process
/// do that to itself.
fn refusing(refused: &[Refused], folder: &Path, arguments: &str) -> Option<Ran> {
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
fn files_are_written_where_nothing_can_be_synced_or_linked() {
    let (poor, usual) = (Folder::new(), Folder::new());
    let count = "count --doves 4 --backend cpu --csv new.csv --json there.json";
    let solve = "solve --kinds AY --no-return --quiet --tables tables --keep rounds";
    for folder in [&poor, &usual] {
        folder.write("there.json", "earlier");
    }
    for arguments in [count, solve] {
        let Some(ran) = refusing(&poor_file_system(), &poor, arguments) else { return };
        ran.succeeds();
        usual.dovemate(arguments).succeeds();
    }
    assert_eq!(poor.read("new.csv"), usual.read("new.csv"));
    let json = poor.read("there.json");
    assert!(json.starts_with('{') && json.ends_with("}\n"), "{json}");
    let written = super::solving_in_files::tables_and_rounds;
    assert!(written(&poor) == written(&usual), "other tables or rounds");
    assert!(!poor.names().iter().any(|name| name.starts_with('.')), "a temporary file is left");
}

/// On a disk that loses what is written, the output fails, and no half-written file is left.
#[test]
fn a_disk_that_fails_is_an_error() {
    let folder = Folder::new();
    let arguments = "count --doves 4 --backend cpu --csv new.csv";
    let broken = [Refused::new(&[libc::SYS_fsync], libc::EIO)];
    let Some(ran) = refusing(&broken, &folder, arguments) else { return };
    let Ran { out, err, .. } = ran.ends(1);
    assert!(err.contains("new.csv cannot be written: Input/output error"), "{err}");
    assert!(out.starts_with("doves  shapes"), "what was counted is not lost: {out}");
    assert_eq!(folder.names(), [""; 0]);
}

/// A stack so large that no thread can be started, as where a limit on processes is reached.
const NO_THREADS: (&str, &str) = ("RUST_MIN_STACK", "70368744177664");

#[test]
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
    // A command that needs no threads works.
    run(command(PROGRAM, Path::new(".")).args(["show", "b;B"]).envs([NO_THREADS]), "").succeeds();
}

/// What `ulimit -v` leaves is what a solve may take.
#[test]
fn a_limit_on_address_space_is_a_limit_on_memory() {
    let solve = |limit: &str, arguments: &str| {
        let script = format!(r#"ulimit -v {limit}; exec "$0" solve --threads 1 --quiet {arguments}"#);
        run(command("sh", Path::new(".")).args(["-c", &script, PROGRAM]), "")
    };
    solve("550000", "--kinds AYMT").fails(2, "GB are free here");
    let solved = solve("550000", "--kinds AY").succeeds();
    assert!(solved.out.contains("\nsolved on "), "{}", solved.out);
    let folder = Folder::new();
    let mut program = command("sh", &folder);
    // Too little for the game in memory, and enough for it in files.
    let script = r#"ulimit -v 550000; exec "$0" solve --threads 1 --quiet --kinds AYM --tables tables"#;
    run(program.args(["-c", script, PROGRAM]), "").succeeds();
}

/// Ctrl-C ends a loop of a shell, as the program dies by the signal: a program that exits with 130 has handled it, and
/// the loop would go on.
#[test]
fn one_interrupt_ends_a_loop() {
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;

    use crate::common::program::{ENDLESS, died_by, end_of};
    use crate::common::wait_for;
    let folder = Folder::new();
    let script = r#"for number in 1 2; do "$0" "$@" --json new.json; echo "and on, after $?"; done"#;
    let mut shell = command("env", &folder);
    shell.args(["--default-signal=HUP,INT,TERM", "bash", "-c", script, PROGRAM]).args(ENDLESS.split(' '));
    let mut shell =
        shell.process_group(0).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("there is `env`");
    let has_begun = wait_for("a temporary file", || {
        let has_ended = shell.try_wait().expect("it can be asked").is_some();
        let is_there = folder.read_dir().expect("a folder").next().is_some();
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
