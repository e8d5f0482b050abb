//! A count on the GPU of a page. The page has the device; this module makes the batches and checks the results.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Serialize;

use crate::documents::{FORMAT, GameDocument, PROGRAM, VERSION};
use crate::reply::json;
use crate::texts::Language;
use dovemate::count::Workload;
use dovemate::count::{Method, Question};
use dovemate::gpu::{Protocol, Returned, Setup};
use dovemate::rules::Game;
use dovemate::shapes::BossPlacement;
use dovemate::{Category, TallyRow};

/// The parameters of a count on a GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuQuestion {
    /// The whole game, with its rules.
    pub game: Game,
    /// The category of positions.
    pub category: Category,
    /// The numbers of doves on the board.
    pub doves: RangeInclusive<u32>,
    /// Whether to resume the current count, if it is the same one.
    pub resume: bool,
}

/// The setup that a page needs to drive its device.
#[derive(Serialize)]
struct DeviceDocument {
    program: &'static str,
    version: &'static str,
    format: u32,
    #[serde(flatten)]
    game: GameDocument,
    category: &'static str,
    /// All boss placements, and the assignments to them.
    placements: usize,
    assignments: u64,
    #[serde(flatten)]
    setup: Setup,
}

/// The progress of a count.
#[derive(Serialize)]
struct ProgressDocument {
    /// The boss placements on which the device and the CPU agree.
    placements: usize,
    /// The assignments to these.
    assignments: u64,
    /// The counts on the shapes all of whose boss placements are counted.
    rows: Vec<TallyRow>,
    /// Whether the batch belonged to the self-test or the sample.
    self_test: bool,
    /// The forecast for the rest in seconds, from the last batch of the sample on.
    seconds_left: Option<f64>,
}

/// The failure that ended a count.
#[derive(Serialize)]
struct FailureDocument {
    error: String,
    /// Whether the device returned a wrong result, so that everything it computed is discarded.
    wrong: bool,
}

/// A count in progress.
pub struct GpuCount {
    question: GpuQuestion,
    workload: Workload,
    protocol: Protocol,
    /// The language of messages about the count.
    language: Language,
}

impl GpuCount {
    /// Begins a count.
    pub fn new(question: GpuQuestion, language: Language) -> GpuCount {
        let GpuQuestion { game, category, doves, .. } = &question;
        let workload = Workload::new(doves, *category);
        let mut protocol =
            Protocol::new(Question { category: *category, rules: game.rules, method: Method::Exhaustive });
        protocol.ask(workload.placements.clone(), None);
        GpuCount { question, workload, protocol, language }
    }

    /// Whether this is the count that a question asks for.
    pub fn answers(&self, asked: &GpuQuestion) -> bool {
        let GpuQuestion { game, category, doves, .. } = &self.question;
        (game, category, doves) == (&asked.game, &asked.category, &asked.doves)
    }

    /// Resumes the count, after another self-test.
    pub fn resume(&mut self) {
        self.protocol.resume();
    }

    /// The setup that a page needs to drive its device.
    pub fn device(&self) -> String {
        let GpuQuestion { game, category, .. } = &self.question;
        json(&DeviceDocument {
            program: PROGRAM,
            version: VERSION,
            format: FORMAT,
            game: GameDocument::of(game),
            category: category.name(),
            placements: self.workload.placements.len(),
            assignments: self.workload.assignments(),
            setup: Setup::new(*category, game.rules),
        })
    }

    /// The words of the next batch, if there is one to send.
    pub fn next_batch(&mut self) -> Option<Vec<u32>> {
        self.protocol.next_batch()
    }

    /// Takes in the results of the oldest batch in flight. `elapsed`: time since the previous batch returned.
    pub fn take(&mut self, returned: Returned, elapsed: Duration) -> String {
        let self_test = self.protocol.is_testing();
        if let Err(error) = self.protocol.take(Ok(returned), elapsed) {
            let error = FailureDocument { error: self.language.error(&error), wrong: !error.is_loss() };
            return json(&error);
        }
        let confirmed = self.protocol.confirmed();
        let assignments = |placement: &BossPlacement| self.workload.turns()[0].assignments(placement.slots());
        json(&ProgressDocument {
            placements: confirmed.len(),
            assignments: self.workload.placements[..confirmed.len()].iter().map(assignments).sum(),
            rows: self.workload.tally_of_first(confirmed).rows,
            self_test,
            seconds_left: self.protocol.time_left().map(|left| left.as_secs_f64()),
        })
    }
}
