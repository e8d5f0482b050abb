//! A count of mates, wins in one or stuck positions, or the share of a count that a page's worker computes.

use std::cmp::Reverse;
use std::error::Error;
use std::ops::{Range, RangeInclusive};

use serde::Serialize;

use crate::documents::AboutGame;
use crate::reply::{Refused, Reply, json};
use crate::texts::Language;
use dovemate::count::{ALL_DOVES, Counter, Method, Question, Workload, published};
use dovemate::rules::{Game, Rules};
use dovemate::shapes::BossPlacement;
use dovemate::{Category, RunError, Shape, Tally, TallyRow};

/// The parameters of a count, or of a share of one.
#[derive(Clone, Debug, PartialEq)]
pub struct CountQuestion {
    /// The doves and the rules.
    pub game: Game,
    /// The category of positions.
    pub category: Category,
    /// The method. A count by the exhaustive method is compared with the factored count on every boss placement.
    pub method: Method,
    /// The numbers of doves on the board.
    pub doves: RangeInclusive<u32>,
    /// The number of this share, from 1.
    pub part: u32,
    /// The number of shares.
    pub parts: u32,
    /// How many shapes to name, from the one with the most positions.
    pub shapes: usize,
}

/// A count by number of doves.
#[derive(Serialize)]
struct CountedDocument {
    category: &'static str,
    method: &'static str,
    rows: Vec<TallyRow>,
    /// The shapes with the most positions, summed over the players to move.
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

/// Several counts, added up.
#[derive(Serialize)]
struct SumDocument {
    rows: Vec<TallyRow>,
    total: TallyRow,
    csv: String,
}

/// Computes a share of a count. `progress` receives each row as soon as it is known.
///
/// # Errors
/// If the two methods differ on a boss placement.
pub fn count(question: &CountQuestion, language: Language, progress: fn(&str)) -> Reply {
    let CountQuestion { game, category, method, doves, part, parts, shapes } = question;
    let workload = Workload::of(game, doves, *category);
    // A share is every n-th shape, because neighbouring shapes take about equally long.
    let share = workload.shapes().enumerate().filter(|(index, _)| *index as u32 % parts == part - 1);
    let share: Vec<(Shape, Range<usize>)> = share.map(|(_, shape)| shape).collect();
    let (mut rows, mut positions) = (Vec::new(), vec![0; share.len()]);
    for turn in workload.turns() {
        let counter = |method| turn.counter(Question { category: *category, rules: game.rules, method });
        let mut counters = (counter(Method::Factored), counter(*method));
        let mut positions = positions.iter_mut();
        for of_same_doves in share.chunk_by(|(shape, _), (next, _)| shape.doves() == next.doves()) {
            let mut by_shape = Vec::with_capacity(of_same_doves.len());
            for ((shape, placements), positions) in of_same_doves.iter().zip(positions.by_ref()) {
                let placements = &workload.placements[placements.clone()];
                let counts = placements.iter().map(|placement| compared(&mut counters, placement));
                let counts = counts.collect::<Result<Vec<u64>, _>>();
                let counts = counts.map_err(|error| Refused::Failed(language.error(&error)))?;
                let row = TallyRow::of(turn, shape, &counts);
                *positions += row.positions;
                by_shape.push(row);
            }
            for row in Tally::of(*category, by_shape).rows {
                progress(&json(&row));
                rows.push(row);
            }
        }
    }
    let mut most: Vec<(u64, Shape)> =
        positions.into_iter().zip(share.iter().map(|(shape, _)| *shape)).collect();
    most.sort_unstable_by_key(|&(positions, shape)| (Reverse(positions), shape));
    let named = |&(positions, shape): &(u64, Shape)| ShapeDocument { shape: shape.to_string(), positions };
    let is_published = *game == Game::whole(Rules::default()) && *doves == ALL_DOVES;
    let counted = CountedDocument {
        category: category.name(),
        method: method.name(),
        rows,
        shapes: most.iter().take(*shapes).map(named).collect(),
        published: published::total(*category, game.rules).filter(|_| is_published),
    };
    Ok(json(&AboutGame::new(game, counted)))
}

/// The count on a boss placement with the factored method. If the other counter is exhaustive, it must agree.
fn compared((factored, other): &mut (Counter, Counter), placement: &BossPlacement) -> Result<u64, RunError> {
    let factored = factored.count(placement);
    let exhaustive = if other.method() == Method::Factored { factored } else { other.count(placement) };
    if factored == exhaustive {
        return Ok(factored);
    }
    Err(RunError::Contradiction { placement: placement.to_string(), factored, exhaustive })
}

/// Adds up `rows`, the JSON rows of several shares of a count of a category. Returns `rows`, `total` and `csv` as JSON.
///
/// # Errors
/// If `rows` is not a list of rows, or there is no such category.
pub fn sum(category: &str, rows: &str) -> Result<String, Box<dyn Error>> {
    let rows: Vec<TallyRow> = serde_json::from_str(rows)?;
    let tally = Tally::of(category.parse()?, rows);
    let mut csv = Vec::new();
    tally.write_csv(&mut csv)?;
    let (total, csv) = (tally.total(), String::from_utf8(csv)?);
    Ok(json(&SumDocument { rows: tally.rows, total, csv }))
}
