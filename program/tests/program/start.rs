//! The board page begins whatever a browser, a frame, an address or an earlier version of the page did to it.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::common::WIN_IN_5;
use crate::common::browser::Browser;
use crate::common::program::dovemate_in;
use crate::common::server::serve;

/// What the page says that it does without.
const FAILED: &str = "document.getElementById('failed').textContent";

#[test]
fn what_is_not_needed_stops_nothing() {
    let kept = |list: &str| format!("localStorage['dovemate-puzzles'] = {}", json!(list));
    let getter =
        |name: &str, body: &str| format!("Object.defineProperty(window, '{name}', {{ get() {{ {body} }} }})");
    let entry =
        json!([null, { "address": 7, "isRight": true }, { "address": "mode=puzzles", "isRight": true }]);
    let cases = [
        (kept("{}"), "the puzzles that were solved (dovemate-puzzles = {})"),
        (kept("null"), "the puzzles that were solved (dovemate-puzzles = null)"),
        (kept("[{"), "the puzzles that were solved ("),
        (kept(&entry.to_string()), "the puzzles that were solved ("),
        (getter("localStorage", "throw Error('switched off')"), "what the browser keeps (switched off)"),
        (getter("localStorage", "return null"), "what the browser keeps ("),
        ("Object.defineProperty(Navigator.prototype, 'language', { value: undefined })".into(), "the browser’s language ("),
        (
            "Object.defineProperty(MediaList.prototype, 'mediaText', { set() { throw Error('read only') } })".into(),
            "the choice of colours (read only)",
        ),
        (
            "History.prototype.pushState = History.prototype.replaceState = () => { throw Error('not here') }".into(),
            "the address bar (not here)",
        ),
        // A style sheet that nobody may read is an extension's.
        (
            "Object.defineProperty(CSSStyleSheet.prototype, 'cssRules', { get() { throw Error('foreign') } })".into(),
            "",
        ),
    ];
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    for (script, part) in cases {
        // The blank page before it has no storage either.
        let script = page.before_scripts(&format!("if (location.protocol !== 'about:') {{ {script} }}"));
        page.open(&format!("{}#mode=puzzles&board={WIN_IN_5}&plies=5", server.url));
        page.send("Page.removeScriptToEvaluateOnNewDocument", script);
        let said = page.text("#failed");
        assert!(said.contains(part) && said.is_empty() == part.is_empty(), "{part}: {said}");
        assert_eq!(page.value("document.getElementById('absent')"), json!(null));
        page.click("#tab-analyse");
        page.until("document.querySelector('.verdict').textContent !== ''");
        page.value("try { localStorage.clear() } catch { }");
        assert!(page.complaints().is_empty(), "{part}: {:?}", page.complaints());
    }
    page.open(&server.url);
    assert_eq!(page.value(FAILED), "");
}

/// In a frame that has no origin, there is neither storage nor an address bar nor a service worker.
#[test]
fn a_frame_without_an_origin_is_enough() {
    const REPORT: &str = "<script>setInterval(() => parent.postMessage({ failed: document.getElementById('failed').textContent, \
        verdict: document.querySelector('.verdict')?.textContent, ready: document.body.dataset.ready }, '*'), 100); \
        addEventListener('message', () => document.getElementById('tab-analyse').click());</script>";
    let folder = tempfile::tempdir().expect("a folder");
    for (exported, file, has_service) in
        [("board.html", "board.html", false), ("site/", "site/index.html", true)]
    {
        dovemate_in(folder.path(), &["serve", "--export", exported], "").succeeds();
        let page = fs::read_to_string(folder.path().join(file)).expect("a page") + REPORT;
        let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
        let host = "<!DOCTYPE html><script>addEventListener('message', ({ data }) => \
            { globalThis.told = data; document.body.dataset.ready = data.ready; });</script>";
        let frame = format!("{host}<body><iframe sandbox=\"allow-scripts\" srcdoc=\"{escaped}\"></iframe>");
        let path = folder.path().join("host.html");
        fs::write(&path, frame).expect("a write");
        let Some(mut page) = Browser::chromium() else { return };
        page.open(&address(&path));
        page.value("document.querySelector('iframe').contentWindow.postMessage('analyse', '*')");
        page.until("told.verdict?.startsWith('Draw')");
        let said = page.value("told.failed");
        let said = said.as_str().expect("text");
        assert!(said.contains("what the browser keeps (") && said.contains("the address bar ("), "{said}");
        assert_eq!(said.contains("use without a network ("), has_service, "{said}");
    }
}

fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Where memory is too short to solve a small game, or no round of it ends, its positions are searched, in every view.
#[test]
fn a_game_that_cannot_be_solved_is_searched() {
    /// A worker that is asked to solve a game says nothing, and a minute takes a second.
    const SILENT: &str = "const post = Worker.prototype.postMessage; \
        Worker.prototype.postMessage = function (data) { if (data.args?.[0] !== 'solve') post.call(this, data) }; \
        const set = setTimeout; globalThis.setTimeout = (work, time) => set(work, time === 60000 ? 1000 : time);";
    let folder = tempfile::tempdir().expect("a folder");
    dovemate_in(folder.path(), &["serve", "--export", "board.html", "--kinds", "AYM"], "").succeeds();
    let url = address(&folder.path().join("board.html"));
    // A page of memory has 64 KiB: solving takes 135 MB.
    for (options, script) in [("--js-flags=--wasm-max-mem-pages=1000", ""), ("--disable-gpu", SILENT)] {
        let Some(mut page) = Browser::chromium_with(&[options]) else { return };
        page.before_scripts(script);
        for (view, is_there) in [
            ("analyse&board=b-a;B-A", "document.querySelector('.group')"),
            (
                "play&you=green",
                "document.getElementById('notice').textContent.startsWith('The machine plays')",
            ),
            ("puzzles", "document.getElementById('turn').textContent.includes('wins in 3 plies')"),
        ] {
            page.open(&format!("{url}#mode={view}"));
            page.value(
                "globalThis.told = new Set(); new MutationObserver(() => told.add(document.getElementById('notice').textContent))\
                 .observe(document.getElementById('notice'), { childList: true, subtree: true, characterData: true })",
            );
            page.until(is_there);
            let told = page.value("[...told].join() + document.getElementById('notice').textContent");
            let sentence = "This game cannot be solved here, as where memory is short: its positions are searched instead.";
            assert!(told.as_str().expect("text").contains(sentence), "{view}: {told}");
        }
    }
}

/// What an address says is shown, or the page says that it is not.
#[test]
fn nothing_in_an_address_is_ignored_silently() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    for (address, sentence) in [
        ("mode=analyse&actions=*AE1&ply=0&values=no".to_owned(), ""),
        ("mode=analyze&bord=b;B".to_owned(), "The address has parts that this page cannot read: mode, bord."),
        (
            "mode=play&turn=blue&level=grandmaster&plies=two&ply=-1&ending=lost".to_owned(),
            "The address has parts that this page cannot read: ",
        ),
        (
            format!("mode=analyse&board={WIN_IN_5}&tur"),
            "The address has parts that this page cannot read: tur.",
        ),
        ("mode=analyse&board=b".to_owned(), "The address has no position that could be shown."),
        ("mode=analyse&board=".to_owned(), "The address has no position that could be shown."),
        (
            "mode=analyse&mode=play&compare=colour&doves=99&actions=*AE1&ply=2&ending=draw+by+repetition&lines=*AE1,BN9".to_owned(),
            "The address has parts that this page cannot read: mode, doves, compare, ply, ending, lines.",
        ),
    ] {
        page.open(&format!("{}#{address}", server.url));
        let said = page.text("#notice");
        assert!(said.starts_with(sentence) && said.is_empty() == sentence.is_empty(), "{address}: {said}");
    }
    // A puzzle without a board is drawn; a board that is no such win is said to be none.
    page.open(&format!("{}#mode=puzzles&plies=1", server.url));
    page.until("document.getElementById('turn').textContent.includes(' wins in 1 ply')");
    page.until("location.hash.includes('plies=1')");
    // A board without a number of plies is one of three.
    page.open(&format!("{}#mode=puzzles&board={WIN_IN_5}", server.url));
    page.until("document.getElementById('puzzle-status').textContent === 'This board is no puzzle: red does not win in 3 plies.'");
    assert!(page.value("location.hash").as_str().expect("text").contains(WIN_IN_5));
    page.open(&format!("{}#mode=puzzles&board={WIN_IN_5}&plies=3", server.url));
    page.until("document.getElementById('puzzle-status').textContent === 'This board is no puzzle: red does not win in 3 plies.'");
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}
