//! What an exported page knows, as its modules read it: a solved game (`solved.js`) or openings (`openings.js`), and the
//! weights of the estimate (`estimate.js`).

use std::collections::BTreeMap;

use data_encoding::BASE64;
use miniz_oxide::deflate::compress_to_vec_zlib;
use rayon::prelude::*;
use serde_json::{Value as Json, json};

use dovemate::Value;
use dovemate::ask::openings::Openings;
use dovemate::ask::{Handicap, Known, Lookup, Worth};
use dovemate::internals::literal::{LiteralPosition, LiteralSolution};
use dovemate::internals::search::estimate::Model;
use dovemate::internals::shapes::Cells;
use dovemate::internals::shapes::canonical::shapes;
use dovemate::rules::{Board, BothSurrounded, Cell, Color, Dove, Game, Kind, Rules};

/// The level of compression: the best that does not take long.
const LEVEL: u8 = 9;

/// The values of all positions with few doves, under both rules on returns: all that the program has of openings.
///
/// `placements` has three bytes for each boss placement: its cells as 16 bits, the lowest first, then the cells of the
/// boss of the player to move and of the other one, four bits each. `yes` and `no`, for returns, have a value for each
/// boss placement and each of the [`arrangements`] on its other cells: the plies of a win (odd) or a loss (even), or 0
/// for a draw. The low bytes of all values come first, then the high ones. `handicaps` has the values of the starts of
/// solved handicaps with red and with green to move, by the doves of both and the rule on returns.
pub fn openings() -> Json {
    let of_rules = |returns| {
        let game = Game::whole(Rules { returns, both_surrounded: BothSurrounded::MoverLoses });
        Openings::of(&game).expect("they are in the program")
    };
    let (with, without) = (of_rules(true), of_rules(false));
    let most = with.most_doves().min(without.most_doves());
    let arrangements: Vec<_> = (0..=most as usize - 2).map(arrangements).collect();
    let placements: Vec<(Cells, u32, u32)> = shapes()
        .iter()
        .take_while(|shape| shape.doves() <= most)
        .flat_map(|shape| {
            let bosses = shape.cells.iter().flat_map(|own| shape.cells.iter().map(move |other| (own, other)));
            bosses.filter(|(own, other)| own != other).map(|(own, other)| (shape.cells, own, other))
        })
        .collect();
    let values = |openings: &Openings| {
        let of_placement = |&(cells, own, other): &(Cells, u32, u32)| {
            let slots: Vec<Cell> =
                cells.iter().filter(|cell| ![own, other].contains(cell)).map(Cell::numbered).collect();
            let bosses = [(Color::Red, own), (Color::Green, other)]
                .map(|(color, cell)| (Dove::new(color, Kind::Boss), Cell::numbered(cell)));
            let of = |doves: &Vec<Dove>| {
                let board = Board::new(bosses.into_iter().chain(doves.iter().copied().zip(slots.iter().copied())));
                value(openings, &board.expect("no dove of a shape is isolated"), Color::Red)
            };
            arrangements[slots.len()].iter().map(of).collect::<Vec<u16>>()
        };
        let values: Vec<u16> = placements.par_iter().flat_map_iter(of_placement).collect();
        compressed(
            &[0, 8]
                .iter()
                .flat_map(|shift| values.iter().map(move |value| (value >> shift) as u8))
                .collect::<Vec<u8>>(),
        )
    };
    let placed = placements
        .iter()
        .flat_map(|&(Cells(cells), own, other)| [cells as u8, (cells >> 8) as u8, (own << 4 | other) as u8]);
    let handicap = |known: &Handicap| {
        let Game { red, green, rules } = known.game();
        let returns = if rules.returns { "yes" } else { "no" };
        (format!("{red} {green} {returns}"), Color::ALL.map(|mover| value(known, &Board::default(), mover)))
    };
    json!({
        "most": most, "placements": compressed(&placed.collect::<Vec<u8>>()), "yes": values(with), "no": values(without),
        "handicaps": Handicap::all().iter().map(handicap).collect::<BTreeMap<_, _>>(),
    })
}

/// Bytes as zlib compresses them, in base64.
pub fn compressed(bytes: &[u8]) -> String {
    BASE64.encode(&compress_to_vec_zlib(bytes, LEVEL))
}

/// The weights of the estimate, two bytes each, the lowest first.
pub fn model() -> String {
    compressed(&Model::embedded().weights().iter().flat_map(|weight| weight.to_le_bytes()).collect::<Vec<u8>>())
}

/// All ways to put doves other than the bosses on so many cells, the mover being red: sorted by the cells that are
/// green's, then by the kinds on the cells of red, then by those on the cells of green.
fn arrangements(cells: usize) -> Vec<Vec<Dove>> {
    let others = Color::ALL.map(|color| Kind::OTHERS.map(|kind| Dove::new(color, kind))).concat();
    let mut all = vec![Vec::new()];
    for _ in 0..cells {
        let longer = |doves: &Vec<Dove>| {
            let unused: Vec<Dove> = others.iter().copied().filter(|dove| !doves.contains(dove)).collect();
            let doves = doves.clone();
            unused.into_iter().map(move |dove| [&doves[..], &[dove]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    let kinds = |doves: &[Dove], color| {
        doves.iter().filter(|dove| dove.color == color).map(|dove| dove.kind).collect::<Vec<Kind>>()
    };
    all.sort_by_cached_key(|doves| {
        let is_green: Vec<bool> = doves.iter().map(|dove| dove.color == Color::Green).collect();
        (is_green, kinds(doves, Color::Red), kinds(doves, Color::Green))
    });
    all
}

/// The value of a position, as the page reads it.
fn value(known: &dyn Lookup, board: &Board, mover: Color) -> u16 {
    match known.value(board, mover) {
        Ok(Some(Known { worth: Worth::Exact(Value::Win(plies) | Value::Lose(plies)), .. })) => plies as u16,
        // Also where a boss is surrounded: nobody looks that up.
        _ => 0,
    }
}

/// A solved game: `keys` has the numbers of the positions that are won or lost, ascending, each as its difference from
/// the one before, and `plies` their distances: twice the plies, plus one for a loss.
pub fn solved(solved: &LiteralSolution) -> Json {
    let game = solved.game();
    let distance = |value| match value {
        Value::Draw => None,
        Value::Win(plies) => Some(2 * u64::from(plies)),
        Value::Lose(plies) => Some(2 * u64::from(plies) + 1),
    };
    let decided = solved.iter().filter_map(|(position, value)| Some((number(game, position), distance(value)?)));
    let mut decided: Vec<(u64, u64)> = decided.collect();
    decided.sort_unstable();
    let mut last = 0;
    let steps = decided.iter().map(|&(number, _)| number - std::mem::replace(&mut last, number));
    json!({ "keys": packed(steps), "plies": packed(decided.iter().map(|&(_, plies)| plies)) })
}

/// Numbers in base64: 7 bits a byte, the lowest first; every byte of a number but its last has the highest bit set.
fn packed(numbers: impl Iterator<Item = u64>) -> String {
    let mut bytes = Vec::new();
    for mut number in numbers {
        while number >= 1 << 7 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    BASE64.encode(&bytes)
}

/// The number of a position: whether green is to move, then the square of each dove of the game in the order of the
/// codes, recoloured so that the mover is red. A dove that can be in hand has its square plus 1, and 0 in hand.
fn number(game: &Game, position: LiteralPosition) -> u64 {
    let is_green = position.mover() == Color::Green;
    let (red, green) = if is_green { (game.green, game.red) } else { (game.red, game.green) };
    let squares: Vec<(Dove, u32)> = position.code().doves().collect();
    let doves = Kind::ALL.into_iter().flat_map(|kind| Color::ALL.map(|color| Dove::new(color, kind)));
    let in_game = doves.filter(|dove| if dove.color == Color::Red { red } else { green }.contains(dove.kind));
    in_game.fold(u64::from(is_green), |number, dove| {
        let square = squares.iter().find(|(other, _)| *other == dove).map(|&(_, square)| u64::from(square));
        match dove.kind {
            Kind::Boss => number * 16 + square.expect("a boss is on the board"),
            _ => number * 17 + square.map_or(0, |square| square + 1),
        }
    })
}
