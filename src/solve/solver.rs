//! The solver in memory: rounds until nothing changes, and the solved game.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::actions::block_actions::CompiledGame;
use super::bounds::{Bound, Bounds, Watch, held_bytes};
use super::rounds::counts::{Counts, draws, total};
use super::rounds::round::{Candidates, Rounds, WinBits, add, as_they_are, remove, wins_at_once};
use super::solved::from_wins;
use super::solved::{Longest, Row, Solution, Solved};
use super::space::changes::{Changes, SparseBits};
use super::space::deals::MAX_KINDS;
use super::space::index::{Index, Place};
use super::space::layout::{Block, Layout};
use super::space::placements;
use super::space::sets::GroupValues;
use crate::retrograde::Value;
use crate::rules::{self, Color, Game};

/// Bytes of a process before it solves anything, and what its allocator keeps when many threads are at work.
const PROCESS_BYTES: u64 = 24 << 20;
/// Bytes that each thread works with, most of them while tables are compressed.
const THREAD_BYTES: u64 = 12 << 20;
/// Bytes per boss placement for its actions, the arrivals at it, and temporary memory while they are built: a fixed
/// part, …
const ACTIONS_BYTES: u64 = 450;
/// … and a part for each slot, at the game's greatest number of slots.
const ACTIONS_BYTES_A_SLOT: u64 = 160;
/// Bytes of the tables that renumber the deals of five kinds; those of fewer are small.
const ORDERS_BYTES: u64 = 20 << 20;
/// The results of all rounds take at least this fraction of the win bits, as a divisor.
const DISTANCES_SHARE: u64 = 5;
/// Without distances, the results that are held at one time take at least this fraction of the win bits, as a divisor.
const VALUES_SHARE: u64 = 20;

/// Options of the solver.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether the distance of every position is kept. Without distances only the winner is known, with less memory and
    /// time.
    pub distances: bool,
}

/// A finished round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its number: the distance in plies of the positions that it finds.
    pub number: u32,
    /// Positions won in that many plies.
    pub wins: u64,
    /// Positions lost in that many plies.
    pub losses: u64,
    /// Time since the solver started.
    pub elapsed: Duration,
}

/// The least memory that solving a game takes, in bytes: what is held from the start, and what rounds found at least in
/// all games measured but the tiniest. Where players have unequal dove sets, rounds can find several times as much.
pub fn memory(game: &Game, options: Options) -> u64 {
    let plane = Layout::new(*game).plane_bytes();
    let found = if options.distances { plane / DISTANCES_SHARE } else { plane / VALUES_SHARE };
    fixed_bytes(game) + plane + found
}

/// Roughly the bytes that the process takes, whatever is found.
pub(crate) fn fixed_bytes(game: &Game) -> u64 {
    let slots = game.most_doves() - 2;
    let placements = placements::counts(slots).iter().sum::<usize>() as u64;
    let orders = if game.red.len().max(game.green.len()) == MAX_KINDS as u32 { ORDERS_BYTES } else { 0 };
    PROCESS_BYTES + threads_bytes() + orders + placements * (ACTIONS_BYTES + u64::from(slots) * ACTIONS_BYTES_A_SLOT)
}

/// The same once the actions are built, from what the process takes then, if that is known.
pub(crate) fn fixed_bytes_now(game: &Game, bounds: Bounds) -> u64 {
    let taken = bounds.taken.map(|taken| taken()).filter(|&bytes| bytes > 0);
    taken.map_or_else(|| fixed_bytes(game), |bytes| bytes + threads_bytes())
}

/// Bytes that all threads work with.
fn threads_bytes() -> u64 {
    rayon::current_num_threads() as u64 * THREAD_BYTES
}

/// The results of a round: the positions won, and those lost, in as many plies as its number.
struct Found {
    wins: Changes,
    losses: Changes,
}

impl Found {
    /// Bytes of the results.
    fn bytes(&self) -> u64 {
        changes_bytes(&self.wins) + changes_bytes(&self.losses)
    }
}

/// Bytes of some changes.
fn changes_bytes(changes: &Changes) -> u64 {
    changes.groups.iter().flatten().map(held_bytes).sum()
}

/// A game with some rounds found.
struct Begun {
    board: CompiledGame,
    /// All wins.
    wins: WinBits,
    /// The results of each round, without the wins by an action that ends the game; without distances, those of the
    /// last round only.
    history: Vec<Found>,
    /// The positions found so far, of each value.
    rows: Vec<Row>,
}

/// The rounds of an unsolved game, as far as they are held.
#[cfg_attr(not(feature = "tables"), expect(dead_code, reason = "rounds become files where there are tables"))]
pub(crate) trait HeldRounds: Send + Sync {
    /// The positions found so far, of each value.
    fn rows(&self) -> &[Row];

    /// The positions of the game.
    fn index(&self) -> Arc<Index>;

    /// The positions of a group with a value that whole rounds have found, provided that the results of later rounds
    /// are still held.
    fn found(&self, value: Value, class: usize, group: usize) -> SparseBits;

    /// Drops the results of a round.
    fn forget(&mut self, round: u32);

    /// The compiled game, if there is one to reuse.
    fn into_board(self: Box<Self>) -> Option<CompiledGame>;
}

/// A game whose solver has met one of its bounds.
pub struct Halted {
    /// The bound.
    pub bound: Bound,
    /// The last complete round; 0 if there is none.
    pub round: u32,
    /// Bytes held when the bound was met; more than the limit, if that was memory.
    pub bytes: u64,
    /// Of these, the bytes that the process takes whatever is found.
    pub fixed: u64,
    pub(crate) rounds: Box<dyn HeldRounds>,
}

impl fmt::Debug for Halted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Halted { bound, round, bytes, .. } = self;
        f.debug_struct("Halted")
            .field("bound", bound)
            .field("round", round)
            .field("bytes", bytes)
            .finish_non_exhaustive()
    }
}

impl Halted {
    /// The positions that complete rounds have found, of each value.
    pub fn rows(&self) -> &[Row] {
        self.rounds.rows()
    }
}

impl HeldRounds for Begun {
    fn rows(&self) -> &[Row] {
        &self.rows
    }

    fn index(&self) -> Arc<Index> {
        self.board.index.clone()
    }

    fn found(&self, value: Value, class: usize, group: usize) -> SparseBits {
        match value {
            Value::Win(1) => {
                let at = &self.board.index.layout.classes[class];
                SparseBits::packed(&self.first_wins(class, group), at, group)
            }
            Value::Win(round) => self.history[round as usize].wins.groups[class][group].clone(),
            Value::Lose(round) => self.history[round as usize].losses.groups[class][group].clone(),
            Value::Draw => SparseBits::default(),
        }
    }

    fn forget(&mut self, round: u32) {
        let nothing = Changes::none(&self.board.index.layout);
        self.history[round as usize] = Found { wins: nothing.clone(), losses: nothing };
    }

    fn into_board(self: Box<Self>) -> Option<CompiledGame> {
        Some(self.board)
    }
}

/// Solves a game. `each` is called after every round.
pub fn solve(game: Game, options: Options, each: &(dyn Fn(Round) + Sync)) -> Box<dyn Solved> {
    solve_within(game, options, Bounds::default(), each).expect("nothing bounds it")
}

/// Solves a game within some bounds. `each` is called after every round.
///
/// # Errors
/// If it meets one of them. The results of complete rounds are kept.
pub fn solve_within(
    game: Game,
    options: Options,
    bounds: Bounds,
    each: &(dyn Fn(Round) + Sync),
) -> Result<Box<dyn Solved>, Box<Halted>> {
    let started = Instant::now();
    let board = CompiledGame::new(game);
    let fixed = fixed_bytes_now(&game, bounds);
    let classes: Vec<usize> = (0..board.index.layout.classes.len()).collect();
    let groups = board.index.layout.groups(&classes);
    let least = fixed + board.index.layout.plane_bytes();
    let watch = Watch::new(bounds, least);
    let wins = WinBits::empty(&board.index.layout, &classes);
    let mut begun = Begun { board, wins, history: Vec::new(), rows: Vec::new() };
    let halted = |begun: Begun, round, bound| {
        Box::new(Halted { bound, round, bytes: watch.bytes(), fixed, rounds: Box::new(begun) })
    };

    let [stuck, lost] = begun.wins.begin(&begun.board, &classes);
    let mut first = Found { wins: stuck, losses: lost };
    watch.holds(first.bytes());
    let stuck = std::mem::replace(&mut first.wins, Changes::none(&begun.board.index.layout));
    first.wins = begun.find_wins(&groups, &stuck, &watch);
    if let Some(bound) = watch.look() {
        return Err(halted(begun, 0, bound));
    }
    begun.wins.add(&begun.board.index.layout, &first.wins);
    let mut raw = Counts::new();
    raw.add_plane(&begun.board.index, &classes, &begun.wins);
    let won = raw.rows(&begun.board.index.layout, Value::Win(1));
    let lost_at_once = [begun.count(&stuck, Value::Lose(0)), begun.count(&first.losses, Value::Lose(1))].concat();
    each(Round { number: 1, wins: total(&won), losses: total(&lost_at_once), elapsed: started.elapsed() });
    begun.rows.extend(won.into_iter().chain(lost_at_once));
    begun.history.push(Found { wins: Changes::none(&begun.board.index.layout), losses: stuck });
    begun.history.push(first);

    let mut last = 1;
    for number in 2.. {
        if !options.distances {
            // Only the round before is needed.
            begun.history.drain(..begun.history.len() - 1);
        }
        watch.holds(begun.history.iter().map(Found::bytes).sum());
        let found = begun.next(&groups, number, options, &watch);
        if let Some(bound) = watch.look() {
            return Err(halted(begun, number - 1, bound));
        }
        begun.wins.add(&begun.board.index.layout, &found.wins);
        if found.wins.is_empty() && found.losses.is_empty() {
            break;
        }
        last = number;
        let new_wins = begun.count(&found.wins, Value::Win(number));
        let new_losses = begun.count(&found.losses, Value::Lose(number));
        each(Round { number, wins: total(&new_wins), losses: total(&new_losses), elapsed: started.elapsed() });
        begun.rows.extend(new_wins);
        begun.rows.extend(new_losses);
        begun.history.push(found);
    }
    if !options.distances {
        begun.history.clear();
    }
    begun.rows.extend(draws(&begun.board.index, &classes, &begun.rows));
    let solution = Solution::new(options.distances, std::mem::take(&mut begun.rows));
    let lost_blocks = blocks_with_losses(&begun.board.index.layout, &begun.history);
    let has_distances = options.distances;
    Ok(Box::new(SolvedInMemory { begun, lost_blocks, solution, rounds: last, has_distances }))
}

impl Begun {
    /// The number of positions in some changes, which have this value.
    fn count(&self, changes: &Changes, value: Value) -> Vec<Row> {
        let mut raw = Counts::new();
        raw.add(&self.board.index, changes);
        raw.rows(&self.board.index.layout, value)
    }

    fn find_wins(&self, groups: &[(usize, usize)], losses: &Changes, watch: &Watch) -> Changes {
        let rounds = Rounds { compiled: &self.board, groups };
        let wins = rounds.wins(&self.wins, losses, &rounds.predecessors(losses), &watch);
        Changes::of(&self.board.index.layout, groups, wins)
    }

    /// The losses that follow from wins of the round before; all, where these were the first wins.
    fn find_losses(&self, groups: &[(usize, usize)], new_wins: Option<&Changes>, watch: &Watch) -> Changes {
        let rounds = Rounds { compiled: &self.board, groups };
        let marks = new_wins.map(|wins| (wins, rounds.predecessors(wins)));
        let candidates = marks.as_ref().map_or(Candidates::All, |(wins, marks)| Candidates::Before(*wins, marks));
        Changes::of(&self.board.index.layout, groups, rounds.losses(&self.wins, candidates, &watch))
    }

    /// The results of a round; incomplete if a bound is met.
    fn next(&mut self, groups: &[(usize, usize)], number: u32, options: Options, watch: &Watch) -> Found {
        let before = self.history.last().expect("there is a first round");
        let wins = self.find_wins(groups, &before.losses, watch);
        if !options.distances {
            // The losses are no longer needed.
            let nothing = Changes::none(&self.board.index.layout);
            self.history.last_mut().expect("there is a first round").losses = nothing;
            watch.holds(self.history.iter().map(Found::bytes).sum::<u64>() + changes_bytes(&wins));
        }
        let before = self.history.last().expect("there is a first round");
        let losses = self.find_losses(groups, (number > 2).then_some(&before.wins), watch);
        Found { wins, losses }
    }

    /// The rows of a group with its wins in 1, by an action that ends the game or leaves none: those that no later
    /// round has found.
    fn first_wins(&self, class: usize, group: usize) -> Vec<u8> {
        let at = &self.board.index.layout.classes[class];
        let mut first = self.wins_of(class, group);
        let later = self.history.iter().skip(2).map(|found| &found.wins.groups[class][group]);
        later.for_each(|later| remove(at, &mut first, later));
        first
    }

    /// The rows of a group with all its wins.
    fn wins_of(&self, class: usize, group: usize) -> Vec<u8> {
        let at = &self.board.index.layout.classes[class];
        let bytes = at.group_blocks(group) * at.block_bytes();
        self.wins.blocks(class)[group * at.group_bytes()..][..bytes].to_vec()
    }
}

/// A solved game in memory.
struct SolvedInMemory {
    /// All its rounds.
    begun: Begun,
    /// For each group of each class, a bit for each block with losses: most have none. Empty without distances.
    lost_blocks: Vec<Vec<Vec<u64>>>,
    solution: Solution,
    rounds: u32,
    has_distances: bool,
}

/// For each group of each class, a bit for each block in which a round found losses.
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

/// Whether the bit of a place is set in the rows of its block.
fn has_bit(rows: &[u8], place: Place, row_bytes: usize) -> bool {
    rows[place.row * row_bytes + place.bit / 8] >> (place.bit % 8) & 1 == 1
}

impl SolvedInMemory {
    /// The value at a place; distances must be known.
    fn value_at(&self, place: Place) -> Value {
        let Begun { board, history, .. } = &self.begun;
        let class = &board.index.layout.classes[place.block.class];
        let among = |changes: &Changes| {
            changes.get(class, place.block).is_some_and(|changed| changed.has(place.row, place.bit))
        };
        let numbered = || (0..).zip(history);
        if self.is_win(place) {
            let at_once = wins_at_once(&board.view(place.block)) >> place.bit & 1 == 1;
            let found =
                if at_once { Some(1) } else { numbered().find(|(_, found)| among(&found.wins)).map(|(n, _)| n) };
            return Value::Win(found.unwrap_or(0));
        }
        let number = class.number_in_group(place.block);
        let lost = &self.lost_blocks[place.block.class][class.group_of(place.block)];
        if lost[number / 64] >> (number % 64) & 1 == 0 {
            return Value::Draw;
        }
        numbered().find(|(_, found)| among(&found.losses)).map_or(Value::Draw, |(number, _)| Value::Lose(number))
    }

    fn is_win(&self, place: Place) -> bool {
        let class = &self.layout().classes[place.block.class];
        has_bit(self.begun.wins.block(class, place.block), place, class.row_bytes)
    }

    /// The value of a position of the game, without its distance.
    fn value_without(&self, board: &rules::Board, mover: Color) -> Value {
        let is_win = |board: &rules::Board, mover| {
            let place = self.begun.board.index.place(board, mover);
            Ok::<bool, Infallible>(self.is_win(place.expect("an open action leads to a position of the game")))
        };
        let Ok(value) = from_wins::value(&self.game(), board, mover, is_win);
        value
    }

    /// The rows of a group with all its losses, as derived from the wins.
    fn losses_of(&self, class: usize, group: usize) -> Vec<u8> {
        let Begun { board, wins, .. } = &self.begun;
        let at = &board.index.layout.classes[class];
        let rounds = Rounds { compiled: board, groups: &[(class, group)] };
        let by_the_others_wins = rounds.losses(wins, Candidates::All::<Changes>, &as_they_are);
        let mut rows = vec![0; at.group_blocks(group) * at.block_bytes()];
        for found in [rounds.stuck(&as_they_are), rounds.self_lost(&as_they_are), by_the_others_wins].iter().flatten() {
            add(at, &mut rows, found);
        }
        rows
    }
}

impl Solved for SolvedInMemory {
    fn game(&self) -> Game {
        self.begun.board.index.layout.game
    }

    fn solution(&self) -> &Solution {
        &self.solution
    }

    fn rounds(&self) -> u32 {
        self.rounds
    }

    fn value(&self, board: &rules::Board, mover: Color) -> Option<Value> {
        let place = self.begun.board.index.place(board, mover)?;
        Some(if self.has_distances { self.value_at(place) } else { self.value_without(board, mover) })
    }

    fn longest(&self) -> Option<Longest> {
        if !self.has_distances {
            return None;
        }
        let layout = &self.begun.board.index.layout;
        let won = || {
            layout.classes.iter().enumerate().find_map(|(class, at)| {
                let mut blocks = self.begun.wins.blocks(class).chunks(at.block_bytes()).enumerate();
                blocks.find_map(|(number, rows)| {
                    Place::first_of(layout, class, number, rows.chunks(at.row_bytes).enumerate())
                })
            })
        };
        let found = self.begun.history.last()?;
        // The wins in 1 are among all wins only.
        let wins = if self.rounds == 1 { won() } else { found.wins.first(layout) };
        let found = wins.or_else(|| found.losses.first(layout))?;
        let (board, mover) = self.begun.board.index.position(found);
        Some(Longest { board, mover, value: self.value_at(found) })
    }

    fn bytes(&self) -> u64 {
        let sets = self.begun.history.iter().map(|found| found.wins.bytes() + found.losses.bytes()).sum::<u64>();
        self.begun.board.index.layout.plane_bytes() + sets
    }

    fn places(&self) -> u64 {
        self.begun.board.index.places()
    }

    fn position(&self, place: u64) -> Option<(rules::Board, Color)> {
        self.begun.board.index.nth_place(place).map(|place| self.begun.board.index.position(place))
    }

    fn layout(&self) -> &Layout {
        &self.begun.board.index.layout
    }

    fn group(&self, class: usize, group: usize) -> GroupValues {
        let at = &self.layout().classes[class];
        let mut sets = GroupValues::new(at, group);
        let packed = |rows: &[u8]| SparseBits::packed(rows, at, group);
        if self.has_distances {
            sets.push(Value::Win(1), packed(&self.begun.first_wins(class, group)));
        } else {
            let mut first = self.begun.wins_of(class, group);
            let mut later = first.clone();
            for (number, rows) in first.chunks_exact_mut(at.block_bytes()).enumerate() {
                let placement = group * at.group + number / at.sets;
                let at_once = wins_at_once(&self.begun.board.view(Block { class, placement, set: number % at.sets }));
                let at_once = at_once.to_le_bytes();
                rows.iter_mut().zip(at_once[..at.row_bytes].iter().cycle()).for_each(|(byte, once)| *byte &= *once);
            }
            later.iter_mut().zip(&first).for_each(|(byte, first)| *byte &= !*first);
            sets.push(Value::Win(0), packed(&later));
            sets.push(Value::Win(1), packed(&first));
            sets.push(Value::Lose(0), packed(&self.losses_of(class, group)));
        }
        for (number, found) in (0..).zip(&self.begun.history) {
            // The wins of round 1, by leaving no action, are among those above.
            if number != 1 {
                sets.push(Value::Win(number), found.wins.groups[class][group].clone());
            }
            sets.push(Value::Lose(number), found.losses.groups[class][group].clone());
        }
        sets
    }
}
