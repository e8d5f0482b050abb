//! What the program says in Japanese and English: pages, `play`, and the server's errors.

use std::path::Path;

use serde_json::Value;

use crate::common::WIN_IN_5;
use crate::common::browser::Browser;
use crate::common::folders::Folder;
use crate::common::program::{Arguments, PROGRAM, Ran, command, has, run, variables};
use crate::common::server::serve;
use crate::common::tour::Tour;

/// Words that are the same in every language: names, and what is typed.
const NAMES: &str =
    "dovemate CPU GPU best play actions hint undo board moves draw resign save FILE help quit game none txt";

/// The English words of a text, except for names and for the letters of doves.
fn english(text: &str) -> Vec<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|word| word.len() > 2);
    words
        .filter(|word| {
            !NAMES.split(' ').any(|name| name == *word)
                && !word.chars().all(|letter| "BAYMTHbaymthNSEW".contains(letter))
        })
        .collect()
}

/// A picture in an address, which is percent-encoded, as text.
fn decoded(page: &str) -> String {
    let mut parts = page.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => bytes.extend([&[byte], &part.as_bytes()[2..]].concat()),
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}

/// What a reader of a page sees: its text, and the text of its pictures and for those who do not see them;
/// without commands, boards, styles, and what is not to be translated.
fn seen(page: &str) -> String {
    let mut parts = page.split(" src=\"data:image/svg+xml,");
    let (mut page, mut pictures) = (parts.next().unwrap_or_default().to_owned(), String::new());
    for part in parts {
        let (picture, rest) = part.split_once('"').expect("an end");
        page += rest;
        pictures += &decoded(picture);
    }
    page += &pictures;
    for (begin, end) in [
        ("<style", "</style>"),
        ("<code", "</code>"),
        ("<desc", "</desc>"),
        (" translate=\"no\">", "<"),
        ("<!", ">"),
    ] {
        while let Some(from) = page.find(begin) {
            let length = page[from..].find(end).expect("an end") + if end == "<" { 0 } else { end.len() };
            page.replace_range(from..from + length, if end == "<" { ">" } else { "" });
        }
    }
    let mut seen = String::new();
    for part in page.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or(("", part));
        let labels =
            [" alt=\"", " aria-label=\""].iter().filter_map(|name| tag.split_once(name)?.1.split('"').next());
        labels.chain([text]).for_each(|text| seen += &format!("{text}\n"));
    }
    seen
}

/// Runs the program with these variables of the locale and no others.
fn in_locale(folder: &Path, locale: &str, arguments: &str, typed: &str) -> Ran {
    let mut program = command(PROGRAM, folder);
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        program.env_remove(name);
    }
    run(program.envs(variables(locale)).args(arguments.list()), typed)
}

#[test]
fn every_page_is_in_the_language_that_is_wanted() {
    let folder = Folder::new();
    for (command, english_text, japanese_text) in [
        ("puzzles --plies 3 --unique --count 2 --quiet -o page.html", "<h2>Solutions</h2>", "<h2>解答</h2>"),
        (
            "puzzles --plies 1 --kinds AY --no-return --both-surrounded draw --quiet -o page.html",
            "hand, and an action",
            "手札に戻せません。また、",
        ),
        ("svg b;B -o page.html", "red to move", "赤の手番"),
        ("svg -Y-B;--ay;H---;b--- -o page.html", "red to move: mate", "赤の手番：詰み"),
        ("svg -Aa-;YbBM;-Tt- -o page.html", "the red boss and the green boss are", "赤と緑のボスハトが"),
        ("svg -a-;YBy;-Mb -o page.html", "the red boss is surrounded", "赤のボスハトが囲まれて"),
    ] {
        let page = |locale: &str, options: &str| {
            in_locale(&folder, locale, &format!("{command} {options}"), "").succeeds();
            folder.read("page.html")
        };
        let is_svg = command.starts_with("svg");
        for (variables, options) in
            [("LANG=ja_JP.UTF-8", ""), ("LANG=en_GB.UTF-8 LC_MESSAGES=ja", ""), ("LANG=C", "--lang ja")]
        {
            let page = page(variables, options);
            assert!(
                page.contains(japanese_text) && (is_svg || page.contains("<html lang=\"ja\">")),
                "{command}"
            );
            let seen = seen(&page);
            let words = english(&seen);
            assert!(words.is_empty(), "{command}: {words:?}");
        }
        for (variables, options) in
            [("", ""), ("LANG=ja_JP.UTF-8 LC_ALL=C.UTF-8", ""), ("LC_ALL=ja_JP.UTF-8", "--lang en")]
        {
            let page = page(variables, options);
            assert!(
                page.contains(english_text) && (is_svg || page.contains("<html lang=\"en\">")),
                "{command}"
            );
            let is_japanese = |letter: char| ('\u{3000}'..='\u{9fff}').contains(&letter);
            assert!(!seen(&page).contains(is_japanese), "{command}");
        }
    }
}

/// Each line that is typed is answered; none of the answers has a word of the other language.
#[test]
fn a_game_is_played_in_either_language() {
    let folder = Folder::new();
    let typed = "help\nhint\nactions\nmoves\nboard\nundo\n\nBQ9\n-b\n-A\n+TN9\n+AN1E9E9\ndraw\nsave\nsave game.txt\n\
                 resign\nTE3\nundo\nTE3\nmoves\nhint\nundo\nundo\nquit\n";
    let play = |options: &str, typed: &str| {
        let options = format!("play --depth 5 --seed 1 {options}");
        in_locale(&folder, "LC_CTYPE=C.UTF-8", &options, typed).succeeds().out
    };
    let spoken = play(&format!("--board {WIN_IN_5} --lang ja"), typed);
    has(
        &spoken,
        "あなたは赤です … 赤の手番 … 手札：赤 – … ボスハトの包囲度 … 待った … 5手で勝ち … 緑の手： … の投了で",
    );
    assert_eq!(english(&spoken), Vec::<&str>::new(), "{spoken}");
    let spoken = play(&format!("--board {WIN_IN_5}"), typed);
    assert!(spoken.is_ascii() || !spoken.contains('手'), "{spoken}");
    // The program begins, in a won position.
    let won = play("--board -a-;-BY;-Mb --lang ja --you green", "moves\nquit\n");
    assert_eq!(english(&won), Vec::<&str>::new(), "{won}");
}

#[test]
fn best_and_puzzles_are_written_in_either_language() {
    let folder = Folder::new();
    for (command, english_text, japanese_text) in [
        (format!("best {WIN_IN_5} --depth 5"), "red plays TE3; each of green's", "赤の最善手は TE3（緑の"),
        (
            "best b;B".to_owned(),
            "4 of 29 answers hold the draw",
            "29通りの応手のうち、引き分けを保てるのは4通り",
        ),
        ("best HY-b;Ah-m;t--M;T--B".to_owned(), "surrounds the green boss", "緑のボスハトを囲みます"),
        ("puzzles --plies 3 --seed 1 --quiet".to_owned(), "to move wins in 3 plies", "3手で勝ち"),
    ] {
        let japanese = in_locale(&folder, "LANG=ja_JP.UTF-8", &command, "").ends(0);
        assert!(
            japanese.status == 0 && japanese.out.contains(japanese_text),
            "{}{}",
            japanese.out,
            japanese.err
        );
        assert_eq!(english(&japanese.out), Vec::<&str>::new(), "{}", japanese.out);
        let named = in_locale(&folder, "LANG=ja_JP.UTF-8", &format!("{command} --lang en"), "");
        assert!(named.out.contains(english_text) && !named.out.contains('手'), "{}", named.out);
    }
}

#[test]
fn errors_are_in_the_language_of_the_page() {
    let server = serve("");
    let asked = |path: &str, accepted: Option<&str>| {
        let request = minreq::get(format!("{}{path}", server.url));
        let request = accepted
            .into_iter()
            .fold(request, |request, accepted| request.with_header("Accept-Language", accepted));
        let answer = request.send().expect("an answer");
        assert_eq!(answer.status_code, if path.starts_with("api/") { 400 } else { 404 }, "{path}");
        let answer: Value = serde_json::from_str(answer.as_str().expect("text")).expect("JSON");
        let sentence = answer["error"].as_str().expect("a sentence");
        assert!(!sentence.contains('\n'), "{path}: {sentence}");
        sentence.to_owned()
    };
    for (path, english_text, japanese_text) in [
        ("api/position?board=b;A", "board: boss 'B' is missing", "board：ボスハト「B」がいません"),
        ("api/position?board=bB-A", "'A' is isolated", "「A」が孤立しています"),
        ("api/position?board=bB;-x", "'x' is not a dove", "2行2列の「x」はハトではありません"),
        ("api/position?board=bB---A", "row 1 has 6 columns", "1行目に6列"),
        ("api/position?board=b;B;;;a", "5 rows", "5行あります"),
        ("api/position?board=bB;B", "stands on two cells", "2マスにいます"),
        ("api/position?board=1c00010000000000", "first hexadecimal digit", "16桁の16進数"),
        ("api/position?board=-a-;YBy;-Mb", "is surrounded", "終局した盤面"),
        ("api/position?board=bB;A&kinds=Y", "not in this game", "使いません"),
        ("api/legal?board=bB;A&kinds=Y", "not in this game", "使いません"),
        ("api/position", "no board is given", "盤面がありません"),
        (
            "api/position?board=b;B&depth=0",
            "depth is a number of plies from 1 to 200, not 0",
            "depth は1～200の手数です",
        ),
        (
            "api/position?board=b;B&seconds=x",
            "seconds is a number from 0 to 2, not 'x'",
            "0～2の数です（「x」",
        ),
        ("api/position?board=b;B&to_move=blue", "'blue' is no", "「blue」は使えません"),
        ("api/position?board=b;B&kinds=AQ", "'Q' is not a kind", "「Q」はハトの種類ではありません"),
        ("api/position?board=b;B&red=A", "both red and green", "red と green の両方"),
        ("api/position?board=b;B&returns=x", "'yes' or 'no'", "yes か no"),
        ("api/position?board=b;B&board=b;B", "occurs twice", "2回書かれています"),
        ("api/position?board=b;B&x=1", "is not a parameter of", "パラメーター「x」はありません"),
        ("api/line?board=b;B&action=BN9", "is not a legal action of red", "赤が指せる手ではありません"),
        ("api/line?board=b;B&action=%2BBN1", "is on the board", "盤上にいます"),
        ("api/line?board=b;B&action=-A", "is in hand", "手札にいます"),
        ("api/line?board=b;B&action=x", "is not a valid action", "手として読み取れません"),
        ("api/puzzle?plies=2", "plies is an odd number", "奇数です"),
        ("api/puzzle?plies=11", "plies is at most 9", "plies は9まで"),
        ("api/puzzle?doves=13", "doves: ", "doves：ハトの数は"),
        ("nothing", "there is nothing at /nothing", "/nothing には何もありません"),
    ] {
        let japanese = asked(path, Some("ja"));
        assert!(japanese.contains(japanese_text), "{path}: {japanese}");
        for accepted in [
            None,
            Some("en-GB,ja;q=0.5"),
            Some("de"),
            Some("ja; q=0.4, en; q=0.8"),
            Some("ja;q=0"),
            Some(";q=,;"),
        ] {
            let english = asked(path, accepted);
            assert!(english.contains(english_text), "{path}: {english}");
        }
        assert_eq!(asked(path, Some("de,ja-JP;q=0.9,en;q=0.5")), japanese);
    }
    let Some(mut tour) = Tour::start(Browser::chromium()) else { return };
    tour.walk_with_faults("errors_are_in_the_language_of_the_page");
}

/// Help and the error lines of commands are English in every locale.
#[test]
fn help_and_errors_stay_english() {
    let folder = Folder::new();
    let japanese = |arguments: &str| in_locale(&folder, "LC_ALL=ja_JP.UTF-8", arguments, "");
    for arguments in ["play --help", "best b", "show b;A", "play --board b;A"] {
        let ran = japanese(arguments);
        // Only the signs of a picture depend on the locale.
        assert!(ran.err.is_ascii() && !ran.out.contains('手'), "{}{}", ran.out, ran.err);
        assert_eq!(ran.status, folder.dovemate(arguments).status);
    }
}
