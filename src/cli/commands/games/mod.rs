//! `dovemate games`: the small games of the articles, and Tokyo Doves by the literal rules; one file for each game.

mod doves;
mod hoshigaki;
mod nim;
mod results;
mod waribashi;
mod wythoff;

use clap::{Args, Subcommand};

use crate::cli::io::failure::Failure;

/// Solve a small game: who wins, and do its article's claims hold.
///
/// Every result is derived by retrograde analysis from the rules alone, then compared with the formula or rule that the
/// game is known for.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate games waribashi --pruned --svg waribashi.svg
  dovemate games nim --piles 3 --max 10 --misere
  dovemate games wythoff --max 20
  dovemate games hoshigaki 123A
  dovemate games hoshigaki --strategy --piles 4 --max 9
  dovemate games doves --kinds AY")]
pub struct Arguments {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {
    Waribashi(waribashi::Arguments),
    Nim(nim::Arguments),
    Wythoff(wythoff::Arguments),
    Hoshigaki(hoshigaki::Arguments),
    Doves(doves::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.game {
        Game::Waribashi(arguments) => waribashi::run(arguments),
        Game::Nim(arguments) => nim::run(arguments),
        Game::Wythoff(arguments) => wythoff::run(arguments),
        Game::Hoshigaki(arguments) => hoshigaki::run(arguments),
        Game::Doves(arguments) => doves::run(arguments),
    }
}
