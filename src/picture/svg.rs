//! Boards as SVG, light or dark.
//!
//! One user unit is 1/45 of a cell, as in `chess.svg`. Every dove is drawn once, in `<defs>`, and placed with
//! `<use>`. Every shape and every text has a class, so that a page that embeds the picture can restyle it, and
//! presentation attributes, because some programs ignore `<style>`. `xlink:href` is for Inkscape before 1.3. The
//! picture can be read without colour: red doves are discs with upper-case letters, green ones are squares with
//! lower-case letters, and the marks around the letter show how the kind moves (eight dots for an Aniki, four at the
//! sides for a Yaibato, four at the corners for a Mamedeppo, four bars for a Totsu, four pairs of dots for a Hajike); a
//! boss has a crown and a double outline. Thick bars are walls. On sides without a wall, a dashed ring of empty cells
//! shows that the plane continues.
//!
//! The plane has no origin: a picture with actions uses the cells of the last board, and those of earlier actions are
//! shifted to match.

use std::fmt::Write;

use crate::rules::name::written_as_its_name;
use crate::rules::{Action, BOX_SIZE, Board, Cell, Color, Dove, Game, Kind};

/// Side of a cell.
pub(super) const CELL: i32 = 45;
/// The margin around the picture.
pub(super) const MARGIN: i32 = 12;
/// The width of the column for a hand.
const HAND: i32 = 50;
/// The distance from one dove in a hand to the next.
const HAND_STEP: i32 = 35;
/// The height of the caption.
const CAPTION: i32 = 30;
/// Minimum width, so that the caption has room.
const MIN_WIDTH: i32 = 300;

/// A picture to draw.
///
/// ```
/// use dovemate::picture::svg::{Picture, Theme};
/// use dovemate::{Board, Game};
///
/// let board: Board = "b-a;-BA".parse()?;
/// let picture = Picture {
///     board: &board,
///     actions: &[],
///     caption: "red to move",
///     theme: Theme::Light,
///     hand_words: Picture::HAND_WORDS,
///     is_turned: false,
/// };
/// assert!(picture.svg(&Game::default()).starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Picture<'a> {
    /// The board before the actions.
    pub board: &'a Board,
    /// Actions, each with the board it leads to; the picture shows the last of these boards.
    pub actions: &'a [(Action, Board)],
    /// The caption, for example the player to move and the verdict.
    pub caption: &'a str,
    /// Its colours.
    pub theme: Theme,
    /// The words above the hands and in empty hands: [`Picture::HAND_WORDS`], or those of another language.
    pub hand_words: [&'a str; 2],
    /// Whether the board is seen from green's side.
    pub is_turned: bool,
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light, wherever the picture is.
    #[default]
    Light,
    /// Light on dark, wherever the picture is.
    Dark,
    /// The theme of the reader's system, by a media query.
    Auto,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Auto];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Auto => "auto",
        }
    }
}

written_as_its_name!(Theme, "theme");

/// An action with its cells in the coordinates of the last board.
pub(super) struct DrawnAction {
    action: Action,
    from: Option<Cell>,
    to: Option<Cell>,
}

/// The rows and columns drawn: first row, last row, first column, last column.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub top: i8,
    pub bottom: i8,
    pub left: i8,
    pub right: i8,
}

impl Picture<'_> {
    /// The English words above the hands and in empty hands.
    pub const HAND_WORDS: [&'static str; 2] = ["in hand", "none"];

    /// The picture as an SVG document. Doves of the game that are not on the board are shown in hand.
    pub fn svg(&self, game: &Game) -> String {
        let last = self.actions.last().map_or(self.board, |(_, after)| after);
        let drawn = DrawnAction::all_of(self.board, self.actions);
        let view = View::of(last, &drawn);
        let (board_width, board_height) = (view.columns() * CELL, view.rows() * CELL);
        let height = board_height.max(20 + 5 * HAND_STEP);
        let inner = (board_width + 2 * HAND).max(MIN_WIDTH);
        let left = MARGIN + (inner - board_width) / 2;
        let (width, total) = (inner + 2 * MARGIN, height + CAPTION + 2 * MARGIN);
        let origin = (left, MARGIN + (height - board_height) / 2);
        let at = |cell: Cell| {
            let (row, column) = match self.is_turned {
                true => (view.bottom - cell.row, view.right - cell.column),
                false => (cell.row - view.top, cell.column - view.left),
            };
            let middle = |start: i32, number: i8| start + i32::from(number) * CELL + CELL / 2;
            (middle(origin.0, column), middle(origin.1, row))
        };

        let mut svg = format!("<desc>{last}</desc>\n{}", definitions());
        svg += &grid(last, view, at);
        svg += &vacated(&drawn, at);
        svg += &doves(last.doves(), at);
        let middle = |start: i32, length: i32| f64::from(start) + f64::from(length) / 2.0;
        let middle = (middle(origin.0, board_width), middle(origin.1, board_height));
        for (index, drawn) in drawn.iter().enumerate() {
            svg += &sign(drawn, last, index + 1 == self.actions.len(), middle, at);
        }
        let [at_left, at_right] = if self.is_turned { [Color::Green, Color::Red] } else { Color::ALL };
        svg += &self.hand(last, at_left, game, MARGIN + HAND / 2, MARGIN);
        svg += &self.hand(last, at_right, game, width - MARGIN - HAND / 2, MARGIN);
        let _ = writeln!(
            svg,
            "<text class=\"caption\" x=\"{}\" y=\"{}\">{}</text>",
            width / 2,
            total - MARGIN - 6,
            escaped(self.caption)
        );
        document((width, total), self.caption, &svg, self.theme, [LIGHT, DARK])
    }

    /// The doves in hand, as a column.
    fn hand(&self, board: &Board, color: Color, game: &Game, x: i32, top: i32) -> String {
        let [title, none] = self.hand_words.map(escaped);
        let doves = || board.hand(color).filter(|dove| game.doves(color).contains(dove.kind));
        let label = |y: i32, text: &str| format!("<text class=\"label\" x=\"{x}\" y=\"{y}\">{text}</text>\n");
        let mut svg = format!("<g class=\"hand {color}\">\n");
        svg += &label(top + 8, &title);
        if doves().next().is_none() {
            svg += &label(top + 28, &none);
        }
        for (index, dove) in (0..).zip(doves()) {
            let y = top + 20 + HAND_STEP * index + HAND_STEP / 2;
            svg += &used(&id(dove), &format!("transform=\"translate({x} {y}) scale(.82)\""));
        }
        svg + "</g>\n"
    }
}

impl DrawnAction {
    /// Prepares actions for drawing: they begin on `before`, and each is given with the board it leads to.
    pub(super) fn all_of<'a>(mut before: &'a Board, actions: &'a [(Action, Board)]) -> Vec<DrawnAction> {
        let mut drawn: Vec<DrawnAction> = Vec::new();
        for (action, after) in actions {
            let dove = action.dove();
            drawn.push(DrawnAction { action: *action, from: before.cell_of(dove), to: action.to() });
            // An action may change the box, and so shift all cells, but never moves the opposing boss.
            let [old, new] = [before, after].map(|board| board.boss(dove.color.opponent()));
            let shift = (new.row - old.row, new.column - old.column);
            for drawn in &mut drawn {
                drawn.from = drawn.from.map(|cell| cell.step(shift));
                drawn.to = drawn.to.map(|cell| cell.step(shift));
            }
            before = after;
        }
        drawn
    }
}

impl View {
    /// The box, a ring around it on sides without a wall, and every cell of an action.
    pub(super) fn of(board: &Board, drawn: &[DrawnAction]) -> View {
        let bounds = board.bounding_box();
        let ring = |length: i8| i8::from(length < BOX_SIZE);
        let (above, beside) = (ring(bounds.rows()), ring(bounds.columns()));
        let mut view = View {
            top: -above,
            bottom: bounds.rows() - 1 + above,
            left: -beside,
            right: bounds.columns() - 1 + beside,
        };
        for cell in drawn.iter().flat_map(|drawn| drawn.from.iter().chain(&drawn.to)) {
            view.top = view.top.min(cell.row);
            view.bottom = view.bottom.max(cell.row);
            view.left = view.left.min(cell.column);
            view.right = view.right.max(cell.column);
        }
        view
    }

    /// Every cell in view.
    pub(super) fn cells(self) -> impl Iterator<Item = Cell> {
        (self.top..=self.bottom)
            .flat_map(move |row| (self.left..=self.right).map(move |column| Cell::new(row, column)))
    }

    /// The number of rows.
    pub(super) fn rows(self) -> i32 {
        i32::from(self.bottom - self.top) + 1
    }

    /// The number of columns.
    pub(super) fn columns(self) -> i32 {
        i32::from(self.right - self.left) + 1
    }
}

/// A whole document of this size, with paper as its background. `body` begins with the definitions, which precede the
/// paper; `light` are the style rules of a light picture, `dark` the additional ones of a dark picture.
pub(super) fn document(
    (width, height): (i32, i32),
    title: &str,
    body: &str,
    theme: Theme,
    [light, dark]: [&str; 2],
) -> String {
    let style = match theme {
        Theme::Light | Theme::Dark => String::new(),
        // LibreOffice skips the first rule of a media query and applies the others even if the condition is false.
        Theme::Auto => format!(
            "<style>\n@media (prefers-color-scheme:dark){{\n.dovemate{{}}{dark}}}\n\
             @media (prefers-color-scheme:light){{\n.dovemate{{}}{light}}}\n</style>\n"
        ),
    };
    let rules = if theme == Theme::Dark { format!("{light}{dark}") } else { light.to_owned() };
    let (before, after) = body.split_once("</defs>\n").expect("the definitions come first");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" class=\"dovemate\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{}</title>\n{style}{}</svg>\n",
        escaped(title),
        painted(
            &format!(
                "{before}</defs>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{after}"
            ),
            &rules
        )
    )
}

/// These elements, with presentation attributes from the style rules added after each class.
pub fn painted(svg: &str, rules: &str) -> String {
    let mut painted = String::new();
    let mut rest = svg;
    // No text has a quotation mark: see `escaped`.
    while let Some((before, (class, after))) =
        rest.split_once("class=\"").and_then(|(before, after)| Some((before, after.split_once('"')?)))
    {
        let _ = write!(painted, "{before}class=\"{class}\"");
        for (property, value) in properties(class, rules) {
            let _ = write!(painted, " {property}=\"{value}\"");
        }
        rest = after;
    }
    painted + rest
}

/// The properties that the style rules, one per line, give an element with these classes. If several rules set a
/// property, the last counts.
fn properties<'a>(class: &str, rules: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut properties: Vec<(&str, &str)> = Vec::new();
    for (selector, declarations) in rules.lines().filter_map(|line| line.strip_suffix('}')?.split_once('{')) {
        if !selector.split('.').skip(1).all(|part| class.split(' ').any(|own| own == part)) {
            continue;
        }
        for (property, value) in declarations.split(';').filter_map(|part| part.split_once(':')) {
            match properties.iter_mut().find(|(known, _)| *known == property) {
                Some(known) => known.1 = value,
                None => properties.push((property, value)),
            }
        }
    }
    properties
}

/// A use of the element defined with this id, at this place.
pub fn used(id: &str, place: &str) -> String {
    format!("<use href=\"#{id}\" {place} xlink:href=\"#{id}\"/>\n")
}

/// A use of the element defined with this id, around this point.
fn used_at(id: &str, (x, y): (i32, i32)) -> String {
    used(id, &format!("x=\"{x}\" y=\"{y}\""))
}

/// Cells and walls. `at` gives the centre of a cell.
pub(super) fn grid(board: &Board, view: View, at: impl Fn(Cell) -> (i32, i32)) -> String {
    let bounds = board.bounding_box();
    let mut svg = String::new();
    let (rows, columns) = (0..bounds.rows(), 0..bounds.columns());
    let is_inside = |cell: &Cell| rows.contains(&cell.row) && columns.contains(&cell.column);
    for (class, inside) in [("cell beyond", false), ("cell", true)] {
        for (x, y) in view.cells().filter(|cell| is_inside(cell) == inside).map(&at) {
            let (x, y) = (x - CELL / 2, y - CELL / 2);
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>"
            );
        }
    }
    let corners = [at(Cell::new(0, 0)), at(Cell::new(bounds.rows() - 1, bounds.columns() - 1))];
    let (x0, y0) = (corners[0].0.min(corners[1].0) - CELL / 2, corners[0].1.min(corners[1].1) - CELL / 2);
    let (x1, y1) = (x0 + i32::from(bounds.columns()) * CELL, y0 + i32::from(bounds.rows()) * CELL);
    let mut wall = |(x1, y1): (i32, i32), (x2, y2): (i32, i32)| {
        let _ = writeln!(svg, "<line class=\"wall\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    };
    let (has_sides, has_ends) = (bounds.columns() == BOX_SIZE, bounds.rows() == BOX_SIZE);
    // Where walls meet, they close the corner.
    let corner = if has_sides && has_ends { 3 } else { -3 };
    if has_sides {
        wall((x0 - 3, y0 - corner), (x0 - 3, y1 + corner));
        wall((x1 + 3, y0 - corner), (x1 + 3, y1 + corner));
    }
    if has_ends {
        wall((x0 - corner, y0 - 3), (x1 + corner, y0 - 3));
        wall((x0 - corner, y1 + 3), (x1 + corner, y1 + 3));
    }
    svg
}

/// The cells that doves have left.
pub(super) fn vacated(drawn: &[DrawnAction], at: impl Fn(Cell) -> (i32, i32)) -> String {
    drawn.iter().filter_map(|drawn| drawn.from).map(|cell| used_at("vacated", at(cell))).collect()
}

/// Doves on their cells.
pub(super) fn doves(doves: impl Iterator<Item = (Dove, Cell)>, at: impl Fn(Cell) -> (i32, i32)) -> String {
    doves.map(|(dove, cell)| used_at(&id(dove), at(cell))).collect()
}

/// The sign of an action: an arrow for a move, a plus for a put, a minus on the vacated cell for a return.
/// `middle` is the centre of the cells drawn.
pub(super) fn sign(
    drawn: &DrawnAction,
    board: &Board,
    is_last: bool,
    middle: (f64, f64),
    at: impl Fn(Cell) -> (i32, i32),
) -> String {
    let (class, suffix) = if is_last { ("action last", "-last") } else { ("action", "") };
    match (drawn.action, drawn.from, drawn.to) {
        (Action::Move { .. }, Some(from), Some(to)) => {
            let (shaft, head) = arrow(at(from), at(to), board.dove_at(from).is_some(), middle);
            let head_class = class.replace("action", "head");
            format!("<path class=\"{class}\" d=\"{shaft}\"/>\n<path class=\"{head_class}\" d=\"{head}\"/>\n")
        }
        (Action::Put { .. }, _, Some(to)) => used_at(&format!("plus{suffix}"), at(to)),
        (_, Some(from), _) => used_at(&format!("minus{suffix}"), at(from)),
        _ => String::new(),
    }
}

/// The paths of an arrow's shaft and of its head, which is not a `<marker>`, because only browsers draw those. The
/// shaft runs from the centre of the vacated cell to the edge of the dove, so that its letter stays readable. If
/// another dove has moved to the vacated cell since, its letter must stay readable, too.
fn arrow(from: (i32, i32), to: (i32, i32), is_taken: bool, middle: (f64, f64)) -> (String, String) {
    /// Distances from a dove's centre: to just beside its letter, to just inside its edge, and to the middle of the
    /// head of an arrow that points at it.
    const BESIDE_LETTER: f64 = 13.0;
    const BESIDE_DOVE: f64 = 15.0;
    const BEFORE_DOVE: f64 = 29.0;
    /// Minimum length at which an arrow's shaft is visible.
    const SHORTEST: f64 = 10.0;
    /// How far out an arrow that bends around two doves has its control point, and the room that its head takes.
    const ROUND_DOVES: f64 = 44.0;
    const HEAD: f64 = 12.0;
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let (x0, y0) = (f64::from(from.0), f64::from(from.1));
    let start = if is_taken { BESIDE_LETTER } else { 0.0 };
    let end = length - BEFORE_DOVE;
    if end - start > SHORTEST {
        let ((ax, ay), (bx, by)) = ((x0 + ux * start, y0 + uy * start), (x0 + ux * end, y0 + uy * end));
        return (format!("M{ax:.1} {ay:.1}L{bx:.1} {by:.1}"), head((bx, by), (ux, uy)));
    }
    // Two neighbours leave no room: go around them, on the side farther from `middle`.
    let outwards = (x0 - middle.0) * uy - (y0 - middle.1) * ux;
    let (nx, ny) = if outwards >= 0.0 { (uy, -ux) } else { (-uy, ux) };
    let point = |along: f64, out: f64| (x0 + ux * along + nx * out, y0 + uy * along + ny * out);
    let (ax, ay) = point(0.0, BESIDE_DOVE);
    let (bx, by) = point(0.75 * length, ROUND_DOVES);
    let (cx, cy) = point(length, BESIDE_DOVE + HEAD);
    let bend = (cx - bx).hypot(cy - by);
    let shaft = format!("M{ax:.1} {ay:.1}Q{bx:.1} {by:.1} {cx:.1} {cy:.1}");
    (shaft, head((cx, cy), ((cx - bx) / bend, (cy - by) / bend)))
}

/// The path of an arrowhead around this point, pointing in this direction.
fn head((x, y): (f64, f64), (ux, uy): (f64, f64)) -> String {
    /// Half its length, and half its width.
    const HALF: f64 = 8.5;
    let corners = [(-HALF, -HALF), (HALF, 0.0), (-HALF, HALF)];
    let [(ax, ay), (bx, by), (cx, cy)] =
        corners.map(|(along, across)| (x + along * ux - across * uy, y + along * uy + across * ux));
    format!("M{ax:.1} {ay:.1}L{bx:.1} {by:.1} {cx:.1} {cy:.1}z")
}

/// The id of a dove's definition.
pub(super) fn id(dove: Dove) -> String {
    format!("{}-{}", dove.color, dove.kind)
}

/// A `<defs>` element with every dove, drawn around the origin, and the marks for actions. A dove has the id
/// `red-boss`, `green-aniki` and so on.
pub fn definitions() -> String {
    let mut svg = "<defs>\n".to_owned();
    for dove in Dove::all() {
        let color = dove.color.name();
        let inner = match dove.kind {
            Kind::Boss => outline(dove.color, &format!("inner {color}-line"), 16),
            _ => String::new(),
        };
        let _ = writeln!(
            svg,
            "<g id=\"{}\" class=\"dove {color}\">{}{inner}{}<text class=\"letter {color}-ink\" y=\"{}\">{}</text></g>",
            id(dove),
            outline(dove.color, &format!("body {color}-body"), 19),
            marks(dove, color),
            // The crown needs room above the letter.
            if dove.kind == Kind::Boss { 10 } else { 6 },
            dove.letter()
        );
    }
    for (suffix, class) in [("", "action"), ("-last", "action last")] {
        let _ = writeln!(
            svg,
            "<path id=\"plus{suffix}\" class=\"{class} badge\" \
             d=\"M8 -15a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0 -15 0M11.5 -15h8M15.5 -19v8\"/>\n\
             <path id=\"minus{suffix}\" class=\"{class} badge\" \
             d=\"M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M-5 0h10\"/>"
        );
    }
    svg + "<rect id=\"vacated\" class=\"vacated\" x=\"-18\" y=\"-18\" width=\"36\" height=\"36\" rx=\"6\"/>\n</defs>\n"
}

/// The outline of a dove: a disc if it is red, a square if it is green.
fn outline(color: Color, class: &str, size: i32) -> String {
    match color {
        Color::Red => format!("<circle class=\"{class}\" r=\"{size}\"/>"),
        Color::Green => {
            let (corner, side) = (1 - size, 2 * size - 2);
            let square = format!("x=\"{corner}\" y=\"{corner}\" width=\"{side}\" height=\"{side}\" rx=\"4\"");
            format!("<rect class=\"{class}\" {square}/>")
        }
    }
}

/// The marks around a dove's letter that show how its kind moves, or a boss's crown.
fn marks(dove: Dove, color: &str) -> String {
    let dots = |centres: &[(i32, i32)]| {
        let mut svg = String::new();
        for (x, y) in centres {
            let _ = write!(svg, "<circle class=\"mark {color}-ink\" cx=\"{x}\" cy=\"{y}\" r=\"1.8\"/>");
        }
        svg
    };
    // A disc has less room at its corners than a square.
    let corner = if dove.color == Color::Red { 11 } else { 14 };
    let sides = [(0, -15), (0, 15), (-15, 0), (15, 0)];
    let corners = [(-corner, -corner), (corner, -corner), (-corner, corner), (corner, corner)];
    match dove.kind {
        Kind::Boss => {
            format!("<path class=\"crown {color}-ink\" d=\"M-7 -5v-7l3.5 3.5 3.5 -5 3.5 5 3.5 -3.5v7z\"/>")
        }
        Kind::Aniki => dots(&sides) + &dots(&corners),
        Kind::Yaibato => dots(&sides),
        Kind::Mamedeppo => dots(&corners),
        Kind::Totsu => {
            format!("<path class=\"bar {color}-line\" d=\"M-6 -15h12M-6 15h12M-15 -6v12M15 -6v12\"/>")
        }
        Kind::Hajike => {
            dots(&[(-5, -14), (5, -14), (-5, 14), (5, 14), (-14, -5), (-14, 5), (14, -5), (14, 5)])
        }
    }
}

/// Whether this character is valid in XML and in a line of text.
pub fn is_drawable(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}')
}

/// Text escaped for XML, with a replacement character for each character that cannot be drawn.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.replace(|letter| !is_drawable(letter), "\u{fffd}")
}

/// The style sheet of a page that draws with [`definitions`], light or dark as the system is. The classes are on the
/// elements themselves, because selectors do not match across the boundary of a `<use>`.
pub fn style_sheet() -> String {
    format!("{LIGHT}@media (prefers-color-scheme:dark){{{DARK}}}\n")
}

/// The style rules of a light picture, one per line.
pub const LIGHT: &str = concat!("\n", include_str!("light.css"));

/// The style rules that differ in a dark picture.
pub(super) const DARK: &str = concat!("\n", include_str!("dark.css"));
