//! Games solved with their rounds in files: killed at any moment, out of disk space, with little memory, or
//! by many processes, they give the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common;
use crate::common::program::{PROGRAM, tested, text};
use dovemate::internals::solve::in_files::by_parts;
use dovemate::rules::{Game, Rules};
use proptest::prelude::RngExt;
use tempfile::TempDir;

/// A game of two kinds each without returns: 6 doves and a dozen rounds.
const GAME: [&str; 3] = ["--kinds", "AY", "--no-return"];
const FOLDER: &str = "AY-AY-no-returns-mover-loses";

fn dovemate(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(tested());
    command
        .arg("solve")
        .args(GAME)
        .args(["--quiet", "--tables", "tables"])
        .args(arguments)
        .current_dir(folder);
    command
}

/// The tables of the game, by name.
fn tables(folder: &Path, game: &str) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder.join("tables").join(game))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    let name = |path: &PathBuf| path.file_name().expect("a name").to_str().expect("a plain name").to_owned();
    let of_tables = files.filter(|path| path.is_file() && !name(path).starts_with("part-"));
    of_tables.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect()
}

/// The tables that solving in memory writes.
fn expected(arguments: &[&str], game: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = TempDir::new().expect("a folder");
    let output = Command::new(tested())
        .arg("solve")
        .args(arguments)
        .args(["--quiet", "--tables", "tables"])
        .current_dir(&folder)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", text(&output));
    tables(folder.path(), game)
}

/// Solves all rounds in `shares` shares, each by its own process.
fn solve_in_shares(folder: &Path, shares: usize, mut each: impl FnMut(u32, &mut Command)) {
    for round in 0..100 {
        let mut is_solved = false;
        for share in 1..=shares {
            let share = format!("{round}:{share}/{shares}");
            let mut command = dovemate(folder, &["--share", &share]);
            each(round, &mut command);
            let output = command.output().expect("the program starts");
            assert!(output.status.success(), "share {share}: {}", text(&output));
            is_solved |= String::from_utf8_lossy(&output.stdout) == "the game is solved\n";
        }
        if is_solved {
            return;
        }
    }
    panic!("the game has no hundred rounds");
}

#[test]
fn shares_of_rounds_come_to_the_same_bytes() {
    let folder = TempDir::new().expect("a folder");
    solve_in_shares(folder.path(), 3, |_, _| {});
    assert!(tables(folder.path(), FOLDER) == expected(&GAME, FOLDER), "other tables");
    // A finished share stays finished, and a round that no process has reached is refused.
    let output = dovemate(folder.path(), &["--share", "1:1/3"]).output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "the game is solved\n");
    let other = TempDir::new().expect("a folder");
    let output = dovemate(other.path(), &["--share", "5:1/3"]).output().expect("the program starts");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(text(&output).contains("round 0 comes next"), "{}", text(&output));
}

/// A game left in its rounds gives the same answers as one in tables, and can be turned into tables.
#[test]
fn a_game_can_be_left_in_its_rounds() {
    let folder = TempDir::new().expect("a folder");
    let run = |arguments: &[&str]| {
        let output = dovemate(folder.path(), arguments).output().expect("the program starts");
        assert!(output.status.success(), "{arguments:?}: {}", text(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let result = |text: &str| {
        text.split("solved on").flat_map(|text| text.split("checked by")).next().map(str::to_owned)
    };
    let in_memory =
        Command::new(tested()).arg("solve").args(GAME).arg("--quiet").output().expect("the program starts");
    let in_memory = result(&String::from_utf8(in_memory.stdout).expect("text"));
    let manifest = folder.path().join("tables").join(FOLDER).join("manifest.json");
    // The second time there is nothing left to solve.
    for end in ["left in its rounds: ", "rounds read and verified instead of solving: "] {
        let text = run(&["--distances", "6"]);
        assert_eq!(result(&text), in_memory);
        assert!(text.contains(end) && !text.contains(" 0 bytes"), "{text}");
        assert!(text.contains("a sample of 20,000 places on 40 boss placements"), "{text}");
        assert!(!manifest.exists());
    }
    let share = ["--distances", "6", "--share", "1:1/3"];
    assert_eq!(run(&share), "the game is solved\n");
    assert!(!manifest.exists());
    let best = Command::new(tested())
        .args(["best", "----;-Bb-;----;----", "--tables", "tables"])
        .args(GAME)
        .current_dir(&folder)
        .output()
        .expect("the program starts");
    assert!(best.status.success() && best.stderr.is_empty(), "nothing is left open: {}", text(&best));
    assert_eq!(result(&run(&[])), in_memory);
    assert!(tables(folder.path(), FOLDER) == expected(&GAME, FOLDER), "other tables");
}

#[test]
fn senseless_shares_are_refused() {
    let folder = TempDir::new().expect("a folder");
    for (arguments, says) in [
        (&["--share", "1"][..], "as in 7:2/8"),
        (&["--share", "1/2"], "as in 7:2/8"),
        (&["--share", "1:0/2"], "as in 7:2/8"),
        (&["--share", "1:3/2"], "as in 7:2/8"),
        (&["--share", "1:2"], "as in 7:2/8"),
        (&["--share", "x:1/2"], "as in 3:7:2/8"),
        (&["--share", "x:1:1/2"], "as in 3:7:2/8"),
        (&["--share", "1:1:1:1/2"], "as in 3:7:2/8"),
        (&["--share", "9:0:1/1"], "no part 9; this game has 1 part"),
        (&["--share", "0:0:1/1"], "no part 0; this game has 1 part"),
        (&["--share", "0:1/100000"], "shares"),
        (&["--share", "0:1/1", "--csv", "a.csv"], "--csv"),
        (&["--share", "0:1/1", "--json", "a.json"], "--json"),
        (&["--distances", "1"], "from 2 to 12"),
        (&["--distances", "7"], "2 to 6 doves"),
        (&["--distances", "x"], "write all, or a number"),
    ] {
        let output = dovemate(folder.path(), arguments).output().expect("the program starts");
        let text = text(&output);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}: {text}");
        assert!(text.starts_with("error: ") && text.contains(says), "{arguments:?}: {text}");
    }
}

/// Existing rounds are continued even if the whole game fits in memory, and none are left beside finished
/// tables.
#[test]
fn rounds_that_are_there_are_gone_on_with() {
    let folder = TempDir::new().expect("a folder");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(tested());
        command
            .arg("solve")
            .args(GAME)
            .args(["--tables", "tables"])
            .args(arguments)
            .current_dir(folder.path());
        command.output().expect("the program starts")
    };
    for round in ["0", "1", "2"] {
        let output = run(&["--share", &format!("{round}:1/1")]);
        assert!(output.status.success(), "{}", text(&output));
    }
    let output = run(&[]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(String::from_utf8_lossy(&output.stderr).contains("round 3"), "{}", text(&output));
    let of_game = folder.path().join("tables").join(FOLDER);
    assert!(!of_game.join("rounds").exists(), "rounds are left");
    assert!(tables(folder.path(), FOLDER) == expected(&GAME, FOLDER), "other tables");
    // The state after a kill between writing the last table and removing the first round.
    fs::create_dir_all(of_game.join("rounds/part-000")).expect("a folder");
    fs::write(of_game.join("rounds/part-000/0000.json"), "").expect("a file");
    let output = run(&[]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output));
    assert!(!of_game.join("rounds").exists(), "rounds are left");
}

/// Kept rounds are read from the first byte to the last, whatever their manifests say.
#[test]
fn kept_rounds_are_verified() {
    for kept in [&["--distances", "6"][..], &["--distances", "4"]] {
        let folder = TempDir::new().expect("a folder");
        let verify = || dovemate(folder.path(), kept).output().expect("the program starts");
        assert!(verify().status.success());
        let before = all_files(folder.path());
        let output = verify();
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("\nrounds read and verified"),
            "{}",
            text(&output)
        );
        assert!(all_files(folder.path()) == before, "reading changes nothing");
        let fails = |says: &str| {
            let output = verify();
            let text = text(&output);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0), "{kept:?}: {text}");
            assert!(
                text.starts_with("error: ") && text.lines().count() == 1 && text.contains(says),
                "{kept:?}: {text}"
            );
        };
        // Change a byte in the middle of each file with values, snapshots of the wins included.
        let rounds = before.iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "round"));
        let mut damaged = 0;
        for (path, bytes) in rounds.filter(|(_, bytes)| bytes.len() > 200) {
            let mut changed = bytes.clone();
            changed[60] ^= 1;
            fs::write(path, changed).expect("a file");
            fails(path.file_name().expect("a name").to_str().expect("a plain name"));
            fs::write(path, bytes).expect("a file");
            damaged += 1;
        }
        assert!(damaged > 3, "{kept:?}: {damaged} files");
        // A missing file is never read as "no wins", by whoever asks.
        let best = || {
            let question =
                ["best", "----;-Bb-;----;----", "--kinds", "AY", "--no-return", "--tables", "tables"];
            Command::new(tested()).args(question).current_dir(&folder).output().expect("the program starts")
        };
        for (path, bytes) in before.iter().filter(|(path, _)| path.to_string_lossy().contains("snapshot")) {
            fs::remove_file(path).expect("a file");
            for output in [verify(), best()] {
                let (text, says) =
                    (text(&output), "part-000 is damaged: a file of its wins is missing; remove it and");
                assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{text}");
                assert!(
                    text.starts_with("error: ") && text.lines().count() == 1 && text.contains(says),
                    "{text}"
                );
            }
            fs::write(path, bytes).expect("a file");
        }
        // A manifest with a wrong number of wins and a valid checksum. Wins can be counted even if rounds are
        // dropped.
        let manifests = before.iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "json"));
        let documents =
            manifests.map(|(path, bytes)| (path, serde_json::from_slice(bytes).expect("a document")));
        let win = |manifest: &serde_json::Value| {
            manifest["rows"].as_array().and_then(|rows| rows.iter().position(|row| row["value"] == "win"))
        };
        let (path, mut manifest, row) = documents
            .filter_map(|(path, manifest): (_, serde_json::Value)| {
                win(&manifest).map(|row| (path, manifest, row))
            })
            .next_back()
            .expect("a round finds wins");
        let positions = manifest["rows"][row]["positions"].as_u64().expect("a number");
        manifest["rows"][row]["positions"] = (positions - 1).into();
        let sealed =
            |manifest: &serde_json::Value| serde_json::to_string_pretty(manifest).expect("a text") + "\n";
        manifest["blake3"] = "".into();
        manifest["blake3"] = blake3::hash(sealed(&manifest).as_bytes()).to_hex().as_str().into();
        fs::write(path, sealed(&manifest)).expect("a file");
        fails("contradicts the values in the files beside it");
        fs::write(path, &before[path]).expect("a file");
        assert!(verify().status.success());
    }
}

/// Runs a script, with the program and its game as arguments, in a mount namespace of its own: what it mounts
/// ends with it. The script prints `mounted` first. `None` if it does not, as where mounting is not allowed;
/// then `skipped` is printed, which says what is not tested.
#[cfg(target_os = "linux")]
fn where_one_can_mount(script: &str, folder: &Path, skipped: &str) -> Option<Output> {
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "bash", "-c", script, PROGRAM])
        .args(GAME)
        .current_dir(folder)
        .output();
    let is_possible = |output: &Output| output.stdout.starts_with(b"mounted\n");
    let output = output.ok().filter(is_possible);
    if output.is_none() {
        common::say_skipped(skipped);
    }
    output
}

/// On a terminal, a line changes with every round.
#[test]
#[cfg(target_os = "linux")]
fn rounds_are_shown_on_a_terminal() {
    let folder = TempDir::new().expect("a folder");
    let command = format!("{PROGRAM} solve --kinds AY --tables tables --distances 6");
    let Ok(output) = Command::new("script")
        .env("TERM", "xterm")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder.path())
        .output()
    else {
        return common::say_skipped(
            "what a solve shows on a terminal, as there is no `script` that makes one",
        );
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    for words in ["part 1 of 1, round 0", "round 1: ", " positions won, ", "the start, red to move: draw"] {
        assert!(shown.contains(words), "{words} in {shown}");
    }
}

/// Tables and kept rounds on a read-only medium can be queried and verified.
#[test]
#[cfg(target_os = "linux")]
fn a_read_only_medium_is_read() {
    let folder = TempDir::new().expect("a folder");
    // A file system in its own mount namespace, as file modes do not bind root.
    let script = r#"
        mkdir tables && mount -t tmpfs -o size=8m none tables && echo mounted || exit 77
        "$0" solve "$@" --quiet --tables tables/all --distances 6 >/dev/null || exit 78
        "$0" solve "$@" --quiet --tables tables/few --distances 4 >/dev/null || exit 79
        "$0" solve "$@" --quiet --tables tables/done >/dev/null || exit 80
        mount -o remount,ro none tables || exit 81
        touch tables/file 2>/dev/null && exit 82
        "$0" solve "$@" --quiet --tables tables/all --distances 6 || exit 83
        "$0" solve "$@" --quiet --tables tables/few --distances 4 || exit 84
        "$0" solve "$@" --quiet --tables tables/done || exit 85
        for folder in all few done; do
            "$0" best '----;-Bb-;----;----' "$@" --tables tables/$folder || exit 86
        done
    "#;
    let skipped = "no read-only medium is read, as none can be mounted here";
    let Some(output) = where_one_can_mount(script, folder.path(), skipped) else { return };
    let text = text(&output);
    assert!(output.status.success(), "{}: {text}", output.status);
    assert_eq!(text.matches("rounds read and verified").count(), 2, "{text}");
    assert_eq!(text.matches("tables read and verified").count(), 1, "{text}");
}

/// A game begun with one choice of rounds to keep cannot be continued with another; nothing is changed.
#[test]
fn another_choice_of_rounds_is_refused() {
    let all = &["--distances", "6"][..];
    let few = &["--distances", "3"][..];
    let more = &["--distances", "5"][..];
    for (begun, others) in [(all, [few, more]), (few, [all, more])] {
        let folder = TempDir::new().expect("a folder");
        let share = ["--share", "0:1/1"];
        let output = dovemate(folder.path(), &[begun, &share].concat()).output().expect("the program starts");
        assert!(output.status.success(), "{begun:?}: {}", text(&output));
        let before = all_files(folder.path());
        for other in others {
            for share in [&[][..], &["--share", "1:1/1"]] {
                let output =
                    dovemate(folder.path(), &[other, share].concat()).output().expect("the program starts");
                let text = text(&output);
                assert_eq!(
                    (output.status.code(), output.stdout.len()),
                    (Some(2), 0),
                    "{begun:?}, {other:?}: {text}"
                );
                assert!(text.contains("was begun with") && text.contains("continue with that"), "{text}");
                assert!(all_files(folder.path()) == before, "{begun:?}, {other:?}: something was touched");
            }
        }
    }
}

/// All files in a folder and its subfolders, by path.
fn all_files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        match path.is_dir() {
            true => files.extend(all_files(&path)),
            false => drop(files.insert(path.clone(), fs::read(&path).expect("a file"))),
        }
    }
    files
}

/// All files of the games in a folder, by their path in it.
pub fn tables_and_rounds(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = all_files(&folder.join("tables")).into_iter();
    files
        .map(|(path, bytes)| (path.strip_prefix(folder).expect("a path in the folder").to_owned(), bytes))
        .collect()
}

/// Shares give the same values as one process if rounds are dropped, too.
#[test]
fn shares_of_rounds_that_are_dropped() {
    let csv = |folder: &Path, name: &str, arguments: &[&str]| {
        let output =
            dovemate(folder, &[arguments, &["--csv", name]].concat()).output().expect("the program starts");
        assert!(output.status.success(), "{}", text(&output));
        fs::read(folder.join(name)).expect("a file")
    };
    let (shared, alone) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    solve_in_shares(shared.path(), 3, |_, command| {
        command.args(["--distances", "4"]);
    });
    let kept = ["--distances", "4"];
    assert!(csv(shared.path(), "a.csv", &kept) == csv(alone.path(), "a.csv", &kept), "other values");
    let is_dropped = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        name.contains("-wins-") || name.contains("-losses-")
    };
    assert!(!all_files(shared.path()).keys().any(is_dropped), "nobody needs these rounds");
    let best = Command::new(tested())
        .args(["best", "----;-Bb-;----;----", "--tables", "tables"])
        .args(GAME)
        .current_dir(&shared)
        .output()
        .expect("the program starts");
    assert!(best.status.success(), "{}", text(&best));
    assert!(String::from_utf8_lossy(&best.stdout).contains("draw"), "{}", text(&best));
}

/// With hardly more memory than the actions take, wins stay in files. The run is killed at fifty moments and
/// continues each time.
#[test]
fn a_killed_run_resumes() {
    let arguments = ["--red", "AYM", "--green", "AY", "--memory", &memory()];
    killed_and_going_on(&arguments, |folder| {
        tables(folder, "AYM-AY-returns-mover-loses")
            .into_iter()
            .map(|(name, bytes)| (PathBuf::from(name), bytes))
            .collect()
    });
}

/// The same with rounds dropped: all remaining files are the same.
#[test]
fn a_killed_run_that_drops_rounds_resumes() {
    let arguments = ["--red", "AYM", "--green", "AY", "--memory", &memory(), "--distances", "5"];
    killed_and_going_on(&arguments, tables_and_rounds);
    // Without returns the game has parts, and later parts read the finished ones.
    let arguments = ["--kinds", "AYM", "--no-return", "--memory", "0.4", "--distances", "4"];
    killed_and_going_on(&arguments, tables_and_rounds);
}

/// Kills a run fifty times, and compares its result with that of an undisturbed run.
fn killed_and_going_on(arguments: &[&str], result: impl Fn(&Path) -> BTreeMap<PathBuf, Vec<u8>>) {
    let begin = |folder: &Path| {
        let mut command = Command::new(tested());
        command.arg("solve").args(arguments).args(["--quiet", "--tables", "tables"]);
        command
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    };
    let end = |process: Child| {
        let output = process.wait_with_output().expect("its output");
        assert!(output.status.success(), "{}", text(&output));
    };
    let alone = TempDir::new().expect("a folder");
    let begun = Instant::now();
    end(begin(alone.path()));
    // Between two kills it comes as far as a fifth of the way, however fast the machine is.
    let longest = begun.elapsed() / 5;
    let expected = result(alone.path());
    assert!(!expected.is_empty());
    let folder = TempDir::new().expect("a folder");
    let mut random = common::random_numbers(50);
    let (mut killed, mut most) = (0, Duration::from_millis(1));
    while killed < 50 {
        let mut process = begin(folder.path());
        let wait = most.mul_f64(random.random_range(0.0..1.0));
        let started = Instant::now();
        while started.elapsed() < wait && process.try_wait().expect("a process").is_none() {
            sleep(Duration::from_millis(1));
        }
        if process.try_wait().expect("a process").is_some() {
            // The run has finished: start over, so that the kills hit every moment.
            end(process);
            assert!(result(folder.path()) == expected, "other bytes after {killed} kills");
            fs::remove_dir_all(folder.path().join("tables")).expect("the folder goes");
            continue;
        }
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
        killed += 1;
        most = (most * 2).min(longest);
    }
    end(begin(folder.path()));
    assert!(result(folder.path()) == expected, "other bytes in the end");
}

/// A value for `--memory`: a little more than A Y M against A Y takes with its wins in files, much less than
/// in memory.
pub fn memory() -> String {
    let [red, green] = ["AYM", "AY"].map(|kinds| kinds.parse().expect("a dove set"));
    let least = by_parts::memory(&Game { red, green, rules: Rules::default() }).least;
    format!("{}", (least + 500_000) as f64 / 1e9)
}

/// A full device stops a run, which reports what it needs; once there is space, the same command resumes it.
#[test]
#[cfg(target_os = "linux")]
fn a_run_resumes_after_a_full_disk() {
    let folder = TempDir::new().expect("a folder");
    // A file system in its own mount namespace, which ends with the script.
    let script = r#"
        mkdir tables && mount -t tmpfs -o size=48k none tables && echo mounted || exit 77
        "$0" solve "$@" --quiet --tables tables --share 0:1/1 || exit 78
        for round in 1 2 3 4 5 6 7 8 9 10 11 12; do
            "$0" solve "$@" --quiet --tables tables --share $round:1/1 >/dev/null || break
        done
        mount -o remount,size=64m none tables || exit 79
        "$0" solve "$@" --quiet --tables tables --share $round:1/1 >/dev/null || exit 80
        while ! "$0" solve "$@" --quiet --tables tables --share $round:1/1 | grep -q 'the game is solved'; do
            round=$((round + 1))
        done
        mkdir copy && mkdir copy/tables && cp -r tables/* copy/tables
    "#;
    let skipped = "no run is stopped by a full disk, as no small one can be mounted here";
    let Some(output) = where_one_can_mount(script, folder.path(), skipped) else { return };
    let text = text(&output);
    assert!(output.status.success(), "{}: {text}", output.status);
    assert!(text.contains("error: ") && text.contains("space") && text.contains("bytes"), "{text}");
    assert!(tables(&folder.path().join("copy"), FOLDER) == expected(&GAME, FOLDER), "other tables");
}

/// A disk is used as far as it goes: whenever it is full, the run stops with one line, and continues once
/// there is a little more space. In the end it has hardly more than the files take.
#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_just_large_enough_is_enough() {
    let folder = TempDir::new().expect("a folder");
    let script = r#"
        mkdir tables && mount -t tmpfs -o size=16k none tables && echo mounted || exit 77
        size=16
        until "$0" solve "$@" --distances 6 --quiet --tables tables >/dev/null 2>error; do
            [ "$(wc -l <error)" = 1 ] && grep -qE 'no space is left|when there is more space' error || exit 78
            size=$((size + 16))
            mount -o remount,size=${size}k none tables || exit 79
        done
        echo "$size $(du -sk tables | cut -f 1)"
        mkdir copy && cp -r tables copy
    "#;
    let skipped = "whether a full disk is used as far as it goes, as no small one can be mounted here";
    let Some(output) = where_one_can_mount(script, folder.path(), skipped) else { return };
    let error = fs::read_to_string(folder.path().join("error")).unwrap_or_default();
    assert!(output.status.success(), "{}: {}{error}", output.status, text(&output));
    let sizes = String::from_utf8(output.stdout).expect("text");
    let sizes: Vec<u64> = sizes.split_whitespace().skip(1).map(|size| size.parse().expect("kB")).collect();
    let &[size, used] = &sizes[..] else { panic!("{sizes:?}") };
    assert!(used > 50 && size <= used + 32, "{size} kB for {used} kB of files");
    let alone = TempDir::new().expect("a folder");
    let solved = dovemate(alone.path(), &["--distances", "6"]).output().expect("the program starts");
    assert!(solved.status.success(), "{}", text(&solved));
    assert!(tables_and_rounds(&folder.path().join("copy")) == tables_and_rounds(alone.path()), "other bytes");
}

/// Whatever is made or renamed is synced in its folder before the run ends, so that its name survives a power
/// failure.
#[test]
#[cfg(target_os = "linux")]
fn new_names_are_synced_in_their_folders() {
    let folder = TempDir::new().expect("a folder");
    let there = folder.path().canonicalize().expect("it is there");
    let calls = "trace=mkdir,mkdirat,rename,renameat,renameat2,link,linkat,fsync,fdatasync";
    let mut command = Command::new("strace");
    command.args([
        "-f",
        "-qq",
        "-y",
        "-z",
        "-s",
        "4096",
        "-e",
        calls,
        "-e",
        "signal=none",
        "-o",
        "calls",
        PROGRAM,
        "solve",
        "--quiet",
    ]);
    command.args(["--kinds", "AY", "--no-return", "--tables", "new/nested/tables", "--distances", "4"]);
    let output = command.current_dir(&there).output();
    let Ok(calls) = fs::read_to_string(there.join("calls")) else {
        return common::say_skipped("whether new names are synced, as there is no `strace` that may watch");
    };
    let output = output.expect("it has run");
    assert!(output.status.success(), "{}", text(&output));
    let mut unsynced = BTreeSet::new();
    let (mut folders, mut files) = (0, 0);
    for line in calls.lines() {
        let (call, arguments) = line.split_once('(').expect("a call");
        if call.ends_with("sync") {
            let synced = arguments.split(['<', '>']).nth(1).expect("its path");
            unsynced.retain(|path: &PathBuf| path.parent() != Some(Path::new(synced)));
        } else {
            let is_folder = call.contains("mkdir");
            if is_folder {
                folders += 1
            } else {
                files += 1
            }
            // The last path is the new one.
            unsynced.insert(there.join(arguments.split('"').nth_back(1).expect("a path")));
        }
    }
    assert!(folders >= 6 && files > 10, "{folders} folders, {files} files");
    assert!(unsynced.is_empty(), "{unsynced:?}");
}

/// Where the system allows too few open files, a run stops with one line; where it allows more than the shell
/// does, the same command continues.
#[test]
#[cfg(target_os = "linux")]
fn a_run_resumes_after_a_limit_on_open_files() {
    let arguments = ["--red", "AYM", "--green", "AY", "--quiet", "--tables", "tables", "--distances", "4"];
    let solve = |folder: &Path, limit: &str| {
        let script = format!(r#"{limit}; exec "$0" solve "$@""#);
        let mut command = Command::new("sh");
        command.args(["-c", &script, PROGRAM]).args(arguments).current_dir(folder).output().expect("a shell")
    };
    let folder = TempDir::new().expect("a folder");
    let stopped = solve(folder.path(), "ulimit -n 10");
    let err = String::from_utf8_lossy(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(1), "{err}");
    assert!(
        err.starts_with("error: ") && err.lines().count() == 1 && err.contains("Too many open files"),
        "{err}"
    );
    let goes_on = solve(folder.path(), "ulimit -Sn 10");
    assert!(goes_on.status.success(), "{}", text(&goes_on));
    let alone = TempDir::new().expect("a folder");
    assert!(solve(alone.path(), "true").status.success());
    assert!(tables_and_rounds(folder.path()) == tables_and_rounds(alone.path()), "other bytes");
}
