//! `dovemate serve`: the board page in the browser.

use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf, is_separator};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::io::{Failure, OutputFile, complain, process, streams, visible};
use crate::options::{KnownGameArguments, ThreadArguments, threads};
use crate::serve::{Operation, qr_code, read_listened, read_name, serve, urls};
use dovemate::Game;
use dovemate_solver::openings::Openings;
use dovemate_web::documents::{GameDocument, PROGRAM, VERSION};
use dovemate_web::{Brain, page};

/// Maximum number of questions answered at the same time, by default.
const MAX_SEARCHES: usize = 4;
/// The default port. It is fixed, because browsers store data by address and port.
const PORT: u16 = 8034;
/// How long a server that already listens at the address may take to identify itself.
const ANSWER_SECONDS: u64 = 2;
/// How long a server without a terminal, started with `--open`, waits for its next request before it ends.
const IDLE: Duration = Duration::from_secs(2 * 60 * 60);

/// Open the board page: ask, play and solve puzzles in the browser.
///
/// The page shows what every action is worth, plays against you, and sets up any board. The program prints an
/// address for the browser and answers there until Ctrl-C; other machines cannot reach it unless --listen
/// names another address. The page needs no network. Values come from --tables, from solving the game on the
/// spot if it is small, from openings and starts of handicap games in the program, and otherwise from a search that
/// gets deeper the longer you wait. Other programs can ask the same questions as the page, and get JSON.
#[derive(Args)]
#[command(after_help = "Examples:
  dovemate serve --open
  dovemate serve --port 8080 --kinds AYM --tables tables
  dovemate serve --export board.html
  dovemate serve --export site/
  curl \"http://127.0.0.1:8034/api/position?board=b;B&depth=5\"")]
#[command(mut_arg("threads", |argument| argument.help("Questions answered at a time [default: all cores, at most 4]")))]
pub struct Arguments {
    /// The port; 0 means any free one [default: 8034; with --open, any free one if that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Show the page in the browser; if the same page is served at that address already, show that one. If started
    /// without a terminal, the program ends after two hours without a request
    #[arg(long)]
    open: bool,
    /// Answer on this IP address instead of this machine's own 127.0.0.1 (localhost); others may then use
    /// this machine. 0.0.0.0 means all of its addresses, for a phone on the same network
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = read_listened)]
    listen: IpAddr,
    /// Also answer to this name, which a proxy passes on as Host
    #[arg(long, value_name = "NAME", value_parser = read_name)]
    host: Option<String>,
    /// Print one line per request on standard error: the time, the client, the request, the status, bytes, seconds
    #[arg(long)]
    log: bool,
    /// Write the page to this file instead. The page then needs no server: it searches, counts and solves small
    /// games by itself, and contains the openings of the whole game. If the name ends in a slash, write a folder for
    /// a static host instead, from which browsers can install the page
    #[arg(long, value_name = "FILE", conflicts_with_all = ["port", "open", "listen", "host", "log", "tables", "threads"])]
    export: Option<PathBuf>,
    #[command(flatten)]
    known: KnownGameArguments,
    #[command(flatten)]
    threads: ThreadArguments,
}

/// Writes the page to a file, or as files to a folder: an existing one, or one whose name ends in a slash. Prints the
/// size of the page, and what to do with it.
fn export(game: &Game, path: &Path) -> Result<(), Failure> {
    let is_folder = path.as_os_str().to_string_lossy().ends_with(is_separator) || path.is_dir();
    let (bytes, advice) = if is_folder {
        fs::create_dir_all(path)
            .with_context(|| format!("the folder {} cannot be created", path.display()))?;
        let files = page::installable(game, &Openings::FILES);
        let bytes = files.iter().map(|(_, text)| text.len()).sum();
        for (name, text) in files {
            OutputFile::open(&path.join(name))?.finish_text(&text)?;
        }
        (bytes, "put these files on any static host; browsers can install the page from its address")
    } else {
        let text = page::export(game, &Openings::FILES);
        OutputFile::open(path)?.finish_text(&text)?;
        (text.len(), "open it in a browser, send it, or put it on any static host")
    };
    let path = visible(&path.display().to_string());
    Ok(streams::say(&format!("{path}: {:.1} MB, the whole page; {advice}\n", bytes as f64 / 1e6))?)
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.known.game();
    if let Some(path) = &arguments.export {
        return export(&game, path);
    }
    let workers = arguments.threads.given().unwrap_or(arguments.threads.number().min(MAX_SEARCHES));
    threads::start()?;
    let brain: &Brain = Box::leak(Box::new(Brain::new(game)));
    let address = SocketAddr::new(arguments.listen, arguments.port.unwrap_or(PORT));
    let listener = match listen(address) {
        Err(_) if arguments.open && !arguments.known.has_tables() && serves(address, &game) => {
            let url = &urls(address)[0];
            complain(format_args!("the board is served at {url} already"));
            show(url);
            return Ok(());
        }
        Err(_) if arguments.open && arguments.port.is_none() => listen(SocketAddr::new(arguments.listen, 0))?,
        listener => listener?,
    };
    let find_values = || -> Result<(), Failure> {
        let values = arguments.known.values(None, true)?;
        if !values.is_empty() {
            brain.know(Box::new(values));
        }
        Ok(())
    };
    // Read tables before serving, so that a failure ends the command. Solve a small game while the page is already
    // served; that cannot fail.
    if arguments.known.has_tables() {
        find_values()?;
    }
    process::set_server();
    let address = listener.local_addr().context("the address cannot be read")?;
    let urls = urls(address);
    let url = &urls[0];
    if !arguments.listen.is_loopback() {
        complain(format_args!(
            "warning: anyone who can reach that address can use this machine's computing time"
        ));
    }
    streams::stdout().write_all(format!("{}\n", urls.join("\n")).as_bytes())?;
    complain(format_args!("the board is at {url} – Ctrl-C ends it"));
    if address.port() != arguments.port.unwrap_or(PORT) {
        complain(format_args!(
            "browsers store settings and solved puzzles by address, so those of other ports are missing at port {}",
            address.port()
        ));
    }
    if !arguments.listen.is_loopback() {
        for_a_phone(urls.get(1).unwrap_or(url));
    }
    let mut operation = Operation { host: arguments.host.clone(), is_logged: arguments.log, idle: None };
    if arguments.open {
        show(url);
        operation.idle = Some(IDLE).filter(|_| !io::stdin().is_terminal() && !io::stderr().is_terminal());
    }
    thread::scope(|scope| {
        if !arguments.known.has_tables() {
            // If no thread can be started, the page searches instead.
            let _ = thread::Builder::new().spawn_scoped(scope, || drop(find_values()));
        }
        serve(listener, workers, brain, operation).with_context(|| format!("{url} cannot be served"))
    })?;
    Ok(())
}

/// Shows a page in the browser.
fn show(url: &str) {
    if let Err(error) = open::that_detached(url) {
        complain(format_args!("warning: no browser can be opened: {error}"));
    }
}

/// Whether this version of the program serves this game at an address.
fn serves(address: SocketAddr, game: &Game) -> bool {
    let url = format!("{}api/about", urls(address)[0]);
    let Ok(answer) = minreq::get(url).with_timeout(ANSWER_SECONDS).send() else { return false };
    let Ok(about) = serde_json::from_slice::<serde_json::Value>(answer.as_bytes()) else { return false };
    let Ok(game) = serde_json::to_value(GameDocument::of(game)) else { return false };
    let is_same = |name: &str, value: &str| about[name] == value;
    is_same("program", PROGRAM)
        && is_same("version", VERSION)
        && game.as_object().is_some_and(|game| game.iter().all(|(name, value)| about[name] == *value))
}

/// Prints the QR code of an address of the network, on a terminal with colours.
fn for_a_phone(url: &str) {
    let is_shown = io::stderr().is_terminal()
        && !matches!(anstream::AutoStream::choice(&io::stderr()), anstream::ColorChoice::Never);
    if is_shown && let Some(code) = qr_code(url) {
        // An error is ignored: the address itself is already printed.
        let _ = write!(streams::Blocking(io::stderr()), "\nfrom a phone on the same network, {url}\n{code}");
    }
}

fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).map_err(|error| {
        let (ip, port) = (address.ip(), address.port());
        let hint = match error.kind() {
            ErrorKind::AddrInUse => "another program uses it; --port 0 takes a free one".to_owned(),
            ErrorKind::AddrNotAvailable => "that is not an address of this machine".to_owned(),
            _ => error.to_string(),
        };
        Failure::Failed(anyhow::anyhow!("port {port} of {ip} cannot be listened on: {hint}"))
    })
}
