//! Tables of solved games: reading gives what was solved, and damaged, foreign or unfinished tables are
//! refused.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::common::folders::{contents, files};
use crate::common::worth;
use dovemate::Value;
use dovemate::ask::{Known, Lookup, LookupError, Worth};
use dovemate::internals::solve::check::check_near;
use dovemate::internals::solve::files::game_folder::GameFolder;
use dovemate::internals::solve::files::journal::{Journal, Shard, WinOrLoss};
use dovemate::internals::solve::files::keep::Keep;
use dovemate::internals::solve::files::tables::{self, MANIFEST, SHARD, TableError, Tablebase, VERSION};
use dovemate::internals::solve::in_files::by_parts::{ByParts, Event, open_solved};
use dovemate::internals::solve::solved::Solution;
use dovemate::internals::solve::space::changes::Changes;
use dovemate::internals::solve::space::index::Index;
use dovemate::internals::solve::space::layout::{ClassId, GroupId, Layout, Part, PartId};
use dovemate::internals::solve::space::sets::GroupValues;
use dovemate::internals::solve::{Longest, Solved, solve};
use dovemate::rules::{Board, BothSurrounded, Color, Game, Rules};
use tempfile::TempDir;

fn game(red: &str, green: &str, rules: Rules) -> Game {
    Game { red: red.parse().unwrap(), green: green.parse().unwrap(), rules }
}

/// The layout of a game with another limit on its part with few doves.
fn layout(game: Game, small_bytes: u64) -> Layout {
    Layout::in_parts(game, small_bytes)
}

/// A game with few positions, some of them won and lost: one player has a bare boss.
fn small() -> Game {
    game("AY", "-", Rules::default())
}

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

fn solved(game: Game) -> Box<dyn Solved> {
    solve(game, &|_| {})
}

/// Writes tables; returns the names of the new files.
fn write(solved: &dyn Solved, folder: &Path, shard: u64) -> Result<Vec<String>, TableError> {
    let made: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = made.clone();
    let folder = GameFolder::with(folder, move |path, content| {
        noted.lock().unwrap().push(path.file_name().unwrap().to_string_lossy().into_owned());
        create(path, content)
    });
    tables::write(solved, &folder, shard, &|| {})?;
    Ok(made.lock().unwrap().clone())
}

/// Opens tables and reads all of them.
fn read(folder: &Path, game: Game) -> Result<Tablebase, TableError> {
    let stored = Tablebase::open_finished(folder, game)?;
    stored.verify(&|| {})?;
    Ok(stored)
}

fn read_error(folder: &Path, game: Game) -> TableError {
    read(folder, game).expect_err("this is not believed")
}

/// Compares the figures of a game, and the values of every `step`-th position.
fn assert_same(stored: &dyn Solved, solved: &dyn Solved, step: usize) {
    assert_eq!(stored.solution(), solved.solution());
    assert_eq!(
        (stored.game(), stored.rounds(), stored.places()),
        (solved.game(), solved.rounds(), solved.places())
    );
    let parts = |longest: Longest| (longest.board, longest.mover, longest.value);
    assert_eq!(stored.longest().map(parts), solved.longest().map(parts));
    for place in (0..solved.places()).step_by(step) {
        let (board, mover) = solved.position(place).expect("a place of the game");
        assert_eq!(stored.position(place), Some((board.clone(), mover)));
        assert_eq!(worth(stored, &board, mover), worth(solved, &board, mover), "{board}, {mover} to move");
    }
    let start = Board::default();
    assert_eq!(worth(stored, &start, Color::Green), worth(solved, &start, Color::Green));
    let stranger: Board = "bH;B-".parse().unwrap();
    assert_eq!(worth(stored, &stranger, Color::Red), None);
}

/// Every position of small games, even and handicap, in any number of files.
#[test]
fn values_read_are_those_solved() {
    let without_returns = Rules { returns: false, ..Rules::default() };
    let drawn = Rules { both_surrounded: BothSurrounded::Draw, ..Rules::default() };
    for game in [
        game("-", "-", Rules::default()),
        game("AY", "AY", Rules::default()),
        game("M", "M", without_returns),
        game("AT", "H", drawn),
        game("-", "AY", Rules::default()),
    ] {
        let solved = solved(game);
        // Every position with one file for each class, and some positions with many.
        for (shard, step) in [(SHARD, 1), (1000, 11)] {
            let folder = folder();
            let made = write(&*solved, folder.path(), shard).expect("nothing is in the way");
            assert_eq!(made.last().unwrap(), MANIFEST, "it comes last");
            let stored = Tablebase::open_finished(folder.path(), game).expect("whole tables");
            stored.verify(&|| {}).expect("whole tables");
            assert_eq!(stored.files(), made.len() - 1);
            assert_same(&stored, &*solved, step);
            // Solved and read groups are equal.
            let is_same = |group| stored.group(group).unwrap() == solved.group(group).unwrap();
            assert!(solved.layout().all_groups().into_iter().all(is_same));
        }
    }
}

/// A class with many groups goes into several files, none larger than the limit.
#[test]
fn files_are_split() {
    let game = game("AYM", "-", Rules::default());
    let solved = solved(game);
    let folder = folder();
    let shard = 3000;
    write(&*solved, folder.path(), shard).unwrap();
    let names: Vec<String> = files(folder.path())
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    let of_class = |name: &&String| name.starts_with("red-3-0-");
    assert!(names.iter().filter(of_class).count() > 1, "{names:?}");
    assert!(names.contains(&"red-3-0-00000.table".to_owned()), "{names:?}");
    let stored = read(folder.path(), game).expect("whole tables");
    assert_same(&stored, &*solved, 1);
}

#[test]
fn folders_are_named_by_the_game() {
    assert_eq!(tables::folder_name(&game("AYM", "MAY", Rules::default())), "AYM-AYM-returns-mover-loses");
    let rules = Rules { returns: false, both_surrounded: BothSurrounded::Draw };
    assert_eq!(tables::folder_name(&game("-", "TH", rules)), "none-TH-no-returns-draw");
}

/// A change of any byte of any file is found.
#[test]
fn every_changed_byte_is_found() {
    let folder = folder();
    write(&*solved(small()), folder.path(), SHARD).unwrap();
    for (path, bytes) in contents(folder.path()) {
        // Every byte near both ends, where the fixed fields are; a sample elsewhere.
        for at in (0..bytes.len()).filter(|at| at % 17 == 0 || *at < 48 || at + 80 > bytes.len()) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            fs::write(&path, changed).unwrap();
            let error = read_error(folder.path(), small()).to_string();
            let name = path.file_name().unwrap().to_string_lossy();
            assert!(error.contains(&*name) || error.contains(MANIFEST), "byte {at} of {name}: {error}");
        }
        fs::write(&path, bytes).unwrap();
    }
    read(folder.path(), small()).expect("everything is as it was");
}

/// Files that are cut short or have extra bytes at the end.
#[test]
fn every_other_length_is_found() {
    let folder = folder();
    write(&*solved(small()), folder.path(), SHARD).unwrap();
    for (path, bytes) in contents(folder.path()) {
        for length in
            (0..bytes.len()).filter(|length| length % 29 == 0 || *length < 60 || length + 70 > bytes.len())
        {
            fs::write(&path, &bytes[..length]).unwrap();
            let error = read_error(folder.path(), small());
            // A manifest may only lack its last line break.
            let is_line = path.ends_with(MANIFEST) && length + 1 == bytes.len();
            let is_right = matches!(error, TableError::Damaged(..)) || is_line;
            assert!(is_right, "{length} bytes of {}: {error}", path.display());
        }
        fs::write(&path, [&bytes[..], b"\0"].concat()).unwrap();
        read_error(folder.path(), small());
        fs::remove_file(&path).unwrap();
        let error = read_error(folder.path(), small());
        assert!(matches!(error, TableError::Unreadable(..) | TableError::Missing(_)), "{error}");
        fs::write(&path, bytes).unwrap();
    }
}

/// Tables of another game or format are refused even if all checksums fit.
#[test]
fn other_games_and_formats() {
    let [one, other] = [folder(), folder()];
    write(&*solved(small()), one.path(), SHARD).unwrap();
    let no_returns = Game { rules: Rules { returns: false, ..Rules::default() }, ..small() };
    write(&*solved(no_returns), other.path(), SHARD).unwrap();
    assert!(matches!(read_error(other.path(), small()), TableError::Foreign { .. }));

    // A file of another game, and a file of another part of the same game.
    let path = one.path().join("red-2-0-00000.table");
    let bytes = fs::read(&path).unwrap();
    fs::copy(other.path().join("red-2-0-00000.table"), &path).unwrap();
    let error = read_error(one.path(), small());
    assert!(matches!(&error, TableError::Foreign { found, .. } if **found == no_returns), "{error}");
    fs::copy(one.path().join("red-1-0-00000.table"), &path).unwrap();
    assert!(matches!(read_error(one.path(), small()), TableError::Damaged(..)));

    // Another version with a valid checksum.
    let mut changed = bytes.clone();
    changed[8] = 0;
    let crc = crc32c::crc32c(&changed[..46]).to_le_bytes();
    changed[46..50].copy_from_slice(&crc);
    fs::write(&path, changed).unwrap();
    let error = read_error(one.path(), small());
    assert!(matches!(error, TableError::Version { found: 0, .. }), "{error}");
    fs::write(&path, bytes).unwrap();
    let manifest = one.path().join(MANIFEST);
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace(&format!("\"format\": {VERSION}"), "\"format\": 7")).unwrap();
    assert!(matches!(read_error(one.path(), small()), TableError::Version { found: 7, .. }));
}

/// After an interrupted run, existing files stay as they are, and missing ones are written as they would have
/// been.
#[test]
fn an_interrupted_run_is_finished() {
    let game = game("AY", "M", Rules::default());
    let solved = solved(game);
    let folder = folder();
    let all = write(&*solved, folder.path(), 2000).unwrap();
    let before = contents(folder.path());
    for kept in [0, 1, 2, 5, all.len() - 1] {
        for name in &all[kept..] {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        assert!(matches!(read_error(folder.path(), game), TableError::Missing(_)));
        assert_eq!(write(&*solved, folder.path(), 2000).unwrap(), all[kept..]);
        assert_eq!(contents(folder.path()), before);
    }
    // A damaged file in the middle is named and not overwritten.
    let path = folder.path().join(&all[2]);
    let mut bytes = fs::read(&path).unwrap();
    bytes[60] ^= 1;
    fs::write(&path, &bytes).unwrap();
    fs::remove_file(folder.path().join(MANIFEST)).unwrap();
    let error = write(&*solved, folder.path(), 2000).unwrap_err();
    assert!(error.to_string().contains(&all[2]), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

/// A solver that calls all positions of a class drawn.
struct Liar(Box<dyn Solved>, ClassId);

impl Lookup for Liar {
    fn game(&self) -> Game {
        self.0.game()
    }
    fn value(&self, board: &Board, mover: Color) -> Result<Option<Known>, LookupError> {
        self.0.value(board, mover)
    }
}

impl Solved for Liar {
    fn solution(&self) -> &Solution {
        self.0.solution()
    }
    fn rounds(&self) -> u32 {
        self.0.rounds()
    }
    fn longest(&self) -> Option<Longest> {
        self.0.longest()
    }
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
    fn index(&self) -> &Index {
        self.0.index()
    }
    fn group(&self, group: GroupId) -> Result<GroupValues, LookupError> {
        match group.class == self.1 {
            true => Ok(GroupValues::default()),
            false => self.0.group(group),
        }
    }
}

/// All checksums fit, but the values are wrong.
#[test]
fn wrong_values_are_counted() {
    let folder = folder();
    let honest = solved(small());
    let is_decided = |group: &GroupId| honest.group(*group).unwrap() != GroupValues::default();
    let decided = honest.layout().all_groups().into_iter().find(is_decided).expect("not all is drawn");
    write(&Liar(solved(small()), decided.class), folder.path(), SHARD).unwrap();
    let error = read_error(folder.path(), small());
    assert!(matches!(error, TableError::Contradiction(..)), "{error}");
    fs::remove_file(folder.path().join(MANIFEST)).unwrap();
    let error = write(&*solved(small()), folder.path(), SHARD).unwrap_err();
    assert!(matches!(error, TableError::Contradiction(..)), "{error}");
}

/// Writes a file directly, as a program that is never interrupted may.
fn create(path: &Path, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<(), TableError> {
    let mut bytes = Vec::new();
    content(&mut bytes)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| TableError::Unreadable(path.into(), error))
}

/// A folder in which files are made so.
fn in_folder(folder: &Path) -> GameFolder {
    GameFolder::with(folder, create)
}

/// The files of a game's tables, without those of its parts and rounds.
fn tables_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of_tables =
        |path: &PathBuf| path.is_file() && !path.file_name().unwrap().to_str().unwrap().starts_with("part-");
    let mut files: Vec<PathBuf> = files.filter(of_tables).collect();
    files.sort();
    files
        .iter()
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap()))
        .collect()
}

/// Solving with rounds in files, in parts and in shards gives the same bytes.
#[test]
fn rounds_in_files_change_nothing() {
    let no_returns = Rules { returns: false, ..Rules::default() };
    let games = [
        game("AY", "M", Rules::default()),
        game("AY", "AY", no_returns),
        game("YT", "A", no_returns),
        game("AYM", "-", Rules { both_surrounded: BothSurrounded::Draw, ..no_returns }),
        game("-", "-", no_returns),
    ];
    for game in games {
        let (whole, expected) = (solved(game), folder());
        write(&*whole, expected.path(), SHARD).unwrap();
        let in_parts = layout(game, 0);
        let bytes = |part: &Part| part.all().map(|class| in_parts[class].bytes()).sum::<u64>();
        let largest = in_parts.parts().iter().map(bytes).max();
        // `wins`: memory for the wins, but not for all that the first rounds of the largest part find.
        // `little`: not even for the wins.
        let wins = largest.map(|bytes| bytes * 9 / 8);
        let little = Some(1 << 12);
        let kinds_of_work = [
            (u64::MAX, None, None),
            (0, Some(3), None),
            (1 << 12, Some(1), None),
            (0, None, wins),
            (0, None, little),
        ];
        for (small_bytes, shards, memory) in kinds_of_work {
            let found = folder();
            let by_parts =
                ByParts::new(layout(game, small_bytes), in_folder(found.path()), memory, Keep::Everything)
                    .unwrap();
            by_parts.solve(shards, &|_| {}).unwrap();
            by_parts.write(&|_| {}).unwrap();
            let stored = Tablebase::open_finished(found.path(), game).unwrap();
            assert_eq!(stored.solution(), whole.solution());
            let (expected, here) = (tables_of(expected.path()), tables_of(found.path()));
            let names =
                |files: &[(String, Vec<u8>)]| files.iter().map(|file| file.0.clone()).collect::<Vec<_>>();
            assert_eq!(
                names(&here),
                names(&expected),
                "{game}, {small_bytes} bytes, {shards:?} shards, {memory:?}"
            );
            for (one, other) in here.iter().zip(&expected) {
                assert!(
                    one == other,
                    "{game}, {small_bytes} bytes, {shards:?} shards, {memory:?}: {}",
                    one.0
                );
            }
            assert!(!found.path().join("rounds").exists(), "nobody needs the rounds any more");
        }
    }
}

/// A folder with more parts than the game has is of an earlier version.
#[test]
fn other_parts_are_refused() {
    let (layout, folder) =
        (|| Layout::new(game("A", "A", Rules { returns: false, ..Rules::default() })), folder());
    let beyond = in_folder(folder.path()).part(PartId(layout().parts().len()));
    fs::create_dir_all(beyond).unwrap();
    assert!(matches!(open_solved(layout(), folder.path()), Err(TableError::OtherParts(_))));
    let begun = ByParts::new(layout(), in_folder(folder.path()), None, Keep::Everything);
    assert!(matches!(begun, Err(TableError::OtherParts(_))));
}

/// Whoever finds a round is told of which part it is, and what it has found.
#[test]
fn progress_names_the_part_and_the_round() {
    let game = game("AY", "-", Rules { returns: false, ..Rules::default() });
    let folder = folder();
    let by_parts = ByParts::new(layout(game, 0), in_folder(folder.path()), None, Keep::Everything).unwrap();
    let of = by_parts.parts();
    for part in 0..of {
        for round in 0.. {
            let events = Mutex::new(Vec::new());
            let each = |event| events.lock().unwrap().push(event);
            let all = Shard { number: 0, of: 1 };
            let is_found = by_parts.find(PartId(part), round, all, &each).unwrap();
            let events = events.into_inner().unwrap();
            if !is_found {
                assert!(events.is_empty(), "part {part}, round {round}: {events:?}");
                break;
            }
            let [Event::Part { number, of: parts, round: begun }, Event::Round(found, bytes)] = events[..]
            else {
                panic!("part {part}, round {round}: {events:?}")
            };
            assert_eq!((number, parts, begun, found.number), (part, of, round, round));
            assert!(bytes > 0);
        }
    }
    let groups = Mutex::new(Vec::new());
    let each = |event| match event {
        Event::Writing { groups: all } => groups.lock().unwrap().push(all),
        event => panic!("{event:?}"),
    };
    by_parts.write(&each).unwrap();
    let groups = groups.into_inner().unwrap();
    assert!(!groups.is_empty() && groups.iter().all(|&all| all == groups.len() as u64), "{groups:?}");
}

/// Solved parts can be queried before there are tables. A part that depends on others cannot be solved before
/// them.
#[test]
fn rounds_of_solved_parts_have_values() {
    let game = game("AY", "AM", Rules { returns: false, ..Rules::default() });
    let (folder, whole) = (folder(), solved(game));
    let by_parts = ByParts::new(layout(game, 0), in_folder(folder.path()), None, Keep::Everything).unwrap();
    let all = Shard { number: 0, of: 1 };
    let find = |part, round| by_parts.find(PartId(part), round, all, &|_| {});
    assert!(open_solved(layout(game, 0), folder.path()).unwrap().is_none());
    assert!(matches!(find(1, 0), Err(TableError::Unfinished { round: 0, .. })), "the first part comes first");
    for part in 0..2 {
        for round in 0.. {
            if !find(part, round).unwrap() {
                break;
            }
            let PartId(unsolved) = by_parts.unsolved().unwrap().expect("not all is solved");
            assert!((part..=part + 1).contains(&unsolved), "part {part}, round {round}: {unsolved}");
        }
        assert!(!folder.path().join(MANIFEST).exists());
        let stored = open_solved(layout(game, 0), folder.path()).unwrap().expect("a part is solved");
        let (mut known, mut unknown) = (0, 0);
        for (board, mover) in (0..whole.places()).map(|place| whole.position(place).expect("a place")) {
            match worth(&stored, &board, mover) {
                None => unknown += 1,
                value => {
                    known += 1;
                    assert_eq!(value, worth(&*whole, &board, mover), "{board} with {mover:?} to move");
                }
            }
        }
        assert!(known > 0 && unknown > 0, "part {part}: {known} known, {unknown} not");
        stored.verify(&|| {}).unwrap();
    }
}

/// A part that has lost its last rounds is solved again before those that lead to it.
#[test]
fn a_part_without_its_last_rounds_is_solved_again() {
    let game = game("AY", "M", Rules { returns: false, ..Rules::default() });
    let (whole, folder) = (solved(game), folder());
    let by_parts = ByParts::new(layout(game, 0), in_folder(folder.path()), None, Keep::Everything).unwrap();
    by_parts.solve(None, &|_| ()).unwrap();
    let first = folder.path().join("rounds/part-000");
    for entry in fs::read_dir(&first).unwrap() {
        let path = entry.unwrap().path();
        let round: u32 = path.file_name().unwrap().to_str().unwrap()[..4].parse().unwrap();
        if round >= 2 {
            fs::remove_file(path).unwrap();
        }
    }
    assert_eq!(by_parts.unsolved().unwrap(), Some(PartId(0)));
    let found = by_parts.find(PartId(1), 2, Shard { number: 0, of: 1 }, &|_| ());
    assert!(matches!(found, Err(TableError::Unfinished { .. })), "the first part comes first");
    by_parts.solve(None, &|_| ()).unwrap();
    let stored = open_solved(layout(game, 0), folder.path()).unwrap().expect("it is solved");
    for (board, mover) in (0..whole.places()).map(|place| whole.position(place).expect("a place")) {
        assert_eq!(
            worth(&stored, &board, mover),
            worth(&*whole, &board, mover),
            "{board} with {mover:?} to move"
        );
    }
}

/// When a part has tables its rounds are removed, so no other part can be solved from them any more.
#[test]
fn a_part_is_not_solved_without_what_it_needs() {
    let game = game("AY", "M", Rules { returns: false, ..Rules::default() });
    let folder = folder();
    let begin = || ByParts::new(layout(game, 0), in_folder(folder.path()), None, Keep::Everything).unwrap();
    begin().solve(None, &|_| {}).unwrap();
    begin().write(&|_| {}).unwrap();
    for name in [MANIFEST, "part-001.json"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let error = begin().solve(None, &|_| {}).unwrap_err();
    assert!(matches!(&error, TableError::Damaged(path, _) if path == folder.path()), "{error}");
    assert!(!folder.path().join(MANIFEST).exists());
}

/// If rounds are dropped, distances stay on boards with few doves and in the sample, and who wins stays on
/// all.
#[test]
fn dropped_rounds_keep_win_draw_or_loss() {
    let no_returns = Rules { returns: false, ..Rules::default() };
    let games = [
        (game("AY", "MT", Rules::default()), 4),
        (game("AY", "AY", no_returns), 5),
        (game("YT", "A", Rules { both_surrounded: BothSurrounded::Draw, ..no_returns }), 2),
        (game("AH", "-", Rules::default()), 4),
    ];
    for (game, doves) in games {
        let whole = solved(game);
        // Wins in memory, hardly any memory, and all classes together.
        for (small_bytes, shards, memory) in
            [(0, Some(2), None), (0, None, Some(1 << 12)), (u64::MAX, Some(1), None)]
        {
            let what = format!("{game}, up to {doves} doves, {small_bytes} bytes, {memory:?}");
            let (folder, keep) = (folder(), Keep::UpTo(doves));
            let begin =
                |keep| ByParts::new(layout(game, small_bytes), in_folder(folder.path()), memory, keep);
            begin(keep).unwrap().solve(shards, &|_| {}).unwrap();
            for other in [Keep::Everything, Keep::UpTo(doves + 1)] {
                assert!(matches!(begin(other), Err(TableError::OtherKeep { .. })), "{what}: {other:?}");
            }
            let stored =
                open_solved(layout(game, small_bytes), folder.path()).unwrap().expect("all is solved");
            assert_eq!(stored.solution(), whole.solution(), "{what}");
            let plies = |longest: Option<Longest>| longest.map(|longest| longest.value);
            assert_eq!(plies(stored.longest()), plies(whole.longest()), "{what}");
            for (board, mover) in (0..whole.places()).map(|place| whole.position(place).expect("a place")) {
                let (found, expected) = (worth(&stored, &board, mover), worth(&*whole, &board, mover));
                let (found, expected) = (found.expect("a value"), expected.expect("a value"));
                if stored.knows_distances(board.doves().count() as u32) {
                    assert_eq!(found, expected, "{what}: {board}, {mover:?} to move");
                } else {
                    assert_eq!(found.name(), expected.name(), "{what}: {board}, {mover:?} to move");
                    assert_eq!(
                        found == Worth::Exact(Value::Win(1)),
                        expected == Worth::Exact(Value::Win(1)),
                        "{what}: {board}, {mover:?} to move"
                    );
                }
            }
            let sampled = stored.sampled().unwrap();
            assert_eq!(sampled.len() as u64, whole.places(), "of a small game every place is drawn");
            for (board, mover, value) in sampled {
                assert_eq!(
                    Some(Worth::Exact(value)),
                    worth(&*whole, &board, mover),
                    "{what}: {board}, {mover:?} to move"
                );
            }
            let checked = check_near(&stored, 1, &|| ()).unwrap();
            assert!(checked.places > 0, "{what}");
            let rounds = files_below(&folder.path().join("rounds"));
            let dropped = |name: &String| name.contains("-wins-") || name.contains("-losses-");
            assert!(!rounds.iter().any(dropped), "{what}: {rounds:?}");
        }
    }
}

/// Reading a round that another process has dropped says that it was dropped, not that a file is missing.
#[test]
fn dropped_rounds_are_known_to_be() {
    let game = game("AY", "MT", Rules::default());
    let folder = folder();
    let by_parts =
        ByParts::new(layout(game, u64::MAX), in_folder(folder.path()), None, Keep::UpTo(2)).unwrap();
    by_parts.solve(Some(1), &|_| {}).unwrap();
    let index = Arc::new(Index::of(layout(game, u64::MAX)));
    let [part] = index.layout.parts() else { panic!("with returns a game is one part") };
    let journal = Journal::open_existing(&GameFolder::new(folder.path()), &index, part).unwrap();
    for half in [WinOrLoss::Losses.of(2), WinOrLoss::Wins.of(3)] {
        let mut changes = Changes::of(&index.layout, []);
        let read = journal.add_to(&mut changes, half, &part.classes, u64::MAX);
        assert!(matches!(read, Err(TableError::Overtaken(_))), "{half:?}: {read:?}");
    }
}

/// The names of all files in a folder and its subfolders.
fn files_below(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => names.extend(files_below(&entry)),
            false => names.push(entry.file_name().unwrap().to_str().unwrap().to_owned()),
        }
    }
    names
}

/// Groups of wins that are at hand from an earlier round are brought up to date from the rounds that are
/// still there, whatever has been dropped.
#[test]
fn dropped_rounds_are_not_read_again() {
    let game = game("AMT", "AM", Rules::default());
    let mut solution = None;
    for memory in [1 << 12, 1 << 18, 1 << 20, 3 << 20, 1 << 23] {
        let folder = folder();
        let by_parts = ByParts::new(layout(game, 0), in_folder(folder.path()), Some(memory), Keep::UpTo(3))
            .expect("a new folder");
        by_parts.solve(Some(3), &|_| {}).unwrap_or_else(|error| panic!("{memory} bytes: {error}"));
        let stored = open_solved(layout(game, 0), folder.path()).unwrap().expect("it is solved");
        let expected = solution.get_or_insert_with(|| stored.solution().clone());
        assert_eq!(stored.solution(), expected, "{memory} bytes");
    }
}

/// Wherever a run ends, no wrong value is given, and the run that continues it comes to the same bytes.
#[test]
fn a_run_that_drops_rounds_may_end_before_any_file() {
    let no_returns = Rules { returns: false, ..Rules::default() };
    for (game, small_bytes) in [(game("T", "-", Rules::default()), u64::MAX), (game("A", "M", no_returns), 0)]
    {
        let whole = solved(game);
        for memory in [None, Some(1 << 12)] {
            let begin = |folder: GameFolder| {
                ByParts::new(layout(game, small_bytes), folder, memory, Keep::UpTo(2))
                    .expect("the same choice")
            };
            let files_of = |folder: &Path| {
                let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
                let mut folders = vec![folder.to_owned()];
                while let Some(next) = folders.pop() {
                    for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
                        match path.is_dir() {
                            true => folders.push(path),
                            false => files.push((
                                path.strip_prefix(folder).unwrap().to_owned(),
                                fs::read(&path).unwrap(),
                            )),
                        }
                    }
                }
                files.sort();
                files
            };
            let alone = folder();
            // A folder in which so many files can be made.
            let ending = |folder: &Path, left: usize| {
                let made = Arc::new(AtomicUsize::new(0));
                let counted = made.clone();
                let folder = GameFolder::with(folder, move |path, content| {
                    match counted.fetch_add(1, Ordering::Relaxed) {
                        made if made < left => create(path, content),
                        _ => Err(TableError::Missing(path.to_owned())),
                    }
                });
                (folder, made)
            };
            let (all, made) = ending(alone.path(), usize::MAX);
            begin(all).solve(None, &|_| {}).unwrap();
            let expected = files_of(alone.path());
            for end in 0..made.load(Ordering::Relaxed) {
                let what = format!("{game}, {memory:?}, ended before file {end}");
                let folder = folder();
                assert!(begin(ending(folder.path(), end).0).solve(None, &|_| {}).is_err(), "{what}");
                if let Some(stored) = open_solved(layout(game, small_bytes), folder.path()).unwrap() {
                    for (board, mover) in
                        (0..whole.places()).step_by(7).map(|place| whole.position(place).unwrap())
                    {
                        let (told, right) =
                            (worth(&stored, &board, mover), worth(&*whole, &board, mover).unwrap());
                        assert!(
                            told.is_none_or(|told| told.wdl() == right.wdl()),
                            "{what}: {board}: {told:?}"
                        );
                    }
                }
                begin(in_folder(folder.path()))
                    .solve(None, &|_| {})
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                let found = files_of(folder.path());
                let names = |files: &[(PathBuf, Vec<u8>)]| {
                    files.iter().map(|file| file.0.clone()).collect::<Vec<_>>()
                };
                assert_eq!(names(&found), names(&expected), "{what}");
                assert!(found == expected, "{what}: other bytes");
            }
        }
    }
}
