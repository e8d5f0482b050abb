//! Deciding one board, by looking only at the actions that its doves can take.
//!
//! For many boards with the same boss placement, a [`Table`](super::table::Table) is faster, because it is built once
//! for all of them.

use super::clause::{BOSS_GROUP, PUT_GROUP, slot_group};
use super::scene::{MoverAction, Scene};
use super::sets::{Kinds, Pairs, Slots};
use super::{Sides, Verdict};
use crate::rules::{Board, Color, Game, Kind, Outcome, Rules};
use crate::shapes::{BossPlacement, Cells};

/// The verdict on a position of Tokyo Doves with `mover` to move. Takes about a microsecond;
/// [`Explanation`](crate::explain::Explanation) has the same verdict by the rules alone, and the reasons for it.
///
/// ```
/// use dovemate::{Board, Color, Rules, Verdict, decide};
///
/// let board: Board = "-Y-B;--ay;H---;b---".parse()?;
/// assert_eq!(decide(&board, Color::Red, Rules::default()), Verdict::Mate);
/// # Ok::<(), dovemate::rules::BoardTextError>(())
/// ```
pub fn decide(board: &Board, mover: Color, rules: Rules) -> Verdict {
    decide_in(&Game::whole(rules), board, mover)
}

/// The verdict on a position of a game. All doves on the board must belong to the game: see
/// [`Game::stranger`].
pub(crate) fn decide_in(game: &Game, board: &Board, mover: Color) -> Verdict {
    let cells: Cells = board.doves().map(|(_, cell)| cell.number()).collect();
    let [own_boss, opposing_boss] = [mover, mover.opponent()].map(|color| board.boss(color).number());
    let Some(placement) = BossPlacement::new(cells, own_boss, opposing_boss) else {
        return Verdict::Finished;
    };
    let (mut own, mut opponent) = (Pairs::NONE, Pairs::NONE);
    for (dove, cell) in board.doves().filter(|(dove, _)| dove.kind != Kind::Boss) {
        let slot = placement.slot_cells().take_while(|&other| other < cell.number()).count() as u32;
        let doves = if dove.color == mover { &mut own } else { &mut opponent };
        *doves |= Pairs::at(slot, Kinds(1 << (dove.kind as u32 - 1)));
    }
    let (mine, opposing) = (own.slots(), opponent.slots());
    let (scene, sides) = (Scene::of(&placement, game.rules), Sides::of(game, mover));
    let mut open: Vec<MoverAction> = Vec::new();
    let (mut wins, mut draws) = (false, false);
    let mut try_group = |group: usize, actors: u32| {
        scene.actions(group, |action| {
            if action.actors.0 & actors != 0 {
                match scene.outcome(&action) {
                    Outcome::Won => wins = true,
                    Outcome::Drawn => draws = true,
                    Outcome::Open => open.push(action),
                    Outcome::Lost => {}
                }
            }
        });
    };
    try_group(BOSS_GROUP, Slots::BOSS.0);
    for slot in mine.iter() {
        try_group(slot_group(slot), own.kinds_at(slot).0);
    }
    if sides.mover.can_put(mine) {
        try_group(PUT_GROUP, (mine | Slots::BOSS).0);
    }
    let can_put = sides.opponent.can_put(opposing);
    let is_refuted = |action: &MoverAction| match scene.refuters(action) {
        None => true,
        Some(refuters) => {
            refuters.movers.overlaps(opponent) || can_put && refuters.putters.overlaps(opposing | Slots::BOSS)
        }
    };
    if wins {
        Verdict::WinInOne
    } else if draws {
        Verdict::Escape
    } else if open.is_empty() {
        Verdict::Stuck
    } else if open.iter().all(is_refuted) {
        Verdict::Mate
    } else {
        Verdict::Escape
    }
}
