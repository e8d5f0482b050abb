//! Random boards that are the same in every run.

use dovemate::rules::{BOX_SIZE, Board, BoardError, Cell, Color, Dove, Game, Kind};
use proptest::prelude::RngExt;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// A deterministic source of random numbers. Each seed gives its own numbers, so tests that run in parallel
/// need not share a source.
pub(crate) fn random_numbers(seed: u8) -> TestRng {
    TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32])
}

/// A board with this many doves, 2 to 12, both bosses included. Every way to place the doves in a fixed 4×4 window is
/// equally likely, so a board that fills the window is drawn less often than a smaller one, which fits in several
/// places.
pub(crate) fn random_board(rng: &mut impl RngExt, doves: usize) -> Board {
    random_board_in(&Game::default(), rng, doves)
}

/// Like [`random_board`], with doves of a game, which must have at least this many.
pub(crate) fn random_board_in(game: &Game, rng: &mut impl RngExt, doves: usize) -> Board {
    loop {
        match Board::new(random_placement_in(game, rng, doves)) {
            Ok(board) => return board,
            // At most three in four placements have isolated doves (with 3 doves), so drawing again is quick enough.
            Err(BoardError::Isolated(_)) => {}
            Err(error) => panic!("doves on different cells of a 4×4 window: {error}"),
        }
    }
}

/// This many doves of a game, 2 to 12, both bosses included, on different cells of a 4×4 window. Doves may be
/// isolated.
pub(crate) fn random_placement_in(game: &Game, rng: &mut impl RngExt, doves: usize) -> Vec<(Dove, Cell)> {
    assert!(
        (2..=game.most_doves() as usize).contains(&doves),
        "{doves} doves: there are 2 to {}",
        game.most_doves()
    );
    let is_in_game = |dove: &Dove| dove.kind != Kind::Boss && game.doves(dove.color).contains(dove.kind);
    let mut hand: Vec<Dove> = Dove::all().filter(is_in_game).collect();
    let mut cells: Vec<Cell> =
        (0..BOX_SIZE).flat_map(|row| (0..BOX_SIZE).map(move |column| Cell::new(row, column))).collect();
    let bosses = Color::ALL.map(|color| Dove::new(color, Kind::Boss));
    let others: Vec<Dove> = (bosses.len()..doves).map(|_| draw(rng, &mut hand)).collect();
    bosses.into_iter().chain(others).map(|dove| (dove, draw(rng, &mut cells))).collect()
}

/// Removes and returns a random item.
fn draw<T>(rng: &mut impl RngExt, from: &mut Vec<T>) -> T {
    from.swap_remove(rng.random_range(0..from.len()))
}
