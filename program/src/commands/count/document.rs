//! The JSON export of `dovemate count`.

use std::time::Duration;

use serde::Serialize;

use dovemate::internals::count::tally::{Comparison, TallyRow};
use dovemate::internals::count::{Category, Method};
use dovemate::internals::gpu::AdapterDescription;
use dovemate::report::{Confirmation, Report};
use dovemate::rules::Game;
use dovemate_web::documents::GameDocument;

/// The format number: it changes when a field changes its name or meaning.
const FORMAT: u32 = 3;

#[derive(Serialize)]
pub struct CountDocument<'a> {
    format: u32,
    program: &'static str,
    version: &'static str,
    commit: Option<&'static str>,
    method: &'static str,
    #[serde(flatten)]
    game: GameDocument,
    backend: &'static str,
    adapter: Option<AdapterDocument<'a>>,
    /// Boss placements counted on the GPU.
    boss_placements_on_gpu: usize,
    gpu_failure: Option<String>,
    /// Boss placements counted on the GPU and on the CPU.
    boss_placements_compared: usize,
    /// A GPU's count that confirms the CPU's factored count.
    confirmation: Option<ConfirmationDocument<'a>>,
    no_gpu: Option<String>,
    threads: usize,
    start_up_seconds: f64,
    counting_seconds: f64,
    what: &'static str,
    rows: &'a [TallyRow],
    total: u64,
    /// Null if no figure is published.
    agrees_with_published: Option<bool>,
}

#[derive(Serialize)]
struct ConfirmationDocument<'a> {
    adapter: AdapterDocument<'a>,
    method: &'static str,
    /// The numbers of doves that the GPU was to confirm.
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

impl<'a> CountDocument<'a> {
    pub fn new(what: Category, game: &Game, report: &'a Report, comparison: Comparison) -> CountDocument<'a> {
        let (on_gpu, confirmation) = (report.on_gpu(), report.confirmation.as_ref());
        CountDocument {
            format: FORMAT,
            program: env!("CARGO_BIN_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("DOVEMATE_COMMIT"),
            method: report.method.name(),
            game: GameDocument::of(game),
            backend: if on_gpu.is_some() { "gpu" } else { "cpu" },
            adapter: on_gpu.map(|on_gpu| AdapterDocument::new(&on_gpu.adapter)),
            boss_placements_on_gpu: on_gpu.map_or(0, |on_gpu| on_gpu.placements),
            gpu_failure: confirmation.and_then(|it| it.failure.as_ref()).map(ToString::to_string),
            boss_placements_compared: confirmation.map_or(0, |it| it.placements),
            confirmation: confirmation.map(ConfirmationDocument::new),
            no_gpu: report.no_gpu.as_ref().map(ToString::to_string),
            threads: report.threads,
            start_up_seconds: report.start_up.as_secs_f64(),
            counting_seconds: report.counting.as_secs_f64(),
            what: what.name(),
            rows: &report.tally.rows,
            total: report.tally.total().positions,
            agrees_with_published: match comparison {
                Comparison::Agrees => Some(true),
                Comparison::Contradicts(_) => Some(false),
                Comparison::Unpublished => None,
            },
        }
    }
}

impl ConfirmationDocument<'_> {
    fn new(confirmation: &Confirmation) -> ConfirmationDocument<'_> {
        ConfirmationDocument {
            adapter: AdapterDocument::new(&confirmation.adapter),
            method: Method::Exhaustive.name(),
            doves: format!("{}..{}", confirmation.doves.start(), confirmation.doves.end()),
            boss_placements: confirmation.placements,
            assignments: confirmation.assignments,
            gpu_failure: confirmation.failure.as_ref().map(ToString::to_string),
            counting_seconds: confirmation.counting.as_secs_f64(),
            gpu_seconds: confirmation.device_time.as_ref().map(Duration::as_secs_f64),
        }
    }
}

impl AdapterDocument<'_> {
    fn new(adapter: &AdapterDescription) -> AdapterDocument<'_> {
        AdapterDocument {
            name: &adapter.name,
            backend: &adapter.backend,
            kind: adapter.kind,
            driver: &adapter.driver,
        }
    }
}
