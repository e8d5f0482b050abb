//! The review of a game, with more or less known about its positions.

use dovemate::{Board, Color, Game};
use dovemate_analysis::Worth;
use dovemate_analysis::record::Record;
use dovemate_analysis::review::{
    ActionVerdict, Bounded, ReviewedPosition, SearchedAction, SearchedPosition, VerdictKind, review,
};
use dovemate_solver::Value;

/// The actions of the tests: the one that is played, and another one.
const A: &str = "+AE1";
const B: &str = "+AW1";

const fn exact(value: Value) -> Bounded {
    Bounded { worth: Worth::Exact(value), within: None }
}
const fn win(plies: u32) -> Bounded {
    exact(Value::Win(plies))
}
const fn lose(plies: u32) -> Bounded {
    exact(Value::Lose(plies))
}
const fn none(plies: u32) -> Bounded {
    Bounded { worth: Worth::NoneWithin(plies), within: None }
}
const fn win_within(plies: u32) -> Bounded {
    Bounded { worth: Worth::Win, within: Some(plies) }
}
const fn lose_within(plies: u32) -> Bounded {
    Bounded { worth: Worth::Lose, within: Some(plies) }
}
const DRAW: Bounded = exact(Value::Draw);
/// A loss at an unknown distance.
const LOSE: Bounded = Bounded { worth: Worth::Lose, within: None };

fn searched(worth: Bounded, actions: &[(&str, Bounded)]) -> Option<SearchedPosition> {
    let action =
        |&(text, worth): &(&str, Bounded)| SearchedAction { text: text.to_owned(), worth, points: None };
    Some(SearchedPosition { worth, actions: actions.iter().map(action).collect(), is_done: true })
}

/// The review of a game of one action, A, given these facts about its two positions.
fn reviewed(positions: [Option<SearchedPosition>; 2]) -> [ReviewedPosition; 2] {
    let mut record =
        Record::new(Game::default(), Board::default(), Color::Red).expect("a position of the game");
    let is_played = |action: &&dovemate::Action| action.text(&Board::default()) == A;
    let actions: Vec<_> =
        Game::default().legal_actions(&Board::default(), Color::Red).map(|(action, _)| action).collect();
    record.act(*actions.iter().find(is_played).expect("it is legal")).expect("it is legal");
    review(&record, &positions).try_into().expect("two positions")
}

fn verdict(positions: [Option<SearchedPosition>; 2]) -> Option<ActionVerdict> {
    let [_, after] = reviewed(positions);
    after.verdict
}

#[test]
fn what_a_later_position_proves_is_carried_back() {
    let (listed, open) = (win_within(5), none(5));
    for (actions, next, worths) in [
        (vec![(A, open), (B, open)], lose_within(6), [Some(win_within(7)), Some(lose_within(6))]),
        (vec![(A, open), (B, open)], win(3), [None, Some(win(3))]),
        (vec![(A, open), (B, DRAW)], win(3), [Some(DRAW), Some(win(3))]),
        (vec![(A, open), (B, lose(6))], win(3), [Some(lose(6)), Some(win(3))]),
        (vec![(B, lose_within(8)), (A, open)], win(3), [Some(lose_within(8)), Some(win(3))]),
        // Of several losses the latest is the position's, whichever is listed first.
        (vec![(A, open), (B, lose_within(26))], win(7), [Some(lose_within(26)), Some(win(7))]),
        (vec![(A, open), (B, lose_within(8))], win(7), [Some(lose(8)), Some(win(7))]),
        (vec![(A, open), (B, LOSE)], win(7), [Some(LOSE), Some(win(7))]),
        (vec![(A, open), (B, win_within(5))], win(3), [Some(win_within(5)), Some(win(3))]),
        // The second position gets its value from the list of the first, if more is known there.
        (vec![(B, open), (A, lose(12))], win_within(11), [None, Some(win(11))]),
        (vec![(B, open), (A, lose_within(10))], win_within(3), [None, Some(win_within(3))]),
        // The distance of a win is known if no other action can be a quicker one.
        (vec![(A, open), (B, none(6))], lose(6), [Some(win(7)), Some(lose(6))]),
        (vec![(A, open), (B, DRAW)], lose(6), [Some(win(7)), Some(lose(6))]),
        (vec![(A, open), (B, open)], lose(6), [Some(win_within(7)), Some(lose(6))]),
        (vec![(A, open), (B, listed)], lose(6), [Some(win_within(5)), Some(lose(6))]),
        (vec![(A, open), (B, win(3))], lose(6), [Some(win(3)), Some(lose(6))]),
    ] {
        let found = reviewed([searched(open, &actions), searched(next, &[])]).map(|position| position.worth);
        // Without an expected value, that of the first position is not compared.
        let is_carried = worths[0].is_some();
        assert_eq!(found[1], worths[1], "{actions:?}, {next:?}");
        assert!(!is_carried || found[0] == worths[0], "{actions:?}, {next:?}: {:?}", found[0]);
    }
    // Without the actions of the first position, only a bound of the distance is known.
    let [before, _] = reviewed([None, searched(lose(6), &[])]);
    assert_eq!(before.worth, Some(win_within(7)));
    // After any action from a position lost in 4, the opponent wins within 3.
    let [_, after] = reviewed([searched(lose(4), &[(A, lose_within(6))]), None]);
    assert_eq!(after.worth, Some(win_within(3)));
}

#[test]
fn verdicts_follow_from_values() {
    for (before, after, kind, sign) in [
        (win(71), DRAW, VerdictKind::LostWin, "?"),
        (win(5), DRAW, VerdictKind::LostWin, "??"),
        (DRAW, win(1), VerdictKind::LostDraw, "??"),
        (win(5), lose(6), VerdictKind::Better, "?!"),
        (win(5), lose(4), VerdictKind::Kept, "✓"),
        (DRAW, DRAW, VerdictKind::Kept, "✓"),
    ] {
        let verdict = verdict([searched(before, &[]), searched(after, &[])]).expect("it is known");
        assert_eq!((verdict.kind, verdict.sign), (kind, sign), "{before:?}, {after:?}");
    }
    // Either distance may be the longer one.
    assert_eq!(verdict([searched(win(5), &[]), searched(lose_within(8), &[])]), None);
    // The position is lost at an unknown distance, and another action loses later.
    let before = searched(lose_within(48), &[("+AS1", lose_within(48)), (B, lose(12)), (A, lose(2))]);
    let found = verdict([before, searched(win(1), &[])]).expect("there was better");
    assert_eq!((found.kind, found.sign, found.better.as_deref()), (VerdictKind::Better, "?", Some(B)));
    // The effect of an action is known as soon as it is proved; nothing else about either position need be known.
    for (before, after, plies, kind) in [
        (none(4), win(3), 4, Some(VerdictKind::Allowed)),
        (none(3), win(3), 3, None),
        (win(5), none(4), 5, Some(VerdictKind::Better)),
        (win(5), none(3), 4, None),
    ] {
        let other = if before == win(5) { before } else { none(plies) };
        let found = verdict([searched(before, &[(B, other), (A, none(plies))]), searched(after, &[])]);
        assert_eq!(found.as_ref().map(|verdict| verdict.kind), kind, "{before:?}, {after:?}");
        assert!(found.is_none_or(|verdict| verdict.better.as_deref() == Some(B)), "{before:?}, {after:?}");
    }
}

/// A loss that is punished at once is at least a mistake, even in a position that already looked nearly lost.
#[test]
fn a_loss_at_once_is_a_mistake() {
    let mut before = searched(none(2), &[(B, none(2)), (A, none(1))]).expect("it is searched");
    before.actions[0].points = Some(20);
    for (next, sign) in [(win(1), "?"), (win(3), "?!")] {
        let mut before = before.clone();
        before.actions[0].worth = none(next.worth.plies().expect("a distance") + 1);
        let found = verdict([Some(before), searched(next, &[])]).expect("it loses");
        assert_eq!((found.kind, found.sign), (VerdictKind::Allowed, sign));
    }
}

/// If the value of a position is known, but not which action achieves it, no other action is mistaken for that one.
#[test]
fn a_value_without_its_action_is_said_so() {
    let before = searched(lose(36), &[(B, lose(36)), (A, lose(26))]);
    let after = searched(win(25), &[("+aN1", none(9)), ("+aN2", none(9)), ("+aN3", win(41))]);
    let [_, after] = reviewed([before, after]);
    assert_eq!(after.reply, None);
    let found = after.verdict.expect("there was better");
    assert_eq!((found.kind, found.better.as_deref()), (VerdictKind::Better, Some(B)));
    let found = verdict([
        searched(win(25), &[(B, none(9)), ("+AS1", none(9)), (A, win(41))]),
        searched(lose(40), &[]),
    ]);
    let found = found.expect("there was better");
    assert_eq!((found.better, found.worth, found.candidates), (None, Some(win(25)), 2));
}

#[test]
fn estimates_make_probable_verdicts() {
    let estimated = |text: &str, per_mille: u32| {
        let mut position = searched(none(5), &[(text, none(5)), (A, none(5))]).expect("it is searched");
        position.actions[0].points = Some(per_mille);
        position
    };
    for (theirs, is_done, kind) in
        [(700, true, Some(VerdictKind::Doubtful)), (450, true, Some(VerdictKind::Likely)), (700, false, None)]
    {
        let after = SearchedPosition { is_done, ..estimated("+aN1", theirs) };
        let found = verdict([Some(estimated(B, 600)), Some(after)]);
        assert_eq!(found.as_ref().map(|verdict| verdict.kind), kind, "{theirs}");
        let left =
            found.filter(|verdict| verdict.kind == VerdictKind::Doubtful).map(|verdict| verdict.points[1]);
        assert!(left.is_none_or(|left| (left - 0.3).abs() < 1e-9), "{left:?}");
    }
    assert_eq!(verdict([Some(estimated(B, 600)), None]), None);
    assert_eq!(verdict([None, Some(estimated(B, 600))]), None);
    assert_eq!(verdict([Some(estimated(B, 600)), searched(lose_within(6), &[])]), None);
    // The quicker a win, the more points are expected.
    let points = [1, 8, 72].map(|plies| {
        let [start, _] = reviewed([searched(win(plies), &[]), None]);
        (1000.0 * start.points.expect("it is known")).round()
    });
    assert_eq!(points, [964.0, 838.0, 708.0]);
}
