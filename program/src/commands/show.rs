//! `dovemate show`: draws a position in the terminal, with its verdict.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::document::PositionDocument;
use crate::io::{FAINT, Failure, board_lines, signs, streams};
use crate::options::{
    ActionArguments, RuleArguments, ask::seconds, each_in_tdl, in_parentheses, input, number, player,
    read_record, threads,
};
use dovemate::clock::Instant;
use dovemate::explain::{Effect, Explanation};
use dovemate::rules::{Dove, Outcome};
use dovemate::{Board, BothSurrounded, Color, Game, Rules, Verdict};
use dovemate_analysis::record::Record;
use dovemate_analysis::review::{ReviewedPosition, review};
use dovemate_analysis::{Analysis, Effort, built_in};
use dovemate_web::texts::Language;

/// Show positions: walls, hands, enclosure degrees and verdict.
///
/// Write a board as board text (rows from the top separated by ';', '/' or line breaks, upper case red, lower
/// case green, '-' empty) or as a code, 16 hexadecimal digits. Without one, boards are read from
/// standard input, one per line; on a terminal, or with --action, the board is the start.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate show --action +MS1E1 --action +tN1W1
  dovemate show --to-move green \"b-a-;-B--\"
  dovemate list --doves 6 --limit 3 | dovemate show
  dovemate show --tdl mates-7.tdl --limit 5
  dovemate list --doves 6 --limit 3 | dovemate show --json
  dovemate show --game game.txt --review 1")]
pub struct Arguments {
    /// Board text or code; - reads boards from standard input [default: see above]
    #[arg(value_name = "BOARD", conflicts_with = "tdl", allow_hyphen_values = true)]
    board: Option<String>,
    /// The player to move on that board
    #[arg(long, value_parser = player(), default_value_t = Color::Red, conflicts_with = "tdl")]
    to_move: Color,
    #[command(flatten)]
    actions: ActionArguments,
    #[command(flatten)]
    rules: RuleArguments,
    /// Show the positions of a .tdl file instead; red is to move
    #[arg(long, value_name = "FILE", conflicts_with = "actions")]
    tdl: Option<PathBuf>,
    /// Show only the first K positions of the .tdl file
    #[arg(long, value_name = "K", requires = "tdl", conflicts_with_all = ["board", "game"],
        value_parser = number(0..=u64::MAX))]
    limit: Option<u64>,
    /// Show every position of a game that `dovemate play` saved, with its own rules
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "tdl", "to_move", "actions", "returns", "both_surrounded"])]
    game: Option<PathBuf>,
    /// Say what each action of the game gave away; each position is searched for at most N seconds
    #[arg(long, value_name = "N", requires = "game", value_parser = seconds)]
    review: Option<Duration>,
    /// Write JSON instead, one position per line
    #[arg(long, conflicts_with = "game")]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.game {
        return show_game(&read_record(path)?, arguments.review);
    }
    let rules = arguments.rules.rules();
    let before = arguments.to_move;
    let mut out = BufWriter::new(streams::coloured());
    // A program that writes positions may wait for each answer.
    let is_awaited = arguments.tdl.is_none();
    let flushed = |out: &mut dyn Write| -> Result<(), Failure> {
        if is_awaited {
            out.flush()?;
        }
        Ok(())
    };
    let mut is_first = true;
    let mut show = |board: &Board, mover, rules| -> Result<(), Failure> {
        let explanation = Explanation::of(board, mover, rules);
        if arguments.json {
            out.write_all(PositionDocument::of(&explanation, rules, false).line().as_bytes())?;
            return flushed(&mut out);
        }
        if !is_first {
            writeln!(out)?;
        }
        is_first = false;
        let code = board.code();
        let codes = format!("u64 {:016x}, code {}", code.to_u64(), code.canonical(mover));
        let drawing = drawing(Language::English, board, mover, &Game::whole(rules), None, Some(codes));
        writeln!(out, "{drawing}{}", verdict(&explanation, rules))?;
        flushed(&mut out)
    };
    let mut show_after = |board| {
        let after = arguments.actions.after(board, before, &Game::whole(rules))?;
        show(&after, arguments.actions.mover(before), rules)
    };
    let is_start = arguments.actions.is_given() || io::stdin().is_terminal();
    let text = arguments.board.as_deref().or(is_start.then_some(input::START));
    // Positions shown before an error stay on the screen.
    let result = if let Some(path) = &arguments.tdl {
        let limit = arguments.limit.unwrap_or(u64::MAX);
        each_in_tdl(path, limit, |board| show(board, Color::Red, rules))
    } else if let Some(text) = text.filter(|text| *text != "-") {
        input::board(text).and_then(show_after)
    } else {
        input::boards().try_for_each(|board| show_after(board?))
    };
    out.flush()?;
    result
}

/// Shows every position of a game, and its ending. With a time for each position, also shows what each action gave
/// away.
fn show_game(record: &Record, time: Option<Duration>) -> Result<(), Failure> {
    let mut out = BufWriter::new(streams::coloured());
    let positions = record.positions();
    let reviewed = time.map(|time| reviewed(record, time)).transpose()?.unwrap_or_default();
    for (ply, (board, mover)) in positions.iter().enumerate() {
        if ply > 0 {
            let action = record.actions()[ply - 1].text(&positions[ply - 1].0);
            writeln!(out, "\n{ply}. {} {action}\n", mover.opponent())?;
        }
        if let Some((after, verdict)) =
            reviewed.get(ply).and_then(|after| Some((after, after.verdict.as_ref()?)))
        {
            let text = Language::English.verdict(verdict, after, *mover);
            writeln!(out, "{}\n", format!("{} {text}", verdict.sign).trim_start())?;
        }
        write!(out, "{}", drawing(Language::English, board, *mover, &record.game(), None, None))?;
    }
    writeln!(out, "\n{}", record.ending())?;
    Ok(out.flush()?)
}

fn reviewed(record: &Record, time: Duration) -> Result<Vec<ReviewedPosition>, Failure> {
    threads::start()?;
    let game = record.game();
    let mut analysis = built_in(&game).map_or_else(|| Analysis::by_search(game), Analysis::new);
    let effort = || Effort::until(Instant::now() + time);
    Ok(review(record, &analysis.search_game(record, effort)?))
}

/// The board of a game with its hands and enclosure degrees, with ANSI escapes. `acted` is the dove that
/// acted last, `last` an optional last line beside the board.
pub fn drawing(
    language: Language,
    board: &Board,
    mover: Color,
    game: &Game,
    acted: Option<Dove>,
    last: Option<String>,
) -> String {
    let drawn = board_lines::board(board, true, acted, signs());
    let hand = |color| board.hand(color).filter(move |dove| game.doves(color).contains(dove.kind));
    let [red, green] = Color::ALL.map(|color| language.styled(color));
    let [red_doves, green_doves] = Color::ALL.map(|color| board_lines::doves(color, hand(color), signs()));
    let hands = language.hands(format!("{red} {red_doves}"), format!("{green} {green_doves}"));
    let [red_degree, green_degree] = Color::ALL.map(|color| board.enclosure_degree(board.boss(color)));
    let mut beside = vec![
        language.whose_turn(language.styled(mover)),
        language.in_hand(hands),
        language.enclosure_degree(red, red_degree, green, green_degree),
        String::new(),
        format!("{FAINT}{board}{FAINT:#}"),
    ];
    beside.extend(last.map(|last| format!("{FAINT}{last}{FAINT:#}")));
    let height = drawn.lines.len().max(beside.len());
    let blank = " ".repeat(drawn.width);
    let mut text = String::new();
    for line in 0..height {
        let left = drawn.lines.get(line).unwrap_or(&blank);
        let right = beside.get(line).map_or("", String::as_str);
        text += format!("{left}   {right}").trim_end();
        text += "\n";
    }
    text
}

/// The verdict in words, with the actions that prove it, and the rule variant if it is not the default.
pub fn verdict(explanation: &Explanation, rules: Rules) -> String {
    let Explanation { board, mover, reasons, .. } = explanation;
    let (me, opponent) = (styled(*mover), styled(mover.opponent()));
    let count = |property: fn(&Effect) -> bool| explanation.actions(property).count();
    let texts = |property: fn(&Effect) -> bool| {
        let actions = explanation.actions(property);
        let texts: Vec<String> = actions.map(|reason| reason.action.text(board)).collect();
        texts.join(", ")
    };
    let verdict = match explanation.verdict {
        Verdict::Finished => finished(board, *mover, rules),
        Verdict::WinInOne => format!("win in one: {}", texts(|effect| *effect == Effect::Wins)),
        Verdict::Mate => {
            let refuted = count(|effect| matches!(effect, Effect::Refuted(_)));
            let losing = match count(|effect| *effect == Effect::Loses) {
                0 => String::new(),
                1 => "; one more loses outright".to_owned(),
                losing => format!("; {losing} more lose outright"),
            };
            let actions = if refuted == 1 { "one action" } else { &format!("each of {refuted} actions") };
            format!("mate (lose in 2): {opponent} wins at once after {actions}{losing}")
        }
        Verdict::Stuck if reasons.is_empty() => format!("not a mate: {me} has no legal action and loses"),
        Verdict::Stuck => {
            let actions = texts(|effect| *effect == Effect::Loses);
            format!("not a mate: every action of {me} loses outright ({actions})")
        }
        Verdict::Escape => {
            let first = first_escape(explanation);
            let way_out = if first.effect == Effect::Draws { "draws" } else { "escapes" };
            let more = match count(is_way_out) - 1 {
                0 => String::new(),
                more => format!(", and {more} more of {} actions", reasons.len()),
            };
            format!("neither mate nor win in one: {} {way_out}{more}", first.action.text(board))
        }
    };
    verdict + &in_parentheses(rules)
}

/// Whether an action with this effect neither wins, nor loses, nor is refuted.
fn is_way_out(effect: &Effect) -> bool {
    matches!(effect, Effect::Escapes | Effect::Draws)
}

/// The first action that neither wins, nor loses, nor is refuted.
///
/// # Panics
/// If there is none.
pub fn first_escape(explanation: &Explanation) -> &dovemate::explain::Reason {
    let grouped = dovemate::explain::Group::all().flat_map(|group| explanation.group(group));
    grouped.into_iter().find(|reason| is_way_out(&reason.effect)).expect("the verdict is an escape")
}

/// A player's colour, in that colour.
fn styled(color: Color) -> String {
    Language::English.styled(color)
}

/// The result on a board on which a boss is surrounded.
fn finished(board: &Board, mover: Color, rules: Rules) -> String {
    // The opponent of the player to move acted last.
    let last = mover.opponent();
    let surrounded = Color::ALL.into_iter().filter(|&color| board.is_surrounded(color));
    let surrounded: Vec<String> = surrounded.map(|color| format!("the {} boss", styled(color))).collect();
    let verb = if surrounded.len() == 1 { "is" } else { "are" };
    let result = match rules.outcome_of(board, last) {
        Outcome::Won => format!("{} has won", styled(last)),
        Outcome::Lost => format!("{} has won", styled(mover)),
        Outcome::Drawn | Outcome::Open => "a draw".to_owned(),
    };
    let depends_on_last = surrounded.len() == 2 && rules.both_surrounded != BothSurrounded::Draw;
    let why = depends_on_last.then(|| format!(", as {} acted last", styled(last)));
    format!("finished: {} {verb} surrounded; {result}{}", surrounded.join(" and "), why.unwrap_or_default())
}
