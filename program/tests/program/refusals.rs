//! Refusals say what is wrong and what would be right, in one line.

use crate::common::program::dovemate_in;

#[test]
fn refusals_say_what_would_be_right() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("newer.txt", "Tokyo Doves game, format 2\n");
    write("other.txt", "hello\n");
    let no_file = "there is no such file";
    for (command, status, words) in [
        ("cuont", 2, "'count'"),
        ("count --threads 0", 2, "write a whole number from 1 to "),
        ("solve --kinds A --threads 100000", 2, "; this machine has "),
        ("count --doves 13", 2, "write one number from 2 to 12"),
        ("count --kinds X", 2, "write letters of A Y M T H"),
        ("count --csv none/x.csv", 1, "the folder none does not exist"),
        ("count --csv .", 1, "it is a folder"),
        ("list --sample x", 2, "write a whole number from 1 to 10000000"),
        ("list --sample 2 --seed -", 2, "write a whole number from 0 to"),
        ("show zz", 2, "doves are B A Y M T H (red) and b a y m t h (green)"),
        ("show 0c0040000000000", 2, "should have 16"),
        ("show --tdl none.tdl", 1, no_file),
        ("best b;B --depth 0", 2, "write a whole number from 1 to 200"),
        ("best b;B --seconds 0", 2, "write a number above 0, as in 10 or 0.5"),
        ("best b;BT --kinds A", 2, "name every kind on the board"),
        ("best b;B --kinds AYM --tables none", 1, "`dovemate solve --kinds AYM --tables none` makes them"),
        ("puzzles --plies 2", 2, "write an odd number from 1 to 99"),
        ("puzzles --plies 3 --count 0", 2, "write a whole number from 1 to 100000"),
        ("show --game none.txt", 1, no_file),
        ("show --game newer.txt", 1, "it reads 'Tokyo Doves game, format 1'"),
        ("show --game other.txt", 1, "a game begins with 'Tokyo Doves game, format 1'"),
        ("play --seed x", 2, "write a whole number from 0 to"),
        ("puzzles --plies 3 --kinds AY --doves 2..7", 2, "--doves goes up to 7, but with these dove sets"),
        ("show --game other.txt --limit 2", 2, "'--limit <K>'"),
        ("show b;B --quiet", 2, "'--quiet'"),
        ("puzzles --plies 3 --csv other.txt -o ./other.txt", 2, "--csv and -o name the same file"),
        ("solve --kinds A --tables t --share 0:1/2 --csv c.csv", 2, "'--share <[P:]R:I/N>'"),
        ("solve --kinds A --share 0:1/2", 2, "--tables <DIR>"),
        ("solve --kinds A --keep wins", 2, "--tables <DIR>"),
        ("solve --kinds AYM --keep none", 2, "possible values: tables, rounds, wins"),
        ("solve --kinds AYM --memory 0.01 --tables t", 2, " of memory, but --memory allows 0.010 GB;"),
        ("solve --memory x", 2, "as in 8 or 0.5"),
        ("solve --memory 0.000001", 2, "--memory allows 1,000 bytes; allow more, or take fewer kinds"),
        ("solve --kinds A --tables t --share 2:1:1/2", 2, "there is no part 2; this game has 1 part"),
        ("solve --kinds A --tables t --share 1:3/2", 2, "as in 7:2/8"),
        #[cfg(feature = "packaging")]
        ("man nothing", 2, "the commands are count"),
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let ran = dovemate_in(folder.path(), &arguments, "");
        assert_eq!(ran.status, status, "{command}: {}", ran.err);
        assert!(ran.err.contains(words) && ran.out.is_empty(), "{command}: {}", ran.err);
        assert!(ran.err.lines().count() == 1 || ran.err.contains("--help"), "{command}: {}", ran.err);
        assert!(!ran.err.contains("os error") && !ran.err.contains("panicked"), "{command}: {}", ran.err);
    }
}

/// What is longer than a limit is refused by name, and never read in part; what has just the limit's length
/// is read.
#[test]
fn a_limit_refuses_and_never_cuts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.txt");
    let title = "Tokyo Doves game, format 1\n";
    for more in ["#", "\n", " "] {
        // The action comes last: a part of the file would be another game.
        let filled = |length: usize| {
            let middle = more.repeat(length - title.len() - "\n1. +AS1\n".len());
            format!("{title}{middle}\n1. +AS1\n")
        };
        std::fs::write(&path, filled(1 << 20)).expect("a write");
        let read = dovemate_in(folder.path(), &["show", "--game", "game.txt"], "");
        assert_eq!(read.status, 0, "{}", read.err);
        assert!(read.out.contains("1. red +AS1"), "{}", read.out);
        std::fs::write(&path, filled((1 << 20) + 1)).expect("a write");
        let read = dovemate_in(folder.path(), &["show", "--game", "game.txt"], "");
        let why = "game.txt cannot be read: it has more than 1,048,576 bytes";
        assert!(read.status == 1 && read.out.is_empty() && read.err.contains(why), "{}", read.err);
    }
    for filling in [" ", "-", "é"] {
        let line = |bytes: usize| filling.repeat(bytes.div_ceil(filling.len())) + "\n";
        for (text, refused) in [(line(4096), false), (line(4098), true), (line(4096 * 3), true)] {
            for before in ["", "b;B\n"] {
                let shown = dovemate_in(folder.path(), &["show"], &format!("{before}{text}b;B\n"));
                let number = format!("line {}: it has more than 4,096 bytes", 1 + before.lines().count());
                assert_eq!(shown.err.contains(&number), refused, "{} bytes: {}", text.len(), shown.err);
                assert!(refused || filling == " " || shown.status == 2, "{}", shown.err);
            }
            let played = dovemate_in(folder.path(), &["play", "--kinds", "A"], &(text + "moves\nquit\n"));
            assert_eq!(played.out.contains("that line is too long"), refused, "{}", played.out);
            assert!(
                played.out.contains("no action has been taken yet"),
                "the next line is read: {}",
                played.out
            );
        }
    }
}
