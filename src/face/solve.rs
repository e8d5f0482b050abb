//! Solving a game in memory, in one call.

use std::ops::RangeInclusive;
#[cfg(feature = "tables")]
use std::path::Path;

#[cfg(feature = "tables")]
use crate::files::create_folder;
use crate::gpu::Selection;
use crate::known::Known;
use crate::rules::{Board, Color, Game};
use crate::run::solve::SolveJob;
use crate::run::{self, Backend, Observer, RunError};
#[cfg(feature = "tables")]
use crate::solve::files::{
    game_folder::GameFolder,
    tables::{self, TableError},
};
use crate::solve::solved::{Longest, Lookup, LookupError, Solution, Solved};
use crate::solve::{Options, memory};
use crate::value::Value;

/// What to solve, how, and where: by default with exact distances, on all cores of the CPU.
///
/// ```
/// use dovemate::{Game, Solve, solve};
///
/// let job = Solve::new(Game::both("A")?).memory(1 << 30).winner_only();
/// assert!(!solve(job)?.solution().has_distances);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solve<'a> {
    job: SolveJob,
    observer: &'a dyn Observer,
}

impl<'a> Solve<'a> {
    /// Solves a game.
    pub fn new(game: Game) -> Solve<'a> {
        let mut job = SolveJob::new(game, Options { distances: true });
        job.backend = Backend::Cpu;
        Solve { job, observer: &() }
    }

    /// Finds only who wins, with less memory and in less time.
    #[must_use]
    pub fn winner_only(mut self) -> Solve<'a> {
        self.job.options.distances = false;
        self
    }

    /// The most memory to take, in bytes; without it there is no limit.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Solve<'a> {
        self.job.bounds.bytes = Some(bytes);
        self
    }

    /// Where to solve.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Solve<'a> {
        self.job.backend = backend;
        self
    }

    /// The GPU to solve on: a software driver is used only if it is selected.
    #[must_use]
    pub fn adapter(mut self, adapter: Selection) -> Solve<'a> {
        self.job.backend = Backend::Gpu;
        self.job.adapter = Some(adapter);
        self
    }

    /// The observer that is told what a GPU does.
    #[must_use]
    pub fn observer(mut self, observer: &'a dyn Observer) -> Solve<'a> {
        self.observer = observer;
        self
    }

    /// The least memory that it takes, in bytes.
    pub fn least_memory(&self) -> u64 {
        memory(&self.job.game, self.job.options)
    }
}

impl From<Game> for Solve<'_> {
    fn from(game: Game) -> Self {
        Solve::new(game)
    }
}

/// Solves a game: who wins in every position, and in how many plies. Takes a [`Game`], or a [`Solve`] with options.
///
/// ```
/// use dovemate::{Board, Color, Game, Lookup, solve};
///
/// let solved = solve(Game::both("AY")?)?;
/// let board: Board = "b-a;-BA".parse()?;
/// let known = solved.value(&board, Color::Red)?.expect("it is a position of the game");
/// println!("{}", known.worth);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the memory does not suffice, the threads cannot be started, or no GPU can be used although one was requested.
pub fn solve<'a>(job: impl Into<Solve<'a>>) -> Result<SolvedGame, RunError> {
    let job = job.into();
    let needed = job.least_memory();
    let Solve { job, observer } = job;
    if let Some(allowed) = job.bounds.bytes.filter(|&allowed| allowed < needed) {
        return Err(RunError::TooLittleMemory { needed, allowed });
    }
    let solve = || run::solve(&job, observer, &|_| {});
    // Rayon's global pool would panic if its threads could not be started.
    let report = match rayon::current_thread_index() {
        Some(_) => solve(),
        None => rayon::ThreadPoolBuilder::new().build()?.install(solve),
    };
    Ok(SolvedGame(report?.solved))
}

/// A solved game in memory.
///
/// ```
/// use dovemate::{Game, Lookup, solve};
///
/// let solved = solve(Game::both("AY")?)?;
/// for row in solved.solution().rows() {
///     println!("{} doves, {}: {} positions", row.doves, row.worth, row.positions);
/// }
/// let longest = solved.longest().expect("some positions are won");
/// let known = solved.value(&longest.board, longest.mover)?;
/// assert_eq!(known.and_then(|known| known.exact()), Some(longest.value));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SolvedGame(Box<dyn Solved>);

impl SolvedGame {
    /// The number of positions of each value.
    pub fn solution(&self) -> &Solution {
        self.0.solution()
    }

    /// A position with the greatest distance; `None` if all are drawn, or without distances.
    pub fn longest(&self) -> Option<Longest> {
        self.0.longest()
    }

    /// Writes tables into a folder, which is created if need be, as `dovemate solve --tables` does. Each file appears
    /// whole or not at all; existing files are compared and kept.
    ///
    /// # Errors
    /// If a file cannot be written, or an existing one has other values.
    #[cfg(feature = "tables")]
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<(), TableError> {
        let folder = folder.as_ref().join(tables::folder_name(&self.game(), self.solution().has_distances));
        create_folder(&folder).map_err(|error| TableError::Unwritten(folder.clone(), error))?;
        tables::write(&*self.0, &GameFolder::new(&folder), tables::SHARD, &|| {})
    }
}

impl Lookup for SolvedGame {
    fn game(&self) -> Game {
        self.0.game()
    }

    fn value(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        self.0.value(board, mover)
    }

    fn knows_all(&self) -> bool {
        self.0.knows_all()
    }

    fn may_have(&self, value: Value, doves: &RangeInclusive<u32>) -> bool {
        self.0.may_have(value, doves)
    }
}
