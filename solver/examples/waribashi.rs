//! Waribashi (割りばし, chopsticks), for the article that shows why the second player wins: two players with two
//! hands each, which show one finger at the start.
//!
//! The player to move hits a living hand of the opponent with a living hand, whose fingers are added to those
//! of the hand that is hit. A hand with 5 or more is dead; a player with two dead hands has lost. Variants:
//!
//! - *mod*: a hand dies only at exactly 5; beyond that, 5 are subtracted.
//! - *split*: a player with one dead hand may instead distribute the fingers of the other over both.
//! - *self-attack*: a player may hit their own other hand if it is alive or, in a variant of that, even if it is dead.
//!
//!     cargo run --release --example waribashi

mod claims;

use std::process::ExitCode;

use claims::Claims;
use dovemate_solver::Value;
use dovemate_solver::retrograde::{After, Game, Graph, validate};

#[derive(Clone, Copy)]
struct Waribashi {
    modulo: bool,
    split: bool,
    self_attack: SelfAttack,
}

#[derive(Clone, Copy)]
enum SelfAttack {
    No,
    Living,
    Dead,
}

const BASIC: Waribashi = Waribashi { modulo: false, split: false, self_attack: SelfAttack::No };

/// The fingers of a player's hands, the greater number first; 0 is a dead hand.
type Hands = [u8; 2];

/// A node of the article's graph: the hands of a player are not told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    first_moves: bool,
    first: Hands,
    second: Hands,
}

const START: State = State { first_moves: true, first: [1, 1], second: [1, 1] };

impl State {
    /// The hands of the player to move, then those of the opponent.
    fn hands(&self) -> [Hands; 2] {
        if self.first_moves { [self.first, self.second] } else { [self.second, self.first] }
    }

    fn is_over(&self) -> bool {
        self.first == [0, 0] || self.second == [0, 0]
    }

    fn after(&self, own: Hands, opposing: Hands) -> State {
        let sorted = |[one, other]: Hands| [one.max(other), one.min(other)];
        let (own, opposing) = (sorted(own), sorted(opposing));
        let (first, second) = if self.first_moves { (own, opposing) } else { (opposing, own) };
        State { first_moves: !self.first_moves, first, second }
    }
}

impl Game for Waribashi {
    type Position = State;

    fn actions(&self, state: &State) -> Vec<After<State>> {
        if state.is_over() {
            return Vec::new();
        }
        let hit = |fingers: u8, by: u8| match fingers + by {
            sum if self.modulo => sum % 5,
            sum if sum >= 5 => 0,
            sum => sum,
        };
        let [own, opposing] = state.hands();
        let mut next = Vec::new();
        for by in own.into_iter().filter(|&fingers| fingers > 0) {
            for [target, other] in [opposing, [opposing[1], opposing[0]]] {
                if target > 0 {
                    next.push((own, [hit(target, by), other]));
                }
            }
        }
        if self.split && own[1] == 0 {
            next.extend((1..own[0]).map(|fingers| ([own[0] - fingers, fingers], opposing)));
        }
        for [by, target] in [own, [own[1], own[0]]] {
            let may = match self.self_attack {
                SelfAttack::No => false,
                SelfAttack::Living => target > 0,
                SelfAttack::Dead => true,
            };
            if by > 0 && may {
                next.push(([by, hit(target, by)], opposing));
            }
        }
        next.into_iter().map(|(own, opposing)| After::Position(state.after(own, opposing))).collect()
    }
}

/// The basic game in which the second player, who wins, never gives the win away: the article's pruned graph.
struct Pruned<'a> {
    graph: &'a Graph<State>,
    values: &'a [Value],
}

impl Pruned<'_> {
    fn value(&self, state: &State) -> Value {
        self.values[self.graph.number(state).expect("it can be reached")]
    }
}

impl Game for Pruned<'_> {
    type Position = State;

    fn actions(&self, state: &State) -> Vec<After<State>> {
        let keeps = |after: &After<State>| match after {
            After::Position(next) => state.first_moves || matches!(self.value(next), Value::Lose(_)),
            After::End(_) => true,
        };
        BASIC.actions(state).into_iter().filter(keeps).collect()
    }
}

fn solved(game: &impl Game<Position = State>) -> (Graph<State>, Vec<Value>) {
    let graph = Graph::reachable(game, [START]);
    let values = graph.values();
    validate(game, &graph, &values).expect("every value follows from its successors");
    (graph, values)
}

/// How many of the games are drawn from the start, with play that can go in circles.
fn drawn(games: &[Waribashi]) -> usize {
    let is_drawn = |game: &&Waribashi| {
        let (graph, values) = solved(*game);
        values[0] == Value::Draw && graph.successors_first().is_none()
    };
    games.iter().filter(is_drawn).count()
}

fn main() -> ExitCode {
    let mut claims = Claims::default();
    let (graph, values) = solved(&BASIC);
    let states = graph.positions();
    let ends = |is_won: fn(&State) -> bool| states.iter().filter(|state| is_won(state)).count();
    let size = format!(
        "{} states, {} edges, {} and {} ends",
        graph.len(),
        graph.edges(),
        ends(|state| state.second == [0, 0]),
        ends(|state| state.first == [0, 0])
    );
    claims.finds(
        "states, edges, and ends won by the first and the second player",
        size,
        "165 states, 273 edges, 8 and 8 ends",
    );

    let sum =
        |hands: Hands| hands.into_iter().map(|fingers| if fingers == 0 { 5 } else { fingers }).sum::<u8>();
    let grows = |from: &State, to: &State| {
        let ([own, opposing], [their_own, after]) = (from.hands(), to.hands());
        own == after && sum(their_own) > sum(opposing)
    };
    let edges = |graph: &Graph<State>| -> Vec<(State, State)> {
        let of = |from: usize| graph.successors(from).iter().map(move |&to| (from, to as usize));
        let state = |number: usize| graph.positions()[number];
        (0..graph.len()).flat_map(of).map(|(from, to)| (state(from), state(to))).collect()
    };
    let growing = edges(&graph).iter().filter(|(from, to)| grows(from, to)).count();
    claims.holds("on every edge the fingers grow, a dead hand counted as 5", growing == graph.edges());
    claims.holds("so play always ends", graph.successors_first().is_some());
    claims.holds("and never drawn", !values.contains(&Value::Draw));
    let otherwise = states.iter().filter(|state| state.is_over() && state.hands()[0] != [0, 0]).count();
    claims.holds("only by killing the last hand of the player who is then to move", otherwise == 0);
    claims.finds("the second player wins; in plies, for the first player", values[0], "lose in 8");

    let rules = Pruned { graph: &graph, values: &values };
    let (pruned, _) = solved(&rules);
    let size = format!("{} states, {} edges", pruned.len(), pruned.edges());
    claims.finds("the pruned graph, in which the second player keeps the win", size, "41 states, 50 edges");
    let left = pruned.positions().iter().filter(|state| {
        let is_stuck = !state.first_moves && rules.actions(state).is_empty();
        is_stuck || state.second == [0, 0]
    });
    let is_proof = left.count() == 0 && pruned.successors_first().is_some();
    claims.holds("in it the second player has an answer to everything, and wins at every end", is_proof);
    let example = State { first_moves: true, first: [1, 0], second: [3, 1] };
    claims.holds("the article's example f [1,0] [3,1] is in it", pruned.number(&example).is_some());
    let delays = |(from, to): &&(State, State)| {
        rules.value(from) == Value::Win(1) && rules.value(to) != Value::Lose(0)
    };
    let delaying = edges(&pruned).iter().filter(delays).count();
    claims.holds("some of its answers delay a win that was there at once", delaying > 0);

    let variants = |self_attack| {
        [(false, false), (true, false), (false, true), (true, true)].map(|(modulo, split)| Waribashi {
            modulo,
            split,
            self_attack,
        })
    };
    let supposed = [&variants(SelfAttack::No)[1..], &variants(SelfAttack::Living)[1..]].concat();
    claims.finds(
        "of the 6 games with mod, split or both, circular and drawn as the article supposes",
        drawn(&supposed),
        6,
    );
    let (graph, values) = solved(&variants(SelfAttack::Living)[0]);
    claims.holds("with self-attack alone play always ends", graph.successors_first().is_some());
    claims.finds("and the second player wins as without; for the first player", values[0], "lose in 8");
    claims.finds(
        "of the 4 games with hits on one's own dead hands, too, likewise",
        drawn(&variants(SelfAttack::Dead)),
        4,
    );
    claims.exit()
}
