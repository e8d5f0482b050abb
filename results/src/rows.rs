//! A CSV file with one line per game, which an interrupted program can continue.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};

use anyhow::Result;
use dovemate::rules::Game;

/// The columns that identify a game, the first of each line.
pub const GAME: [&str; 4] = ["red", "green", "returns", "both_surrounded"];

/// A file with one line per game.
pub struct Rows {
    done: HashSet<Vec<String>>,
    file: csv::Writer<File>,
}

impl Rows {
    /// Opens or creates a file that has these columns after those of the game.
    pub fn open(path: &str, columns: &[&str]) -> Result<Rows> {
        let key = |row: csv::StringRecord| row.iter().take(GAME.len()).map(str::to_owned).collect();
        let done = match csv::Reader::from_path(path) {
            Ok(mut rows) => rows.records().map(|row| Ok(key(row?))).collect::<Result<_>>()?,
            Err(_) => HashSet::new(),
        };
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let is_new = file.metadata()?.len() == 0;
        let mut file = csv::Writer::from_writer(file);
        if is_new {
            file.write_record(GAME.iter().chain(columns))?;
        }
        Ok(Rows { done, file })
    }

    /// Whether the file has a line for a game.
    pub fn have(&self, game: &Game) -> bool {
        self.done.contains(&names(game)[..])
    }

    /// Writes the line of a game.
    pub fn write(&mut self, game: &Game, fields: impl IntoIterator<Item = String>) -> Result<()> {
        self.file.write_record(names(game).into_iter().chain(fields))?;
        Ok(self.file.flush()?)
    }
}

/// The fields that identify a game.
fn names(game: &Game) -> [String; 4] {
    let Game { red, green, rules } = game;
    [red.with_boss(), green.with_boss(), rules.returns.to_string(), rules.both_surrounded.name().to_owned()]
}
