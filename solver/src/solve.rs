//! Solving a game in memory, in one call.

use std::fmt;
use std::ops::RangeInclusive;

use crate::known::Known;
use crate::solved::{Longest, Lookup, LookupError, Solution, Solved, SolvedPositions};
use crate::space::layout::{ClassId, Layout};
use crate::value::Value;
use crate::{CheckError, Checked, Halted, Round, check, in_memory, memory};
use dovemate::Limits;
use dovemate::rules::{Board, Color, Game};
use dovemate::threads::Threads;

/// Why a solve has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The memory allowed is less than the minimum for solving the game.
    #[error("the game takes at least {needed} bytes of memory, but only {allowed} are allowed")]
    TooLittleMemory {
        /// Minimum memory that solving takes, in bytes.
        needed: u64,
        /// The bytes that are allowed.
        allowed: u64,
    },
    /// A limit was reached.
    #[error("the game is not solved after {} rounds: {}", .0.round, .0.limit)]
    Halted(Box<Halted>),
    /// The CPU threads could not be started.
    #[error("the CPU threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The parameters of a solve; by default without limits.
///
/// ```
/// use dovemate::{Game, Limits};
/// use dovemate_solver::{Solve, solve};
///
/// let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
/// let solved = solve(Solve::new(Game::both("AY")?).limits(limits))?;
/// assert!(solved.longest().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solve<'a> {
    game: Game,
    limits: Limits,
    threads: Option<usize>,
    on_round: &'a (dyn Fn(Round) + Sync),
}

impl fmt::Debug for Solve<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solve")
            .field("game", &self.game)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl<'a> Solve<'a> {
    /// The parameters for a game, with default options.
    pub fn new(game: Game) -> Solve<'a> {
        Solve { game, limits: Limits::default(), threads: None, on_round: &|_| () }
    }

    /// The limits: memory, deadline, stop flag.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Solve<'a> {
        Solve { limits, ..self }
    }

    /// The number of threads. By default the solve uses those of the pool in which it runs or, outside a pool, one for
    /// each core. In WebAssembly it always uses the calling thread alone.
    #[must_use]
    pub fn threads(self, threads: usize) -> Solve<'a> {
        Solve { threads: Some(threads), ..self }
    }

    /// The progress callback: called on the calling thread after every round except round 0 and the last, which finds
    /// nothing.
    #[must_use]
    pub fn on_round(self, on_round: &'a (dyn Fn(Round) + Sync)) -> Solve<'a> {
        Solve { on_round, ..self }
    }

    /// Minimum memory that solving takes, in bytes.
    pub fn least_memory(&self) -> u64 {
        memory::memory(&self.game)
    }

    /// The number of places, on all boss placements of all canonical shapes. It exceeds the number of positions,
    /// because a position on a symmetric shape may have several places.
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
/// let known = solved.probe(&board, Color::Red)?.expect("it is a position of the game");
/// println!("{}", known.worth);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// - the memory allowed is less than [`Solve::least_memory`];
/// - a limit is reached: [`Halted`] counts the positions that complete rounds have found;
/// - the threads cannot be started.
pub fn solve<'a>(job: impl Into<Solve<'a>>) -> Result<SolvedGame, SolveError> {
    let Solve { game, limits, threads, on_round } = job.into();
    let needed = memory::memory(&game);
    // A process cannot use more memory than it can address, which matters on 32-bit systems.
    let allowed = limits.memory.unwrap_or(u64::MAX).min(usize::MAX as u64);
    if allowed < needed {
        return Err(SolveError::TooLittleMemory { needed, allowed });
    }
    // Rayon's global pool would panic if its threads could not be started.
    let threads = match (threads, rayon::current_thread_index()) {
        (None, Some(_)) => Threads::here(),
        _ => Threads::start(threads)?,
    };
    in_memory::solve(game, limits, &threads, on_round).map(SolvedGame).map_err(SolveError::Halted)
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
/// let known = solved.probe(&longest.board, longest.mover)?;
/// assert_eq!(known.and_then(|known| known.exact()), Some(longest.value));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SolvedGame(pub(crate) Box<dyn Solved>);

impl SolvedGame {
    /// The number of positions of each value.
    pub fn solution(&self) -> &Solution {
        self.0.solution()
    }

    /// A position with the greatest distance; `None` if all are drawn, or only the wins are kept.
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

    /// The number of places that [`SolvedGame::check`] examines; a place drawn twice counts twice.
    pub fn places_checked(&self) -> u64 {
        check::places_checked(self.0.places())
    }

    /// Derives values again, by the literal rules, from those of the successors: all values of a small game, or a
    /// sample of a large one, drawn with this seed. `on_place` is called after every place.
    ///
    /// # Errors
    /// If a value does not follow from those of the successors, or cannot be read. If there are several such values,
    /// any one of them is reported.
    pub fn check(&self, seed: u64, on_place: &(dyn Fn() + Sync)) -> Result<Checked, CheckError> {
        check::check(&*self.0, seed, on_place)
    }

    /// The positions whose value is wanted, each once. Of a game in files, only the positions of solved parts are
    /// listed; where only the wins are kept, each group of positions yields an error instead.
    pub fn positions<'a>(&'a self, is_wanted: impl Fn(Value) -> bool + 'a) -> SolvedPositions<'a> {
        let known: Vec<ClassId> = self.0.layout().ids().filter(|&class| self.0.knows(class)).collect();
        SolvedPositions::new(&*self.0, &known, is_wanted)
    }
}

impl Lookup for SolvedGame {
    fn game(&self) -> Game {
        self.0.game()
    }

    fn probe(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        self.0.probe(board, mover)
    }

    fn knows_all(&self) -> bool {
        self.0.knows_all()
    }

    fn may_have(&self, value: Value, doves: RangeInclusive<u32>) -> bool {
        self.0.may_have(value, doves)
    }
}
