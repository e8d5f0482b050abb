//! `dovemate report`: the results as a web page.

use std::path::PathBuf;

use clap::Args;

use crate::io::command_line::command_line;
use crate::io::failure::{Failure, complain};
use crate::io::host::Host;
use crate::io::output::OutputFile;
use crate::io::progress::Progress;
use crate::io::text_table::grouped;
use crate::options::job::JobArguments;
use crate::options::language::LanguageArguments;
use crate::options::rules::RuleArguments;
use crate::pages::report::{Page, Samples, SolvedGames};
use dovemate::internals::count::Category;
use dovemate::internals::count::tally::Comparison;
use dovemate::internals::run::Report;
use dovemate::internals::shapes::positions::{Convention, positions};

/// Write the counts as a web page: one file that needs no network.
///
/// The page shows the counts as a table and a chart, the shapes with the most mates, pictures of mates with the fewest
/// doves, solved games with fewer doves, and how and where everything was computed. It suits phones and desktops, light
/// and dark.
#[derive(Args)]
#[command(after_help = "Examples:\n  dovemate report\n  dovemate report --doves 2..8 -o report-8.html")]
pub struct Arguments {
    /// Write to this file
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    #[command(flatten)]
    job: JobArguments,
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    language: LanguageArguments,
    /// No progress and no summary on standard error
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.job.engine.check()?;
    let file = OutputFile::open(&arguments.output)?;
    let rules = arguments.rules.rules();
    let (mates, wins) = (count(arguments, Category::Mates)?, count(arguments, Category::Wins)?);
    let page = Page {
        language: arguments.language.language(),
        rules,
        positions: positions(&arguments.job.doves, Convention::Exact),
        samples: Samples::draw(&mates.tally, rules).map_err(Failure::Contradiction)?,
        solved: arguments.job.threads.pool()?.install(|| SolvedGames::solve(rules))?,
        mates,
        wins,
        command: command_line(),
        host: Host::now(),
    };
    file.finish_text(&page.html())?;

    let total = grouped(page.mates.tally.total().positions);
    let verdict = match page.mates.tally.compare(rules) {
        Comparison::Agrees => "as published",
        Comparison::Unpublished => "no figure is published for this",
        Comparison::Contradicts(published) => {
            let message = format!("{total} mates contradict the published {}; the page says so", grouped(published));
            return Err(Failure::Contradiction(message));
        }
    };
    if !arguments.quiet {
        complain(format_args!("{}: {total} mates, {verdict}", arguments.output.display()));
    }
    Ok(())
}

fn count(arguments: &Arguments, category: Category) -> Result<Report, Failure> {
    let progress = Progress::new(arguments.quiet);
    Ok(arguments.job.count(category).rules(arguments.rules.rules()).observer(&progress).report()?)
}
