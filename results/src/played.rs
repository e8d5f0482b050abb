//! Positions of games that the program plays against itself, with what a lookahead says of them.
//!
//! The whole game is played, with returns or without. A game starts with some random actions that do not lose at once,
//! or on a board drawn evenly. Then both players take the action that the lookahead prefers, with some chance in it,
//! and now and then any action. The game ends when the lookahead sees a win or a loss, when a position comes up the
//! third time, or after [`PLIES`]. With each position, the one after a random action is recorded too, because search
//! meets such positions.

use dovemate::Limits;
use dovemate::rules::{Board, Color, Game, Rules};
use dovemate_analysis::search::estimate::SCALE;
use dovemate_analysis::search::{Position, Search, Threads};
use dovemate_analysis::{Draw, Estimate};
use dovemate_solver::Wdl;
use dovemate_solver::openings::Openings;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::examples::{Evidence, Example};

/// The plies after which a game counts as a draw.
const PLIES: usize = 60;
/// One game in this many starts on a board drawn evenly, with this many doves.
const DRAWN: usize = 4;
const DOVES: std::ops::Range<usize> = 5..12;
/// The random actions at the start of the other games.
const RANDOM: std::ops::Range<usize> = 2..18;
/// One action in this many is any action.
const ANY: usize = 12;
/// What chance adds to an estimate is less than this.
const CHANCE: usize = SCALE as usize / 8;
/// What an estimate loses each time that its position has come up.
const AGAIN: i32 = SCALE / 2;
/// What an estimate loses that is only a bound.
const BOUND: i32 = SCALE / 4;
/// Scores above this are wins that the lookahead sees; those below its negative, losses.
const WON: i32 = 1 << 23;

/// The positions of the game with this seed, with scores of a lookahead to this many plies.
pub fn positions(seed: u64, plies: u32) -> Vec<Example> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |n: usize| (random.next_u64() % n as u64) as usize;
    let game = Game::whole(Rules { returns: below(2) == 0, ..Rules::default() });
    let mut search = Search::new(&game).within(Limits::default());
    if let Some(openings) = Openings::of(&game) {
        search.probe_in(openings, openings.most_doves());
    }
    let is_drawn = below(DRAWN) == 0;
    let (board, mover) = match is_drawn {
        true => Draw::new(game, DOVES.start as u32..=DOVES.end as u32 - 1, seed).position(),
        false => ("b;B".parse::<Board>().expect("the start of the game"), Color::Red),
    };
    let mut position = Position::of(&board, mover, &game).expect("a position of the game");
    let mut left = if is_drawn { 0 } else { RANDOM.start + below(RANDOM.len()) };
    while left > 0 && !position.surrounds_in_one(game.rules) {
        let mut after = search.successors(&position);
        after.retain(|after| !after.surrounds_in_one(game.rules));
        if after.is_empty() {
            break;
        }
        position = after[below(after.len())];
        left -= 1;
    }
    let (mut played, mut aside, mut line) = (Vec::new(), Vec::new(), Vec::new());
    let mut end = Wdl::Draw;
    for _ in 0..PLIES {
        let Some((after, estimates)) = look(&mut search, &position, game.rules, plies) else {
            let is_won = position.surrounds_in_one(game.rules);
            end = if is_won { Wdl::Win } else { Wdl::Lose };
            break;
        };
        let key = position.key();
        let times = |line: &[u64], key| line.iter().filter(|before| **before == key).count();
        if times(&line, key) == 0 {
            played.push((position, best(&estimates)));
        }
        line.push(key);
        if times(&line, key) == 3 {
            break;
        }
        if best(&estimates).abs() > WON {
            end = if best(&estimates) > 0 { Wdl::Win } else { Wdl::Lose };
            break;
        }
        let other = after[below(after.len())];
        if let Some((_, estimates)) = look(&mut search, &other, game.rules, plies) {
            aside.push((other, best(&estimates)));
        }
        let cost = |index: usize, off: usize| {
            let Estimate { is_exact, score, .. } = estimates[index];
            let again = times(&line, after[index].key()) as i32 * AGAIN;
            again + if is_exact { 0 } else { BOUND } - score - off as i32
        };
        position = match below(ANY) {
            0 => after[below(after.len())],
            _ => after[(0..after.len()).min_by_key(|&index| cost(index, below(CHANCE))).expect("an action")],
        };
    }
    // `end` is how the game ends for the player to move in the last position.
    let last = position.mover();
    let ended = |mover| match end {
        Wdl::Win if mover != last => Wdl::Lose,
        Wdl::Lose if mover != last => Wdl::Win,
        end => end,
    };
    let played = played.into_iter().map(|(position, score)| (position, score, Some(ended(position.mover()))));
    let aside = aside.into_iter().map(|(position, score)| (position, score, None));
    played
        .chain(aside)
        .map(|(position, score, end)| Example::of(&position, game, Evidence::Score(score, end)))
        .collect()
}

/// The positions after the actions that do not end the game, with their estimates; `None` if there is none,
/// or the player wins at once.
fn look(
    search: &mut Search,
    position: &Position,
    rules: Rules,
    plies: u32,
) -> Option<(Vec<Position>, Vec<Estimate>)> {
    let after = search.successors(position);
    if after.is_empty() || position.surrounds_in_one(rules) {
        return None;
    }
    let estimates = search.compare(&after, &vec![false; after.len()], plies, Threads::One);
    Some((after, estimates))
}

fn best(estimates: &[Estimate]) -> i32 {
    estimates.iter().max().expect("an action").score
}
