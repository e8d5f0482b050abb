//! Perft: the numbers of legal action sequences from a position, against the table `perft/positions.perft`,
//! counted in three ways: one by one by the rules, by the crate `tokyodoves`, and layer by layer.
//!
//! A surrounded boss ends the game, so no action follows it. The last action is counted whether or not it surrounds a
//! boss.

use std::collections::HashMap;

use crate::cases;
use dovemate::rules::{Board, Code, Color, Rules};
use rayon::prelude::*;
use tokyodoves::{BoardBuilder, SurroundedStatus};

const TABLE: &str = include_str!("perft/positions.perft");

/// A line of the table.
#[derive(Debug)]
struct Line {
    board: Board,
    mover: Color,
    rules: Rules,
    /// The numbers of sequences of 1, 2, … actions.
    counts: Vec<u64>,
}

/// The table's lines, `board mover returns count …`; other lines are empty or comments that begin with `#`.
fn lines() -> Vec<Line> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| read(line).unwrap_or_else(|| panic!("'{line}' is not 'board mover returns count …'")))
        .collect()
}

fn read(line: &str) -> Option<Line> {
    let mut words = line.split_whitespace();
    let (board, mover) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let returns = match words.next()? {
        "returns" => true,
        "no-returns" => false,
        _ => return None,
    };
    let counts = words.map(|count| count.parse().ok()).collect::<Option<Vec<u64>>>()?;
    Some(Line { board, mover, rules: Rules { returns, ..Rules::default() }, counts })
}

fn is_over(board: &Board) -> bool {
    Color::ALL.into_iter().any(|boss| board.is_surrounded(boss))
}

/// The number of sequences of `depth` actions, counted one by one.
fn followed(board: &Board, mover: Color, depth: usize, rules: Rules) -> u64 {
    if is_over(board) {
        return 0;
    }
    let actions = board.legal_actions(mover, rules);
    if depth == 1 {
        return actions.count() as u64;
    }
    let after: Vec<Board> = actions.map(|(_, after)| after).collect();
    after.par_iter().map(|after| followed(after, mover.opponent(), depth - 1, rules)).sum()
}

/// The same number, counted by the crate.
fn by_the_crate(board: tokyodoves::Board, mover: tokyodoves::Color, depth: usize, returns: bool) -> u64 {
    if board.surrounded_status() != SurroundedStatus::None {
        return 0;
    }
    let actions = board.legal_actions(mover, true, true, returns);
    if depth == 1 {
        return actions.into_iter().count() as u64;
    }
    let after = actions
        .into_iter()
        .map(|action| board.perform_copied(action).expect("a legal action can be performed"));
    after.map(|after| by_the_crate(after, !mover, depth - 1, returns)).sum()
}

/// The numbers of sequences of 1, 2, … actions. Sequences that lead to the same position continue alike, so
/// one board of each position is followed, weighted by the number of sequences that lead there.
fn by_layers(line: &Line) -> Vec<u64> {
    let mut layer = HashMap::from([(line.board.code().canonical(line.mover), 1)]);
    let mut counts = Vec::new();
    for depth in 1..=line.counts.len() {
        // In a canonical code the mover is red.
        let positions: Vec<(Board, u64)> =
            layer.into_iter().map(|(code, ways)| (Code::board(code), ways)).collect();
        let open = positions.par_iter().filter(|(board, _)| !is_over(board));
        let is_last = depth == line.counts.len();
        let (count, next) = open
            .fold(Default::default, |(mut count, mut next): (u64, HashMap<Code, u64>), (board, ways)| {
                for (_, after) in board.legal_actions(Color::Red, line.rules) {
                    count += ways;
                    if !is_last {
                        *next.entry(after.code().canonical(Color::Green)).or_default() += ways;
                    }
                }
                (count, next)
            })
            .reduce(Default::default, |(count, mut next), (other_count, other)| {
                for (code, ways) in other {
                    *next.entry(code).or_default() += ways;
                }
                (count + other_count, next)
            });
        counts.push(count);
        layer = next;
    }
    counts
}

#[test]
fn by_the_rules() {
    // The most sequences to follow one by one; larger numbers are counted only layer by layer.
    let most = cases(10_000, 100_000);
    for mut line in lines() {
        line.counts.truncate(cases(4, usize::MAX));
        let layers = by_layers(&line);
        println!("{} {} {:?} {layers:?}", line.board, line.mover, line.rules.returns);
        assert_eq!(layers, line.counts, "{line:?}, layer by layer");
        for (depth, &count) in (1..).zip(&line.counts).filter(|&(_, &count)| count <= most) {
            let found = followed(&line.board, line.mover, depth, line.rules);
            assert_eq!(found, count, "{line:?}, depth {depth}");
        }
    }
}

#[test]
fn by_the_oracle() {
    // The most sequences to count by the crate.
    let most = cases(10_000, 60_000);
    lines().par_iter().for_each(|line| {
        let board = line.board.to_string().parse::<BoardBuilder>().and_then(|builder| builder.build());
        let board = board.expect("a board is a board for the crate too");
        let mover = match line.mover {
            Color::Red => tokyodoves::Color::Red,
            Color::Green => tokyodoves::Color::Green,
        };
        for (depth, &count) in (1..).zip(&line.counts).filter(|&(_, &count)| count <= most) {
            let found = by_the_crate(board, mover, depth, line.rules.returns);
            assert_eq!(found, count, "{line:?}, depth {depth}");
        }
    });
}

/// The table covers the published figures of the start, every number of doves, and both players to move.
#[test]
fn the_table_is_rich() {
    let lines = lines();
    let start =
        |returns| lines.iter().find(|line| line.board == Board::default() && line.rules.returns == returns);
    for (returns, counts) in
        [(true, [29, 827, 27_481, 812_597, 24_353_315]), (false, [29, 827, 26_766, 764_292, 21_729_166])]
    {
        assert_eq!(start(returns).expect("the start is in the table").counts, counts);
    }
    for doves in 2..=12 {
        let has = |line: &Line| line.board.doves().count() == doves;
        assert!(lines.iter().any(has), "no position with {doves} doves");
    }
    for mover in Color::ALL {
        assert!(lines.iter().any(|line| line.mover == mover), "no position with {mover} to move");
    }
}
