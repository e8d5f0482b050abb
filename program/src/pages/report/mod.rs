//! The results as one self-contained HTML page: no network, no scripts.
//!
//! The page is for readers who have not run the program. It opens with the number of mates and whether it agrees with
//! the published one, then shows the counts as a table and a chart, where mates occur, what they look like, and how
//! everything was computed. Every command on the page can be typed as it stands.
//!
//! Pictures of boards are embedded as images, not as elements of the page. Their ids and styles stay separate, and
//! browsers still draw them light or dark like the page.

mod chart;
mod solved;

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use crate::pages::{document, image_url};
use dovemate::internals::count::Category;
use dovemate::internals::count::list::Listing;
use dovemate::internals::count::published;
use dovemate::internals::count::tally::{ALL_DOVES, Comparison, Tally};
use dovemate::internals::digits::{cpu_threads, grouped};
use dovemate::internals::gpu::AdapterDescription;
use dovemate::internals::run;
use dovemate::internals::shapes::positions::{Convention, PositionRow};
use dovemate::internals::shapes::{Cells, Shape, WINDOW};
use dovemate::picture::svg::Picture;
use dovemate::random::sample;
use dovemate::rules::{Board, BothSurrounded, Color, Dove, Kind, Rules};

pub use solved::SolvedGames;

/// The number of shapes shown, those with the most mates.
const TOP_SHAPES: usize = 10;

const STYLE: &str = include_str!("style.css");

/// What the page shows.
pub struct Page {
    /// The rule variant.
    pub rules: Rules,
    /// The mates, and how they were counted.
    pub mates: run::Report,
    /// The wins in one, over the same numbers of doves.
    pub wins: run::Report,
    /// All positions, over the same numbers of doves.
    pub positions: Vec<PositionRow>,
    /// Some mates with the fewest doves; `None` if there are no mates.
    pub samples: Option<Samples>,
    /// Games with fewer doves, under the same rules.
    pub solved: SolvedGames,
    /// How the page was made.
    pub origin: Origin,
}

/// Some mates drawn at random among those with the fewest doves.
pub struct Samples {
    /// The least number of doves with which there are mates.
    pub doves: u32,
    /// The number of mates with that many doves.
    pub total: u64,
    /// The seed of the draw.
    pub seed: u64,
    /// The mates drawn, red to move.
    pub boards: Vec<Board>,
}

/// How a page was made, apart from its counts.
pub struct Origin {
    /// The command line that made it.
    pub command: String,
    /// The date.
    pub date: String,
    /// The program's commit, if it is known.
    pub commit: Option<String>,
    /// The operating system.
    pub system: String,
    /// The CPU's name.
    pub cpu: String,
    /// The number of logical CPU cores.
    pub cores: usize,
}

impl Samples {
    /// Draws up to `k` of the mates with the fewest doves in a tally.
    ///
    /// # Errors
    /// If the listing and the tally disagree on the number of mates, which means that one of them is wrong: a sentence
    /// that says so.
    pub fn draw(mates: &Tally, rules: Rules, k: u64, seed: u64) -> Result<Option<Samples>, String> {
        let Some(row) = mates.rows.iter().find(|row| row.positions != 0) else { return Ok(None) };
        let listing = Listing::new(Category::Mates, &(row.doves..=row.doves), rules);
        let ranks = listing.ranks();
        let total = ranks.total();
        if total != row.positions {
            let [listed, counted] = [total, row.positions].map(grouped);
            return Err(format!("{listed} mates with {} doves are listed, but {counted} were counted", row.doves));
        }
        let codes = ranks.locate(&sample(total, k.min(total), seed));
        let boards = codes.into_iter().map(|code| code.board().expect("a listing has boards only")).collect();
        Ok(Some(Samples { doves: row.doves, total, seed, boards }))
    }
}

impl Page {
    /// The page as an HTML document.
    pub fn html(&self) -> String {
        let total = grouped(self.mates.tally.total().positions);
        let title = format!("Tokyo Doves: {total} mates");
        let body = html! {
            (self.header(&total))
            main {
                (self.counts())
                (self.shapes())
                (self.smallest())
                (self.solved.section(|arguments| self.command(arguments)))
                (self.how())
            }
        };
        document(&title, "light dark", STYLE, &body)
    }

    fn header(&self, total: &str) -> Markup {
        let (class, sign, verdict) = match self.mates.tally.compare(self.rules) {
            Comparison::Agrees => ("good", "✓", "This agrees with the published figure.".to_owned()),
            Comparison::Contradicts(published) => {
                ("bad", "✗", format!("This CONTRADICTS the published figure, {}.", grouped(published)))
            }
            Comparison::Unpublished => {
                ("open", "–", "No figure is published for these numbers of doves under these rules.".to_owned())
            }
        };
        html! {
            header {
                p.game { "Tokyo Doves, counted by dovemate" }
                h1 { span #total-mates { (total) } " mates" }
                p.verdict.(class) { span aria-hidden="true" { (sign) " " } (verdict) }
                p {
                    "Tokyo Doves is a game for two on a board of at most 4×4 cells. Each player has a boss and five other doves; \
                     a player whose boss is surrounded on all four sides, by doves or walls, loses."
                }
                p {
                    "A " em { "mate" } " is a position in which the player to move is not surrounded yet but cannot avoid it: after \
                     every action that does not lose outright, the opponent can surround their boss at once. There are " (total) " mates with "
                    (self.doves()) " on the board, if positions that a shift, a rotation or a reflection turns into each other \
                     count as one. Every position was decided; nothing is estimated."
                }
            }
        }
    }

    /// The range of numbers of doves, in words.
    fn doves(&self) -> String {
        match &self.mates.tally.rows[..] {
            [only] => format!("{} doves", only.doves),
            rows => format!("{} to {} doves", rows[0].doves, rows[rows.len() - 1].doves),
        }
    }

    fn counts(&self) -> Markup {
        let heads = ["mates", "wins in one", "positions", "shapes", "boss placements", "assignments"];
        let (mates, wins) = (&self.mates.tally, &self.wins.tally);
        let line = |name: &str, mates: &dovemate::internals::count::tally::TallyRow, wins: u64, positions: u64| {
            let numbers = [mates.positions, wins, positions, mates.shapes, mates.boss_placements, mates.assignments];
            html! {
                tr {
                    th scope="row" { (name) }
                    @for number in numbers { td { (grouped(number)) } }
                }
            }
        };
        let positions: u64 = self.positions.iter().map(PositionRow::total).sum();
        html! {
            section aria-labelledby="counts" {
                h2 #counts { "By number of doves" }
                figure #chart {
                    (chart::pictures(self))
                    figcaption {
                        "Positions (discs), wins in one (triangles) and mates (crosses) by number of doves on the board. Each line of \
                         the grid stands for ten times as many as the line below it. Zero cannot be shown on this scale and has no mark."
                    }
                }
                p.cue aria-hidden="true" { "The table continues to the right. →" }
                // A scrollable box must be reachable with the keyboard.
                div.scroll tabindex="0" role="region" aria-labelledby="tallies-caption" {
                    table #tallies {
                        caption #tallies-caption {
                            "Counts by number of doves"
                        }
                        thead { tr { th scope="col" { "doves" } @for head in heads { th scope="col" { (head) } } } }
                        tbody {
                            @for ((mates, wins), positions) in mates.rows.iter().zip(&wins.rows).zip(&self.positions) {
                                (line(&mates.doves.to_string(), mates, wins.positions, positions.total()))
                            }
                        }
                        @if mates.rows.len() > 1 {
                            tfoot { (line("total", &mates.total(), wins.total().positions, positions)) }
                        }
                    }
                }
                dl.terms {
                    dt { "Win in one" } dd { "A position in which the player to move can surround the opposing boss at once." }
                    dt { "Position" } dd { (self.positions_note(positions)) }
                    dt { "Shape" }
                    dd { "The set of occupied cells, regardless of which dove stands where; every dove needs a neighbour. \
                          Shapes that a shift, a rotation or a reflection turns into each other count as one." }
                    dt { "Boss placement" }
                    dd { "A shape with the cells of the two bosses chosen. Only those that may hold a mate are counted here: on the \
                          others, the boss of the player to move can always step to a safe cell." }
                    dt { "Assignment" } dd { "A boss placement with a different dove on each of its other cells." }
                }
            }
        }
    }

    fn positions_note(&self, total: u64) -> String {
        let what = "A board with one player to move, counted up to symmetry; those with a boss surrounded are included";
        let is_complete = self.positions.iter().map(|row| row.doves).eq(ALL_DOVES);
        match published::positions(Convention::Exact) {
            [published] if is_complete && *published == total => {
                format!("{what}; the total agrees with the published figure.")
            }
            [published] if is_complete => {
                format!("{what}; the total CONTRADICTS the published figure, {}.", grouped(*published))
            }
            _ => format!("{what}."),
        }
    }

    fn shapes(&self) -> Markup {
        let total = self.mates.tally.total().positions;
        let mut by_shape: Vec<&(Shape, u64)> = self.mates.by_shape.iter().filter(|(_, mates)| *mates != 0).collect();
        // The sort is stable: shapes with equal counts keep their order.
        by_shape.sort_by_key(|(_, mates)| std::cmp::Reverse(*mates));
        let share = |mates: u64| format!("{:.2} %", 100.0 * mates as f64 / total as f64);
        html! {
            section aria-labelledby="shapes" {
                h2 #shapes { "Shapes with the most mates" }
                @if by_shape.is_empty() {
                    p { "There are no mates with " (self.doves()) "." }
                } @else {
                    p {
                        (grouped(by_shape.len() as u64)) " of " (grouped(self.mates.by_shape.len() as u64))
                        " shapes have mates. This command lists all mates on the first of those below: "
                        code { (self.command(&format!("list --shape='{}'", text(by_shape[0].0.cells)))) }
                    }
                    ol.cards.shapes {
                        @for (shape, mates) in by_shape.iter().take(TOP_SHAPES) {
                            li {
                                (PreEscaped(shape_picture(shape)))
                                p {
                                    strong { (grouped(*mates)) } " mates" br;
                                    (shape.doves()) " doves" br;
                                    (share(*mates)) " of all"
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn smallest(&self) -> Markup {
        let Some(samples) = &self.samples else {
            return html! {};
        };
        let Samples { doves, total, seed, boards } = samples;
        let all = self.command(&format!("list --doves {doves}"));
        html! {
            section aria-labelledby="smallest" {
                h2 #smallest { "Mates with the fewest doves" }
                p {
                    "The smallest mates counted here have " (doves) " doves, and there are "
                    strong { (grouped(*total)) } " of them. "
                    @if boards.len() as u64 == *total { "All of them are shown here." }
                    @else { "Here are " (boards.len()) " of these, each as likely to be drawn as any other." }
                }
                dl.commands {
                    @if boards.len() as u64 != *total {
                        dt { "The ones here" } dd { code { (all) " --sample " (boards.len()) " --seed " (seed) } }
                    }
                    dt { "All of them" } dd { code { (all) } }
                    @if let Some(first) = boards.first() {
                        dt { "Why the first one is a mate" } dd { code { (self.command(&format!("explain \"{first}\""))) } }
                    }
                }
                p {
                    "Red doves are discs with upper-case letters, green ones squares with lower-case letters. Thick bars are walls: they \
                     stand wherever the doves reach across four cells. The doves beside the board are in hand and can be put on it. The \
                     marks around a letter show how its dove moves:"
                }
                dl.kinds {
                    @for kind in Kind::ALL {
                        @let (red, green) = (Dove::new(Color::Red, kind).letter(), Dove::new(Color::Green, kind).letter());
                        dt { (red) " " (green) }
                        dd { (moves(kind)) }
                    }
                }
                p {
                    "The text below each picture is the board for the command line: its rows from the top, with a semicolon between \
                     two rows and a hyphen for an empty cell."
                }
                ul.cards.mates {
                    @for board in boards {
                        @let svg = Picture { board, actions: &[], caption: "red to move: mate", has_paper: false }.svg();
                        li {
                            img src=(image_url(&svg))
                                alt={ "Board " (board) ", red to move: mate" };
                            p { code { (board) } }
                        }
                    }
                }
            }
        }
    }

    /// A command with the options for the rules of this page.
    fn command(&self, arguments: &str) -> String {
        let mut command = format!("dovemate {arguments}");
        if !self.rules.returns {
            command += " --no-return";
        }
        let _ = match self.rules.both_surrounded {
            BothSurrounded::MoverLoses => Ok(()),
            BothSurrounded::MoverWins => write!(command, " --both-surrounded mover-wins"),
            BothSurrounded::Draw => write!(command, " --both-surrounded draw"),
        };
        command
    }

    fn how(&self) -> Markup {
        let Origin { command, date, commit, system, cpu, cores } = &self.origin;
        let returns = if self.rules.returns { "doves may be returned to the hand" } else { "no dove is returned" };
        let both = match self.rules.both_surrounded {
            BothSurrounded::MoverLoses => "whoever surrounds both bosses loses",
            BothSurrounded::MoverWins => "whoever surrounds both bosses wins",
            BothSurrounded::Draw => "surrounding both bosses is a draw",
        };
        let cores = if *cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
        html! {
            section aria-labelledby="how" {
                h2 #how { "What was computed, how and where" }
                dl.how {
                    dt { "Rules" } dd { (returns) "; " (both) }
                    dt { "Method" }
                    dd {
                        "On the CPU, factored: for each boss placement and each choice of the opponent’s cells, a permanent counts the ways to \
                         fill the other cells with doves that make a mate, without looking at each way separately. \
                         On a GPU, every way is tested. \
                         All positions are counted in closed form."
                    }
                    dt { "Mates" } dd { (place(&self.mates)) }
                    dt { "Wins in one" } dd { (place(&self.wins)) }
                    dt { "CPU" } dd { (cpu) ", " (cores) }
                    dt { "System" } dd { (system) }
                    dt { "Program" }
                    dd { "dovemate " (env!("CARGO_PKG_VERSION")) @if let Some(commit) = commit { ", commit " code { (commit) } } }
                    dt { "Date" } dd { time datetime=(date) { (date) } }
                    dt { "Command" } dd { code { (command) } }
                }
            }
        }
    }
}

/// The name of a kind, and how it moves.
fn moves(kind: Kind) -> &'static str {
    match kind {
        Kind::Boss => "Boss, with a crown: one step in any of the eight directions. It is never in hand.",
        Kind::Aniki => "Aniki: one step in any of the eight directions.",
        Kind::Yaibato => "Yaibato: one step up, down, left or right.",
        Kind::Mamedeppo => "Mamedeppo: one step diagonally.",
        Kind::Totsu => "Totsu: any number of cells up, down, left or right, not over another dove.",
        Kind::Hajike => "Hajike: a knight’s jump, also over other doves.",
    }
}

/// Where a count ran, and how long it took.
fn place(report: &run::Report) -> String {
    let threads = cpu_threads(report.threads);
    let place = match (report.on_gpu(), &report.no_gpu) {
        (Some(on_gpu), _) => {
            let AdapterDescription { name, backend, driver, .. } = &on_gpu.adapter;
            format!("{name} ({backend}, {driver}), each equal to the CPU’s count,")
        }
        (None, Some(no_gpu)) => format!("{threads} (no GPU used: {no_gpu})"),
        (None, None) => threads,
    };
    let confirmed = match &report.confirmation {
        Some(it) if report.on_gpu().is_none() => match &it.failure {
            None => format!(
                "; {} of them counted again on {}, with the same counts",
                grouped(it.placements as u64),
                it.adapter.name
            ),
            Some(failure) => format!("; {}", failure.told_of(&it.adapter.name)),
        },
        _ => String::new(),
    };
    let (counting, start_up) = (report.counting.as_secs_f64(), report.start_up.as_secs_f64());
    format!(
        "{} boss placements counted on {place} in {counting:.2} s, start-up {start_up:.2} s{confirmed}",
        grouped(report.placements as u64)
    )
}

/// A shape in the form that the command line reads.
fn text(cells: Cells) -> String {
    let (rows, columns) = cells.extent();
    let row = |row| {
        (0..columns).map(|column| if cells.contains(WINDOW * row + column) { 'x' } else { '-' }).collect::<String>()
    };
    (0..rows).map(row).collect::<Vec<_>>().join(";")
}

/// A picture of a shape, in the middle of the 4×4 window.
fn shape_picture(shape: &Shape) -> String {
    const CELL: u32 = 10;
    let (rows, columns) = shape.cells.extent();
    let (top, left) = ((WINDOW - rows) * CELL / 2, (WINDOW - columns) * CELL / 2);
    let side = WINDOW * CELL + 2;
    let mut svg =
        format!("<svg viewBox=\"-1 -1 {side} {side}\" role=\"img\" aria-label=\"Shape {}\">", text(shape.cells));
    for row in 0..rows {
        for column in 0..columns {
            let (x, y) = (left + column * CELL, top + row * CELL);
            let _ = write!(svg, "<rect class=\"cell\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>");
            if shape.cells.contains(WINDOW * row + column) {
                let (x, y) = (x + CELL / 2, y + CELL / 2);
                let _ = write!(svg, "<circle class=\"dove\" cx=\"{x}\" cy=\"{y}\" r=\"3.4\"/>");
            }
        }
    }
    svg + "</svg>"
}
