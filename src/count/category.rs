//! The categories of positions that are counted.

use serde::Deserialize;

use super::Verdict;
use crate::rules::name::written_as_its_name;
use crate::shapes::BossPlacement;

/// A category of positions to count. No position is in two categories.
///
/// ```
/// use dovemate::{Category, Count, count};
///
/// let stuck = count(Count::new(Category::Stuck).doves(2..=5))?;
/// assert_eq!(stuck.total().positions, 0, "there is always an action that does not lose outright");
/// # Ok::<(), dovemate::RunError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Some action does not lose outright, and after every such action the opponent wins at once.
    Mates,
    /// Some action wins at once.
    Wins,
    /// Every action loses outright, or there is none: the mover has lost, but the position is not a mate.
    Stuck,
}

impl Category {
    /// All categories.
    pub const ALL: [Category; 3] = [Category::Mates, Category::Wins, Category::Stuck];

    /// Whether a boss placement may hold a position of the category; the enclosure prune rules out mates on
    /// some.
    pub(crate) fn may_be_on(self, placement: &BossPlacement) -> bool {
        self != Category::Mates || !placement.is_pruned()
    }

    /// The verdict on the positions of the category.
    pub const fn verdict(self) -> Verdict {
        match self {
            Category::Mates => Verdict::Mate,
            Category::Wins => Verdict::WinInOne,
            Category::Stuck => Verdict::Stuck,
        }
    }

    /// The plural name, as written in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Mates => "mates",
            Category::Wins => "wins",
            Category::Stuck => "stuck",
        }
    }
}

written_as_its_name!(Category, "kind of position");
