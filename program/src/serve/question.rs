//! A question to the interface, read from the query of an address.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use dovemate::ask::level::Level;
use dovemate::internals::count::tally::read_doves;
use dovemate::internals::search::Search;
use dovemate::rules::{Board, Code, Color, DoveSet, Game, board_rows};

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
struct Parameters(BTreeMap<String, String>);

impl Question {
    /// Reads the query of a question that is asked at this path; `None` if there is no such question. `game` is the
    /// one that is meant if the query names none.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the query.
    pub fn read(path: &str, query: &str, game: Game) -> Option<Result<Question, String>> {
        let read: fn(&mut Parameters, Game) -> Result<Question, String> = match path {
            "/api/position" => |query, game| Ok(Question::Position(query.place(game)?, query.effort()?)),
            "/api/line" => {
                |query, game| Ok(Question::Line(query.place(game)?, query.effort()?, query.0.remove("action")))
            }
            "/api/legal" => |query, game| Ok(Question::Legal(query.place(game)?)),
            "/api/play" => |query, game| Ok(Question::Play(query.place(game)?, query.machine()?)),
            "/api/puzzle" => |query, game| Ok(Question::Puzzle(query.puzzle(game)?)),
            _ => return None,
        };
        Some(Parameters::split(query).and_then(|mut parameters| {
            let question = read(&mut parameters, game)?;
            match parameters.0.keys().next() {
                Some(key) => Err(format!("'{}' is no parameter of {path}", key.escape_debug())),
                None => Ok(question),
            }
        }))
    }
}

impl Parameters {
    fn split(query: &str) -> Result<Parameters, String> {
        let mut parameters = BTreeMap::new();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if parameters.insert(key.to_string(), value.into_owned()).is_some() {
                return Err(format!("'{}' is there twice", key.escape_debug()));
            }
        }
        Ok(Parameters(parameters))
    }

    /// A parameter, parsed as its type.
    fn read<T: FromStr<Err: Display>>(&mut self, key: &str) -> Result<Option<T>, String> {
        let read = |value: String| value.parse().map_err(|error| format!("{key}: {error}"));
        self.0.remove(key).map(read).transpose()
    }

    fn yes_or_no(&mut self, key: &str) -> Result<Option<bool>, String> {
        let read = |value: String| match value.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(format!("{key} is 'yes' or 'no', not '{}'", other.escape_debug())),
        };
        self.0.remove(key).map(read).transpose()
    }

    fn number<T: FromStr>(&mut self, key: &str, form: &str) -> Result<Option<T>, String> {
        let read =
            |value: String| value.parse().map_err(|_| format!("{key} is {form}, not '{}'", value.escape_debug()));
        self.0.remove(key).map(read).transpose()
    }

    fn game(&mut self, usual: Game) -> Result<Game, String> {
        let (kinds, red, green) = (self.read("kinds")?, self.read("red")?, self.read::<DoveSet>("green")?);
        let (red, green) = match (kinds, red, green) {
            (None, None, None) => (usual.red, usual.green),
            (Some(kinds), None, None) => (kinds, kinds),
            (None, Some(red), Some(green)) => (red, green),
            _ => return Err("name kinds for both players, or red and green together".to_owned()),
        };
        let mut rules = usual.rules;
        rules.returns = self.yes_or_no("returns")?.unwrap_or(rules.returns);
        rules.both_surrounded = self.read("both_surrounded")?.unwrap_or(rules.both_surrounded);
        Ok(Game { red, green, rules })
    }

    fn place(&mut self, usual: Game) -> Result<Place, String> {
        let game = self.game(usual)?;
        let text = self.0.remove("board").ok_or("no board is given; add one, as in ?board=b;B")?;
        let board = board("board", &text)?;
        let mover = self.read("to_move")?.unwrap_or(Color::Red);
        Ok(Place { game, board, mover })
    }

    fn effort(&mut self) -> Result<Effort, String> {
        let form = format!("a number of plies from 1 to {}", Search::LONGEST);
        let plies = self.number("depth", &form)?.unwrap_or(Search::LONGEST);
        if !(1..=Search::LONGEST).contains(&plies) {
            return Err(format!("depth is {form}, not {plies}"));
        }
        Ok(Effort { plies, time: self.time()? })
    }

    fn machine(&mut self) -> Result<MachinePlayer, String> {
        let seen = self.0.remove("seen");
        let seen = seen.iter().flat_map(|boards| boards.split(',')).map(|text| board("seen", text));
        Ok(MachinePlayer {
            seen: seen.collect::<Result<_, _>>()?,
            level: self.read("level")?.unwrap_or_default(),
            seed: self.seed()?,
            time: self.time()?,
        })
    }

    fn seed(&mut self) -> Result<u64, String> {
        Ok(self.number("seed", "a number")?.unwrap_or(0))
    }

    fn time(&mut self) -> Result<Duration, String> {
        let form = format!("a number from 0 to {}", LONGEST.as_secs());
        let Some(seconds) = self.number::<f64>("seconds", &form)? else { return Ok(USUAL) };
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= LONGEST);
        time.ok_or_else(|| format!("seconds is {form}, not {seconds}"))
    }

    fn puzzle(&mut self, usual: Game) -> Result<PuzzleQuestion, String> {
        const MOST: u32 = 99;
        let form = format!("an odd number from 1 to {MOST}");
        let game = self.game(usual)?;
        let plies = self.number("plies", &form)?.unwrap_or(3);
        if plies % 2 != 1 || plies > MOST {
            return Err(format!("plies is {form}, not {plies}"));
        }
        let most = game.most_doves();
        let doves = self.0.remove("doves").map(|text| read_doves(&text)).transpose();
        let doves = doves.map_err(|error| format!("doves: {error}"))?.unwrap_or(2..=most);
        if *doves.start() > most {
            return Err(format!("doves: in this game there are at most {most} on the board, not {}", doves.start()));
        }
        Ok(PuzzleQuestion {
            game,
            doves,
            plies,
            is_unique: self.yes_or_no("unique")?.unwrap_or(false),
            seed: self.seed()?,
            skipped: self.number("skip", "a number of positions")?.unwrap_or(0),
            time: self.time()?,
        })
    }
}

/// Reads a board of a parameter, as text or as 16 hexadecimal digits.
fn board(key: &str, text: &str) -> Result<Board, String> {
    match Code::in_rows(&board_rows(text)) {
        Some(number) => number.parse().and_then(Code::board).map_err(|error| format!("{key}: {error}")),
        None => text.parse().map_err(|error| format!("{key}: {error}")),
    }
}
