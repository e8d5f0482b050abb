//! The record of a game as text: the players, the starting board, the actions, and the result.
//!
//! `doc/game-file.md` describes the format. Reading checks the record against the rules: every action must be
//! legal, and the last position must allow the result.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use dovemate::rules::{
    Action, Board, Color, Game, Outcome, PositionError, Refusal, ascii_forms, with_line_feeds,
};

const TITLE: &str = Record::TITLE;
const REPEATED: usize = Record::REPEATED;

/// The state or result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// A player has claimed a draw, because the position has occurred at least three times.
    Repeated,
}

impl Ending {
    /// The state of a game by the rules, with `player` to act.
    pub fn by_rules(game: &Game, board: &Board, player: Color) -> Ending {
        match game.outcome(board, player.opponent()) {
            Outcome::Won => Ending::Won(player.opponent()),
            Outcome::Lost => Ending::Won(player),
            Outcome::Drawn => Ending::BothSurrounded,
            Outcome::Open => Ending::Unfinished,
        }
    }

    /// All endings.
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

/// The text of an ending as in a record: `red wins, green resigned`.
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

/// The record of a game. Any record that is written can be read again.
///
/// ```
/// use dovemate_analysis::record::{Ending, Record};
/// use dovemate::{Board, Color, Game};
///
/// let mut record = Record::new(Game::both("AY")?, Board::default(), Color::Red)?;
/// while record.ending() == Ending::Unfinished && record.actions().len() < 20 {
///     let (board, player) = record.position();
///     let (action, _) = record.game().legal_actions(board, *player).next().expect("the game is not over");
///     record.act(action)?;
/// }
/// if record.ending() == Ending::Unfinished {
///     record.end(Ending::Agreed)?;
/// }
/// assert_eq!(record.to_string().parse(), Ok(record));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    game: Game,
    players: [String; 2],
    /// The boards before and after the actions, each with the player to act.
    positions: Vec<(Board, Color)>,
    actions: Vec<Action>,
    ending: Ending,
    /// The text of each comment after its `#`, with the number of actions before it.
    comments: Vec<(usize, String)>,
}

/// Why a result does not fit a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndingError {
    /// By the rules, the game ended otherwise.
    #[error("the result is not '{0}': by the rules it is '{1}'")]
    ByRules(Ending, Ending),
    /// By the rules, the game continues.
    #[error("the result is not '{0}': the game continues")]
    Continues(Ending),
    /// The last position has not occurred often enough for a draw by repetition.
    #[error("no draw by repetition: the last position occurred {0} of {REPEATED} times")]
    Repetitions(usize),
}

/// A player's name has control characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name '{}' has control characters; leave them out", .0.escape_debug())]
pub struct PlayerNameError(pub String);

/// Why a text is not a valid record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
#[non_exhaustive]
pub struct RecordError {
    /// The line number, from 1.
    pub line: usize,
    /// The problem, in words.
    pub reason: String,
}

impl Record {
    /// The first line of every record.
    pub const TITLE: &str = "Tokyo Doves game, format 1";
    /// The number of times that a position must have occurred for a draw by repetition.
    pub const REPEATED: usize = 3;

    /// The number of times that the last of these positions occurred with the same player to act; rotations and
    /// reflections count as the same.
    pub fn times_there<'a>(positions: impl DoubleEndedIterator<Item = (&'a Board, Color)>) -> usize {
        let mut codes = positions.rev().map(|(board, player)| (board.code().canonical(player), player));
        let Some(last) = codes.next() else { return 0 };
        1 + codes.filter(|&code| code == last).count()
    }

    /// A game that begins on a board, with a player to act. The players are called `red` and `green`.
    ///
    /// # Errors
    /// If a dove on the board is not in the game. A boss may be surrounded: the game is over then.
    pub fn new(game: Game, start: Board, to_move: Color) -> Result<Record, PositionError> {
        game.check_doves(&start)?;
        let ending = Ending::by_rules(&game, &start, to_move);
        let players = Color::ALL.map(|color| color.name().to_owned());
        let positions = vec![(start, to_move)];
        Ok(Record { game, players, positions, actions: Vec::new(), ending, comments: Vec::new() })
    }

    /// The game: its dove sets and its rules.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The names of the red and the green player.
    pub fn players(&self) -> &[String; 2] {
        &self.players
    }

    /// Sets the names of the red and the green player, without blanks around them.
    ///
    /// # Errors
    /// If one has control characters, such as a line break.
    pub fn set_players(&mut self, players: [String; 2]) -> Result<(), PlayerNameError> {
        let [red, green] = players;
        self.players = [read_name(&red)?, read_name(&green)?];
        Ok(())
    }

    /// The comments in their order, without their `#`, each with the number of actions before it.
    ///
    /// ```
    /// use dovemate_analysis::record::Record;
    ///
    /// let text = "Tokyo Doves game, format 1\n# at the club\n1. +AW1\n#? a mistake\n+aN1W1\n2. AS1W1\n# line: +AW1 bE1\n";
    /// let record: Record = text.parse()?;
    /// assert_eq!(record.comments()[1], (1, "? a mistake".to_owned()));
    /// assert_eq!(record.to_string().parse(), Ok(record.clone()));
    /// assert!(record.to_string().ends_with(text.split_once('\n').expect("a title").1));
    /// # Ok::<(), dovemate_analysis::record::RecordError>(())
    /// ```
    pub fn comments(&self) -> &[(usize, String)] {
        &self.comments
    }

    /// Sets the comments. A line break in one begins another; comments after the same action keep their order.
    pub fn set_comments(&mut self, comments: &[(usize, String)]) {
        let lines = |(ply, text): &(usize, String)| {
            let ply = (*ply).min(self.actions.len());
            with_line_feeds(text).split('\n').map(|line| (ply, line.to_owned())).collect::<Vec<_>>()
        };
        self.comments = comments.iter().flat_map(lines).collect();
        self.comments.sort_by_key(|(ply, _)| *ply);
    }

    /// The boards with the player to act on each, beginning with the start.
    pub fn positions(&self) -> &[(Board, Color)] {
        &self.positions
    }

    /// The last board, and the player to act on it.
    pub fn position(&self) -> &(Board, Color) {
        self.positions.last().expect("there is a start")
    }

    /// How often the last position has occurred.
    pub fn repetitions(&self) -> usize {
        Record::times_there(self.positions.iter().map(|(board, player)| (board, *player)))
    }

    /// The actions, each legal on the board before it.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The texts of the actions.
    pub fn texts(&self) -> Vec<String> {
        self.actions.iter().zip(&self.positions).map(|(action, (board, _))| action.text(board)).collect()
    }

    /// The texts of the actions, numbered, two to a number: `1. +AS1 +aN2`.
    pub fn numbered(&self) -> Vec<String> {
        let texts = self.texts();
        (1..).zip(texts.chunks(2)).map(|(number, both)| format!("{number}. {}", both.join(" "))).collect()
    }

    /// The state or the result of the game.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// Adds an action of the player to act.
    ///
    /// # Errors
    /// If the game is over, or the action is not legal.
    pub fn act(&mut self, action: Action) -> Result<(), Refusal> {
        let (board, player) = self.position();
        if self.ending != Ending::Unfinished {
            return Err(Refusal::Over);
        }
        if action.dove().color != *player {
            return Err(Refusal::OtherTurn(*player));
        }
        let (after, next) = (self.game.after(board, action)?, player.opponent());
        self.ending = Ending::by_rules(&self.game, &after, next);
        self.positions.push((after, next));
        self.actions.push(action);
        Ok(())
    }

    /// Ends the game as the players decide, or makes it unfinished again.
    ///
    /// # Errors
    /// If the rules have ended it otherwise, or do not allow this ending.
    pub fn end(&mut self, ending: Ending) -> Result<(), EndingError> {
        let (board, player) = self.position();
        let by_rules = Ending::by_rules(&self.game, board, *player);
        self.ending = match ending {
            _ if ending == by_rules => ending,
            _ if by_rules != Ending::Unfinished => return Err(EndingError::ByRules(ending, by_rules)),
            Ending::Won(_) | Ending::BothSurrounded => return Err(EndingError::Continues(ending)),
            Ending::Repeated if self.repetitions() < REPEATED => {
                return Err(EndingError::Repetitions(self.repetitions()));
            }
            _ => ending,
        };
        Ok(())
    }

    /// Takes back all actions after the first `actions`, with the comments on them and any ending that is not by the
    /// rules.
    pub fn truncate(&mut self, actions: usize) {
        self.actions.truncate(actions);
        self.positions.truncate(self.actions.len() + 1);
        self.comments.retain(|(ply, _)| *ply <= self.actions.len());
        let (board, player) = self.position();
        self.ending = Ending::by_rules(&self.game, board, *player);
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Record { game, players, positions, ending, comments, .. } = self;
        let (start, to_move) = &positions[0];
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
        let texts = self.texts();
        if !texts.is_empty() || !comments.is_empty() {
            writeln!(f)?;
        }
        let at = |ply: usize| {
            let here = comments.iter().filter(|(place, _)| *place == ply);
            here.map(|(_, comment)| format!("#{comment}\n")).collect::<String>()
        };
        for (number, pair) in (1..).zip(texts.chunks(2)) {
            let [before, between] = [2 * number - 2, 2 * number - 1].map(at);
            match pair {
                [first, second] if between.is_empty() => writeln!(f, "{before}{number}. {first} {second}")?,
                [first, second] => writeln!(f, "{before}{number}. {first}\n{between}{second}")?,
                _ => writeln!(f, "{before}{number}. {}", pair[0])?,
            }
        }
        f.write_str(&at(texts.len()))
    }
}

impl FromStr for Record {
    type Err = RecordError;

    /// Reads a record. Only the title is required. The header defaults to the game with all doves under the
    /// default rules, from its start; without a result, the last position determines it.
    fn from_str(text: &str) -> Result<Record, RecordError> {
        let text = in_ascii(text);
        let mut header: Option<Header> = None;
        let (mut comments, mut words, mut actions) = (Vec::new(), Vec::new(), 0);
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            if let Some(comment) = line.strip_prefix('#') {
                comments.push((actions, comment.to_owned()));
                continue;
            }
            let Some(header) = &mut header else {
                read_title(number, line)?;
                header = Some(Header::default());
                continue;
            };
            match line.split_once(':') {
                Some((key, value)) if words.is_empty() => header.read(number, key.trim(), value)?,
                Some(_) => return Err(wrong(number, "a line of the header comes after the actions")),
                None => {
                    let read = line.split_whitespace();
                    actions += read.clone().filter(|word| !word.ends_with('.')).count();
                    words.extend(read.map(|text| RecordWord { line: number, text }));
                }
            }
        }
        let header = header.ok_or_else(|| no_title(1))?;
        let mut record = header.start()?;
        play(&mut record, &words)?;
        header.end(&mut record, words.last().map(|word| word.line))?;
        Ok(Record { comments, ..record })
    }
}

/// A word among the actions: an action, or a number before it.
struct RecordWord<'t> {
    line: usize,
    text: &'t str,
}

/// The text in ASCII forms; names and comments stay as they are.
fn in_ascii(text: &str) -> String {
    let is_kept = |line: &str| ["#", "red:", "green:"].iter().any(|start| line.starts_with(start));
    let text = with_line_feeds(text);
    let lines = text.split('\n').map(|line| if is_kept(line) { line.to_owned() } else { ascii_forms(line) });
    lines.collect::<Vec<_>>().join("\n")
}

fn read_title(line: usize, title: &str) -> Result<(), RecordError> {
    if title.trim_end() == TITLE {
        return Ok(());
    }
    if !title.starts_with(TITLE.trim_end_matches('1')) {
        return Err(no_title(line));
    }
    Err(wrong(line, format!("a game of another format, which this version cannot read: it reads '{TITLE}'")))
}

fn no_title(line: usize) -> RecordError {
    wrong(line, format!("a game begins with '{TITLE}'"))
}

/// The header's values, which start as the defaults.
struct Header<'t> {
    game: Game,
    players: [String; 2],
    start: Board,
    to_move: Color,
    ending: Ending,
    /// The keys that were read, with their lines.
    keys: Vec<(&'t str, usize)>,
}

impl Default for Header<'_> {
    fn default() -> Self {
        Header {
            game: Game::default(),
            players: Color::ALL.map(|color| color.name().to_owned()),
            start: Board::default(),
            to_move: Color::Red,
            ending: Ending::Unfinished,
            keys: Vec::new(),
        }
    }
}

impl<'t> Header<'t> {
    /// The number of the line with a key.
    fn line_of(&self, key: &str) -> Option<usize> {
        self.keys.iter().find(|(other, _)| *other == key).map(|(_, line)| *line)
    }

    /// Reads a line, whose value has not been trimmed yet.
    fn read(&mut self, line: usize, key: &'t str, value: &str) -> Result<(), RecordError> {
        if let Some(first) = self.line_of(key) {
            return Err(wrong(line, format!("'{}' is already in line {first}", key.escape_debug())));
        }
        if key == "start" && value.strip_prefix(' ').unwrap_or(value).starts_with(char::is_whitespace) {
            // The spaces might be meant as empty cells.
            return Err(wrong(line, "there are spaces before the board; write '-' for an empty cell"));
        }
        self.read_value(key, value.trim()).map_err(|error| wrong(line, error))?;
        self.keys.push((key, line));
        Ok(())
    }

    /// The record before any action; an error if a dove on the board is not in the game.
    fn start(&self) -> Result<Record, RecordError> {
        let line = self.line_of("start").unwrap_or(1);
        let record =
            Record::new(self.game, self.start.clone(), self.to_move).map_err(|error| match error {
                PositionError::NotInGame { letter, .. } => {
                    wrong(line, format!("'{letter}' is not among the doves that the header names"))
                }
                error => wrong(line, error),
            })?;
        Ok(Record { players: self.players.clone(), ..record })
    }

    /// Ends the game with the stated result, if there is one; the last position must allow it. Without one, the rules
    /// decide. `last` is the line of the last action.
    fn end(&self, record: &mut Record, last: Option<usize>) -> Result<(), RecordError> {
        let Some(line) = self.line_of("result") else { return Ok(()) };
        record.end(self.ending).map_err(|error| match error {
            EndingError::Continues(_) => {
                let last = last.or(self.line_of("start")).unwrap_or(1);
                wrong(line, format!("{error} after line {last}"))
            }
            error => wrong(line, error),
        })
    }

    /// Reads the value of a key.
    fn read_value(&mut self, key: &str, value: &str) -> Result<(), Box<dyn Error>> {
        match key {
            "red" => self.players[0] = read_name(value)?,
            "green" => self.players[1] = read_name(value)?,
            "red doves" => self.game.red = value.parse()?,
            "green doves" => self.game.green = value.parse()?,
            "returns" => self.game.rules.returns = read_returns(value)?,
            "both surrounded" => self.game.rules.both_surrounded = value.parse()?,
            "start" => self.start = value.parse()?,
            "to move" => self.to_move = value.parse()?,
            "result" => self.ending = read_ending(value)?,
            _ => return Err(format!("'{}' is not a key of the header", key.escape_debug()).into()),
        }
        Ok(())
    }
}

/// Plays the actions that these words name, and checks the numbers before them.
fn play(record: &mut Record, words: &[RecordWord]) -> Result<(), RecordError> {
    // A number that no action has followed yet.
    let mut number = None;
    for word in words {
        let Some(digits) = word.text.strip_suffix('.') else {
            act(record, word)?;
            number = None;
            continue;
        };
        let acted = record.actions.len();
        let is_next = acted.is_multiple_of(2) && digits == (acted / 2 + 1).to_string();
        if number.replace(word).is_some() || !is_next {
            let text = word.text.escape_debug();
            return Err(wrong(word.line, format!("'{text}' is not the number of the next two actions")));
        }
    }
    match number {
        Some(RecordWord { line, text }) => Err(wrong(*line, format!("no action follows '{text}'"))),
        None => Ok(()),
    }
}

/// Plays the action that a word names.
fn act(record: &mut Record, &RecordWord { line, text }: &RecordWord) -> Result<(), RecordError> {
    let (board, player) = record.position();
    if record.ending != Ending::Unfinished {
        return Err(wrong(line, format!("'{}' comes after the end of the game", text.escape_debug())));
    }
    let action = Action::from_typed(text, board, *player).map_err(|error| wrong(line, error))?;
    let message = format!("'{text}' is not a legal action of {player} on {board}");
    record.act(action).map_err(|_| wrong(line, message))
}

fn wrong(line: usize, reason: impl fmt::Display) -> RecordError {
    RecordError { line, reason: reason.to_string() }
}

fn read_name(name: &str) -> Result<String, PlayerNameError> {
    match name.contains(char::is_control) {
        true => Err(PlayerNameError(name.to_owned())),
        false => Ok(name.trim().to_owned()),
    }
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
