//! `dovemate play`: a game in the terminal against the best actions that are known or found.
//!
//! Lines are read as they come, without any mode of the terminal, so that the end of the input or Ctrl-C leaves nothing to restore.

use std::collections::HashMap;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::time::Duration;

use clap::Args;

use super::ask::{self, SearchArguments};
use super::game::GameArguments;
use super::tables::TableArguments;
use super::values::player;
use super::{Failure, best, input, show};
use dovemate::ask::{Asker, Ranked, Ranking, texts};
use dovemate::picture::terminal;
use dovemate::rules::{Action, Board, Code, Color, Dove, Game, Outcome};

/// Columns where there is no terminal.
const USUAL_WIDTH: usize = 80;

/// How long an action is thought about unless the arguments say.
const PATIENCE: Duration = Duration::from_secs(2);

/// Bytes of a line that are read at once.
const LONGEST: u64 = 4096;

/// Letters of a line that are repeated in an answer.
const LONGEST_SHOWN: usize = 40;

const HELP: &str = "  an action    +AN2E1 puts A, two up and one to the right of the red boss; YE1 moves; -T returns
  actions      all legal actions with what they are worth
  hint         a best action and what follows
  undo         take your last action back
  board        draw the board again
  help         this
  quit         leave the game
";

/// Play a game in the terminal against the best actions that are known, or found by search.
///
/// Type an action such as +AS1, YE1 or -T (cells are named from the red boss: N up, S down, E right, W left), or hint, undo, actions,
/// board, help, quit. The program plays what `dovemate best` ranks first; among drawn or undecided actions one that leads to
/// a position that was not there before. It thinks for two seconds at most, unless --depth or --seconds is named.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate play
  dovemate play --you green --kinds A
  dovemate play --kinds AYMT --tables tables
  dovemate play --seconds 10 --board 'YmaH;MtAT;-yh-;B-b-'")]
pub struct Arguments {
    /// The player that you are
    #[arg(long, value_parser = player(), default_value_t = Color::Red, value_name = "COLOR")]
    you: Color,
    /// Begin from this board text or u64 instead of the start
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    board: Option<String>,
    /// The player who begins
    #[arg(long, value_parser = player(), default_value_t = Color::Red)]
    to_move: Color,
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    tables: TableArguments,
    #[command(flatten)]
    search: SearchArguments,
}

/// A position of the game that is played.
#[derive(Clone)]
struct Turn {
    board: Board,
    player: Color,
    /// The dove that acted last.
    acted: Option<Dove>,
}

struct Match<'a> {
    game: Game,
    you: Color,
    asker: Asker<'a>,
    search: SearchArguments,
    /// The positions so far, the present one last.
    turns: Vec<Turn>,
}

/// What a line that was typed asks for.
enum Wish {
    Act(Action, Board),
    Undo,
    Quit,
    Draw,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.game();
    let board = arguments.board.as_deref().map(input::board).transpose()?.unwrap_or_default();
    ask::check(&board, &game)?;
    let values = ask::values(&arguments.game, &arguments.tables)?;
    let start = Turn { board, player: arguments.to_move, acted: None };
    let mut play = Match {
        game,
        you: arguments.you,
        asker: Asker::new(game, values.as_deref()),
        search: arguments.search,
        turns: vec![start],
    };
    say(&format!("you are {}; type an action, or help, hint, undo, quit\n", terminal::name(play.you)))?;
    play.play_on()
}

/// Writes to standard output at once, so that an interrupt finds no escape sequence half written.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

impl Match<'_> {
    fn play_on(&mut self) -> Result<(), Failure> {
        loop {
            let Turn { board, player, acted } = self.turns.last().expect("there is always a position").clone();
            say(&format!("\n{}", show::drawing(&board, player, &self.game, acted)))?;
            if let Some(end) = self.end(&board, player) {
                return say(&format!("{end}\n"));
            }
            if player != self.you {
                let ranking = self.asker.rank(&board, player, self.search.limits_within(PATIENCE));
                let chosen = self.choose(&ranking, player).clone();
                say(&format!("{} plays {}\n", terminal::name(player), chosen.text))?;
                self.act(chosen.action, chosen.after);
                continue;
            }
            match self.wish(&board)? {
                Wish::Act(action, after) => self.act(action, after),
                Wish::Undo => {
                    let last = self.turns[..self.turns.len() - 1].iter().rposition(|turn| turn.player == self.you);
                    match last {
                        Some(place) => self.turns.truncate(place + 1),
                        None => say("you have not acted yet: there is nothing to undo\n")?,
                    }
                }
                Wish::Quit => return say("the game is left as it stands\n"),
                Wish::Draw => {}
            }
        }
    }

    fn act(&mut self, action: Action, board: Board) {
        let player = self.turns.last().expect("there is always a position").player;
        self.turns.push(Turn { board, player: player.opponent(), acted: Some(action.dove()) });
    }

    /// How the game has ended, if it has.
    fn end(&self, board: &Board, player: Color) -> Option<String> {
        let last = player.opponent();
        let you = |color| if color == self.you { " – well played" } else { "" };
        let winner = |color| Some(format!("{} wins{}", terminal::name(color), you(color)));
        match self.game.rules.outcome_of(board, last) {
            Outcome::Won => winner(last),
            Outcome::Lost => winner(player),
            Outcome::Drawn => Some("both bosses are surrounded: a draw".to_owned()),
            Outcome::Open if self.game.legal_actions(board, player).next().is_none() => {
                let name = terminal::name(player);
                Some(format!("{name} has no legal action: {} wins{}", terminal::name(last), you(last)))
            }
            Outcome::Open => None,
        }
    }

    /// A best action. Of equal ones, unless they win or lose, one to a position that has been there least often, then one that leaves
    /// the opposing boss more enclosed and the own less, then the first.
    fn choose<'r>(&self, ranking: &'r Ranking, player: Color) -> &'r Ranked {
        let best = ranking.actions.first().expect("the game goes on");
        if matches!(best.worth.name(), "win" | "lose") {
            return best;
        }
        let mut visits: HashMap<Code, i32> = HashMap::new();
        for turn in self.turns.iter().filter(|turn| turn.player != player) {
            *visits.entry(turn.board.code().invariant(turn.player)).or_default() += 1;
        }
        let equal = ranking.actions.iter().take_while(|ranked| ranked.worth == best.worth);
        let cost = |ranked: &&Ranked| {
            let degree = |color| ranked.after.enclosure_degree(ranked.after.boss(color)) as i32;
            let seen = visits.get(&ranked.after.code().invariant(player.opponent())).copied().unwrap_or(0);
            (seen, degree(player) - degree(player.opponent()))
        };
        equal.min_by_key(cost).expect("the best is one of them")
    }

    /// Reads lines until one asks for something else than words.
    fn wish(&mut self, board: &Board) -> Result<Wish, Failure> {
        loop {
            if let Some(wish) = self.read_wish(board)? {
                return Ok(wish);
            }
        }
    }

    /// Reads a line and does what can be done at once.
    fn read_wish(&mut self, board: &Board) -> Result<Option<Wish>, Failure> {
        if io::stdin().is_terminal() {
            say("> ")?;
        }
        let mut line = Vec::new();
        let cannot = |error| Failure::Failed(anyhow::anyhow!("standard input cannot be read: {error}"));
        // What is longer than any action is read in pieces, and none of them is one.
        if io::stdin().lock().take(LONGEST).read_until(b'\n', &mut line).map_err(cannot)? == 0 {
            say("\n")?;
            return Ok(Some(Wish::Quit));
        }
        let line = String::from_utf8_lossy(&line);
        let word = line.trim();
        if word.chars().nth(LONGEST_SHOWN).is_some() {
            say("that is too long for an action, such as +AN2E1; help says more\n")?;
            return Ok(None);
        }
        match word.to_ascii_lowercase().as_str() {
            "" => say("type an action, or help\n")?,
            "quit" | "exit" | "q" => return Ok(Some(Wish::Quit)),
            "undo" => return Ok(Some(Wish::Undo)),
            "board" => return Ok(Some(Wish::Draw)),
            "help" | "?" => say(HELP)?,
            "hint" => self.hint(board)?,
            "actions" => {
                let ranking = self.asker.rank(board, self.you, self.search.limits_within(PATIENCE));
                let width = terminal_size::terminal_size().map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0));
                say(&(best::listing(&ranking, width).join("\n") + "\n"))?;
            }
            _ => match self.read_action(word, board) {
                Ok((action, after)) => return Ok(Some(Wish::Act(action, after))),
                Err(why) => say(&format!("{why}\n"))?,
            },
        }
        Ok(None)
    }

    fn hint(&mut self, board: &Board) -> Result<(), Failure> {
        let ranking = self.asker.rank(board, self.you, self.search.limits_within(PATIENCE));
        let line = self.asker.line(&ranking, self.you, 2);
        let chosen = self.choose(&ranking, self.you);
        let follows = match texts(board, &line) {
            texts if texts.len() > 1 => format!(": {}{}", texts.join(" "), best::ending(&self.game, &line, self.you)),
            _ => String::new(),
        };
        say(&format!("{} ({}){follows}\n", chosen.text, chosen.worth))
    }

    /// The action that a line names, or why it names none.
    fn read_action(&self, text: &str, board: &Board) -> Result<(Action, Board), String> {
        let action = Action::from_text(text, board).map_err(|error| format!("{error}; help says more"))?;
        let dove = action.dove();
        if dove.color != self.you {
            let own = Dove::new(self.you, dove.kind).letter();
            return Err(format!("'{}' is not yours; your dove of that kind is '{own}'", dove.letter()));
        }
        let mut legal = self.game.legal_actions(board, self.you);
        legal.find(|(legal, _)| *legal == action).ok_or_else(|| {
            let of_this: Vec<String> = self
                .game
                .legal_actions(board, self.you)
                .filter(|(legal, _)| legal.dove() == dove)
                .map(|(legal, _)| legal.text(board))
                .collect();
            match of_this.len() {
                0 => {
                    format!("{text} is not legal, and nothing else is with '{}'; actions lists what is", dove.letter())
                }
                _ => format!("{text} is not legal; with '{}' there are {}", dove.letter(), of_this.join(" ")),
            }
        })
    }
}
