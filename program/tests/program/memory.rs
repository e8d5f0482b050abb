//! Games solved within a memory limit: what is refused, where they stop or are solved in files, and how much
//! memory the process takes, measured from outside.

use std::fs;
use std::path::Path;

use crate::common::cases;
use crate::common::folders::Folder;
use crate::common::program::{PROGRAM, Ran, command};
use dovemate::rules::{Game, Rules};
use dovemate_solver::Solve;
use dovemate_solver::in_files::ByParts;

fn game(red: &str, green: &str, returns: bool) -> Game {
    let rules = Rules { returns, ..Rules::default() };
    Game { red: red.parse().expect("a dove set"), green: green.parse().expect("a dove set"), rules }
}

fn least(game: &Game) -> u64 {
    Solve::new(*game).least_memory()
}

/// Roughly the bytes of a game's win bits.
fn win_bits(game: &Game) -> u64 {
    Solve::new(*game).places() / 8
}

/// The arguments of `solve` for a game and a limit in bytes.
fn arguments(game: &Game, bytes: u64, more: &str) -> String {
    let (Game { red, green, rules }, memory) = (game, bytes as f64 / 1e9);
    let no_return = if rules.returns { "" } else { "--no-return" };
    format!("solve --red={red} --green={green} --memory={memory} {no_return} {more}")
}

/// Games, most with unequal sets, with the least memory and with a little more: whatever they find, no process exceeds
/// its limit by more than a tenth.
#[test]
#[cfg(target_os = "linux")]
fn no_peak_is_above_the_limit() {
    let games = [
        ("AYMT", "A", false, 0),
        ("AMH", "T", true, 0),
        ("AYMTH", "-", true, 1),
        ("AYMT", "-", false, 1),
        ("AYM", "AY", true, 1),
        ("HM", "AYT", true, 0),
        ("YTH", "AY", false, 2),
        ("AYM", "-", true, 1),
        ("AY", "AY", true, 0),
        ("AYM", "AYM", true, 1),
    ];
    let (mut solved_again, mut highest) = (Vec::new(), 0);
    for (red, green, returns, planes) in games.into_iter().skip(cases(1, 0)).take(cases(2, games.len())) {
        let game = game(red, green, returns);
        let limit = least(&game) + planes * win_bits(&game);
        let folder = Folder::new();
        let (peak, output) = watched(&folder, &arguments(&game, limit, "--tables=tables --csv=found.csv"));
        let said = output.text();
        assert!(output.status == 0, "{game}: {said}");
        highest = highest.max(peak);
        assert!(peak as f64 <= 1.1 * limit as f64, "{game}: {peak} bytes of {limit}, {said}");
        if said.contains("it is solved again, with its rounds in files") {
            let mut expected = Vec::new();
            dovemate_solver::solve(game).unwrap().solution().write_csv(&mut expected).expect("memory");
            assert!(fs::read(folder.join("found.csv")).expect("a file") == expected, "{game}: other values");
            let of_game = dovemate_solver::Tablebase::folder_name(&game);
            assert!(!folder.join("tables").join(of_game).join("rounds").exists(), "{game}: rounds are left");
            solved_again.push((red, green, returns));
        }
    }
    // One is missed if this process does not run before the other one ends, as may be where there is much
    // other work.
    assert!(highest > 1 << 20, "{highest} bytes are no peak");
    // The first game, which runs only with `cases`, finds too much for its limit.
    assert!(cases(true, solved_again.contains(&("AYMT", "A", false))), "{solved_again:?}");
}

/// Games in files, with the least that they need and with more: no process exceeds its limit.
#[test]
#[cfg(target_os = "linux")]
fn no_peak_in_files_is_above_the_limit() {
    let mut highest = 0;
    for game in [game("AYM", "AT", true), game("AYM", "AYM", true)].into_iter().take(cases(1, 2)) {
        let least = ByParts::memory(&game).least;
        let limits = [least, least * 2, least + least / 32, least + least / 8];
        for limit in limits.into_iter().take(cases(2, 4)) {
            let folder = Folder::new();
            let arguments = arguments(&game, limit, "--tables=tables --keep=wins --quiet");
            let (peak, output) = watched(&folder, &arguments);
            assert!(output.status == 0, "{game}: {}", output.text());
            assert!(peak <= limit, "{game}: {peak} bytes of {limit}");
            highest = highest.max(peak);
        }
    }
    // One is missed if this process does not run before the other one ends, as may be where there is much
    // other work.
    assert!(highest > 1 << 20, "{highest} bytes are no peak");
}

/// Runs the program; returns its peak memory and its output.
#[cfg(target_os = "linux")]
fn watched(folder: &Path, arguments: &str) -> (u64, Ran) {
    let mut process = command(PROGRAM, folder)
        .args(arguments.split_whitespace())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let status = format!("/proc/{}/status", process.id());
    // The system records the peak, so only the last moment can be missed.
    let mut peak = 0;
    while process.try_wait().expect("a process").is_none() {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) * 1024);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    (peak, Ran::from(process.wait_with_output().expect("its output")))
}

/// Without files, a game that finds too much stops and says what it found and what would be enough; and that
/// is enough.
#[test]
fn a_game_without_files_stops_with_what_it_found() {
    let folder = Folder::new();
    let game = game("AYMT", "A", false);
    let output = folder.dovemate(&arguments(&game, least(&game), "--quiet --csv=a.csv"));
    let said = output.text();
    assert_eq!((output.status, output.out.as_str()), (1, ""), "{said}");
    assert!(said.starts_with("error: AYMT for red, A for green") && said.lines().count() == 1, "{said}");
    assert!(said.contains("after round ") && said.contains(" positions won and "), "{said}");
    assert!(said.contains("needs more than ") && said.contains("--memory allows"), "{said}");
    assert!(!folder.join("a.csv").exists(), "nothing half done");
    let figure = |before: &str| {
        let rest = &said
            [said.find(before).unwrap_or_else(|| panic!("'{before}' is not said: {said}")) + before.len()..];
        rest.split(' ').next().expect("a figure").parse::<f64>().expect("a number")
    };
    let in_files = figure("for which ") * 1e9;
    let share = "--tables=tables --share=0:1/1";
    let output = folder.dovemate(&arguments(&game, in_files as u64, share));
    assert!(output.status == 0, "{}", output.text());
}

/// A game that does not fit in memory is solved in files, and that is advised if it fits there.
#[test]
fn files_need_less() {
    for game in [game("AYM", "AYM", true), game("AYMTH", "AYMTH", true), game("AYMT", "A", false)] {
        assert!(ByParts::memory(&game).least < least(&game), "{game}");
    }
    let (folder, game) = (Folder::new(), game("AYM", "AYM", true));
    let limit = (ByParts::memory(&game).least + least(&game)) / 2;
    let output = folder.dovemate(&arguments(&game, limit, "--quiet"));
    let said = output.text();
    assert_eq!((output.status, output.out.as_str()), (2, ""), "{said}");
    assert!(said.contains("; with --tables DIR it is solved in files, for which "), "{said}");
    // With too little memory for either, files are not advised.
    let output = folder.dovemate(&arguments(&game, 1 << 20, "--quiet"));
    let said = output.text();
    assert_eq!(output.status, 2, "{said}");
    assert!(said.contains("fewer kinds") && !said.contains("--tables"), "{said}");
}
