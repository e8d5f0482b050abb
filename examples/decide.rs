//! Decides one position: `cargo run --example decide -- '-Y-B;--ay;H---;b---'`.

use std::error::Error;

use dovemate::{Board, Color, Rules, Verdict, decide};

fn main() -> Result<(), Box<dyn Error>> {
    // Rows from the top; upper case is red, lower case green.
    let text = std::env::args().nth(1).unwrap_or("-Y-B;--ay;H---;b---".to_owned());
    let board: Board = text.parse()?;
    let rules = Rules::default();
    // Takes about a microsecond with `--release`. `count::reference` decides the same by trying every action and every
    // answer to it.
    let words = match decide(&board, Color::Red, rules) {
        Verdict::Finished => "a boss is surrounded: the game is over",
        Verdict::WinInOne => "red wins in one",
        Verdict::Stuck => "every action of red loses outright",
        Verdict::Mate => "red is mated",
        Verdict::Escape => "red has an action that green cannot answer by winning at once",
    };
    println!("{board}, red to move: {words}");
    let wins: Vec<String> = board
        .legal_actions(Color::Red, rules)
        .filter(|(_, after)| after.is_surrounded(Color::Green) && !after.is_surrounded(Color::Red))
        .map(|(action, _)| action.text(&board))
        .collect();
    println!(
        "{} actions, {} of them win: {}",
        board.legal_actions(Color::Red, rules).count(),
        wins.len(),
        wins.join(" ")
    );
    Ok(())
}
