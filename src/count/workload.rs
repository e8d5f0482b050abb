//! The work list of a count: its shapes and boss placements, in a fixed order, and which players may be to move.
//!
//! Positions are counted from the mover's point of view. So if the players have different dove sets there are
//! two counts on each boss placement, with red and with green to move. Shapes, boss placements and weights
//! are those of Tokyo Doves in every game, and the enclosure prune holds whatever doves are on the board and in hand
//! (`count/tests/games.rs` checks boss placements that it drops: under the default rules every third, or all if asked
//! for; under the others fewer).

use std::ops::{Range, RangeInclusive};

use super::{Category, Counter, Question, Sides};
use crate::rules::{Color, Game};
use crate::shapes::deals::MAX_SLOTS;
use crate::shapes::{BossPlacement, Shape};

/// The shapes whose number of doves is in a range, and their boss placements. For mates the enclosure prune drops
/// placements on which there can be none; for the other categories all are kept.
#[derive(Debug)]
pub struct Workload {
    /// The shapes, each with the range of its boss placements.
    shapes: Vec<(Shape, Range<usize>)>,
    /// The boss placements, shape by shape.
    pub placements: Vec<BossPlacement>,
    pub(crate) category: Category,
    turns: Vec<Turn>,
}

/// A player to move, and the doves of both players from that player's point of view.
#[derive(Debug)]
pub struct Turn {
    /// The player to move; `None` if both have the same dove set, so that it makes no difference.
    pub mover: Option<Color>,
    /// The doves of the mover and of the opponent.
    pub(crate) sides: Sides,
    /// The number of assignments to a boss placement, by its number of slots.
    assignments: [u64; MAX_SLOTS + 1],
}

impl Turn {
    fn of(game: &Game, mover: Option<Color>) -> Turn {
        let sides = Sides::of(game, mover.unwrap_or(Color::Red));
        Turn { mover, sides, assignments: std::array::from_fn(|slots| sides.assignments(slots as u32)) }
    }

    /// A counter for this turn.
    pub fn counter(&self, question: Question) -> Counter {
        Counter::with(question, self.sides)
    }

    /// The number of assignments to these boss placements.
    pub fn assignments_on(&self, placements: &[BossPlacement]) -> u64 {
        placements.iter().map(|placement| self.assignments(placement.slots())).sum()
    }

    /// The number of assignments to a boss placement with this many slots.
    pub fn assignments(&self, slots: u32) -> u64 {
        self.assignments[slots as usize]
    }
}

impl Workload {
    /// All shapes of Tokyo Doves whose number of doves is in the range.
    pub fn new(doves: &RangeInclusive<u32>, category: Category) -> Workload {
        Workload::of(&Game::default(), doves, category)
    }

    /// All shapes of a game whose number of doves is in the range.
    pub fn of(game: &Game, doves: &RangeInclusive<u32>, category: Category) -> Workload {
        let is_counted = |shape: &Shape| doves.contains(&shape.doves()) && shape.doves() <= game.most_doves();
        let (mut shapes, mut placements) = (Vec::new(), Vec::new());
        for shape in Shape::all().into_iter().filter(is_counted) {
            let first = placements.len();
            placements.extend(BossPlacement::all(&shape).filter(|placement| category.may_be_on(placement)));
            shapes.push((shape, first..placements.len()));
        }
        let movers = if game.is_even() { vec![None] } else { Color::ALL.map(Some).to_vec() };
        let turns = movers.into_iter().map(|mover| Turn::of(game, mover)).collect();
        Workload { shapes, placements, category, turns }
    }

    /// One turn for each player to move, red first; a single turn if both players have the same doves.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The boss placements with up to this many doves. They come first, because shapes are ordered by number of doves.
    pub(crate) fn up_to(&self, doves: u32) -> &[BossPlacement] {
        &self.placements[..self.placements.partition_point(|placement| placement.slots() + 2 <= doves)]
    }

    /// The total number of assignments.
    pub fn assignments(&self) -> u64 {
        self.turns.iter().map(|turn| turn.assignments_on(&self.placements)).sum()
    }

    /// The number of positions on each shape, summed over the players to move. `counts` has the counts on all boss
    /// placements, turn by turn, in the order of the placements.
    ///
    /// # Panics
    /// If the number of counts differs from the number of boss placements in all turns, or a shape's counts do
    /// not make a whole number of positions.
    pub(crate) fn by_shape(&self, counts: &[u64]) -> Vec<(Shape, u64)> {
        let by_turn: Vec<&[u64]> = self.by_turn(counts).map(|(_, counts)| counts).collect();
        let positions = |shape: &Shape, placements: Range<usize>| {
            by_turn.iter().map(|counts| shape.positions(counts[placements.clone()].iter().sum())).sum()
        };
        self.shapes().map(|(shape, placements)| (shape, positions(&shape, placements))).collect()
    }

    /// Each turn with its counts, out of the counts of all turns.
    ///
    /// # Panics
    /// If the number of counts differs from the number of boss placements in all turns.
    pub(super) fn by_turn<'a>(&'a self, counts: &'a [u64]) -> impl Iterator<Item = (&'a Turn, &'a [u64])> {
        let each = self.placements.len();
        assert_eq!(counts.len(), self.turns.len() * each, "one count for each boss placement in each turn");
        self.turns.iter().enumerate().map(move |(number, turn)| (turn, &counts[number * each..][..each]))
    }

    /// Each shape with the range of its boss placements.
    pub fn shapes(&self) -> impl Iterator<Item = (Shape, Range<usize>)> {
        self.shapes.iter().cloned()
    }
}
