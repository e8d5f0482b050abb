//! The documents of a part: for each finished round, for its wins in files, and for its tables.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::archive::FileEntry;
use super::tables::manifest::Summary;
use crate::solved::{Solution, SolutionRow};
use crate::value::Value;

/// The fields that all documents of a part have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    pub format: u32,
    /// The name of the game's folder.
    pub game: String,
    /// The number of the part, counted from 0.
    pub part: usize,
}

/// The manifest of a finished round.
#[derive(Serialize, Deserialize)]
pub(crate) struct RoundEntry {
    #[serde(flatten)]
    pub owner: Owner,
    pub round: u32,
    /// The number of shards that its wins and its losses are each cut into.
    pub shards: usize,
    pub files: Vec<FileEntry>,
    /// The number of blocks with wins, and with losses.
    pub blocks: [usize; 2],
    /// The numbers of positions found, by value.
    pub rows: Vec<SolutionRow>,
}

/// `wins.json`, which lists the files of a part's wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WinsEntry {
    #[serde(flatten)]
    pub owner: Owner,
    /// Whether the part is solved for its wins alone.
    pub alone: bool,
    /// Whether the part is over, and these are the wins of all its rounds. Only then can they be probed.
    pub complete: bool,
    pub files: Vec<WinsFile>,
}

/// The wins in a range of the groups that a part reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WinsFile {
    /// The number of rounds whose wins it has; rounds without wins in its groups count too.
    pub rounds: u32,
    /// `None` if it is not written yet.
    pub file: Option<FileEntry>,
}

impl WinsEntry {
    /// Whether it lists a file of this name.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.files.iter().filter_map(|file| file.file.as_ref()).any(|file| file.name == name)
    }

    /// The earliest round whose results the snapshot of `round` still needs: the first that some file lacks. It is
    /// never later than `round`, because groups in memory may lack the last round. So the last round is never dropped.
    pub(crate) fn least_found(&self, round: u32) -> u32 {
        self.files.iter().map(|file| file.rounds).min().unwrap_or(0).min(round)
    }
}

/// The manifest of a part that has tables.
#[derive(Serialize, Deserialize)]
pub(crate) struct PartEntry {
    #[serde(flatten)]
    pub owner: Owner,
    /// The class of `longest`, the position with the greatest distance.
    pub longest_class: usize,
    #[serde(flatten)]
    pub summary: Summary,
}

impl PartEntry {
    /// The combined summary of some parts.
    pub(crate) fn combined(entries: Vec<PartEntry>) -> Summary {
        // Among positions of equal distance, wins come first, then earlier classes.
        let key = |entry: &&PartEntry| {
            let value = entry.summary.longest.as_ref().map(|longest| longest.value);
            (value.and_then(Value::plies), matches!(value, Some(Value::Win(_))), Reverse(entry.longest_class))
        };
        let longest = entries.iter().max_by_key(key).and_then(|entry| entry.summary.longest.clone());
        let rounds = entries.iter().map(|entry| entry.summary.rounds).max().unwrap_or(0);
        let solution = Solution::new(entries.iter().flat_map(|entry| entry.summary.rows.iter().copied()));
        let files = entries.into_iter().flat_map(|entry| entry.summary.files).collect();
        Summary { rounds, longest, files, rows: solution.rows().to_vec() }
    }
}
