//! Pictures as SVG documents: a position, and an address as a QR code.

use qrcode::QrCode;
use qrcode::render::svg::Color as Ink;
use serde::Serialize;

use crate::question::Place;
use crate::reply::{Refused, Reply, json};
use crate::texts::Language;
use dovemate::picture::svg::{Picture, Theme};
use dovemate::rules::Action;

#[derive(Serialize)]
struct PictureDocument {
    svg: String,
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
    let wrong = |error| Refused::Wrong(language.of_parameter("action", error));
    let action = action.map(|text| Action::from_typed(text, board, *mover)).transpose();
    let action = action.map_err(|error| wrong(language.error(&error)))?;
    let step = action.map(|action| {
        let found = game.legal_actions(board, *mover).find(|(legal, _)| *legal == action);
        found
            .ok_or_else(|| wrong(language.no_legal_action(action.text(board), language.color(*mover), board)))
    });
    let steps: Vec<_> = step.transpose()?.into_iter().collect();
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
