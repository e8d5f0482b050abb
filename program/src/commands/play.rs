//! `dovemate play`: a game in the terminal against the program, which plays by known values or by search.
//!
//! Lines are read in the terminal's normal mode, so that the end of the input or Ctrl-C leaves nothing to
//! restore.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use textwrap::core::display_width;
use textwrap::{WordSplitter, WrapAlgorithm};

use super::{best, show};
use crate::io::{
    Failure, OutputFile, is_stdout, one_line, resolved,
    streams::{self, say},
    terminal_width, visible,
};
use crate::options::{
    KnownGameArguments, LanguageArguments, SearchArguments, ask, input, named, number, player, read_record,
    threads,
};
use dovemate::clock::Instant;
use dovemate::rules::ascii_forms;
use dovemate::{Action, Board, Color};
use dovemate_analysis::level::{Chooser, Level};
use dovemate_analysis::record::{Ending, Record};
use dovemate_analysis::{Analysis, Effort, Ranking, texts};
use dovemate_solver::{LookupError, Value, Worth};
use dovemate_web::texts::Language;

/// The program's default time for an action.
const USUAL_TIME: Duration = Duration::from_secs(2);
/// Maximum thinking time during the user's turn.
const MAX_WAITING_TIME: Duration = Duration::from_secs(60);

/// For how many plies the program must have known that the game is a draw before it says so.
const DRAWN_PLIES: usize = 10;

/// Maximum number of characters of a line that is read as an action.
const MAX_ACTION_CHARACTERS: usize = 40;

/// Play a game in the terminal against the program.
///
/// Type an action such as +AS1, YE1 or -T (cells are named relative to the red boss: N up, S down, E right, W left), or
/// a word such as hint, undo, actions, draw, resign or save; help lists them. The program plays what `dovemate best`
/// ranks first; but among equal actions it prefers positions that have come up least often, then lets chance vary their
/// order a little. It thinks for at most two seconds unless --depth or --seconds is given. The strongest level uses all
/// cores, and thinks during your turn, too, except with --depth alone.
///
/// There are four levels, the last of which is the strongest. A novice sees three plies and a club player
/// five, whatever --depth and --seconds say; the beginner level is meant for children and first games, and overlooks
/// what a novice sees. None of the three knows values of solved games, and all leave more to chance. With --seed the
/// random choices are always the same, and so is the game if you play the same actions and the program's time
/// does not run out.
///
/// The rules do not forbid repetition, so `draw` ends a game whose position has come up at least three times, even
/// turned or reflected. It also ends a game that the program has known to be drawn for ten plies; the
/// program announces this once.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate play
  dovemate play --you green --kinds A
  dovemate play --kinds AYM --tables tables
  dovemate play --seconds 10 --board \"YmaH;MtAT;-yh-;B-b-\"")]
pub struct Arguments {
    /// Your colour [default: red]
    #[arg(long, value_parser = player(), value_name = "COLOR")]
    you: Option<Color>,
    /// Begin from this board, as board text or code, instead of the start
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    board: Option<String>,
    /// The player who moves first
    #[arg(long, value_parser = player(), default_value_t = Color::Red)]
    to_move: Color,
    /// Resume the game in this file, which `save` wrote, as the player whose name in it is "you"
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "to_move"])]
    game: Option<PathBuf>,
    /// How well the program plays
    #[arg(long, value_parser = named::<Level>(Level::ALL.map(Level::name)), default_value_t = Level::Strongest)]
    level: Level,
    /// The seed of the program's random choices: the same number makes the same choices
    #[arg(long, value_name = "NUMBER", value_parser = number(0..=u64::MAX))]
    seed: Option<u64>,
    #[command(flatten)]
    known: KnownGameArguments,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    language: LanguageArguments,
}

/// A game of the user against the program.
struct Match<'a> {
    language: Language,
    /// The game so far.
    record: Record,
    you: Color,
    analysis: Analysis<'a>,
    chooser: Chooser,
    search: SearchArguments,
    /// The ply since which the program has known that the game is a draw; `usize::MAX` if it does not.
    drawn_since: usize,
    /// The files that the match was saved to or resumed from.
    own_files: Vec<PathBuf>,
}

/// The next step after a typed line.
enum Next {
    /// Read another line.
    Line,
    /// Show the position, then the result if there is one.
    Position,
    /// Show the result if there is one; the position has not changed.
    Result,
    /// End the program.
    End,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    threads::start()?;
    let (record, you) = begun(arguments)?;
    let values = arguments.known.values(arguments.search.solving_deadline(), false)?;
    let language = arguments.language.language();
    let seed = arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let mut play = Match {
        language,
        you,
        analysis: ask::analysis(&values),
        chooser: Chooser::new(arguments.level, seed),
        search: arguments.search,
        record,
        drawn_since: usize::MAX,
        own_files: arguments.game.iter().map(|path| resolved(path)).collect(),
    };
    print(&language.welcome(play.name(play.you)))?;
    play.run()
}

/// The game to play, saved or new, and the user's colour.
fn begun(arguments: &Arguments) -> Result<(Record, Color), Failure> {
    const YOU: &str = "you";
    let game = arguments.known.game();
    if let Some(path) = &arguments.game {
        let record = read_record(path)?;
        if record.game() != game {
            let (path, of) = (path.display(), record.game());
            let message = format!("{path} is a game of {of}; give the same options as when it began");
            return Err(Failure::Usage(message));
        }
        let players = Color::ALL.into_iter().zip(record.players());
        let yours: Vec<Color> = players.filter(|(_, name)| *name == YOU).map(|(color, _)| color).collect();
        let you = arguments.you.or(yours.first().copied()).unwrap_or(Color::Red);
        if !yours.is_empty() && !yours.contains(&you) {
            let (path, you, other) = (path.display(), you.name(), yours[0].name());
            return Err(Failure::Usage(format!("--you {you}: in {path} you are {other}")));
        }
        return Ok((record, you));
    }
    let you = arguments.you.unwrap_or(Color::Red);
    let start = arguments.board.as_deref().map(input::board_argument).transpose()?.unwrap_or_default();
    ask::check(&start, &game)?;
    let mut record = Record::new(game, start, arguments.to_move).expect("the board has been checked");
    let program = concat!(env!("CARGO_BIN_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let players = Color::ALL.map(|color| if color == you { YOU } else { program }.to_owned());
    record.set_players(players).expect("they have no control characters");
    Ok((record, you))
}

/// The path that a typed name means: without surrounding quotes, on Unix with its bytes unchanged. A leading `~` is the
/// home folder.
fn typed_path(name: &[u8]) -> PathBuf {
    let quoted = |quote| name.strip_prefix(&[quote])?.strip_suffix(&[quote]);
    let name = quoted(b'"').or_else(|| quoted(b'\'')).unwrap_or(name);
    #[cfg(unix)]
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(name));
    #[cfg(not(unix))]
    let path = PathBuf::from(String::from_utf8_lossy(name).into_owned());
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path,
    }
}

/// Options that wrap sentences between words or, in Japanese, which has no spaces, between characters.
fn wrapping<'a>(text: &str) -> textwrap::Options<'a> {
    textwrap::Options::new(terminal_width())
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .break_words(!text.is_ascii())
}

/// Prints sentences, wrapped to the terminal's width.
fn print(text: &str) -> Result<(), Failure> {
    Ok(say(&(textwrap::fill(text, wrapping(text)) + "\n"))?)
}

/// Prints the commands that can be typed, with their effects.
fn help(language: Language) -> Result<(), Failure> {
    const COMMAND_COLUMNS: usize = 14;
    let commands = [
        ("", language.help_action()),
        ("actions", language.help_actions()),
        ("hint", language.help_hint()),
        ("undo", language.help_undo()),
        ("board", language.help_board()),
        ("moves", language.help_moves()),
        ("draw", language.help_draw()),
        ("resign", language.help_resign()),
        ("save FILE", language.help_save()),
        ("help", language.help_help()),
        ("quit", language.help_quit()),
    ];
    for (word, text) in commands {
        let word = if word.is_empty() { language.help_action_word() } else { word.to_owned() };
        let first = format!("  {word}{}", " ".repeat(COMMAND_COLUMNS - 2 - display_width(&word)));
        let further = " ".repeat(COMMAND_COLUMNS);
        let options = wrapping(&text).initial_indent(&first).subsequent_indent(&further);
        say(&(textwrap::fill(&text, options) + "\n"))?;
    }
    Ok(())
}

impl Match<'_> {
    /// A player's name, in its colour.
    fn name(&self, player: Color) -> String {
        self.language.styled(player)
    }

    /// The user's actions, ranked.
    fn rank(&mut self, board: &Board) -> Result<Ranking, LookupError> {
        self.analysis.rank(board, self.you, &self.search.effort(Some(USUAL_TIME)))
    }

    /// Plays until the user quits or the input ends.
    fn run(&mut self) -> Result<(), Failure> {
        let mut is_drawn = false;
        loop {
            let (board, player) = self.record.position().clone();
            if !is_drawn {
                let acted = self.record.actions().last().map(|acted| acted.dove());
                let drawing = show::drawing(self.language, &board, player, &self.record.game(), acted, None);
                say(&format!("\n{drawing}"))?;
            }
            match self.record.ending() {
                Ending::Unfinished if player != self.you => {
                    self.answer(&board, player)?;
                    is_drawn = false;
                    continue;
                }
                Ending::Unfinished if self.record.repetitions() >= Record::REPEATED && !is_drawn => {
                    print(&self.language.occurred_three_times())?;
                }
                Ending::Unfinished => {}
                _ => print(&self.result(&board, player))?,
            }
            is_drawn = loop {
                match self.read_line(&board)? {
                    Next::Line => {}
                    Next::Position => break false,
                    Next::Result => break true,
                    Next::End if !self.is_over() => return print(&self.language.left_as_it_stands()),
                    Next::End => return Ok(()),
                }
            };
        }
    }

    /// Plays the program's action. Announces a draw once, when it has been known for [`DRAWN_PLIES`] plies.
    fn answer(&mut self, board: &Board, player: Color) -> Result<(), Failure> {
        let effort = self.search.effort(Some(USUAL_TIME));
        // The boards that have come up after the program's actions.
        let positions = self.record.positions().iter().filter(|(_, next)| *next != player);
        let seen: Vec<Board> = positions.map(|(board, _)| board.clone()).collect();
        let ranking = self.chooser.rank(&mut self.analysis, board, player, &seen, &effort)?;
        let chosen = self.chooser.choose(&ranking).expect("the game is not over");
        let name = self.name(player);
        print(&self.language.plays(&name, &chosen.text))?;
        let is_drawn = chosen.worth == Worth::Exact(Value::Draw);
        self.record.act(chosen.action).expect("it is legal");
        let ply = self.record.actions().len();
        self.drawn_since = if is_drawn { self.drawn_since.min(ply) } else { usize::MAX };
        if self.plies_drawn() == DRAWN_PLIES && !self.is_over() {
            print(&self.language.knows_draw(name))?;
        }
        Ok(())
    }

    /// Takes back the user's last action and the answer to it, or a resignation or a draw.
    fn undo(&mut self) -> Result<(), Failure> {
        let actions = self.record.actions().len();
        if matches!(self.record.ending(), Ending::Resigned(_) | Ending::Agreed | Ending::Repeated) {
            self.record.truncate(actions);
            return Ok(());
        }
        let before = &self.record.positions()[..actions];
        let Some(last) = before.iter().rposition(|(_, player)| *player == self.you) else {
            return print(&self.language.nothing_to_undo());
        };
        self.record.truncate(last);
        Ok(())
    }

    /// Ends the game as a draw if a position has come up often enough, or the program has announced a draw.
    fn draw(&mut self) -> Result<(), Failure> {
        if self.record.end(Ending::Repeated).is_ok() {
            return Ok(());
        }
        if self.plies_drawn() < DRAWN_PLIES {
            return print(&self.language.no_draw_yet(self.name(self.you.opponent()), DRAWN_PLIES));
        }
        self.record.end(Ending::Agreed).expect("the game is not over");
        Ok(())
    }

    /// For how many plies the program has known that the game is a draw.
    fn plies_drawn(&self) -> usize {
        self.record.actions().len().saturating_sub(self.drawn_since)
    }

    /// The result of the game, in words.
    fn result(&self, board: &Board, player: Color) -> String {
        let language = self.language;
        let praise = |color| if color == self.you { language.well_played() } else { String::new() };
        match self.record.ending() {
            Ending::Won(winner) if self.record.game().check(board).is_ok() => {
                language.no_action_left(self.name(player), self.name(winner), praise(winner))
            }
            Ending::Won(winner) => language.has_won(self.name(winner), praise(winner)),
            Ending::BothSurrounded => language.both_surrounded(),
            Ending::Resigned(loser) => language.has_resigned(self.name(loser), self.name(loser.opponent())),
            Ending::Agreed => language.is_drawn_agreed(),
            Ending::Repeated => language.is_drawn_repeated(),
            _ => language.unfinished(),
        }
    }

    /// Whether the game is over.
    fn is_over(&self) -> bool {
        self.record.ending() != Ending::Unfinished
    }

    /// Reads a line and carries it out.
    fn read_line(&mut self, board: &Board) -> Result<Next, Failure> {
        let is_over = self.is_over();
        if io::stdin().is_terminal() {
            say(&if is_over { self.language.prompt_over() } else { "> ".to_owned() })?;
        }
        match self.thinking(board, || input::read_line(&mut streams::stdin()))? {
            Some(Some(line)) => self.carry_out(&line, board),
            Some(None) => print(&self.language.line_too_long()).map(|()| Next::Line),
            None => {
                if !is_over || io::stdin().is_terminal() {
                    say("\n")?;
                }
                Ok(Next::End)
            }
        }
    }

    /// Carries out a line: `save` with the name of a file, another word, or an action.
    fn carry_out(&mut self, line: &[u8], board: &Board) -> Result<Next, Failure> {
        let typed = line.trim_ascii();
        let end = typed.iter().position(u8::is_ascii_whitespace).unwrap_or(typed.len());
        let (word, name) = typed.split_at(end);
        let word = ascii_forms(&String::from_utf8_lossy(word)).to_ascii_lowercase();
        if word == "save" {
            return self.save(&typed_path(name.trim_ascii())).map(|()| Next::Line);
        }
        let line = ascii_forms(&String::from_utf8_lossy(line));
        let text = line.trim();
        if text.chars().nth(MAX_ACTION_CHARACTERS).is_some() {
            return print(&self.language.too_long_for_action()).map(|()| Next::Line);
        }
        self.carry_out_word(text, board)
    }

    /// Carries out a word or an action.
    fn carry_out_word(&mut self, text: &str, board: &Board) -> Result<Next, Failure> {
        let language = self.language;
        match text.to_ascii_lowercase().as_str() {
            "" => print(&language.type_something())?,
            "quit" | "exit" | "q" => return Ok(Next::End),
            "undo" => return self.undo().map(|()| Next::Position),
            "board" => return Ok(Next::Position),
            "help" | "?" => help(language)?,
            "moves" if self.record.actions().is_empty() => print(&language.no_action_yet())?,
            "moves" => print(&self.record.numbered().join("  "))?,
            _ if self.is_over() => print(&language.over_what_now())?,
            "draw" => return self.draw().map(|()| Next::Result),
            "resign" => {
                self.record.end(Ending::Resigned(self.you)).expect("the game is not over");
                return Ok(Next::Result);
            }
            "hint" => self.hint(board)?,
            "actions" => {
                let ranking = self.rank(board)?;
                say(&(best::listing(language, &ranking, terminal_width()).join("\n") + "\n"))?;
            }
            _ => match self.read_action(text, board) {
                Ok(action) => {
                    self.record.act(action).expect("it is legal");
                    return Ok(Next::Position);
                }
                Err(message) => print(&visible(&message))?,
            },
        }
        Ok(Next::Line)
    }

    /// Saves the game. If the file cannot be written, it prints why, and the game continues.
    fn save(&mut self, path: &Path) -> Result<(), Failure> {
        let language = self.language;
        if path.as_os_str().is_empty() {
            return print(&language.needs_file());
        }
        match self.write(path) {
            Err(Failure::Failed(error)) => print(&language.file_failed(visible(&one_line(&error)))),
            result => result.and_then(|()| print(&language.saved(visible(&path.to_string_lossy())))),
        }
    }

    /// Waits for the user. Meanwhile the program thinks, if it plays at the strongest level, its time is limited, and
    /// the user is at a terminal.
    fn thinking<T>(&self, board: &Board, wait: impl FnOnce() -> T) -> T {
        let is_thinking = self.chooser.level() == Level::Strongest
            && !self.is_over()
            && self.search.effort(Some(USUAL_TIME)).limits.deadline.is_some()
            && io::stdin().is_terminal();
        if !is_thinking {
            return wait();
        }
        let (mut analysis, effort) =
            (self.analysis.clone(), Effort::until(Instant::now() + MAX_WAITING_TIME));
        thread::scope(|scope| {
            // The results help the next search, which also reports any error, so nothing is lost if thinking fails.
            let _ = thread::Builder::new()
                .spawn_scoped(scope, || drop(analysis.rank_proved(board, self.you, &effort)));
            let waited = wait();
            effort.limits.stop.stop();
            waited
        })
    }

    /// Writes the game to a file that does not exist, is empty, or is among the match's own.
    fn write(&mut self, path: &Path) -> Result<(), Failure> {
        if is_stdout(path) {
            // The game itself uses standard input and output.
            return Err(Failure::Failed(anyhow::anyhow!(self.language.no_stream())));
        }
        // A pipe or a device has no content that could be overwritten.
        let has_content = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
        if has_content && !self.own_files.contains(&resolved(path)) {
            return Err(Failure::Failed(anyhow::anyhow!(self.language.not_replaced(path.display()))));
        }
        let record = &self.record;
        OutputFile::open(path)?.finish(&mut |writer| write!(writer, "{record}"))?;
        self.own_files.push(resolved(path));
        Ok(())
    }

    /// Prints a best action and the answer to it.
    fn hint(&mut self, board: &Board) -> Result<(), Failure> {
        let language = self.language;
        let ranking = self.rank(board)?;
        let chosen = ranking.choice().expect("the game is not over");
        let effort = Effort::until(Instant::now() + USUAL_TIME);
        let line = self.analysis.principal_variation(Some(chosen), self.you, 2, &effort)?;
        let texts = texts(board, &line);
        let mut follows = String::new();
        if texts.len() > 1 {
            let end = best::ending(language, &self.record.game(), &line, self.you);
            follows = language.line_follows(texts.join(" "), end);
        }
        let known = language.ranked(chosen);
        let ground = match chosen.is_proved() {
            true => known,
            false => language.suggested_worth(language.suggested(), known),
        };
        print(&language.hint(&chosen.text, ground, follows))
    }

    /// The action that a text names, or a message that says why it is not legal.
    fn read_action(&self, text: &str, board: &Board) -> Result<Action, String> {
        let (language, game) = (self.language, self.record.game());
        let action = Action::from_typed(text, board, self.you);
        let action = action.map_err(|error| language.help_says_more(language.error(&error)))?;
        if game.after(board, action).is_ok() {
            return Ok(action);
        }
        let dove = action.dove();
        let of_dove = game.legal_actions(board, self.you).filter(|(legal, _)| legal.dove() == dove);
        let others: Vec<String> = of_dove.map(|(legal, _)| legal.text(board)).collect();
        let (letter, text) = (dove.letter(), action.text(board));
        Err(match others.len() {
            _ if !game.doves(self.you).contains(dove.kind) => language.not_in_game(letter),
            0 => language.nothing_legal(text, letter),
            _ => language.others_legal(text, letter, others.join(" ")),
        })
    }
}
