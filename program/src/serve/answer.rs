//! Answers to questions, as JSON.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use serde::Serialize;

use super::question::{Effort, MachinePlayer, Place, PuzzleQuestion, Question};
use crate::texts::Language;
use dovemate::ask::document::{Document, FORMAT, QuestionDocument, WorthDocument};
use dovemate::ask::level::{Chooser, times};
use dovemate::ask::record::ending_by_rules;
use dovemate::ask::{Asker, Draw, Limits, Lookup, LookupError, MAX_DRAWN, Puzzler, Ranking, built_in, texts};
use dovemate::internals::gpu::count::browser::BrowserCount;
use dovemate::internals::search::Search;
use dovemate::rules::{Action, Board, Color, Game, Outcome, Rules};

/// The most plies of a puzzle that is searched for.
const MAX_SEARCHED: u32 = 9;

/// After how many draws for each position all have been drawn, but for a chance of less than one in ten thousand for
/// each.
const OFTEN: u64 = 20;

/// The JSON of an answer, or why there is none.
pub type Reply = Result<String, Refused>;

/// What is refused, and why in a sentence.
pub type Refused = (StatusCode, String);

/// A question that is wrong.
pub fn wrong(sentence: String) -> Refused {
    (StatusCode::BAD_REQUEST, sentence)
}

/// The games whose searches are kept, each of which may take 100 MB.
const GAMES: usize = 2;

/// A game that is served, and what all answers share.
pub struct Served {
    /// The game of the page, and of questions that name none.
    pub game: Game,
    /// Its values, once they are known; until then the program knows what it knows of any game.
    pub values: OnceLock<Box<dyn Lookup>>,
    /// The searches of the games asked about last, each with whether it has the values that are served.
    askers: Mutex<Vec<(bool, Asker<'static>)>>,
    /// The count of all mates by the rules that are served, once somebody has asked for it.
    count: OnceLock<String>,
}

impl Served {
    /// A game that is served as long as the process lives.
    pub fn of(game: Game) -> &'static Served {
        Box::leak(Box::new(Served { game, values: OnceLock::new(), askers: Mutex::default(), count: OnceLock::new() }))
    }
}

/// Answers a question.
pub struct Answerer {
    pub served: &'static Served,
    /// Whether nobody waits for the answer any more. It then comes soon and says little.
    pub is_stopped: Arc<AtomicBool>,
    /// The language of the question.
    pub language: Language,
}

#[derive(Serialize)]
struct LegalDocument {
    #[serde(flatten)]
    question: QuestionDocument,
    /// `unfinished`, or the result as a game file has it.
    result: String,
    actions: Vec<LegalAction>,
}

#[derive(Serialize)]
struct LegalAction {
    action: String,
    after: String,
    outcome: &'static str,
}

#[derive(Serialize)]
struct LineDocument {
    #[serde(flatten)]
    question: QuestionDocument,
    worth: WorthDocument,
    out_of_time: bool,
    line: Vec<LineStep>,
    /// The result after the last action; `unfinished` if the game goes on there.
    result: String,
}

#[derive(Serialize)]
struct LineStep {
    action: String,
    player: &'static str,
    after: String,
}

#[derive(Serialize)]
struct PlayDocument<'a> {
    #[serde(flatten)]
    question: QuestionDocument,
    level: &'static str,
    seed: u64,
    /// Null if there is no legal action.
    choice: Option<PlayedAction<'a>>,
}

#[derive(Serialize)]
struct PlayedAction<'a> {
    action: &'a str,
    #[serde(flatten)]
    worth: WorthDocument,
    after: String,
}

#[derive(Serialize)]
struct PuzzleDocument {
    program: &'static str,
    version: &'static str,
    format: u32,
    seed: u64,
    /// The number of positions drawn so far.
    drawn: u64,
    /// Whether there may be such a puzzle; if not, the values say so, or all positions have been drawn.
    possible: bool,
    puzzle: Option<FoundPuzzle>,
}

#[derive(Serialize)]
struct CountDocument {
    program: &'static str,
    version: &'static str,
    format: u32,
    returns: bool,
    both_surrounded: &'static str,
    #[serde(flatten)]
    count: BrowserCount,
}

#[derive(Serialize)]
struct FoundPuzzle {
    #[serde(flatten)]
    question: QuestionDocument,
    plies: u32,
    unique: bool,
    line: Vec<String>,
}

impl Answerer {
    /// The answer.
    pub fn answer(&self, question: &Question) -> Reply {
        match question {
            Question::Position(place, effort) => self.position(place, *effort),
            Question::Line(place, effort, action) => self.line(place, *effort, action.as_deref()),
            Question::Legal(place) => legal(place, self.language),
            Question::Play(place, machine) => self.play(place, machine),
            Question::Puzzle(puzzle) => self.puzzle(puzzle),
            Question::Count(rules) => Ok(self.served.count.get_or_init(|| count(*rules)).clone()),
        }
    }

    /// The values of a game that are served, if it is the one that they are for.
    fn served_values(&self, game: Game) -> Option<&'static dyn Lookup> {
        self.served.values.get().filter(|_| game == self.served.game).map(Box::as_ref)
    }

    /// What is known of a game.
    fn values(&self, game: Game) -> Option<&'static dyn Lookup> {
        self.served_values(game).or_else(|| built_in(&game))
    }

    /// An asker of a game, which shares what it finds with all others.
    fn asker(&self, game: Game) -> Asker<'static> {
        let has_values = self.served_values(game).is_some();
        let mut searches = self.served.askers.lock().unwrap_or_else(PoisonError::into_inner);
        let place = searches.iter().position(|(known, asker)| *known == has_values && *asker.game() == game);
        let new = || (has_values, Asker::new(game, self.values(game)));
        let kept = place.map(|place| searches.remove(place)).unwrap_or_else(new);
        let mut asker = kept.1.clone();
        searches.insert(0, kept);
        searches.truncate(GAMES);
        asker.stop_on(Arc::clone(&self.is_stopped));
        asker
    }

    /// Refuses a question whose values cannot be looked up.
    fn failed(&self, error: LookupError) -> Refused {
        match error {
            LookupError::Position(error) => wrong(self.language.of_parameter("board", self.language.error(&error))),
            error => (StatusCode::INTERNAL_SERVER_ERROR, self.language.values_failed(error)),
        }
    }

    fn position(&self, Place { game, board, mover }: &Place, effort: Effort) -> Reply {
        let mut asker = self.asker(*game);
        let ranking = self.rank(&mut asker, board, *mover, effort)?;
        let deadline = Some(Instant::now() + effort.time);
        let line = asker.line(ranking.best(), *mover, MAX_DRAWN, deadline).map_err(|error| self.failed(error))?;
        Ok(json(&Document::of(game, board, *mover, &ranking, &line)))
    }

    fn line(&self, Place { game, board, mover }: &Place, effort: Effort, action: Option<&str>) -> Reply {
        let action = action.map(|text| Action::typed(text, board, *mover)).transpose();
        let language = self.language;
        let action = action.map_err(|error| wrong(language.of_parameter("action", language.error(&error))))?;
        let mut asker = self.asker(*game);
        let ranking = self.rank(&mut asker, board, *mover, effort)?;
        let (first, worth) = match action {
            None => (ranking.best(), WorthDocument::from(&ranking)),
            Some(action) => {
                let illegal = || wrong(language.no_legal_action(action.text(board), language.color(*mover), board));
                let ranked = ranking.actions.iter().find(|ranked| ranked.action == action).ok_or_else(illegal)?;
                (Some(ranked), ranked.into())
            }
        };
        let deadline = Some(Instant::now() + effort.time);
        let line = asker.line(first, *mover, MAX_DRAWN, deadline).map_err(|error| self.failed(error))?;
        let player = |ply: usize| if ply.is_multiple_of(2) { *mover } else { mover.opponent() };
        let last = line.last().map_or(board, |(_, after)| after);
        let result = ending_by_rules(game, last, player(line.len())).to_string();
        let step = |((ply, action), (_, after)): ((usize, String), &(Action, Board))| LineStep {
            action,
            player: player(ply).name(),
            after: after.to_string(),
        };
        Ok(json(&LineDocument {
            question: QuestionDocument::of(game, board, *mover),
            worth,
            out_of_time: ranking.is_out_of_time,
            line: texts(board, &line).into_iter().enumerate().zip(&line).map(step).collect(),
            result,
        }))
    }

    fn play(&self, Place { game, board, mover }: &Place, machine: &MachinePlayer) -> Reply {
        let mut chooser = Chooser::new(machine.level, machine.seed);
        let limits = Limits { deadline: Some(Instant::now() + machine.time), ..Limits::plies(Search::LONGEST) };
        let ranking = chooser.rank(&mut self.asker(*game), board, *mover, limits);
        let ranking = ranking.map_err(|error| self.failed(error))?;
        let choice = chooser.choose(&ranking, times(&machine.seen, mover.opponent())).map(|chosen| PlayedAction {
            action: &chosen.text,
            worth: chosen.into(),
            after: chosen.after.to_string(),
        });
        let question = QuestionDocument::of(game, board, *mover);
        Ok(json(&PlayDocument { question, level: machine.level.name(), seed: machine.seed, choice }))
    }

    fn puzzle(&self, puzzle: &PuzzleQuestion) -> Reply {
        let PuzzleQuestion { game, plies, is_unique, ref doves, seed, skipped, time } = *puzzle;
        let (values, language) = (self.values(game), self.language);
        if plies > MAX_SEARCHED && !values.is_some_and(|values| values.knows_all()) {
            return Err(wrong(language.most_plies(MAX_SEARCHED, plies)));
        }
        let mut asker = self.asker(game);
        let puzzler = Puzzler::new(game, values, plies, is_unique);
        let mut draw = Draw::new(&game, doves, seed);
        let deadline = Instant::now() + time.max(Duration::from_millis(1));
        let (mut drawn, mut found, mut seen) = (0, None, HashSet::new());
        let most = if puzzler.is_possible(doves) { draw.total().saturating_mul(OFTEN) } else { 0 };
        while drawn < most && found.is_none() && !asker.is_stopped() && (drawn <= skipped || Instant::now() < deadline)
        {
            let (board, mover) = draw.position();
            drawn += 1;
            let is_new = seen.insert((board.code().invariant(mover), mover));
            if drawn <= skipped && Instant::now() >= deadline {
                return Err(wrong(language.skip_too_large(drawn)));
            }
            if drawn > skipped && is_new {
                found = puzzler.puzzle(&mut asker, &board, mover).map_err(|error| self.failed(error))?;
            }
        }
        let possible = found.is_some() || drawn < most;
        let puzzle = found.map(|puzzle| FoundPuzzle {
            question: QuestionDocument::of(&game, &puzzle.board, puzzle.mover),
            plies: puzzle.plies,
            unique: puzzle.is_unique,
            line: texts(&puzzle.board, &puzzle.line),
        });
        let (program, version) = (env!("CARGO_BIN_NAME"), env!("CARGO_PKG_VERSION"));
        Ok(json(&PuzzleDocument { program, version, format: FORMAT, seed, drawn, possible, puzzle }))
    }

    fn rank(&self, asker: &mut Asker, board: &Board, mover: Color, effort: Effort) -> Result<Ranking, Refused> {
        let limits = Limits { deadline: Some(Instant::now() + effort.time), ..Limits::plies(effort.plies) };
        asker.rank(board, mover, limits).map_err(|error| self.failed(error))
    }
}

fn legal(Place { game, board, mover }: &Place, language: Language) -> Reply {
    if let Some(dove) = game.stranger(board) {
        return Err(wrong(language.stranger(dove.letter(), game)));
    }
    let result = ending_by_rules(game, board, *mover);
    let is_over = game.check(board).is_err();
    let action = |(action, after): (Action, Board)| LegalAction {
        action: action.text(board),
        outcome: match game.rules.outcome_of(&after, *mover) {
            Outcome::Open => "open",
            Outcome::Won => "won",
            Outcome::Lost => "lost",
            Outcome::Drawn => "drawn",
        },
        after: after.to_string(),
    };
    Ok(json(&LegalDocument {
        question: QuestionDocument::of(game, board, *mover),
        result: result.to_string(),
        actions: game.legal_actions(board, *mover).filter(|_| !is_over).map(action).collect(),
    }))
}

/// The CPU's count of all mates, and what a browser needs to count them on its GPU.
pub fn count(rules: Rules) -> String {
    let (program, version) = (env!("CARGO_BIN_NAME"), env!("CARGO_PKG_VERSION"));
    let Rules { returns, both_surrounded } = rules;
    let both_surrounded = both_surrounded.name();
    let count = BrowserCount::new(rules);
    json(&CountDocument { program, version, format: FORMAT, returns, both_surrounded, count })
}

fn json(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("the keys are strings")
}
