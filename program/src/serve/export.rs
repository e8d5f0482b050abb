//! The page as one file.

use super::count;
use dovemate::ask::openings::Openings;
use dovemate::rules::Game;
use dovemate_web::page;

/// The page of a game as one file, with the openings and what counts all mates in a browser.
pub fn export(game: &Game) -> String {
    let count = count::count(game.rules);
    page::export(game, &Openings::FILES, &[("count", count.as_bytes())])
}
