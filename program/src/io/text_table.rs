//! Tables and numbers formatted for people.

use std::fmt;
use std::time::Duration;

use comfy_table::{CellAlignment, presets};

use crate::io::grouped;

const GAP_COLUMNS: u16 = 2;

/// The width of the terminal in columns; 80 if there is none.
pub use textwrap::termwidth as terminal_width;

/// A table of numbers, right-aligned, with a name for each row.
pub struct TextTable {
    table: comfy_table::Table,
}

impl TextTable {
    /// A table with these column heads, the first for the names of the rows.
    pub fn new(heads: &[&str]) -> TextTable {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_header(heads);
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_cell_alignment(CellAlignment::Right);
            column.set_padding((if index == 0 { 0 } else { GAP_COLUMNS }, 0));
        }
        TextTable { table }
    }

    /// Adds a row, its numbers grouped by thousands.
    pub fn add(&mut self, name: String, numbers: impl IntoIterator<Item = u64>) {
        self.add_cells([name].into_iter().chain(numbers.into_iter().map(grouped)));
    }

    /// Adds a row of texts.
    pub fn add_cells(&mut self, cells: impl IntoIterator<Item = String>) {
        self.table.add_row(cells);
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.table)
    }
}

/// A duration in seconds, to the hundredth.
pub fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}
