//! `dovemate games waribashi`: solves 割りばし, chopsticks.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::results::{Files, stdout};
use crate::cli::io::failure::Failure;
use crate::cli::io::output::{OutputFile, check_distinct};
use crate::cli::options::parse::number;
use dovemate::Value;
use dovemate::games::waribashi::{Player, SelfAttack, Solved, Waribashi};
use dovemate::retrograde::validate;

/// Waribashi (割りばし, chopsticks): the states and edges of its graph, who wins, and why.
///
/// Both players begin with one finger up on each hand. A player hits a living hand of the other with one of their own,
/// which adds its fingers to the hand it hits. A hand with 5 or more fingers is dead; a player with two dead hands
/// loses. States are counted as in the article: a player's two hands are interchangeable, and a state includes whose
/// turn it is.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate games waribashi
  dovemate games waribashi --pruned --svg waribashi.svg
  dovemate games waribashi --rule mod --rule split
  dovemate games waribashi --fingers 4 --rule mod --dot graph.dot")]
pub struct Arguments {
    /// An additional rule; may be repeated
    #[arg(long = "rule", value_enum, value_delimiter = ',')]
    rules: Vec<RuleName>,
    /// The number of fingers at which a hand is dead
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number(2..=9_u8))]
    fingers: u8,
    /// Show only the proof that the winner wins: the winner's actions that keep the win, and all that follows
    #[arg(long)]
    pruned: bool,
    /// Write the graph to this file in Graphviz format
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write a picture of the graph to this file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    files: Files,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuleName {
    /// A hand dies only at exactly the number of fingers; beyond it, counting starts again from 0
    Mod,
    /// A player with one dead hand may instead distribute the fingers of the other over both
    Split,
    /// A player may hit their own other hand, if it is alive
    SelfAttack,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { rules, fingers, pruned, dot, svg, files } = arguments;
    if let Some((_, twice)) = rules.iter().enumerate().find(|(index, rule)| rules[..*index].contains(rule)) {
        let name = twice.to_possible_value().expect("no rule is skipped");
        return Err(Failure::Usage(format!("--rule {} is given twice; once is enough", name.get_name())));
    }
    check_distinct(&[("--csv", &files.csv), ("--json", &files.json), ("--dot", dot), ("--svg", svg)])?;
    let has = |rule| rules.contains(&rule);
    let game = Waribashi {
        fingers: *fingers,
        modulo: has(RuleName::Mod),
        split: has(RuleName::Split),
        self_attack: if has(RuleName::SelfAttack) { SelfAttack::Living } else { SelfAttack::No },
    };
    let solved = Solved::new(game);
    let part = match (pruned, solved.pruned()) {
        (false, _) => solved.whole(),
        (true, Some(part)) => part,
        (true, None) => {
            let message = "--pruned shows why the winner wins, but under these rules the start is a draw; leave it out";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    let (opened, dot, svg) = (files.open()?, OutputFile::open_given(dot)?, OutputFile::open_given(svg)?);
    validate(&game, &solved.graph, &solved.values).map_err(|error| Failure::Contradiction(error.to_string()))?;

    let drawing = (dot.is_some() || svg.is_some()).then(|| solved.drawing(&part));
    if let (Some(file), Some(drawing)) = (dot, &drawing) {
        file.finish(&mut |writer| writer.write_all(drawing.dot().as_bytes()))?;
    }
    if let (Some(file), Some(drawing)) = (svg, &drawing) {
        file.finish(&mut |writer| writer.write_all(drawing.svg().as_bytes()))?;
    }
    let rows = part.positions.iter().map(|&number| {
        let (position, value) = (solved.graph.positions()[number], solved.values[number]);
        let plies = value.plies().map_or(String::new(), |plies| plies.to_string());
        let [first, second] = position.hands.map(|hands| hands.to_string());
        [position.to_move.name().to_owned(), first, second, value.name().to_owned(), plies]
    });
    let rows: Vec<[String; 5]> = rows.collect();
    let fields = json!({
        "rules": game.name(),
        "fingers": fingers,
        "positions": solved.graph.len(),
        "edges": solved.graph.edges(),
        "won_by_first": solved.ends(Player::Second),
        "won_by_second": solved.ends(Player::First),
        "circles": solved.has_circles(),
        "start": { "value": solved.start().name(), "plies": solved.start().plies() },
        "pruned": pruned,
        "rows": rows.iter().map(|[to_move, first, second, value, plies]| json!({
            "to_move": to_move, "first": first, "second": second, "value": value, "plies": plies.parse::<u32>().ok(),
        })).collect::<Vec<_>>(),
        "edges_shown": part.edges.iter().map(|(from, to)| {
            let place = |wanted| part.positions.iter().position(|position| position == wanted);
            (place(from), place(to))
        }).collect::<Vec<_>>(),
    });
    opened.finish(&["to_move", "first", "second", "value", "plies"], rows, "waribashi", fields)?;
    print(&solved, *pruned, part.positions.len(), part.edges.len())
}

fn print(solved: &Solved, is_pruned: bool, positions: usize, edges: usize) -> Result<(), Failure> {
    let mut out = stdout();
    let game = solved.game;
    writeln!(out, "waribashi, {} rules, {} fingers", game.name(), game.fingers)?;
    writeln!(
        out,
        "{} states and {} edges; the first player has won in {} of them, the second in {}",
        solved.graph.len(),
        solved.graph.edges(),
        solved.ends(Player::Second),
        solved.ends(Player::First)
    )?;
    writeln!(out, "play {}", if solved.has_circles() { "can go in circles" } else { "always ends" })?;
    writeln!(out, "{}", outcome(solved))?;
    let drawn = solved.values.iter().filter(|value| **value == Value::Draw).count();
    writeln!(out, "{drawn} states are draws")?;
    if let Some(longest) = solved.graph.longest(&solved.values) {
        let (position, value) = (solved.graph.positions()[longest], solved.values[longest]);
        writeln!(out, "the longest: {position}, {value} for the {} player", position.to_move.name())?;
    }
    if solved.winner().is_some() {
        let line = solved.graph.best_line(&solved.values, 0);
        let line: Vec<String> = line.into_iter().map(|number| solved.graph.positions()[number].to_string()).collect();
        writeln!(out, "best play: {}", line.join(" → "))?;
    }
    if is_pruned {
        writeln!(out, "the proof has {positions} states and {edges} edges")?;
    }
    if game.self_attack == SelfAttack::Living {
        let other = Solved::new(Waribashi { self_attack: SelfAttack::Any, ..game });
        let circles = if other.has_circles() { "can go in circles" } else { "always ends" };
        writeln!(
            out,
            "if a player might hit their own dead hand too: {} states, {} edges, play {circles}, {}",
            other.graph.len(),
            other.graph.edges(),
            outcome(&other)
        )?;
    }
    Ok(out.flush()?)
}

fn outcome(solved: &Solved) -> String {
    match (solved.winner(), solved.start().plies()) {
        (Some(winner), Some(plies)) => format!("the {} player wins in {plies} plies", winner.name()),
        _ => "the start is a draw".to_owned(),
    }
}
