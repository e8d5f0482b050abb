//! Answers to questions, as JSON.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;

use crate::arrangement::ArrangementDocument;
use crate::count::count;
use crate::documents::{AboutGame, Document, FORMAT, FoundPuzzle, GameDocument, Origin, QuestionDocument};
use crate::game;
use crate::picture::{self, ImagesDocument, LegalDocument};
use crate::question::{
    Allowance, MachinePlayer, Place, PlayedGame, PuzzleQuestion, Question, Work, read_game, typed_action,
};
use crate::reply::{Refused, Reply, json};
use crate::review::{reviewed, searched};
use crate::solve::solve;
use crate::texts::Language;
use dovemate::clock::Instant;
use dovemate::rules::{Board, Color, Game, Rules};
use dovemate::{Limits, Stop};
use dovemate_analysis::level::{Chooser, Level};
use dovemate_analysis::record::Ending;
use dovemate_analysis::review::Bounded;
use dovemate_analysis::{
    Analysis, Draw, Effort, Line, Lookup, LookupError, Ranked, Ranking, built_in, texts,
};
use dovemate_solver::Value;
use dovemate_solver::openings::Openings;

/// Maximum number of plies of a puzzle that is searched for.
const MAX_SEARCHED_PLIES: u32 = 9;

/// Maximum number of plies of a suggested line, before the line of best play that may follow.
const MAX_SUGGESTED_PLIES: usize = 6;

/// How many draws to make for each possible position before giving up. Each position has then been drawn with a
/// probability above 9,999 in 10,000.
const DRAWS_PER_POSITION: u64 = 20;

/// Maximum number of games whose searches are stored; each may take 100 MB.
const MAX_GAMES: usize = 2;

/// The state that all answers share: the values of games, and their searches.
pub struct Brain {
    /// The page's game, which is also the default game of questions.
    pub game: Game,
    /// Games whose values have been added.
    known: Mutex<Vec<KnownGame>>,
    /// The searches of the latest games, each with a flag: whether it uses added values.
    analyses: Mutex<Vec<(bool, Analysis<'static>)>>,
}

/// The values of a game.
struct KnownGame {
    values: Arc<dyn Lookup>,
    /// The answer to the question that solved the game, if there was one. Such a game is dropped when another one is
    /// solved.
    document: Option<String>,
}

/// The circumstances of a question: its language, its client, and its progress.
#[derive(Clone)]
pub struct Asking {
    /// The language of the answer.
    pub language: Language,
    /// Stopped when the client is gone; the answer then comes quickly, with whatever is known.
    pub stop: Stop,
    /// Receives the progress of a long answer, as JSON.
    pub progress: fn(&str),
}

impl Default for Asking {
    fn default() -> Asking {
        Asking { language: Language::default(), stop: Stop::default(), progress: |_| () }
    }
}

/// A brain, with the circumstances of the question that it answers.
struct Answerer<'b> {
    brain: &'b Brain,
    asking: &'b Asking,
    language: Language,
}

#[derive(Serialize)]
struct AboutDocument {
    levels: Vec<LevelDocument>,
    /// The games whose values are all known, and the games of the openings.
    known: Vec<KnownDocument>,
}

/// A game whose values are known without a search, at least on boards with few doves.
#[derive(Serialize)]
struct KnownDocument {
    #[serde(flatten)]
    game: GameDocument,
    /// Maximum number of doves on the board, bosses included.
    doves: u32,
}

#[derive(Serialize)]
struct LevelDocument {
    level: Level,
    /// How many plies it sees; null if there is no limit.
    plies: Option<u32>,
}

#[derive(Serialize)]
struct LineDocument {
    #[serde(flatten)]
    question: QuestionDocument,
    worth: Bounded,
    out_of_time: bool,
    line: Vec<LineStep>,
    /// Whether the line is suggested, not proved, because its first action has no exact value.
    suggested: bool,
    /// The result after the last action; `unfinished` if the game is not over then.
    result: String,
}

#[derive(Serialize)]
struct LineStep {
    action: String,
    player: Color,
    after: Board,
}

#[derive(Serialize)]
struct PlayDocument<'a> {
    #[serde(flatten)]
    question: QuestionDocument,
    level: Level,
    seed: u64,
    /// Null if there is no legal action.
    choice: Option<PlayedAction<'a>>,
}

#[derive(Serialize)]
struct PlayedAction<'a> {
    action: &'a str,
    #[serde(flatten)]
    worth: Bounded,
    after: &'a Board,
}

/// A sheet of puzzles.
#[derive(Serialize)]
struct SheetDocument {
    html: String,
}

#[derive(Serialize)]
struct PuzzleDocument {
    #[serde(flatten)]
    origin: Origin,
    seed: u64,
    /// The number of positions drawn so far.
    drawn: u64,
    /// Whether such a puzzle may exist: false if the values exclude it or [`DRAWS_PER_POSITION`] was reached in vain.
    possible: bool,
    puzzle: Option<FoundPuzzle>,
}

impl Brain {
    /// A brain for a game, which is the default game of its questions.
    pub fn new(game: Game) -> Brain {
        Brain { game, known: Mutex::default(), analyses: Mutex::default() }
    }

    /// A brain for the game of a query, such as `kinds=AYM&returns=no`.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the query.
    pub fn of_query(query: &str, language: Language) -> Result<Brain, String> {
        Ok(Brain::new(read_game(query, language)?))
    }

    /// Adds the values of a game.
    pub fn know(&self, values: Box<dyn Lookup>) {
        locked(&self.known).push(KnownGame { values: values.into(), document: None });
    }

    /// Adds a file of the whole game's [openings](Openings), and drops searches made without them. Returns whether the
    /// file is whole.
    pub fn know_openings(&self, file: &[u8]) -> bool {
        locked(&self.analyses).clear();
        Openings::add(file)
    }

    /// The values of a game that have been added.
    fn added(&self, game: Game) -> Option<Arc<dyn Lookup>> {
        let known = locked(&self.known);
        known.iter().map(|known| &known.values).find(|values| values.game() == game).cloned()
    }

    /// The answer to the question with this name and this URL query.
    ///
    /// # Errors
    /// If there is no such question, or no answer to it.
    pub fn ask(&self, name: &str, query: &str, asking: &Asking) -> Reply {
        let question = Question::read(name, query, self.game, asking.language);
        let question = question.ok_or_else(|| Refused::Unknown(asking.language.nothing_at(name)))?;
        self.answer(&question.map_err(Refused::Wrong)?, asking)
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// If there is none.
    pub fn answer(&self, question: &Question, asking: &Asking) -> Reply {
        let language = asking.language;
        let answerer = Answerer { brain: self, asking, language };
        match question {
            Question::About => Ok(json(&self.about())),
            Question::Words => Ok(json(&language.texts())),
            Question::Legal(place) => {
                check(place, language)?;
                Ok(json(&LegalDocument::of(place, language)))
            }
            Question::Try(place, dove, to) => Ok(json(&picture::attempt(place, *dove, *to, language))),
            Question::Images(place) => Ok(json(&ImagesDocument::of(place))),
            Question::Picture(place, action, is_turned, theme) => {
                check(place, language)?;
                picture::picture(place, action.as_deref(), *is_turned, *theme, language)
            }
            Question::QrCode(text) => picture::qr_code(text, language),
            Question::Arrange(game, doves) => Ok(json(&ArrangementDocument::of(game, doves, language))),
            Question::Read(place, text) => game::read(place, text, language),
            Question::Game(played) => game::played(played, language),
            Question::Review(played, answers, work) => answerer.review(played, answers.as_deref(), *work),
            Question::Position(place, allowance) => answerer.position(place, *allowance),
            Question::Line(place, allowance, action) => answerer.line(place, *allowance, action.as_deref()),
            Question::Play(place, machine) => answerer.play(place, machine),
            Question::Puzzle(puzzle) => answerer.puzzle(puzzle),
            Question::Sheet(sheet) => Ok(json(&SheetDocument { html: sheet.html(language) })),
            Question::Count(asked) => count(asked, language, asking.progress),
            Question::Gpu(asked) => Ok(asked.answer()),
            Question::Solve(game) => {
                let again =
                    |known: &KnownGame| known.document.clone().filter(|_| known.values.game() == *game);
                if let Some(document) = locked(&self.known).iter().find_map(again) {
                    return Ok(document);
                }
                locked(&self.known).retain(|known| known.document.is_none());
                let (values, document) = solve(*game, language, asking.progress)?;
                let values: Box<dyn Lookup> = Box::new(values);
                locked(&self.known)
                    .push(KnownGame { values: values.into(), document: Some(document.clone()) });
                Ok(document)
            }
        }
    }

    fn about(&self) -> AboutGame<AboutDocument> {
        let of = |game: Game, doves| KnownDocument { game: GameDocument::of(&game), doves };
        let whole = [true, false].map(|returns| Game::whole(Rules { returns, ..Rules::default() }));
        let openings = whole.into_iter().filter_map(|game| Openings::of(&game));
        let openings = openings.map(|openings| of(openings.game(), openings.most_doves()));
        let known = locked(&self.known);
        let whole = known.iter().filter(|known| known.values.knows_all());
        let added = whole.map(|known| known.values.game()).map(|game| of(game, game.most_doves()));
        let level = |level: Level| LevelDocument { level, plies: level.plies() };
        let levels = Level::ALL.into_iter().map(level).collect();
        AboutGame::new(&self.game, AboutDocument { levels, known: openings.chain(added).collect() })
    }
}

/// Locks a mutex, even if a thread panicked while holding it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Refuses a board with a dove that is not in the game.
fn check(place: &Place, language: Language) -> Result<(), Refused> {
    let stranger = place.game.stranger(&place.board);
    stranger.map_or(Ok(()), |dove| Err(Refused::Wrong(language.stranger(dove.letter(), place.game))))
}

impl Work {
    /// The effort of a search of at most this much work and this many plies, which `stop` can end earlier.
    fn effort(self, plies: u32, stop: &Stop) -> Effort {
        let effort = match self {
            Work::Time(time) => Effort { plies, ..Effort::until(Instant::now() + time) },
            Work::Positions(positions) => Effort {
                limits: Limits { positions: Some(positions), ..Limits::default() },
                ..Effort::plies(plies)
            },
        };
        Effort { limits: Limits { stop: stop.clone(), ..effort.limits }, ..effort }
    }

    /// The work of one of `parts` equal parts.
    fn part(self, parts: usize) -> Work {
        match self {
            Work::Time(time) => Work::Time(time / parts as u32),
            Work::Positions(positions) => Work::Positions((positions / parts as u64).max(1)),
        }
    }
}

impl Answerer<'_> {
    /// The values of a game, added or built in.
    fn values(&self, game: Game) -> Option<Arc<dyn Lookup>> {
        self.brain.added(game).or_else(|| Some(Arc::new(built_in(&game)?)))
    }

    /// An analysis of a game with these values, which shares its searches with the other analyses of the game.
    fn analysis<'v>(&self, game: Game, values: Option<&'v dyn Lookup>) -> Analysis<'v> {
        let has_values = self.brain.added(game).is_some();
        let mut searches = locked(&self.brain.analyses);
        let place =
            searches.iter().position(|(known, analysis)| *known == has_values && *analysis.game() == game);
        let new = || (has_values, built_in(&game).map_or_else(|| Analysis::by_search(game), Analysis::new));
        let kept = place.map(|place| searches.remove(place)).unwrap_or_else(new);
        let analysis = values.map_or_else(|| kept.1.clone(), |values| kept.1.with_values(values));
        searches.insert(0, kept);
        searches.truncate(MAX_GAMES);
        analysis
    }

    /// The effort of a search as deep as this much work allows.
    fn effort(&self, work: Work) -> Effort {
        work.effort(Effort::LONGEST, &self.asking.stop)
    }

    /// Refuses a question about a wrong position, or one that needs values that cannot be read.
    fn failed(&self, error: LookupError) -> Refused {
        match error {
            LookupError::Position(error) => {
                Refused::Wrong(self.language.of_parameter("board", self.language.error(&error)))
            }
            error => Refused::Failed(self.language.values_failed(error)),
        }
    }

    fn review(&self, played: &PlayedGame, answers: Option<&str>, work: Work) -> Reply {
        let (record, _) = game::record(played, self.language)?;
        if let Some(answers) = answers {
            return Ok(reviewed(&record, searched(answers, self.language)?, self.language));
        }
        let game = record.game();
        let values = self.values(game);
        let mut analysis = self.analysis(game, values.as_deref());
        let work = work.part(record.positions().len());
        let searched = analysis.search_game(&record, || self.effort(work));
        let searched = searched.map_err(|error| self.failed(error))?;
        Ok(reviewed(&record, searched, self.language))
    }

    fn position(&self, Place { game, board, mover }: &Place, allowance: Allowance) -> Reply {
        let values = self.values(*game);
        let mut analysis = self.analysis(*game, values.as_deref());
        let Allowance { plies, work } = allowance;
        let effort = || work.effort(plies, &self.asking.stop);
        let ranking = self.rank(&mut analysis, board, *mover, &effort())?;
        let line = analysis
            .principal_variation(ranking.best(), *mover, Analysis::MAX_DRAWN, &effort())
            .map_err(|error| self.failed(error))?;
        Ok(json(&Document::of(game, board, *mover, &ranking, &line)))
    }

    fn line(
        &self,
        Place { game, board, mover }: &Place,
        allowance: Allowance,
        action: Option<&str>,
    ) -> Reply {
        let language = self.language;
        let action = action.map(|text| typed_action(text, board, *mover, language)).transpose()?;
        let values = self.values(*game);
        let mut analysis = self.analysis(*game, values.as_deref());
        let Allowance { plies, work } = allowance;
        let effort = || work.effort(plies, &self.asking.stop);
        let ranking = self.rank(&mut analysis, board, *mover, &effort())?;
        let (first, worth) = match action {
            // If no action is known to have the value, suggest a line.
            None => (ranking.best().or(ranking.choice()), Bounded::from(&ranking)),
            Some(action) => {
                let ranked = ranking.actions.iter().find(|ranked| ranked.action == action);
                let illegal = || Refused::Wrong(language.illegal(action, board, *mover));
                let ranked = ranked.ok_or_else(illegal)?;
                (Some(ranked), ranked.into())
            }
        };
        let suggested = first.is_some_and(|first| !first.worth.is_exact());
        let line = match first {
            Some(first) if suggested => self.suggested_line(&mut analysis, first, *mover, work),
            _ => analysis.principal_variation(first, *mover, Analysis::MAX_DRAWN, &effort()),
        };
        let line = line.map_err(|error| self.failed(error))?;
        let player = |ply: usize| if ply.is_multiple_of(2) { *mover } else { mover.opponent() };
        let last = line.last().map_or(board, |(_, after)| after);
        let result = Ending::by_rules(game, last, player(line.len())).to_string();
        Ok(json(&LineDocument {
            question: QuestionDocument::of(game, board, *mover),
            worth,
            out_of_time: ranking.is_out_of_time,
            suggested,
            line: (0..)
                .zip(texts(board, &line))
                .zip(line)
                .map(|((ply, action), (_, after))| LineStep { action, player: player(ply), after })
                .collect(),
            result,
        }))
    }

    /// A line that begins with an action without an exact value. Each later action is the best of its ranking; as soon
    /// as that has an exact value, the line of best play follows.
    fn suggested_line(
        &self,
        analysis: &mut Analysis,
        first: &Ranked,
        mover: Color,
        work: Work,
    ) -> Result<Line, LookupError> {
        let work = work.part(MAX_SUGGESTED_PLIES);
        let mut line = vec![(first.action, first.after.clone())];
        let mut player = mover.opponent();
        while line.len() < MAX_SUGGESTED_PLIES {
            let (_, board) = line.last().expect("it begins with an action");
            let ranking = analysis.rank(&board.clone(), player, &self.effort(work))?;
            match ranking.best() {
                Some(best) if !best.worth.is_exact() => line.push((best.action, best.after.clone())),
                best => {
                    line.extend(analysis.principal_variation(
                        best,
                        player,
                        Analysis::MAX_DRAWN,
                        &self.effort(work),
                    )?);
                    break;
                }
            }
            player = player.opponent();
        }
        Ok(line)
    }

    fn play(&self, Place { game, board, mover }: &Place, machine: &MachinePlayer) -> Reply {
        let mut chooser = Chooser::new(machine.level, machine.seed);
        let effort = self.effort(machine.work);
        let values = self.values(*game);
        let mut analysis = self.analysis(*game, values.as_deref());
        let ranking = chooser.rank(&mut analysis, board, *mover, &machine.seen, &effort);
        let ranking = ranking.map_err(|error| self.failed(error))?;
        Ok(json(&PlayDocument {
            question: QuestionDocument::of(game, board, *mover),
            level: machine.level,
            seed: machine.seed,
            choice: chooser.choose(&ranking).map(|chosen| PlayedAction {
                action: &chosen.text,
                worth: chosen.into(),
                after: &chosen.after,
            }),
        }))
    }

    fn puzzle(&self, puzzle: &PuzzleQuestion) -> Reply {
        let PuzzleQuestion { game, plies, is_unique, ref doves, seed, skipped, work } = *puzzle;
        let (values, language) = (self.values(game), self.language);
        if plies > MAX_SEARCHED_PLIES && !values.as_ref().is_some_and(|values| values.knows_all()) {
            return Err(Refused::Wrong(language.most_plies(MAX_SEARCHED_PLIES, plies)));
        }
        let mut analysis = self.analysis(game, values.as_deref());
        let mut draw = Draw::new(game, doves.clone(), seed);
        let limits = Limits { stop: self.asking.stop.clone(), ..Limits::default() };
        let began = (Instant::now(), analysis.visited());
        let is_over = |analysis: &Analysis| match work {
            Work::Time(time) => began.0.elapsed() >= time.max(Duration::from_millis(1)),
            Work::Positions(positions) => analysis.visited() - began.1 >= positions,
        };
        let is_possible =
            values.as_deref().is_none_or(|values| values.may_have(Value::Win(plies), doves.clone()));
        let (mut drawn, mut found, mut seen) = (0, None, HashSet::new());
        let most = if is_possible { draw.total().saturating_mul(DRAWS_PER_POSITION) } else { 0 };
        while drawn < most
            && found.is_none()
            && !limits.stop.is_stopped()
            && (drawn <= skipped || !is_over(&analysis))
        {
            let (board, mover) = draw.position();
            drawn += 1;
            let is_new = seen.insert((board.code().canonical(mover), mover));
            if drawn <= skipped && is_over(&analysis) {
                return Err(Refused::Wrong(language.skip_too_large(drawn)));
            }
            if drawn > skipped && is_new {
                found = analysis
                    .puzzle(&board, mover, plies, is_unique, &limits)
                    .map_err(|error| self.failed(error))?;
            }
        }
        let possible = found.is_some() || drawn < most;
        let puzzle = found.map(|puzzle| FoundPuzzle::of(&game, &puzzle));
        Ok(json(&PuzzleDocument { origin: Origin::of_format(FORMAT), seed, drawn, possible, puzzle }))
    }

    fn rank(
        &self,
        analysis: &mut Analysis,
        board: &Board,
        mover: Color,
        effort: &Effort,
    ) -> Result<Ranking, Refused> {
        analysis.rank(board, mover, effort).map_err(|error| self.failed(error))
    }
}
