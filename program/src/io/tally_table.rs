//! A tally as a table for people, and its rows as JSON.

use super::text_table::TextTable;
use dovemate::internals::count::Category;
use dovemate::internals::count::tally::{Tally, TallyRow};
use dovemate::rules::Color;

/// The format number of the JSON exports of counts: it changes when a field changes its name or meaning.
pub const FORMAT: u32 = 1;

/// The tally as a table for people.
pub fn table(tally: &Tally) -> TextTable {
    let mut table = TextTable::new(&["doves", "shapes", "boss placements", "assignments", tally.category.name()]);
    let mut add = |name: String, row: &TallyRow| {
        table.add(name, &[row.shapes, row.boss_placements, row.assignments, row.positions]);
    };
    for row in &tally.rows {
        add(row.doves.to_string(), row);
    }
    if tally.rows.len() > 1 {
        add("total".to_owned(), &tally.total());
    }
    table
}

/// A row as JSON, with the column names of the CSV.
pub fn row_document(mover: Option<Color>, row: &TallyRow, category: Category) -> serde_json::Value {
    let mut document = serde_json::json!({
        "doves": row.doves,
        "shapes": row.shapes,
        "boss_placements": row.boss_placements,
        "assignments": row.assignments,
        category.name(): row.positions,
    });
    if let Some(mover) = mover {
        document["mover"] = mover.name().into();
    }
    document
}
