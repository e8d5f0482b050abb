//! A count of mates, wins in one or stuck positions, or the share of one that a page's worker takes.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::answer::json;
use crate::documents::{FORMAT, GameDocument, PROGRAM, VERSION};
use dovemate::internals::count::published;
use dovemate::internals::count::tally::{ALL_DOVES, Workload};
use dovemate::internals::count::{Counter, Method, Sides};
use dovemate::internals::shapes::Cells;
use dovemate::rules::{BOX_SIZE, Color, Game, Rules};
use dovemate::{Category, TallyRow};

/// What to count.
#[derive(Clone, Debug, PartialEq)]
pub struct CountQuestion {
    /// The doves and the rules.
    pub game: Game,
    /// The category of positions.
    pub category: Category,
    /// The numbers of doves on the board.
    pub doves: RangeInclusive<u32>,
    /// The share, from 1, and the number of shares.
    pub part: u32,
    /// The number of shares.
    pub parts: u32,
    /// How many of the shapes with the most positions are named.
    pub shapes: usize,
}

/// A count by number of doves.
#[derive(Serialize)]
struct CountedDocument {
    program: &'static str,
    version: &'static str,
    format: u32,
    #[serde(flatten)]
    game: GameDocument,
    category: &'static str,
    columns: [&'static str; 5],
    tallies: Vec<TallyDocument>,
    /// The figure that is published of all shares together.
    published: Option<u64>,
}

/// The counts with one player to move.
#[derive(Serialize)]
struct TallyDocument {
    /// Null if both players have the same doves, so that it makes no difference.
    to_move: Option<&'static str>,
    rows: Vec<TallyRow>,
    shapes: Vec<ShapeDocument>,
}

/// The positions on a shape.
#[derive(Clone, Serialize)]
struct ShapeDocument {
    shape: String,
    positions: u64,
}

/// A row that has been counted.
#[derive(Serialize)]
struct RowDocument<'a> {
    to_move: Option<&'static str>,
    row: &'a TallyRow,
}

/// Counts the share of a count, and tells each row as soon as it is known.
pub fn count(asked: &CountQuestion, progress: fn(&str)) -> String {
    let CountQuestion { game, category, doves, .. } = asked;
    let movers = if game.is_even() { vec![None] } else { Color::ALL.map(Some).to_vec() };
    let is_published = *game == Game::whole(Rules::default()) && *doves == ALL_DOVES;
    json(&CountedDocument {
        program: PROGRAM,
        version: VERSION,
        format: FORMAT,
        game: GameDocument::of(game),
        category: category.name(),
        columns: TallyRow::columns(*category),
        tallies: movers.into_iter().map(|mover| tally(asked, mover, progress)).collect(),
        published: published::total(*category, game.rules).filter(|_| is_published),
    })
}

fn tally(asked: &CountQuestion, mover: Option<Color>, progress: fn(&str)) -> TallyDocument {
    let CountQuestion { game, category, doves, part, parts, shapes } = asked;
    let player = mover.unwrap_or(Color::Red);
    let (mut counter, sides) = (Counter::for_game(game, player, *category, Method::Factored), Sides::of(game, player));
    let to_move = mover.map(Color::name);
    let (mut rows, mut most) = (Vec::new(), Vec::new());
    for doves in *doves.start()..=(*doves.end()).min(game.most_doves()) {
        let workload = Workload::new(&(doves..=doves), *category);
        let mut row = TallyRow::default();
        row.doves = doves;
        // Shapes that lie together take about as long.
        let is_in_share = |(index, _): &(usize, _)| *index as u32 % parts == part - 1;
        for (_, (shape, places)) in workload.shapes().enumerate().filter(is_in_share) {
            let placements = &workload.placements[places];
            let positions = shape.positions(placements.iter().map(|placement| counter.count(placement)).sum());
            row.shapes += 1;
            row.boss_placements += placements.len() as u64;
            row.assignments += placements.len() as u64 * sides.assignments(doves - 2);
            row.positions += positions;
            most.push((Reverse(positions), shape.cells.0));
        }
        most.sort_unstable();
        most.truncate(*shapes);
        progress(&json(&RowDocument { to_move, row: &row }));
        rows.push(row);
    }
    let named = |&(Reverse(positions), cells): &(Reverse<u64>, u16)| ShapeDocument {
        shape: shape_text(Cells(cells)),
        positions,
    };
    TallyDocument { to_move, rows, shapes: most.iter().map(named).collect() }
}

/// A shape as text: x where a dove stands.
fn shape_text(cells: Cells) -> String {
    let size = BOX_SIZE as u32;
    let row = |row| (0..size).map(|column| if cells.contains(size * row + column) { 'x' } else { '-' }).collect();
    (0..size).map(row).collect::<Vec<String>>().join(";")
}
