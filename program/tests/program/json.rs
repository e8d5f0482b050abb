//! JSON: the keys of every document are those that `doc/formats.md` lists, and lines are documents.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::folders::Folder;
use crate::common::program::{dovemate, dovemate_reading};
use crate::common::repository;

/// The paths of all values in a document: `a.b`, `a[].b`.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let dot = if path.is_empty() { "" } else { "." };
            fields.iter().for_each(|(key, value)| keys(value, &format!("{path}{dot}{key}"), found));
        }
        Value::Array(values) if values.iter().any(Value::is_object) => {
            values.iter().for_each(|value| keys(value, &format!("{path}[]"), found));
        }
        // An empty list has no keys.
        Value::Array(values) if values.is_empty() && path.ends_with("answers") => {}
        _ => drop(found.insert(path.to_owned())),
    }
}

/// The keys in a command's row of the table: those that are always there, and those that may be, which come after `;`
/// or `, which`.
fn listed(table: &str, command: &str) -> [BTreeSet<String>; 2] {
    let row = table.lines().find(|line| line.starts_with(&format!("| `{command}` |"))).expect("a row");
    let row = row.splitn(4, '|').nth(3).expect("a column of keys");
    let quoted = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let (always, sometimes) = row.split_once(';').or_else(|| row.split_once(", which")).unwrap_or((row, ""));
    let mut all = [quoted(always), quoted(sometimes)];
    if all[0].remove("show") {
        all[0].extend(listed(table, "show")[0].clone());
    }
    all[1].remove("--by surrounded");
    all
}

#[test]
fn documents_have_the_keys_that_are_listed() {
    let Some(formats) = repository("doc/formats.md") else { return };
    let formats = std::fs::read_to_string(formats).expect("a document");
    let (_, table) = formats.split_once("## JSON").expect("a section");
    let mut sometimes_seen = BTreeSet::new();
    for (command, arguments) in [
        ("count", "--doves 2..4 --backend cpu --quiet --json -"),
        ("count", "--red - --green h --quiet --json -"),
        ("positions", "--doves 2..4 --json -"),
        ("positions", "--doves 2..4 --by surrounded --json -"),
        ("solve", "--kinds AY --quiet --json -"),
        ("solve", "--kinds AY --quiet --tables tables --json -"),
        ("best", "b;B --kinds A --json"),
        ("best", "YTAh;-tMH;Bb-m;a--- --json --depth 3"),
        ("best", "b;B --json --depth 1"),
        ("show", "b;B --json"),
        ("explain", "-b-B;--Ma;A---;Y--- --json"),
        ("list", "--doves 6 --limit 2 --json --quiet"),
        ("list", "--kinds AY --value win --limit 2 --json --quiet"),
        ("openings", "--kinds A --depth 2 --json"),
        ("puzzles", "--plies 3 --kinds AY --count 2 --json --quiet"),
    ] {
        let folder = Folder::new();
        let ran = folder.dovemate(&format!("{command} {arguments}")).ends(0);
        let mut found = BTreeSet::new();
        let documents = serde_json::Deserializer::from_str(&ran.out).into_iter::<Value>();
        documents.for_each(|document| keys(&document.expect("JSON"), "", &mut found));
        let [always, sometimes] = listed(table, command);
        let lacking: Vec<&String> = always.difference(&found).filter(|key| *key != "tables").collect();
        assert!(lacking.is_empty(), "{arguments:?} has no {lacking:?}");
        let unlisted: Vec<&String> =
            found.difference(&always).filter(|key| !sometimes.contains(*key)).collect();
        assert!(unlisted.is_empty(), "{unlisted:?} of {arguments:?} are not listed");
        sometimes_seen.extend(found.intersection(&sometimes).cloned());
    }
    let seen = |key: &str| sometimes_seen.contains(key);
    assert!(
        seen("tables.folder") && seen("rows[].by_surrounded.mover") && seen("actions[].ways"),
        "{sometimes_seen:?}"
    );
}

/// One process answers many boards, and each answer is that of a process of its own.
#[test]
fn boards_on_standard_input_are_answered_in_lines() {
    let boards = dovemate("list --doves 6 --limit 3 --quiet").succeeds().out;
    let options = "--json --depth 3";
    let ran = dovemate_reading(&format!("best - {options}"), &boards).succeeds();
    let answers: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("a document in a line")).collect();
    assert_eq!(answers.len(), 3, "{}", ran.out);
    for (board, answer) in boards.lines().zip(&answers) {
        let alone = dovemate(&format!("best {board} {options}")).succeeds().json();
        assert_eq!((&answer["board"], &answer["worth"]), (&alone["board"], &alone["worth"]), "{board}");
        assert_eq!(answer["worth"]["value"], "lose", "a mate");
    }
    // As text, the answers are apart. A board that is wrong is named once those before it are answered.
    let texts = dovemate_reading("best - --depth 1", &boards).succeeds().out;
    assert_eq!(texts.matches(" to move").count(), 3, "{texts}");
    let ran = dovemate_reading(&format!("best - {options}"), "b;B\n\nbb\n");
    assert_eq!((ran.status, ran.out.lines().count()), (2, 1), "{}", ran.err);
    assert!(ran.err.starts_with("error: line 3: board 'bb': "), "{}", ran.err);
    dovemate_reading("best - --json", "\n\n").fails(2, "standard input has no board");

    // The same boards as `show` and `list` have them.
    let listed = dovemate("list --doves 6 --limit 3 --quiet --json").succeeds().out;
    let shown = dovemate_reading("show --json", &boards).succeeds().out;
    for ((listed, shown), board) in listed.lines().zip(shown.lines()).zip(boards.lines()) {
        let [listed, shown]: [Value; 2] =
            [listed, shown].map(|line| serde_json::from_str(line).expect("JSON"));
        assert_eq!((&listed["board"], &listed["code"]), (&board.into(), &shown["code"]), "{board}");
        assert_eq!(shown["verdict"], "mate", "{board}");
    }
    assert_eq!(shown.lines().count(), 3);
}
