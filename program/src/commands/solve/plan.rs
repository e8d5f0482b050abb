//! What `dovemate solve` will do, decided from the request, the content of the folder, and the memory
//! available.

use crate::options::memory_limit::MemoryLimit;
use dovemate::internals::solve;
use dovemate::internals::solve::files::keep::Keep;
use dovemate::internals::solve::in_files::by_parts;
use dovemate::rules::Game;

/// The distances that are kept of a solved game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distances {
    /// All of them, in tables.
    All,
    /// Those on boards with up to this many doves, bosses included, in the files of the rounds.
    UpTo(u32),
}

/// The fewest doves on a board: the bosses.
const FEWEST: u32 = 2;

impl Distances {
    /// The rounds that are kept of a game solved in files.
    ///
    /// # Errors
    /// If there are no boards with as many doves in the game.
    pub fn keep(self, game: &Game) -> Result<Keep, String> {
        let most = game.most_doves();
        match self {
            Distances::All => Ok(Keep::Everything),
            Distances::UpTo(doves) if doves == most => Ok(Keep::Everything),
            Distances::UpTo(doves) if doves < most => Ok(Keep::UpTo(doves)),
            Distances::UpTo(doves) => Err(format!(
                "--distances {doves}: boards of {game} have {FEWEST} to {most} doves, bosses included; write one of \
                 these numbers, or all"
            )),
        }
    }

    /// Whether tables replace the rounds in the end.
    pub fn in_tables(self) -> bool {
        self == Distances::All
    }
}

/// What the user requests.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub game: Game,
    pub distances: Distances,
    /// Whether there is a folder to keep the game in.
    pub has_folder: bool,
    /// Whether only a share of a round is to be done.
    pub is_share: bool,
}

/// What the folder holds of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Present {
    pub tables: bool,
    /// The whole game in its rounds, kept as requested.
    pub rounds: bool,
    /// Rounds or parts of the game.
    pub is_begun: bool,
}

/// What will be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Read and verify finished tables instead of solving.
    ReadTables,
    /// Read and verify the rounds of a solved game instead of solving.
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

/// Decides what will be done.
///
/// # Errors
/// If the request cannot be met: a line that says what can be done instead.
pub fn plan(request: &Request, present: Present, memory: &MemoryLimit) -> Result<Plan, String> {
    let &Request { game, distances, has_folder, is_share } = request;
    if let (Distances::UpTo(doves), false) = (distances, has_folder) {
        return Err(format!(
            "--distances {doves} keeps the rounds in files; name a folder for them with --tables DIR"
        ));
    }
    match present {
        Present { tables: true, .. } if is_share => return Ok(Plan::ReportSolved),
        Present { tables: true, .. } => return Ok(Plan::ReadTables),
        Present { rounds: true, .. } if !is_share => return Ok(Plan::ReadRounds),
        _ => {}
    }
    let resumes = distances == Distances::All && present.is_begun;
    let needs_files = is_share || resumes || matches!(distances, Distances::UpTo(_));
    let least = solve::memory(&game);
    let least_in_files = by_parts::memory(&game).least;
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
    use dovemate::rules::Rules;

    /// The plan for A Y M T, with returns, or the line that refuses. Memory is `all` (everything fits),
    /// `files` (only files fit) or `none`. The request and the content of the folder are words.
    fn planned(requested: &str, present: &str, memory: &str) -> Result<Plan, String> {
        let game = Game::both("AYMT").expect("kinds");
        assert_eq!(game.rules, Rules::default());
        let mut request = Request { game, distances: Distances::All, has_folder: false, is_share: false };
        for word in requested.split_whitespace() {
            match word {
                "tables" => request.has_folder = true,
                "share" => request.is_share = true,
                number => request.distances = Distances::UpTo(number.parse().expect("a number of doves")),
            }
        }
        let has = |word| present.split_whitespace().any(|present| present == word);
        let present = Present { tables: has("tables"), rounds: has("rounds"), is_begun: has("begun") };
        let all = solve::memory(&game);
        let files = by_parts::memory(&game).least;
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
            ("6", "", "all", Err("name a folder for them with --tables DIR")),
            // All distances, in tables.
            ("tables", "", "all", Ok(in_memory(true))),
            ("tables", "", "files", Ok(Plan::InFiles)),
            ("tables", "", "none", Err("allow more, or take fewer kinds")),
            ("tables", "begun", "all", Ok(Plan::InFiles)),
            ("tables", "begun", "none", Err("allow more, or take fewer kinds")),
            ("tables", "tables", "none", Ok(Plan::ReadTables)),
            // Some distances, in rounds; ten is all of them.
            ("tables 6", "", "all", Ok(Plan::InFiles)),
            ("tables 10", "", "all", Ok(Plan::InFiles)),
            ("tables 6", "begun", "files", Ok(Plan::InFiles)),
            ("tables 6", "begun", "none", Err("allow more, or take fewer kinds")),
            ("tables 6", "begun rounds", "none", Ok(Plan::ReadRounds)),
            ("tables 6", "tables", "none", Ok(Plan::ReadTables)),
            // Shares.
            ("tables share", "", "all", Ok(Plan::Share)),
            ("tables share", "begun", "files", Ok(Plan::Share)),
            ("tables share", "", "none", Err("allow more, or take fewer kinds")),
            ("tables share", "tables", "none", Ok(Plan::ReportSolved)),
            ("tables share 6", "begun rounds", "all", Ok(Plan::Share)),
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

    #[test]
    fn distances_kept_in_files() {
        let game = Game::both("AYMT").expect("kinds");
        assert_eq!(Distances::All.keep(&game), Ok(Keep::Everything));
        assert_eq!(Distances::UpTo(10).keep(&game), Ok(Keep::Everything));
        assert_eq!(Distances::UpTo(9).keep(&game), Ok(Keep::UpTo(9)));
        let refused = Distances::UpTo(11).keep(&game).expect_err("there are ten doves");
        assert!(
            refused.contains("have 2 to 10 doves, bosses included; write one of these numbers"),
            "{refused}"
        );
    }
}
