//! The board page in a real browser: with the mouse, in a phone's window, and with the keyboard alone.
//!
//! With `DOVEMATE_PICTURES=doc` the test saves its pictures of the page there.

mod tour;

use std::collections::BTreeSet;
use std::path::Path;

use dovemate::ask::level::Level;
use serde_json::{Value, json};

use crate::common::browser::Browser;
use crate::common::page::{act, act_in, set};
use crate::common::program::dovemate_in;
use crate::common::server::{Server, serve, serve_at};
use crate::common::{WIN_IN_5, wait_for};

/// The colour behind everything, by light and in the dark.
const PAPER: &str = "getComputedStyle(document.body).backgroundColor";
const LIGHT: &str = "rgb(251, 248, 241)";
const DARK: &str = "rgb(22, 24, 29)";
/// What the button for the colours is called, which has an icon.
const COLOURS: &str = "document.getElementById('theme').getAttribute('aria-label')";

/// The most bytes of a picture in `doc/`.
const MAX_PICTURE: usize = 160_000;

fn photograph(page: &mut Browser, name: &str) {
    let picture = page.photograph();
    assert!((10_000..MAX_PICTURE).contains(&picture.len()), "{name}: {} bytes", picture.len());
    if let Some(folder) = std::env::var_os("DOVEMATE_PICTURES") {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .join(folder)
            .join(format!("board-{name}.png"));
        std::fs::write(path, picture).expect("a write");
    }
}

/// The address of the analysis from the start of the game; without a mode, a first visit shows the rules.
fn analysis_of(server: &Server) -> String {
    format!("{}#mode=analyse", server.url)
}

/// What the buttons beside the board do.
const BESIDE: &str = "[...document.querySelectorAll('#beside button')].map(button => button.dataset.do)";

/// Lets a server find out all about a position that is decided within 5 plies, so that it answers at once
/// what the page asks about it, and how fast the machine is makes no difference.
fn look_ahead(server: &Server, board: &str, mover: &str) {
    server.searched(&format!("api/position?board={board}&to_move={mover}&depth=5&seconds=2"));
    wait_for("the whole line", || {
        let answer = server.searched(&format!("api/line?board={board}&to_move={mover}&depth=5&seconds=2"));
        (answer["result"] != "unfinished").then_some(())
    });
}

/// The same for the position that the page shows.
fn look_ahead_of(page: &mut Browser, server: &Server) {
    let place = page.value(
        "Promise.all([import('./doves.js'), import('./session.js')]).then(([{ boardText }, { session }]) => \
         [boardText(session.now.doves), session.now.mover])",
    );
    look_ahead(server, place[0].as_str().expect("a board"), place[1].as_str().expect("a player"));
}

/// The same for a page without a server.
const LOOK_AHEAD: &str = "Promise.all([import('source.js'), import('session.js')]).then(([{ source }, { session }]) => \
                          source.position(session.place, { depth: 5, seconds: 1e6 })).then(() => true)";

#[test]
fn a_board_is_set_up_looked_at_and_played_on() {
    let server = serve(&[]);
    look_ahead(&server, WIN_IN_5, "red");
    let Some(mut page) = Browser::chromium() else { return };
    page.resize(980, 720);
    page.open(&analysis_of(&server));
    // From the start of the game: the bosses in place, then dove after dove, the next one chosen by itself.
    let mut clicks = 0;
    let mut click = |page: &mut Browser, selector: &str| {
        page.click(selector);
        clicks += 1;
    };
    click(&mut page, "[data-mode=setup]");
    for (dove, cell) in [("b", "2,2"), ("B", "2,0")] {
        click(&mut page, &format!(".place[data-dove={dove}]"));
        click(&mut page, &format!("[data-cell='{cell}']"));
    }
    click(&mut page, ".hand [data-dove=A]");
    for cell in ["0,2", "-1,0", "0,0", "0,3", "-1,3", "-1,2", "1,1", "-1,1", "0,1", "1,2"] {
        click(&mut page, &format!("[data-cell='{cell}']"));
    }
    assert_eq!(page.value("document.getElementById('setup-text').value"), WIN_IN_5);
    assert_eq!(page.text("#setup-status"), "This board is legal.");
    click(&mut page, "[data-do=mode]");
    assert!(clicks <= 25, "{clicks} clicks");
    // The best action and where its value comes from.
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    let group = page.text(".group");
    assert!(
        group.contains("win in 5") && group.contains("proved by search") && group.contains("TE3"),
        "{group}"
    );
    // The values on the cells of a dove that is taken up; a cell where it cannot go says why.
    page.click("[data-dove=T]");
    page.until("document.querySelector(\".target[data-cell='2,3']\").textContent === '▲5'");
    photograph(&mut page, "desk");
    page.click("[data-cell='-2,-1']");
    assert_eq!(page.text("#notice"), "How the red Totsu (T) moves: any distance up, down, left or right.");
    page.click("#hand-green");
    assert_eq!(
        page.value("document.querySelectorAll('#game-list li').length"),
        1,
        "not the hand of this dove"
    );
    page.key("Escape");
    // The line of best play, to its end; then back, and a reload.
    page.click("[data-do=line]");
    page.until("document.querySelectorAll('.line button').length === 5");
    page.click(".line button:nth-child(5)");
    page.until("document.querySelector('.verdict').textContent === 'Red has won'");
    assert_eq!(page.text("#turn"), "The game is over");
    assert_eq!(page.value("document.querySelectorAll('#game-list li').length"), 6);
    let address = page.value("location.hash");
    page.value("history.back()");
    page.until("document.querySelectorAll('#game-list li').length === 5");
    page.value("history.forward()");
    page.until("document.querySelectorAll('#game-list li').length === 6");
    page.reload();
    assert_eq!(page.value("location.hash"), address);
    assert_eq!(page.value("document.querySelectorAll('#game-list li').length"), 6);
    // The graph: a click on a point goes to its ply.
    page.until("document.querySelectorAll('.chart-point').length === 6");
    page.click(".chart-point");
    page.until("document.querySelector('#game-list .current').textContent.startsWith('Start')");
    // A drag is a move (since the reload the box begins at row 0). The panel beside the board changes its
    // height while values come, so nothing may be scrolled.
    page.until("document.querySelector('.group')");
    page.value("scrollTo(0, 0)");
    page.drag(".place[data-dove=T]", "[data-cell='3,3']");
    page.until("document.querySelector('#game-list .current')?.textContent.startsWith('1. TE3')");
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// The page goes on where it was when the server comes back.
#[test]
fn a_restart_of_the_server_loses_nothing() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&analysis_of(&server));
    page.until("document.querySelector('.group')");
    let port = server.host().rsplit(':').next().expect("a port").to_owned();
    page.value(
        "import('./brain.js').then(({ loadOpenings }) => loadOpenings()).then(openings => openings.length)",
    );
    drop(server);
    // The page searches by itself, and says once why.
    act(&mut page, "+AE1");
    page.until(
        "document.getElementById('notice').textContent.startsWith('The server does not answer any more')",
    );
    page.until("document.querySelector('.verdict').textContent === 'Draw with best play'");
    act(&mut page, "bN1E1");
    page.until("document.querySelector('.group')");
    assert_eq!(page.text("#notice"), "");
    // In every tab.
    page.click("[data-mode=puzzles]");
    page.until("document.querySelector('#turn').textContent.includes('wins in 3 plies')");
    page.click("[data-mode=play]");
    page.value("history.go(-3)");
    page.until("document.querySelectorAll('#game-list li').length === 3");
    let server = serve_at(&port, &[]);
    page.until("document.getElementById('notice').textContent === 'The server is back.'");
    assert_eq!(page.value("import('./source.js').then(({ source }) => source.isServed)"), true);
    page.reload();
    assert_eq!(page.value("document.querySelectorAll('#game-list li').length"), 3);
    drop(server);
}

/// What is copied can be pasted: games and boards. The program reads the same file.
#[test]
fn games_and_boards_are_pasted() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&analysis_of(&server));
    let paste = |page: &mut Browser, text: &str| {
        // The page makes room for values when they come.
        page.until("document.querySelector('.group')");
        // A click may come while the page makes room, and then misses.
        while page.value("document.getElementById('paste-text') === null") == json!(true) {
            page.click("[data-do=paste]");
        }
        page.value(&format!("document.getElementById('paste-text').value = {}", json!(text)));
        page.click("[data-do=take]");
    };
    paste(&mut page, "\tb\t\tB\n\t\tM\ta\nA\t\t\t\nY\t\t\t\n");
    let doves =
        "import('./session.js').then(({ session }) => Object.keys(session.place.doves).sort().join(''))";
    assert_eq!(page.value(doves), "ABMYab");
    let game = "Tokyo Doves game, format 1\nreturns: no\nstart: b;B\n\n1. +AW1 +aN1W1\n2. as1w1\n";
    paste(&mut page, game);
    assert_eq!(page.value("document.querySelectorAll('#game-list li').length"), 4);
    let written = page.value("import('./game.js').then(({ gameText }) => gameText())");
    let written = written.as_str().expect("text");
    assert!(
        written.contains("returns: no\n") && written.ends_with("\n1. +AW1 +aN1W1\n2. AS1W1\n"),
        "{written}"
    );
    // What people wrote comes back, also after a reload: names, comments, and more lines than the page keeps.
    let cells = ["W1", "E1", "S1", "S1W1", "S1E1"];
    let comments: String = cells
        .iter()
        .flat_map(|cell| "AYMT".chars().map(move |dove| format!("# line: +{dove}{cell}\n")))
        .collect();
    let game = format!(
        "Tokyo Doves game, format 1\nred: Ａnna #1\ngreen: \nred doves: AYMTH\ngreen doves: -\nreturns: no\nboth surrounded: draw\n\
         start: b---;B---;----;----\nto move: red\nresult: draw by agreement\n\n# at the club: ２\n1. +AW1\n#\tbetter?\nbE1\n\
         # line: no action\n{comments}"
    );
    paste(&mut page, &game);
    page.reload();
    for mode in ["play", "analyse"] {
        page.click(&format!("#tab-{mode}"));
        let written_again = page.value("import('./game.js').then(({ gameText }) => gameText())");
        let written_again = written_again.as_str().expect("text");
        let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        let head = game.find("# line").expect("a line");
        assert_eq!((&written_again[..head], sorted(written_again)), (&game[..head], sorted(&game)), "{mode}");
    }
    paste(&mut page, written);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("game.txt"), written).expect("a write");
    let ran = dovemate_in(folder.path(), &["show", "--game", "game.txt"], "");
    assert!(ran.status == 0 && ran.out.contains("\n3. red AS1W1\n"), "{} {}", ran.out, ran.err);
    for (wrong, sentence) in [
        ("\n1. +AW5\n", "line 3: '+AW5' is not a legal action of red on b---;B---;----;----"),
        ("red doves: A\nstart: bY;B\n", "line 3: 'Y' is not among the doves that the header names"),
        (
            "result: draw by repetition\n",
            "line 2: no draw by repetition: the last position occurred 1 of 3 times",
        ),
        ("returns: No\n", "line 2: returns are 'yes' or 'no', not 'No'"),
    ] {
        paste(&mut page, &format!("Tokyo Doves game, format 1\n{wrong}"));
        assert_eq!(page.text("#paste-wrong"), sentence, "beside the field");
    }
    paste(&mut page, "0fffce620941753a");
    assert!(page.value("location.hash").as_str().expect("text").contains(WIN_IN_5));
    assert_eq!(page.text("#notice"), "");
    // Actions alone go on from there.
    paste(&mut page, "1. ＴＥ３");
    assert!(page.value("location.hash").as_str().expect("text").ends_with("&actions=TE3"));
    paste(&mut page, "0fffce620941753a");
    // In the editor, what is wrong stays in its field beside the sentence that says so.
    page.click("[data-mode=setup]");
    page.click("[data-set=mover][value=green]");
    page.click("[data-what=startBoard]");
    assert_eq!(page.value("document.querySelector('[data-set=mover]:checked').value"), "red");
    page.click(".place[data-dove=b]");
    page.click("#hand-green [data-return]");
    assert_eq!(page.value("document.querySelector('.place[data-dove=b]')"), Value::Null);
    for (field, text, sentence) in [
        ("text", "b--B", "'B' is isolated; every dove needs another one on one of its 8 neighbouring cells"),
        (
            "text",
            "bq;B",
            "row 1, column 2: 'q' is not a dove; doves are B A Y M T H (red) and b a y m t h (green), empty cells '-', '.' \
             or a space",
        ),
        ("text", "b;B;b", "'b' stands on two cells; there is only one of each dove"),
        ("code", "0fff_ce62_0941_753a", "This board is legal."),
    ] {
        set(&mut page, &format!("#setup-{field}"), text);
        assert_eq!(page.text("#setup-status"), sentence);
        let kept = page.value(&format!("document.getElementById('setup-{field}').value"));
        assert!(kept.as_str().is_some_and(|kept| kept.starts_with(text)), "{kept}");
    }
    // A board from a spreadsheet comes in several lines, which a field of one line would join by blanks.
    let rows = json!("\tb\t\tB\r\n\t\tM\ta\r\nA\t\t\t\r\nY\t\t\t\r\n");
    page.value(&format!(
        "{{ const field = document.getElementById('setup-text'), clipboardData = new DataTransfer(); \
         clipboardData.setData('text', {rows}); field.select(); \
         field.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData, bubbles: true, cancelable: true }})); }}"
    ));
    assert_eq!(page.text("#setup-status"), "This board is legal.");
    assert_eq!(page.value("document.getElementById('setup-text').value"), "-b-B;--Ma;A---;Y---");
    set(&mut page, "#setup-code", "0fffce620941753a");
    // A phone would begin a text with a capital letter, and the green boss is another dove than the red one.
    for field in ["setup-text", "setup-code"] {
        for help in ["autocapitalize", "autocorrect"] {
            let value = page.value(&format!("document.getElementById('{field}').getAttribute('{help}')"));
            assert_eq!(value, "off", "{help} of {field}");
        }
    }
    // Neither rules that the board does not fit nor a board that does not fit the rules is taken over.
    page.click(".rules summary");
    page.click("[data-key=red-Y]");
    assert_eq!(page.value("document.querySelector('.rules').open"), true, "what was opened stays open");
    assert_eq!(page.text("#setup-status"), "Not in this game: the red Yaibato (Y).");
    page.click("[data-mode=analyse]");
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 3 plies'");
    paste(&mut page, "Tokyo Doves game, format 1\nred doves: A\n");
    paste(&mut page, "0fffce620941753a");
    assert_eq!(page.text("#paste-wrong"), "Not in this game: the red Yaibato (Y).");
    // Of several boards one is chosen, and an address of the page is one of its positions.
    paste(&mut page, "b;B\nbB");
    page.click("[data-do=takeBoard]:nth-child(2)");
    page.until("location.hash.includes('board=bB--')");
    paste(&mut page, &format!("see {}#mode=analyse&board={WIN_IN_5}&actions=TE3", server.url));
    page.until("location.hash.includes('actions=TE3')");
}

/// Browsers offer no clipboard to a page at an address in the local network, as a phone opens it.
#[test]
fn copies_without_a_clipboard_can_be_pasted() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    let none = "Object.defineProperty(navigator, 'clipboard', { value: undefined })";
    page.before_scripts(none);
    page.open(&format!("{}#mode=analyse&values=no&actions=*AE1", server.url));
    page.click("[data-do=share]");
    page.until("document.getElementById('notice').textContent === 'Copied.'");
    page.click("[data-do=paste]");
    page.click("#paste-text");
    let paste = json!({ "type": "keyDown", "key": "v", "modifiers": 2, "commands": ["paste"] });
    page.send("Input.dispatchKeyEvent", paste);
    assert_eq!(page.value("document.getElementById('paste-text').value"), page.value("location.href"));
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

#[test]
fn a_won_position_is_played_to_its_end() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.resize(980, 720);
    page.open(&format!("{}#mode=play&board={WIN_IN_5}&turn=red&you=red&level=strongest", server.url));
    let levels =
        page.value("[...document.querySelectorAll('[data-set=level] option')].map(option => option.value)");
    assert_eq!(levels, json!(Level::ALL.map(Level::name)));
    assert_eq!(page.value("document.querySelector('[data-set=level]').value"), "strongest");
    for _ in 0..3 {
        page.until("!document.querySelector('[data-do=hint]').disabled");
        look_ahead_of(&mut page, &server);
        page.click("[data-do=hint]");
        page.until("document.getElementById('notice').textContent.startsWith('Hint')");
        let hint = page.text("#notice");
        act(&mut page, hint.split(' ').nth(1).expect("an action"));
        page.until("document.querySelector('[data-do=hint]:enabled') || document.getElementById('turn').textContent === 'The game is over'");
    }
    assert_eq!(page.text("#play-status"), "You have won. Well played!");
    page.click("#back");
    assert_eq!(page.value("document.querySelector('[data-do=giveUp]')"), Value::Null);
    page.click("#forward");
    // The user's last action is taken back, and the game given up.
    page.click("[data-do=undo]");
    page.until("document.getElementById('play-status').textContent === 'Your turn.'");
    page.click("[data-do=giveUp]");
    assert_eq!(page.text("#play-status"), "You have given up: the machine wins.");
    // A colour counts from the next game.
    set(&mut page, "[data-set=you]", "green");
    assert_eq!(page.text("#play-status"), "You have given up: the machine wins.");
    assert!(page.text("#play-panel").contains("From the next game."));
    // The machine begins if the user is green.
    page.click("[data-do=newGame]");
    page.until("document.getElementById('play-status').textContent === 'Your turn.'");
    assert_eq!(page.value("document.querySelectorAll('#game-list li').length"), 2);
    // A step of the best line moves for the user alone.
    page.open(&format!("{}#mode=play&board={WIN_IN_5}&values=yes", server.url));
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    page.click("[data-do=line]");
    page.until("document.querySelectorAll('.line button').length === 5");
    page.click(".line button:nth-child(5)");
    assert_eq!(page.value("document.querySelectorAll('#game-list li').length <= 3"), true);
    // The machine is named as a player as soon as it plays, and on no other board.
    page.open(&format!("{}#mode=play&you=green", server.url));
    let players = "import('./session.js').then(({ session }) => session.players)";
    let machine = concat!("dovemate ", env!("CARGO_PKG_VERSION"));
    assert_eq!(page.value(players), json!({ "red": machine, "green": "you" }));
    page.click("[data-mode=setup]");
    page.click("[data-what=startBoard]");
    assert_eq!(page.value(players), json!({ "red": "red", "green": "green" }));
    page.open(&format!("{}#mode=play&ending=draw+by+agreement", server.url));
    assert_eq!(page.text("#play-status"), "A draw by agreement.");
    // A draw that the machine knew of another game is none of this one.
    page.open(&format!("{}#mode=play&actions=*AE1,*aN1E1", server.url));
    page.value("Promise.all([import('./state.js'), import('./session.js')]).then(([{ play }, { session }]) => { play.drawn = { positions: session.positions, ply: -10 } })");
    let draw = "import('./session.js').then(({ session }) => { session.changed(); return document.querySelector('[data-do=draw]').disabled })";
    assert_eq!(page.value(draw), false);
    page.value("import('./session.js').then(({ session }) => session.begin({ ...session.positions[0], texts: ['+AW1', '+aN1W1'] }))");
    assert_eq!(page.value(draw), true);
    // That does not keep a game from being analysed.
    page.open(&format!("{}#mode=analyse&board={WIN_IN_5}&ending=draw+by+agreement", server.url));
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    page.click("[data-do=best]");
    page.until("document.querySelectorAll('#game-list li').length === 2");
    // Going back from the machine's answer leads to the user's own turn.
    page.open(&format!("{}#mode=play&board={WIN_IN_5}&level=strongest", server.url));
    act(&mut page, "TE3");
    page.until("document.querySelectorAll('#game-list li').length === 3");
    page.value("history.back()");
    page.until("document.querySelectorAll('#game-list li').length === 1");
    assert_eq!(page.text("#play-status"), "Your turn.");
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

#[test]
fn a_puzzle_is_drawn_and_solved() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&analysis_of(&server));
    page.click("[data-mode=puzzles]");
    page.until("location.hash.includes('plies=3') && !document.querySelector('[data-do=solution]').disabled");
    // A wrong action is refuted and taken back.
    let solve = |page: &mut Browser| {
        page.click("[data-do=solution]");
        page.until("document.getElementById('puzzle-status').textContent.startsWith('The solution')");
        let text = page.text("#puzzle-status");
        text.trim_start_matches("The solution: ").split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let line = solve(&mut page);
    assert_eq!(line.len(), 3);
    // It is drawn, and stepped through; then the puzzle is there again.
    assert_eq!(page.value("document.querySelectorAll('.drawing .thought').length"), 1);
    page.click("#forward");
    page.until("document.querySelector('#puzzle-panel .line .current')?.textContent.startsWith('1. ')");
    page.click("[data-do=again]");
    page.until("!location.hash.includes('actions=')");
    assert_eq!(page.text("#puzzle-status"), "");
    let wrong = page.value(&format!(
        "Promise.all([import('./position.js'), import('./session.js')]).then(([{{ actionsOf }}, {{ session }}]) => \
         actionsOf(session.place).find(({{ text, outcome }}) => text !== {} && outcome === 'open').text)",
        json!(line[0])
    ));
    act(&mut page, wrong.as_str().expect("an action"));
    let wrong = json!(wrong.as_str().map(|wrong| format!("{wrong} ")));
    page.until(&format!("document.getElementById('puzzle-status').textContent.startsWith({wrong})"));
    assert_ne!(
        page.value("document.querySelectorAll('.thought').length"),
        0,
        "it is drawn, and what refutes it"
    );
    assert!(!page.value("location.hash").as_str().expect("text").contains("actions="));
    act(&mut page, &line[0]);
    page.until("document.getElementById('puzzle-status').textContent.startsWith('Right.')");
    page.value("history.back()");
    page.until("!location.hash.includes('actions=')");
    act(&mut page, &line[0]);
    page.until("document.getElementById('puzzle-status').textContent.startsWith('Right.')");
    page.value("history.back()");
    page.until("!location.hash.includes('actions=')");
    page.value("history.forward()");
    page.until("location.hash.includes(',')");
    // The defence that was chosen may be another one of the same length.
    let last = page.value(
        "Promise.all([import('./position.js'), import('./session.js')]).then(([{ actionsOf }, { session }]) => \
         actionsOf(session.place).find(({ outcome }) => outcome === 'won').text)",
    );
    // Another tab has solved one meanwhile.
    let other = json!([{ "address": "mode=puzzles&plies=1", "isRight": true }]).to_string();
    page.value(&format!("localStorage['dovemate-puzzles'] = {}", json!(other)));
    act(&mut page, last.as_str().expect("an action"));
    page.until("document.getElementById('puzzle-status').textContent === 'Solved!'");
    let kept =
        page.value("JSON.parse(localStorage['dovemate-puzzles']).map(({ address }) => address.slice(-7))");
    assert_eq!((kept.as_array().map(Vec::len), &kept[0]), (Some(2), &json!("plies=1")), "{kept}");
    // The next puzzle has as many doves as are asked for, and the choice survives a reload.
    set(&mut page, "[data-set=doves]", "6");
    page.until(
        "location.hash.includes('doves=6') && document.querySelectorAll('.place[data-dove]').length === 6",
    );
    page.reload();
    assert_eq!(page.value("document.querySelector('[data-set=doves]').value"), "6");
    // What the openings say cannot be is not looked for.
    set(&mut page, "[data-set=doves]", "2");
    page.until("document.getElementById('puzzle-status').textContent.startsWith('No such puzzle was found')");
    // Nor is it, in games that have no values here, once all positions have been drawn.
    page.open(&format!("{}#mode=puzzles&red=-&green=-", server.url));
    page.until("document.getElementById('puzzle-status').textContent.startsWith('No such puzzle was found')");
    // A search that takes long can be stopped: here the server never answers.
    page.open(&format!("{}#mode=puzzles&board={WIN_IN_5}&plies=5", server.url));
    page.value(
        "globalThis.fetch = (_, { signal }) => new Promise((_, reject) => \
         signal.addEventListener('abort', () => reject(signal.reason)))",
    );
    page.click("[data-do=nextPuzzle]");
    page.click("[data-do=stopPuzzle]");
    page.until(
        "document.querySelector('[data-do=nextPuzzle]') && !document.querySelector('[data-do=stopPuzzle]')",
    );
    assert_eq!(page.text("#puzzle-status"), "");
    // A board without a win has no solution; the address says which game it belongs to.
    page.open(&format!("{}#mode=puzzles&board=b;B&plies=3&returns=no", server.url));
    page.click("[data-do=solution]");
    page.until("document.getElementById('puzzle-status').textContent === 'No line is known yet.'");
    let address = page.value("location.hash");
    assert!(
        address
            .as_str()
            .is_some_and(|text| text.contains("&red=AYMTH&green=AYMTH&returns=no&both=mover-loses"))
    );
    // An action that was not checked is taken back.
    page.open(&format!("{}#mode=puzzles&board={WIN_IN_5}&plies=5&actions=TE3", server.url));
    assert!(!page.value("location.hash").as_str().expect("text").contains("actions="));
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// The button decides, whatever the system prefers, and its choice survives a reload.
#[test]
fn the_colours_are_chosen() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&analysis_of(&server));
    let is = |page: &mut Browser, button: &str, paper: Value| {
        assert_eq!((page.value(COLOURS), page.value(PAPER)), (json!(button), paper));
    };
    is(&mut page, "Colours: Auto", json!(LIGHT));
    let paper_is_light = |page: &mut Browser| {
        let dark = json!([{ "name": "prefers-color-scheme", "value": "dark" }]);
        page.send("Emulation.setEmulatedMedia", json!({ "media": "print", "features": dark }));
        assert_eq!(page.value(PAPER), LIGHT);
        page.send("Emulation.setEmulatedMedia", json!({ "media": "", "features": dark }));
    };
    page.prefer_dark(true);
    is(&mut page, "Colours: Auto", json!(DARK));
    paper_is_light(&mut page);
    page.click("#theme");
    is(&mut page, "Colours: Light", json!(LIGHT));
    page.reload();
    is(&mut page, "Colours: Light", json!(LIGHT));
    page.prefer_dark(false);
    page.click("#theme");
    is(&mut page, "Colours: Dark", json!(DARK));
    assert_eq!(page.value("getComputedStyle(document.querySelector('.red-body')).fill"), "rgb(207, 63, 56)");
    paper_is_light(&mut page);
    page.prefer_dark(false);
    page.reload();
    is(&mut page, "Colours: Dark", json!(DARK));
    page.click("#theme");
    is(&mut page, "Colours: Auto", json!(LIGHT));
    // If nothing can be kept, the button still works.
    page.before_scripts(
        "Object.defineProperty(window, 'localStorage', { get() { throw Error('switched off') } })",
    );
    page.reload();
    page.click("#theme");
    page.click("#theme");
    is(&mut page, "Colours: Dark", json!(DARK));
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

#[test]
fn it_fits_a_phone_in_both_languages_and_in_the_dark() {
    let server = serve(&[]);
    look_ahead(&server, WIN_IN_5, "red");
    let Some(mut page) = Browser::chromium() else { return };
    let fits = |page: &mut Browser, width: u32, height: u32| {
        page.resize(width, height);
        page.until(&format!("innerHeight === {height}"));
        assert_eq!(page.value("document.documentElement.scrollWidth"), width);
        // Every cell is large enough for a finger.
        let cell = "document.querySelector('.place').getBoundingClientRect().width >= 44";
        assert!(width < 360 || page.value(cell) == true);
        // The title and the buttons beside it share a line.
        let line = "(title => ['theme', 'language'].every(id => document.getElementById(id).getBoundingClientRect().top < title.bottom))\
                    (document.querySelector('h1').getBoundingClientRect())";
        assert!(page.value(line) == true, "{width}×{height}");
    };
    for mode in ["analyse", "play", "puzzles", "setup"] {
        page.open(&format!("{}#mode={mode}&board={WIN_IN_5}&turn=red&plies=5", server.url));
        fits(&mut page, 320, 640);
        fits(&mut page, 360, 740);
        page.click("#language");
        page.until("document.documentElement.lang === 'ja'");
        fits(&mut page, 360, 740);
        assert_eq!(page.text("h1"), "トウキョウのハト");
        page.click("#language");
    }
    page.open(&format!("{}#mode=analyse&board={WIN_IN_5}&turn=red", server.url));
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    // Also where the browser's own bars leave little height; the board is still whole.
    fits(&mut page, 360, 540);
    assert!(
        page.value("document.getElementById('board').getBoundingClientRect().bottom <= innerHeight") == true
    );
    page.resize(360, 740);
    page.click("[data-dove=T]");
    page.value("scrollTo(0, 0)");
    photograph(&mut page, "phone");
    page.prefer_dark(true);
    page.resize(980, 720);
    assert_eq!(page.value(PAPER), DARK);
    photograph(&mut page, "dark");
    page.prefer_dark(false);
    page.click("#language");
    page.reload();
    assert_eq!(page.text("#turn"), "赤の手番");
    page.until("document.querySelector('.verdict').textContent === '赤が5手で勝ち'");
    page.click("[data-dove=T]");
    photograph(&mut page, "japanese");
    page.click("#language");
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// The focus goes with the dove, wherever the view shows it.
#[test]
fn the_focus_stays_on_its_cell() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&format!("{}#mode=analyse&board=Bb", server.url));
    page.until("document.querySelector('.place[data-dove=B]')");
    page.value("document.querySelector('.place[data-dove=B]').focus()");
    for key in ["Enter", "ArrowUp", "ArrowRight", "Enter"] {
        page.key(key);
    }
    page.until("location.hash.includes('actions=BN1E1')");
    assert_eq!(page.value("document.activeElement.dataset.dove"), "B");
    assert_eq!(page.value("document.activeElement.tabIndex"), 0);
}

/// What happened stands beside the board, and so does what one needs then; all is in sight, however small the
/// window is.
#[test]
fn message_and_board_are_in_sight() {
    let server = serve(&[]);
    look_ahead(&server, WIN_IN_5, "red");
    let Some(mut page) = Browser::chromium() else { return };
    let won = format!("{}#mode=play&board={WIN_IN_5}&actions=TE3,-h,HN1E2,*hN1E3,BE1", server.url);
    let puzzle = format!("{}#mode=puzzles&board={WIN_IN_5}&plies=5", server.url);
    let edited = format!("{}#mode=setup&board={WIN_IN_5}", server.url);
    let reviewed =
        format!("{}#mode=analyse&board={WIN_IN_5}&actions=-H&ending=green+wins,+red+resigned", server.url);
    let playing = format!("{}#mode=play&board={WIN_IN_5}", server.url);
    let losing = format!(
        "{}#mode=play&you=red&level=novice&board=Btym;--HA;MYah;T-b-&turn=green&actions=aS1E1",
        server.url
    );
    // A phone upright and on its side, a desk, and the desk at 200 %.
    for (width, height) in [(360, 740), (740, 360), (1280, 900), (640, 450)] {
        page.resize(width, height);
        let in_sight = |page: &mut Browser, what: &str| {
            let hidden = page.value(include_str!("board_page/out_of_sight.js"));
            assert_eq!(hidden, json!([]), "{what} at {width}×{height}");
        };
        page.open(&won);
        assert_eq!(page.text("#play-status"), "You have won. Well played!");
        let why = "The green boss is surrounded: above H, left B, right T, below wall.";
        assert_eq!(
            (page.text("#notice").as_str(), page.value("document.querySelectorAll('.closed').length")),
            (why, json!(4))
        );
        in_sight(&mut page, "a won game");
        assert_eq!(page.value(BESIDE), json!(["review", "undo", "newGame", "rematch"]));
        // On paper, too, it is said what happened or what to do.
        page.send("Emulation.setEmulatedMedia", json!({ "media": "print" }));
        let shown = "[...document.querySelectorAll('header, #turn, #notice, #beside')].filter(part => part.checkVisibility()).map(part => part.id)";
        assert_eq!(page.value(shown), json!(["turn"]));
        page.send("Emulation.setEmulatedMedia", json!({ "media": "" }));
        page.open(&playing);
        for _ in 0..2 {
            page.click("[data-do=hint]");
            page.until("document.getElementById('notice').textContent.includes('TE3')");
            in_sight(&mut page, "a hint");
            assert_eq!(page.value(BESIDE), json!(["hint", "undo", "giveUp", "draw"]));
            // The line of the rules takes two lines at most.
            let lines = "(rules => rules.clientHeight / parseFloat(getComputedStyle(rules).lineHeight))(document.getElementById('rules'))";
            assert!(
                page.value(lines).as_f64().is_some_and(|lines| lines < 2.5),
                "the rules at {width}×{height}"
            );
            page.click("#language");
        }
        // A game that is lost at once, with a button that says what it takes back.
        page.open(&losing);
        for _ in 0..2 {
            act(&mut page, "-A");
            page.until("document.querySelector('.closed')");
            let said = page.text("#notice");
            assert!(said.contains("-A") && page.text("[data-do=takeBack]").contains("-A"), "{said}");
            in_sight(&mut page, "a lost game");
            page.click("[data-do=takeBack]");
            page.until("document.querySelectorAll('#game-list li').length === 2");
            page.click("#language");
        }
        // The code of the address is in sight as soon as it is asked for.
        page.click("[data-do=showCode]");
        page.until("(({ top }) => top >= 0 && top + 100 <= innerHeight)(document.querySelector('.qr').getBoundingClientRect())");
        // So does what comes next in a review.
        page.open(&reviewed);
        look_ahead_of(&mut page, &server);
        page.until("document.querySelector('[data-do=nextMistake]')");
        page.click("[data-do=nextMistake]");
        page.until(
            "document.getElementById('notice').textContent === '1. -H ?? lost the win: TE3 (win in 5); then bE1 wins in 5 plies'",
        );
        in_sight(&mut page, "a mistake");
        page.open(&puzzle);
        act(&mut page, "TN1E3");
        page.until("document.getElementById('puzzle-status').textContent === 'TN1E3 lets green win in 3 plies: bE1.'");
        in_sight(&mut page, "a wrong answer");
        // In the editor, a dove in the way is replaced, and comes back.
        page.open(&edited);
        page.click(".place[data-dove=A]");
        page.click(".place[data-dove=y]");
        in_sight(&mut page, "a replaced dove");
        page.click("[data-do=takeBack]");
        assert_eq!(page.value("document.getElementById('setup-text').value"), WIN_IN_5);
    }
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// A first visit begins with the rules, in both languages; the next one does not.
#[test]
fn the_rules_are_shown_at_the_first_visit() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.resize(360, 740);
    page.open(&server.url);
    for title in ["The game in two minutes", "2分で分かる遊び方"] {
        assert_eq!(page.text("#learn-panel h2"), title);
        page.until(
            "[...document.querySelectorAll('#learn-panel img')].every(image => image.naturalWidth > 0)",
        );
        assert_eq!(page.value("document.documentElement.scrollWidth"), 360);
        assert_eq!(page.value("document.querySelectorAll('#learn-panel figure').length"), 6);
        page.click("#language");
    }
    page.open(&server.url);
    assert_eq!(page.value("document.body.dataset.mode"), "analyse");
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// An action that loses at once is marked before it is chosen; then it is said what it did.
#[test]
fn ends_are_marked_and_explained() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&format!("{}#mode=analyse&values=no&actions=*TS1E1,*mN1E1,*MS2", server.url));
    page.click(".hand [data-dove=a]");
    assert_eq!(
        page.value("[...document.querySelectorAll('.place.loses')].map(cell => cell.textContent)"),
        json!(["✕"])
    );
    let cell = page.value("document.querySelector('.place.loses').dataset.cell");
    page.click("#warn");
    assert_eq!(page.value("document.querySelectorAll('.place.loses').length"), 0);
    page.click(&format!("[data-cell='{}']", cell.as_str().expect("a cell")));
    let why = "Green has surrounded its own boss: above wall, left a, right m, below B.";
    assert_eq!((page.text("#turn").as_str(), page.text("#notice").as_str()), ("The game is over", why));
    assert_eq!(page.text("#walls"), "There are walls above and below the doves.");
    // Also if it is the machine's action that ends the game.
    let mated = "board=Btym;--HA;MYah;T-b-&turn=green&actions=aS1E1,-A";
    page.open(&format!("{}#mode=play&you=red&level=strongest&{mated}", server.url));
    page.until("document.getElementById('turn').textContent === 'The game is over'");
    let notice = page.text("#notice");
    assert!(
        notice.starts_with("The machine plays ") && notice.contains(" The red boss is surrounded: "),
        "{notice}"
    );
    // What is wrong in an address is named.
    page.open(&format!("{}#mode=analyse&actions=*AE1,BN9,bN1E1", server.url));
    assert!(page.text("#notice").starts_with("The address has BN9 as action 2, which is not legal there"));
}

/// A bound of a distance is shown wherever a value is.
#[test]
fn bounds_are_shown() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&analysis_of(&server));
    let said = page.value(
        "import('./words.js').then(({ worthText, worthSign, changeLanguage }) => [0, 1].map(() => { changeLanguage(); \
         return ['win', 'lose'].flatMap(value => [worthText, worthSign].map(say => say({ value, plies: null, within: 12 }))) }))",
    );
    let japanese = ["勝ち（12手以内）", "▲≤12", "負け（12手以内）", "▼≤12"];
    assert_eq!(said, json!([japanese, ["win, within 12 plies", "▲≤12", "lose, within 12 plies", "▼≤12"]]));
    // Beside the board, in the list of actions and in that of the game, as the server says it.
    page.value(
        "import('./source.js').then(({ source }) => { source.position = async () => ({ worth: { value: 'win', plies: null, within: 11 }, \
         searched_plies: 7, out_of_time: false, actions: [{ action: '+AE1', value: 'win', plies: null, within: 11, source: 'search' }] }) })",
    );
    act(&mut page, "+AE1");
    page.until("document.querySelector('.verdict').textContent === 'Green wins, within 11 plies'");
    assert!(page.text(".group").contains("win, within 11 plies"), "{}", page.text(".group"));
    page.until("document.querySelector('#game-list .current').textContent.includes('▼≤12')");
}

/// Stepping, pointing, other lines, and a review.
#[test]
fn a_game_is_looked_through() {
    let server = serve(&[]);
    look_ahead(&server, WIN_IN_5, "red");
    let Some(mut page) = Browser::chromium() else { return };
    page.resize(1280, 900);
    page.open(&format!("{}#mode=analyse&board={WIN_IN_5}", server.url));
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    // The best line stays while one steps through it, with its signs from the side of the player who acts.
    page.click("[data-do=line]");
    page.until("document.querySelectorAll('.line button').length === 5");
    page.click(".line button:nth-child(3)");
    assert_eq!(page.value("document.querySelectorAll('.line button').length"), 5);
    assert_eq!(
        page.text(".line .current"),
        page.text("#game-list .current").split(" ▲").next().expect("a text")
    );
    page.until("document.querySelector('#game-list li:nth-child(2)').textContent === '1. TE3 ▲5'");
    // An action that has the focus is drawn: arrows for the two that are left, or a ring for one that is put.
    page.value("document.querySelector('.line button:nth-child(5)').focus()");
    assert_eq!(page.value("document.querySelectorAll('.drawing .thought').length"), 2);
    // Arrow keys step; another action leaves the line as one that can be taken again, also after a reload.
    for _ in 0..3 {
        page.key("ArrowLeft");
    }
    page.until("document.querySelector('#game-list .current').textContent.startsWith('Start')");
    act(&mut page, "-H");
    page.until("document.querySelectorAll('#game-list li').length === 2");
    page.reload();
    assert!(page.text(".lines").starts_with("Other lines: 1. TE3"), "{}", page.text(".lines"));
    look_ahead_of(&mut page, &server);
    page.until("document.querySelector('.verdict').textContent === 'Green wins in 5 plies'");
    // Space plays the best action, though the cell that was clicked last has the focus.
    page.click("[data-cell='0,0']");
    page.key(" ");
    page.until("document.querySelectorAll('#game-list li').length === 3");
    page.until("document.querySelector('.verdict').textContent === 'Red loses in 4 plies'");
    page.click("[data-do=takeLine]");
    page.until("document.querySelectorAll('#game-list li').length === 4");
    assert!(page.text("#game-list .current").starts_with("1. TE3"));
    // The lines are a tree, and are in the file.
    page.value("import('./session.js').then(({ session }) => session.begin({ ...session.positions[0], texts: ['TE3'], lines: [['TE3', '-h', 'HN1E2'], ['TE3', '-h', '-H'], ['-H']] }))");
    let tree = page.value("[...document.querySelectorAll('.lines > ul > li, .lines li li')].map(branch => branch.firstChild.textContent)");
    assert_eq!(tree, json!(["1. -H", "2. -h", "3. HN1E2", "3. -H"]));
    let kept = "import('./session.js').then(({ session }) => session.lines)";
    let lines = page.value(kept);
    page.value("import('./game.js').then(({ gameText, takeText }) => takeText(gameText()))");
    assert_eq!(page.value(kept), lines);
    // In a finished game every action has a sign: -H lost a win in 5, and then green's best was not taken
    // either.
    page.open(&format!(
        "{}#mode=play&you=red&board={WIN_IN_5}&actions=-H&ending=green+wins,+red+resigned",
        server.url
    ));
    page.click("[data-do=review]");
    page.until("document.querySelector('#game-list .judged-lost-win')");
    page.key("ArrowLeft");
    page.click("[data-do=nextMistake]");
    page.until(
        "document.getElementById('review').textContent.startsWith('1. -H ?? lost the win: TE3 (win in 5); then bE1 wins in 5')",
    );
    let notice = page.text("#notice");
    assert!(notice.starts_with("1. -H ?? lost the win: TE3 (win in 5)"), "beside the board, too: {notice}");
    // What was better and what beats it are drawn; the mistake can be tried again.
    assert_eq!(page.value("document.querySelectorAll('.drawing .better').length"), 1);
    assert_eq!(page.value("document.querySelectorAll('.drawing .thought').length"), 2);
    page.click("[data-do=tryAgain]");
    page.until("document.getElementById('notice').textContent.startsWith('Red played -H here.')");
    assert_eq!(page.value("document.querySelector('#analysis-panel .group')"), Value::Null, "without values");
    act(&mut page, "TE3");
    page.until("document.getElementById('notice').textContent.startsWith('TE3 is as good as any!')");
    // Another way is tried, with the same task; what ends the game at once is one more, and the game before comes back.
    page.click("#back");
    assert!(page.text("#notice").starts_with("Red played -H here."), "{}", page.text("#notice"));
    assert_eq!(page.value("document.querySelector('#analysis-panel .group')"), Value::Null, "without values");
    act(&mut page, "TN1E3");
    page.until("document.querySelector('#beside [data-do=tryAgain]')");
    assert_eq!(
        page.value("[document.querySelectorAll('#beside button').length, document.getElementById('review')]"),
        json!([1, null])
    );
    page.click("[data-do=tryAgain]");
    assert!(page.text("#notice").starts_with("Red played -H here."), "{}", page.text("#notice"));
    act(&mut page, "TE3");
    page.until("document.getElementById('notice').textContent.startsWith('TE3 is as good as any!')");
    page.click("[data-do=takeBack]");
    page.until("location.hash.includes('actions=-H&')");
    // Giving up is said once, and taken back like an action.
    page.open(&format!("{}#mode=play&you=green&board={WIN_IN_5}&turn=green", server.url));
    page.click("[data-do=giveUp]");
    assert_eq!(page.text("#play-status"), "You have given up: the machine wins.");
    assert_eq!(page.text("#notice"), "");
    page.click("[data-do=undo]");
    assert_eq!(page.text("#play-status"), "Your turn.");
    // A new game is taken back by the message, also after the machine has begun it.
    page.click("[data-do=newGame]");
    page.until("document.getElementById('notice').textContent.startsWith('The machine plays ')");
    page.click("[data-do=takeBack]");
    page.until("document.getElementById('play-status').textContent === 'Your turn.'");
    assert!(page.value("location.hash").as_str().expect("text").contains(WIN_IN_5));
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// Tab to the board, arrows to a dove, Enter, arrows to a cell, Enter; and the tabs by arrows.
#[test]
fn the_keyboard_is_enough() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&analysis_of(&server));
    let tab_to = |page: &mut Browser, selector: &str| {
        // What is disabled until there is an answer is left out on the way.
        page.until(&format!("document.querySelector({}).matches(':enabled')", json!(selector)));
        let all =
            page.value("document.querySelectorAll('a, button, input, select, summary, textarea').length");
        for _ in 0..2 * all.as_u64().expect("a number") {
            if page.value(&format!("document.activeElement.matches({})", json!(selector))) == true {
                return;
            }
            page.key("Tab");
        }
        panic!("{selector} is not reached by Tab");
    };
    // A dove from the hand.
    tab_to(&mut page, ".hand [data-dove=A]");
    page.key("Enter");
    page.until("document.querySelectorAll('.target').length === 5");
    page.key("Escape");
    page.until("document.querySelectorAll('.target').length === 0");
    page.key("Enter");
    page.until("document.querySelectorAll('.target').length === 5");
    tab_to(&mut page, ".place");
    page.key("ArrowRight");
    let label = page.value("document.activeElement.getAttribute('aria-label')");
    assert!(label.as_str().is_some_and(|label| label.starts_with("E1: empty, ")), "{label}");
    page.key("Enter");
    page.until("location.hash.includes('actions=*AE1')");
    // A move of green's boss, two cells from there.
    page.key("ArrowUp");
    page.key("ArrowLeft");
    assert_eq!(page.value("document.activeElement.dataset.dove"), "b");
    page.key("Enter");
    page.key("ArrowRight");
    page.key("Enter");
    page.until("location.hash.includes('actions=*AE1,bN1E1')");
    // An action from the list, by the keyboard too.
    tab_to(&mut page, "[data-do=best]");
    page.key(" ");
    page.until("document.querySelectorAll('#game-list li').length === 4");
    // The other modes.
    page.value("document.getElementById('tab-analyse').focus()");
    for (mode, before) in [
        ("play", "analyse"),
        ("puzzles", "play"),
        ("setup", "puzzles"),
        ("count", "setup"),
        ("learn", "count"),
    ] {
        page.key("ArrowRight");
        page.until(&format!("document.activeElement.dataset.mode === '{mode}'"));
        assert_eq!(page.value("document.body.dataset.mode"), before, "arrows only move the focus");
        page.key("Enter");
        page.until(&format!("document.body.dataset.mode === '{mode}'"));
    }
    // Everything that can be pressed has a name.
    let nameless = page.value(
        "[...document.querySelectorAll('button, select, input, textarea')].filter(element => \
         !(element.getAttribute('aria-label') || element.textContent.trim() || element.labels?.length)).length",
    );
    assert_eq!(nameless, 0);
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// The address of the page of a game as a file, and the folder that has it.
fn exported(options: &[&str]) -> (tempfile::TempDir, String) {
    const MOST: usize = 3_400_000;
    let folder = tempfile::tempdir().expect("a folder");
    let ran = dovemate_in(folder.path(), &[&["serve", "--export", "board.html"], options].concat(), "");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(
        ran.out.contains(" MB, the whole page; open it in a browser") && ran.out.lines().count() == 1,
        "{}",
        ran.out
    );
    let file = folder.path().join("board.html");
    let text = std::fs::read_to_string(&file).expect("it is there");
    assert!(
        text.len() < MOST && !text.contains(" src=\"") && !text.contains("https://"),
        "{} bytes",
        text.len()
    );
    let url = format!("file://{}", file.display());
    (folder, url)
}

/// A page of a small game needs no server: it solves the game, and its values are those of the solver.
#[test]
fn an_exported_page_stands_alone() {
    let (folder, url) = exported(&["--kinds", "AY"]);
    let Some(mut page) = Browser::chromium() else { return };
    let board = "B-Yy;-a--;bA--";
    page.open(&format!("{url}#mode=analyse&board={board}&turn=red"));
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    assert!(page.text("#analysis-panel").contains("from the solved game"));
    let best = dovemate_in(folder.path(), &["best", board, "--kinds", "AY", "--json"], "");
    let best: Value = serde_json::from_str(&best.out).expect("JSON");
    let shown = page.value(
        "import('source.js').then(({ source }) => import('session.js').then(({ session }) => source.position(session.place)))",
    );
    assert_eq!((&shown["actions"], &shown["worth"]), (&best["actions"], &best["worth"]));
    // A puzzle, in which surrounding one's own boss is no solution, and a game against the machine.
    page.open(&format!("{url}#mode=puzzles&board=a-Yy;-A--;bB--&turn=red&plies=5"));
    page.click("[data-dove=B]");
    page.click("[data-cell='1,0']");
    assert_eq!(page.text("#puzzle-status"), "BN1W1 surrounds your own boss.");
    page.open(&format!("{url}#mode=puzzles&board={board}&turn=red&plies=5"));
    page.click("[data-do=nextPuzzle]");
    page.until("document.querySelector('#turn').textContent.includes('wins in 5 plies')");
    // In this game no position with fewer than all doves has a unique win in 5.
    set(&mut page, "[data-set=doves]", "5");
    page.until("document.getElementById('puzzle-status').textContent.startsWith('No such puzzle was found')");
    set(&mut page, "[data-set=doves]", "6");
    page.until(
        "location.hash.includes('doves=6') && document.querySelectorAll('.place[data-dove]').length === 6",
    );
    page.open(&format!("{url}#mode=play&you=green"));
    page.until("document.getElementById('play-status').textContent === 'Your turn.'");
    page.click("#theme");
    page.click("#theme");
    assert_eq!((page.value(COLOURS), page.value(PAPER)), (json!("Colours: Dark"), json!(DARK)));
    // Any other small game is solved when it is chosen: one of long wins, in which the players have different
    // doves.
    page.open(&format!("{url}#board=-tB-;b---&turn=red&red=H&green=MTH&returns=no"));
    page.until("document.querySelector('.verdict').textContent === 'Red loses in 140 plies'");
    // The game of which every start is drawn is named so.
    page.open(&format!("{url}#mode=analyse"));
    page.until("document.querySelector('.verdict').textContent === 'Draw: every action keeps it'");
    // So is one of three kinds each, by 59 million positions.
    page.open(&format!("{url}#mode=analyse&red=AYM&green=AYM"));
    page.until("document.querySelector('#analysis-panel').textContent.includes('from the solved game')");
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// The page with the whole game: it has the openings, and says what the program says.
#[test]
fn an_exported_page_has_the_whole_game() {
    let (_folder, url) = exported(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.open(&format!("{url}#mode=analyse&board={WIN_IN_5}&turn=red"));
    page.value(LOOK_AHEAD);
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    // Questions with an effort in positions have the same answers everywhere, to who begins anew.
    let server = serve(&[]);
    page.value("import('brain.js').then(({ Thinker }) => { globalThis.fresh = new Thinker() })");
    for question in [
        format!("position?board={WIN_IN_5}&positions=2000"),
        "position?board=b;B&positions=1000".to_owned(),
        "position?board=A-y-;hbB-;a---;----&to_move=green&positions=100000".to_owned(),
        format!("line?board={WIN_IN_5}&positions=20000"),
        "play?board=b;B&positions=1000&seed=5&level=club".to_owned(),
        "puzzle?plies=3&unique=yes&seed=7&positions=1000000".to_owned(),
        "sheet?puzzles=MTat;-YA-;-hmy;bB--+red+YN2W1+-a+YN1W1".to_owned(),
        "legal?board=-AB-;m--Y;-Mb-;----".to_owned(),
        "read?text=%2BAE1".to_owned(),
    ] {
        let (name, query) = question.split_once('?').expect("a query");
        let own = page.value(&format!(
            "fresh.ask({}, Object.fromEntries(new URLSearchParams({})))",
            json!(name),
            json!(query)
        ));
        assert_eq!(own, server.ask(&format!("api/{question}")).1, "{question}");
    }
    // The start is known, and so are games and puzzles.
    page.open(&format!("{url}#mode=analyse"));
    page.until("document.querySelector('.verdict').textContent.startsWith('Draw')");
    assert!(page.text("#analysis-panel").contains("from the openings of the solved game"));
    // So are the starts of handicaps.
    for (handicap, verdict) in [("green=AYMT", "Red wins in 39 plies"), ("red=YMTH", "Red loses in 42 plies")]
    {
        page.open(&format!("{url}#mode=analyse&{handicap}"));
        page.until(&format!("document.querySelector('.verdict').textContent === '{verdict}'"));
    }
    page.resize(360, 740);
    page.open(&format!("{url}#mode=play&you=green"));
    page.until("document.getElementById('play-status').textContent === 'Your turn.'");
    page.open(&format!("{url}#mode=puzzles"));
    page.until("document.querySelector('#turn').textContent.includes('wins in 3 plies')");
    set(&mut page, "[data-set=doves]", "2");
    page.until("document.getElementById('puzzle-status').textContent.startsWith('No such puzzle was found')");
    // A worker that fails is replaced.
    page.open(&format!("{url}#mode=analyse"));
    page.until("document.querySelector('.group')");
    page.value("import('source.js').then(({ source }) => source.thinker.call('none', []).catch(() => null))");
    act_in(&mut page, "+AE1", "session.js");
    page.until("document.querySelector('.verdict').textContent === 'Draw with best play'");
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// Where the page cannot work, a sentence says so.
#[test]
fn a_page_that_cannot_work_says_so() {
    let (_folder, url) = exported(&[]);
    for (broken, sentence) in [
        ("delete globalThis.WebAssembly", "This page needs a browser"),
        ("delete globalThis.DecompressionStream", "This page needs a browser"),
    ] {
        let Some(mut page) = Browser::chromium() else { return };
        page.send("Page.addScriptToEvaluateOnNewDocument", json!({ "source": broken }));
        page.send("Page.navigate", json!({ "url": url }));
        page.until("document.querySelector('.absent.failed')?.checkVisibility({ visibilityProperty: true })");
        assert!(page.text("#absent").contains(sentence), "{broken}");
    }
    let Some(mut page) = Browser::chromium() else { return };
    page.send("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    page.send("Page.navigate", json!({ "url": url }));
    page.until("document.body.innerText.includes('Scripts are off here')");
}
