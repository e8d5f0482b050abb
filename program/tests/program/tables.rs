//! Tables of solved games as the program writes, reads and asks them.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;

use dovemate::rules::{BothSurrounded, Game, Rules};

use crate::common::folders::{Files, Folder, below};
use crate::common::program::{PROGRAM, command, died_by, interruptible, run, send};
use crate::common::wait_for;

/// The part of the output before the times.
fn result(out: &str) -> &str {
    let end = ["\nsolved on ", "\nchecked by "].iter().filter_map(|line| out.find(line)).min();
    &out[..end.expect("a line that says how")]
}

/// The files of tables in the folder of a game; those of an unfinished run have a lock beside them.
fn tables(game: &Path) -> Files {
    below(game).into_iter().filter(|(path, _)| !path.ends_with("rounds/lock")).collect()
}

#[test]
fn the_program_writes_reads_and_asks_tables() {
    let folder = Folder::new();
    let solve = "solve --kinds AY --tables deep/tables";
    let solved = folder.dovemate(solve).succeeds().out;
    assert!(solved.contains("\nsolved on ") && solved.contains("\ntables written: "), "{solved}");
    let game = folder.join("deep/tables/AY-AY-returns-mover-loses");
    let before = below(&game);
    let read = folder.dovemate(&format!("{solve} --csv a.csv --json a.json")).succeeds().out;
    assert_eq!(result(&solved), result(&read));
    assert!(read.contains("\ntables read and verified instead of solving: "), "{read}");
    assert!(!read.contains("solved on "), "{read}");
    assert_eq!(below(&game), before, "reading changes nothing");
    let json = folder.json("a.json");
    assert_eq!(json["tables"]["read"], true);
    assert_eq!(json["tables"]["files"], before.len(), "the manifest is one of them");
    assert_eq!(json["tables"]["bytes"], before.values().map(Vec::len).sum::<usize>());
    folder.dovemate("solve --kinds AY --csv b.csv").succeeds();
    assert_eq!(folder.read("a.csv"), folder.read("b.csv"));

    for question in [
        "best b;B --kinds AY",
        "best Ya;bA;-B --kinds AY --to-move green --json",
        "puzzles --plies 3 --kinds AY --count 3",
    ] {
        let with_tables = folder.dovemate(&format!("{question} --tables deep/tables")).succeeds().out;
        // The answers differ only in where a value comes from.
        let with_tables = with_tables.replace("\"tables\"", "\"solved\"").replace("the tables of ", "");
        assert_eq!(with_tables, folder.dovemate(question).succeeds().out);
    }
    // A folder named by --tables is used and not ignored: without tables of the game, the command fails.
    let others = "best b;B --kinds AM --tables deep/tables";
    folder.dovemate(others).fails(1, "has no finished tables of AM for both; it has those of --kinds AY");
    let handicap = "best b;B --red A --green - --no-return --tables nowhere";
    let makes = "`dovemate solve --red A --green - --no-return --tables nowhere` makes them";
    folder.dovemate(handicap).fails(1, makes);
    // Tables of an earlier version that say only who wins.
    fs::create_dir_all(folder.join("deep/tables/A-A-returns-mover-loses-values")).unwrap();
    let best = "best b;B --kinds A --tables deep/tables";
    let says = "-values has tables without distances, which only earlier versions read; solve the game again";
    folder.dovemate(best).fails(1, says);
}

/// The exit status says whether bytes were changed or the file is not a finished one; a missing file is made again.
#[test]
fn the_program_refuses_what_it_cannot_believe() {
    let folder = Folder::new();
    let solve = "solve --kinds A --tables tables";
    let best = "best b;B --kinds A --tables tables";
    folder.dovemate(solve).succeeds();
    let game = folder.join("tables/A-A-returns-mover-loses");
    // The file with the start, which `best` reads.
    let path = game.join("any-1-1-00000.table");
    let bytes = fs::read(&path).unwrap();
    let mut changed = bytes.clone();
    changed[50] ^= 1;
    fs::write(&path, changed).unwrap();
    folder.dovemate(solve).fails(3, "any-1-1-00000.table is damaged: a group contradicts its checksum");
    folder.dovemate("best bA;B-;a- --kinds A --tables tables").fails(3, "any-1-1");
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    folder.dovemate(solve).fails(1, "any-1-1-00000.table is damaged: it does not end as finished tables do");
    folder.dovemate(best).fails(1, "any-1-1-00000.table is damaged");
    fs::remove_file(&path).unwrap();
    folder.dovemate(best).fails(1, "has no finished tables of A for both; `dovemate solve");
    folder.dovemate(solve).ends(0);
    assert!(fs::read(&path).unwrap() == bytes, "the missing file is written again");

    let other = folder.join("tables/Y-Y-returns-mover-loses");
    fs::rename(&game, &other).unwrap();
    let question = "best b;B --kinds Y --tables tables";
    folder.dovemate(question).fails(2, "is of another game: A for both, not Y for both");
    folder.write("file", "");
    folder.dovemate("solve --kinds A --tables file").fails(1, "file/A-A-returns-mover-loses");
}

/// Advice names the options of every game that is there, whatever else lies beside it. `--tables` may also name the
/// game's own folder.
#[test]
fn advice_names_the_games_that_are_there() {
    let folder = Folder::new();
    let games = ["--kinds -", "--red A --green -", "--kinds - --no-return"];
    for game in games {
        folder.dovemate(&format!("solve --tables tables {game}")).succeeds();
    }
    folder.write("tables/.DS_Store", "");
    fs::create_dir(folder.join("tables/._A-A-returns-mover-loses")).unwrap();
    let best = "best b;B --tables";
    let there = "; it has those of --kinds -, of --red A --green -, of --kinds - --no-return";
    folder.dovemate(&format!("{best} tables")).fails(1, there);
    for game in games {
        folder.dovemate(&format!("{best} tables {game}")).succeeds();
    }
    folder.dovemate(&format!("{best} tables/none-none-returns-mover-loses --kinds -")).succeeds();
}

/// On a full disk, one line says so, nothing half-written stays, and the next run finishes the tables. Where nothing
/// can be written, the error comes before solving.
#[test]
#[cfg(unix)]
fn too_little_room() {
    let folder = Folder::new();
    let script = "ulimit -f 4; exec \"$0\" \"$@\"";
    let arguments = "solve --kinds AY --tables tables";
    let mut shell = command("sh", &folder);
    run(shell.args(["-c", script, PROGRAM]).args(arguments.split(' ')), "").fails(1, "cannot be written");
    let game = folder.join("tables/AY-AY-returns-mover-loses");
    let left = tables(&game);
    assert!(!left.is_empty(), "small files have room");
    assert!(left.keys().all(|path| path.extension().is_some_and(|kind| kind == "table")), "{left:?}");
    folder.dovemate(arguments).succeeds();
    let all = below(&game);
    assert!(left.iter().all(|(path, bytes)| all.get(path) == Some(bytes)) && all.len() > left.len());
    // File modes do not bind root.
    use std::os::unix::fs::PermissionsExt;
    let whole = folder.join("tables");
    let set_mode = |mode| fs::set_permissions(&whole, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o555);
    if fs::write(whole.join("probe"), "").is_err() {
        let solve = "solve --kinds Y --tables tables";
        folder.dovemate(solve).fails(1, "cannot be created: permission denied");
    }
    set_mode(0o755);
}

/// Ctrl-C while tables are written leaves only whole files, and the next run keeps them.
#[test]
#[cfg(unix)]
fn an_interrupt() {
    let folder = Folder::new();
    let arguments = "solve --red AYM --green AY --threads 1 --quiet --tables tables";
    let game = folder.join("tables/AYM-AY-returns-mover-loses");
    let is_table = |path: &Path| path.extension().is_some_and(|kind| kind == "table");
    let is_begun = || game.is_dir() && game.read_dir().unwrap().any(|entry| is_table(&entry.unwrap().path()));
    // It may have written everything before the signal comes; then it begins anew.
    let output = wait_for("an interrupt before the end", || {
        let mut program = interruptible(&folder);
        program.args(arguments.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = program.spawn().expect("the program starts");
        // The first file is the smallest, so all others are still to come.
        wait_for("tables", || {
            let has_ended = program.try_wait().expect("the program can be asked").is_some();
            (has_ended || is_begun()).then_some(())
        });
        send("-INT", &program);
        let output = program.wait_with_output().expect("the program ends");
        if output.status.success() {
            fs::remove_dir_all(folder.join("tables")).expect("it is there");
        }
        (!output.status.success()).then_some(output)
    });
    died_by("-INT", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "interrupted; run the same command to resume\n");
    let left = tables(&game);
    assert!(left.keys().all(|path| is_table(path)), "{:?}", left.keys());
    let out = folder.dovemate(arguments).succeeds().out;
    assert!(out.contains("\ntables written: "), "{out}");
    let all = below(&game);
    assert!(left.iter().all(|(path, bytes)| all.get(path) == Some(bytes)));
    assert!(folder.dovemate(arguments).succeeds().out.contains("\ntables read and verified"));
}

/// Ctrl-C while a game is solved in memory leaves nothing that could be resumed.
#[test]
#[cfg(unix)]
fn an_interrupt_in_memory() {
    let folder = Folder::new();
    let game = folder.join("tables/AYM-AYM-returns-mover-loses");
    // It may have begun to write tables before the signal comes; then it begins anew.
    let status = wait_for("an interrupt before tables are written", || {
        let mut program = interruptible(&folder);
        program.args("solve --kinds AYM --threads 1 --quiet --tables tables".split(' '));
        let program =
            program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
        wait_for("the folder of the game", || game.is_dir().then_some(()));
        send("-INT", &program);
        let output = program.wait_with_output().expect("the program ends");
        fs::remove_dir_all(folder.join("tables")).expect("it is there");
        (output.stderr == b"interrupted\n").then_some(output.status)
    });
    died_by("-INT", status);
}

#[test]
fn the_program_writes_the_table_of_the_library() {
    let folder = Folder::new();
    let sets = "--red AT --green h --no-return --both-surrounded draw";
    let exports = "solve --quiet --csv fast.csv --json fast.json";
    folder.dovemate(&format!("{exports} {sets}")).succeeds().says("red to move … the start, green to move: ");
    let rules = Rules { returns: false, both_surrounded: BothSurrounded::Draw };
    let game = Game { red: "AT".parse().unwrap(), green: "H".parse().unwrap(), rules };
    let mut expected = Vec::new();
    dovemate_solver::solve(game).unwrap().solution().write_csv(&mut expected).unwrap();
    assert_eq!(folder.read("fast.csv").as_bytes(), expected);
    let document = folder.json("fast.json");
    assert_eq!(document["format"], 2);
    assert_eq!((&document["red"], &document["green"]), (&"BAT".into(), &"BH".into()));
    let sum = |field: &str| {
        document["rows"].as_array().unwrap().iter().map(|row| row[field].as_u64().unwrap()).sum()
    };
    assert_eq!(document["positions"].as_u64(), Some(sum("positions")));
    let line = document["longest"]["line"].as_array().unwrap().len() as u64;
    assert_eq!(document["longest"]["plies"].as_u64(), Some(line));
}

/// Positions are listed by value, from tables or a game that is solved on the spot, and as many as are counted first.
#[test]
fn positions_are_listed_by_value() {
    let folder = Folder::new();
    folder.dovemate("solve --kinds AY --tables tables --quiet").succeeds();
    for (value, number) in [("win in 5", 174), ("lose", 180), ("draw", 280_600)] {
        let list = format!("list --kinds AY --value '{value}'");
        let on_the_spot = folder.dovemate(&list).ends(0);
        let stored = folder.dovemate(&format!("{list} --tables tables")).ends(0);
        assert!(on_the_spot.out == stored.out && on_the_spot.err == stored.err, "{value}");
        assert_eq!(on_the_spot.out.lines().count(), number, "{value}: {}", on_the_spot.err);
        assert!(on_the_spot.err.ends_with(&format!(" the value {value}\n")), "{}", on_the_spot.err);
    }
    let none = folder.dovemate("list --kinds A --value draw --keeping 100").ends(0).err;
    assert!(
        none.ends_with("there are no positions with the value draw and --keeping 100 with 2 to 4 doves\n"),
        "{none}"
    );
    // A single action keeps the draw.
    let out = folder
        .dovemate("list --kinds AY --value draw --keeping 1 --doves 5 --limit 3 --quiet")
        .succeeds()
        .out;
    assert_eq!(out.lines().count(), 3, "{out}");
    for board in out.lines() {
        let answer = folder.dovemate(&format!("best {board} --kinds AY --json")).succeeds().json();
        let actions = answer["actions"].as_array().expect("a list").iter();
        let keep =
            actions.filter(|action| action["value"] == "draw").map(|action| action["code"].to_string());
        assert_eq!(keep.collect::<std::collections::BTreeSet<_>>().len(), 1, "{board}");
    }
    // If the players have different doves, the rows also say who is to move.
    let uneven = "list --red T --green - --value 'lose in 8' --format csv --quiet";
    let csv = folder.dovemate(uneven).succeeds().out;
    assert!(csv.starts_with("doves,board,code,to_move,value,plies\n2,\"bB--;"), "{csv}");
    assert_eq!(csv.matches(",green,lose,8\n").count(), 5, "{csv}");
}
