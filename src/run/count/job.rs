//! The parameters of a count: what to count, how, and where.

use std::ops::RangeInclusive;

use crate::count::{ALL_DOVES, Category, Method, Question, Workload};
use crate::gpu::Selection;
use crate::limits::Limits;
use crate::rules::{Game, Rules};
use crate::run::backend::Backend;
use crate::run::observer::Observer;

/// The parameters of a count. By default it counts in Tokyo Doves itself with any number of doves, under the default
/// rules, on all cores of the CPU.
///
/// ```
/// use dovemate::{BothSurrounded, Count, Rules};
///
/// let draw = Rules { both_surrounded: BothSurrounded::Draw, ..Rules::default() };
/// let count = Count::mates().doves(2..=6).rules(draw).threads(1);
/// assert_eq!(dovemate::count(count)?.rows.len(), 5);
/// # Ok::<(), dovemate::RunError>(())
/// ```
///
/// A smaller game, in which green has no dove but the boss:
///
/// ```
/// use dovemate::{Color, Count, DoveSet, Game, Rules};
///
/// let game = Game { red: "AY".parse()?, green: DoveSet::NONE, rules: Rules::default() };
/// let tally = dovemate::count(Count::wins().game(game))?;
/// let by_red = tally.rows.iter().filter(|row| row.mover == Some(Color::Red));
/// println!("red wins at once in {} positions", by_red.map(|row| row.positions).sum::<u64>());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Count<'a> {
    pub(super) category: Category,
    pub(super) doves: RangeInclusive<u32>,
    pub(super) game: Game,
    /// The requested method; `None` leaves the choice to the backend.
    pub(super) method: Option<Method>,
    pub(super) backend: Backend,
    pub(super) adapter: Option<Selection>,
    pub(super) threads: Option<usize>,
    pub(super) limits: Limits,
    pub(super) observer: &'a dyn Observer,
}

impl From<Category> for Count<'_> {
    fn from(category: Category) -> Self {
        Count::new(category)
    }
}

impl<'a> Count<'a> {
    /// Counts a category of positions.
    pub fn new(category: Category) -> Count<'a> {
        Count {
            category,
            doves: ALL_DOVES,
            game: Game::default(),
            method: None,
            backend: Backend::Cpu,
            adapter: None,
            threads: None,
            limits: Limits::default(),
            observer: &(),
        }
    }

    /// Counts mates.
    pub fn mates() -> Count<'a> {
        Count::new(Category::Mates)
    }

    /// Counts wins in one.
    pub fn wins() -> Count<'a> {
        Count::new(Category::Wins)
    }

    /// The numbers of doves on the board, bosses included; there are never fewer than 2, or more than the
    /// game has.
    #[must_use]
    pub fn doves(self, doves: RangeInclusive<u32>) -> Count<'a> {
        Count { doves, ..self }
    }

    /// The game: its dove sets and its rules. A game with fewer doves than Tokyo Doves is counted on the CPU only. A
    /// player who is left without an action there has lost ([`Game::outcome`]), but only surrounding a boss counts here
    /// as a win.
    #[must_use]
    pub fn game(self, game: Game) -> Count<'a> {
        Count { game, ..self }
    }

    /// The rule variant of the game.
    #[must_use]
    pub fn rules(self, rules: Rules) -> Count<'a> {
        Count { game: Game { rules, ..self.game }, ..self }
    }

    /// The method. By default the CPU counts by the factored method and confirms the count by the exhaustive one. A GPU
    /// has only the exhaustive method.
    #[must_use]
    pub fn method(self, method: Method) -> Count<'a> {
        Count { method: Some(method), ..self }
    }

    /// Where to count. With [`Backend::Auto`] and without a method, the CPU counts, and a GPU, if there is one,
    /// confirms the counts up to the largest number of doves that it is forecast to reach within half a minute.
    #[must_use]
    pub fn backend(self, backend: Backend) -> Count<'a> {
        Count { backend, ..self }
    }

    /// Counts on this GPU, as with [`Backend::Gpu`]. Software drivers are used only when they are selected here.
    #[must_use]
    pub fn adapter(self, adapter: Selection) -> Count<'a> {
        self.on(Backend::Gpu, Some(adapter))
    }

    /// Where to count, and which GPU, if one is selected.
    #[doc(hidden)]
    #[must_use]
    pub fn on(self, backend: Backend, adapter: Option<Selection>) -> Count<'a> {
        Count { backend, adapter, ..self }
    }

    /// The number of CPU threads, instead of rayon's default: one for each core, unless `RAYON_NUM_THREADS` says
    /// otherwise.
    #[must_use]
    pub fn threads(self, threads: impl Into<Option<usize>>) -> Count<'a> {
        Count { threads: threads.into(), ..self }
    }

    /// The limits: a deadline and the stop flag. They are checked before each boss placement, and on a GPU after each
    /// batch.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Count<'a> {
        Count { limits, ..self }
    }

    /// The observer of the count: progress, messages, the result before it is confirmed.
    #[must_use]
    pub fn observer(self, observer: &'a dyn Observer) -> Count<'a> {
        Count { observer, ..self }
    }

    /// The question asked of each boss placement.
    pub(super) fn question(&self, method: Method) -> Question {
        Question { category: self.category, rules: self.game.rules, method }
    }

    /// Whether a GPU is required.
    pub(super) fn needs_gpu(&self) -> bool {
        self.backend == Backend::Gpu || self.adapter.is_some()
    }

    pub(super) fn workload(&self) -> Workload {
        Workload::of(&self.game, &self.doves, self.category)
    }
}
