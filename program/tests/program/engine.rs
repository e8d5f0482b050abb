//! The program as the engine of another program: a game to its end through JSON, by command line and by server.

use serde_json::Value;

use crate::common::WIN_IN_5;
use crate::common::program::{dovemate, dovemate_in};
use crate::common::server::serve;

/// Both give the same value in every position of a won game, whether it is named by its board or its code; the game can
/// be saved, and shown with what each action gave away.
#[test]
fn a_programmer_of_bots() {
    let server = serve(&[]);
    let best = |board: &str, mover: &str| -> Value {
        let answer = dovemate(&["best", board, "--to-move", mover, "--depth", "5", "--json"]).succeeds().out;
        serde_json::from_str(&answer).expect("a document")
    };
    let (mut board, mut code) = (WIN_IN_5.to_owned(), WIN_IN_5.to_owned());
    let (mut actions, mut plies) = (Vec::new(), Vec::new());
    for mover in ["red", "green"].into_iter().cycle() {
        let answer = best(&board, mover);
        // In a position that a code names, red is to move.
        assert_eq!(best(&code, "red")["worth"], answer["worth"], "{board}, {mover}: {code}");
        let first = &answer["actions"][0];
        assert_eq!(answer["choice"]["ground"], "proved", "{answer}");
        assert_eq!(answer["choice"]["action"], first["action"], "{answer}");
        let served = server.searched(&format!("api/position?board={board}&to_move={mover}&depth=5"));
        assert_eq!(served["worth"], answer["worth"], "{board}, {mover}: {served}");
        plies.push(answer["worth"]["plies"].as_u64().expect("a distance"));
        let text = |key: &str| first[key].as_str().expect("text").to_owned();
        (board, code) = (text("after"), text("code"));
        actions.push(text("action"));
        if plies.last() == Some(&1) {
            break;
        }
    }
    assert_eq!(plies, [5, 4, 3, 2, 1]);
    let folder = tempfile::tempdir().expect("a folder");
    let game =
        format!("Tokyo Doves game, format 1\nstart: {WIN_IN_5}\nresult: red wins\n\n{}\n", actions.join(" "));
    std::fs::write(folder.path().join("game.txt"), game).expect("it is written");
    let shown =
        dovemate_in(folder.path(), &["show", "--game", "game.txt", "--review", "1"], "").succeeds().out;
    assert!(shown.contains("red wins") || shown.contains("Red wins"), "{shown}");
    assert!(!shown.contains('?'), "nothing was given away: {shown}");
}
