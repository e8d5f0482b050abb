//! Pictures as SVG documents: a position, and an address as a QR code.

use qrcode::QrCode;
use qrcode::render::svg::Color as Ink;

use crate::question::{Place, typed_action};
use crate::reply::{Refused, Reply, json};
use crate::texts::Language;
use dovemate::picture::svg::{Picture, Theme};

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
        let illegal = || language.of_parameter("action", language.illegal(action, board, *mover));
        steps.push(step.ok_or_else(|| Refused::Wrong(illegal()))?);
    }
    let next = if steps.is_empty() { *mover } else { mover.opponent() };
    let caption = language.whose_turn(language.color(next));
    let hand_words = language.hand_words();
    let picture = Picture { board, actions: &steps, caption: &caption, theme, hand_words, is_turned };
    Ok(json(&serde_json::json!({ "svg": picture.svg(game) })))
}

/// The QR code of a text.
pub fn qr_code(text: &str, language: Language) -> Reply {
    let code = QrCode::new(text).map_err(|_| Refused::Wrong(language.no_qr_code()))?;
    Ok(json(&serde_json::json!({ "svg": code.render::<Ink>().build() })))
}
