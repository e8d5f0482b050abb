//! Answers about games: a game step by step, and texts read as a game, as actions alone, or as a board.

use serde::Serialize;

use crate::arrangement::ArrangementDocument;
use crate::documents::AboutGame;
use crate::picture::DrawnDocument;
use crate::question::{Place, PlayedGame, doves_of};
use crate::reply::{Refused, Reply, json};
use crate::texts::Language;
use dovemate::rules::{Action, Board, Color, Game, ascii_forms};
use dovemate_analysis::record::{Ending, Record};

#[derive(Serialize)]
struct RecordDocument {
    players: PlayersDocument,
    steps: Vec<StepDocument>,
    result: String,
    /// The comments, each with the number of actions before it.
    comments: Vec<(usize, String)>,
    /// Whether a draw by repetition may be claimed.
    may_claim_draw: bool,
    /// The text of the game file.
    text: String,
    /// The first illegal action, if it and all later ones were omitted.
    omitted: Option<String>,
}

#[derive(Serialize)]
struct PlayersDocument {
    red: String,
    green: String,
}

/// A position of a game, and the action that led to it.
#[derive(Serialize)]
struct StepDocument {
    board: String,
    to_move: &'static str,
    code: String,
    /// How often the position has come up so far.
    seen: usize,
    /// Null at the start.
    action: Option<String>,
    #[serde(flatten)]
    drawn: Option<DrawnDocument>,
}

/// The answer about a text: its kind and its content.
#[derive(Serialize)]
struct ReadDocument<T: Serialize> {
    kind: &'static str,
    #[serde(flatten)]
    read: T,
}

/// Several boards.
#[derive(Serialize)]
struct BoardsDocument {
    boards: Vec<String>,
}

/// The answer about a game, given by its actions.
pub fn played(question: &PlayedGame, language: Language) -> Reply {
    let (mut record, omitted) = record(question, language)?;
    let by_rules = record.ending();
    if let Some(ending) = question.ending {
        record.end(ending).map_err(|_| Refused::Wrong(language.other_ending(ending, by_rules)))?;
    }
    Ok(json(&document(&record, omitted)))
}

/// The record of a game. For a lenient question, it ends before the first illegal action, which is also returned;
/// otherwise, such an action is an error.
pub fn record(question: &PlayedGame, language: Language) -> Result<(Record, Option<String>), Refused> {
    let PlayedGame { place, players, actions, comments, is_lenient, .. } = question;
    let (mut record, omitted) = acted(place, actions, *is_lenient, language)?;
    record.set_players(players.clone()).map_err(|error| Refused::Wrong(error.to_string()))?;
    record.set_comments(comments);
    Ok((record, omitted))
}

/// The record of actions from a position. An illegal action is an error; if `is_lenient`, it ends the record, and is
/// returned as the first one omitted.
fn acted(
    Place { game, board, mover }: &Place,
    actions: &str,
    is_lenient: bool,
    language: Language,
) -> Result<(Record, Option<String>), Refused> {
    if let Some(dove) = game.stranger(board) {
        return Err(Refused::Wrong(language.refused_not_in_game(language.dove(dove))));
    }
    let record = Record::new(*game, board.clone(), *mover);
    let mut record = record.map_err(|error| Refused::Wrong(language.error(&error)))?;
    let mut omitted = None;
    let actions = ascii_forms(actions);
    for word in words(&actions) {
        match act(&mut record, word, language) {
            Ok(()) => {}
            Err(_) if is_lenient => {
                omitted = Some(word.to_owned());
                break;
            }
            Err(sentence) => return Err(Refused::Wrong(language.of_parameter(visible(word), sentence))),
        }
    }
    Ok((record, omitted))
}

fn visible(word: &str) -> String {
    word.chars().take(40).collect::<String>().escape_debug().to_string()
}

/// The words in a text that may be actions, without numbers as in `1.`, `1)`, `1` or `1.+AE1`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    words.map(without_number).filter(|word| !word.is_empty())
}

/// A word without the number that it begins with; empty for a number alone.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    match rest.strip_prefix(['.', ')', ':']) {
        Some(rest) if rest.len() + 1 < text.len() => rest.trim_start_matches('.'),
        _ if rest.is_empty() => "",
        _ => text,
    }
}

/// Adds a typed action. The error says why it is not legal.
fn act(record: &mut Record, word: &str, language: Language) -> Result<(), String> {
    if record.ending() != Ending::Unfinished {
        return Err(language.is_over_now());
    }
    let (board, mover) = record.position();
    let action = Action::from_typed(word, board, *mover).map_err(|error| language.error(&error))?;
    let illegal = language.illegal(action, board, *mover);
    record.act(action).map_err(|_| illegal)
}

fn document(record: &Record, omitted: Option<String>) -> AboutGame<RecordDocument> {
    let positions = record.positions();
    let step = |ply: usize| {
        let (board, mover) = &positions[ply];
        let before = ply.checked_sub(1).map(|before| (&positions[before].0, record.actions()[before]));
        StepDocument {
            board: board.to_string(),
            to_move: mover.name(),
            code: board.code().canonical(*mover).to_string(),
            seen: Record::times_there(positions[..=ply].iter().map(|(board, player)| (board, *player))),
            action: before.map(|(before, action)| action.text(before)),
            drawn: before.map(|(before, action)| DrawnDocument::of(action, before, board)),
        }
    };
    let steps: Vec<StepDocument> = (0..positions.len()).map(step).collect();
    let [red, green] = record.players().clone();
    let document = RecordDocument {
        players: PlayersDocument { red, green },
        may_claim_draw: record.ending() == Ending::Unfinished
            && steps.last().is_some_and(|step| step.seen >= Record::REPEATED),
        steps,
        result: record.ending().to_string(),
        comments: record.comments().to_vec(),
        text: record.to_string(),
        omitted,
    };
    AboutGame::new(&record.game(), document)
}

/// The answer about a text, which may be a game file, actions from a position or from the start of a game, a board,
/// several boards, or doves that do not form a board.
pub fn read(place: &Place, text: &str, language: Language) -> Reply {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or("");
    if ascii_forms(first).trim_end().starts_with(Record::TITLE.trim_end_matches('1')) {
        let record = text.parse::<Record>().map_err(|error| Refused::Wrong(error.to_string()))?;
        return Ok(json(&ReadDocument { kind: "game", read: document(&record, None) }));
    }
    let arranged = |doves| {
        let read = ArrangementDocument::of(&place.game, doves, language);
        Ok(json(&ReadDocument { kind: "board", read }))
    };
    // Try cells of a spreadsheet first, because their letters may also be actions.
    if text.contains('\t')
        && let Ok(doves) = doves_of(text)
    {
        return arranged(&doves);
    }
    // Actions that are illegal from this position may be those of a whole game.
    let start = Place { game: place.game, board: Board::default(), mover: Color::Red };
    let fitting =
        |place: &Place| acted(place, text, true, language).map_or(0, |(record, _)| record.actions().len());
    let (kind, place) = if fitting(&start) > fitting(place) { ("game", &start) } else { ("actions", place) };
    let played = acted(place, text, false, language);
    if let Ok((record, _)) = &played
        && !record.actions().is_empty()
    {
        return Ok(json(&ReadDocument { kind, read: document(record, None) }));
    }
    if let Some(boards) = boards(&place.game, text, language) {
        return Ok(json(&ReadDocument { kind: "boards", read: BoardsDocument { boards } }));
    }
    match doves_of(text) {
        Ok(doves) => arranged(&doves),
        Err(error) => {
            // If the text begins like an action, the error is that of the actions.
            let ascii = ascii_forms(text);
            let first = words(&ascii).next().unwrap_or("");
            let is_action = Action::from_typed(first, &place.board, place.mover).is_ok();
            Err(played.err().filter(|_| is_action).unwrap_or_else(|| Refused::Wrong(language.error(&*error))))
        }
    }
}

/// The boards of a text with one board on each of several lines, numbered or not. This cannot be the text of a single
/// board, whose lines are not boards themselves.
fn boards(game: &Game, text: &str, language: Language) -> Option<Vec<String>> {
    let board = |line: &str| {
        let doves = doves_of(line).or_else(|_| doves_of(without_number(line).trim())).ok()?;
        ArrangementDocument::of(game, &doves, language).board
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let boards: Vec<String> = lines.map(board).collect::<Option<_>>()?;
    (boards.len() > 1).then_some(boards)
}
