//! The plan of `dovemate solve`, from the request, the content of the folder, and the memory available.

use crate::options::MemoryLimit;
use dovemate::Solve;
use dovemate::rules::Game;
use dovemate::solve::in_files::{ByParts, Keep};

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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use dovemate::rules::Rules;

    /// The plan for A Y M T, with returns, or the line that refuses. Memory is `all` (everything fits),
    /// `files` (only files fit) or `none`. The request and the content of the folder are words.
    fn planned(requested: &str, present: &str, memory: &str) -> Result<Plan, String> {
        let game = Game::both("AYMT").expect("kinds");
        assert_eq!(game.rules, Rules::default());
        let mut request = Request { game, keep: Kept::Tables, has_folder: false, is_share: false };
        for word in requested.split_whitespace() {
            match word {
                "tables" => request.has_folder = true,
                "share" => request.is_share = true,
                kept => request.keep = Kept::from_str(kept, false).expect("what is kept"),
            }
        }
        let has = |word| present.split_whitespace().any(|present| present == word);
        let present = Present { tables: has("tables"), rounds: has("rounds"), is_begun: has("begun") };
        let all = Solve::new(game).least_memory();
        let files = ByParts::memory(&game).least;
        assert!(files < all);
        let limit = match memory {
            "all" => all,
            "files" => files,
            "none" => files - 1,
            _ => panic!("{memory}"),
        };
        plan(&request, present, &MemoryLimit::of(Some(limit), 1))
    }

    #[test]
    fn plans() {
        let in_memory = |then_in_files| Plan::InMemory { then_in_files };
        for (requested, present, memory, expected) in [
            // Without a folder.
            ("", "", "all", Ok(in_memory(false))),
            ("", "", "files", Err("with --tables DIR it is solved in files")),
            ("", "", "none", Err("allow more, or take fewer kinds")),
            // In tables.
            ("tables", "", "all", Ok(in_memory(true))),
            ("tables", "", "files", Ok(Plan::InFiles)),
            ("tables", "", "none", Err("allow more, or take fewer kinds")),
            ("tables", "begun", "all", Ok(Plan::InFiles)),
            ("tables", "begun", "none", Err("allow more, or take fewer kinds")),
            ("tables", "tables", "none", Ok(Plan::ReadTables)),
            // In rounds, or the wins alone.
            ("tables rounds", "", "all", Ok(Plan::InFiles)),
            ("tables wins", "", "all", Ok(Plan::InFiles)),
            ("tables wins", "begun", "files", Ok(Plan::InFiles)),
            ("tables wins", "begun", "none", Err("allow more, or take fewer kinds")),
            ("tables wins", "begun rounds", "none", Ok(Plan::ReadRounds)),
            ("tables rounds", "tables", "none", Ok(Plan::ReadTables)),
            // Shares.
            ("tables share", "", "all", Ok(Plan::Share)),
            ("tables share", "begun", "files", Ok(Plan::Share)),
            ("tables share", "", "none", Err("allow more, or take fewer kinds")),
            ("tables share", "tables", "none", Ok(Plan::ReportSolved)),
            ("tables share wins", "begun rounds", "all", Ok(Plan::Share)),
        ] {
            let planned = planned(requested, present, memory);
            let is_expected = match (&planned, expected) {
                (Ok(planned), Ok(expected)) => *planned == expected,
                (Err(line), Err(words)) => line.contains(words) && line.lines().count() == 1,
                _ => false,
            };
            assert!(
                is_expected,
                "'{requested}' with '{present}' in memory for {memory}: {planned:?}, not {expected:?}"
            );
        }
    }
}
