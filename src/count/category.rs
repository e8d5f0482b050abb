//! The categories of positions that are counted, and the verdict on a single position.

use std::fmt;

use serde::Deserialize;

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
    /// Some action wins at once, by surrounding the opposing boss.
    Wins,
    /// Every action loses outright, or there is none: the mover loses, but the position is not a mate.
    Stuck,
}

impl Category {
    /// All categories.
    pub const ALL: [Category; 3] = [Category::Mates, Category::Wins, Category::Stuck];

    /// Whether a boss placement may have a position of the category; the enclosure prune rules out mates on some.
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

    /// The name, as written in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Mates => "mates",
            Category::Wins => "wins",
            Category::Stuck => "stuck",
        }
    }
}

written_as_its_name!(Category, "kind of position");

/// The verdict on a position, from the point of view of the player to move.
///
/// ```
/// use dovemate::{Board, Color, Rules, Verdict, decide};
///
/// assert_eq!(decide(&Board::default(), Color::Red, Rules::default()), Verdict::Escape);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A boss is surrounded already.
    Finished,
    /// An action wins at once.
    WinInOne,
    /// Every action loses outright, or there is none.
    Stuck,
    /// Mate: some action does not lose outright, and after every such action the opponent wins at once.
    Mate,
    /// No action wins at once, but some action leaves the opponent without an immediate win.
    Escape,
}

impl Verdict {
    /// The name in files: `finished`, `win-in-one`, `stuck`, `mate`, or `neither` for an escape.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Finished => "finished",
            Verdict::WinInOne => "win-in-one",
            Verdict::Stuck => "stuck",
            Verdict::Mate => "mate",
            Verdict::Escape => "neither",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
