//! Counting positions of Tokyo Doves, in one call.

use std::ops::RangeInclusive;

use crate::count::tally::Tally;
use crate::count::{Category, Method, Question};
use crate::gpu::Selection;
use crate::rules::Rules;
use crate::run::{self, Backend, Job, Observer, Report, RunError};

/// What to count, how, and where: by default with any number of doves, under the default rules, on all cores
/// of the CPU.
///
/// ```
/// use dovemate::{BothSurrounded, Count, Rules};
///
/// let draw = Rules { both_surrounded: BothSurrounded::Draw, ..Rules::default() };
/// let count = Count::mates().doves(2..=6).rules(draw).threads(1);
/// assert_eq!(dovemate::count(&count)?.rows.len(), 5);
/// # Ok::<(), dovemate::RunError>(())
/// ```
#[derive(Clone)]
pub struct Count<'a> {
    job: Job,
    observer: &'a dyn Observer,
}

impl<'a> Count<'a> {
    /// Counts a category of positions.
    pub fn of(category: Category) -> Count<'a> {
        let question = Question { category, rules: Rules::default(), method: Method::Factored };
        let mut job = Job::new(question);
        job.backend = Backend::Cpu;
        job.chooses_method = true;
        Count { job, observer: &() }
    }

    /// Counts mates.
    pub fn mates() -> Count<'a> {
        Count::of(Category::Mates)
    }

    /// Counts wins in one.
    pub fn wins() -> Count<'a> {
        Count::of(Category::Wins)
    }

    /// The numbers of doves on the board, bosses included; there are never fewer than 2 or more than 12.
    #[must_use]
    pub fn doves(mut self, doves: RangeInclusive<u32>) -> Count<'a> {
        self.job.doves = doves;
        self
    }

    /// The rule variant.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Count<'a> {
        self.job.question.rules = rules;
        self
    }

    /// The method; by default the factored one on the CPU, and the exhaustive one on a GPU, which has no other.
    #[must_use]
    pub fn method(mut self, method: Method) -> Count<'a> {
        self.job.question.method = method;
        self.job.chooses_method = false;
        self
    }

    /// Where to count.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Count<'a> {
        self.job.backend = backend;
        self
    }

    /// The GPU to count on: a software driver is used only if it is selected.
    #[must_use]
    pub fn adapter(mut self, adapter: Selection) -> Count<'a> {
        self.job.backend = Backend::Gpu;
        self.job.adapter = Some(adapter);
        self
    }

    /// The number of CPU threads, instead of one for each core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Count<'a> {
        self.job.threads = Some(threads);
        self
    }

    /// The observer that is told of the progress.
    #[must_use]
    pub fn observer(mut self, observer: &'a dyn Observer) -> Count<'a> {
        self.observer = observer;
        self
    }

    /// Counts, and also reports what ran where and what checked it.
    ///
    /// ```
    /// let report = dovemate::Count::wins().doves(2..=4).report()?;
    /// assert!(report.on_gpu().is_none(), "counted on the CPU");
    /// println!("{} positions in {:?}", report.tally.total().positions, report.counting);
    /// # Ok::<(), dovemate::RunError>(())
    /// ```
    ///
    /// # Errors
    /// If no GPU can be used although one was requested, if one was requested with the factored method, or threads cannot
    /// be started. A GPU that fails halfway is no error: the result is then the CPU's, and the report says so.
    pub fn report(&self) -> Result<Report, RunError> {
        run::count(&self.job, self.observer)
    }
}

/// Counts positions up to symmetry, by number of doves. Every position is decided; nothing is sampled.
///
/// ```
/// use dovemate::{Count, count};
///
/// let tally = count(&Count::mates().doves(2..=6))?;
/// assert_eq!(tally.total().positions, 14_310);
/// # Ok::<(), dovemate::RunError>(())
/// ```
///
/// On a GPU, whose counts are compared with the CPU's:
///
/// ```no_run
/// use dovemate::{Backend, Count, count};
///
/// let tally = count(&Count::mates().backend(Backend::Gpu))?;
/// println!("{} mates", tally.total().positions);
/// # Ok::<(), dovemate::RunError>(())
/// ```
///
/// # Errors
/// As [`Count::report`].
pub fn count(count: &Count) -> Result<Tally, RunError> {
    Ok(count.report()?.tally)
}
