//! Pictures of positions, as SVG documents and as data to draw; whether a dove can go to a cell; and QR codes.

use std::collections::BTreeMap;

use qrcode::QrCode;
use qrcode::render::svg::Color as Ink;
use serde::Serialize;

use crate::documents::QuestionDocument;
use crate::question::{Place, typed_action};
use crate::reply::{Refused, Reply, json};
use crate::texts::Language;
use dovemate::picture::svg::{Picture, Theme};
use dovemate::rules::{Action, BOX_SIZE, Board, Cell, Color, Dove, Game, Outcome, Refusal, Side};
use dovemate_analysis::record::Ending;

/// A row and a column.
pub type CellDocument = [i8; 2];

/// A cell in JSON.
pub fn cell(Cell { row, column }: Cell) -> CellDocument {
    [row, column]
}

/// The cells of doves by their letters.
pub fn cells(doves: impl IntoIterator<Item = (Dove, Cell)>) -> BTreeMap<char, CellDocument> {
    doves.into_iter().map(|(dove, at)| (dove.letter(), cell(at))).collect()
}

/// A position: its legal actions, and the data to draw it.
#[derive(Serialize)]
pub struct LegalDocument {
    #[serde(flatten)]
    question: QuestionDocument,
    /// `unfinished`, or the result as in a game file.
    result: String,
    actions: Vec<LegalAction>,
    ending: Option<EndingDocument>,
    /// The code of the board, and the canonical one of the position.
    u64: String,
    code: String,
    doves: BTreeMap<char, CellDocument>,
    hands: BTreeMap<&'static str, Vec<char>>,
    /// The size of the box around all doves.
    rows: i8,
    columns: i8,
    /// Whether there are walls above and below; to the left and right.
    walls: [bool; 2],
    /// What blocks the sides of each boss: above, left, right, below.
    closed: BTreeMap<&'static str, [Option<String>; 4]>,
}

#[derive(Serialize)]
struct LegalAction {
    action: String,
    after: String,
    outcome: Outcome,
    #[serde(flatten)]
    drawn: DrawnDocument,
}

/// The data to draw an action, in the coordinates of the board before it.
#[derive(Serialize)]
pub struct DrawnDocument {
    kind: &'static str,
    dove: char,
    from: Option<CellDocument>,
    to: Option<CellDocument>,
    /// The offset from a cell of the board after the action to the same cell of the board before it.
    shift: CellDocument,
}

/// Why a game is over.
#[derive(Serialize)]
struct EndingDocument {
    /// Null for a draw.
    winner: Option<&'static str>,
    why: &'static str,
    text: String,
}

/// An action, or why it is not legal.
#[derive(Serialize)]
struct AttemptDocument {
    action: Option<LegalAction>,
    refused: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// A picture.
#[derive(Serialize)]
struct PictureDocument {
    svg: String,
}

/// The same position on other boards.
#[derive(Serialize)]
pub struct ImagesDocument {
    #[serde(flatten)]
    question: QuestionDocument,
    turned: String,
    mirrored: String,
    /// With the other player to move.
    recoloured: String,
}

impl DrawnDocument {
    /// An action, with the boards before and after it.
    pub fn of(action: Action, before: &Board, after: &Board) -> DrawnDocument {
        let dove = action.dove();
        let (kind, to) = match action {
            Action::Put { to, .. } => ("put", Some(to)),
            Action::Move { to, .. } => ("move", Some(to)),
            Action::Return { .. } => ("return", None),
        };
        // An action never moves the opposing boss, so its cells on the two boards give the offset.
        let [old, new] = [before, after].map(|board| board.boss(dove.color.opponent()));
        DrawnDocument {
            kind,
            dove: dove.letter(),
            from: before.cell_of(dove).map(cell),
            to: to.map(cell),
            shift: [old.row - new.row, old.column - new.column],
        }
    }
}

impl LegalAction {
    fn of(game: &Game, action: Action, before: &Board, after: &Board) -> LegalAction {
        LegalAction {
            action: action.text(before),
            after: after.to_string(),
            outcome: game.rules.outcome_of(after, action.dove().color),
            drawn: DrawnDocument::of(action, before, after),
        }
    }
}

impl LegalDocument {
    /// A position of a game.
    pub fn of(Place { game, board, mover }: &Place, language: Language) -> LegalDocument {
        let actions = game.legal_actions(board, *mover);
        let bounds = board.bounding_box();
        let hand = |color: Color| {
            let has = |dove: &Dove| game.doves(color).contains(dove.kind);
            (color.name(), board.hand(color).filter(has).map(Dove::letter).collect())
        };
        let closed = |color: Color| {
            let side = |side| match side {
                Side::Open => None,
                Side::Wall => Some("wall".to_owned()),
                Side::Dove(dove) => Some(dove.letter().to_string()),
            };
            (color.name(), board.sides(board.boss(color)).map(side))
        };
        LegalDocument {
            question: QuestionDocument::of(game, board, *mover),
            result: Ending::by_rules(game, board, *mover).to_string(),
            actions: actions.map(|(action, after)| LegalAction::of(game, action, board, &after)).collect(),
            ending: EndingDocument::of(game, board, *mover, language),
            u64: board.code().to_string(),
            code: board.code().canonical(*mover).to_string(),
            doves: cells(board.doves()),
            hands: Color::ALL.into_iter().map(hand).collect(),
            rows: bounds.rows(),
            columns: bounds.columns(),
            walls: [bounds.rows() == BOX_SIZE, bounds.columns() == BOX_SIZE],
            closed: Color::ALL.into_iter().map(closed).collect(),
        }
    }
}

impl EndingDocument {
    /// How a game has ended on a board, if it has.
    fn of(game: &Game, board: &Board, mover: Color, language: Language) -> Option<EndingDocument> {
        let last = mover.opponent();
        let are_both = Color::ALL.into_iter().all(|color| board.is_surrounded(color));
        let [won, lost] = [last, mover].map(|color| language.has_won(language.color(color), ""));
        let (winner, why, text) = match game.rules.outcome_of(board, last) {
            Outcome::Open if game.legal_actions(board, mover).next().is_some() => return None,
            Outcome::Open => {
                let text = language.no_action_left(language.color(mover), language.color(last), "");
                (Some(last), "stuck", text)
            }
            Outcome::Drawn => (None, "both-surrounded", language.both_surrounded()),
            Outcome::Won => (Some(last), if are_both { "both-surrounded" } else { "surrounded" }, won),
            Outcome::Lost => (Some(mover), if are_both { "both-surrounded" } else { "own-surrounded" }, lost),
        };
        Some(EndingDocument { winner: winner.map(Color::name), why, text })
    }
}

/// The result of putting a dove on a cell, moving it there, or returning it.
pub fn attempt(
    Place { game, board, mover }: &Place,
    dove: Dove,
    to: Option<Cell>,
    language: Language,
) -> impl Serialize {
    let refused =
        |reason, sentence| AttemptDocument { action: None, refused: Some(sentence), reason: Some(reason) };
    if EndingDocument::of(game, board, *mover, language).is_some() {
        return refused("over", language.is_over_now());
    }
    match game.attempt(board, dove, to) {
        Err(refusal) => refused(reason(refusal), language.refusal(dove, refusal)),
        Ok(_) if dove.color != *mover => refused("not-yours", language.not_yours(language.color(*mover))),
        Ok((action, after)) => {
            let action = LegalAction::of(game, action, board, &after);
            AttemptDocument { action: Some(action), refused: None, reason: None }
        }
    }
}

/// The key of a reason in JSON.
fn reason(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::NotInGame(_) => "not-in-game",
        Refusal::InHand(_) => "in-hand",
        Refusal::NoReturns => "no-returns",
        Refusal::BossStays => "boss-stays",
        Refusal::Occupied(_) => "occupied",
        Refusal::InTheWay(_) => "in-the-way",
        Refusal::TouchesNone => "touches-none",
        Refusal::BesideBoss => "beside-boss",
        Refusal::Isolated(_) => "isolated",
        Refusal::TooLarge { .. } => "too-large",
        _ => "moves",
    }
}

/// A symmetry of positions: maps each dove and its cell.
pub type Change = fn((Dove, Cell)) -> (Dove, Cell);

/// The symmetries: a quarter turn clockwise, a reflection of left and right, the exchange of the players.
pub const CHANGES: [(&str, Change); 3] = [
    ("turned", |(dove, Cell { row, column })| (dove, Cell::new(column, -row))),
    ("mirrored", |(dove, Cell { row, column })| (dove, Cell::new(row, -column))),
    ("recoloured", |(dove, cell)| (Dove::new(dove.color.opponent(), dove.kind), cell)),
];

impl ImagesDocument {
    /// The images of a position.
    pub fn of(Place { game, board, mover }: &Place) -> ImagesDocument {
        let [turned, mirrored, recoloured] = CHANGES.map(|(_, change)| {
            let image = Board::new(board.doves().map(change));
            image.as_ref().map_or_else(|_| board.to_string(), Board::to_string)
        });
        ImagesDocument { question: QuestionDocument::of(game, board, *mover), turned, mirrored, recoloured }
    }
}

/// The picture of a position, or of the position after `action`, with the player to move. It is seen from red's side or
/// from green's, in the colours of `theme`.
pub fn picture(
    Place { game, board, mover }: &Place,
    action: Option<&str>,
    is_turned: bool,
    theme: Theme,
    language: Language,
) -> Reply {
    let mut steps = Vec::new();
    if let Some(text) = action {
        let action = typed_action(text, board, *mover, language)?;
        let step = game.legal_actions(board, *mover).find(|(legal, _)| *legal == action);
        steps.push(step.ok_or_else(|| Refused::Wrong(language.illegal(action, board, *mover)))?);
    }
    let next = if steps.is_empty() { *mover } else { mover.opponent() };
    let caption = language.whose_turn(language.color(next));
    let hand_words = language.hand_words();
    let picture = Picture { board, actions: &steps, caption: &caption, theme, hand_words, is_turned };
    Ok(json(&PictureDocument { svg: picture.svg(game) }))
}

/// The QR code of a text.
pub fn qr_code(text: &str, language: Language) -> Reply {
    let code = QrCode::new(text).map_err(|_| Refused::Wrong(language.no_qr_code()))?;
    Ok(json(&PictureDocument { svg: code.render::<Ink>().build() }))
}

/// The board text of doves, if they fit in the box, whether or not they form a board.
pub fn text(doves: &[(Dove, Cell)]) -> Option<String> {
    let top = doves.iter().map(|(_, cell)| cell.row).min()?;
    let left = doves.iter().map(|(_, cell)| cell.column).min()?;
    let mut rows = [['-'; BOX_SIZE as usize]; BOX_SIZE as usize];
    for (dove, cell) in doves {
        let row = rows.get_mut(usize::try_from(cell.row - top).ok()?)?;
        *row.get_mut(usize::try_from(cell.column - left).ok()?)? = dove.letter();
    }
    Some(rows.map(String::from_iter).join(";"))
}
