//! How well the program plays where nothing is proved: `results/strength.csv`.
//!
//!     cargo result strength -- tables AYMT/AYMT 2000 200 50 100 results/strength.csv
//!     cargo result strength -- tables AYMT/AYMT 0.1s 200 50 0 results/strength.csv
//!     cargo result strength -- tables AYMTH/AYMTH 300 900 0 0 results/strength.csv
//!     cargo result strength -- openings AYMTH/AYMTH 0.1s 50 0 0 results/strength.csv
//!
//! The arguments are the folder of a solved game's tables, the game, the effort for an action, and the numbers of
//! decisions, of wins to be played out, and of games; then the file, to which lines are added. The effort is a number
//! of positions or a time by the clock ([`Work`]). Where no distances are known, as in a game solved with
//! `--keep wins`, no wins can be played out, because the best defence needs distances. With `openings` in place of the
//! folder, the game is the whole one without returns, as far as the openings embedded in the program have the values of
//! all actions: with three doves and with four.
//!
//! - `kept`: positions are drawn evenly, by number of doves. One counts as a decision if some legal action keeps its
//!   value and some does not, and proof search of this effort leaves both kinds among its first choices; wins in up to
//!   3 plies and losses in up to 2, which every search sees, are left out. The result is how many choices keep the
//!   value: of a random legal action (the number expected), and of `best` as it is now.
//! - `won`: how many decisions that are wins end as wins, against a defence that keeps what it can and then delays
//!   most, over at most 200 plies.
//! - `games`: from random positions whose value is a draw, the player to move against one that sees 4 plies and is
//!   random beyond, over at most 200 plies.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use dovemate::rules::{Board, Color, Game, Outcome};
use dovemate_analysis::level::{Chooser, Level};
use dovemate_analysis::{Analysis, Draw, Effort, Lookup, Ranked, Ranking, Worth};
use dovemate_results::by_search::drawn;
use dovemate_results::games;
use dovemate_results::work::Work;
use dovemate_solver::openings::Openings;
use dovemate_solver::{Tablebase, Value, Wdl};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const SEED: u64 = 28;
/// The most plies of a game.
const MAX_PLIES: usize = 200;
/// The plies that the opponent in games sees.
const OPPONENT: u32 = 4;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, name, effort, decisions, wins, games, path] = &arguments[..] else {
        bail!("usage: strength TABLES GAME EFFORT DECISIONS WINS GAMES FILE");
    };
    let mut game = games::game(name)?;
    let limit = effort.parse()?;
    let strength = if folder == "openings" {
        game.rules.returns = false;
        let openings = Openings::of(&game).with_context(|| format!("there are no openings of {name}"))?;
        // An action may put a dove.
        Strength { game, doves: 3..=openings.most_doves() - 1, values: Box::new(openings), work: limit }
    } else {
        let tables = Tablebase::open(folder, game)?;
        Strength { game, doves: 4..=game.most_doves(), values: Box::new(tables), work: limit }
    };
    let wins = wins.parse()?;
    ensure!(
        wins == 0 || strength.values.knows_all(),
        "wins cannot be played out: not all distances of {name} are known"
    );
    let mut lines: Vec<[String; 5]> = Vec::new();
    let decisions = strength.kept(decisions.parse()?, &mut lines)?;
    strength.won(&decisions, wins, &mut lines)?;
    strength.games(games.parse()?, &mut lines)?;
    // What was not requested has no line.
    lines.retain(|[_, _, _, count, _]| count != "0");
    let is_new = !Path::new(path).exists();
    let mut text = String::from(if is_new { "game,effort,what,player,doves,count,kept\n" } else { "" });
    for line in &lines {
        text += &format!("{name},{effort},{}\n", line.join(","));
    }
    print!("{text}");
    OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())?;
    Ok(())
}

/// Who chooses: chance among all legal actions, or `best` as it is now.
const CHOICES: [&str; 2] = ["random", "now"];

struct Strength {
    game: Game,
    /// The numbers of doves on the boards of decisions.
    doves: RangeInclusive<u32>,
    values: Box<dyn Lookup>,
    work: Work,
}

/// A position in which a choice matters.
struct Decision {
    board: Board,
    mover: Color,
    worth: Worth,
}

/// The value of a position, and how likely each of the [`CHOICES`] is to keep it.
type Decided = (Worth, [f64; 2]);

impl Strength {
    /// The value of a position in which no boss is surrounded.
    fn worth(&self, board: &Board, mover: Color) -> Result<Worth> {
        let known = self.values.probe(board, mover)?;
        Ok(known.with_context(|| format!("there is no value of {board} with {mover} to move"))?.worth)
    }

    /// The value of an action to its player.
    fn truth(&self, after: &Board, mover: Color) -> Result<Worth> {
        Ok(match self.game.rules.outcome_of(after, mover) {
            Outcome::Won => Worth::Exact(Value::Win(1)),
            Outcome::Lost => Worth::Exact(Value::Lose(1)),
            Outcome::Drawn => Worth::Exact(Value::Draw),
            Outcome::Open => self.worth(after, mover.opponent())?.before(),
        })
    }

    /// The share of values kept, by choice and number of doves; returns the decisions.
    fn kept(&self, count: usize, lines: &mut Vec<[String; 5]>) -> Result<Vec<Decision>> {
        let began = Instant::now();
        let levels: Vec<u32> = self.doves.clone().collect();
        let mut decisions = Vec::new();
        let mut kept: BTreeMap<(usize, u32), (usize, f64)> = BTreeMap::new();
        for &doves in &levels {
            let mut draw = Draw::new(self.game, doves..=doves, SEED);
            let (mut found, mut drawn) = (0, 0);
            // With few doves, search may leave no decision open.
            while found < count.div_ceil(levels.len()) && drawn < 10 * count {
                drawn += 1;
                let (board, mover) = draw.position();
                let Some((worth, shares)) = self.decide(&board, mover)? else { continue };
                found += 1;
                decisions.push(Decision { board, mover, worth });
                for (choice, share) in shares.into_iter().enumerate() {
                    for doves in [doves, 0] {
                        let (count, sum) = kept.entry((choice, doves)).or_default();
                        *count += 1;
                        *sum += share;
                    }
                }
            }
            eprintln!(
                "{doves} doves: {found} decisions of {drawn} positions, {} s",
                began.elapsed().as_secs()
            );
        }
        for ((choice, doves), (count, sum)) in kept {
            let doves = if doves == 0 { "all".to_owned() } else { doves.to_string() };
            lines.push([
                "kept".into(),
                CHOICES[choice].into(),
                doves,
                count.to_string(),
                format!("{sum:.1}"),
            ]);
        }
        Ok(decisions)
    }

    /// The value of a position and how likely each choice is to keep it, if that is a decision.
    fn decide(&self, board: &Board, mover: Color) -> Result<Option<Decided>> {
        let worth = self.worth(board, mover)?;
        if matches!(worth, Worth::Exact(Value::Win(1..=3) | Value::Lose(0..=2))) {
            return Ok(None);
        }
        // A first look, with a tenth of the effort, rules out most positions.
        for work in [self.work.tenth(), self.work] {
            let ranking = Analysis::by_search(self.game).rank_proved(board, mover, &work.effort())?;
            let points = self.points(&ranking, mover)?;
            let Some(best) = points.iter().max() else { return Ok(None) };
            let first = ranking.actions[0].worth;
            let mut of_first =
                ranking.actions.iter().zip(&points).filter(|(ranked, _)| ranked.worth == first);
            if first.wdl().is_some() || of_first.all(|(_, points)| points == best) {
                return Ok(None);
            }
        }
        let ranking = Analysis::by_search(self.game).rank(board, mover, &self.work.effort())?;
        let points = self.points(&ranking, mover)?;
        let best = points.iter().max().context("there is an action")?;
        let keeping = points.iter().filter(|points| *points == best).count();
        let now = if points[0] == *best { 1.0 } else { 0.0 };
        Ok(Some((worth, [keeping as f64 / points.len() as f64, now])))
    }

    /// The points that each action of a ranking is worth, in halves.
    fn points(&self, ranking: &Ranking, mover: Color) -> Result<Vec<u8>> {
        let points = |worth: Worth| match worth.wdl() {
            Some(Wdl::Win) => 2,
            Some(Wdl::Lose) => 0,
            Some(Wdl::Draw) | None => 1,
        };
        ranking.actions.iter().map(|ranked| Ok(points(self.truth(&ranked.after, mover)?))).collect()
    }

    /// How many wins are still won at the end.
    fn won(&self, decisions: &[Decision], count: usize, lines: &mut Vec<[String; 5]>) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        let wins: Vec<&Decision> =
            decisions.iter().filter(|decision| decision.worth.wdl() == Some(Wdl::Win)).collect();
        // Equal intervals are a fair sample, because the wins are in the order of their numbers of doves.
        let wins = drawn(&wins, count);
        let mut won = 0;
        for decision in &wins {
            let answer = |board: &Board, mover: Color| self.delay(board, mover);
            won += u32::from(self.play(&decision.board, decision.mover, answer)? == Some(true));
        }
        lines.push(["won".into(), "now".into(), "all".into(), wins.len().to_string(), won.to_string()]);
        Ok(())
    }

    /// How many games are won and lost against a player who sees a few plies.
    fn games(&self, count: usize, lines: &mut Vec<[String; 5]>) -> Result<()> {
        let mut draw = Draw::new(self.game, 2..=self.game.most_doves(), SEED);
        let mut results = [0; 2];
        for number in 0..count {
            let (board, mover) = loop {
                let (board, mover) = draw.position();
                if self.worth(&board, mover)?.wdl() == Some(Wdl::Draw) {
                    break (board, mover);
                }
            };
            let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
            let mut analysis = Analysis::by_search(self.game);
            let answer = |board: &Board, mover: Color| {
                let ranking = analysis.rank_proved(board, mover, &Effort::plies(OPPONENT))?;
                let is_first = |ranked: &&Ranked| ranked.worth == ranking.actions[0].worth;
                let first: Vec<&Ranked> = ranking.actions.iter().filter(is_first).collect();
                Ok(first[rng.next_u64() as usize % first.len()].after.clone())
            };
            match self.play(&board, mover, answer)? {
                Some(true) => results[0] += 1,
                Some(false) => results[1] += 1,
                None => {}
            }
        }
        for (what, result) in ["games won", "games lost"].into_iter().zip(results) {
            lines.push([what.into(), "now".into(), "all".into(), count.to_string(), result.to_string()]);
        }
        Ok(())
    }

    /// The best defence: keeps what it can, wins soonest, loses latest.
    fn delay(&self, board: &Board, mover: Color) -> Result<Board> {
        let mut best: Option<(Worth, Board)> = None;
        for (_, after) in self.game.legal_actions(board, mover) {
            let worth = self.truth(&after, mover)?;
            if best.as_ref().is_none_or(|(other, _)| worth > *other) {
                best = Some((worth, after));
            }
        }
        Ok(best.context("the game goes on")?.1)
    }

    /// Plays a game; returns whether the player wins it, or `None` if nobody does.
    fn play(
        &self,
        board: &Board,
        mover: Color,
        mut answer: impl FnMut(&Board, Color) -> Result<Board>,
    ) -> Result<Option<bool>> {
        let mut analysis = Analysis::by_search(self.game);
        let mut chooser = Chooser::new(Level::Strongest, SEED);
        let mut seen: Vec<Board> = Vec::new();
        let (mut board, mut turn) = (board.clone(), mover);
        for _ in 0..MAX_PLIES {
            if self.game.legal_actions(&board, turn).next().is_none() {
                return Ok(Some(turn != mover));
            }
            let after = if turn == mover {
                let ranking = analysis.rank_in_game(&board, mover, &seen, &self.work.effort())?;
                let after = chooser.choose(&ranking).context("there is an action")?.after.clone();
                seen.push(after.clone());
                after
            } else {
                answer(&board, turn)?
            };
            match self.game.rules.outcome_of(&after, turn) {
                Outcome::Won => return Ok(Some(turn == mover)),
                Outcome::Lost => return Ok(Some(turn != mover)),
                Outcome::Drawn => return Ok(None),
                Outcome::Open => {}
            }
            (board, turn) = (after, turn.opponent());
        }
        Ok(None)
    }
}
