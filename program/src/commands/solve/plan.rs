//! The plan of `dovemate solve`, from the request, the content of the folder, and the memory available.

#[cfg(test)]
mod tests;

use crate::options::MemoryLimit;
use dovemate::Game;
use dovemate_solver::Solve;
use dovemate_solver::in_files::{ByParts, Keep};

/// What is kept of a solved game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kept {
    /// All values, in tables; the rounds are removed once the tables are written
    Tables,
    /// All values, in the files of all rounds
    Rounds,
    /// Who wins, without distances; rounds are removed as soon as they are no longer needed
    Wins,
}

impl Kept {
    /// What the solver keeps in files. Tables are made from the rounds, so they need all of them.
    pub fn in_files(self) -> Keep {
        if self == Kept::Wins { Keep::Wins } else { Keep::Rounds }
    }

    /// Whether tables replace the rounds in the end.
    pub fn in_tables(self) -> bool {
        self == Kept::Tables
    }
}

/// The contents of the folder of a game; `T` is a [`Tablebase`](dovemate_solver::Tablebase) except in tests.
pub struct Contents<T> {
    pub tables: Option<T>,
    /// The solved game read from its rounds, or from the wins alone, as requested; `None` if that is incomplete, or if
    /// tables or a share are requested.
    pub rounds: Option<T>,
    /// Whether there are rounds or parts, but no finished tables.
    pub is_begun: bool,
}

/// The work to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Plan<T> {
    /// Read and verify finished tables instead of solving.
    ReadTables(T),
    /// Read and verify the rounds or the wins of a solved game instead of solving.
    ReadRounds(T),
    /// Solve in memory, and write tables if there is a folder.
    InMemory {
        /// Whether to solve in files if memory runs out.
        then_in_files: bool,
    },
    /// Solve with the rounds in files.
    InFiles,
    /// Do a share of a round in files.
    Share,
    /// Report that no share is left to do, because the game is solved.
    ReportSolved,
}

/// Decides what to do with a game or a share of a round, given the contents of the folder if there is one.
///
/// # Errors
/// If the request cannot be met, one line that says so and names an alternative.
pub fn plan<T>(
    game: &Game,
    keep: Kept,
    is_share: bool,
    contents: Option<Contents<T>>,
    memory: &MemoryLimit,
) -> Result<Plan<T>, String> {
    let has_folder = contents.is_some();
    let is_begun = contents.as_ref().is_some_and(|contents| contents.is_begun);
    match contents {
        Some(Contents { tables: Some(_), .. }) if is_share => return Ok(Plan::ReportSolved),
        Some(Contents { tables: Some(tables), .. }) => return Ok(Plan::ReadTables(tables)),
        Some(Contents { rounds: Some(rounds), .. }) if !is_share => return Ok(Plan::ReadRounds(rounds)),
        _ => {}
    }
    let needs_files = is_share || is_begun || !keep.in_tables();
    let least = Solve::new(*game).least_memory();
    let least_in_files = ByParts::memory(game).least;
    if !has_folder || !needs_files && memory.fits(least) {
        memory.check(game, least, !has_folder)?;
        return Ok(Plan::InMemory { then_in_files: has_folder && memory.fits(least_in_files) });
    }
    memory.check(game, least_in_files, !has_folder)?;
    Ok(if is_share { Plan::Share } else { Plan::InFiles })
}
