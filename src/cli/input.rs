//! Boards that a user gives: board text or a u64, as an argument or on standard input, one a line.

use std::io::BufRead;

use super::Failure;
use dovemate::rules::{Board, BoardError, BoardTextError, Code, board_rows};

/// Reads one board, as board text or as 16 hexadecimal digits.
///
/// # Errors
/// What is wrong with it, where, and what would be right: a value wrong in itself.
pub fn board(text: &str) -> Result<Board, Failure> {
    let rows = board_rows(text);
    // A row of 16 cells is no board, so there is nothing to mistake for a u64.
    if let [number] = rows[..]
        && number.len() == 16
        && number.bytes().all(|letter| letter.is_ascii_hexdigit())
    {
        return number.parse().and_then(Code::board).map_err(|error| Failure::Usage(error.to_string()));
    }
    text.parse().map_err(|error: BoardTextError| {
        let spots = match &error {
            BoardTextError::Board(BoardError::Twice(letter) | BoardError::Isolated(letter)) => spots(&rows, *letter),
            _ => String::new(),
        };
        let hint = match rows[..] {
            [row] => row_hint(row, &error) + &number_hint(row),
            _ => String::new(),
        };
        Failure::Usage(format!("board {}: {error}{spots}{hint}", shown(&rows)))
    })
}

/// The rows of a board text as they are shown: `of rows 'b---', 'B---'`.
fn shown(rows: &[&str]) -> String {
    /// A few more than a board has.
    const MOST: usize = 6;
    let quoted: Vec<String> = rows.iter().take(MOST).map(|row| format!("'{}'", printable(row))).collect();
    let more = if rows.len() > MOST { ", …" } else { "" };
    format!("{}{}{more}", if rows.len() == 1 { "" } else { "of rows " }, quoted.join(", "))
}

/// A word for who has left out what separates rows, or mistyped an option.
fn row_hint(row: &str, error: &BoardTextError) -> String {
    if row.starts_with("--") {
        // Board text may begin with empty cells, so a mistyped option is taken for one.
        return "; nor is there an option of that name".to_owned();
    }
    match error {
        BoardTextError::TooManyColumns { .. } | BoardTextError::Board(BoardError::MissingBoss(_)) => {
            "; rows are separated by ';' or '/'".to_owned()
        }
        _ => String::new(),
    }
}

/// A word for who meant a u64: it begins with `0x`, or is a row of hexadecimal digits that is too short or too long.
fn number_hint(text: &str) -> String {
    const DIGITS: usize = 16;
    let (prefix, digits) =
        text.split_at_checked(2).filter(|(prefix, _)| matches!(*prefix, "0x" | "0X")).unwrap_or(("", text));
    // Four letters may be a row of doves; eight without a decimal digit hardly are a number.
    let is_long = !prefix.is_empty() || digits.len() > 4 && digits.bytes().any(|digit| digit.is_ascii_digit());
    match (is_long && digits.bytes().all(|digit| digit.is_ascii_hexdigit()), prefix, digits.len()) {
        (false, ..) => String::new(),
        (true, "", length) => format!("; as a u64 it has {length} hexadecimal digits, but should have {DIGITS}"),
        (true, _, DIGITS) => format!("; if it is a u64, write it without {prefix}: {digits}"),
        (true, _, length) => {
            format!("; a u64 is written without {prefix} and has {DIGITS} hexadecimal digits, not {length}")
        }
    }
}

/// Where a letter stands in a board text: ` (row 1, column 2)`.
fn spots(rows: &[&str], letter: char) -> String {
    let places: Vec<String> = rows
        .iter()
        .enumerate()
        .flat_map(|(row, cells)| cells.chars().enumerate().map(move |(column, cell)| (row, column, cell)))
        .filter(|&(_, _, cell)| cell == letter)
        .map(|(row, column, _)| format!("row {}, column {}", row + 1, column + 1))
        .collect();
    format!(" ({})", places.join(" and "))
}

/// Text as it can be shown on one line, whatever it is: control characters escaped, the end left out if it is long.
fn printable(text: &str) -> String {
    const LONG: usize = 40;
    let mut shown: String = text
        .chars()
        .take(LONG)
        .flat_map(|letter| {
            let escaped = letter.is_control().then(|| letter.escape_default());
            escaped.into_iter().flatten().chain((!letter.is_control()).then_some(letter))
        })
        .collect();
    if text.chars().nth(LONG).is_some() {
        shown.push('…');
    }
    shown
}

/// Calls `each` with every board of a text with one a line. Lines without a letter are passed over, leading spaces are cells.
///
/// # Errors
/// At the first line that is no board, with its number; or if reading or `each` fails.
pub fn each_line(mut reader: impl BufRead, mut each: impl FnMut(&Board) -> Result<(), Failure>) -> Result<(), Failure> {
    /// Longer than any board text, even where every cell is a character of several bytes.
    const LONGEST: u64 = 4096;
    for number in 1.. {
        let mut line = Vec::new();
        let cannot = |error| Failure::Failed(anyhow::anyhow!("standard input cannot be read: {error}"));
        let read = std::io::Read::take(&mut reader, LONGEST).read_until(b'\n', &mut line).map_err(cannot)?;
        if read == 0 {
            break;
        }
        let wrong = |failure| match failure {
            Failure::Usage(message) => Failure::Usage(format!("line {number}: {message}")),
            other => other,
        };
        let text = std::str::from_utf8(&line)
            .map_err(|_| wrong(Failure::Usage("this is no text in UTF-8, so no board".to_owned())))?;
        let text = text.trim_end_matches(['\n', '\r']);
        if !text.trim().is_empty() {
            board(text).map_err(wrong).and_then(|board| each(&board))?;
        }
    }
    Ok(())
}
