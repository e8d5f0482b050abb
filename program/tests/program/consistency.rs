//! What is said of a position does not contradict itself: its value, its actions and their order, the action to play,
//! the line, the review, and the terminal. The positions are of random games.

use dovemate::random::Random;
use dovemate::rules::{Board, Color, Game, Rules};
use dovemate_analysis::record::Ending;
use dovemate_solver::{Value, Wdl, Worth};
use dovemate_web::texts::Language;
use dovemate_web::{Asking, Brain};
use rayon::prelude::*;
use serde_json::{Value as Json, json};

use crate::common::cases;
use crate::common::program::dovemate_reading;

/// The number of positions that each search may visit.
const SEARCHED: &str = "3000";

/// A position of the whole game after a few random actions, or many; `None` where the game is over.
fn position(game: &Game, seed: u64) -> Option<(Board, Color)> {
    let mut random = Random::new(seed);
    // Every second position is near the end of the openings, where its value is known, but not those of its actions.
    let plies = if seed.is_multiple_of(2) { 3 + random.below(5) } else { random.below(60) };
    let (mut board, mut mover) = (Board::default(), Color::Red);
    for _ in 0..plies {
        let actions: Vec<Board> = game.legal_actions(&board, mover).map(|(_, after)| after).collect();
        board = actions[random.below(actions.len() as u64) as usize].clone();
        mover = mover.opponent();
        if Ending::by_rules(game, &board, mover) != Ending::Unfinished {
            return None;
        }
    }
    Some((board, mover))
}

fn ask(brain: &Brain, name: &str, parameters: &[(&str, &str)]) -> Json {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    let answer = brain.ask(name, &query, &Asking::default());
    let answer = answer.unwrap_or_else(|refused| panic!("{query}: {}", refused.sentence()));
    serde_json::from_str(&answer).expect("JSON")
}

fn list(json: &Json) -> &[Json] {
    json.as_array().expect("a list")
}

fn text(json: &Json) -> &str {
    json.as_str().expect("a text")
}

fn worth(json: &Json) -> Worth {
    let plies = json["plies"].as_u64().map(|plies| plies as u32);
    let none = || Worth::NoneWithin(plies.expect("a number of plies"));
    Worth::named(text(&json["value"]), plies).unwrap_or_else(none)
}

/// Fails with what is said that contradicts the rest.
fn holds(condition: bool, contradiction: &'static str) -> Result<(), &'static str> {
    condition.then_some(()).ok_or(contradiction)
}

/// Compares what an answer says of a position, of its actions and of the one to play.
fn check_answer(answer: &Json) -> Result<(), &'static str> {
    let position = worth(&answer["worth"]);
    let actions = list(&answer["actions"]);
    let worths: Vec<Worth> = actions.iter().map(worth).collect();
    let wdls: Vec<Option<Wdl>> = worths.iter().map(|worth| worth.wdl()).collect();
    let has_win = wdls.contains(&Some(Wdl::Win));
    let is_better = |worth: &Worth| worth.is_exact() && position.is_exact() && *worth > position;
    holds(!worths.iter().any(is_better), "an action is better than the position")?;
    holds(!has_win || position.wdl() == Some(Wdl::Win), "an action wins, and the position is not won")?;
    let all_lose = wdls.iter().all(|wdl| *wdl == Some(Wdl::Lose));
    holds(
        all_lose == (position.wdl() == Some(Wdl::Lose)),
        "only one of the position and its actions is lost",
    )?;

    // Those that have the value of the position come first; or those that may have it, if none is known to.
    let candidates = answer["candidates"].as_u64().unwrap_or(0) as usize;
    let can_have = |worth: &&Worth| match candidates {
        0 => position.is_exact() && **worth == position,
        _ => !worth.is_exact() && worth.wdl().is_none_or(|wdl| Some(wdl) == position.wdl()),
    };
    let first = worths.iter().take_while(can_have).count();
    holds(worths.iter().filter(can_have).count() == first, "actions that have the value are not all first")?;
    holds(candidates == 0 || candidates == first, "the number of candidates is wrong")?;
    holds(!position.is_exact() || first > 0 || actions.is_empty(), "no action can have the value")?;
    holds(worths[first..].is_sorted_by(|a, b| a >= b), "the actions are not in order")?;
    let is_equal = |a: &Json, b: &Json| ["value", "plies", "within"].iter().all(|key| a[key] == b[key]);
    let fewer_first = |a: &Json, b: &Json| a["ways"].is_null() || a["ways"].as_u64() <= b["ways"].as_u64();
    let are_ordered = |pair: &[Json]| !is_equal(&pair[0], &pair[1]) || fewer_first(&pair[0], &pair[1]);
    holds(actions.windows(2).all(are_ordered), "of equal actions one with fewer ways comes later")?;
    let is_bounded = |action: &Json| {
        let most = match worth(action).wdl().or(position.wdl()) {
            Some(Wdl::Lose) => 490,
            Some(Wdl::Draw) => 500,
            _ => 990,
        };
        action["estimate"]["per_mille"].as_u64().is_none_or(|points| (10..=most).contains(&points))
    };
    holds(actions.iter().all(is_bounded), "points are expected that the values do not allow")?;

    let Some(choice) = actions.iter().position(|action| action["action"] == answer["choice"]["action"])
    else {
        return holds(actions.is_empty(), "no action is to be played");
    };
    let is_win = wdls[choice] == Some(Wdl::Win);
    holds(choice == 0 || candidates > 0 && is_win, "the action to play is not the first one")?;
    holds(is_win || !has_win, "the action to play gives a win away")?;
    let is_proved = answer["choice"]["ground"] == "proved";
    holds(is_proved == wdls[choice].is_some(), "the ground is not that of the action to play")?;
    let line = list(&answer["line"]);
    holds(line.is_empty() || line[0] == answer["choice"]["action"], "the line begins with another action")?;
    let plies = position.wdl().and(position.plies());
    holds(plies.is_none_or(|plies| line.len() <= plies as usize), "the line is longer than the value says")
}

/// Compares the review of an action with the answers about the position before it, and what they say of the action.
fn check_review(before: &Json, action: &Json, review: &Json) -> Result<(), &'static str> {
    let [position, played] = [worth(&before["worth"]), worth(action)];
    let [start, step] = [0, 1].map(|ply| &list(&review["steps"])[ply]);
    let verdict = &step["verdict"];
    let is_mistake = verdict["mistake"] == true;
    holds(!position.is_exact() || worth(&start["worth"]) == position, "the review has another value")?;
    holds(
        !is_mistake || !position.is_exact() || played != position,
        "an action with the value is a mistake",
    )?;
    let are_known = position.wdl().is_some() && played.wdl().is_some();
    holds(
        !are_known || played.wdl() == position.wdl() || is_mistake,
        "an action with another result is no mistake",
    )?;
    let better = list(&before["actions"]).iter().find(|action| action["action"] == verdict["better"]);
    let is_better = |better: &Json| match text(&verdict["kind"]) {
        // The better action looks better or is safe for longer, without a better value.
        "doubtful" | "allowed" => better["action"] != action["action"],
        _ => worth(better) > played,
    };
    holds(better.is_none_or(is_better), "the better action is not better")?;
    let is_lost_at_once = played == Worth::Exact(Value::Lose(2)) && verdict["kind"] != "better";
    holds(!is_lost_at_once || verdict["sign"] != "?!", "a loss that is allowed at once is a little mistake")
}

/// Asks about a position of a random game, about the action to play there and another one; fails with a contradiction.
fn check_position(seed: u64) -> Result<(), String> {
    let game = Game::whole(Rules { returns: !seed.is_multiple_of(3), ..Rules::default() });
    let Some((board, mover)) = position(&game, seed) else { return Ok(()) };
    let brain = Brain::new(game);
    let start = board.to_string();
    let place = [("board", &start[..]), ("to_move", mover.name())];
    let of =
        |what: &Json, said: &str| format!("{start}, {mover} to move, {game}, seed {seed}: {said}: {what}");
    let positions = ("positions", SEARCHED);
    let before = ask(&brain, "position", &[place[0], place[1], positions]);
    check_answer(&before).map_err(|said| of(&before, said))?;
    let actions = list(&before["actions"]);
    let chosen = actions.iter().filter(|action| action["action"] == before["choice"]["action"]);
    for action in chosen.chain(actions.get(seed as usize / 2 % actions.len().max(1))) {
        let name = text(&action["action"]);
        let line = ask(&brain, "line", &[place[0], place[1], ("action", name), ("positions", "300")]);
        let is_first = list(&line["line"]).first().is_some_and(|first| first["action"] == name);
        holds(is_first, "the line does not begin with its action").map_err(|said| of(&line, said))?;
        let (board, opponent) = (text(&action["after"]), mover.opponent());
        let is_over =
            Ending::by_rules(&game, &board.parse().expect("a board"), opponent) != Ending::Unfinished;
        let place = [("board", board), ("to_move", opponent.name()), positions];
        let after = if is_over { Json::Null } else { ask(&brain, "position", &place) };
        let answers = json!([before, after]).to_string();
        let played =
            [("start", &start[..]), ("to_move", mover.name()), ("actions", name), ("answers", &answers)];
        let review = ask(&brain, "review", &played);
        check_review(&before, action, &review).map_err(|said| of(&json!([before, review]), said))?;
    }
    Ok(())
}

#[test]
fn answers_do_not_contradict_themselves() {
    // A position of each of these random games, or none.
    let games = cases(60, 300);
    let checked = (0..games).into_par_iter().filter_map(|seed| check_position(seed).err());
    let found: Vec<String> = checked.collect();
    assert!(found.is_empty(), "{} of {games}:\n{}", found.len(), found.join("\n"));
}

/// The terminal says in words what its JSON says.
#[test]
fn the_terminal_says_what_is_so() {
    let game = Game::default();
    let boards = (0..cases(40, 120)).filter_map(|seed| position(&game, seed));
    let boards: Vec<String> =
        boards.filter(|(_, mover)| *mover == Color::Red).map(|(board, _)| board.to_string()).collect();
    let input = boards.join("\n") + "\n";
    let ran = |arguments| dovemate_reading(arguments, &input).succeeds().out;
    let (answers, words) = (ran("best - --depth 3 --json"), ran("best - --depth 3"));
    let mut lines = words.lines();
    for (line, board) in answers.lines().zip(&boards) {
        let answer: Json = serde_json::from_str(line).expect("JSON");
        assert_eq!(check_answer(&answer), Ok(()), "{board}: {answer}");
        let mut block: Vec<&str> = Vec::new();
        while !block.last().is_some_and(|line| line.starts_with("play ")) {
            block.push(lines.next().expect("each answer ends with an action"));
        }
        let said = |what: &str| assert!(block.iter().any(|line| line.contains(what)), "{what}: {block:#?}");
        let english = |json: &Json| {
            Language::English.bounded(worth(json), json["within"].as_u64().map(|plies| plies as u32))
        };
        said(&(english(&answer["worth"]) + ": "));
        if let Some(candidates) = answer["candidates"].as_u64() {
            said(&format!(": one of {candidates} actions of red has this value"));
        }
        let actions: Vec<&str> =
            list(&answer["actions"]).iter().map(|action| text(&action["action"])).collect();
        let chosen = text(&answer["choice"]["action"]);
        let played =
            &list(&answer["actions"])[actions.iter().position(|text| *text == chosen).expect("an action")];
        let ground = match text(&answer["choice"]["ground"]) {
            "proved" => format!("(proved: {}", english(played)),
            _ => "(suggested, not proved)".to_owned(),
        };
        said(&format!("play {chosen} {ground}"));
        let listing = block.rsplit(|line| line.is_empty()).next().expect("a list");
        let words = listing[..listing.len() - 1].iter().flat_map(|line| line.split_whitespace());
        assert!(words.filter(|word| actions.contains(word)).eq(actions.iter().copied()), "{block:#?}");
    }
    assert!(boards.len() > 10 && lines.next().is_none());
}
