//! `dovemate list`: lists mates, wins in one, or the positions of a solved game that have a given value, each position
//! once.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::io::{Failure, OutputFile, Progress, complain, counted, grouped, is_stdout, streams};
use crate::options::{
    KnownGameArguments, ThreadArguments, ask, doves_of, in_parentheses, named, number, parse_doves,
};
use dovemate::count::ALL_DOVES;
use dovemate::random::Random;
use dovemate::rules::Code;
use dovemate::{Board, Category, Color, Listing, Shape, tdl};
use dovemate_analysis::{Analysis, Effort};
use dovemate_solver::{Lookup, LookupError, SolvedGame, Value, Worth};

/// List mates, wins in one, or positions of a solved game by value.
///
/// Each position is listed exactly once, or a sample is drawn. Positions are listed up to symmetry, with red to move,
/// always in the same order: shape by shape, fewest doves first. They are written as they are found, except that a
/// .tdl file is sorted; `dovemate count` counts them. With --sample, K of them are drawn without listing the
/// others; all sets of K are equally likely, and the same seed draws the same set.
///
/// With --value, the positions of a solved game that have this value are listed. The game is read from --tables, or
/// solved on the spot. The number of positions with the value is printed first, then the positions as they are found.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate list --doves 6
  dovemate list --doves 12 --sample 5 --seed 1 | dovemate show
  dovemate list --shape \"-x-x;--xx;x;x\" --format csv
  dovemate list --doves 7 --format tdl -o mates-7.tdl
  dovemate list --kinds AY --value \"win in 5\" --json
  dovemate list --kinds AYM --tables tables --value draw --keeping 1 --limit 5")]
pub struct Arguments {
    /// What to list
    // In the whole game, there are no stuck positions.
    #[arg(long, value_parser = named::<Category>([Category::Mates, Category::Wins].map(Category::name)), default_value_t = Category::Mates)]
    what: Category,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range, as in 2..7 [default:
    /// 2..12]
    #[arg(long, value_name = "N or N..N", default_value = "2..12", hide_default_value = true, value_parser = parse_doves)]
    doves: RangeInclusive<u32>,
    /// List only positions on this shape, in any orientation: a board, or its rows from the top joined by ';', with x
    /// for a dove and - for an empty cell
    #[arg(long, value_name = "CELLS", allow_hyphen_values = true)]
    shape: Option<String>,
    /// List the positions of a solved game with this value for the player to move: win, draw or lose, or with its
    /// distance, as in "win in 21"
    #[arg(long, value_name = "VALUE", conflicts_with_all = ["what", "shape", "sample"])]
    value: Option<Worth>,
    /// List only positions in which the actions that keep that win, draw or loss lead to exactly K different positions
    #[arg(long, value_name = "K", requires = "value", value_parser = number(0..=u64::MAX))]
    keeping: Option<u64>,
    /// List only the first K
    #[arg(long, value_name = "K", conflicts_with = "sample", value_parser = number(0..=u64::MAX))]
    limit: Option<u64>,
    /// Draw K different positions at random
    #[arg(long, value_name = "K", value_parser = number(1..=10_000_000_u64))]
    sample: Option<u64>,
    /// The seed of the random draw
    #[arg(long, value_name = "S", requires = "sample", conflicts_with = "limit", default_value_t = 0,
        value_parser = number(0..=u64::MAX))]
    seed: u64,
    /// Output format: board texts, CSV or, for the crate tokyodoves, its invariant u64s in hexadecimal or a
    /// .tdl file
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write JSON, one position per line
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    known: KnownGameArguments,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArguments,
    /// No progress on standard error, and no message about what was listed
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    #[default]
    Text,
    Csv,
    U64,
    Tdl,
}

/// The positions to write, in order.
struct Positions<'a> {
    arguments: &'a Arguments,
    source: Source<'a>,
    /// The first error in reading values, if any.
    unread: Option<LookupError>,
}

/// Where positions come from.
enum Source<'a> {
    Listing(Listing),
    Sample(Vec<Code>),
    /// The game, and how many of its positions with the requested numbers of doves have the value.
    Values(&'a SolvedGame, u64),
}

/// The game in its tables, or solved on the spot.
fn solved(arguments: &Arguments) -> Result<SolvedGame, Failure> {
    let game = arguments.known.game();
    if let Some(tables) = arguments.known.open()? {
        if !tables.knows_all() {
            let message = "--value needs finished tables with distances";
            return Err(Failure::Usage(message.to_owned()));
        }
        return Ok(tables.into());
    }
    if !ask::is_solved_at_once(&game) {
        let message = format!(
            "--value needs the tables of {game} (--tables DIR); `dovemate solve {} --tables DIR` makes them",
            arguments.known.options()
        );
        return Err(Failure::Usage(message));
    }
    let too_little = |_| anyhow::anyhow!("there is not enough free memory to solve {game}");
    Ok(ask::solve_at_once(game, None, arguments.quiet).map_err(too_little)?)
}

/// A position to write: its code and, if listed by value, the player to move and the value.
type Found = (Code, Option<(Color, Value)>);
/// A position of a solved game with its value, or why that cannot be read.
type Valued = Result<((Board, Color), Value), LookupError>;

/// A position as a line of JSON.
#[derive(Serialize)]
struct ListedDocument {
    doves: u32,
    board: String,
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_move: Option<Color>,
    #[serde(flatten)]
    value: Option<Value>,
}

impl Arguments {
    /// Whether the list goes to standard output.
    fn output_is_stdout(&self) -> bool {
        self.output.as_deref().is_none_or(is_stdout)
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.format == Format::Tdl && arguments.output_is_stdout() && io::stdout().is_terminal() {
        let message =
            "a .tdl file cannot be shown on a terminal; name a file with -o, or choose another --format";
        return Err(Failure::Usage(message.to_owned()));
    }
    let game = arguments.known.game();
    if arguments.value.is_none() && (arguments.known.game.named().is_some() || arguments.known.has_tables()) {
        let message = "dove sets and --tables need --value; without it, only mates and wins in one of the whole game can \
                       be listed";
        return Err(Failure::Usage(message.to_owned()));
    }
    if arguments.value.is_some() && !game.is_even() && !arguments.json && arguments.format != Format::Csv {
        let message = "if the players have different doves, a board does not show who is to move; add --json or \
                       --format csv";
        return Err(Failure::Usage(message.to_owned()));
    }
    let output = arguments.output.as_deref().map(OutputFile::open_streamed).transpose()?;
    let pool = arguments.threads.pool()?;
    pool.install(|| write_all(arguments, output))
}

/// Writes the list to the file or to standard output.
fn write_all(arguments: &Arguments, output: Option<OutputFile>) -> Result<(), Failure> {
    let solved = arguments.value.map(|_| solved(arguments)).transpose()?;
    let mut positions = Positions::of(arguments, solved.as_ref())?;
    let mut to_sort = match arguments.format {
        Format::Tdl => Some(room_for_sorting(positions.most())?),
        _ => None,
    };
    let (mut written, mut checksum) = (None, None);
    let mut write = |writer: &mut dyn Write| {
        if let Some(codes) = &mut to_sort {
            let tdl::Written { positions: number, sha256 } = positions.write_sorted(codes, writer)?;
            (written, checksum) = (Some(number), Some(sha256));
        } else {
            written = Some(positions.write(writer)?);
        }
        Ok(())
    };
    let result: Result<(), Failure> = match output {
        Some(output) => output.finish(&mut write).map_err(Failure::from),
        None => {
            let mut out = BufWriter::new(streams::stdout());
            write(&mut out).and_then(|()| out.flush()).map_err(Failure::from)
        }
    };
    if let Some(error) = positions.unread {
        return Err(error.into());
    }
    result?;
    // If the reader of a pipe has closed it, the number written is unknown.
    let Some(number) = written.filter(|_| !arguments.quiet) else { return Ok(()) };
    if number == 0 && arguments.limit != Some(0) {
        // The winner acts last, so a win takes an odd number of plies, unless every action of the loser loses outright
        // at the end. With all doves, there is always another action.
        let parity = match arguments.value {
            Some(Worth::Exact(Value::Win(plies))) if plies % 2 == 0 => "; wins take an odd number of plies",
            Some(Worth::Exact(Value::Lose(plies))) if plies % 2 == 1 => {
                "; losses take an even number of plies"
            }
            _ => "",
        };
        complain(format_args!("there are no {}{parity}", described(arguments)));
    } else if let Some(sha256) = checksum {
        complain(format_args!("{}, SHA-256 {sha256}", counted(number, "position", "positions")));
    }
    Ok(())
}

/// Allocates memory in which the positions of a `.tdl` file are sorted.
fn room_for_sorting(positions: u64) -> Result<Vec<Code>, Failure> {
    if positions > tdl::MAX_POSITIONS {
        let message = format!(
            "a .tdl file is sorted in memory, so it can have at most {} positions, but there are {}; list fewer with \
             --doves, --shape, --limit or --sample, or choose another --format",
            grouped(tdl::MAX_POSITIONS),
            grouped(positions)
        );
        return Err(Failure::Usage(message));
    }
    let mut codes = Vec::new();
    codes
        .try_reserve_exact(positions as usize)
        .with_context(|| format!("{} positions cannot be sorted in memory", grouped(positions)))?;
    Ok(codes)
}

/// The listed positions in words: `mates with 6 doves`, `mates on the shape xx;xx`.
fn described(arguments: &Arguments) -> String {
    let doves = &arguments.doves;
    let most = *doves.end().min(&arguments.known.game.game().most_doves());
    let category = match (arguments.value, arguments.what) {
        (Some(value), _) => {
            let kept = arguments.keeping.map_or(String::new(), |keeping| format!(" and --keeping {keeping}"));
            format!("positions with the value {value}{kept}")
        }
        (None, Category::Wins) => "wins in one".to_owned(),
        (None, category) => category.name().to_owned(),
    };
    let scope = match &arguments.shape {
        Some(shape) => format!("on the shape {}", shape.escape_debug()),
        None if *doves.start() >= most => format!("with {} doves", doves.start()),
        None => format!("with {} to {most} doves", doves.start()),
    };
    format!("{category} {scope}{}", in_parentheses(arguments.known.game.rules.rules()))
}

fn listing(arguments: &Arguments) -> Result<Listing, Failure> {
    let (category, rules) = (arguments.what, arguments.known.game.rules.rules());
    let Some(text) = &arguments.shape else {
        return Ok(Listing::new(category, arguments.doves.clone(), rules));
    };
    let shape = text
        .parse::<Shape>()
        .map_err(|error| Failure::Usage(format!("--shape '{}': {error}", text.escape_debug())))?;
    if !arguments.doves.contains(&shape.doves()) {
        let (text, doves) = (text.escape_debug(), shape.doves());
        let message = format!("--shape '{text}' has {doves} doves, which --doves excludes");
        return Err(Failure::Usage(message));
    }
    Ok(Listing::on(category, [shape], rules))
}

fn draw(listing: &Listing, k: u64, arguments: &Arguments) -> Result<Vec<Code>, Failure> {
    let ranks = listing.ranks();
    let total = ranks.total();
    if k > total {
        let there_are = match total {
            0 => "no".to_owned(),
            total => format!("only {}", grouped(total)),
        };
        let message = format!("--sample {k}: there are {there_are} {}", described(arguments));
        return Err(Failure::Usage(message));
    }
    Ok(ranks.locate(&Random::sample(total, k, arguments.seed)))
}

impl<'a> Positions<'a> {
    /// The positions of a listing, or of a solved game. For a solved game, reports how many there are, unless there are
    /// none.
    fn of(arguments: &'a Arguments, solved: Option<&'a SolvedGame>) -> Result<Positions<'a>, Failure> {
        let source = if let Some((solved, value)) = solved.zip(arguments.value) {
            let doves = Some(&arguments.doves).filter(|doves| **doves != ALL_DOVES);
            let doves = doves_of(&solved.game(), doves)?;
            let total =
                solved.solution().count(|row| doves.contains(&row.doves) && value.includes(row.worth));
            if total > 0 && !arguments.quiet {
                let positions = counted(total, "position has", "positions have");
                complain(format_args!("{positions} the value {value}"));
            }
            Source::Values(solved, total)
        } else {
            let listing = listing(arguments)?;
            match arguments.sample {
                Some(k) => Source::Sample(draw(&listing, k, arguments)?),
                None => Source::Listing(listing),
            }
        };
        Ok(Positions { arguments, source, unread: None })
    }

    /// Maximum number of positions that may be written.
    fn most(&self) -> u64 {
        let total = match &self.source {
            Source::Listing(listing) => listing.ranks().total(),
            Source::Sample(sample) => sample.len() as u64,
            Source::Values(_, total) => *total,
        };
        total.min(self.arguments.limit.unwrap_or(u64::MAX))
    }

    /// Sorts all positions and writes them as a `.tdl` file.
    fn write_sorted(&mut self, codes: &mut Vec<Code>, writer: &mut dyn Write) -> io::Result<tdl::Written> {
        self.try_for_each(|(code, valued)| {
            codes.push(code.canonical(valued.map_or(Color::Red, |(mover, _)| mover)));
            Ok(())
        })?;
        tdl::write(codes, writer)
    }

    /// Writes all positions as they are found, as text.
    fn write(&mut self, writer: &mut dyn Write) -> io::Result<u64> {
        let mut positions = 0;
        let arguments = self.arguments;
        if arguments.format == Format::Csv {
            let of_value = if arguments.value.is_some() { ",to_move,value,plies" } else { "" };
            writeln!(writer, "doves,board,code{of_value}")?;
        }
        self.try_for_each(|(code, valued)| {
            positions += 1;
            let canonical = || code.canonical(valued.map_or(Color::Red, |(mover, _)| mover));
            if arguments.json {
                let (to_move, value) = valued.unzip();
                let (doves, board, code) = (code.count(), code.text(), canonical().to_string());
                let line = ListedDocument { doves, board, code, to_move, value };
                serde_json::to_writer(&mut *writer, &line)?;
                return writeln!(writer);
            }
            match arguments.format {
                Format::U64 => writeln!(writer, "{:016x}", canonical().to_u64()),
                // Quoted, because programs that guess the column separator would choose `;`.
                Format::Csv => {
                    write!(writer, "{},\"{}\",{}", code.count(), code.text(), canonical())?;
                    if let Some((mover, value)) = valued {
                        let plies = value.plies().map(|plies| plies.to_string()).unwrap_or_default();
                        write!(writer, ",{mover},{},{plies}", value.name())?;
                    }
                    writeln!(writer)
                }
                Format::Text | Format::Tdl => writeln!(writer, "{}", code.text()),
            }
        })?;
        Ok(positions)
    }

    fn try_for_each(&mut self, mut found: impl FnMut(Found) -> io::Result<()>) -> io::Result<()> {
        let limit = self.arguments.limit.unwrap_or(u64::MAX);
        let listing = match &self.source {
            Source::Sample(sample) => return sample.iter().try_for_each(|&code| found((code, None))),
            Source::Values(solved, _) => {
                let valued = self.valued(solved).take(usize::try_from(limit).unwrap_or(usize::MAX));
                for next in valued {
                    match next {
                        Ok(((board, mover), value)) => found((board.code(), Some((mover, value))))?,
                        Err(error) => {
                            self.unread = Some(error);
                            return Err(io::Error::other("a value cannot be read"));
                        }
                    }
                }
                return Ok(());
            }
            Source::Listing(listing) => listing,
        };
        // Positions and a progress bar on the same terminal would overwrite each other.
        let is_shared = self.arguments.output_is_stdout() && io::stdout().is_terminal();
        let progress = Progress::new(self.arguments.quiet || is_shared);
        progress.begin(listing.assignments());
        let mut positions = listing.iter();
        let (mut left, mut shown) = (limit, 0);
        while left > 0
            && let Some(code) = positions.next()
        {
            if positions.examined() > shown {
                progress.advance(positions.examined() - shown);
                shown = positions.examined();
            }
            found((code, None))?;
            left -= 1;
        }
        Ok(())
    }

    /// The requested positions of a solved game.
    fn valued<'s>(&self, solved: &'s SolvedGame) -> impl Iterator<Item = Valued> + use<'s> {
        let value = self.arguments.value.expect("positions are listed by value");
        let positions = solved.positions(move |found| value.includes(Worth::Exact(found)));
        let positions = positions.doves(self.arguments.doves.clone());
        let (keeping, mut analysis) = (self.arguments.keeping, Analysis::new(solved));
        let mut keeps = move |next: &Valued| -> Result<bool, LookupError> {
            let (Some(keeping), Ok(((board, mover), value))) = (keeping, next) else { return Ok(true) };
            let ranking = analysis.rank_proved(board, *mover, &Effort::plies(0))?;
            let families = ranking.families();
            let kept = families.iter().filter(|family| family[0].worth.wdl() == Some(value.wdl()));
            Ok(kept.count() as u64 == keeping)
        };
        positions.filter_map(move |next| match keeps(&next) {
            Ok(is_kept) => is_kept.then_some(next),
            Err(error) => Some(Err(error)),
        })
    }
}
