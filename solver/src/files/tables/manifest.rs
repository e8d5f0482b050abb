//! The manifest of a game's tables.

use serde::{Deserialize, Serialize};

use crate::files::archive::{FileEntry, VERSION};
use crate::files::game_folder::{GameFolder, MANIFEST};
use crate::files::sealed;
use crate::solved::{Longest, SolutionRow, TableError};
use crate::space::layout::Layout;
use dovemate::rules::{Game, Rules};

/// The manifest of a folder.
#[derive(Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: u32,
    program: String,
    version: String,
    red: String,
    green: String,
    returns: bool,
    both_surrounded: String,
    pub distances: bool,
    pub positions: u64,
    /// The number of places of the game.
    pub places: u64,
    #[serde(flatten)]
    pub summary: Summary,
}

/// The fields that the manifests of a game and of its parts have in common.
#[derive(Serialize, Deserialize)]
pub(crate) struct Summary {
    /// The last round that found something.
    pub rounds: u32,
    pub longest: Option<Longest>,
    pub files: Vec<FileEntry>,
    pub rows: Vec<SolutionRow>,
}

impl Summary {
    pub(crate) fn positions(&self) -> u64 {
        self.rows.iter().map(|row| row.positions).fold(0, u64::saturating_add)
    }
}

impl Manifest {
    pub(crate) fn game(&self) -> Option<Game> {
        let rules = Rules { returns: self.returns, both_surrounded: self.both_surrounded.parse().ok()? };
        Some(Game { red: self.red.parse().ok()?, green: self.green.parse().ok()?, rules })
    }
}

/// Writes the manifest of a game; the files that it names must exist.
pub(crate) fn write_manifest(
    layout: &Layout,
    summary: Summary,
    folder: &GameFolder,
) -> Result<(), TableError> {
    let (game, path) = (&layout.game, folder.path.join(MANIFEST));
    let manifest = Manifest {
        format: VERSION,
        program: "dovemate".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        red: game.red.to_string(),
        green: game.green.to_string(),
        returns: game.rules.returns,
        both_surrounded: game.rules.both_surrounded.name().to_owned(),
        distances: true,
        positions: summary.positions(),
        places: layout.places(),
        summary,
    };
    // An equal manifest is not written again, so that a run over finished tables, which only compares them, also works
    // on a read-only medium.
    match std::fs::read_to_string(&path).is_ok_and(|there| there == sealed::text(&manifest)) {
        true => Ok(()),
        false => folder.create_document(&path, &manifest),
    }
}
