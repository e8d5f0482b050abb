//! Solving a game in memory, in one call.

use std::fmt;
use std::ops::RangeInclusive;
#[cfg(feature = "tables")]
use std::path::Path;

#[cfg(feature = "tables")]
use crate::files::{
    game_folder::GameFolder,
    tables::{self, TableError, Tablebase},
};
use crate::known::Known;
use crate::solved::{Longest, Lookup, LookupError, Solution, Solved, SolvedPositions};
use crate::space::layout::Layout;
use crate::value::Value;
#[cfg(feature = "tables")]
use crate::whole_files::create_folder;
use crate::{Bound, Bounds, CheckError, Checked, Halted, Round, check, in_memory, memory};
use dovemate::rules::{Board, Color, Game};
use dovemate::threads::Threads;

/// Watches a solve, and may stop it. `()` watches nothing.
pub trait Observer: Sync {
    /// Whether the solve is to end at once, with [`SolveError::Stopped`]. Asked often, on all threads.
    fn is_stopped(&self) -> bool {
        false
    }
    /// A round of a solve is finished: all wins and losses at its distance are known.
    fn round(&self, _round: &Round) {}
}

impl Observer for () {}

impl fmt::Debug for dyn Observer + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// Why a solve has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Less memory is allowed than the least that solving the game takes.
    #[error("the game takes at least {needed} bytes of memory, and {allowed} are allowed")]
    TooLittleMemory {
        /// The least memory that solving takes, in bytes.
        needed: u64,
        /// The bytes that are allowed.
        allowed: u64,
    },
    /// The game turned out to take more memory than is allowed.
    #[error(
        "the game is not solved after {rounds} rounds: it takes more than the {allowed} bytes that are allowed"
    )]
    OutOfMemory {
        /// The number of finished rounds.
        rounds: u32,
        /// The bytes that are allowed.
        allowed: u64,
    },
    /// The observer stopped the run.
    #[error("it was stopped")]
    Stopped,
    /// The CPU threads could not be started.
    #[error("the CPU threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The parameters of a solve; by default without a memory limit or an observer.
///
/// ```
/// use dovemate::Game;
/// use dovemate_solver::{Solve, solve};
///
/// let solved = solve(Solve::new(Game::both("AY")?).memory(1 << 30))?;
/// assert!(solved.longest().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solve<'a> {
    game: Game,
    memory: Option<u64>,
    observer: &'a dyn Observer,
}

impl<'a> Solve<'a> {
    /// Solves a game.
    pub fn new(game: Game) -> Solve<'a> {
        Solve { game, memory: None, observer: &() }
    }

    /// The memory limit in bytes. Without it there is none.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Solve<'a> {
        Solve { memory: Some(bytes), ..self }
    }

    /// The observer of the solve: its rounds, and whether to stop.
    #[must_use]
    pub fn observer(self, observer: &'a dyn Observer) -> Solve<'a> {
        Solve { observer, ..self }
    }

    /// The least memory that solving takes, in bytes.
    pub fn least_memory(&self) -> u64 {
        memory::memory(&self.game)
    }

    /// The number of places: every position on every boss placement of every canonical shape, some more than there
    /// are positions.
    pub fn places(&self) -> u64 {
        Layout::new(self.game).places()
    }
}

impl From<Game> for Solve<'_> {
    fn from(game: Game) -> Self {
        Solve::new(game)
    }
}

/// Solves a game: who wins in every position, and in how many plies. Takes a [`Game`], or a [`Solve`] with
/// options.
///
/// ```
/// use dovemate::{Board, Color, Game};
/// use dovemate_solver::{Lookup, solve};
///
/// let solved = solve(Game::both("AY")?)?;
/// let board: Board = "b-a;-BA".parse()?;
/// let known = solved.value(&board, Color::Red)?.expect("it is a position of the game");
/// println!("{}", known.worth);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the memory does not suffice, the observer stops it, or the threads cannot be started.
pub fn solve<'a>(job: impl Into<Solve<'a>>) -> Result<SolvedGame, SolveError> {
    let job: Solve = job.into();
    let needed = job.least_memory();
    // A process cannot use more memory than it can address, which matters on 32-bit systems.
    let allowed = job.memory.unwrap_or(u64::MAX).min(usize::MAX as u64);
    if allowed < needed {
        return Err(SolveError::TooLittleMemory { needed, allowed });
    }
    let is_stopped = || job.observer.is_stopped();
    let bounds = Bounds { bytes: job.memory, is_stopped: Some(&is_stopped), ..Bounds::default() };
    let solve = || solve_within(job.game, bounds, &|round| job.observer.round(&round));
    // Rayon's global pool would panic if its threads could not be started.
    let solved = match rayon::current_thread_index() {
        Some(_) => solve(),
        None => Threads::start(None)?.run(solve),
    };
    solved.map_err(|halted| match (halted.bound, job.memory) {
        (Bound::Memory, Some(allowed)) => SolveError::OutOfMemory { rounds: halted.round, allowed },
        _ => SolveError::Stopped,
    })
}

/// Solves a game in memory within some bounds. `each` is called after every round but round 0 and the last, which
/// finds nothing.
///
/// # Errors
/// If a bound is reached. The error holds the results of all complete rounds.
pub fn solve_within(
    game: Game,
    bounds: Bounds,
    each: &(dyn Fn(Round) + Sync),
) -> Result<SolvedGame, Box<Halted>> {
    in_memory::solve_within(game, bounds, each).map(SolvedGame)
}

/// A solved game, in memory or in files.
///
/// ```
/// use dovemate::Game;
/// use dovemate_solver::{Lookup, solve};
///
/// let solved = solve(Game::both("AY")?)?;
/// for row in solved.solution().rows() {
///     println!("{row}");
/// }
/// let longest = solved.longest().expect("some positions are won");
/// let known = solved.value(&longest.board, longest.mover)?;
/// assert_eq!(known.and_then(|known| known.exact()), Some(longest.value));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SolvedGame(Box<dyn Solved>);

impl SolvedGame {
    /// The number of positions of each value.
    pub fn solution(&self) -> &Solution {
        self.0.solution()
    }

    /// A position with the greatest distance; `None` if all are drawn.
    pub fn longest(&self) -> Option<Longest> {
        self.0.longest()
    }

    /// The last round that found something; at least 1.
    pub fn rounds(&self) -> u32 {
        self.0.rounds()
    }

    /// The size of the stored values in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// The number of positions that [`SolvedGame::check`] examines.
    pub fn places_checked(&self) -> u64 {
        check::places_checked(self.0.places())
    }

    /// Derives values again, by the literal rules, from those of their successors: all values of a small game, a
    /// sample of a large one that depends only on the seed. `each` is called after every position.
    ///
    /// # Errors
    /// At the first value, in no particular order, that does not follow or cannot be read.
    pub fn check(&self, seed: u64, each: &(dyn Fn() + Sync)) -> Result<Checked, CheckError> {
        check::check(&*self.0, seed, each)
    }

    /// The number of times that [`SolvedGame::write_to`] calls `each`.
    #[cfg(feature = "tables")]
    pub fn groups(&self) -> u64 {
        self.0.layout().all_groups().len() as u64
    }

    /// Writes tables into the game's own folder, which must exist. `each` is called after every group of positions.
    ///
    /// # Errors
    /// As [`SolvedGame::write`].
    #[cfg(feature = "tables")]
    pub fn write_to(&self, of_game: &Path, each: &(dyn Fn() + Sync)) -> Result<(), TableError> {
        tables::write(&*self.0, &GameFolder::new(of_game), tables::SHARD, each)
    }

    /// The positions whose value is wanted, each once.
    pub fn positions<'a>(&'a self, is_wanted: impl Fn(Value) -> bool + 'a) -> SolvedPositions<'a> {
        SolvedPositions::new(&*self.0, &self.0.layout().ids().collect::<Vec<_>>(), is_wanted)
    }

    /// Writes tables into a folder, which is created if need be, as `dovemate solve --tables` does. Each file
    /// appears whole or not at all; existing files are compared and kept.
    ///
    /// # Errors
    /// If a file cannot be written, or an existing one has other values.
    #[cfg(feature = "tables")]
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<(), TableError> {
        let folder = folder.as_ref().join(tables::folder_name(&self.game()));
        create_folder(&folder).map_err(|error| TableError::Unwritten(folder.clone(), error))?;
        self.write_to(&folder, &|| ())
    }
}

#[cfg(feature = "tables")]
impl From<Tablebase> for SolvedGame {
    fn from(stored: Tablebase) -> SolvedGame {
        SolvedGame(Box::new(stored))
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

    fn may_have(&self, value: Value, doves: RangeInclusive<u32>) -> bool {
        self.0.may_have(value, doves)
    }
}
