//! The positions of a game and their successors: a directed graph, positions numbered from 0.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Debug;

use rayon::prelude::*;

use super::{After, End, Game};

/// The number of positions whose successors share an allocation. A single allocation for all would have to be moved as
/// it grows, and the largest games leave no memory for the copy.
const CHUNK: usize = 1 << 14;

/// Positions and the results of their actions.
#[derive(Debug)]
pub struct Graph<P> {
    positions: Vec<P>,
    numbers: HashMap<P, u32>,
    chunks: Vec<EdgeChunk>,
}

/// The actions of up to [`CHUNK`] positions.
#[derive(Debug, Default)]
struct EdgeChunk {
    /// The start of each position's successors in `successors`, and the end of the last one's.
    starts: Vec<u32>,
    /// The numbers of each position's successors, ascending and without duplicates.
    successors: Vec<u32>,
    /// For each position, one bit for each [`End`] that some action leads to.
    ends: Vec<u8>,
    /// For each position, the end of the game if there is no action.
    without_action: Vec<Option<End>>,
}

impl EdgeChunk {
    /// The actions of these positions, which may only lead to positions with a number.
    fn of<G: Game>(
        game: &G,
        positions: &[G::Position],
        numbers: &HashMap<G::Position, u32>,
    ) -> Result<EdgeChunk, NotClosed<G::Position>> {
        let mut chunk = EdgeChunk { starts: vec![0], ..EdgeChunk::default() };
        let mut successors = Vec::new();
        for position in positions {
            successors.clear();
            let mut ends = 0;
            let actions = game.actions(position);
            chunk.without_action.push(actions.is_empty().then(|| game.without_action(position)));
            for after in actions {
                match after {
                    After::End(end) => ends |= 1 << end as u8,
                    After::Position(to) => match numbers.get(&to) {
                        Some(&number) => successors.push(number),
                        None => return Err(NotClosed { from: position.clone(), to }),
                    },
                }
            }
            successors.sort_unstable();
            successors.dedup();
            chunk.successors.extend_from_slice(&successors);
            chunk.starts.push(number(chunk.successors.len()));
            chunk.ends.push(ends);
        }
        chunk.successors.shrink_to_fit();
        Ok(chunk)
    }
}

/// An action leads to a position that is not among those given as all positions of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an action from {from:?} leads to {to:?}, which is not among the positions")]
pub struct NotClosed<P> {
    /// The position with the action.
    pub from: P,
    /// Where the action leads.
    pub to: P,
}

impl<P: Clone + Eq + std::hash::Hash + Send + Sync> Graph<P> {
    /// The graph of the positions reachable from `starts`. These come first, the others in order of their distance.
    ///
    /// # Panics
    /// If there are more than 2³² positions, or the system starts no threads for rayon.
    pub fn reachable<G: Game<Position = P>>(game: &G, starts: impl IntoIterator<Item = P>) -> Graph<P> {
        let mut positions: Vec<P> = Vec::new();
        let mut numbers = HashMap::new();
        let mut add = |position: P, positions: &mut Vec<P>| {
            numbers.entry(position).or_insert_with_key(|position| {
                positions.push(position.clone());
                number(positions.len() - 1)
            });
        };
        for start in starts {
            add(start, &mut positions);
        }
        let mut next = 0;
        while next < positions.len() {
            for after in game.actions(&positions[next]) {
                if let After::Position(position) = after {
                    add(position, &mut positions);
                }
            }
            next += 1;
        }
        let graph = Graph::numbered(game, positions, numbers);
        graph.unwrap_or_else(|_| unreachable!("every position that an action leads to was added"))
    }

    /// The graph of all positions of a game, in this order; duplicates count once.
    ///
    /// # Errors
    /// If an action leads to a position that is not given.
    ///
    /// # Panics
    /// If there are more than 2³² positions, or the system starts no threads for rayon.
    pub fn of<G: Game<Position = P>>(game: &G, mut positions: Vec<P>) -> Result<Graph<P>, NotClosed<P>> {
        let mut numbers = HashMap::with_capacity(positions.len());
        positions.retain(|position| {
            let next = numbers.len();
            match numbers.entry(position.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(number(next));
                    true
                }
                Entry::Occupied(_) => false,
            }
        });
        Graph::numbered(game, positions, numbers)
    }

    /// The graph of positions with their numbers.
    fn numbered<G: Game<Position = P>>(
        game: &G,
        positions: Vec<P>,
        numbers: HashMap<P, u32>,
    ) -> Result<Graph<P>, NotClosed<P>> {
        let chunks = positions.par_chunks(CHUNK).map(|positions| EdgeChunk::of(game, positions, &numbers));
        let chunks = chunks.collect::<Result<_, _>>()?;
        Ok(Graph { positions, numbers, chunks })
    }

    /// The number of a position; `None` if the graph does not have it.
    pub fn number(&self, position: &P) -> Option<usize> {
        self.numbers.get(position).map(|&number| number as usize)
    }
}

impl<P> Graph<P> {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether the graph is empty.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The positions, in the order of their numbers.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The numbers of the distinct positions that actions from a position lead to, ascending.
    pub fn successors(&self, position: usize) -> &[u32] {
        let chunk = &self.chunks[position / CHUNK];
        let index = position % CHUNK;
        let (start, end) = (chunk.starts[index] as usize, chunk.starts[index + 1] as usize);
        &chunk.successors[start..end]
    }

    /// The number of pairs of a position and a successor.
    pub fn edges(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.successors.len()).sum()
    }

    /// The end of the game if the player to move has no action in this position.
    pub fn without_action(&self, position: usize) -> Option<End> {
        self.chunks[position / CHUNK].without_action[position % CHUNK]
    }

    /// Whether an action from this position ends the game this way for the player who acts.
    pub fn can_end(&self, position: usize, end: End) -> bool {
        self.chunks[position / CHUNK].ends[position % CHUNK] >> end as u8 & 1 == 1
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a graph has at most 2³² positions")
}
