//! The same tour of the board page in every engine: what a user does from the first visit on, with the mouse,
//! with keys, on a phone that is turned, in the dark, on paper, and from a file.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use serde_json::json;

use super::{DARK, LIGHT, PAPER, analysis_of, exported, look_ahead, look_ahead_of};
use crate::common::WIN_IN_5;
use crate::common::browser::{Browser, Engine};
use crate::common::page::{act, set};
use crate::common::server::{Server, serve};

#[test]
fn chromium() {
    tour(Engine::Chromium);
}

#[test]
fn firefox() {
    tour(Engine::Firefox);
}

#[test]
fn webkit() {
    tour(Engine::WebKit);
}

fn tour(engine: Engine) {
    let server = serve(&[]);
    look_ahead(&server, WIN_IN_5, "red");
    let Some(mut page) = Browser::start(engine) else { return };
    page.resize(1000, 720);
    learn(&mut page, &server);
    analyse(&mut page, &server);
    play(&mut page, &server);
    solve_a_puzzle(&mut page, &server);
    set_up_and_paste(&mut page, &server);
    press_keys(&mut page, &server);
    step_fast(&mut page, &server);
    turn_the_phone(&mut page, &server);
    print(&mut page);
    open_a_file(&mut page);
    // The view *Count* looks for a GPU.
    let complaints = page.complaints().iter().filter(|text| !text.contains("No available adapters"));
    assert_eq!(complaints.collect::<Vec<_>>(), Vec::<&String>::new());
    drop(page);
    choose_colours(engine, &server);
}

fn learn(page: &mut Browser, server: &Server) {
    page.open(&server.url);
    assert_eq!(page.text("#learn-panel h2"), "The game in two minutes");
    page.until("[...document.querySelectorAll('#learn-panel img')].every(image => image.naturalWidth > 0)");
}

fn analyse(page: &mut Browser, server: &Server) {
    page.open(&format!("{}#mode=analyse&board={WIN_IN_5}", server.url));
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    page.click("[data-dove=T]");
    page.until("document.querySelector('.target.worth-win').textContent === '▲5'");
    page.key("Escape");
    page.until("document.querySelectorAll('.target').length === 0");
    page.value("scrollTo(0, 0)");
    // A drag is a move.
    let cell = page.value("import('./session.js').then(({ session }) => String(session.legal('TE3').to))");
    page.drag(".place[data-dove=T]", &format!("[data-cell='{}']", cell.as_str().expect("a cell")));
    page.until("document.querySelector('#game-list .current')?.textContent.startsWith('1. TE3')");
    page.value("history.back()");
    page.until("document.querySelectorAll('#game-list li').length === 1");
}

/// A game to its end, and its review.
fn play(page: &mut Browser, server: &Server) {
    page.open(&format!("{}#mode=play&board={WIN_IN_5}&you=red&level=strongest", server.url));
    for _ in 0..3 {
        page.until("!document.querySelector('[data-do=hint]').disabled");
        look_ahead_of(page, server);
        page.click("[data-do=hint]");
        page.until("document.getElementById('notice').textContent.startsWith('Hint')");
        let hint = page.text("#notice");
        act(page, hint.split(' ').nth(1).expect("an action"));
        page.until("document.querySelector('[data-do=hint]:enabled') || document.getElementById('turn').textContent === 'The game is over'");
    }
    assert_eq!(page.text("#play-status"), "You have won. Well played!");
    page.click("[data-do=review]");
    page.until("document.querySelector('.verdict').textContent === 'Red has won'");
    page.until("document.querySelectorAll('#game-list [class*=judged-]').length === 5");
}

fn solve_a_puzzle(page: &mut Browser, server: &Server) {
    page.open(&format!("{}#mode=puzzles&board={WIN_IN_5}&plies=5", server.url));
    act(page, "TN1E3");
    page.until("document.getElementById('puzzle-status').textContent.startsWith('TN1E3 ')");
    act(page, "TE3");
    page.until("document.getElementById('puzzle-status').textContent.startsWith('Right.')");
    page.click("[data-do=nextPuzzle]");
    page.until("!location.hash.includes('actions=') && document.querySelector('[data-do=solution]:enabled')");
}

fn set_up_and_paste(page: &mut Browser, server: &Server) {
    page.open(&analysis_of(server));
    page.click("[data-mode=setup]");
    page.click(".hand [data-dove=A]");
    page.click(".place.beyond");
    set(page, "#setup-text", "b--B");
    assert_eq!(
        page.text("#setup-status"),
        "'B' is isolated; every dove needs another one on one of its 8 neighbouring cells"
    );
    set(page, "#setup-code", "0fffce620941753a");
    assert_eq!(page.value("document.getElementById('setup-status').className"), "good");
    page.click("[data-do=mode]");
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    page.click("[data-do=paste]");
    page.value("document.getElementById('paste-text').value = '1. ＴＥ３'");
    page.click("[data-do=take]");
    page.until("location.hash.endsWith('&actions=TE3')");
}

/// After a click, keys step and play; after Tab, they move the cursor and press.
fn press_keys(page: &mut Browser, server: &Server) {
    let count = |plies: u32| format!("document.querySelectorAll('#game-list li').length === {plies}");
    let shows = |ply: u32| format!("import('./session.js').then(({{ session }}) => session.ply === {ply})");
    let reaches = |page: &mut Browser, ply| assert_eq!(page.value(&shows(ply)), true, "ply {ply}");
    page.open(&format!("{}#mode=analyse&board={WIN_IN_5}&actions=TE3,-h", server.url));
    page.click(".place.beyond");
    page.key("ArrowLeft");
    reaches(page, 1);
    page.key("ArrowLeft");
    reaches(page, 0);
    page.key("ArrowRight");
    reaches(page, 1);
    page.click("#back");
    reaches(page, 0);
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    page.key(" ");
    reaches(page, 1);
    page.click("#last");
    page.until("document.querySelector('[data-do=best]:enabled')");
    page.key(" ");
    page.until(&count(4));
    page.key("ArrowLeft");
    reaches(page, 2);
    // By keys alone, from the list of the tabs on.
    page.click("[role=tab][aria-selected=true]");
    for _ in 0..100 {
        if page.value("document.activeElement.matches('.place')") == true {
            break;
        }
        page.key("Tab");
    }
    let cursor = "document.activeElement.dataset.cell";
    let before = page.value(cursor);
    page.key("ArrowRight");
    assert_ne!(page.value(cursor), before, "the cursor moves");
    reaches(page, 2);
}

/// WebKit takes a hundred new addresses in ten seconds: the board goes on, and the address follows.
fn step_fast(page: &mut Browser, server: &Server) {
    page.open(&format!("{}#mode=analyse&values=no&board={WIN_IN_5}&actions=TE3,-h", server.url));
    page.value(
        "import('./session.js').then(({ session }) => { for (let step = 0; step < 301; step++) session.go(step % 2) })",
    );
    assert!(page.text("#game-list .current").starts_with("Start"));
    page.value("import('./session.js').then(({ session }) => session.go(1))");
    assert!(page.text("#game-list .current").starts_with("1. TE3"));
    let address = "import('./session.js').then(({ session }) => session.address().includes('&ply=1'))";
    assert_eq!(page.value(address), true);
    page.until("location.hash.includes('&ply=1')");
}

/// Everything is in the window, and the cells of the board lie side by side.
fn turn_the_phone(page: &mut Browser, server: &Server) {
    const OVERLAPPING: &str = "(cells => cells.filter((a, index) => cells.slice(index + 1).some(b => \
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)).length)\
        ([...document.querySelectorAll('.place')].map(cell => cell.getBoundingClientRect()))";
    const SMALL_FIELDS: &str = "[...document.querySelectorAll('input[type=text], select, textarea')]\
        .filter(field => parseFloat(getComputedStyle(field).fontSize) < 16).length";
    page.open(&format!("{}#mode=play&board={WIN_IN_5}", server.url));
    for (width, height) in
        [(360, 740), (740, 360), (390, 844), (844, 390), (640, 480), (360, 740), (1280, 900)]
    {
        page.resize(width, height);
        page.until(&format!("innerWidth === {width} && innerHeight === {height}"));
        let hidden = page.value(include_str!("out_of_sight.js"));
        assert_eq!(hidden, json!([]), "at {width}×{height}");
        assert_eq!(page.value(OVERLAPPING), 0, "cells overlap at {width}×{height}");
    }
    page.resize(360, 740);
    page.until("innerWidth === 360");
    for mode in ["learn", "analyse", "play", "puzzles", "setup", "count"] {
        page.click(&format!("[data-mode={mode}]"));
        page.value("document.querySelectorAll('details').forEach(details => { details.open = true })");
        let beyond = page.value("(root => root.scrollWidth - root.clientWidth)(document.documentElement)");
        assert_eq!(beyond, 0, "{mode} is wider than the window");
        assert_eq!(page.value(SMALL_FIELDS), 0, "{mode}: an iPhone would magnify the page");
    }
    page.resize(1000, 720);
}

/// What is for paper only is for the screen, too, from now on, and the other way round.
fn print(page: &mut Browser) {
    page.click("[data-mode=play]");
    page.value(
        "[...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).filter(({ media }) => media).forEach(({ media }) => { \
         media.mediaText = { print: 'screen', screen: 'print' }[media.mediaText] ?? media.mediaText })",
    );
    let shown = "['header', '#turn', '#board', '#beside', '.steps'].filter(part => document.querySelector(part).getBoundingClientRect().height > 0)";
    assert_eq!(page.value(shown), json!(["#turn", "#board"]));
}

/// A page from a file has its own library, openings and worker.
fn open_a_file(page: &mut Browser) {
    let (_folder, url) = exported(&[]);
    page.open(&format!("{url}#mode=analyse"));
    page.until("document.querySelector('#analysis-panel').textContent.includes('from the openings of the solved game')");
    page.open(&format!("{url}#mode=analyse&red=AY&green=AY&board=B-Yy;-a--;bA--"));
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    assert!(page.text("#analysis-panel").contains("from the solved game"));
}

/// Dark as the system is, or as the button says; also if the style sheet comes last.
fn choose_colours(engine: Engine, server: &Server) {
    let Some(mut page) = Browser::start_dark(engine) else { return };
    page.open(&analysis_of(server));
    assert_eq!(page.value(PAPER), DARK);
    page.click("#theme");
    assert_eq!(page.value(PAPER), LIGHT);
    page.click("#theme");
    assert_eq!(page.value(PAPER), DARK);
    // Other engines wait for the style sheet before they run scripts.
    if engine == Engine::WebKit {
        page.open(&format!("{}#mode=analyse", late_style(server.host().to_owned())));
        assert_eq!(page.value(PAPER), DARK);
        page.click("#theme");
        assert_eq!(page.value(PAPER), LIGHT);
    }
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// The address of a server that passes requests on, and sends the style sheet when the page has asked a
/// question.
fn late_style(host: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let has_asked = Arc::new((Mutex::new(false), Condvar::new()));
    let answer = move |mut stream: TcpStream| -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        // What is left of the request does not matter.
        while reader.read_line(&mut String::new()).ok()? > 2 {}
        let path = line.split(' ').nth(1)?;
        let (asked, change) = &*has_asked;
        if path.starts_with("/api/") {
            *asked.lock().ok()? = true;
            change.notify_all();
        }
        if path.starts_with("/style.css") {
            drop(change.wait_while(asked.lock().ok()?, |asked| !*asked).ok()?);
        }
        let answer = minreq::get(format!("http://{host}{path}")).send().ok()?;
        let kind = &answer.headers.iter().find(|(name, _)| name == "content-type")?.1;
        let (status, length) = (answer.status_code, answer.as_bytes().len());
        let head = format!(
            "HTTP/1.1 {status} OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(answer.as_bytes())).ok()
    };
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let answer = answer.clone();
            thread::spawn(move || answer(stream));
        }
    });
    url
}
