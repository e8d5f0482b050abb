//! The interface of a game: its positions, where the actions lead, and how it ends.
//!
//! Two players act in turn. A position has all that matters for the rest of the game, and values are those
//! of the player to move. Whether a position must name that player depends on the game; in an impartial game
//! it need not.

use std::hash::Hash;

/// A game of two players who act in turn, with finitely many positions.
pub trait Game: Sync {
    /// A position with its player to move. Equal positions have the same value.
    type Position: Clone + Eq + Hash + Send + Sync;

    /// Where each action of the player to move leads, in any order; duplicates are allowed.
    fn actions(&self, position: &Self::Position) -> Vec<After<Self::Position>>;

    /// The end of the game for a player to move who has no action: a loss by default.
    fn without_action(&self, position: &Self::Position) -> End {
        let _ = position;
        End::Lost
    }
}

/// The result of an action: the next position, or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After<P> {
    /// The game continues, and it is the other player's turn.
    Position(P),
    /// The game is over, with this end for the player who acted.
    End(End),
}

/// The end of a game, from the point of view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// This player has won.
    Won,
    /// Neither player has won.
    Drawn,
    /// The other player has won.
    Lost,
}
