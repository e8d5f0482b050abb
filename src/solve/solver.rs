//! Round after round until nothing changes, and what is known then.

use std::time::{Duration, Instant};

use super::changes::{Changes, GroupChanges};
use super::counts::{Counts, draws, total};
use super::gather::Board;
use super::index::Place;
use super::layout::{Block, Layout};
use super::placements;
use super::rounds::{Candidates, Plane, Rounds, as_they_are, remove, wins_at_once};
use super::sets::GroupSets;
use crate::retrograde::Value;
use crate::rules::{self, Color, Game};
use crate::solution::Solution;

/// Bytes of the actions on a boss placement, and of those that lead to it: up to 1,900 in all games measured, and what comes and goes while
/// they are gathered.
const ACTIONS_BYTES: u64 = 2_500;

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

    /// Whether the distances of positions with this many doves, bosses included, are known.
    fn knows_distances(&self, _doves: u32) -> bool {
        self.solution().has_distances
    }

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

/// About how many bytes solving a game takes.
pub fn memory(game: &Game, options: Options) -> u64 {
    let plane = Layout::new(*game).plane_bytes();
    plane + if options.distances { plane } else { plane * 5 / 4 } + actions_bytes(game)
}

/// About how many bytes the actions take.
pub(super) fn actions_bytes(game: &Game) -> u64 {
    placements::counts(game.most_doves() - 2).iter().sum::<usize>() as u64 * ACTIONS_BYTES
}

/// A solved game in memory.
struct Tables {
    board: Board,
    /// All wins.
    wins: Plane,
    /// What each round found, but for the wins by an action that ends the game. Empty without distances.
    history: Vec<Found>,
    /// For each group of each class a bit for each block in which there are losses: most have none. Nothing without distances.
    lost_blocks: Vec<Vec<Vec<u64>>>,
    solution: Solution,
    rounds: u32,
    has_distances: bool,
    /// Without distances, all losses.
    losses: Option<Plane>,
}

/// What a round found: the positions won, and those lost, in as many plies as its number.
struct Found {
    wins: Changes,
    losses: Changes,
}

/// Solves a game. `each` is told of every round.
pub fn solve(game: Game, options: Options, each: &(dyn Fn(Round) + Sync)) -> Box<dyn Solved> {
    let started = Instant::now();
    let board = Board::new(game);
    let layout = &board.index.layout;
    let classes: Vec<usize> = (0..layout.classes.len()).collect();
    let groups = layout.groups(&classes);
    let rounds = Rounds { board: &board, groups: &groups };
    let count = |changes: &Changes, value| {
        let mut raw = Counts::new();
        raw.add(&board.index, changes);
        raw.rows(layout, value)
    };
    let find_wins =
        |plane: &Plane, losses: &Changes| Changes::of(layout, &groups, rounds.wins(plane, losses, &as_they_are));
    let find_losses = |plane: &Plane, candidates: Candidates<'_, Changes>| {
        Changes::of(layout, &groups, rounds.losses(plane, candidates, &as_they_are))
    };
    let mut rows = Vec::new();
    let mut wins = Plane::empty(layout, &classes);
    let mut lost_plane = (!options.distances).then(|| Plane::empty(layout, &classes));
    let [stuck, lost] = wins.begin(&board, &classes);
    let added = find_wins(&wins, &stuck);
    wins.add(layout, &added);
    let mut raw = Counts::new();
    raw.add_plane(&board.index, &classes, &wins);
    let won = raw.rows(layout, Value::Win(1));
    let lost_at_once = [count(&stuck, Value::Lose(0)), count(&lost, Value::Lose(1))].concat();
    each(Round { number: 1, wins: total(&won), losses: total(&lost_at_once), elapsed: started.elapsed() });
    rows.extend(won.into_iter().chain(lost_at_once));

    let mut history = vec![Found { wins: Changes::none(layout), losses: stuck }, Found { wins: added, losses: lost }];
    let mut last = 1;
    for number in 2.. {
        let before = history.last().expect("there is a first round");
        let candidates = if number == 2 { Candidates::All } else { Candidates::Before(&before.wins) };
        let found = Found { wins: find_wins(&wins, &before.losses), losses: find_losses(&wins, candidates) };
        wins.add(layout, &found.wins);
        if let Some(plane) = &mut lost_plane {
            for found in history.drain(..) {
                plane.add(layout, &found.losses);
            }
        }
        if found.wins.is_empty() && found.losses.is_empty() {
            break;
        }
        last = number;
        let (new_wins, new_losses) =
            (count(&found.wins, Value::Win(number)), count(&found.losses, Value::Lose(number)));
        each(Round { number, wins: total(&new_wins), losses: total(&new_losses), elapsed: started.elapsed() });
        rows.extend(new_wins);
        rows.extend(new_losses);
        history.push(found);
    }
    rows.extend(draws(&board.index, &classes, &rows));
    let solution = Solution::new(options.distances, rows);
    let has_distances = options.distances;
    let lost_blocks = blocks_with_losses(layout, &history);
    Box::new(Tables { board, wins, history, lost_blocks, solution, rounds: last, has_distances, losses: lost_plane })
}

/// For each group of each class a bit for each block in which a round found losses.
fn blocks_with_losses(layout: &Layout, history: &[Found]) -> Vec<Vec<Vec<u64>>> {
    let of_group = |class: usize, group: usize| {
        let mut blocks = vec![0; layout.classes[class].group_blocks(group).div_ceil(64)];
        for found in history {
            let marks = found.losses.groups[class][group].marks();
            blocks.iter_mut().zip(marks).for_each(|(blocks, marks)| *blocks |= *marks);
        }
        blocks
    };
    let classes = layout.classes.iter().enumerate();
    classes.map(|(class, at)| (0..at.groups()).map(|group| of_group(class, group)).collect()).collect()
}

/// Whether a place has its bit in the rows of its block.
fn has_bit(rows: &[u8], place: Place, row_bytes: usize) -> bool {
    rows[place.row * row_bytes + place.bit / 8] >> (place.bit % 8) & 1 == 1
}

impl Tables {
    fn value_at(&self, place: Place) -> Value {
        let class = &self.board.index.layout.classes[place.block.class];
        let among = |changes: &Changes| {
            changes.get(class, place.block).is_some_and(|changed| changed.has(place.row, place.bit))
        };
        let in_plane = |plane: &Plane| has_bit(plane.block(class, place.block), place, class.row_bytes);
        let numbered = || (0..).zip(&self.history);
        if in_plane(&self.wins) {
            let at_once = wins_at_once(&self.board.view(place.block)) >> place.bit & 1 == 1;
            let found =
                if at_once { Some(1) } else { numbered().find(|(_, found)| among(&found.wins)).map(|(n, _)| n) };
            return Value::Win(found.unwrap_or(0));
        }
        if let Some(plane) = &self.losses {
            return if in_plane(plane) { Value::Lose(0) } else { Value::Draw };
        }
        let number = class.number_in_group(place.block);
        let lost = &self.lost_blocks[place.block.class][class.group_of(place.block)];
        if lost[number / 64] >> (number % 64) & 1 == 0 {
            return Value::Draw;
        }
        numbered().find(|(_, found)| among(&found.losses)).map_or(Value::Draw, |(number, _)| Value::Lose(number))
    }
}

impl Solved for Tables {
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
        let won = || {
            layout.classes.iter().enumerate().find_map(|(class, at)| {
                let mut blocks = self.wins.blocks(class).chunks(at.block_bytes()).enumerate();
                blocks.find_map(|(number, rows)| {
                    Place::first_of(layout, class, number, rows.chunks(at.row_bytes).enumerate())
                })
            })
        };
        let found = self.history.last()?;
        // The wins in 1 are in the plane.
        let wins = if self.rounds == 1 { won() } else { found.wins.first(layout) };
        let found = wins.or_else(|| found.losses.first(layout))?;
        let (board, mover) = self.board.index.position(found);
        Some(Longest { board, mover, value: self.value_at(found) })
    }

    fn bytes(&self) -> u64 {
        let planes = 1 + u64::from(self.losses.is_some());
        let sets = self.history.iter().map(|found| found.wins.bytes() + found.losses.bytes()).sum::<u64>();
        planes * self.board.index.layout.plane_bytes() + sets
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
        let at = &self.layout().classes[class];
        let mut sets = GroupSets::new(at, group);
        let bytes = at.group_blocks(group) * at.block_bytes();
        let of_group = |plane: &Plane| plane.blocks(class)[group * at.group_bytes()..][..bytes].to_vec();
        let packed = |rows: &[u8]| GroupChanges::packed(rows, at, group);
        // Wins in 1 are those that no later round has found.
        let mut first = of_group(&self.wins);
        if self.has_distances {
            let later = self.history.iter().skip(2).map(|found| &found.wins.groups[class][group]);
            later.for_each(|later| remove(at, &mut first, later));
        } else {
            let mut later = first.clone();
            for (number, rows) in first.chunks_exact_mut(at.block_bytes()).enumerate() {
                let placement = group * at.group + number / at.sets;
                let at_once = wins_at_once(&self.board.view(Block { class, placement, set: number % at.sets }));
                let at_once = at_once.to_le_bytes();
                rows.iter_mut().zip(at_once[..at.row_bytes].iter().cycle()).for_each(|(byte, once)| *byte &= *once);
            }
            later.iter_mut().zip(&first).for_each(|(byte, first)| *byte &= !*first);
            sets.push(Value::Win(0), packed(&later));
        }
        sets.push(Value::Win(1), packed(&first));
        for (number, found) in (0..).zip(&self.history) {
            // The wins of round 1, by leaving no action, are among those above.
            if number != 1 {
                sets.push(Value::Win(number), found.wins.groups[class][group].clone());
            }
            sets.push(Value::Lose(number), found.losses.groups[class][group].clone());
        }
        if let Some(plane) = &self.losses {
            sets.push(Value::Lose(0), packed(&of_group(plane)));
        }
        sets
    }
}
