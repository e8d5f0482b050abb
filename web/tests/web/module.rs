//! The module of the board page answers as the library does: questions of every kind, drawn at random, with
//! an effort in positions, have the same answers byte for byte.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use dovemate::random::Random;
use dovemate::rules::{Board, Color, Dove, Game};
use dovemate_analysis::Draw;
use dovemate_analysis::record::Record;
use dovemate_web::texts::Language;
use dovemate_web::{Asking, Brain};
use serde_json::{Value as Json, json};

const TITLE: &str = Record::TITLE;

/// How many questions are drawn.
const QUESTIONS: usize = 10_000;

/// The games of the brains that are asked, and of questions.
const GAMES: [&str; 6] = [
    "",
    "returns=no",
    "kinds=AYM",
    "kinds=AY&returns=no&both_surrounded=draw",
    "red=AYMTH&green=-&both_surrounded=mover-wins",
    "red=AM&green=YTH",
];

/// What is asked, each with its weight among all questions.
const KINDS: [(&str, u64); 16] = [
    ("about", 1),
    ("legal", 14),
    ("try", 20),
    ("images", 8),
    ("arrange", 12),
    ("read", 12),
    ("game", 8),
    ("position", 14),
    ("line", 8),
    ("play", 10),
    ("puzzle", 2),
    ("sheet", 2),
    ("count", 2),
    ("solve", 1),
    ("wrong", 8),
    ("nonsense", 1),
];

thread_local! {
    /// What the library tells while it answers.
    static TOLD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Random questions, the same in every run.
struct Questions {
    random: Random,
    /// The games, each with a source of positions.
    games: Vec<(&'static str, Game, Draw)>,
}

type Query = Vec<(&'static str, String)>;

impl Questions {
    fn new() -> Questions {
        let game = |(seed, query): (u64, &'static str)| {
            let game = Brain::of_query(query, Language::English).expect("a game").game;
            (query, game, Draw::new(game, 2..=game.most_doves(), seed))
        };
        Questions { random: Random::new(58), games: (0..).zip(GAMES).map(game).collect() }
    }

    fn below(&mut self, number: u64) -> u64 {
        self.random.below(number)
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }

    /// A game as parameters, and a position of it: as it is drawn, or after some action, which may have ended
    /// the game.
    fn place(&mut self) -> (Query, Game, Board, Color) {
        let which = self.below(self.games.len() as u64) as usize;
        let (query, game, ref mut draw) = self.games[which];
        let (board, mover) = draw.position();
        let (board, mover) = match self.below(3) {
            0 => {
                self.step(&game, &board, mover).map_or((board, mover), |(_, after)| (after, mover.opponent()))
            }
            _ => (board, mover),
        };
        let mut parameters = of_game(query);
        let code = board.code();
        let text = if self.below(8) == 0 { code.to_string() } else { board.to_string() };
        parameters.extend([("board", text), ("to_move", mover.name().to_owned())]);
        (parameters, game, board, mover)
    }

    /// An action in a position, and the board after it.
    fn step(&mut self, game: &Game, board: &Board, mover: Color) -> Option<(String, Board)> {
        let actions: Vec<_> = game.legal_actions(board, mover).collect();
        let (action, after) = (!actions.is_empty()).then(|| self.one(&actions))?;
        Some((action.text(board), after))
    }

    /// Actions from a position, as long as the game goes on.
    fn actions(&mut self, game: &Game, mut board: Board, mut mover: Color, most: u64) -> Vec<String> {
        let mut texts = Vec::new();
        for _ in 0..self.below(most) {
            let is_over = Color::ALL.into_iter().any(|color| board.is_surrounded(color));
            let Some((text, after)) = self.step(game, &board, mover).filter(|_| !is_over) else { break };
            texts.push(text);
            (board, mover) = (after, mover.opponent());
        }
        texts
    }

    fn cell(&mut self) -> String {
        let mut number = || self.below(8) as i64 - 2;
        format!("{},{}", number(), number())
    }

    fn effort(&mut self, query: &mut Query) {
        query.push(("positions", (1 + self.below(150)).to_string()));
        if self.below(3) == 0 {
            query.push(("depth", (1 + self.below(9)).to_string()));
        }
    }

    /// The name and the query of a question.
    fn next(&mut self) -> (String, String) {
        let mut all = KINDS.into_iter().flat_map(|(kind, weight)| std::iter::repeat_n(kind, weight as usize));
        let number = self.below(KINDS.iter().map(|(_, weight)| weight).sum());
        self.of_kind(all.nth(number as usize).expect("a kind"))
    }

    fn of_kind(&mut self, kind: &'static str) -> (String, String) {
        let (mut query, game, board, mover) = self.place();
        let doves: Vec<Dove> = Dove::all().collect();
        match kind {
            "about" => query.clear(),
            "try" => {
                query.push(("dove", self.one(&doves).letter().to_string()));
                if self.below(6) > 0 {
                    query.push(("to", self.cell()));
                }
            }
            "arrange" => {
                query.retain(|(key, _)| !["board", "to_move"].contains(key));
                if self.below(3) == 0 {
                    query.push(("text", self.spoiled(&board.to_string())));
                } else {
                    let number = 1 + self.below(6);
                    let mut dove = |_| format!("{}{}", self.one(&doves).letter(), self.cell());
                    query.push(("doves", (0..number).map(&mut dove).collect::<Vec<_>>().join(" ")));
                }
            }
            "read" => {
                let actions = self.actions(&game, board.clone(), mover, 12).join(" ");
                let text = match self.below(4) {
                    0 => board.to_string().replace(';', "\n"),
                    1 => {
                        format!("{TITLE}\nred: a\ngreen: b\nto move: {mover}\nstart: {board}\n1. {actions}\n")
                    }
                    _ => actions,
                };
                let text = if self.below(3) == 0 { self.spoiled(&text) } else { text };
                query.push(("text", text));
            }
            "game" => {
                let start = query.iter_mut().find(|(key, _)| *key == "board").expect("a board");
                start.0 = "start";
                let actions = self.actions(&game, board, mover, 30).join(" ");
                query.push(("actions", if self.below(8) == 0 { self.spoiled(&actions) } else { actions }));
                if self.below(2) == 0 {
                    query.push(("lenient", "yes".to_owned()));
                }
                if self.below(8) == 0 {
                    query.push(("ending", "draw by agreement".to_owned()));
                }
            }
            "position" => self.effort(&mut query),
            "line" => {
                self.effort(&mut query);
                if let Some((action, _)) = self.step(&game, &board, mover).filter(|_| self.below(2) == 0) {
                    query.push(("action", action));
                }
            }
            "play" => {
                query.push(("positions", (1 + self.below(150)).to_string()));
                query.push(("level", self.one(&["beginner", "novice", "club", "strongest"]).to_owned()));
                query.push(("seed", self.below(u64::MAX).to_string()));
                if let Some((_, after)) = self.step(&game, &board, mover) {
                    query.push(("seen", after.to_string()));
                }
            }
            "puzzle" => {
                query.retain(|(key, _)| !["board", "to_move"].contains(key));
                query.push(("positions", "300".to_owned()));
                query.push(("plies", self.one(&["1", "3", "5"]).to_owned()));
                query.push(("seed", self.below(u64::MAX).to_string()));
                query.push(("unique", self.one(&["yes", "no"]).to_owned()));
            }
            "sheet" => {
                query.retain(|(key, _)| !["board", "to_move"].contains(key));
                if let Some((action, _)) = self.step(&game, &board, mover) {
                    query.push(("puzzles", format!("{board} {mover} {action}")));
                }
            }
            "count" => {
                query.retain(|(key, _)| !["board", "to_move"].contains(key));
                query.push(("category", self.one(&["mates", "wins", "stuck"]).to_owned()));
                let parts = 1 + self.below(8);
                query.push(("part", (1 + self.below(parts)).to_string()));
                query.push(("parts", parts.to_string()));
                query.push(("doves", self.one(&["2..5", "4", "6", "5..7"]).to_owned()));
                query.push(("method", self.one(&["factored", "exhaustive"]).to_owned()));
                query.push(("shapes", self.below(20).to_string()));
            }
            "solve" => {
                let games: Vec<&str> =
                    "kinds=A kinds=- red=A&green=- kinds=T&returns=no kinds=AYMTH".split(' ').collect();
                query = of_game(self.one(&games));
            }
            "wrong" => {
                let (name, query) = self.of_kind("line");
                let names = ["legal", "try", "images", "arrange", "read", "game", "play", "puzzle"];
                let name = if self.below(9) == 0 { name } else { self.one(&names).to_owned() };
                return (name, self.spoiled(&query));
            }
            _ => {}
        }
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        (kind.to_owned(), query)
    }

    /// A text with a character more, less or changed.
    fn spoiled(&mut self, text: &str) -> String {
        const OTHERS: [&str; 8] = ["", "B", "x", "；", "0", "&", "+", "白"];
        let mut letters: Vec<String> = text.chars().map(String::from).chain([String::new()]).collect();
        let place = self.below(letters.len() as u64) as usize;
        letters[place] = self.one(&OTHERS).to_owned();
        letters.concat()
    }
}

fn of_game(query: &'static str) -> Query {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key, value.to_owned())).collect()
}

/// The folder of the module to test: that of `DOVEMATE_MODULE`, or the one that is committed, which must be made from
/// these sources. `None` if `DOVEMATE_TEST_WITH` does not ask for `node`.
fn module() -> Option<PathBuf> {
    let asked = std::env::var("DOVEMATE_TEST_WITH").unwrap_or_default();
    if !asked.split_whitespace().any(|word| ["node", "all"].contains(&word)) {
        return None;
    }
    let web = Path::new(env!("CARGO_MANIFEST_DIR"));
    let given = std::env::var_os("DOVEMATE_MODULE").map(PathBuf::from);
    let folder = given.clone().unwrap_or_else(|| web.to_owned());
    let node = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    assert!(node, "no node is installed, but it is asked for");
    assert!(
        folder.join("dovemate.wasm").is_file(),
        "there is no module of the board page; web/build makes it"
    );
    assert!(
        given.is_some() || !is_stale(web),
        "the module of the board page was made from other sources than these; web/build makes it anew"
    );
    Some(folder)
}

/// Whether the module in this folder is known to be made from other sources.
fn is_stale(web: &Path) -> bool {
    let noted = std::fs::read_to_string(web.join("dovemate.txt")).unwrap_or_default();
    let noted = noted.lines().find_map(|line| line.strip_prefix("sources: "));
    let Ok(output) = Command::new("bash").arg(web.join("digest")).output() else { return false };
    output.status.success() && noted != Some(String::from_utf8_lossy(&output.stdout).trim_end())
}

#[test]
fn the_module_answers_as_the_library() {
    let Some(folder) = module() else { return };
    let mut questions = Questions::new();
    let mut asked: Vec<Json> = Vec::new();
    for number in 0..QUESTIONS {
        // From time to time a new brain, for the next game; it solves a small game first.
        if number % (QUESTIONS / GAMES.len() + 1) == 0 {
            asked.push(json!(GAMES[number * GAMES.len() / QUESTIONS]));
            asked.push(json!(["solve", "kinds=AY", "en"]));
        }
        let (name, query) = questions.next();
        let language = questions.one(&["en", "ja"]);
        asked.push(json!([name, query, language]));
    }
    asked.push(json!(["count", "parts=3&part=2&shapes=5", "en"]));
    asked.push(json!(["solve", "kinds=AYM", "en"]));
    asked.push(json!(["gpu", "kinds=AYMTH&category=wins&doves=2..6", "en"]));

    let openings = ["no-returns", "returns"];
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../solver/src/openings");
    let openings = openings.map(|name| sources.join(name).with_extension("bin"));
    let files = tempfile::tempdir().expect("a folder");
    let [given, taken] = ["questions", "answers"].map(|name| files.path().join(name));
    let lines: Vec<String> = asked.iter().map(Json::to_string).collect();
    std::fs::write(&given, lines.join("\n")).expect("a file");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web/module.mjs");
    let node =
        Command::new("node").arg(script).arg(folder).args([given, taken.clone()]).args(&openings).output();
    let output = node.expect("node");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = std::fs::read_to_string(taken).expect("answers");

    let mut brain = Brain::new(Game::default());
    let mut answers = answers.lines();
    // By the names of questions, how many are answered and how many are wrong.
    let mut numbers: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
    for question in &asked {
        let own = match question {
            Json::String(game) => {
                brain = Brain::of_query(game, Language::English).expect("a game");
                let known =
                    openings.iter().map(|file| brain.know_openings(&std::fs::read(file).expect("a file")));
                json!(known.collect::<Vec<bool>>())
            }
            question => answer(&brain, question),
        };
        let told: Json = serde_json::from_str(answers.next().expect("an answer")).expect("JSON");
        if let Some(name) = question[0].as_str() {
            let is_wrong = own[0].as_str().is_some_and(|answer| answer.starts_with("{\"error\""));
            numbers.entry(name).or_default()[usize::from(is_wrong)] += 1;
        }
        assert_eq!(told, own, "the module (left) and the library (right) are asked {question}");
    }
    assert_eq!(answers.next(), None);
    let most_are_answered =
        |(name, _): &(&str, u64)| numbers.get(name).is_some_and(|[answered, wrong]| answered > wrong);
    assert!(KINDS[..14].iter().all(most_are_answered), "{numbers:?}");
    assert!(!KINDS[14..].iter().any(most_are_answered), "{numbers:?}");
}

/// The library's answer to a question, and what it told on the way.
fn answer(brain: &Brain, question: &Json) -> Json {
    let text = |place: usize| question[place].as_str().expect("a text");
    let language = Language::of_tag(text(2)).expect("a language");
    let progress = |told: &str| TOLD.with_borrow_mut(|all| all.push(told.to_owned()));
    let asking = Asking { language, progress, ..Asking::default() };
    let answer = brain.ask(text(0), text(1), &asking).unwrap_or_else(|refused| refused.json());
    let told = TOLD.take();
    json!([answer].into_iter().chain(told).collect::<Vec<String>>())
}
