//! Finished rounds of a part, combined: the positions of each value, the values of a group, the longest position, and
//! whether the part is solved.

use std::path::PathBuf;
use std::sync::Arc;

use super::archive::{FileEntry, VERSION};
use super::documents::{PartEntry, WinsEntry};
use super::game_folder::on_disk;
use super::part_folder::PartFolder;
use super::shard::{HalfRound, Shard};
use super::tables::manifest::Summary;
use crate::known::Worth;
use crate::rounds::FinishedRounds;
use crate::solved::{Longest, TableError};
use crate::space::layout::{ClassId, GroupId};
use crate::space::sets::GroupValues;
use dovemate::clock::Instant;

/// The finished rounds of a part.
pub(crate) struct History {
    /// The part's folder, with their files.
    pub folder: Arc<PartFolder>,
    /// Their counts of positions.
    pub finished: FinishedRounds,
    /// The document of the wins at the time of reading.
    pub wins: Option<WinsEntry>,
}

impl History {
    /// The finished rounds, read from their manifests.
    pub(crate) fn new(folder: Arc<PartFolder>) -> Result<History, TableError> {
        let wins = folder.wins()?;
        let mut history = History { folder, finished: FinishedRounds::none(Instant::now()), wins };
        while let Some(entry) = history.folder.round(history.round())? {
            history.finished.enter(entry.rows.clone());
        }
        Ok(history)
    }

    /// The next round.
    pub(crate) fn round(&self) -> u32 {
        self.finished.next
    }

    /// Whether no further round can find anything; `downstream` are the folders of the parts that this one leads to,
    /// which are solved.
    pub(crate) fn is_over(&self, downstream: &[Arc<PartFolder>]) -> Result<bool, TableError> {
        if !self.finished.is_over() {
            return Ok(false);
        }
        for downstream in downstream {
            // A part that went on to our next round found something in that round or the one before, which may lead to
            // new results here.
            if downstream.round(self.round())?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The error that the next round is not finished yet. If it was begun in `of` shards, the error names those
    /// missing.
    pub(crate) fn unfinished(&self, of: usize) -> TableError {
        let (folder, round) = (&self.folder, self.round());
        let has = |shard| HalfRound::both(round).into_iter().all(|half| folder.has(half, shard));
        let missing = Shard::all(of).filter(|&shard| !has(shard));
        let missing: Vec<String> = missing.map(|shard| format!("{} of {of}", shard.number + 1)).collect();
        let missing = match missing.len() {
            none if none == 0 || none == of => String::new(),
            1 => format!("; share {} is missing", missing[0]),
            _ => format!("; shares {} are missing", missing.join(", ")),
        };
        TableError::Unfinished { path: folder.path.clone(), round, missing }
    }

    /// Bytes of all files in the part's folder.
    pub(crate) fn bytes(&self) -> Result<u64, TableError> {
        Ok(on_disk(&self.folder.path)?.1)
    }

    /// Whether the part is solved for its wins alone.
    pub(crate) fn is_wins_alone(&self) -> bool {
        self.wins.as_ref().is_some_and(|wins| wins.alone)
    }

    /// The files that are no longer needed once all parts are solved.
    pub(crate) fn unneeded(&self) -> Result<Vec<PathBuf>, TableError> {
        let dropped = if self.is_wins_alone() { u32::MAX } else { 0 };
        self.folder.unneeded(self.round(), [dropped; 2])
    }

    /// The values of a group of one of the part's classes, from its rounds.
    pub(crate) fn group(&self, group: GroupId) -> Result<GroupValues, TableError> {
        let mut values = GroupValues::default();
        for half in (0..self.round()).flat_map(HalfRound::both) {
            if let Some(results) = self.folder.results(half)? {
                values.push(Worth::Exact(half.value()), results.group(group)?);
            }
        }
        Ok(values)
    }

    /// A position with the greatest distance, and its class; `None` if there is none, or only the wins are known.
    pub(crate) fn longest(&self) -> Result<Option<(Longest, ClassId)>, TableError> {
        let (folder, index) = (&self.folder, self.folder.index());
        if self.is_wins_alone() {
            return Ok(None);
        }
        for half in HalfRound::both(self.finished.last) {
            let Some(results) = folder.results(half)? else { continue };
            for &group in &folder.groups {
                if let Some(address) = results.group(group)?.first(&index.layout, group) {
                    let (board, mover) = index.position(address);
                    return Ok(Some((Longest { board, mover, value: half.value() }, group.class)));
                }
            }
        }
        Ok(None)
    }

    /// The manifest of the part once it is solved and has these tables.
    pub(crate) fn entry(&self, files: Vec<FileEntry>) -> Result<PartEntry, TableError> {
        let classes = self.folder.part.classes.iter().copied();
        let rows = self.finished.rows_with_draws(self.folder.index(), classes);
        let (longest, class) = self.longest()?.unzip();
        Ok(PartEntry {
            owner: self.folder.owner(VERSION),
            longest_class: class.map_or(0, |class| class.0),
            summary: Summary { rounds: self.finished.last, longest, files, rows },
        })
    }
}

/// The files of a solved part.
pub(crate) enum SolvedPart {
    Tables(PartEntry),
    Rounds(History),
}

impl SolvedPart {
    /// The files of a part; `None` if it is not solved.
    pub(crate) fn of(folder: &Arc<PartFolder>) -> Result<Option<SolvedPart>, TableError> {
        if let Some(entry) = folder.tables()? {
            return Ok(Some(SolvedPart::Tables(entry)));
        }
        let history = History::new(folder.clone())?;
        // The last round's manifest is written before the wins are complete.
        let is_complete = history.wins.as_ref().is_none_or(|wins| !wins.alone || wins.complete);
        if is_complete && history.is_over(&folder.downstream().collect::<Vec<_>>())? {
            return Ok(Some(SolvedPart::Rounds(history)));
        }
        // Another process may have written the tables meanwhile, and removed the rounds.
        Ok(folder.tables()?.map(SolvedPart::Tables))
    }
}
