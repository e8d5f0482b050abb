//! What a terminal is given: pictures that keep their form.

use std::path::Path;

use unicode_width::UnicodeWidthStr;

use crate::common::program::{PROGRAM, command};

/// Commands that draw boards.
const DRAW: [&[&str]; 5] = [
    &["show", "-b-B;--Ma;A---;Y---"],
    &["explain", "-b-B;--Ma;A---;Y---"],
    &["explain", "b;B", "--all"],
    &["best", "b;B", "--kinds", "A"],
    &["puzzles", "--kinds", "AY", "--plies", "3", "--count", "2"],
];

/// What a command prints under these variables, and no others that have a say.
fn drawn(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = command(PROGRAM, Path::new("."));
    for name in ["LC_ALL", "LC_CTYPE", "LANG", "DOVEMATE_PICTURES"] {
        command.env_remove(name);
    }
    let output = command.args(arguments).envs(variables.iter().copied()).output().expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The rows that are part of a picture.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.contains(['|', '║', '═', '[', '→', '·']) || line.contains("==="))
}

#[test]
fn pictures_have_the_same_width_wherever_they_must() {
    let wide: [&[(&str, &str)]; 6] = [
        &[("LANG", "ja_JP.UTF-8")],
        &[("LANG", "C"), ("LC_CTYPE", "ko_KR.UTF-8")],
        &[("LANG", "C"), ("LC_CTYPE", "C"), ("LC_ALL", "zh_TW")],
        &[("LC_ALL", ""), ("LANG", "ja")],
        &[("LANG", "de_DE.UTF-8"), ("DOVEMATE_PICTURES", "ascii")],
        &[("DOVEMATE_PICTURES", "ascii")],
    ];
    for arguments in DRAW {
        for variables in wide {
            let text = drawn(arguments, variables);
            assert!(rows(&text).count() > 1, "{arguments:?}: {text}");
            for row in rows(&text) {
                assert_eq!(row.width(), row.width_cjk(), "{arguments:?} with {variables:?}: {row}");
            }
        }
    }
}

#[test]
fn elsewhere_pictures_have_double_lines() {
    let narrow: [&[(&str, &str)]; 5] = [
        &[],
        &[("LANG", "en_GB.UTF-8")],
        &[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "fr_FR.UTF-8")],
        &[("LANG", "ja_JP.UTF-8"), ("DOVEMATE_PICTURES", "lines")],
        // Javanese and Kosraean.
        &[("LANG", "jav_ID.UTF-8"), ("LC_CTYPE", "kos")],
    ];
    let ascii = drawn(DRAW[0], &[("DOVEMATE_PICTURES", "ascii")]);
    for variables in narrow {
        let text = drawn(DRAW[0], variables);
        assert!(text.contains("╔════════════╗"), "{variables:?}: {text}");
        let widths = |text: &str| text.lines().map(UnicodeWidthStr::width).collect::<Vec<_>>();
        assert_eq!(widths(&text), widths(&ascii), "{text}{ascii}");
    }
}
