//! The features of a position: what a player would name, each the index of a weight.
//!
//! A position has one *feature* in some of the tables below, and in the others one for each boss, each kind,
//! each dove on the board, each two of these doves, or each two and a boss. A feature is the index of its
//! weight among [`WEIGHTS`]; the estimate is the sum of the weights. All are from the point of view of the
//! player to move, so *own* is the mover's; none changes if the board is turned, reflected or moved.
//!
//! | table | one weight for each | |
//! |---|---|---|
//! | surroundings | boss, and the state of the 8 cells around it: free, its owner's dove, the opponent's, wall | up to symmetry |
//! | danger | both bosses' open sides, escapes, and doves that can close one of those sides | |
//! | attackers | boss, the kinds that can close one of its open sides, its open sides and escapes | |
//! | on board | which of the ten doves other than bosses are on the board | |
//! | hands | kind, and for both players whether it is on the board, in hand, or not in the game | |
//! | moves, puts | both players' numbers of moves, and of cells for puts | in steps |
//! | ties | both players' doves that cannot move without isolating one, or have nowhere to go | |
//! | distances | dove on the board, and where the two bosses are from it | |
//! | reach | dove on the board, its number of moves, and whether it can close a side of the opposing boss | |
//! | pairs | two doves on the board, and where they are from each other | |
//! | pairs at a boss | two doves on the board, a boss, and where it is from each of them | |
//! | bosses | where they are from each other, both open sides, and the size of the box | |
//!
//! Games in which the players together have more than eight of the ten kinds have weights of their own: with
//! fewer kinds most positions are draws, and what wins the whole game does not win there.
//!
//! An *escape* is a step of the boss to a cell where it has at least two open sides.

use std::sync::LazyLock;

use crate::rules::Kind;
use crate::search::position::{BOSS, KINDS, Position};
use crate::shapes::moves;
use crate::shapes::plane::{self, Bounds, PLANE};

/// The states of the cells around a boss: 8 cells, 4 states.
const RINGS: usize = 1 << 16;
/// The number of these states up to rotation and reflection.
const SURROUNDINGS: usize = 8_740;
/// The relations of two cells up to symmetry, including that of a cell to itself.
const RELATIONS: usize = 10;
/// The sizes of the box, up to symmetry.
const BOXES: usize = 10;
/// The pairs of doves, bosses included.
const TWO_DOVES: usize = KINDS * (2 * KINDS - 1);

const DANGER: usize = 2 * SURROUNDINGS;
const ATTACKERS: usize = DANGER + 5 * 5 * 4 * 4 * 4 * 4;
const ON_BOARD: usize = ATTACKERS + 2 * 64 * 5 * 4;
const HANDS: usize = ON_BOARD + 1024;
const MOVES: usize = HANDS + 5 * 9;
const PUTS: usize = MOVES + 16 * 16;
const TIES: usize = PUTS + 2 * 2 * 8 * 8;
const DISTANCES: usize = TIES + 7 * 7;
const REACH: usize = DISTANCES + 2 * KINDS * RELATIONS * RELATIONS;
const PAIRS: usize = REACH + 2 * KINDS * 8 * 2;
const PAIRS_AT_A_BOSS: usize = PAIRS + TWO_DOVES * RELATIONS;
const BOSSES: usize = PAIRS_AT_A_BOSS + TWO_DOVES * 2 * RELATIONS * RELATIONS;
const OF_A_GAME: usize = BOSSES + RELATIONS * 5 * 5 * BOXES;
/// The number of weights: those of games with few kinds, then those of the whole game.
pub const WEIGHTS: usize = 2 * OF_A_GAME;
/// The most kinds of both players together in a game with few kinds.
const FEW_KINDS: u32 = 8;

/// The number of a ring's class under the eight symmetries.
static CLASSES: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut classes = vec![u16::MAX; RINGS];
    let mut count = 0;
    for ring in 0..RINGS {
        if classes[ring] == u16::MAX {
            for image in images(ring as u16) {
                classes[usize::from(image)] = count;
            }
            count += 1;
        }
    }
    assert_eq!(usize::from(count), SURROUNDINGS);
    classes
});

/// The eight images of a ring, whose cells are numbered around the boss from the north.
fn images(ring: u16) -> impl Iterator<Item = u16> {
    let reflected = (0..8).fold(0, |all, cell| all | (ring >> (2 * cell) & 3) << (2 * ((8 - cell) % 8)));
    (0..4).flat_map(move |turn| [ring.rotate_left(4 * turn), reflected.rotate_left(4 * turn)])
}

/// What one player can do, as far as the features depend on it.
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
    tied: usize,
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
            at.tied += usize::from(reached == 0);
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

/// Calls a function with every feature of a position.
pub fn for_each(position: &Position, mut visit: impl FnMut(usize)) {
    let kinds: u32 = position.sets.iter().map(|set| set.len()).sum();
    let first = if kinds > FEW_KINDS { OF_A_GAME } else { 0 };
    let mut add = |feature| visit(first + feature);
    let view = FeatureView::of(position);
    view.bosses(&mut add);
    view.hands(&mut add);
    view.mobility(&mut add);
    view.doves(&mut add);
    add(view.geometry());
}

/// A position, with what several features depend on.
struct FeatureView<'a> {
    position: &'a Position,
    bounds: Bounds,
    /// The mover, then the opponent.
    sides: [PlayerFeatures; 2],
    bosses: [u64; 2],
}

impl FeatureView<'_> {
    fn of(position: &Position) -> FeatureView<'_> {
        let doves = position.doves();
        FeatureView {
            position,
            bounds: Bounds::of(doves),
            sides: [0, 1].map(|side| PlayerFeatures::of(position, side, doves)),
            bosses: [0, 1].map(|side| position.cells[side][BOSS]),
        }
    }

    /// Surroundings, attackers and danger of both bosses.
    fn bosses(&self, add: &mut impl FnMut(usize)) {
        let walls = self.bounds.walls();
        for side in 0..2 {
            let [own, opposing] = [side, 1 - side].map(|side| self.position.sides[side]);
            let ring = ring(self.bosses[side], own, opposing, walls);
            add(side * SURROUNDINGS + usize::from(CLASSES[ring]));
            let PlayerFeatures { open, escapes, .. } = self.sides[side];
            let attackers = self.sides[1 - side].attackers;
            add(ATTACKERS + ((side * 64 + attackers) * 5 + open) * 4 + escapes);
        }
        let danger = |side: usize| {
            let PlayerFeatures { open, escapes, .. } = self.sides[side];
            let attackers = self.sides[1 - side].attackers.count_ones() as usize;
            (open * 4 + escapes) * 4 + attackers.min(3)
        };
        add(DANGER + danger(0) * 80 + danger(1));
    }

    /// Which doves are on the board, in hand, or not in the game.
    fn hands(&self, add: &mut impl FnMut(usize)) {
        let mut on_board = 0;
        for kind in BOSS + 1..KINDS {
            let [own, opposing] = [0, 1].map(|side| match self.position.cells[side][kind] {
                0 => usize::from(self.position.sets[side].bits() >> (kind - 1) & 1),
                _ => 2,
            });
            on_board |= usize::from(own == 2) << (kind - 1);
            on_board |= usize::from(opposing == 2) << (kind + 4);
            add(HANDS + (kind - 1) * 9 + own * 3 + opposing);
        }
        add(ON_BOARD + on_board);
    }

    /// Moves, puts and ties.
    fn mobility(&self, add: &mut impl FnMut(usize)) {
        let moves = |side: &PlayerFeatures| (side.moves.iter().sum::<u32>() as usize / 2).min(15);
        let puts = |side: &PlayerFeatures| usize::from(side.has_hand) * 8 + (side.puts as usize).min(7);
        let [own, opposing] = &self.sides;
        add(MOVES + moves(own) * 16 + moves(opposing));
        add(PUTS + puts(own) * 16 + puts(opposing));
        add(TIES + own.tied * 7 + opposing.tied);
    }

    /// Each dove's distances to the bosses and its reach, and each pair of doves.
    fn doves(&self, add: &mut impl FnMut(usize)) {
        // The doves so far, each with its number, its cell, and its relations to the two bosses.
        let mut others = [(0, 0, [0; 2]); 2 * KINDS];
        let mut count = 0;
        for (side, at) in self.sides.iter().enumerate() {
            for (kind, &cell) in self.position.cells[side].iter().enumerate() {
                if cell == 0 {
                    continue;
                }
                let dove = side * KINDS + kind;
                let from = self.bosses.map(|boss| relation(cell, boss));
                add(DISTANCES + (dove * RELATIONS + from[side]) * RELATIONS + from[1 - side]);
                let moves = at.moves[kind].min(7) as usize;
                add(REACH + (dove * 8 + moves) * 2 + (at.attackers >> kind & 1));
                for &(other, there, from_there) in &others[..count] {
                    let pair = dove * (dove - 1) / 2 + other;
                    add(PAIRS + pair * RELATIONS + relation(cell, there));
                    for boss in 0..2 {
                        let at_boss = (pair * 2 + boss) * RELATIONS + from[boss];
                        add(PAIRS_AT_A_BOSS + at_boss * RELATIONS + from_there[boss]);
                    }
                }
                others[count] = (dove, cell, from);
                count += 1;
            }
        }
    }

    /// The feature of where the bosses are from each other, in which box, and with which open sides.
    fn geometry(&self) -> usize {
        let (height, width) = self.bounds.extent();
        let size = triangle(height.max(width) - 1, height.min(width) - 1);
        let [own, opposing] = &self.sides;
        let bosses = relation(self.bosses[0], self.bosses[1]);
        BOSSES + ((bosses * 5 + own.open) * 5 + opposing.open) * BOXES + size
    }
}

/// The states of the cells around a boss, from the north clockwise, two bits each.
fn ring(boss: u64, own: u64, opposing: u64, walls: u64) -> usize {
    let at = boss.trailing_zeros();
    let (north, south) = (at - PLANE, at + PLANE);
    // A boss stands in the rows and columns 2 to 5 of the plane, so all its neighbours are on it.
    let around = [north, north + 1, at + 1, south + 1, south, south - 1, at - 1, north - 1];
    around.into_iter().enumerate().fold(0, |ring, (index, cell)| {
        let bit = |cells: u64| (cells >> cell & 1) as usize;
        let state = bit(own) + 2 * bit(opposing) + 3 * bit(walls);
        ring | state << (2 * index)
    })
}

/// Where one cell is from another, up to symmetry.
fn relation(one: u64, other: u64) -> usize {
    let (one, other) = (one.trailing_zeros(), other.trailing_zeros());
    let rows = (one / PLANE).abs_diff(other / PLANE);
    let columns = (one % PLANE).abs_diff(other % PLANE);
    triangle(rows.max(columns), rows.min(columns))
}

/// The number of a pair of which the first is not less.
const fn triangle(more: u32, less: u32) -> usize {
    (more * (more + 1) / 2 + less) as usize
}
