//! Board text and action text, as the crate `tokyodoves` writes them.
//!
//! Board text has up to four rows from the top, joined by `;`, with the letters of the doves and `-`, `.` or
//! a space for an empty cell: `b---;B---` is the start. Action text (SSN) gives cells relative to the current
//! cell of the *red* boss, for both players: `+AN2E1` puts, `mE2` moves to that cell, `-t` returns. The
//! vertical part comes first; a zero part is left out.
//!
//! The readers also accept what people type: rows separated by `/` or line breaks, cells separated by tabs as from a
//! spreadsheet, quotes that a shell has left around a board, and abbreviated actions ([`Action::from_typed`]).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::{Action, BOX_SIZE, Board, BoardError, Cell, Color, Dove, Kind, ascii_forms, with_line_feeds};

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardTextError {
    /// A character that is neither a dove nor an empty cell.
    #[error(
        "row {row}, column {column}: '{}' is not a dove; doves are B A Y M T H (red) and b a y m t h (green), \
         empty cells '-', '.' or a space",
        .letter.escape_debug()
    )]
    UnknownLetter {
        /// Row of the text, from 1.
        row: usize,
        /// Column of the text, from 1.
        column: usize,
        /// The character.
        letter: char,
    },
    /// A row has more than four cells.
    #[error("row {row} has {columns} columns; a board has at most 4")]
    TooManyColumns {
        /// Row of the text, from 1.
        row: usize,
        /// The number of columns.
        columns: usize,
    },
    /// There are more than four rows.
    #[error("there are {0} rows; a board has at most 4")]
    TooManyRows(usize),
    /// The doves do not make a board.
    #[error(transparent)]
    Board(#[from] BoardError),
}

impl FromStr for Board {
    type Err = BoardTextError;

    fn from_str(text: &str) -> Result<Board, BoardTextError> {
        Ok(Board::new(doves_of_text(text)?)?)
    }
}

/// The rows of a board text, from the top, in [ASCII](ascii_forms): parts separated by `;`, `/` or line breaks (LF,
/// CR or both), without quotes around the whole; if only blanks follow the fourth column, they are left out. Line
/// breaks at the beginning or the end make no row, nor does a line break after `;` or `/`, nor a single `;` or `/` at
/// the end. In a row with tabs, as from a spreadsheet, the tabs separate the cells, and a cell may be empty.
pub fn board_rows(text: &str) -> Vec<String> {
    const QUOTES: [(char, char); 4] = [('\'', '\''), ('"', '"'), ('‘', '’'), ('“', '”')];
    let text = with_line_feeds(&ascii_forms(text));
    let inside = |(open, close)| text.trim_matches('\n').strip_prefix(open)?.strip_suffix(close);
    let text = QUOTES.into_iter().find_map(inside).unwrap_or(&text).trim_matches('\n');
    let mut rows = Vec::new();
    for line in text.split('\n') {
        let line = line.strip_suffix(SEPARATORS).unwrap_or(line);
        rows.extend(line.split(SEPARATORS).map(|row| without_blanks(&without_tabs(row)).to_owned()));
    }
    rows
}

/// The separators that people write between two rows.
const SEPARATORS: [char; 2] = [';', '/'];

/// A row without the tabs that may separate its cells; an empty cell between tabs becomes a space.
fn without_tabs(row: &str) -> Cow<'_, str> {
    if !row.contains('\t') {
        return row.into();
    }
    let cell = |cell: &'_ str| if cell.trim().is_empty() { " ".to_owned() } else { cell.trim().to_owned() };
    row.split('\t').map(cell).collect::<String>().into()
}

/// A row, cut off after the fourth column if only blanks follow.
fn without_blanks(row: &str) -> &str {
    let end = row.char_indices().nth(BOX_SIZE as usize).map_or(row.len(), |(end, _)| end);
    if row[end..].trim().is_empty() { &row[..end] } else { row }
}

/// The doves of a board text, each on the row and column in which the text has it. They need not make a board.
///
/// # Errors
/// If the text has more than four rows or columns, or a letter that is not a dove.
pub fn doves_of_text(text: &str) -> Result<Vec<(Dove, Cell)>, BoardTextError> {
    let rows = board_rows(text);
    if rows.len() > BOX_SIZE as usize {
        return Err(BoardTextError::TooManyRows(rows.len()));
    }
    let mut doves = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        let columns = cells.chars().count();
        if columns > BOX_SIZE as usize {
            return Err(BoardTextError::TooManyColumns { row: row + 1, columns });
        }
        for (column, letter) in cells.chars().enumerate() {
            if matches!(letter, '-' | '.' | ' ') {
                continue;
            }
            let unknown = BoardTextError::UnknownLetter { row: row + 1, column: column + 1, letter };
            let dove = Dove::from_letter(letter).ok_or(unknown)?;
            doves.push((dove, Cell::new(row as i8, column as i8)));
        }
    }
    Ok(doves)
}

/// Four rows of four cells joined by `;`, the bounding box in the top left corner: a text that
/// [`Board::from_str`] reads.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&grid(|cell| self.dove_at(Cell::from_number(cell)).map_or('-', Dove::letter)))
    }
}

/// Four rows of four cells joined by `;`, given the character of each cell by its [number](Cell::number).
pub(crate) fn grid(letter: impl Fn(u32) -> char) -> String {
    let row = |row: u32| (0..4).map(|column| letter(4 * row + column)).collect::<String>();
    [0, 1, 2, 3].map(row).join(";")
}

/// Why a text is not an action on a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ActionTextError {
    /// The text does not have the form of an action.
    #[error(
        "'{}' is not a valid action; write '+AN2E1' to put, 'mE2' to move, '-t' to return (N S E W from the red boss)",
        .0.escape_debug()
    )]
    Malformed(String),
    /// The dove to put is already on the board.
    #[error("'{0}' is on the board; only a dove in hand can be put")]
    OnBoard(char),
    /// The dove to move or return is in hand.
    #[error("'{0}' is in hand; only a dove on the board can be moved or returned")]
    InHand(char),
    /// A boss cannot be returned.
    #[error("a boss cannot be returned")]
    ReturnedBoss,
}

impl Action {
    /// The action's text, given the board before it.
    pub fn text(self, board: &Board) -> String {
        let origin = board.boss(Color::Red);
        let part = |distance: i8, positive: char, negative: char| match distance {
            0 => String::new(),
            1.. => format!("{positive}{distance}"),
            _ => format!("{negative}{}", distance.unsigned_abs()),
        };
        let target = |to: Cell| {
            let rows = to.row.saturating_sub(origin.row);
            let columns = to.column.saturating_sub(origin.column);
            part(rows, 'S', 'N') + &part(columns, 'E', 'W')
        };
        match self {
            Action::Put { dove, to } => format!("+{}{}", dove.letter(), target(to)),
            Action::Move { dove, to } => format!("{}{}", dove.letter(), target(to)),
            Action::Return { dove } => format!("-{}", dove.letter()),
        }
    }

    /// Reads an action as people type it, on `board` with `player` to act. Case does not matter, because the dove must
    /// be this player's. [Full-width forms](ascii_forms) are accepted, the sign of a put may be left out if the dove is
    /// in hand, spaces are ignored, and the two parts of a cell may be in either order. Does not check that the action
    /// is legal.
    ///
    /// # Errors
    /// If the text does not have the form of an action, or its dove is not where the action needs it.
    pub fn from_typed(text: &str, board: &Board, player: Color) -> Result<Action, ActionTextError> {
        let malformed = || ActionTextError::Malformed(text.to_owned());
        let upper = ascii_forms(text).to_ascii_uppercase();
        let letters: Vec<char> = upper.chars().filter(|letter| !letter.is_whitespace()).collect();
        let (sign, rest) = match &letters[..] {
            [sign @ ('+' | '-'), rest @ ..] => (Some(*sign), rest),
            rest => (None, rest),
        };
        let [letter, cell @ ..] = rest else { return Err(malformed()) };
        let kind = Dove::from_letter(*letter).ok_or_else(malformed)?.kind;
        let dove = Dove::new(player, kind);
        let is_in_hand = board.cell_of(dove).is_none();
        let mut exact = String::new();
        match sign {
            None if is_in_hand => exact.push('+'),
            _ => exact.extend(sign),
        }
        exact.push(dove.letter());
        match cell {
            [across @ ('E' | 'W'), columns, up @ ('N' | 'S'), rows] => {
                exact.extend([up, rows, across, columns])
            }
            _ => exact.extend(cell),
        }
        Action::from_text(&exact, board).map_err(|error| match error {
            ActionTextError::Malformed(_) => malformed(),
            error => error,
        })
    }

    /// Reads an action's text, given the board before it. Does not check that the action is legal.
    ///
    /// # Errors
    /// If the text does not have the form of an action, or its dove is not where the action needs it.
    pub fn from_text(text: &str, board: &Board) -> Result<Action, ActionTextError> {
        let malformed = || ActionTextError::Malformed(text.to_owned());
        let mut letters = text.chars().peekable();
        let sign = letters.next_if(|letter| matches!(letter, '+' | '-'));
        let dove = letters.next().and_then(Dove::from_letter).ok_or_else(malformed)?;
        let mut distance = |positive: char, negative: char| {
            let Some(direction) = letters.next_if(|&letter| letter == positive || letter == negative) else {
                return Ok(0);
            };
            let digit = letters.next().and_then(|digit| digit.to_digit(10)).filter(|&digit| digit != 0);
            let distance = digit.ok_or_else(malformed)? as i8;
            Ok(if direction == positive { distance } else { -distance })
        };
        let step = (distance('S', 'N')?, distance('E', 'W')?);
        if letters.next().is_some() || (sign == Some('-') && step != (0, 0)) {
            return Err(malformed());
        }
        let to = board.boss(Color::Red).step(step);
        match (sign, board.cell_of(dove)) {
            (Some('+'), None) => Ok(Action::Put { dove, to }),
            (Some('+'), Some(_)) => Err(ActionTextError::OnBoard(dove.letter())),
            (_, None) => Err(ActionTextError::InHand(dove.letter())),
            (None, Some(_)) => Ok(Action::Move { dove, to }),
            (_, Some(_)) if dove.kind == Kind::Boss => Err(ActionTextError::ReturnedBoss),
            (_, Some(_)) => Ok(Action::Return { dove }),
        }
    }
}
