//! `dovemate svg`: draws a position as a picture for an article.

use std::path::PathBuf;

use clap::Args;

use crate::io::{Failure, OutputFile, streams};
use crate::options::{LanguageArguments, PositionArguments, RuleArguments, in_parentheses, named};
use dovemate::count::reference::verdict;
use dovemate::picture::svg::{Picture, Theme, is_drawable};
use dovemate::{Board, Color, Game, Rules, Verdict};
use dovemate_web::texts::Language;

/// Draw a position as SVG.
///
/// Red doves are discs with upper-case letters, green ones squares with lower-case letters; dots and bars
/// around the letter show how the kind moves, and a crown marks a boss. An action given with
/// --action is drawn: an arrow for a move, a plus for a put, a minus where a dove was returned.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate svg \"b;B\" -o start.svg
  dovemate svg --action=+AS1 --action=+aN2 -o two-plies.svg
  dovemate svg \"-b-B;--Ma;A---;Y---\" --action BW1 --action aE1 -o refuted.svg")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    rules: RuleArguments,
    /// The line below the board [default: the player to move, and whether it is a mate or a win in one]
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    /// The colours; auto follows the viewer's system setting
    #[arg(long, value_parser = named::<Theme>(Theme::ALL.map(Theme::name)), default_value_t)]
    theme: Theme,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, language) = (arguments.rules.rules(), arguments.language.language());
    let (board, actions) = arguments.position.line(&Game::whole(rules))?;
    let (last, player) = (actions.last().map_or(&board, |(_, after)| after), arguments.position.mover());
    let caption = arguments.caption.clone().unwrap_or_else(|| caption(language, last, player, rules));
    if let Some(letter) = caption.chars().find(|&letter| !is_drawable(letter)) {
        let letter = letter.escape_default();
        let message = format!("--caption: the character {letter} cannot be drawn; give one line of text");
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

/// The player to move, and whether the position is a mate or a win in one; or, if the game is over, the surrounded
/// bosses.
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
    language.to_move_worth(mover, what) + &in_parentheses(rules)
}
