//! The rules against the crate `tokyodoves`, whose author wrote the articles on the game: legal actions, the
//! boards they lead to, enclosure, hands and who wins, in random play and on random boards with every number
//! of doves.
//!
//! The crate's u64 and its `==` depend on where its 4×4 window stands, so boards are compared by the
//! invariant u64 and by our own equality of the texts. The crate accepts any character, so it gets only text
//! that [`Board`] writes.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;

use crate::{boards, cases};
use dovemate::rules::{Action, Board, BothSurrounded, Cell, Color, Dove, Kind, Outcome, Rules};
use proptest::prelude::RngExt;
use rayon::prelude::*;
use tokyodoves::game::{Game, GameRule, GameStatus, Judge};
use tokyodoves::{
    Board as CrateBoard, BoardBuilder, Color as CrateColor, Dove as CrateDove, SurroundedStatus,
};

/// The rulings on an action that surrounds both bosses, with the crate's names for them.
const RULINGS: [(BothSurrounded, Judge); 3] = [
    (BothSurrounded::MoverLoses, Judge::NextWins),
    (BothSurrounded::MoverWins, Judge::LastWins),
    (BothSurrounded::Draw, Judge::Draw),
];

/// A board with a player to move, in our form and in the crate's.
#[derive(Clone)]
struct Position {
    board: Board,
    theirs: CrateBoard,
    color: Color,
}

/// How much has been compared, so that a test can assert that its intended cases occurred.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    positions: usize,
    actions: usize,
    /// Actions from an unfinished board that surround the opposing boss alone.
    won: usize,
    /// Actions that surround the player's own boss alone.
    lost: usize,
    /// Actions that surround both bosses.
    both_surrounded: usize,
}

impl Seen {
    fn and(self, other: Seen) -> Seen {
        Seen {
            positions: self.positions + other.positions,
            actions: self.actions + other.actions,
            won: self.won + other.won,
            lost: self.lost + other.lost,
            both_surrounded: self.both_surrounded + other.both_surrounded,
        }
    }
}

fn crate_color(color: Color) -> CrateColor {
    match color {
        Color::Red => CrateColor::Red,
        Color::Green => CrateColor::Green,
    }
}

fn crate_dove(kind: Kind) -> CrateDove {
    match kind {
        Kind::Boss => CrateDove::B,
        Kind::Aniki => CrateDove::A,
        Kind::Yaibato => CrateDove::Y,
        Kind::Mamedeppo => CrateDove::M,
        Kind::Totsu => CrateDove::T,
        Kind::Hajike => CrateDove::H,
    }
}

/// The crate's board for the text that ours writes.
fn crate_board(board: &Board) -> CrateBoard {
    let text = board.to_string();
    let built = text.parse::<BoardBuilder>().and_then(|builder| builder.build());
    built.unwrap_or_else(|error| panic!("the crate refuses '{text}': {error}"))
}

/// An error that shows both values, unless they are equal.
fn same<T: PartialEq + Debug>(what: impl Into<String>, ours: T, theirs: T) -> Result<(), String> {
    if ours == theirs {
        Ok(())
    } else {
        Err(format!("{}: ours {ours:?}, the crate's {theirs:?}", what.into()))
    }
}

/// The texts of `actions` that `others` lack.
fn not_in<'a, T, U>(others: &BTreeMap<String, T>, actions: &'a BTreeMap<String, U>) -> Vec<&'a str> {
    actions.keys().filter(|text| !others.contains_key(*text)).map(String::as_str).collect()
}

/// Compares two boards: the doves, the hands, every enclosure degree, and which bosses are surrounded.
fn compare_boards(board: &Board, theirs: &CrateBoard) -> Result<(), String> {
    // In the crate's text the box may be anywhere in the window; our parser ignores that.
    let text = theirs.to_simple_string('-', ";");
    if text.parse().as_ref() != Ok(board) {
        return Err(format!("board: ours {board}, the crate's {text}"));
    }
    let read_by_them = crate_board(board);
    for color in Color::ALL.map(crate_color) {
        let what = format!("invariant u64, {color} to move");
        same(what, read_by_them.to_invariant_u64(color), theirs.to_invariant_u64(color))?;
    }
    for color in Color::ALL {
        let hand: HashSet<CrateDove> = board.hand(color).map(|dove| crate_dove(dove.kind)).collect();
        same(
            format!("hand of {color:?}"),
            hand,
            theirs.doves_in_hand_of(crate_color(color)).into_iter().collect(),
        )?;
    }
    for dove in Dove::all() {
        let degree = board.cell_of(dove).map(|cell| board.enclosure_degree(cell));
        let liberty = theirs.liberty(crate_color(dove.color), crate_dove(dove.kind));
        same(format!("enclosure degree of '{}'", dove.letter()), degree, liberty.map(|free| 4 - free))?;
    }
    let surrounded = match (board.is_surrounded(Color::Red), board.is_surrounded(Color::Green)) {
        (true, true) => SurroundedStatus::Both,
        (true, false) => SurroundedStatus::OneSide(CrateColor::Red),
        (false, true) => SurroundedStatus::OneSide(CrateColor::Green),
        (false, false) => SurroundedStatus::None,
    };
    same("surrounded", surrounded, theirs.surrounded_status())
}

impl Position {
    fn new(board: Board, color: Color) -> Position {
        Position { theirs: crate_board(&board), board, color }
    }

    fn is_finished(&self) -> bool {
        Color::ALL.into_iter().any(|color| self.board.is_surrounded(color))
    }

    /// Compares everything about this position and the actions from it, with and without returns, and adds to
    /// `seen`. Returns the positions that follow, those after returns included, by the texts of their
    /// actions.
    fn compare(&self, seen: &mut Seen) -> BTreeMap<String, Position> {
        let followers = self.try_compare(seen);
        followers
            .unwrap_or_else(|difference| panic!("{}, {:?} to move: {difference}", self.board, self.color))
    }

    fn try_compare(&self, seen: &mut Seen) -> Result<BTreeMap<String, Position>, String> {
        compare_boards(&self.board, &self.theirs)?;
        self.compare_actions(false)?;
        let followers = self.compare_actions(true)?;
        seen.positions += 1;
        seen.actions += followers.len();
        for (action, follower) in &followers {
            let in_action = |difference| format!("after {action}: {difference}");
            compare_boards(&follower.board, &follower.theirs).map_err(in_action)?;
            if !self.is_finished() {
                self.compare_outcomes(action, &follower.board).map_err(in_action)?;
                match (follower.board.is_surrounded(self.color), follower.board.is_surrounded(follower.color))
                {
                    (false, false) => {}
                    (false, true) => seen.won += 1,
                    (true, false) => seen.lost += 1,
                    (true, true) => seen.both_surrounded += 1,
                }
            }
        }
        Ok(followers)
    }

    /// Compares the texts of the legal actions, parses each back, and pairs the boards that they lead to.
    fn compare_actions(&self, returns: bool) -> Result<BTreeMap<String, Position>, String> {
        let mut ours = BTreeMap::new();
        for (action, after) in self.board.legal_actions(self.color, Rules { returns, ..Rules::default() }) {
            let text = action.text(&self.board);
            let read = Action::from_text(&text, &self.board);
            if read != Ok(action) {
                return Err(format!("{action:?} is written '{text}', which reads {read:?}"));
            }
            if ours.insert(text.clone(), after).is_some() {
                return Err(format!("the action {text} comes twice"));
            }
        }
        let mut theirs = BTreeMap::new();
        // The crate has actions on a finished board, too; a game has none.
        let game = Some(&self.theirs).filter(|_| !self.is_finished()).into_iter();
        for action in game.flat_map(|board| board.legal_actions(crate_color(self.color), true, true, returns))
        {
            let text = action.try_into_ssn(&self.theirs).expect("a legal action has a text");
            theirs.insert(text, self.theirs.perform_copied(action).expect("a legal action can be performed"));
        }
        let (only_ours, only_theirs) = (not_in(&theirs, &ours), not_in(&ours, &theirs));
        if !only_ours.is_empty() || !only_theirs.is_empty() {
            return Err(format!(
                "returns {returns}: actions only ours {only_ours:?}, only the crate's {only_theirs:?}"
            ));
        }
        let color = self.color.opponent();
        let pair = |((text, board), theirs)| (text, Position { board, theirs, color });
        Ok(ours.into_iter().zip(theirs.into_values()).map(pair).collect())
    }

    /// Compares who has won after an action, under each ruling, with a game in the crate that starts from
    /// here. The crate starts no game from a finished board.
    fn compare_outcomes(&self, action: &str, after: &Board) -> Result<(), String> {
        let actor = crate_color(self.color);
        let action =
            tokyodoves::Action::try_from_ssn(action, &self.theirs).map_err(|error| error.to_string())?;
        for (both_surrounded, judge) in RULINGS {
            let rule = GameRule::new(true).with_first_player(actor).with_suicide_atk_judge(judge);
            let rule = rule.with_initial_board(self.theirs).map_err(|error| error.to_string())?;
            let mut game = Game::new_with_rule(rule);
            game.perform(action).map_err(|error| error.to_string())?;
            let outcome = match *game.status() {
                GameStatus::Ongoing => Outcome::Open,
                GameStatus::Win(winner) if winner == actor => Outcome::Won,
                GameStatus::Win(_) => Outcome::Lost,
                GameStatus::Draw => Outcome::Drawn,
            };
            let rules = Rules { both_surrounded, ..Rules::default() };
            same(format!("outcome with {both_surrounded:?}"), rules.outcome_of(after, self.color), outcome)?;
        }
        Ok(())
    }
}

/// Plays a game of random actions on our board and the crate's in parallel, and compares every position until
/// a boss is surrounded.
fn play(rng: &mut impl RngExt, returns: bool) -> Seen {
    let mut seen = Seen::default();
    let mut position = Position { board: Board::default(), theirs: CrateBoard::new(), color: Color::Red };
    while !position.is_finished() {
        let followers =
            position.compare(&mut seen).into_iter().filter(|(action, _)| returns || !action.starts_with('-'));
        let mut followers: Vec<Position> = followers.map(|(_, follower)| follower).collect();
        if followers.is_empty() {
            break;
        }
        position = followers.swap_remove(rng.random_range(0..followers.len()));
    }
    position.compare(&mut seen);
    seen
}

#[test]
fn random_play() {
    for returns in [true, false] {
        let mut rng = boards::random_numbers(0);
        let seen = (0..100).map(|_| play(&mut rng, returns)).fold(Seen::default(), Seen::and);
        println!("returns {returns}: {seen:?}");
        assert!(seen.positions > 1000 && seen.won > 50 && seen.lost > 50, "{seen:?}");
        assert!(seen.both_surrounded > 5, "too few actions surround both bosses: {seen:?}");
    }
}

/// Boards that play from the start seldom or never reaches: any dove anywhere, one or both bosses surrounded,
/// with both players to move.
#[test]
fn random_boards() {
    let of_doves = |doves: usize| {
        let mut rng = boards::random_numbers(doves as u8);
        let boards: HashSet<Board> =
            (0..cases(140, 700)).map(|_| boards::random_board(&mut rng, doves)).collect();
        let mut seen = Seen::default();
        for board in boards {
            for color in Color::ALL {
                Position::new(board.clone(), color).compare(&mut seen);
            }
        }
        println!("{doves} doves: {seen:?}");
        seen
    };
    let seen = (2..=12).into_par_iter().map(of_doves).reduce(Seen::default, Seen::and);
    println!("all: {seen:?}");
    assert!(seen.won > 100 && seen.lost > 100, "{seen:?}");
    assert!(seen.both_surrounded > 10, "too few actions surround both bosses: {seen:?}");
}

/// The example of doc/rules.md: a wall that is there before the action does not stop it; only the box afterwards
/// counts.
#[test]
fn totsu_beyond_the_box() {
    let board: Board = "----;-BbA;T---".parse().expect("a board");
    let followers = Position::new(board, Color::Red).compare(&mut Seen::default());
    assert_eq!(followers["TS1E2"].board.to_string(), "BbA-;--T-;----;----");
}

/// The crate accepts the same random placements as boards; only isolated doves can make one illegal here.
#[test]
fn random_placements() {
    let mut rng = boards::random_numbers(0);
    for doves in 2..=12 {
        let mut boards = 0;
        for _ in 0..2000 {
            let placement = boards::random_placement_in(&dovemate::Game::default(), &mut rng, doves);
            let mut builder = BoardBuilder::empty();
            for &(dove, Cell { row, column }) in &placement {
                builder.put_dove(
                    row as usize,
                    column as usize,
                    crate_color(dove.color),
                    crate_dove(dove.kind),
                );
            }
            let (ours, theirs) = (Board::new(placement.clone()), builder.build());
            assert_eq!(ours.is_ok(), theirs.is_ok(), "{placement:?}: ours {ours:?}, the crate's {theirs:?}");
            boards += usize::from(ours.is_ok());
        }
        println!("{doves} doves: {boards} of 2000 placements are boards");
    }
}
