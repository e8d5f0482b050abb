//! `dovemate svg`: draws a position as a picture for an article.

use std::path::PathBuf;

use clap::Args;

use crate::io::failure::Failure;
use crate::io::output::OutputFile;
use crate::io::streams;
use crate::options::input;
use crate::options::language::LanguageArguments;
use crate::options::parse;
use crate::options::rules::{RuleArguments, words};
use dovemate::Verdict;
use dovemate::count::reference::verdict;
use dovemate::picture::svg::{Picture, Theme, is_drawable};
use dovemate::rules::{Action, Board, Color, Game, Rules};
use dovemate_web::texts::Language;

/// Draw a position as SVG.
///
/// Red doves are discs with upper-case letters, green ones squares with lower-case letters; dots and bars
/// around the letter show how the kind moves, and a crown marks a boss. With --action, an action is played
/// and drawn: an arrow for a move, a plus for a put, a minus where a dove was returned.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate svg \"b;B\" -o start.svg
  dovemate svg \"b;B\" --action=+AS1 --action=+aN2 -o two-plies.svg
  dovemate svg \"-b-B;--Ma;A---;Y---\" --action BW1 --action aE1 -o refuted.svg")]
pub struct Arguments {
    /// Board text or code; - reads it from a line of standard input
    #[arg(value_name = "BOARD", allow_hyphen_values = true)]
    board: String,
    /// The player to move on that board
    #[arg(long, value_parser = parse::player(), default_value_t = Color::Red)]
    to_move: Color,
    #[command(flatten)]
    rules: RuleArguments,
    /// Play this action and draw it; repeat for the answer, and so on. Write a return as --action=-a
    #[arg(long = "action", value_name = "ACTION", allow_hyphen_values = true)]
    actions: Vec<String>,
    /// The line below the board [default: the player to move, and whether it is a mate or a win in one]
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    /// The colours; auto asks the reader's system
    #[arg(long, value_parser = parse::theme(), default_value_t)]
    theme: Theme,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, language) = (arguments.rules.rules(), arguments.language.language());
    let board = input::board_argument(&arguments.board)?;
    let mut player = arguments.to_move;
    let mut actions: Vec<(Action, Board)> = Vec::new();
    for text in &arguments.actions {
        let before = actions.last().map_or(&board, |(_, after)| after);
        actions.push(play(before, player, text, rules)?);
        player = player.opponent();
    }
    let last = actions.last().map_or(&board, |(_, after)| after);
    let caption = arguments.caption.clone().unwrap_or_else(|| caption(language, last, player, rules));
    if let Some(letter) = caption.chars().find(|&letter| !is_drawable(letter)) {
        let message = format!(
            "--caption: the character {} cannot be drawn; give one line of text",
            letter.escape_default()
        );
        return Err(Failure::Usage(message));
    }
    let svg = Picture {
        board: &board,
        actions: &actions,
        caption: &caption,
        theme: arguments.theme,
        hand_words: language.hand_words(),
        is_turned: false,
    }
    .svg(&Game::default());
    match &arguments.output {
        Some(path) => Ok(OutputFile::open(path)?.finish_text(&svg)?),
        None => Ok(streams::say(&svg)?),
    }
}

/// The action that a text names, with the board after it.
fn play(board: &Board, player: Color, text: &str, rules: Rules) -> Result<(Action, Board), Failure> {
    let wrong = |reason: String| Failure::Usage(format!("--action {}: {reason}", text.escape_debug()));
    if Color::ALL.into_iter().any(|color| board.is_surrounded(color)) {
        return Err(wrong(format!("the game is over on {board}")));
    }
    let action = Action::from_typed(text, board, player).map_err(|error| wrong(error.to_string()))?;
    board.legal_actions(player, rules).find(|(legal, _)| *legal == action).ok_or_else(|| {
        let name = player.name();
        match Action::from_text(text, board) {
            Ok(action) if action.dove().color != player => {
                wrong(format!("it is {name}'s turn on {board}; --to-move says who begins"))
            }
            _ => wrong(format!("no legal action of {name} on {board}; `dovemate explain --all` lists these")),
        }
    })
}

/// The player to move, and whether the position is a mate or a win in one.
fn caption(language: Language, board: &Board, player: Color, rules: Rules) -> String {
    let mover = language.color(player);
    let [red, green] = Color::ALL.map(|color| language.color(color));
    let what = match verdict(board, player, rules) {
        Verdict::Finished => {
            return match Color::ALL.map(|color| board.is_surrounded(color)) {
                [true, true] => language.bosses_are_surrounded(red, green),
                [is_red, _] => language.boss_is_surrounded(if is_red { red } else { green }),
            };
        }
        Verdict::WinInOne => language.win_in_one(),
        Verdict::Mate => language.mate(),
        Verdict::Stuck | Verdict::Escape => return language.whose_turn(mover),
    };
    let caption = language.to_move_worth(mover, what);
    if rules == Rules::default() { caption } else { format!("{caption} ({})", words(rules)) }
}
