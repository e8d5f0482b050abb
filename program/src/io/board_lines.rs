//! Boards as lines of text for a terminal.
//!
//! A cell takes three columns: ` a ` is a dove, `[B]` a boss, `(h)` the dove that acted last, ` · ` an empty
//! cell of the bounding box. Double lines are walls; sides without a wall have no line. [`Signs`] also offers ASCII
//! substitutes for the lines and the dot. Letters distinguish the doves (upper case red, lower case green); colour, in
//! ANSI escapes that the caller may strip, only helps.

use anstyle::Style;

use dovemate::rules::{BOX_SIZE, Board, Cell, Color, Dove, Kind};
use dovemate_web::texts::style;

/// The style of secondary marks.
pub const FAINT: Style = Style::new().dimmed();

/// The characters of a picture that are not in ASCII, or their ASCII substitutes.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// The corners: top left and right, bottom left and right.
    corners: [char; 4],
    /// A wall at the top or the bottom.
    lying: &'static str,
    /// A wall at a side.
    standing: &'static str,
    /// An empty cell, and the distance 0.
    dot: &'static str,
    /// The mark of an empty hand.
    none: &'static str,
    /// The arrow from an action to the answer to it.
    pub arrow: &'static str,
}

impl Signs {
    /// Double lines, for terminals on which they take one column each.
    pub const LINES: Signs =
        Signs {
            corners: ['╔', '╗', '╚', '╝'], lying: "═", standing: "║", dot: "·", none: "–", arrow: "→"
        };
    /// ASCII, for all other terminals.
    pub const ASCII: Signs =
        Signs { corners: ['+'; 4], lying: "=", standing: "|", dot: ".", none: "-", arrow: "->" };
}

/// The lines of a picture, with ANSI escapes; on a terminal, all are equally wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The lines, from the top.
    pub lines: Vec<String>,
    /// The width of each line in columns.
    pub width: usize,
}

/// The board. With `rulers`, rows and columns are labelled by their distance from the red boss, as in action
/// text: `N1 E2`. `acted` is the dove that acted last.
pub fn board(board: &Board, rulers: bool, acted: Option<Dove>, signs: Signs) -> Lines {
    let bounds = board.bounding_box();
    let (rows, columns) = (bounds.rows(), bounds.columns());
    let walled = |length: i8| length == BOX_SIZE;
    let origin = board.boss(Color::Red);
    let mut lines = Vec::new();
    let margin = if rulers { "   " } else { "" };

    if rulers {
        let name = |column| format!("{:^3}", distance(column - origin.column, 'E', 'W', signs));
        let names: String = (0..columns).map(name).collect();
        lines.push(format!("{margin} {FAINT}{names}{FAINT:#} "));
    }
    // Corners are drawn only where two walls meet.
    let edge = |left, right| {
        let wall = if walled(rows) { signs.lying } else { " " }.repeat(3 * columns as usize);
        let (left, right) = if walled(rows) && walled(columns) { (left, right) } else { (' ', ' ') };
        format!("{margin}{left}{wall}{right}")
    };
    lines.push(edge(signs.corners[0], signs.corners[1]));
    for row in 0..rows {
        let side = if walled(columns) { signs.standing } else { " " };
        let cell = |column| cell(board, Cell::new(row, column), acted, signs);
        let cells: String = (0..columns).map(cell).collect();
        let name = distance(row - origin.row, 'S', 'N', signs);
        let ruler = if rulers { format!("{FAINT}{name:>2}{FAINT:#} ") } else { String::new() };
        lines.push(format!("{ruler}{side}{cells}{side}"));
    }
    lines.push(edge(signs.corners[2], signs.corners[3]));
    Lines { lines, width: margin.len() + 3 * columns as usize + 2 }
}

/// A cell, three columns wide.
fn cell(board: &Board, cell: Cell, acted: Option<Dove>, signs: Signs) -> String {
    let Some(dove) = board.dove_at(cell) else {
        return format!("{FAINT} {} {FAINT:#}", signs.dot);
    };
    let style = style(dove.color);
    let letter = dove.letter();
    match (Some(dove) == acted, dove.kind) {
        (true, _) => format!("({style}{letter}{style:#})"),
        (false, Kind::Boss) => format!("[{style}{letter}{style:#}]"),
        (false, _) => format!(" {style}{letter}{style:#} "),
    }
}

/// A distance as text: `N2` for two to the north, `·` for none.
fn distance(distance: i8, positive: char, negative: char, signs: Signs) -> String {
    match distance {
        0 => signs.dot.to_owned(),
        1.. => format!("{positive}{distance}"),
        _ => format!("{negative}{}", -distance),
    }
}

/// Doves of one colour, separated by spaces; a dash if there are none.
pub fn doves(color: Color, doves: impl Iterator<Item = Dove>, signs: Signs) -> String {
    let style = style(color);
    let letters: Vec<String> = doves.map(|dove| dove.letter().to_string()).collect();
    if letters.is_empty() { signs.none.to_owned() } else { format!("{style}{}{style:#}", letters.join(" ")) }
}

/// Pictures side by side, `gap` columns apart, in rows of at most `width` columns; at least one per row.
pub fn side_by_side(pictures: &[Lines], gap: usize, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = pictures;
    while !rest.is_empty() {
        let mut used = rest[0].width;
        let more = rest[1..].iter().take_while(|picture| {
            used += gap + picture.width;
            used <= width
        });
        let (row, others) = rest.split_at(1 + more.count());
        rest = others;
        let height = row.iter().map(|picture| picture.lines.len()).max().unwrap_or(0);
        for line in 0..height {
            let part =
                |picture: &Lines| picture.lines.get(line).cloned().unwrap_or(" ".repeat(picture.width));
            let parts: Vec<String> = row.iter().map(part).collect();
            lines.push(parts.join(&" ".repeat(gap)).trim_end().to_owned());
        }
    }
    lines
}
