//! The verdict on a position.

use std::fmt;

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
    /// Some action leaves the opponent without an immediate win.
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
