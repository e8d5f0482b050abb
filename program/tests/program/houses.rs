//! In other houses once more: locks and drivers that do not answer, stops, other charsets, proxies, and what users
//! stumbled over.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::folders::Folder;
use crate::common::program::{
    PROGRAM, Running, command, dovemate, has, replace_functions, run, send, shell, text,
};
use crate::common::server::serve;

/// File locks that another process always has, and file locks for which the wait never ends.
const NOT_GRANTED: &str = "#[unsafe(no_mangle)] pub extern \"C\" fn flock(_: i32, _: i32) -> i32 { \
     unsafe { *__errno_location() = 11 }; -1 } unsafe extern \"C\" { fn __errno_location() -> *mut i32; }";
const SILENT: &str = "#[unsafe(no_mangle)] pub extern \"C\" fn flock(_: i32, _: i32) -> i32 { \
     loop { std::thread::sleep(std::time::Duration::from_secs(1)) } }";

#[test]
fn a_new_file_waits_for_no_lock() {
    for locks in [NOT_GRANTED, SILENT] {
        let folder = Folder::new();
        let mut program = command(PROGRAM, &folder);
        let _library = replace_functions(
            program.args(["count", "--doves", "4", "--backend", "cpu", "--csv", "new.csv"]),
            locks,
        );
        run(&mut program, "").succeeds();
        assert_eq!(folder.names(), ["new.csv"]);
    }
}

/// The lock of a game's folder is waited for, and the program says so.
#[test]
fn a_wait_for_a_lock_is_said() {
    let folder = Folder::new();
    let mut program = command(PROGRAM, &folder);
    let _library =
        replace_functions(program.args("solve --kinds A --quiet --tables tables".split(' ')), SILENT);
    let mut process =
        Running(program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts"));
    let mut line = String::new();
    BufReader::new(process.stderr.take().expect("a pipe")).read_line(&mut line).expect("UTF-8");
    assert_eq!(line, "waiting for the lock on the folder of the game\n");
}

/// If no process can be started for the drivers, the CPU counts, and the reason is given, not a crash of a driver.
#[test]
fn a_process_for_drivers_that_cannot_be_started_is_said() {
    const REFUSED: &str = "macro_rules! refused { ($name:ident) => { #[unsafe(no_mangle)] pub extern \"C\" fn $name() \
         -> i32 { 11 } } } refused!(posix_spawn); refused!(posix_spawnp); refused!(pidfd_spawnp);";
    let mut program = command(PROGRAM, Path::new("."));
    let _library = replace_functions(program.args(["count", "--doves", "2..4"]), REFUSED);
    let ran = run(&mut program, "").succeeds();
    ran.says("total … no process can be started for the drivers: ");
    assert!(!ran.out.contains("crashed"), "{}", ran.out);
}

/// Time in which the program was stopped is in none of its figures.
#[test]
fn a_stop_is_not_measured() {
    const STOPPED: Duration = Duration::from_secs(3);
    let mut program = command(PROGRAM, Path::new("."));
    program.args("count --doves 2..7 --method exhaustive --threads 1 --backend cpu --json -".split(' '));
    let began = Instant::now();
    let process = program.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    // If it has ended by now, the figure is right anyway.
    send("-STOP", &process);
    std::thread::sleep(STOPPED);
    send("-CONT", &process);
    let output = process.wait_with_output().expect("it ends");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let seconds = json["counted"]["seconds"].as_f64().expect("a number");
    assert!(seconds <= (began.elapsed() - STOPPED).as_secs_f64(), "{}", text(&output));
}

/// Each position is answered before the next one is read.
#[test]
fn answers_do_not_wait_for_the_next_question() {
    for arguments in ["show -", "show --json -", "best - --kinds A", "best - --kinds A --json"] {
        let mut program = command(PROGRAM, Path::new("."));
        let pipes = program.args(arguments.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Running(pipes.spawn().expect("it starts"));
        let (mut stdin, mut out) =
            (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        for board in ["b;B\n", "bA;B\n"] {
            stdin.write_all(board.as_bytes()).expect("it reads");
            // Waits for ever if there is no answer.
            assert!(out.read(&mut [0; 1 << 16]).expect("an answer") > 0, "{arguments}");
        }
    }
    let ran = shell("echo 'b;B' | dovemate show - >&-", Path::new("."));
    assert_eq!(ran.err, "warning: there is no standard output, so nothing can be printed\n");
    shell("echo 'b;B' | dovemate show - >/dev/null", Path::new(".")).succeeds();
}

/// Where the charset has no Japanese letters, the language is English.
#[test]
fn japanese_is_for_charsets_that_have_it() {
    let best = |locale| {
        let mut program = command(PROGRAM, Path::new("."));
        run(program.args(["best", "b;B", "--kinds", "A"]).env("LC_ALL", locale), "").succeeds().out
    };
    for locale in ["ja_JP.eucJP", "ja_JP.SJIS", "ja_JP"] {
        assert!(best(locale).contains("to move"), "{locale}");
    }
    assert!(best("ja_JP.UTF-8").contains("手番"));
}

#[test]
fn a_server_behind_a_proxy_has_its_name_and_a_log() {
    let mut program = command(PROGRAM, Path::new("."));
    program.args("serve --port 0 --kinds A --log --host board.example".split(' '));
    let pipes = program.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Running(pipes.spawn().expect("it starts"));
    let mut url = String::new();
    BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut url).expect("an address");
    let address = url.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut logged = BufReader::new(process.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    for (host, status) in [("board.example", 200), ("other.example", 403)] {
        let mut stream = TcpStream::connect(&address).expect("it answers");
        let request = format!("GET /api/about HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{host}: {answer}");
        let line = logged.find(|line| line.contains("GET")).expect("a line");
        has(&line, &format!(" 127.0.0.1 GET /api/about {status} "));
    }
}

/// Once a line is proved, the answer has all of it.
#[test]
fn a_proved_line_is_whole() {
    let server = serve("");
    let question = "api/line?board=Hb-m;t--a;-Ayh;BYTM&positions=3000";
    let mut answers = (0..10).map(|_| server.ask(question).1);
    let proved = answers.find(|answer| answer["worth"]["value"] == "lose").expect("it is proved");
    let length = proved["line"].as_array().map(Vec::len);
    assert_eq!((&proved["worth"]["plies"], length), (&12.into(), Some(12)));
    // The value is known, but not which action has it, so a line is suggested.
    let (_, answer) = server.ask("api/line?board=tbB-;m--T&positions=3000");
    assert!(answer["suggested"] == true && answer["line"][0].is_object(), "{answer}");
    let (status, answer) = server.ask("api/picture?board=bA;B&action=AS1");
    let error = answer["error"].as_str().expect("a sentence");
    assert!(status == 400 && error.starts_with("action: AS1 is not a legal action"), "{error}");
}

#[test]
fn what_is_gone_is_said_with_what_takes_its_place() {
    for (arguments, says) in [
        ("solve --kinds A --values-only", "no --values-only here: write --keep wins"),
        ("solve --kinds A --distances none", "no --distances here: tables always have"),
        ("bench --backends cpu", "no --backends here: --backend names"),
        ("list --kinds A --value 'win in 4'", "with 2 to 4 doves; wins take an odd number of plies"),
    ] {
        has(&dovemate(arguments).err, says);
    }
    #[cfg(not(feature = "packaging"))]
    dovemate("man").fails(2, "there is no man here: releases and builds with --features packaging");
}

/// A share that is missing is named.
#[test]
fn a_missing_share_is_named() {
    let folder = Folder::new();
    let share =
        |share: &str| folder.dovemate(&format!("solve --kinds AY --quiet --tables t --share {share}"));
    share("0:1/2").succeeds();
    share("1:1/2").fails(1, "round 0 comes next; share 2 of 2 is missing");
}

#[test]
fn a_saved_game_is_taken_up() {
    let folder = Folder::new();
    let play = |arguments: &str, input: &str| {
        let mut program = command(PROGRAM, &folder);
        run(program.args(["play", "--kinds", "A", "--depth", "1"]).args(arguments.split_whitespace()), input)
            .succeeds()
            .out
    };
    play("--you green", "save game.txt\n");
    let first = folder.read("game.txt");
    let went_on = play("--game game.txt", "moves\n-a\nsave game.txt\n");
    has(&went_on, "1. ");
    assert!(folder.read("game.txt").starts_with(first.lines().next().expect("a line")));
    play("--game game.txt --you green", "");
    let other = ["play", "--kinds", "A", "--game", "game.txt", "--you", "red"];
    run(command(PROGRAM, &folder).args(other), "").fails(2, "--you red: in game.txt you are green");
    has(&run(command(PROGRAM, &folder).args(["play", "--game", "game.txt"]), "").err, "is a game of");
}

/// If a file cannot be put in place, the error names the file that has the content, whatever the reason.
#[test]
fn content_that_is_left_beside_its_name_is_named() {
    for error in [libc::EACCES, libc::EPERM, libc::EIO, libc::EBUSY] {
        let folder = Folder::new();
        let refused = format!(
            "macro_rules! refused {{ ($name:ident) => {{ #[unsafe(no_mangle)] pub extern \"C\" fn $name() -> i32 \
             {{ unsafe {{ *__errno_location() = {error} }}; -1 }} }} }} refused!(rename); refused!(renameat2); \
             unsafe extern \"C\" {{ fn __errno_location() -> *mut i32; }}"
        );
        let mut program = command(PROGRAM, &folder);
        let arguments = ["count", "--doves", "4", "--backend", "cpu", "--csv", "new.csv"];
        let _library = replace_functions(program.args(arguments), &refused);
        let ran = run(&mut program, "").ends(1);
        let (_, kept) = ran.err.trim_end().split_once("; the complete content is in ").expect("a name");
        assert_eq!(
            folder.names(),
            [Path::new(kept).file_name().expect("a name").to_string_lossy()],
            "{error}"
        );
    }
}
