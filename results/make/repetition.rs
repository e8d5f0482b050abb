//! The effect of rules against repetition, and of the rule on the start, on small games: the tables of
//! `results/repetition.md`.
//!
//!     cargo result repetition            the small games
//!     cargo result repetition -- AT/H H/A   these
//!     cargo result repetition -- --barred AT/H   a play in which the ban takes a win away

mod geography;

use dovemate::Value;
use dovemate::retrograde::Graph;
use dovemate::rules::{Color, DoveSet, DoveSetError, Game, Rules};
use geography::{Geography, Ruled, Sameness, Turn, Verdict, barred_win};

/// The most pairs of a position and a history that are kept.
const MOST: usize = 20_000_000;

fn main() -> Result<(), DoveSetError> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let is_barred = names.first().is_some_and(|name| name == "--barred");
    if is_barred {
        names.remove(0);
    }
    let default = ["-/-", "A/-", "Y/-", "M/-", "T/-", "H/-", "A/A", "Y/Y", "M/M", "T/T", "H/H"].map(String::from);
    let names = if names.is_empty() { default.to_vec() } else { names };
    if is_barred {
        for name in &names {
            let (red, green) = name.split_once('/').unwrap_or((name, name));
            let game = Game { red: red.parse()?, green: green.parse()?, rules: Rules::default() };
            for sameness in [Sameness::Turned, Sameness::Moved] {
                barred(name, game, sameness);
            }
        }
        return Ok(());
    }
    println!(
        "game,returns,boards,positions,drawn,reached,start,exact,histories,pairing,pairs,start rule,changed by it,green begins,start rule when green begins"
    );
    for name in &names {
        let (red, green) = name.split_once('/').unwrap_or((name, name));
        for returns in [true, false] {
            let rules = Rules { returns, ..Rules::default() };
            let game = Game { red: red.parse::<DoveSet>()?, green: green.parse::<DoveSet>()?, rules };
            for sameness in [Sameness::Moved, Sameness::Turned] {
                println!("{name},{returns},{sameness:?},{}", row(game, sameness));
            }
        }
    }
    Ok(())
}

fn row(game: Game, sameness: Sameness) -> String {
    let ruled = Ruled { game, sameness, has_start_rule: false };
    let green = Turn { player: Color::Green, ..ruled.start() };
    let graph = Graph::reachable(&ruled, [ruled.start(), green]);
    let values = graph.values();
    let drawn = values.iter().filter(|value| **value == Value::Draw).count();
    let with_rule = Ruled { has_start_rule: true, ..ruled };
    // The positions are the same: the rule only removes actions.
    let other = Graph::of(&with_rule, graph.positions().to_vec()).expect("there are fewer actions, not more");
    let other = other.values();
    let changed = values.iter().zip(&other).filter(|(before, after)| before != after).count();
    let start_rule = format!("{},{changed},{},{}", other[0], values[1], other[1]);
    if values[0] != Value::Draw {
        return format!("{},{drawn},,{},,,,,{start_rule}", graph.len(), values[0]);
    }
    let mut geography = Geography::new(&graph, &values, &game);
    if !game.rules.returns {
        geography.solve_parts();
    }
    let reached = geography.reachable(0).len();
    let name = |verdict| if verdict == Verdict::Win { "win" } else { "lose" };
    let exact = match geography.decide(0, MOST) {
        Some((verdict, histories)) => format!("{},{histories}", name(verdict)),
        None => "undecided,".to_owned(),
    };
    let pairing = match geography.pairing(0) {
        Some((verdict, pairing)) => {
            assert!(geography.holds(0, verdict, &pairing), "a pairing that is none");
            format!("{},{}", name(verdict), pairing.len())
        }
        None => "none found,".to_owned(),
    };
    format!("{},{drawn},{reached},draw,{exact},{pairing},{start_rule}", graph.len())
}

/// Prints a play that the ban turns from a win into a loss.
fn barred(name: &str, game: Game, sameness: Sameness) {
    let ruled = Ruled { game, sameness, has_start_rule: false };
    let graph = Graph::reachable(&ruled, [ruled.start()]);
    let values = graph.values();
    let Some(play) = barred_win(&graph, &values, 0) else {
        println!("{name}, {sameness:?}: no such play found");
        return;
    };
    println!("{name}, {sameness:?}: a play of {} actions", play.len() - 1);
    for position in play {
        let Turn { code, player } = graph.positions()[position as usize];
        println!("  {}  {} to move, {} without history", code.text(), player.name(), values[position as usize]);
    }
}
