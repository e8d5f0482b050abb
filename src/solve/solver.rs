//! Round after round until nothing changes, and what is known then.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::changes::Changes;
use super::gather::Board;
use super::index::{Index, Place};
use super::layout::{Block, Layout};
use super::rounds::{self, Candidates, Plane};
use super::sets::GroupSets;
use super::word::Word;
use crate::retrograde::Value;
use crate::rules::{self, Color, Game};
use crate::shapes::canonical::shapes;
use crate::solution::{Row, Solution};

/// Bytes of the actions on a boss placement, and of those that lead to it: a little more than there were in all games measured.
const ACTIONS_BYTES: u64 = 3_500;

/// What is asked of a solver.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether the distance of every position is kept. Without, memory and time are saved, and it is only known who wins.
    pub distances: bool,
}

/// A round that is over.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its number: positions won and lost in so many plies.
    pub number: u32,
    /// Positions won in so many plies.
    pub wins: u64,
    /// Positions lost in so many plies.
    pub losses: u64,
    /// Since the solver began.
    pub elapsed: Duration,
}

/// A position with the greatest distance of its game.
#[derive(Clone, Debug)]
pub struct Longest {
    /// The board.
    pub board: rules::Board,
    /// The player to move.
    pub mover: Color,
    /// The value.
    pub value: Value,
}

/// A solved game, whatever the width of its rows.
pub trait Solved: Send + Sync {
    /// The game.
    fn game(&self) -> Game;

    /// How many positions have which value.
    fn solution(&self) -> &Solution;

    /// Rounds there were in which something was found.
    fn rounds(&self) -> u32;

    /// The value of a position; `None` if it is none of the game. Without distances all wins are *win in 1* if an action wins at once, and
    /// else *win in 0*, losses are *lose in 0*.
    fn value(&self, board: &rules::Board, mover: Color) -> Option<Value>;

    /// A position with the greatest distance; `None` if all are draws, or without distances.
    fn longest(&self) -> Option<Longest>;

    /// Bytes of the planes and sets that are kept.
    fn bytes(&self) -> u64;

    /// How many places there are: every position on every boss placement of every canonical shape.
    fn places(&self) -> u64;

    /// The position with a number below [`Solved::places`].
    fn position(&self, place: u64) -> Option<(rules::Board, Color)>;

    /// Where positions have their places.
    fn layout(&self) -> &Layout;

    /// The values of a group of a class. Without distances, as [`Solved::value`] has them.
    fn group(&self, class: usize, group: usize) -> GroupSets;
}

/// Solves a game. `each` is told of every round.
pub fn solve(game: Game, options: Options, each: &(dyn Fn(Round) + Sync)) -> Box<dyn Solved> {
    match game.red.len().max(game.green.len()) {
        0..=3 => Box::new(Tables::<u8>::solve(game, options, each)),
        4 => Box::new(Tables::<u32>::solve(game, options, each)),
        _ => Box::new(Tables::<u128>::solve(game, options, each)),
    }
}

/// Bytes of a plane.
fn plane_bytes<W>(layout: &Layout) -> u64 {
    (layout.rows() * size_of::<W>()) as u64
}

/// About how many bytes solving a game takes.
pub fn memory(game: &Game, options: Options) -> u64 {
    let Index { layout, placements } = Index::new(*game);
    let plane = match game.red.len().max(game.green.len()) {
        0..=3 => plane_bytes::<u8>(&layout),
        4 => plane_bytes::<u32>(&layout),
        _ => plane_bytes::<u128>(&layout),
    };
    let placements: usize = (0..=placements.most_slots()).map(|slots| placements.with_slots(slots).len()).sum();
    plane + if options.distances { plane * 3 / 4 } else { plane * 5 / 4 } + placements as u64 * ACTIONS_BYTES
}

/// A solved game.
struct Tables<W> {
    board: Board<W>,
    /// All wins.
    wins: Plane<W>,
    /// What each round found, but for the wins by an action that ends the game. Empty without distances.
    history: Vec<Found<W>>,
    solution: Solution,
    rounds: u32,
    has_distances: bool,
    /// Without distances, all losses.
    losses: Option<Plane<W>>,
}

/// What a round found: the positions won, and those lost, in as many plies as its number.
struct Found<W> {
    wins: Changes<W>,
    losses: Changes<W>,
}

/// Positions by mover and shape, counted on every boss placement.
struct Raw {
    counts: [Vec<u64>; 2],
}

impl Raw {
    fn new() -> Raw {
        Raw { counts: [0, 1].map(|_| vec![0; shapes().len()]) }
    }

    /// Adds the bits of some changes.
    fn add<W: Word>(&mut self, board: &Board<W>, changes: &Changes<W>) {
        for (class, groups) in board.index.layout.classes.iter().zip(&changes.groups) {
            let list = board.index.placements.with_slots(class.slots);
            let counts = groups.par_iter().enumerate().map(|(group, changes)| {
                let mut counts: Vec<(u32, u64)> = Vec::new();
                for (number, rows) in changes.blocks(class.rows) {
                    let shape = list[group * class.group + number / class.sets].shape;
                    let bits = rows.iter().map(|row| u64::from(row.count())).sum::<u64>();
                    match counts.last_mut() {
                        Some((last, count)) if *last == shape => *count += bits,
                        _ => counts.push((shape, bits)),
                    }
                }
                counts
            });
            for (shape, count) in counts.collect::<Vec<_>>().into_iter().flatten() {
                self.counts[class.side][shape as usize] += count;
            }
        }
    }

    /// Adds the bits of a plane.
    fn add_plane<W: Word>(&mut self, board: &Board<W>, plane: &Plane<W>) {
        for (class, rows) in board.index.layout.classes.iter().zip(&plane.classes) {
            let list = board.index.placements.with_slots(class.slots);
            let chunks = rows.par_chunks(class.placement_rows());
            let bits: Vec<u64> =
                chunks.map(|rows| rows.iter().map(|row| u64::from(row.count())).sum::<u64>()).collect();
            for (placement, bits) in list.iter().zip(bits) {
                self.counts[class.side][placement.shape as usize] += bits;
            }
        }
    }

    /// All places, whatever their value.
    fn add_all<W: Word>(&mut self, board: &Board<W>) {
        for class in &board.index.layout.classes {
            for placement in board.index.placements.with_slots(class.slots) {
                self.counts[class.side][placement.shape as usize] += (class.placement_rows() * class.width) as u64;
            }
        }
    }

    /// As positions with a value.
    fn rows(&self, layout: &Layout, value: Value) -> Vec<Row> {
        let sides = self.counts.iter().enumerate();
        sides
            .flat_map(|(side, counts)| {
                let counted = shapes().iter().zip(counts).filter(|(_, raw)| **raw > 0);
                counted.map(move |(shape, &raw)| {
                    let positions = shape.positions(raw);
                    Row { mover: layout.mover(side), doves: shape.doves(), value, positions }
                })
            })
            .collect()
    }
}

fn total(rows: &[Row]) -> u64 {
    rows.iter().map(|row| row.positions).sum()
}

impl<W: Word> Tables<W> {
    fn solve(game: Game, options: Options, each: &(dyn Fn(Round) + Sync)) -> Tables<W> {
        let started = Instant::now();
        let board: Board<W> = Board::new(game);
        let layout = &board.index.layout;
        let count = |changes: &Changes<W>, value| {
            let mut raw = Raw::new();
            raw.add(&board, changes);
            raw.rows(layout, value)
        };
        let mut rows = Vec::new();
        let mut wins = Plane::empty(layout);
        let mut lost_plane = (!options.distances).then(|| Plane::empty(layout));
        let [stuck, lost] = rounds::immediate(&board, &mut wins);
        let added = rounds::wins(&board, &wins, &stuck);
        wins.add(layout, &added);
        let mut raw = Raw::new();
        raw.add_plane(&board, &wins);
        rows.extend(raw.rows(layout, Value::Win(1)));
        rows.extend(count(&stuck, Value::Lose(0)));
        rows.extend(count(&lost, Value::Lose(1)));
        each(Round { number: 1, wins: total(&rows), losses: 0, elapsed: started.elapsed() });

        let mut history =
            vec![Found { wins: Changes::none(layout), losses: stuck }, Found { wins: added, losses: lost }];
        let mut rounds = 1;
        for number in 2.. {
            let before = history.last().expect("there is a first round");
            let found = Found {
                wins: rounds::wins(&board, &wins, &before.losses),
                losses: rounds::losses(
                    &board,
                    &wins,
                    match number {
                        2 => Candidates::All,
                        _ => Candidates::Before(&before.wins),
                    },
                ),
            };
            wins.add(layout, &found.wins);
            if let Some(plane) = &mut lost_plane {
                for found in history.drain(..) {
                    plane.add(layout, &found.losses);
                }
            }
            if found.wins.is_empty() && found.losses.is_empty() {
                break;
            }
            rounds = number;
            let (new_wins, new_losses) =
                (count(&found.wins, Value::Win(number)), count(&found.losses, Value::Lose(number)));
            each(Round { number, wins: total(&new_wins), losses: total(&new_losses), elapsed: started.elapsed() });
            rows.extend(new_wins);
            rows.extend(new_losses);
            history.push(found);
        }
        rows.extend(draws(&board, &rows));
        let solution = Solution::new(options.distances, rows);
        Tables { board, wins, history, solution, rounds, has_distances: options.distances, losses: lost_plane }
    }

    fn value_at(&self, place: Place) -> Value {
        let layout = &self.board.index.layout;
        let has_bit = |rows: &[W]| rows[place.row] & W::bit(place.bit) != W::ZERO;
        let among = |changes: &Changes<W>| changes.get(layout, place.block).is_some_and(has_bit);
        let numbered = || (0..).zip(&self.history);
        if has_bit(self.wins.block(layout, place.block)) {
            let at_once = rounds::wins_at_once(&self.board.view(place.block)) & W::bit(place.bit) != W::ZERO;
            let found =
                if at_once { Some(1) } else { numbered().find(|(_, found)| among(&found.wins)).map(|(n, _)| n) };
            return Value::Win(found.unwrap_or(0));
        }
        if let Some(plane) = &self.losses {
            return if has_bit(plane.block(layout, place.block)) { Value::Lose(0) } else { Value::Draw };
        }
        numbered().find(|(_, found)| among(&found.losses)).map_or(Value::Draw, |(number, _)| Value::Lose(number))
    }
}

/// The positions that are neither won nor lost.
fn draws<W: Word>(board: &Board<W>, decided: &[Row]) -> Vec<Row> {
    let mut all = Raw::new();
    all.add_all(board);
    let all = Solution::new(false, all.rows(&board.index.layout, Value::Draw));
    let draws = all.rows().iter().map(|row| {
        let same = decided.iter().filter(|other| (other.mover, other.doves) == (row.mover, row.doves));
        Row { positions: row.positions - same.map(|row| row.positions).sum::<u64>(), ..*row }
    });
    draws.collect()
}

impl<W: Word> Solved for Tables<W> {
    fn game(&self) -> Game {
        self.board.index.layout.game
    }

    fn solution(&self) -> &Solution {
        &self.solution
    }

    fn rounds(&self) -> u32 {
        self.rounds
    }

    fn value(&self, board: &rules::Board, mover: Color) -> Option<Value> {
        self.board.index.place(board, mover).map(|place| self.value_at(place))
    }

    fn longest(&self) -> Option<Longest> {
        if !self.has_distances {
            return None;
        }
        let layout = &self.board.index.layout;
        let first = |changes: &Changes<W>| {
            layout.classes.iter().zip(&changes.groups).enumerate().find_map(|(index, (class, groups))| {
                groups.iter().enumerate().find_map(|(group, changes)| {
                    let (number, rows) = changes.blocks(class.rows).next()?;
                    let (row, bits) = rows.iter().enumerate().find(|(_, row)| **row != W::ZERO)?;
                    let placement = group * class.group + number / class.sets;
                    let block = Block { class: index, placement, set: number % class.sets };
                    Some(Place { block, row, bit: bits.first() })
                })
            })
        };
        let found = self.history.last()?;
        let found = first(&found.wins).or_else(|| first(&found.losses)).or_else(|| {
            // Nothing but wins at once.
            let class = self.wins.classes.iter().position(|rows| rows.iter().any(|row| *row != W::ZERO))?;
            let at = &layout.classes[class];
            let row = self.wins.classes[class].iter().position(|row| *row != W::ZERO)?;
            let (block, placement) = (row / at.rows % at.sets, row / at.placement_rows());
            let bit = self.wins.classes[class][row].first();
            Some(Place { block: Block { class, placement, set: block }, row: row % at.rows, bit })
        })?;
        let (board, mover) = self.board.index.position(found);
        Some(Longest { board, mover, value: self.value_at(found) })
    }

    fn bytes(&self) -> u64 {
        let planes = 1 + u64::from(self.losses.is_some());
        let sets = self.history.iter().map(|found| found.wins.bytes() + found.losses.bytes()).sum::<u64>();
        planes * plane_bytes::<W>(&self.board.index.layout) + sets
    }

    fn places(&self) -> u64 {
        self.board.index.places()
    }

    fn position(&self, place: u64) -> Option<(rules::Board, Color)> {
        self.board.index.nth_place(place).map(|place| self.board.index.position(place))
    }

    fn layout(&self) -> &Layout {
        &self.board.index.layout
    }

    fn group(&self, class: usize, group: usize) -> GroupSets {
        let layout = self.layout();
        let at = &layout.classes[class];
        let mut sets = GroupSets::new(at, group);
        let group_rows = at.group * at.placement_rows();
        let own_rows = group * group_rows..at.total_rows().min((group + 1) * group_rows);
        // Wins in 1: those that no later round has found.
        let mut first = self.wins.classes[class][own_rows.clone()].to_vec();
        let mut take = |block: usize, rows: &[W]| {
            first[block * at.rows..].iter_mut().zip(rows).for_each(|(row, later)| *row &= !*later);
        };
        for found in self.history.iter().skip(2) {
            found.wins.groups[class][group].blocks(at.rows).for_each(|(block, rows)| take(block, rows));
        }
        if !self.has_distances {
            for (number, rows) in self.wins.classes[class][own_rows.clone()].chunks(at.rows).enumerate() {
                let placement = group * at.group + number / at.sets;
                let view = self.board.view(Block { class, placement, set: number % at.sets });
                let at_once = rounds::wins_at_once(&view);
                let later: Vec<W> = rows.iter().map(|row| *row & !at_once).collect();
                take(number, &later);
                sets.push(Value::Win(0), number, &later);
            }
        }
        first.chunks(at.rows).enumerate().for_each(|(block, rows)| sets.push(Value::Win(1), block, rows));
        for (number, found) in (0..).zip(&self.history) {
            for (value, changes) in [(Value::Win(number), &found.wins), (Value::Lose(number), &found.losses)] {
                // Round 1 finds wins by leaving no action; the plane has had them above.
                if value != Value::Win(1) {
                    let changes = &changes.groups[class][group];
                    changes.blocks(at.rows).for_each(|(block, rows)| sets.push(value, block, rows));
                }
            }
        }
        if let Some(plane) = &self.losses {
            let blocks = plane.classes[class][own_rows].chunks(at.rows).enumerate();
            blocks.for_each(|(block, rows)| sets.push(Value::Lose(0), block, rows));
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    /// Rows of another width have more bits that are not used, and other transpositions, and the same values.
    #[test]
    fn the_width_of_rows_changes_nothing() {
        fn solved<W: Word>(game: Game) -> (Solution, Vec<Value>) {
            let tables = Tables::<W>::solve(game, Options { distances: true }, &|_| {});
            let places = (0..tables.places()).step_by(7).map(|place| tables.board.index.nth_place(place));
            let values = places.map(|place| tables.value_at(place.expect("a place of the game"))).collect();
            (tables.solution, values)
        }
        for (red, green) in [("AT", "YH"), ("AYM", "T"), ("MH", "MH")] {
            let set = |text: &str| text.parse().expect("a dove set");
            let game = Game { red: set(red), green: set(green), rules: Rules::default() };
            let narrow = solved::<u8>(game);
            assert!(narrow == solved::<u32>(game), "{game}: 32 bits");
            assert!(narrow == solved::<u128>(game), "{game}: 128 bits");
        }
    }
}
