//! A question to the interface, read from the query of an address.

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::texts::Language;
use dovemate::ask::level::Level;
use dovemate::internals::count::tally::read_doves;
use dovemate::internals::search::Search;
use dovemate::rules::{Board, BoardTextError, Code, Color, DoveSet, Game, Rules, board_rows};

/// The usual time for one answer, and the most that may be asked for.
const USUAL: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(2);

/// A question, with what it is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Every action with its value, and the line of best play.
    Position(Place, Effort),
    /// The line of best play, after this action if there is one.
    Line(Place, Effort, Option<String>),
    /// The legal actions.
    Legal(Place),
    /// What a machine plays.
    Play(Place, MachinePlayer),
    /// A puzzle.
    Puzzle(PuzzleQuestion),
    /// What a browser needs to count mates, under the rules of the game that is served.
    Count(Rules),
}

/// A board of a game and the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub game: Game,
    pub board: Board,
    pub mover: Color,
}

/// How far to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    pub plies: u32,
    pub time: Duration,
}

/// How a machine plays.
#[derive(Clone, Debug, PartialEq)]
pub struct MachinePlayer {
    pub level: Level,
    pub seed: u64,
    /// Boards that have come up with the opponent to move, each as often as it did.
    pub seen: Vec<Board>,
    pub time: Duration,
}

/// Which puzzle to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleQuestion {
    pub game: Game,
    pub plies: u32,
    pub is_unique: bool,
    /// The numbers of doves on the board.
    pub doves: RangeInclusive<u32>,
    pub seed: u64,
    /// The number of positions to skip: those that the seed draws first and that are known not to be such puzzles.
    pub skipped: u64,
    pub time: Duration,
}

/// The parameters of a query, each once; what is read is taken out.
struct Parameters {
    given: BTreeMap<String, String>,
    /// The language of what is said of them.
    language: Language,
}

impl Question {
    /// Reads the query of a question that is asked at this path; `None` if there is no such question. `game` is the
    /// one that is meant if the query names none.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the query.
    pub fn read(path: &str, query: &str, game: Game, language: Language) -> Option<Result<Question, String>> {
        let read: fn(&mut Parameters, Game) -> Result<Question, String> = match path {
            "/api/position" => |query, game| Ok(Question::Position(query.place(game)?, query.effort()?)),
            "/api/line" => {
                |query, game| Ok(Question::Line(query.place(game)?, query.effort()?, query.given.remove("action")))
            }
            "/api/legal" => |query, game| Ok(Question::Legal(query.place(game)?)),
            "/api/play" => |query, game| Ok(Question::Play(query.place(game)?, query.machine()?)),
            "/api/puzzle" => |query, game| Ok(Question::Puzzle(query.puzzle(game)?)),
            "/api/count" => |_, game| Ok(Question::Count(game.rules)),
            _ => return None,
        };
        Some(Parameters::split(query, language).and_then(|mut parameters| {
            let question = read(&mut parameters, game)?;
            match parameters.given.keys().next() {
                Some(key) => Err(language.no_parameter(key.escape_debug(), path)),
                None => Ok(question),
            }
        }))
    }
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

    /// A parameter, parsed as its type.
    fn read<T: FromStr<Err: Error + 'static>>(&mut self, key: &str) -> Result<Option<T>, String> {
        let language = self.language;
        let read =
            |value: String| value.parse().map_err(|error: T::Err| language.of_parameter(key, language.error(&error)));
        self.given.remove(key).map(read).transpose()
    }

    fn yes_or_no(&mut self, key: &str) -> Result<Option<bool>, String> {
        let language = self.language;
        let read = |value: String| match value.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(language.yes_or_no(key, other.escape_debug())),
        };
        self.given.remove(key).map(read).transpose()
    }

    fn number<T: FromStr>(&mut self, key: &str, form: &str) -> Result<Option<T>, String> {
        let language = self.language;
        let read = |value: String| value.parse().map_err(|_| language.parameter_is(key, form, value.escape_debug()));
        self.given.remove(key).map(read).transpose()
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

    fn place(&mut self, usual: Game) -> Result<Place, String> {
        let game = self.game(usual)?;
        let text = self.given.remove("board").ok_or_else(|| self.language.no_board())?;
        let board = self.board("board", &text)?;
        let mover = self.read("to_move")?.unwrap_or(Color::Red);
        Ok(Place { game, board, mover })
    }

    fn effort(&mut self) -> Result<Effort, String> {
        let form = self.language.plies_from_1(Search::LONGEST);
        let plies = self.number("depth", &form)?.unwrap_or(Search::LONGEST);
        if !(1..=Search::LONGEST).contains(&plies) {
            return Err(self.language.number_is("depth", form, plies));
        }
        Ok(Effort { plies, time: self.time()? })
    }

    fn machine(&mut self) -> Result<MachinePlayer, String> {
        let seen = self.given.remove("seen");
        let seen = seen.iter().flat_map(|boards| boards.split(',')).map(|text| self.board("seen", text));
        let seen = seen.collect::<Result<_, _>>()?;
        Ok(MachinePlayer {
            seen,
            level: self.read("level")?.unwrap_or_default(),
            seed: self.seed()?,
            time: self.time()?,
        })
    }

    fn seed(&mut self) -> Result<u64, String> {
        Ok(self.number("seed", &self.language.a_number())?.unwrap_or(0))
    }

    fn time(&mut self) -> Result<Duration, String> {
        let form = self.language.a_number_to(LONGEST.as_secs());
        let Some(seconds) = self.number::<f64>("seconds", &form)? else { return Ok(USUAL) };
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= LONGEST);
        time.ok_or_else(|| self.language.number_is("seconds", form, seconds))
    }

    fn puzzle(&mut self, usual: Game) -> Result<PuzzleQuestion, String> {
        const MOST: u32 = 99;
        let language = self.language;
        let form = language.odd_number(MOST);
        let game = self.game(usual)?;
        let plies = self.number("plies", &form)?.unwrap_or(3);
        if plies % 2 != 1 || plies > MOST {
            return Err(language.number_is("plies", form, plies));
        }
        let most = game.most_doves();
        let doves = self.given.remove("doves").map(|text| read_doves(&text)).transpose();
        let doves = doves.map_err(|error| language.of_parameter("doves", language.error(&error)))?.unwrap_or(2..=most);
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
            time: self.time()?,
        })
    }

    /// Reads a board of a parameter, as text or as 16 hexadecimal digits.
    fn board(&self, key: &str, text: &str) -> Result<Board, String> {
        let told = |error: &(dyn Error + 'static)| self.language.of_parameter(key, self.language.error(error));
        match Code::in_rows(&board_rows(text)) {
            Some(number) => number.parse().and_then(Code::board).map_err(|error| told(&error)),
            None => text.parse().map_err(|error: BoardTextError| told(&error)),
        }
    }
}
