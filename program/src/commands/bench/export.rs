//! The files of `dovemate bench`: every run as CSV, everything as JSON, and the summary as Markdown.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::text::{faster, line, seconds};
use super::{Measured, Series};

/// The format number of the JSON export. It changes when the name or the meaning of a field changes.
const FORMAT: u32 = 2;

/// The last columns of the CSV: the GPU of a run, if it has one, and the share of the CPU that other programs used.
#[derive(Serialize)]
struct Last<'a> {
    adapter: Option<&'a str>,
    driver: Option<&'a str>,
    busy: Option<f64>,
}

impl Measured {
    pub(super) fn write_csv(&self, writer: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(writer);
        for series in &self.series {
            let adapter = series.adapter.as_ref();
            let last = Last {
                adapter: adapter.map(|adapter| &adapter.name[..]),
                driver: adapter.map(|adapter| &adapter.driver[..]),
                busy: self.busy,
            };
            series.measured.iter().try_for_each(|run| csv.serialize((run, &self.host, &last)))?;
        }
        csv.flush()
    }

    pub(super) fn json(&self) -> Value {
        let adapter = self.adapter();
        let mut machine = json!(self.host);
        machine["adapter"] = adapter.map(|adapter| &adapter.name[..]).into();
        machine["driver"] = adapter.map(|adapter| &adapter.driver[..]).into();
        machine["busy"] = self.busy.into();
        let runs: Vec<_> = self.series.iter().flat_map(|series| &series.measured).collect();
        json!({ "format": FORMAT, "machine": machine, "summaries": self.series, "runs": runs })
    }

    /// A table, its conclusion, and the line for a report.
    pub(super) fn markdown(&self) -> String {
        let mut text =
            "| method | doves | on | median | from – to | runs |\n|---|---|---|--:|--:|--:|\n".to_owned();
        for series in &self.series {
            let Series { method, doves, name, runs, .. } = series;
            let times = [series.median_seconds, series.minimum_seconds, series.maximum_seconds];
            let [median, from, to] = times.map(seconds);
            text += &format!("| {method} | {doves} | {name} | {median} | {from} – {to} | {runs} |\n");
        }
        let sentence = faster(self).map(|sentence| format!("\n{sentence}\n")).unwrap_or_default();
        format!("{text}{sentence}\n{}\n", line(self))
    }
}
