//! What a terminal is given: pictures that keep their form, and no control characters from elsewhere.

use std::path::Path;

use textwrap::core::display_width;

use crate::common::folders::Folder;
use crate::common::program::{PROGRAM, command, dovemate, dovemate_in, run, variables};

/// Commands that draw boards.
const DRAW: [&str; 5] = [
    "show -b-B;--Ma;A---;Y---",
    "explain -b-B;--Ma;A---;Y---",
    "explain b;B --all",
    "best b;B --kinds A",
    "puzzles --kinds AY --plies 3 --count 2",
];

/// What a command prints under these variables, and no others that matter.
fn drawn(arguments: &str, environment: &str) -> String {
    let mut command = command(PROGRAM, Path::new("."));
    for name in ["LC_ALL", "LC_CTYPE", "LANG", "DOVEMATE_PICTURES"] {
        command.env_remove(name);
    }
    // The language of the words does not matter here.
    command.env("LC_MESSAGES", "C");
    run(command.args(arguments.split(' ')).envs(variables(environment)), "").ends(0).out
}

/// The rows that are part of a picture.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.contains(['|', '║', '═', '[', '→', '·']) || line.contains("==="))
}

#[test]
fn pictures_have_the_same_width_wherever_they_must() {
    let wide = [
        "LANG=ja_JP.UTF-8",
        "LANG=C LC_CTYPE=ko_KR.UTF-8",
        "LANG=C LC_CTYPE=C LC_ALL=zh_TW",
        "LC_ALL= LANG=ja",
        "LANG=de_DE.UTF-8 DOVEMATE_PICTURES=ascii",
        "DOVEMATE_PICTURES=ascii",
    ];
    // Where the locale has another encoding, or none, bytes of the other signs are control characters.
    let without_utf_8 = ["LC_ALL=C", "LANG=POSIX", "LANG=de_DE.ISO-8859-15@euro", ""];
    let without_utf_8 = if cfg!(unix) { &without_utf_8[..] } else { &[] };
    for arguments in DRAW {
        for variables in wide.iter().chain(without_utf_8) {
            let text = drawn(arguments, variables);
            assert!(rows(&text).count() > 1, "{arguments:?}: {text}");
            for row in rows(&text) {
                assert!(row.is_ascii(), "{arguments:?} with {variables:?}: {row}");
            }
        }
    }
}

#[test]
fn elsewhere_pictures_have_double_lines() {
    let narrow = [
        "LC_CTYPE=UTF-8",
        "LANG=en_GB.utf8",
        "LANG=ja_JP.UTF-8 LC_ALL=C.UTF-8",
        "LANG=ja_JP.UTF-8 DOVEMATE_PICTURES=lines",
        // Javanese and Kosraean, not Japanese and Korean.
        "LANG=jav_ID.UTF-8 LC_CTYPE=kos.UTF-8",
    ];
    let ascii = drawn(DRAW[0], "DOVEMATE_PICTURES=ascii");
    for variables in narrow {
        let text = drawn(DRAW[0], variables);
        assert!(text.contains("╔════════════╗"), "{variables:?}: {text}");
        let widths = |text: &str| text.lines().map(display_width).collect::<Vec<_>>();
        assert_eq!(widths(&text), widths(&ascii), "{text}{ascii}");
    }
}

/// Characters that do something to a terminal are not printed, whether they come from file names, arguments, boards,
/// games or typed lines.
#[test]
fn nothing_from_elsewhere_acts_on_the_terminal() {
    let acts =
        |letter: char| letter.is_control() && letter != '\n' || ('\u{202a}'..='\u{202e}').contains(&letter);
    let all_bad = ["\u{1b}[31m", "\u{202e}", "\r", "\u{1b}]0;title\u{7}", "\u{8}\u{8}", "\u{9b}2J", "\u{7f}"];
    for bad in all_bad.into_iter().take(crate::common::cases(3, 7)) {
        let folder = Folder::new();
        let name = format!("a{bad}b");
        let game = |line: &str| {
            folder.write("game.txt", format!("Tokyo Doves game, format 1\n{line}\n"));
            folder.dovemate("show --game game.txt")
        };
        let mut all = vec![
            dovemate(&["show", &format!("b;B{bad}")]),
            dovemate_in(&folder, "show", &format!("b;{bad}B\n")),
            dovemate(&format!("show --game '{name}'")),
            dovemate(&format!("show --tdl '{name}'")),
            dovemate(&[&name[..]]),
            dovemate(&["count", &format!("--{name}")]),
            dovemate(&format!("count --doves '{name}'")),
            dovemate(&format!("count --adapter '{name}'")),
            dovemate(&["count", "--csv", &format!("missing/{name}")]),
            dovemate(&format!("list --shape '{name}'")),
            dovemate(&format!("best b;B --kinds A --tables '{name}'")),
            dovemate_in(&folder, "play --seed 1", &format!("save {name}/x\n{name}\nquit\n")),
            folder.dovemate(&format!("solve --kinds - --quiet --tables '{name}'")),
        ];
        for line in
            ["red: X", "green: X", "start: X", "result: X", "X: y", "returns: X", "red doves: X", "1. X", "X"]
        {
            all.push(game(&line.replace('X', &name)));
        }
        for ran in all {
            assert!(!ran.out.contains(acts), "{bad:?}: {:?}", ran.out);
            assert!(!ran.err.contains(acts), "{bad:?}: {:?}", ran.err);
        }
    }
}
