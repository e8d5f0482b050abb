//! Solves a small game and ranks the actions of a position, best first: `cargo run --release --example best`.

use dovemate::{Board, Color, Game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board: Board = "B-Ma;YmyA;b---;----".parse()?;
    let solved = dovemate_solver::solve(Game::both("AYM")?)?;
    for ranked in dovemate_analysis::rank(&solved, &board, Color::Red)? {
        println!("{} {}", ranked.text, ranked.worth);
    }
    Ok(())
}
