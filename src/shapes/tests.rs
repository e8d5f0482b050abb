//! Shapes, boss placements and the plane: against known totals, orbits counted in plain coordinates, and the
//! literal rules.

use std::collections::{HashMap, HashSet};

use crate::count::reference::boards;
use crate::rules::{Action, Board, Cell, Color, Dove, Kind, Rules};
use crate::shapes::plane::{self, Bounds};
use crate::shapes::{BossPlacement, Canonical, Cells, Shape, WINDOW, assignments, moves};
use crate::testing::cases;
use rayon::prelude::*;

/// A cell in plain coordinates.
type Point = (i8, i8);

/// The set bits of a number as points of the window, row by row.
fn points(cells: u16) -> Vec<Point> {
    (0..16).filter(|cell| cells >> cell & 1 == 1).map(|cell| (cell / 4, cell % 4)).collect()
}

/// The images under the eight symmetries of the square, each translated so that the least row and column are
/// 0. The order of the points is kept, so that it shows which point goes where.
fn images(points: &[Point]) -> [Vec<Point>; 8] {
    let maps: [fn(Point) -> Point; 8] = [
        |(x, y)| (x, y),
        |(x, y)| (y, -x),
        |(x, y)| (-x, -y),
        |(x, y)| (-y, x),
        |(x, y)| (y, x),
        |(x, y)| (x, -y),
        |(x, y)| (-y, -x),
        |(x, y)| (-x, y),
    ];
    maps.map(|map| {
        let image: Vec<Point> = points.iter().map(|&point| map(point)).collect();
        let least = |part: fn(&Point) -> i8| image.iter().map(part).min().expect("there are points");
        let (row, column) = (least(|point| point.0), least(|point| point.1));
        image.into_iter().map(|(x, y)| (x - row, y - column)).collect()
    })
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list
}

/// Whether each point is next to another one.
fn has_no_isolated(points: &[Point]) -> bool {
    let touch = |a: &Point, b: &Point| a != b && a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1;
    points.iter().all(|a| points.iter().any(|b| touch(a, b)))
}

fn all_placements() -> Vec<BossPlacement> {
    Shape::all().iter().flat_map(BossPlacement::all).collect()
}

/// Reduces every set of points in 4×4 to the least of its images, and compares these sets, and the sizes of their
/// orbits, with the shapes one by one; the eight images are `8 ÷ stabilizer` different sets.
#[test]
fn shapes_are_orbits_of_plain_coordinates() {
    let mut orbits: HashMap<Vec<Point>, usize> = HashMap::new();
    for cells in 0..=u16::MAX {
        let points = points(cells);
        if (2..=12).contains(&points.len()) && has_no_isolated(&points) {
            let images: HashSet<Vec<Point>> = images(&points).map(sorted).into();
            let size = images.len();
            orbits.insert(images.into_iter().min().expect("there are images"), size);
        }
    }
    assert_eq!(orbits.len(), 5171, "orbits in plain coordinates");

    let shapes = Shape::all();
    assert_eq!(shapes.len(), 5171, "shapes");
    for shape in &shapes {
        let points = points(shape.cells.0);
        let least = images(&points).map(sorted).into_iter().min().expect("there are images");
        let size = orbits.remove(&least).unwrap_or_else(|| panic!("{points:?} comes twice or is no shape"));
        // Symmetries that fix every point.
        let fixing = images(&points).iter().filter(|image| **image == points).count();
        assert_eq!(shape.positions(8), (size * fixing) as u64, "weight of {points:?}");
    }
    assert!(orbits.is_empty(), "shapes that are missing: {orbits:?}");
    assert!(shapes.is_sorted_by_key(|shape| shape.doves()), "shapes go by number of doves");
}

/// The formula of `Shape::positions`, summed over all cells for the bosses, against the boards counted up to
/// symmetry.
#[test]
fn positions_of_few_doves_are_classes_of_boards() {
    for doves in 2..=cases(3, 4_u32) {
        let mut classes: HashSet<Vec<(Point, usize)>> = HashSet::new();
        let sets = (0..=u16::MAX).filter(|cells| cells.count_ones() == doves).map(points);
        for points in sets.filter(|points| has_no_isolated(points)) {
            let images = images(&points);
            for dealt in deals(points.len()) {
                // A board: each point with its dove, 0 and 1 being the bosses.
                let labelled =
                    |image: &Vec<Point>| sorted(image.iter().copied().zip(dealt.iter().copied()).collect());
                classes.insert(images.iter().map(labelled).min().expect("there are images"));
            }
        }
        let shapes = Shape::all();
        let of_size = shapes.iter().filter(|shape| shape.doves() == doves);
        let n = u64::from(doves);
        let by_formula: u64 =
            of_size.map(|shape| shape.positions(n * (n - 1) * assignments(doves - 2))).sum();
        println!("{doves} doves: {by_formula} positions");
        assert_eq!(by_formula, classes.len() as u64, "positions of {doves} doves");
    }
}

/// All ways to give `count` points different doves from 0 to 11 that include the bosses, 0 and 1.
fn deals(count: usize) -> Vec<Vec<usize>> {
    let mut deals: Vec<Vec<usize>> = vec![vec![]];
    for _ in 0..count {
        let extend = |deal: &Vec<usize>| {
            let rest = (0..12).filter(|dove| !deal.contains(dove));
            rest.map(|dove| [&deal[..], &[dove]].concat()).collect::<Vec<_>>()
        };
        deals = deals.iter().flat_map(extend).collect();
    }
    deals.retain(|deal| deal.contains(&0) && deal.contains(&1));
    deals
}

/// The published number of positions, by the formula: every ordered pair of cells for the bosses, surrounded
/// or not.
#[test]
fn positions_in_all() {
    let of_shape = |shape: &Shape| {
        let doves = u64::from(shape.doves());
        shape.positions(doves * (doves - 1) * assignments(shape.doves() - 2))
    };
    assert_eq!(Shape::all().iter().map(of_shape).sum::<u64>(), 508_064_190_482);
}

/// Boss placements and assignments before and after the enclosure prune.
#[test]
fn boss_placements_and_assignments() {
    let mut placements = all_placements();
    let numbers = |placements: &[BossPlacement]| {
        let all = placements.iter().map(|placement| assignments(placement.slots()));
        (placements.len(), all.sum::<u64>())
    };
    assert_eq!(numbers(&placements), (252_864, 300_121_561_744), "before the prune");
    placements.retain(|placement| !placement.is_pruned());
    assert_eq!(numbers(&placements), (52_217, 104_674_309_040), "after the prune");
}

/// A boss placement has a slot for each cell except the bosses', and the prune agrees with its lemma, as judged by
/// the rules on one board per placement, because the kinds of the other doves make no difference.
#[test]
fn boss_placements_against_the_rules() {
    // Every fifth, because the literal rules are slow.
    let sample: Vec<BossPlacement> = all_placements().into_iter().step_by(5).collect();
    let pruned = sample.par_iter().filter(|placement| {
        let board = boards(placement).next().expect("every boss placement has an assignment");
        for (color, cell) in [(Color::Red, placement.own_boss()), (Color::Green, placement.opposing_boss())] {
            assert_eq!(number(board.boss(color)), Some(cell), "{placement}: {color:?} boss on {board}");
        }
        let slots: Vec<Option<u32>> = placement.slot_cells().map(Some).collect();
        assert_eq!(slots.len(), placement.slots() as usize, "{placement}: slots");
        let others = board.doves().filter(|(dove, _)| dove.kind != Kind::Boss).map(|(_, cell)| number(cell));
        assert_eq!(sorted(others.collect()), slots, "{placement}");

        let frees_itself = board.legal_actions(Color::Red, Rules::default()).any(|(action, after)| {
            matches!(action, Action::Move { dove: Dove { kind: Kind::Boss, .. }, .. })
                && after.enclosure_degree(after.boss(Color::Red)) <= 2
        });
        assert_eq!(placement.is_pruned(), frees_itself, "{placement}: prune");
        frees_itself
    });
    let pruned = pruned.count();
    assert!(pruned > 1000 && sample.len() - pruned > 1000, "{pruned} of {} are pruned", sample.len());
}

/// The boss placements of a shape are every ordered pair of cells that are not surrounded, once; no other can
/// be made.
#[test]
fn boss_placements_are_complete() {
    for shape in Shape::all() {
        // Whichever doves stand on the shape, a boss there would be surrounded or not.
        let board = Board::new(placed(shape.cells, 0)).expect("doves on a shape are a board");
        let is_open =
            |cell: u32| shape.cells.contains(cell) && board.enclosure_degree(Cell::from_number(cell)) < 4;
        let pairs = (0..17).flat_map(|own| (0..17).map(move |opposing| (own, opposing)));
        let is_expected =
            |&(own, opposing): &(u32, u32)| own != opposing && is_open(own) && is_open(opposing);
        let expected: Vec<(u32, u32)> = pairs.clone().filter(is_expected).collect();
        let can_be_made = |&(own, opposing): &_| BossPlacement::new(shape.cells, own, opposing).is_some();
        assert_eq!(pairs.filter(can_be_made).collect::<Vec<_>>(), expected, "{:?}", shape.cells);
        let all = BossPlacement::all(&shape).map(|it| (it.own_boss(), it.opposing_boss()));
        assert_eq!(sorted(all.collect()), expected, "{:?}", shape.cells);
    }
}

/// A set that is not a shape has no boss placements: with isolated doves, too few, too many, or away from the window's
/// corner. Nor has a shape with bosses that are not on two of its cells.
#[test]
fn boss_placements_need_a_shape() {
    for (cells, own, opposing) in [(0x0005, 0, 2), (0x0001, 0, 0), (0xfff7, 0, 1), (0x0030, 4, 5), (0, 0, 1)]
    {
        assert_eq!(BossPlacement::new(Cells(cells), own, opposing), None, "{cells:#06x}");
    }
    for (own, opposing) in [(0, 2), (32, 0), (1, 1)] {
        assert_eq!(BossPlacement::new(Cells(3), own, opposing), None, "bosses on {own} and {opposing}");
    }
}

/// A set of cells of the window has a canonical form exactly if it is a normal shape, and the symmetry takes
/// it there, cell by cell, and back.
#[test]
fn canonical_forms() {
    let mut found = 0;
    let shapes = Shape::all();
    for cells in (0..=u16::MAX).map(Cells) {
        let points = points(cells.0);
        let is_normal = points.iter().any(|point| point.0 == 0) && points.iter().any(|point| point.1 == 0);
        let is_shape = is_normal && (2..=12).contains(&points.len()) && has_no_isolated(&points);
        let Some(canonical) = Canonical::of(cells) else {
            assert!(!is_shape, "{points:?} has no canonical form");
            continue;
        };
        assert!(is_shape, "{points:?} has a canonical form");
        found += 1;
        let shape = canonical.shape();
        assert_eq!(shapes[canonical.index()], shape, "{points:?}");
        let least = images(&points).map(|image| set_of(&image)).into_iter().min().expect("there are images");
        assert_eq!(shape.cells.0, least, "{points:?}");
        let there = |cell| canonical.image_of_cell(cell);
        assert_eq!(cells.iter().map(there).collect::<Cells>(), shape.cells, "{points:?}");
        let back = |cell| canonical.symmetry.inverse().image_of_cell(cell, shape.cells.extent());
        assert!(cells.iter().all(|cell| back(there(cell)) == cell), "{points:?}");
    }
    assert_eq!(found, 39_188, "normal shapes");
}

/// The number of a normal set of points.
fn set_of(points: &[Point]) -> u16 {
    points.iter().fold(0, |set, &(row, column)| set | 1 << (4 * row + column))
}

/// The number of a board's cell in the window.
fn number(cell: Cell) -> Option<u32> {
    let inside = (0..4).contains(&cell.row) && (0..4).contains(&cell.column);
    inside.then_some(WINDOW * cell.row as u32 + cell.column as u32)
}

/// A board's cell on the plane, as a set, when the board is moved by `rows` and `columns` from the window.
fn on_plane(cell: Cell, (rows, columns): Point) -> u64 {
    let (row, column) = (cell.row + rows + 2, cell.column + columns + 2);
    assert!((0..8).contains(&row) && (0..8).contains(&column), "{cell:?} is not on the plane");
    1 << (8 * row + column)
}

/// All 64 cells of the plane, as cells of a board whose window is moved by `shift`.
fn plane_cells(shift: Point) -> impl Iterator<Item = Cell> {
    (0..8).flat_map(move |row| (0..8).map(move |column| Cell::new(row - 2 - shift.0, column - 2 - shift.1)))
}

fn set(cells: impl IntoIterator<Item = Cell>, shift: Point) -> u64 {
    cells.into_iter().fold(0, |set, cell| set | on_plane(cell, shift))
}

/// A set of the plane as rows of text, for failure messages.
fn picture(set: u64) -> String {
    let row = |row: u32| {
        (0..8).map(|column| if set >> (8 * row + column) & 1 == 1 { 'x' } else { '-' }).collect::<String>()
    };
    (0..8).map(row).collect::<Vec<_>>().join(";")
}

fn assert_same_cells(what: &str, found: u64, expected: u64, doves: &[(Dove, Cell)]) {
    let (found, expected) = (picture(found), picture(expected));
    assert_eq!(found, expected, "{what} (plane rows; left found, right by the rules) with {doves:?}");
}

/// All sets of 1 to `most` cells that touch the window's top row and left column, whether boards or not.
fn normal_sets(most: u32) -> Vec<Cells> {
    let sets = (1..=u16::MAX).map(Cells).filter(|cells| cells.is_normal() && cells.count() <= most);
    sets.collect()
}

/// Doves on the cells of a set, in ascending order: the bosses first, then the other doves from number `first` on.
/// Their kinds matter only for moves.
fn placed(cells: Cells, first: usize) -> Vec<(Dove, Cell)> {
    let bosses = Color::ALL.map(|color| Dove::new(color, Kind::Boss));
    let others: Vec<Dove> = Dove::all().filter(|dove| dove.kind != Kind::Boss).collect();
    let others = (0..others.len()).map(|place| others[(first + place) % others.len()]);
    let points = points(cells.0).into_iter().map(|(row, column)| Cell::new(row, column));
    bosses.into_iter().chain(others).zip(points).collect()
}

/// The places of a set's box, as rows and columns from the window, at which all doves are within rows and columns 1
/// to 6 of the plane, as they are after one action.
fn shifts(cells: Cells) -> impl Iterator<Item = Point> {
    let (rows, columns) = cells.extent();
    let places = |length: u32| -1..=5 - length as i8;
    places(rows).flat_map(move |row| places(columns).map(move |column| (row, column)))
}

/// A set of the plane moved by `rows` and `columns`. No cell may leave the plane.
fn moved(set: u64, (rows, columns): Point) -> u64 {
    let by = i32::from(rows) * 8 + i32::from(columns);
    if by < 0 { set >> -by } else { set << by }
}

/// The results of the plane's functions for a set of doves; functions about one dove have a result for each cell.
fn findings(doves: u64) -> Vec<u64> {
    let bounds = Bounds::of(doves);
    let landings = plane::landings(doves, bounds);
    let each = (0..64).map(|cell| 1 << cell).filter(|cell| doves & cell != 0);
    let of_cell =
        |cell| [plane::open_sides(cell, doves), plane::surrounding_cells(cell, doves, bounds) & landings];
    [landings, plane::isolated(doves)].into_iter().chain(each.flat_map(of_cell)).collect()
}

/// On every set of 1 to 11 cells, whether boards or not: the cells on which one more dove makes a board, and
/// those on which it surrounds a dove, tried one by one by the rules. Doves may be isolated, as after another
/// one has left.
#[test]
fn landings_and_surrounding_cells() {
    let sets = normal_sets(11);
    let of_set = |&cells: &Cells| {
        let doves = placed(cells, 0);
        let set_of_doves = plane::window_cells(cells);
        let bounds = Bounds::of(set_of_doves);
        let next = Dove::all()
            .find(|dove| doves.iter().all(|(other, _)| other != dove))
            .expect("11 doves leave one");
        // On a single cell stands only the red boss, so the green one comes next.
        let next = if doves.len() == 1 { Dove::new(Color::Green, Kind::Boss) } else { next };
        let origin = |board: &Board, cell: Cell| {
            // A board moves its box to the origin.
            let first = board.cell_of(doves[0].0).expect("the dove is there");
            cell.step((first.row - doves[0].1.row, first.column - doves[0].1.column))
        };
        let with =
            |cell| Board::new(doves.iter().copied().chain([(next, cell)])).ok().map(|board| (cell, board));
        let after: Vec<(Cell, Board)> = plane_cells((0, 0)).filter_map(with).collect();
        let landings = plane::landings(set_of_doves, bounds);
        assert_same_cells("landings", landings, set(after.iter().map(|&(cell, _)| cell), (0, 0)), &doves);
        let mut surrounding = 0;
        for &(dove, cell) in &doves {
            let closing = after.iter().filter(|(_, board)| board.enclosure_degree(origin(board, cell)) == 4);
            let expected = set(closing.map(|&(cell, _)| cell), (0, 0));
            let found = plane::surrounding_cells(on_plane(cell, (0, 0)), set_of_doves, bounds) & landings;
            assert_same_cells(&format!("cells that surround '{}'", dove.letter()), found, expected, &doves);
            surrounding += expected.count_ones() as usize;
        }
        surrounding
    };
    let surrounding: usize = sets.par_iter().map(of_set).sum();
    println!("{} sets, {surrounding} cells on which a dove surrounds another", sets.len());
    assert!(sets.len() > 39_188 && surrounding > 100_000, "{} sets, {surrounding} cells", sets.len());
}

/// On every set of 2 to 12 cells, whether it is a board; and on every board, which sides of a dove are open.
#[test]
fn boards_and_open_sides() {
    let of_set = |cells: Cells| {
        let doves = placed(cells, 0);
        let set_of_doves = plane::window_cells(cells);
        let board = Board::new(doves.iter().copied());
        assert_eq!(is_board(set_of_doves), board.is_ok(), "{doves:?}: {board:?}");
        assert_eq!(cells.is_shape(), board.is_ok(), "{doves:?}: {board:?}");
        let Ok(board) = board else {
            return 0;
        };
        for (dove, cell) in board.doves() {
            let bounds = board.bounding_box();
            let open =
                cell.sides().filter(|&side| board.dove_at(side).is_none() && !bounds.is_beyond_wall(side));
            let found = plane::open_sides(on_plane(cell, (0, 0)), set_of_doves);
            let what = format!("open sides of '{}'", dove.letter());
            assert_same_cells(&what, found, set(open, (0, 0)), &doves);
            assert_eq!(found.count_ones() as usize, 4 - board.enclosure_degree(cell), "{what} on {board}");
        }
        1
    };
    let sets: Vec<Cells> = normal_sets(12).into_iter().filter(|cells| cells.count() >= 2).collect();
    let boards: usize = sets.into_par_iter().map(of_set).sum();
    assert_eq!(boards, 39_188, "boards, whatever the doves");
}

/// The plane's functions give the same results wherever the doves stand: for every set, at every place that it can
/// have after an action.
#[test]
fn every_place_on_the_plane() {
    let of_set = |cells: Cells| {
        let here = plane::window_cells(cells);
        let expected = findings(here);
        let mut places = 0;
        for shift in shifts(cells) {
            let there = moved(here, shift);
            assert_eq!(there.count_ones(), cells.count(), "{cells:?} by {shift:?} is not on the plane");
            let found = findings(there);
            let expected: Vec<u64> = expected.iter().map(|&set| moved(set, shift)).collect();
            assert_eq!(found, expected, "{cells:?} by {shift:?}");
            assert_eq!(is_board(there), is_board(here), "{cells:?} by {shift:?}");
            let start = ((2 + shift.0) as u32, (2 + shift.1) as u32);
            assert_eq!(plane::normal(there), Some((cells, start)), "{cells:?} by {shift:?}");
            let canonical = Canonical::of(cells);
            assert_eq!(Canonical::of_plane(there), canonical.map(|canonical| (canonical, start)));
            places += 1;
        }
        places
    };
    let places: usize = normal_sets(12).into_par_iter().map(of_set).sum();
    println!("{places} places of sets");
    assert!(places > 9 * 39_188, "{places} places");
    assert_eq!(plane::normal(0), None, "no doves");
    assert_eq!(plane::normal(0x11), None, "a row of five");
    assert_eq!(plane::normal(1 | 1 << 32), None, "a column of five");
}

/// Moves and puts on every board against the rules. The kinds of doves change from set to set, so that every
/// kind comes to every cell. The Totsu, which other doves can block, is also tested on every cell of every
/// board.
#[test]
fn moves_and_puts() {
    let of_set = |(first, cells): (usize, Cells)| {
        let doves = placed(cells, first);
        let board = Board::new(doves.iter().copied()).expect("a shape is a board");
        let all = plane::window_cells(cells);
        let mut found_moves = 0;
        // On a finished board there is no action.
        let is_over = Color::ALL.into_iter().any(|color| board.is_surrounded(color));
        for color in Color::ALL.into_iter().filter(|_| !is_over) {
            let (mut moves, mut puts) = (HashMap::<Dove, u64>::new(), HashMap::<Dove, u64>::new());
            for (action, _) in board.legal_actions(color, Rules::default()) {
                match action {
                    Action::Move { dove, to } => *moves.entry(dove).or_default() |= on_plane(to, (0, 0)),
                    Action::Put { dove, to } => *puts.entry(dove).or_default() |= on_plane(to, (0, 0)),
                    Action::Return { .. } => {}
                }
            }
            for &(dove, from) in doves.iter().filter(|(dove, _)| dove.color == color) {
                let from = on_plane(from, (0, 0));
                let found = moves::moves(dove.kind, from, all & !from);
                let expected = moves.get(&dove).copied().unwrap_or(0);
                found_moves += expected.count_ones() as usize;
                assert_eq!(picture(found), picture(expected), "moves of '{}' on {board}", dove.letter());
            }
            let own = doves.iter().filter(|(dove, _)| dove.color == color).map(|&(_, cell)| cell);
            let opposing_boss = on_plane(board.boss(color.opponent()), (0, 0));
            let found = moves::puts(set(own, (0, 0)), opposing_boss, all);
            for dove in board.hand(color) {
                let expected = puts.get(&dove).copied().unwrap_or(0);
                assert_eq!(picture(found), picture(expected), "puts of '{}' on {board}", dove.letter());
            }
        }
        for &(_, from) in &doves {
            let mut walked = Vec::new();
            for step in [(-1, 0), (0, -1), (0, 1), (1, 0)] {
                let way = (1..=4).map(|n| from.step((n * step.0, n * step.1)));
                walked.extend(way.take_while(|&cell| board.dove_at(cell).is_none()));
            }
            // Four steps from a window may lead off the plane, but only to cells where no dove can stand.
            walked.retain(|cell| (-2..6).contains(&cell.row) && (-2..6).contains(&cell.column));
            let from = on_plane(from, (0, 0));
            let found = moves::reach(Kind::Totsu, from, all & !from);
            assert_same_cells("the Totsu's ways", found, set(walked, (0, 0)), &doves);
        }
        found_moves
    };
    let boards: Vec<Cells> = normal_sets(12).into_iter().filter(|cells| cells.is_shape()).collect();
    let moves: usize = boards.into_par_iter().enumerate().map(of_set).sum();
    println!("{moves} moves");
    assert!(moves > 400_000, "only {moves} moves");
}

/// Whether all doves fit in 4×4 and none is isolated.
fn is_board(doves: u64) -> bool {
    doves & !plane::Bounds::of(doves).room() == 0 && plane::isolated(doves) == 0
}
