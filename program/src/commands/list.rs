//! `dovemate list`: lists mates or wins in one, each position once.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::io::digits::counted;
use crate::io::failure::{Failure, complain};
use crate::io::output::{OutputFile, is_stdout};
use crate::io::progress::Progress;
use crate::io::streams;
use crate::io::text_table::grouped;
use crate::options::parse::{listed, number, parse_doves};
use crate::options::rules::{RuleArguments, words};
use crate::options::threads::ThreadArguments;
use dovemate::Listing;
use dovemate::Shape;
use dovemate::count::Category;
use dovemate::random::Random;
use dovemate::rules::{Code, Color, Rules};
use dovemate::tdl;

/// List every mate or win in one exactly once, or a sample.
///
/// Positions are up to symmetry, with red to move, and always come in the same order: shape by shape, fewest
/// doves first. They are written as they are found, except that a .tdl file is sorted; `dovemate count`
/// counts them. With --sample, K of them are drawn without listing the others; all sets of K are equally
/// likely, and the same seed draws the same set.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate list --doves 6
  dovemate list --doves 12 --sample 5 --seed 1 | dovemate show
  dovemate list --shape \"-x-x;--xx;x;x\" --format csv
  dovemate list --doves 7 --format tdl -o mates-7.tdl")]
pub struct Arguments {
    /// What to list
    #[arg(long, value_parser = listed(), default_value_t = Category::Mates)]
    what: Category,
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range, as in 2..7 [default:
    /// 2..12]
    #[arg(long, value_name = "N or N..N", default_value = "2..12", hide_default_value = true, value_parser = parse_doves)]
    doves: RangeInclusive<u32>,
    /// Only positions on this shape, however turned: rows from the top joined by ';', '-' for an empty cell;
    /// or a board
    #[arg(long, value_name = "CELLS", allow_hyphen_values = true)]
    shape: Option<String>,
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
    /// Output format: board texts, CSV, or for the crate tokyodoves its invariant u64s in hexadecimal or a
    /// .tdl file
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write JSON, a position in a line
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    rules: RuleArguments,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArguments,
    /// No progress on standard error, and no message on what was listed
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
    listing: Listing,
    sample: Option<Vec<Code>>,
}

/// A position in a line of JSON.
#[derive(Serialize)]
struct ListedDocument {
    doves: u32,
    board: String,
    code: String,
}

/// The outcome of writing a list.
struct Written {
    positions: u64,
    /// The SHA-256 of a `.tdl` file.
    sha256: Option<String>,
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
    let output = arguments.output.as_deref().map(OutputFile::open_streamed).transpose()?;
    let pool = arguments.threads.pool()?;
    pool.install(|| write_all(arguments, output))
}

/// Writes the list to the file or to standard output.
fn write_all(arguments: &Arguments, output: Option<OutputFile>) -> Result<(), Failure> {
    let listing = listing(arguments)?;
    let sample = arguments.sample.map(|k| draw(&listing, k, arguments)).transpose()?;
    let mut to_sort = match arguments.format {
        Format::Tdl => Some(room_for_sorting(&listing, arguments)?),
        _ => None,
    };
    let positions = Positions { arguments, listing, sample };
    let mut written = None;
    let mut write = |writer: &mut dyn Write| {
        written = Some(match &mut to_sort {
            Some(codes) => positions.write_sorted(codes, writer)?,
            None => positions.write(writer)?,
        });
        Ok(())
    };
    match output {
        Some(output) => output.finish(&mut write)?,
        None => {
            let mut out = BufWriter::new(streams::stdout());
            write(&mut out)?;
            out.flush()?;
        }
    }
    // If the reader of a pipe has closed it, the number written is unknown.
    let Some(Written { positions, sha256 }) = written.filter(|_| !arguments.quiet) else { return Ok(()) };
    if positions == 0 && arguments.limit != Some(0) {
        complain(format_args!("there are no {}", described(arguments)));
    } else if let Some(sha256) = sha256 {
        let positions = counted(positions, "position", "positions");
        complain(format_args!("{positions}, SHA-256 {sha256}"));
    }
    Ok(())
}

/// Allocates memory for the positions of a `.tdl` file, which are sorted there.
fn room_for_sorting(listing: &Listing, arguments: &Arguments) -> Result<Vec<Code>, Failure> {
    let limit = arguments.sample.or(arguments.limit).unwrap_or(u64::MAX);
    let positions = listing.ranks().total().min(limit);
    if positions > tdl::MAX_POSITIONS {
        let message = format!(
            "a .tdl file is sorted in memory, at most {} positions, and these are {}; list fewer with --doves, --shape, \
             --limit or --sample, or choose another --format",
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

/// The listed positions in words: `mates with 6 doves on the shape xx;xx`.
fn described(arguments: &Arguments) -> String {
    let doves = &arguments.doves;
    let category = match arguments.what {
        Category::Wins => "wins in one",
        category => category.name(),
    };
    let scope = match &arguments.shape {
        Some(shape) => format!("on the shape {}", shape.escape_debug()),
        None if doves.start() == doves.end() => format!("with {} doves", doves.start()),
        None => format!("with {} to {} doves", doves.start(), doves.end()),
    };
    let rules = arguments.rules.rules();
    let rules = if rules == Rules::default() { String::new() } else { format!(" ({})", words(rules)) };
    format!("{category} {scope}{rules}")
}

fn listing(arguments: &Arguments) -> Result<Listing, Failure> {
    let (category, rules) = (arguments.what, arguments.rules.rules());
    let Some(text) = &arguments.shape else {
        return Ok(Listing::new(category, arguments.doves.clone(), rules));
    };
    let shape = text
        .parse::<Shape>()
        .map_err(|error| Failure::Usage(format!("--shape '{}': {error}", text.escape_debug())))?;
    if !arguments.doves.contains(&shape.doves()) {
        let (text, doves) = (text.escape_debug(), shape.doves());
        let message = format!("--shape '{text}' has {doves} doves, which --doves leaves out");
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

impl Positions<'_> {
    /// Sorts all positions and writes them as a `.tdl` file.
    fn write_sorted(&self, codes: &mut Vec<Code>, writer: &mut dyn Write) -> io::Result<Written> {
        self.try_for_each(|code| {
            codes.push(code.canonical(Color::Red));
            Ok(())
        })?;
        let tdl::Written { positions, sha256 } = tdl::write(codes, writer)?;
        Ok(Written { positions, sha256: Some(sha256) })
    }

    /// Writes all positions as they are found, as text.
    fn write(&self, writer: &mut dyn Write) -> io::Result<Written> {
        let mut positions = 0;
        if self.arguments.format == Format::Csv {
            writeln!(writer, "doves,board,code")?;
        }
        self.try_for_each(|code| {
            positions += 1;
            let canonical = || code.canonical(Color::Red);
            if self.arguments.json {
                let line =
                    ListedDocument { doves: code.count(), board: code.text(), code: canonical().to_string() };
                serde_json::to_writer(&mut *writer, &line)?;
                return writeln!(writer);
            }
            match self.arguments.format {
                Format::U64 => writeln!(writer, "{:016x}", canonical().to_u64()),
                // Quoted, because programs that guess the separator of columns would choose `;`.
                Format::Csv => writeln!(writer, "{},\"{}\",{}", code.count(), code.text(), canonical()),
                Format::Text | Format::Tdl => writeln!(writer, "{}", code.text()),
            }
        })?;
        Ok(Written { positions, sha256: None })
    }

    fn try_for_each(&self, mut found: impl FnMut(Code) -> io::Result<()>) -> io::Result<()> {
        if let Some(sample) = &self.sample {
            return sample.iter().try_for_each(|&code| found(code));
        }
        let limit = self.arguments.limit.unwrap_or(u64::MAX);
        // Positions and a progress bar on the same terminal would overwrite each other.
        let is_shared = self.arguments.output_is_stdout() && io::stdout().is_terminal();
        let progress = Progress::new(self.arguments.quiet || is_shared);
        progress.begin(self.listing.assignments());
        let mut positions = self.listing.iter();
        let (mut left, mut shown) = (limit, 0);
        while left > 0
            && let Some(code) = positions.next()
        {
            if positions.examined() > shown {
                progress.advance(positions.examined() - shown);
                shown = positions.examined();
            }
            found(code)?;
            left -= 1;
        }
        Ok(())
    }
}
