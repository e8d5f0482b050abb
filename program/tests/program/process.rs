//! The program as a process: its output, the files that it writes or leaves alone, and its exit status.

use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::common::program::replace_functions;
use crate::common::program::{
    ENDLESS, PROGRAM, Ran, command, died_by, dovemate, dovemate_in, end_of, interruptible, run, send,
};
use crate::common::wait_for;

/// The names in a folder, including hidden ones.
fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("the folder can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path.as_ref())
        .unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

fn write(path: impl AsRef<Path>, text: &str) {
    std::fs::write(path.as_ref(), text)
        .unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()));
}

const CSV_5_TO_6: &str =
    "doves,shapes,boss_placements,assignments,mates\n5,120,56,40320,0\n6,374,238,1199520,14310\n";

#[test]
fn count_of_a_range() {
    let Ran { out, .. } =
        dovemate(&["count", "--doves", "2..6", "--backend", "cpu", "--threads", "1"]).succeeds();
    let (table, summary) =
        out.split_once("\n\n").expect("an empty line between the table and what it comes to");
    let expected = "\
doves  shapes  boss placements  assignments   mates
    2       2                0            0       0
    3       5                2           20       0
    4      40                6          540       0
    5     120               56       40,320       0
    6     374              238    1,199,520  14,310
total     541              302    1,240,400  14,310";
    assert_eq!(table, expected);
    let lines: Vec<&str> = summary.lines().collect();
    let [total, how, confirmed] = lines[..] else { panic!("three lines: {summary}") };
    assert_eq!(total, "14,310 – no figure is published for this");
    assert!(how.starts_with("counted on 1 CPU thread with the factored method in "), "{how}");
    assert!(confirmed.starts_with("confirmed on 1 CPU thread with the exhaustive method in "), "{confirmed}");
    assert!(
        confirmed.ends_with(" s: all 1,240,400 assignments tested, all 302 boss placements equal"),
        "{confirmed}"
    );
}

/// A single number of doves has no line for the total. No GPU is found, and `auto` takes the CPU without a
/// warning.
#[test]
fn count_of_one_number_without_a_gpu() {
    let Ran { out, .. } =
        dovemate(&["count", "--doves", "6", "--method", "exhaustive", "--threads", "2"]).succeeds();
    assert!(out.contains("\n    6     374              238    1,199,520  14,310\n\n14,310 "), "{out}");
    assert!(!out.contains("total") && !out.contains("agrees"), "{out}");
    if cfg!(target_os = "linux") {
        assert!(out.contains("counted on 2 CPU threads with the exhaustive method in "), "{out}");
    }
}

/// The whole count, compared with the published figure, and its files.
#[test]
fn count_of_all() {
    let folder = folder();
    let files = ["--csv", "all.csv", "--json", "all.json"];
    let Ran { out, .. } =
        dovemate_in(folder.path(), &[&["count", "--backend", "cpu", "--quiet"][..], &files].concat(), "")
            .succeeds();
    assert!(out.contains("\n4,779,515,952 – agrees with the published figure\n"), "{out}");
    let total = "\ntotal   5,171           52,217  104,674,309,040  4,779,515,952\n";
    assert!(out.contains(total), "{out}");
    let csv = read(folder.path().join("all.csv"));
    assert_eq!(csv.lines().count(), 12, "a header and eleven rows: {csv}");
    let json: serde_json::Value = serde_json::from_str(&read(folder.path().join("all.json"))).expect("JSON");
    assert_eq!(json["agrees_with_published"], true);
    assert_eq!(json["total"], 4_779_515_952_u64);
    assert_eq!(names(folder.path()), ["all.csv", "all.json"]);
}

/// Rows with `--with-run` of the whole game and of one with unequal dove sets fit into one file.
#[test]
fn rows_that_tell_their_run() {
    let folder = folder();
    let runs: [&[&str]; 3] = [
        &["--backend", "cpu", "--doves", "2..7"],
        &["--red", "AY", "--green", "T", "--no-return", "--what", "wins", "--method", "exhaustive"],
        &["--kinds", "-", "--both-surrounded", "draw"],
    ];
    let mut all = String::new();
    for (place, run) in runs.into_iter().enumerate() {
        let files = ["--csv", "plain.csv", "--json", "run.json", "--quiet"];
        dovemate_in(folder.path(), &[&["count"], run, &files[..]].concat(), "").succeeds();
        dovemate_in(
            folder.path(),
            &[&["count"], run, &["--csv", "run.csv", "--with-run", "--quiet"][..]].concat(),
            "",
        )
        .succeeds();
        let [plain, with_run] = ["plain.csv", "run.csv"].map(|name| read(folder.path().join(name)));
        let numbers =
            |line: &str, from: usize| line.split(',').skip(from).map(str::to_owned).collect::<Vec<_>>();
        let has_mover = usize::from(plain.starts_with("mover,"));
        for (plain, with_run) in plain.lines().zip(with_run.lines()).skip(1) {
            assert_eq!(numbers(plain, has_mover), numbers(with_run, 8), "the same numbers at the end");
        }
        assert_eq!(plain.lines().count(), with_run.lines().count());
        let json: serde_json::Value =
            serde_json::from_str(&read(folder.path().join("run.json"))).expect("JSON");
        for key in ["version", "what", "counted", "red", "green", "returns", "both_surrounded", "rows"] {
            assert!(!json[key].is_null(), "{key} in {json}");
        }
        all.extend(with_run.lines().skip(usize::from(place > 0)).map(|line| line.to_owned() + "\n"));
    }
    let version = env!("CARGO_PKG_VERSION");
    for start in [
        "version,what,method,red,green,returns,both_surrounded,mover,doves,shapes,boss_placements,assignments,positions\n"
            .to_owned(),
        format!("{version},mates,factored,BAYMTH,BAYMTH,yes,mover-loses,any,7,729,1376,41610240,842656\n"),
        format!("{version},wins,exhaustive,BAY,BT,no,mover-loses,green,5,"),
        format!("{version},mates,factored,B,B,yes,draw,any,2,"),
    ] {
        assert!(all.contains(&start), "{start} in {all}");
    }
    dovemate(&["count", "--with-run"]).fails(2, "--csv");
}

/// Under other rules there is no published figure, whatever the result.
#[test]
fn other_rules() {
    let mut totals = Vec::new();
    for ruling in ["mover-loses", "mover-wins", "draw"] {
        for no_return in [&["--no-return"][..], &[]] {
            let arguments =
                [&["count", "--doves", "6..7", "--backend", "cpu", "--both-surrounded", ruling], no_return];
            let Ran { out, .. } = dovemate(&arguments.concat()).succeeds();
            let total = out.split("\n\n").nth(1).and_then(|summary| summary.lines().next()).expect("a total");
            assert!(total.ends_with(" – no figure is published for this"), "{total}");
            totals.push(total.to_owned());
        }
    }
    let with_default_rules = "856,966 – no figure is published for this";
    assert_eq!(totals[1], with_default_rules, "6 and 7 doves under the default rules");
    let others = totals.iter().filter(|total| **total != with_default_rules).count();
    assert!(others >= 3, "the options hardly change anything: {totals:?}");
}

#[test]
fn help() {
    for (arguments, mentioned) in [
        (&["--help"][..], &["count", "adapters"][..]),
        (
            &["count", "--help"],
            &["--doves", "--backend", "--adapter", "--threads", "--method", "--no-return"],
        ),
        (&["count", "--help"], &["--both-surrounded", "--csv", "--json", "--quiet", "Examples:"]),
        (&["adapters", "--help"], &["Usage: dovemate adapters"]),
    ] {
        let Ran { out, .. } = dovemate(arguments).succeeds();
        for words in mentioned {
            assert!(out.contains(words), "{arguments:?} does not mention {words}: {out}");
        }
        assert!(!out.contains("inject"), "the faults for tests are not for users: {out}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_adapters() {
    let Ran { out, .. } = dovemate(&["adapters"]).succeeds();
    assert!(out.starts_with("no adapters: ") && out.lines().count() == 1, "{out}");
}

/// Wrong values and senseless combinations: exit status 2, before any file is opened.
#[test]
fn usage_errors() {
    let folder = folder();
    for (arguments, says) in [
        (&["--doves", "1..12"][..], "there are never 1 doves on the board"),
        (&["--doves", "13"], "there are never 13 doves on the board"),
        (&["--doves", "5..3"], "the range is empty; write 3..5"),
        (&["--doves", "x"], "'x' is not a valid number of doves"),
        (&["--doves", "3.."], "'' is not a valid number of doves"),
        (&["--doves", ""], "'' is not a valid number of doves"),
        (&["--doves", "-3"], "'-3'"),
        (&["--backend", "cuda"], "'cuda'"),
        (&["--method", "guessing"], "'guessing'"),
        (&["--both-surrounded", "nobody"], "'nobody'"),
        (&["--threads", "0"], "'0'"),
        (&["--threads", "many"], "'many'"),
        (&["--frobnicate"], "'--frobnicate'"),
        (&["--adapter", "99"], "no adapter matches '99'"),
        (&["--adapter", "no such adapter"], "no adapter matches 'no such adapter'"),
        (&["--backend", "cpu", "--adapter", "0"], "--backend cpu uses no adapter"),
        (&["--json", "out.csv"], "--csv and --json name the same file"),
        (&["--json", "./out.csv"], "--csv and --json name the same file"),
    ] {
        let common = ["count", "--csv", "out.csv"];
        dovemate_in(folder.path(), &[&common[..], arguments].concat(), "").fails(2, says);
        assert_eq!(names(folder.path()), [""; 0], "{arguments:?} leaves something behind");
    }
}

/// One file under two names is refused: the second output would replace the first.
#[test]
#[cfg(unix)]
fn the_same_file_through_a_link() {
    let folder = folder();
    write(folder.path().join("file"), "before");
    std::os::unix::fs::symlink("file", folder.path().join("link")).expect("a link");
    dovemate_in(folder.path(), &["count", "--csv", "file", "--json", "link"], "")
        .fails(2, "--csv and --json name the same file");
    assert_eq!(read(folder.path().join("file")), "before");
}

/// What cannot be done: exit status 1, and no file half-written or changed.
#[test]
fn failures() {
    let folder = folder();
    write(folder.path().join("earlier.csv"), "earlier");
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    let as_before = ["earlier.csv", "sub"];
    for (arguments, says) in [
        (&["--csv", "missing/out.csv"][..], "missing/out.csv cannot be written"),
        (&["--json", "missing/out.json"], "missing/out.json cannot be written"),
        (&["--csv", "sub"], "sub cannot be written: it is a folder"),
        (&["--json", "sub"], "sub cannot be written: it is a folder"),
        // The first file is already open when the second one fails.
        (&["--csv", "earlier.csv", "--json", "sub"], "sub cannot be written: it is a folder"),
        (&["--csv", "new.csv", "--json", "missing/out.json"], "missing/out.json cannot be written"),
    ] {
        dovemate_in(folder.path(), &[&["count", "--doves", "4", "--backend", "cpu"], arguments].concat(), "")
            .fails(1, says);
        assert_eq!(names(folder.path()), as_before, "{arguments:?}");
        assert_eq!(read(folder.path().join("earlier.csv")), "earlier", "{arguments:?}");
    }
}

/// A GPU is asked for, but there is none.
#[test]
#[cfg(target_os = "linux")]
fn no_gpu_to_be_had() {
    let folder = folder();
    write(folder.path().join("earlier.csv"), "earlier");
    let arguments = ["count", "--backend", "gpu", "--csv", "earlier.csv", "--json", "new.json"];
    dovemate_in(folder.path(), &arguments, "").fails(1, "offers an adapter; --backend cpu works without one");
    assert_eq!(names(folder.path()), ["earlier.csv"]);
    assert_eq!(read(folder.path().join("earlier.csv")), "earlier");
}

#[test]
#[cfg(target_os = "linux")]
fn full_devices() {
    let count = ["count", "--doves", "6", "--backend", "cpu"];
    for option in ["--csv", "--json"] {
        let Ran { out, err, .. } = dovemate(&[&count[..], &[option, "/dev/full"]].concat()).ends(1);
        assert!(err.contains("/dev/full cannot be written: No space left"), "{err}");
        assert!(out.starts_with("doves  shapes"), "what was counted is not lost: {out}");
    }
    for arguments in [&count[..], &["adapters"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        let output = command(PROGRAM, Path::new(".")).args(arguments).stdout(full).output();
        let output = output.expect("the program starts");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {err}");
        assert!(
            err.starts_with("error: standard output cannot be written: No space left"),
            "{arguments:?}: {err}"
        );
        assert_eq!(err.lines().count(), 1, "{arguments:?}: {err}");
    }
}

/// A reader that leaves early, such as `head`, is not a failure, and the files are still written.
#[test]
fn closed_pipe() {
    let folder = folder();
    let count = &["count", "--doves", "5..6", "--backend", "cpu", "--csv", "out.csv"][..];
    for arguments in [count, &["list", "--doves", "6"], &["adapters"]] {
        let mut program = command(PROGRAM, folder.path());
        program.args(arguments);
        // The pipe is closed before the program can write: its reading end is dropped before the start.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output =
            program.stdout(writer).stderr(Stdio::piped()).spawn().and_then(|child| child.wait_with_output());
        let output = output.expect("the program runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), err.as_ref()), (Some(0), ""), "{arguments:?}");
    }
    assert_eq!(read(folder.path().join("out.csv")), CSV_5_TO_6);
}

/// Output files, new or in place of old ones, are written whole.
#[test]
fn files() {
    let folder = folder();
    let earlier = "earlier and much longer than what comes now\n".repeat(1000);
    write(folder.path().join("out.csv"), &earlier);
    let arguments =
        ["count", "--doves", "5..6", "--backend", "cpu", "--csv", "out.csv", "--json", "out.json"];
    dovemate_in(folder.path(), &[&arguments[..], &["--threads", "2", "--no-return"]].concat(), "").succeeds();
    assert_eq!(names(folder.path()), ["out.csv", "out.json"]);
    let without_returns = read(folder.path().join("out.csv"));
    assert!(without_returns.starts_with("doves,shapes,boss_placements,assignments,mates\n5,120,56,40320,"));

    let text = read(folder.path().join("out.json"));
    assert!(text.ends_with("}\n"), "the last line is ended: {text}");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&json["format"], &json["program"]), (&4.into(), &"dovemate".into()));
    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&json["returns"], &json["both_surrounded"]), (&false.into(), &"mover-loses".into()));
    let confirmation = &json["confirmation"];
    for (counted, method) in [(&json["counted"], "factored"), (confirmation, "exhaustive")] {
        assert_eq!((&counted["backend"], &counted["method"]), (&"cpu".into(), &method.into()));
        assert_eq!((&counted["threads"], &counted["adapter"]), (&2.into(), &serde_json::Value::Null));
        assert!(counted["seconds"].is_f64() && counted["gpu_seconds"].is_null(), "{text}");
    }
    assert!(json["start_up_seconds"].is_f64() && confirmation["gpu_failure"].is_null(), "{text}");
    assert_eq!(
        (&confirmation["doves"], &confirmation["boss_placements"]),
        (&"5..6".into(), &json["boss_placements"])
    );
    assert!(json["agrees_with_published"].is_null(), "no figure is published for this: {text}");
    // Both files have the same rows.
    let rows = json["rows"].as_array().expect("rows");
    let fields = ["doves", "shapes", "boss_placements", "assignments", "positions"];
    let line = |row: &serde_json::Value| fields.map(|field| row[field].to_string()).join(",");
    assert_eq!(
        rows.iter().map(line).collect::<Vec<_>>(),
        without_returns.lines().skip(1).collect::<Vec<_>>()
    );
    let mates: u64 = rows.iter().map(|row| row["positions"].as_u64().expect("a number")).sum();
    assert_eq!(json["total"], mates);

    dovemate_in(folder.path(), &arguments, "").succeeds();
    assert_eq!(read(folder.path().join("out.csv")), CSV_5_TO_6);
    assert_eq!(names(folder.path()), ["out.csv", "out.json"]);
}

/// New files have the permissions that the user's umask leaves.
#[test]
#[cfg(unix)]
fn permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    for (umask, expected) in [("022", 0o644), ("027", 0o640), ("077", 0o600)] {
        let name = format!("{umask}.csv");
        let script = format!("umask {umask}; exec \"$0\" \"$@\"");
        let arguments = ["-c", &script, PROGRAM, "count", "--doves", "4", "--backend", "cpu", "--csv", &name];
        run(command("sh", folder.path()).args(arguments), "").succeeds();
        let mode = folder.path().join(&name).metadata().expect("the file is there").permissions().mode();
        assert_eq!(mode & 0o777, expected, "umask {umask}: {:o}", mode & 0o777);
    }
}

/// Ctrl-C in the middle of a long count leaves no new file and changes none.
#[test]
#[cfg(unix)]
fn interrupt() {
    use std::io::{BufRead, BufReader};
    let folder = folder();
    write(folder.path().join("earlier.csv"), "earlier");
    for signal in ["-INT", "-TERM"] {
        let mut program = interruptible(folder.path());
        program.args(ENDLESS).args(["--csv", "earlier.csv", "--json", "new.json"]);
        let mut program =
            program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut err =
            BufReader::new(program.stderr.take().expect("a pipe")).lines().map(|line| line.expect("UTF-8"));
        assert!(err.any(|line| line.ends_with(": warm-up")), "it counts");
        assert_eq!(names(folder.path()).len(), 3, "both temporary files: {:?}", names(folder.path()));
        send(signal, &program);
        died_by(signal, end_of(&mut program));
        assert_eq!(err.last().as_deref(), Some("interrupted"), "{signal}");
        assert_eq!(program.wait_with_output().expect("its output").stdout, b"", "{signal}");
        assert_eq!(names(folder.path()), ["earlier.csv"], "{signal}");
        assert_eq!(read(folder.path().join("earlier.csv")), "earlier", "{signal}");
    }
}

/// A signal that was ignored when the program started does nothing to it, whatever was ignored besides; the
/// others end it.
#[test]
#[cfg(target_os = "linux")]
fn ignored_signals_stay_ignored() {
    const BITS: [(&str, u64); 3] = [("-HUP", 1), ("-INT", 1 << 1), ("-TERM", 1 << 14)];
    for (before, ignored, ends) in [
        ("exec nohup", &["-HUP"][..], "-TERM"),
        ("trap '' HUP INT; exec", &["-INT", "-HUP"], "-TERM"),
        ("trap '' TERM; exec", &["-TERM"], "-INT"),
        ("trap '' HUP INT TERM; exec", &["-HUP", "-INT", "-TERM"], "-KILL"),
        ("exec", &[], "-HUP"),
    ] {
        let folder = folder();
        // The shell that runs the tests may ignore signals, too.
        let script = format!("{before} \"$0\" {} --csv new.csv", ENDLESS.join(" "));
        let mut program = std::process::Command::new("env");
        program
            .args(["--default-signal=HUP,INT,TERM", "sh", "-c", &script, PROGRAM])
            .current_dir(folder.path());
        let mut program = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a shell");
        // It opens its output after it has set up signals.
        wait_for("a temporary file", || {
            assert_eq!(program.try_wait().expect("it can be asked"), None, "{before}: it has ended");
            names(folder.path()).iter().any(|name| name.starts_with(".dovemate-")).then_some(())
        });
        let status = read(format!("/proc/{}/status", program.id()));
        let mask = |name: &str| {
            let bits = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line of bits");
            u64::from_str_radix(bits.trim(), 16).expect("bits")
        };
        for (signal, bit) in BITS {
            let is_ignored = ignored.contains(&signal);
            let [ignores, handles] = [mask("SigIgn:"), mask("SigCgt:")].map(|mask| mask & bit != 0);
            assert_eq!((ignores, handles), (is_ignored, !is_ignored), "{before}: {signal}");
        }
        ignored.iter().for_each(|signal| send(signal, &program));
        send(ends, &program);
        died_by(ends, end_of(&mut program));
    }
}

/// On a terminal where no bar can be drawn there are lines, as where there is no terminal.
#[test]
#[cfg(target_os = "linux")]
fn progress_is_shown_on_any_terminal() {
    use std::io::{BufRead, BufReader};
    let shown =
        ["TERM=dumb", "-u TERM", "LC_ALL=C.UTF-8 TERM=xterm", "LC_ALL=ja_JP.UTF-8 TERM=xterm"].map(|term| {
            // The reader of the list takes its time, which is most of an hour, on any machine.
            let reader = "while sleep 0.1; do head -c 1000000; done >/dev/null";
            let script = format!("env {term} {PROGRAM} list --doves 12 | {reader}");
            let mut terminal = std::process::Command::new("env");
            terminal.args(["--default-signal=HUP,INT,TERM", "script", "-qefc", &script, "/dev/null"]);
            (term, terminal.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn())
        });
    for (term, terminal) in shown {
        let mut terminal = terminal.expect("there is `env`");
        let mut out = BufReader::new(terminal.stdout.take().expect("a pipe"));
        let mut first = Vec::new();
        // A bar is drawn over and over in one line.
        out.read_until(if term.ends_with("xterm") { b'\r' } else { b'\n' }, &mut first)
            .expect("it can be read");
        if first.is_empty() && terminal.wait().expect("it ends").code() == Some(127) {
            return crate::common::say_skipped("progress on a terminal, as there is no `script`");
        }
        let first = String::from_utf8_lossy(&first);
        assert!(first.contains(" of 22,317,120,000 ") || first.contains(" left"), "{term}: {first:?}");
        assert_eq!(first.is_ascii(), !term.starts_with("LC_ALL=C."), "{term}: {first:?}");
        assert_eq!(
            first.contains("assignments decided after"),
            !term.ends_with("xterm"),
            "{term}: {first:?}"
        );
        drop(out);
        terminal.kill().expect("it runs");
        terminal.wait().expect("it ends");
    }
}

/// A link to a file that does not exist yet is followed; a link that leads nowhere, or the name of a folder,
/// is refused.
#[test]
#[cfg(unix)]
fn links_and_names_of_folders() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("sub")).expect("a folder");
    symlink("sub/new.csv", at("dangling")).expect("a link");
    symlink("loop", at("loop")).expect("a link");
    symlink("missing/", at("to-folder")).expect("a link");
    write(at("file"), "earlier");
    let count = ["count", "--doves", "5..6", "--backend", "cpu", "--csv"];
    let csv = |name: &str| dovemate_in(folder.path(), &[&count[..], &[name]].concat(), "");
    let before = names(folder.path());
    csv("dangling").succeeds();
    assert!(at("dangling").is_symlink(), "the link was replaced");
    assert_eq!(read(at("sub/new.csv")), CSV_5_TO_6);
    for (name, says) in [
        ("loop", "loop cannot be written: Too many levels of symbolic links"),
        ("to-folder", "to-folder cannot be written: "),
        ("missing/", "missing/ cannot be written: that names a folder"),
        ("file/", "file/ cannot be written: that names a folder"),
        ("sub/", "sub/ cannot be written: it is a folder"),
    ] {
        csv(name).fails(1, says);
    }
    assert_eq!(names(folder.path()), before);
    assert_eq!(read(at("file")), "earlier");
}

/// Files left by a killed run are removed by the next run that writes there. Files of a running one, and
/// files with similar names, stay.
#[test]
#[cfg(unix)]
fn left_over_files() {
    let folder = folder();
    let alike = [
        ".dovemate-.part",
        ".dovemate-ab_defghijkl.part",
        ".dovemate-abcdefghijkl.par",
        ".other-abcdefghijkl.part",
    ];
    for name in alike {
        write(folder.path().join(name), "somebody's");
    }
    let before = names(folder.path());
    let mut program = command(PROGRAM, folder.path());
    program.args(ENDLESS).args(["--csv", "long.csv"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut program = program.spawn().expect("the program starts");
    let mut has = |more: usize, what: &str| {
        wait_for(what, || {
            assert_eq!(program.try_wait().expect("it can be asked"), None, "it has ended");
            (names(folder.path()).len() == before.len() + more).then_some(())
        });
    };
    has(1, "a temporary file");
    let short = ["count", "--doves", "5..6", "--backend", "cpu", "--csv", "out.csv"];
    dovemate_in(folder.path(), &short, "").succeeds();
    // Its file is locked just after it is made. If that was too late, it makes another one.
    has(2, "a living run's file");
    program.kill().expect("it runs");
    program.wait().expect("it ends");
    assert_eq!(
        names(folder.path()).len(),
        before.len() + 2,
        "a killed run's file: {:?}",
        names(folder.path())
    );
    dovemate_in(folder.path(), &short, "").succeeds();
    let mut expected = before;
    expected.push("out.csv".to_owned());
    expected.sort();
    assert_eq!(names(folder.path()), expected);
}

/// Where every lock is granted, as some file systems of networks do, no run removes what another one writes.
#[test]
#[cfg(target_os = "linux")]
fn locks_that_hold_nobody_off() {
    const GRANTED: &str = "#[unsafe(no_mangle)] pub extern \"C\" fn flock(_: i32, _: i32) -> i32 { 0 }";
    let folder = folder();
    let granted = |arguments: &[&str]| {
        let mut program = command(PROGRAM, folder.path());
        let library = replace_functions(program.args(arguments), GRANTED);
        (program, library)
    };
    let (mut long, _library) = granted(&[&ENDLESS[..], &["--csv", "long.csv"]].concat());
    let mut long = long.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    wait_for("a temporary file", || (names(folder.path()).len() == 1).then_some(()));
    let short = ["count", "--doves", "5..6", "--backend", "cpu", "--csv", "out.csv"];
    let (mut short, _library) = granted(&short);
    run(&mut short, "").succeeds();
    assert_eq!(names(folder.path()).len(), 2, "the living run's file is gone");
    long.kill().expect("it runs");
    long.wait().expect("it ends");
}

/// Help or a result that cannot be written to standard output: exit status 1.
#[test]
#[cfg(target_os = "linux")]
fn nowhere_to_write() {
    let folder = folder();
    let shell = |script: &str, arguments: &[&str]| {
        run(command("sh", folder.path()).args(["-c", script, PROGRAM]).args(arguments), "")
    };
    for arguments in [&["--help"][..], &["--version"], &["list", "--help"], &["show", "b;B"]] {
        shell("exec \"$0\" \"$@\" >/dev/full", arguments)
            .fails(1, "standard output cannot be written: No space left");
    }
}

#[test]
fn exit_statuses_are_in_the_help_and_in_every_manual_page() {
    let help = &["--help"][..];
    #[cfg(feature = "packaging")]
    let places = [help, &["man"], &["man", "count"], &["man", "list"]];
    #[cfg(not(feature = "packaging"))]
    let places = [help];
    for arguments in places {
        let Ran { out, .. } = dovemate(arguments).succeeds();
        for words in ["done;", "wrong arguments", "a contradiction", "interrupted"] {
            assert_eq!(out.matches(words).count(), 1, "{arguments:?}: {words}");
        }
    }
}

/// `count` with dove sets: what it writes, and what it refuses.
#[test]
fn count_takes_dove_sets() {
    let all = |more: &[&str]| {
        dovemate(&[&["count", "--doves", "2..4", "--backend", "cpu"], more].concat()).succeeds().out
    };
    let without_times = |text: String| text.lines().take(6).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(without_times(all(&["--kinds", "AYMTH"])), without_times(all(&[])), "they are all doves");
    let folder = folder();
    let even = ["count", "--kinds", "my", "--what", "wins", "--csv", "even.csv", "--quiet"];
    let Ran { out, .. } = dovemate_in(folder.path(), &even, "").succeeds();
    assert!(
        out.contains("YM against YM – no figure is published") && out.contains("on the CPU only"),
        "{out}"
    );
    let even = read(folder.path().join("even.csv"));
    let mut lines = even.lines();
    assert_eq!(lines.next(), Some("doves,shapes,boss_placements,assignments,wins"));
    // From the bosses alone to both bosses with two kinds each.
    let doves: Vec<&str> = lines.filter_map(|line| line.split(',').next()).collect();
    assert_eq!(doves, ["2", "3", "4", "5", "6"]);

    let handicap = [
        "count",
        "--red",
        "-",
        "--green",
        "h",
        "--csv",
        "handicap.csv",
        "--json",
        "handicap.json",
        "--quiet",
    ];
    let Ran { out, .. } = dovemate_in(folder.path(), &handicap, "").succeeds();
    assert!(out.contains("red to move") && out.contains("green to move"), "{out}");
    let handicap = read(folder.path().join("handicap.csv"));
    let starts: Vec<String> =
        handicap.lines().map(|line| line.split(',').take(2).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(starts, ["mover,doves", "red,2", "red,3", "green,2", "green,3"]);
    let json: serde_json::Value =
        serde_json::from_str(&read(folder.path().join("handicap.json"))).expect("JSON");
    assert_eq!(
        (&json["format"], &json["red"], &json["green"], &json["rows"][3]["mover"]),
        (&4.into(), &"B".into(), &"BH".into(), &"green".into())
    );

    // Keys are those of a count of all doves.
    let whole = ["count", "--doves", "2..3", "--json", "whole.json", "--quiet"];
    dovemate_in(folder.path(), &whole, "").succeeds();
    let whole: serde_json::Value =
        serde_json::from_str(&read(folder.path().join("whole.json"))).expect("JSON");
    let keys =
        |of: &serde_json::Value| of.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), keys(&whole));
    assert_eq!(keys(&json["rows"][0]), keys(&whole["rows"][0]));
    assert_eq!(whole["rows"][0]["mover"], "any");

    // The document has the method and the backend that auto chose.
    let counted = &json["counted"];
    assert_eq!((&counted["method"], &counted["backend"]), (&"factored".into(), &"cpu".into()));
    for (method, ran) in [("auto", "factored"), ("exhaustive", "exhaustive")] {
        let Ran { out, .. } = dovemate(&["count", "--kinds", "H", "--method", method, "--quiet"]).succeeds();
        assert!(out.contains(&format!("with the {ran} method in ")), "{method}: {out}");
    }

    dovemate(&["count", "--kinds", "AY", "--doves", "2..9"]).fails(2, "at most 6 doves");
    dovemate(&["count", "--kinds", "AY", "--doves", "7"]).fails(2, "at most 6 doves");
    dovemate(&["count", "--kinds", "AY", "--backend", "gpu"]).fails(2, "on the CPU only");
    dovemate(&["count", "--kinds", "AY", "--adapter", "0"]).fails(2, "on the CPU only");
    dovemate(&["count", "--red", "AY"]).fails(2, "--green");
    dovemate(&["count", "--kinds", "AYA"]).fails(2, "named twice");
}
