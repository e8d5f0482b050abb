//! The JSON export of `dovemate count`.

use std::time::Duration;

use serde::Serialize;

use dovemate::count::Comparison;
use dovemate::report::{Counted, Processor, Report};
use dovemate::{Category, Game, TallyRow};
use dovemate_web::documents::{GameDocument, Origin};

/// The format number. It changes when the name or the meaning of a field changes.
const FORMAT: u32 = 4;

#[derive(Serialize)]
pub struct CountDocument<'a> {
    #[serde(flatten)]
    origin: Origin,
    #[serde(flatten)]
    game: GameDocument,
    counted: CountedDocument<'a>,
    boss_placements: usize,
    /// The other method's count.
    confirmation: Option<ConfirmationDocument<'a>>,
    no_gpu: Option<String>,
    start_up_seconds: f64,
    what: &'static str,
    rows: &'a [TallyRow],
    total: u64,
    /// Null if no figure is published.
    agrees_with_published: Option<bool>,
}

/// A count: by whom, how, and how long it took.
#[derive(Serialize)]
struct CountedDocument<'a> {
    backend: &'static str,
    method: &'static str,
    /// The number of CPU threads; null on a GPU.
    threads: Option<usize>,
    /// The adapter; null on the CPU.
    adapter: Option<AdapterDocument<'a>>,
    seconds: f64,
    gpu_seconds: Option<f64>,
}

#[derive(Serialize)]
struct ConfirmationDocument<'a> {
    #[serde(flatten)]
    counted: CountedDocument<'a>,
    /// The numbers of doves to confirm.
    doves: String,
    /// The number of boss placements that agree, and the number of assignments on them.
    boss_placements: usize,
    assignments: u64,
    gpu_failure: Option<String>,
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
        CountDocument {
            origin: Origin::of_format(FORMAT),
            game: GameDocument::of(game),
            counted: CountedDocument::new(&report.counted),
            boss_placements: report.placements,
            confirmation: report.confirmation.as_ref().map(|second| ConfirmationDocument {
                counted: CountedDocument::new(&second.counted),
                doves: format!("{}..{}", second.doves.start(), second.doves.end()),
                boss_placements: second.placements,
                assignments: second.assignments,
                gpu_failure: second.failure.as_ref().map(ToString::to_string),
            }),
            no_gpu: report.no_gpu.as_ref().map(ToString::to_string),
            start_up_seconds: report.start_up.as_secs_f64(),
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

impl CountedDocument<'_> {
    fn new(counted: &Counted) -> CountedDocument<'_> {
        CountedDocument {
            backend: counted.by.backend(),
            method: counted.method.name(),
            threads: match counted.by {
                Processor::Cpu(threads) => Some(threads),
                _ => None,
            },
            adapter: counted.by.adapter().map(|adapter| AdapterDocument {
                name: &adapter.name,
                backend: &adapter.backend,
                kind: &adapter.kind,
                driver: &adapter.driver,
            }),
            seconds: counted.time.as_secs_f64(),
            gpu_seconds: counted.device_time.as_ref().map(Duration::as_secs_f64),
        }
    }
}
