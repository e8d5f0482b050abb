//! The border to a page's JavaScript: texts in, texts out.

use std::cell::RefCell;
use std::time::Duration;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::{Asking, Brain};
use crate::count::sum;
use crate::texts::Language;
use dovemate::gpu::Returned;
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

/// A brain that a page asks. `doc/interface.md` describes the questions.
#[wasm_bindgen(js_name = Brain)]
pub struct PageBrain(Brain);

#[wasm_bindgen(js_class = Brain)]
impl PageBrain {
    /// A brain for a game, named as in a question.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &str) -> PageBrain {
        PageBrain(Brain::of_query(game, Language::English).unwrap_or_else(|_| Brain::new(Game::default())))
    }

    /// Adds a file of openings; returns whether it is whole.
    pub fn know(&self, openings: &[u8]) -> bool {
        self.0.know_openings(openings)
    }

    /// The answer to a question, in the language of this tag. `progress` is called with a text during a long
    /// one.
    pub fn ask(&self, name: &str, query: &str, language: &str, progress: Option<Function>) -> String {
        PROGRESS.set(progress);
        let language = Language::of_tag(language).unwrap_or_default();
        let asking = Asking { language, progress: report_progress, ..Asking::default() };
        let answer = self.0.ask(name, query, &asking).unwrap_or_else(|refused| refused.json());
        PROGRESS.set(None);
        answer
    }

    /// The words of the next batch of the count on a GPU, if there is one to send.
    pub fn next_batch(&self) -> Option<Vec<u32>> {
        self.0.next_batch()
    }

    /// Takes in the words that came back of the oldest batch, the milliseconds since the one before, and when it
    /// began and ended by the device's clock, in nanoseconds, or nothing.
    pub fn take_counts(&self, results: Vec<u32>, elapsed: f64, stamps: &[u64]) -> String {
        let elapsed = Duration::try_from_secs_f64(elapsed / 1000.0).unwrap_or_default();
        self.0.take_counts(Returned { results, stamps: stamps.try_into().ok() }, elapsed)
    }
}

/// The rows of several shares of a count of a category, which are JSON, added up: `rows`, `total`, and the `csv`.
///
/// # Errors
/// If these are no rows, or there is no such category.
#[wasm_bindgen(js_name = sumOfCounts)]
pub fn sum_of_counts(category: &str, rows: &str) -> Result<String, String> {
    sum(category, rows).map_err(|error| error.to_string())
}
