//! Tables and numbers formatted for people.

use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};

const GAP_COLUMNS: u16 = 2;

/// The width of the terminal in columns; 80 if there is none.
pub use textwrap::termwidth as terminal_width;

/// A table of numbers, right-aligned, with these column heads, the first for the names of the rows.
pub fn number_table(heads: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(heads);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(CellAlignment::Right);
        column.set_padding((if index == 0 { 0 } else { GAP_COLUMNS }, 0));
    }
    table
}

/// A duration in seconds, to the hundredth.
pub fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}
