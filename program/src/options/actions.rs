//! The option for actions that are played on a board first.

use clap::Args;

use crate::io::Failure;
use dovemate::ask::Line;
use dovemate::{Action, Board, Color, Game};

#[derive(Args)]
pub struct ActionArguments {
    /// Play this action first; repeat for the answer, and so on. Write a return as --action=-a
    #[arg(long = "action", value_name = "ACTION", allow_hyphen_values = true)]
    actions: Vec<String>,
}

impl ActionArguments {
    /// Whether there is an action to play.
    pub fn is_given(&self) -> bool {
        !self.actions.is_empty()
    }

    /// The player to move after the actions, if this one is before them.
    pub fn mover(&self, before: Color) -> Color {
        if self.actions.len().is_multiple_of(2) { before } else { before.opponent() }
    }

    /// The actions from a board, each with the board after it.
    ///
    /// # Errors
    /// A usage failure that names the first that is not legal.
    pub fn line(&self, board: &Board, mover: Color, game: &Game) -> Result<Line, Failure> {
        let (mut line, mut player) = (Line::new(), mover);
        for text in &self.actions {
            line.push(play(line.last().map_or(board, |(_, after)| after), player, text, game)?);
            player = player.opponent();
        }
        Ok(line)
    }

    /// The board after the actions.
    ///
    /// # Errors
    /// As for [`ActionArguments::line`].
    pub fn after(&self, board: Board, mover: Color, game: &Game) -> Result<Board, Failure> {
        Ok(self.line(&board, mover, game)?.pop().map_or(board, |(_, after)| after))
    }
}

/// The action of a text, with the board after it.
fn play(board: &Board, player: Color, text: &str, game: &Game) -> Result<(Action, Board), Failure> {
    let wrong = |reason: String| Failure::Usage(format!("--action {}: {reason}", text.escape_debug()));
    if Color::ALL.into_iter().any(|color| board.is_surrounded(color)) {
        return Err(wrong(format!("the game is over on {board}")));
    }
    let action = Action::from_typed(text, board, player).map_err(|error| wrong(error.to_string()))?;
    game.legal_actions(board, player).find(|(legal, _)| *legal == action).ok_or_else(|| {
        let name = player.name();
        match Action::from_text(text, board) {
            Ok(action) if action.dove().color != player => {
                wrong(format!("it is {name}'s turn on {board}; --to-move says who begins"))
            }
            _ => wrong(format!("no legal action of {name} on {board}; `dovemate explain --all` lists these")),
        }
    })
}
