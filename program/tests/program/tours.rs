//! The board page as three kinds of people use it: on a phone in Japanese, at a desk of theory, and in a class.

use serde_json::{Value, json};

use crate::common::WIN_IN_5;
use crate::common::browser::{Browser, Engine};
use crate::common::page::{act, set};
use crate::common::server::{Server, serve};

/// Whether the whole board is in the window.
const BOARD_IN_SIGHT: &str = "(({ top, bottom }) => top >= 0 && bottom <= innerHeight + 1)(document.getElementById('board').getBoundingClientRect())";

fn actions(page: &mut Browser) -> u64 {
    page.value("document.querySelectorAll('#game-list li').length - 1").as_u64().expect("a number")
}

/// Nothing is wider than the window, no text has a hole in it, and nothing went wrong.
fn is_well(page: &mut Browser, width: u32) {
    assert_eq!(page.value("document.documentElement.scrollWidth"), width);
    assert_eq!(
        page.value("document.body.innerText.match(/\\{\\w+\\}|undefined|NaN|\\[object/)"),
        Value::Null
    );
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// An evening on a phone: the rules, first games with warnings, a review, puzzles.
#[test]
fn a_phone_in_japanese() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.resize(360, 740);
    page.open(&server.url);
    page.click("#language");
    assert_eq!(page.text("#learn-panel h2"), "2分で分かる遊び方");
    page.click("#learn-panel [data-mode=play]");
    is_well(&mut page, 360);
    // Green at the bottom, who is the user now: the game has not begun.
    set(&mut page, "[data-set=you]", "green");
    page.until("document.getElementById('play-status').textContent === 'あなたの手番です。'");
    let hands =
        "['hand-green', 'hand-red'].map(id => document.getElementById(id).getBoundingClientRect().top)";
    let hands = page.value(hands);
    assert!(hands[0].as_f64() > hands[1].as_f64(), "{hands}");
    assert_eq!(page.value(BOARD_IN_SIGHT), true);
    // An empty cell asks for a dove; the letters of doves stay as they are.
    page.click(".place.beyond");
    assert_eq!(page.text("#notice"), "先に、手札か盤上のハトを選んでください。");
    // A colour for the next game does not change this one.
    set(&mut page, "[data-set=you]", "red");
    assert!(page.text("#play-panel").contains("次の対局から変わります。"));
    page.click("[data-do=giveUp]");
    assert_eq!(page.text("#play-status"), "投了しました。コンピューターの勝ちです。");
    page.click("[data-do=newGame]");
    page.until("document.getElementById('play-status').textContent === 'あなたの手番です。'");
    assert_eq!((actions(&mut page), page.value("document.body.dataset.turned")), (0, json!("no")));
    // No draw is known yet.
    assert_eq!(page.value("document.querySelector('[data-do=draw]').disabled"), true);
    // What lets the opponent win is marked before, and said after, with a way back.
    let risky = "b---;B---;----;----";
    let danger = page.value(&format!(
        "Promise.all([import('./session.js'), import('./position.js'), import('./doves.js')]).then(([{{ session }}, {{ actionsOf, answerThatWins }}, {{ dovesOfText }}]) => {{ \
         let place = {{ doves: dovesOfText('{risky}'), mover: 'red', game: session.game }}; \
         for (let ply = 0; ply < 400; ply++) {{ \
           const open = actionsOf(place).filter(({{ outcome }}) => outcome === 'open'); \
           const found = place.mover === 'red' && open.find(action => answerThatWins(place, action)); \
           if (found) {{ session.begin({{ doves: place.doves, mover: 'red' }}); return [found.text, found.dove, String(found.to), answerThatWins(place, found)]; }} \
           place = {{ doves: open[(7 * ply + 3) % open.length].after, mover: place.mover === 'red' ? 'green' : 'red', game: session.game }}; }} }})"
    ));
    let part = |index: usize| danger[index].as_str().expect("text").to_owned();
    page.click(&format!("[data-dove={}]", part(1)));
    if part(2) != "null" {
        assert_eq!(page.text(&format!("[data-cell='{}'] .sign", part(2))), "!");
    }
    page.key("Escape");
    act(&mut page, &part(0));
    let said = json!(format!("危ない手でした。{} と指されると負けです。", part(3)));
    page.until(&format!(
        "document.getElementById('notice').textContent.includes({said}) || document.getElementById('turn').textContent === '終局'"
    ));
    page.click("[data-do=undo]");
    page.until("document.querySelectorAll('#game-list li').length === 1");
    is_well(&mut page, 360);
    // A review: nothing is left open, a mistake is shown with what was better and what beats it, and tried again.
    page.open(&format!(
        "{}#mode=play&board={WIN_IN_5}&actions=-H&ending=green+wins,+red+resigned",
        server.url
    ));
    page.click("[data-do=review]");
    page.until("document.getElementById('review').textContent.includes('全2局面を調べました。')");
    page.click("[data-do=nextMistake]");
    page.until("document.getElementById('notice').textContent === '1. -H ?? 勝ちを逃しました（TE3 なら5手で勝ち）。次に bE1 から5手で負け'");
    page.click("[data-do=tryAgain]");
    assert!(page.text("#notice").starts_with("赤はここで -H と指しました。"));
    is_well(&mut page, 360);
    // The list does not hide the board.
    page.click("[data-do=takeBack]");
    page.value("document.querySelector('#game-panel').scrollIntoView({ block: 'end' })");
    assert_eq!(page.value(BOARD_IN_SIGHT), true);
    // A puzzle: solved at once, and remembered.
    page.open(&format!("{}#mode=puzzles&board={WIN_IN_5}&plies=5", server.url));
    assert!(page.text("#turn").contains("5手で勝つ手順を見つけてください（自分の手は3手）"));
    act(&mut page, "TE3");
    page.until("document.getElementById('puzzle-status').textContent.startsWith('正解！ 相手は ')");
    page.click("[data-do=daily]");
    page.until("document.querySelector('#puzzle-panel h3')?.textContent.endsWith(' の問題')");
    let day = page.value("location.hash");
    page.open(&format!("{}#mode=puzzles&board={WIN_IN_5}&plies=5", server.url));
    page.click("[data-do=daily]");
    page.until("location.hash.includes('day=')");
    assert_eq!(page.value("location.hash"), day, "the same for everybody");
    page.click("[data-do=solution]");
    page.until("document.getElementById('puzzle-status').textContent.startsWith('解答：')");
    assert!(page.text("#history").contains("問のうち"), "{}", page.text("#history"));
    is_well(&mut page, 360);
}

/// A desk: values with and without returns, lines of what is not decided, a long game reviewed, boards pasted.
#[test]
fn a_desk_of_theory() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.resize(1280, 640);
    page.open(&format!("{}#mode=analyse&board=A-y-;hbB-;a---&turn=green", server.url));
    page.until("document.querySelector('.group')");
    // Two rules side by side: on returns, or on two surrounded bosses.
    for (rule, heads) in [
        ("returns", ["doves may be returned", "no returns"]),
        ("draw", ["both bosses surrounded: the player who acted loses", "both bosses surrounded: a draw"]),
    ] {
        set(&mut page, "[data-set=compare]", rule);
        page.until("document.querySelectorAll('.side .group').length > 1 && document.querySelectorAll('.side').length === 2");
        let found = page.value("[...document.querySelectorAll('.side h3')].map(head => head.textContent)");
        assert_eq!(found, json!(heads));
    }
    // The board stays while the panel is read to its end.
    page.value("scrollTo(0, document.documentElement.scrollHeight)");
    assert_eq!(page.value(BOARD_IN_SIGHT), true);
    set(&mut page, "[data-set=compare]", "");
    assert_eq!(page.value("document.querySelectorAll('.side').length"), 1);
    // Where nothing is proved, there are several lines, each with its estimate and how deep that is.
    page.open(&format!("{}#mode=analyse&board=--t-;--AH;bB--;-hT-&values=no", server.url));
    // However fast the machine is, it is not to look farther than two plies here.
    page.value("import('./source.js').then(({ source }) => { const ask = source.position.bind(source); source.position = (place, effort, signal) => ask(place, { ...effort, depth: 2 }, signal) })");
    page.click("#values");
    page.until("document.querySelector('[data-do=line]:enabled')?.textContent === 'Good lines'");
    page.click("[data-do=line]");
    page.until("document.querySelectorAll('.line').length === 3");
    let order = page.text(".line .faint");
    assert!(order.contains("% ("), "{order}");
    is_well(&mut page, 1280);
    page.open(&format!("{}#mode=analyse", server.url));
    // Several boards, errors beside the field, and the QR code of what is shown.
    page.click("[data-do=paste]");
    page.value(&format!("document.getElementById('paste-text').value = '1. {WIN_IN_5}\\n2. b;B'"));
    page.click("[data-do=take]");
    page.click("[data-do=takeBoard]");
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    page.value("document.getElementById('paste-text').value = 'BN9'");
    page.click("[data-do=take]");
    assert!(page.text("#paste-wrong").contains("BN9"));
    page.click("[data-do=showCode]");
    page.until("document.querySelector('.qr').naturalWidth > 0");
    // A picture as PNG, with the player to move.
    let png = page.value(
        "Promise.all([import('./picture.js'), import('./session.js')]).then(([{ pictureOf, pngOf }, { session }]) => { \
         const svg = pictureOf(session.place); return pngOf(svg).then(png => [svg.includes('red to move'), png.slice(0, 22)]) })",
    );
    assert_eq!(png, json!([true, "data:image/png;base64,"]));
    // Its colours are the page's; a sheet is light.
    page.until(
        "(document.getElementById('theme').click(), document.documentElement.style.colorScheme === 'dark')",
    );
    let papers = page.value(
        "Promise.all([import('./picture.js'), import('./session.js'), import('./theme.js')]).then(([{ pictureOf }, { session }, { shownTheme }]) => \
         [pictureOf(session.place), pictureOf(session.place, undefined, false, shownTheme())].map(svg => \
         [svg.includes('class=\"paper\" fill=\"#fff\"'), svg.includes('class=\"paper\" fill=\"#16181d\"'), svg.includes('@media')]))",
    );
    assert_eq!(papers, json!([[true, false, false], [false, true, false]]));
    page.until(
        "(document.getElementById('theme').click(), document.documentElement.style.colorScheme === '')",
    );
    // A long game: every action is judged, and every position has its place in the graph.
    let plies = 24;
    let game = page.value(&format!(
        "Promise.all([import('./session.js'), import('./position.js'), import('./doves.js')]).then(([{{ session }}, {{ actionsOf }}, {{ START }}]) => {{ \
         const texts = []; let place = {{ doves: START(), mover: 'red', game: session.game }}; \
         while (texts.length < {plies}) {{ \
           const open = actionsOf(place).filter(({{ outcome }}) => outcome === 'open'); const action = open[(5 * texts.length + 2) % open.length]; \
           texts.push(action.text); place = {{ doves: action.after, mover: place.mover === 'red' ? 'green' : 'red', game: session.game }}; }} \
         return texts.join().replaceAll('+', '*') }})"
    ));
    let game = game.as_str().expect("actions");
    page.open(&format!("{}#mode=analyse&actions={game}&ending=draw+by+agreement", server.url));
    page.until(
        "document.getElementById('review').textContent.includes('All 25 positions have been looked at.')",
    );
    assert_eq!(page.value("document.querySelectorAll('.chart-point').length"), plies + 1);
    assert!(page.value("document.querySelectorAll('#game-list .judged').length").as_u64() > Some(4));
    assert_eq!(page.value(BOARD_IN_SIGHT), true);
    page.click("[data-do=lookLonger]");
    page.until("document.getElementById('review').textContent.includes('of 25 positions')");
    // Space after a click plays the best action, wherever the click was.
    page.open(&format!("{}#mode=analyse&board={WIN_IN_5}", server.url));
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    page.click("#warn");
    page.key(" ");
    page.until("location.hash.includes('actions=TE3')");
    assert_eq!(page.value("document.getElementById('warn').checked"), false);
    is_well(&mut page, 1280);
}

/// A browser that resists fingerprinting gives noise in place of a picture: the page says so, and saves none.
#[test]
fn noise_is_no_picture() {
    let server = serve(&[]);
    let Some(mut page) = Browser::firefox_with(&[("privacy.resistFingerprinting", "true")]) else { return };
    page.open(&format!("{}#mode=analyse", server.url));
    page.value(
        "(HTMLAnchorElement.prototype.click = function () { globalThis.saved = this.download }, true)",
    );
    page.click("[data-do=savePng]");
    page.until("document.getElementById('notice').textContent.includes('noise')");
    page.click("[data-do=savePicture]");
    page.until("saved.endsWith('.svg')");
}

/// The openings: mirror images are one family, with the answers to it, and a click goes on as far as they know.
#[test]
fn a_tree_of_openings() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    page.resize(1280, 800);
    page.open(&format!("{}#mode=analyse", server.url));
    page.until("document.querySelectorAll('.group [data-action]').length === 29");
    page.click("[data-set=answers]");
    // Of the 29 actions, the mirror leaves five where they are.
    page.until("document.querySelectorAll('.family').length === 17");
    // The answers come one after the other.
    let has_row = |page: &mut Browser, action: &str, row: &str| {
        let found = format!("document.querySelector(\"[data-action='{action}']\").parentNode.children");
        page.until(&format!(
            "[...{found}].map(part => part.dataset.action ?? part.textContent).join() === '{row}'"
        ));
    };
    has_row(&mut page, "+TS1W1", "+TS1E1,+TS1W1,Answers: 4 × draw, 25 × lose in 14–132");
    has_row(&mut page, "BN1E1", "BN1E1,BN1W1,Answers: 29 × draw; back to “Start”");
    is_well(&mut page, 1280);
    page.resize(360, 740);
    page.click("#language");
    page.click("[data-action='+TS1E1']");
    page.until("document.querySelectorAll('.family').length === 29");
    has_row(&mut page, "+mN2W1", "+mN2W1,応手：131手で勝ち 1通り、引き分け 25通り、20–88手で負け 6通り");
    is_well(&mut page, 360);
    // With four doves, what follows a put is not known, and with five, not every action is.
    page.reload();
    page.click("[data-action='+tN2E1']");
    page.until("document.querySelectorAll('.family').length === 7");
    assert_eq!(page.text("[data-action='+AE2']"), "+AE2");
    page.click("[data-action='+AE2']");
    page.until("document.querySelector('.group.worth-none')");
    assert_eq!(page.value("document.querySelector('[data-set=answers], .family')"), Value::Null);
}

/// The names of what a screen reader meets, and what of it has none.
const NAMELESS: &str = "[...document.querySelectorAll('button, select, input, textarea, a, img, [role=grid], ol')].filter(element => \
                        element.checkVisibility() && !(element.getAttribute('aria-label') || element.textContent.trim() || element.alt || element.labels?.length)) \
                        .map(element => element.outerHTML.slice(0, 90))";

fn in_class(server: &Server, mode: &str) -> String {
    format!("{}#mode={mode}", server.url)
}

/// A blind colleague: what changes is read aloud, and nothing else; an action is typed; the focus stays where it was.
#[test]
fn a_blind_colleague() {
    let server = &serve(&[]);
    // As a screen reader presses what has the focus.
    const PRESS: &str = "document.activeElement.click()";
    const SPOKEN: &str = "document.getElementById('spoken').textContent";
    for engine in [Engine::Chromium, Engine::Firefox] {
        let Some(mut page) = Browser::start(engine) else { continue };
        page.open(&format!("{}&board={WIN_IN_5}&actions=TE3", in_class(server, "analyse")));
        page.until(&format!("{SPOKEN} === 'TE3. Green to move. Green loses in 4 plies. '"));
        // A redraw changes nothing that is read.
        page.value(
            "(() => { globalThis.read = []; for (const region of document.querySelectorAll('[aria-live], [role=status]')) \
             new MutationObserver(changes => read.push(...changes)).observe(region, { childList: true, subtree: true, characterData: true }) })()",
        );
        page.value("import('./state.js').then(({ state }) => { state.redraw(); state.redraw() })");
        assert_eq!(page.value("read.length"), 0, "{engine:?}");
        let focus = "document.activeElement.id || document.activeElement.dataset.do || document.activeElement.dataset.set";
        page.value("document.getElementById('back').focus()");
        page.value(PRESS);
        page.until(&format!("{SPOKEN} === 'Red to move. Red wins in 5 plies. '"));
        assert_eq!(page.value(focus), "back", "{engine:?}: at the start, too");
        page.value(PRESS);
        assert_eq!(page.value("import('./session.js').then(({ session }) => session.ply)"), 0);
        // The line of best play, step by step.
        page.click("[data-do=line]");
        page.until("document.querySelectorAll('.line button').length === 5");
        page.value("document.querySelector('.line button:nth-child(2)').focus()");
        page.value(PRESS);
        page.until(&format!("{SPOKEN}.includes('Red wins in 3 plies')"));
        assert_eq!(page.value("document.activeElement.dataset.steps"), "2", "{engine:?}");
        // An action is typed; what is none is said.
        page.click("#first");
        page.value("document.getElementById('typed-action').focus()");
        for key in ["t", "e", "3", "Enter"] {
            page.key(key);
        }
        page.until(&format!("{SPOKEN}.startsWith('TE3. Green to move.')"));
        assert_eq!(
            (page.value(focus), page.value("document.activeElement.value")),
            (json!("typed-action"), json!(""))
        );
        for key in ["b", "n", "9", "Enter"] {
            page.key(key);
        }
        page.until("document.getElementById('notice').textContent.includes('bn9')");
        page.click("[data-do=sayBoard]");
        let said = page.text("#notice");
        assert!(
            said.starts_with("Red: Boss, Aniki ") && said.contains("in hand: none. Green: Boss "),
            "{said}"
        );
        // The ends of a row.
        page.value("document.querySelector('.place[data-dove=B]').focus()");
        page.key("Tab");
        page.value("document.querySelector('.place[data-dove=B]').focus()");
        for (key, end) in [("Home", "firstChild"), ("End", "lastChild")] {
            page.key(key);
            assert_eq!(
                page.value(&format!("document.activeElement === document.activeElement.parentNode.{end}")),
                true
            );
        }
        // The solution of a puzzle, and its steps.
        page.open(&format!("{}&board={WIN_IN_5}&plies=5", in_class(server, "puzzles")));
        page.value("document.querySelector('[data-do=solution]').focus()");
        page.value(PRESS);
        page.until("document.getElementById('puzzle-status').textContent.startsWith('The solution')");
        assert_eq!(page.value(focus), "solution", "{engine:?}");
        assert!(page.complaints().is_empty(), "{engine:?}: {:?}", page.complaints());
    }
}

/// A class: two at a tablet, a sheet to print, a projector, and a blind colleague.
#[test]
fn a_class() {
    let server = serve(&[]);
    let Some(mut page) = Browser::chromium() else { return };
    // Two people play a short game at a tablet, which turns the board.
    page.resize(768, 1024);
    page.open(&in_class(&server, "play"));
    set(&mut page, "[data-set=game]", "shortGame");
    set(&mut page, "[data-set=you]", "both");
    page.click("[data-set=turns]");
    let turned = "document.body.dataset.turned";
    assert_eq!(page.value(turned), "no");
    act(&mut page, "+AE1");
    page.until("location.hash.includes('actions=*AE1')");
    assert_eq!(page.value(turned), "yes");
    // The arrow keys follow what is seen.
    page.value("document.querySelector('.place[data-dove=b]').focus()");
    page.key("Tab");
    page.value("document.querySelector('.place[data-dove=b]').focus()");
    let row = "Number(document.activeElement.dataset.cell.split(',')[0])";
    let before = page.value(row).as_i64().expect("a row");
    page.key("ArrowUp");
    assert_eq!(page.value(row), before + 1);
    act(&mut page, "+aN1E1");
    assert_eq!((page.value(turned), actions(&mut page)), (json!("no"), 2));
    assert!(page.text("#rules").contains("A Y each"));
    // Each undoes their own action; a draw needs no machine.
    page.click("[data-do=undo]");
    assert_eq!(actions(&mut page), 1);
    page.click("[data-do=draw]");
    assert_eq!(page.text("#play-status"), "A draw by agreement.");
    is_well(&mut page, 768);
    // A sheet of puzzles, the solutions after the boards.
    page.open(&in_class(&server, "puzzles"));
    page.until("!document.querySelector('[data-do=sheet]').disabled");
    page.value("window.print = () => { dispatchEvent(new Event('beforeprint')); window.printed = [...document.querySelectorAll('.sheet .boards img')].map(image => image.naturalWidth > 0) }");
    page.click("[data-do=sheet]");
    page.until("window.printed");
    assert_eq!(page.value("window.printed"), json!([true, true, true, true, true, true]));
    assert_eq!(page.value("document.querySelectorAll('.sheet .solutions li').length"), 6);
    page.value("document.body.classList.add('printing')");
    page.send("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    let shown = "['main', '.sheet'].map(part => document.querySelector(part).checkVisibility())";
    assert_eq!(page.value(shown), json!([false, true]));
    page.send("Emulation.setEmulatedMedia", json!({ "media": "" }));
    page.value("document.body.classList.remove('printing')");
    // On a phone print() returns at once, and the sheet stays until it is printed; elsewhere there is none.
    let cannot = "document.getElementById('notice').textContent.includes('cannot print')";
    page.value("window.print = () => dispatchEvent(new Event('beforeprint'))");
    page.click("[data-do=sheet]");
    page.until("document.body.classList.contains('printing')");
    page.until("!document.querySelector('[data-do=sheet]').disabled");
    assert_eq!(page.value("document.body.classList.contains('printing')"), true);
    page.value("dispatchEvent(new Event('afterprint'))");
    assert_eq!(
        page.value(&format!("[document.body.classList.contains('printing'), {cannot}]")),
        json!([false, false])
    );
    for print in ["undefined", "() => { throw new Error('no') }", "() => {}"] {
        page.open(&in_class(&server, "puzzles"));
        page.until("!document.querySelector('[data-do=sheet]').disabled");
        page.value(&format!("window.print = {print}"));
        page.click("[data-do=sheet]");
        page.until(cannot);
    }
    // A projector.
    page.resize(1920, 1080);
    page.open(&format!("{}&board={WIN_IN_5}", in_class(&server, "analyse")));
    page.until("document.querySelector('.verdict').textContent === 'Red wins in 5 plies'");
    assert!(page.value("document.querySelector('.place').clientWidth").as_u64() > Some(100));
    // Everything has a name, in every mode; the pictures of the rules are described.
    for mode in ["learn", "analyse", "play", "puzzles", "setup", "count"] {
        page.open(&in_class(&server, mode));
        assert_eq!(page.value(NAMELESS), json!([]), "{mode}");
        is_well(&mut page, 1920);
    }
    // In colours that the system chooses, the tab and the dove that is chosen are seen.
    page.open(&in_class(&server, "analyse"));
    page.send(
        "Emulation.setEmulatedMedia",
        json!({ "features": [{ "name": "forced-colors", "value": "active" }] }),
    );
    page.click(".hand [data-dove=A]");
    let style = |selector: &str, property: &str| {
        format!("getComputedStyle(document.querySelector(\"{selector}\")).{property}")
    };
    assert_ne!(
        page.value(&style("[aria-selected=true]", "backgroundColor")),
        page.value(&style("[aria-selected=false]", "backgroundColor"))
    );
    assert_eq!(page.value(&style(".dove-button.chosen", "outlineStyle")), "solid");
    is_well(&mut page, 1920);
}
