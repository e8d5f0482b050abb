//! The board page in real browsers, as people use it: what each does and sees is in a file of `tours/`.

use std::sync::{Condvar, Mutex};

use serde_json::json;

use crate::common::browser::{Browser, Engine};
use crate::common::folders::Folder;
use crate::common::host::{Answer, Host};
use crate::common::program::dovemate;
use crate::common::server::serve;
use crate::common::tour::{Tour, walk};
use crate::common::{WIN_IN_5, repository};

/// A test for each file, with the browsers in which its steps are taken.
macro_rules! tours {
    ($($name:ident in $($engine:ident)+;)+) => {
        $(#[test]
        fn $name() {
            $(walk(Engine::$engine, stringify!($name));)+
        })+
    };
}

tours! {
    a_blind_colleague in Chromium Firefox;
    a_board_is_set_up_looked_at_and_played_on in Chromium;
    a_class in Chromium;
    a_desk_of_theory in Chromium;
    a_game_is_looked_through in Chromium;
    a_lesson in Chromium;
    a_phone_in_japanese in Chromium;
    a_puzzle_is_drawn_and_solved in Chromium;
    a_restart_of_the_server_loses_nothing in Chromium;
    a_tree_of_openings in Chromium;
    a_won_position_is_played_to_its_end in Chromium;
    copies_without_a_clipboard_can_be_pasted in Chromium;
    ends_and_bounds_are_shown in Chromium;
    it_fits_a_phone in Chromium;
    message_and_board_are_in_sight in Chromium;
    nothing_in_an_address_is_ignored_silently in Chromium;
    the_colours_are_chosen in Chromium;
    the_keyboard_is_enough in Chromium;
    what_is_not_needed_stops_nothing in Chromium;
}

/// The tour `every_engine`, with a test for each engine.
mod every_engine {
    use super::{Engine, walk};

    #[test]
    fn chromium() {
        walk(Engine::Chromium, "every_engine");
    }

    #[test]
    fn firefox() {
        walk(Engine::Firefox, "every_engine");
    }

    #[test]
    fn webkit() {
        walk(Engine::WebKit, "every_engine");
    }
}

/// The program reads what the page writes.
#[test]
fn games_and_boards_are_pasted() {
    let Some(mut tour) = Tour::start(Browser::chromium()) else { return };
    tour.walk("games_and_boards_are_pasted");
    let folder = Folder::new();
    folder.write("game.txt", tour.named("written"));
    folder.dovemate("show --game game.txt").succeeds().says("\n3. red AS1W1\n");
}

/// First the memory is limited to 1,000 pages of 64 KiB, but solving takes 135 MB; then the worker that is to solve
/// says nothing.
#[test]
fn a_game_that_cannot_be_solved_is_searched() {
    for (options, script) in
        [("--js-flags=--wasm-max-mem-pages=1000", ""), ("--disable-gpu", "tour.muteSolver()")]
    {
        let Some(mut tour) = Tour::start(Browser::chromium_with(&[options])) else { return };
        tour.name("SCRIPT", script);
        tour.walk("a_game_that_cannot_be_solved_is_searched");
    }
}

/// In a frame that has no origin, there is neither storage nor an address bar nor a service worker.
#[test]
fn a_frame_without_an_origin_is_enough() {
    let folder = Folder::new();
    for (exported, file, has_service) in
        [("board.html", "board.html", false), ("site/", "site/index.html", true)]
    {
        folder.dovemate(&format!("serve --export {exported}")).succeeds();
        let page = folder.read(file);
        let page = page + "<script>" + include_str!("tours/in_frame.js") + "</script>";
        let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
        let host = folder.join("host.html");
        let frame = format!(
            "<!DOCTYPE html><script>{}</script><body><iframe sandbox=\"allow-scripts\" srcdoc=\"{escaped}\"></iframe>",
            include_str!("tours/around_frame.js")
        );
        std::fs::write(&host, frame).expect("a write");
        let Some(mut page) = Browser::chromium() else { return };
        page.open(&format!("file://{}", host.display()));
        page.value("document.querySelector('iframe').contentWindow.postMessage('analyse', '*')");
        page.until("told.verdict?.startsWith('Draw')");
        let said = page.value("told.failed");
        let said = said.as_str().expect("text");
        assert!(said.contains("what the browser keeps (") && said.contains("the address bar ("), "{said}");
        assert_eq!(said.contains("use without a network ("), has_service, "{said}");
    }
}

#[test]
fn noise_is_no_picture() {
    let firefox = Browser::firefox_with(&[("privacy.resistFingerprinting", "true")]);
    let Some(mut tour) = Tour::start(firefox) else { return };
    tour.walk("noise_is_no_picture");
}

/// Its values are those of the solver.
#[test]
fn an_exported_page_stands_alone() {
    const BOARD: &str = "B-Yy;-a--;bA--";
    let Some(mut tour) = Tour::start(Browser::chromium()) else { return };
    tour.walk("an_exported_page_stands_alone");
    tour.steps(&format!("open #mode=analyse&board={BOARD}\nuntil .verdict is Red wins in 5 plies"));
    let best = dovemate(&format!("best {BOARD} --kinds AY --json")).succeeds().json();
    let shown = tour.value("source.position(session.place)");
    assert_eq!((&shown["actions"], &shown["worth"]), (&best["actions"], &best["worth"]));
}

/// To questions with an effort in positions, a new worker gives the same answers as a server.
#[test]
fn an_exported_page_has_the_whole_game() {
    let Some(mut tour) = Tour::start(Browser::chromium()) else { return };
    tour.walk("an_exported_page_has_the_whole_game");
    let server = serve("");
    for question in [
        "position?board={WIN_IN_5}&positions=2000",
        "position?board=b;B&positions=1000",
        "position?board=A-y-;hbB-;a---;----&to_move=green&positions=100000",
        "line?board={WIN_IN_5}&positions=20000",
        "play?board=b;B&positions=1000&seed=5&level=club",
        "puzzle?plies=3&unique=yes&seed=7&positions=1000000",
        "sheet?puzzles=MTat;-YA-;-hmy;bB--+red+YN2W1+-a+YN1W1",
        "legal?board=-AB-;m--Y;-Mb-;----",
        "read?text=%2BAE1",
    ] {
        let question = question.replace("{WIN_IN_5}", WIN_IN_5);
        let own = tour.value(&format!("askAnew({})", json!(question)));
        let (_, mut served) = server.ask(&format!("api/{question}"));
        // The page does not know the commit.
        for path in ["/commit", "/puzzle/commit"] {
            if let Some(commit) = served.pointer_mut(path) {
                *commit = json!(null);
            }
        }
        assert_eq!(own, served, "{question}");
    }
}

/// Behind a host with a policy of its own, the page says what that forbids. With those of doc/board-page.md nothing is.
#[test]
fn a_policy_of_the_host_is_named() {
    let Some(document) = repository("doc/board-page.md") else { return };
    let text = std::fs::read_to_string(document).expect("the document");
    let mut enough = text.lines().filter_map(|line| line.trim().strip_prefix("Content-Security-Policy: "));
    let [of_server, of_file] = [(); 2].map(|()| enough.next().expect("a policy"));
    let folder = Folder::new();
    folder.dovemate("serve --export board.html").succeeds();
    let exported = folder.read("board.html");
    for (is_file, policy, steps) in [
        (
            false,
            "default-src 'self'",
            "visit\nuntil #forbidden has (script-src: wasm-eval)\nexpect no #absent",
        ),
        (
            false,
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
            "open #mode=analyse\nuntil #failed has worker-src: blob",
        ),
        (
            true,
            "script-src 'unsafe-inline'",
            "visit\nuntil #forbidden has (script-src-elem: data)\nexpect no #absent",
        ),
        (true, "default-src 'self'", "visit\nuntil #absent has Content-Security-Policy"),
        (
            false,
            of_server,
            "open #mode=count\nuntil #tally-status has counted on the CPU\nexpect #failed is \"\"",
        ),
        (
            true,
            of_file,
            "open #mode=count\nuntil #tally-status has counted on the CPU\nexpect #failed is \"\"",
        ),
    ] {
        let Some(mut tour) = Tour::start(Browser::chromium()) else { return };
        let (server, exported, policy) = (serve(""), exported.clone(), policy.to_owned());
        let host = Host::at(0, move |path| {
            let mut answer = passed_on(&server.url, path)?;
            if is_file && path == "/" {
                answer.body = exported.clone().into_bytes();
            }
            answer.head += &format!("\r\nContent-Security-Policy: {policy}");
            Some(answer)
        });
        tour.from(&host.url());
        tour.steps(steps);
    }
}

/// A proxy that answers in the place of the server, in JSON of its own, is no server.
#[test]
fn a_refusal_of_a_proxy_is_no_answer() {
    for (status, body) in [
        (403, r#"{"error":{"code":403,"message":"no"}}"#),
        (500, r#"{"error":"Internal Server Error"}"#),
        (200, "[]"),
        (200, "null"),
    ] {
        let Some(mut tour) = Tour::start(Browser::chromium()) else { return };
        let server = serve("");
        let host = Host::at(0, move |path| {
            let mut answer = passed_on(&server.url, path)?;
            if path.starts_with("/api/") {
                (answer.status, answer.body) = (status, body.into());
            }
            Some(answer)
        });
        tour.from(&host.url());
        tour.steps("open #mode=analyse\nuntil .verdict begins Draw\nexpect #notice begins The server no longer answers");
        tour.steps("expect value holes() is null");
    }
}

/// Where the page cannot work, a sentence says so.
#[test]
fn a_page_that_cannot_work_says_so() {
    for (broken, said) in [
        ("before delete globalThis.WebAssembly", "This page needs a browser"),
        ("before delete globalThis.DecompressionStream", "This page needs a browser"),
        ("send Emulation.setScriptExecutionDisabled { \"value\": true }", "Scripts are off here"),
    ] {
        let Some(mut tour) = Tour::start(Browser::chromium()) else { return };
        tour.steps(&format!("export\n{broken}\nvisit"));
        let seen = "[...document.querySelectorAll('.absent.failed, noscript')].find(part => part.checkVisibility({ visibilityProperty: true }))";
        tour.page.until(&format!("{seen}.innerText.includes({})", json!(said)));
    }
}

/// Dark as the system is, or as the button says; also if the style sheet comes last.
#[test]
fn a_dark_system_has_a_dark_page() {
    // Chromium: see the_colours_are_chosen.
    let firefox = Browser::firefox_with(&[("layout.css.prefers-color-scheme.content-override", "0")]);
    let Some(mut tour) = Tour::start(firefox) else { return };
    tour.walk("a_dark_system");
    let Some(mut tour) = Tour::start(Browser::webkit_with("Adwaita:dark")) else { return };
    tour.walk("a_dark_system");
    // Other engines wait for the style sheet before they run scripts.
    let server = serve("");
    tour.from(&late_style(server.url.clone()).url());
    tour.steps(
        "open #mode=analyse\nexpect value paper() is dark\nclick #theme\nexpect value paper() is light",
    );
    tour.is_well();
}

/// A server that passes requests on to another one, and sends the style sheet when the page has asked a question.
fn late_style(url: String) -> Host {
    let has_asked = (Mutex::new(false), Condvar::new());
    Host::at(0, move |path| {
        let (asked, change) = &has_asked;
        if path.starts_with("/api/") {
            *asked.lock().expect("no panic") = true;
            change.notify_all();
        }
        if path.starts_with("/style.css") {
            drop(change.wait_while(asked.lock().expect("no panic"), |asked| !*asked).expect("no panic"));
        }
        passed_on(&url, path)
    })
}

/// The answer of a server, for a host before it.
fn passed_on(url: &str, path: &str) -> Option<Answer> {
    let answer = minreq::get(url.to_owned() + path.trim_start_matches('/')).send().ok()?;
    let (_, kind) = answer.headers.iter().find(|(name, _)| name == "content-type")?;
    let head = format!("Content-Type: {kind}");
    Some(Answer { status: answer.status_code, head, body: answer.into_bytes() })
}
