//! Folders of solved games that earlier builds wrote are still read: tables and rounds of format 4, wins of format 6.
//!
//! `formats/` has the files of the game in which red has the Aniki and green only the boss, as
//! `dovemate solve --red A --green - --tables FOLDER --keep …` wrote them: JSON as text, the others in hexadecimal.

#![cfg(feature = "tables")]

use std::fs;

use dovemate::Game;
use dovemate_solver::{Lookup, Tablebase, Worth, solve};

/// Every value in a folder equals that of a fresh solution; with wins alone, except for the distance.
fn check(files: &str, value: impl Fn(Worth) -> Worth) {
    let game = Game { red: "A".parse().unwrap(), green: "-".parse().unwrap(), ..Game::default() };
    let folder = tempfile::tempdir().unwrap();
    let of_game = folder.path().join(Tablebase::folder_name(&game));
    for file in files.split("== ").skip(1) {
        let (path, text) = file.split_once('\n').unwrap();
        let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
        let content = match path.ends_with(".json") {
            true => text.as_bytes().to_vec(),
            false => text.lines().flat_map(|line| line.as_bytes().chunks(2)).map(byte).collect(),
        };
        let path = of_game.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let (stored, fresh) = (Tablebase::open(folder.path(), game).unwrap(), solve(game).unwrap());
    stored.verify(&|| ()).unwrap();
    let mut positions = 0;
    for position in fresh.positions(|_| true) {
        let ((board, mover), expected) = position.unwrap();
        let found = stored.probe(&board, mover).unwrap().map(|known| known.worth);
        assert_eq!(found, Some(value(Worth::Exact(expected))), "{board}, {mover} to move");
        positions += 1;
    }
    assert_eq!(positions, fresh.solution().count(|_| true));
}

#[test]
fn tables_of_format_4_are_read() {
    check(include_str!("formats/tables.txt"), |worth| worth);
}

#[test]
fn rounds_of_format_4_are_read() {
    check(include_str!("formats/rounds.txt"), |worth| worth);
}

#[test]
fn wins_of_format_6_are_read() {
    check(include_str!("formats/wins.txt"), Worth::without_distance);
}
