//! The reply to a question: the text of an answer, or why there is none.

use serde::Serialize;

/// The JSON of an answer, or why there is none.
pub type Reply = Result<String, Refused>;

/// Why a question has no answer, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There is no such question.
    Unknown(String),
    /// The question is wrong.
    Wrong(String),
    /// The answer could not be computed, for example because the values of the game cannot be read.
    Failed(String),
}

impl Refused {
    /// The sentence.
    pub fn sentence(&self) -> &str {
        let (Refused::Unknown(sentence) | Refused::Wrong(sentence) | Refused::Failed(sentence)) = self;
        sentence
    }

    /// The refusal as JSON.
    pub fn json(&self) -> String {
        json(&serde_json::json!({ "error": self.sentence() }))
    }
}

/// A document as JSON.
pub fn json(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("the keys are strings")
}
