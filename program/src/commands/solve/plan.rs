//! The plan of `dovemate solve`, from the request, the content of the folder, and the memory available.

#[cfg(test)]
mod tests;

use crate::options::MemoryLimit;
use dovemate::solve::in_files::{ByParts, Keep};
use dovemate::{Game, Solve};

/// What is kept of a solved game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kept {
    /// All values, in tables; rounds go once these are written
    Tables,
    /// All values, in the files of all rounds
    Rounds,
    /// Who wins, without distances; rounds go as soon as nothing needs them
    Wins,
}

impl Kept {
    /// The choice for solving in files, where tables are made from all rounds.
    pub fn in_files(self) -> Keep {
        if self == Kept::Wins { Keep::Wins } else { Keep::Rounds }
    }

    /// Whether tables replace the rounds in the end.
    pub fn in_tables(self) -> bool {
        self == Kept::Tables
    }
}

/// The user's request.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub game: Game,
    pub keep: Kept,
    /// Whether there is a folder to keep the game in.
    pub has_folder: bool,
    /// Whether only a share of a round is to be done.
    pub is_share: bool,
}

/// The contents of the folder of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Present {
    pub tables: bool,
    /// The whole game in its rounds, or in its wins alone, as requested.
    pub rounds: bool,
    /// Rounds or parts of the game.
    pub is_begun: bool,
}

/// The work to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Read and verify finished tables instead of solving.
    ReadTables,
    /// Read and verify the rounds or the wins of a solved game instead of solving.
    ReadRounds,
    /// Solve in memory, and write tables if there is a folder.
    InMemory {
        /// Whether to solve in files if memory runs out.
        then_in_files: bool,
    },
    /// Solve with the rounds in files.
    InFiles,
    /// Do a share of a round in files.
    Share,
    /// Report that no share is left to do, as the game is solved.
    ReportSolved,
}

/// Decides what to do.
///
/// # Errors
/// If the request cannot be met: a line with an alternative.
pub fn plan(request: &Request, present: Present, memory: &MemoryLimit) -> Result<Plan, String> {
    let &Request { game, keep, has_folder, is_share } = request;
    match present {
        Present { tables: true, .. } if is_share => return Ok(Plan::ReportSolved),
        Present { tables: true, .. } => return Ok(Plan::ReadTables),
        Present { rounds: true, .. } if !is_share => return Ok(Plan::ReadRounds),
        _ => {}
    }
    let needs_files = is_share || present.is_begun || !keep.in_tables();
    let least = Solve::new(game).least_memory();
    let least_in_files = ByParts::memory(&game).least;
    if !has_folder || !needs_files && memory.fits(least) {
        memory.check(&game, least, !has_folder)?;
        return Ok(Plan::InMemory { then_in_files: has_folder && memory.fits(least_in_files) });
    }
    memory.check(&game, least_in_files, !has_folder)?;
    Ok(if is_share { Plan::Share } else { Plan::InFiles })
}
