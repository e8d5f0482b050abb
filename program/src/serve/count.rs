//! The CPU's count of all mates, and what a browser needs to count them on its GPU.

use std::sync::OnceLock;

use serde::Serialize;

use dovemate::internals::gpu::count::browser::BrowserCount;
use dovemate::rules::Rules;
use dovemate_web::documents::{FORMAT, PROGRAM, VERSION};

#[derive(Serialize)]
struct MatesDocument {
    program: &'static str,
    version: &'static str,
    format: u32,
    returns: bool,
    both_surrounded: &'static str,
    #[serde(flatten)]
    count: BrowserCount,
}

/// The count by these rules, as JSON.
pub fn count(rules: Rules) -> String {
    let Rules { returns, both_surrounded } = rules;
    let document = MatesDocument {
        program: PROGRAM,
        version: VERSION,
        format: FORMAT,
        returns,
        both_surrounded: both_surrounded.name(),
        count: BrowserCount::new(rules),
    };
    serde_json::to_string(&document).expect("the keys are strings")
}

/// The count by the rules of a served game, made at the first request.
#[derive(Default)]
pub struct ServedCount(OnceLock<String>);

impl ServedCount {
    /// The count by these rules, always the same.
    pub fn get(&self, rules: Rules) -> String {
        self.0.get_or_init(|| count(rules)).clone()
    }
}
