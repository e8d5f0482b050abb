//! Round after round until nothing changes.

use std::time::Instant;

use super::changes::Changes;
use super::gather::Board;
use super::rounds::{self, Candidates, Plane};
use super::word::Word;
use crate::retrograde::Value;
use crate::rules::Game;
use crate::shapes::canonical::shapes;
use crate::solution::{Row, Solution};

/// A solved game.
pub struct Solved<W> {
    /// The game.
    pub board: Board<W>,
    /// All wins.
    pub wins: Plane<W>,
    /// How many positions have which value.
    pub rows: Vec<Row>,
}

fn count<W: Word>(board: &Board<W>, changes: &Changes<W>, value: Value) -> Vec<Row> {
    let layout = &board.layout;
    let mut counts = vec![vec![0u64; shapes().len()]; 2];
    for (class, groups) in layout.classes.iter().zip(&changes.groups) {
        let list = board.placements.with_slots(class.slots);
        for (group, changes) in groups.iter().enumerate() {
            for (number, rows) in changes.blocks(class.rows) {
                let placement = &list[group * class.group + number / class.sets];
                counts[class.side][placement.shape as usize] +=
                    rows.iter().map(|row| u64::from(row.count())).sum::<u64>();
            }
        }
    }
    let mut rows = Vec::new();
    for (side, counts) in counts.iter().enumerate() {
        for (shape, &raw) in shapes().iter().zip(counts) {
            if raw > 0 {
                let positions = shape.positions(raw);
                rows.push(Row { mover: layout.mover(side), doves: shape.doves(), value, positions });
            }
        }
    }
    rows
}

/// Solves a game.
pub fn solve<W: Word>(game: Game) -> Solved<W> {
    let started = Instant::now();
    let board: Board<W> = Board::new(game);
    eprintln!("board {:?}, {} rows", started.elapsed(), board.layout.rows());
    let mut plane = Plane::empty(&board.layout);
    let mut rows = Vec::new();
    rounds::immediate_wins(&board, &mut plane);
    eprintln!("W1 {:?}", started.elapsed());
    let [mut losses, mut next_losses] = rounds::immediate_losses(&board);
    eprintln!("L0 {:?}", started.elapsed());
    rows.extend(count(&board, &losses, Value::Lose(0)));
    rows.extend(count(&board, &next_losses, Value::Lose(1)));
    let mut wins = rounds::wins(&board, &plane, &losses);
    plane.add(&board.layout, &wins);
    {
        // all of the plane is won in one
        let layout = &board.layout;
        let all = Changes {
            groups: layout
                .classes
                .iter()
                .enumerate()
                .map(|(c, class)| {
                    (0..class.groups())
                        .map(|g| {
                            let mut group = super::changes::GroupChanges::default();
                            let len = class.group_placements(g).len() * class.sets;
                            for n in 0..len {
                                let at = (g * class.group * class.sets + n) * class.rows;
                                let rows = &plane.classes[c][at..at + class.rows];
                                if rows.iter().any(|r| *r != W::ZERO) {
                                    group.push(n, rows);
                                }
                            }
                            group.finish();
                            group
                        })
                        .collect()
                })
                .collect(),
        };
        rows.extend(count(&board, &all, Value::Win(1)));
    }
    eprintln!("counted {:?}", started.elapsed());
    losses = next_losses;
    for n in 2.. {
        let new_wins = rounds::wins(&board, &plane, &losses);
        let t1 = started.elapsed();
        next_losses = rounds::losses(&board, &plane, if n == 2 { Candidates::All } else { Candidates::Before(&wins) });
        let t2 = started.elapsed();
        plane.add(&board.layout, &new_wins);
        let c = count(&board, &new_wins, Value::Win(n));
        let d = count(&board, &next_losses, Value::Lose(n));
        eprintln!(
            "round {n}: wins {} ({} blocks) {t1:?} losses {} ({} blocks) {t2:?}; {:?}",
            c.iter().map(|r| r.positions).sum::<u64>(),
            new_wins.count(),
            d.iter().map(|r| r.positions).sum::<u64>(),
            next_losses.count(),
            started.elapsed()
        );
        rows.extend(c);
        rows.extend(d);
        if new_wins.is_empty() && next_losses.is_empty() {
            break;
        }
        wins = new_wins;
        losses = next_losses;
    }
    let _ = Solution::new(true, rows.iter().copied());
    Solved { board, wins: plane, rows }
}
