//! Progress of solving a game in files.

use crate::io::Progress;
use dovemate_solver::in_files::Event;

/// Shows the rounds, then the groups of the tables.
pub struct FileProgress {
    rounds: Progress,
    writing: Progress,
}

impl FileProgress {
    /// Progress of solving in files; none if `quiet`.
    pub fn new(quiet: bool) -> FileProgress {
        FileProgress { rounds: Progress::of_rounds(quiet), writing: Progress::of("groups written", quiet) }
    }

    /// Shows an event.
    pub fn show(&self, event: Event) {
        match event {
            Event::Part { number, of, round } => {
                self.rounds.begin_part(&format!("part {} of {of}, round {round}", number + 1));
            }
            Event::Round(round, bytes) => {
                self.rounds.round(&round, &format!("; {:.3} GB on disk", bytes as f64 / 1e9));
            }
            Event::Writing { groups } => {
                if self.writing.is_at_rest() {
                    self.rounds.finish();
                    self.writing.begin(groups);
                }
                self.writing.advance(1);
            }
        }
    }
}
