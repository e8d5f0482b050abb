//! Numbers and tables formatted for people.

use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use indicatif::HumanCount;

const GAP_COLUMNS: u16 = 2;

/// Maximum width of text for people.
pub const WIDEST_COLUMNS: usize = 120;

/// The width of the terminal in columns, but at most [`WIDEST_COLUMNS`]; 80 without a terminal.
pub fn terminal_width() -> usize {
    textwrap::termwidth().min(WIDEST_COLUMNS)
}

/// A table of numbers, right-aligned, with these column heads; the first column is for the names of the rows.
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

/// A number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A number with a noun in the singular or plural: `1 puzzle`, `2,000 puzzles`.
pub fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}

/// A number of plies.
pub fn plies(count: u32) -> String {
    counted(count.into(), "ply", "plies")
}

/// A number of CPU threads.
pub fn cpu_threads(count: usize) -> String {
    counted(count as u64, "CPU thread", "CPU threads")
}
