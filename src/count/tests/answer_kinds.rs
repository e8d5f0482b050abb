//! Positions in which a single point of the rules decides the verdict, so that ignoring it changes the verdict.
//!
//! The refutation table sorts actions and answers into kinds (see `src/count/table.rs`), each with its own
//! conditions. There is a position for each of them, so that a test names the condition that a table forgets. A
//! second, small search in plain cells finds the verdict without the point; with nothing ignored, it must agree with
//! the reference. One point has no such position: that a position is not a mate if every action loses outright. See
//! `no_position_is_stuck` in `methods.rs`.

use crate::Verdict;
use crate::count::decide;
use crate::count::reference::verdict;
use crate::rules::{Board, Cell, Color, Dove, Kind, Outcome, Rules};

use super::methods::is_mate_by_table;
use crate::testing;

/// The points of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    /// The opponent may answer by moving its boss.
    BossAnswers,
    /// The opponent may answer by moving another dove.
    DoveAnswers,
    /// The moving dove must not leave another one isolated.
    LeavingIsolates,
    /// The moving dove may take walls away by leaving.
    LeavingTakesWall,
    /// The moving dove may open the side of the mover's boss on which it stood.
    LeavingOpensSide,
    /// An answer that surrounds the opponent's own boss too does not win.
    AnswerSurroundsBoth,
    /// By leaving, an answering dove may free the opponent's own boss, which would otherwise be surrounded.
    LeavingFreesOwnBoss,
    /// The opponent may answer by a put that touches no dove of its own but its boss.
    PutBesideBoss,
    /// The opponent may answer by a put that touches another dove of its own, but not its boss.
    PutBesideDove,
    /// An answering put needs a dove in hand.
    PutNeedsHand,
    /// The mover may move its boss.
    MoverMovesBoss,
    /// The mover may move another dove.
    MoverMovesDove,
    /// The mover may return a dove.
    MoverReturns,
    /// The mover may put a dove.
    MoverPuts,
    /// A put must touch the mover's own boss or dove; the opponent's do not count.
    MoverPutTouchesOwn,
    /// A put by the mover needs a dove in hand.
    MoverPutNeedsHand,
}

use Point::*;
use Verdict::{Escape, Mate, WinInOne};

/// Doves on cells of the plane. Unlike a [`Board`], they are not normalised, and a dove may occur twice.
#[derive(Clone)]
struct Plain(Vec<(Dove, Cell)>);

/// An action in plain cells: its kind, and the doves afterwards.
struct Step {
    kind: StepKind,
    after: Plain,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StepKind {
    BossMove,
    DoveMove,
    Return,
    Put { beside_boss: bool, beside_dove: bool },
}

impl Plain {
    fn has(&self, cell: Cell) -> bool {
        self.0.iter().any(|&(_, other)| other == cell)
    }

    fn boss(&self, color: Color) -> Cell {
        self.0.iter().find(|(dove, _)| *dove == Dove::new(color, Kind::Boss)).expect("bosses stay").1
    }

    /// First and last row, first and last column.
    fn bounds(&self) -> [i8; 4] {
        let rows = || self.0.iter().map(|(_, cell)| cell.row);
        let columns = || self.0.iter().map(|(_, cell)| cell.column);
        [rows().min(), rows().max(), columns().min(), columns().max()]
            .map(|bound| bound.expect("there are doves"))
    }

    fn fits(&self) -> bool {
        let [top, bottom, left, right] = self.bounds();
        bottom - top <= 3 && right - left <= 3
    }

    fn is_beyond_wall(&self, cell: Cell) -> bool {
        let [top, bottom, left, right] = self.bounds();
        bottom - top == 3 && !(top..=bottom).contains(&cell.row)
            || right - left == 3 && !(left..=right).contains(&cell.column)
    }

    fn touches_any(&self, cell: Cell) -> bool {
        self.0.iter().any(|&(_, other)| cell.touches(other))
    }

    fn with(&self, dove: Dove, cell: Cell) -> Plain {
        Plain([&self.0[..], &[(dove, cell)]].concat())
    }

    fn without(&self, cell: Cell) -> Plain {
        Plain(self.0.iter().copied().filter(|&(_, other)| other != cell).collect())
    }

    /// The actions of a player, with one put for each cell, because the kind of a dove does not matter for what it
    /// surrounds.
    fn steps(&self, color: Color, rules: Rules, is_answer: bool, ignored: Option<Point>) -> Vec<Step> {
        let [top, bottom, left, right] = self.bounds();
        let around = || {
            (top - 1..=bottom + 1).flat_map(move |row| (left - 1..=right + 1).map(move |c| Cell::new(row, c)))
        };
        let mut steps = Vec::new();
        for &(dove, from) in self.0.iter().filter(|(dove, _)| dove.color == color) {
            let others = self.without(from);
            let kind = if dove.kind == Kind::Boss { StepKind::BossMove } else { StepKind::DoveMove };
            let may_isolate = is_answer && kind == StepKind::DoveMove && ignored == Some(LeavingIsolates);
            for to in around().filter(|&to| !self.has(to) && self.reaches(dove.kind, from, to)) {
                let after = others.with(dove, to);
                let isolates = after.0.iter().any(|&(_, cell)| !after.touches_any(cell));
                if after.fits() && after.touches_any(to) && (may_isolate || !isolates) {
                    steps.push(Step { kind, after });
                }
            }
            let isolates = others.0.iter().any(|&(_, cell)| !others.touches_any(cell));
            if dove.kind != Kind::Boss && rules.returns && !isolates {
                steps.push(Step { kind: StepKind::Return, after: others });
            }
        }

        let needs_no_hand = ignored == Some(if is_answer { PutNeedsHand } else { MoverPutNeedsHand });
        if self.0.iter().filter(|(dove, _)| dove.color == color).count() < 6 || needs_no_hand {
            let touches = |to: Cell, is_boss: bool| {
                let own = |dove: Dove| dove.color == color && (dove.kind == Kind::Boss) == is_boss;
                self.0.iter().any(|&(dove, cell)| own(dove) && cell.touches(to))
            };
            let any_will_do = !is_answer && ignored == Some(MoverPutTouchesOwn);
            for to in around().filter(|&to| !self.has(to)) {
                let (beside_boss, beside_dove) = (touches(to, true), touches(to, false));
                let beside_opponent = self.boss(color.opponent()).sides().any(|side| side == to);
                let after = self.with(Dove::new(color, Kind::Aniki), to);
                let touching = beside_boss || beside_dove || any_will_do && self.touches_any(to);
                if touching && !beside_opponent && after.fits() {
                    steps.push(Step { kind: StepKind::Put { beside_boss, beside_dove }, after });
                }
            }
        }
        steps
    }

    fn reaches(&self, kind: Kind, from: Cell, to: Cell) -> bool {
        let (rows, columns) = (from.row.abs_diff(to.row), from.column.abs_diff(to.column));
        match kind {
            Kind::Boss | Kind::Aniki => rows.max(columns) == 1,
            Kind::Yaibato => rows + columns == 1,
            Kind::Mamedeppo => rows == 1 && columns == 1,
            Kind::Hajike => rows.min(columns) == 1 && rows.max(columns) == 2,
            Kind::Totsu => {
                let step = ((to.row - from.row).signum(), (to.column - from.column).signum());
                let mut way = std::iter::successors(Some(from.step(step)), |cell| Some(cell.step(step)));
                (rows == 0 || columns == 0) && way.find(|&cell| cell == to || self.has(cell)) == Some(to)
            }
        }
    }

    fn is_surrounded(&self, color: Color) -> bool {
        self.boss(color).sides().all(|side| self.has(side) || self.is_beyond_wall(side))
    }

    fn outcome(&self, actor: Color, rules: Rules) -> Outcome {
        rules.outcome(self.is_surrounded(actor), self.is_surrounded(actor.opponent()))
    }
}

/// Whether an answer wins, by a search that ignores a point.
fn answer_wins(before: &Plain, answer: &Step, actor: Color, rules: Rules, ignored: Option<Point>) -> bool {
    let after = &answer.after;
    let boss = after.boss(actor.opponent());
    match (answer.kind, ignored) {
        (StepKind::BossMove, Some(BossAnswers)) | (StepKind::DoveMove, Some(DoveAnswers)) => return false,
        (StepKind::Put { beside_dove: false, .. }, Some(PutBesideBoss)) => return false,
        (StepKind::Put { beside_boss: false, .. }, Some(PutBesideDove)) => return false,
        _ => {}
    }
    let is_dove_move = answer.kind == StepKind::DoveMove;
    let closed = |side: Cell| {
        after.has(side)
            || after.is_beyond_wall(side)
            || is_dove_move && ignored == Some(LeavingOpensSide) && before.has(side)
            || is_dove_move && ignored == Some(LeavingTakesWall) && before.is_beyond_wall(side)
    };
    let own_surrounded = match ignored {
        Some(AnswerSurroundsBoth) => false,
        Some(LeavingFreesOwnBoss) if is_dove_move => {
            let closed =
                |side| [before, after].iter().any(|plain| plain.has(side) || plain.is_beyond_wall(side));
            after.boss(actor).sides().all(closed)
        }
        _ => after.is_surrounded(actor),
    };
    rules.outcome(own_surrounded, boss.sides().all(closed)) == Outcome::Won
}

/// The verdict on a position with red to move, by a search that ignores a point.
fn verdict_ignoring(board: &Board, rules: Rules, ignored: Option<Point>) -> Verdict {
    let before = Plain(board.doves().collect());
    if Color::ALL.into_iter().any(|color| before.is_surrounded(color)) {
        return Verdict::Finished;
    }
    let (mut is_safe, mut escapes) = (false, false);
    for Step { kind, after } in before.steps(Color::Red, rules, false, ignored) {
        match (kind, ignored) {
            (StepKind::BossMove, Some(MoverMovesBoss)) | (StepKind::DoveMove, Some(MoverMovesDove)) => {
                continue;
            }
            (StepKind::Return, Some(MoverReturns)) | (StepKind::Put { .. }, Some(MoverPuts)) => continue,
            _ => {}
        }
        match after.outcome(Color::Red, rules) {
            Outcome::Won => return WinInOne,
            Outcome::Lost => continue,
            Outcome::Drawn => escapes = true,
            Outcome::Open => {
                let answers = after.steps(Color::Green, rules, true, ignored);
                escapes |=
                    !answers.iter().any(|answer| answer_wins(&after, answer, Color::Green, rules, ignored));
            }
        }
        is_safe = true;
    }
    match (is_safe, escapes) {
        (false, _) => Verdict::Stuck,
        (true, true) => Escape,
        (true, false) => Mate,
    }
}

/// With nothing ignored, the second search agrees with the reference.
#[test]
fn plain_search_against_the_reference() {
    for doves in 2..=12 {
        let mut rng = testing::boards::random_numbers(100 + doves);
        for _ in 0..testing::cases(100, 300) {
            let board = testing::boards::random_board(&mut rng, doves.into());
            for rules in Rules::variants() {
                let found = verdict_ignoring(&board, rules, None);
                assert_eq!(found, verdict(&board, Color::Red, rules), "{board}, red to move, {rules:?}");
            }
        }
    }
}

#[test]
fn each_point_decides_a_position() {
    for (point, board, expected, ignoring) in EXAMPLES {
        let board: Board = board.parse().unwrap_or_else(|error| panic!("{board}: {error}"));
        let rules = Rules::default();
        let said = format!("{point:?} on {board}");
        assert_ne!(expected == Mate, ignoring == Mate, "{said}: ignoring it changes no mate");
        assert_eq!(verdict(&board, Color::Red, rules), expected, "{said}: the reference (left)");
        let found = verdict_ignoring(&board, rules, Some(point));
        assert_eq!(found, ignoring, "{said}: the search that ignores it (left)");
        let by_table = is_mate_by_table(&board, Color::Red, rules);
        assert_eq!(by_table, expected == Mate, "{said}: the table (left)");
        assert_eq!(decide(&board, Color::Red, rules), expected, "{said}: decided (left)");
    }
}

/// Positions with red to move under the default rules, each with its verdict, and with the verdict if the point were
/// ignored: the smallest and, if there was a choice, those in which only the point decides.
const EXAMPLES: [(Point, &str, Verdict, Verdict); 16] = [
    (BossAnswers, "--aB;--b-;A--H;h---", Mate, Escape),
    (DoveAnswers, "--aB;--b-;H--t;m---", Mate, Escape),
    (LeavingIsolates, "-H-B;--Mb;-h--;m---", Escape, Mate),
    (LeavingTakesWall, "-Bm-;b-th;-a--;-y--", Escape, Mate),
    (LeavingOpensSide, "--aB;--A-;b--H;y---", Escape, Mate),
    (AnswerSurroundsBoth, "-hB-;-bmt;a---;y---", Escape, Mate),
    (LeavingFreesOwnBoss, "Hh-b;-Bmt;yaM-;----", Mate, Escape),
    (PutBesideBoss, "-H--;Byhm;t---;-b--", Mate, Escape),
    (PutBesideDove, "Yh-A;-Bta;yb-T;----", Mate, Escape),
    (PutNeedsHand, "Mh-t;-Bam;yb-T;----", Escape, Mate),
    (MoverMovesBoss, "--hB;--A-;b--a;t---", Escape, Mate),
    (MoverMovesDove, "--aB;--M-;b--y;A---", Escape, Mate),
    (MoverReturns, "-A-B;--yb;-t--;M---", Escape, Mate),
    (MoverPuts, "--bB;--M-;h--m;y---", Escape, Mate),
    (MoverPutTouchesOwn, "--aB;--A-;b--t;T---", Mate, Escape),
    (MoverPutNeedsHand, "bYaM;B-AT;yH--;----", Mate, WinInOne),
];
