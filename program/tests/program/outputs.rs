//! Where outputs go, and what becomes of what was there: descriptors, `-`, files that cannot be replaced, and names typed
//! in `play`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::common::program::{PROGRAM, Ran, command, dovemate_in, run};
use crate::common::say_skipped;

const CSV: &str = "doves,shapes,boss_placements,assignments,mates\n5,120,56,40320,0\n6,374,238,1199520,14310\n";
const COUNT: &str = "count --doves 5..6 --backend cpu --csv";

/// Runs a script in a folder; `$0` is the program.
fn shell(folder: &Path, script: &str) -> Ran {
    run(command("sh", folder).args(["-c", script, PROGRAM]), "")
}

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

/// What is written to a descriptor comes between what is written there before and after, by whatever name.
#[test]
#[cfg(target_os = "linux")]
fn a_descriptor_goes_on_where_it_is() {
    let folder = folder();
    symlink("/dev/fd/3", folder.path().join("link")).expect("a link");
    for (number, target) in [
        (3, "/dev/fd/3"),
        (3, "/proc/self/fd/3"),
        (3, "link"),
        (7, "/dev/fd/7"),
        (2, "/dev/stderr"),
        (2, "log"),
        (1, "/dev/stdout"),
        (1, "log"),
        (1, "-"),
    ] {
        for open in [">log", ">>log", "<>log"] {
            fs::write(folder.path().join("log"), "").expect("a write");
            let elsewhere = if number == 1 { "" } else { ">/dev/null" };
            let script = format!(
                "exec {number}{open}; echo before >&{number}; \"$0\" {COUNT} {target} {elsewhere}; echo after >&{number}"
            );
            assert_eq!(shell(folder.path(), &script).status, 0, "{script}");
            let log = read(folder.path().join("log"));
            let rest = log.strip_prefix(&format!("before\n{CSV}")).unwrap_or_else(|| panic!("{script}: {log}"));
            let is_shared = number == 1 && target != "-";
            assert!(rest.ends_with("after\n") && (is_shared || rest == "after\n"), "{script}: {log}");
            assert_eq!(names(folder.path()), ["link", "log"], "{script}");
        }
    }
    // A file without a name keeps what is written to it, and gets none.
    let script = format!("rm log; exec 3<>log; rm log; \"$0\" {COUNT} /dev/fd/3 >/dev/null; cat /proc/self/fd/3");
    assert_eq!(shell(folder.path(), &script).out, CSV);
    assert_eq!(names(folder.path()), ["link"]);
    for (before, target, says) in [
        ("", "/dev/fd/3", "/dev/fd/3 cannot be written: descriptor 3 is not open"),
        ("", "/proc/self/fd/4", "descriptor 4 is not open"),
        ("exec 3</dev/null;", "/dev/fd/3", "descriptor 3 is open for reading only"),
    ] {
        let ran = shell(folder.path(), &format!("{before} \"$0\" {COUNT} {target}"));
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{target}: {}", ran.err);
        assert!(ran.err.contains(says), "{says}: {}", ran.err);
    }
}

#[test]
fn sockets_are_written_or_refused() {
    use std::io::Read;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::{UnixListener, UnixStream};
    let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
    let mut program = std::process::Command::new(PROGRAM);
    program.args(COUNT.split(' ')).arg("/dev/stdout").stdout(OwnedFd::from(theirs));
    let mut child = program.spawn().expect("it starts");
    drop(program);
    let mut text = String::new();
    { ours }.read_to_string(&mut text).expect("UTF-8");
    assert!(child.wait().expect("it ends").success() && text.starts_with(CSV), "{text}");
    let folder = folder();
    let _listener = UnixListener::bind(folder.path().join("socket")).expect("a socket");
    let ran = shell(folder.path(), &format!("\"$0\" {COUNT} socket"));
    assert!(ran.status == 1 && ran.err.contains("socket cannot be written: it is a socket"), "{}", ran.err);
}

#[test]
fn a_dash_is_standard_output_or_input() {
    let folder = folder();
    let dovemate = |arguments: &str, input: &str| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let ran = dovemate_in(folder.path(), &arguments, input);
        assert_eq!(names(folder.path()), [""; 0], "{arguments:?}");
        ran
    };
    for (arguments, begins) in [
        ("count --doves 5..6 --backend cpu --csv -", CSV),
        ("count --doves 5..6 --backend cpu --json -", "{\n"),
        ("positions --csv -", "doves,"),
        ("svg b;B -o -", "<svg "),
        ("list --doves 6 --limit 1 -o -", "-b-B;--Ma;A---;Y---\n"),
        ("best b;B --kinds A --page -", "<!DOCTYPE html>"),
        ("serve --export - --kinds A", "<!DOCTYPE html>"),
        ("solve --kinds A --quiet --csv -", "mover,doves,"),
    ] {
        let ran = dovemate(arguments, "");
        assert!(ran.status == 0 && ran.out.starts_with(begins), "{arguments}: {} {}", ran.out, ran.err);
    }
    let ran = dovemate("count --csv - --json -", "");
    assert!(ran.status == 2 && ran.err.contains("--csv and --json name the same file"), "{}", ran.err);
    let game = "Tokyo Doves game, format 1\n1. +AS1\n";
    for (arguments, input, has) in [
        ("show -", "b;B\nb;BA\n", "u64 0c00400000000000"),
        ("show --game -", game, "1. red +AS1"),
        ("show --game - --page -", game, "<!DOCTYPE html>"),
        ("play --load - --depth 1", game, "the game is left as it stands"),
        ("play --board - --kinds A --depth 1", "\nb;BA\n-A\nmoves\n", "1. -A "),
        ("explain --brief -", "\nb;B\n", "neither mate nor win in one"),
        ("best - --kinds A", "b;B\n", "draw"),
        ("svg -", "b;B\n", "<svg "),
    ] {
        let ran = dovemate(arguments, input);
        assert!(ran.status == 0 && ran.out.contains(has), "{arguments}: {} {}", ran.out, ran.err);
    }
    for arguments in ["explain -", "best -", "svg -"] {
        let ran = dovemate(arguments, "\n\n");
        assert!(ran.status == 2 && ran.err.contains("standard input has no board"), "{arguments}: {}", ran.err);
    }
}

/// Names typed in `play` are taken as they are, but for quotes around them and `~`; and the game of another file is kept.
#[test]
#[cfg(target_os = "linux")]
fn files_typed_in_play() {
    use std::ffi::OsStr;
    use std::io::Write;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    fs::create_dir_all(folder.path().join("home/sub")).expect("a folder");
    let play = |typed: &[u8]| {
        let mut program = command(PROGRAM, folder.path());
        program.args(["play", "--kinds", "A", "--depth", "1", "--seed", "1"]).env("HOME", folder.path().join("home"));
        program.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut process = program.spawn().expect("it starts");
        process.stdin.take().expect("a pipe").write_all(typed).expect("it reads");
        String::from_utf8(process.wait_with_output().expect("it ends").stdout).expect("UTF-8").replace('\n', " ")
    };
    let bytes = |name: &[u8]| fs::read(folder.path().join(OsStr::from_bytes(name))).unwrap_or_default();
    // Two names in Shift-JIS and one in Latin-1, which are no UTF-8.
    let names: [&[u8]; 3] = [b"\x94\xb5.txt", b"\x8b\xc7.txt", b"K\xf6nig.txt"];
    for (count, name) in names.iter().enumerate() {
        let typed = [&b"+AS1\n".repeat(count.min(1))[..], b"save ", name, b"\nload ", name, b"\nmoves\n"].concat();
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
        let out = play(format!("SAVE {typed}\nload {typed}\nmoves\n").as_bytes());
        assert!(out.contains("the game is in ") && out.contains("nobody has acted yet"), "{typed}: {out}");
        assert!(bytes(file.as_bytes()).starts_with(b"Tokyo Doves game"), "{typed}: {out}");
    }
    for typed in ["save -\n", "load -\n"] {
        assert!(play(typed.as_bytes()).contains("- is no file"), "{typed}");
    }
    // A game is replaced by its continuation, and by itself after a step back, but by no other game.
    let ours = "start: b;B\nred doves: A\ngreen doves: A\n";
    for (saved, typed, is_replaced) in [
        (format!("{ours}1. +AS1 +aN1\n"), "save it\n", false),
        (format!("{ours}1. +AS1\n"), "+AE1\nsave it\n", false),
        (format!("{ours}1. +AS1\n"), "+AS1\nsave it\n", true),
        (ours.to_owned(), "+AE1\nsave it\n", true),
        (format!("{ours}1. +AS1\n"), "load it\nundo\nsave it\n", true),
        (String::new(), "save it\n", true),
        ("start: b;BA\n".to_owned(), "save it\n", false),
        ("red doves: Y\ngreen doves: A\n".to_owned(), "save it\n", false),
        ("no game\n".to_owned(), "save it\n", false),
    ] {
        let text = if saved.is_empty() { saved } else { format!("Tokyo Doves game, format 1\n{saved}") };
        fs::write(folder.path().join("it"), &text).expect("a write");
        let out = play(typed.as_bytes());
        assert_eq!(read(folder.path().join("it")) != text, is_replaced, "{text} {typed}: {out}");
        assert_eq!(out.contains("it is not replaced: name another file"), !is_replaced, "{text} {typed}: {out}");
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
fn shared_program(folder: &TempDir) -> PathBuf {
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("the folder is ours");
    let program = folder.path().join("dovemate");
    fs::copy(PROGRAM, &program).expect("a copy of the program");
    program
}

/// Runs a script as somebody else.
fn as_somebody(program: &Path, folder: &Path, script: &str) -> Ran {
    let somebody = format!("--reuid={SOMEBODY}");
    let arguments = [&somebody, "--regid=54321", "--clear-groups", "sh", "-c", script];
    run(command("setpriv", folder).args(arguments).arg(program), "")
}

/// Mode, owner, group and other names of a replaced file are as before, and only its content is new.
#[test]
#[cfg(target_os = "linux")]
fn a_replaced_file_stays_what_it_is() {
    use std::os::unix::fs::chown;
    if !is_root() {
        return;
    }
    let shared = folder();
    let program = shared_program(&shared);
    let at = |name: &str| shared.path().join("files").join(name);
    // Who runs the program, who owns the file, its mode, and whether it has another name.
    let (root, somebody) = ((0, 0), (SOMEBODY, SOMEBODY));
    for (runs_as_root, owner, mode, is_linked) in [
        (true, root, 0o640, false),
        (true, root, 0o600, true),
        (true, somebody, 0o644, false),
        (true, (0, 12345), 0o2664, false),
        (true, (12345, SOMEBODY), 0o4750, false),
        (true, somebody, 0o660, true),
        (false, somebody, 0o604, false),
        (false, somebody, 0o666, true),
        (false, root, 0o666, false),
        (false, (SOMEBODY, 0), 0o660, false),
        (false, (0, SOMEBODY), 0o664, false),
    ] {
        let case = format!("as root {runs_as_root}, owner {owner:?}, mode {mode:o}, linked {is_linked}");
        fs::create_dir(at("")).expect("a folder");
        chown(at(""), Some(SOMEBODY), Some(SOMEBODY)).expect("root");
        // Longer than the new content.
        fs::write(at("out.csv"), "earlier\n".repeat(100)).expect("a write");
        chown(at("out.csv"), Some(owner.0), Some(owner.1)).expect("root");
        fs::set_permissions(at("out.csv"), fs::Permissions::from_mode(mode)).expect("root");
        if is_linked {
            fs::hard_link(at("out.csv"), at("other")).expect("a link");
        }
        let before = names(&at(""));
        let script = format!("umask 077; \"$0\" {COUNT} out.csv");
        let ran = match runs_as_root {
            true => shell(&at(""), &script),
            false => as_somebody(&program, &at(""), &script),
        };
        assert_eq!(ran.status, 0, "{case}: {}", ran.err);
        assert_eq!(read(at("out.csv")), CSV, "{case}");
        let metadata = at("out.csv").metadata().expect("a file");
        assert_eq!((metadata.uid(), metadata.gid()), owner, "{case}");
        // The kernel takes set-user-ID bits off a file that somebody writes to.
        assert_eq!(metadata.mode() & 0o7777, mode, "{case}");
        assert!(!is_linked || read(at("other")) == CSV, "{case}");
        assert_eq!(names(&at("")), before, "{case}");
        fs::remove_dir_all(at("")).expect("root");
    }
}

/// Where no file can be made beside it, a writable file is overwritten when the new content is complete. What cannot be
/// written at all is refused before the work, and what is in the way is named.
#[test]
#[cfg(target_os = "linux")]
fn folders_that_cannot_be_written() {
    use std::os::unix::fs::chown;
    if !is_root() {
        return;
    }
    let shared = folder();
    let program = shared_program(&shared);
    let files = shared.path().join("files");
    let file = files.join("out.csv");
    fs::create_dir(&files).expect("a folder");
    fs::write(&file, "earlier").expect("a write");
    chown(&file, Some(SOMEBODY), Some(SOMEBODY)).expect("root");
    // It cannot be completed.
    let limited = "trap '' XFSZ; ulimit -f 20; \"$0\" list --doves 7 --quiet -o out.csv";
    for format in ["text", "tdl"] {
        let ran = as_somebody(&program, &files, &format!("{limited} --format {format}"));
        assert_eq!((ran.status, read(&file).as_str()), (1, "earlier"), "{format}: {}", ran.err);
    }
    let ran = as_somebody(&program, &files, &format!("\"$0\" {COUNT} out.csv"));
    assert_eq!((ran.status, read(&file).as_str()), (0, CSV), "{}", ran.err);
    // A count of a quarter of an hour, unless it is refused before it begins.
    let long = "timeout 20 \"$0\" count --doves 12 --method exhaustive --backend cpu --threads 1 --quiet --csv";
    let refused = |name: &str, says: &str| {
        let ran = as_somebody(&program, shared.path(), &format!("{long} {name}"));
        assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{name}: {}", ran.err);
        assert!(ran.err.contains(&format!("{name} cannot be written: {says}")), "{says}: {}", ran.err);
    };
    refused("files/new.csv", "no file can be made in the folder");
    refused("files/missing/new.csv", "there is no folder");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("root");
    refused("files/out.csv", "permission denied");
    fs::set_permissions(&files, fs::Permissions::from_mode(0o700)).expect("root");
    refused("files/out.csv", "the folder files cannot be entered");
    assert_eq!(names(&files), ["out.csv"]);
}

/// A file that is mounted by itself, as in a container, cannot be renamed over.
#[test]
#[cfg(target_os = "linux")]
fn a_mounted_file_is_overwritten() {
    let folder = folder();
    for name in ["host.csv", "out.csv"] {
        fs::write(folder.path().join(name), "earlier\n".repeat(100)).expect("a write");
    }
    let script = format!(
        "exec unshare --map-root-user --mount sh -c 'mount --bind host.csv out.csv || exit 77
        \"$0\" {COUNT} out.csv && cat out.csv' \"$0\""
    );
    let ran = shell(folder.path(), &script);
    if ran.err.contains("unshare") || ran.status == 77 {
        return say_skipped(&format!("a mounted file: {}", ran.err.trim()));
    }
    assert!(ran.status == 0 && ran.out.ends_with(CSV), "{} {}", ran.out, ran.err);
    assert_eq!(read(folder.path().join("host.csv")), CSV);
    assert_eq!(names(folder.path()), ["host.csv", "out.csv"]);
}
