//! The printed output of `dovemate solve`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::execute::{OnDisk, SolveReport};
use crate::commands::best::ending;
use crate::io::{counted, cpu_threads, grouped, number_table, seconds, visible};
use comfy_table::Table;
use dovemate::Color;
use dovemate_analysis::{Analysis, Effort, texts};
use dovemate_solver::Checked;
use dovemate_solver::{Longest, Lookup, LookupError, Solution, SolutionRow, SolvedGame, Wdl};
use dovemate_web::texts::Language;

/// A longest win or loss, with its line of best play.
pub struct LongestLine {
    pub longest: Longest,
    pub line: Vec<String>,
    ending: String,
}

impl LongestLine {
    /// The longest line of a game, unless all its positions are draws or distances are not known.
    pub fn of(solved: &SolvedGame) -> Result<Option<LongestLine>, LookupError> {
        let Some(longest) = solved.longest() else { return Ok(None) };
        let mut analysis = Analysis::new(solved);
        let limits = &Effort::plies(0);
        let ranking = analysis.rank(&longest.board, longest.mover, limits)?;
        let line = analysis.principal_variation(ranking.actions.first(), longest.mover, 0, limits)?;
        let ending = ending(Language::English, &solved.game(), &line, longest.mover);
        Ok(Some(LongestLine { line: texts(&longest.board, &line), ending, longest }))
    }
}

/// The whole result as text.
pub fn text(report: &SolveReport, longest: Option<&LongestLine>) -> Result<String, LookupError> {
    let (solved, solution) = (&report.solved, report.solved.solution());
    let game = solved.game();
    let mut text = String::new();
    let movers: &[Option<Color>] =
        if game.is_even() { &[None] } else { &[Some(Color::Red), Some(Color::Green)] };
    let _ = writeln!(text, "{game}\n");
    for &mover in movers {
        if let Some(mover) = mover {
            let _ = writeln!(text, "{} to move", mover.name());
        }
        let _ = writeln!(text, "{}\n", table(solution, mover));
    }
    for &mover in movers {
        let player = mover.unwrap_or(Color::Red);
        let value = report.start(player)?;
        let _ = writeln!(text, "the start, {} to move: {value}", player.name());
    }
    if let Some(LongestLine { longest, line, ending }) = longest {
        let (board, mover) = (&longest.board, longest.mover.name());
        let _ = writeln!(text, "the longest: {}, {board} with {mover} to move", longest.value);
        if !line.is_empty() {
            let _ = writeln!(text, "  {}{ending}", line.join(" "));
        }
    }
    if report.on_disk.as_ref().is_none_or(|on_disk| !on_disk.is_read) {
        let (threads, time) = (cpu_threads(report.threads), seconds(report.solving));
        let rounds = counted(solved.rounds().into(), "round", "rounds");
        // Sizes that would be shown as 0.00 GB are left out.
        let memory = match solved.bytes() {
            0..5_000_000 => String::new(),
            bytes => format!(", {:.2} GB", bytes as f64 / 1e9),
        };
        let _ = writeln!(text, "solved on {threads} in {time}, {rounds}{memory}");
    }
    let Checked { places, all, placements } = report.checked;
    let (places, which) = (grouped(places), if all { "all" } else { "a sample of" });
    let near = placements.map_or(String::new(), |placements| format!(" on {placements} boss placements"));
    let time = seconds(report.checking);
    let _ = writeln!(text, "checked by the literal rules: {which} {places} places{near}, in {time}");
    if let Some(on_disk) = &report.on_disk {
        let _ = writeln!(text, "{}", files(on_disk, solution));
    }
    Ok(text)
}

/// A line about the files: their folder, their size and, except for rounds of this run, the time they took.
fn files(on_disk: &OnDisk, solution: &Solution) -> String {
    let &OnDisk { ref folder, files, bytes, time, is_read, in_rounds } = on_disk;
    let bits = 8.0 * bytes as f64 / solution.count(|_| true) as f64;
    let size = format!("{} bytes, {bits:.3} bits a position", grouped(bytes));
    let (folder, time) = (visible(&folder.display().to_string()), seconds(time));
    match (in_rounds, is_read) {
        (false, false) => format!("tables written: {folder}, {files} files, {size}, in {time}"),
        (false, true) => {
            format!("tables read and verified instead of solving: {folder}, {files} files, {size}, in {time}")
        }
        (true, false) => format!("kept as solved, without tables: {folder}, {size}"),
        (true, true) => format!("rounds read and verified instead of solving: {folder}, {size}, in {time}"),
    }
}

/// The numbers of won, lost and drawn positions and the greatest distances, by number of doves.
fn table(solution: &Solution, mover: Option<Color>) -> Table {
    let mut table =
        number_table(&["doves", "positions", "won", "lost", "drawn", "longest win", "longest loss"]);
    let mut add = |name: String, doves: Option<u32>| {
        let here = |row: &&SolutionRow| row.mover == mover && doves.is_none_or(|doves| row.doves == doves);
        let rows = || solution.rows().iter().filter(here);
        let of_value = |value: Wdl| rows().filter(move |row| row.worth.wdl() == Some(value));
        let count = |value| of_value(value).map(|row| row.positions).sum::<u64>();
        let longest = |value| {
            let plies = of_value(value).filter_map(|row| row.worth.plies()).max();
            plies.map_or(String::new(), |plies| plies.to_string())
        };
        let counts =
            [rows().map(|row| row.positions).sum(), count(Wdl::Win), count(Wdl::Lose), count(Wdl::Draw)];
        let mut cells = vec![name];
        cells.extend(counts.map(grouped));
        cells.extend([Wdl::Win, Wdl::Lose].map(longest));
        table.add_row(cells);
    };
    let doves: BTreeSet<u32> = solution.rows().iter().map(|row| row.doves).collect();
    for &doves in &doves {
        add(doves.to_string(), Some(doves));
    }
    if doves.len() > 1 {
        add("total".to_owned(), None);
    }
    table
}
