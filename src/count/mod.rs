//! Deciding the assignments of a boss placement: which of them are mates, wins in one, or stuck.
//!
//! Two methods share one refutation table ([`table`]) and its [`demands`]: [`exhaustive`] tests every assignment,
//! [`factored`] counts with permanents. [`decide`](fn@decide) is for a single board. The [`reference`](mod@reference)
//! shares no code with them.

mod decide;
pub mod demands;
pub mod exhaustive;
pub mod factored;
pub mod families;
pub mod list;
pub mod orders;
pub mod pairs;
pub mod permanent;
pub mod published;
pub mod reference;
mod scene;
pub mod sets;
mod sides;
pub mod table;
pub mod tally;
mod workload;

use std::fmt;
use std::str::FromStr;

use crate::rules::name::{self, NameError};
use crate::rules::{Color, Game, Rules};
use crate::shapes::BossPlacement;
pub use decide::{decide, decide_in};
pub use reference::Verdict;
pub use sides::Sides;
use table::Table;
pub use workload::Workload;

/// A category of positions to count. No position is in two categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// Some action does not lose outright, and after every such action the opponent wins at once.
    Mates,
    /// Some action wins at once.
    Wins,
    /// Every action loses outright, or there is none: the mover has lost, but the position is not a mate.
    Stuck,
}

impl Category {
    /// All three.
    pub const ALL: [Category; 3] = [Category::Mates, Category::Wins, Category::Stuck];

    /// Whether a boss placement may hold a position of the category; the enclosure prune rules out mates on some.
    pub fn may_be_on(self, placement: &BossPlacement) -> bool {
        self != Category::Mates || !placement.is_pruned()
    }

    /// The name in the plural, as tables and files have it.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Mates => "mates",
            Category::Wins => "wins",
            Category::Stuck => "stuck",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Category {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Category, NameError> {
        name::find("kind of position", text, &Category::ALL, Category::name)
    }
}

/// The method by which the assignments of a boss placement are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Fixes the opposing doves, then computes a permanent: see [`factored`].
    Factored,
    /// Tests every assignment in turn: see [`exhaustive`].
    Exhaustive,
}

/// A question for a count: which positions, under which rules, and by which method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The category to count.
    pub what: Category,
    /// The rule variant.
    pub rules: Rules,
    /// The method that decides assignments.
    pub method: Method,
}

/// Counts one boss placement after another, reusing the memory of its table.
pub struct Counter {
    question: Question,
    sides: Sides,
    table: Table,
}

impl Counter {
    /// A counter for this question in Tokyo Doves itself.
    pub fn new(question: Question) -> Counter {
        Counter { question, sides: Sides::WHOLE, table: Table::default() }
    }

    /// A counter for positions of a game with this player to move.
    pub fn for_game(game: &Game, mover: Color, what: Category, method: Method) -> Counter {
        let question = Question { what, rules: game.rules, method };
        Counter { sides: Sides::of(game, mover), ..Counter::new(question) }
    }

    /// The number of assignments of the boss placement that are in the category.
    pub fn count(&mut self, placement: &BossPlacement) -> u64 {
        let Question { what, rules, method } = self.question;
        self.table.build_for(what, placement, rules);
        match method {
            Method::Factored => factored::count(&self.table, what, self.sides),
            Method::Exhaustive => exhaustive::count(&self.table, what, self.sides),
        }
    }
}
