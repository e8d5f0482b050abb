//! The files of `dovemate bench`: every run as CSV, all of it as JSON, the summary as Markdown.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::text::{faster, name, seconds};
use super::{Measured, Series};
use crate::io::host::Host;
use dovemate::report::Processor;

/// The format number of the JSON export. It changes when a field changes its name or meaning.
const FORMAT: u32 = 2;

/// One measured run. In the CSV, [`Host`] and [`Last`] follow.
#[derive(Serialize)]
struct Run {
    backend: &'static str,
    run: usize,
    seconds: f64,
    gpu_seconds: Option<f64>,
    method: &'static str,
    doves: String,
    threads: Option<usize>,
}

/// The GPU of a run, if it has one, and the share of the CPU that other programs used.
#[derive(Serialize)]
struct Last<'a> {
    adapter: Option<&'a str>,
    driver: Option<&'a str>,
    busy: Option<f64>,
}

impl Measured<'_> {
    pub(super) fn write_csv(&self, writer: impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(writer);
        for series in &self.series {
            let adapter = series.adapter();
            let last = Last {
                adapter: adapter.map(|adapter| &adapter.name[..]),
                driver: adapter.map(|adapter| &adapter.driver[..]),
                busy: self.busy,
            };
            series.runs().try_for_each(|run| csv.serialize((run, &self.host, &last)))?;
        }
        csv.flush()
    }

    pub(super) fn json(&self) -> Value {
        let adapter = self.adapter();
        let mut machine = json!(self.host);
        machine["adapter"] = adapter.map(|adapter| &adapter.name[..]).into();
        machine["driver"] = adapter.map(|adapter| &adapter.driver[..]).into();
        machine["busy"] = self.busy.into();
        let runs: Vec<Run> = self.series.iter().flat_map(Series::runs).collect();
        let summaries: Vec<Value> = self.series.iter().map(Series::json).collect();
        json!({ "format": FORMAT, "machine": machine, "summaries": summaries, "runs": runs })
    }

    /// A table to paste into an issue, and its conclusion.
    pub(super) fn markdown(&self) -> String {
        let Host { cpu, cores, system, version, .. } = &self.host;
        let mut text =
            "| method | doves | on | median | from – to | runs |\n|---|---|---|--:|--:|--:|\n".to_owned();
        for series in &self.series {
            let times = series.seconds();
            text += &format!(
                "| {} | {} | {} | {} | {} – {} | {} |\n",
                series.counted().method,
                series.doves(),
                name(series),
                seconds(series.median()),
                seconds(times[0]),
                seconds(times[times.len() - 1]),
                times.len()
            );
        }
        let sentence = faster(self).map(|sentence| format!("\n{sentence}\n")).unwrap_or_default();
        format!("{text}{sentence}\ndovemate {version} on {cpu}, {cores} cores, {system}\n")
    }
}

impl Series<'_> {
    fn runs(&self) -> impl Iterator<Item = Run> {
        (1..).zip(&self.reports).map(|(run, report)| Run {
            backend: report.counted.by.backend(),
            run,
            seconds: report.counted.time.as_secs_f64(),
            gpu_seconds: report.counted.device_time.map(|time| time.as_secs_f64()),
            method: report.counted.method.name(),
            doves: self.doves(),
            threads: match report.counted.by {
                Processor::Cpu(threads) => Some(threads),
                _ => None,
            },
        })
    }

    fn json(&self) -> Value {
        let (counted, times, total) = (self.counted(), self.seconds(), self.total());
        json!({
            "backend": counted.by.backend(),
            "method": counted.method.name(),
            "doves": self.doves(),
            "name": counted.by.to_string(),
            "boss_placements": total.boss_placements,
            "assignments": total.assignments,
            "runs": times.len(),
            "median_seconds": self.median(),
            "minimum_seconds": times[0],
            "maximum_seconds": times[times.len() - 1],
            "median_gpu_seconds": self.device_median(),
            "start_up_seconds": self.reports[0].start_up.as_secs_f64(),
        })
    }
}
