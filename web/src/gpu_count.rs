//! A count in progress on a page's GPU.

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::gpu::GpuQuestion;
use crate::reply;
use crate::texts::Language;
use dovemate::TallyRow;
use dovemate::count::{Method, Question, Workload};
use dovemate::gpu::page::{PageAdapter, PageCard, PageDevice};
use dovemate::gpu::{GpuError, Protocol};

/// The progress of a count.
#[derive(Serialize)]
struct ProgressDocument {
    /// The boss placements on which the device and the CPU agree.
    placements: usize,
    /// The number of assignments on them.
    assignments: u64,
    /// The counts on those shapes whose boss placements have all been counted.
    rows: Vec<TallyRow>,
    /// Whether the self-test or the sample is in progress.
    self_test: bool,
    /// The time of the current phase so far: the self-test, the latest sample, or the count.
    seconds: f64,
    /// The forecast for the rest, once the sample has been counted.
    seconds_left: Option<f64>,
}

/// An opened GPU.
#[derive(Serialize)]
struct GpuDocument {
    name: String,
    is_software: bool,
}

/// A message of the page: the key of a text, and the text's parameters.
type Sentence = (&'static str, Json);

/// Looks for a suitable GPU.
///
/// # Errors
/// The answer that says why there is none.
pub async fn find(language: Language) -> Result<PageAdapter, String> {
    let found = PageAdapter::find().await.map_err(|error| failure(&error, language))?;
    found.ok_or_else(|| json!({ "error": ("countNoAdapter", json!({})), "wrong": false }).to_string())
}

/// The answer that says why a GPU cannot be used, or a count has ended.
fn failure(error: &GpuError, language: Language) -> String {
    // A wrong result discards everything that the device has computed.
    json!({ "error": sentence(error, language), "wrong": !error.is_loss() }).to_string()
}

/// The answer to a question that a GPU cannot answer.
pub fn refusal(error: &str) -> String {
    json!({ "error": refused(error), "wrong": false }).to_string()
}

fn refused(error: &str) -> Sentence {
    ("refused", json!({ "error": error }))
}

fn sentence(error: &GpuError, language: Language) -> Sentence {
    let because = |key, error: &str| (key, json!({ "error": error.trim_end_matches('.') }));
    match error {
        GpuError::Limit { limit, needed, offered } => {
            ("countLimits", json!({ "limits": format!("{limit} = {offered} ({needed})") }))
        }
        GpuError::Open(error) => because("countNoDevice", error),
        GpuError::Lost(error) => because("countLost", error),
        GpuError::Driver(error) => because("countDriver", error),
        GpuError::SelfTest { test, .. } => ("countSelfTest", json!({ "test": test })),
        error => refused(&language.error(error)),
    }
}

/// A count in progress.
pub struct GpuCount {
    question: GpuQuestion,
    workload: Workload,
    protocol: Protocol,
    /// The device until it is prepared, then the card.
    device: Option<PageDevice>,
    card: Option<PageCard>,
}

impl GpuCount {
    /// Begins a count.
    pub fn new(question: GpuQuestion) -> GpuCount {
        let (category, rules) = (question.category, question.game.rules);
        let mut protocol = Protocol::new(Question { category, rules, method: Method::Exhaustive });
        let workload = question.workload();
        protocol.ask(workload.placements.clone(), None);
        GpuCount { question, workload, protocol, device: None, card: None }
    }

    /// Whether a question asks for this count.
    pub fn answers(&self, asked: &GpuQuestion) -> bool {
        self.question == *asked
    }

    /// Resumes on another device, or on the same one reopened.
    pub fn resume(&mut self) {
        self.close();
        self.protocol.resume();
    }

    /// Opens a GPU; returns its name, and whether it is software, as JSON.
    ///
    /// # Errors
    /// The answer that says why it cannot be opened.
    pub async fn open(&mut self, adapter: &PageAdapter, language: Language) -> Result<String, String> {
        let device = adapter.open().await.map_err(|error| failure(&error, language))?;
        let opened = GpuDocument { name: device.name(), is_software: device.is_software };
        self.device = Some(device);
        Ok(reply::json(&opened))
    }

    /// Runs the self-test and counts a sample; when called again, counts everything. `progress` is called after each
    /// batch. If the count ended early, the answer says why.
    pub async fn run(&mut self, language: Language, progress: impl Fn(&str)) -> String {
        let ended = self.count(progress).await;
        ended.map_or_else(|error| failure(&error, language), |()| "{}".to_owned())
    }

    async fn count(&mut self, progress: impl Fn(&str)) -> Result<(), GpuError> {
        let GpuQuestion { game, category, .. } = self.question;
        if let Some(device) = self.device.take() {
            self.card = Some(device.prepare(category, game.rules).await?);
        }
        let Some(card) = &mut self.card else { return Ok(()) };
        let workload = &self.workload;
        card.count(&mut self.protocol, |protocol| progress(&progress_of(workload, protocol))).await
    }

    /// Closes the GPU. Confirmed counts are kept.
    pub fn close(&mut self) {
        (self.device, self.card) = (None, None);
    }
}

fn progress_of(workload: &Workload, protocol: &Protocol) -> String {
    let confirmed = protocol.confirmed();
    let placements = &workload.placements[..confirmed.len()];
    reply::json(&ProgressDocument {
        placements: placements.len(),
        assignments: workload.turns()[0].assignments_on(placements),
        rows: workload.tally_of_first(confirmed).rows,
        self_test: protocol.is_testing(),
        seconds: protocol.elapsed().as_secs_f64(),
        seconds_left: protocol.time_left().map(|left| left.as_secs_f64()),
    })
}
