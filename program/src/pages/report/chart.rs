//! The chart: positions, wins in one and mates by number of doves, on a logarithmic scale.
//!
//! It is drawn twice, for wide and for narrow screens, so that its text has the page's size on both; the style sheet
//! shows one of them. Each of its few colours has one meaning. Lines also differ in their marks.

use maud::{Markup, html};

use super::Page;
use dovemate_web::texts::Language;

/// The space around the plot, in pixels: on the left and below with room for labels.
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const ABOVE: f64 = 14.0;
const BELOW: f64 = 54.0;

/// Counts by number of doves. Zeros are left out, as a logarithmic scale cannot show them.
struct ChartLine {
    name: String,
    /// The style sheet's variable.
    color: &'static str,
    /// The mark at a place.
    mark: fn((f64, f64)) -> Markup,
    points: Vec<(u32, u64)>,
}

/// The chart for wide and for narrow screens.
pub fn pictures(page: &Page) -> Markup {
    let language = page.language;
    let positions = page.positions.iter().map(|row| (row.doves, row.total())).collect();
    let [wins, mates] = [&page.wins, &page.mates]
        .map(|report| report.tally.rows.iter().map(|row| (row.doves, row.positions)).collect());
    let line = |name, color, mark, mut points: Vec<(u32, u64)>| {
        points.retain(|(_, count)| *count != 0);
        ChartLine { name, color, mark, points }
    };
    let lines = [
        line(language.head_positions(), "--positions", disc, positions),
        line(language.head_wins(), "--wins", triangle, wins),
        line(language.head_mates(), "--mates", cross, mates),
    ];
    html! {
        (picture(language, &lines, (720.0, 430.0), "wide"))
        (picture(language, &lines, (350.0, 380.0), "narrow"))
    }
}

fn picture(language: Language, lines: &[ChartLine], (width, height): (f64, f64), class: &str) -> Markup {
    let all = || lines.iter().flat_map(|line| &line.points);
    let first = all().map(|point| point.0).min().unwrap_or(0);
    let last = all().map(|point| point.0).max().unwrap_or(0);
    // The greatest count, rounded up to a power of ten.
    let top = all().map(|point| (point.1 as f64).log10().ceil()).fold(1.0, f64::max);
    let (right, bottom) = (width - RIGHT, height - BELOW);
    let x = |doves: u32| LEFT + (f64::from(doves - first) + 0.5) / f64::from(last - first + 1) * (right - LEFT);
    let y = |exponent: f64| bottom - exponent / top * (bottom - ABOVE);
    let places = |line: &ChartLine| -> Vec<(f64, f64)> {
        line.points.iter().map(|&(doves, count)| (x(doves), y((count as f64).log10()))).collect()
    };
    html! {
        svg.chart.(class) role="img" aria-label=(language.chart_alt()) viewBox={ "0 0 " (width) " " (height) } {
            @for exponent in 0..=top as u32 {
                @let y = y(f64::from(exponent));
                path.grid d=(path(&[(LEFT, y), (right, y)])) {}
                text x=(LEFT - 8.0) y=(y) dy="0.35em" text-anchor="end" { (power_of_ten(exponent)) }
            }
            @for doves in first..=last {
                text x=(round(x(doves))) y=(bottom + 22.0) text-anchor="middle" { (doves) }
            }
            text x=((LEFT + right) / 2.0) y=(height - 8.0) text-anchor="middle" { (language.chart_axis()) }
            path.axis d=(path(&[(LEFT, ABOVE), (LEFT, bottom), (right, bottom)])) {}
            @for line in lines { (drawn(line, &places(line))) }
            (legend(lines, (right - 12.0, bottom - 12.0)))
        }
    }
}

/// A line through these places, with a mark at each.
fn drawn(line: &ChartLine, places: &[(f64, f64)]) -> Markup {
    html! {
        g style={ "color:var(" (line.color) ")" } {
            path.line d=(path(places)) {}
            @for &place in places { ((line.mark)(place)) }
        }
    }
}

/// The names of the lines in a box, of which this is the lower right corner.
fn legend(lines: &[ChartLine], (right, bottom): (f64, f64)) -> Markup {
    const WIDTH: f64 = 152.0;
    const ROW: f64 = 26.0;
    let (left, top) = (right - WIDTH, bottom - ROW * lines.len() as f64 - 8.0);
    html! {
        rect x=(left) y=(top) width=(WIDTH) height=(bottom - top) {}
        @for (row, line) in lines.iter().enumerate() {
            @let y = top + 4.0 + ROW * (row as f64 + 0.5);
            g style={ "color:var(" (line.color) ")" } {
                path.line d=(path(&[(left + 10.0, y), (left + 38.0, y)])) {}
                ((line.mark)((left + 24.0, y)))
            }
            text x=(left + 48.0) y=(y) dy="0.35em" { (line.name) }
        }
    }
}

fn disc((x, y): (f64, f64)) -> Markup {
    html! { circle cx=(round(x)) cy=(round(y)) r="5" {} }
}

fn triangle((x, y): (f64, f64)) -> Markup {
    let corners = [at(x, y - 7.0), at(x - 6.0, y + 4.0), at(x + 6.0, y + 4.0)];
    html! { polygon points=(corners.join(" ")) {} }
}

fn cross((x, y): (f64, f64)) -> Markup {
    html! { path.cross d={ "M" (at(x - 5.0, y - 5.0)) "l10,10M" (at(x - 5.0, y + 5.0)) "l10,-10" } {} }
}

/// The data of an SVG path from place to place.
fn path(places: &[(f64, f64)]) -> String {
    let steps = places.iter().map(|&(x, y)| at(x, y));
    if places.is_empty() { String::new() } else { format!("M{}", steps.collect::<Vec<_>>().join("L")) }
}

fn at(x: f64, y: f64) -> String {
    format!("{},{}", round(x), round(y))
}

/// A coordinate to a tenth of a pixel.
fn round(coordinate: f64) -> f64 {
    (coordinate * 10.0).round() / 10.0
}

fn power_of_ten(exponent: u32) -> String {
    let raised = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit);
    match exponent {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", exponent.to_string().chars().map(raised).collect::<String>()),
    }
}
