//! Random positions of a game, each equally likely.
//!
//! On one shape every position has the same number of assignments (see [`Shape`]). So a shape is drawn with
//! its number of positions as weight, then the bosses' cells and the other doves, every assignment equally
//! likely. A board with a surrounded boss is rejected, which keeps the distribution uniform. If the players
//! have different dove sets, each is to move with probability one half.

use std::ops::RangeInclusive;

use dovemate::random::Random;
use dovemate::rules::{Board, Cell, Color, Dove, Game, Kind};
use dovemate::shapes::{Cells, Shape};

/// A source of random positions.
///
/// ```
/// use dovemate::Game;
/// use dovemate_analysis::Draw;
///
/// let mut draw = Draw::new(Game::default(), 5..=8, 2022);
/// let (board, mover) = draw.position();
/// assert!((5..=8).contains(&board.doves().count()));
/// println!("{board}, {mover} to move: one of {}", draw.total());
/// ```
#[derive(Debug)]
pub struct Draw {
    is_even: bool,
    /// The doves of the game other than bosses.
    others: Vec<Dove>,
    /// The cells of each shape, with the number of positions up to and including it.
    shapes: Vec<(Cells, u64)>,
    random: Random,
}

impl Draw {
    /// A source of positions whose number of doves is in the range; the same seed gives the same positions.
    pub fn new(game: Game, doves: RangeInclusive<u32>, seed: u64) -> Draw {
        let is_in_game = |dove: &Dove| dove.kind != Kind::Boss && game.doves(dove.color).contains(dove.kind);
        let others: Vec<Dove> = Dove::all().filter(is_in_game).collect();
        let mut total = 0;
        let mut shapes = Vec::new();
        for shape in Shape::all().into_iter().filter(|shape| doves.contains(&shape.doves())) {
            let bosses = u64::from(shape.doves() * (shape.doves() - 1));
            let slots = u64::from(shape.doves() - 2);
            let ways: u64 = (0..slots).map(|filled| (others.len() as u64).saturating_sub(filled)).product();
            total += shape.positions(bosses * ways);
            shapes.push((shape.cells, total));
        }
        Draw { is_even: game.is_even(), others, shapes, random: Random::new(seed) }
    }

    /// The size of the population that is drawn from, rejected positions included; each position is counted for one
    /// player to move.
    pub fn total(&self) -> u64 {
        self.shapes.last().map_or(0, |(_, total)| *total)
    }

    /// A position: a board without a surrounded boss, and the player to move, who is red if both have the
    /// same dove set.
    ///
    /// # Panics
    /// If there is no position to draw.
    pub fn position(&mut self) -> (Board, Color) {
        loop {
            let total = self.total();
            let number = self.random.below(total);
            let shape = self.shapes.partition_point(|&(_, end)| end <= number);
            let mut cells: Vec<Cell> = self.shapes[shape].0.iter().map(Cell::from_number).collect();
            let mover = if self.is_even { Color::Red } else { Color::ALL[self.random.below(2) as usize] };
            let mut others = self.others.clone();
            let mut doves = Vec::with_capacity(cells.len());
            for color in Color::ALL {
                doves.push((Dove::new(color, Kind::Boss), self.take(&mut cells)));
            }
            while !cells.is_empty() {
                doves.push((self.take(&mut others), self.take(&mut cells)));
            }
            let board = Board::new(doves).expect("doves on a shape are a board");
            if Color::ALL.into_iter().all(|color| !board.is_surrounded(color)) {
                return (board, mover);
            }
        }
    }

    /// Removes one item, each equally likely.
    fn take<T>(&mut self, from: &mut Vec<T>) -> T {
        from.swap_remove(self.random.below(from.len() as u64) as usize)
    }
}
