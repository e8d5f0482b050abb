//! Levels of an opponent: how far it sees, what it overlooks, and how much its estimates vary by chance.
//!
//! A level chooses among the actions with the best value that it notices, in a ranking made within its limits. So it
//! plays for a win if it notices one, and accepts a loss that it sees only if it sees nothing else. A novice sees 3
//! plies: it never misses a win in one, and never allows the opponent one that it can prevent. A club player sees 5. A
//! beginner sees 2 when it looks, but often looks no further than its own action, and overlooks some wins, as beginners
//! do.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::{Analysis, Effort, LookupError, Ranked, Ranking, Worth};
use crate::search::Threads;
use crate::search::estimate::SCALE;
use dovemate::Limits;
use dovemate::random::Random;
use dovemate::rules::{Board, Color, NameError, find_by_name};
use dovemate_solver::Value;

/// How well an opponent plays.
///
/// ```
/// use dovemate_analysis::level::{Chooser, Level};
/// use dovemate_analysis::{Analysis, Effort};
/// use dovemate::{Board, Color, Game};
///
/// let (board, mut analysis) = (Board::default(), Analysis::by_search(Game::both("AY")?));
/// let mut bot = Chooser::new("club".parse::<Level>()?, 2022);
/// let ranking = bot.rank(&mut analysis, &board, Color::Red, &[], &Effort::plies(9))?;
/// println!("{}", bot.choose(&ranking).expect("the game is not over").text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Level {
    /// For children and first games: overlooks some wins in one, and often what the opponent threatens.
    Beginner,
    /// Sees 3 plies, and often misjudges what lies beyond.
    Novice,
    /// Sees 5 plies, and judges what lies beyond with small errors.
    Club,
    /// Plays as well as it can: by values, proofs and estimates; by chance only where these differ little.
    #[default]
    Strongest,
}

/// The parameters of a level.
#[derive(Debug)]
pub(crate) struct Skill {
    name: &'static str,
    /// The plies that it sees; `None` if there is no limit. A level with a limit knows no values of solved
    /// games.
    pub plies: Option<u32>,
    /// The greatest random error of an estimate, in the units of its score: see [`SCALE`].
    pub chance: i32,
    /// The percentage of turns on which it overlooks what the opponent can do next.
    pub missed_threats: u64,
    /// The percentage of turns on which it overlooks a win in one.
    pub missed_wins: u64,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 4] = [Level::Beginner, Level::Novice, Level::Club, Level::Strongest];

    /// The parameters of the level.
    pub(crate) const fn skill(self) -> Skill {
        let (name, plies, chance, missed_threats, missed_wins) = match self {
            Level::Beginner => ("beginner", Some(2), 4 * SCALE, 60, 30),
            Level::Novice => ("novice", Some(3), SCALE / 2, 0, 0),
            Level::Club => ("club", Some(5), SCALE / 8, 0, 0),
            Level::Strongest => ("strongest", None, SCALE / 16, 0, 0),
        };
        Skill { name, plies, chance, missed_threats, missed_wins }
    }

    /// The plies that it sees; `None` if there is no limit.
    pub const fn plies(self) -> Option<u32> {
        self.skill().plies
    }

    /// The name: `beginner`, `novice`, `club` or `strongest`.
    pub const fn name(self) -> &'static str {
        self.skill().name
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Level, NameError> {
        find_by_name("level", text, &Level::ALL, Level::name)
    }
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A player of a level; `analysis/examples/bot.rs` lets two of them play. The same seed makes the same choices from the
/// same rankings.
#[derive(Debug)]
pub struct Chooser {
    level: Level,
    random: Random,
}

impl Chooser {
    /// A player of this level.
    pub fn new(level: Level, seed: u64) -> Chooser {
        Chooser { level, random: Random::new(seed) }
    }

    /// The level.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Ranks the actions of a player as the level sees them, in a game in which the boards of `seen` have come up after
    /// the player's actions. A level with its own limit searches to that depth, however long it takes, so that the same
    /// seed makes the same choice on every machine.
    ///
    /// # Errors
    /// If a dove on the board is not in the game, a boss is surrounded, or values cannot be read.
    pub fn rank(
        &mut self,
        analysis: &mut Analysis,
        board: &Board,
        mover: Color,
        seen: &[Board],
        effort: &Effort,
    ) -> Result<Ranking, LookupError> {
        let skill = self.level.skill();
        let Some(plies) = skill.plies else { return analysis.rank_in_game(board, mover, seen, effort) };
        let plies = if self.misses(skill.missed_threats) { 0 } else { plies };
        let limits = Limits { deadline: None, ..effort.limits.clone() };
        let effort = Effort { plies, threads: Threads::One, limits };
        analysis.without_values().rank_in_game(board, mover, seen, &effort)
    }

    /// Decides at random whether the player overlooks something this turn, with a probability of `percent` %.
    fn misses(&mut self, percent: u64) -> bool {
        self.random.below(100) < percent
    }

    /// The action to play, if there is one. It is chosen among the actions that have the best value the player sees, by
    /// these criteria in turn:
    ///
    /// - the bound of the distance, if there is one: small for a win, large for a loss;
    /// - if the value is proved, the position that has come up least often;
    /// - the fewest ways for the opponent, varied by chance;
    /// - the best estimate, varied by chance; deeper estimates first where time ended the search.
    pub fn choose<'r>(&mut self, ranking: &'r Ranking) -> Option<&'r Ranked> {
        let first = ranking.choice()?;
        let is_win = |ranked: &Ranked| ranked.worth == Worth::Exact(Value::Win(1));
        let misses_win = is_win(first) && self.misses(self.level.skill().missed_wins);
        let noticed = ranking.actions.iter().filter(|ranked| !(misses_win && is_win(ranked)));
        let best = if misses_win { noticed.clone().next() } else { Some(first) };
        let Some(best) = best else { return Some(first) };
        let value = |ranked: &Ranked| (ranked.worth, ranked.within.is_some());
        noticed.filter(|ranked| value(ranked) == value(best)).min_by_key(|ranked| self.cost(ranked))
    }

    /// The cost of an action. Of actions of equal value the cheapest is chosen.
    fn cost(&mut self, ranked: &Ranked) -> impl Ord + use<> {
        let Skill { chance, plies, .. } = self.level.skill();
        // An unproved position that has come up is already estimated as a draw.
        let seen = if ranked.is_proved() { ranked.seen } else { 0 };
        // Estimates differ in depth only where time, not a number of plies, ends the search.
        let depth =
            ranked.estimate.filter(|_| plies.is_none()).map(|estimate| (estimate.is_exact, estimate.plies));
        let score = ranked.estimate.map_or(0, |estimate| estimate.score);
        let off = self.random.below(2 * chance as u64 + 1) as i32 - chance;
        // The player overlooks up to a quarter of the opponent's good replies, so two actions swap only if their counts
        // differ by less than a third.
        let noticed = i64::from(4 * chance - off.abs());
        let ways = ranked.ways.map_or(i64::MAX, |ways| i64::from(ways.kept) * noticed);
        (ranked.urgency(), seen, ways, Reverse(depth), -i64::from(score) - i64::from(off))
    }
}
