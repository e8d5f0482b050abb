//! `dovemate solve`: finds the value of every position of a game, with its distance in plies.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use super::best::ending;
use crate::cli::io::about_gpu::advised;
use crate::cli::io::failure::{Failure, complain};
use crate::cli::io::output::open_exports;
use crate::cli::io::progress::{Progress, Rounds};
use crate::cli::io::text_table::{Table, cpu_threads, grouped, seconds};
use crate::cli::options::game::GameArguments;
use crate::cli::options::job::BackendArguments;
use crate::cli::options::parse::number;
use crate::cli::options::room::{self, DRIVER_BYTES, Room};
use crate::cli::options::tablebase;
use crate::cli::options::threads::ThreadArguments;
use dovemate::ask::{Asker, Limits, Values, texts};
use dovemate::digits::counted;
use dovemate::retrograde::Value;
use dovemate::rules::{Board, Color, DoveSet, Game, Kind, Rules};
use dovemate::run::solve::{Job, OnGpu, Report};
use dovemate::run::{self, Backend, NoGpu, Observer, RunError};
use dovemate::solve::by_parts::{self, ByParts, Event, SMALL_BYTES};
use dovemate::solve::check::{self, Checked, Wrong};
use dovemate::solve::files::journal::{ROUNDS, Shard};
use dovemate::solve::files::keep::Keep;
use dovemate::solve::files::tables::{CACHE_BYTES, MANIFEST, Tablebase, groups};
use dovemate::solve::files::whole;
use dovemate::solve::handover::hand_over;
use dovemate::solve::solved::{Row, Solution};
use dovemate::solve::space::layout::Layout;
use dovemate::solve::{self, Halted, Longest, Options, Solved};

/// The kinds of the default game: three for each player.
const USUAL: [Kind; 3] = [Kind::Aniki, Kind::Yaibato, Kind::Mamedeppo];
/// The seed of the sample of positions to check.
const SEED: u64 = 2022;
/// The format number of the JSON export.
const FORMAT: u32 = 1;

/// Solve a game: who wins from every position, and in how many plies.
///
/// Every position is decided: all boards with doves of the game on which no boss is surrounded, with each player to
/// move. Then values are checked by the literal rules against those of their successors: all values of a small game, a
/// sample of a large one.
///
/// With --tables, the solved game is kept in files, which best, play, puzzles and serve can read. Finished tables are
/// read and verified instead of solving again; unfinished ones are completed. A game that does not fit in memory is
/// solved with its rounds in files there, without returns part by part; if that is interrupted, the same command
/// continues it.
///
/// With --keep-rounds, no tables are written and the game stays in its rounds, which best and play can read too. They
/// take much disk space. With --keep-rounds N, a round is dropped as soon as nothing needs it, except on boards with up
/// to N doves and on a sample of all boards; of boards with more doves it is then known who wins, but not in how many
/// plies.
///
/// --round and --shard do one share of one round in such a folder, so that many processes can solve a game together:
/// each does its share, and the last of them finishes the round.
#[derive(Args, Clone)]
#[command(after_help = "Without dove sets, a game that takes seconds is solved: A Y M for both.

Examples:
  dovemate solve
  dovemate solve --kinds AYT --no-return --csv ayt.csv
  dovemate solve --red AY --green MT
  dovemate solve --kinds AYMT --values-only
  dovemate solve --kinds AYMT --tables tables
  dovemate solve --kinds AYMTH --no-return --tables tables --keep-rounds
  dovemate solve --kinds AYMTH --tables tables --keep-rounds 6
  dovemate solve --kinds AYMT --tables tables --round 7 --shard 2/8
  dovemate solve --backend gpu")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Find only who wins, not in how many plies; takes less memory
    #[arg(long)]
    values_only: bool,
    /// The most memory to use, in GB [default: what is free]
    #[arg(long, value_name = "GB", value_parser = gigabytes)]
    memory: Option<u64>,
    /// Keep the solved game in its own folder below this one
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Solve with the rounds in files below --tables, and leave the game in them; with N, keep distances only on boards
    /// with up to N doves, and who wins on all others
    #[arg(long, value_name = "N", num_args = 0..=1, requires = "tables", conflicts_with = "values_only",
        value_parser = number(2..=12_u32))]
    keep_rounds: Option<Option<u32>>,
    /// Do only one share of this round, in files below --tables
    #[arg(long, value_name = "R", requires = "tables", requires = "shard", conflicts_with = "values_only",
        value_parser = number(0..=u32::MAX))]
    round: Option<u32>,
    /// The share to do: the I-th of N
    #[arg(long, value_name = "I/N", requires = "round", conflicts_with_all = ["csv", "json", "values_only"],
        value_parser = shard)]
    shard: Option<Shard>,
    /// The part of the game that the round belongs to, counted from 1 [default: the first that is not solved]
    #[arg(long, value_name = "P", requires = "round", conflicts_with_all = ["csv", "json", "values_only"],
        value_parser = number(0..=usize::MAX))]
    part: Option<usize>,
    #[command(flatten)]
    place: BackendArguments,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Write the numbers of positions by value as CSV to this file
    #[arg(long, value_name = "FILE", conflicts_with = "round")]
    csv: Option<PathBuf>,
    /// Write the result and how it was made as JSON to this file
    #[arg(long, value_name = "FILE", conflicts_with = "round")]
    json: Option<PathBuf>,
    /// No progress on standard error
    #[arg(long)]
    quiet: bool,
}

/// The game to solve if none is given.
pub fn usual_game(rules: Rules) -> Game {
    let kinds: DoveSet = USUAL.into_iter().collect();
    Game { red: kinds, green: kinds, rules }
}

fn gigabytes(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1e9 => Ok((number * 1e9).round() as u64),
        _ => {
            let form = "write a number of gigabytes above 0 and below 1,000,000,000, as in 8 or 0.5";
            Err(format!("{form}; without --memory, all free memory may be used"))
        }
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    let numbers = || -> Option<(usize, usize)> {
        let (number, of) = text.split_once('/')?;
        Some((number.parse().ok()?, of.parse().ok()?))
    };
    match numbers() {
        Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number: number - 1, of }),
        _ => Err("write the number of the share and the number of shares, as in 2/8".to_owned()),
    }
}

/// The game, solved and checked.
struct Outcome {
    solved: Box<dyn Solved>,
    checked: Checked,
    /// What a GPU did, if one was used.
    gpu: Option<OnGpu>,
    /// Why no GPU was used, if one was allowed.
    no_gpu: Option<NoGpu>,
    start_up: Duration,
    solving: Duration,
    checking: Duration,
    threads: usize,
    tables: Option<Tables>,
}

/// The tables or rounds on disk.
struct Tables {
    /// The folder of the game.
    folder: PathBuf,
    files: u64,
    bytes: u64,
    /// The time to write them, or to read and verify them.
    time: Duration,
    state: State,
}

/// How the files came about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Tables were written.
    Written,
    /// Finished tables were there, and were read instead of solving.
    Read,
    /// There are no tables: the game was left in its rounds.
    Rounds,
    /// The rounds of a solved game were there, and were read instead of solving.
    RoundsRead,
}

impl State {
    /// Whether the game is kept in rounds, not in tables.
    fn is_in_rounds(self) -> bool {
        matches!(self, State::Rounds | State::RoundsRead)
    }

    /// Whether files were read instead of solving.
    fn is_read(self) -> bool {
        matches!(self, State::Read | State::RoundsRead)
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.place.check()?;
    let game = arguments.game.named().unwrap_or_else(|| usual_game(arguments.game.rules.rules()));
    let options = Options { distances: !arguments.values_only };
    let keep = keep(arguments, &game)?;
    let finished = match &arguments.tables {
        Some(folder) => tablebase::open(folder, &game, options.distances)?,
        None => None,
    };
    let room = Room::of(arguments.memory);
    if finished.is_none() && goes_to_files(arguments, &game, &room) {
        return keep_values_in_files(arguments, &game);
    }
    let kept = match (&finished, &arguments.tables) {
        (None, Some(folder)) if arguments.keep_rounds.is_some() && arguments.round.is_none() => {
            tablebase::open_rounds(folder, &game)?.filter(|stored| stored.keeps(keep))
        }
        _ => None,
    };
    let is_there = finished.is_some() || kept.is_some();
    let way = if is_there { Way::InMemory } else { way(arguments, &game, options, &room)? };
    if let (Some(folder), Some(round), Some(shard)) = (&arguments.tables, arguments.round, arguments.shard) {
        return match way {
            Way::InFiles => share(arguments, game, keep, folder, &room, round, shard),
            Way::InMemory => say("the game is solved"),
        };
    }
    let (csv, json) = open_exports(&arguments.csv, &arguments.json)?;

    let outcome = match finished.map(|stored| (stored, State::Read)).or(kept.map(|kept| (kept, State::RoundsRead))) {
        Some((stored, state)) => {
            if let (State::RoundsRead, Keep::UpTo(_), Some(folder)) = (state, keep, &arguments.tables) {
                settle(game, folder, room.in_files(&game, None), keep)?;
            }
            verify(arguments, stored, state, &room)?
        }
        None => match (way, &arguments.tables) {
            (Way::InFiles, Some(folder)) => in_files(arguments, game, keep, folder, &room, None)?,
            (_, folder) => match solve(arguments, game, options, folder.as_deref(), &room)? {
                Ended::Solved(outcome) => *outcome,
                Ended::OutOfMemory => {
                    // They are opened again.
                    drop((csv, json));
                    return keep_values_in_files(arguments, &game);
                }
                Ended::Halted(halted, folder, before) => {
                    if !arguments.quiet {
                        complain(format_args!(
                            "after round {} the game goes on with its rounds in files, as it needs more memory",
                            halted.round
                        ));
                    }
                    let mut outcome = in_files(arguments, game, keep, folder, &room, Some(halted))?;
                    outcome.solving += before;
                    outcome
                }
            },
        },
    };
    if let Some(folder) = arguments.tables.as_ref().filter(|_| options.distances && arguments.keep_rounds.is_none()) {
        remove_rounds(&tablebase::of_game(folder, &game, true));
    }
    let longest = outcome.solved.longest().map(|longest| Longer::of(game, &outcome.solved, longest));
    if let Some(file) = csv {
        file.finish(&mut |writer| outcome.solved.solution().write_csv(writer))?;
    }
    if let Some(file) = json {
        file.finish_json(&Document::of(arguments, &outcome, longest.as_ref()))?;
    }
    let mut out = anstream::stdout().lock();
    write!(out, "{}", text(&outcome, longest.as_ref()))?;
    Ok(out.flush()?)
}

/// Solves a game without distances in files, since memory does not hold it.
fn keep_values_in_files(arguments: &Arguments, game: &Game) -> Result<(), Failure> {
    if !arguments.quiet {
        complain(format_args!("{game} does not fit in memory: who wins is kept in files, as with --keep-rounds 2"));
    }
    run(&Arguments { values_only: false, keep_rounds: Some(Some(2)), ..arguments.clone() })
}

/// Which rounds to keep.
fn keep(arguments: &Arguments, game: &Game) -> Result<Keep, Failure> {
    let most = game.most_doves();
    match arguments.keep_rounds.flatten() {
        None => Ok(Keep::Everything),
        Some(doves) if (2..=most).contains(&doves) => Ok(Keep::UpTo(doves)),
        Some(doves) => {
            let message = format!(
                "--keep-rounds {doves}: boards of {game} have 2 to {most} doves, bosses included; write one of these \
                 numbers, or none to keep all rounds"
            );
            Err(Failure::Usage(message))
        }
    }
}

/// Where the rounds are kept while a game is solved.
#[derive(Clone, Copy)]
enum Way {
    InMemory,
    InFiles,
}

/// How to solve a game in the memory that may be used.
///
/// # Errors
/// If it cannot be solved in that memory, or the options exclude each other.
fn way(arguments: &Arguments, game: &Game, options: Options, room: &Room) -> Result<Way, Failure> {
    let there = arguments.tables.as_ref().filter(|folder| options.distances && tablebase::has_rounds(folder, game));
    let must_go_to_files = arguments.shard.is_some() || arguments.keep_rounds.is_some() || there.is_some();
    let can_go_to_files = arguments.tables.is_some() && options.distances;
    let hints = hints(arguments, options);
    let in_memory = solve::memory(game, options) + hints.driver();
    // A GPU that is named never leaves the game to files.
    if !can_go_to_files || !must_go_to_files && (room.fits(in_memory) || names_gpu(arguments)) {
        room.check(game, in_memory, &hints).map_err(Failure::Usage)?;
        return Ok(Way::InMemory);
    }
    if names_gpu(arguments) {
        let why = if there.is_some() { ", and rounds of this one are there" } else { "" };
        let message =
            format!("a game with its rounds in files is solved on the CPU{why}; leave out --backend gpu and --adapter");
        return Err(Failure::Usage(message));
    }
    room.check(game, by_parts::memory(game).least, &hints).map_err(Failure::Usage)?;
    Ok(Way::InFiles)
}

/// Whether a game without distances is solved in files from the beginning, since memory certainly does not hold it.
fn goes_to_files(arguments: &Arguments, game: &Game, room: &Room) -> bool {
    let fits = room.fits(solve::memory(game, Options { distances: false }));
    arguments.values_only && arguments.tables.is_some() && !fits && !names_gpu(arguments)
}

/// The options that need less memory and are still open.
fn hints(arguments: &Arguments, options: Options) -> room::Way {
    let names_gpu = names_gpu(arguments);
    let may_use_files = arguments.tables.is_none() || names_gpu;
    room::Way { names_gpu, may_use_files, may_drop_distances: options.distances }
}

/// Whether a GPU is asked for, so that the CPU must not take its place.
fn names_gpu(arguments: &Arguments) -> bool {
    arguments.place.backend() == Backend::Gpu || arguments.place.adapter().is_some()
}

/// Removes rounds that an interrupt may have left beside finished tables.
fn remove_rounds(folder: &Path) {
    let rounds = folder.join(ROUNDS);
    match std::fs::remove_dir_all(&rounds) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            complain(format_args!("{} is no longer needed, but cannot be removed: {error}", rounds.display()));
        }
        _ => {}
    }
}

/// Writes a line to standard output.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    Ok(writeln!(out, "{text}").and_then(|()| out.flush())?)
}

/// Progress of solving a game in files.
struct FileProgress {
    rounds: Rounds,
    writing: Progress,
}

impl FileProgress {
    fn new(is_quiet: bool) -> FileProgress {
        FileProgress { rounds: Rounds::new(is_quiet), writing: Progress::of("groups written", is_quiet) }
    }

    fn show(&self, event: Event) {
        match event {
            Event::Part { number, of, round } => {
                self.rounds.begin(&format!("part {} of {of}, round {round}", number + 1));
            }
            Event::Round(round) => self.rounds.show(&round),
            Event::Disk { used, next, free } => {
                let [used, next, free] = [used, next, free].map(|bytes| bytes as f64 / 1e9);
                self.rounds.note(format!("; {used:.3} GB on disk, the next round about {next:.3}, {free:.1} free"));
            }
            Event::Writing { groups } => {
                if self.writing.is_at_rest() {
                    self.rounds.finish();
                    self.writing.begin(groups);
                }
                self.writing.advance(1);
            }
        }
    }
}

/// Drops rounds that are not to be kept and that an interrupt may have left, if the folder can be written.
fn settle(game: Game, folder: &Path, memory: Option<u64>, keep: Keep) -> Result<(), Failure> {
    match tablebase::prepare(folder, &game, true) {
        Ok(folder) => Ok(ByParts::new(Layout::new(game), &folder, SMALL_BYTES, memory, keep)?.settle(&whole::create)?),
        Err(_) => Ok(()),
    }
}

/// Solves with the rounds in files, then verifies the resulting tables or checks the rounds. The rounds of a halted
/// solver are written first.
fn in_files(
    arguments: &Arguments,
    game: Game,
    keep: Keep,
    folder: &Path,
    room: &Room,
    halted: Option<Box<Halted>>,
) -> Result<Outcome, Failure> {
    let started = Instant::now();
    let memory = room.in_files(&game, halted.as_ref().map(|halted| halted.fixed));
    let progress = FileProgress::new(arguments.quiet);
    let solving = arguments.threads.pool()?.install(|| {
        let folder = tablebase::prepare(folder, &game, true)?;
        let game = match halted {
            None => ByParts::new(Layout::new(game), &folder, SMALL_BYTES, memory, keep)?,
            Some(halted) => hand_over(halted, &folder, SMALL_BYTES, memory, &whole::create)?,
        };
        let show = |event| progress.show(event);
        game.solve(None, &whole::create, &show)?;
        let solving = started.elapsed();
        if arguments.keep_rounds.is_none() {
            game.write(&whole::create, &show)?;
        }
        Ok::<Duration, Failure>(solving)
    })?;
    progress.rounds.finish();
    progress.writing.finish();
    let writing = started.elapsed() - solving;
    let (stored, state) = match arguments.keep_rounds.is_some() {
        true => (tablebase::open_rounds(folder, &game)?, State::Rounds),
        false => (tablebase::open(folder, &game, true)?, State::Written),
    };
    let stored = stored.expect("all parts are solved");
    let mut outcome = verify(arguments, stored, state, room)?;
    outcome.solving = solving;
    if let Some(tables) = &mut outcome.tables {
        tables.time = writing;
    }
    Ok(outcome)
}

/// Does one share of one round.
fn share(
    arguments: &Arguments,
    game: Game,
    keep: Keep,
    folder: &Path,
    room: &Room,
    round: u32,
    shard: Shard,
) -> Result<(), Failure> {
    let memory = room.in_files(&game, None);
    let folder = tablebase::prepare(folder, &game, true)?;
    let progress = FileProgress::new(arguments.quiet);
    let (found, is_solved) = arguments.threads.pool()?.install(|| {
        let game = ByParts::new(Layout::new(game), &folder, SMALL_BYTES, memory, keep)?;
        let part = match arguments.part {
            Some(part) if part == 0 || part > game.parts() => {
                let message = match game.parts() {
                    1 => format!("--part {part}: this game has one part only; leave --part out"),
                    parts => format!("--part {part}: this game has parts 1 to {parts}; write one of these numbers"),
                };
                return Err(Failure::Usage(message));
            }
            Some(part) => part - 1,
            None => game.unsolved()?.unwrap_or(game.parts() - 1),
        };
        let most = game.most_shards(part);
        if shard.of > most {
            let message =
                format!("--shard {}/{}: the part can be cut into at most {most} shares", shard.number + 1, shard.of);
            return Err(Failure::Usage(message));
        }
        let show = |event| progress.show(event);
        let found = game.find(part, round, shard, &whole::create, &show)?;
        let is_solved = !found && game.unsolved()?.is_none();
        // Several processes may get here; only one may write tables and remove the rounds.
        if is_solved && shard.number == 0 {
            match arguments.keep_rounds {
                None => game.write(&whole::create, &show)?,
                Some(_) => game.settle(&whole::create)?,
            }
        }
        Ok((found, is_solved && (arguments.keep_rounds.is_some() || folder.join(MANIFEST).exists())))
    })?;
    progress.rounds.finish();
    progress.writing.finish();
    let Shard { number, of } = shard;
    let text = match (found, is_solved) {
        (true, _) => format!("round {round}: share {} of {of} is done", number + 1),
        (false, true) => "the game is solved".to_owned(),
        (false, false) => "the part is solved".to_owned(),
    };
    say(&text)
}

/// How solving in memory ended.
enum Ended<'a> {
    Solved(Box<Outcome>),
    /// Memory ran out; without distances, there are no rounds to go on from, but there is a folder of tables.
    OutOfMemory,
    /// Memory ran out, but the rounds can go to a folder of tables, given here with the time used so far.
    Halted(Box<Halted>, &'a Path, Duration),
}

/// Solves, checks, and writes tables if there is a folder for them.
fn solve<'a>(
    arguments: &Arguments,
    game: Game,
    options: Options,
    folder: Option<&'a Path>,
    room: &Room,
) -> Result<Ended<'a>, Failure> {
    let prepare = |folder: &Path| tablebase::prepare(folder, &game, options.distances);
    let of_game = folder.map(prepare).transpose()?;
    let started = Instant::now();
    let pool = arguments.threads.pool()?;
    let threads = pool.current_num_threads();
    pool.install(|| {
        let mut job = Job::new(game, options);
        (job.backend, job.adapter) = (arguments.place.backend(), arguments.place.adapter().cloned());
        let may_go_to_files = folder.is_some() && !names_gpu(arguments);
        job.bounds = if may_go_to_files && options.distances { room.bounds_before_files() } else { room.bounds() };
        if !names_gpu(arguments) && !room.fits(solve::memory(&game, options) + DRIVER_BYTES) {
            job.backend = Backend::Cpu;
        }
        let rounds = Rounds::new(arguments.quiet);
        let report = run::solve(&job, &rounds, &|round| rounds.show(&round));
        rounds.finish();
        let Report { solved, gpu, no_gpu, start_up, solving, .. } = match (report, folder) {
            (Err(RunError::Halted(halted)), Some(folder)) if may_go_to_files => {
                return Ok(match options.distances {
                    true => Ended::Halted(halted, folder, started.elapsed()),
                    false => {
                        // The folder for tables without distances, if nothing is in it.
                        let _ = of_game.map(std::fs::remove_dir);
                        Ended::OutOfMemory
                    }
                });
            }
            (Err(RunError::Halted(halted)), _) => {
                let message = room.halted(&game, &halted, &hints(arguments, options));
                return Err(Failure::Failed(anyhow::anyhow!(message)));
            }
            (report, _) => report?,
        };
        let (checked, checking) = check(arguments, &*solved, check::check)?;
        let write = |folder: PathBuf| write(arguments, &*solved, game, options, &folder);
        let tables = of_game.map(write).transpose()?;
        let outcome = Outcome { solved, checked, gpu, no_gpu, start_up, solving, checking, threads, tables };
        Ok(Ended::Solved(Box::new(outcome)))
    })
}

/// A way to check values.
type Check = fn(&dyn Solved, u64, &(dyn Fn() + Sync)) -> Result<Checked, Box<Wrong>>;

/// Checks values by the literal rules; returns the result and the time taken.
fn check(arguments: &Arguments, solved: &dyn Solved, check: Check) -> Result<(Checked, Duration), Failure> {
    let started = Instant::now();
    let progress = Progress::of("positions checked", arguments.quiet);
    progress.begin(check::places_checked(solved.places()));
    let checked = check(solved, SEED, &|| progress.advance(1));
    progress.finish();
    let checked = checked.map_err(|wrong| Failure::Contradiction(wrong.to_string()))?;
    Ok((checked, started.elapsed()))
}

/// Writes tables, and opens them.
fn write(
    arguments: &Arguments,
    solved: &dyn Solved,
    game: Game,
    options: Options,
    folder: &Path,
) -> Result<Tables, Failure> {
    let started = Instant::now();
    let progress = Progress::of("groups written", arguments.quiet);
    progress.begin(groups(solved.layout()));
    let written = tablebase::write(solved, folder, &|| progress.advance(1));
    progress.finish();
    written?;
    let stored = Tablebase::open_finished(folder, game, options.distances)?;
    Tables::of(&stored, started.elapsed(), State::Written)
}

/// Reads and verifies tables or rounds, then checks their values as if they had just been solved. Rounds that this run
/// wrote are read only as far as the check needs.
fn verify(arguments: &Arguments, stored: Tablebase, state: State, room: &Room) -> Result<Outcome, Failure> {
    let stored = match room.cache() {
        // Nothing else needs memory now. Each group of a game in rounds is put together from all of its rounds, so they
        // get all of the cache.
        Some(bytes) => stored.with_cache(bytes.min(if state.is_in_rounds() { bytes } else { CACHE_BYTES })),
        None => stored,
    };
    let pool = arguments.threads.pool()?;
    let threads = pool.current_num_threads();
    pool.install(|| {
        let started = Instant::now();
        if state != State::Rounds {
            let unit = if state == State::RoundsRead { "rounds read" } else { "groups read" };
            let progress = Progress::of(unit, arguments.quiet);
            progress.begin(stored.steps());
            let verified = stored.verify(&|| progress.advance(1));
            progress.finish();
            verified?;
        }
        let tables = Tables::of(&stored, started.elapsed(), state)?;
        let how = if state.is_in_rounds() { check::check_near } else { check::check };
        let (checked, checking) = check(arguments, &stored, how)?;
        Ok(Outcome {
            solved: Box::new(stored),
            checked,
            gpu: None,
            no_gpu: None,
            start_up: Duration::ZERO,
            solving: Duration::ZERO,
            checking,
            threads,
            tables: Some(tables),
        })
    })
}

impl Tables {
    fn of(stored: &Tablebase, time: Duration, state: State) -> Result<Tables, Failure> {
        let (files, bytes) = stored.on_disk()?;
        Ok(Tables { folder: stored.folder().to_owned(), files, bytes, time, state })
    }

    /// One line about the files.
    fn text(&self, solution: &Solution) -> String {
        let Tables { folder, files, bytes, time, state } = self;
        let bits = 8.0 * *bytes as f64 / solution.count(|_| true) as f64;
        let size = format!("{} bytes, {bits:.3} bits a position", grouped(*bytes));
        let (folder, time) = (folder.display(), seconds(*time));
        match state {
            State::Written => format!("tables written: {folder}, {files} files, {size}, in {time}"),
            State::Read => {
                format!("tables read and verified instead of solving: {folder}, {files} files, {size}, in {time}")
            }
            State::Rounds => format!("left in its rounds: {folder}, {size}"),
            State::RoundsRead => format!("rounds read and verified instead of solving: {folder}, {size}, in {time}"),
        }
    }
}

/// A longest win or loss, with a line of best play.
struct Longer {
    longest: Longest,
    line: Vec<String>,
    ending: String,
}

impl Longer {
    fn of(game: Game, values: &dyn Values, longest: Longest) -> Longer {
        let mut asker = Asker::new(game, Some(values));
        let ranking = asker.rank(&longest.board, longest.mover, Limits { plies: 0, deadline: None });
        let line = asker.line(ranking.expect("it is a position of the game").actions.first(), longest.mover, 0);
        Longer { line: texts(&longest.board, &line), ending: ending(&game, &line, longest.mover), longest }
    }
}

/// The value of the start with a player to move; its distance counts only if distances are known.
fn start(solved: &dyn Solved, mover: Color) -> Value {
    solved.value(&Board::default(), mover).expect("the start is a position of every game")
}

/// A value in words, with its distance only if distances are known.
fn words(value: Value, solution: &Solution) -> String {
    if solution.has_distances { value.to_string() } else { value.name().to_owned() }
}

/// The whole result as text.
fn text(outcome: &Outcome, longest: Option<&Longer>) -> String {
    let (solved, solution) = (&outcome.solved, outcome.solved.solution());
    let game = solved.game();
    let mut text = String::new();
    let movers: &[Option<Color>] = if game.is_even() { &[None] } else { &[Some(Color::Red), Some(Color::Green)] };
    let _ = writeln!(text, "{game}\n");
    for &mover in movers {
        if let Some(mover) = mover {
            let _ = writeln!(text, "{} to move", mover.name());
        }
        let _ = writeln!(text, "{}", table(solution, mover));
    }
    for &mover in movers {
        let player = mover.unwrap_or(Color::Red);
        let value = words(start(&**solved, player), solution);
        let _ = writeln!(text, "the start, {} to move: {value}", player.name());
    }
    if let Some(Longer { longest, line, ending }) = longest {
        let (board, mover) = (&longest.board, longest.mover.name());
        let _ = writeln!(text, "the longest: {}, {board} with {mover} to move", longest.value);
        if !line.is_empty() {
            let _ = writeln!(text, "  {}{ending}", line.join(" "));
        }
    }
    let threads = cpu_threads(outcome.threads);
    let (rounds, memory) = (counted(solved.rounds().into(), "round", "rounds"), solved.bytes() as f64 / 1e9);
    if outcome.tables.as_ref().is_none_or(|tables| !tables.state.is_read()) {
        let place = match &outcome.gpu {
            Some(gpu) => on_gpu(gpu, &threads),
            None => threads,
        };
        let (time, start_up) = (seconds(outcome.solving), seconds(outcome.start_up));
        let _ = writeln!(text, "solved on {place} in {time}, start-up {start_up}, {rounds}, {memory:.2} GB");
        if let Some(gpu) = &outcome.gpu {
            text += &checked_rounds(gpu);
        }
        if let Some(no_gpu) = &outcome.no_gpu {
            let _ = writeln!(text, "no GPU used: {}", advised(no_gpu));
        }
    }
    let Checked { places, all, placements } = outcome.checked;
    let (places, which) = (grouped(places), if all { "all" } else { "a sample of" });
    let near = placements.map_or(String::new(), |placements| format!(" on {placements} boss placements"));
    let proof = if solution.has_distances { "" } else { " (without distances this proves less)" };
    let time = seconds(outcome.checking);
    let _ = writeln!(text, "checked by the literal rules: {which} {places} places{near}, in {time}{proof}");
    if let Some(tables) = &outcome.tables {
        let _ = writeln!(text, "{}", tables.text(solution));
    }
    text
}

/// Where it was solved, if a GPU took part.
fn on_gpu(gpu: &OnGpu, threads: &str) -> String {
    let OnGpu { adapter, failure, rounds, .. } = gpu;
    let name = &adapter.name;
    match failure {
        None => name.clone(),
        Some(_) if *rounds > 0 => format!("{name}, which failed after {rounds} rounds, and {threads}"),
        Some(failure) if failure.is_loss() => format!("{threads}, as {name} failed"),
        Some(_) => format!("{threads}, as nothing that {name} found is believed"),
    }
}

/// How the GPU was checked, and its time and memory.
fn checked_rounds(gpu: &OnGpu) -> String {
    let mut text = String::new();
    let (rounds, checked, memory) = (gpu.rounds, grouped(gpu.checked), gpu.bytes as f64 / 1e9);
    if rounds > 0 {
        let time = gpu.device_time.map_or(String::new(), |time| format!(", {} of its time", seconds(time)));
        let _ = writeln!(
            text,
            "the GPU took {memory:.2} GB of its memory{time}; {checked} places checked in {rounds} rounds"
        );
    }
    if let Some(failure) = &gpu.failure {
        let _ = writeln!(text, "{}", failure.told_of("the GPU"));
    }
    text
}

/// The numbers of won, lost and drawn positions and the greatest distances, by number of doves.
fn table(solution: &Solution, mover: Option<Color>) -> Table {
    let mut heads = vec!["doves", "positions", "won", "lost", "drawn"];
    if solution.has_distances {
        heads.extend(["longest win", "longest loss"]);
    }
    let mut table = Table::new(&heads);
    let mut add = |name: String, doves: Option<u32>| {
        let here = |row: &&Row| row.mover == mover && doves.is_none_or(|doves| row.doves == doves);
        let rows = || solution.rows().iter().filter(here);
        let count = |value: &str| rows().filter(|row| row.value.name() == value).map(|row| row.positions).sum::<u64>();
        let longest = |value: &str| {
            let of_value = rows().filter(|row| row.value.name() == value);
            of_value.filter_map(|row| row.value.plies()).max().map_or(String::new(), |plies| plies.to_string())
        };
        let counts = [rows().map(|row| row.positions).sum(), count("win"), count("lose"), count("draw")];
        let mut cells = vec![name];
        cells.extend(counts.map(grouped));
        if solution.has_distances {
            cells.extend(["win", "lose"].map(longest));
        }
        table.add_cells(cells);
    };
    let mut doves: Vec<u32> = solution.rows().iter().map(|row| row.doves).collect();
    doves.sort_unstable();
    doves.dedup();
    for &doves in &doves {
        add(doves.to_string(), Some(doves));
    }
    if doves.len() > 1 {
        add("total".to_owned(), None);
    }
    table
}

/// The JSON export.
#[derive(Serialize)]
struct Document {
    format: u32,
    program: &'static str,
    version: &'static str,
    commit: Option<&'static str>,
    rules: Rules,
    red: String,
    green: String,
    positions: u64,
    rounds: u32,
    start: serde_json::Value,
    longest: Option<serde_json::Value>,
    rows: Vec<serde_json::Value>,
    checked_places: u64,
    checked_all: bool,
    seconds: f64,
    checking_seconds: f64,
    /// Bytes of planes and sets in memory, or read from tables.
    memory: u64,
    threads: usize,
    /// Null if no GPU was used.
    adapter: Option<serde_json::Value>,
    start_up_seconds: f64,
    /// Null without `--tables`.
    tables: Option<serde_json::Value>,
}

/// A value with its distance, which is null if there is none or it is unknown.
fn value_document(value: Value, solution: &Solution) -> serde_json::Value {
    serde_json::json!({ "value": value.name(), "plies": value.plies().filter(|_| solution.has_distances) })
}

impl Document {
    fn of(arguments: &Arguments, outcome: &Outcome, longest: Option<&Longer>) -> Document {
        let (solved, solution) = (&outcome.solved, outcome.solved.solution());
        let game = solved.game();
        let value = |mover| value_document(start(&**solved, mover), solution);
        let row = |row: &Row| {
            let mut document = value_document(row.value, solution);
            document["mover"] = row.mover.map_or("any", Color::name).into();
            document["doves"] = row.doves.into();
            document["positions"] = row.positions.into();
            document
        };
        Document {
            format: FORMAT,
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("DOVEMATE_COMMIT"),
            rules: arguments.game.rules.rules(),
            red: game.red.to_string(),
            green: game.green.to_string(),
            positions: solution.count(|_| true),
            rounds: solved.rounds(),
            start: serde_json::json!({ "red": value(Color::Red), "green": value(Color::Green) }),
            longest: longest.map(|Longer { longest, line, .. }| {
                serde_json::json!({
                    "value": longest.value.name(),
                    "plies": longest.value.plies(),
                    "board": longest.board.to_string(),
                    "to_move": longest.mover.name(),
                    "line": line,
                })
            }),
            rows: solution.rows().iter().map(row).collect(),
            checked_places: outcome.checked.places,
            checked_all: outcome.checked.all,
            seconds: outcome.solving.as_secs_f64(),
            checking_seconds: outcome.checking.as_secs_f64(),
            memory: solved.bytes(),
            threads: outcome.threads,
            adapter: outcome.gpu.as_ref().map(|gpu| {
                serde_json::json!({
                    "name": gpu.adapter.name,
                    "backend": gpu.adapter.backend,
                    "kind": gpu.adapter.kind,
                    "driver": gpu.adapter.driver,
                    "rounds": gpu.rounds,
                    "checked_places": gpu.checked,
                    "memory": gpu.bytes,
                    "seconds": gpu.device_time.as_ref().map(Duration::as_secs_f64),
                    "failure": gpu.failure.as_ref().map(ToString::to_string),
                })
            }),
            start_up_seconds: outcome.start_up.as_secs_f64(),
            tables: outcome.tables.as_ref().map(|tables| {
                serde_json::json!({
                    "folder": tables.folder.display().to_string(),
                    "files": tables.files,
                    "bytes": tables.bytes,
                    "read": tables.state.is_read(),
                    "rounds": tables.state.is_in_rounds(),
                    "seconds": tables.time.as_secs_f64(),
                })
            }),
        }
    }
}
