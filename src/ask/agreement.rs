//! Draws by agreement: when the program offers one, and when it agrees to one.
//!
//! The rules of the game know no repetition, so that players settle on a draw. The program plays on as long
//! as it knows a win or expects much.

use super::{Ranked, Ranking, Source};
use crate::search::estimate::SCALE;
use crate::value::Wdl;

/// In a long game that is known to be drawn, the program offers a draw every so many plies.
const OFTEN: usize = 10;
/// The estimate from which a player expects much, in the units of its scale.
const MUCH: i32 = SCALE / 2;

/// How far a game has come, and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The actions so far.
    pub plies: usize,
    /// How often the position has come up, this time included.
    pub times: usize,
}

/// What the program says to the offer of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It agrees.
    Agrees,
    /// It plays on.
    Declines,
    /// It plays on, as the game is young and the position new.
    TooEarly,
}

impl Progress {
    /// The plies after which a game is long.
    pub const LONG: usize = 30;

    /// Whether the program offers a draw with the action that it has chosen from a ranking: when the position
    /// has come back, unless it plays to win; now and then in a long game that it knows to be drawn.
    pub fn offers(self, ranking: &Ranking, chosen: &Ranked) -> bool {
        match ranking.worth().wdl() {
            _ if chosen.source == Source::Rules => false, // The game is over then.
            Some(Wdl::Win) => false,
            // Either player acts in one of two plies.
            Some(Wdl::Draw) if self.plies >= Progress::LONG && self.plies % OFTEN < 2 => true,
            Some(_) => self.times > 1,
            None => self.times > 1 && chosen.estimate.is_none_or(|estimate| estimate.score <= MUCH),
        }
    }

    /// What the program says if the player to act, whose actions these are, offers a draw.
    pub fn reply(self, ranking: &Ranking) -> Reply {
        let estimate = ranking.actions.first().and_then(|best| best.estimate);
        match ranking.worth().wdl() {
            Some(Wdl::Win) => Reply::Agrees,
            Some(Wdl::Lose) => Reply::Declines,
            _ if self.plies < Progress::LONG && self.times < 2 => Reply::TooEarly,
            None if estimate.is_some_and(|estimate| estimate.score < -MUCH) => Reply::Declines,
            _ => Reply::Agrees,
        }
    }
}
