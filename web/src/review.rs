//! The review of a game as JSON.

use serde::Serialize;
use serde_json::Value as Json;

use crate::documents::AboutGame;
use crate::reply::{Refused, json};
use crate::texts::Language;
use dovemate_analysis::Worth;
use dovemate_analysis::record::Record;
use dovemate_analysis::review::{
    Bounded, ReviewedPosition, SearchedAction, SearchedPosition, VerdictKind, review,
};

#[derive(Serialize)]
struct ReviewDocument {
    steps: Vec<ReviewedStep>,
}

/// A position, and the action that led to it.
#[derive(Serialize)]
struct ReviewedStep {
    /// Null at the start.
    action: Option<String>,
    /// The value of the position to the player to move.
    worth: Option<Bounded>,
    /// The value of the action to the player who played it.
    action_worth: Option<Bounded>,
    /// The expected points of the player to move, in thousandths.
    per_mille: Option<u32>,
    verdict: Option<VerdictDocument>,
    /// The best action, if it is known to win.
    reply: Option<String>,
}

#[derive(Serialize)]
struct VerdictDocument {
    kind: VerdictKind,
    sign: &'static str,
    mistake: bool,
    better: Option<String>,
    text: String,
}

/// Reads a value in an answer to `position`.
fn bounded(json: &Json) -> Bounded {
    let number = |key: &str| json[key].as_u64().and_then(|number| u32::try_from(number).ok());
    let worth = Worth::named(json["value"].as_str().unwrap_or_default(), number("plies"));
    let none = || Worth::NoneWithin(number("plies").unwrap_or(0));
    Bounded { worth: worth.unwrap_or_else(none), within: number("within") }
}

/// Reads an answer to `position`; `None` for null.
fn searched_position(answer: &Json) -> Option<SearchedPosition> {
    let action = |action: &Json| SearchedAction {
        text: action["action"].as_str().unwrap_or_default().to_owned(),
        worth: bounded(action),
        points: action["estimate"]["per_mille"].as_u64().and_then(|points| u32::try_from(points).ok()),
    };
    let actions = answer["actions"].as_array()?.iter().map(action).collect();
    let is_done = answer["done"].as_bool().unwrap_or(true);
    Some(SearchedPosition { worth: bounded(&answer["worth"]), actions, is_done })
}

/// Reads answers to `position`, one for each position of a game, null where there is none.
pub fn searched(answers: &str, language: Language) -> Result<Vec<Option<SearchedPosition>>, Refused> {
    let answers: Vec<Json> = serde_json::from_str(answers)
        .map_err(|error| Refused::Wrong(language.of_parameter("answers", error)))?;
    Ok(answers.iter().map(searched_position).collect())
}

/// The review of a game, from the searches of its positions.
pub fn reviewed(record: &Record, mut searched: Vec<Option<SearchedPosition>>, language: Language) -> String {
    let positions = record.positions();
    searched.resize(positions.len(), None);
    let texts = record.texts();
    let worth = |ply: usize, position: &ReviewedPosition| {
        position.worth.or(searched[ply].as_ref().map(|searched| searched.worth))
    };
    let step = |(ply, position): (usize, ReviewedPosition)| ReviewedStep {
        action: ply.checked_sub(1).map(|before| texts[before].clone()),
        worth: worth(ply, &position),
        action_worth: worth(ply, &position).map(Bounded::before),
        per_mille: position.points.map(|points| (1000.0 * points).round() as u32),
        verdict: position.verdict.as_ref().map(|verdict| VerdictDocument {
            kind: verdict.kind,
            sign: verdict.sign,
            mistake: verdict.kind.is_mistake(),
            better: verdict.better.clone(),
            text: language.verdict(verdict, &position, positions[ply].1),
        }),
        reply: position.reply,
    };
    let steps = review(record, &searched).into_iter().enumerate().map(step).collect();
    json(&AboutGame::new(&record.game(), ReviewDocument { steps }))
}
