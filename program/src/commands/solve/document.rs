//! The JSON export of `dovemate solve`.

use serde::Serialize;

use super::execute::SolveReport;
use super::text::LongestLine;
use dovemate::Color;
use dovemate_solver::{Lookup, LookupError, SolutionRow};
use dovemate_web::documents::{GameDocument, Origin};

/// The format number of the JSON export.
const FORMAT: u32 = 2;

#[derive(Serialize)]
pub struct SolveDocument {
    #[serde(flatten)]
    origin: Origin,
    #[serde(flatten)]
    game: GameDocument,
    positions: u64,
    rounds: u32,
    start: serde_json::Value,
    longest: Option<serde_json::Value>,
    rows: Vec<SolutionRow>,
    checked_places: u64,
    checked_all: bool,
    seconds: f64,
    checking_seconds: f64,
    /// The size in bytes of win bits and results in memory or, for a game in files, of its files.
    memory: u64,
    threads: usize,
    /// Null without `--tables`.
    tables: Option<serde_json::Value>,
}

impl SolveDocument {
    pub fn of(report: &SolveReport, longest: Option<&LongestLine>) -> Result<SolveDocument, LookupError> {
        let (solved, solution) = (&report.solved, report.solved.solution());
        Ok(SolveDocument {
            origin: Origin::of_format(FORMAT),
            game: GameDocument::of(&solved.game()),
            positions: solution.count(|_| true),
            rounds: solved.rounds(),
            start: serde_json::json!({ "red": report.start(Color::Red)?, "green": report.start(Color::Green)? }),
            longest: longest.map(|LongestLine { longest, line, .. }| {
                serde_json::json!({
                    "value": longest.value.name(),
                    "plies": longest.value.plies(),
                    "board": longest.board.to_string(),
                    "to_move": longest.mover.name(),
                    "line": line,
                })
            }),
            rows: solution.rows().to_vec(),
            checked_places: report.checked.places,
            checked_all: report.checked.all,
            seconds: report.solving.as_secs_f64(),
            checking_seconds: report.checking.as_secs_f64(),
            memory: solved.bytes(),
            threads: report.threads,
            tables: report.on_disk.as_ref().map(|on_disk| {
                serde_json::json!({
                    "folder": on_disk.folder.display().to_string(),
                    "files": on_disk.files,
                    "bytes": on_disk.bytes,
                    "read": on_disk.is_read,
                    "rounds": on_disk.in_rounds,
                    "seconds": on_disk.time.as_secs_f64(),
                })
            }),
        })
    }
}
