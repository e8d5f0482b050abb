//! The result of a solver's round, from GPU or CPU, and the data of a game that is known up front. Nothing here needs a
//! GPU.

use crate::rules::Game;
use crate::solve::actions::placement_actions::Actions;
use crate::solve::space::index::Index;
use crate::solve::space::layout::Class;

/// The positions of one class that a round has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether the positions are won; else they are lost.
    pub is_win: bool,
    /// The class.
    pub class: usize,
    /// The blocks, by their numbers in the class, ascending.
    pub blocks: Vec<u32>,
    /// The rows of these blocks, block after block; a row takes as many words as its bits need.
    pub words: Vec<u32>,
}

/// The number of words in a row of a class.
pub fn row_words(class: &Class) -> u32 {
    class.width.div_ceil(32) as u32
}

/// A plane: one bit for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// All wins found so far.
    Wins,
    /// All losses found so far.
    Losses,
}

/// The data of a game that does not depend on what has been solved.
pub struct Ground {
    /// All positions.
    pub index: Index,
    /// The actions on all boss placements.
    pub actions: Actions,
}

impl Ground {
    /// Prepares a game.
    pub fn new(game: Game) -> Ground {
        let index = Index::new(game);
        Ground { actions: Actions::new(&index.placements, &game), index }
    }
}
