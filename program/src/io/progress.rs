//! Progress on standard error: a bar on a terminal, plain lines at least ten seconds apart where none can be drawn,
//! nothing if quiet.

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::io::text::WIDEST_COLUMNS;
use crate::io::{complain, grouped, signs};
use dovemate::clock::Instant;
use dovemate::report::Processor;
use dovemate::{Method, Observer};
use dovemate_solver::Round;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// The least time between two lines if no bar can be drawn.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows the progress of the work, or the rounds of a solver, until it is dropped.
pub struct Progress {
    bar: ProgressBar,
    /// When the current work began.
    began: Arc<Mutex<Instant>>,
    /// When the next line is due; `None` if the bar is shown or if quiet.
    next_line: Option<Mutex<Instant>>,
    quiet: bool,
}

impl Progress {
    /// The progress of a count; hidden if `quiet`.
    pub fn new(quiet: bool) -> Progress {
        Progress::of("assignments decided", quiet)
    }

    /// The rounds of a solver; hidden if `quiet`.
    pub fn of_rounds(quiet: bool) -> Progress {
        let progress = Progress::shown("{spinner} {elapsed}  {msg}", quiet);
        progress.bar.set_message("preparing the actions of all boss placements");
        // The bar panics if it cannot start its thread, so check that a thread can be started. Without one, the bar
        // does not move between rounds.
        if !progress.bar.is_hidden() && thread::Builder::new().spawn(|| ()).is_ok() {
            progress.bar.enable_steady_tick(Duration::from_millis(200));
        }
        progress
    }

    /// The progress of any work in a unit such as `bytes read`; hidden if `quiet`.
    pub fn of(unit: &'static str, quiet: bool) -> Progress {
        let progress = Progress::shown("{wide_bar} {percent:>3} % of {human_len} {msg}{left}", quiet);
        Progress { bar: progress.bar.with_message(unit), ..progress }
    }

    fn shown(template: &str, quiet: bool) -> Progress {
        // The bar hides itself without a terminal, or on one that cannot move its cursor. Nobody reads lines above the
        // limit below, and drawing a bar that wide would take longer than the work.
        let is_drawn = !quiet && textwrap::termwidth() <= WIDEST_COLUMNS * 4;
        let target = if is_drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template(template).expect("the template is well-formed");
        // The bar's own clock includes time in which the program was suspended, and would then forecast hours where
        // seconds are left.
        let began = Arc::new(Mutex::new(Instant::now()));
        let of_work = Arc::clone(&began);
        let style = style.with_key("left", move |state: &ProgressState, text: &mut dyn fmt::Write| {
            if let Some(left) = state.len().and_then(|all| left(since(&of_work), state.pos(), all)) {
                let _ = write!(text, ", {:#} left", HumanDuration(left));
            }
        });
        let of_rounds = Instant::now();
        let style = style.with_key("elapsed", move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = write!(text, "{:#}", HumanDuration(of_rounds.elapsed()));
        });
        // A terminal that gets boards in ASCII may show the blocks of a bar two columns wide.
        bar.set_style(if signs().arrow.is_ascii() { style.progress_chars("#>-") } else { style });
        let next_line = (!quiet && bar.is_hidden()).then(|| Mutex::new(Instant::now() + LINE_INTERVAL));
        Progress { bar, began, next_line, quiet }
    }

    /// Whether a plain line is due; if so, the next one is scheduled.
    fn is_line_due(&self) -> bool {
        let Some(Ok(mut next_line)) = self.next_line.as_ref().map(Mutex::try_lock) else { return false };
        let is_due = Instant::now() >= *next_line;
        if is_due {
            *next_line = Instant::now() + LINE_INTERVAL;
        }
        is_due
    }

    /// Prints which part of a game begins, and clears the round that is shown.
    pub fn begin_part(&self, message: &str) {
        self.say(message);
        self.bar.set_message("");
    }

    /// Shows a finished round, with a note on it.
    pub fn round(&self, round: &Round, note: &str) {
        let (wins, losses) = (grouped(round.wins), grouped(round.losses));
        let message = format!("round {}: {wins} positions won, {losses} lost{note}", round.number);
        if self.is_line_due() {
            complain(format_args!("{message}, after {:.0} s", round.elapsed.as_secs_f64()));
        }
        self.bar.set_message(message);
    }

    /// Removes the bar from the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether no work is in progress: none has begun, or all of it is done.
    pub fn is_at_rest(&self) -> bool {
        self.bar.length().is_none_or(|length| self.bar.position() >= length)
    }

    /// Begins work of this many steps.
    pub fn begin(&self, steps: u64) {
        *self.began.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.bar.set_length(steps);
        self.bar.reset();
    }

    /// Notes that more steps are done.
    pub fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        if self.is_line_due() {
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let (unit, time) = (self.bar.message(), since(&self.began).as_secs_f64());
            complain(format_args!("{} of {} {unit} after {time:.0} s", grouped(done), grouped(all)));
        }
    }
}

/// The time since work began.
fn since(began: &Mutex<Instant>) -> Duration {
    began.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
}

/// The time that is left at the pace so far; `None` during the first second or the first percent, which are too little
/// for a forecast.
fn left(elapsed: Duration, done: u64, all: u64) -> Option<Duration> {
    let fraction = done as f64 / all.max(1) as f64;
    let is_known = elapsed >= Duration::from_secs(1) && fraction >= 0.01;
    is_known.then(|| elapsed.mul_f64((1.0 / fraction - 1.0).max(0.0)))
}

impl Observer for Progress {
    fn begin(&self, by: &Processor, method: Method, assignments: u64) {
        let decided = if method == Method::Exhaustive { "tested" } else { "decided" };
        Progress::begin(self, assignments);
        self.bar.set_message(format!("assignments {decided} on {by}"));
    }

    fn advance(&self, assignments: u64) {
        Progress::advance(self, assignments);
    }

    fn say(&self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| complain(format_args!("{message}")));
        }
    }

    fn warn(&self, message: &str) {
        self.bar.suspend(|| complain(format_args!("warning: {message}")));
    }
}
