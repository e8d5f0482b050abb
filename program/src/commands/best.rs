//! `dovemate best`: every action with its value, best first, and the line of best play.

use std::io::{BufWriter, Write};

use clap::Args;
use textwrap::core::display_width;

use super::show;
use crate::io::{FAINT, Failure, streams, terminal_width};
use crate::options::{
    KnownGameArguments, LanguageArguments, PositionArguments, SearchArguments, ask, input, threads,
};
use dovemate::rules::Outcome;
use dovemate::{Board, Color, Game};
use dovemate_analysis::Ranked;
use dovemate_analysis::{Analysis, Line, Order, Ranking, Ways, texts};
use dovemate_solver::{Source, Wdl, Worth};
use dovemate_web::documents::Document;
use dovemate_web::texts::Language;

/// Rank every action of a position, best first, with values.
///
/// A small game, such as A Y M for both, is solved on the spot. Other values come from --tables, or are built in: the
/// openings, and the starts of handicap games. Where none of these knows a value, a search proves wins and losses: an
/// action is a win or a loss in n plies, itself included, or "none within n plies", which may be a draw or a longer win
/// or loss. The search looks nine plies ahead, unless --depth or --seconds is given.
///
/// The last line names the action to play, and says whether it is proved or suggested. Equal draws and losses are
/// ordered by how many of the opponent's answers keep the value, fewest first, if that is known. An estimate orders
/// those that are still equal, and undecided actions; what rests on it alone is suggested, not proved.
///
/// With - as the board, the actions of every board on standard input are ranked. Boards are read one per line; with
/// --json, each answer is one line.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate best \"Btym;--HA;MYah;T-b-\"
  dovemate best \"Yy-b;-Bma;t--A;T-H-\" --to-move green --depth 13
  dovemate best --action +TS1E1 --action=+hN2
  dovemate best --red A --green -
  dovemate best --kinds AYM --tables tables
  dovemate best \"YTAh;-tMH;Bb-m;a---\" --json | jq .worth
  dovemate list --doves 6 --limit 3 | dovemate best - --json")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    known: KnownGameArguments,
    #[command(flatten)]
    search: SearchArguments,
    /// Write JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    language: LanguageArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (game, mover) = (arguments.known.game(), arguments.position.mover());
    let mut boards = arguments.position.boards(&game);
    let first = boards.next().unwrap_or_else(|| Err(input::no_board()))?;
    ask::check(&first, &game)?;
    threads::start()?;
    let values = arguments.known.values(arguments.search.solving_deadline(), false)?;
    let mut analysis = ask::analysis(&values);
    let mut is_first = true;
    for board in std::iter::once(Ok(first)).chain(boards) {
        let board = board?;
        ask::check(&board, &game)?;
        let effort = arguments.search.effort(None);
        let ranking = analysis.rank(&board, mover, &effort)?;
        let line = analysis.principal_variation(ranking.best(), mover, Analysis::MAX_DRAWN, &effort)?;
        let answer = BestAnswer { game, board: &board, mover, ranking: &ranking, line: &line };
        if arguments.json {
            streams::say(&answer.json(arguments.position.is_stream()))?;
        } else {
            if !is_first {
                streams::say("\n")?;
            }
            answer.print(arguments.language.language())?;
        }
        is_first = false;
    }
    Ok(())
}

/// A position with the ranking of its actions and the line of best play.
struct BestAnswer<'a> {
    game: Game,
    board: &'a Board,
    mover: Color,
    ranking: &'a Ranking,
    line: &'a Line,
}

impl BestAnswer<'_> {
    /// The answer as JSON: on one line, or on several for people.
    fn json(&self, is_in_line: bool) -> String {
        let document = Document::of(&self.game, self.board, self.mover, self.ranking, self.line);
        let write = if is_in_line { serde_json::to_string } else { serde_json::to_string_pretty };
        write(&document).expect("the keys are strings") + "\n"
    }

    fn print(&self, language: Language) -> Result<(), Failure> {
        let mut out = BufWriter::new(streams::coloured());
        write!(out, "{}", show::drawing(language, self.board, self.mover, &self.game, None, None))?;
        writeln!(out, "{}", self.value(language))?;
        if let Some(source) = self.source().and_then(|source| language.source(source)) {
            writeln!(out, "{FAINT}{source}{FAINT:#}")?;
        }
        if self.line.len() > 1 {
            let actions = texts(self.board, self.line).join(" ");
            let end = ending(language, &self.game, self.line, self.mover);
            writeln!(out, "{}", language.line_is(actions, end))?;
        }
        writeln!(out)?;
        for line in listing(language, self.ranking, terminal_width()) {
            writeln!(out, "{line}")?;
        }
        if let Some(chosen) = self.ranking.choice() {
            let ground = match chosen.is_proved() {
                true => language.proved(language.ranked(chosen)),
                false => language.suggested(),
            };
            writeln!(out, "{}", language.play_action(&chosen.text, ground))?;
        }
        Ok(out.flush()?)
    }

    /// The position's value and the best action, in a sentence.
    fn value(&self, language: Language) -> String {
        let ranking = self.ranking;
        let me = language.styled(self.mover);
        let Some(best) = ranking.actions.first() else {
            return language.lost_stuck(language.lose_in(0), me);
        };
        let worth = language.bounded(ranking.worth(), ranking.within());
        if matches!(ranking.worth(), Worth::NoneWithin(_)) {
            let hint =
                if ranking.is_out_of_time { language.time_was_up() } else { language.search_further() };
            let is_safe = |ranked: &&Ranked| !matches!(ranked.worth.wdl(), Some(Wdl::Win | Wdl::Lose));
            let safe = ranking.actions.iter().filter(is_safe).count();
            language.none_found(worth, safe, ranking.actions.len(), me, hint)
        } else if let Some(candidates) = ranking.candidates() {
            language.value_open(worth, candidates, me)
        } else {
            language.plays_best(worth, me, &best.text, self.reason(best, language))
        }
    }

    /// The source of the value: the position's own, or else the one source of all actions that do not end the game.
    fn source(&self) -> Option<Source> {
        let Ranking { known, actions, .. } = self.ranking;
        if known.is_some() || self.ranking.worth().wdl().is_none() {
            return self.ranking.source();
        }
        let mut sources =
            actions.iter().map(|ranked| ranked.source).filter(|source| *source != Source::Rules);
        let first = sources.next().unwrap_or(Source::Rules);
        sources.all(|source| source == first).then_some(first)
    }

    /// Why the best action has its value.
    fn reason(&self, best: &Ranked, language: Language) -> String {
        let opponent = language.styled(self.mover.opponent());
        let answers = self.game.legal_actions(&best.after, self.mover.opponent()).count();
        match (self.game.rules.outcome_of(&best.after, self.mover), best.worth.wdl()) {
            (Outcome::Won, _) => language.why_surrounds(opponent),
            (Outcome::Lost, _) => language.why_own(),
            (Outcome::Drawn, _) => language.why_both(),
            (Outcome::Open, _) if answers == 0 => language.why_stuck(opponent),
            (Outcome::Open, Some(Wdl::Win)) if answers == 1 => language.why_only(opponent),
            (Outcome::Open, Some(Wdl::Win)) => language.why_all(opponent, answers),
            (Outcome::Open, Some(Wdl::Lose)) if self.ranking.worth().is_exact() => language.why_longest(),
            _ => String::new(),
        }
    }
}

/// How a line ends, in parentheses; an ellipsis if the game continues, and nothing for an empty line.
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

/// The actions grouped by value, best first, and notes on their order, as lines of text.
pub fn listing(language: Language, ranking: &Ranking, width: usize) -> Vec<String> {
    const GAP_COLUMNS: usize = 2;
    let label = |ranked: &Ranked| language.bounded(ranked.worth, ranked.within);
    let widest = ranking.actions.iter().map(|ranked| display_width(&label(ranked))).max();
    let indent = widest.unwrap_or(0) + GAP_COLUMNS;
    let mut lines = Vec::new();
    for equal in ranking.actions.chunk_by(|a, b| (a.worth, a.within) == (b.worth, b.within)) {
        let label = label(&equal[0]);
        let first = " ".repeat(indent - display_width(&label));
        lines.extend(wrapped(equal, label + &first, indent, width));
    }
    let has = |condition: fn(&Ranked) -> bool| ranking.actions.iter().any(condition);
    let mut ways = ranking.actions.iter().filter_map(|ranked| match ranked.order() {
        Some(Order::Ways(ways)) => Some(ways),
        _ => None,
    });
    let notes = [
        ways.next().map(|ways| language.legend_ways(ways.kept, ways.answers)),
        has(|ranked| matches!(ranked.order(), Some(Order::Points(_)))).then(|| language.legend_points()),
        has(|ranked| ranked.estimate.is_some()).then(|| language.order_suggested()),
        ranking.is_out_of_time.then(|| language.searched(language.plies(ranking.searched.unwrap_or(0)))),
    ];
    lines.extend(notes.into_iter().flatten().map(|note| format!("{FAINT}{note}{FAINT:#}")));
    lines
}

/// Actions of equal value with their sort keys, as lines: the first begins with `first`, the others are indented.
fn wrapped(equal: &[Ranked], first: String, indent: usize, width: usize) -> Vec<String> {
    let order = |ranked: &Ranked| match ranked.order() {
        Some(Order::Ways(Ways { kept, answers })) => format!(" {kept}/{answers}"),
        Some(Order::Points(percent)) => format!(" {percent}%"),
        _ => String::new(),
    };
    let space = if equal.iter().all(|ranked| order(ranked).is_empty()) { " " } else { "  " };
    let mut lines = Vec::new();
    let mut line = first;
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
    lines
}
