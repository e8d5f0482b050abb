//! The tables of solved games, for the commands that write or read them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use clap::Args;

use crate::cli::io::command_line::shell_word;
use crate::cli::io::failure::{Failure, complain};
use crate::cli::io::output::{self, OutputFile};
use crate::cli::io::process;
use dovemate::digits::grouped;
use dovemate::rules::{Game, Rules};
use dovemate::solve::Solved;
use dovemate::solve::by_parts::{SMALL_BYTES, open_solved};
use dovemate::solve::files::journal::ROUNDS;
use dovemate::solve::files::tables::{self, MANIFEST, TableError, Tablebase};
use dovemate::solve::files::whole;
use dovemate::solve::space::layout::Layout;

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

    /// The tables of a game, preferably those with distances; `None` if no folder is given.
    ///
    /// # Errors
    /// If the folder has no tables of the game, or damaged ones.
    pub fn open(&self, game: &Game) -> Result<Option<Tablebase>, Failure> {
        let Some(folder) = &self.tables else { return Ok(None) };
        let stored = match Tablebase::open(folder, *game) {
            Err(TableError::Missing(_)) => {
                let command = command(folder, game);
                let message = format!("{} has no finished tables of {game}; `{command}` makes them", folder.display());
                return Err(Failure::Failed(anyhow::anyhow!(message)));
            }
            stored => stored?.on_failure(end),
        };
        // While a game is being solved part by part, the values of its solved parts are known.
        if !stored.is_whole() {
            let positions = grouped(stored.solution().count(|_| true));
            let message = "positions have values in the unfinished tables; others are searched";
            complain(format_args!("{positions} {message}"));
        }
        Ok(Some(stored))
    }
}

/// The tables of a game in a folder of tables, if they are finished.
pub fn open(folder: &Path, game: &Game, has_distances: bool) -> Result<Option<Tablebase>, Failure> {
    match Tablebase::open_finished(&of_game(folder, game, has_distances), *game, has_distances) {
        Ok(stored) => Ok(Some(stored.on_failure(end))),
        Err(TableError::Missing(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The solved parts of a game in a folder of tables, in rounds or in tables; `None` if no part is solved.
pub fn open_rounds(folder: &Path, game: &Game) -> Result<Option<Tablebase>, Failure> {
    let stored = open_solved(Layout::new(*game), &of_game(folder, game, true), SMALL_BYTES)?;
    Ok(stored.map(|stored| stored.on_failure(end)))
}

/// Whether a folder of tables has rounds or solved parts of a game that is being solved in files.
pub fn has_rounds(folder: &Path, game: &Game) -> bool {
    let folder = of_game(folder, game, true);
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_part = |path: PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"));
    entries(&folder).any(is_part) || entries(&folder.join(ROUNDS)).any(|part| entries(&part).next().is_some())
}

/// The folder of a game in a folder of tables.
pub fn of_game(folder: &Path, game: &Game, has_distances: bool) -> PathBuf {
    folder.join(tables::folder_name(game, has_distances))
}

/// Makes the folder of a game, checks that tables can be written there, and returns it.
pub fn prepare(folder: &Path, game: &Game, has_distances: bool) -> Result<PathBuf, Failure> {
    let folder = of_game(folder, game, has_distances);
    std::fs::create_dir_all(&folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    // Otherwise the first file would fail only after the game is solved.
    drop(OutputFile::open(&folder.join(MANIFEST))?);
    process::goes_on_after_interrupt();
    Ok(folder)
}

/// Writes the tables of a game into its folder.
///
/// # Errors
/// If a file cannot be written, or an existing one is damaged. Finished files stay.
pub fn write(solved: &dyn Solved, folder: &Path, each: &(dyn Fn() + Sync)) -> Result<(), Failure> {
    Ok(tables::write(solved, folder, tables::SHARD, &whole::create, each)?)
}

/// The command that makes the tables of a game.
fn command(folder: &Path, game: &Game) -> String {
    let sets = match game.is_even() {
        true => format!("--kinds {}", game.red),
        false => format!("--red {} --green {}", game.red, game.green),
    };
    let returns = if game.rules.returns { "" } else { " --no-return" };
    let ruling = match game.rules.both_surrounded {
        ruling if ruling == Rules::default().both_surrounded => String::new(),
        ruling => format!(" --both-surrounded {ruling}"),
    };
    let folder = shell_word(&folder.to_string_lossy());
    format!("dovemate solve {sets}{returns}{ruling} --tables {folder}")
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
                let hint = "when there is more space the same command goes on";
                Failure::Failed(anyhow::anyhow!("{message}; {hint}"))
            }
            // Its text already includes the cause.
            _ => Failure::Failed(anyhow::anyhow!(message)),
        }
    }
}

/// Exits because values cannot be read, on whatever thread and for whatever caller.
fn end(error: &TableError) -> ! {
    static IS_ENDING: Mutex<()> = Mutex::new(());
    // Other threads that meet the same error wait here until the program exits.
    let _ending = IS_ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    let _held = output::remove_unfinished_files();
    complain(format_args!("error: {error}"));
    exit(match error {
        TableError::Checksum(..) | TableError::Contradiction(..) => 3,
        _ => 1,
    })
}
