//! The combined results of a part's rounds: the positions of each value, the values of a group, and the
//! longest position.

use std::path::PathBuf;
use std::sync::Arc;

use super::archive::TableError;
use super::game_folder::on_disk;
use super::journal::{HalfRound, Journal};
use super::snapshot::WinsEntry;
use crate::known::Worth;
use crate::rounds::FinishedRounds;
use crate::solved::Longest;
use crate::space::layout::{ClassId, GroupId};
use crate::space::sets::GroupValues;
use dovemate::clock::Instant;

/// The finished rounds of a part.
pub(crate) struct History {
    /// Their files.
    pub journal: Arc<Journal>,
    /// Their results.
    pub finished: FinishedRounds,
    /// The document of the wins at the time of reading.
    pub wins: Option<WinsEntry>,
}

impl History {
    /// The finished rounds, read from their manifests.
    pub(crate) fn new(journal: Arc<Journal>) -> Result<History, TableError> {
        let wins = WinsEntry::read(&journal)?;
        let mut history = History { journal, finished: FinishedRounds::none(Instant::now()), wins };
        while let Some(entry) = history.journal.entry(history.round())? {
            history.finished.enter(entry.rows.clone());
        }
        Ok(history)
    }

    /// The next round.
    pub(crate) fn round(&self) -> u32 {
        self.finished.next
    }

    /// Whether no further round can find anything; `downstream` are the rounds of the parts that this one
    /// leads to, which are solved.
    pub(crate) fn is_over(&self, downstream: &[Arc<Journal>]) -> Result<bool, TableError> {
        if !self.finished.is_over() {
            return Ok(false);
        }
        for downstream in downstream {
            // What a part downstream found in our next round may lead to new results here.
            if downstream.entry(self.round())?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bytes of all files in the part's folder.
    pub(crate) fn bytes(&self) -> Result<u64, TableError> {
        Ok(on_disk(&self.journal.folder)?.1)
    }

    /// Whether the part is solved for its wins alone.
    pub(crate) fn is_wins_alone(&self) -> bool {
        self.wins.as_ref().is_some_and(|wins| wins.alone)
    }

    /// The files that are no longer needed once all parts are solved.
    pub(crate) fn unneeded(&self) -> Result<Vec<PathBuf>, TableError> {
        let dropped = if self.is_wins_alone() { u32::MAX } else { 0 };
        self.journal.unneeded(self.round(), [dropped; 2], self.wins.as_ref())
    }

    /// The values of a group of one of the part's classes, from its rounds.
    pub(crate) fn group(&self, group: GroupId) -> Result<GroupValues, TableError> {
        let mut values = GroupValues::default();
        for half in (0..self.round()).flat_map(HalfRound::both) {
            if let Some(results) = self.journal.results(half)? {
                values.push(Worth::Exact(half.value()), results.group(group)?);
            }
        }
        Ok(values)
    }

    /// A position with the greatest distance, and its class; `None` if there is none, or only the wins are known.
    pub(crate) fn longest(&self) -> Result<Option<(Longest, ClassId)>, TableError> {
        let (journal, index) = (&self.journal, &self.journal.index);
        if self.is_wins_alone() {
            return Ok(None);
        }
        for half in HalfRound::both(self.finished.last) {
            let Some(results) = journal.results(half)? else { continue };
            for &group in &journal.groups {
                if let Some(address) = results.group(group)?.first(&index.layout, group) {
                    let (board, mover) = index.position(address);
                    return Ok(Some((Longest { board, mover, value: half.value() }, group.class)));
                }
            }
        }
        Ok(None)
    }
}
