//! `dovemate explain`: the actions of the mover, with the answers that refute them.

use std::io::{BufWriter, Write};

use clap::Args;

use super::document::PositionDocument;
use super::show;
use crate::io::{
    FAINT, Failure,
    board_lines::{self, Lines},
    signs, streams, terminal_width,
};
use crate::options::{PositionArguments, RuleArguments};
use dovemate::explain::{Effect, Explanation, Group, Reason};
use dovemate::rules::{Dove, Kind};
use dovemate::{Board, Color, Game, Verdict};
use dovemate_web::texts::Language;
use dovemate_web::texts::style;

/// The indentation of each line of a group, in columns.
const INDENT_COLUMNS: usize = 2;
/// The index of the note's line in a picture.
const NOTE_LINE: usize = 1;
/// Columns between two pictures.
const GAP_COLUMNS: usize = 3;

/// Explain why a position is a mate, action by action.
///
/// Each picture shows the board after an action and, if an answer refutes it, after that answer. The dove that acted
/// last is in parentheses, a boss otherwise in brackets. Actions are written relative to the red boss: +AN2E1 puts, mE2
/// moves, -t returns. If the position is not a mate, only actions that prove this are shown.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate explain \"-b-B;--Ma;A---;Y---\"
  dovemate explain --action +MS1E1 --action +tN1W1 --all --brief
  dovemate explain --brief \"$(dovemate list --doves 6 --limit 1)\"")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    rules: RuleArguments,
    /// One line for each action, without pictures
    #[arg(long)]
    brief: bool,
    /// Show every action even if the position is not a mate
    #[arg(long)]
    all: bool,
    /// Write one line of JSON instead, with every action
    #[arg(long, conflicts_with_all = ["brief", "all"])]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, mover) = (arguments.rules.rules(), arguments.position.mover());
    let board = arguments.position.board(&Game::whole(rules))?;
    let explanation = Explanation::of(&board, mover, rules);
    if arguments.json {
        return Ok(streams::say(&PositionDocument::of(&explanation, rules, true).line())?);
    }
    let width = terminal_width();

    let lines = |reasons: &[&Reason], width| match arguments.brief {
        true => reasons.iter().map(|reason| sentence(&board, reason)).collect::<Vec<String>>(),
        false => pictures(&board, reasons, width),
    };

    let mut out = BufWriter::new(streams::coloured());
    let drawing = show::drawing(Language::English, &board, mover, &Game::whole(rules), None, None);
    writeln!(out, "{drawing}{}", show::verdict(&explanation, rules))?;
    if explanation.verdict == Verdict::Mate || arguments.all {
        for group in Group::all() {
            let reasons: Vec<&Reason> = explanation.group(group).collect();
            if reasons.is_empty() {
                continue;
            }
            writeln!(out, "\n{}", heading(group, explanation.mover))?;
            for line in lines(&reasons, width - INDENT_COLUMNS.min(width)) {
                writeln!(out, "{}", format!("{:INDENT_COLUMNS$}{line}", "").trim_end())?;
            }
        }
    } else {
        // Actions that prove that the position is not a mate.
        let reasons = match explanation.verdict {
            Verdict::Finished | Verdict::Mate => Vec::new(),
            Verdict::WinInOne => explanation.actions(|effect| *effect == Effect::Wins).collect(),
            Verdict::Stuck => explanation.reasons.iter().collect(),
            Verdict::Escape => vec![show::first_escape(&explanation)],
        };
        if !reasons.is_empty() {
            writeln!(out)?;
        }
        for line in lines(&reasons, width) {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(out.flush()?)
}

/// The title of a group of actions.
fn heading(group: Group, mover: Color) -> String {
    let letter = |kind| {
        let style = style(mover);
        format!("{style}{}{style:#}", Dove::new(mover, kind).letter())
    };
    match group {
        Group::BossMoves => format!("boss moves ({})", letter(Kind::Boss)),
        Group::Moves(kind) => format!("moves of {}", letter(kind)),
        Group::Puts => "puts".to_owned(),
        Group::Returns => "returns".to_owned(),
    }
}

/// One line about an action.
fn sentence(board: &Board, reason: &Reason) -> String {
    let action = reason.action.text(board);
    match &reason.effect {
        Effect::Wins => format!("{action:<7} wins at once"),
        Effect::Draws => format!("{action:<7} surrounds both bosses: a draw"),
        Effect::Loses => format!("{action:<7} loses outright"),
        Effect::Escapes => format!("{action:<7} escapes: no answer wins"),
        Effect::Refuted(answers) => {
            let texts: Vec<String> = answers.iter().map(|answer| answer.action.text(&reason.after)).collect();
            let or = match &texts[1..] {
                [] => String::new(),
                others => format!("{FAINT} or {}{FAINT:#}", others.join(", ")),
            };
            format!("{action:<7} is answered by {}{or}", texts[0])
        }
    }
}

/// The pictures of actions, side by side.
fn pictures(board: &Board, reasons: &[&Reason], width: usize) -> Vec<String> {
    let mut pictures: Vec<Lines> = reasons.iter().map(|reason| picture(board, reason)).collect();
    let has_notes = pictures.iter().any(|picture| !picture.lines[NOTE_LINE].trim().is_empty());
    for picture in &mut pictures {
        if !has_notes {
            picture.lines.remove(NOTE_LINE);
        }
        // A blank line before the next row of pictures.
        picture.lines.push(" ".repeat(picture.width));
    }
    let mut lines = board_lines::side_by_side(&pictures, GAP_COLUMNS, width);
    lines.pop();
    lines
}

/// A picture of the board after an action and the first answer that refutes it, if any, under a title and a note.
fn picture(board: &Board, reason: &Reason) -> Lines {
    let mut title = reason.action.text(board);
    let (mut after, mut acted) = (&reason.after, reason.action.dove());
    let note = match &reason.effect {
        Effect::Wins => "wins at once".to_owned(),
        Effect::Draws => "draws".to_owned(),
        Effect::Loses => "loses outright".to_owned(),
        Effect::Escapes => "escapes".to_owned(),
        Effect::Refuted(answers) => {
            let first = &answers[0];
            title += &format!(" {} {}", signs().arrow, first.action.text(&reason.after));
            (after, acted) = (&first.after, first.action.dove());
            match answers.len() - 1 {
                0 => String::new(),
                more => format!("or {more} more"),
            }
        }
    };
    let drawn = board_lines::board(after, false, Some(acted), signs());
    let width = drawn.width.max(title.chars().count()).max(note.chars().count());
    let pad = " ".repeat(width - drawn.width);
    let blank = " ".repeat(width - note.chars().count());
    let note = if note.is_empty() { note } else { format!("{FAINT}{note}{FAINT:#}") };
    let mut lines = vec![format!("{title:<width$}"), note + &blank];
    lines.extend(drawn.lines.into_iter().map(|line| line + &pad));
    Lines { lines, width }
}
