//! The memory that a game has while it is solved: whether that can be enough, and what is told where it is not.

use super::memory;
use super::text_table::grouped;
use dovemate::digits::counted;
use dovemate::retrograde::Value;
use dovemate::rules::Game;
use dovemate::solve::{self, Bound, Bounds, Halted, Options, by_parts};

/// The memory that there is.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// How many bytes may be used; as many as are needed if nobody knows.
    limit: Option<u64>,
    /// Who says so.
    whose: &'static str,
}

/// Bytes that are needed, in words, rounded up, so that whoever allows so much allows enough.
fn needed(bytes: u64) -> String {
    if bytes < SMALL { there(bytes) } else { there(bytes.next_multiple_of(SMALL)) }
}

/// Bytes that there are, in words.
fn there(bytes: u64) -> String {
    if bytes < SMALL { counted(bytes, "byte", "bytes") } else { format!("{:.3} GB", bytes as f64 / 1e9) }
}

/// Fewer bytes are counted one by one.
const SMALL: u64 = 1_000_000;

impl Room {
    /// So many bytes, if they are named; else what is free.
    pub fn of(named: Option<u64>) -> Room {
        match named {
            Some(limit) => Room { limit: Some(limit), whose: "--memory allows" },
            None => Room { limit: memory::available(), whose: "are free here" },
        }
    }

    /// Whether so many bytes fit.
    pub fn fits(&self, bytes: u64) -> bool {
        self.limit.is_none_or(|limit| bytes <= limit)
    }

    /// What a solver is to keep within.
    pub fn bounds(&self) -> Bounds {
        Bounds { bytes: self.limit, taken: Some(memory::taken), deadline: None }
    }

    /// How many bytes a game has that is solved in files, for wins and for what rounds have found; `fixed` are those that the process takes besides,
    /// if that is known.
    pub fn in_files(&self, game: &Game, fixed: Option<u64>) -> Option<u64> {
        let by_parts::Memory { least, fixed: estimate } = by_parts::memory(game);
        self.limit.map(|limit| limit.saturating_sub(fixed.unwrap_or(estimate)).max(least - estimate))
    }

    /// How many bytes of what is read from tables may be kept, if not as many as usual.
    pub fn cache(&self) -> Option<usize> {
        self.limit.map(|limit| usize::try_from(limit / 4).unwrap_or(usize::MAX))
    }

    /// Refuses a game that has not enough memory for certain; `way` says what it might do.
    ///
    /// # Errors
    /// If it has not, with both figures and what would have.
    pub fn check(&self, game: &Game, least: u64, way: &Way) -> Result<(), String> {
        if self.fits(least) {
            return Ok(());
        }
        let (least, limit, advice) = (needed(least), there(self.limit.unwrap_or(0)), self.advice(game, way));
        Err(format!("{game} needs at least {least} of memory, {limit} {}; {advice}", self.whose))
    }

    /// What is told of a game that has come upon the end of its memory.
    pub fn halted(&self, game: &Game, halted: &Halted, way: &Way) -> String {
        let &Halted { round, bytes, bound, .. } = halted;
        let rows = halted.rows().iter();
        let count = |wanted: fn(Value) -> bool| {
            grouped(rows.clone().filter(|row| wanted(row.value)).map(|row| row.positions).sum())
        };
        let found = match round {
            0 => "before its first round was over".to_owned(),
            _ => {
                let (won, lost) =
                    (count(|value| matches!(value, Value::Win(_))), count(|value| matches!(value, Value::Lose(_))));
                format!("after round {round}, with {won} positions won and {lost} lost")
            }
        };
        let why = match bound {
            Bound::Time => "as time was up".to_owned(),
            Bound::Memory => {
                let (held, limit, advice) = (there(bytes), there(self.limit.unwrap_or(0)), self.advice(game, way));
                format!("as it needs more than {held} of memory, {limit} {}; {advice}", self.whose)
            }
        };
        format!("{game} is not solved: it stopped {found}, {why}")
    }

    /// What would be admitted.
    fn advice(&self, game: &Game, way: &Way) -> String {
        let in_files = by_parts::memory(game).least;
        let values_only = solve::memory(game, Options { distances: false });
        let mut ways = Vec::new();
        if way.may_use_files && self.fits(in_files) {
            ways.push(format!("with --tables DIR its rounds go to files, for which {} are enough", needed(in_files)));
        }
        if way.may_drop_distances && self.fits(values_only) {
            ways.push(format!("--values-only needs {} or more", needed(values_only)));
        }
        if ways.is_empty() {
            ways.push("fewer kinds need less".to_owned());
        }
        ways.join("; ")
    }
}

/// What the user might still ask for.
pub struct Way {
    /// Files for the rounds.
    pub may_use_files: bool,
    /// Values without distances.
    pub may_drop_distances: bool,
}
