//! The command line: one file for each command, and the code that they share.

mod about_gpu;
mod adapters;
mod ask;
mod bench;
mod bench_solve;
mod best;
mod command_line;
mod completions;
mod count;
mod count_game;
mod explain;
mod game;
mod games;
mod host;
mod input;
mod job;
mod list;
mod man;
mod memory;
mod output;
mod parse;
mod play;
mod positions;
mod process;
mod progress;
mod puzzles;
mod report;
mod room;
mod rules;
mod run_columns;
mod show;
mod solve;
mod svg;
mod tablebase;
mod tdl_file;
mod text_table;
mod threads;
mod verify;

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use dovemate::run::{NoGpu, RunError};

/// The exit statuses, for the help and the manual.
const EXIT_STATUS: &str = "Exit status:
  0    done; also if a GPU failed and the CPU finished, or if the reader of a pipe left
  1    failed: for instance a file cannot be read or written, or --backend gpu finds no GPU
  2    wrong arguments
  3    a contradiction: between a result and a published figure or another result, or a file and its checksum
  130  interrupted";

/// Exact, exhaustive analysis of the board game Tokyo Doves, on the GPU and the CPU.
#[derive(Parser)]
#[command(name = "dovemate", version, about, max_term_width = 100, after_help = EXIT_STATUS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Count(count::Arguments),
    Positions(positions::Arguments),
    Verify(verify::Arguments),
    Bench(bench::Arguments),
    Adapters(adapters::Arguments),
    Show(show::Arguments),
    Solve(solve::Arguments),
    Explain(explain::Arguments),
    List(list::Arguments),
    Svg(svg::Arguments),
    Best(best::Arguments),
    Puzzles(puzzles::Arguments),
    Play(play::Arguments),
    Report(report::Arguments),
    Games(games::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Why a command ends without success.
enum Failure {
    /// The command could not be carried out: exit status 1.
    Failed(anyhow::Error),
    /// The arguments make no sense: exit status 2.
    Usage(String),
    /// A result contradicts a published figure or another result, or a file its checksum: exit status 3.
    Contradiction(String),
    /// The reader of standard output has closed it: exit status 0.
    ReaderGone,
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Failed(error)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Selection(error) => Failure::Usage(format!("--adapter: {error}")),
            RunError::NoAdapter(reason) => {
                let hint = if reason == NoGpu::NoAdapter { "; --backend cpu works without one" } else { "" };
                Failure::Failed(anyhow::anyhow!("no GPU found: {}{hint}", job::advised(&reason)))
            }
            // Its text already includes the cause.
            other => Failure::Failed(anyhow::anyhow!(other.to_string())),
        }
    }
}

/// Converts an error from writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe if process::is_stdout_closed() => {
                Failure::Failed(anyhow::anyhow!("standard output cannot be written: it is closed"))
            }
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::Failed(anyhow::anyhow!("standard output cannot be written: {error}")),
        }
    }
}

/// Runs the program and returns its exit status.
pub fn main() -> ExitCode {
    let (message, status) = match process::prepare().and_then(|()| parse_and_run()) {
        Ok(status) => return status,
        Err(Failure::ReaderGone) => return ExitCode::SUCCESS,
        Err(Failure::Failed(error)) => (format!("{error:#}"), 1),
        Err(Failure::Usage(message)) => (message, 2),
        Err(Failure::Contradiction(message)) => (message, 3),
    };
    complain(format_args!("error: {message}"));
    ExitCode::from(status)
}

fn parse_and_run() -> Result<ExitCode, Failure> {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            // If this cannot be written, nothing can be reported.
            let _ = error.print();
            return Ok(ExitCode::from(2));
        }
        // Help and version are results: failing to write them is a failure.
        Err(help) => {
            help.print()?;
            io::stdout().flush()?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    match arguments.command {
        Command::Count(arguments) => count::run(&arguments),
        Command::Positions(arguments) => positions::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Adapters(arguments) => adapters::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Svg(arguments) => svg::run(&arguments),
        Command::Best(arguments) => best::run(&arguments),
        Command::Puzzles(arguments) => puzzles::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a line to standard error. An error in doing so is ignored: there is nowhere left to report it.
fn complain(message: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{message}");
}
