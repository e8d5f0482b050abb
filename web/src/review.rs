//! The review of a game as JSON.

use serde::{Deserialize, Serialize};

use crate::documents::{FORMAT, GameDocument, PROGRAM, VERSION, WorthDocument};
use crate::reply::{Refused, json};
use crate::texts::Language;
use dovemate::ask::Worth;
use dovemate::ask::record::Record;
use dovemate::ask::review::{Bounded, ReviewedPosition, SearchedAction, SearchedPosition, review};

#[derive(Serialize)]
struct ReviewDocument {
    program: &'static str,
    version: &'static str,
    format: u32,
    #[serde(flatten)]
    game: GameDocument,
    steps: Vec<ReviewedStep>,
}

/// A position, and the action that led to it.
#[derive(Serialize)]
struct ReviewedStep {
    /// Null at the start.
    action: Option<String>,
    /// The value of the position to the player to move.
    worth: Option<WorthDocument>,
    /// The value of the action to the player who took it.
    action_worth: Option<WorthDocument>,
    /// The points expected by the player to move, in thousandths.
    per_mille: Option<u32>,
    verdict: Option<VerdictDocument>,
    /// The best action in a position that is won.
    reply: Option<String>,
}

#[derive(Serialize)]
struct VerdictDocument {
    kind: &'static str,
    sign: &'static str,
    mistake: bool,
    better: Option<String>,
    text: String,
}

/// What an answer to `position` says of a value, an action and the position.
#[derive(Deserialize)]
struct WorthFields {
    value: String,
    plies: Option<u32>,
    within: Option<u32>,
}

#[derive(Deserialize)]
struct ActionFields {
    action: String,
    #[serde(flatten)]
    worth: WorthFields,
    estimate: Option<PointsFields>,
}

#[derive(Deserialize)]
struct PointsFields {
    per_mille: u32,
}

#[derive(Deserialize)]
struct AnswerFields {
    worth: WorthFields,
    actions: Vec<ActionFields>,
    /// Whether nothing more is to be searched.
    done: Option<bool>,
}

impl From<WorthFields> for Bounded {
    fn from(WorthFields { value, plies, within }: WorthFields) -> Bounded {
        let worth = Worth::named(&value, plies).unwrap_or(Worth::NoneWithin(plies.unwrap_or(0)));
        Bounded { worth, within }
    }
}

impl From<AnswerFields> for SearchedPosition {
    fn from(AnswerFields { worth, actions, done }: AnswerFields) -> SearchedPosition {
        let action = |ActionFields { action, worth, estimate }| SearchedAction {
            text: action,
            worth: Bounded::from(worth),
            points: estimate.map(|PointsFields { per_mille }| per_mille),
        };
        let actions = actions.into_iter().map(action).collect();
        SearchedPosition { worth: worth.into(), actions, is_done: done.unwrap_or(true) }
    }
}

/// Reads answers to `position`, one for each position of a game, null where there is none.
pub fn searched(answers: &str, language: Language) -> Result<Vec<Option<SearchedPosition>>, Refused> {
    let answers: Vec<Option<AnswerFields>> = serde_json::from_str(answers)
        .map_err(|error| Refused::Wrong(language.of_parameter("answers", error)))?;
    Ok(answers.into_iter().map(|answer| answer.map(SearchedPosition::from)).collect())
}

/// The review of a game, from what is known of its positions.
pub fn reviewed(record: &Record, mut searched: Vec<Option<SearchedPosition>>, language: Language) -> String {
    let positions = record.positions();
    searched.resize(positions.len(), None);
    let texts = record.texts();
    let document = |value: Bounded| WorthDocument::from(value);
    let step = |(ply, position): (usize, ReviewedPosition)| ReviewedStep {
        action: ply.checked_sub(1).map(|before| texts[before].clone()),
        worth: position.worth.or(searched[ply].as_ref().map(|searched| searched.worth)).map(document),
        action_worth: position.worth.map(Bounded::before).map(document),
        per_mille: position.points.map(|points| (1000.0 * points).round() as u32),
        verdict: position.verdict.as_ref().map(|verdict| VerdictDocument {
            kind: verdict.kind.name(),
            sign: verdict.sign,
            mistake: verdict.kind.is_mistake(),
            better: verdict.better.clone(),
            text: language.verdict(verdict, &position, positions[ply].1),
        }),
        reply: position.reply,
    };
    json(&ReviewDocument {
        program: PROGRAM,
        version: VERSION,
        format: FORMAT,
        game: GameDocument::of(&record.game()),
        steps: review(record, &searched).into_iter().enumerate().map(step).collect(),
    })
}
