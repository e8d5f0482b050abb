//! The rise of a boss's enclosure degree by one action: the figures behind the enclosure prune.

use super::{Shape, plane};

/// The effect of all one-action changes of a shape on the enclosure degrees of bosses on it. A change removes one dove
/// other than the boss, puts one anywhere, or does both, whatever the kinds and colours; every action but a move of the
/// boss is such a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnclosureRaises {
    /// The greatest rise of a degree.
    pub most: i64,
    /// The number of cases in which the degree rises by 2 or more.
    pub by_two: u64,
    /// Of these, the number in which a dove closes a side, or lands elsewhere than in the corner of a 4×4 box opposite
    /// the boss.
    pub otherwise: u64,
}

impl EnclosureRaises {
    /// Tries all changes, for every cell of every shape.
    pub fn all() -> EnclosureRaises {
        let mut raises = EnclosureRaises::default();
        for shape in Shape::all() {
            let doves = plane::window_cells(shape.cells);
            for boss in plane::each_cell(doves) {
                for leaving in plane::each_cell(doves & !boss).chain([0]) {
                    let others = doves & !leaving;
                    let landings = plane::landings(others, plane::Bounds::of(others));
                    let after_return = (plane::isolated(others) == 0).then_some(0);
                    for entering in plane::each_cell(landings).chain(after_return) {
                        raises.add(boss, doves, others, entering);
                    }
                }
            }
        }
        raises
    }

    /// Adds the case in which `doves` become `others` and the dove `entering`, which is 0 if none enters.
    fn add(&mut self, boss: u64, doves: u64, others: u64, entering: u64) {
        let after = others | entering;
        let (open_before, open_after) = (plane::open_sides(boss, doves), plane::open_sides(boss, after));
        let raise = i64::from(open_before.count_ones()) - i64::from(open_after.count_ones());
        self.most = self.most.max(raise);
        if raise >= 2 {
            self.by_two += 1;
            let closed = open_before & !open_after;
            self.otherwise += u64::from(closed & after != 0 || !are_opposite_corners(boss, entering));
        }
    }
}

/// Whether two cells are opposite corners of a 4×4 box.
fn are_opposite_corners(one: u64, other: u64) -> bool {
    let coordinates =
        |cell: u64| (cell.trailing_zeros() / plane::PLANE, cell.trailing_zeros() % plane::PLANE);
    let ((row, column), (other_row, other_column)) = (coordinates(one), coordinates(other));
    row.abs_diff(other_row) == 3 && column.abs_diff(other_column) == 3
}
