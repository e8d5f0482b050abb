//! Two bots play a game, and it is printed as a file that the board page and `dovemate show` read:
//! `cargo run --release --example bot -- club strongest 0.2` gives red the level `club`, green the level `strongest`,
//! and bots of the level `strongest` 0.2 seconds for an action. The other levels have a search depth instead.

use std::error::Error;
use std::time::Duration;

use dovemate::clock::Instant;
use dovemate::{Board, Color, Game};
use dovemate_analysis::level::{Chooser, Level};
use dovemate_analysis::record::{Ending, Record};
use dovemate_analysis::{Analysis, Effort, InTurn, built_in};
use dovemate_solver::Lookup;

/// The plies after which the game is a draw by agreement.
const LONGEST: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let level = |index: usize| arguments.get(index).map_or(Ok(Level::Club), |name| name.parse::<Level>());
    let levels = [level(0)?, level(1)?];
    let seconds = arguments.get(2).map_or(Ok(0.2), |text| text.parse::<f64>())?;
    let time = Duration::try_from_secs_f64(seconds)?;

    let game = Game::default();
    // What is known without a search: the values of all positions with few doves.
    let known = built_in(&game).map(|known| Box::new(known) as Box<dyn Lookup>);
    let values = InTurn::new(game, known.into_iter().collect())?;
    // Bots of the strongest level share what a search has found.
    let mut analysis = Analysis::new(&values);
    let mut bots =
        [Chooser::new(levels[Color::Red as usize], 1), Chooser::new(levels[Color::Green as usize], 2)];

    let mut record = Record::new(game, Board::default(), Color::Red)?;
    record.set_players(levels.map(|level| level.name().to_owned()))?;
    while record.ending() == Ending::Unfinished && record.actions().len() < LONGEST {
        if record.repetitions() >= Record::REPEATED {
            record.end(Ending::Repeated)?;
            break;
        }
        let (board, mover) = record.position().clone();
        // The boards after this bot's actions: it avoids those that have come up.
        let of_bot = record.positions().iter().filter(|(_, next)| *next != mover);
        let seen: Vec<Board> = of_bot.map(|(board, _)| board.clone()).collect();
        let effort = Effort::until(Instant::now() + time);
        let bot = &mut bots[mover as usize];
        let ranking = bot.rank(&mut analysis, &board, mover, &seen, &effort)?;
        let chosen = bot.choose(&ranking).expect("the game is not over");
        eprintln!("{:8} {}", chosen.text, chosen.worth);
        record.act(chosen.action)?;
    }
    if record.ending() == Ending::Unfinished {
        record.end(Ending::Agreed)?;
    }
    print!("{record}");
    Ok(())
}
