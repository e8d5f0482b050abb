//! Waribashi (割りばし, chopsticks): two players with two hands each; at the start every hand shows one finger.
//!
//! The player to move hits a living hand of the opponent with one of their own living hands, and the hand that is hit
//! adds the other's fingers to its own. A hand that reaches 5 fingers (or the number that the game is played with) or
//! more is dead. A player whose hands are both dead loses. Variants:
//!
//! - *mod*: a hand dies only at exactly 5; beyond that, 5 are subtracted.
//! - *split*: a player with one dead hand may use the turn to distribute the fingers of the other hand over both, at
//!   least one on each.
//! - *self-attack*: a player may hit their own other hand. It must be alive; a variant that allows hitting a dead hand
//!   is also available.
//!
//! The two hands of a player are interchangeable, and a position includes the player to move; so it is a node of the
//! article's graph.

use std::fmt;

use crate::retrograde::{After, Game, Graph};
#[cfg(feature = "report")]
use crate::retrograde::{Drawing, Edge, Node};
use crate::value::Value;

/// A set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waribashi {
    /// The number of fingers at which a hand is dead: 2 to 9; 5 in the article.
    pub fingers: u8,
    /// Whether a hand dies at exactly that number only, and a greater number counts from 0 again.
    pub modulo: bool,
    /// Whether fingers may be split.
    pub split: bool,
    /// Which of their own hands a player may hit.
    pub self_attack: SelfAttack,
}

/// Which of their own hands a player may hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfAttack {
    /// None.
    No,
    /// The other hand, if it is alive.
    Living,
    /// The other hand, even a dead one, which then lives again.
    Any,
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The player with the first move of the game.
    First,
    /// The other one.
    Second,
}

/// The fingers of a player's hands, the greater number first; 0 means dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hands([u8; 2]);

/// The player to move, and the hands of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The player to move.
    pub to_move: Player,
    /// The hands of the first and the second player.
    pub hands: [Hands; 2],
}

impl Player {
    /// The other player.
    pub const fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// The name: `first` or `second`.
    pub const fn name(self) -> &'static str {
        match self {
            Player::First => "first",
            Player::Second => "second",
        }
    }
}

impl Hands {
    /// The hands with these numbers of fingers, in either order.
    pub fn new(one: u8, other: u8) -> Hands {
        Hands([one.max(other), one.min(other)])
    }

    /// Whether both hands are dead.
    pub const fn are_dead(self) -> bool {
        self.0[0] == 0
    }

    /// The fingers, the greater number first.
    pub const fn fingers(self) -> [u8; 2] {
        self.0
    }
}

/// `[3,1]`, as in the article.
impl fmt::Display for Hands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{},{}]", self.0[0], self.0[1])
    }
}

impl Position {
    /// The start: one finger on every hand, the first player to move.
    pub fn start() -> Position {
        Position { to_move: Player::First, hands: [Hands::new(1, 1); 2] }
    }

    /// The hands of a player.
    pub const fn hands_of(&self, player: Player) -> Hands {
        self.hands[player as usize]
    }

    /// The player who has lost, if the game is over.
    pub fn loser(&self) -> Option<Player> {
        [Player::First, Player::Second].into_iter().find(|&player| self.hands_of(player).are_dead())
    }

    fn after(&self, own: Hands, opposing: Hands) -> Position {
        let to_move = self.to_move.opponent();
        let hands = match self.to_move {
            Player::First => [own, opposing],
            Player::Second => [opposing, own],
        };
        Position { to_move, hands }
    }
}

/// `f [1,0] [3,1]`, as in the article: the player to move, the hands of the first player, those of the second.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to_move = if self.to_move == Player::First { 'f' } else { 's' };
        write!(f, "{to_move} {} {}", self.hands[0], self.hands[1])
    }
}

impl Waribashi {
    /// The article's basic rules.
    pub const BASIC: Waribashi = Waribashi { fingers: 5, modulo: false, split: false, self_attack: SelfAttack::No };

    /// The eight combinations of the variants with 5 fingers in which dead hands cannot be hit; the basic rules first.
    pub fn variants() -> impl Iterator<Item = Waribashi> {
        (0..8).map(|variant| Waribashi {
            fingers: 5,
            modulo: variant & 1 != 0,
            split: variant & 2 != 0,
            self_attack: if variant & 4 != 0 { SelfAttack::Living } else { SelfAttack::No },
        })
    }

    /// The fingers of a living hand after it is hit by another.
    const fn hit(self, fingers: u8, by: u8) -> u8 {
        let sum = fingers + by;
        match (self.modulo, sum >= self.fingers) {
            (true, _) => sum % self.fingers,
            (false, true) => 0,
            (false, false) => sum,
        }
    }

    /// The names of the rules beyond the basic ones, as on the command line, joined by `, `; `basic` if there are none.
    pub fn name(self) -> String {
        let self_attack = match self.self_attack {
            SelfAttack::No => None,
            SelfAttack::Living => Some("self-attack"),
            SelfAttack::Any => Some("self-attack on dead hands too"),
        };
        let names = [self.modulo.then_some("mod"), self.split.then_some("split"), self_attack];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        if names.is_empty() { "basic".to_owned() } else { names.join(", ") }
    }
}

impl Game for Waribashi {
    type Position = Position;

    fn actions(&self, position: &Position) -> Vec<After<Position>> {
        if position.loser().is_some() {
            return Vec::new();
        }
        let (own, opposing) = (position.hands_of(position.to_move).0, position.hands_of(position.to_move.opponent()).0);
        let mut next = Vec::new();
        for by in own.into_iter().filter(|&fingers| fingers > 0) {
            for [target, other] in [opposing, [opposing[1], opposing[0]]] {
                if target > 0 {
                    next.push((own, [self.hit(target, by), other]));
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
                SelfAttack::Any => true,
            };
            if by > 0 && may {
                next.push(([by, self.hit(target, by)], opposing));
            }
        }
        let hands = |[one, other]: [u8; 2]| Hands::new(one, other);
        next.into_iter().map(|(own, opposing)| After::Position(position.after(hands(own), hands(opposing)))).collect()
    }
}

/// A game solved from the start.
pub struct Solved {
    /// The rules.
    pub game: Waribashi,
    /// The reachable positions, the start first.
    pub graph: Graph<Position>,
    /// Their values, by number.
    pub values: Vec<Value>,
}

impl Solved {
    /// Solves a game from the start.
    pub fn new(game: Waribashi) -> Solved {
        let graph = Graph::reachable(&game, [Position::start()]);
        let values = graph.values();
        Solved { game, graph, values }
    }

    /// The value of the start.
    pub fn start(&self) -> Value {
        self.values[0]
    }

    /// The winner; `None` if the start is a draw.
    pub fn winner(&self) -> Option<Player> {
        match self.start() {
            Value::Win(_) => Some(Player::First),
            Value::Lose(_) => Some(Player::Second),
            Value::Draw => None,
        }
    }

    /// The number of positions in which this player has lost.
    pub fn ends(&self, loser: Player) -> usize {
        self.graph.positions().iter().filter(|position| position.loser() == Some(loser)).count()
    }

    /// Whether play can cycle.
    pub fn has_circles(&self) -> bool {
        self.graph.successors_first().is_none()
    }

    /// The whole graph.
    pub fn whole(&self) -> Part {
        let edges = |from: usize| self.graph.successors(from).iter().map(move |&to| (from, to as usize));
        Part { positions: (0..self.graph.len()).collect(), edges: (0..self.graph.len()).flat_map(edges).collect() }
    }

    /// The proof of the win: of the winner's actions only those that keep the win, all actions of the loser, and what
    /// is reachable by them. `None` if the start is a draw.
    ///
    /// As in the article, an action that keeps the win need not be the quickest. Where play can cycle, only actions
    /// that come nearer to the end are sure to reach it: see [`Solved::is_quickest`].
    pub fn pruned(&self) -> Option<Part> {
        let winner = self.winner()?;
        let (mut positions, mut edges) = (vec![0], Vec::new());
        let mut is_there = vec![false; self.graph.len()];
        is_there[0] = true;
        let mut next = 0;
        while let Some(&from) = positions.get(next) {
            next += 1;
            let is_winners = self.graph.positions()[from].to_move == winner;
            for &to in self.graph.successors(from) {
                let to = to as usize;
                if is_winners && !matches!(self.values[to], Value::Lose(_)) {
                    continue;
                }
                edges.push((from, to));
                if !is_there[to] {
                    is_there[to] = true;
                    positions.push(to);
                }
            }
        }
        Some(Part { positions, edges })
    }

    /// Whether no action is better than the one from one position to the other.
    pub fn is_quickest(&self, from: usize, to: usize) -> bool {
        self.values[to].before() == self.values[from]
    }

    /// A part of the graph as a drawing. Ends are coloured as in the article: blue if the first player has won, red if
    /// the second has.
    #[cfg(feature = "report")]
    pub fn drawing(&self, part: &Part) -> Drawing {
        let mut place = vec![usize::MAX; self.graph.len()];
        for (index, &position) in part.positions.iter().enumerate() {
            place[position] = index;
        }
        let winner = self.winner();
        let is_whole = part.positions.len() == self.graph.len();
        let node = |&number: &usize| {
            let position = self.graph.positions()[number];
            let line = |player: Player| {
                let hand = |fingers: u8| if fingers == 0 { "✕".to_owned() } else { fingers.to_string() };
                let [one, other] = position.hands_of(player).fingers();
                let mark = if position.to_move == player && position.loser().is_none() { '▸' } else { ' ' };
                format!("{mark} {} {}", hand(one), hand(other))
            };
            let (fill, note) = match (position.loser(), self.values[number]) {
                (Some(loser), _) => {
                    let fill = if loser == Player::First { "#FF9999" } else { "#9999FF" };
                    (Some(fill), format!("{} won", loser.opponent().name()))
                }
                (None, value) => (None, value.to_string()),
            };
            Node {
                lines: vec![line(Player::First), line(Player::Second)],
                note,
                fill,
                is_round: position.to_move == Player::Second,
            }
        };
        let edge = |&(from, to): &(usize, usize)| {
            let is_winners = Some(self.graph.positions()[from].to_move) == winner;
            let is_strong = !is_whole && is_winners && self.is_quickest(from, to);
            Edge { from: place[from], to: place[to], is_strong }
        };
        let mut legend = vec![
            "Upper line: the first player's hands; lower line: the second's; ▸ marks the player to move, ✕ a dead hand."
                .to_owned(),
            "Below: the value for the player to move. Round corners: the second player's turn.".to_owned(),
        ];
        let rules = format!("Waribashi, {} rules, {} fingers", self.game.name(), self.game.fingers);
        let title = match winner.filter(|_| !is_whole) {
            None => format!("{rules}: {} positions, {} edges", part.positions.len(), part.edges.len()),
            Some(winner) => {
                legend.push(format!(
                    "Whatever the {} player does (thin), the {} one has a winning answer (thick if it is a quickest, else thin).",
                    winner.opponent().name(),
                    winner.name()
                ));
                format!("{rules}: why the {} player wins", winner.name())
            }
        };
        Drawing {
            title,
            legend,
            nodes: part.positions.iter().map(node).collect(),
            edges: part.edges.iter().map(edge).collect(),
        }
    }
}

/// Some of the positions and edges of a graph.
pub struct Part {
    /// The numbers of the positions, the start first.
    pub positions: Vec<usize>,
    /// The edges, as pairs of position numbers.
    pub edges: Vec<(usize, usize)>,
}
