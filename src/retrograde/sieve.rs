//! The lost positions of games too large for a graph, found by marking, as in the sieve of Eratosthenes.
//!
//! The positions are numbered so that every action leads to a smaller number. Going up, a position that is still
//! unmarked when it is reached has no action to a lost position, so it is lost; then every position with an action to
//! it is marked as won. Lost positions are few, so marking from them costs far less than looking at every action.

/// The marks of positions known to be won.
pub struct Unmarked {
    won: Vec<u64>,
    positions: usize,
}

impl Unmarked {
    /// Marks a position as won.
    ///
    /// # Panics
    /// If the position does not exist.
    pub fn mark(&mut self, position: usize) {
        assert!(position < self.positions, "there is no position {position}");
        self.won[position / 64] |= 1 << (position % 64);
    }

    /// The bytes that the marks of this many positions take.
    pub const fn bytes(positions: u128) -> u128 {
        positions.div_ceil(8)
    }

    fn is_marked(&self, position: usize) -> bool {
        self.won[position / 64] >> (position % 64) & 1 == 1
    }
}

/// The lost positions among those with the numbers below `positions`, ascending.
///
/// `won_at_the_end` are the finished positions that are won for the player to move. `before` marks every position that
/// has an action to a given one; all of them have greater numbers.
pub fn lost_positions(
    positions: usize,
    won_at_the_end: impl IntoIterator<Item = usize>,
    mut before: impl FnMut(usize, &mut Unmarked),
) -> Vec<usize> {
    let mut unmarked = Unmarked { won: vec![0; positions.div_ceil(64)], positions };
    won_at_the_end.into_iter().for_each(|position| unmarked.mark(position));
    let mut lost = Vec::new();
    for position in 0..unmarked.positions {
        if !unmarked.is_marked(position) {
            lost.push(position);
            before(position, &mut unmarked);
        }
    }
    lost
}
