//! Counts as CSV, with columns that say what was counted and how, so that files of several runs can be joined.

use dovemate::internals::count::tally::TallyRow;
use dovemate::internals::count::{Category, Method};
use dovemate::rules::{Color, Game};

/// The columns that identify a run, the same in each of its rows.
pub struct RunColumns {
    pub category: Category,
    pub method: Method,
    pub game: Game,
}

/// The heads of all columns. A column says what was counted, so the last one is always `positions`.
pub const COLUMNS: [&str; 13] = [
    "version",
    "what",
    "method",
    "red",
    "green",
    "returns",
    "both_surrounded",
    "mover",
    "doves",
    "shapes",
    "boss_placements",
    "assignments",
    "positions",
];

impl RunColumns {
    /// A row that begins with the run's columns and the mover, `any` if it makes no difference.
    pub fn record(&self, mover: Option<Color>, row: &TallyRow) -> Vec<String> {
        let RunColumns { category, method, game } = self;
        let (red, green) = (game.red.to_string(), game.green.to_string());
        let returns = if game.rules.returns { "yes" } else { "no" };
        let (both_surrounded, mover) = (game.rules.both_surrounded.name(), mover.map_or("any", Color::name));
        let run = [env!("CARGO_PKG_VERSION"), category.name(), method.name(), &red, &green, returns];
        let run = run.into_iter().chain([both_surrounded, mover]).map(str::to_owned);
        run.chain(row.numbers().map(|number| number.to_string())).collect()
    }
}
