//! The border to a page's JavaScript: texts in, texts out.

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::{Asking, Brain};
use crate::count::sum;
use crate::gpu_count::{self, GpuCount};
use crate::question::Question;
use crate::texts::Language;
use dovemate::gpu::page::PageStop;
use dovemate::rules::Game;

thread_local! {
    /// The page's callback for the progress of the current question.
    static PROGRESS: RefCell<Option<Function>> = const { RefCell::new(None) };
}

fn report_progress(progress: &str) {
    PROGRESS.with_borrow(|function| {
        // A page that fails to show progress still gets its answer.
        function.as_ref().map(|function| function.call1(&JsValue::NULL, &progress.into()))
    });
}

/// The brain of a page. `doc/interface.md` describes the questions.
#[wasm_bindgen(js_name = Brain)]
pub struct PageBrain {
    brain: Brain,
    /// The count on a GPU; `None` before the first one, and while a call works on it.
    gpu: RefCell<Option<GpuCount>>,
    /// Stops the current work on a GPU.
    stop: RefCell<PageStop>,
}

#[wasm_bindgen(js_class = Brain)]
impl PageBrain {
    /// A brain for a game, which is given by parameters as in a question.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &str) -> PageBrain {
        let brain = Brain::of_query(game, Language::English);
        let brain = brain.unwrap_or_else(|_| Brain::new(Game::default()));
        PageBrain { brain, gpu: RefCell::default(), stop: RefCell::default() }
    }

    /// Adds a file of openings; returns whether it is whole.
    pub fn know(&self, openings: &[u8]) -> bool {
        self.brain.know_openings(openings)
    }

    /// The answer to a question, in the language of this tag. `progress` receives the progress of a long answer, as
    /// JSON.
    pub fn ask(&self, name: &str, query: &str, language: &str, progress: Option<Function>) -> String {
        PROGRESS.set(progress);
        let asking =
            Asking { language: language_of(language), progress: report_progress, ..Asking::default() };
        let answer = self.brain.ask(name, query, &asking).unwrap_or_else(|refused| refused.json());
        PROGRESS.set(None);
        answer
    }

    /// Looks for a GPU; the answer is an error if there is none, or its limits are too low.
    pub async fn look_for_gpu(&self, language: &str) -> String {
        let found = self.unless_stopped(gpu_count::find(language_of(language))).await;
        found.and_then(Result::err).unwrap_or_else(|| "{}".to_owned())
    }

    /// Opens the GPU for the count of a question `gpu`. If the question is the same as before, its count is resumed.
    pub async fn open_gpu(&self, query: &str, language: &str) -> String {
        let language = language_of(language);
        let asked = match Question::read("gpu", query, self.brain.game, language) {
            Some(Ok(Question::Gpu(asked))) => asked,
            Some(Err(wrong)) => return gpu_count::refusal(&wrong),
            _ => return gpu_count::refusal(&language.nothing_at("gpu")),
        };
        let mut count = match self.gpu.take().filter(|count| count.answers(&asked)) {
            Some(mut count) => {
                count.resume();
                count
            }
            None => GpuCount::new(asked),
        };
        let opening = async { count.open(&gpu_count::find(language).await?, language).await };
        let opened = self.unless_stopped(opening).await;
        self.gpu.replace(Some(count));
        opened.map_or_else(|| "{}".to_owned(), |opened| opened.unwrap_or_else(|error| error))
    }

    /// Runs the self-test and a sample on the GPU; when called again, the whole count. Calls `progress` with JSON after
    /// each batch. If the count ended early, the answer says why.
    pub async fn count_on_gpu(&self, language: &str, progress: Function) -> String {
        let Some(mut count) = self.gpu.take() else { return "{}".to_owned() };
        // A page that fails to show progress still gets its answer.
        let tell = |text: &str| drop(progress.call1(&JsValue::NULL, &text.into()));
        let ended = self.unless_stopped(count.run(language_of(language), tell)).await;
        if ended.is_none() {
            count.close();
        }
        self.gpu.replace(Some(count));
        ended.unwrap_or_else(|| "{}".to_owned())
    }

    /// Stops the current work on a GPU, and closes it. Confirmed counts are kept.
    pub fn stop_gpu(&self) {
        self.stop.borrow().stop();
        if let Some(count) = self.gpu.borrow_mut().as_mut() {
            count.close();
        }
    }
}

impl PageBrain {
    /// The result of `work`; `None` if the page stops it.
    async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let stop = PageStop::default();
        self.stop.replace(stop.clone());
        stop.limit(work).await
    }
}

fn language_of(tag: &str) -> Language {
    Language::of_tag(tag).unwrap_or_default()
}

/// Adds up `rows`, the JSON rows of several shares of a count of a category. Returns `rows`, `total` and `csv` as JSON.
///
/// # Errors
/// If `rows` is not a list of rows, or there is no such category.
#[wasm_bindgen(js_name = sumOfCounts)]
pub fn sum_of_counts(category: &str, rows: &str) -> Result<String, String> {
    sum(category, rows).map_err(|error| error.to_string())
}
