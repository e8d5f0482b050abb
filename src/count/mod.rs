//! Counting: which assignments of doves to a boss placement are mates, wins in one, or stuck.
//!
//! [`count`](fn@crate::count) counts everything in one call. Below it, a [`Workload`] lists the boss placements and
//! which players may be to move, a [`Counter`] counts one boss placement after another by a [`Method`], and a
//! [`Tally`] adds the counts up by number of doves. [`count_where`] counts a category of your own. Both methods use one
//! refutation table, which says what each of the mover's actions lets the opponent do. The exhaustive method tests
//! every assignment, the factored one counts with permanents. [`decide`](fn@decide) is for a single board, and the
//! [`reference`](mod@reference), which judges by the literal rules, for comparing.

mod category;
pub(crate) mod clause;
mod counter;
mod decide;
pub(crate) mod demands;
pub(crate) mod exhaustive;
pub(crate) mod factored;
pub(crate) mod families;
pub(crate) mod list;
mod own;
pub(crate) mod permanent;
pub mod published;
pub mod reference;
mod scene;
pub(crate) mod sets;
mod sides;
pub(crate) mod table;
pub(crate) mod tally;
#[cfg(test)]
mod tests;
mod workload;

pub use category::{Category, Verdict};
pub use counter::{Counter, Method, Question};
pub use decide::decide;
pub use list::{ListedPositions, Listing, Ranks};
pub use own::count_where;
pub(crate) use sides::Sides;
pub use tally::{ALL_DOVES, Comparison, DovesError, Tally, TallyRow, read_doves};
pub use workload::{Turn, Workload};
