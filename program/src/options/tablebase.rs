//! The tables of solved games, for the commands that read them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::io::{Failure, complain, grouped, shell_word};
use crate::options::game;
use dovemate::files::folder_of;
use dovemate::{DoveSet, Game, LookupError, Rules, TableError, Tablebase};

/// The option for tables to read.
#[derive(Args, Clone, Debug)]
pub struct TableArguments {
    /// Take values from the tables that `dovemate solve --tables DIR` wrote
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl TableArguments {
    /// Whether a folder is given.
    pub fn is_given(&self) -> bool {
        self.tables.is_some()
    }

    /// The tables of a game; `None` if no folder is given.
    ///
    /// # Errors
    /// If the folder has no tables of the game, or damaged ones.
    pub fn open(&self, game: &Game) -> Result<Option<Tablebase>, Failure> {
        let Some(folder) = self.tables.as_deref().map(|folder| folder_of_games(folder, game)) else {
            return Ok(None);
        };
        let stored = match Tablebase::open(folder, *game) {
            Err(TableError::Missing(_)) => {
                let others: Vec<String> =
                    games_in(folder).iter().filter(|other| *other != game).map(options).collect();
                let advice = match others.is_empty() {
                    true => format!("`{}` makes them", command(folder, game)),
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

/// The folder with the folders of games: the one above, if the game's own folder is given.
fn folder_of_games<'a>(folder: &'a Path, game: &Game) -> &'a Path {
    let is_own = folder.file_name().is_some_and(|name| name == Tablebase::folder_name(game).as_str());
    if is_own { folder_of(folder) } else { folder }
}

/// The games that a folder has tables of.
fn games_in(folder: &Path) -> Vec<Game> {
    let has = |game: &Game| folder.join(Tablebase::folder_name(game)).is_dir();
    let sets = DoveSet::all();
    let of_rules = |rules| {
        let sets = &sets;
        sets.iter().flat_map(move |&red| sets.iter().map(move |&green| Game { red, green, rules }))
    };
    Rules::variants().flat_map(of_rules).filter(has).collect()
}

/// The command that makes the tables of a game.
fn command(folder: &Path, game: &Game) -> String {
    format!("dovemate solve {} --tables {}", options(game), shell_word(&folder.to_string_lossy()))
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
