//! The chart: positions, wins in one and mates by number of doves, on a logarithmic scale.
//!
//! It is drawn twice, for wide and for narrow screens, so that its text has the page's size on both; the style sheet
//! shows one of them. Each of its few colours has one meaning, and the style sheet replaces them on dark pages. Lines
//! also differ in their marks.

use maud::{Markup, PreEscaped, html};
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;
use plotters_backend::{BackendCoord, DrawingErrorKind};

use super::Page;

/// The colour of text, axes and the legend's frame.
const INK: RGBColor = RGBColor(0x22, 0x22, 0x20);
/// The colour of the grid.
const GRID: RGBColor = RGBColor(0xdd, 0xda, 0xd2);
/// The colour behind the legend.
const PAPER: RGBColor = RGBColor(0xff, 0xff, 0xff);
const POSITIONS: RGBColor = RGBColor(0x4a, 0x4a, 0x48);
const WINS: RGBColor = RGBColor(0x1d, 0x5f, 0xc4);
const MATES: RGBColor = RGBColor(0xc6, 0x2f, 0x2b);

/// Half the width of a mark, in pixels.
const MARK: i32 = 5;

#[derive(Clone, Copy)]
enum Mark {
    Disc,
    Triangle,
    Cross,
}

/// A mark at a point of a line, as an element of a chart or of its legend.
struct Marker<C> {
    at: C,
    mark: Mark,
    color: RGBColor,
}

/// Counts by number of doves. Zeros are left out, as a logarithmic scale cannot show them.
struct Line {
    name: &'static str,
    color: RGBColor,
    mark: Mark,
    points: Vec<(f64, f64)>,
}

/// The chart for wide and for narrow screens.
pub fn pictures(page: &Page) -> Markup {
    let of = |rows: &[dovemate::count::tally::Row]| points(rows.iter().map(|row| (row.doves, row.positions)));
    let lines = [
        Line {
            name: "positions",
            color: POSITIONS,
            mark: Mark::Disc,
            points: points(page.positions.iter().map(|row| (row.doves, row.total()))),
        },
        Line { name: "wins in one", color: WINS, mark: Mark::Triangle, points: of(&page.wins.tally.rows) },
        Line { name: "mates", color: MATES, mark: Mark::Cross, points: of(&page.mates.tally.rows) },
    ];
    html! {
        (PreEscaped(picture(&lines, (720, 430), "wide")))
        (PreEscaped(picture(&lines, (350, 380), "narrow")))
    }
}

fn points(counts: impl Iterator<Item = (u32, u64)>) -> Vec<(f64, f64)> {
    counts.filter(|(_, count)| *count != 0).map(|(doves, count)| (f64::from(doves), count as f64)).collect()
}

/// The chart as an SVG element.
fn picture(lines: &[Line], size: (u32, u32), class: &str) -> String {
    let mut svg = String::new();
    draw(lines, size, &mut svg).expect("drawing into memory does not fail");
    let (_, inside) = svg.split_once("<svg ").expect("plotters draws an SVG element");
    let label = "Positions, wins in one and mates by number of doves, logarithmic scale; the table has the figures";
    format!("<svg class=\"chart {class}\" role=\"img\" aria-label=\"{label}\" {inside}")
}

fn draw(lines: &[Line], size: (u32, u32), svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let all = || lines.iter().flat_map(|line| &line.points);
    let doves = all().map(|point| point.0);
    let (first, last) = (doves.clone().fold(f64::MAX, f64::min), doves.fold(0.0, f64::max));
    let most = all().map(|point| point.1).fold(10.0, f64::max);
    // Round up to a power of ten.
    let top = 10f64.powf(most.log10().ceil());

    let root = SVGBackend::with_string(svg, size).into_drawing_area();
    let text = ("sans-serif", 17).into_font().color(&INK);
    let mut chart = ChartBuilder::on(&root)
        .margin(6)
        .margin_right(14)
        .x_label_area_size(48)
        .y_label_area_size(54)
        .build_cartesian_2d(first - 0.5..last + 0.5, (1.0..top * 1.5).log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style(text.clone())
        .axis_desc_style(text.clone())
        .x_desc("doves on the board")
        .x_labels(12)
        .y_labels(13)
        .x_label_formatter(&|doves| if doves.fract() == 0.0 { doves.to_string() } else { String::new() })
        .y_label_formatter(&|count| power_of_ten(*count))
        .draw()?;
    for line in lines {
        let (color, mark) = (line.color, line.mark);
        let marks = line.points.iter().map(|&point| Marker { at: point, mark, color });
        chart.draw_series(LineSeries::new(line.points.iter().copied(), color.stroke_width(2)))?;
        chart.draw_series(marks)?.label(line.name).legend(move |(x, y)| {
            let stroke = PathElement::new([(-12, 0), (12, 0)], color.stroke_width(2));
            EmptyElement::at((x + 10, y)) + stroke + Marker { at: (0, 0), mark, color }
        });
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(PAPER)
        .border_style(GRID)
        .legend_area_size(28)
        .margin(12)
        .label_font(text)
        .draw()?;
    root.present()?;
    drop(chart);
    drop(root);
    Ok(())
}

impl<'a, C> PointCollection<'a, C> for &'a Marker<C> {
    type Point = &'a C;
    type IntoIter = std::iter::Once<&'a C>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl<B: DrawingBackend, C> Drawable<B> for Marker<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        places: I,
        backend: &mut B,
        parent: (u32, u32),
    ) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        // Only `places` gives the coordinates; the element's own point is unused.
        match self.mark {
            Mark::Disc => Circle::new((), MARK, self.color.filled()).draw(places, backend, parent),
            Mark::Triangle => TriangleMarker::new((), MARK + 2, self.color).draw(places, backend, parent),
            Mark::Cross => Cross::new((), MARK, self.color.stroke_width(3)).draw(places, backend, parent),
        }
    }
}

fn power_of_ten(count: f64) -> String {
    let exponent = count.log10().round() as i32;
    let raised = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit);
    match exponent {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", exponent.to_string().chars().map(raised).collect::<String>()),
    }
}
