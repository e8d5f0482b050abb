//! Executes the plan of `dovemate solve`: reads the game, or solves it in memory or in files, then checks the values.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Arguments;
use super::folder::{Prepared, of_game, open_tables, prepare, remove_rounds};
use super::plan::Plan;
use super::progress::FileProgress;
use super::share::Share;
use crate::io::{Failure, Progress, complain, process};
use crate::options::MemoryLimit;
use dovemate::clock::Instant;
use dovemate::{Board, Color, Game, Limits};
use dovemate_solver::in_files::{Access, ByParts};
use dovemate_solver::{CheckError, Checked};
use dovemate_solver::{
    Lookup, LookupError, Round, Solve, SolveError, SolvedGame, TableError, Tablebase, Worth, solve,
};

/// The seed of the sample of places to check.
const CHECK_SEED: u64 = 2022;

/// The solved and checked game, with the times that solving and checking took.
pub struct SolveReport {
    pub solved: SolvedGame,
    pub checked: Checked,
    pub solving: Duration,
    pub checking: Duration,
    pub threads: usize,
    pub on_disk: Option<OnDisk>,
}

impl SolveReport {
    /// The value of the start with a player to move.
    pub fn start(&self, mover: Color) -> Result<Worth, LookupError> {
        Ok(self.solved.probe(&Board::default(), mover)?.expect("the start is a position of every game").worth)
    }
}

/// The tables or rounds on disk.
pub struct OnDisk {
    /// The folder of the game.
    pub folder: PathBuf,
    pub files: u64,
    pub bytes: u64,
    /// The time to write the tables, or to read and verify the files; about 0 for rounds, which solving has written.
    pub time: Duration,
    /// Whether the files were read instead of solving.
    pub is_read: bool,
    /// Whether the files are rounds, not tables.
    pub in_rounds: bool,
}

impl OnDisk {
    fn of(stored: &Tablebase, time: Duration, is_read: bool, in_rounds: bool) -> Result<OnDisk, Failure> {
        let (files, bytes) = stored.on_disk()?;
        Ok(OnDisk { folder: stored.folder().to_owned(), files, bytes, time, is_read, in_rounds })
    }
}

/// A game to solve, with the options.
pub struct Execution<'a> {
    pub arguments: &'a Arguments,
    pub game: Game,
    pub memory: MemoryLimit,
}

impl Execution<'_> {
    /// Executes a plan.
    pub fn execute(&self, plan: Plan<Tablebase>) -> Result<SolveReport, Failure> {
        match plan {
            Plan::ReadTables(tables) => {
                let report = self.verify(tables, true, false)?;
                remove_rounds(&of_game(self.folder(), &self.game));
                Ok(report)
            }
            Plan::ReadRounds(rounds) => self.verify(rounds, true, true),
            Plan::InMemory { then_in_files } => self.in_memory(then_in_files),
            Plan::InFiles => self.in_files(prepare(self.folder(), &self.game, Access::Alone)?),
            Plan::Share | Plan::ReportSolved => unreachable!("shares have no result"),
        }
    }

    /// The folder of tables.
    fn folder(&self) -> &Path {
        self.arguments.tables.as_deref().expect("nothing is solved in files without a folder")
    }

    fn by_parts(&self, of_game: &Path) -> Result<ByParts, Failure> {
        let limits = Limits { memory: self.memory.in_files(&self.game), ..Limits::default() };
        let keep = self.arguments.keep.in_files();
        process::set_resumable();
        Ok(ByParts::new(self.game, of_game, limits, keep)?)
    }

    /// Solves, checks, and writes tables if there is a folder for them. If memory runs out and `then_in_files` is set,
    /// solves again in files.
    fn in_memory(&self, then_in_files: bool) -> Result<SolveReport, Failure> {
        let (arguments, game) = (self.arguments, self.game);
        let prepare = |folder| prepare(folder, &game, Access::Alone);
        let prepared = arguments.tables.as_deref().map(prepare).transpose()?;
        let started = Instant::now();
        let rounds = Progress::of_rounds(arguments.quiet);
        let on_round = |round: Round| rounds.round(&round, "");
        let job = Solve::new(game).limits(self.memory.limits());
        let solved = solve(job.on_round(&on_round));
        let solving = started.elapsed();
        drop(rounds);
        let (solved, prepared) = match (solved, prepared) {
            (Ok(solved), prepared) => (solved, prepared),
            (Err(SolveError::Halted(halted)), Some(prepared)) if then_in_files => {
                if !arguments.quiet {
                    complain(format_args!(
                        "after round {} {game} needs more memory: it is solved again, with its rounds in files",
                        halted.round
                    ));
                }
                drop(halted);
                let report = self.in_files(prepared)?;
                return Ok(SolveReport { solving: report.solving + solving, ..report });
            }
            (Err(SolveError::Halted(halted)), _) => {
                let message = self.memory.halted(&game, &halted, arguments.tables.is_none());
                return Err(Failure::Failed(anyhow::anyhow!(message)));
            }
            (Err(error), _) => return Err(Failure::Failed(error.into())),
        };
        let report = self.checked(solved, solving)?;
        let on_disk = prepared.map(|prepared| self.write(&report.solved, prepared)).transpose()?;
        Ok(SolveReport { on_disk, ..report })
    }

    /// Writes the tables of a game solved in memory, and opens them.
    fn write(&self, solved: &SolvedGame, prepared: Prepared) -> Result<OnDisk, Failure> {
        let of_game = prepared.of_game.clone();
        process::set_resumable();
        let started = Instant::now();
        let progress = Progress::of("groups written", self.arguments.quiet);
        progress.begin(solved.groups());
        solved.write_to(&of_game, &|| progress.advance(1))?;
        prepared.finish();
        let stored = Tablebase::open_finished(&of_game, self.game)?;
        OnDisk::of(&stored, started.elapsed(), false, false)
    }

    /// Solves with the rounds in files, then verifies the resulting tables or checks the rounds.
    fn in_files(&self, prepared: Prepared) -> Result<SolveReport, Failure> {
        let (arguments, game, of_game) = (self.arguments, self.game, prepared.of_game.clone());
        let in_tables = arguments.keep.in_tables();
        let started = Instant::now();
        let progress = FileProgress::new(arguments.quiet);
        let by_parts = self.by_parts(&of_game)?;
        let show = |event| progress.show(event);
        by_parts.solve(&show)?;
        let solving = started.elapsed();
        if in_tables {
            by_parts.write(&show)?;
            prepared.finish();
        }
        drop((by_parts, progress));
        let writing = started.elapsed() - solving;
        let stored =
            if in_tables { open_tables(&of_game, &game)? } else { Tablebase::open_parts(&of_game, game)? };
        let stored = stored.ok_or_else(|| TableError::Missing(of_game.join(Tablebase::MANIFEST)))?;
        let report = self.verify(stored, false, !in_tables)?;
        let on_disk = report.on_disk.map(|on_disk| OnDisk { time: writing, ..on_disk });
        Ok(SolveReport { solving, on_disk, ..report })
    }

    /// Reads and verifies tables or rounds, then checks their values as if they had just been solved. Rounds
    /// that this run wrote are read only as far as the check needs.
    fn verify(&self, stored: Tablebase, is_read: bool, in_rounds: bool) -> Result<SolveReport, Failure> {
        let stored = match self.memory.cache() {
            // The cache may now take a quarter of the memory limit. For rounds it takes the whole quarter, because each
            // group is combined from all rounds; for tables, at most the usual size.
            Some(bytes) => {
                stored.with_cache(bytes.min(if in_rounds { bytes } else { Tablebase::CACHE_BYTES }))
            }
            None => stored,
        };
        let started = Instant::now();
        if is_read || !in_rounds {
            let unit = if in_rounds { "rounds read" } else { "groups read" };
            let progress = Progress::of(unit, self.arguments.quiet);
            progress.begin(stored.steps());
            stored.verify(&|| progress.advance(1))?;
        }
        let on_disk = OnDisk::of(&stored, started.elapsed(), is_read, in_rounds)?;
        Ok(SolveReport { on_disk: Some(on_disk), ..self.checked(stored.into(), Duration::ZERO)? })
    }

    /// Checks values by the literal rules. `on_disk` of the report is `None`; the caller fills it in.
    fn checked(&self, solved: SolvedGame, solving: Duration) -> Result<SolveReport, Failure> {
        let started = Instant::now();
        let progress = Progress::of("positions checked", self.arguments.quiet);
        progress.begin(solved.places_checked());
        let checked = solved.check(CHECK_SEED, &|| progress.advance(1)).map_err(|error| match error {
            CheckError::Unread(error) => error.into(),
            wrong => Failure::Contradiction(wrong.to_string()),
        })?;
        let (checking, threads) = (started.elapsed(), rayon::current_num_threads());
        Ok(SolveReport { solved, checked, solving, checking, threads, on_disk: None })
    }

    /// Computes a share of a round, and returns the line that reports it.
    pub fn share(&self, share: Share) -> Result<String, Failure> {
        let prepared = prepare(self.folder(), &self.game, Access::Shared)?;
        let progress = FileProgress::new(self.arguments.quiet);
        let in_tables = self.arguments.keep.in_tables();
        let line = share.execute(&self.by_parts(&prepared.of_game)?, in_tables, &progress)?;
        if prepared.of_game.join(Tablebase::MANIFEST).exists() {
            prepared.finish();
        }
        Ok(line)
    }
}
