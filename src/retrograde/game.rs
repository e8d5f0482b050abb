//! What a game is: positions, where the actions lead, and what ends it.
//!
//! Two players act in turn. A position says all that matters for the rest of the game, and from whose side: values are those
//! of the player to move. Whether it has to say who that is depends on the game; in an impartial one it has not.

use std::hash::Hash;

/// A game of two players who act in turn, with finitely many positions.
pub trait Game: Sync {
    /// A position with its player to move. Those that are equal have the same value.
    type Position: Clone + Eq + Hash + Send + Sync;

    /// Where each action of the player to move leads, in any order; the same place may come several times.
    fn actions(&self, position: &Self::Position) -> Vec<After<Self::Position>>;

    /// How the game ends for a player to move who has no action: lost, unless the game has it otherwise.
    fn without_action(&self, position: &Self::Position) -> End {
        let _ = position;
        End::Lost
    }
}

/// Where an action leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After<P> {
    /// The game goes on, and it is the other player's turn.
    Position(P),
    /// The game is over. The end is that of the player who acted.
    End(End),
}

/// How a game ends for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// This player has won.
    Won,
    /// Nobody has.
    Drawn,
    /// The other player has won.
    Lost,
}
