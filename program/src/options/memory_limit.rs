//! The memory for solving a game: whether it can suffice, and the message if it does not.

use crate::io::{complain, counted, grouped, memory};
use dovemate::{Game, Limit, Limits};
use dovemate_solver::Halted;
use dovemate_solver::Wdl;
use dovemate_solver::in_files::{ByParts, Memory};

/// The memory that may be used.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// The bytes that may be used; no limit if unknown.
    limit: Option<u64>,
    /// Whether the user has set the limit; otherwise it is the free memory.
    is_named: bool,
}

/// A number of needed bytes in words, rounded up so that allowing this much is enough.
fn gb_rounded_up(bytes: u64) -> String {
    if bytes < MAX_EXACT_BYTES { gb(bytes) } else { gb(bytes.next_multiple_of(MAX_EXACT_BYTES)) }
}

/// A number of available or used bytes in words.
fn gb(bytes: u64) -> String {
    if bytes < MAX_EXACT_BYTES {
        counted(bytes, "byte", "bytes")
    } else {
        format!("{:.3} GB", bytes as f64 / 1e9)
    }
}

/// Numbers of bytes below this are shown exactly, larger ones in GB.
const MAX_EXACT_BYTES: u64 = 1_000_000;

impl MemoryLimit {
    /// The limit given by `--memory`, or else the memory that is free for a process with this many threads.
    pub fn of(named: Option<u64>, threads: usize) -> MemoryLimit {
        let free = memory::available(threads);
        if let (Some(limit), Some(free)) = (named, free)
            && free < limit
        {
            let (limit, free) = (gb(limit), gb(free));
            complain(format_args!("warning: --memory allows {limit}, but only {free} are free here"));
        }
        MemoryLimit { limit: named.or(free), is_named: named.is_some() }
    }

    /// Whether this many bytes fit.
    pub fn fits(&self, bytes: u64) -> bool {
        self.limit.is_none_or(|limit| bytes <= limit)
    }

    /// The limits of a solver.
    pub fn limits(&self) -> Limits {
        Limits { memory: self.limit, memory_used: Some(memory::taken), ..Limits::default() }
    }

    /// The bytes for wins and the results of rounds of a game solved in files. What the process already occupies is
    /// subtracted, such as what an attempt to solve in memory has not given back.
    pub fn in_files(&self, game: &Game) -> Option<u64> {
        let Memory { least, fixed } = ByParts::memory(game);
        let taken = memory::taken().max(fixed);
        self.limit.map(|limit| limit.saturating_sub(taken).max(least - fixed))
    }

    /// The size in bytes of the cache for reading tables or rounds, a quarter of the limit; `None` for the usual size.
    pub fn cache(&self) -> Option<usize> {
        self.limit.map(|limit| usize::try_from(limit / 4).unwrap_or(usize::MAX))
    }

    /// Refuses a game that certainly does not fit in memory; `may_use_files` says whether to advise files.
    ///
    /// # Errors
    /// If it does not fit, with both figures and advice.
    pub fn check(&self, game: &Game, least: u64, may_use_files: bool) -> Result<(), String> {
        if self.fits(least) {
            return Ok(());
        }
        let (least, limit, advice) =
            (gb_rounded_up(least), self.in_words(), self.advice(game, may_use_files));
        Err(format!("{game} needs at least {least} of memory, but {limit}; {advice}"))
    }

    /// The message for a game that was not solved within the limits of memory and time.
    pub fn halted(&self, game: &Game, halted: &Halted, may_use_files: bool) -> String {
        let &Halted { round, bytes, limit, .. } = halted;
        let count = |value: Wdl| {
            let rows = halted.rows.iter().filter(|row| row.worth.wdl() == Some(value));
            grouped(rows.map(|row| row.positions).sum())
        };
        let found = match round {
            0 => "before its first round was over".to_owned(),
            _ => {
                let [won, lost] = [Wdl::Win, Wdl::Lose].map(count);
                format!("after round {round}, with {won} positions won and {lost} lost")
            }
        };
        let why = match limit {
            Limit::Time => "as time was up".to_owned(),
            Limit::Stop | Limit::Positions => "as it was told to stop".to_owned(),
            Limit::Memory => {
                let (used, limit, advice) = (gb(bytes), self.in_words(), self.advice(game, may_use_files));
                format!("as it needs more than {used} of memory, but {limit}; {advice}")
            }
        };
        format!("{game} is not solved: it stopped {found}, {why}")
    }

    /// The limit as a clause of a message.
    fn in_words(&self) -> String {
        let limit = gb(self.limit.unwrap_or(0));
        if self.is_named { format!("--memory allows {limit}") } else { format!("only {limit} are free here") }
    }

    /// Advice on what would fit: solving in files only if `may_use_files`.
    fn advice(&self, game: &Game, may_use_files: bool) -> String {
        let in_files = ByParts::memory(game).least;
        if may_use_files && self.fits(in_files) {
            let enough = gb_rounded_up(in_files);
            return format!("with --tables DIR it is solved in files, for which {enough} is enough");
        }
        if self.is_named { "allow more, or take fewer kinds" } else { "take fewer kinds" }.to_owned()
    }
}
