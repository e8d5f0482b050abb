//! A count on the GPU of a page: the page has the device, and this has what it sends there and checks what
//! comes back.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Serialize;

use crate::documents::{FORMAT, GameDocument, PROGRAM, VERSION};
use crate::reply::json;
use crate::texts::Language;
use dovemate::Category;
use dovemate::internals::gpu::count::remote::{RemoteCount, RemoteDevice};
use dovemate::rules::Game;

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
    device: RemoteDevice,
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
    count: RemoteCount,
    /// The language of what is said of it.
    language: Language,
}

impl GpuCount {
    /// Begins a count.
    pub fn new(question: GpuQuestion, language: Language) -> GpuCount {
        let count = RemoteCount::new(question.category, question.game.rules, &question.doves);
        GpuCount { question, count, language }
    }

    /// Whether this is the count of a question.
    pub fn answers(&self, asked: &GpuQuestion) -> bool {
        let GpuQuestion { game, category, doves, .. } = &self.question;
        (game, category, doves) == (&asked.game, &asked.category, &asked.doves)
    }

    /// Goes on where it was, after another self-test.
    pub fn resume(&mut self) {
        self.count.resume();
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
            placements: self.count.workload().placements.len(),
            assignments: self.count.workload().assignments(),
            device: RemoteDevice::new(*category, game.rules),
        })
    }

    /// The words of the next batch, if there is one to send.
    pub fn next_batch(&mut self) -> Option<Vec<u32>> {
        self.count.next_batch()
    }

    /// Takes in the words that came back of the oldest batch, the time since the one before, and how long the
    /// device worked on it.
    pub fn take(&mut self, words: &[u32], elapsed: Duration, worked: Duration) -> String {
        match self.count.take(words, elapsed, worked) {
            Ok(progress) => json(&progress),
            Err(error) => {
                json(&FailureDocument { error: self.language.error(&error), wrong: !error.is_loss() })
            }
        }
    }
}
