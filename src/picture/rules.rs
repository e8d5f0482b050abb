//! The pictures of the rules, without words, for readers of any language: how each dove moves, where one may
//! be put, walls, a surrounded boss, and a dove that would be isolated.
//!
//! Their marks for allowed and forbidden cells are computed by the rules, not drawn by hand. A dot marks a cell that
//! a dove may go to, a cross one that it may not; an orange bar marks a closed side of a boss; a dashed ring marks a
//! dove that would be isolated.

use std::fmt::Write;

use super::svg::{self, CELL, DrawnAction, MARGIN, Theme, View};
use crate::rules::{Action, Board, Cell, Color, Dove, Kind, Rules};

/// The space between two boards.
const GAP: i32 = 34;
/// The middle row and column of the plain cells on which moves are shown, and all rows and columns of these cells.
const MIDDLE: i8 = 2;
const PLAIN: View = View { top: 0, bottom: 2 * MIDDLE, left: 0, right: 2 * MIDDLE };

/// The style of the marks, in addition to that of all pictures; and its differences in a dark picture.
const MARKS: [&str; 2] =
    [concat!("\n", include_str!("marks.css")), concat!("\n", include_str!("marks-dark.css"))];

/// A mark on a cell, or on one of its sides.
#[derive(Clone, Copy)]
enum Mark {
    May(Cell),
    MayNot(Cell),
    Closed(Cell, Cell),
    Lonely(Cell),
}

/// One board of a picture, or plain cells with doves.
struct Panel {
    board: Option<Board>,
    doves: Vec<(Dove, Cell)>,
    drawn: Vec<DrawnAction>,
    view: View,
    marks: Vec<Mark>,
}

/// All pictures: file name and SVG document.
pub fn pictures() -> Vec<(String, String)> {
    let mut pictures = Vec::new();
    for kind in Kind::ALL {
        pictures.push((kind.name(), picture(&format!("the moves of a {kind}"), &[moves(kind)], false)));
    }
    let put = puts(&parsed("b;B"));
    pictures.push(("put", picture("cells that red may put a dove on", &[put], false)));
    let title = "walls appear when the doves reach across four cells";
    pictures.push(("walls", picture(title, &walls(), true)));
    let boards = ["-y-;aBT;-b-", "t---;BYab;m---", "BY-b;m-a-;-h--;T---"];
    let panels = boards.map(|text| surrounded(&parsed(text)));
    pictures.push(("surrounded", picture("a surrounded boss", &panels, false)));
    let panel = isolated(&parsed("bB;-Y;a-"), Kind::Yaibato);
    pictures.push(("isolated", picture("a dove that would be isolated", &[panel], false)));
    pictures.into_iter().map(|(name, svg)| (format!("{name}.svg"), svg)).collect()
}

/// Where a dove can go from the middle of plain cells. The Totsu meets another dove on its way, the Hajike
/// jumps over one.
fn moves(kind: Kind) -> Panel {
    let from = Cell::new(MIDDLE, MIDDLE);
    let other = Dove::new(Color::Green, Kind::Yaibato);
    let other = match kind {
        Kind::Totsu => Some((other, from.step((0, 2)))),
        Kind::Hajike => Some((other, from.step((0, 1)))),
        _ => None,
    };
    let (rows, columns) = (PLAIN.top..=PLAIN.bottom, PLAIN.left..=PLAIN.right);
    let is_free = |cell: &Cell| {
        let is_inside = rows.contains(&cell.row) && columns.contains(&cell.column);
        is_inside && other.is_none_or(|(_, taken)| taken != *cell)
    };
    let (steps, most) = kind.steps();
    let mut marks = Vec::new();
    for (rows, columns) in steps {
        let cells = (1..=most).map(|n| from.step((n * rows, n * columns)));
        marks.extend(cells.take_while(is_free).map(Mark::May));
    }
    let doves = [(Dove::new(Color::Red, kind), from)].into_iter().chain(other).collect();
    Panel { board: None, doves, drawn: Vec::new(), view: PLAIN, marks }
}

/// The empty cells that touch a red dove: a dot where one may be put, a cross where not.
fn puts(board: &Board) -> Panel {
    let is_legal = |cell| {
        let mut actions = board.legal_actions(Color::Red, Rules::default());
        actions.any(|(action, _)| matches!(action, Action::Put { to, .. } if to == cell))
    };
    let touches = |cell: Cell| board.doves().any(|(dove, own)| dove.color == Color::Red && own.touches(cell));
    let mut panel = Panel::of(board, Vec::new());
    for cell in panel.view.cells() {
        if board.dove_at(cell).is_none() && touches(cell) {
            panel.marks.push(if is_legal(cell) { Mark::May(cell) } else { Mark::MayNot(cell) });
        }
    }
    panel
}

/// A dove's step to the right, after which the box is four cells wide.
fn walls() -> [Panel; 2] {
    let before = parsed("bBa;--Y");
    let action = Action::from_typed("YE2S1", &before, Color::Red).expect("an action");
    let after = before.after(action, Rules::default()).expect("a legal action");
    let drawn = DrawnAction::all_of(&before, &[(action, after.clone())]);
    [Panel::of(&before, Vec::new()), Panel::of(&after, drawn)]
}

/// Every closed side of the red boss.
fn surrounded(board: &Board) -> Panel {
    let boss = board.boss(Color::Red);
    let bounds = board.bounding_box();
    let is_closed = |side: &Cell| board.dove_at(*side).is_some() || bounds.is_beyond_wall(*side);
    let marks = boss.sides().filter(is_closed).map(|side| Mark::Closed(boss, side)).collect();
    Panel { marks, ..Panel::of(board, Vec::new()) }
}

/// The moves of a red dove: a dot where a move is legal, a cross where it is not, and a ring around a dove that a move
/// would isolate.
fn isolated(board: &Board, kind: Kind) -> Panel {
    let dove = Dove::new(Color::Red, kind);
    let panel = Panel::of(board, Vec::new());
    let is_legal = |to| board.after(Action::Move { dove, to }, Rules::default()).is_ok();
    let mut marks = Vec::new();
    let Some(from) = board.cell_of(dove) else { return panel };
    for step in kind.steps().0 {
        let to = from.step(*step);
        if board.dove_at(to).is_some() {
            continue;
        }
        marks.push(if is_legal(to) { Mark::May(to) } else { Mark::MayNot(to) });
        let others = || board.doves().filter(|(other, _)| *other != dove).map(|(_, cell)| cell);
        let is_lonely = |cell: &Cell| !cell.touches(to) && !others().any(|other| other.touches(*cell));
        marks.extend(others().filter(is_lonely).map(Mark::Lonely));
    }
    Panel { marks, ..panel }
}

/// Parses a board text that is known to be valid.
fn parsed(text: &str) -> Board {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

impl Panel {
    fn of(board: &Board, drawn: Vec<DrawnAction>) -> Panel {
        let view = View::of(board, &drawn);
        Panel { board: Some(board.clone()), doves: board.doves().collect(), drawn, view, marks: Vec::new() }
    }

    /// The panel with the upper left corner of its cells at these coordinates.
    fn svg(&self, (left, top): (i32, i32)) -> String {
        let centre = |first: i8, cell: i8| i32::from(cell - first) * CELL + CELL / 2;
        let at = |cell: Cell| {
            let (x, y) = (centre(self.view.left, cell.column), centre(self.view.top, cell.row));
            (left + x, top + y)
        };
        let mut svg = match &self.board {
            Some(board) => svg::grid(board, self.view, at),
            None => self.view.cells().map(at).map(plain).collect(),
        };
        svg += &svg::vacated(&self.drawn, at);
        svg += &svg::doves(self.doves.iter().copied(), at);
        if let Some(board) = &self.board {
            let middle = |start: i32, cells: i32| f64::from(start) + f64::from(cells * CELL) / 2.0;
            let middle = (middle(left, self.view.columns()), middle(top, self.view.rows()));
            svg.extend(self.drawn.iter().map(|drawn| svg::sign(drawn, board, true, middle, at)));
        }
        svg.extend(self.marks.iter().map(|mark| mark.svg(at)));
        svg
    }
}

impl Mark {
    fn svg(self, at: impl Fn(Cell) -> (i32, i32)) -> String {
        let (Mark::May(cell) | Mark::MayNot(cell) | Mark::Lonely(cell) | Mark::Closed(cell, _)) = self;
        let (x, y) = at(cell);
        match self {
            Mark::May(_) => format!("<circle class=\"may\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>\n"),
            Mark::MayNot(_) => {
                format!("<path class=\"may-not\" d=\"M{} {}l14 14m0 -14l-14 14\"/>\n", x - 7, y - 7)
            }
            Mark::Lonely(_) => format!("<circle class=\"lonely\" cx=\"{x}\" cy=\"{y}\" r=\"25\"/>\n"),
            Mark::Closed(_, side) => {
                let (towards_x, towards_y) = at(side);
                let (dx, dy) = ((towards_x - x) / 2, (towards_y - y) / 2);
                let (x, y) = (x + dx, y + dy);
                // The bar runs along the side and covers two thirds of it.
                let (across_x, across_y) = (dy * 2 / 3, dx * 2 / 3);
                let ((x1, y1), (x2, y2)) = ((x - across_x, y - across_y), (x + across_x, y + across_y));
                format!("<line class=\"closed\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n")
            }
        }
    }
}

/// A cell without a board.
fn plain((x, y): (i32, i32)) -> String {
    let (x, y) = (x - CELL / 2, y - CELL / 2);
    format!("<rect class=\"cell\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>\n")
}

/// Panels side by side, with arrows between them if each follows from the one before.
fn picture(title: &str, panels: &[Panel], is_sequence: bool) -> String {
    let rows = panels.iter().map(|panel| panel.view.rows()).max().unwrap_or(0);
    let widths: i32 = panels.iter().map(|panel| panel.view.columns() * CELL + GAP).sum();
    let (width, height) = (widths - GAP + 2 * MARGIN, rows * CELL + 2 * MARGIN);
    let mut body = String::new();
    let mut left = MARGIN;
    for (index, panel) in panels.iter().enumerate() {
        if is_sequence && index > 0 {
            let (x, y) = (left - GAP / 2, height / 2);
            let _ = writeln!(body, "<path class=\"then\" d=\"M{} {}l16 9l-16 9z\"/>", x - 8, y - 9);
        }
        body += &panel.svg((left, MARGIN + (rows - panel.view.rows()) * CELL / 2));
        left += panel.view.columns() * CELL + GAP;
    }
    // Only the definitions that are used: each file has few doves.
    let id_in = |line: &str| Some(line.split_once("id=\"")?.1.split_once('"')?.0.to_owned());
    let is_used = |line: &&str| match id_in(line) {
        Some(id) => body.contains(&format!("#{id}\"")) || body.contains(&format!("#{id})")),
        None => true,
    };
    let definitions: String = svg::definitions().split_inclusive('\n').filter(is_used).collect();
    let [light, dark] = [svg::LIGHT.to_owned() + MARKS[0], svg::DARK.to_owned() + MARKS[1]];
    svg::document((width, height), title, &(definitions + &body), Theme::Auto, [&light, &dark])
}
