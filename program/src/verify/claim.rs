//! A claim, its check, and the finding of the check.

use std::ops::RangeInclusive;

use dovemate::Count;
use dovemate::count::Question;
use dovemate::count::Tally;
use dovemate::gpu::Selection;
use dovemate::{Backend, Observer, RunError};

/// The source of claims that are this program's own.
pub(super) const THIS_PROGRAM: &str = "this program";

/// A claim and its check, which uses the threads of the pool that it runs in.
pub struct Claim {
    pub claim: &'static str,
    /// The source of the claim.
    pub stated: &'static str,
    /// The method of the check, and its coverage.
    pub how: &'static str,
    /// The check. A count that cannot be made is an error; a wrong count is a finding.
    pub check: fn(&Setting) -> Result<Finding, RunError>,
}

/// A claim and its check.
pub(super) const fn claim(
    claim: &'static str,
    stated: &'static str,
    how: &'static str,
    check: fn(&Setting) -> Result<Finding, RunError>,
) -> Claim {
    Claim { claim, stated, how, check }
}

/// The resources and settings of the checks.
pub struct Setting<'a> {
    /// The adapter for the checks on a GPU; `None` for a hardware GPU, if there is one.
    pub adapter: Option<Selection>,
    /// The observer of the long counts.
    pub observer: &'a dyn Observer,
}

impl Setting<'_> {
    /// A count by this question, on the checks' threads.
    pub(super) fn job(&self, question: Question, doves: RangeInclusive<u32>, backend: Backend) -> Count<'_> {
        let Question { category, rules, method } = question;
        let threads = rayon::current_num_threads();
        let count = Count::new(category).rules(rules).method(method).doves(doves).threads(threads);
        count.on(backend, self.adapter.clone().filter(|_| backend == Backend::Gpu)).observer(self.observer)
    }

    pub(super) fn count(&self, question: Question, doves: RangeInclusive<u32>) -> Result<Tally, RunError> {
        Ok(self.job(question, doves, Backend::Cpu).report()?.tally)
    }
}

/// The result of a check.
pub struct Finding {
    pub expected: String,
    pub found: String,
    /// Whether the claim holds; `None` if it could not be checked here.
    pub holds: Option<bool>,
}

impl Finding {
    pub fn new(expected: impl ToString, found: impl ToString, holds: bool) -> Finding {
        Finding { expected: expected.to_string(), found: found.to_string(), holds: Some(holds) }
    }

    pub(super) fn equal(expected: u64, found: u64) -> Finding {
        Finding::new(expected, found, expected == found)
    }

    pub(super) fn skipped(why: impl ToString) -> Finding {
        Finding { expected: String::new(), found: why.to_string(), holds: None }
    }
}
