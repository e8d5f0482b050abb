//! Positions as JSON, one per line, as `show` and `explain` print them with `--json`.

use dovemate::explain::{Effect, Explanation, Reason};
use dovemate::{Board, Color, Game, Rules};
use dovemate_web::documents::QuestionDocument;
use serde::Serialize;

/// A position, and whether it is a mate.
#[derive(Serialize)]
pub struct PositionDocument {
    #[serde(flatten)]
    position: QuestionDocument,
    u64: String,
    /// The canonical code.
    code: String,
    /// The doves in hand.
    hands: BothDocument<String>,
    enclosure_degrees: BothDocument<usize>,
    verdict: &'static str,
    /// Every action with its effect; only for `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<ReasonDocument>>,
}

/// A pair of values, one for each player.
#[derive(Serialize)]
struct BothDocument<T> {
    red: T,
    green: T,
}

#[derive(Serialize)]
struct ReasonDocument {
    action: String,
    after: String,
    effect: &'static str,
    /// The opponent's answers that win at once.
    answers: Vec<AnswerDocument>,
}

#[derive(Serialize)]
struct AnswerDocument {
    action: String,
    after: String,
}

impl PositionDocument {
    /// The explained position, with every action if `has_actions`.
    pub fn of(explanation: &Explanation, rules: Rules, has_actions: bool) -> PositionDocument {
        let Explanation { board, mover, verdict, reasons, .. } = explanation;
        let code = board.code();
        let hand = |color| board.hand(color).map(|dove| dove.letter()).collect();
        PositionDocument {
            position: QuestionDocument::of(&Game::whole(rules), board, *mover),
            u64: code.to_string(),
            code: code.canonical(*mover).to_string(),
            hands: BothDocument { red: hand(Color::Red), green: hand(Color::Green) },
            enclosure_degrees: BothDocument {
                red: board.enclosure_degree(board.boss(Color::Red)),
                green: board.enclosure_degree(board.boss(Color::Green)),
            },
            verdict: verdict.name(),
            actions: has_actions
                .then(|| reasons.iter().map(|reason| ReasonDocument::of(board, reason)).collect()),
        }
    }

    /// The document as one line of JSON.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("the keys are strings") + "\n"
    }
}

impl ReasonDocument {
    fn of(board: &Board, reason: &Reason) -> ReasonDocument {
        let answer = |answer: &dovemate::explain::Answer| AnswerDocument {
            action: answer.action.text(&reason.after),
            after: answer.after.to_string(),
        };
        let (effect, answers) = match &reason.effect {
            Effect::Wins => ("wins", Vec::new()),
            Effect::Draws => ("draws", Vec::new()),
            Effect::Loses => ("loses", Vec::new()),
            Effect::Escapes => ("escapes", Vec::new()),
            Effect::Refuted(answers) => ("refuted", answers.iter().map(answer).collect()),
        };
        ReasonDocument { action: reason.action.text(board), after: reason.after.to_string(), effect, answers }
    }
}
