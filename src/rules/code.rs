//! Positions as 64-bit numbers in the format of the crate `tokyodoves`: the *u64* of a board in a 4×4 window,
//! and the *canonical code* of a position (the crate's *invariant u64*), which is equal exactly for equivalent
//! positions.
//!
//! From the most significant bit: 4 zero bits, 12 presence bits, then twelve 4-bit squares; presence bits and squares
//! are in the order `B b A a Y y M m T t H h`. A square is 4·row + column of the window, rows from the top; an absent
//! dove has square 0. So `b---;B---` is `0c00400000000000`. The number depends on where the box stands in the window.
//! The canonical code does not depend on that: the doves are recoloured so that the mover is red, the box is moved to
//! the window's origin, and the least number over the 8 images under rotations and reflections is taken. As all doves
//! are different, the number determines which dove stands where; so two positions have the same canonical code
//! exactly if a symmetry turns one into the other.
//!
//! As text a code has `_` between groups of four digits, `0e82_0120_5000_0030`: without the `_`, programs that read
//! CSV take `0e` and fourteen decimal digits for the number 0.

use std::fmt;
use std::str::FromStr;

use super::{BOX_SIZE, Board, BoardError, BoardTextError, Cell, Color, Dove, Kind, notation};

/// The number of doves, and of presence bits.
const DOVES: u32 = 12;
/// The number of bits taken by squares; the presence bits are above them.
const SQUARES: u32 = 48;
/// The number of bits of a square.
const SQUARE: u32 = 4;
/// The number of rows, and of columns, of the window.
const WINDOW: u64 = BOX_SIZE as u64;

/// A board in a 4×4 window, as a number; no other number is a code. Its text is 16 hexadecimal digits in groups of
/// four, which may also be read without the `_`, as the crate `tokyodoves` writes it.
///
/// ```
/// use dovemate::rules::{Board, Code};
///
/// let code: Code = "0c00400000000000".parse()?;
/// assert_eq!((code.board(), code.to_u64()), (Board::default(), 0x0c00_4000_0000_0000));
/// assert_eq!(code.to_string(), "0c00_4000_0000_0000");
/// assert!(Code::from_u64(7).is_err());
/// # Ok::<(), dovemate::rules::CodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub(crate) u64);

/// Why a number, or the text of a number, is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// The text does not have the form of a code.
    #[error("'{0}' is not the code of a board; write 16 hexadecimal digits, as in 0c00_0100_0000_0000")]
    Malformed(String),
    /// One of the four most significant bits is set.
    #[error("{0:016x} is not a board: its first hexadecimal digit is always 0")]
    HighBits(u64),
    /// An absent dove has a non-zero square.
    #[error("{0:016x} is not a board: '{1}' has a square but is not on the board")]
    AbsentWithSquare(u64, char),
    /// The doves do not make a board.
    #[error("{0:016x} is not a board: {1}")]
    Board(u64, BoardError),
}

/// The dove at this index of the order `B b A a Y y M m T t H h`.
fn dove(index: u32) -> Dove {
    Dove::new(Color::ALL[index as usize % 2], Kind::ALL[index as usize / 2])
}

/// The index of a dove: the inverse of [`dove`].
const fn index(dove: Dove) -> u32 {
    2 * dove.kind as u32 + dove.color as u32
}

impl Code {
    /// The doves of a code, on cells of its window. They need not make a board.
    ///
    /// # Errors
    /// If the text does not have the form of a code, one of the number's four most significant bits is set, or an
    /// absent dove has a square.
    pub fn doves_in(text: &str) -> Result<Vec<(Dove, Cell)>, CodeError> {
        Ok(doves_of(number_of(text)?)?.collect())
    }

    /// The code in these rows of a text, if they are just a code of 16 hexadecimal digits. A row of 16 cells is never
    /// a board, so neither can be mistaken for the other.
    pub fn digits_in(rows: &[String]) -> Option<&str> {
        let [code] = rows else { return None };
        let code = code.trim();
        digits(code).map(|_| code)
    }

    /// The code of doves on squares 0 to 15 of the window, which must make a board.
    pub fn from_squares(doves: impl IntoIterator<Item = (Dove, u32)>) -> Code {
        Code(doves.into_iter().fold(0, |code, (dove, square)| code | bits(index(dove), u64::from(square))))
    }

    /// The code with this number.
    ///
    /// # Errors
    /// If the number is not a board.
    pub fn from_u64(number: u64) -> Result<Code, CodeError> {
        board_of(number).map(|_| Code(number))
    }

    /// The number.
    pub const fn to_u64(self) -> u64 {
        self.0
    }

    /// The u64 of a board text, in the window that the text spans: `----;-b--;-B--` and `b;B` have different
    /// codes.
    ///
    /// # Errors
    /// If the text is not a board.
    pub fn from_text(text: &str) -> Result<Code, BoardTextError> {
        text.parse::<Board>()?;
        let doves = notation::doves_of_text(text)?;
        Ok(Code::from_squares(doves.into_iter().map(|(dove, cell)| (dove, cell.number()))))
    }

    /// The board.
    pub fn board(self) -> Board {
        board_of(self.0).expect("a code is that of a board")
    }

    /// The canonical code of the position with `mover` to move.
    pub fn canonical(self, mover: Color) -> Code {
        // The first and last row and column of the box.
        let (mut rows, mut columns) = ((WINDOW, 0), (WINDOW, 0));
        let mut doves = [(0, 0, 0); DOVES as usize];
        let mut count = 0;
        for index in self.indices() {
            let (row, column) = (self.square(index) / WINDOW, self.square(index) % WINDOW);
            rows = (rows.0.min(row), rows.1.max(row));
            columns = (columns.0.min(column), columns.1.max(column));
            // Recolouring exchanges the two doves of a kind.
            doves[count] = (index ^ u32::from(mover == Color::Green), row, column);
            count += 1;
        }
        let image = |symmetry: u32| {
            doves[..count].iter().fold(0, |code, &(index, row, column)| {
                let row = if symmetry & 1 == 0 { row - rows.0 } else { rows.1 - row };
                let column = if symmetry & 2 == 0 { column - columns.0 } else { columns.1 - column };
                let square = if symmetry & 4 == 0 { WINDOW * row + column } else { WINDOW * column + row };
                code | bits(index, square)
            })
        };
        Code((0..8).map(image).min().expect("there are 8 symmetries"))
    }

    /// The doves with their squares, in the order of the code.
    pub fn doves(self) -> impl Iterator<Item = (Dove, u32)> {
        self.indices().map(move |index| (dove(index), self.square(index) as u32))
    }

    /// The number of doves on the board.
    pub const fn count(self) -> u32 {
        (self.0 >> SQUARES).count_ones()
    }

    /// The board text in this window; equal to the text of [`Code::board`] if the box is at the window's
    /// origin.
    pub fn text(self) -> String {
        let mut text = *b"----;----;----;----";
        for (dove, square) in self.doves() {
            text[(square + square / WINDOW as u32) as usize] = dove.letter() as u8;
        }
        text.iter().copied().map(char::from).collect()
    }

    /// The indices of the doves on the board.
    fn indices(self) -> impl Iterator<Item = u32> {
        (0..DOVES).filter(move |&index| self.has(index))
    }

    const fn has(self, index: u32) -> bool {
        self.0 >> (SQUARES + DOVES - 1 - index) & 1 == 1
    }

    const fn square(self, index: u32) -> u64 {
        self.0 >> (SQUARES - SQUARE * (index + 1)) & 0xf
    }
}

/// A dove's presence bit and square.
const fn bits(index: u32, square: u64) -> u64 {
    1 << (SQUARES + DOVES - 1 - index) | square << (SQUARES - SQUARE * (index + 1))
}

impl Board {
    /// The u64 of the board with its box at the window's origin.
    pub fn code(&self) -> Code {
        Code::from_squares(self.doves().map(|(dove, cell)| (dove, cell.number())))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = |number: u32| self.0 >> (48 - 16 * number) & 0xffff;
        write!(f, "{:04x}_{:04x}_{:04x}_{:04x}", group(0), group(1), group(2), group(3))
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Code, CodeError> {
        Code::from_u64(number_of(text)?)
    }
}

/// The board of a number.
///
/// # Errors
/// If there is none.
pub(crate) fn board_of(number: u64) -> Result<Board, CodeError> {
    Board::new(doves_of(number)?).map_err(|error| CodeError::Board(number, error))
}

/// The doves of a number, on cells of its window.
fn doves_of(number: u64) -> Result<impl Iterator<Item = (Dove, Cell)>, CodeError> {
    let code = Code(number);
    if number >> (SQUARES + DOVES) != 0 {
        return Err(CodeError::HighBits(number));
    }
    if let Some(absent) = (0..DOVES).find(|&index| !code.has(index) && code.square(index) != 0) {
        return Err(CodeError::AbsentWithSquare(number, dove(absent).letter()));
    }
    Ok(code.doves().map(|(dove, square)| (dove, Cell::from_number(square))))
}

fn number_of(text: &str) -> Result<u64, CodeError> {
    let number = digits(text).and_then(|digits| u64::from_str_radix(&digits, 16).ok());
    number.ok_or_else(|| CodeError::Malformed(text.to_owned()))
}

/// The digits of a code, if the text has the form of one: 16 hexadecimal digits, with `_` between all groups of
/// four or none.
fn digits(text: &str) -> Option<String> {
    let groups: Vec<&str> = text.split('_').collect();
    let digits = groups.concat();
    let is_grouped = groups.len() == 1 || groups.iter().all(|group| group.len() == 4);
    let is_code = is_grouped && digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_code.then_some(digits)
}
