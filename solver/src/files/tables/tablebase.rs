//! The tablebase: a solved game in its files, as tables, rounds, or wins alone.
//!
//! [`Tablebase::open`] checks manifests, and the headers, indices and trailers of the files that it opens. It opens all
//! files but those of most rounds, which are checked when they are first read. Every frame is checked against its CRC
//! when it is read; [`Tablebase::verify`] reads everything, and counts all known values again. Any mismatch is an error
//! that names the file.

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::manifest::{Manifest, Summary};
use super::table_file::{TableFile, file_name};
use crate::files::archive::FileEntry;
use crate::files::cache::Cache;
use crate::files::documents::PartEntry;
use crate::files::game_folder::{GameFolder, MANIFEST, ROUNDS, folder_name, on_disk};
use crate::files::history::{History, SolvedPart};
use crate::files::part_folder::{Keep, PartFolder};
use crate::files::parts::{Parts, SMALL_BYTES};
use crate::files::sealed;
use crate::files::snapshot::{SnapshotFiles, Snapshots};
use crate::known::{Known, Source, Worth};
use crate::rounds::counts::{ShapeCounts, by_shape};
use crate::solve::SolvedGame;
use crate::solved::{Longest, Lookup, LookupError, Solution, SolutionRow, Solved, TableError, from_wins};
use crate::space::index::{BitAddress, Index};
use crate::space::layout::{ClassId, GroupId, Layout};
use crate::space::sets::GroupValues;
use crate::space::sparse::SparseGroup;
use crate::value::Value;
use dovemate::rules::{self, Color, Game};

/// A solved game in files. Convert it into a [`SolvedGame`] to list or check its positions.
///
/// ```
/// use dovemate::{Board, Color, Game};
/// use dovemate_solver::{Lookup, Tablebase, solve};
///
/// let folder = tempfile::tempdir()?;
/// let game = Game::both("A")?;
/// let solved = solve(game)?;
/// solved.write(folder.path())?;
///
/// let tables = Tablebase::open(folder.path(), game)?;
/// let board = Board::default();
/// let [stored, fresh] = [tables.probe(&board, Color::Red)?, solved.probe(&board, Color::Red)?];
/// assert_eq!(stored.map(|known| known.worth), fresh.map(|known| known.worth));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase {
    index: Arc<Index>,
    folder: PathBuf,
    solution: Solution,
    rounds: u32,
    longest: Option<Longest>,
    /// The files, in the order of their groups.
    pub(crate) files: Vec<TableFile>,
    /// Solved parts that have no tables.
    histories: Vec<SolvedRounds>,
    /// The bytes of the files of these parts.
    rounds_bytes: u64,
    cache: Cache<GroupId, GroupValues>,
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tables = f.debug_struct("Tablebase");
        tables.field("folder", &self.folder).field("game", &self.index.layout.game).finish_non_exhaustive()
    }
}

impl From<Tablebase> for SolvedGame {
    fn from(stored: Tablebase) -> SolvedGame {
        SolvedGame(Box::new(stored))
    }
}

/// A solved part that has its rounds or, if only these are kept, its wins.
struct SolvedRounds {
    history: History,
    /// All wins, if only these are kept.
    wins: Option<SnapshotFiles>,
}

impl SolvedRounds {
    /// The values of a group; if only the wins are kept, these without distances.
    fn group(&self, group: GroupId) -> Result<GroupValues, TableError> {
        let Some(wins) = &self.wins else { return self.history.group(group) };
        let mut values = GroupValues::default();
        values.push(Worth::Win, wins.read(group)?);
        Ok(values)
    }
}

impl Tablebase {
    /// The name of the manifest, which is written last.
    pub const MANIFEST: &str = MANIFEST;
    /// Roughly the bytes of groups that are cached by default.
    pub const CACHE_BYTES: usize = 1 << 28;

    /// The name of a game's own folder in a folder of tables.
    pub fn folder_name(game: &Game) -> String {
        folder_name(game)
    }

    /// Opens the tables of a game in a folder where `dovemate solve --tables` or
    /// [`SolvedGame::write`] wrote them. While a game is being solved in files, the
    /// values of its solved parts are known.
    ///
    /// # Errors
    /// If the tables are missing, of another game or format, or damaged in what is read here. Values are read later.
    pub fn open(folder: impl AsRef<Path>, game: Game) -> Result<Tablebase, TableError> {
        let of_game = folder.as_ref().join(folder_name(&game));
        let missing = match Tablebase::open_finished(&of_game, game) {
            Err(TableError::Missing(path)) => path,
            result => return result,
        };
        if let Some(solved) = Tablebase::open_parts(&of_game, game)? {
            return Ok(solved);
        }
        let without_distances = folder.as_ref().join(folder_name(&game) + "-values");
        Err(match without_distances.is_dir() {
            true => TableError::WithoutDistances(without_distances),
            false => TableError::Missing(missing),
        })
    }

    /// Opens the solved parts of a game in its own folder, as rounds, wins or tables; `None` if no part is solved.
    ///
    /// # Errors
    /// If the files cannot be trusted.
    pub fn open_parts(of_game: &Path, game: Game) -> Result<Option<Tablebase>, TableError> {
        Tablebase::of_parts(&Parts::new(game, SMALL_BYTES, GameFolder::new(of_game))?)
    }

    /// The solved parts of a game; `None` if no part is solved. Positions in other parts are unknown.
    pub(crate) fn of_parts(parts: &Arc<Parts>) -> Result<Option<Tablebase>, TableError> {
        let (mut entries, mut histories) = (Vec::new(), Vec::new());
        for folder in PartFolder::all(parts) {
            match SolvedPart::of(&folder)? {
                Some(SolvedPart::Tables(entry)) => entries.push(entry),
                Some(SolvedPart::Rounds(history)) => {
                    entries.push(history.entry(Vec::new())?);
                    let wins = history.is_wins_alone().then(|| Snapshots::new(&folder).open_complete());
                    histories.push(SolvedRounds { history, wins: wins.transpose()? });
                }
                None => {}
            }
        }
        if entries.is_empty() {
            return Ok(None);
        }
        let (index, folder) = (parts.index.clone(), &parts.game_folder.path);
        Tablebase::of_files(index, folder, histories, PartEntry::combined(entries)).map(Some)
    }

    /// Opens the finished tables of a game in its own folder. Frames are not read.
    ///
    /// # Errors
    /// If the tables are missing, of another game or format, or damaged in what is read here.
    pub fn open_finished(folder: &Path, game: Game) -> Result<Tablebase, TableError> {
        let path = folder.join(MANIFEST);
        let manifest = sealed::read(&path, |_: &Manifest| true)?;
        let manifest = manifest.ok_or_else(|| TableError::Missing(path.clone()))?;
        let inconsistent = || TableError::Damaged(path.clone(), "its numbers contradict each other");
        let found = manifest.game().ok_or_else(inconsistent)?;
        if found != game {
            return Err(TableError::Foreign { path, found: found.into(), wanted: game.into() });
        }
        if !manifest.distances {
            return Err(TableError::WithoutDistances(folder.to_owned()));
        }
        let index = Arc::new(Index::of(Layout::new(game)));
        if index.layout.places() != manifest.places || manifest.summary.positions() != manifest.positions {
            return Err(inconsistent());
        }
        let named = manifest.summary.files.len();
        let stored = Tablebase::of_files(index, folder, Vec::new(), manifest.summary)?;
        if stored.is_whole() && stored.files.len() == named { Ok(stored) } else { Err(inconsistent()) }
    }

    /// The tablebase with the files in a summary and these solved parts. A class that has neither is unknown.
    fn of_files(
        index: Arc<Index>,
        folder: &Path,
        histories: Vec<SolvedRounds>,
        summary: Summary,
    ) -> Result<Tablebase, TableError> {
        let named: HashMap<&str, &FileEntry> =
            summary.files.iter().map(|entry| (&entry.name[..], entry)).collect();
        let mut files = Vec::new();
        for class in index.layout.ids() {
            let (groups, mut next) = (index.layout[class].groups(), 0);
            while next < groups {
                let first = GroupId { class, number: next };
                let name = file_name(&index.layout, first);
                let Some(entry) = named.get(&name[..]) else { break };
                let path = folder.join(&name);
                if !path.exists() {
                    return Err(TableError::Missing(path));
                }
                let file = TableFile::open(path, &index.layout, first)?;
                file.archive.check(slice::from_ref(entry))?;
                next = file.end();
                files.push(file);
            }
            if 0 < next && next < groups {
                return Err(TableError::Damaged(folder.to_owned(), "a class lacks some of its files"));
            }
        }
        let rounds_bytes =
            histories.iter().map(|part| part.history.bytes()).sum::<Result<u64, TableError>>()?;
        Ok(Tablebase {
            solution: Solution::new(summary.rows),
            rounds_bytes,
            rounds: summary.rounds,
            longest: summary.longest,
            index,
            folder: folder.to_owned(),
            files,
            histories,
            cache: Cache::new(Tablebase::CACHE_BYTES),
        })
    }

    /// Replaces the cache by one of `bytes` bytes.
    #[must_use]
    pub fn with_cache(self, bytes: usize) -> Tablebase {
        Tablebase { cache: Cache::new(bytes), ..self }
    }

    /// Whether all positions of the game are known.
    pub fn is_whole(&self) -> bool {
        self.index.layout.ids().all(|class| self.knows(class))
    }

    /// Whether the folder has the whole game as `keep` asks, in rounds or as wins alone, and no file that is
    /// no longer needed.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn keeps(&self, keep: Keep) -> Result<bool, TableError> {
        for part in &self.histories {
            if part.wins.is_some() != (keep == Keep::Wins) || !part.history.unneeded()?.is_empty() {
                return Ok(false);
            }
        }
        Ok(self.is_whole() && self.files.is_empty())
    }

    /// The number of positions of each value.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The folder of the game.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The number of files in the game's folder, and their bytes, manifests and rounds included.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn on_disk(&self) -> Result<(u64, u64), TableError> {
        on_disk(&self.folder)
    }

    /// The file that has a group; `None` if its class has no files.
    fn file_of(&self, group: GroupId) -> Option<&TableFile> {
        let after = self.files.partition_point(|file| file.first <= group);
        self.files[..after].last().filter(|file| file.first.class == group.class)
    }

    /// The solved part with a class, if it has no tables.
    fn rounds_of(&self, class: ClassId) -> Option<&SolvedRounds> {
        self.histories.iter().find(|part| part.history.folder.part.classes.contains(&class))
    }

    /// Whether the distances of a class are known, if its positions are.
    fn has_distances(&self, class: ClassId) -> bool {
        self.rounds_of(class).is_none_or(|part| part.wins.is_none())
    }

    /// The value at an address in a class that is known; where distances are not known, a loss reads as a
    /// draw.
    fn value_at(&self, address: BitAddress) -> Result<Worth, TableError> {
        let class = &self.index.layout[address.block.class];
        let group = class.group_of(address.block);
        let values = self.cache.get(group, GroupValues::bytes, || self.read(group).map(Arc::new))?;
        Ok(values.value(class, address))
    }

    /// The values of a group; where distances are not known, its wins alone.
    fn read(&self, group: GroupId) -> Result<GroupValues, TableError> {
        if let Some(TableFile { archive, first }) = self.file_of(group) {
            let content = archive.content(group.number - first.number)?;
            return archive.values(&self.index.layout[group.class], group, &content);
        }
        self.rounds_of(group.class).ok_or_else(|| self.missing())?.group(group)
    }

    fn missing(&self) -> TableError {
        TableError::Missing(self.folder.join(MANIFEST))
    }

    /// The number of times [`Tablebase::verify`] calls `on_step`: once for every group in tables, and for every
    /// round of a part without tables.
    pub fn steps(&self) -> u64 {
        let groups: usize = self.files.iter().map(|file| file.archive.frames.len()).sum();
        groups as u64 + self.histories.iter().map(|part| u64::from(part.history.round())).sum::<u64>()
    }

    /// Reads everything: checks every file against its checksums, and counts the positions of each value again. Where
    /// only the wins are kept, it counts these. `on_step` is called [`Tablebase::steps`] times.
    ///
    /// # Errors
    /// At the first contradiction or damage.
    pub fn verify(&self, on_step: &(dyn Fn() + Sync)) -> Result<(), TableError> {
        let layout = &self.index.layout;
        let counts: Mutex<HashMap<Worth, ShapeCounts>> = Mutex::default();
        let add = |group: GroupId, worth: Worth, found: &SparseGroup| {
            let shapes = by_shape(&self.index, group, found);
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            counts.entry(worth).or_default().add_group(&self.index, group, &shapes);
        };
        for file in &self.files {
            file.read_all(layout, on_step, &|group, values| {
                if !values.is_disjoint() {
                    return Err(file.archive.contradicts("itself: a position has two values"));
                }
                values.sets.iter().for_each(|(worth, found)| add(group, *worth, found));
                Ok(())
            })?;
        }
        for SolvedRounds { history, wins } in &self.histories {
            for round in 0..history.round() {
                if wins.is_none() {
                    history.folder.verify(round, &|half, group, found| {
                        add(group, Worth::Exact(half.value()), &found)
                    })?;
                }
                on_step();
            }
            let Some(wins) = wins else { continue };
            wins.verify()?;
            history.folder.groups.par_iter().try_for_each(|&group| {
                add(group, Worth::Win, &wins.read(group)?);
                Ok::<(), TableError>(())
            })?;
        }
        let path = self.folder.join(if self.histories.is_empty() { MANIFEST } else { ROUNDS });
        let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        let solution = self.count(counts);
        if solution.is_none_or(|solution| self.known(&solution) != self.known(&self.solution)) {
            return Err(TableError::Contradiction(path, "the values in the files beside it"));
        }
        let plies = self.solution.rows().iter().filter_map(|row| row.worth.plies()).max();
        let is_longest = match &self.longest {
            Some(Longest { board, mover, value }) => {
                let found =
                    self.probe(board, *mover).map_err(LookupError::into_tables)?.map(|known| known.worth);
                value.plies() == plies && found == Some(Worth::Exact(*value))
            }
            None => plies.is_none() || !self.knows_distances(),
        };
        match is_longest {
            true => Ok(()),
            false => Err(TableError::Contradiction(path, "the longest game in the files beside it")),
        }
    }

    /// The part of a solution that files determine; where distances are not known, the numbers of wins.
    fn known(&self, solution: &Solution) -> Solution {
        Solution::new(solution.rows().iter().filter_map(|&row| match row.worth.without_distance() {
            _ if self.knows_distances() => Some(row),
            Worth::Win => Some(SolutionRow { worth: Worth::Win, ..row }),
            _ => None,
        }))
    }

    /// The positions of each value, from the bits of all values but draws; all other known positions are
    /// draws. `None` if the counts are not whole numbers of positions.
    fn count(&self, mut counts: HashMap<Worth, ShapeCounts>) -> Option<Solution> {
        let mut draws = ShapeCounts::default();
        draws.add_all(&self.index, self.index.layout.ids().filter(|&class| self.knows(class)));
        for decided in counts.values() {
            draws = draws.without(decided)?;
        }
        counts.insert(Worth::Exact(Value::Draw), draws);
        let rows = counts.iter().flat_map(|(worth, counts)| counts.rows(&self.index.layout, *worth));
        let is_whole = counts.values().all(ShapeCounts::is_whole);
        is_whole.then(|| Solution::new(rows))
    }
}

impl Lookup for Tablebase {
    fn game(&self) -> Game {
        self.index.layout.game
    }

    fn probe(&self, board: &rules::Board, mover: Color) -> Result<Option<Known>, LookupError> {
        let address = self.index.address(board, mover);
        let Some(address) = address.filter(|address| self.knows(address.block.class)) else {
            return Ok(None);
        };
        let is_win = |board: &rules::Board, mover| -> Result<bool, TableError> {
            let address =
                self.index.address(board, mover).expect("an open action leads to a position of the game");
            Ok(self.value_at(address)?.without_distance() == Worth::Win)
        };
        let worth = match self.has_distances(address.block.class) {
            true => self.value_at(address)?,
            false => from_wins::value(&self.game(), board, mover, is_win)?,
        };
        Ok(Some(Known { worth, source: Source::Tables }))
    }

    fn knows_all(&self) -> bool {
        self.is_whole() && self.knows_distances()
    }

    /// The solution has distances even where only the wins are kept.
    fn may_have(&self, value: Value, doves: RangeInclusive<u32>) -> bool {
        !self.is_whole() || self.solution.may_have(value, &doves)
    }
}

impl Solved for Tablebase {
    fn solution(&self) -> &Solution {
        &self.solution
    }

    fn rounds(&self) -> u32 {
        self.rounds
    }

    fn knows(&self, class: ClassId) -> bool {
        self.file_of(GroupId { class, number: 0 }).is_some() || self.rounds_of(class).is_some()
    }

    fn knows_distances(&self) -> bool {
        self.histories.iter().all(|part| part.wins.is_none())
    }

    fn longest(&self) -> Option<Longest> {
        self.longest.clone()
    }

    /// Without tables, each group is combined from all rounds, or decompressed from the wins.
    fn is_slow_at_random(&self) -> bool {
        !self.histories.is_empty()
    }

    /// Bytes of the files, rounds included.
    fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.archive.bytes).sum::<u64>() + self.rounds_bytes
    }

    fn index(&self) -> &Index {
        &self.index
    }

    fn group(&self, group: GroupId) -> Result<GroupValues, LookupError> {
        match self.has_distances(group.class) {
            true => Ok(self.read(group)?),
            false => Err(self.missing().into()),
        }
    }
}
