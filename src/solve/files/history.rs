//! The combined results of a part's rounds: the positions of each value, the values of a group, and the
//! longest position.

use std::sync::Arc;

use super::archive::TableError;
use super::journal::{HalfRound, Journal};
use super::keep::{Keep, entries};
use crate::clock::Instant;
use crate::known::Worth;
use crate::solve::rounds::FinishedRounds;
use crate::solve::solved::Longest;
use crate::solve::space::changes::Changes;
use crate::solve::space::index::BitAddress;
use crate::solve::space::layout::{ClassId, GroupId};
use crate::solve::space::sets::GroupValues;
use crate::value::Value;

/// The finished rounds of a part.
pub(crate) struct History {
    /// Their files.
    pub journal: Arc<Journal>,
    /// Their results.
    pub finished: FinishedRounds,
}

impl History {
    /// The finished rounds, read from their manifests.
    pub fn new(journal: Journal) -> Result<History, TableError> {
        let mut history =
            History { journal: Arc::new(journal), finished: FinishedRounds::none(Instant::now()) };
        while let Some(entry) = history.journal.entry(history.round())? {
            history.finished.enter(entry.rows.clone());
        }
        Ok(history)
    }

    /// The next round.
    pub fn round(&self) -> u32 {
        self.finished.next
    }

    /// Whether no further round can find anything; `downstream` are the rounds of the parts that this one
    /// leads to, which are solved.
    pub fn is_over(&self, downstream: &[Arc<Journal>]) -> Result<bool, TableError> {
        if !self.finished.is_over() {
            return Ok(false);
        }
        for downstream in downstream {
            // The results downstream in this round may lead to new ones here.
            if downstream.entry(self.round())?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bytes of all files in the part's folder; files that another process removes meanwhile are not counted.
    pub fn bytes(&self) -> Result<u64, TableError> {
        let folder = &self.journal.folder;
        let sizes = entries(folder)?.into_iter().filter_map(|name| std::fs::metadata(folder.join(name)).ok());
        Ok(sizes.map(|metadata| metadata.len()).sum())
    }

    /// Whether the distances of a class's positions are known; otherwise most results are dropped, and only
    /// the wins are kept.
    pub fn has_distances(&self, class: ClassId) -> bool {
        self.journal.keep.has_slots(self.journal.layout()[class].slots)
    }

    /// The values of a group of one of the part's classes, whose distances are known.
    pub fn group(&self, group: GroupId) -> Result<GroupValues, TableError> {
        let mut sets = GroupValues::default();
        for half in (0..self.round()).flat_map(HalfRound::both) {
            if let Some(entry) = self.journal.entry_with(half)? {
                sets.push(Worth::Exact(half.value()), self.journal.group(half, entry.shards, group)?);
            }
        }
        Ok(sets)
    }

    /// The places of the sample of a part whose results are mostly dropped, with their values; empty for a
    /// part that keeps everything.
    pub fn sampled(&self) -> Result<Vec<(BitAddress, Value)>, TableError> {
        let Some(sample) = self.journal.sample() else { return Ok(Vec::new()) };
        let mut sampled: Vec<(BitAddress, Value)> =
            sample.places(self.journal.layout()).map(|address| (address, Value::Draw)).collect();
        for half in (0..self.round()).flat_map(HalfRound::both) {
            for ordinal in self.journal.sampled(half)? {
                let address = sampled.get_mut(ordinal as usize);
                address.ok_or_else(|| self.journal.damaged("its sample has fewer places"))?.1 = half.value();
            }
        }
        Ok(sampled)
    }

    /// A position with the greatest distance.
    pub fn longest(&self) -> Result<Option<Longest>, TableError> {
        let index = &self.journal.index;
        let layout = &index.layout;
        if let Keep::UpTo(_) = self.journal.keep {
            let entry = self.journal.entry(self.finished.last)?;
            return Ok(entry.and_then(|entry| entry.witness().cloned()));
        }
        for half in HalfRound::both(self.finished.last) {
            let mut found = Changes::of(layout, []);
            self.journal.add_to(&mut found, half, &self.journal.classes, u64::MAX)?;
            if let Some(address) = found.first(layout) {
                let (board, mover) = index.position(address);
                return Ok(Some(Longest { board, mover, value: half.value() }));
            }
        }
        Ok(None)
    }
}
