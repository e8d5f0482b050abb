//! The program: parses the command line and runs a command.
//!
//! `commands` has a module for each command, `options` the arguments that several commands share, `io` the input and
//! output of the process, `serve` the board page's server, `verify` the claims that `dovemate verify` checks.
#![forbid(unsafe_code)]

mod commands;
mod help;
mod io;
mod options;
mod serve;
mod verify;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use commands::{
    adapters, bench, best, count, explain, list, openings, play, positions, puzzles, show, solve, svg,
};
#[cfg(feature = "packaging")]
use commands::{completions, man};
use dovemate::gpu::child;
use dovemate_web::documents::COMMIT;
use io::{Failure, complain, has_control, one_line, process, streams};

/// The exit statuses, for the help and the manual.
const EXIT_STATUS: &str = "Exit status:
  0    done; also if a GPU failed and the CPU's count stands
  1    failed: a file cannot be read, memory runs out, no GPU is found, and more
  2    wrong arguments, or a game that certainly does not fit in memory
  3    a contradiction between results, or with a published figure or a checksum
  130  interrupted by Ctrl-C, as a shell shows it; `serve` ends with 0";

/// Options of earlier versions and commands of other builds, each with a hint for a user who types it.
const ELSEWHERE: [(&str, &str); 9] = [
    ("--backends", "--backend names what is measured beside the CPU"),
    ("--distances", "tables always have the distances; --keep wins keeps only who wins"),
    ("--keep-rounds", "write --keep rounds"),
    ("--part", "write --share P:R:I/N"),
    ("--round", "write --share R:I/N"),
    ("--shard", "write --share R:I/N"),
    ("--values-only", "write --keep wins"),
    ("completions", "releases and builds with --features packaging have it"),
    ("man", "releases and builds with --features packaging have it"),
];

/// Exact, exhaustive analysis of the board game Tokyo Doves, on the GPU and the CPU.
#[derive(Parser)]
#[command(name = "dovemate", bin_name = "dovemate", version = env!("DOVEMATE_VERSION"), max_term_width = 100, after_help = EXIT_STATUS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Count(count::Arguments),
    Positions(positions::Arguments),
    Verify(commands::verify::Arguments),
    Bench(bench::Arguments),
    Adapters(adapters::Arguments),
    Show(show::Arguments),
    Solve(solve::Arguments),
    Explain(explain::Arguments),
    List(list::Arguments),
    Svg(svg::Arguments),
    Best(best::Arguments),
    Openings(openings::Arguments),
    Puzzles(puzzles::Arguments),
    Play(play::Arguments),
    Serve(commands::serve::Arguments),
    #[cfg(feature = "packaging")]
    Completions(completions::Arguments),
    #[cfg(feature = "packaging")]
    Man(man::Arguments),
}

fn main() -> ExitCode {
    if child::begin() {
        return ExitCode::SUCCESS;
    }
    dovemate::waiting::announce(|line| complain(format_args!("{line}")));
    if let Some(commit) = option_env!("DOVEMATE_COMMIT") {
        let _ = COMMIT.set(commit);
    }
    process::prepare();
    let (message, status) = match parse_and_run() {
        Ok(status) => return status,
        Err(Failure::ReaderGone) => return ExitCode::SUCCESS,
        Err(Failure::Failed(error)) => (one_line(&error), 1),
        Err(Failure::Usage(message)) => (message, 2),
        Err(Failure::Contradiction(message)) => (message, 3),
    };
    complain(format_args!("error: {message}"));
    ExitCode::from(status)
}

/// The arguments. If the program is opened from the Windows desktop, without arguments, it opens the board page: its
/// console closes when it ends, so nobody could read its output.
fn given() -> Vec<OsString> {
    let mut given: Vec<OsString> = std::env::args_os().collect();
    if given.len() == 1 && process::is_from_desktop() {
        given.extend(["serve", "--open"].map(OsString::from));
    }
    given
}

fn parse_and_run() -> Result<ExitCode, Failure> {
    let mut program = help::with_help(Arguments::command());
    let given = options::ascii::arguments(&program, given().into_iter());
    let parsed = program.try_get_matches_from_mut(given);
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            if std::env::args_os().len() <= 1 && std::io::stderr().is_terminal() {
                complain(format_args!(
                    "to play or to look at positions: `dovemate serve --open` opens a board"
                ));
                complain(format_args!(""));
            }
            let kinds = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand];
            let wrong = kinds.iter().find_map(|kind| error.get(*kind));
            if let Some(ContextValue::String(word)) = wrong
                && let Some((_, now)) = ELSEWHERE.iter().find(|(before, _)| word == before)
            {
                complain(format_args!("error: there is no {word} here: {now}"));
                return Ok(ExitCode::from(2));
            }
            if std::env::args_os().any(|argument| has_control(&argument.to_string_lossy())) {
                error.render().to_string().lines().for_each(|line| complain(format_args!("{line}")));
            } else {
                // If this cannot be written, there is nowhere left to report it.
                let _ = error.print();
            }
            return Ok(ExitCode::from(2));
        }
        // Help and version are results: failing to write them is a failure.
        Err(help) => {
            let mut out = streams::coloured();
            write!(out, "{}", help.render().ansi())?;
            out.flush()?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    match arguments.command {
        Command::Count(arguments) => count::run(&arguments),
        Command::Positions(arguments) => positions::run(&arguments),
        Command::Verify(arguments) => commands::verify::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Adapters(arguments) => adapters::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Svg(arguments) => svg::run(&arguments),
        Command::Best(arguments) => best::run(&arguments),
        Command::Openings(arguments) => openings::run(&arguments),
        Command::Puzzles(arguments) => puzzles::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        #[cfg(feature = "packaging")]
        Command::Completions(arguments) => completions::run(&arguments, Arguments::command()),
        #[cfg(feature = "packaging")]
        Command::Man(arguments) => man::run(&arguments, Arguments::command(), EXIT_STATUS),
    }?;
    Ok(ExitCode::SUCCESS)
}
