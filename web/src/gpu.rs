//! A count on the GPU of a page: the page has the device, and this has what it sends there and checks what
//! comes back.

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

/// What to count on a GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuQuestion {
    /// The whole game, with its rules.
    pub game: Game,
    /// The category of positions.
    pub category: Category,
    /// The numbers of doves on the board.
    pub doves: RangeInclusive<u32>,
    /// Whether the count that has begun goes on, if it is the same.
    pub resume: bool,
}

/// What a page must know to drive its device.
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

/// How far a count has come.
#[derive(Serialize)]
struct ProgressDocument {
    /// The boss placements on which the device and the CPU agree.
    placements: usize,
    /// The assignments to these.
    assignments: u64,
    /// What was found on shapes of which all boss placements are counted.
    rows: Vec<TallyRow>,
    /// Whether these were counts of the self-test or of the sample.
    self_test: bool,
    /// About how long the rest will take, from the last batch of the sample on.
    seconds_left: Option<f64>,
}

/// Why a count ended.
#[derive(Serialize)]
struct FailureDocument {
    error: String,
    /// Whether the device was wrong, so that nothing of it is believed.
    wrong: bool,
}

/// A count that has begun.
pub struct GpuCount {
    question: GpuQuestion,
    workload: Workload,
    protocol: Protocol,
    /// The language of what is said of it.
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

    /// Whether this is the count of a question.
    pub fn answers(&self, asked: &GpuQuestion) -> bool {
        let GpuQuestion { game, category, doves, .. } = &self.question;
        (game, category, doves) == (&asked.game, &asked.category, &asked.doves)
    }

    /// Goes on where it was, after another self-test.
    pub fn resume(&mut self) {
        self.protocol.resume();
    }

    /// What a page must know to drive its device.
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

    /// Takes in what came back of the oldest batch, and the time since the one before.
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
