//! Levels of an opponent: how far it sees, and how much chance there is in its estimates.
//!
//! A level only ever chooses among the first actions of a ranking that was made within its limits. So it wins at once
//! if it sees a win, and takes a loss that it sees only if it sees nothing else. A novice sees 2 plies: it never misses
//! a win in one, and never lets the opponent have one if there is another action. A club player sees 4.

use rand_chacha::ChaCha8Rng;

use super::{Asker, Limits, LookupError, Ranked, Ranking, Worth};
use crate::random::{below, seeded};
use crate::rules::name::written_as_its_name;
use crate::rules::{Board, Color};
use crate::search::estimate::SCALE;
use crate::value::Value;

/// How well an opponent plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Sees 2 plies, and often misjudges what lies beyond.
    Novice,
    /// Sees 4 plies, and seldom misjudges by much what lies beyond.
    Club,
    /// Plays as well as is known: by values, proofs and estimates; by chance only where these see no difference.
    #[default]
    Perfect,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 3] = [Level::Novice, Level::Club, Level::Perfect];

    /// The name: `novice`, `club` or `perfect`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Novice => "novice",
            Level::Club => "club",
            Level::Perfect => "perfect",
        }
    }

    /// The plies that the level sees; `None` if there is no limit. A level with a limit knows no values of solved
    /// games.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Level::Novice => Some(2),
            Level::Club => Some(4),
            Level::Perfect => None,
        }
    }

    /// How far an estimate can be off by chance.
    const fn chance(self) -> i32 {
        match self {
            Level::Novice => 2 * SCALE,
            Level::Club => SCALE / 4,
            Level::Perfect => SCALE / 32,
        }
    }
}

written_as_its_name!(Level, "level");

/// A player of a level. The same seed makes the same choices from the same rankings.
pub struct Chooser {
    level: Level,
    rng: ChaCha8Rng,
}

impl Chooser {
    /// A player of this level.
    pub fn new(level: Level, seed: u64) -> Chooser {
        Chooser { level, rng: seeded(seed) }
    }

    /// Ranks the actions of a player as the level sees them. A level with its own limit searches to that depth, however
    /// long it takes, so that the same seed makes the same choice on every machine.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn rank(&self, asker: &mut Asker, board: &Board, mover: Color, limits: Limits) -> Result<Ranking, LookupError> {
        match self.level.plies() {
            Some(plies) => asker.without_values().rank(board, mover, Limits { plies, deadline: None }),
            None => asker.rank(board, mover, limits),
        }
    }

    /// The action to play, if there is one: the first of the ranking if it loses, or wins in a known number of plies.
    /// Otherwise one of those with the same value: one whose position has come up least often, by `times`; of these one
    /// that leaves the opponent the fewest ways; of these the one with the best estimate, give or take some chance.
    pub fn choose<'r>(&mut self, ranking: &'r Ranking, times: impl Fn(&Ranked) -> usize) -> Option<&'r Ranked> {
        let best = ranking.actions.first()?;
        if matches!(best.worth, Worth::Exact(Value::Win(_) | Value::Lose(_)) | Worth::Lose) {
            return Some(best);
        }
        let equal = ranking.actions.iter().take_while(|ranked| ranked.worth == best.worth);
        let chance = self.level.chance();
        let cost = |ranked: &&Ranked| {
            let score = ranked.estimate.map_or(0, |estimate| estimate.score);
            let off = below(&mut self.rng, 2 * chance as u64 + 1) as i32 - chance;
            (times(ranked), ranked.ways.unwrap_or(u32::MAX), -score - off)
        };
        equal.min_by_key(cost)
    }
}
