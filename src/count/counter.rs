//! Counts one boss placement after another, for a category, under a rule variant, by a method.

use super::table::Table;
use super::{Category, Sides, exhaustive, factored};
use crate::rules::Rules;
use crate::rules::name::written_as_its_name;
use crate::shapes::BossPlacement;

/// The method by which the assignments of a boss placement are decided.
///
/// ```
/// use dovemate::{Count, Method, count};
///
/// let by = |method| count(Count::wins().doves(2..=4).method(method));
/// assert_eq!(by(Method::Exhaustive)?, by(Method::Factored)?);
/// # Ok::<(), dovemate::RunError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Fixes the opposing doves, then computes a permanent.
    Factored,
    /// Tests every assignment, a row of up to 120 at a time.
    Exhaustive,
}

impl Method {
    /// Both methods.
    pub const ALL: [Method; 2] = [Method::Factored, Method::Exhaustive];

    /// The name as written in files.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Factored => "factored",
            Method::Exhaustive => "exhaustive",
        }
    }
}

written_as_its_name!(Method, "method of counting");

/// A question for a count: which positions, under which rules, and by which method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The category to count.
    pub category: Category,
    /// The rule variant.
    pub rules: Rules,
    /// The method that decides assignments.
    pub method: Method,
}

/// Counts one boss placement after another, reusing the memory of its table.
#[derive(Debug)]
pub struct Counter {
    question: Question,
    sides: Sides,
    table: Table,
}

impl Counter {
    /// A counter for this question in Tokyo Doves itself.
    pub fn new(question: Question) -> Counter {
        Counter::with(question, Sides::WHOLE)
    }

    /// A counter for this question where the players have these doves.
    pub(crate) fn with(question: Question, sides: Sides) -> Counter {
        Counter { question, sides, table: Table::default() }
    }

    /// The method by which it counts.
    pub fn method(&self) -> Method {
        self.question.method
    }

    /// The number of assignments of the boss placement that are in the category.
    pub fn count(&mut self, placement: &BossPlacement) -> u64 {
        let Question { category, rules, method } = self.question;
        self.table.build(Some(category), placement, rules);
        match method {
            Method::Factored => factored::count(&self.table, category, self.sides),
            Method::Exhaustive => exhaustive::count(&self.table, category, self.sides),
        }
    }
}
