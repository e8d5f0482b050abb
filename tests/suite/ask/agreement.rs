//! Draws by agreement: what is known or expected decides, and how far the game has come.

use dovemate::ask::agreement::{Progress, Reply};
use dovemate::ask::{Asker, Limits, Ranking, Source, Worth, built_in};
use dovemate::rules::{Action, Board, Color, Game};
use dovemate::{Value, Wdl};

const YOUNG: Progress = Progress { plies: Progress::LONG - 1, times: 1 };
const OLD: Progress = Progress { plies: Progress::LONG, times: 1 };
const AGAIN: Progress = Progress { plies: 4, times: 2 };

fn rank(board: &Board, mover: Color, plies: u32) -> Ranking {
    let game = Game::default();
    let mut asker = Asker::new(built_in(&game).expect("openings"));
    asker.rank(board, mover, Limits::plies(plies)).expect("openings can be read")
}

/// Rankings of a drawn position, of one that its player wins, and of one that it loses.
fn known() -> [Ranking; 3] {
    let won: Board = "YmaH;MtAT;-yh-;B-b-".parse().expect("a board");
    let action = Action::from_typed("TE3", &won, Color::Red).expect("an action");
    let lost = Game::default().after(&won, action).expect("it is legal");
    let rankings =
        [rank(&Board::default(), Color::Red, 1), rank(&won, Color::Red, 5), rank(&lost, Color::Green, 4)];
    let values = rankings.each_ref().map(|ranking| ranking.worth().wdl().expect("known"));
    assert_eq!(values, [Wdl::Draw, Wdl::Win, Wdl::Lose]);
    rankings
}

/// The ranking of an undecided position whose best action has this score.
fn open(score: i32) -> Ranking {
    let board = "YmaH;MtAT;-yh-;B-b-".parse().expect("a board");
    let mut ranking = rank(&board, Color::Red, 1);
    assert!(matches!(ranking.worth(), Worth::NoneWithin(_)));
    ranking.actions[0].estimate.as_mut().expect("an estimate").score = score;
    ranking
}

#[test]
fn an_offer_is_accepted_by_who_does_not_expect_to_win() {
    let replies = |ranking: &Ranking| [YOUNG, OLD, AGAIN].map(|progress| progress.reply(ranking));
    let [drawn, won, lost] = known();
    assert_eq!(replies(&drawn), [Reply::TooEarly, Reply::Agrees, Reply::Agrees]);
    assert_eq!(replies(&won), [Reply::Agrees; 3]);
    assert_eq!(replies(&lost), [Reply::Declines; 3]);
    assert_eq!(replies(&open(0)), [Reply::TooEarly, Reply::Agrees, Reply::Agrees]);
    assert_eq!(replies(&open(2000)), [Reply::TooEarly, Reply::Agrees, Reply::Agrees]);
    // Who offers expects little: the other player expects much.
    assert_eq!(replies(&open(-2000)), [Reply::TooEarly, Reply::Declines, Reply::Declines]);
}

#[test]
fn a_draw_is_offered_again_and_again_in_a_long_game_and_when_a_position_comes_back() {
    let offers = |progress: Progress, ranking: &Ranking| progress.offers(ranking, &ranking.actions[0]);
    let [drawn, won, lost] = known();
    let at = |plies| Progress { plies, times: 1 };
    let offered: Vec<usize> = (0..45).filter(|&plies| offers(at(plies), &drawn)).collect();
    assert_eq!(offered, [0, 1, 10, 11].map(|plies| Progress::LONG + plies));
    for (ranking, again) in
        [(drawn.clone(), true), (won, false), (lost, true), (open(0), true), (open(2000), false)]
    {
        assert_eq!(offers(AGAIN, &ranking), again, "{:?}", ranking.worth());
        assert_eq!(offers(OLD, &ranking), ranking == drawn, "{:?}", ranking.worth());
    }
    // With an action that ends the game there is nothing to offer.
    let mut over = drawn;
    over.actions[0].worth = Worth::Exact(Value::Draw);
    over.actions[0].source = Source::Rules;
    assert!(!offers(OLD, &over) && !offers(AGAIN, &over));
}
