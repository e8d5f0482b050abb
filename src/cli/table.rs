//! Tables and numbers for people.

use std::fmt;
use std::time::Duration;

use indicatif::HumanCount;

/// A table of numbers, each row with a name, everything set flush right.
pub struct Table {
    lines: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column heads, the first that of the rows' names.
    pub fn new(heads: &[&str]) -> Table {
        Table { lines: vec![heads.iter().map(|&head| head.to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn add(&mut self, name: String, numbers: &[u64]) {
        self.lines.push(std::iter::once(name).chain(numbers.iter().copied().map(grouped)).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = 0..self.lines[0].len();
        let widths: Vec<usize> =
            columns.map(|column| self.lines.iter().map(|line| line[column].len()).max().unwrap_or(0)).collect();
        for line in &self.lines {
            let padded: Vec<String> =
                line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
            writeln!(f, "{}", padded.join("  "))?;
        }
        Ok(())
    }
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A duration in seconds.
pub fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}
