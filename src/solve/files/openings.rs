//! Openings: a solved game's values of all positions with few doves, embedded in the program.
//!
//! A file of openings has the value of every place with up to a number of doves, bosses included, class after class in
//! the order of the game's [`Layout`] and place after place as in [`Index::nth_place`], so that a position is looked up
//! by its place, without a search. All numbers are little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `\x89opening` |
//! | 4 | version of the format, 1 |
//! | 2 | dove sets of red and green, as [`DoveSet::bits`](crate::rules::DoveSet::bits) |
//! | 1 | 1 with returns |
//! | 1 | both surrounded: 0 mover loses, 1 mover wins, 2 draw |
//! | 4 | the most doves, bosses included |
//! | | the values, compressed by zstd: two bytes a place, 0 for a draw, n + 1 for a win in n, −(n + 1) for a loss in n |
//! | 32 | BLAKE3 of all that comes before |

use std::io;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::archive::game_bytes;
use crate::known::{Known, Source, Worth};
use crate::rules::{Board, Color, Game, Rules};
use crate::solve::solved::{Lookup, LookupError};
use crate::solve::space::index::{BitAddress, Index};
use crate::solve::space::layout::Layout;
use crate::solve::space::placements::Placements;
use crate::value::Value;

/// The version of the format.
const VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"\x89opening";
/// zstd's level: files are compressed once.
const LEVEL: i32 = 19;
/// Bytes of the header.
const HEADER: usize = 20;

/// The openings in the program: those of the whole game with up to five doves, without returns and with returns.
/// `results/README.md` says how they are made.
static EMBEDDED: [LazyLock<Openings>; 2] = [
    LazyLock::new(|| embedded(false, include_bytes!("openings/no-returns.bin"))),
    LazyLock::new(|| embedded(true, include_bytes!("openings/returns.bin"))),
];

fn embedded(returns: bool, file: &[u8]) -> Openings {
    let game = Game::whole(Rules { returns, ..Rules::default() });
    Openings::read(file, &game).expect("the program's own openings are whole: tests read them")
}

/// The values of all positions of a game with few doves.
pub struct Openings {
    index: Index,
    most_doves: u32,
    /// For each class with so few doves, the index in `values` of its first place.
    first: Vec<Option<usize>>,
    values: Vec<i16>,
}

/// The header of a file of openings.
fn header(game: &Game, most_doves: u32) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(game_bytes(game));
    bytes.extend(most_doves.to_le_bytes());
    bytes
}

impl Openings {
    /// The openings of a game that are in the program; `None` if it has none.
    pub fn embedded(game: &Game) -> Option<&'static Openings> {
        let is_known = *game == Game::whole(Rules { returns: game.rules.returns, ..Rules::default() });
        is_known.then(|| &*EMBEDDED[usize::from(game.rules.returns)])
    }

    /// Reads a file of openings; `None` if it is not a whole one of this game in this version of the format.
    pub fn read(file: &[u8], game: &Game) -> Option<Openings> {
        let (content, checksum) = file.split_last_chunk()?;
        let (head, compressed) = content.split_first_chunk::<HEADER>()?;
        let most_doves = u32::from_le_bytes(*head.last_chunk()?);
        let is_of_game = head[..] == header(game, most_doves) && (2..=game.most_doves()).contains(&most_doves);
        if !is_of_game || blake3::hash(content).as_bytes() != checksum {
            return None;
        }
        let mut openings = Openings::empty(*game, most_doves);
        let values = zstd::bulk::decompress(compressed, 2 * openings.values.len()).ok()?;
        let (values, _) = values.as_chunks();
        let is_whole = values.len() == openings.values.len();
        openings.values = values.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        is_whole.then_some(openings)
    }

    /// Makes a file of openings from the values of all positions of a game with up to `most_doves` doves.
    ///
    /// # Errors
    /// If `value` gives no value for a position, or one beyond 32,766 plies.
    pub fn write(game: Game, most_doves: u32, value: impl Fn(&Board, Color) -> Option<Value>) -> io::Result<Vec<u8>> {
        let openings = Openings::empty(game, most_doves);
        let mut values = Vec::with_capacity(2 * openings.values.len());
        for (board, mover) in openings.positions() {
            let decided = |plies: u32| i16::try_from(plies + 1).ok();
            let number = match value(&board, mover) {
                Some(Value::Draw) => Some(0),
                Some(Value::Win(plies)) => decided(plies),
                Some(Value::Lose(plies)) => decided(plies).map(|number| -number),
                None => None,
            };
            let none = || io::Error::other(format!("board '{board}' has no value that openings can have"));
            values.extend(number.ok_or_else(none)?.to_le_bytes());
        }
        let mut file = header(&game, most_doves);
        file.extend(zstd::bulk::compress(&values, LEVEL)?);
        file.extend(*blake3::hash(&file).as_bytes());
        Ok(file)
    }

    /// Openings in which everything is a draw.
    fn empty(game: Game, most_doves: u32) -> Openings {
        let layout = Layout::new(game);
        let mut places = 0;
        let first = layout.classes.iter().map(|class| {
            (class.slots + 2 <= most_doves).then(|| {
                let first = places;
                places += class.places() as usize;
                first
            })
        });
        let first = first.collect();
        Openings {
            index: Index { placements: Placements::new(most_doves - 2), layout },
            most_doves,
            first,
            values: vec![0; places],
        }
    }

    /// The most doves on a board of the openings, bosses included.
    pub fn most_doves(&self) -> u32 {
        self.most_doves
    }

    /// All positions of the openings, place by place: those with symmetries occur several times.
    pub fn positions(&self) -> impl Iterator<Item = (Board, Color)> {
        let layout = &self.index.layout;
        let classes = layout.ids().filter(|class| self.first[class.0].is_some());
        let numbers = classes.flat_map(move |class| (0..layout[class].places()).map(move |number| (class, number)));
        numbers.map(move |(class, number)| self.index.position(BitAddress::nth(layout, class, number)))
    }
}

impl Lookup for Openings {
    fn game(&self) -> Game {
        self.index.layout.game
    }

    /// The value of a position; `None` also if the board has more doves.
    fn value(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        if board.doves().count() as u32 > self.most_doves {
            return Ok(None);
        }
        let Some(BitAddress { block, row, bit }) = self.index.place(board, mover) else { return Ok(None) };
        let Some(first) = self.first[block.class.0] else { return Ok(None) };
        let class = &self.index.layout[block.class];
        let number = ((block.placement * class.sets + block.set) * class.rows + row) * class.width + bit;
        let worth = Worth::Exact(of_number(self.values[first + number]));
        Ok(Some(Known { worth, source: Source::Openings }))
    }

    fn may_have(&self, value: Value, doves: &RangeInclusive<u32>) -> bool {
        let classes = self.index.layout.classes.iter().zip(&self.first);
        *doves.end() > self.most_doves
            || classes.filter(|(class, _)| doves.contains(&(class.slots + 2))).any(|(class, first)| {
                let values = first.map_or(&[][..], |first| &self.values[first..][..class.places() as usize]);
                values.iter().any(|&number| of_number(number) == value)
            })
    }
}

/// The value that a number in the file stands for.
fn of_number(number: i16) -> Value {
    let plies = || u32::from(number.unsigned_abs()) - 1;
    match number {
        0 => Value::Draw,
        1.. => Value::Win(plies()),
        _ => Value::Lose(plies()),
    }
}
