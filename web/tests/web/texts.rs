//! The table of texts, against those who ask for them: the page, the program and the answers.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dovemate_analysis::level::Level;
use dovemate_web::texts::Language;

/// The content of all files below a folder of the repository whose names end like this, without the table of texts.
fn sources(folder: &str, ending: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join(folder);
    let mut folders: Vec<PathBuf> = vec![root];
    let mut all = String::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) && !path.ends_with("table.rs") {
                all += &fs::read_to_string(path).expect("a text");
            }
        }
    }
    all
}

/// The parts of a text that follow `before`, each up to `after`.
fn between<'t>(text: &'t str, before: &str, after: char) -> impl Iterator<Item = &'t str> {
    text.split(before).skip(1).map(move |rest| rest.split(after).next().expect("a part"))
}

/// The words that a text has between quotes, and the names of properties.
fn words(text: &str) -> BTreeSet<&str> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let quoted = text.split('"').filter(|word| !word.is_empty() && word.chars().all(is_letter));
    let properties = text.split(|letter: char| !is_letter(letter) && letter != ':');
    quoted.chain(properties.filter_map(|word| word.strip_suffix(':'))).collect()
}

/// The key of a text as the page may write it: `mover-loses` is `moverLoses`.
fn key(written: &str) -> String {
    let mut parts = written.split('-');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |key, part| match part.split_at_checked(1) {
        Some((letter, rest)) => key + &letter.to_ascii_uppercase() + rest,
        None => key,
    })
}

/// The name of the function that makes a text.
fn function(key: &str) -> String {
    let part = |letter: char| match letter.is_ascii_uppercase() || letter.is_ascii_digit() {
        true => format!("_{}", letter.to_ascii_lowercase()),
        false => letter.to_string(),
    };
    key.chars().map(part).collect()
}

#[test]
fn every_text_is_there_and_is_asked_for() {
    let texts = Language::English.texts();
    let page = sources("web/page", ".js") + &sources("web/page", ".html");
    let rust = sources("web/src", ".rs") + &sources("program/src", ".rs");

    let literal = [("say(\"", '"'), ("data-say=\"", '"'), ("data-label=\"", '"')];
    let needed = literal.iter().flat_map(|(before, after)| between(&page, before, *after));
    let missing: Vec<&str> = needed.filter(|written| !texts.contains_key(&key(written))).collect();
    assert_eq!(missing, [""; 0], "the page asks for these, which are no texts");
    let calls = ["tryPart(", "failures.set(", "recallList("];
    let parts = calls.iter().flat_map(|call| between(&page, call, ','));
    let parts = parts.filter_map(|part| part.trim().strip_prefix('"')?.strip_suffix('"'));
    let nameless: Vec<&str> =
        parts.filter(|part| !texts.contains_key(&key(&format!("part-{part}")))).collect();
    assert_eq!(nameless, [""; 0], "if these parts of the page fail, it cannot name them");

    let written: BTreeSet<String> = words(&page).into_iter().map(key).collect();
    let levels = Level::ALL.map(Level::name);
    // The beginnings and ends of keys that the page puts together.
    let made: Vec<(String, &str)> = between(&page, "say(`", '`')
        .filter_map(|written| written.split_once("${"))
        .map(|(first, rest)| (key(first), rest.split_once('}').expect("a parameter").1))
        .collect();
    let is_made =
        |text: &str| made.iter().any(|(first, last)| text.starts_with(first) && text.ends_with(last));
    let is_called = |text: &str| rust.contains(&format!(".{}(", function(text)));
    let unasked: Vec<&String> = texts
        .keys()
        .filter(|text| !written.contains(*text) && !levels.contains(&text.as_str()))
        .filter(|text| !is_made(text) && !is_called(text))
        .collect();
    assert_eq!(unasked, [""; 0], "nobody asks for these texts");
}

#[test]
fn texts_have_the_same_parameters_in_both_languages() {
    // The languages may word a number of plies and a player differently; an error has its own Japanese wording.
    const FREE: [&str; 5] = ["plies", "distance", "color", "Color", "player"];
    let parameters = |text: &'static str| -> BTreeSet<&str> {
        between(text, "{", '}').filter(|name| !FREE.contains(name)).collect()
    };
    let japanese = Language::Japanese.texts();
    let differ: Vec<(&str, &str)> = Language::English
        .texts()
        .into_iter()
        .map(|(key, english)| (english, japanese[&key]))
        .filter(|(english, _)| !["{error}", "{message}"].contains(english))
        .filter(|(english, other)| english.is_empty() || parameters(english) != parameters(other))
        .collect();
    assert_eq!(differ, [("", ""); 0]);
}
