//! Two processes that solve a game in one folder: whatever each keeps and whenever either is killed, values
//! are right or one line says why there are none, and one of the two commands can go on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crate::common::program::{PROGRAM, Ran, command, dovemate_in};
use crate::common::random_numbers;
use crate::solving_in_files::memory;
use proptest::prelude::RngExt;
use tempfile::TempDir;

/// A game of a few milliseconds, which has parts.
const GAME: [&str; 3] = ["--kinds", "A", "--no-return"];
/// What can be kept of it: everything in tables or in rounds, or most rounds are dropped.
const KEPT: [&str; 4] = ["all", "4", "3", "2"];

fn solve(folder: &Path, kept: &str, csv: &str) -> Command {
    let mut solve = command(PROGRAM, folder);
    solve.arg("solve").args(GAME).args(["--quiet", "--threads", "1", "--tables", "tables"]);
    solve.args(["--distances", kept, "--csv", csv]).stdout(Stdio::piped()).stderr(Stdio::piped());
    solve
}

/// Whether a process has given the right values. If it has given none and was not killed, one line has said
/// why.
fn is_right(process: Child, csv: &Path, expected: &str, what: &str) -> bool {
    let ran = Ran::from(process.wait_with_output().expect("it ends"));
    match ran.status {
        0 => {
            assert_eq!(
                (ran.err.as_str(), &fs::read_to_string(csv).expect("values")[..]),
                ("", expected),
                "{what}"
            );
            true
        }
        -1 => false,
        _ => {
            let says = ["another process has continued with this part", "was begun with"];
            let is_one = ran.err.starts_with("error: ") && ran.err.lines().count() == 1;
            assert!(is_one && says.iter().any(|says| ran.err.contains(says)), "{what}: {}", ran.err);
            false
        }
    }
}

/// Two solves at a time, of which some are killed within a time in which one alone would have ended.
fn pair(kept: [&str; 2], seed: u8, alone: Duration, expected: &str) {
    let mut random = random_numbers(seed);
    for trial in 0..50 {
        let what = format!("{kept:?}, trial {trial}");
        let folder = TempDir::new().expect("a folder");
        if kept.iter().all(|kept| ["all", "4"].contains(kept)) && trial % 2 == 0 {
            // Otherwise such a small game is solved in memory.
            let share = ["solve", "--tables", "tables", "--share", "0:1/1"];
            assert_eq!(dovemate_in(folder.path(), &[&share[..], &GAME].concat(), "").status, 0, "{what}");
        }
        let csv = |name: &str| folder.path().join(name);
        let names = ["0.csv", "1.csv"];
        let mut processes =
            [0, 1].map(|one| solve(folder.path(), kept[one], names[one]).spawn().expect("it starts"));
        for process in &mut processes {
            if random.random_range(0..3) == 0 {
                sleep(alone.mul_f64(random.random_range(0.0..2.0)));
                process.kill().expect("it can be killed");
            }
        }
        for (process, name) in processes.into_iter().zip(names) {
            is_right(process, &csv(name), expected, &what);
        }
        let goes_on = |kept: &&str| {
            let process = solve(folder.path(), kept, "again.csv").spawn().expect("it starts");
            is_right(process, &csv("again.csv"), expected, &format!("{what}, {kept} again"))
        };
        assert!(kept.iter().any(goes_on), "{what}: neither goes on");
    }
}

#[test]
fn values_are_right_or_one_line_explains() {
    let folder = TempDir::new().expect("a folder");
    let begun = Instant::now();
    let all = solve(folder.path(), "all", "all.csv").output().expect("it runs");
    assert!(all.status.success());
    let alone = begun.elapsed();
    let expected = fs::read_to_string(folder.path().join("all.csv")).expect("values");
    let pairs = (0..KEPT.len()).flat_map(|one| (one..KEPT.len()).map(move |other| [KEPT[one], KEPT[other]]));
    thread::scope(|scope| {
        for (seed, kept) in (0..).zip(pairs) {
            let expected = &expected;
            scope.spawn(move || pair(kept, seed, alone, expected));
        }
    });
}

/// The files below a folder of tables.
fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Rounds of two kinds in one folder, as somebody may copy them, are refused with what to do.
#[test]
fn rounds_of_two_kinds_are_recognised() {
    let folders = ["4", "2"].map(|kept| {
        let folder = TempDir::new().expect("a folder");
        assert!(solve(folder.path(), kept, "a.csv").output().expect("it runs").status.success());
        folder
    });
    let rounds = |folder: &TempDir| folder.path().join("tables/A-A-no-returns-mover-loses/rounds");
    for (folder, other, kept) in [(&folders[0], &folders[1], "4"), (&folders[1], &folders[0], "2")] {
        fs::copy(rounds(other).join("part-000/0001.json"), rounds(folder).join("part-000/0001.json"))
            .expect("a copy");
        let best = ["best", "b;B", "--kinds", "A", "--no-return", "--tables", "tables"];
        for ran in [
            Ran::from(solve(folder.path(), kept, "b.csv").output().expect("it runs")),
            dovemate_in(folder.path(), &best, ""),
        ] {
            ran.fails(
                1,
                "rounds is damaged: it has rounds that keep different distances; remove it and solve again",
            );
        }
        fs::remove_dir_all(rounds(folder)).expect("the folder goes");
        assert!(solve(folder.path(), kept, "b.csv").output().expect("it runs").status.success(), "{kept}");
    }
}

/// A file that somebody has removed is not taken for one that another process no longer needed.
#[test]
fn a_missing_file_is_named() {
    let folder = TempDir::new().expect("a folder");
    let solve = || Ran::from(solve(folder.path(), "4", "a.csv").output().expect("it runs"));
    assert_eq!(solve().status, 0);
    let is_wins = |path: &&PathBuf| path.ends_with("part-000/0001-wins-1-of-1.round");
    fs::remove_file(files(folder.path()).iter().find(is_wins).expect("wins")).expect("it goes");
    solve().fails(1, "0001-wins-1-of-1.round is damaged: it is missing; remove its folder and solve again");
}

/// Files of a round that was begun in other shares go when it is finished, as does a snapshot of wins that
/// all rounds have.
#[test]
fn unneeded_files_are_removed() {
    let folder = TempDir::new().expect("a folder");
    let game = ["--red", "AYM", "--green", "AY", "--quiet", "--tables", "tables", "--distances", "7"];
    for more in [&["--share", "0:1/2"][..], &["--share", "0:2/3"], &["--memory", &memory()]] {
        let ran = dovemate_in(folder.path(), &[&["solve"], &game[..], more].concat(), "");
        assert_eq!(ran.status, 0, "{more:?}: {}", ran.text());
    }
    for path in files(&folder.path().join("tables")) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if let Some((round, _)) = name.split_once('-').filter(|_| name.ends_with(".round")) {
            let manifest =
                fs::read_to_string(path.with_file_name(format!("{round}.json"))).expect("its manifest");
            assert!(manifest.contains(&name), "{name} is not in {manifest}");
        }
    }
}
