//! Snapshots: the wins of a part in files, as compressed groups, updated file by file.
//!
//! A snapshot is a series of files, each with the wins in a range of the part's groups after the round in its name.
//! `wins.json` lists them; where it lists no file, there are no wins yet. The files need not be of the same round: when
//! a group is read, the results of later rounds are added. A file is rewritten when these results take more bytes than
//! it has, or come from many rounds and are not too few. So late rounds, which find little, leave most files alone, and
//! at most one file at a time exists beside the one that it replaces. The results of a round must be kept until all
//! files include them.
//!
//! A part that is solved for its wins alone has `wins.json` from the beginning. Once it is over, the document
//! is *complete*, and the wins are all that is left of it beside the manifests of its rounds.
//!
//! In files a group has its [`SparseBits::content`].

use std::collections::HashMap;
use std::io;
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::archive::{self, Archive, Frame, Frames, TableError, WINS_VERSION};
use super::cache::ThreadCache;
use super::game_folder::{GameFolder, round_of};
use super::journal::{Journal, WinOrLoss};
use super::manifest::{FileEntry, folder_name};
use super::sealed;
use super::spill::{FileFound, GroupWins, SpillCache};
use crate::solve::space::changes::{BlockForm, Changed, Changes, SparseBits};
use crate::solve::space::layout::{Block, Class, ClassId, GroupId, Layout, Part, PartId};
use crate::solve::space::source::Wins;
use crate::solve::space::win_bits::WinBits;

/// zstd's level for files that are read only a few times.
const LEVEL: i32 = 1;
/// Bytes of wins in a file, before they are compressed.
const FILE_BYTES: usize = 1 << 28;
/// To rewrite a file costs its bytes; not to do so costs every reading of a group a look into each round that the file lacks.
/// So a file is rewritten when the wins to be added come from this many rounds, …
const MANY_ROUNDS: usize = 32;
/// … unless they take less than this fraction of its bytes, as a divisor, …
const LITTLE: u64 = 64;
/// … but not beyond this many rounds.
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
    fn path(folder: &Path) -> PathBuf {
        folder.join("wins.json")
    }

    /// Reads the document in the folder of a part; `None` if there is none.
    pub(crate) fn read(
        folder: &Path,
        game: &str,
        PartId(part): PartId,
    ) -> Result<Option<WinsEntry>, TableError> {
        sealed::read_own(&WinsEntry::path(folder), |found: &WinsEntry| {
            (&found.game[..], found.part) == (game, part)
        })
    }

    /// Whether it lists a file of this name.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.files.iter().filter_map(|file| file.file.as_ref()).any(|file| file.name == name)
    }

    /// The number of rounds that all files have; their results are no longer needed for the wins.
    pub(crate) fn rounds_of_all(&self) -> u32 {
        self.files.iter().map(|file| file.rounds).min().unwrap_or(0)
    }
}

/// The files of a part's wins.
pub(crate) struct Snapshots<'a> {
    layout: &'a Layout,
    game_folder: &'a GameFolder,
    /// The folder of the part.
    folder: PathBuf,
    part: &'a Part,
    /// All groups that the part reads.
    groups: Vec<GroupId>,
    /// The index of each class's first group.
    first: HashMap<ClassId, usize>,
    /// The groups of each file: those of the part's own classes come first, and share no file with others.
    files: Vec<Range<usize>>,
    /// The number of files of the part's own classes.
    own_files: usize,
}

/// The wins of a part after a round.
pub(crate) struct Snapshot<'a> {
    layout: &'a Layout,
    cache: &'a SpillCache,
    round: u32,
    files: SnapshotFiles,
    /// The document that lists these files.
    pub(crate) entry: WinsEntry,
    /// The wins of the last rounds, ascending: those that some file or a group in memory may lack.
    found: Vec<FileFound<'a>>,
    /// The wins of the last of these rounds, if they are in memory.
    last: Option<Arc<Changes>>,
}

/// The open files of a snapshot.
pub(crate) struct SnapshotFiles {
    /// The index of each class's first group.
    first: HashMap<ClassId, usize>,
    /// The index of each file's first group.
    starts: Vec<usize>,
    /// `None` before the first wins.
    archives: Vec<Option<Archive>>,
}

impl SnapshotFiles {
    /// The wins of a group of a class in its file.
    pub(crate) fn read(&self, layout: &Layout, group: GroupId) -> Result<SparseBits, TableError> {
        let ((file, frame), class) = (self.frame_of(group), &layout[group.class]);
        let Some(archive) = &self.archives[file] else { return Ok(SparseBits::default()) };
        let bits = SparseBits::from_content(
            BlockForm::of(class),
            class.group_blocks(group),
            &archive.content(frame)?,
        );
        bits.ok_or_else(|| archive.damaged("a group does not have the size of its blocks"))
    }

    /// Reads all files from the first byte to the last.
    pub(crate) fn verify(&self) -> Result<(), TableError> {
        self.archives.iter().flatten().try_for_each(|file| file.read_all(&|_, _| Ok(())))
    }

    /// The file that has a group, and its frame there.
    fn frame_of(&self, group: GroupId) -> (usize, usize) {
        let index = self.first[&group.class] + group.number;
        let file = self.starts.partition_point(|&start| start <= index) - 1;
        (file, index - self.starts[file])
    }
}

impl<'a> Snapshots<'a> {
    /// The snapshots of a part of the game in `game_folder`.
    pub(crate) fn new(layout: &'a Layout, game_folder: &'a GameFolder, part: &'a Part) -> Snapshots<'a> {
        let mut groups = Vec::new();
        let mut first = HashMap::new();
        for class in part.all() {
            first.insert(class, groups.len());
            groups.extend(layout.groups(&[class]));
        }
        let own = layout.groups(&part.classes).len();
        let mut files = Vec::new();
        for groups_of in [0..own, own..groups.len()] {
            let sizes = groups[groups_of.clone()].iter().map(|group| layout[group.class].group_bytes());
            let count = sizes.sum::<usize>().div_ceil(FILE_BYTES).max(1);
            let per_file = groups_of.len().div_ceil(count).max(1);
            let starts = groups_of.clone().step_by(per_file);
            files.extend(starts.map(|start| start..groups_of.end.min(start + per_file)));
        }
        let own_files = files.partition_point(|groups| groups.start < own);
        let folder = game_folder.part(part.id);
        Snapshots { layout, game_folder, folder, part, groups, first, files, own_files }
    }

    fn name(&self, round: u32, file: usize) -> String {
        format!("{round:04}-snapshot-{}-of-{}.round", file + 1, self.files.len())
    }

    fn header(&self, round: u32, file: usize) -> Vec<u8> {
        let mut what = vec![4];
        for number in [self.part.id.0 as u32, round, file as u32, self.files.len() as u32] {
            what.extend(number.to_le_bytes());
        }
        archive::header(WINS_VERSION, &self.layout.game, &what)
    }

    /// The document of a part of which nothing is solved yet.
    fn no_wins(&self, alone: bool) -> WinsEntry {
        WinsEntry {
            format: WINS_VERSION,
            game: folder_name(&self.layout.game),
            part: self.part.id.0,
            alone,
            complete: false,
            files: vec![WinsFile::default(); self.files.len()],
        }
    }

    fn read(&self) -> Result<Option<WinsEntry>, TableError> {
        WinsEntry::read(&self.folder, &folder_name(&self.layout.game), self.part.id)
    }

    fn write(&self, entry: &WinsEntry) -> Result<(), TableError> {
        self.game_folder.create_document(&WinsEntry::path(&self.folder), entry)
    }

    /// Begins a part that is solved for its wins alone, unless it is begun.
    pub(crate) fn begin_alone(&self) -> Result<(), TableError> {
        if self.read()?.is_none() { self.write(&self.no_wins(true)) } else { Ok(()) }
    }

    /// Opens the first `count` files.
    fn open_files(&self, entry: &WinsEntry, count: usize) -> Result<SnapshotFiles, TableError> {
        if entry.files.len() != count {
            return Err(self.damaged("wins.json has another number of files"));
        }
        let files = entry.files.iter().enumerate();
        let archives = files.map(|(number, WinsFile { file, .. })| {
            file.as_ref().map(|file| self.open_file(number, file)).transpose()
        });
        let starts = self.files.iter().map(|groups| groups.start).collect();
        Ok(SnapshotFiles { first: self.first.clone(), starts, archives: archives.collect::<Result<_, _>>()? })
    }

    fn open_file(&self, number: usize, entry: &FileEntry) -> Result<Archive, TableError> {
        let round = round_of(&entry.name).map(|(round, _)| round);
        let round = round.filter(|&round| self.name(round, number) == entry.name);
        let round = round.ok_or_else(|| self.damaged("wins.json names other files"))?;
        let groups = self.files[number].len();
        let path = self.folder.join(&entry.name);
        let opened = Archive::open(path, &self.layout.game, &self.header(round, number), groups)?;
        if opened.frames() != groups {
            return Err(opened.damaged("it lacks groups of its share"));
        }
        entry.check(&opened)?;
        Ok(opened)
    }

    fn damaged(&self, what: &'static str) -> TableError {
        TableError::Damaged(self.folder.clone(), what)
    }

    /// The wins after a finished round, from the journals of the part, first, and of those it leads to.
    pub(crate) fn after(
        &self,
        round: u32,
        journals: &[Arc<Journal>],
        cache: &'a SpillCache,
    ) -> Result<Snapshot<'a>, TableError> {
        let entry = self.read()?.unwrap_or_else(|| self.no_wins(false));
        if entry.files.iter().any(|file| file.rounds > round + 1) {
            return Err(self.damaged("the manifest of a round is missing"));
        }
        let files = self.open_files(&entry, self.files.len())?;
        let found = (least_found(&entry, round)..=round)
            .map(|round| FileFound::new(self.layout, self.part, journals, WinOrLoss::Wins.of(round), cache))
            .collect::<Result<_, _>>()?;
        let mut snapshot = Snapshot { layout: self.layout, cache, round, files, entry, found, last: None };
        for (file, groups) in self.files.iter().enumerate() {
            snapshot.skip_empty(file, &self.groups[groups.clone()])?;
        }
        Ok(snapshot)
    }

    /// Updates the files of a snapshot that are due, or `all`, to its round, from the wins in memory or else
    /// from the files and the rounds.
    pub(crate) fn update(
        &self,
        snapshot: &mut Snapshot,
        all: bool,
        in_memory: Option<&WinBits>,
    ) -> Result<(), TableError> {
        let round = snapshot.round;
        let before = self.read()?;
        for (file, groups) in self.files.iter().enumerate() {
            let groups = &self.groups[groups.clone()];
            if !snapshot.is_due(file, groups, all && file < self.own_files)? {
                continue;
            }
            let frame = |index: usize| {
                let (group, class) = (groups[index], &self.layout[groups[index].class]);
                let content =
                    |bits: &SparseBits| bits.content(BlockForm::of(class), class.group_blocks(group));
                let content = match in_memory {
                    Some(wins) => content(&SparseBits::packed(wins.group(class, group), class, group)),
                    None => content(&snapshot.wins(group).map_err(io::Error::other)?.bits),
                };
                Frame::new(&content, LEVEL)
            };
            let header = self.header(round, file);
            let (path, mut frames) =
                (self.folder.join(self.name(round, file)), Frames::new(groups.len(), &frame));
            let written = self.game_folder.create_archive(&path, &header, &mut |_| frames.next(None))?;
            snapshot.files.archives[file] = Some(self.open_file(file, &written)?);
            let replaced = WinsFile { rounds: round + 1, file: Some(written) };
            let replaced = mem::replace(&mut snapshot.entry.files[file], replaced).file;
            self.write(&snapshot.entry)?;
            if let Some(replaced) = replaced.filter(|replaced| !snapshot.entry.names(&replaced.name)) {
                self.game_folder.remove_file(&self.folder.join(replaced.name))?;
            }
        }
        // Files may have advanced by rounds without results, without being rewritten.
        if snapshot.entry.alone && before.is_none_or(|before| before != snapshot.entry) {
            self.write(&snapshot.entry)?;
        }
        // Rounds that all files have may be dropped from now on, and must not be read again.
        let least = least_found(&snapshot.entry, round);
        snapshot.found.drain(..snapshot.found.len() - (round + 1 - least) as usize);
        Ok(())
    }

    /// Completes the wins of a part that is over, from the wins of its last round.
    pub(crate) fn complete(
        &self,
        snapshot: &mut Snapshot,
        in_memory: Option<&WinBits>,
    ) -> Result<(), TableError> {
        self.update(snapshot, true, in_memory)?;
        // The files of classes of other parts are no longer read.
        snapshot.entry.files.truncate(self.own_files);
        snapshot.entry.complete = true;
        self.write(&snapshot.entry)
    }

    /// Removes the document of a part that keeps its rounds: its wins are in them.
    pub(crate) fn remove(&self) -> Result<(), TableError> {
        self.game_folder.remove_file(&WinsEntry::path(&self.folder))
    }
}

/// The first round whose wins a snapshot after some round reads: one that some file lacks, or the last, as
/// groups in memory may be from just before it. The last round is never dropped.
fn least_found(entry: &WinsEntry, round: u32) -> u32 {
    entry.rounds_of_all().min(round)
}

impl Snapshot<'_> {
    /// The results of the rounds that a file lacks.
    fn lacking(&self, rounds: u32) -> &[FileFound<'_>] {
        &self.found[self.found.len() - (self.round + 1 - rounds) as usize..]
    }

    /// Bytes of a round's results in some groups, as stored.
    fn pending(found: &FileFound, groups: &[GroupId]) -> Result<u64, TableError> {
        groups.iter().map(|&group| found.file_bytes(group)).sum()
    }

    /// Skips rounds that found nothing in a file's groups.
    fn skip_empty(&mut self, file: usize, groups: &[GroupId]) -> Result<(), TableError> {
        let mut rounds = self.entry.files[file].rounds;
        while let Some(found) = self.lacking(rounds).first()
            && Snapshot::pending(found, groups)? == 0
        {
            rounds += 1;
        }
        self.entry.files[file].rounds = rounds;
        Ok(())
    }

    /// Whether a file must be rewritten.
    fn is_due(&self, file: usize, groups: &[GroupId], all: bool) -> Result<bool, TableError> {
        let found = self.lacking(self.entry.files[file].rounds);
        let pending: u64 =
            found.iter().map(|found| Snapshot::pending(found, groups)).sum::<Result<_, _>>()?;
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
        let rounds = self.entry.files[self.files.frame_of(group).0].rounds;
        Ok(GroupWins { rounds, bits: self.files.read(self.layout, group)? })
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
            if found.file_bytes(group)? > 0 {
                read.extend(found.read(group)?);
            }
        }
        let later: Vec<&SparseBits> = read.iter().map(Arc::as_ref).chain(last).collect();
        Ok(before.bits.with(&later))
    }

    /// Switches to reading the wins of the last round from memory rather than from their files.
    pub(crate) fn hold(&mut self, last: Arc<Changes>) {
        self.last = Some(last);
    }

    /// Whether all rounds that a group in memory lacks can be read here.
    fn can_renew(&self, wins: &GroupWins) -> bool {
        (self.round + 1 - wins.rounds) as usize <= self.found.len()
    }

    /// Whether a group in memory has all wins.
    fn is_current(&self, group: GroupId, wins: &GroupWins) -> bool {
        let adds_nothing = |found: &FileFound| found.file_bytes(group).is_ok_and(|bytes| bytes == 0);
        self.can_renew(wins) && self.lacking(wins.rounds).iter().all(adds_nothing)
    }

    /// The wins of a group, updated from those in memory if these can be.
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

/// Opens the complete snapshot of a solved part: the wins of its own classes.
pub(crate) fn open_complete(
    layout: &Layout,
    game_folder: &GameFolder,
    part: &Part,
) -> Result<SnapshotFiles, TableError> {
    let snapshots = Snapshots::new(layout, game_folder, part);
    let entry = snapshots.read()?.ok_or_else(|| snapshots.damaged("wins.json is missing"))?;
    snapshots.open_files(&entry, snapshots.own_files)
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
