//! The interface of `dovemate serve`: answers, refusals, what it says in its headers, and how it ends.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};

use dovemate::rules::{Board, Color, Game};
use dovemate_analysis::Draw;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::common::folders::Folder;
use crate::common::program::{
    PROGRAM, command, died_by, dovemate, dovemate_reading, end_of, run, send, variables,
};
use crate::common::server::{Server, ask, serve};
use crate::common::{WIN_IN_5, wait_for};

/// An answer without what is only suggested, which depends on the time that there was.
fn proved(mut answer: Value) -> Value {
    let actions = answer["actions"].as_array_mut().expect("actions");
    for action in actions.iter_mut() {
        action.as_object_mut().expect("an action").remove("estimate");
    }
    actions.sort_by_key(|action| action["action"].to_string());
    answer["choice"].take();
    answer
}

/// The answer about the start, once it comes from this source.
fn start_from(server: &Server, source: &str) -> Value {
    wait_for(&format!("the start from {source}"), || {
        let answer = server.searched("api/position?board=b;B&depth=1");
        (answer["source"] == source).then_some(answer)
    })
}

#[test]
fn a_position_is_answered_as_best_answers() {
    let server = serve("");
    for (board, mover) in [(WIN_IN_5, "red"), ("b;B", "green"), ("Btym;--HA;MYah;T-b-", "red")] {
        let best = dovemate(&format!("best {board} --to-move {mover} --depth 3 --json")).json();
        let question = format!("api/position?board={board}&to_move={mover}&depth=3&seconds=2");
        assert_eq!(proved(server.searched(&question)), proved(best), "{board}");
    }
    // A u64 is a board, too; and a question that is asked again goes on where it stopped.
    let code = server.searched("api/position?board=0fffce620941753a&depth=5");
    assert_eq!(code["board"], WIN_IN_5);
    assert_eq!(code["worth"], json!({ "value": "win", "plies": 5 }));
    assert_eq!((&code["format"], &code["actions"][0]["source"]), (&json!(1), &json!("search")));
}

/// A small game is solved while the page is already served; the answers then come from its values.
#[test]
fn a_small_game_is_solved() {
    let server = serve("--kinds A");
    let answer = start_from(&server, "solved");
    assert_eq!(answer["actions"][0]["source"], "solved");
    assert_eq!(answer["worth"], json!({ "value": "draw", "plies": null }));
    assert!(answer.get("searched_plies").is_none(), "{answer}");
    // A question may name a game of its own.
    let other = server.searched("api/position?board=b;B&red=T&green=-&depth=9&seconds=2");
    assert_eq!(other["worth"], json!({ "value": "win", "plies": 7 }));
}

/// The server also knows what the program itself knows of games other than the one that is served.
#[test]
fn openings_are_known_whatever_is_served() {
    let server = serve("--kinds A");
    let start = |game: &str| server.searched(&format!("api/position?board=b;B&depth=1&{game}"));
    for returns in ["yes", "no"] {
        let answer = start(&format!("kinds=AYMTH&returns={returns}"));
        let known = json!(["draw", "openings", returns == "yes"]);
        assert_eq!(json!([answer["worth"]["value"], answer["source"], answer["returns"]]), known);
        let first = &answer["actions"][0];
        assert!(first["ways"].as_u64() < first["answers"].as_u64(), "{first}");
    }
    let handicap = start("red=AYMT&green=AYMTH&returns=no&to_move=green");
    let known = json!([{ "value": "win", "plies": 27 }, "openings"]);
    assert_eq!(json!([handicap["worth"], handicap["source"]]), known);
}

#[test]
fn legal_actions_are_those_of_the_rules() {
    let server = serve("");
    let game = Game::default();
    for doves in 2..=12 {
        let (board, _) = Draw::new(game, doves..=doves, 29).position();
        let (status, answer) = server.ask(&format!("api/legal?board={board}&to_move=green"));
        assert_eq!(status, 200);
        let answered: Vec<(&Value, &Value)> = answer["actions"]
            .as_array()
            .expect("actions")
            .iter()
            .map(|action| (&action["action"], &action["after"]))
            .collect();
        let legal: Vec<(Value, Value)> = game
            .legal_actions(&board, Color::Green)
            .map(|(action, after)| (json!(action.text(&board)), json!(after.to_string())))
            .collect();
        assert_eq!(answered, legal.iter().map(|(text, after)| (text, after)).collect::<Vec<_>>(), "{board}");
        assert_eq!(answer["result"] == "unfinished", !legal.is_empty(), "{board}");
    }
}

#[test]
fn a_line_is_played_to_its_end() {
    let server = serve("");
    let answer = wait_for("the whole line", || {
        let answer = server.searched(&format!("api/line?board={WIN_IN_5}&depth=5&seconds=2"));
        (answer["result"] != "unfinished").then_some(answer)
    });
    assert_eq!(answer["result"], "red wins");
    let line = answer["line"].as_array().expect("a line");
    let players: Vec<&str> = line.iter().map(|step| step["player"].as_str().expect("a player")).collect();
    assert_eq!(players, ["red", "green", "red", "green", "red"]);
    // Every action is legal where it is taken.
    let mut board = WIN_IN_5.to_owned();
    for step in line {
        let player = step["player"].as_str().expect("a player");
        let (_, legal) = server.ask(&format!("api/legal?board={board}&to_move={player}"));
        let actions = legal["actions"].as_array().expect("actions");
        let is_it = |action: &Value| ["action", "after"].iter().all(|key| action[key] == step[key]);
        assert!(actions.iter().any(is_it), "{step}");
        board = step["after"].as_str().expect("a board").to_owned();
    }
    let worse = server.searched(&format!("api/line?board={WIN_IN_5}&action=BE1&depth=3"));
    assert_eq!(worse["worth"], json!({ "value": "lose", "plies": 2 }));
    let (status, none) = server.ask(&format!("api/line?board={WIN_IN_5}&action=BS1"));
    let error = format!("action: BS1 is not a legal action of red on {WIN_IN_5}");
    assert_eq!((status, &none["error"]), (400, &json!(error)));
}

/// Of the actions from six doves, only a return has a known value, a draw; so the position may still be won.
#[test]
fn a_line_claims_no_more_than_is_known() {
    let server = serve("");
    start_from(&server, "openings");
    let question = "board=bBAa;--Hh;----;----&depth=1&seconds=2";
    let position = server.searched(&format!("api/position?{question}"));
    let line = server.searched(&format!("api/line?{question}"));
    let first = &position["actions"][0];
    assert_eq!(json!([first["action"], first["value"]]), json!(["-A", "draw"]));
    assert_eq!(position["worth"], json!({ "value": "none", "plies": 1 }));
    assert_eq!(position["worth"], line["worth"]);
    let first = server.searched(&format!("api/line?{question}&action=-A"));
    assert_eq!(first["worth"], json!({ "value": "draw", "plies": null }));
}

/// A lost position of the openings: what its puts lead to is not in the program, but they are lost all the
/// same.
#[test]
fn inferred_values_are_not_reported_as_searched() {
    let server = serve("");
    start_from(&server, "openings");
    let answer = server.searched("api/position?board=-b-;aBt;--T-;----&depth=1&seconds=2");
    let put = answer["actions"].as_array().expect("actions").iter().find(|action| action["action"] == "+AE2");
    let put = put.expect("it is legal");
    assert_eq!(json!([put["value"], put["plies"], put["source"]]), json!(["lose", null, "openings"]));
}

#[test]
fn a_puzzle_is_one() {
    let server = serve("");
    // Unless time was up, there is a puzzle, or none is possible.
    let drawn = |query: &str| {
        wait_for(query, || {
            let answer = server.searched(&format!("api/puzzle?seconds=2&{query}"));
            (!answer["puzzle"].is_null() || answer["possible"] == false).then_some(answer)
        })
    };
    let answer = drawn("plies=3&unique=yes&seed=7");
    let puzzle = &answer["puzzle"];
    assert_eq!((&puzzle["plies"], &puzzle["unique"]), (&json!(3), &json!(true)));
    assert_eq!(puzzle["line"].as_array().map(Vec::len), Some(3));
    let board = puzzle["board"].as_str().expect("a board");
    let value = server.searched(&format!("api/position?board={board}&depth=3&seconds=2"));
    assert_eq!(value["worth"], json!({ "value": "win", "plies": 3 }));
    // The same seed draws the same puzzle, and the draw goes on where it stopped.
    assert_eq!(drawn("plies=3&unique=yes&seed=7"), answer);
    let before = answer["drawn"].as_u64().expect("a number") - 1;
    assert_eq!(drawn(&format!("plies=3&unique=yes&seed=7&skip={before}")), answer);
    assert_eq!(server.ask("api/puzzle?plies=4").0, 400);
    // By the values, this puzzle cannot exist, so none is looked for.
    start_from(&server, "openings");
    let answer = drawn("plies=3&doves=2");
    let said = [&answer["possible"], &answer["drawn"], &answer["puzzle"]];
    assert_eq!(said, [&json!(false), &json!(0), &json!(null)]);
    // Nor is one looked for any longer once all positions have been drawn.
    for game in ["red=-&green=-", "kinds=A", "kinds=AY&doves=3"] {
        let answer = drawn(&format!("plies=3&{game}"));
        assert_eq!([&answer["possible"], &answer["puzzle"]], [&json!(false), &json!(null)], "{game}");
        assert_ne!(answer["drawn"], 0, "{game}");
    }
    // As many doves as are asked for.
    for (doves, range) in [("6", 6..=6), ("4..5", 4..=5)] {
        let answer = drawn(&format!("plies=1&doves={doves}"));
        let board: Board = answer["puzzle"]["board"].as_str().expect("a board").parse().expect("a board");
        assert!(range.contains(&board.doves().count()), "{doves}: {board}");
    }
}

/// The machine of the page is that of `dovemate play`.
#[test]
fn a_machine_plays_by_its_level() {
    let server = serve("");
    let play = |question: &str| {
        let (status, answer) = server.ask(&format!("api/play?{question}"));
        assert_eq!(status, 200, "{question}: {answer}");
        answer
    };
    let action = |question: &str| play(question)["choice"]["action"].as_str().expect("an action").to_owned();
    // A novice does not see a win in 5. The same seed makes the same choice, another seed another.
    let novice = format!("board={WIN_IN_5}&level=novice");
    let answer = play(&format!("{novice}&seed=1"));
    assert_eq!((&answer["level"], &answer["seed"]), (&json!("novice"), &json!(1)));
    assert_eq!((&answer["choice"]["value"], &answer["choice"]["plies"]), (&json!("none"), &json!(3)));
    assert_eq!(play(&format!("{novice}&seed=1")), answer);
    let different: HashSet<String> =
        (0..8).map(|seed| action(&format!("board=b;B&level=novice&seed={seed}"))).collect();
    assert!(different.len() > 1, "{different:?}");
    server.searched(&format!("api/position?board={WIN_IN_5}&depth=5&seconds=2"));
    assert_eq!(action(&format!("board={WIN_IN_5}&seconds=2")), "TE3");
    // What `dovemate play` answers as green.
    for (level, seed) in [("novice", "3"), ("club", "5")] {
        let ran = dovemate_reading(&format!("play --you green --level {level} --seed {seed}"), "quit\n");
        let chosen = action(&format!("board=b;B&level={level}&seed={seed}"));
        assert!(ran.out.contains(&format!("red plays {chosen}\n")), "{level}: {chosen} {}", ran.out);
    }
    // A position that has come up is avoided.
    let usual = play("board=b;B&level=club&seed=5")["choice"]["after"].as_str().expect("a board").to_owned();
    let other = play(&format!("board=b;B&level=club&seed=5&seen={usual},{usual}"));
    assert_ne!(other["choice"]["after"], json!(usual));
    // By the openings, the start is drawn.
    assert_eq!(play("board=b;B&level=strongest")["choice"]["value"], "draw");
}

/// Errors that `languages.rs` does not test.
#[test]
fn errors_are_one_sentence() {
    let server = serve("");
    let cases = [
        (404, "api/", "there is nothing at /api/"),
        (400, "api/position?board=zz", "'z' is not a dove"),
        (400, "api/position?board=b;B&depth=1e9", "not '1e9'"),
        (400, "api/position?board=b;B&seconds=3", "seconds is a number from 0 to 2"),
        (400, "api/position?board=b;B&seconds=NaN", "seconds is a number"),
        (400, "api/position?board=b;BA&kinds=Y", "'A' is not in this game"),
        (400, "api/line?board=b;B&action=zz", "action: "),
        (400, "api/play?board=b;B&level=master", "write one of beginner, novice, club, strongest"),
        (400, "api/play?board=b;B&seed=-1", "seed is a number"),
        (400, "api/play?board=b;B&seen=b;B,zz", "seen: "),
        (400, "api/play?board=ba--;A---;-M--;--YB", "is surrounded, so the game is over"),
        (400, "api/puzzle?plies=99", "at most 9"),
        (400, "api/puzzle?plies=99&returns=no", "at most 9"),
        (400, "api/puzzle?plies=99&doves=3..5", "at most 9"),
        (400, "api/puzzle?doves=13", "there are never 13 doves on the board"),
        (400, "api/puzzle?doves=few", "'few' is not a valid number of doves"),
        (400, "api/puzzle?doves=7..5", "7"),
        (400, "api/puzzle?doves=5&kinds=A", "in this game there are at most 4 on the board, not 5"),
        (400, "api/puzzle?plies=1&skip=18446744073709551615&seconds=0", "skip is too large"),
    ];
    for (status, question, words) in cases {
        let (answered, json) = server.ask(question);
        let error = json["error"].as_str().unwrap_or_else(|| panic!("{question}: {json}"));
        assert!(
            answered == status && error.contains(words) && !error.contains('\n'),
            "{question}: {answered} {error}"
        );
    }
    let long = "x".repeat(3000);
    assert_eq!(server.ask(&format!("api/position?board={long}")).0, 414);
}

/// The status of the answer to a question about legal actions; the request ends with `rest`.
fn status(server: &Server, rest: &str) -> String {
    let request = format!("GET /api/legal?board=b;B HTTP/1.1\r\nConnection: close\r\n{rest}");
    raw(server.host(), &request).split(' ').nth(1).unwrap_or("none").to_owned()
}

/// The answer to these bytes.
fn raw(host: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("it listens");
    stream.write_all(request.as_bytes()).expect("a write");
    let mut answer = String::new();
    // The server may close before all is written.
    let _ = stream.read_to_string(&mut answer);
    answer
}

#[test]
fn only_this_host_and_this_page_are_answered() {
    let server = serve("");
    let host = server.host();
    let port = server.port();
    let status = |head: &str| status(&server, &format!("{head}\r\n"));
    for own in [host, "localhost", "localhost:9000", "127.0.0.1", "[::1]", "[::1]:9000"] {
        assert_eq!(status(&format!("Host: {own}\r\n")), "200", "{own}");
    }
    for foreign in ["", "Host: evil.example\r\n", "Host: 127.0.0.1.example\r\n", "Host: 192.0.2.1:80\r\n"] {
        assert_eq!(status(foreign), "403", "{foreign}");
    }
    for other in [host, "evil.example"] {
        assert_eq!(status(&format!("Host: {host}\r\nHost: {other}\r\n")), "400", "{other}");
    }
    assert_eq!(status(&format!("Host: evil.example:{port}\r\n")), "403");
    assert_eq!(status(&format!("Host: {host}\r\nSec-Fetch-Site: cross-site\r\n")), "403");
    assert_eq!(status(&format!("Host: {host}\r\nSec-Fetch-Site: same-origin\r\n")), "200");
    assert_eq!(status(&format!("Host: {host}\r\nContent-Length: 5\r\n\r\nhello")), "413");
    assert_eq!(status(&format!("Host: {host}\r\nX: {}\r\n", "x".repeat(40_000))), "431");
    let rest = format!("/api/legal?board=b;B HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let [posted, head] = ["POST", "HEAD"].map(|method| raw(host, &format!("{method} {rest}")));
    assert!(posted.starts_with("HTTP/1.1 405"), "{posted}");
    assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
    // Bytes that are not HTTP at all do no harm.
    raw(server.host(), "\u{0}\u{1}\r\n\r\n");
    assert_eq!(status(&format!("Host: {host}\r\n")), "200");
}

/// Whatever address the server listens on, every address that it prints can be opened; this machine's own comes first.
#[test]
fn every_printed_address_is_answered() {
    let listened = ["localhost", "LocalHost", "127.0.0.1", "127.0.0.2", "0.0.0.0", "::1", "[::1]", "::"];
    for listen in listened {
        let address = listen.trim_matches(['[', ']']);
        if std::net::TcpListener::bind((address, 0)).is_err() {
            // As on a machine without IPv6.
            continue;
        }
        let mut process = std::process::Command::new(PROGRAM)
            .args(["serve", "--port", "0", "--listen", listen, "--kinds", "-"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        // All are written at once.
        let mut bytes = [0; 4096];
        let read = process.stdout.as_mut().expect("a pipe").read(&mut bytes).expect("addresses");
        let printed = String::from_utf8_lossy(&bytes[..read]).into_owned();
        let answers: Vec<(&str, String)> = printed
            .lines()
            .map(|url| {
                let host = url.trim_start_matches("http://").trim_end_matches('/');
                let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
                (url, raw(host, &request).lines().next().unwrap_or("nothing").to_owned())
            })
            .collect();
        process.kill().expect("it runs");
        process.wait().expect("it ends");
        assert!(!printed.contains("0.0.0.0") && !printed.contains("[::]"), "{listen}: {printed}");
        assert!(answers.iter().all(|(_, status)| status == "HTTP/1.1 200 OK"), "{listen}: {answers:?}");
        let own = if address.contains(':') { "http://[::1]:" } else { "http://127.0.0." };
        assert!(printed.starts_with(own), "{listen}: {printed}");
        let has_network = ["0.0.0.0", "::"].contains(&listen);
        assert!(has_network || answers.len() == 1, "{listen}: {printed}");
    }
}

/// A terminal gets a QR code: a square of spaces, small enough for any terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_a_code_for_a_phone() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let shown = |listen: &str, environment: &str| {
        let command = format!("echo $$; exec '{PROGRAM}' serve --port 0 --listen {listen} --kinds -");
        let mut script = Command::new("env");
        script
            .args(["--default-signal=HUP,INT,TERM", "script", "-qec", &command, "/dev/null"])
            .stdin(Stdio::null());
        script.env_remove("NO_COLOR").env("TERM", "xterm").envs(variables(environment));
        let mut script = script.stdout(Stdio::piped()).spawn().expect("script");
        let mut out = BufReader::new(script.stdout.take().expect("a pipe"));
        let mut lines = out.by_ref().lines().map(|line| line.expect("UTF-8").trim_end().to_owned());
        let process = lines.next().expect("its number");
        let mut text = String::new();
        let url =
            lines.inspect(|line| text += line).find(|line| line.starts_with("http://")).expect("an address");
        // Once it answers, it has printed all that it prints.
        ask(&url, "api/legal?board=b;B");
        assert!(Command::new("kill").args(["-INT", &process]).status().expect("kill").success());
        out.read_to_string(&mut text).expect("UTF-8");
        end_of(&mut script);
        text
    };
    std::thread::scope(|scope| {
        let all = scope.spawn(|| shown("0.0.0.0", ""));
        let plain = scope.spawn(|| shown("0.0.0.0", "NO_COLOR=1"));
        let own = scope.spawn(|| shown("localhost", ""));
        let all = all.join().expect("it ran");
        let rows: Vec<String> = all
            .lines()
            .filter(|line| line.contains("\u{1b}[107m"))
            .map(|line| line.replace("\u{1b}[107m", "").replace("\u{1b}[40m", "").replace("\u{1b}[0m", ""))
            .map(|line| line.trim_end_matches('\r').to_owned())
            .collect();
        assert!(all.contains("from a phone on the same network, http://"), "{all}");
        // In capitals, which some phones take for a text and not for an address, it would have 21 rows.
        assert!((25 + 4..=33 + 4).contains(&rows.len()), "{all}");
        assert!(rows.iter().all(|row| *row == " ".repeat(2 * rows.len())), "{all}");
        for none in [plain, own] {
            let none = none.join().expect("it ran");
            assert!(none.contains("the board is at") && !none.contains("\u{1b}["), "{none}");
            assert!(none.contains("browsers store settings and solved puzzles by address"), "{none}");
        }
    });
}

#[test]
fn a_body_without_a_byte_is_none() {
    let server = serve("");
    let request = |body: &str| status(&server, &format!("Host: localhost\r\n{body}"));
    let chunked = "Transfer-Encoding: chunked\r\n\r\n";
    for empty in
        ["Content-Length: 0\r\n\r\n", &format!("{chunked}0\r\n\r\n"), &format!("{chunked}0\r\nA: b\r\n\r\n")]
    {
        assert_eq!(request(empty), "200", "{empty:?}");
    }
    for body in
        ["Content-Length: 1\r\n\r\n.", &format!("{chunked}1\r\n.\r\n0\r\n\r\n"), &format!("{chunked}zz\r\n")]
    {
        assert_eq!(request(body), "413", "{body:?}");
    }
}

/// Clients that never read, that never ask, that ask in part, and that ask again and again: an ordinary
/// answer comes all the same. Beyond a number of connections it comes when some of them end.
#[test]
fn no_client_blocks_the_server() {
    let server = serve("--threads 2");
    let file = "GET /app.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let kinds = [
        file.repeat(2000),
        String::new(),
        "GET / HTTP/1.1\r\nHo".to_owned(),
        file.to_owned(),
        "GET /api/legal?board=b;B HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(),
    ];
    let mut held = Vec::new();
    // More connections than the server takes, if the system allows that many files.
    #[cfg(unix)]
    let most = rlimit::Resource::NOFILE.get_soft().expect("a limit").saturating_sub(100).min(600) as usize;
    #[cfg(not(unix))]
    let most = 600;
    for number in 0..most {
        let mut stream = TcpStream::connect(server.host()).expect("it listens");
        stream.set_nonblocking(true).expect("an option");
        // As much as fits.
        let _ = stream.write(kinds[number % kinds.len()].as_bytes());
        held.push(stream);
        if number % 100 == 99 && number < 500 {
            // If it came only when the server has closed the others, 30 s for each, it would come too late.
            assert_eq!(server.ask("api/legal?board=b;B").0, 200);
        }
    }
    drop(held);
    assert_eq!(server.ask("api/legal?board=b;B").0, 200);
}

#[test]
fn nothing_may_be_loaded_from_elsewhere() {
    let server = serve("");
    for path in
        ["", "style.css", "app.js", "worker.js", "dovemate.wasm", "icon.svg", "api/legal?board=b;B", "nope"]
    {
        let response = minreq::get(format!("{}{path}", server.url)).send().expect("an answer");
        let header = |name: &str| {
            let found = response.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.as_str())
        };
        let policy = header("content-security-policy").expect("a policy");
        let begin = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; ";
        assert!(policy.starts_with(begin) && !policy.contains("unsafe-inline"), "{policy}");
        assert_eq!(header("x-content-type-options"), Some("nosniff"));
        assert_eq!(header("access-control-allow-origin"), None);
    }
    let page = minreq::get(&server.url).send().expect("an answer");
    let page = page.as_str().expect("UTF-8");
    assert!(page.contains("id=\"red-boss\"") && !page.contains("<!-- doves"), "the doves are in the page");
    assert!(!["https://", " style="].iter().any(|other| page.contains(other)), "{page}");
}

/// Whatever is asked is answered in JSON, or refused in one sentence.
#[test]
fn any_question_is_answered_or_refused() {
    let server = serve("");
    let one_of = |texts: &'static str| proptest::sample::select(texts.split(' ').collect::<Vec<_>>());
    // Two spaces: a key without a name.
    let key = one_of(
        "board to_move kinds red green returns both_surrounded depth seconds action plies seed skip unique doves \
         level seen  %00",
    );
    let value = prop_oneof![
        one_of(
            "b;B b;BA YmaH;MtAT;-yh-;B-b- red green AY - yes no 0 1 3 0.01 +AE1 -T draw club 2..5 0c00400000000000 %ff % \
             18446744073709551616",
        )
        .prop_map(str::to_owned),
        "[ -~ハ]{0,12}".prop_map(|text| form_urlencoded::byte_serialize(text.as_bytes()).collect()),
    ];
    let path = one_of("api/position api/line api/legal api/play api/puzzle api api/x");
    let question = (path, proptest::collection::vec((key, value), 0..5));
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let ran = runner.run(&question, |(path, parameters)| {
        let query: Vec<String> = parameters.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let request = format!(
            "GET /{path}?{}&seconds=0.01 HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            query.join("&"),
            server.host()
        );
        let answer = raw(server.host(), &request);
        let status = answer.split(' ').nth(1).unwrap_or("none");
        prop_assert!(["200", "400", "404"].contains(&status), "{request}: {answer}");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        let json: Value = serde_json::from_str(body).expect("JSON");
        prop_assert_eq!(json["error"].is_string(), status != "200", "{}", answer);
        Ok(())
    });
    ran.expect("every question is answered");
}

#[test]
fn a_hundred_questions_at_once_are_answered_in_turn() {
    let server = serve("--threads 2");
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for number in 0..100 {
            let (server, answered) = (&server, &answered);
            scope.spawn(move || {
                let mover = if number % 2 == 0 { "red" } else { "green" };
                let (status, answer) =
                    server.ask(&format!("api/position?board=b;B&to_move={mover}&seconds=0.05"));
                assert_eq!((status, &answer["to_move"]), (200, &json!(mover)));
                answered.fetch_add(1, Ordering::Relaxed);
            });
        }
        // Meanwhile some pages go away.
        for _ in 0..20 {
            let mut stream = TcpStream::connect(server.host()).expect("it listens");
            let request =
                format!("GET /api/position?board=b;B&seconds=2 HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
            stream.write_all(request.as_bytes()).expect("a write");
        }
    });
    assert_eq!(answered.into_inner(), 100);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_while_it_searches() {
    for signal in ["-INT", "-TERM"] {
        let mut server = serve("");
        let mut stream = TcpStream::connect(server.host()).expect("it listens");
        let request =
            format!("GET /api/position?board=b;B&seconds=2 HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
        stream.write_all(request.as_bytes()).expect("a write");
        send(signal, &server.process);
        // A server is meant to be ended by these signals.
        assert_eq!(end_of(&mut server.process).code(), Some(0), "{signal}");
    }
    let mut server = serve("");
    send("-HUP", &server.process);
    died_by("-HUP", end_of(&mut server.process));
}

#[test]
fn a_port_that_is_used_is_refused() {
    let server = serve("");
    dovemate(&format!("serve --port {}", server.port()))
        .fails(1, "another program uses it; --port 0 takes a free one");
}

/// A second start shows the page that is served already, so that what its browser keeps is there; another game is not
/// that page.
#[cfg(target_os = "linux")]
#[test]
fn a_second_start_shows_the_page_that_is_served() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let (browser, shown) = (folder.join("xdg-open"), folder.join("shown"));
    folder.write("xdg-open", format!("#!/bin/sh\nprintf %s \"$1\" >'{}'\n", shown.display()));
    std::fs::set_permissions(&browser, PermissionsExt::from_mode(0o755)).expect("it may run");
    let server = serve("--kinds A");
    let port = server.port().to_owned();
    let second = |kinds: &str| {
        let mut program = command(PROGRAM, &folder);
        program.args(["serve", "--open", "--port", &port, "--kinds", kinds]).env("PATH", &*folder);
        run(&mut program, "")
    };
    let ran = second("A").ends(0);
    assert!(
        ran.out.is_empty() && ran.err.contains("is served at") && ran.err.contains("already"),
        "{}",
        ran.err
    );
    let url = wait_for("the browser", || std::fs::read_to_string(&shown).ok().filter(|url| !url.is_empty()));
    assert_eq!(url, server.url);
    second("Y").fails(1, "another program uses it");
}

/// On a terminal, the program without arguments first says how to open the board page.
#[cfg(target_os = "linux")]
#[test]
fn the_program_alone_names_the_board_first() {
    let command = format!("'{PROGRAM}'");
    let output = std::process::Command::new("script")
        .env("TERM", "xterm")
        .args(["-qec", &command, "/dev/null"])
        .output()
        .expect("script");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.starts_with("to play or to look at positions: `dovemate serve --open` opens a board"),
        "{text}"
    );
    assert!(!dovemate("").err.contains("serve --open"), "only on a terminal");
}
