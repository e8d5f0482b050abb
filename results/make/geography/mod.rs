//! Rules against repetition and their effect on the values of games. Tokyo Doves itself has no such rule, so play may
//! go on for ever.
//!
//! # The rules
//!
//! The article on the rules proposes a *ban*: no action may lead to a board with which an earlier turn of the opponent
//! began. The *strong* ban identifies boards that a rotation or reflection turns into each other. Translations never
//! matter, as the plane has no origin (see [`Sameness`]). The *weak* form, in which the opponent may object, is
//! equivalent between perfect players. A player without a legal action loses, so with a ban nothing is drawn. Another
//! proposal forbids every action that leads to the start, in any rotation or reflection.
//!
//! # What follows without computing
//!
//! Let W, L and D be the positions (boards with a player to move) that are won, lost and drawn without a ban, and let
//! nothing have been played before.
//!
//! 1. *A win stays a win, in no more plies.* The winner goes from a win in n to a loss in n − 1, so the distances fall
//!    with every ply: no position occurs twice, and nothing that the winner needs is forbidden. What is forbidden to
//!    the loser only removes answers. (So a win may become quicker, as the way back is barred.)
//! 2. *From D, whoever leaves D first loses*: an action from D leads to D or to W, for in L it would have been a win;
//!    the history has positions of D alone, so by 1. the opponent wins there.
//! 3. So a drawn position becomes *geography* on the graph of D: in turn, the players go along arcs to unvisited
//!    positions, and a player who cannot go on loses. [`Geography::decide`] decides that with the set of visited
//!    positions as history.
//! 4. *A pairing wins.* Let U be a set of positions of D in which player P is to move, and m a map that gives each u of
//!    U an action's result m(u) in D, different for different u, such that all successors of m(u) in D are in U. Then P
//!    wins from each u of U: P goes to m(u), the opponent to some u' of U not visited yet, so m(u') has not been
//!    visited either. If the opponent begins, at a position s, P wins if all successors of s are in U and s is no m(u).
//!    [`Geography::pairing`] looks for one.
//! 5. *Without returns* doves are only added, so that play never comes back to fewer: with each put a new part of D
//!    begins, in which nothing has been played. Known results for its positions count in 4. as the end of play
//!    ([`Geography::solve_parts`]): P wins from a position with a put after which the opponent is lost, and the
//!    opponent must have no such put after m(u).
//!
//! None of this holds with a history: it may forbid the one action that wins.

use std::collections::HashMap;

use dovemate::Value;
use dovemate::retrograde::{self, After, End, Graph};
use dovemate::rules::{Board, Code, Color, Game, Outcome};

/// Which boards a rule treats as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sameness {
    /// Boards that a translation turns into each other.
    Moved,
    /// Boards that a translation, rotation or reflection turns into each other.
    Turned,
}

/// Tokyo Doves as a game on boards up to some sameness, with or without the rule on the start.
#[derive(Clone, Copy, Debug)]
pub struct Ruled {
    /// Dove sets and rules.
    pub game: Game,
    /// Which boards are the same.
    pub sameness: Sameness,
    /// Whether actions may not lead to the start, in any rotation or reflection.
    pub has_start_rule: bool,
}

/// A board, in its own colours, with the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn {
    /// The board's code, normalized so that boards which are the same have the same code.
    pub code: Code,
    /// The player to move.
    pub player: Color,
}

impl Ruled {
    /// A board with a player to move as a position of this game.
    pub fn turn(&self, board: &Board, player: Color) -> Turn {
        let code = match self.sameness {
            Sameness::Moved => board.code(),
            // From red's point of view nothing is recoloured.
            Sameness::Turned => board.code().invariant(Color::Red),
        };
        Turn { code, player }
    }

    /// The start, red to move.
    pub fn start(&self) -> Turn {
        self.turn(&Board::default(), Color::Red)
    }
}

fn is_start(board: &Board) -> bool {
    let start = Board::default().code().invariant(Color::Red);
    Color::ALL.into_iter().any(|mover| board.code().invariant(mover) == start)
}

impl retrograde::Game for Ruled {
    type Position = Turn;

    fn actions(&self, turn: &Turn) -> Vec<After<Turn>> {
        let board = turn.code.board().expect("a turn has a board");
        let actions = self.game.legal_actions(&board, turn.player);
        let allowed = actions.filter(|(_, after)| !self.has_start_rule || !is_start(after));
        let after = |after: Board| match self.game.rules.outcome_of(&after, turn.player) {
            Outcome::Open => After::Position(self.turn(&after, turn.player.opponent())),
            Outcome::Won => After::End(End::Won),
            Outcome::Lost => After::End(End::Lost),
            Outcome::Drawn => After::End(End::Drawn),
        };
        allowed.map(|(_, board)| after(board)).collect()
    }
}

/// A player's pairing: the position to go to from each position.
pub type Pairing = HashMap<u32, u32>;

/// The drawn positions of a graph, on which play goes on under a ban until a player must leave them.
pub struct Geography<'a> {
    graph: &'a Graph<Turn>,
    is_drawn: Vec<bool>,
    /// The known verdicts on positions, with nothing played in their part.
    known: Vec<Option<Verdict>>,
    /// Whether a put begins a new part.
    has_parts: bool,
}

/// The verdict on a drawn position under a ban.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player to move wins.
    Win,
    /// The player to move loses.
    Lose,
}

impl<'a> Geography<'a> {
    /// The drawn positions of a graph with its values. The rules must not have actions that end the game drawn.
    pub fn new(graph: &'a Graph<Turn>, values: &[Value], game: &Game) -> Geography<'a> {
        let is_drawn = values.iter().map(|value| *value == Value::Draw).collect();
        Geography { graph, is_drawn, known: vec![None; values.len()], has_parts: !game.rules.returns }
    }

    /// Goes over the parts of a game without returns, those with the most doves first, and records the verdicts that
    /// pairings prove.
    pub fn solve_parts(&mut self) {
        let doves = |position: &u32| self.graph.positions()[*position as usize].code.count();
        let mut positions: Vec<u32> = (0..self.graph.len() as u32).collect();
        positions.sort_by_key(|position| std::cmp::Reverse(doves(position)));
        for position in positions {
            if !self.is_drawn[position as usize] || self.known[position as usize].is_some() {
                continue;
            }
            if let Some((verdict, pairing)) = self.pairing(position) {
                assert!(self.holds(position, verdict, &pairing), "a pairing that is none");
                self.known[position as usize] = Some(verdict);
                // A winning pairing proves the same for each position in it, with nothing played.
                if verdict == Verdict::Win {
                    for &other in pairing.keys() {
                        self.known[other as usize] = Some(Verdict::Win);
                    }
                }
            }
        }
    }

    /// The verdict of [`Geography::solve_parts`] on a position, if it found one.
    pub fn known(&self, position: u32) -> Option<Verdict> {
        self.known[position as usize]
    }

    /// Whether an action from `from` to `to` begins a new part.
    fn is_put(&self, from: u32, to: u32) -> bool {
        let doves = |position: u32| self.graph.positions()[position as usize].code.count();
        self.has_parts && doves(from) != doves(to)
    }

    /// The drawn successors in the same part.
    fn inner(&self, position: u32) -> impl Iterator<Item = u32> + '_ {
        self.ways(position).filter(move |&way| !self.is_put(position, way))
    }

    /// Whether the player to move has a put after which the other player is known to lose.
    fn is_settled(&self, position: u32) -> bool {
        self.ways(position).any(|way| self.is_put(position, way) && self.known(way) == Some(Verdict::Lose))
    }

    /// Whether, after every put of the player to move, the other player is known to win.
    fn has_no_good_put(&self, position: u32) -> bool {
        self.ways(position).all(|way| !self.is_put(position, way) || self.known(way) == Some(Verdict::Win))
    }

    /// The drawn successors of a position.
    fn ways(&self, position: u32) -> impl Iterator<Item = u32> + '_ {
        self.graph.successors(position as usize).iter().copied().filter(|&next| self.is_drawn[next as usize])
    }

    /// The drawn positions reachable from one along drawn positions, starting with it.
    pub fn reachable(&self, start: u32) -> Vec<u32> {
        self.reachable_by(start, |position| self.ways(position).collect())
    }

    fn reachable_by(&self, start: u32, ways: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
        let mut is_found = vec![false; self.graph.len()];
        is_found[start as usize] = true;
        let mut found = vec![start];
        let mut next = 0;
        while next < found.len() {
            for way in ways(found[next]) {
                if !std::mem::replace(&mut is_found[way as usize], true) {
                    found.push(way);
                }
            }
            next += 1;
        }
        found
    }

    /// Decides a drawn position with nothing played before, by exhaustive search with the set of visited positions as
    /// history. `None` if more than 128 positions are reachable, or more than `most` pairs of a position and a history
    /// come up.
    pub fn decide(&self, start: u32, most: usize) -> Option<(Verdict, usize)> {
        let reachable = self.reachable(start);
        if reachable.len() > u128::BITS as usize {
            return None;
        }
        let place: HashMap<u32, usize> =
            reachable.iter().enumerate().map(|(place, &position)| (position, place)).collect();
        let ways: Vec<u128> = reachable
            .iter()
            .map(|&position| self.ways(position).fold(0, |ways, way| ways | 1 << place[&way]))
            .collect();
        let mut exact = Exact { ways: &ways, known: HashMap::new(), most };
        let wins = exact.wins(0, 1)?;
        Some((if wins { Verdict::Win } else { Verdict::Lose }, exact.known.len()))
    }

    /// Looks for a pairing with which the player to move, or else the other player, wins from a drawn position with
    /// nothing played before. `None` if neither is found, which decides nothing.
    pub fn pairing(&self, start: u32) -> Option<(Verdict, Pairing)> {
        let reachable = self.reachable_by(start, |position| self.inner(position).collect());
        let first = self.graph.positions()[start as usize].player;
        for (verdict, player) in [(Verdict::Win, first), (Verdict::Lose, first.opponent())] {
            let needed: Vec<u32> = match verdict {
                Verdict::Win => vec![start],
                Verdict::Lose if !self.has_no_good_put(start) => continue,
                Verdict::Lose => self.inner(start).collect(),
            };
            let needed: Vec<u32> = needed.into_iter().filter(|&position| !self.is_settled(position)).collect();
            let mine = |position: &u32| {
                self.graph.positions()[*position as usize].player == player && !self.is_settled(*position)
            };
            let mut turns: Vec<u32> = reachable.iter().copied().filter(mine).collect();
            let is_visited = |position: u32| verdict == Verdict::Lose && position == start;
            loop {
                let among: std::collections::HashSet<u32> = turns.iter().copied().collect();
                if !needed.iter().all(|position| among.contains(position)) {
                    break;
                }
                let goes_on = |next: u32| among.contains(&next) || self.is_settled(next);
                let leads_back =
                    |way: u32| !is_visited(way) && self.has_no_good_put(way) && self.inner(way).all(goes_on);
                let ways = |position: u32| self.inner(position).filter(|&way| leads_back(way)).collect::<Vec<_>>();
                let pairing = matching(&turns, ways);
                if pairing.len() == turns.len() {
                    return Some((verdict, pairing));
                }
                turns.retain(|position| pairing.contains_key(position));
            }
        }
        None
    }

    /// Whether a pairing proves this verdict on a position, by checking its conditions one by one.
    pub fn holds(&self, start: u32, verdict: Verdict, pairing: &Pairing) -> bool {
        let results: std::collections::HashSet<u32> = pairing.values().copied().collect();
        let goes_on = |position: u32| pairing.contains_key(&position) || self.is_settled(position);
        let begins = match verdict {
            Verdict::Win => goes_on(start),
            Verdict::Lose => self.has_no_good_put(start) && self.inner(start).all(goes_on) && !results.contains(&start),
        };
        let is_closed = pairing.iter().all(|(&position, &result)| {
            self.is_drawn[position as usize]
                && self.inner(position).any(|way| way == result)
                && self.has_no_good_put(result)
                && self.inner(result).all(goes_on)
        });
        begins && results.len() == pairing.len() && is_closed
    }
}

/// A play, legal under a ban from its first position on, to a position that is a win without history and a loss with
/// this one: its only winning action would lead where the opponent has already been. Returns the first one found, or
/// `None` if bounded search proves none.
pub fn barred_win(graph: &Graph<Turn>, values: &[Value], start: u32) -> Option<Vec<u32>> {
    (0..graph.len() as u32).find_map(|position| {
        let ways = graph.successors(position as usize);
        let (winning, others): (Vec<u32>, Vec<u32>) =
            ways.iter().partition(|&&way| matches!(values[way as usize], Value::Lose(_)));
        let [barred] = winning[..] else { return None };
        let lose = others.iter().all(|&way| matches!(values[way as usize], Value::Win(_)));
        if graph.can_end(position as usize, End::Won) || !lose || barred == position {
            return None;
        }
        let mut play = path(graph, start, barred, &[position])?;
        let rest = path(graph, barred, position, &play)?;
        play.extend(&rest[1..]);
        let mut visited = vec![false; graph.len()];
        for &turn in &play {
            visited[turn as usize] = true;
        }
        // Longer than any distance here; a ban only makes these losses shorter.
        const PLIES: u32 = 12;
        loses_with(graph, position, &mut visited, PLIES).then_some(play)
    })
}

/// A shortest path that avoids some positions.
fn path(graph: &Graph<Turn>, from: u32, to: u32, avoiding: &[u32]) -> Option<Vec<u32>> {
    let mut came_from: HashMap<u32, u32> = avoiding.iter().map(|&position| (position, position)).collect();
    came_from.remove(&to);
    came_from.insert(from, from);
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(position) = queue.pop_front() {
        if position == to {
            let mut path = vec![to];
            while *path.last()? != from {
                path.push(came_from[path.last()?]);
            }
            path.reverse();
            return Some(path);
        }
        for &way in graph.successors(position as usize) {
            came_from.entry(way).or_insert_with(|| {
                queue.push_back(way);
                position
            });
        }
    }
    None
}

/// Whether the player to move loses within this many plies, under a ban with these positions as history.
fn loses_with(graph: &Graph<Turn>, position: u32, visited: &mut Vec<bool>, plies: u32) -> bool {
    if graph.can_end(position as usize, End::Won) || graph.can_end(position as usize, End::Drawn) {
        return false;
    }
    let ways: Vec<u32> = open_ways(graph, position, visited);
    // An action that ends the game as a loss for its player is not a way out.
    ways.is_empty()
        || plies > 0
            && ways.into_iter().all(|way| {
                visited[way as usize] = true;
                let wins = wins_with(graph, way, visited, plies - 1);
                visited[way as usize] = false;
                wins
            })
}

/// Whether the player to move wins within this many plies, under the same ban.
fn wins_with(graph: &Graph<Turn>, position: u32, visited: &mut Vec<bool>, plies: u32) -> bool {
    if plies == 0 {
        return false;
    }
    graph.can_end(position as usize, End::Won)
        || open_ways(graph, position, visited).into_iter().any(|way| {
            visited[way as usize] = true;
            let loses = loses_with(graph, way, visited, plies - 1);
            visited[way as usize] = false;
            loses
        })
}

/// The unvisited successors.
fn open_ways(graph: &Graph<Turn>, position: u32, visited: &[bool]) -> Vec<u32> {
    graph.successors(position as usize).iter().copied().filter(|&way| !visited[way as usize]).collect()
}

/// Geography on at most 128 positions.
struct Exact<'a> {
    ways: &'a [u128],
    known: HashMap<(u8, u128), bool>,
    most: usize,
}

impl Exact<'_> {
    /// Whether the player to move wins, the present position being visited; `None` if that takes too many steps.
    fn wins(&mut self, position: usize, visited: u128) -> Option<bool> {
        let ways = self.ways[position] & !visited;
        if ways == 0 {
            return Some(false);
        }
        // Only the unvisited positions that can still be reached matter.
        let mut open = 1 << position;
        let mut fresh = ways;
        while fresh != 0 {
            open |= fresh;
            let mut next = 0;
            let mut rest = fresh;
            while rest != 0 {
                next |= self.ways[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            fresh = next & !visited & !open;
        }
        let key = (position as u8, open);
        if let Some(&wins) = self.known.get(&key) {
            return Some(wins);
        }
        if self.known.len() >= self.most {
            return None;
        }
        let mut wins = false;
        let mut rest = ways;
        while rest != 0 && !wins {
            let way = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            wins = !self.wins(way, visited | 1 << way)?;
        }
        self.known.insert(key, wins);
        Some(wins)
    }
}

/// A maximum matching of these positions to successors along their ways: augmenting paths, breadth first.
fn matching(positions: &[u32], ways: impl Fn(u32) -> Vec<u32>) -> Pairing {
    let mut partner_of_way: HashMap<u32, u32> = HashMap::new();
    let mut pairing = Pairing::new();
    let ways: HashMap<u32, Vec<u32>> = positions.iter().map(|&position| (position, ways(position))).collect();
    // What a failed search has seen leads to nothing later either.
    let mut came_from: HashMap<u32, u32> = HashMap::new();
    for &root in positions {
        let mut seen = Vec::new();
        let mut queue = std::collections::VecDeque::from([root]);
        let mut free = None;
        'search: while let Some(position) = queue.pop_front() {
            for &way in &ways[&position] {
                if came_from.contains_key(&way) {
                    continue;
                }
                came_from.insert(way, position);
                seen.push(way);
                match partner_of_way.get(&way) {
                    None => {
                        free = Some(way);
                        break 'search;
                    }
                    Some(&partner) => queue.push_back(partner),
                }
            }
        }
        let Some(mut way) = free else { continue };
        loop {
            let position = came_from[&way];
            partner_of_way.insert(way, position);
            match pairing.insert(position, way) {
                None => break,
                Some(before) => way = before,
            }
        }
        for way in seen {
            came_from.remove(&way);
        }
    }
    pairing
}
