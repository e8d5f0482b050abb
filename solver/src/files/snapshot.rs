//! Snapshots: the wins of a part in files, as compressed groups, updated file by file.
//!
//! A snapshot is a series of files, each with the wins in a range of the part's groups after the round in its name.
//! `wins.json` lists them; where it lists no file, there are no wins yet. The files need not be of the same round: when
//! a group is read, the results of later rounds are added. A file is rewritten when those results take more bytes than
//! the file has, or come from many rounds and are not negligible. So late rounds, which find little, leave most files
//! alone, and at any time at most one file exists beside the one that it replaces. The results of a round must be kept
//! until all files include them.
//!
//! A part that is solved for its wins alone has `wins.json` from the beginning. Once it is over, the document
//! is *complete*, and the wins are all that is left of it beside the manifests of its rounds.
//!
//! In a file, each group is stored as its [`SparseBits::content`].

use std::collections::HashMap;
use std::io;
use std::mem;
use std::ops::Range;
use std::path::PathBuf;
use std::slice;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::archive::{Archive, FileEntry, Frame, Frames, TableError, WINS_VERSION};
use super::cache::ThreadCache;
use super::game_folder::round_of;
use super::journal::{HalfRound, Journal, Shard};
use super::sealed;
use super::spill::{FileFound, GroupWins, SpillCache};
use crate::space::changes::{BlockForm, Changed, Changes, SparseBits};
use crate::space::layout::{Block, Class, ClassId, GroupId};
use crate::space::source::Wins;
use crate::space::win_bits::WinBits;

/// zstd's level for files that are read only a few times.
const LEVEL: i32 = 1;
/// Bytes of wins in a file, before they are compressed.
const FILE_BYTES: usize = 1 << 28;
/// Rewriting a file costs its bytes; leaving it costs a look into each missing round whenever a group is read. So a
/// file is rewritten when its pending wins come from this many rounds.
const MANY_ROUNDS: usize = 32;
/// Pending wins are few if they take at most this fraction of the file's bytes, as a divisor.
const LITTLE: u64 = 64;
/// With few pending wins, a file is rewritten only after this many rounds.
const MAX_ROUNDS: usize = 256;

/// The part of a solved game that its files keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All rounds.
    Rounds,
    /// The wins alone; rounds are removed as soon as they are no longer needed.
    Wins,
}

/// `wins.json`, which lists the files of a part's wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WinsEntry {
    format: u32,
    /// The game's folder name.
    game: String,
    /// The number of the part, counted from 0.
    part: usize,
    /// Whether the part is solved for its wins alone.
    pub alone: bool,
    /// Whether the part is over, and these are the wins of all its rounds. Only then can they be queried.
    pub complete: bool,
    files: Vec<WinsFile>,
}

/// The wins in a range of a part's groups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct WinsFile {
    /// The number of rounds whose wins it has; rounds without wins in its groups count too.
    rounds: u32,
    /// `None` before the first wins.
    file: Option<FileEntry>,
}

impl WinsEntry {
    fn path(journal: &Journal) -> PathBuf {
        journal.folder.join("wins.json")
    }

    /// Reads the document of a part; `None` if there is none.
    pub(crate) fn read(journal: &Journal) -> Result<Option<WinsEntry>, TableError> {
        let own = (&journal.game, journal.part.id.0);
        sealed::read(&WinsEntry::path(journal), |found: &WinsEntry| (&found.game, found.part) == own)
    }

    /// Whether it lists a file of this name.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.files.iter().filter_map(|file| file.file.as_ref()).any(|file| file.name == name)
    }

    /// The first round whose wins a snapshot after `round` reads: the first that some file lacks, or `round` itself if
    /// that is earlier, because groups in memory may be one round behind. So the last round is never dropped.
    pub(crate) fn least_found(&self, round: u32) -> u32 {
        self.files.iter().map(|file| file.rounds).min().unwrap_or(0).min(round)
    }
}

/// The files of a part's wins.
pub(crate) struct Snapshots {
    journal: Arc<Journal>,
    /// All groups that the part reads.
    groups: Vec<GroupId>,
    /// The index of each class's first group.
    first: HashMap<ClassId, usize>,
    /// The groups of each file. The part's own classes come first, and no file mixes them with others.
    files: Vec<Range<usize>>,
    /// The number of files of the part's own classes.
    own_files: usize,
}

/// The wins of a part after a round.
pub(crate) struct Snapshot<'a> {
    cache: &'a SpillCache,
    round: u32,
    files: SnapshotFiles,
    /// The document that lists these files.
    entry: WinsEntry,
    /// The wins of the last rounds, ascending: those that some file or a group in memory may lack.
    found: Vec<FileFound<'a>>,
    /// The wins of the last of these rounds, if they are in memory: they are then not read from their files.
    pub last: Option<Arc<Changes>>,
}

/// The open files of a snapshot.
pub(crate) struct SnapshotFiles {
    of: Arc<Snapshots>,
    /// `None` before the first wins.
    archives: Vec<Option<Archive>>,
}

impl SnapshotFiles {
    /// The wins of a group of a class in its file.
    pub(crate) fn read(&self, group: GroupId) -> Result<SparseBits, TableError> {
        let ((file, frame), class) = (self.of.frame_of(group), self.of.class(group));
        let Some(archive) = &self.archives[file] else { return Ok(SparseBits::default()) };
        let (form, content) = (BlockForm::of(class), archive.content(frame)?);
        let bits = SparseBits::from_content(form, class.group_blocks(group), &content);
        bits.ok_or_else(|| archive.damaged("a group does not have the size of its blocks"))
    }

    /// Reads all files from the first byte to the last.
    pub(crate) fn verify(&self) -> Result<(), TableError> {
        self.archives.iter().flatten().try_for_each(|file| file.read_all(&|_, _| Ok(())))
    }
}

impl Snapshots {
    /// The snapshots of a part.
    pub(crate) fn new(journal: &Arc<Journal>) -> Arc<Snapshots> {
        let (mut groups, mut first) = (Vec::new(), HashMap::new());
        for class in journal.part.all() {
            first.insert(class, groups.len());
            groups.extend(journal.layout().groups(&[class]));
        }
        let own = journal.groups.len();
        let mut files = Vec::new();
        for groups_of in [0..own, own..groups.len()] {
            let sizes =
                groups[groups_of.clone()].iter().map(|group| journal.layout()[group.class].group_bytes());
            let count = sizes.sum::<usize>().div_ceil(FILE_BYTES).max(1);
            let per_file = groups_of.len().div_ceil(count).max(1);
            let starts = groups_of.clone().step_by(per_file);
            files.extend(starts.map(|start| start..groups_of.end.min(start + per_file)));
        }
        let own_files = files.partition_point(|groups| groups.start < own);
        Arc::new(Snapshots { journal: journal.clone(), groups, first, files, own_files })
    }

    fn class(&self, group: GroupId) -> &Class {
        &self.journal.layout()[group.class]
    }

    /// The file that has a group, and its frame there.
    fn frame_of(&self, group: GroupId) -> (usize, usize) {
        let index = self.first[&group.class] + group.number;
        let file = self.files.partition_point(|groups| groups.start <= index) - 1;
        (file, index - self.files[file].start)
    }

    fn name(&self, round: u32, file: usize) -> String {
        format!("{round:04}-snapshot-{}-of-{}.round", file + 1, self.files.len())
    }

    fn header(&self, round: u32, file: usize) -> Vec<u8> {
        self.journal.header(WINS_VERSION, 4, round, Shard { number: file, of: self.files.len() })
    }

    /// The document of a part of which nothing is solved yet.
    fn no_wins(&self, alone: bool) -> WinsEntry {
        WinsEntry {
            format: WINS_VERSION,
            game: self.journal.game.clone(),
            part: self.journal.part.id.0,
            alone,
            complete: false,
            files: vec![WinsFile::default(); self.files.len()],
        }
    }

    fn write(&self, entry: &WinsEntry) -> Result<(), TableError> {
        self.journal.game_folder.create_document(&WinsEntry::path(&self.journal), entry)
    }

    /// Begins a part that is solved for its wins alone, unless it is begun.
    pub(crate) fn begin_alone(&self) -> Result<(), TableError> {
        if WinsEntry::read(&self.journal)?.is_none() { self.write(&self.no_wins(true)) } else { Ok(()) }
    }

    /// Opens the files that the document lists, of which there must be `count`.
    fn open_files(
        self: &Arc<Snapshots>,
        entry: &WinsEntry,
        count: usize,
    ) -> Result<SnapshotFiles, TableError> {
        if entry.files.len() != count {
            return Err(self.journal.damaged("wins.json has another number of files"));
        }
        let archives = entry.files.iter().enumerate().map(|(number, WinsFile { file, .. })| {
            file.as_ref().map(|file| self.open_file(number, file)).transpose()
        });
        Ok(SnapshotFiles { of: self.clone(), archives: archives.collect::<Result<_, _>>()? })
    }

    fn open_file(&self, number: usize, entry: &FileEntry) -> Result<Archive, TableError> {
        let round = round_of(&entry.name).filter(|&round| self.name(round, number) == entry.name);
        let round = round.ok_or_else(|| self.journal.damaged("wins.json names other files"))?;
        let groups = self.files[number].len();
        let path = self.journal.folder.join(&entry.name);
        let opened = Archive::open(path, &self.journal.layout().game, &self.header(round, number), groups)?;
        if opened.frames.len() != groups {
            return Err(opened.damaged("it lacks groups of its share"));
        }
        opened.check(slice::from_ref(entry))?;
        Ok(opened)
    }

    /// Opens the complete snapshot of a solved part: the wins of its own classes.
    pub(crate) fn open_complete(self: &Arc<Snapshots>) -> Result<SnapshotFiles, TableError> {
        let entry = WinsEntry::read(&self.journal)?;
        let entry = entry.ok_or_else(|| self.journal.damaged("wins.json is missing"))?;
        self.open_files(&entry, self.own_files)
    }

    /// The wins after a finished round, from `journals`: the part's own first, then those of the parts that it leads
    /// to.
    pub(crate) fn after<'a>(
        self: &Arc<Snapshots>,
        round: u32,
        journals: &[Arc<Journal>],
        cache: &'a SpillCache,
    ) -> Result<Snapshot<'a>, TableError> {
        let entry = WinsEntry::read(&self.journal)?.unwrap_or_else(|| self.no_wins(false));
        if entry.files.iter().any(|file| file.rounds > round + 1) {
            return Err(self.journal.damaged("the manifest of a round is missing"));
        }
        let files = self.open_files(&entry, self.files.len())?;
        let found = (entry.least_found(round)..=round)
            .map(|round| FileFound::new(journals, HalfRound::Wins(round), cache))
            .collect::<Result<_, _>>()?;
        let mut snapshot = Snapshot { cache, round, files, entry, found, last: None };
        for (file, groups) in self.files.iter().enumerate() {
            snapshot.skip_empty(file, &self.groups[groups.clone()])?;
        }
        Ok(snapshot)
    }

    /// Removes the document of a part that keeps its rounds: its wins are in them.
    pub(crate) fn remove(&self) -> Result<(), TableError> {
        self.journal.game_folder.remove_file(&WinsEntry::path(&self.journal))
    }
}

impl Snapshot<'_> {
    /// Brings the files that are due up to the snapshot's round; with `all`, every own file that lacks wins. They are
    /// written from the wins in memory, if given, or else from the files and the rounds.
    pub(crate) fn update(&mut self, all: bool, in_memory: Option<&WinBits>) -> Result<(), TableError> {
        let (round, snapshots) = (self.round, self.files.of.clone());
        let journal = &snapshots.journal;
        let before = WinsEntry::read(journal)?;
        for (file, groups) in snapshots.files.iter().enumerate() {
            let groups = &snapshots.groups[groups.clone()];
            if !self.is_due(file, groups, all && file < snapshots.own_files)? {
                continue;
            }
            let frame = |index: usize| {
                let (group, class) = (groups[index], snapshots.class(groups[index]));
                let content =
                    |bits: &SparseBits| bits.content(BlockForm::of(class), class.group_blocks(group));
                let content = match in_memory {
                    Some(wins) => content(&SparseBits::packed(wins.group(class, group), class, group)),
                    None => content(&self.wins(group).map_err(io::Error::other)?.bits),
                };
                Frame::new(&content, LEVEL)
            };
            let (header, path) =
                (snapshots.header(round, file), journal.folder.join(snapshots.name(round, file)));
            let mut frames = Frames::new(groups.len(), &frame);
            let written = journal.game_folder.create_archive(&path, &header, &mut |_| frames.next(None))?;
            self.files.archives[file] = Some(snapshots.open_file(file, &written)?);
            let replaced = WinsFile { rounds: round + 1, file: Some(written) };
            let replaced = mem::replace(&mut self.entry.files[file], replaced).file;
            snapshots.write(&self.entry)?;
            if let Some(replaced) = replaced.filter(|replaced| !self.entry.names(&replaced.name)) {
                journal.game_folder.remove_file(&journal.folder.join(replaced.name))?;
            }
        }
        // Rounds without results advance the number in the document without a new file.
        if self.entry.alone && before.is_none_or(|before| before != self.entry) {
            snapshots.write(&self.entry)?;
        }
        // Rounds that all files have may be dropped from now on, and must not be read again.
        let least = self.entry.least_found(round);
        self.found.drain(..self.found.len() - (round + 1 - least) as usize);
        Ok(())
    }

    /// Completes the wins of a part that is over, from the wins of its last round.
    pub(crate) fn complete(&mut self, in_memory: Option<&WinBits>) -> Result<(), TableError> {
        self.update(true, in_memory)?;
        // The files of classes of other parts are no longer read.
        self.entry.files.truncate(self.files.of.own_files);
        self.entry.complete = true;
        self.files.of.write(&self.entry)
    }

    /// The results of the rounds that a file lacks.
    fn lacking(&self, rounds: u32) -> &[FileFound<'_>] {
        &self.found[self.found.len() - (self.round + 1 - rounds) as usize..]
    }

    /// Skips rounds that found nothing in a file's groups.
    fn skip_empty(&mut self, file: usize, groups: &[GroupId]) -> Result<(), TableError> {
        let mut rounds = self.entry.files[file].rounds;
        while let Some(found) = self.lacking(rounds).first()
            && found.file_bytes(groups)? == 0
        {
            rounds += 1;
        }
        self.entry.files[file].rounds = rounds;
        Ok(())
    }

    /// Whether a file must be rewritten.
    fn is_due(&self, file: usize, groups: &[GroupId], all: bool) -> Result<bool, TableError> {
        let found = self.lacking(self.entry.files[file].rounds);
        let pending: u64 = found.iter().map(|found| found.file_bytes(groups)).sum::<Result<_, _>>()?;
        let bytes = self.files.archives[file].as_ref().map_or(0, |file| file.bytes);
        let most_rounds = if pending > bytes / LITTLE { MANY_ROUNDS } else { MAX_ROUNDS };
        Ok(!found.is_empty() && (all || pending > bytes || found.len() >= most_rounds))
    }

    /// The wins of a group, from its file and the results of later rounds.
    pub(crate) fn read(&self, group: GroupId) -> Result<SparseBits, TableError> {
        self.with_later(group, &self.in_file(group)?)
    }

    /// The wins of a group as its file has them.
    fn in_file(&self, group: GroupId) -> Result<GroupWins, TableError> {
        let (file, _) = self.files.of.frame_of(group);
        Ok(GroupWins { rounds: self.entry.files[file].rounds, bits: self.files.read(group)? })
    }

    /// The wins of a group after some rounds, with the results of later ones.
    fn with_later(&self, group: GroupId, before: &GroupWins) -> Result<SparseBits, TableError> {
        let lacking = self.lacking(before.rounds);
        let (last, in_files) = match (&self.last, lacking.split_last()) {
            (Some(last), Some((_, others))) => (last.group(group), others),
            _ => (None, lacking),
        };
        let mut read = Vec::new();
        for found in in_files {
            if found.file_bytes(&[group])? > 0 {
                read.extend(found.read(group)?);
            }
        }
        let later: Vec<&SparseBits> = read.iter().map(Arc::as_ref).chain(last).collect();
        Ok(before.bits.with(&later))
    }

    /// Whether all rounds that a group in memory lacks are among `found`.
    fn can_renew(&self, wins: &GroupWins) -> bool {
        (self.round + 1 - wins.rounds) as usize <= self.found.len()
    }

    /// Whether a group in memory has all wins.
    fn is_current(&self, group: GroupId, wins: &GroupWins) -> bool {
        let adds_nothing = |found: &FileFound| found.file_bytes(&[group]).is_ok_and(|bytes| bytes == 0);
        self.can_renew(wins) && self.lacking(wins.rounds).iter().all(adds_nothing)
    }

    /// The current wins of a group, brought up to date from the cached ones if possible.
    fn wins(&self, group: GroupId) -> Result<Arc<GroupWins>, TableError> {
        let is_current = |wins: &GroupWins| self.is_current(group, wins);
        self.cache.wins.renew(
            group,
            |wins| wins.bits.bytes(),
            is_current,
            |before| {
                let before = match before.filter(|before| self.can_renew(before)) {
                    Some(before) => before,
                    None => {
                        let read = Arc::new(self.in_file(group)?);
                        if is_current(&read) {
                            return Ok(read);
                        }
                        read
                    }
                };
                let bits = self.with_later(group, &before)?;
                Ok(Arc::new(GroupWins { rounds: self.round + 1, bits }))
            },
        )
    }
}

impl Wins for Snapshot<'_> {
    type Cache = ThreadCache<GroupWins>;

    #[inline]
    fn block<'a>(&'a self, cache: &'a mut Self::Cache, class: &Class, block: Block) -> Option<Changed<'a>> {
        let group = class.group_of(block);
        let wins = cache.get(group, || {
            self.wins(group).unwrap_or_else(|error| {
                self.cache.fail(error);
                GroupWins { rounds: self.round + 1, bits: SparseBits::default() }.into()
            })
        });
        wins.bits.get(class.number_in_group(block))
    }

    #[inline]
    fn prefetch(&self, cache: &ThreadCache<GroupWins>, class: &Class, block: Block) {
        if let Some(wins) = cache.at_hand(class.group_of(block)) {
            let _ = wins.bits.prefetch(class.number_in_group(block));
        }
    }
}
