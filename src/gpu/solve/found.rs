//! What a solver's round reports, wherever it was worked out, and what there is to know of a game before. Nothing here needs a GPU.

use crate::rules::Game;
use crate::solve::actions::Actions;
use crate::solve::index::Index;
use crate::solve::layout::Class;

/// What is found in some blocks of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether the positions are won; else they are lost.
    pub is_win: bool,
    /// The class.
    pub class: usize,
    /// The blocks, by their numbers in the class, ascending.
    pub blocks: Vec<u32>,
    /// Their rows, one block's after another's; a row takes as many words as its bits need.
    pub words: Vec<u32>,
}

/// Words of a row of a class.
pub fn row_words(class: &Class) -> u32 {
    class.width.div_ceil(32) as u32
}

/// A plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// All wins found so far.
    Wins,
    /// All losses.
    Losses,
}

/// What there is to know of a game before it is solved, whatever the rows.
pub struct Ground {
    /// All positions.
    pub index: Index,
    /// What can be done on the boss placements.
    pub actions: Actions,
}

impl Ground {
    /// What there is to know of a game.
    pub fn new(game: Game) -> Ground {
        let index = Index::new(game);
        Ground { actions: Actions::new(&index.placements, &game), index }
    }
}
