//! The program as a process: its output, the files that it writes or leaves alone, and its exit status.

use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use crate::common::folders::Folder;
#[cfg(target_os = "linux")]
use crate::common::program::replace_functions;
use crate::common::program::{
    ENDLESS, PROGRAM, Ran, command, died_by, dovemate, end_of, interruptible, run, send, started,
};
use crate::common::wait_for;

const CSV_5_TO_6: &str =
    "doves,shapes,boss_placements,assignments,mates\n5,120,56,40320,0\n6,374,238,1199520,14310\n";

#[test]
fn count_of_a_range() {
    let Ran { out, .. } = dovemate("count --doves 2..6 --backend cpu --threads 1").succeeds();
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
    let all = " s: all 1,240,400 assignments tested, all 302 boss placements equal";
    assert!(confirmed.ends_with(all), "{confirmed}");
}

/// A single number of doves has no line for the total. No GPU is found, and `auto` takes the CPU without a
/// warning.
#[test]
fn count_of_one_number_without_a_gpu() {
    let Ran { out, .. } = dovemate("count --doves 6 --method exhaustive --threads 2").succeeds();
    assert!(out.contains("\n    6     374              238    1,199,520  14,310\n\n14,310 "), "{out}");
    assert!(!out.contains("total") && !out.contains("agrees"), "{out}");
    if cfg!(target_os = "linux") {
        assert!(out.contains("counted on 2 CPU threads with the exhaustive method in "), "{out}");
    }
}

/// The whole count, compared with the published figure, and its files.
#[test]
fn count_of_all() {
    let folder = Folder::new();
    let out = folder.dovemate("count --backend cpu --quiet --csv all.csv --json all.json").succeeds().out;
    assert!(out.contains("\n4,779,515,952 – agrees with the published figure\n"), "{out}");
    let total = "\ntotal   5,171           52,217  104,674,309,040  4,779,515,952\n";
    assert!(out.contains(total), "{out}");
    let csv = folder.read("all.csv");
    assert_eq!(csv.lines().count(), 12, "a header and eleven rows: {csv}");
    let json = folder.json("all.json");
    assert_eq!(json["agrees_with_published"], true);
    assert_eq!(json["rows"][0]["mover"], "any");
    assert_eq!(json["total"], 4_779_515_952_u64);
    assert_eq!(folder.names(), ["all.csv", "all.json"]);
}

/// Rows with `--with-run` of the whole game and of one with unequal dove sets fit into one file.
#[test]
fn rows_that_tell_their_run() {
    let folder = Folder::new();
    let runs = [
        "--backend cpu --doves 2..7",
        "--red AY --green T --no-return --what wins --method exhaustive",
        "--kinds - --both-surrounded draw",
    ];
    let mut all = String::new();
    for (place, run) in runs.into_iter().enumerate() {
        for files in ["--csv plain.csv --json run.json", "--csv run.csv --with-run"] {
            folder.dovemate(&format!("count {run} --quiet {files}")).succeeds();
        }
        let [plain, with_run] = ["plain.csv", "run.csv"].map(|name| folder.read(name));
        let numbers =
            |line: &str, from: usize| line.split(',').skip(from).map(str::to_owned).collect::<Vec<_>>();
        let has_mover = usize::from(plain.starts_with("mover,"));
        for (plain, with_run) in plain.lines().zip(with_run.lines()).skip(1) {
            assert_eq!(numbers(plain, has_mover), numbers(with_run, 8), "the same numbers at the end");
        }
        assert_eq!(plain.lines().count(), with_run.lines().count());
        let json = folder.json("run.json");
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
}

/// Under other rules there is no published figure, whatever the result.
#[test]
fn other_rules() {
    let mut totals = Vec::new();
    for ruling in ["mover-loses", "mover-wins", "draw"] {
        for no_return in ["--no-return", ""] {
            let count = format!("count --doves 6..7 --backend cpu --both-surrounded {ruling} {no_return}");
            let out = dovemate(&count).succeeds().out;
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
        ("--help", "count|adapters"),
        ("count --help", "--doves|--backend|--adapter|--threads|--method|--no-return"),
        ("count --help", "--both-surrounded|--csv|--json|--quiet|Examples:"),
        ("adapters --help", "Usage: dovemate adapters"),
    ] {
        let Ran { out, .. } = dovemate(arguments).succeeds();
        for words in mentioned.split('|') {
            assert!(out.contains(words), "{arguments:?} does not mention {words}: {out}");
        }
        assert!(!out.contains("inject"), "the faults for tests are not for users: {out}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_adapters() {
    let Ran { out, .. } = dovemate("adapters").succeeds();
    assert!(out.starts_with("no adapters: ") && out.lines().count() == 1, "{out}");
}

/// One file under two names is refused: the second output would replace the first.
#[test]
#[cfg(unix)]
fn the_same_file_through_a_link() {
    let folder = Folder::new();
    folder.write("file", "before");
    std::os::unix::fs::symlink("file", folder.join("link")).expect("a link");
    folder.dovemate("count --csv file --json link").fails(2, "--csv and --json name the same file");
    assert_eq!(folder.read("file"), "before");
}

/// A GPU is asked for, but there is none.
#[test]
#[cfg(target_os = "linux")]
fn no_gpu_to_be_had() {
    let folder = Folder::new();
    folder.write("earlier.csv", "earlier");
    let arguments = "count --backend gpu --csv earlier.csv --json new.json";
    folder.dovemate(arguments).fails(1, "offers an adapter; --backend cpu works without one");
    assert_eq!(folder.names(), ["earlier.csv"]);
    assert_eq!(folder.read("earlier.csv"), "earlier");
}

#[test]
#[cfg(target_os = "linux")]
fn full_devices() {
    const COUNT: &str = "count --doves 6 --backend cpu";
    for option in ["--csv", "--json"] {
        let Ran { out, err, .. } = dovemate(&format!("{COUNT} {option} /dev/full")).ends(1);
        assert!(err.contains("/dev/full cannot be written: No space left"), "{err}");
        assert!(out.starts_with("doves  shapes"), "what was counted is not lost: {out}");
    }
    for format in ["text", "csv", "u64", "tdl"] {
        dovemate(&format!("list --doves 6 --format {format} -o /dev/full"))
            .fails(1, "/dev/full cannot be written: No space left");
    }
    cannot_print(&[COUNT, "adapters"]);
}

#[test]
#[cfg(target_os = "linux")]
fn standard_output_that_is_full() {
    cannot_print(&["--help", "--version", "list --help", "show b;B"]);
}

/// Asserts that a standard output without room is an error of each of these.
#[cfg(target_os = "linux")]
fn cannot_print(commands: &[&str]) {
    for arguments in commands {
        let script = format!("exec \"$0\" {} >/dev/full", arguments.replace(';', "\\;"));
        run(command("sh", Path::new(".")).args(["-c", &script, PROGRAM]), "")
            .fails(1, "standard output cannot be written: No space left");
    }
}

/// A reader that leaves early, such as `head`, is not a failure, and the files are still written.
#[test]
fn closed_pipe() {
    let folder = Folder::new();
    let count = "count --doves 5..6 --backend cpu --csv out.csv";
    for arguments in [count, "list --doves 6", "adapters"] {
        let mut program = command(PROGRAM, &folder);
        program.args(arguments.split(' '));
        // The pipe is closed before the program can write: its reading end is dropped before the start.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output =
            program.stdout(writer).stderr(Stdio::piped()).spawn().and_then(|child| child.wait_with_output());
        let output = output.expect("the program runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), err.as_ref()), (Some(0), ""), "{arguments:?}");
    }
    assert_eq!(folder.read("out.csv"), CSV_5_TO_6);
}

/// Output files, new or in place of old ones, are written whole.
#[test]
fn files() {
    let folder = Folder::new();
    let earlier = "earlier and much longer than what comes now\n".repeat(1000);
    folder.write("out.csv", &earlier);
    let count = "count --doves 5..6 --backend cpu --csv out.csv --json out.json";
    folder.dovemate(&format!("{count} --threads 2 --no-return")).succeeds();
    assert_eq!(folder.names(), ["out.csv", "out.json"]);
    let without_returns = folder.read("out.csv");
    assert!(without_returns.starts_with("doves,shapes,boss_placements,assignments,mates\n5,120,56,40320,"));

    let text = folder.read("out.json");
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
    assert_eq!(confirmation["doves"], "5..6");
    assert_eq!(confirmation["boss_placements"], json["boss_placements"]);
    assert!(json["agrees_with_published"].is_null(), "no figure is published for this: {text}");
    // Both files have the same rows.
    let rows = json["rows"].as_array().expect("rows");
    let fields = ["doves", "shapes", "boss_placements", "assignments", "positions"];
    let line = |row: &serde_json::Value| fields.map(|field| row[field].to_string()).join(",");
    assert!(without_returns.lines().skip(1).eq(rows.iter().map(line)), "{without_returns}{text}");
    let mates: u64 = rows.iter().map(|row| row["positions"].as_u64().expect("a number")).sum();
    assert_eq!(json["total"], mates);

    folder.dovemate(count).succeeds();
    assert_eq!(folder.read("out.csv"), CSV_5_TO_6);
    assert_eq!(folder.names(), ["out.csv", "out.json"]);
}

/// New files have the permissions that the user's umask leaves.
#[test]
#[cfg(unix)]
fn permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    for (umask, expected) in [("022", 0o644), ("027", 0o640), ("077", 0o600)] {
        let name = format!("{umask}.csv");
        let script = format!("umask {umask}; exec \"$0\" \"$@\"");
        let arguments = ["-c", &script, PROGRAM, "count", "--doves", "4", "--backend", "cpu", "--csv", &name];
        run(command("sh", &folder).args(arguments), "").succeeds();
        let mode = folder.join(&name).metadata().expect("the file is there").permissions().mode();
        assert_eq!(mode & 0o777, expected, "umask {umask}: {:o}", mode & 0o777);
    }
}

/// Ctrl-C in the middle of a long count leaves no new file and changes none.
#[test]
#[cfg(unix)]
fn interrupt() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new();
    folder.write("earlier.csv", "earlier");
    for signal in ["-INT", "-TERM"] {
        let mut program = interruptible(&folder);
        program.args(ENDLESS.split(' ')).args(["--csv", "earlier.csv", "--json", "new.json"]);
        let mut program =
            program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut err =
            BufReader::new(program.stderr.take().expect("a pipe")).lines().map(|line| line.expect("UTF-8"));
        assert!(err.any(|line| line.ends_with(": warm-up")), "it counts");
        assert_eq!(folder.names().len(), 3, "both temporary files: {:?}", folder.names());
        send(signal, &program);
        died_by(signal, end_of(&mut program));
        assert_eq!(err.last().as_deref(), Some("interrupted"), "{signal}");
        assert_eq!(program.wait_with_output().expect("its output").stdout, b"", "{signal}");
        assert_eq!(folder.names(), ["earlier.csv"], "{signal}");
        assert_eq!(folder.read("earlier.csv"), "earlier", "{signal}");
    }
}

/// A signal that was ignored when the program started does nothing to it, whatever was ignored besides; the
/// others end it.
#[test]
#[cfg(target_os = "linux")]
fn ignored_signals_stay_ignored() {
    const BITS: [(&str, u64); 3] = [("-HUP", 1), ("-INT", 1 << 1), ("-TERM", 1 << 14)];
    for (before, ignored, ends) in [
        ("exec nohup", "-HUP", "-TERM"),
        ("trap '' HUP INT; exec", "-INT -HUP", "-TERM"),
        ("trap '' TERM; exec", "-TERM", "-INT"),
        ("trap '' HUP INT TERM; exec", "-HUP -INT -TERM", "-KILL"),
        ("exec", "", "-HUP"),
    ] {
        let folder = Folder::new();
        // The shell that runs the tests may ignore signals, too.
        let script = format!("{before} \"$0\" {ENDLESS} --csv new.csv");
        let mut program = std::process::Command::new("env");
        program.args(["--default-signal=HUP,INT,TERM", "sh", "-c", &script, PROGRAM]).current_dir(&folder);
        let mut program = started(&mut program);
        // It opens its output after it has set up signals.
        wait_for("a temporary file", || {
            assert_eq!(program.try_wait().expect("it can be asked"), None, "{before}: it has ended");
            folder.names().iter().any(|name| name.starts_with(".dovemate-")).then_some(())
        });
        let status = folder.read(&format!("/proc/{}/status", program.id()));
        let mask = |name: &str| {
            let bits = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line of bits");
            u64::from_str_radix(bits.trim(), 16).expect("bits")
        };
        for (signal, bit) in BITS {
            let is_ignored = ignored.contains(signal);
            let [ignores, handles] = [mask("SigIgn:"), mask("SigCgt:")].map(|mask| mask & bit != 0);
            assert_eq!((ignores, handles), (is_ignored, !is_ignored), "{before}: {signal}");
        }
        ignored.split_whitespace().for_each(|signal| send(signal, &program));
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
            // The reader of the list is so slow that it takes most of an hour, on any machine.
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
        let is_line = first.contains("assignments decided after");
        assert_eq!(is_line, !term.ends_with("xterm"), "{term}: {first:?}");
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
    let folder = Folder::new();
    let at = |name: &str| folder.join(name);
    std::fs::create_dir(at("sub")).expect("a folder");
    symlink("sub/new.csv", at("dangling")).expect("a link");
    symlink("loop", at("loop")).expect("a link");
    symlink("missing/", at("to-folder")).expect("a link");
    folder.write("file", "earlier");
    let csv = |name: &str| folder.dovemate(&format!("count --doves 5..6 --backend cpu --csv {name}"));
    let before = folder.names();
    csv("dangling").succeeds();
    assert!(at("dangling").is_symlink(), "the link was replaced");
    assert_eq!(folder.read("sub/new.csv"), CSV_5_TO_6);
    for (name, says) in [
        ("loop", "loop cannot be written: Too many levels of symbolic links"),
        ("to-folder", "to-folder cannot be written: "),
        ("missing/", "missing/ cannot be written: that names a folder"),
        ("file/", "file/ cannot be written: that names a folder"),
        ("sub/", "sub/ cannot be written: it is a folder"),
    ] {
        csv(name).fails(1, says);
    }
    assert_eq!(folder.names(), before);
    assert_eq!(folder.read("file"), "earlier");
}

/// Files left by a killed run are removed by the next run that writes there. Files of a running one, and
/// files with similar names, stay.
#[test]
#[cfg(unix)]
fn left_over_files() {
    let folder = Folder::new();
    let alike = [
        ".dovemate-.part",
        ".dovemate-ab_defghijkl.part",
        ".dovemate-abcdefghijkl.par",
        ".other-abcdefghijkl.part",
    ];
    for name in alike {
        folder.write(name, "somebody's");
    }
    let before = folder.names();
    let mut program = started(command(PROGRAM, &folder).args(ENDLESS.split(' ')).args(["--csv", "long.csv"]));
    let mut has = |more: usize, what: &str| {
        wait_for(what, || {
            assert_eq!(program.try_wait().expect("it can be asked"), None, "it has ended");
            (folder.names().len() == before.len() + more).then_some(())
        });
    };
    has(1, "a temporary file");
    let short = "count --doves 5..6 --backend cpu --csv out.csv";
    folder.dovemate(short).succeeds();
    // Its file is locked just after it is made. If that was too late, it makes another one.
    has(2, "a living run's file");
    drop(program);
    assert_eq!(folder.names().len(), before.len() + 2, "a killed run's file: {:?}", folder.names());
    folder.dovemate(short).succeeds();
    let mut expected = before;
    expected.push("out.csv".to_owned());
    expected.sort();
    assert_eq!(folder.names(), expected);
}

/// Where every lock is granted, as on some network file systems, no run removes what another one writes.
#[test]
#[cfg(target_os = "linux")]
fn locks_that_hold_nobody_off() {
    const GRANTED: &str = "#[unsafe(no_mangle)] pub extern \"C\" fn flock(_: i32, _: i32) -> i32 { 0 }";
    let folder = Folder::new();
    let granted = |arguments: &str| {
        let mut program = command(PROGRAM, &folder);
        let library = replace_functions(program.args(arguments.split(' ')), GRANTED);
        (program, library)
    };
    let (mut long, _library) = granted(&format!("{ENDLESS} --csv long.csv"));
    let _long = started(&mut long);
    wait_for("a temporary file", || (folder.names().len() == 1).then_some(()));
    let (mut short, _library) = granted("count --doves 5..6 --backend cpu --csv out.csv");
    run(&mut short, "").succeeds();
    assert_eq!(folder.names().len(), 2, "the living run's file is gone");
}

#[test]
fn exit_statuses_are_in_the_help_and_in_every_manual_page() {
    let help = "--help";
    #[cfg(feature = "packaging")]
    let places = [help, "man", "man count", "man list"];
    #[cfg(not(feature = "packaging"))]
    let places = [help];
    for arguments in places {
        let Ran { out, .. } = dovemate(arguments).succeeds();
        for words in ["done;", "wrong arguments", "a contradiction", "interrupted"] {
            assert_eq!(out.matches(words).count(), 1, "{arguments:?}: {words}");
        }
    }
}

/// `count` with dove sets, and what it writes.
#[test]
fn count_takes_dove_sets() {
    let all = |more: &str| dovemate(&format!("count --doves 2..4 --backend cpu {more}")).succeeds().out;
    let without_times = |text: String| text.lines().take(6).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(without_times(all("--kinds AYMTH")), without_times(all("")), "they are all doves");
    let folder = Folder::new();
    folder
        .dovemate("count --kinds my --what wins --csv even.csv --quiet")
        .succeeds()
        .says("YM against YM – no figure is published … on the CPU only");
    let even = folder.read("even.csv");
    let mut lines = even.lines();
    assert_eq!(lines.next(), Some("doves,shapes,boss_placements,assignments,wins"));
    // From the bosses alone to both bosses with two kinds each.
    let doves: Vec<&str> = lines.filter_map(|line| line.split(',').next()).collect();
    assert_eq!(doves, ["2", "3", "4", "5", "6"]);

    let handicap = "count --red - --green h --csv handicap.csv --json handicap.json --quiet";
    let out = folder.dovemate(handicap).succeeds().out;
    assert!(out.contains("red to move") && out.contains("green to move"), "{out}");
    let handicap = folder.read("handicap.csv");
    let starts: Vec<String> =
        handicap.lines().map(|line| line.split(',').take(2).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(starts, ["mover,doves", "red,2", "red,3", "green,2", "green,3"]);
    let json = folder.json("handicap.json");
    let told = json!([json["format"], json["red"], json["green"], json["rows"][3]["mover"]]);
    assert_eq!(told, json!([4, "B", "BH", "green"]));

    // The document has the method and the backend that auto chose.
    let counted = &json["counted"];
    assert_eq!((&counted["method"], &counted["backend"]), (&"factored".into(), &"cpu".into()));
    for (method, ran) in [("auto", "factored"), ("exhaustive", "exhaustive")] {
        let Ran { out, .. } = dovemate(&format!("count --kinds H --method {method} --quiet")).succeeds();
        assert!(out.contains(&format!("with the {ran} method in ")), "{method}: {out}");
    }
}

/// `RAYON_NUM_THREADS`, which gives all programs that use rayon their threads, is bounded as the option is.
#[test]
fn the_environment_gives_a_number_of_threads_within_bounds() {
    let threads = |number: &str| {
        let mut program = command(PROGRAM, Path::new("."));
        let arguments = "count --doves 4 --backend cpu --quiet --json -";
        let ran = run(program.args(arguments.split(' ')).env("RAYON_NUM_THREADS", number), "");
        ran.json()["counted"]["threads"].as_u64().expect("a number")
    };
    let refused = dovemate("count --threads 100000").err;
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
