//! Solved games in files: whatever is kept, in however many files, with whatever memory and interrupted
//! anywhere, the values are those found in memory, and tables have the same bytes.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::Longest;
use crate::Wdl;
use crate::check::{CheckError, check};
use crate::files::game_folder::{GameFolder, MANIFEST, folder_name};
use crate::files::lock::{Access, FolderLock};
use crate::files::part_folder::Keep;
use crate::files::parts::{Part, Parts, divided};
use crate::files::shard::Shard;
use crate::files::tables::tablebase::Tablebase;
use crate::files::tables::writer::{self, MAX_FILE_BYTES};
use crate::in_files::by_parts::{ByParts, Event};
use crate::solved::{Solved, TableError};
use crate::space::layout::Layout;
use crate::testing::folders::{Files, below};
use crate::testing::{cases, game, solve, within, worth};
use crate::{Lookup, Worth};
use dovemate::Limits;
use dovemate::rules::{Board, BothSurrounded, Color, Game, Rules};
use tempfile::TempDir;

const NO_RETURNS: Rules = Rules { returns: false, both_surrounded: BothSurrounded::MoverLoses };
const DRAWN: Rules = Rules { returns: false, both_surrounded: BothSurrounded::Draw };
/// Less memory than any game takes: everything stays in files.
const LITTLE: Option<u64> = Some(1 << 12);

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

fn solved(game: Game) -> Box<dyn Solved> {
    solve(game, &|_| {})
}

/// Writes a file directly, as a program that is never interrupted may.
fn create(path: &Path, content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<(), TableError> {
    let mut bytes = Vec::new();
    content(&mut bytes)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| TableError::Unreadable(path.into(), error))
}

/// A folder in which only `left` files can be made, and a counter of the files requested.
fn ending(folder: &Path, left: usize) -> (GameFolder, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    let counted = made.clone();
    let folder =
        GameFolder::with(folder, move |path, content| match counted.fetch_add(1, Ordering::Relaxed) {
            made if made < left => create(path, content),
            _ => Err(TableError::Missing(path.to_owned())),
        });
    (folder, made)
}

/// A game that is solved in files, divided into parts by `small_bytes`.
fn begin(game: Game, small_bytes: u64, folder: &Path, memory: Option<u64>, keep: Keep) -> ByParts {
    let parts =
        Parts::new(game, small_bytes, ending(folder, usize::MAX).0).expect("a folder of the same parts");
    ByParts::with(parts, within(memory), keep).expect("a folder of the same choice")
}

fn open(game: Game, small_bytes: u64, folder: &Path) -> Option<Tablebase> {
    let parts = Parts::new(game, small_bytes, GameFolder::new(folder)).expect("a folder of the same parts");
    Tablebase::of_parts(&parts).expect("whole files")
}

fn places(solved: &dyn Solved) -> impl Iterator<Item = (Board, Color)> {
    (0..solved.places()).map(|place| solved.position(place).expect("a place of the game"))
}

/// Every position of small games, even and handicap, in any number of files.
#[test]
fn values_read_are_those_solved() {
    let mut max_files = 0;
    for game in [
        game("-", "-", Rules::default()),
        game("AY", "AY", Rules::default()),
        game("M", "M", NO_RETURNS),
        game("AT", "H", DRAWN),
        game("-", "AY", Rules::default()),
    ] {
        let solved = solved(game);
        for max_bytes in [MAX_FILE_BYTES, 1000] {
            let folder = folder();
            writer::write(&*solved, &GameFolder::new(folder.path()), max_bytes, &|| {})
                .expect("an empty folder");
            let stored = Tablebase::open_finished(folder.path(), game).expect("whole tables");
            stored.verify(&|| {}).expect("whole tables");
            assert_eq!(stored.files.len(), below(folder.path()).len() - 1);
            max_files = max_files.max(stored.files.len());
            assert_eq!(stored.solution(), solved.solution());
            assert_eq!((stored.rounds(), stored.places()), (solved.rounds(), solved.places()));
            let longest = |longest: Longest| (longest.board, longest.mover, longest.value);
            assert_eq!(stored.longest().map(longest), solved.longest().map(longest));
            for (board, mover) in places(&*solved) {
                assert_eq!(worth(&stored, &board, mover), worth(&*solved, &board, mover), "{board}, {mover}");
            }
            let stranger: Board = "bH;B-".parse().unwrap();
            assert_eq!(worth(&stored, &stranger, Color::Red), worth(&*solved, &stranger, Color::Red));
            let is_same = |group| stored.group(group).unwrap() == solved.group(group).unwrap();
            assert!(solved.layout().all_groups().into_iter().all(is_same));
        }
    }
    assert!(max_files > 10, "{max_files} files");
    assert_eq!(folder_name(&game("AYM", "MAY", Rules::default())), "AYM-AYM-returns-mover-loses");
    assert_eq!(folder_name(&game("-", "TH", DRAWN)), "none-TH-no-returns-draw");
}

/// Solving with rounds in files, in parts and in shards gives the same bytes; the wins alone say who wins.
#[test]
fn rounds_in_files_change_nothing() {
    let games = [
        game("AY", "M", Rules::default()),
        game("AY", "AY", NO_RETURNS),
        game("YT", "A", NO_RETURNS),
        game("AYM", "-", DRAWN),
        game("-", "-", NO_RETURNS),
    ];
    for (number, game) in games.into_iter().enumerate() {
        let (whole, expected) = (solved(game), folder());
        writer::write(&*whole, &GameFolder::new(expected.path()), MAX_FILE_BYTES, &|| {}).unwrap();
        let layout = Layout::new(game);
        let bytes = |part: &Part| part.all().map(|class| layout[class].bytes()).sum::<u64>();
        // Enough for the wins, but not for all that the first rounds of the largest part find.
        let wins = divided(&layout, 0).iter().map(bytes).max().map(|bytes| bytes * 9 / 8);
        let ways = [
            (u64::MAX, None, None),
            (0, Some(3), None),
            (1 << 12, Some(1), None),
            (0, None, wins),
            (0, None, LITTLE),
        ];
        // Each game in one way, a different one each time; the smallest game, or with `cases` each game, in all ways.
        let of_game = if whole.places() < 1_000 { ways.len() } else { cases(1, ways.len()) };
        let ways = ways.into_iter().cycle().skip(number).take(of_game);
        for (small_bytes, shards, memory) in ways {
            let what = format!("{game}, {small_bytes} bytes, {shards:?} shards, {memory:?}");
            let found = folder();
            let by_parts = begin(game, small_bytes, found.path(), memory, Keep::Rounds);
            by_parts.solve_in_shards(shards, &|_| {}).unwrap();
            by_parts.write(&|_| {}).unwrap();
            let is_table =
                |path: &Path| path.ends_with(MANIFEST) || path.extension() == Some("table".as_ref());
            let tables: Files = below(found.path()).into_iter().filter(|(path, _)| is_table(path)).collect();
            assert!(tables == below(expected.path()), "{what}");

            let found = folder();
            begin(game, small_bytes, found.path(), memory, Keep::Wins)
                .solve_in_shards(shards, &|_| {})
                .unwrap();
            let stored = open(game, small_bytes, found.path()).expect("it is solved");
            stored.verify(&|| {}).unwrap();
            assert!(!stored.knows_all() && stored.keeps(Keep::Wins).unwrap(), "{what}");
            assert_eq!(stored.solution(), whole.solution(), "{what}");
            for (board, mover) in places(&*whole).step_by(cases(7, 1)) {
                let [found, right] =
                    [worth(&stored, &board, mover), worth(&*whole, &board, mover)].map(Option::unwrap);
                assert_eq!(found.name(), right.name(), "{what}: {board}");
                assert!(!found.is_exact() || found == right, "{what}: {board}");
            }
            assert!(check(&stored, 1, &|| ()).unwrap().places > 0, "{what}");
        }
    }
}

/// Positions in solved parts can be probed before there are tables; those in other parts are unknown. A part that
/// depends on others is not solved before them. A share reports its part and its round.
#[test]
fn parts_are_solved_one_after_the_other() {
    let game = game("AY", "AM", NO_RETURNS);
    let (folder, whole) = (folder(), solved(game));
    let by_parts = begin(game, 0, folder.path(), None, Keep::Rounds);
    let all = Shard { number: 0, of: 1 };
    assert!(open(game, 0, folder.path()).is_none());
    let early = by_parts.share(1, 0, all, &|_| {});
    assert!(matches!(early, Err(TableError::Unfinished { round: 0, .. })), "the first part comes first");
    for part in 0..by_parts.parts() {
        assert_eq!(by_parts.unsolved().unwrap(), Some(part));
        let early = by_parts.write(&|_| {});
        assert!(matches!(early, Err(TableError::Missing(_))), "other parts need the rounds of this one");
        for round in 0.. {
            let events = Mutex::new(Vec::new());
            let on_event = |event| events.lock().unwrap().push(event);
            if !by_parts.share(part, round, all, &on_event).unwrap() {
                break;
            }
            let early = by_parts.share(part, round + 2, all, &|_| {});
            assert!(!matches!(early, Ok(true)), "a round depends on those before");
            let events = events.into_inner().unwrap();
            let [Event::Part { number, of, round: begun }, Event::Round(found, bytes)] = events[..] else {
                panic!("part {part}, round {round}: {events:?}")
            };
            assert_eq!((number, of, begun, found.number), (part, by_parts.parts(), round, round));
            assert!(bytes > 0 && by_parts.share(part, round, all, &|_| ()).is_ok(), "it is done");
        }
        let stored = open(game, 0, folder.path()).expect("a part is solved");
        stored.verify(&|| {}).unwrap();
        let mut unknown = 0;
        for (board, mover) in places(&*whole).step_by(cases(7, 1)) {
            match worth(&stored, &board, mover) {
                None => unknown += 1,
                value => assert_eq!(value, worth(&*whole, &board, mover), "{board} with {mover} to move"),
            }
        }
        assert_eq!(unknown == 0, part + 1 == by_parts.parts(), "part {part}: {unknown} not known");
        // The sample may have no unknown position.
        let checked = check(&stored, 1, &|| ());
        assert!(
            checked.is_ok() || unknown > 0 && matches!(checked, Err(CheckError::Unread(_))),
            "{checked:?}"
        );
    }
    let groups = Mutex::new(Vec::new());
    let on_event = |event| match event {
        Event::Writing { groups: all } => groups.lock().unwrap().push(all),
        event => panic!("{event:?}"),
    };
    by_parts.write(&on_event).unwrap();
    let groups = groups.into_inner().unwrap();
    assert!(!groups.is_empty() && groups.iter().all(|&all| all == groups.len() as u64), "{groups:?}");
    // A part whose tables are gone needs the rounds of others, which are gone, too.
    for name in [MANIFEST, "part-001.json"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let error = begin(game, 0, folder.path(), None, Keep::Rounds).solve(&|_| {}).unwrap_err();
    assert!(matches!(&error, TableError::Damaged(path, _) if path == folder.path()), "{error}");
}

/// A run begun with another choice of what to keep, or by an earlier version, is refused.
#[test]
fn other_folders_are_refused() {
    let game = game("A", "A", NO_RETURNS);
    let parts = |folder: &Path| Parts::new(game, 0, GameFolder::new(folder));
    let begin = |folder: &Path, keep| ByParts::with(parts(folder)?, Limits::default(), keep);
    let open = |folder: &Path| Tablebase::of_parts(&parts(folder)?);
    for (keep, other) in [(Keep::Rounds, Keep::Wins), (Keep::Wins, Keep::Rounds)] {
        let folder = folder();
        let by_parts = begin(folder.path(), keep).unwrap();
        by_parts.share(0, 0, Shard { number: 0, of: 1 }, &|_| {}).unwrap();
        let continued = |keep| begin(folder.path(), keep);
        assert!(matches!(continued(other), Err(TableError::OtherKeep { .. })));
        continued(keep).unwrap().solve(&|_| {}).unwrap();
        assert!(matches!(continued(other), Err(TableError::OtherKeep { .. })));
        // More parts than the game has.
        let beyond = GameFolder::new(folder.path()).part(divided(&Layout::new(game), 0).len());
        fs::create_dir_all(beyond).unwrap();
        assert!(matches!(open(folder.path()), Err(TableError::OtherParts(_))));
        assert!(matches!(continued(keep), Err(TableError::OtherParts(_))));
    }
    // Rounds in a format that is no longer read.
    let folder = folder();
    let part = GameFolder::new(folder.path()).part(0);
    fs::create_dir_all(&part).unwrap();
    fs::write(part.join("0000.json"), "{\"blake3\": \"\", \"format\": 5}\n").unwrap();
    let begun = [Keep::Rounds, Keep::Wins].map(|keep| begin(folder.path(), keep).err());
    for error in begun.into_iter().chain([open(folder.path()).err()]) {
        let error = error.expect("it is refused").to_string();
        assert!(error.contains("0000.json has format 5, which this version no longer reads"), "{error}");
        assert!(error.contains("and solve again"), "{error}");
    }
}

/// One process solves a game in a folder, or several do shares; a process that ends releases it.
#[test]
fn one_process_drives_a_folder() {
    let folder = folder();
    let lock = |role, owner| FolderLock::new(folder.path(), role, owner);
    let driver = lock(Access::Alone, "process 1 on a").unwrap();
    for access in [Access::Alone, Access::Shared] {
        let refused = lock(access, "process 2 on b").unwrap_err().to_string();
        assert!(refused.contains(" is being solved by process 1 on a; "), "{refused}");
    }
    drop(driver);
    let shares = [lock(Access::Shared, "process 3").unwrap(), lock(Access::Shared, "process 4").unwrap()];
    assert!(lock(Access::Alone, "process 5").unwrap_err().to_string().contains("process 4"));
    drop(shares);
    lock(Access::Alone, "process 6").unwrap();
}

/// Wherever a run ends, no wrong value is given, and the run that continues it makes the same bytes.
#[test]
fn a_run_may_end_before_any_file() {
    let games = [(game("T", "-", Rules::default()), u64::MAX), (game("A", "M", NO_RETURNS), 0)];
    let kinds = [(Keep::Rounds, None), (Keep::Rounds, LITTLE), (Keep::Wins, None), (Keep::Wins, LITTLE)];
    let games = games.map(|(game, small_bytes)| (game, small_bytes, solved(game)));
    // By default every sixteenth file, beginning with a different one in each case.
    let step = cases(16, 1);
    let all = games.iter().flat_map(|game| kinds.map(|kind| (game, kind)));
    for (number, (&(game, small_bytes, ref whole), (keep, memory))) in all.enumerate() {
        let run = |folder: GameFolder| {
            let game = ByParts::with(Parts::new(game, small_bytes, folder)?, within(memory), keep)?;
            game.solve(&|_| {})?;
            if keep == Keep::Rounds { game.write(&|_| {}) } else { Ok(()) }
        };
        let alone = folder();
        let (all, made) = ending(alone.path(), usize::MAX);
        run(all).unwrap();
        for end in (number % step..made.load(Ordering::Relaxed)).step_by(step) {
            let what = format!("{game}, {keep:?}, {memory:?}, ended before file {end}");
            let folder = folder();
            assert!(run(ending(folder.path(), end).0).is_err(), "{what}");
            if let Some(stored) = open(game, small_bytes, folder.path()) {
                for (board, mover) in places(&**whole).step_by(7) {
                    let wdl = |worth: Option<Worth>| worth.and_then(|worth| worth.wdl());
                    let [found, right]: [Option<Wdl>; 2] =
                        [wdl(worth(&stored, &board, mover)), wdl(worth(&**whole, &board, mover))];
                    assert!(found.is_none() || found == right, "{what}: {board}: {found:?}");
                }
            }
            run(ending(folder.path(), usize::MAX).0).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(below(folder.path()) == below(alone.path()), "{what}: other bytes");
        }
    }
}
