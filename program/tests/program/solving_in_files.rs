//! Games solved with their rounds in files: killed at any moment, out of disk space, with little memory, or
//! in shares, they give the same bytes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crate::common;
use crate::common::folders::{Files, Folder, below};
#[cfg(target_os = "linux")]
use crate::common::program::replace_functions;
use crate::common::program::{Arguments, PROGRAM, Ran, command, dovemate, dovemate_in, run, started, text};
use dovemate::rules::{Game, Rules};
use dovemate_solver::in_files::ByParts;
use proptest::prelude::RngExt;

/// A game of two kinds each without returns: 6 doves and a dozen rounds.
const GAME: &str = "--kinds AY --no-return";
const FOLDER: &str = "tables/AY-AY-no-returns-mover-loses";
/// A game with more rounds.
const LARGER: &str = "--red AYM --green AY";

fn arguments(game: &str, more: &str) -> Vec<String> {
    format!("solve {game} --quiet --tables tables {more}").list()
}

fn solve(folder: &Path, more: &str) -> Ran {
    dovemate_in(folder, &arguments(GAME, more)[..], "")
}

/// The files of the games that are solved in a folder, without their locks.
pub fn tables_and_rounds(folder: &Path) -> Files {
    // The locks say who had them.
    let is_lock = |path: &Path| path.ends_with("rounds/lock") || path.ends_with("rounds/finishing");
    below(&folder.join("tables")).into_iter().filter(|(path, _)| !is_lock(path)).collect()
}

/// The tables there, without the manifests of the parts that they were made from.
fn tables(folder: &Path) -> Files {
    let is_part =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"));
    tables_and_rounds(folder).into_iter().filter(|(path, _)| !is_part(path)).collect()
}

/// The tables that solving in memory writes.
fn in_memory() -> Files {
    let folder = Folder::new();
    solve(&folder, "").succeeds();
    tables(&folder)
}

/// The part of the output before the times.
fn result(out: &str) -> &str {
    out.split("solved on").flat_map(|text| text.split("checked by")).next().expect("text")
}

fn best(folder: &Path) -> Ran {
    dovemate_in(folder, &format!("best b;B --tables tables {GAME}"), "")
}

/// Shares of rounds, each in a process of its own, give the same results as one process, whatever is kept.
#[test]
fn shares_of_rounds_come_to_the_same_bytes() {
    for keep in ["wins", "tables", "rounds"].into_iter().take(common::cases(2, 3)) {
        let (shared, alone) = (Folder::new(), Folder::new());
        let share = |share: String| solve(&shared, &format!("--keep {keep} --share {share}")).succeeds().out;
        let is_solved = |round: u32| {
            thread::scope(|scope| {
                let share = &share;
                let shares =
                    [1, 2, 3].map(|number| scope.spawn(move || share(format!("{round}:{number}/3"))));
                shares
                    .map(|share| share.join().expect("it ends"))
                    .contains(&"the game is solved\n".to_owned())
            })
        };
        assert!((0..100).any(is_solved), "the game has no hundred rounds");
        let csv = |folder: &Path| {
            solve(folder, &format!("--keep {keep} --csv a.csv")).succeeds();
            fs::read(folder.join("a.csv")).expect("a file")
        };
        assert!(csv(&shared) == csv(&alone), "{keep}: other values");
        assert!(keep != "tables" || tables(&shared) == tables(&alone), "other tables");
        let results =
            |path: &&PathBuf| ["-wins-", "-losses-"].iter().any(|name| path.to_string_lossy().contains(name));
        let results = tables_and_rounds(&shared).keys().filter(results).count();
        assert_eq!(results > 0, keep == "rounds", "{keep}: {results} files of rounds");
        assert!(best(&shared).succeeds().out.contains("draw"), "{keep}");
        // A finished share stays finished.
        assert_eq!(share("1:1/3".to_owned()), "the game is solved\n");
    }
    solve(&Folder::new(), "--share 5:1/3").fails(1, "round 0 comes next");
}

/// A game left in its rounds or in its wins gives the same answers as one in tables; rounds can be turned into
/// tables. What is there is read to the last byte, and is not changed.
#[test]
fn a_game_can_be_left_in_its_rounds() {
    let memory = dovemate(&format!("solve --quiet {GAME}")).succeeds().out;
    for keep in ["rounds", "wins"] {
        let folder = Folder::new();
        let run = || solve(&folder, &format!("--keep {keep}"));
        let (solved, before) = (run().succeeds().out, tables_and_rounds(&folder));
        let read = run().succeeds().out;
        for (out, end) in [
            (&solved, "kept as solved, without tables: "),
            (&read, " read and verified instead of solving: "),
        ] {
            assert!(out.contains(end) && !out.contains(" 0 bytes"), "{out}");
            assert!(out.contains("a sample of 20,000 places on 40 boss placements"), "{out}");
            let longest = result(&memory).find("the longest").expect("a line");
            let expected = if keep == "rounds" { result(&memory) } else { &memory[..longest] };
            assert_eq!(result(out), expected);
        }
        assert!(tables_and_rounds(&folder) == before, "reading changes nothing");
        assert!(best(&folder).succeeds().out.contains("draw"));
        let (path, bytes) = before
            .iter()
            .filter(|(path, _)| path.extension().is_some_and(|kind| kind == "round"))
            .max_by_key(|(_, bytes)| bytes.len())
            .expect("a file");
        let mut changed = bytes.clone();
        changed[60] ^= 1;
        let path = folder.join("tables").join(path);
        fs::write(&path, changed).expect("a file");
        run().fails(3, path.file_name().expect("a name").to_str().expect("a plain name"));
        fs::remove_file(&path).expect("a file");
        run().fails(1, "cannot be read");
        fs::write(&path, bytes).expect("a file");
        match keep {
            "rounds" => assert_eq!(result(&solve(&folder, "").succeeds().out), result(&memory)),
            _ => solve(&folder, "").fails(2, "was begun to keep its wins alone; continue with that"),
        }
        assert_eq!(tables(&folder) == in_memory(), keep == "rounds");
    }
}

/// Rounds that are there are continued even if the whole game fits in memory, also by other shares and with other
/// memory, and none are left beside finished tables.
#[test]
fn rounds_that_are_there_are_gone_on_with() {
    let folder = Folder::new();
    for share in ["0:1/2", "0:1/1", "1:1/1", "2:1/3"] {
        solve(&folder, &format!("--share {share}")).succeeds();
    }
    let rounds = folder.join(FOLDER).join("rounds");
    let loud = format!("solve {GAME} --tables tables");
    assert!(folder.dovemate(&loud).ends(0).err.contains("round 2"));
    assert!(!rounds.exists() && tables(&folder) == in_memory(), "other tables");
    // The state after a kill between writing the last table and removing the first round.
    fs::create_dir_all(rounds.join("part-000")).expect("a folder");
    folder.write(&format!("{FOLDER}/rounds/part-000/0000.json"), "");
    folder.dovemate(&loud).succeeds();
    assert!(!rounds.exists(), "rounds are left");
    // Files of a round that was begun in other shares are removed, as is a snapshot whose wins are all in rounds.
    for more in ["--share 0:1/2", "--share 0:2/3", &format!("--memory {}", memory())] {
        folder.dovemate(&arguments(LARGER, &format!("{more} --keep rounds"))[..]).ends(0);
    }
    let files = tables_and_rounds(&folder);
    for path in files.keys().filter(|path| path.extension().is_some_and(|kind| kind == "round")) {
        let name = path.file_name().expect("a name").to_str().expect("a plain name");
        let manifest = &files[&path.with_file_name(format!("{}.json", &name[..4]))];
        assert!(String::from_utf8_lossy(manifest).contains(name), "{name}");
    }
}

/// While a process solves a game in a folder, a second one is refused and told of the first. A killed one leaves the
/// folder to others.
#[test]
#[cfg(unix)]
fn one_process_drives_a_folder() {
    let folder = Folder::new();
    let larger = "--kinds AYM --no-return";
    let driver = started(command(PROGRAM, &folder).args(arguments(larger, "--threads 1")));
    let lock = folder.join("tables/AYM-AYM-no-returns-mover-loses/rounds/lock");
    common::wait_for("a lock", || fs::read_to_string(&lock).ok().filter(|owner| !owner.is_empty()));
    let says = format!(" is being solved by process {} on ", driver.id());
    for more in ["", "--keep wins", "--share 0:1/2"] {
        folder.dovemate(&arguments(larger, more)[..]).fails(1, &says);
    }
    drop(driver);
    folder.dovemate(&arguments(larger, "--share 0:1/2")[..]).succeeds();
}

/// In a step of Slurm a solve plans with the memory and the cores of the step.
#[test]
fn a_step_of_slurm_is_planned_with() {
    let solve = |kinds: &str, variables: &[(&str, &str)]| {
        let mut solve = command(PROGRAM, Path::new("."));
        run(solve.args(["solve", "--kinds", kinds, "--quiet"]).envs(variables.iter().copied()), "")
    };
    let one = ("SLURM_CPUS_PER_TASK", "1");
    for memory in [("SLURM_MEM_PER_NODE", "20"), ("SLURM_MEM_PER_CPU", "20")] {
        solve("AYM", &[one, memory]).fails(2, "but only 0.021 GB are free here");
    }
    let out = solve("AY", &[one, ("SLURM_MEM_PER_CPU", "1000")]).succeeds().out;
    assert!(out.contains("solved on 1 CPU thread in "), "{out}");
}

/// Runs a script, with the program and its game as arguments, in a mount namespace of its own: what it mounts
/// ends with it. The script prints `mounted` first. `None` if it does not, as where mounting is not allowed;
/// then `skipped` is printed, which says what is not tested.
#[cfg(target_os = "linux")]
fn where_one_can_mount(script: &str, folder: &Path, skipped: &str) -> Option<Output> {
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "bash", "-c", script, PROGRAM])
        .args(GAME.split(' '))
        .current_dir(folder)
        .output();
    let output = output.ok().filter(|output| output.stdout.starts_with(b"mounted\n"));
    if output.is_none() {
        common::say_skipped(skipped);
    }
    output
}

/// On a terminal, a line changes with every round.
#[test]
#[cfg(target_os = "linux")]
fn rounds_are_shown_on_a_terminal() {
    let folder = Folder::new();
    let command = format!("{PROGRAM} solve --kinds AY --tables tables --keep rounds");
    let Ok(output) = Command::new("script")
        .env("TERM", "xterm")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(&folder)
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

/// Whatever is kept can be queried and verified on a read-only medium.
#[test]
#[cfg(target_os = "linux")]
fn a_read_only_medium_is_read() {
    let folder = Folder::new();
    // A file system in its own mount namespace, as file modes do not bind root.
    let script = r#"
        mkdir tables && mount -t tmpfs -o size=8m none tables && echo mounted || exit 77
        for keep in tables rounds wins; do
            "$0" solve "$@" --quiet --tables tables/$keep --keep $keep >/dev/null || exit 78
        done
        mount -o remount,ro none tables || exit 81
        touch tables/file 2>/dev/null && exit 82
        for keep in tables rounds wins; do
            "$0" solve "$@" --quiet --tables tables/$keep --keep $keep || exit 83
            "$0" best '----;-Bb-;----;----' "$@" --tables tables/$keep || exit 86
        done
    "#;
    let skipped = "no read-only medium is read, as none can be mounted here";
    let Some(output) = where_one_can_mount(script, &folder, skipped) else { return };
    let text = text(&output);
    assert!(output.status.success(), "{}: {text}", output.status);
    assert_eq!(text.matches("read and verified").count(), 3, "{text}");
}

/// With hardly more memory than the actions take, wins stay in files. Without returns the game has parts, and later
/// parts read the finished ones. The run is killed five times, or fifty with `cases`, and continues each time.
#[test]
fn a_killed_run_resumes() {
    let memory = format!("--memory {}", memory());
    let parts = common::cases(GAME, "--kinds AYM --no-return");
    killed_and_going_on(&arguments(LARGER, &memory), tables);
    if common::is_asked_for("cases") {
        killed_and_going_on(&arguments(LARGER, &format!("{memory} --keep wins")), tables_and_rounds);
    }
    killed_and_going_on(&arguments(parts, "--memory 0.4 --keep wins"), tables_and_rounds);
}

/// Kills a run again and again, and compares its result with that of an undisturbed run.
fn killed_and_going_on(arguments: &[String], result: impl Fn(&Path) -> Files) {
    let begin = |folder: &Path| {
        let mut command = command(PROGRAM, folder);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let end = |process: Child| {
        let output = process.wait_with_output().expect("its output");
        assert!(output.status.success(), "{}", text(&output));
    };
    let alone = Folder::new();
    let begun = Instant::now();
    end(begin(&alone));
    // Between two kills it runs for at most a fifth of the time of a whole run, however fast the machine is.
    let longest = begun.elapsed() / 5;
    let expected = result(&alone);
    assert!(!expected.is_empty());
    let folder = Folder::new();
    let mut random = common::random_numbers(50);
    let (mut killed, mut most) = (0, Duration::from_millis(1));
    while killed < common::cases(5, 50) {
        let mut process = begin(&folder);
        let wait = most.mul_f64(random.random_range(0.0..1.0));
        let started = Instant::now();
        while started.elapsed() < wait && process.try_wait().expect("a process").is_none() {
            sleep(Duration::from_millis(1));
        }
        if process.try_wait().expect("a process").is_some() {
            // The run has finished: start over, so that the kills hit every moment.
            end(process);
            assert!(result(&folder) == expected, "other bytes after {killed} kills");
            fs::remove_dir_all(folder.join("tables")).expect("the folder goes");
            continue;
        }
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
        killed += 1;
        most = (most * 2).min(longest);
    }
    end(begin(&folder));
    assert!(result(&folder) == expected, "other bytes in the end");
}

/// A value for `--memory`: a little more than A Y M against A Y takes with its wins in files, much less than
/// in memory.
fn memory() -> String {
    let [red, green] = ["AYM", "AY"].map(|kinds| kinds.parse().expect("a dove set"));
    let least = ByParts::memory(&Game { red, green, rules: Rules::default() }).least;
    format!("{}", (least + 500_000) as f64 / 1e9)
}

/// A disk is used as far as it goes: whenever it is full, the run stops with one line, and continues once
/// there is a little more space. In the end it has hardly more than the files take.
#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_just_large_enough_is_enough() {
    let folder = Folder::new();
    let script = r#"
        mkdir tables && mount -t tmpfs -o size=16k none tables && echo mounted || exit 77
        size=16
        until "$0" solve "$@" --keep rounds --quiet --tables tables >/dev/null 2>error; do
            [ "$(wc -l <error)" = 1 ] && grep -qE 'no space is left|when there is more space' error || exit 78
            size=$((size + 16))
            mount -o remount,size=${size}k none tables || exit 79
        done
        echo "$size $(du -sk tables | cut -f 1)"
        mkdir copy && cp -r tables copy
    "#;
    let skipped = "whether a full disk is used as far as it goes, as no small one can be mounted here";
    let Some(output) = where_one_can_mount(script, &folder, skipped) else { return };
    let error = fs::read_to_string(folder.join("error")).unwrap_or_default();
    assert!(output.status.success(), "{}: {}{error}", output.status, text(&output));
    let sizes = String::from_utf8(output.stdout).expect("text");
    let sizes: Vec<u64> = sizes.split_whitespace().skip(1).map(|size| size.parse().expect("kB")).collect();
    let &[size, used] = &sizes[..] else { panic!("{sizes:?}") };
    assert!(used > 50 && size <= used + 32, "{size} kB for {used} kB of files");
    let alone = Folder::new();
    solve(&alone, "--keep rounds").succeeds();
    assert!(tables_and_rounds(&folder.join("copy")) == tables_and_rounds(&alone), "other bytes");
}

/// Whatever is made or renamed is synced in its folder before the run ends, so that its name survives a power
/// failure.
#[test]
#[cfg(target_os = "linux")]
fn new_names_are_synced_in_their_folders() {
    let folder = Folder::new();
    let there = folder.canonicalize().expect("it is there");
    let calls = "trace=mkdir,mkdirat,rename,renameat,renameat2,link,linkat,fsync,fdatasync";
    let mut command = Command::new("strace");
    command.args(format!("-f -qq -y -z -s 4096 -e {calls} -e signal=none -o calls").split(' ')).arg(PROGRAM);
    command.args(format!("solve --quiet --tables new/nested/tables --keep wins {GAME}").split(' '));
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
            *(if call.contains("mkdir") { &mut folders } else { &mut files }) += 1;
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
    let solve = |folder: &Path, limit: &str| {
        let script = format!(r#"{limit}; exec "$0" "$@""#);
        let arguments = arguments(LARGER, "--keep wins");
        run(command("sh", folder).args(["-c", &script, PROGRAM]).args(arguments), "")
    };
    let folder = Folder::new();
    solve(&folder, "ulimit -n 10").fails(1, "Too many open files");
    solve(&folder, "ulimit -Sn 10").succeeds();
    let alone = Folder::new();
    solve(&alone, "true").succeeds();
    assert!(tables_and_rounds(&folder) == tables_and_rounds(&alone), "other bytes");
}

/// Rounds that cannot be removed, as on some network file systems, cost only a line; a later run removes them.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_stays_is_no_failed_solve() {
    const EBUSY: i32 = 16;
    let folder = Folder::new();
    let busy = format!(
        "unsafe extern \"C\" {{ fn __errno_location() -> *mut i32; }}
        #[unsafe(no_mangle)] pub extern \"C\" fn unlinkat(_: i32, _: *const u8, _: i32) -> i32 {{
            unsafe {{ *__errno_location() = {EBUSY} }}; -1 }}"
    );
    solve(&folder, "--keep rounds").succeeds();
    let mut program = command(PROGRAM, &folder);
    let _library = replace_functions(program.args(arguments(GAME, "")), &busy);
    let ran = run(&mut program, "").ends(0);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert!(
        matches!(lines[..], [line] if line.contains("no longer needed, but could not be removed")),
        "{}",
        ran.err
    );
    solve(&folder, "").succeeds();
    assert!(tables(&folder) == in_memory(), "other tables");
    assert!(!folder.join(FOLDER).join("rounds").exists(), "rounds stay");
}
