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

use crate::io::host::Host;
use crate::options::rules::options;
use crate::pages::{Boards, document, escaped};
use dovemate::internals::count::Category;
use dovemate::internals::count::list::Listing;
use dovemate::internals::count::published;
use dovemate::internals::count::tally::{ALL_DOVES, Comparison, Tally};
use dovemate::internals::digits::grouped;
use dovemate::internals::gpu::AdapterDescription;
use dovemate::internals::run;
use dovemate::internals::shapes::positions::{Convention, PositionRow};
use dovemate::internals::shapes::{Cells, Shape, WINDOW};
use dovemate::random::sample;
use dovemate::rules::{Board, BothSurrounded, Color, Dove, Game, Kind, Rules};
use dovemate_web::texts::Language;

pub use solved::SolvedGames;

/// The number of shapes shown, those with the most mates.
const TOP_SHAPES: usize = 10;

/// The number of pictures of mates with the fewest doves.
const SAMPLES: u64 = 8;

/// The seed that selects them. Any will do, but the page must not change from one run to the next.
const SEED: u64 = 1;

const STYLE: &str = include_str!("style.css");

/// What the page shows.
pub struct Page {
    /// The language.
    pub language: Language,
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
    /// The command line that made the page.
    pub command: String,
    /// The date, and the machine that made it.
    pub host: Host,
}

/// Some mates drawn at random among those with the fewest doves.
pub struct Samples {
    /// The least number of doves with which there are mates.
    pub doves: u32,
    /// The number of mates with that many doves.
    pub total: u64,
    /// The mates drawn, red to move.
    pub boards: Vec<Board>,
}

impl Samples {
    /// Draws some of the mates with the fewest doves in a tally.
    ///
    /// # Errors
    /// If the listing and the tally disagree on the number of mates, which means that one of them is wrong: a sentence
    /// that says so.
    pub fn draw(mates: &Tally, rules: Rules) -> Result<Option<Samples>, String> {
        let Some(row) = mates.rows.iter().find(|row| row.positions != 0) else { return Ok(None) };
        let listing = Listing::new(Category::Mates, &(row.doves..=row.doves), rules);
        let ranks = listing.ranks();
        let total = ranks.total();
        if total != row.positions {
            let [listed, counted] = [total, row.positions].map(grouped);
            return Err(format!("{listed} mates with {} doves are listed, but {counted} were counted", row.doves));
        }
        let codes = ranks.locate(&sample(total, SAMPLES.min(total), SEED));
        let boards = codes.into_iter().map(|code| code.board().expect("a listing has boards only")).collect();
        Ok(Some(Samples { doves: row.doves, total, boards }))
    }
}

impl Page {
    /// The page as an HTML document.
    pub fn html(&self) -> String {
        let total = grouped(self.mates.tally.total().positions);
        let title = self.language.report_title(&total);
        let body = html! {
            (self.header(&total))
            main {
                (self.counts())
                (self.shapes())
                (self.smallest())
                (self.solved.section(self.language, |arguments| self.command(arguments)))
                (self.how())
            }
        };
        document(self.language, &title, "light dark", STYLE, &body)
    }

    fn header(&self, total: &str) -> Markup {
        let language = self.language;
        let (class, sign, verdict) = match self.mates.tally.compare(self.rules) {
            Comparison::Agrees => ("good", "✓", language.agrees()),
            Comparison::Contradicts(published) => ("bad", "✗", language.contradicts(grouped(published))),
            Comparison::Unpublished => ("open", "–", language.unpublished()),
        };
        html! {
            header {
                p.game { (language.counted_by()) }
                h1 { (PreEscaped(language.mates_heading(total))) }
                p.verdict.(class) { span aria-hidden="true" { (sign) " " } (verdict) }
                p { (language.about_game()) }
                p { (PreEscaped(language.about_mates(total, self.doves()))) }
            }
        }
    }

    /// The range of numbers of doves, in words.
    fn doves(&self) -> String {
        match &self.mates.tally.rows[..] {
            [only] => self.language.doves(only.doves),
            rows => self.language.doves(self.language.range(rows[0].doves, rows[rows.len() - 1].doves)),
        }
    }

    fn counts(&self) -> Markup {
        let language = self.language;
        let heads = [
            language.head_doves(),
            language.head_mates(),
            language.head_wins(),
            language.head_positions(),
            language.head_shapes(),
            language.head_placements(),
            language.head_assignments(),
        ];
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
        let rows = html! {
            tbody {
                @for ((mates, wins), positions) in mates.rows.iter().zip(&wins.rows).zip(&self.positions) {
                    (line(&mates.doves.to_string(), mates, wins.positions, positions.total()))
                }
            }
            @if mates.rows.len() > 1 {
                tfoot { (line(&language.total(), &mates.total(), wins.total().positions, positions)) }
            }
        };
        html! {
            section aria-labelledby="counts" {
                h2 #counts { (language.by_doves()) }
                figure #chart {
                    (chart::pictures(self))
                    figcaption { (language.chart_note()) }
                }
                (table(language, "tallies", language.table_caption(), &heads, &rows))
                dl.terms {
                    dt { (language.term_win()) } dd { (language.about_win()) }
                    dt { (language.term_position()) } dd { (language.about_position(self.agreement(positions))) }
                    dt { (language.term_shape()) } dd { (language.about_shape()) }
                    dt { (language.term_placement()) } dd { (language.about_placement()) }
                    dt { (language.term_assignment()) } dd { (language.about_assignment()) }
                }
            }
        }
    }

    /// Whether the number of all positions is the published one, as the end of a sentence; empty if none is.
    fn agreement(&self, total: u64) -> String {
        let is_complete = self.positions.iter().map(|row| row.doves).eq(ALL_DOVES);
        match published::positions(Convention::Exact) {
            [published] if is_complete && *published == total => self.language.positions_agree(),
            [published] if is_complete => self.language.positions_contradict(grouped(*published)),
            _ => String::new(),
        }
    }

    fn shapes(&self) -> Markup {
        let total = self.mates.tally.total().positions;
        let mut by_shape: Vec<&(Shape, u64)> = self.mates.by_shape.iter().filter(|(_, mates)| *mates != 0).collect();
        // The sort is stable: shapes with equal counts keep their order.
        by_shape.sort_by_key(|(_, mates)| std::cmp::Reverse(*mates));
        let share = |mates: u64| format!("{:.2} %", 100.0 * mates as f64 / total as f64);
        let language = self.language;
        html! {
            section aria-labelledby="shapes" {
                h2 #shapes { (language.top_shapes()) }
                @if by_shape.is_empty() {
                    p { (language.no_mates(self.doves())) }
                } @else {
                    p {
                        (language.shapes_with_mates(grouped(by_shape.len() as u64), grouped(self.mates.by_shape.len() as u64)))
                        code { (self.command(&format!("list --shape='{}'", text(by_shape[0].0.cells)))) }
                    }
                    ol.cards.shapes {
                        @for (shape, mates) in by_shape.iter().take(TOP_SHAPES) {
                            li {
                                (PreEscaped(shape_picture(language, shape)))
                                p {
                                    (PreEscaped(language.shape_mates(grouped(*mates)))) br;
                                    (language.doves(shape.doves())) br;
                                    (language.of_all(share(*mates)))
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
        let Samples { doves, total, boards } = samples;
        let all = self.command(&format!("list --doves {doves}"));
        let (language, is_all) = (self.language, boards.len() as u64 == *total);
        let caption = language.to_move_worth(language.red(), language.mate());
        let pictures = Boards { language, game: Game::default(), has_paper: false };
        html! {
            section aria-labelledby="smallest" {
                h2 #smallest { (language.smallest()) }
                p {
                    (PreEscaped(language.smallest_mates(doves, grouped(*total))))
                    @if is_all { (language.all_shown()) } @else { (language.some_shown(boards.len())) }
                }
                dl.commands {
                    @if !is_all {
                        dt { (language.command_sample()) }
                        dd { code { (all) " --sample " (boards.len()) " --seed " (SEED) } }
                    }
                    dt { (language.command_all()) } dd { code { (all) } }
                    @if let Some(first) = boards.first() {
                        dt { (language.command_explain()) }
                        dd { code { (self.command(&format!("explain \"{first}\""))) } }
                    }
                }
                p { (language.about_pictures()) }
                dl.kinds {
                    @for kind in Kind::ALL {
                        @let (red, green) = (Dove::new(Color::Red, kind).letter(), Dove::new(Color::Green, kind).letter());
                        dt { (red) " " (green) }
                        dd { (moves(language, kind)) }
                    }
                }
                p { (language.about_texts()) }
                ul.cards.mates {
                    @for board in boards {
                        li {
                            (pictures.picture(board, &[], &caption, &caption))
                            p { code { (board) } }
                        }
                    }
                }
            }
        }
    }

    /// A command with the options for the rules of this page.
    fn command(&self, arguments: &str) -> String {
        format!("dovemate {arguments}{}", options(self.rules))
    }

    fn how(&self) -> Markup {
        let Host { date, version, commit, system, cpu, cores } = &self.host;
        let language = self.language;
        let returns = if self.rules.returns { language.rules_returns() } else { language.rules_no_returns() };
        let both = match self.rules.both_surrounded {
            BothSurrounded::MoverLoses => language.rules_mover_loses(),
            BothSurrounded::MoverWins => language.rules_mover_wins(),
            BothSurrounded::Draw => language.rules_draw(),
        };
        let cores = if *cores == 1 { language.one_core() } else { language.cores(cores) };
        html! {
            section aria-labelledby="how" {
                h2 #how { (language.how()) }
                dl.how {
                    dt { (language.term_rules()) } dd { (language.and(returns, both)) }
                    dt { (language.term_method()) } dd { (language.about_method()) }
                    dt { (language.head_mates_of()) } dd { (PreEscaped(place(language, &self.mates))) }
                    dt { (language.term_win_of()) } dd { (PreEscaped(place(language, &self.wins))) }
                    dt { "CPU" } dd { span translate="no" { (cpu) } ", " (cores) }
                    dt { (language.term_system()) } dd translate="no" { (system) }
                    dt { (language.term_program()) }
                    dd { "dovemate " (version) @if let Some(commit) = commit { (language.commit()) code { (commit) } } }
                    dt { (language.term_date()) } dd { time datetime=(date) { (date) } }
                    dt { (language.term_command()) } dd { code { (self.command) } }
                }
            }
        }
    }
}

/// A table in a box of its own, with this id; `rows` has its body.
fn table(language: Language, id: &str, caption: String, heads: &[String], rows: &Markup) -> Markup {
    html! {
        p.cue aria-hidden="true" { (language.continues()) }
        // A scrollable box must be reachable with the keyboard.
        div.scroll tabindex="0" role="region" aria-labelledby={ (id) "-caption" } {
            table id=(id) {
                caption id={ (id) "-caption" } { (caption) }
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                (rows)
            }
        }
    }
}

/// The name of a kind, and how it moves.
fn moves(language: Language, kind: Kind) -> String {
    match kind {
        Kind::Boss => language.moves_boss(),
        Kind::Aniki => language.moves_aniki(),
        Kind::Yaibato => language.moves_yaibato(),
        Kind::Mamedeppo => language.moves_mamedeppo(),
        Kind::Totsu => language.moves_totsu(),
        Kind::Hajike => language.moves_hajike(),
    }
}

/// Where a count ran, and how long it took, as HTML.
fn place(language: Language, report: &run::Report) -> String {
    let threads = if report.threads == 1 { language.one_thread() } else { language.threads(report.threads) };
    let place = match (report.on_gpu(), &report.no_gpu) {
        (Some(on_gpu), _) => {
            let AdapterDescription { name, backend, driver, .. } = &on_gpu.adapter;
            language.on_gpu(escaped(name), backend, escaped(driver))
        }
        (None, Some(no_gpu)) => language.without_gpu(threads, escaped(&no_gpu.to_string())),
        (None, None) => threads,
    };
    let confirmed = match &report.confirmation {
        Some(it) if report.on_gpu().is_none() => match &it.failure {
            None => language.confirmed(grouped(it.placements as u64), escaped(&it.adapter.name)),
            Some(failure) => language.not_confirmed(escaped(&failure.describe(&it.adapter.name).to_string())),
        },
        _ => String::new(),
    };
    let seconds = |time: std::time::Duration| format!("{:.2}", time.as_secs_f64());
    let (counting, start_up) = (seconds(report.counting), seconds(report.start_up));
    language.counted_on(grouped(report.placements as u64), place, counting, start_up, confirmed)
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
fn shape_picture(language: Language, shape: &Shape) -> String {
    const CELL: u32 = 10;
    let (rows, columns) = shape.cells.extent();
    let (top, left) = ((WINDOW - rows) * CELL / 2, (WINDOW - columns) * CELL / 2);
    let side = WINDOW * CELL + 2;
    let label = language.shape_alt(text(shape.cells));
    let mut svg = format!("<svg viewBox=\"-1 -1 {side} {side}\" role=\"img\" aria-label=\"{label}\">");
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
