//! Snapshots: the wins of a part in files, as compressed groups, updated file by file.
//!
//! A snapshot is a series of files, one for each *shard* of the groups that the part reads. A file has all wins up to
//! the round in its name. `wins.json` lists them; a shard may have no file yet. Files may be of different rounds, since
//! reading a group adds the results of later rounds to it. A file is rewritten once these *pending* results take more
//! bytes than it does, or come from many rounds; if they are few, only when they come from still more. So late rounds,
//! which find little, rewrite few files, and at most one file at a time exists in two versions. The results of a round
//! can be removed once all files include them.
//!
//! A part that is solved for its wins alone has `wins.json` from the beginning. After its last round the document is
//! *complete*. Once all parts that read its rounds are solved, the snapshot and the manifests of the rounds are all
//! that remains of the part.
//!
//! In a file, each group is stored as its [`SparseGroup::content`].

use std::collections::HashMap;
use std::io;
use std::mem;
use std::ops::Range;
use std::slice;
use std::sync::Arc;

use super::archive::{Archive, FileEntry, Frame, Frames, WINS_VERSION};
use super::cache::ThreadCache;
use super::documents::{WinsEntry, WinsFile};
use super::game_folder::round_of;
use super::group_cache::{FileFound, GroupCache, GroupWins};
use super::part_folder::PartFolder;
use super::shard::{HalfRound, Shard};
use crate::solved::TableError;
use crate::space::inputs::Wins;
use crate::space::layout::{Block, Class, ClassId, GroupId};
use crate::space::sparse::{BlockBits, BlockForm, SparseGroup, SparseSet};
use crate::space::win_bits::WinBits;

/// zstd's level: most of these files are read only a few times.
const LEVEL: i32 = 1;
/// Roughly the most bytes of win bits in a file.
const FILE_BYTES: usize = 1 << 28;
/// A file is rewritten when its pending wins come from this many rounds. Rewriting costs one pass over the file; not
/// rewriting costs one lookup per missing round each time that a group is read.
const MANY_ROUNDS: usize = 32;
/// Pending wins are few if they take at most 1 ÷ this of the file's bytes.
const LITTLE: u64 = 64;
/// With few pending wins, a file is rewritten only after this many rounds.
const MAX_ROUNDS: usize = 256;

/// The files of a part's wins.
pub(crate) struct Snapshots {
    folder: Arc<PartFolder>,
    /// All groups that the part reads: its own, and those downstream.
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
    cache: &'a GroupCache,
    round: u32,
    files: SnapshotFiles,
    /// The document that lists these files.
    entry: WinsEntry,
    /// The wins of the last rounds, ascending, which files or cached groups may lack.
    found: Vec<FileFound<'a>>,
    /// The wins of the last of these rounds, if they are in memory, so that their files need not be read.
    pub last: Option<Arc<SparseSet>>,
}

/// The open files of a snapshot.
pub(crate) struct SnapshotFiles {
    of: Arc<Snapshots>,
    /// `None` for a file that is not written yet.
    archives: Vec<Option<Archive>>,
}

impl SnapshotFiles {
    /// The wins of a group, as its file has them.
    pub(crate) fn read(&self, group: GroupId) -> Result<SparseGroup, TableError> {
        let ((file, frame), class) = (self.of.frame_of(group), self.of.class(group));
        let Some(archive) = &self.archives[file] else { return Ok(SparseGroup::default()) };
        let (form, content) = (BlockForm::of(class), archive.content(frame)?);
        let bits = SparseGroup::from_content(form, class.group_blocks(group), &content);
        bits.ok_or_else(|| archive.damaged("a group does not have the size of its blocks"))
    }

    /// Reads all files from the first byte to the last.
    pub(crate) fn verify(&self) -> Result<(), TableError> {
        self.archives.iter().flatten().try_for_each(|file| file.read_all(&|_, _| Ok(())))
    }
}

impl Snapshots {
    /// The snapshots of a part.
    pub(crate) fn new(folder: &Arc<PartFolder>) -> Arc<Snapshots> {
        let (mut groups, mut first) = (Vec::new(), HashMap::new());
        for class in folder.part.all() {
            first.insert(class, groups.len());
            groups.extend(folder.layout().groups(&[class]));
        }
        let own = folder.groups.len();
        let mut files = Vec::new();
        for groups_of in [0..own, own..groups.len()] {
            let sizes =
                groups[groups_of.clone()].iter().map(|group| folder.layout()[group.class].group_bytes());
            let count = sizes.sum::<usize>().div_ceil(FILE_BYTES).max(1);
            let per_file = groups_of.len().div_ceil(count).max(1);
            let starts = groups_of.clone().step_by(per_file);
            files.extend(starts.map(|start| start..groups_of.end.min(start + per_file)));
        }
        let own_files = files.partition_point(|groups| groups.start < own);
        Arc::new(Snapshots { folder: folder.clone(), groups, first, files, own_files })
    }

    fn class(&self, group: GroupId) -> &Class {
        &self.folder.layout()[group.class]
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
        self.folder.header(WINS_VERSION, 4, round, Shard { number: file, of: self.files.len() })
    }

    /// The document of a part before its first file of wins.
    fn no_wins(&self, alone: bool) -> WinsEntry {
        WinsEntry {
            owner: self.folder.owner(WINS_VERSION),
            alone,
            complete: false,
            files: vec![WinsFile::default(); self.files.len()],
        }
    }

    /// Begins a part that is solved for its wins alone, unless it is begun.
    pub(crate) fn begin_alone(&self) -> Result<(), TableError> {
        if self.folder.wins()?.is_none() { self.folder.write_wins(&self.no_wins(true)) } else { Ok(()) }
    }

    /// Opens the files that the document lists, of which there must be `count`.
    fn open_files(self: &Arc<Self>, entry: &WinsEntry, count: usize) -> Result<SnapshotFiles, TableError> {
        if entry.files.len() != count {
            return Err(self.folder.damaged("wins.json has another number of files"));
        }
        let archives = entry.files.iter().enumerate().map(|(number, WinsFile { file, .. })| {
            file.as_ref().map(|file| self.open_file(number, file)).transpose()
        });
        Ok(SnapshotFiles { of: self.clone(), archives: archives.collect::<Result<_, _>>()? })
    }

    fn open_file(&self, number: usize, entry: &FileEntry) -> Result<Archive, TableError> {
        let round = round_of(&entry.name).filter(|&round| self.name(round, number) == entry.name);
        let round = round.ok_or_else(|| self.folder.damaged("wins.json names other files"))?;
        let groups = self.files[number].len();
        let path = self.folder.path.join(&entry.name);
        let opened = Archive::open(path, &self.folder.layout().game, &self.header(round, number), groups)?;
        if opened.frames.len() != groups {
            return Err(opened.damaged("it lacks groups of its shard"));
        }
        opened.check(slice::from_ref(entry))?;
        Ok(opened)
    }

    /// Opens the complete snapshot of a solved part: the wins of its own classes.
    pub(crate) fn open_complete(self: &Arc<Self>) -> Result<SnapshotFiles, TableError> {
        let entry = self.folder.wins()?.ok_or_else(|| self.folder.damaged("wins.json is missing"))?;
        self.open_files(&entry, self.own_files)
    }

    /// The wins after a finished round, from `folders`: the part's own first, then those of the parts that it leads
    /// to.
    pub(crate) fn after<'a>(
        self: &Arc<Self>,
        round: u32,
        folders: &[Arc<PartFolder>],
        cache: &'a GroupCache,
    ) -> Result<Snapshot<'a>, TableError> {
        let entry = self.folder.wins()?.unwrap_or_else(|| self.no_wins(false));
        if entry.files.iter().any(|file| file.rounds > round + 1) {
            return Err(self.folder.damaged("the manifest of a round is missing"));
        }
        let files = self.open_files(&entry, self.files.len())?;
        let found = (entry.least_found(round)..=round)
            .map(|round| FileFound::new(folders, HalfRound::Wins(round), cache))
            .collect::<Result<_, _>>()?;
        let mut snapshot = Snapshot { cache, round, files, entry, found, last: None };
        for (file, groups) in self.files.iter().enumerate() {
            // Skip rounds that found nothing in the file's groups.
            while let Some(found) = snapshot.lacking(snapshot.entry.files[file].rounds).first()
                && found.file_bytes(&self.groups[groups.clone()])? == 0
            {
                snapshot.entry.files[file].rounds += 1;
            }
        }
        Ok(snapshot)
    }
}

impl Snapshot<'_> {
    /// Rewrites the files that are due and, if `all`, every file of the part's own classes that lacks wins. These files
    /// then have all wins up to the snapshot's round, from memory, if given, or else from the files and the rounds.
    pub(crate) fn compact(&mut self, all: bool, in_memory: Option<&WinBits>) -> Result<(), TableError> {
        let (round, snapshots) = (self.round, self.files.of.clone());
        let (folder, game_folder) = (&snapshots.folder, &snapshots.folder.parts.game_folder);
        let before = folder.wins()?;
        for (file, groups) in snapshots.files.iter().enumerate() {
            let groups = &snapshots.groups[groups.clone()];
            if !self.is_due(file, groups, all && file < snapshots.own_files)? {
                continue;
            }
            let frame = |index: usize| {
                let (group, class) = (groups[index], snapshots.class(groups[index]));
                let content =
                    |bits: &SparseGroup| bits.content(BlockForm::of(class), class.group_blocks(group));
                let content = match in_memory {
                    Some(wins) => content(&SparseGroup::packed(wins.group(class, group), class, group)),
                    None => content(&self.wins(group).map_err(io::Error::other)?.bits),
                };
                Frame::new(&content, LEVEL)
            };
            let (header, path) =
                (snapshots.header(round, file), folder.path.join(snapshots.name(round, file)));
            let mut frames = Frames::new(groups.len(), &frame);
            let written = game_folder.create_archive(&path, &header, &mut |_| frames.next(None))?;
            self.files.archives[file] = Some(snapshots.open_file(file, &written)?);
            let replaced = WinsFile { rounds: round + 1, file: Some(written) };
            let replaced = mem::replace(&mut self.entry.files[file], replaced).file;
            folder.write_wins(&self.entry)?;
            if let Some(replaced) = replaced.filter(|replaced| !self.entry.names(&replaced.name)) {
                game_folder.remove_file(&folder.path.join(replaced.name))?;
            }
        }
        // Rounds without results change the document, but no file.
        if self.entry.alone && before.is_none_or(|before| before != self.entry) {
            folder.write_wins(&self.entry)?;
        }
        // Rounds that all files include may be removed from now on.
        let least = self.entry.least_found(round);
        self.found.drain(..self.found.len() - (round + 1 - least) as usize);
        Ok(())
    }

    /// Completes the wins of a part after its last round.
    pub(crate) fn complete(&mut self, in_memory: Option<&WinBits>) -> Result<(), TableError> {
        self.compact(true, in_memory)?;
        // The files of classes of other parts are no longer read.
        self.entry.files.truncate(self.files.of.own_files);
        self.entry.complete = true;
        self.files.of.folder.write_wins(&self.entry)
    }

    /// The results of the rounds that a file lacks, given the number of rounds that it has.
    fn lacking(&self, rounds: u32) -> &[FileFound<'_>] {
        &self.found[self.found.len() - (self.round + 1 - rounds) as usize..]
    }

    /// Whether a file must be rewritten.
    fn is_due(&self, file: usize, groups: &[GroupId], all: bool) -> Result<bool, TableError> {
        let found = self.lacking(self.entry.files[file].rounds);
        let pending: u64 = found.iter().map(|found| found.file_bytes(groups)).sum::<Result<_, _>>()?;
        let bytes = self.files.archives[file].as_ref().map_or(0, |file| file.bytes);
        let max_rounds = if pending > bytes / LITTLE { MANY_ROUNDS } else { MAX_ROUNDS };
        Ok(!found.is_empty() && (all || pending > bytes || found.len() >= max_rounds))
    }

    /// The wins of a group, from its file and the results of later rounds.
    pub(crate) fn read(&self, group: GroupId) -> Result<SparseGroup, TableError> {
        self.with_later(group, &self.in_file(group)?)
    }

    /// The wins of a group as its file has them, with the number of rounds that they are from.
    fn in_file(&self, group: GroupId) -> Result<GroupWins, TableError> {
        let (file, _) = self.files.of.frame_of(group);
        Ok(GroupWins { rounds: self.entry.files[file].rounds, bits: self.files.read(group)? })
    }

    /// The wins of a group after some rounds, with the results of later ones.
    fn with_later(&self, group: GroupId, before: &GroupWins) -> Result<SparseGroup, TableError> {
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
        let later: Vec<&SparseGroup> = read.iter().map(Arc::as_ref).chain(last).collect();
        Ok(before.bits.with(&later))
    }

    /// Whether a cached group can be brought up to date, because all rounds that it lacks are among `found`.
    fn can_renew(&self, wins: &GroupWins) -> bool {
        (self.round + 1 - wins.rounds) as usize <= self.found.len()
    }

    /// Whether a cached group has all wins.
    fn is_current(&self, group: GroupId, wins: &GroupWins) -> bool {
        let adds_nothing = |found: &FileFound| found.file_bytes(&[group]).is_ok_and(|bytes| bytes == 0);
        self.can_renew(wins) && self.lacking(wins.rounds).iter().all(adds_nothing)
    }

    /// All wins of a group, from the cached ones if they can be brought up to date.
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
    fn block<'a>(&'a self, cache: &'a mut Self::Cache, class: &Class, block: Block) -> Option<BlockBits<'a>> {
        let group = class.group_of(block);
        let wins = cache.get(group, || {
            self.wins(group).unwrap_or_else(|error| {
                self.cache.fail(error);
                GroupWins { rounds: self.round + 1, bits: SparseGroup::default() }.into()
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
