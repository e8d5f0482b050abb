//! What the rounds of a part have found, all together: how many positions have which value, the values of a group, a longest line.

use super::archive::TableError;
use super::changes::Changes;
use super::journal::{Journal, Outcome};
use super::sets::GroupSets;
use super::solver::Longest;
use crate::solution::Row;

/// The finished rounds of a part.
pub(super) struct History {
    /// Their files.
    pub journal: Journal,
    /// How many positions they have found, of each value.
    pub rows: Vec<Row>,
    /// The last round in which something was found.
    pub last: u32,
    /// Shards of each round.
    shards: Vec<usize>,
}

impl History {
    /// The rounds that are finished. Their manifests are read.
    pub fn new(journal: Journal) -> Result<History, TableError> {
        let mut history = History { journal, rows: Vec::new(), last: 1, shards: Vec::new() };
        while let Some(entry) = history.journal.entry(history.round())? {
            let rows = entry.rows().ok_or_else(|| history.journal.damaged("what a manifest says makes no sense"))?;
            history.enter(entry.shards, rows);
        }
        Ok(history)
    }

    /// The round that comes next.
    pub fn round(&self) -> u32 {
        self.shards.len() as u32
    }

    /// Takes up the next round, which is finished: its shards, and what it has found.
    pub fn enter(&mut self, shards: usize, rows: Vec<Row>) {
        if !rows.is_empty() {
            self.last = self.last.max(self.round());
        }
        self.rows.extend(rows);
        self.shards.push(shards);
    }

    /// Whether nothing more can be found; `given` are the rounds of the parts that this one leads to, which nothing more can be found in.
    pub fn is_over(&self, given: &[Journal]) -> Result<bool, TableError> {
        if self.round() < 3 || self.last == self.round() - 1 {
            return Ok(false);
        }
        for given in given {
            // What it found in this round may lead to something.
            if given.entry(self.round())?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bytes of their files, without manifests.
    pub fn bytes(&self) -> Result<u64, TableError> {
        let entries = (0..self.round()).map(|round| self.journal.entry(round));
        entries.map(|entry| Ok(entry?.map_or(0, |entry| entry.bytes()))).sum()
    }

    /// The values of a group of one of the part's classes.
    pub fn group(&self, class: usize, group: usize) -> Result<GroupSets, TableError> {
        let mut sets = GroupSets::new(&self.journal.layout().classes[class], group);
        for (round, &shards) in (0..).zip(&self.shards) {
            for outcome in Outcome::ALL {
                let value = outcome.value(round);
                if self.rows.iter().any(|row| row.value == value) {
                    sets.push(value, self.journal.group(round, outcome, shards, class, group)?);
                }
            }
        }
        Ok(sets)
    }

    /// A position with the greatest distance, and its class.
    pub fn longest(&self) -> Result<Option<(Longest, usize)>, TableError> {
        let index = self.journal.index();
        let layout = &index.layout;
        for outcome in Outcome::ALL {
            let mut found = Changes::of(layout, &[], Vec::new());
            self.journal.add_to(&mut found, self.last, outcome, self.journal.classes())?;
            if let Some(place) = found.first(layout) {
                let (board, mover) = index.position(place);
                return Ok(Some((Longest { board, mover, value: outcome.value(self.last) }, place.block.class)));
            }
        }
        Ok(None)
    }
}
