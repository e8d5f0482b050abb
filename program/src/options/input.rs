//! Reads users' input: actions, and boards as board text or codes, from arguments or from lines of standard input.

use std::io::{BufRead, Read};

use clap::Args;

use crate::io::{Failure, complain, grouped, streams, visible};
use crate::options::player;
use dovemate::rules::{BoardError, BoardTextError, Code, board_rows};
use dovemate::{Action, Board, Color, Game};
use dovemate_analysis::Line;

/// The start of every game.
pub const START: &str = "b;B";

/// A board, the player to move, and actions from there.
#[derive(Args)]
pub struct PositionArguments {
    /// Board text or code; - reads it from standard input [default: the start]
    #[arg(value_name = "BOARD", allow_hyphen_values = true, default_value = START, hide_default_value = true)]
    board: String,
    /// The player to move on that board
    #[arg(long, value_parser = player(), default_value_t = Color::Red)]
    to_move: Color,
    #[command(flatten)]
    actions: ActionArguments,
}

impl PositionArguments {
    /// The player to move after the actions.
    pub fn mover(&self) -> Color {
        self.actions.mover(self.to_move)
    }

    /// The board, and the actions from there.
    pub fn line(&self, game: &Game) -> Result<(Board, Line), Failure> {
        let board = board_argument(&self.board)?;
        let line = self.actions.line(&board, self.to_move, game)?;
        Ok((board, line))
    }

    /// The board after the actions.
    pub fn board(&self, game: &Game) -> Result<Board, Failure> {
        self.actions.after(board_argument(&self.board)?, self.to_move, game)
    }

    /// Whether boards come from standard input.
    pub fn is_stream(&self) -> bool {
        self.board == "-"
    }

    /// The given board, or every board on standard input, after the actions.
    pub fn boards(&self, game: &Game) -> impl Iterator<Item = Result<Board, Failure>> {
        let given = (!self.is_stream()).then(|| board(&self.board));
        let read = self.is_stream().then(boards).into_iter().flatten();
        given.into_iter().chain(read).map(|board| self.actions.after(board?, self.to_move, game))
    }
}

/// Actions that are played on a board first.
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

    /// The player to move after the actions, if `before` is to move before them.
    pub fn mover(&self, before: Color) -> Color {
        if self.actions.len().is_multiple_of(2) { before } else { before.opponent() }
    }

    /// The actions from a board, each with the board after it.
    ///
    /// # Errors
    /// A usage failure that names the first illegal action.
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

/// The action in a text, with the board after it.
fn play(board: &Board, player: Color, text: &str, game: &Game) -> Result<(Action, Board), Failure> {
    let wrong = |reason: String| Failure::Usage(format!("--action {}: {reason}", text.escape_debug()));
    if Color::ALL.into_iter().any(|color| board.is_surrounded(color)) {
        return Err(wrong(format!("the game is over on {board}")));
    }
    let action = Action::from_typed(text, board, player).map_err(|error| wrong(error.to_string()))?;
    game.legal_actions(board, player).find(|(legal, _)| *legal == action).ok_or_else(|| {
        let name = player.name();
        match Action::from_text(text, board) {
            Ok(typed) if typed.dove().color != player => {
                wrong(format!("it is {name}'s turn on {board}; --to-move says who begins"))
            }
            _ if !game.doves(player).contains(action.dove().kind) => {
                wrong(format!("'{}' is not in this game of {game}", action.dove().letter()))
            }
            // `explain` knows the whole game only.
            _ if game.is_whole() => wrong(format!(
                "{name} has no such legal action on {board}; `dovemate explain --all` lists the legal ones"
            )),
            _ => wrong(format!("{name} has no such legal action on {board}")),
        }
    })
}

/// The failure for standard input with nothing but blank lines.
pub fn no_board() -> Failure {
    Failure::Usage("standard input has no board".to_owned())
}

/// Reads a board from an argument. `-` stands for the first board on standard input.
///
/// # Errors
/// As for [`board`] and [`boards`], or if every line is blank.
pub fn board_argument(text: &str) -> Result<Board, Failure> {
    if text != "-" {
        return board(text);
    }
    boards().next().unwrap_or_else(|| Err(no_board()))
}

/// Reads one board, as board text or as a code.
///
/// # Errors
/// A usage failure that names the fault and the correct form and, if one cell or row is at fault, its place.
pub fn board(text: &str) -> Result<Board, Failure> {
    let rows = board_rows(text);
    if let Some(code) = Code::digits_in(&rows) {
        return code.parse::<Code>().map(Code::board).map_err(|error| Failure::Usage(error.to_string()));
    }
    text.parse().map_err(|error: BoardTextError| {
        let spots = match &error {
            BoardTextError::Board(BoardError::Twice(letter) | BoardError::Isolated(letter)) => {
                spots(&rows, *letter)
            }
            _ => String::new(),
        };
        let hint = match &rows[..] {
            [row] => row_hint(row, &error) + &number_hint(row),
            _ => String::new(),
        };
        Failure::Usage(format!("board {}: {error}{spots}{hint}", shown(&rows)))
    })
}

/// The rows of a board text, quoted for a message: `of rows 'b---', 'B---'`.
fn shown(rows: &[String]) -> String {
    /// Maximum number of rows to show: a few more than a board has.
    const MAX_ROWS: usize = 6;
    let quoted: Vec<String> = rows.iter().take(MAX_ROWS).map(|row| format!("'{}'", printable(row))).collect();
    let more = if rows.len() > MAX_ROWS { ", …" } else { "" };
    format!("{}{}{more}", if rows.len() == 1 { "" } else { "of rows " }, quoted.join(", "))
}

/// A hint for missing row separators or a mistyped option.
fn row_hint(row: &str, error: &BoardTextError) -> String {
    if row.starts_with("--") {
        // Board text may begin with empty cells, so a mistyped option is read as a board.
        return "; there is no option of that name either".to_owned();
    }
    match error {
        BoardTextError::TooManyColumns { .. } | BoardTextError::Board(BoardError::MissingBoss(_)) => {
            "; rows are separated by ';' or '/'".to_owned()
        }
        _ => String::new(),
    }
}

/// A hint for a mistyped code: one that begins with `0x`, or has too few or too many hexadecimal digits.
fn number_hint(text: &str) -> String {
    const CODE_DIGITS: usize = 16;
    let text = text.replace('_', "");
    let (prefix, digits) =
        text.split_at_checked(2).filter(|(prefix, _)| matches!(*prefix, "0x" | "0X")).unwrap_or(("", &text));
    // Up to four characters may be a row of doves. A longer text is taken for a code only if it has a decimal digit.
    let is_long =
        !prefix.is_empty() || digits.len() > 4 && digits.bytes().any(|digit| digit.is_ascii_digit());
    if !is_long || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return String::new();
    }
    let has = format!("{CODE_DIGITS} hexadecimal digits");
    match (prefix, digits.len()) {
        ("", length) => {
            format!("; as a code it has {length} hexadecimal digits, but should have {CODE_DIGITS}")
        }
        (_, CODE_DIGITS) => format!("; if it is a code, write it without {prefix}: {digits}"),
        (_, length) => format!("; a code is written without {prefix} and has {has}, not {length}"),
    }
}

/// Where a letter stands in a board text: ` (row 1, column 2)`.
fn spots(rows: &[String], letter: char) -> String {
    let positions: Vec<String> = rows
        .iter()
        .enumerate()
        .flat_map(|(row, cells)| cells.chars().enumerate().map(move |(column, cell)| (row, column, cell)))
        .filter(|&(_, _, cell)| cell == letter)
        .map(|(row, column, _)| format!("row {}, column {}", row + 1, column + 1))
        .collect();
    format!(" ({})", positions.join(" and "))
}

/// Text for one line of a message: control characters escaped, a long text cut.
fn printable(text: &str) -> String {
    const MAX_CHARACTERS: usize = 40;
    let mut shown = visible(&text.chars().take(MAX_CHARACTERS).collect::<String>());
    if text.chars().nth(MAX_CHARACTERS).is_some() {
        shown.push('…');
    }
    shown
}

/// Maximum number of bytes of a line: more than any board text or action needs, even if every cell takes
/// several bytes.
const MAX_LINE_BYTES: u64 = 4096;

/// Reads a line from standard input, without its line end. `None` at the end of the input; `Some(None)` for a line that
/// is too long, which is skipped.
///
/// # Errors
/// If standard input cannot be read.
pub fn read_line(reader: &mut impl BufRead) -> Result<Option<Option<Vec<u8>>>, Failure> {
    let cannot = |error| Failure::Failed(anyhow::anyhow!("standard input cannot be read: {error}"));
    let mut line = Vec::new();
    // After the longest line, the line end takes up to two more bytes.
    let read = reader.by_ref().take(MAX_LINE_BYTES + 2).read_until(b'\n', &mut line).map_err(cannot)?;
    if read == 0 {
        return Ok(None);
    }
    let has_ended = line.pop_if(|byte| *byte == b'\n').is_some();
    while line.pop_if(|byte| *byte == b'\r').is_some() {}
    if line.len() as u64 <= MAX_LINE_BYTES {
        return Ok(Some(Some(line)));
    }
    if !has_ended {
        reader.skip_until(b'\n').map_err(cannot)?;
    }
    Ok(Some(None))
}

/// The boards on standard input, one per line. Blank lines are skipped; leading spaces are cells. Consecutive lines
/// with tabs are the rows of one board, as a spreadsheet writes it.
///
/// # Errors
/// If a line is not a board, with the number of the line, or if reading fails.
pub fn boards() -> impl Iterator<Item = Result<Board, Failure>> {
    if !streams::has_stdout() {
        complain(format_args!("warning: there is no standard output, so nothing can be printed"));
    }
    let mut reader = streams::stdin();
    let lines = std::iter::from_fn(move || read_line(&mut reader).transpose());
    let mut lines = (1_u64..).zip(lines).peekable();
    let boards = std::iter::from_fn(move || {
        let (number, mut text) = lines.next()?;
        if let Ok(Some(row)) = &mut text
            && is_sheet_row(row)
        {
            let is_next = |(_, next): &(u64, Result<Option<Vec<u8>>, Failure>)| {
                next.as_ref().is_ok_and(|next| next.as_deref().is_some_and(is_sheet_row))
            };
            while let Some((_, Ok(Some(next)))) = lines.next_if(is_next) {
                row.push(b'\n');
                row.extend(next);
            }
        }
        Some((number, text))
    });
    boards.filter_map(|(number, text)| {
        let wrong = |failure| match failure {
            Failure::Usage(message) => Failure::Usage(format!("line {number}: {message}")),
            other => other,
        };
        text.and_then(board_in_line).map_err(wrong).transpose()
    })
}

/// Whether a line is one row of a board, its cells joined by tabs.
fn is_sheet_row(line: &[u8]) -> bool {
    line.contains(&b'\t') && !line.iter().any(|byte| b";/".contains(byte))
}

/// Reads the board on a line, or on the lines of a spreadsheet; returns `None` if the line is blank. `line` is `None`
/// if it was too long.
fn board_in_line(line: Option<Vec<u8>>) -> Result<Option<Board>, Failure> {
    let Some(line) = line else {
        let most = grouped(MAX_LINE_BYTES);
        return Err(Failure::Usage(format!("it has more than {most} bytes, so it is not a board")));
    };
    match std::str::from_utf8(&line) {
        Ok(text) if text.trim().is_empty() => Ok(None),
        Ok(text) => board(text).map(Some),
        Err(_) => Err(Failure::Usage("this is not UTF-8 text, so not a board".to_owned())),
    }
}
