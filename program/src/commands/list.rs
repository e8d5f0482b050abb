//! `dovemate list`: lists mates or wins in one, each position once.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::io::failure::{Failure, complain};
use crate::io::output::{OutputFile, is_stdout};
use crate::io::progress::Progress;
use crate::io::streams;
use crate::io::text_table::grouped;
use crate::options::parse::{listed, number, parse_doves};
use crate::options::rules::{RuleArguments, words};
use crate::options::tdl_file::check_sidecar_may_be_written;
use crate::options::threads::ThreadArguments;
use dovemate::internals::count::Category;
use dovemate::internals::count::list::Listing;
use dovemate::internals::run::Observer;
use dovemate::internals::shapes::read_shape;
use dovemate::random::sample;
use dovemate::rules::{Code, Color, Rules};
use dovemate::tdl::{self, HashingWriter, Sidecar, Sorter, sidecar_of};

/// List every mate or win in one exactly once, or a sample.
///
/// Positions are up to symmetry, with red to move, and always come in the same order: shape by shape, fewest doves
/// first. They are written as they are found; `dovemate count` counts them. With --sample, K of them are drawn without
/// listing the others; all sets of K are equally likely, and the same seed draws the same set.
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
    /// Numbers of doves on the board, both bosses included: one, as in 7, or a range, as in 2..7 [default: 2..12]
    #[arg(long, value_name = "N or N..N", default_value = "2..12", hide_default_value = true, value_parser = parse_doves)]
    doves: RangeInclusive<u32>,
    /// Only positions on this shape, however turned: rows from the top joined by ';', '-' for an empty cell; or a board
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
    /// Output format: board texts, CSV, invariant u64s in hexadecimal, or the .tdl format of the crate tokyodoves
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    rules: RuleArguments,
    /// Write to this file instead of standard output; a .tdl file gets a sidecar FILE.json with count and checksum
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArguments,
    /// No progress on standard error, and no message if there is nothing to list
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
    /// The folder for sort files.
    scratch: PathBuf,
}

impl Arguments {
    /// Whether the list goes to standard output.
    fn output_is_stdout(&self) -> bool {
        self.output.as_deref().is_none_or(is_stdout)
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.format == Format::Tdl && arguments.output_is_stdout() && io::stdout().is_terminal() {
        let message = "a .tdl file is not for a terminal; name a file with -o, or take another --format";
        return Err(Failure::Usage(message.to_owned()));
    }
    let output = arguments.output.as_deref().map(OutputFile::open_streamed).transpose()?;
    let is_file = output.as_ref().is_some_and(OutputFile::is_regular);
    let has_sidecar = is_file && arguments.format == Format::Tdl;
    let mut sidecar = None;
    if let Some(path) = arguments.output.as_deref().filter(|_| has_sidecar) {
        check_sidecar_may_be_written(path)?;
        sidecar = Some(OutputFile::open(&sidecar_of(path))?);
    }
    let pool = arguments.threads.pool()?;
    pool.install(|| write_all(arguments, output, sidecar))
}

/// Writes the list to the file or to standard output.
fn write_all(arguments: &Arguments, output: Option<OutputFile>, sidecar: Option<OutputFile>) -> Result<(), Failure> {
    let listing = listing(arguments)?;
    let sample = arguments.sample.map(|k| draw(&listing, k, arguments)).transpose()?;
    let scratch = output.as_ref().map_or_else(std::env::temp_dir, OutputFile::scratch);
    let positions = Positions { arguments, listing, sample, scratch };
    let say_if_empty = |count: u64| {
        if count == 0 && arguments.limit != Some(0) && !arguments.quiet {
            complain(format_args!("there are no {}", described(arguments)));
        }
    };
    let Some(output) = output else {
        let mut out = BufWriter::new(streams::stdout());
        let count = positions.write(&mut out)?;
        out.flush()?;
        say_if_empty(count);
        return Ok(());
    };
    let mut written = None;
    output.finish(&mut |writer| {
        let mut checked = HashingWriter::new(writer);
        let count = positions.write(&mut checked)?;
        written = Some((count, checked.finish()));
        Ok(())
    })?;
    // There is no count if the reader of a pipe has left.
    let Some((count, (bytes, sha256))) = written else { return Ok(()) };
    if let Some(sidecar) = sidecar {
        let document = positions.sidecar(count, bytes, sha256);
        sidecar.finish(&mut |writer| document.write(writer))?;
    }
    say_if_empty(count);
    Ok(())
}

/// What is listed, in words: `mates with 6 doves on the shape xx;xx`.
fn described(arguments: &Arguments) -> String {
    let doves = &arguments.doves;
    let category = match arguments.what {
        Category::Wins => "wins in one",
        category => category.name(),
    };
    let place = match &arguments.shape {
        Some(shape) => format!("on the shape {}", shape.escape_debug()),
        None if doves.start() == doves.end() => format!("with {} doves", doves.start()),
        None => format!("with {} to {} doves", doves.start(), doves.end()),
    };
    let rules = arguments.rules.rules();
    let rules = if rules == Rules::default() { String::new() } else { format!(" ({})", words(rules)) };
    format!("{category} {place}{rules}")
}

fn listing(arguments: &Arguments) -> Result<Listing, Failure> {
    let (category, rules) = (arguments.what, arguments.rules.rules());
    let Some(text) = &arguments.shape else {
        return Ok(Listing::new(category, &arguments.doves, rules));
    };
    let shape =
        read_shape(text).map_err(|error| Failure::Usage(format!("--shape '{}': {error}", text.escape_debug())))?;
    if !arguments.doves.contains(&shape.doves()) {
        let (text, doves) = (text.escape_debug(), shape.doves());
        let message = format!("--shape '{text}' holds {doves} doves, which --doves leaves out");
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
    Ok(ranks.locate(&sample(total, k, arguments.seed)))
}

impl Positions<'_> {
    /// Writes all positions in the chosen format and returns their number.
    fn write(&self, writer: &mut dyn Write) -> io::Result<u64> {
        let mut written = 0;
        if self.arguments.format == Format::Tdl {
            let mut sorter = Sorter::new(&self.scratch, tdl::RUN);
            self.each(|code| sorter.push(code.invariant(Color::Red)))?;
            return sorter.write(writer);
        }
        if self.arguments.format == Format::Csv {
            writeln!(writer, "doves,board,u64")?;
        }
        self.each(|code| {
            written += 1;
            let invariant = || code.invariant(Color::Red);
            match self.arguments.format {
                Format::U64 => writeln!(writer, "{}", invariant()),
                Format::Csv => writeln!(writer, "{},{},{}", code.count(), code.text(), invariant()),
                Format::Text | Format::Tdl => writeln!(writer, "{}", code.text()),
            }
        })?;
        Ok(written)
    }

    fn each(&self, mut found: impl FnMut(Code) -> io::Result<()>) -> io::Result<()> {
        if let Some(sample) = &self.sample {
            return sample.iter().try_for_each(|&code| found(code));
        }
        let limit = self.arguments.limit.unwrap_or(u64::MAX);
        if limit == 0 {
            return Ok(());
        }
        // Positions and a progress bar on the same terminal would overwrite each other.
        let is_shared = self.arguments.output_is_stdout() && io::stdout().is_terminal();
        let progress = Progress::new(self.arguments.quiet || is_shared);
        progress.begin(self.listing.assignments());
        let mut left = limit;
        let flow = self.listing.each(
            |code| {
                if let Err(error) = found(code) {
                    return ControlFlow::Break(Err(error));
                }
                left -= 1;
                if left == 0 { ControlFlow::Break(Ok(())) } else { ControlFlow::Continue(()) }
            },
            |assignments| progress.advance(assignments),
        );
        flow.break_value().unwrap_or(Ok(()))
    }

    fn sidecar(&self, positions: u64, bytes: u64, sha256: String) -> Sidecar {
        let arguments = self.arguments;
        let rules = arguments.rules.rules();
        let mut part = Vec::new();
        if let Some(shape) = &arguments.shape {
            part.push(format!("on the shape {shape}"));
        }
        if let Some(limit) = arguments.limit {
            part.push(format!("the first {limit}"));
        }
        if let Some(k) = arguments.sample {
            part.push(format!("a sample of {k} with seed {}", arguments.seed));
        }
        Sidecar {
            category: arguments.what,
            part: (!part.is_empty()).then(|| part.join(", ")),
            doves: [*arguments.doves.start(), *arguments.doves.end()],
            rules,
            positions,
            bytes,
            sha256,
        }
    }
}
