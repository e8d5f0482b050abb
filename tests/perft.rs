//! Perft: how many legal action sequences there are from the start, against the figures in `perft/*.perft`.

use std::time::Instant;

use dovemate::rules::{Board, Color, Rules};
use rayon::prelude::*;

/// Legal action sequences of `depth` actions. A surrounded boss ends the game, so nothing follows it; the last action
/// is counted without being looked at, whatever it surrounds.
fn perft(board: &Board, color: Color, depth: u32, rules: Rules) -> u64 {
    if Color::ALL.into_iter().any(|boss| board.is_surrounded(boss)) {
        return 0;
    }
    let actions = board.legal_actions(color, rules);
    if depth == 1 {
        return actions.count() as u64;
    }
    let followers: Vec<Board> = actions.map(|(_, after)| after).collect();
    followers.par_iter().map(|after| perft(after, color.opponent(), depth - 1, rules)).sum()
}

/// Compares every line `depth count` of a table; other lines are comments, from `#`, or empty.
fn compare(table: &str, rules: Rules) {
    let lines: Vec<&str> = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(!lines.is_empty(), "the table has no line to compare");
    for line in lines {
        let (depth, count) = line.split_once(' ').unwrap_or_else(|| panic!("'{line}' is not 'depth count'"));
        let depth = depth.parse().unwrap_or_else(|error| panic!("depth in '{line}': {error}"));
        let count: u64 = count.parse().unwrap_or_else(|error| panic!("count in '{line}': {error}"));
        let began = Instant::now();
        let counted = perft(&Board::default(), Color::Red, depth, rules);
        println!("depth {depth}: {counted} action sequences, {count} expected ({:.2?})", began.elapsed());
        assert_eq!(counted, count, "depth {depth}");
    }
}

#[test]
fn with_returns() {
    compare(include_str!("perft/with-returns.perft"), Rules { returns: true, ..Rules::default() });
}

#[test]
fn without_returns() {
    compare(include_str!("perft/without-returns.perft"), Rules { returns: false, ..Rules::default() });
}
