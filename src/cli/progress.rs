//! Progress on standard error: a bar on a terminal, a plain line now and then elsewhere, nothing if quiet.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use dovemate::digits::grouped;
use dovemate::run::Observer;
use dovemate::solve::Round;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long between two lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Shows how far the work is.
pub struct Progress {
    bar: ProgressBar,
    /// What is counted and what becomes of it: `assignments decided`.
    unit: &'static str,
    /// When the next line is due; `None` on a terminal or if quiet.
    next_line: Option<Mutex<Instant>>,
    quiet: bool,
}

impl Progress {
    /// Progress of a count, as the user wants it.
    pub fn new(quiet: bool) -> Progress {
        Progress::of("assignments decided", quiet)
    }

    /// No progress, but what else is said, as the user wants it.
    pub fn without_bar(quiet: bool) -> Progress {
        Progress { quiet, ..Progress::new(true) }
    }

    /// Progress of any work, in a unit such as `bytes read`.
    pub fn of(unit: &'static str, quiet: bool) -> Progress {
        let is_terminal = io::stderr().is_terminal();
        let target = if quiet || !is_terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %  {human_pos} of {human_len}  {eta} left");
        bar.set_style(style.expect("the template is well-formed"));
        let next_line = (!quiet && !is_terminal).then(|| Mutex::new(Instant::now() + BETWEEN_LINES));
        Progress { bar, unit, next_line, quiet }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether nothing has been begun, or what was has ended.
    pub fn is_at_rest(&self) -> bool {
        self.bar.length().is_none_or(|length| self.bar.position() >= length)
    }
}

impl Observer for Progress {
    fn begin(&self, assignments: u64) {
        self.bar.set_length(assignments);
        self.bar.reset();
    }

    fn advance(&self, assignments: u64) {
        self.bar.inc(assignments);
        let Some(Ok(mut next_line)) = self.next_line.as_ref().map(Mutex::try_lock) else {
            return;
        };
        if Instant::now() >= *next_line {
            *next_line = Instant::now() + BETWEEN_LINES;
            let (position, length) = (self.bar.position(), self.bar.length().unwrap_or(0));
            super::complain(format_args!(
                "{} of {} {} after {:.0} s",
                grouped(position),
                grouped(length),
                self.unit,
                self.bar.elapsed().as_secs_f64()
            ));
        }
    }

    fn say(&self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| super::complain(format_args!("{message}")));
        }
    }

    fn warn(&self, message: &str) {
        self.bar.suspend(|| super::complain(format_args!("warning: {message}")));
    }
}

/// Shows the rounds of a solver, one line that changes on a terminal.
pub struct Rounds {
    bar: ProgressBar,
    next_line: Option<Mutex<Instant>>,
    /// What is added to the next line.
    note: Mutex<String>,
    quiet: bool,
}

impl Rounds {
    /// Progress of a solver, as the user wants it.
    pub fn new(quiet: bool) -> Rounds {
        let is_terminal = io::stderr().is_terminal();
        let target = if quiet || !is_terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(ProgressStyle::with_template("{spinner} {elapsed}  {msg}").expect("the template is well-formed"));
        bar.set_message("preparing the actions of all boss placements");
        bar.enable_steady_tick(Duration::from_millis(200));
        let next_line = (!quiet && !is_terminal).then(|| Mutex::new(Instant::now() + BETWEEN_LINES));
        Rounds { bar, next_line, note: Mutex::default(), quiet }
    }

    /// No rounds, but what else is said, as the user wants it.
    pub fn without_bar(quiet: bool) -> Rounds {
        Rounds { quiet, ..Rounds::new(true) }
    }

    /// A round is over.
    pub fn show(&self, round: &Round) {
        let (wins, losses) = (grouped(round.wins), grouped(round.losses));
        let note = std::mem::take(&mut *self.note.lock().unwrap_or_else(PoisonError::into_inner));
        let message = format!("round {}: {wins} positions won, {losses} lost{note}", round.number);
        if let Some(Ok(mut next_line)) = self.next_line.as_ref().map(Mutex::lock)
            && Instant::now() >= *next_line
        {
            *next_line = Instant::now() + BETWEEN_LINES;
            super::complain(format_args!("{message}, after {:.0} s", round.elapsed.as_secs_f64()));
        }
        self.bar.set_message(message);
    }

    /// Adds something to the line of the next round.
    pub fn note(&self, note: String) {
        *self.note.lock().unwrap_or_else(PoisonError::into_inner) = note;
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Rounds {
    fn begin(&self, _: u64) {}

    fn advance(&self, _: u64) {}

    fn say(&self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| super::complain(format_args!("{message}")));
        }
    }

    fn warn(&self, message: &str) {
        self.bar.suspend(|| super::complain(format_args!("warning: {message}")));
    }
}
