//! A count on the GPU of a page. The page has the device; this module makes the batches and checks the results.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Serialize;

use crate::documents::AboutGame;
use crate::reply::json;
use crate::texts::Language;
use dovemate::count::{Method, Question, Workload};
use dovemate::gpu::{Protocol, Returned, Setup};
use dovemate::rules::Game;
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

/// A count in progress.
pub struct GpuCount {
    question: GpuQuestion,
    workload: Workload,
    /// The dialogue with the device.
    pub protocol: Protocol,
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

    /// The setup that a page needs to drive its device.
    pub fn device(&self) -> String {
        let GpuQuestion { game, category, .. } = &self.question;
        let device = DeviceDocument {
            category: category.name(),
            placements: self.workload.placements.len(),
            assignments: self.workload.assignments(),
            setup: Setup::new(*category, game.rules),
        };
        json(&AboutGame::new(game, device))
    }

    /// Takes in the results of the oldest batch in flight. `elapsed`: time since the previous batch returned.
    pub fn take(&mut self, returned: Returned, elapsed: Duration) -> String {
        let self_test = self.protocol.is_testing();
        if let Err(error) = self.protocol.take(Ok(returned), elapsed) {
            // After a wrong result, everything that the device computed is discarded.
            return json(
                &serde_json::json!({ "error": self.language.error(&error), "wrong": !error.is_loss() }),
            );
        }
        let confirmed = self.protocol.confirmed();
        let placements = &self.workload.placements[..confirmed.len()];
        json(&ProgressDocument {
            placements: placements.len(),
            assignments: self.workload.turns()[0].assignments_on(placements),
            rows: self.workload.tally_of_first(confirmed).rows,
            self_test,
            seconds_left: self.protocol.time_left().map(|left| left.as_secs_f64()),
        })
    }
}
