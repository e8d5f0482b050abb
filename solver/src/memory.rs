//! The memory that solving a game takes: its actions, the win bits, and the results of rounds.

use super::space::deals::MAX_KINDS;
use super::space::layout::Layout;
use super::space::placements;
use dovemate::Limits;
use dovemate::rules::Game;

/// Bytes of a process before it solves anything, and of memory that its allocator retains when many threads work.
const PROCESS_BYTES: u64 = 24 << 20;
/// The working memory of each thread in bytes, most of it for compressing tables.
const THREAD_BYTES: u64 = 12 << 20;
/// Bytes per boss placement for its actions, the arrivals at it, and temporary memory while they are built: a
/// fixed part, …
const ACTIONS_BYTES: u64 = 450;
/// … and a part for each slot, at the game's greatest number of slots.
const ACTIONS_BYTES_A_SLOT: u64 = 160;
/// Bytes of the tables that renumber the deals of five kinds; those of fewer are small.
const ORDERS_BYTES: u64 = 20 << 20;
/// The results of all rounds are expected to take at least 1 ÷ this of the win bits. This is a low guess: if they take
/// more, the worst that can happen is that the solve halts at the memory limit.
const RESULTS_DIVISOR: u64 = 5;

/// Small games have at most this many bytes of win bits; they store their losses as bits, too.
const SMALL_BYTES: u64 = 1 << 26;

/// Minimum memory that solving a game takes, in bytes: the memory used from the start, and a minimum for the results of
/// rounds. In all measured games but the smallest, the results took at least that. With unequal dove sets, they can
/// take several times as much.
pub(crate) fn memory(game: &Game) -> u64 {
    let layout = Layout::new(*game);
    let wins = layout.win_bytes();
    fixed_bytes(game) + wins + lost_bytes(&layout) + wins / RESULTS_DIVISOR
}

/// Bytes for the bits of all losses, in a game that is small enough to store them; 0 in others.
pub(crate) fn lost_bytes(layout: &Layout) -> u64 {
    let wins = layout.win_bytes();
    if wins <= SMALL_BYTES { wins } else { 0 }
}

/// Roughly the bytes that the process takes, not counting the bits of wins and losses or the results of rounds.
pub(crate) fn fixed_bytes(game: &Game) -> u64 {
    let slots = game.most_doves() - 2;
    let placements = placements::counts(slots).iter().sum::<usize>() as u64;
    let orders = if game.red.len().max(game.green.len()) == MAX_KINDS as u32 { ORDERS_BYTES } else { 0 };
    PROCESS_BYTES
        + threads_bytes()
        + orders
        + placements * (ACTIONS_BYTES + u64::from(slots) * ACTIONS_BYTES_A_SLOT)
}

/// The bytes of [`fixed_bytes`] once the actions are built: what the process uses now, plus what its threads will use.
/// If it is not known what the process uses, this is the estimate of [`fixed_bytes`].
pub(crate) fn fixed_bytes_now(game: &Game, limits: &Limits) -> u64 {
    let taken = limits.memory_used.map(|used| used()).filter(|&bytes| bytes > 0);
    taken.map_or_else(|| fixed_bytes(game), |bytes| bytes + threads_bytes())
}

/// The working memory, in bytes, of all threads of this computation or, outside a pool, of those that it would start.
/// Rayon's own function would start the global pool first, and panic if it could not.
fn threads_bytes() -> u64 {
    let threads = match rayon::current_thread_index() {
        Some(_) => rayon::current_num_threads(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    threads as u64 * THREAD_BYTES
}
