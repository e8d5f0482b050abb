//! The JSON export of `dovemate count`.

use std::time::Duration;

use serde::Serialize;

use super::{Arguments, total};
use dovemate::internals::count::tally::{Comparison, TallyRow};
use dovemate::internals::count::{Category, Method};
use dovemate::internals::gpu::AdapterDescription;
use dovemate::internals::run::Report;
use dovemate::internals::run::count::game::GameTally;
use dovemate::rules::{Color, Rules};

/// The format number: it changes when a field changes its name or meaning.
const FORMAT: u32 = 1;

/// The JSON export.
#[derive(Serialize)]
pub struct CountDocument<'a> {
    format: u32,
    program: &'static str,
    version: &'static str,
    commit: Option<&'static str>,
    method: &'static str,
    rules: Rules,
    red: String,
    green: String,
    backend: &'static str,
    #[serde(flatten)]
    gpu: Option<GpuDocument<'a>>,
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_up_seconds: Option<f64>,
    counting_seconds: f64,
    what: &'static str,
    rows: Vec<serde_json::Value>,
    total: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees_with_published: Option<Option<bool>>,
}

/// What a GPU did. Games with fewer doves have none of these fields.
#[derive(Serialize)]
struct GpuDocument<'a> {
    adapter: Option<AdapterDocument<'a>>,
    /// Boss placements counted on the GPU.
    boss_placements_on_gpu: usize,
    gpu_failure: Option<String>,
    /// Boss placements counted on the GPU and on the CPU.
    boss_placements_compared: usize,
    /// A GPU's count that confirms the CPU's factored count.
    confirmation: Option<ConfirmationDocument<'a>>,
    no_gpu: Option<String>,
}

#[derive(Serialize)]
struct ConfirmationDocument<'a> {
    adapter: AdapterDocument<'a>,
    method: &'static str,
    /// The numbers of doves that it was to confirm.
    doves: String,
    boss_placements: usize,
    assignments: u64,
    gpu_failure: Option<String>,
    counting_seconds: f64,
    gpu_seconds: Option<f64>,
}

#[derive(Serialize)]
struct AdapterDocument<'a> {
    name: &'a str,
    backend: &'a str,
    kind: &'a str,
    driver: &'a str,
}

impl CountDocument<'_> {
    /// The fields that all counts have.
    pub fn of_tallies<'a>(
        arguments: &Arguments,
        tallies: &[GameTally],
        method: Method,
        threads: usize,
        counting: Duration,
    ) -> CountDocument<'a> {
        let game = arguments.game.game();
        let rows = tallies.iter().flat_map(|of| of.tally.rows.iter().map(move |row| (of, row)));
        CountDocument {
            format: FORMAT,
            program: env!("CARGO_BIN_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("DOVEMATE_COMMIT"),
            method: method.name(),
            rules: arguments.game.rules.rules(),
            red: game.red.to_string(),
            green: game.green.to_string(),
            backend: "cpu",
            gpu: None,
            threads,
            start_up_seconds: None,
            counting_seconds: counting.as_secs_f64(),
            what: arguments.what.name(),
            rows: rows.map(|(of, row)| row_document(of.mover, row, arguments.what)).collect(),
            total: total(tallies),
            agrees_with_published: None,
        }
    }

    pub fn of<'a>(
        arguments: &Arguments,
        tallies: &[GameTally],
        report: &'a Report,
        comparison: Comparison,
    ) -> CountDocument<'a> {
        CountDocument {
            backend: if report.on_gpu().is_some() { "gpu" } else { "cpu" },
            gpu: Some(GpuDocument {
                adapter: report.on_gpu().map(|on_gpu| AdapterDocument::new(&on_gpu.adapter)),
                boss_placements_on_gpu: report.on_gpu().map_or(0, |on_gpu| on_gpu.placements),
                gpu_failure: report.confirmation.as_ref().and_then(|it| it.failure.as_ref()).map(ToString::to_string),
                boss_placements_compared: report.confirmation.as_ref().map_or(0, |it| it.placements),
                confirmation: report.confirmation.as_ref().map(|confirmation| ConfirmationDocument {
                    adapter: AdapterDocument::new(&confirmation.adapter),
                    method: Method::Exhaustive.name(),
                    doves: format!("{}..{}", confirmation.doves.start(), confirmation.doves.end()),
                    boss_placements: confirmation.placements,
                    assignments: confirmation.assignments,
                    gpu_failure: confirmation.failure.as_ref().map(ToString::to_string),
                    counting_seconds: confirmation.counting.as_secs_f64(),
                    gpu_seconds: confirmation.device_time.as_ref().map(Duration::as_secs_f64),
                }),
                no_gpu: report.no_gpu.as_ref().map(ToString::to_string),
            }),
            start_up_seconds: Some(report.start_up.as_secs_f64()),
            agrees_with_published: Some(match comparison {
                Comparison::Agrees => Some(true),
                Comparison::Contradicts(_) => Some(false),
                Comparison::Unpublished => None,
            }),
            ..CountDocument::of_tallies(arguments, tallies, report.method, report.threads, report.counting)
        }
    }
}

impl AdapterDocument<'_> {
    fn new(adapter: &AdapterDescription) -> AdapterDocument<'_> {
        AdapterDocument { name: &adapter.name, backend: &adapter.backend, kind: adapter.kind, driver: &adapter.driver }
    }
}

/// A row as JSON, with the column names of the CSV.
fn row_document(mover: Option<Color>, row: &TallyRow, category: Category) -> serde_json::Value {
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
