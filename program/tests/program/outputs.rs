//! Where outputs go, and what becomes of what was there: descriptors, `-`, folders that cannot be written,
//! and names typed in `play`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::common::folders::{Folder, names};
use crate::common::program::{ENDLESS, PROGRAM, Ran, command, dovemate_in, run};
use crate::common::{PATIENCE, say_skipped};

const CSV: &str =
    "doves,shapes,boss_placements,assignments,mates\n5,120,56,40320,0\n6,374,238,1199520,14310\n";
const COUNT: &str = "count --doves 5..6 --backend cpu --csv";

/// Runs a script in a folder; `$0` is the program.
fn shell(folder: &Path, script: &str) -> Ran {
    run(command("sh", folder).args(["-c", script, PROGRAM]), "")
}

/// What is written to a descriptor that is open for appending comes between what is written there before and
/// after.
#[test]
#[cfg(target_os = "linux")]
fn descriptors_are_appended_to() {
    let folder = Folder::new();
    for (number, target) in [(3, "/dev/fd/3"), (7, "/proc/self/fd/7"), (2, "/dev/stderr")] {
        let script = format!(
            "exec {number}>>log; echo before >&{number}; \"$0\" {COUNT} {target} >/dev/null; echo after >&{number}"
        );
        folder.write("log", "");
        assert_eq!(shell(&folder, &script).status, 0, "{script}");
        assert_eq!(folder.read("log"), format!("before\n{CSV}after\n"), "{script}");
        assert_eq!(folder.names(), ["log"], "{script}");
    }
    // Closed here, whatever the shell has inherited.
    let ran = shell(&folder, &format!("exec 3>&-; \"$0\" {COUNT} /dev/fd/3"));
    assert!(ran.status == 1 && ran.err.contains("/dev/fd/3 cannot be written: "), "{}", ran.err);
    // A named pipe is written to, too.
    let ran = shell(&folder, &format!("mkfifo pipe; cat pipe & \"$0\" {COUNT} pipe >/dev/null; wait"));
    assert_eq!((ran.status, ran.out.as_str()), (0, CSV), "{}", ran.err);
}

/// If a file goes to standard output, by either name, all else that is printed goes to standard error.
#[test]
#[cfg(target_os = "linux")]
fn standard_output_has_only_the_file() {
    let folder = Folder::new();
    for target in ["-", "/dev/stdout"] {
        shell(&folder, &format!("\"$0\" {COUNT} {target} > out.txt"));
        assert_eq!(folder.read("out.txt"), CSV, "{target}");
    }
}

/// If the content cannot be written in place, it is in a file that later runs leave alone.
#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_in_place_is_kept() {
    let folder = Folder::new();
    let ran = shell(&folder, &format!("TMPDIR=. \"$0\" {COUNT} /dev/full"));
    assert_eq!(ran.status, 1, "{}", ran.err);
    let (_, kept) = ran
        .err
        .trim_end()
        .split_once("No space left on device (os error 28); the complete content is in ")
        .expect("it is told");
    assert_eq!(folder.read(kept), CSV);
    let left = folder.names();
    shell(&folder, &format!("TMPDIR=. \"$0\" {COUNT} /dev/null")).succeeds();
    assert_eq!((folder.names(), left.len()), (left.clone(), 1));
}

#[test]
fn a_dash_is_standard_output_or_input() {
    let folder = Folder::new();
    let dovemate = |arguments: &str, input: &str| {
        let ran = dovemate_in(&folder, arguments, input);
        assert_eq!(folder.names(), [""; 0], "{arguments:?}");
        ran
    };
    for (arguments, begins) in [
        ("count --doves 5..6 --backend cpu --csv -", CSV),
        ("count --doves 5..6 --backend cpu --json -", "{\n"),
        ("positions --csv -", "doves,"),
        ("svg b;B -o -", "<svg "),
        ("list --doves 6 --limit 1 -o -", "-b-B;--Ma;A---;Y---\n"),
        ("puzzles --plies 1 --quiet -o -", "<!DOCTYPE html>"),
        ("serve --export - --kinds A", "<!DOCTYPE html>"),
        ("solve --kinds A --quiet --csv -", "mover,doves,"),
    ] {
        let ran = dovemate(arguments, "");
        assert!(ran.status == 0 && ran.out.starts_with(begins), "{arguments}: {} {}", ran.out, ran.err);
    }
    dovemate("count --csv - --json -", "").fails(2, "--csv and --json name the same file");
    let game = "Tokyo Doves game, format 1\n1. +AS1\n";
    for (arguments, input, has) in [
        ("show -", "b;B\nb;BA\n", "u64 0c00400000000000"),
        ("show --game -", game, "1. red +AS1"),
        ("play --board - --kinds A --depth 1", "\nb;BA\n-A\nmoves\n", "1. -A "),
        ("explain --brief -", "\nb;B\n", "neither mate nor win in one"),
        ("best - --kinds A", "b;B\n", "draw"),
        ("svg -", "b;B\n", "<svg "),
    ] {
        let ran = dovemate(arguments, input);
        assert!(ran.status == 0 && ran.out.contains(has), "{arguments}: {} {}", ran.out, ran.err);
    }
    for arguments in ["explain -", "best -", "svg -"] {
        dovemate(arguments, "\n\n").fails(2, "standard input has no board");
    }
}

/// Names typed in `play` are taken as they are, except for quotes around them and `~`; and a file with another game is
/// not replaced.
#[test]
#[cfg(target_os = "linux")]
fn files_typed_in_play() {
    use std::ffi::OsStr;
    use std::io::Write;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    fs::create_dir_all(folder.join("home/sub")).expect("a folder");
    let play = |typed: &[u8]| {
        let mut program = command(PROGRAM, &folder);
        program
            .args(["play", "--kinds", "A", "--depth", "1", "--seed", "1"])
            .env("HOME", folder.join("home"));
        program.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut process = program.spawn().expect("it starts");
        process.stdin.take().expect("a pipe").write_all(typed).expect("it reads");
        String::from_utf8(process.wait_with_output().expect("it ends").stdout)
            .expect("UTF-8")
            .replace('\n', " ")
    };
    let bytes = |name: &[u8]| fs::read(folder.join(OsStr::from_bytes(name))).unwrap_or_default();
    // Two names in Shift-JIS and one in Latin-1; none of them is UTF-8.
    let names: [&[u8]; 3] = [b"\x94\xb5.txt", b"\x8b\xc7.txt", b"K\xf6nig.txt"];
    for (count, name) in names.iter().enumerate() {
        let typed = [&b"+AS1\n".repeat(count.min(1))[..], b"save ", name, b"\n"].concat();
        let out = play(&typed);
        assert!(out.contains("the game is in ") && !out.contains("cannot"), "{out}");
        assert_eq!(bytes(name).windows(4).any(|part| part == b"+AS1"), count > 0, "{out}");
    }
    for (typed, file) in [
        ("\"two words.txt\"", "two words.txt"),
        ("'quoted.txt'", "quoted.txt"),
        ("plain words.txt  ", "plain words.txt"),
        ("it's.txt", "it's.txt"),
        ("~/mine.txt", "home/mine.txt"),
        ("\"~/sub/my game.txt\"", "home/sub/my game.txt"),
        ("~.txt", "~.txt"),
        ("./-", "./-"),
    ] {
        let out = play(format!("SAVE {typed}\n").as_bytes());
        assert!(out.contains("the game is in "), "{typed}: {out}");
        assert!(bytes(file.as_bytes()).starts_with(b"Tokyo Doves game"), "{typed}: {out}");
    }
    assert!(play(b"save -\n").contains("- is not a file"));
    // A file is replaced only if it is empty or was saved in this match.
    for (text, typed, is_replaced) in [
        ("Tokyo Doves game, format 1\n", "save it\n", false),
        ("no game\n", "save it\n", false),
        ("no game\n", "save ./it\n", false),
        ("", "save it\n", true),
        ("", "save it\n+AE1\nsave it\nundo\nsave it\n", true),
    ] {
        folder.write("it", text);
        let out = play(typed.as_bytes());
        assert_eq!(folder.read("it") != text, is_replaced, "{text} {typed}: {out}");
        assert_eq!(out.contains("it is not replaced: name another file"), !is_replaced, "{typed}: {out}");
    }
}

/// A user who is not root, and owns nothing.
const SOMEBODY: u32 = 54321;

/// Whether this process may become another user; what is skipped is said if not.
fn is_root() -> bool {
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    if !is_root {
        say_skipped("files of other users, as only root can become one");
    }
    is_root
}

/// A copy of the program that everybody can run, in a folder that everybody can enter.
fn shared_program(folder: &Folder) -> PathBuf {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("the folder is ours");
    let program = folder.join("dovemate");
    fs::copy(PROGRAM, &program).expect("a copy of the program");
    program
}

/// Runs a script as somebody else.
fn as_somebody(program: &Path, folder: &Path, script: &str) -> Ran {
    let somebody = format!("--reuid={SOMEBODY}");
    let arguments = [&somebody, "--regid=54321", "--clear-groups", "sh", "-c", script];
    run(command("setpriv", folder).args(arguments).arg(program), "")
}

/// Of a file that is written in place, nothing changes but the content.
#[test]
fn a_file_that_is_there_stays_the_same_file() {
    let folder = Folder::new();
    let file = folder.join("out.csv");
    // Longer than the new content.
    fs::write(&file, "earlier\n".repeat(100)).expect("a write");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o604)).expect("it is ours");
    fs::hard_link(&file, folder.join("other")).expect("a link");
    symlink("out.csv", folder.join("symlink")).expect("a link");
    let same = || {
        file.metadata()
            .map(|it| (it.dev(), it.ino(), it.nlink(), it.uid(), it.gid(), it.mode()))
            .expect("a file")
    };
    let before = same();
    shell(&folder, &format!("umask 077; \"$0\" {COUNT} symlink")).succeeds();
    assert_eq!((same(), folder.read("other").as_str()), (before, CSV));
    assert_eq!(folder.names(), ["other", "out.csv", "symlink"]);
}

/// A writable file is written where no file can be made beside it. What cannot be written at all is refused
/// before the work, and what is in the way is named.
#[test]
#[cfg(target_os = "linux")]
fn folders_that_cannot_be_written() {
    use std::os::unix::fs::chown;
    if !is_root() {
        return;
    }
    let shared = Folder::new();
    let program = shared_program(&shared);
    let files = shared.join("files");
    let file = files.join("out.csv");
    fs::create_dir(&files).expect("a folder");
    fs::write(&file, "earlier").expect("a write");
    chown(&file, Some(SOMEBODY), Some(SOMEBODY)).expect("root");
    let ran = as_somebody(&program, &files, &format!("\"$0\" {COUNT} out.csv"));
    assert_eq!((ran.status, shared.read("files/out.csv").as_str()), (0, CSV), "{}", ran.err);
    // It would go on for hours, unless it is refused before it begins.
    let long = format!("timeout {} \"$0\" {} --quiet --csv", PATIENCE.as_secs(), ENDLESS);
    let refused = |name: &str, says: &str| {
        let ran = as_somebody(&program, &shared, &format!("{long} {name}"));
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{name}: {}", ran.err);
        assert!(ran.err.contains(&format!("{name} cannot be written: {says}")), "{says}: {}", ran.err);
    };
    refused("files/new.csv", "no file can be made in the folder");
    refused("files/missing/new.csv", "the folder files/missing does not exist");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("root");
    refused("files/out.csv", "permission denied");
    fs::set_permissions(&files, fs::Permissions::from_mode(0o700)).expect("root");
    refused("files/out.csv", "the folder files cannot be entered");
    assert_eq!(names(&files), ["out.csv"]);
}
