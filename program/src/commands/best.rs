//! `dovemate best`: every action with its value, best first, and the line of best play.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use textwrap::core::display_width;

use super::show;
use crate::io::command_line::command_line;
use crate::io::failure::Failure;
use crate::io::output::OutputFile;
use crate::io::streams;
use crate::io::text_table::terminal_width;
use crate::options::ask::{self, SearchArguments};
use crate::options::game::GameArguments;
use crate::options::input::PositionArguments;
use crate::options::language::LanguageArguments;
use crate::options::tablebase::TableArguments;
use crate::pages::line::LinePage;
use dovemate::ask::{Asker, Line, MAX_DRAWN, Order, Ranked, Ranking, Source, Ways, Worth, texts};
use dovemate::picture::terminal::{self, FAINT};
use dovemate::rules::{Board, Color, Game, Outcome};
use dovemate_web::documents::Document;
use dovemate_web::texts::Language;

/// Rank every action of a position, best first, with values.
///
/// A game that takes about a second, such as A Y M for both, is solved on the spot. Otherwise wins and losses are
/// proved by search: an action is a win in n or a lose in n, counting itself, or "none within n plies", which may be a
/// draw or a longer win or loss. The search looks nine plies ahead, unless --depth or --seconds is given.
///
/// The last line is the action to play, and on what ground. Actions that are not decided, and equal draws and losses,
/// are ordered by an estimate; what rests on it alone is suggested, not proved.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate best \"Btym;--HA;MYah;T-b-\"
  dovemate best \"Yy-b;-Bma;t--A;T-H-\" --to-move green --depth 13
  dovemate best \"b;B\" --red A --green -
  dovemate best \"b;B\" --kinds AYM --tables tables
  dovemate best \"YTAh;-tMH;Bb-m;a---\" --json | jq .worth
  dovemate best \"YmaH;MtAT;-yh-;B-b-\" --page line.html")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    tables: TableArguments,
    #[command(flatten)]
    search: SearchArguments,
    /// Write JSON instead of text
    #[arg(long)]
    json: bool,
    /// Also write the line of best play to this file, as an HTML page of pictures
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (game, mover) = (arguments.game.game(), arguments.position.to_move);
    let board = arguments.position.board()?;
    ask::check(&board, &game)?;
    let page = OutputFile::open_given(&arguments.page)?;
    let limits = arguments.search.limits();
    let values = ask::values(game, &arguments.tables, arguments.search.patience(), false)?;
    let mut asker = Asker::new(game, values.as_deref());
    let ranking = asker.rank(&board, mover, limits)?;
    let line = asker.line(ranking.best(), mover, MAX_DRAWN, limits.deadline)?;
    if let Some(file) = page {
        let language = arguments.language.language();
        let worth = language.bounded(ranking.worth(), ranking.within());
        let page = LinePage {
            language,
            game,
            board: &board,
            mover,
            title: language.worth_for(&worth, language.color(mover)),
            about: &if line.is_empty() { language.line_unknown() } else { language.line_of_best() },
            worth: Some(worth),
            line: &line,
            command: command_line(),
        };
        file.finish_text(&page.html())?;
    }
    if arguments.json {
        let document = Document::of(&game, &board, mover, &ranking, &line);
        let json = serde_json::to_string_pretty(&document).expect("the keys are strings");
        return Ok(streams::say(&(json + "\n"))?);
    }
    let width = terminal_width();
    let mut out = BufWriter::new(streams::coloured());
    write!(out, "{}", show::drawing(Language::English, &board, mover, &game, None))?;
    write!(out, "{}", answer(&game, &board, mover, &ranking, &line))?;
    writeln!(out)?;
    for line in listing(Language::English, &ranking, width) {
        writeln!(out, "{line}")?;
    }
    if ranking.source() == Some(Source::Openings) {
        writeln!(out, "{FAINT}from the openings of the solved game{FAINT:#}")?;
    }
    if let Some(chosen) = ranking.actions.first() {
        let language = Language::English;
        let ground =
            if chosen.is_proved() { format!("proved: {}", language.ranked(chosen)) } else { language.suggested() };
        writeln!(out, "play {} ({ground})", chosen.text)?;
    }
    Ok(out.flush()?)
}

/// The position's value, the best action and the line of best play, in sentences.
fn answer(game: &Game, board: &Board, mover: Color, ranking: &Ranking, line: &Line) -> String {
    let (me, opponent) = (terminal::name(mover), terminal::name(mover.opponent()));
    let Some(best) = ranking.actions.first() else {
        return format!("lose in 0: {me} has no legal action and loses\n");
    };
    let mut text = match ranking.worth() {
        Worth::NoneWithin(_) => {
            let why = if ranking.is_out_of_time { "; time was up" } else { "; --depth or --seconds searches on" };
            let safe = ranking.actions.iter().filter(|ranked| !matches!(ranked.worth.name(), "win" | "lose")).count();
            let of = ranking.actions.len();
            format!("{}: {safe} of {of} actions of {me} neither win nor lose sooner{why}\n", ranking.worth())
        }
        worth if ranking.is_value_open() => {
            let open = ranking.actions.iter().filter(|ranked| !ranked.worth.is_exact()).count();
            format!("{worth}: one of {open} actions of {me} has this value; it is not known which\n")
        }
        worth => {
            let worth = Language::English.bounded(worth, ranking.within());
            format!("{worth}: {me} plays {}{}\n", best.text, reason(game, ranking, mover, &opponent))
        }
    };
    if line.len() > 1 {
        text += &format!("line: {}{}\n", texts(board, line).join(" "), ending(Language::English, game, line, mover));
    }
    text
}

/// Why the best action has its value.
fn reason(game: &Game, ranking: &Ranking, mover: Color, opponent: &str) -> String {
    let best = &ranking.actions[0];
    let answers = game.legal_actions(&best.after, mover.opponent()).count();
    match (game.rules.outcome_of(&best.after, mover), best.worth.name()) {
        (Outcome::Won, _) => format!(", which surrounds the {opponent} boss"),
        (Outcome::Lost, _) => ", which surrounds its own boss: no other action is better".to_owned(),
        (Outcome::Drawn, _) => ", which surrounds both bosses".to_owned(),
        (Outcome::Open, _) if answers == 0 => format!(", and {opponent} has no legal action"),
        (Outcome::Open, "win") if answers == 1 => format!("; the only answer of {opponent} loses"),
        (Outcome::Open, "win") => format!("; each of {opponent}'s {answers} answers loses"),
        (Outcome::Open, "lose") if ranking.worth().is_exact() => "; no action holds out longer".to_owned(),
        _ => String::new(),
    }
}

/// How a line ends, in parentheses; an ellipsis if the game goes on, and nothing for an empty line.
pub fn ending(language: Language, game: &Game, line: &Line, mover: Color) -> String {
    let Some((_, last)) = line.last() else {
        return String::new();
    };
    let player = if line.len() % 2 == 1 { mover } else { mover.opponent() };
    match game.rules.outcome_of(last, player) {
        Outcome::Open if game.legal_actions(last, player.opponent()).next().is_none() => {
            language.end_no_action(language.styled(player.opponent()))
        }
        Outcome::Open => " …".to_owned(),
        Outcome::Drawn => language.end_both(),
        Outcome::Won => language.end_won(language.styled(player)),
        Outcome::Lost => language.end_won(language.styled(player.opponent())),
    }
}

/// The actions grouped by value, best first, as lines of text.
pub fn listing(language: Language, ranking: &Ranking, width: usize) -> Vec<String> {
    const GAP: usize = 2;
    let label = |ranked: &Ranked| language.bounded(ranked.worth, ranked.within);
    let order = |ranked: &Ranked| match ranked.order() {
        Some(Order::Ways(Ways { kept, answers })) => format!(" {kept}/{answers}"),
        Some(Order::Points(percent)) => format!(" {percent}%"),
        None => String::new(),
    };
    let indent = ranking.actions.iter().map(|ranked| display_width(&label(ranked))).max().unwrap_or(0) + GAP;
    let mut lines = Vec::new();
    for equal in ranking.actions.chunk_by(|a, b| (a.worth, a.within) == (b.worth, b.within)) {
        let space = if equal.iter().all(|ranked| order(ranked).is_empty()) { " " } else { "  " };
        let mut line = label(&equal[0]);
        line += &" ".repeat(indent - display_width(&line));
        let mut used = indent;
        for (index, ranked) in equal.iter().enumerate() {
            let text = ranked.text.clone() + &order(ranked);
            if index > 0 && used + space.len() + text.len() > width.max(indent + 10) {
                lines.push(line.trim_end().to_owned());
                line = " ".repeat(indent);
                used = indent;
            }
            used += text.len() + space.len();
            line += &(text + space);
        }
        lines.push(line.trim_end().to_owned());
    }
    let has = |what: &dyn Fn(&Ranked) -> bool| ranking.actions.iter().any(what);
    let notes = [
        (has(&|ranked| matches!(ranked.order(), Some(Order::Ways(_)))), language.legend_ways()),
        (has(&|ranked| matches!(ranked.order(), Some(Order::Points(_)))), language.legend_points()),
        (has(&|ranked| ranked.estimate.is_some()), language.order_suggested()),
    ];
    lines.extend(notes.into_iter().filter(|(is_so, _)| *is_so).map(|(_, note)| format!("{FAINT}{note}{FAINT:#}")));
    if ranking.is_out_of_time {
        let searched = language.searched(language.plies(ranking.searched.unwrap_or(0)));
        lines.push(format!("{FAINT}{searched}{FAINT:#}"));
    }
    lines
}
