//! A count of mates, wins in one or stuck positions, or the share of one that a page's worker takes.

use std::cmp::Reverse;
use std::ops::{Range, RangeInclusive};

use serde::Serialize;

use crate::documents::{FORMAT, GameDocument, PROGRAM, VERSION};
use crate::reply::json;
use dovemate::internals::count::published;
use dovemate::internals::count::tally::{ALL_DOVES, Workload};
use dovemate::internals::count::{Counter, Method, Question};
use dovemate::rules::{Game, Rules};
use dovemate::{Category, Shape, TallyRow};

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
    /// The number of shapes to name, those with the most positions.
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
    rows: Vec<TallyRow>,
    /// Those with the most positions, whoever is to move.
    shapes: Vec<ShapeDocument>,
    /// The published figure for all shares together.
    published: Option<u64>,
}

/// The positions on a shape.
#[derive(Serialize)]
struct ShapeDocument {
    shape: String,
    positions: u64,
}

/// Counts the share of a count. `progress` gets each row as soon as it is known.
pub fn count(question: &CountQuestion, progress: fn(&str)) -> String {
    let CountQuestion { game, category, doves, part, parts, shapes } = question;
    let question = Question { category: *category, rules: game.rules, method: Method::Factored };
    let workload = Workload::of(game, doves, *category);
    // Neighbouring shapes take about equally long.
    let is_in_share = |index: usize| index as u32 % parts == part - 1;
    let share = workload.shapes().enumerate().filter(|(index, _)| is_in_share(*index));
    let share: Vec<(Shape, Range<usize>)> = share.map(|(_, shape)| shape).collect();
    let (mut rows, mut by_shape) = (Vec::new(), vec![0; share.len()]);
    for turn in workload.turns() {
        let mut counter = Counter::with(question, turn.sides);
        let mut range = 0..0;
        for of_same_doves in share.chunk_by(|(shape, _), (next, _)| shape.doves() == next.doves()) {
            range = range.end..range.end + of_same_doves.len();
            let doves = of_same_doves[0].0.doves();
            let mut row = TallyRow::default();
            (row.mover, row.doves) = (turn.mover, doves);
            for ((shape, placements), counted) in of_same_doves.iter().zip(&mut by_shape[range.clone()]) {
                let placements = &workload.placements[placements.clone()];
                let positions =
                    shape.positions(placements.iter().map(|placement| counter.count(placement)).sum());
                row.shapes += 1;
                row.boss_placements += placements.len() as u64;
                row.assignments += placements.len() as u64 * turn.assignments(doves - 2);
                row.positions += positions;
                *counted += positions;
            }
            progress(&json(&row));
            rows.push(row);
        }
    }
    let mut most: Vec<(Reverse<u64>, Shape)> =
        by_shape.iter().zip(&share).map(|(&positions, (shape, _))| (Reverse(positions), *shape)).collect();
    most.sort_unstable();
    let named = |&(Reverse(positions), shape): &(Reverse<u64>, Shape)| ShapeDocument {
        shape: shape.to_string(),
        positions,
    };
    let is_published = *game == Game::whole(Rules::default()) && *doves == ALL_DOVES;
    json(&CountedDocument {
        program: PROGRAM,
        version: VERSION,
        format: FORMAT,
        game: GameDocument::of(game),
        category: category.name(),
        rows,
        shapes: most.iter().take(*shapes).map(named).collect(),
        published: published::total(*category, game.rules).filter(|_| is_published),
    })
}
