//! The record of a game as text: the players, the starting board, the actions, and the result.
//!
//! `doc/game-file.md` describes the format. Reading checks the record against the rules: every action must be legal,
//! and the last position must allow the result.

use std::fmt;
use std::str::FromStr;

use crate::rules::{Action, Board, Color, DoveSet, Game, Outcome, ascii_forms, with_line_feeds};

/// The first line of every record.
pub const TITLE: &str = "Tokyo Doves game, format 1";

/// The number of times that a position must have occurred for a draw by repetition.
pub const REPEATED: usize = 3;

/// The state or result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game goes on, or was abandoned.
    Unfinished,
    /// This player has won by the rules.
    Won(Color),
    /// Both bosses are surrounded, under the ruling that this is a draw.
    BothSurrounded,
    /// This player has resigned.
    Resigned(Color),
    /// Both players have agreed to a draw.
    Agreed,
    /// A player has claimed a draw, as the position occurred for the third time.
    Repeated,
}

impl Ending {
    /// All of them.
    pub const ALL: [Ending; 8] = [
        Ending::Unfinished,
        Ending::Won(Color::Red),
        Ending::Won(Color::Green),
        Ending::BothSurrounded,
        Ending::Resigned(Color::Green),
        Ending::Resigned(Color::Red),
        Ending::Agreed,
        Ending::Repeated,
    ];
}

/// The text as in a record: `red wins, green resigned`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Unfinished => f.write_str("unfinished"),
            Ending::Won(player) => write!(f, "{player} wins"),
            Ending::BothSurrounded => f.write_str("draw, both bosses surrounded"),
            Ending::Resigned(player) => write!(f, "{} wins, {player} resigned", player.opponent()),
            Ending::Agreed => f.write_str("draw by agreement"),
            Ending::Repeated => f.write_str("draw by repetition"),
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The dove sets and the rules.
    pub game: Game,
    /// The names of the red and the green player, one line of text each, without control characters.
    pub players: [String; 2],
    /// The board at the beginning.
    pub start: Board,
    /// The player who began.
    pub to_move: Color,
    /// The actions, each legal where it was taken.
    pub actions: Vec<Action>,
    /// How it ended.
    pub ending: Ending,
}

/// Why a text is not a valid record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// The line number, from 1.
    pub line: usize,
    /// The problem, and what would be right.
    pub reason: String,
}

/// The state of a game by the rules, with `player` to act.
pub fn ending_by_rules(game: &Game, board: &Board, player: Color) -> Ending {
    match game.rules.outcome_of(board, player.opponent()) {
        Outcome::Won => Ending::Won(player.opponent()),
        Outcome::Lost => Ending::Won(player),
        Outcome::Drawn => Ending::BothSurrounded,
        Outcome::Open if game.legal_actions(board, player).next().is_none() => Ending::Won(player.opponent()),
        Outcome::Open => Ending::Unfinished,
    }
}

/// The number of times that the last of these positions occurred with the same player to act; rotations and reflections
/// count as the same.
pub fn times_there<'a>(positions: impl DoubleEndedIterator<Item = (&'a Board, Color)>) -> usize {
    let mut codes = positions.rev().map(|(board, player)| (board.code().invariant(player), player));
    let Some(last) = codes.next() else { return 0 };
    1 + codes.filter(|&code| code == last).count()
}

impl Record {
    /// Whether another record has the same game from the same start, and all actions of this one.
    pub fn is_beginning_of(&self, other: &Record) -> bool {
        let start = |record: &Record| (record.game, record.start.code(), record.to_move);
        start(self) == start(other) && other.actions.starts_with(&self.actions)
    }

    /// The boards with the player to act on each, beginning with the start.
    pub fn positions(&self) -> Vec<(Board, Color)> {
        let mut positions = vec![(self.start.clone(), self.to_move)];
        for &action in &self.actions {
            let (board, player) = positions.last().expect("there is a start");
            let after = self.game.legal_actions(board, *player).find(|(legal, _)| *legal == action);
            let (_, after) = after.expect("every action of a record is legal");
            let next = player.opponent();
            positions.push((after, next));
        }
        positions
    }
}

/// The actions numbered as in a record, two to a number: `1. +AS1 +aN2`.
pub fn numbered(actions: &[String]) -> Vec<String> {
    (1..).zip(actions.chunks(2)).map(|(number, both)| format!("{number}. {}", both.join(" "))).collect()
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Record { game, players, start, to_move, actions, ending } = self;
        writeln!(f, "{TITLE}")?;
        writeln!(f, "red: {}", players[0])?;
        writeln!(f, "green: {}", players[1])?;
        writeln!(f, "red doves: {}", game.red)?;
        writeln!(f, "green doves: {}", game.green)?;
        writeln!(f, "returns: {}", if game.rules.returns { "yes" } else { "no" })?;
        writeln!(f, "both surrounded: {}", game.rules.both_surrounded)?;
        writeln!(f, "start: {start}")?;
        writeln!(f, "to move: {to_move}")?;
        writeln!(f, "result: {ending}")?;
        let positions = self.positions();
        let texts: Vec<String> =
            actions.iter().zip(&positions).map(|(action, (board, _))| action.text(board)).collect();
        if !texts.is_empty() {
            writeln!(f)?;
        }
        numbered(&texts).iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl FromStr for Record {
    type Err = RecordError;

    /// Reads a record. Only the title is required. The header defaults to the game with all doves under the default
    /// rules, from its start; without a result, the last position determines it.
    fn from_str(text: &str) -> Result<Record, RecordError> {
        let text = with_line_feeds(text);
        // Names stay as they are, and so do comments.
        let is_named = |line: &str| line.starts_with('#') || ["red:", "green:"].iter().any(|key| line.starts_with(key));
        let ascii = |line: &str| if is_named(line) { line.to_owned() } else { ascii_forms(line) };
        let text = &text.split('\n').map(ascii).collect::<Vec<_>>().join("\n");
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        match lines.next() {
            Some((_, title)) if title.trim_end() == TITLE => {}
            Some((line, title)) if title.starts_with(TITLE.trim_end_matches('1')) => {
                let reason = format!("a game of another format, which this version cannot read: it reads '{TITLE}'");
                return Err(wrong(line, reason));
            }
            first => return Err(wrong(first.map_or(1, |(line, _)| line), format!("a game begins with '{TITLE}'"))),
        }
        let mut record = Record {
            game: Game::default(),
            players: ["red".to_owned(), "green".to_owned()],
            start: Board::default(),
            to_move: Color::Red,
            actions: Vec::new(),
            ending: Ending::Unfinished,
        };
        let mut named: Vec<(&str, usize)> = Vec::new();
        let mut written: Vec<(usize, &str)> = Vec::new();
        for (number, line) in lines {
            match line.split_once(':') {
                Some((key, value)) if written.is_empty() => {
                    let key = key.trim();
                    if let Some((_, first)) = named.iter().find(|(other, _)| *other == key) {
                        return Err(wrong(number, format!("'{}' is in line {first} already", key.escape_debug())));
                    }
                    if key == "start" && value.strip_prefix(' ').unwrap_or(value).starts_with(char::is_whitespace) {
                        // They might be meant as empty cells.
                        let reason = "there are spaces before the board; write '-' for an empty cell";
                        return Err(wrong(number, reason.to_owned()));
                    }
                    record.read_header(key, value.trim()).map_err(|reason| wrong(number, reason))?;
                    named.push((key, number));
                }
                Some(_) => return Err(wrong(number, "a line of the header comes after the actions".to_owned())),
                None => written.extend(line.split_whitespace().map(|word| (number, word))),
            }
        }
        let line_of = |key| named.iter().find(|(other, _)| *other == key).map(|(_, line)| *line);
        let game = record.game;
        // On a finished board nobody acts, but it is a valid end of the game.
        if let Some(dove) = game.stranger(&record.start) {
            let reason = format!("'{}' is none of the doves that the header names", dove.letter());
            return Err(wrong(line_of("start").unwrap_or(1), reason));
        }
        let mut positions = vec![(record.start.clone(), record.to_move)];
        let mut last_line = line_of("start").unwrap_or(1);
        // A number that no action has followed yet.
        let mut numbered: Option<(usize, &str)> = None;
        for (line, word) in written {
            let (board, player) = positions.last().expect("there is a start");
            let player = *player;
            last_line = line;
            if let Some(number) = word.strip_suffix('.') {
                let expected = (record.actions.len() / 2 + 1).to_string();
                if !record.actions.len().is_multiple_of(2) || number != expected || numbered.is_some() {
                    return Err(wrong(
                        line,
                        format!("'{}' is not the number of the next two actions", word.escape_debug()),
                    ));
                }
                numbered = Some((line, word));
                continue;
            }
            numbered = None;
            if ending_by_rules(&game, board, player) != Ending::Unfinished {
                return Err(wrong(line, format!("'{}' comes after the end of the game", word.escape_debug())));
            }
            let action = Action::typed(word, board, player).map_err(|error| wrong(line, error.to_string()))?;
            let after = game.legal_actions(board, player).find(|(legal, _)| *legal == action);
            let Some((_, after)) = after else {
                return Err(wrong(line, format!("'{word}' is not a legal action of {player} on {board}")));
            };
            positions.push((after, player.opponent()));
            record.actions.push(action);
        }
        if let Some((line, word)) = numbered {
            return Err(wrong(line, format!("no action follows '{word}'")));
        }
        let (board, player) = positions.last().expect("there is a start");
        let by_rules = ending_by_rules(&game, board, *player);
        let Some(line) = line_of("result") else { return Ok(Record { ending: by_rules, ..record }) };
        let times = times_there(positions.iter().map(|(board, player)| (board, *player)));
        let reason = match record.ending {
            ending if ending == by_rules => return Ok(record),
            ending if by_rules != Ending::Unfinished => {
                format!("the result is not '{ending}': by the rules it is '{by_rules}'")
            }
            ending @ (Ending::Won(_) | Ending::BothSurrounded) => {
                format!("the result is not '{ending}': after line {last_line} the game goes on")
            }
            Ending::Repeated if times < REPEATED => {
                format!("no draw by repetition: the last position occurred {times} of {REPEATED} times")
            }
            _ => return Ok(record),
        };
        Err(wrong(line, reason))
    }
}

fn wrong(line: usize, reason: String) -> RecordError {
    RecordError { line, reason }
}

impl Record {
    /// Reads one line of the header.
    fn read_header(&mut self, key: &str, value: &str) -> Result<(), String> {
        fn read<T: FromStr<Err: fmt::Display>>(value: &str) -> Result<T, String> {
            value.parse().map_err(|error: T::Err| error.to_string())
        }
        let rules = &mut self.game.rules;
        match key {
            "red" | "green" if value.contains(char::is_control) => {
                return Err(format!("the name '{}' has control characters; leave them out", value.escape_debug()));
            }
            "red" => self.players[0] = value.to_owned(),
            "green" => self.players[1] = value.to_owned(),
            "red doves" => self.game.red = read::<DoveSet>(value)?,
            "green doves" => self.game.green = read::<DoveSet>(value)?,
            "returns" => {
                rules.returns = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(format!("returns are 'yes' or 'no', not '{}'", value.escape_debug())),
                }
            }
            "both surrounded" => rules.both_surrounded = read(value)?,
            "start" => self.start = read(value)?,
            "to move" => self.to_move = read(value)?,
            "result" => {
                let ending = Ending::ALL.into_iter().find(|ending| ending.to_string() == value);
                let all = || Ending::ALL.map(|ending| format!("'{ending}'")).join(", ");
                self.ending = ending.ok_or_else(|| {
                    format!("'{}' is not a valid result; write one of {}", value.escape_debug(), all())
                })?;
            }
            _ => return Err(format!("'{}' is nothing that a header has", key.escape_debug())),
        }
        Ok(())
    }
}
