//! The literal reference: a verdict from every legal action and every answer.
//!
//! A verdict uses [`crate::rules`] alone; [`Rules::outcome`] is all the code that it shares with the refutation table.

use super::{Category, Verdict};
use crate::rules::{Board, Cell, Color, Dove, Game, Kind, Outcome, Rules};
use crate::shapes::BossPlacement;

/// The verdict on a position of Tokyo Doves.
pub fn verdict(board: &Board, mover: Color, rules: Rules) -> Verdict {
    verdict_in(&Game::whole(rules), board, mover)
}

/// The verdict on a position of a game.
pub(crate) fn verdict_in(game: &Game, board: &Board, mover: Color) -> Verdict {
    let rules = game.rules;
    if Color::ALL.into_iter().any(|color| board.is_surrounded(color)) {
        return Verdict::Finished;
    }
    let opponent = mover.opponent();
    let (mut drawn, mut open) = (false, Vec::new());
    for (_, after) in game.legal_actions(board, mover) {
        match rules.outcome_of(&after, mover) {
            Outcome::Won => return Verdict::WinInOne,
            Outcome::Lost => {}
            Outcome::Drawn => drawn = true,
            Outcome::Open => open.push(after),
        }
    }
    let opponent_wins = |board: &Board| {
        game.legal_actions(board, opponent)
            .any(|(_, after)| rules.outcome_of(&after, opponent) == Outcome::Won)
    };
    if !drawn && open.is_empty() {
        Verdict::Stuck
    } else if !drawn && open.iter().all(opponent_wins) {
        Verdict::Mate
    } else {
        Verdict::Escape
    }
}

/// All assignments of a boss placement as boards, with the mover red.
pub fn boards(placement: &BossPlacement) -> impl Iterator<Item = Board> + use<> {
    boards_in(&Game::default(), placement)
}

/// All assignments of a game's doves to a boss placement as boards, with the mover red.
pub(crate) fn boards_in(game: &Game, placement: &BossPlacement) -> impl Iterator<Item = Board> + use<> {
    let is_other = |dove: &Dove| dove.kind != Kind::Boss && game.doves(dove.color).contains(dove.kind);
    let others: Vec<Dove> = Dove::all().filter(is_other).collect();
    let bosses = [(Color::Red, placement.own_boss()), (Color::Green, placement.opposing_boss())];
    let boss = |(color, cell)| (Dove::new(color, Kind::Boss), Cell::from_number(cell));
    let bosses = bosses.map(boss).to_vec();
    let mut unfinished = vec![(bosses, placement.slot_cells().collect::<Vec<_>>())];
    std::iter::from_fn(move || {
        loop {
            let (doves, mut cells) = unfinished.pop()?;
            let Some(cell) = cells.pop() else {
                return Some(Board::new(doves).expect("doves on a shape are a board"));
            };
            for &dove in others.iter().filter(|dove| doves.iter().all(|(placed, _)| placed != *dove)) {
                unfinished.push(([&doves[..], &[(dove, Cell::from_number(cell))]].concat(), cells.clone()));
            }
        }
    })
}

/// The number of assignments of doves to the slots of a boss placement that are in the category.
pub fn count(placement: &BossPlacement, rules: Rules, category: Category) -> u64 {
    boards(placement).filter(|board| verdict(board, Color::Red, rules) == category.verdict()).count() as u64
}
