//! Openings: a solved game's values of all positions with few doves. Programs have those of the whole game embedded,
//! except in WebAssembly.
//!
//! A file of openings has the value of every place with up to a certain number of doves, bosses included, class after
//! class in the order of addresses. So a position is found by its address, without a search. All numbers are
//! little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `\x89opening` |
//! | 4 | version of the format, 2 |
//! | 2 | dove sets of red and green, as [`DoveSet::bits`](dovemate::rules::DoveSet::bits) |
//! | 1 | returns: 0 off, 1 on |
//! | 1 | both surrounded: 0 mover loses, 1 mover wins, 2 draw |
//! | 4 | the maximum number of doves, bosses included |
//! | 2 | the number of different values, up to 256 |
//! | 2 each | these values, ascending: 0 for a draw, n + 1 for a win in n, −(n + 1) for a loss in n |
//! | | for each place the index of its value among these, one byte, all compressed by deflate |
//! | 32 | SHA-256 of all that comes before |
//!
//! Deflate is no larger than zstd here, and needs no C code to read, so it works in a browser too.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use sha2::{Digest, Sha256};

use crate::known::{Known, Source, Worth};
use crate::solved::{Lookup, LookupError};
use crate::space::index::{BitAddress, Index};
use crate::space::layout::Layout;
use crate::space::placements::Placements;
use crate::value::Value;
use dovemate::rules::{Board, Color, Game, Rules};

/// The version of the format.
const VERSION: u32 = 2;
const MAGIC: [u8; 8] = *b"\x89opening";
/// The highest level of compression: files are compressed once.
const LEVEL: u8 = 10;
/// Bytes of the header.
const HEADER: usize = 20;

/// Bytes of the checksum.
const HASH: usize = 32;

/// The loaded openings of the whole game, without returns and with returns.
static WHOLE: [OnceLock<Openings>; 2] = [OnceLock::new(), OnceLock::new()];

/// The values of all of a game's positions with few doves.
pub struct Openings {
    index: Index,
    most_doves: u32,
    /// For each class, the index in `places` of its first place; `None` if it has more doves than the openings.
    first: Vec<Option<usize>>,
    values: Vec<Value>,
    /// For each place, the index of its value.
    places: Vec<u8>,
}

impl fmt::Debug for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut openings = f.debug_struct("Openings");
        openings.field("game", &self.game()).field("most_doves", &self.most_doves).finish_non_exhaustive()
    }
}

/// The header of a file of openings.
fn header(game: &Game, most_doves: u32) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(game.bytes());
    bytes.extend(most_doves.to_le_bytes());
    bytes
}

#[cfg(not(target_family = "wasm"))]
impl Openings {
    /// The names and content of the files of openings, for programs to which they are [added](Openings::add): those of
    /// the whole game with up to five doves, without returns and with returns.
    // `results/HISTORY.md` says how they are made.
    pub const FILES: [(&'static str, &'static [u8]); 2] = [
        ("no-returns", include_bytes!("openings/no-returns.bin")),
        ("returns", include_bytes!("openings/returns.bin")),
    ];
}

impl Openings {
    /// The openings of the whole game: those in the program or, in WebAssembly, those that have been
    /// [added](Openings::add), if any. `None` for other games.
    pub fn of(game: &Game) -> Option<&'static Openings> {
        let known = &WHOLE[usize::from(game.rules.returns)];
        if *game != whole(game.rules.returns) {
            return None;
        }
        #[cfg(not(target_family = "wasm"))]
        return Some(known.get_or_init(|| {
            let (_, file) = Openings::FILES[usize::from(game.rules.returns)];
            Openings::read(file, game).expect("the program's own openings are whole: tests read them")
        }));
        #[cfg(target_family = "wasm")]
        known.get()
    }

    /// Adds a file of openings of the whole game to a program that is built without them, as a page is. Returns whether
    /// the file is valid.
    pub fn add(file: &[u8]) -> bool {
        [false, true].into_iter().any(|returns| {
            let read = Openings::read(file, &whole(returns));
            read.map(|openings| WHOLE[usize::from(returns)].get_or_init(|| openings)).is_some()
        })
    }

    /// Reads a file of openings; `None` if it is incomplete, or is not of this game and this version of the format.
    pub fn read(file: &[u8], game: &Game) -> Option<Openings> {
        let (content, checksum) = file.split_last_chunk::<HASH>()?;
        let (head, content_after) = content.split_first_chunk::<HEADER>()?;
        let most_doves = u32::from_le_bytes(*head.last_chunk()?);
        let is_of_game = head[..] == header(game, most_doves) && has_boards(game, most_doves);
        if !is_of_game || Sha256::digest(content)[..] != checksum[..] {
            return None;
        }
        let (number, rest) = content_after.split_first_chunk()?;
        let (values, compressed) = rest.split_at_checked(2 * usize::from(u16::from_le_bytes(*number)))?;
        let (values, _) = values.as_chunks();
        let mut openings = Openings::empty(*game, most_doves);
        openings.values = values.iter().map(|&bytes| of_number(i16::from_le_bytes(bytes))).collect();
        let places = decompress_to_vec_with_limit(compressed, openings.places.len()).ok()?;
        let is_whole = places.len() == openings.places.len()
            && places.iter().all(|&value| usize::from(value) < openings.values.len());
        openings.places = places;
        is_whole.then_some(openings)
    }

    /// Makes a file of openings from the values of all positions of a game with up to `most_doves` doves.
    ///
    /// # Errors
    /// If the game has no board with `most_doves` doves; or if `value` gives no value for a position, one beyond 32,766
    /// plies, or more than 256 different ones in all.
    pub fn write(
        game: Game,
        most_doves: u32,
        value: impl Fn(&Board, Color) -> Option<Value>,
    ) -> io::Result<Vec<u8>> {
        if !has_boards(&game, most_doves) {
            return Err(io::Error::other(format!("no board of {game} has {most_doves} doves")));
        }
        let openings = Openings::empty(game, most_doves);
        let number = |(board, mover): (Board, Color)| {
            let none = || io::Error::other(format!("board '{board}' has no value that openings can have"));
            value(&board, mover).and_then(number_of).ok_or_else(none)
        };
        let numbers: Vec<i16> = openings.positions().map(number).collect::<io::Result<_>>()?;
        let values = Vec::from_iter(BTreeSet::from_iter(numbers.iter().copied()));
        if values.len() > usize::from(u8::MAX) + 1 {
            let count = values.len();
            return Err(io::Error::other(format!(
                "there are {count} different values; openings have up to 256"
            )));
        }
        let places: Vec<u8> =
            numbers.iter().map(|number| values.partition_point(|value| value < number) as u8).collect();
        let mut file = header(&game, most_doves);
        file.extend((values.len() as u16).to_le_bytes());
        file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        file.extend(compress_to_vec(&places, LEVEL));
        file.extend(Sha256::digest(&file));
        Ok(file)
    }

    /// Openings without values yet: every place has index 0.
    fn empty(game: Game, most_doves: u32) -> Openings {
        let layout = Layout::new(game);
        let (mut first, mut places) = (Vec::new(), 0);
        for class in &layout.classes {
            let is_in = class.slots + 2 <= most_doves;
            first.push(is_in.then_some(places));
            places += if is_in { class.places() as usize } else { 0 };
        }
        let index = Index { placements: Placements::new(most_doves - 2), layout };
        Openings { index, most_doves, first, values: Vec::new(), places: vec![0; places] }
    }

    /// Maximum number of doves on a board of the openings, bosses included.
    pub fn most_doves(&self) -> u32 {
        self.most_doves
    }

    /// All positions of the openings, place by place: those on symmetric shapes may occur several times.
    pub fn positions(&self) -> impl Iterator<Item = (Board, Color)> {
        let layout = &self.index.layout;
        let classes = layout.ids().filter(|class| self.first[class.0].is_some());
        let numbers =
            classes.flat_map(move |class| (0..layout[class].places()).map(move |number| (class, number)));
        numbers.map(move |(class, number)| self.index.position(BitAddress::nth(layout, class, number)))
    }
}

impl Lookup for Openings {
    fn game(&self) -> Game {
        self.index.layout.game
    }

    /// The value of a position; `None` also if the board has more doves than the openings.
    fn probe(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        if board.doves().count() as u32 > self.most_doves {
            return Ok(None);
        }
        let Some(BitAddress { block, row, bit }) = self.index.address(board, mover) else { return Ok(None) };
        let Some(first) = self.first[block.class.0] else { return Ok(None) };
        let class = &self.index.layout[block.class];
        let number = ((block.placement * class.sets + block.set) * class.rows + row) * class.width + bit;
        let worth = Worth::Exact(self.values[usize::from(self.places[first + number])]);
        Ok(Some(Known { worth, source: Source::Openings }))
    }

    fn may_have(&self, value: Value, doves: RangeInclusive<u32>) -> bool {
        if *doves.end() > self.most_doves {
            return true;
        }
        let Some(index) = self.values.iter().position(|&other| other == value) else { return false };
        self.index.layout.classes.iter().zip(&self.first).any(|(class, first)| {
            let places = first.map_or(&[][..], |first| &self.places[first..][..class.places() as usize]);
            doves.contains(&(class.slots + 2)) && places.contains(&(index as u8))
        })
    }
}

fn whole(returns: bool) -> Game {
    Game::whole(Rules { returns, ..Rules::default() })
}

/// Whether the game has boards with this number of doves.
fn has_boards(game: &Game, doves: u32) -> bool {
    (2..=game.most_doves()).contains(&doves)
}

/// The number that stands for a value in the file, if there is one.
fn number_of(value: Value) -> Option<i16> {
    match value {
        Value::Draw => Some(0),
        Value::Win(plies) => i16::try_from(plies.checked_add(1)?).ok(),
        Value::Lose(plies) => i16::try_from(plies.checked_add(1)?).ok().map(|number| -number),
    }
}

/// The value that a number in the file stands for.
fn of_number(number: i16) -> Value {
    match u32::from(number.unsigned_abs()) {
        0 => Value::Draw,
        plies if number > 0 => Value::Win(plies - 1),
        plies => Value::Lose(plies - 1),
    }
}
