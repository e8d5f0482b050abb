//! The parts of a game, which are solved one after the other in the game's folder.
//!
//! Without returns no action takes a dove off the board. So a class and the one with the players' roles exchanged lead
//! only to each other and to classes with one more dove. They form a [`Part`] that can be solved once those with more
//! doves are. The classes with few doves share one part instead: all up to the largest number of doves at which their
//! win bits together take at most [`SMALL_BYTES`]. With returns all classes are one part.

use std::cmp::Reverse;
use std::sync::Arc;

use super::game_folder::{GameFolder, folder_name};
use crate::solved::TableError;
use crate::space::index::Index;
use crate::space::layout::{Class, ClassId, Layout};
use dovemate::rules::Game;

/// The limit, in bytes, on the win bits of the classes with few doves, which form one part.
pub(crate) const SMALL_BYTES: u64 = 3 << 29;

/// Classes that are solved together: those that lead to each other or, without returns, all classes with few doves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its number among the parts.
    pub number: usize,
    pub classes: Vec<ClassId>,
    /// The other classes that they lead to.
    pub downstream: Vec<ClassId>,
}

impl Part {
    /// Its classes, and the others that they lead to.
    pub(crate) fn all(&self) -> impl Iterator<Item = ClassId> {
        self.classes.iter().chain(&self.downstream).copied()
    }

    /// Whether actions lead from this part to classes of another one.
    pub(crate) fn leads_to(&self, other: &Part) -> bool {
        other.classes.iter().any(|class| self.downstream.contains(class))
    }
}

/// A game with its parts, and the folder that it is solved in.
pub(crate) struct Parts {
    pub game_folder: GameFolder,
    /// The usual name of the game's folder; every document has it, to show which game it is of.
    pub name: String,
    pub index: Arc<Index>,
    /// All parts, each after those it leads to.
    pub list: Vec<Part>,
}

impl Parts {
    /// The parts of a game. `small_bytes` limits the win bits of the classes with few doves, usually to
    /// [`SMALL_BYTES`].
    ///
    /// # Errors
    /// If the folder was written by an earlier version, which divided the game into more parts.
    pub(crate) fn new(game: Game, small_bytes: u64, folder: GameFolder) -> Result<Arc<Parts>, TableError> {
        let index = Arc::new(Index::of(Layout::new(game)));
        let list = divided(&index.layout, small_bytes);
        let beyond = list.len();
        if folder.part(beyond).exists() || folder.part_manifest(beyond).exists() {
            return Err(TableError::OtherParts(folder.path));
        }
        Ok(Arc::new(Parts { name: folder_name(&game), game_folder: folder, index, list }))
    }

    /// The parts that read the rounds of a part.
    pub(crate) fn readers(&self, part: &Part) -> impl Iterator<Item = &Part> {
        self.list.iter().filter(move |other| other.leads_to(part))
    }
}

/// The parts of a game, with a limit on the win bits of the classes with few doves.
pub(crate) fn divided(layout: &Layout, small_bytes: u64) -> Vec<Part> {
    let all = layout.classes.iter().map(|class| class.slots).max().unwrap_or(0);
    let up_to = |most: u32| layout.classes.iter().filter(move |class| class.slots <= most);
    let is_small = |&most: &u32| up_to(most).map(Class::bytes).sum::<u64>() <= small_bytes;
    let few = if layout.game.rules.returns { Some(all) } else { (0..=all).rev().find(is_small) };
    let is_few = |class: &Class| few.is_some_and(|few| class.slots <= few);
    let large = layout.ids().filter(|&id| !is_few(&layout[id]) && id <= layout[id].after_move);
    let mut parts: Vec<Vec<ClassId>> = large.map(|id| vec![id, layout[id].after_move]).collect();
    parts.sort_by_key(|classes| Reverse(layout[classes[0]].slots));
    parts.push(layout.ids().filter(|&id| is_few(&layout[id])).collect());
    let with_downstream = |(number, mut classes): (usize, Vec<ClassId>)| {
        classes.dedup();
        let puts = classes.iter().filter_map(|&class| layout[class].after_put);
        let mut downstream: Vec<ClassId> = puts.filter(|class| !classes.contains(class)).collect();
        downstream.sort_unstable();
        downstream.dedup();
        Part { number, classes, downstream }
    };
    parts.into_iter().filter(|classes| !classes.is_empty()).enumerate().map(with_downstream).collect()
}
