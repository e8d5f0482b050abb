//! The codes and the canonical codes of boards: known values, round trips, every error, and equality with the
//! crate's.

use std::collections::HashMap;

use crate::boards;
use dovemate::rules::{Board, BoardError, Code, CodeError, Color, Game, Outcome};
use proptest::prelude::RngExt;
use tokyodoves::{BoardBuilder, Color as CrateColor};

fn canonical(text: &str) -> String {
    Code::from_text(text).expect(text).canonical(Color::Red).to_string()
}

#[test]
fn known_values() {
    assert_eq!(Code::from_text("b---;B---").unwrap().to_string(), "0c00_4000_0000_0000");
    assert_eq!(Code::from_text("----;-b--;-B--").unwrap().to_string(), "0c00_9500_0000_0000");
    assert_eq!(canonical("b---;B---"), "0c00_0100_0000_0000");
    assert_eq!(canonical("----;-b--;-B--"), "0c00_0100_0000_0000");
    for text in ["0c00010000000000", "0c00_0100_0000_0000"] {
        assert_eq!(text.parse::<Code>().unwrap().board(), "Bb".parse::<Board>().unwrap());
    }
}

#[test]
fn the_same_as_the_crates() {
    let mut rng = boards::random_numbers(40);
    for doves in 2..=12 {
        for _ in 0..500 {
            let board = boards::random_board(&mut rng, doves);
            let theirs = board.to_string().parse::<BoardBuilder>().unwrap().build().unwrap();
            let code = board.code();
            assert_eq!((code.board(), code.text()), (board.clone(), board.to_string()));
            assert_eq!((code.to_string().parse(), code.count() as usize), (Ok(code), doves));
            assert_eq!(code.to_u64(), theirs.to_u64(), "{board}");
            for (mover, color) in [(Color::Red, CrateColor::Red), (Color::Green, CrateColor::Green)] {
                let canonical = code.canonical(mover);
                assert_eq!(canonical.to_u64(), theirs.to_invariant_u64(color), "{board}, {mover:?}");
                assert_eq!(canonical.board().code().canonical(Color::Red), canonical, "{board}");
            }
        }
    }
}

#[test]
fn other_numbers_are_no_boards() {
    let error = |text: &str| text.parse::<Code>().expect_err(text);
    for text in ["", "0c0001000000000g", "+c00010000000000", "ハトハトハト", "_0c00_0100_0000_0000"] {
        assert_eq!(error(text), CodeError::Malformed(text.to_owned()));
    }
    assert!(matches!(error("1c00010000000000"), CodeError::HighBits(_)));
    assert!(matches!(error("0c00010000000005"), CodeError::AbsentWithSquare(_, 'h')));
    assert!(matches!(error("0800000000000000"), CodeError::Board(_, BoardError::MissingBoss('b'))));
    assert!(matches!(error("0c00000000000000"), CodeError::Board(_, BoardError::SameCell('B', 'b'))));
    assert!(matches!(error("0c000f0000000000"), CodeError::Board(_, BoardError::Isolated('B'))));
}

/// A board that leaves the last row of the window free is the same position one row further down.
#[test]
fn shifted_boards_have_the_same_canonical_code() {
    let mut rng = boards::random_numbers(43);
    let mut shifted = 0;
    for _ in 0..2_000 {
        let doves = rng.random_range(2..=6);
        let board = boards::random_board(&mut rng, doves);
        let (code, text) = (board.code(), board.code().text());
        let Some(rows) = text.strip_suffix(";----") else { continue };
        let down = Code::from_text(&format!("----;{rows}")).unwrap();
        assert_ne!(down, code);
        for mover in Color::ALL {
            assert_eq!(down.canonical(mover), code.canonical(mover), "{board}");
        }
        shifted += 1;
    }
    assert!(shifted > 200, "{shifted}");
}

/// Positions with the same canonical code have the same actions, which end the game alike, however the position
/// arose. Several chess programs take equal positions for different ones (`findings/en-passant-repetition.sh`);
/// OpenSpiel 2.0.2's value iteration takes different ones for equal.
#[test]
fn positions_of_games_with_one_invariant_have_the_same_actions() {
    let mut rng = boards::random_numbers(44);
    let game = Game::both("AT").expect("a game");
    let mut known: HashMap<Code, (Board, Vec<String>)> = HashMap::new();
    let mut images = 0;
    for _ in 0..300 {
        let (mut board, mut mover) = ("b;B".parse::<Board>().expect("a board"), Color::Red);
        for _ in 0..40 {
            let after: Vec<Board> = game.legal_actions(&board, mover).map(|(_, after)| after).collect();
            let sort = |after: &Board| {
                format!("{} {:?}", after.code().canonical(mover.opponent()), game.outcome(after, mover))
            };
            let mut sorts: Vec<String> = after.iter().map(sort).collect();
            sorts.sort_unstable();
            sorts.dedup();
            let (first, expected) =
                known.entry(board.code().canonical(mover)).or_insert_with(|| (board.clone(), sorts.clone()));
            assert_eq!(&sorts, expected, "{board} and {first}");
            images += u32::from(*first != board);
            let open: Vec<&Board> =
                after.iter().filter(|after| game.outcome(after, mover) == Outcome::Open).collect();
            if open.is_empty() {
                break;
            }
            board = open[rng.random_range(0..open.len())].clone();
            mover = mover.opponent();
        }
    }
    assert!(images > 500, "only {images} images");
}
