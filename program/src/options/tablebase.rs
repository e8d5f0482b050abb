//! The tables of solved games, for the commands that read them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::io::{Failure, complain, grouped, shell_word};
use crate::options::{GameArguments, game};
use dovemate::{DoveSet, Game, Rules};
use dovemate_solver::whole_files::folder_of;
use dovemate_solver::{LookupError, TableError, Tablebase};

/// A game, and the folder with its tables.
#[derive(Args, Clone, Debug)]
pub struct KnownGameArguments {
    #[command(flatten)]
    pub game: GameArguments,
    /// Take values from the game that `dovemate solve --tables DIR` has solved
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl KnownGameArguments {
    /// The game with the given dove sets, or with all five kinds for both if none are given.
    pub fn game(&self) -> Game {
        self.game.game()
    }

    /// The options that name the game, as in `--kinds AYM`.
    pub fn options(&self) -> String {
        options(&self.game())
    }

    /// Whether a folder of tables is given.
    pub fn has_tables(&self) -> bool {
        self.tables.is_some()
    }

    /// The tables of the game; `None` if no folder is given.
    ///
    /// # Errors
    /// If the folder contains no tables of the game, or damaged ones.
    pub fn open(&self) -> Result<Option<Tablebase>, Failure> {
        let Some(folder) = &self.tables else { return Ok(None) };
        let game = self.game();
        // If the game's own folder is given, the folder of tables is the one above it.
        let is_own = folder.file_name().is_some_and(|name| name == Tablebase::folder_name(&game).as_str());
        let folder = if is_own { folder_of(folder) } else { folder };
        let stored = match Tablebase::open(folder, game) {
            Err(TableError::Missing(_)) => {
                let others: Vec<String> =
                    games_in(folder).iter().filter(|other| **other != game).map(options).collect();
                let tables = shell_word(&folder.to_string_lossy());
                let advice = match others.is_empty() {
                    true => format!("`dovemate solve {} --tables {tables}` makes them", options(&game)),
                    false => format!("it has those of {}", others.join(", of ")),
                };
                let message = format!("{} has no finished tables of {game}; {advice}", folder.display());
                return Err(Failure::Failed(anyhow::anyhow!(message)));
            }
            stored => stored?,
        };
        // While a game is being solved part by part, only its solved parts have values.
        if !stored.is_whole() {
            let positions = grouped(stored.solution().count(|_| true));
            let message = "positions have values in the unfinished tables; others are searched";
            complain(format_args!("{positions} {message}"));
        }
        Ok(Some(stored))
    }
}

/// The games that have a folder in a folder of tables, finished or not.
fn games_in(folder: &Path) -> Vec<Game> {
    let has = |game: &Game| folder.join(Tablebase::folder_name(game)).is_dir();
    let sets = DoveSet::all();
    let of_rules = |rules| {
        let sets = &sets;
        sets.iter().flat_map(move |&red| sets.iter().map(move |&green| Game { red, green, rules }))
    };
    Rules::variants().flat_map(of_rules).filter(has).collect()
}

/// The options that select a game.
fn options(game: &Game) -> String {
    let sets = match game.is_even() {
        true => format!("--kinds {}", game.red),
        false => format!("--red {} --green {}", game.red, game.green),
    };
    sets + &game::rule_options(game.rules)
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        let message = error.to_string();
        match error {
            TableError::Foreign { .. } | TableError::OtherKeep { .. } => Failure::Usage(message),
            TableError::Checksum(..) | TableError::Contradiction(..) => Failure::Contradiction(message),
            TableError::Unwritten(_, cause)
                if matches!(cause.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) =>
            {
                let hint = "run the same command to resume when there is more space";
                Failure::Failed(anyhow::anyhow!("{message}; {hint}"))
            }
            // The text of the error already includes the cause.
            _ => Failure::Failed(anyhow::anyhow!(message)),
        }
    }
}

impl From<LookupError> for Failure {
    fn from(error: LookupError) -> Failure {
        match error {
            LookupError::Tables(error) => error.into(),
            error => Failure::Usage(error.to_string()),
        }
    }
}
