//! Fits the estimate to the values of solved games: `src/search/estimate/model.bin` and
//! `results/estimate.csv`.
//!
//!     cargo result fit_estimate -- draw sample.csv 3000 AYM/AYM AYT/AYM
//!     cargo result fit_estimate -- fit sample.csv tables
//!     cargo result fit_estimate -- test other.csv
//!
//! `draw` solves each game and draws COUNT positions of every number of doves evenly. It adds to the file all
//! of them that are won or lost, except wins in one, which search sees at once, and one in [`THINNED`] of
//! those whose value is a draw. `fit` reads such files; from the folder given to `--tables` it reads the
//! sample of the whole game with returns, if that was solved with `--distances N`. One position in ten,
//! chosen by its checksum, is put aside, and the figures are separate for these and for the others. `test`
//! gives the figures of the embedded model on all positions of a file, as for a game that the fit has not
//! seen.
//!
//! The fit is a logistic regression, by L-BFGS: a position's expected points are the logistic function of its
//! estimate, with 1 for a win, ½ for a draw and 0 for a loss. Among positions with the same number of doves,
//! of games with the same number of kinds, all wins, all draws and all losses have the same total weight, as
//! far as [`MAX_WEIGHT`] allows; only their order matters, not how common they are. The figures say in what
//! share of the pairs with different values the position with the greater value has the higher estimate.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use dovemate::ask::Draw;
use dovemate::internals::search::Position;
use dovemate::internals::search::estimate::features::{self, WEIGHTS};
use dovemate::internals::search::estimate::{Model, SCALE};
use dovemate::internals::solve::files::game_folder::create;
use dovemate::internals::solve::files::tables::Tablebase;
use dovemate::internals::solve::solve;
use dovemate::rules::{Board, Color, Game, Rules};
use dovemate::{Known, Value};
use dovemate_results::games;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

/// The seed of the positions drawn.
const SEED: u64 = 2022;
/// One position in this many is put aside.
const ASIDE: u64 = 10;
/// Of positions whose value is a draw, one in this many is taken.
const THINNED: u64 = 8;
/// The most that a position weighs.
const MAX_WEIGHT: f64 = 30.0;
/// The strength of the L2 penalty, which pulls all weights towards 0.
const PULL: f64 = 2.0;
/// The rounds of the fit.
const ROUNDS: u64 = 300;
const MODEL: &str = "src/search/estimate/model.bin";
const FIGURES: &str = "results/estimate.csv";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["draw", path, count, ref games @ ..] => draw(path, count.parse()?, games),
        ["fit", ref paths @ ..] if !paths.is_empty() => fit(paths),
        ["test", ref paths @ ..] if !paths.is_empty() => {
            let examples = Examples::read(paths)?;
            let model = Model::embedded();
            let all: Vec<usize> = (0..examples.len()).collect();
            print!("{}", figures(&examples, &all, &|index| model.estimate(&examples.positions[index])));
            Ok(())
        }
        _ => bail!("usage: fit_estimate draw FILE COUNT GAME... | fit FILE|FOLDER... | test FILE|FOLDER..."),
    }
}

/// Adds positions of each game to a file, one a line.
fn draw(path: &str, count: u64, games: &[&str]) -> Result<()> {
    for name in games {
        let game = games::game(name)?;
        let (red, green) = (game.red, game.green);
        let solved = solve(game, &|_| {});
        let mut lines = String::new();
        for doves in 2..=game.most_doves() {
            let mut draw = Draw::new(game, doves..=doves, SEED);
            for number in 0..count.min(draw.total()) {
                let (board, mover) = draw.position();
                let known = solved.value(&board, mover)?.and_then(Known::exact);
                let value = known.context("a solved game has every position")?;
                if value == Value::Win(1) || value == Value::Draw && !number.is_multiple_of(THINNED) {
                    continue;
                }
                let (points, plies) = (points(value), value.plies().unwrap_or(0));
                lines += &format!("{red},{green},{board},{mover},{points},{plies}\n");
            }
        }
        // A game's positions are written in one go, so that a run can be interrupted between games.
        OpenOptions::new().create(true).append(true).open(path)?.write_all(lines.as_bytes())?;
        eprintln!("{name}: {}", lines.lines().count());
    }
    Ok(())
}

/// The points of a value, in halves.
fn points(value: Value) -> u8 {
    match value {
        Value::Win(_) => 2,
        Value::Draw => 1,
        Value::Lose(_) => 0,
    }
}

/// A group of positions whose values are compared: the number of kinds of both players in the game, and of
/// doves on the board.
type Group = (u32, u32);

/// Positions with their values, without wins in one.
#[derive(Default)]
struct Examples {
    positions: Vec<Position>,
    /// The points in halves, and the group.
    values: Vec<(u8, Group)>,
    /// Whether each is put aside.
    aside: Vec<bool>,
    /// The files' SHA-256.
    checksums: Vec<(String, String)>,
}

impl Examples {
    fn read(paths: &[&str]) -> Result<Examples> {
        let mut examples = Examples::default();
        for path in paths {
            if Path::new(path).is_dir() {
                let game = Game::whole(Rules::default());
                let sampled = Tablebase::open(path, game)?.sampled()?;
                ensure!(
                    !sampled.is_empty(),
                    "{path} has no sample: it is not of a game solved with --distances N"
                );
                let mut hash = Sha256::new();
                for (board, mover, value) in sampled {
                    // Places of finished boards have no value.
                    if game.check(&board).is_ok() {
                        hash.update(board.code().to_u64().to_le_bytes());
                        hash.update([points(value)]);
                        examples.add(&game, &board, mover, points(value), value.plies().unwrap_or(0))?;
                    }
                }
                examples.checksums.push(((*path).to_owned(), hex(&hash.finalize())));
                continue;
            }
            let mut text = String::new();
            BufReader::new(File::open(path).with_context(|| (*path).to_owned())?)
                .read_to_string(&mut text)?;
            for line in text.lines() {
                let fields: Vec<&str> = line.split(',').collect();
                let [red, green, board, mover, points, plies] = fields[..] else { bail!("{path}: '{line}'") };
                let game = Game { red: red.parse()?, green: green.parse()?, rules: Rules::default() };
                examples.add(&game, &board.parse()?, mover.parse()?, points.parse()?, plies.parse()?)?;
            }
            examples.checksums.push(((*path).to_owned(), hex(&Sha256::digest(&text))));
        }
        Ok(examples)
    }

    fn add(&mut self, game: &Game, board: &Board, mover: Color, points: u8, plies: u32) -> Result<()> {
        if (points, plies) == (2, 1) {
            return Ok(());
        }
        let code = board.code().invariant(mover).to_u64();
        let hash = Sha256::digest(code.to_le_bytes());
        self.positions.push(Position::of(board, mover, game)?);
        self.values.push((points, (game.red.len() + game.green.len(), board.doves().count() as u32)));
        self.aside.push(u64::from(hash[0]) << 8 | u64::from(hash[1]) < 0x1_0000 / ASIDE);
        Ok(())
    }

    fn len(&self) -> usize {
        self.positions.len()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The positions as rows of features, and their points.
struct Fit {
    features: Vec<u32>,
    /// Where each row ends.
    ends: Vec<usize>,
    points: Vec<f64>,
    weights: Vec<f64>,
}

/// The number of positions in a piece of work.
const PIECE: usize = 1 << 16;

impl Fit {
    /// The logit of a row.
    fn logit(&self, weights: &[f64], row: usize) -> f64 {
        self.row(row).iter().map(|&feature| weights[feature as usize]).sum()
    }

    fn row(&self, row: usize) -> &[u32] {
        let begin = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.features[begin..self.ends[row]]
    }

    fn pieces(&self) -> impl IndexedParallelIterator<Item = std::ops::Range<usize>> {
        let rows = self.points.len();
        (0..rows.div_ceil(PIECE))
            .into_par_iter()
            .map(move |piece| piece * PIECE..rows.min((piece + 1) * PIECE))
    }

    fn pull(&self) -> f64 {
        PULL / self.points.len() as f64
    }
}

impl CostFunction for Fit {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, weights: &Vec<f64>) -> Result<f64, Error> {
        let loss = |row| self.weights[row] * loss(self.logit(weights, row), self.points[row]);
        let losses = self.pieces().map(|rows| rows.map(loss).sum());
        // Collected, so that the sum does not depend on how threads share the work.
        let losses: Vec<f64> = losses.collect();
        let square: f64 = weights.iter().map(|weight| weight * weight).sum();
        Ok(losses.iter().sum::<f64>() / self.points.len() as f64 + self.pull() * square / 2.0)
    }
}

impl Gradient for Fit {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, weights: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let pieces = self.pieces().map(|rows| {
            let mut gradient = vec![0.0; WEIGHTS];
            for row in rows {
                let error = self.weights[row] * (logistic(self.logit(weights, row)) - self.points[row]);
                self.row(row).iter().for_each(|&feature| gradient[feature as usize] += error);
            }
            gradient
        });
        let pieces: Vec<Vec<f64>> = pieces.collect();
        let rows = self.points.len() as f64;
        let sum = |index: usize| pieces.iter().map(|piece| piece[index]).sum::<f64>();
        Ok((0..WEIGHTS).map(|index| sum(index) / rows + self.pull() * weights[index]).collect())
    }
}

fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The cross entropy of some points and what a logit expects, in nats.
fn loss(logit: f64, points: f64) -> f64 {
    // ln(1 + e^x) without overflow.
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - points * logit
}

fn fit(paths: &[&str]) -> Result<()> {
    let examples = Examples::read(paths)?;
    let (aside, seen): (Vec<usize>, Vec<usize>) =
        (0..examples.len()).partition(|&index| examples.aside[index]);
    let mut counts: BTreeMap<Group, [u32; 3]> = BTreeMap::new();
    for &index in &seen {
        let (points, group) = examples.values[index];
        counts.entry(group).or_default()[usize::from(points)] += 1;
    }
    let mut fit = Fit { features: Vec::new(), ends: Vec::new(), points: Vec::new(), weights: Vec::new() };
    for &index in &seen {
        features::for_each(&examples.positions[index], |feature| fit.features.push(feature as u32));
        fit.ends.push(fit.features.len());
        let (points, group) = examples.values[index];
        let counts = counts[&group].map(f64::from);
        fit.points.push(f64::from(points) / 2.0);
        fit.weights.push((counts.iter().sum::<f64>() / counts[usize::from(points)] / 3.0).min(MAX_WEIGHT));
    }
    eprintln!("{} positions, {} put aside, {WEIGHTS} weights", seen.len(), aside.len());
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 10).with_tolerance_grad(1e-6)?;
    let begin = vec![0.0; WEIGHTS];
    let result = Executor::new(fit, solver).configure(|state| state.param(begin).max_iters(ROUNDS)).run()?;
    let weights = result.state().get_best_param().context("there are weights")?;
    eprintln!("{} rounds, loss {:.4}", result.state().get_iter(), result.state().get_best_cost());
    let round = |weight: &f64| (weight * f64::from(SCALE)).round().clamp(-32768.0, 32767.0) as i16;
    let model = Model::new(weights.iter().map(round).collect());
    let mut text =
        String::from("positions,kinds,doves,win,draw,lose,win_over_draw,draw_over_lose,win_over_lose\n");
    for (name, rows) in [("fitted", &seen), ("unseen", &aside)] {
        let estimate = |index: usize| model.estimate(&examples.positions[index]);
        text += &figures(&examples, rows, &estimate)
            .lines()
            .map(|line| format!("{name},{line}\n"))
            .collect::<String>();
    }
    print!("{text}");
    for (path, checksum) in &examples.checksums {
        println!("{path}: SHA-256 {checksum}");
    }
    create(Path::new(MODEL), &mut |out| out.write_all(&model.bytes()))?;
    Ok(create(Path::new(FIGURES), &mut |out| out.write_all(text.as_bytes()))?)
}

/// For each group: how many positions have each value, and the shares of pairs in the right order.
fn figures(examples: &Examples, rows: &[usize], estimate: &dyn Fn(usize) -> i32) -> String {
    let mut groups: BTreeMap<Group, [Vec<i32>; 3]> = BTreeMap::new();
    for &index in rows {
        let (points, group) = examples.values[index];
        groups.entry(group).or_default()[usize::from(points)].push(estimate(index));
    }
    let mut text = String::new();
    for ((kinds, doves), mut values) in groups {
        values.iter_mut().for_each(|estimates| estimates.sort_unstable());
        let [lose, draw, win] = &values;
        let order = [(win, draw), (draw, lose), (win, lose)].map(|(more, less)| in_order(more, less));
        text += &format!("{kinds},{doves},{},{},{},{}\n", win.len(), draw.len(), lose.len(), order.join(","));
    }
    text
}

/// The share of pairs in which the first is more, ties counted as half; both ascend. Empty if there is no
/// pair.
fn in_order(more: &[i32], less: &[i32]) -> String {
    if more.is_empty() || less.is_empty() {
        return String::new();
    }
    let below =
        |one: &i32| less.partition_point(|other| other < one) + less.partition_point(|other| other <= one);
    let right: usize = more.iter().map(below).sum();
    format!("{:.4}", right as f64 / 2.0 / (more.len() * less.len()) as f64)
}
