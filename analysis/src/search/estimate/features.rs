//! The features of a position, which are the input of the estimate's network.
//!
//! A position is seen twice, from each boss: once by the player to move, once by the other. Each player sees a set of
//! *features*; a feature is the number of a row of the network's first layer, and *own* means the player's. First the
//! board is rotated and reflected so that the bosses are in one of nine places relative to each other. So all images of
//! a position have the same features.
//!
//! | table | one feature for each |
//! |---|---|
//! | cells | dove on the board other than the own boss, and its offset from that boss |
//! | hands | dove that is not on the board: whether it is in hand or not in the game |
//! | box | the size of the box, and the boss's place in it |
//! | danger | the numbers of the boss's open sides, its escapes, and opposing doves that can close an open side |
//! | attackers | the number of the boss's open sides, and the opposing kinds that can close one |
//! | reach | own dove on the board, its number of moves, and whether it can close a side of the opposing boss |
//! | moves, puts | half the number of moves, up to 15; whether a dove is in hand, and the cells for puts, up to 7 |
//! | pinned | number of own doves that cannot move |
//! | returns | game with returns |
//!
//! An *escape* is a step of the boss to a cell where it has at least two open sides.

use crate::search::position::{BOSS, KINDS, Position};
use dovemate::rules::{Kind, Rules};
use dovemate::shapes::moves;
use dovemate::shapes::plane::{self, Bounds, PLANE};

/// The cells around a boss, up to three rows and columns away.
const AROUND: usize = 7 * 7;

const HANDS: usize = 2 * KINDS * AROUND;
const BOX: usize = HANDS + 2 * KINDS * 2;
const DANGER: usize = BOX + 16 * 16;
const ATTACKERS: usize = DANGER + 5 * 4 * 4;
const REACH: usize = ATTACKERS + 5 * 64;
const MOVES: usize = REACH + KINDS * 8 * 2;
const PUTS: usize = MOVES + 16;
const PINNED: usize = PUTS + 2 * 8;
const RETURNS: usize = PINNED + 8;
/// The number of features.
pub const FEATURES: usize = RETURNS + 1;
/// Maximum number of features that a player sees at once: one for each dove except its own boss, three for its boss's
/// surroundings, one for the reach of each of its doves, and four more.
pub const MOST: usize = (2 * KINDS - 1) + 3 + KINDS + 4;

/// The options of one player that the features depend on.
#[derive(Clone, Copy, Default)]
struct PlayerFeatures {
    /// The boss's sides with neither dove nor wall.
    open: usize,
    /// The boss's escapes, at most 3.
    escapes: usize,
    /// The kinds that can close a side of the opposing boss, as bits.
    attackers: usize,
    /// The moves of each dove.
    moves: [u32; KINDS],
    /// The doves that cannot move.
    pinned: usize,
    /// The cells for puts.
    puts: u32,
    /// Whether there is a dove in hand.
    has_hand: bool,
}

impl PlayerFeatures {
    fn of(position: &Position, side: usize, doves: u64) -> PlayerFeatures {
        let (mine, theirs) = (&position.cells[side], &position.cells[1 - side]);
        let target = plane::open_sides(theirs[BOSS], doves);
        let open = plane::open_sides(mine[BOSS], doves).count_ones() as usize;
        let mut at = PlayerFeatures { open, ..PlayerFeatures::default() };
        for (kind, &from) in mine.iter().enumerate() {
            if from == 0 {
                at.has_hand |= position.sets[side].bits() >> (kind - 1) & 1 == 1;
                continue;
            }
            let others = doves & !from;
            let reached = moves::moves(Kind::ALL[kind], from, others);
            at.moves[kind] = reached.count_ones();
            at.pinned += usize::from(reached == 0);
            at.attackers |= usize::from(reached & target != 0) << kind;
            if kind == BOSS {
                at.escapes = moves::escapes(reached, others).take(3).count();
            }
        }
        if at.has_hand {
            at.puts = moves::puts(position.sides[side], theirs[BOSS], doves).count_ones();
        }
        at
    }
}

/// A rotation or reflection of the board.
#[derive(Clone, Copy)]
struct Image {
    transposed: bool,
    rows_reversed: bool,
    columns_reversed: bool,
}

impl Image {
    /// The image of an offset in rows and columns.
    fn of(self, (rows, columns): (i32, i32)) -> (i32, i32) {
        let rows = if self.rows_reversed { -rows } else { rows };
        let columns = if self.columns_reversed { -columns } else { columns };
        if self.transposed { (columns, rows) } else { (rows, columns) }
    }

    /// The normal image of a position: the opposing boss is neither above nor left of the mover's, and as many columns
    /// away as rows, or more. If two images are like that, it is the one whose cells, compared dove by dove, come
    /// first.
    fn normal(position: &Position) -> Image {
        let own = position.cells[0][BOSS];
        let (rows, columns) = offset(own, position.cells[1][BOSS]);
        let first = Image {
            transposed: rows.abs() > columns.abs(),
            rows_reversed: rows < 0,
            columns_reversed: columns < 0,
        };
        let second = match (rows, columns) {
            (0, _) => Image { rows_reversed: true, ..first },
            (_, 0) => Image { columns_reversed: true, ..first },
            (rows, columns) if rows.abs() == columns.abs() => Image { transposed: true, ..first },
            _ => return first,
        };
        let order = |image: Image| {
            position.cells.as_flattened().iter().fold(0u128, |order, &cell| match cell {
                0 => order << 6,
                cell => order << 6 | index_at(image.of(offset(own, cell))) as u128,
            })
        };
        if order(first) <= order(second) { first } else { second }
    }
}

/// The offset from one cell to another in rows and columns.
fn offset(from: u64, to: u64) -> (i32, i32) {
    let (from, to) = (from.trailing_zeros(), to.trailing_zeros());
    let difference = |of: fn(u32) -> u32| of(to) as i32 - of(from) as i32;
    (difference(|cell| cell / PLANE), difference(|cell| cell % PLANE))
}

/// The index of the cell at this offset from a boss.
fn index_at((rows, columns): (i32, i32)) -> usize {
    ((rows + 3) * 7 + columns + 3) as usize
}

/// The features of a position as seen by the player to move, and as seen by the other.
#[derive(Debug)]
pub struct Seen {
    rows: [[u16; MOST]; 2],
    counts: [usize; 2],
}

impl Seen {
    /// The features of a position under these rules.
    pub fn of(position: &Position, rules: Rules) -> Seen {
        let doves = position.doves();
        let image = Image::normal(position);
        let players = [0, 1].map(|side| PlayerFeatures::of(position, side, doves));
        let mut seen = Seen { rows: [[0; MOST]; 2], counts: [0; 2] };
        for side in 0..2 {
            let mut add = |feature: usize| {
                seen.rows[side][seen.counts[side]] = feature as u16;
                seen.counts[side] += 1;
            };
            let boss = position.cells[side][BOSS];
            for (owner, cells) in [&position.cells[side], &position.cells[1 - side]].into_iter().enumerate() {
                let set = position.sets[side ^ owner].bits();
                for (kind, &cell) in cells.iter().enumerate() {
                    let dove = owner * KINDS + kind;
                    if cell == 0 {
                        add(HANDS + dove * 2 + usize::from(set >> (kind - 1) & 1));
                    } else if dove != BOSS {
                        add(dove * AROUND + index_at(image.of(offset(boss, cell))));
                    }
                }
            }
            add(box_feature(boss, doves, image));
            let PlayerFeatures { open, escapes, moves, pinned, puts, has_hand, .. } = players[side];
            let attackers = players[1 - side].attackers;
            add(DANGER + (open * 4 + escapes) * 4 + attackers.count_ones().min(3) as usize);
            add(ATTACKERS + open * 64 + attackers);
            for (kind, _) in position.cells[side].iter().enumerate().filter(|(_, cell)| **cell != 0) {
                let closes = players[side].attackers >> kind & 1;
                add(REACH + (kind * 8 + moves[kind].min(7) as usize) * 2 + closes);
            }
            add(MOVES + (moves.iter().sum::<u32>() as usize / 2).min(15));
            add(PUTS + usize::from(has_hand) * 8 + (puts as usize).min(7));
            add(PINNED + pinned);
            if rules.returns {
                add(RETURNS);
            }
        }
        seen
    }

    /// The features that a player sees: 0 for the player to move, 1 for the other.
    pub fn by(&self, player: usize) -> &[u16] {
        &self.rows[player][..self.counts[player]]
    }
}

/// The feature of the box's size and the place of a boss in it.
fn box_feature(boss: u64, doves: u64, image: Image) -> usize {
    let bounds = Bounds::of(doves);
    let ((top, left), (height, width)) = (bounds.start(), bounds.extent());
    let first = offset(boss, 1 << (PLANE * top + left));
    let last = offset(boss, 1 << (PLANE * (top + height - 1) + left + width - 1));
    let (one, other) = (image.of(first), image.of(last));
    let (rows, columns) = ((one.0 - other.0).unsigned_abs(), (one.1 - other.1).unsigned_abs());
    let (above, before) = (-one.0.min(other.0), -one.1.min(other.1));
    BOX + (rows * 4 + columns) as usize * 16 + (above * 4 + before) as usize
}
