//! The record of a game as text: the players, the starting board, the actions, and the result.
//!
//! `doc/game-file.md` describes the format. Reading checks the record against the rules: every action must be
//! legal, and the last position must allow the result.

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
    /// The game continues, or was abandoned.
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

/// The number of times that the last of these positions occurred with the same player to act; rotations and
/// reflections count as the same.
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

    /// Reads a record. Only the title is required. The header defaults to the game with all doves under the
    /// default rules, from its start; without a result, the last position determines it.
    fn from_str(text: &str) -> Result<Record, RecordError> {
        let text = in_ascii(text);
        let mut lines = content(&text);
        read_title(lines.next())?;
        let mut header = Header::default();
        let mut words: Vec<RecordWord> = Vec::new();
        for (number, line) in lines {
            match line.split_once(':') {
                Some((key, value)) if words.is_empty() => header.read(number, key.trim(), value)?,
                Some(_) => {
                    let reason = "a line of the header comes after the actions";
                    return Err(wrong(number, reason.to_owned()));
                }
                None => words.extend(line.split_whitespace().map(|text| RecordWord { line: number, text })),
            }
        }
        header.check_start()?;
        let mut play = Play::from_start(header.record.clone());
        play.read(&words)?;
        header.check_result(play)
    }
}

/// A word among the actions: an action, or a number before it.
struct RecordWord<'t> {
    line: usize,
    text: &'t str,
}

/// The text in ASCII forms, as far as it is not a name or a comment, which stay as they are.
fn in_ascii(text: &str) -> String {
    let is_kept = |line: &str| ["#", "red:", "green:"].iter().any(|start| line.starts_with(start));
    let text = with_line_feeds(text);
    let lines = text.split('\n').map(|line| if is_kept(line) { line.to_owned() } else { ascii_forms(line) });
    lines.collect::<Vec<_>>().join("\n")
}

/// The lines that are neither empty nor comments, with their numbers.
fn content(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

fn read_title(first: Option<(usize, &str)>) -> Result<(), RecordError> {
    match first {
        Some((_, title)) if title.trim_end() == TITLE => Ok(()),
        Some((line, title)) if title.starts_with(TITLE.trim_end_matches('1')) => {
            let reason =
                format!("a game of another format, which this version cannot read: it reads '{TITLE}'");
            Err(wrong(line, reason))
        }
        other => {
            let line = other.map_or(1, |(line, _)| line);
            Err(wrong(line, format!("a game begins with '{TITLE}'")))
        }
    }
}

/// What the header says, beginning with the defaults.
struct Header<'t> {
    /// A record without actions.
    record: Record,
    /// The keys that were read, with their lines.
    keys: Vec<(&'t str, usize)>,
}

impl Default for Header<'_> {
    fn default() -> Self {
        let record = Record {
            game: Game::default(),
            players: ["red".to_owned(), "green".to_owned()],
            start: Board::default(),
            to_move: Color::Red,
            actions: Vec::new(),
            ending: Ending::Unfinished,
        };
        Header { record, keys: Vec::new() }
    }
}

impl<'t> Header<'t> {
    /// The line that has a key.
    fn line_of(&self, key: &str) -> Option<usize> {
        self.keys.iter().find(|(other, _)| *other == key).map(|(_, line)| *line)
    }

    /// Reads a line, whose value has not been trimmed yet.
    fn read(&mut self, line: usize, key: &'t str, value: &str) -> Result<(), RecordError> {
        if let Some(first) = self.line_of(key) {
            return Err(wrong(line, format!("'{}' is in line {first} already", key.escape_debug())));
        }
        if key == "start" && value.strip_prefix(' ').unwrap_or(value).starts_with(char::is_whitespace) {
            // They might be meant as empty cells.
            let reason = "there are spaces before the board; write '-' for an empty cell";
            return Err(wrong(line, reason.to_owned()));
        }
        self.record.read_header(key, value.trim()).map_err(|reason| wrong(line, reason))?;
        self.keys.push((key, line));
        Ok(())
    }

    /// Checks that the board at the beginning has only doves of the game. It may be finished: then there are
    /// no actions.
    fn check_start(&self) -> Result<(), RecordError> {
        let Some(dove) = self.record.game.stranger(&self.record.start) else { return Ok(()) };
        let line = self.line_of("start").unwrap_or(1);
        Err(wrong(line, format!("'{}' is not among the doves that the header names", dove.letter())))
    }

    /// Checks that the last position allows the result, if there is one, and otherwise takes that of the
    /// rules.
    fn check_result(&self, play: Play) -> Result<Record, RecordError> {
        let (board, player) = play.last();
        let by_rules = ending_by_rules(&play.record.game, board, *player);
        let Some(line) = self.line_of("result") else {
            return Ok(Record { ending: by_rules, ..play.record });
        };
        let ending = self.record.ending;
        if ending == by_rules {
            return Ok(play.record);
        }
        if by_rules != Ending::Unfinished {
            return Err(wrong(
                line,
                format!("the result is not '{ending}': by the rules it is '{by_rules}'"),
            ));
        }
        match ending {
            Ending::Won(_) | Ending::BothSurrounded => {
                let last = play.line.or(self.line_of("start")).unwrap_or(1);
                let reason = format!("the result is not '{ending}': the game continues after line {last}");
                Err(wrong(line, reason))
            }
            Ending::Repeated if play.repetitions() < REPEATED => {
                let times = play.repetitions();
                let reason =
                    format!("no draw by repetition: the last position occurred {times} of {REPEATED} times");
                Err(wrong(line, reason))
            }
            _ => Ok(play.record),
        }
    }
}

/// A game as far as its actions have been read.
struct Play {
    record: Record,
    positions: Vec<(Board, Color)>,
    /// The line of the last word.
    line: Option<usize>,
}

impl Play {
    /// The game of a record without actions.
    fn from_start(record: Record) -> Play {
        let positions = vec![(record.start.clone(), record.to_move)];
        Play { record, positions, line: None }
    }

    fn last(&self) -> &(Board, Color) {
        self.positions.last().expect("there is a start")
    }

    /// How often the last position has occurred.
    fn repetitions(&self) -> usize {
        times_there(self.positions.iter().map(|(board, player)| (board, *player)))
    }

    /// Reads the actions and their numbers.
    fn read(&mut self, words: &[RecordWord]) -> Result<(), RecordError> {
        // A number that no action has followed yet.
        let mut number: Option<&RecordWord> = None;
        for word in words {
            self.line = Some(word.line);
            match word.text.strip_suffix('.') {
                Some(digits) => {
                    let is_next = number.is_none() && self.is_next_number(digits);
                    if !is_next {
                        let text = word.text.escape_debug();
                        let reason = format!("'{text}' is not the number of the next two actions");
                        return Err(wrong(word.line, reason));
                    }
                    number = Some(word);
                }
                None => {
                    number = None;
                    self.act(word)?;
                }
            }
        }
        match number {
            Some(RecordWord { line, text }) => Err(wrong(*line, format!("no action follows '{text}'"))),
            None => Ok(()),
        }
    }

    /// Whether these digits are the number of the next two actions.
    fn is_next_number(&self, digits: &str) -> bool {
        let acted = self.record.actions.len();
        acted.is_multiple_of(2) && digits == (acted / 2 + 1).to_string()
    }

    /// Takes the action that a word names.
    fn act(&mut self, &RecordWord { line, text }: &RecordWord) -> Result<(), RecordError> {
        let game = self.record.game;
        let (board, player) = self.last();
        if ending_by_rules(&game, board, *player) != Ending::Unfinished {
            return Err(wrong(line, format!("'{}' comes after the end of the game", text.escape_debug())));
        }
        let action = Action::typed(text, board, *player).map_err(|error| wrong(line, error.to_string()))?;
        let Some((_, after)) = game.legal_actions(board, *player).find(|(legal, _)| *legal == action) else {
            return Err(wrong(line, format!("'{text}' is not a legal action of {player} on {board}")));
        };
        let next = player.opponent();
        self.positions.push((after, next));
        self.record.actions.push(action);
        Ok(())
    }
}

fn wrong(line: usize, reason: String) -> RecordError {
    RecordError { line, reason }
}

impl Record {
    /// Reads the value of a key of the header.
    fn read_header(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "red" => self.players[0] = read_name(value)?,
            "green" => self.players[1] = read_name(value)?,
            "red doves" => self.game.red = read::<DoveSet>(value)?,
            "green doves" => self.game.green = read::<DoveSet>(value)?,
            "returns" => self.game.rules.returns = read_returns(value)?,
            "both surrounded" => self.game.rules.both_surrounded = read(value)?,
            "start" => self.start = read(value)?,
            "to move" => self.to_move = read(value)?,
            "result" => self.ending = read_ending(value)?,
            _ => return Err(format!("'{}' is not a key of the header", key.escape_debug())),
        }
        Ok(())
    }
}

fn read<T: FromStr<Err: fmt::Display>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|error: T::Err| error.to_string())
}

fn read_name(name: &str) -> Result<String, String> {
    if name.contains(char::is_control) {
        return Err(format!("the name '{}' has control characters; leave them out", name.escape_debug()));
    }
    Ok(name.to_owned())
}

fn read_returns(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("returns are 'yes' or 'no', not '{}'", value.escape_debug())),
    }
}

fn read_ending(value: &str) -> Result<Ending, String> {
    let ending = Ending::ALL.into_iter().find(|ending| ending.to_string() == value);
    ending.ok_or_else(|| {
        let all = Ending::ALL.map(|ending| format!("'{ending}'")).join(", ");
        format!("'{}' is not a valid result; write one of {all}", value.escape_debug())
    })
}
