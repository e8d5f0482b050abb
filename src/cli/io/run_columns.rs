//! Counts as CSV, with columns that say what was counted and how, so that files of several runs can be joined.

use std::io::{self, Write};

use dovemate::count::tally::Row;
use dovemate::count::{Category, Method};
use dovemate::rules::{Color, Game};

/// The columns that identify a run, the same in each of its rows.
pub struct RunColumns {
    pub category: Category,
    pub method: Method,
    pub game: Game,
}

impl RunColumns {
    /// Writes rows that begin with the run's columns and the mover, `any` if it makes no difference. A column says what
    /// was counted, so the last one is always `positions`.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write<'a>(
        &self,
        rows: impl Iterator<Item = (Option<Color>, &'a Row)>,
        writer: &mut dyn Write,
    ) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(writer);
        csv.write_record([
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
        ])?;
        let RunColumns { category, method, game } = self;
        let rules = game.rules;
        for (mover, row) in rows {
            for text in [env!("CARGO_PKG_VERSION"), category.name(), method_name(*method)] {
                csv.write_field(text)?;
            }
            for set in [game.red, game.green] {
                csv.write_field(set.to_string())?;
            }
            csv.write_field(if rules.returns { "yes" } else { "no" })?;
            csv.write_field(rules.both_surrounded.name())?;
            csv.write_field(mover.map_or("any", Color::name))?;
            let numbers = [u64::from(row.doves), row.shapes, row.boss_placements, row.assignments, row.positions];
            csv.write_record(numbers.map(|number| number.to_string()))?;
        }
        csv.flush()
    }
}

/// The method's name on the command line.
pub fn method_name(method: Method) -> &'static str {
    match method {
        Method::Factored => "factored",
        Method::Exhaustive => "exhaustive",
    }
}
