//! A question, read from the query of a URL.

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::count::CountQuestion;
use crate::gpu::GpuQuestion;
use crate::reply::Refused;
use crate::sheet::Sheet;
use crate::texts::Language;
use dovemate::count::{ALL_DOVES, read_doves};
use dovemate::picture::svg::Theme;
use dovemate::rules::{
    Action, Board, BoardTextError, Cell, Code, Color, Dove, DoveSet, Game, ascii_forms, board_rows,
    doves_of_text,
};
use dovemate::{Category, Method};
use dovemate_analysis::level::Level;
use dovemate_analysis::record::Ending;
use dovemate_analysis::{Effort, Line, Puzzle};

/// The usual time for one answer, and the longest that may be requested.
const USUAL_TIME: Duration = Duration::from_millis(500);
const LONGEST_TIME: Duration = Duration::from_secs(2);
/// Maximum number of positions that one answer may search. That many take one thread some seconds.
const MAX_POSITIONS: u64 = 1_000_000;

/// A question with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The program, its levels, and the games whose values are known.
    About,
    /// The texts of the page.
    Words,
    /// The data that a picture of a position needs.
    Legal(Place),
    /// Whether a dove can be put on a cell or move there, or be returned, and why not.
    Try(Place, Dove, Option<Cell>),
    /// The same position on other boards.
    Images(Place),
    /// A picture of a position or, given an action, of the position after it; seen from green's side if the flag is
    /// set.
    Picture(Place, Option<String>, bool, Theme),
    /// A text as a QR code.
    QrCode(String),
    /// Doves that need not form a board.
    Arrange(Game, Vec<(Dove, Cell)>),
    /// What a text contains: a game, actions, or boards.
    Read(Place, String),
    /// A game, step by step.
    Game(PlayedGame),
    /// The review of a game: what each action gave away. It uses answers to `position`, as JSON, if they are given.
    Review(PlayedGame, Option<String>, Work),
    /// Every action with its value, and the line of best play.
    Position(Place, Allowance),
    /// The line of best play, beginning with this action if one is given.
    Line(Place, Allowance, Option<String>),
    /// The action that a machine plays.
    Play(Place, MachinePlayer),
    /// A puzzle.
    Puzzle(PuzzleQuestion),
    /// A sheet of puzzles to print.
    Sheet(Sheet),
    /// A count, or a share of it.
    Count(CountQuestion),
    /// A count on the GPU of the page.
    Gpu(GpuQuestion),
    /// The values of a small game. Later questions use them, too.
    Solve(Game),
}

/// A board of a game and the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The game.
    pub game: Game,
    /// The board.
    pub board: Board,
    /// The player to move.
    pub mover: Color,
}

/// How far to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// Maximum number of plies.
    pub plies: u32,
    /// The work after which the search ends, even if it has not reached that number of plies.
    pub work: Work,
}

/// Maximum work for an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Work {
    /// A time, on all cores; in a page, on one thread.
    Time(Duration),
    /// A number of positions to search, on one thread: the answer is then the same on every machine.
    Positions(u64),
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// The position at the beginning.
    pub place: Place,
    /// The names of red and green.
    pub players: [String; 2],
    /// The actions, as people type them.
    pub actions: String,
    /// How the players ended it, if they did.
    pub ending: Option<Ending>,
    /// The comments, each with the number of actions before it.
    pub comments: Vec<(usize, String)>,
    /// Whether the first illegal action ends the game, instead of being an error.
    pub is_lenient: bool,
}

/// How a machine plays.
#[derive(Clone, Debug, PartialEq)]
pub struct MachinePlayer {
    pub level: Level,
    pub seed: u64,
    /// Boards that have come up with the opponent to move, each listed once for every occurrence.
    pub seen: Vec<Board>,
    pub work: Work,
}

/// The puzzle to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleQuestion {
    pub game: Game,
    pub plies: u32,
    pub is_unique: bool,
    /// The numbers of doves on the board.
    pub doves: RangeInclusive<u32>,
    pub seed: u64,
    /// How many of the seed's first draws to skip, because they are known not to be such puzzles.
    pub skipped: u64,
    pub work: Work,
}

/// The parameters of a query, each given once. Reading a parameter removes it.
struct Parameters {
    given: BTreeMap<String, String>,
    /// The language of messages about them.
    language: Language,
}

impl Question {
    /// Reads the query of the question with this name; `None` if there is no such question. `game` is the default
    /// game.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the query.
    pub fn read(name: &str, query: &str, game: Game, language: Language) -> Option<Result<Question, String>> {
        let read: fn(&mut Parameters, Game) -> Result<Question, String> = match name {
            "about" => |_, _| Ok(Question::About),
            "words" => |_, _| Ok(Question::Words),
            "legal" => |query, game| Ok(Question::Legal(query.place("board", game)?)),
            "try" => Parameters::attempt,
            "images" => |query, game| Ok(Question::Images(query.place("board", game)?)),
            "picture" => |query, game| {
                let (place, action) = (query.place("board", game)?, query.given.remove("action"));
                let is_turned = query.yes_or_no("turned")?.unwrap_or(false);
                Ok(Question::Picture(place, action, is_turned, query.read("theme")?.unwrap_or_default()))
            },
            "qr" => |query, _| Ok(Question::QrCode(query.needed_text()?)),
            "arrange" => Parameters::arrangement,
            "read" => Parameters::text,
            "game" => |query, game| Ok(Question::Game(query.played(game)?)),
            "review" => |query, game| {
                let answers = query.given.remove("answers");
                Ok(Question::Review(query.played(game)?, answers, query.work()?))
            },
            "position" => {
                |query, game| Ok(Question::Position(query.place("board", game)?, query.allowance()?))
            }
            "line" => |query, game| {
                Ok(Question::Line(
                    query.place("board", game)?,
                    query.allowance()?,
                    query.given.remove("action"),
                ))
            },
            "play" => |query, game| Ok(Question::Play(query.place("board", game)?, query.machine()?)),
            "puzzle" => |query, game| Ok(Question::Puzzle(query.puzzle(game)?)),
            "sheet" => Parameters::sheet,
            "count" => |query, game| Ok(Question::Count(query.count(game)?)),
            "gpu" => |query, game| Ok(Question::Gpu(query.gpu(game)?)),
            "solve" => |query, game| Ok(Question::Solve(query.game(game)?)),
            _ => return None,
        };
        Some(Parameters::split(query, language).and_then(|mut parameters| {
            let question = read(&mut parameters, game)?;
            match parameters.given.keys().next() {
                Some(key) => Err(language.no_parameter(key.escape_debug(), format!("/api/{name}"))),
                None => Ok(question),
            }
        }))
    }

    /// Whether the answer may take long, and no game waits for it.
    pub fn can_wait(&self) -> bool {
        use Question::{Count, Line, Position, Puzzle, Review, Sheet, Solve};
        matches!(self, Position(..) | Line(..) | Review(..) | Puzzle(..) | Sheet(..) | Count(..) | Solve(..))
    }

    /// Whether only a page's own module answers this: the page's texts, and what takes much time or memory.
    pub fn is_own(&self) -> bool {
        matches!(self, Question::Words | Question::Count(_) | Question::Gpu(_) | Question::Solve(_))
    }
}

/// Reads a game from a query.
///
/// # Errors
/// A sentence that says what is wrong with the query.
pub fn read_game(query: &str, language: Language) -> Result<Game, String> {
    Parameters::split(query, language)?.game(Game::default())
}

impl Parameters {
    fn split(query: &str, language: Language) -> Result<Parameters, String> {
        let mut given = BTreeMap::new();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if given.insert(key.to_string(), value.into_owned()).is_some() {
                return Err(language.parameter_twice(key.escape_debug()));
            }
        }
        Ok(Parameters { given, language })
    }

    /// A parameter, read by a function with its own error.
    fn read_by<T, E>(&mut self, key: &str, read: impl FnOnce(&str) -> Result<T, E>) -> Result<Option<T>, E> {
        self.given.remove(key).map(|text| read(&text)).transpose()
    }

    /// A parameter, read by a function without an error; `form` describes the valid values.
    fn read_as<T>(&mut self, key: &str, form: &str, of: fn(&str) -> Option<T>) -> Result<Option<T>, String> {
        let language = self.language;
        let wrong = |text: &str| language.parameter_is(key, form, text.escape_debug());
        self.read_by(key, |text| of(text).ok_or_else(|| wrong(text)))
    }

    /// A parameter, parsed as a type.
    fn read<T: FromStr<Err: Error + 'static>>(&mut self, key: &str) -> Result<Option<T>, String> {
        let language = self.language;
        self.read_by(key, |text| {
            text.parse().map_err(|error: T::Err| language.of_parameter(key, language.error(&error)))
        })
    }

    fn yes_or_no(&mut self, key: &str) -> Result<Option<bool>, String> {
        let language = self.language;
        self.read_by(key, |text| match text {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(language.yes_or_no(key, other.escape_debug())),
        })
    }

    fn number<T: FromStr>(&mut self, key: &str, form: &str) -> Result<Option<T>, String> {
        self.read_as(key, form, |text| text.parse().ok())
    }

    fn game(&mut self, usual: Game) -> Result<Game, String> {
        let (kinds, red, green) = (self.read("kinds")?, self.read("red")?, self.read::<DoveSet>("green")?);
        let (red, green) = match (kinds, red, green) {
            (None, None, None) => (usual.red, usual.green),
            (Some(kinds), None, None) => (kinds, kinds),
            (None, Some(red), Some(green)) => (red, green),
            _ => return Err(self.language.kinds_or_both()),
        };
        let mut rules = usual.rules;
        rules.returns = self.yes_or_no("returns")?.unwrap_or(rules.returns);
        rules.both_surrounded = self.read("both_surrounded")?.unwrap_or(rules.both_surrounded);
        Ok(Game { red, green, rules })
    }

    /// A position, whose board is in the parameter `key`.
    fn place(&mut self, key: &str, usual: Game) -> Result<Place, String> {
        let game = self.game(usual)?;
        let text = self.given.remove(key).ok_or_else(|| self.language.no_board())?;
        let board = self.board(key, &text)?;
        let mover = self.read("to_move")?.unwrap_or(Color::Red);
        Ok(Place { game, board, mover })
    }

    fn allowance(&mut self) -> Result<Allowance, String> {
        let form = self.language.plies_from_1(Effort::LONGEST);
        let plies = self.number("depth", &form)?.unwrap_or(Effort::LONGEST);
        if !(1..=Effort::LONGEST).contains(&plies) {
            return Err(self.language.number_is("depth", form, plies));
        }
        Ok(Allowance { plies, work: self.work()? })
    }

    fn work(&mut self) -> Result<Work, String> {
        let form = self.language.positions_from_1(MAX_POSITIONS);
        match self.number("positions", &form)? {
            None => Ok(Work::Time(self.time()?)),
            Some(_) if self.given.contains_key("seconds") => Err(self.language.one_limit()),
            Some(positions) if (1..=MAX_POSITIONS).contains(&positions) => Ok(Work::Positions(positions)),
            Some(positions) => Err(self.language.number_is("positions", form, positions)),
        }
    }

    /// Sets a parameter to the board of the start, unless it is given.
    fn begin_at_start(&mut self, key: &str) {
        self.given.entry(key.to_owned()).or_insert_with(|| Board::default().to_string());
    }

    fn attempt(&mut self, usual: Game) -> Result<Question, String> {
        let place = self.place("board", usual)?;
        let language = self.language;
        let text = self.given.remove("dove").unwrap_or_default();
        let letter = ascii_forms(&text);
        let dove = letter.chars().next().filter(|_| letter.len() == 1).and_then(Dove::from_letter);
        let dove =
            dove.ok_or_else(|| language.parameter_is("dove", language.a_dove(), text.escape_debug()))?;
        Ok(Question::Try(place, dove, self.read_as("to", &language.a_cell(), read_cell)?))
    }

    fn arrangement(&mut self, usual: Game) -> Result<Question, String> {
        let (game, language) = (self.game(usual)?, self.language);
        let doves = match (self.given.remove("doves"), self.given.remove("text")) {
            (Some(doves), None) => {
                let wrong = |word: &str| {
                    language.parameter_is("doves", language.doves_on_cells(), word.escape_debug())
                };
                let dove = |word: &str| {
                    let letter = word.chars().next().and_then(Dove::from_letter)?;
                    Some((letter, read_cell(&word[1..])?))
                };
                doves
                    .split_whitespace()
                    .map(|word| dove(word).ok_or_else(|| wrong(word)))
                    .collect::<Result<_, _>>()?
            }
            (None, Some(text)) => doves_of(&text).map_err(|error| language.error(&*error))?,
            _ => return Err(language.doves_or_text()),
        };
        Ok(Question::Arrange(game, doves))
    }

    fn needed_text(&mut self) -> Result<String, String> {
        self.given.remove("text").ok_or_else(|| self.language.no_text())
    }

    fn text(&mut self, usual: Game) -> Result<Question, String> {
        let text = self.needed_text()?;
        self.begin_at_start("board");
        Ok(Question::Read(self.place("board", usual)?, text))
    }

    fn played(&mut self, usual: Game) -> Result<PlayedGame, String> {
        self.begin_at_start("start");
        let language = self.language;
        let place = self.place("start", usual)?;
        let players = [self.player(Color::Red)?, self.player(Color::Green)?];
        let endings = Ending::ALL.map(|ending| format!("'{ending}'")).join(", ");
        let ending = |text: &str| Ending::ALL.into_iter().find(|ending| ending.to_string() == text);
        let comments =
            |text: &str| serde_json::from_str(text).map_err(|error| language.of_parameter("comments", error));
        Ok(PlayedGame {
            place,
            players,
            actions: self.given.remove("actions").unwrap_or_default(),
            ending: self.read_as("ending", &endings, ending)?,
            comments: self.read_by("comments", comments)?.unwrap_or_default(),
            is_lenient: self.yes_or_no("lenient")?.unwrap_or(false),
        })
    }

    /// The name of a player.
    fn player(&mut self, color: Color) -> Result<String, String> {
        let (key, language) = (format!("{color}_player"), self.language);
        match self.given.remove(&key) {
            Some(name) if name.contains(char::is_control) => {
                Err(language.of_parameter(key, language.no_name_of_player()))
            }
            name => Ok(name.unwrap_or_else(|| color.name().to_owned())),
        }
    }

    fn machine(&mut self) -> Result<MachinePlayer, String> {
        let seen = self.given.remove("seen");
        let seen = seen.iter().flat_map(|boards| boards.split(',')).map(|text| self.board("seen", text));
        let seen = seen.collect::<Result<_, _>>()?;
        Ok(MachinePlayer {
            seen,
            level: self.read("level")?.unwrap_or_default(),
            seed: self.seed()?,
            work: self.work()?,
        })
    }

    fn seed(&mut self) -> Result<u64, String> {
        Ok(self.number("seed", &self.language.a_number())?.unwrap_or(0))
    }

    fn time(&mut self) -> Result<Duration, String> {
        let form = self.language.a_number_from(0, LONGEST_TIME.as_secs());
        let Some(seconds) = self.number::<f64>("seconds", &form)? else { return Ok(USUAL_TIME) };
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= LONGEST_TIME);
        time.ok_or_else(|| self.language.number_is("seconds", form, seconds))
    }

    fn puzzle(&mut self, usual: Game) -> Result<PuzzleQuestion, String> {
        const MAX_PLIES: u32 = 99;
        let language = self.language;
        let form = language.odd_number(MAX_PLIES);
        let game = self.game(usual)?;
        let plies = self.number("plies", &form)?.unwrap_or(3);
        if plies % 2 != 1 || plies > MAX_PLIES {
            return Err(language.number_is("plies", form, plies));
        }
        let most = game.most_doves();
        let doves = self.doves(2..=most)?;
        if *doves.start() > most {
            return Err(language.at_most_doves(most, doves.start()));
        }
        Ok(PuzzleQuestion {
            game,
            doves,
            plies,
            is_unique: self.yes_or_no("unique")?.unwrap_or(false),
            seed: self.seed()?,
            skipped: self.number("skip", &language.number_of_positions())?.unwrap_or(0),
            work: self.work()?,
        })
    }

    fn sheet(&mut self, usual: Game) -> Result<Question, String> {
        let game = self.game(usual)?;
        let is_unique = self.yes_or_no("unique")?.unwrap_or(false);
        let text = self.given.remove("puzzles").unwrap_or_default();
        let puzzles = text.split(',').map(|text| read_puzzle(text, &game, is_unique)).collect();
        let wrong =
            |error: Box<dyn Error>| self.language.of_parameter("puzzles", self.language.error(&*error));
        Ok(Question::Sheet(Sheet { game, puzzles: Result::map_err(puzzles, wrong)? }))
    }

    fn count(&mut self, usual: Game) -> Result<CountQuestion, String> {
        const MAX_PARTS: u32 = 64;
        const MAX_SHAPES: u32 = 100;
        let game = self.game(usual)?;
        let form = self.language.a_number_from(1, MAX_PARTS);
        let parts = self.number("parts", &form)?.unwrap_or(1);
        let part = self.number("part", &form)?.unwrap_or(1);
        if !(1..=MAX_PARTS).contains(&parts) || !(1..=parts).contains(&part) {
            return Err(self.language.part_of_parts(MAX_PARTS));
        }
        let form = self.language.a_number_from(0, MAX_SHAPES);
        let shapes = self.number("shapes", &form)?.unwrap_or(0);
        if shapes > MAX_SHAPES {
            return Err(self.language.number_is("shapes", form, shapes));
        }
        let (category, doves) = (self.read("category")?.unwrap_or(Category::Mates), self.doves(ALL_DOVES)?);
        let method = self.read("method")?.unwrap_or(Method::Factored);
        Ok(CountQuestion { game, category, method, doves, part, parts, shapes: shapes as usize })
    }

    fn gpu(&mut self, usual: Game) -> Result<GpuQuestion, String> {
        let game = self.game(usual)?;
        if !game.is_whole() {
            return Err(self.language.gpu_counts_all(game));
        }
        let (category, doves) = (self.read("category")?.unwrap_or(Category::Mates), self.doves(ALL_DOVES)?);
        Ok(GpuQuestion { game, category, doves })
    }

    /// Reads numbers of doves.
    fn doves(&mut self, usual: RangeInclusive<u32>) -> Result<RangeInclusive<u32>, String> {
        let doves = self.read_by("doves", read_doves);
        let wrong = |error| self.language.of_parameter("doves", self.language.error(&error));
        Ok(doves.map_err(wrong)?.unwrap_or(usual))
    }

    /// Reads the board in a parameter, which is a text or a code.
    fn board(&self, key: &str, text: &str) -> Result<Board, String> {
        let message =
            |error: &(dyn Error + 'static)| self.language.of_parameter(key, self.language.error(error));
        match Code::digits_in(&board_rows(text)) {
            Some(number) => number.parse().map(Code::board).map_err(|error| message(&error)),
            None => text.parse().map_err(|error: BoardTextError| message(&error)),
        }
    }
}

/// The action in a parameter, which need not be legal.
pub fn typed_action(text: &str, board: &Board, player: Color, language: Language) -> Result<Action, Refused> {
    let action = Action::from_typed(text, board, player);
    action.map_err(|error| Refused::Wrong(language.of_parameter("action", language.error(&error))))
}

/// Reads a puzzle of a sheet: its board, the player to move, and the actions of its solution, separated by spaces.
fn read_puzzle(text: &str, game: &Game, is_unique: bool) -> Result<Puzzle, Box<dyn Error>> {
    let mut words = text.split_whitespace();
    let board: Board = words.next().unwrap_or_default().parse()?;
    let mover: Color = words.next().unwrap_or_default().parse()?;
    let (mut line, mut player) = (Line::new(), mover);
    for word in words {
        let before = line.last().map_or(&board, |(_, after)| after);
        let action = Action::from_typed(word, before, player)?;
        let after = game.after(before, action)?;
        line.push((action, after));
        player = player.opponent();
    }
    Ok(Puzzle { board, mover, plies: line.len() as u32, is_unique, line })
}

/// Reads a cell: its row and its column.
fn read_cell(text: &str) -> Option<Cell> {
    let (row, column) = text.split_once(',')?;
    // No dove of a board is as far as 32 from the corner, and sums of numbers up to 32 do not overflow.
    let number = |text: &str| text.parse::<i8>().ok().filter(|number| number.unsigned_abs() <= 32);
    Some(Cell::new(number(row)?, number(column)?))
}

/// The doves of a text or a code, which need not form a board.
///
/// # Errors
/// If it is neither.
pub fn doves_of(text: &str) -> Result<Vec<(Dove, Cell)>, Box<dyn Error>> {
    match Code::digits_in(&board_rows(text)) {
        Some(number) => Ok(Code::doves_in(number)?),
        None => Ok(doves_of_text(text)?),
    }
}
