//! A claim, its check, and what the check finds.

use dovemate::internals::gpu::Selection;
use dovemate::internals::run::{Observer, RunError};

/// The source of the claims that no article makes.
pub(super) const HERE: &str = "this program";

/// A claim and its check.
#[non_exhaustive]
pub struct Claim {
    /// What is claimed.
    pub claim: &'static str,
    /// The source of the claim.
    pub stated: &'static str,
    /// The method of the check, and what it covers.
    pub how: &'static str,
    /// Whether the check takes long and is run only on request.
    pub is_long: bool,
    check: ClaimCheck,
}

type ClaimCheck = fn(&Setting) -> Result<Finding, RunError>;

/// A claim that is quick to check.
pub(super) const fn claim(claim: &'static str, stated: &'static str, how: &'static str, check: ClaimCheck) -> Claim {
    Claim { claim, stated, how, is_long: false, check }
}

/// The resources and settings of the checks.
pub struct Setting<'a> {
    /// The adapter for the checks on a GPU; if none is named, a hardware GPU if there is one.
    pub adapter: Option<Selection>,
    /// The number of CPU threads; all cores if not given.
    pub threads: Option<usize>,
    /// Receives the progress of the long counts.
    pub observer: &'a dyn Observer,
}

/// The result of a check.
pub struct Finding {
    /// The expected result.
    pub expected: String,
    /// The actual result.
    pub found: String,
    /// The verdict.
    pub verdict: ClaimVerdict,
}

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// The claim holds.
    Holds,
    /// The claim is false.
    Fails,
    /// The claim could not be checked here.
    Skipped,
}

impl Claim {
    /// The claim as one whose check takes long.
    pub(super) const fn long(self) -> Claim {
        Claim { is_long: true, ..self }
    }

    /// Checks the claim.
    ///
    /// # Errors
    /// If a count cannot be made. A count that comes out differently is a finding, not an error.
    pub fn check(&self, setting: &Setting) -> Result<Finding, RunError> {
        (self.check)(setting)
    }
}

impl Finding {
    pub(super) fn new(expected: impl ToString, found: impl ToString, holds: bool) -> Finding {
        let verdict = if holds { ClaimVerdict::Holds } else { ClaimVerdict::Fails };
        Finding { expected: expected.to_string(), found: found.to_string(), verdict }
    }

    pub(super) fn equal(expected: u64, found: u64) -> Finding {
        Finding::new(expected, found, expected == found)
    }

    pub(super) fn skipped(why: impl ToString) -> Finding {
        Finding { expected: String::new(), found: why.to_string(), verdict: ClaimVerdict::Skipped }
    }
}
