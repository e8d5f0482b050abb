//! A CSV file with a row for each game, which a program that was stopped goes on with; and the pairs of dove sets that games have.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};

use anyhow::Result;
use dovemate::rules::{DoveSet, Game};

/// The names of the columns that name a game, the first of each row.
pub const GAME: [&str; 4] = ["red", "green", "returns", "both_surrounded"];

/// All pairs of dove sets, by number of doves. A pair is there in one order: with the players exchanged it is the same game.
pub fn pairs() -> Vec<(DoveSet, DoveSet)> {
    let sets = DoveSet::all();
    let pairs = sets.iter().enumerate().flat_map(|(place, &red)| sets[place..].iter().map(move |&green| (red, green)));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_by_key(|(red, green)| red.len() + green.len());
    pairs
}

/// The rows of a file.
pub struct Rows {
    done: HashSet<Vec<String>>,
    file: csv::Writer<File>,
}

impl Rows {
    /// Opens a file, which may be there already, and has these columns after those of the game.
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

    /// Whether there is a row of a game.
    pub fn have(&self, game: &Game) -> bool {
        self.done.contains(&names(game)[..])
    }

    /// Writes the row of a game.
    pub fn write(&mut self, game: &Game, fields: impl IntoIterator<Item = String>) -> Result<()> {
        self.file.write_record(names(game).into_iter().chain(fields))?;
        Ok(self.file.flush()?)
    }
}

/// What names a game.
fn names(game: &Game) -> [String; 4] {
    let Game { red, green, rules } = game;
    [red.to_string(), green.to_string(), rules.returns.to_string(), rules.both_surrounded.name().to_owned()]
}
