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
        ("count --threads 0", 2, "write a whole number from 1 to 1024"),
        ("count --doves 13", 2, "write one number from 2 to 12"),
        ("count --kinds X", 2, "write letters of A Y M T H"),
        ("count --csv none/x.csv", 1, "there is no folder"),
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
        ("play --load none.txt", 1, no_file),
        ("play --load newer.txt", 1, "it reads 'Tokyo Doves game, format 1'"),
        ("play --load other.txt", 1, "a game begins with 'Tokyo Doves game, format 1'"),
        ("play --seed x", 2, "write a whole number from 0 to"),
        ("puzzles --plies 3 --kinds AY --doves 2..7", 2, "--doves 2..7: in this game there are at most 6 doves"),
        ("show --game other.txt --limit 2", 2, "'--limit <K>'"),
        ("show b;B --quiet", 2, "'--quiet'"),
        ("show --game other.txt --page ./other.txt", 2, "--game and --page name the same file"),
        ("verify --full --what wins", 2, "'--what <WHAT>'"),
        ("solve --kinds A --tables t --share 0:1/2 --csv c.csv", 2, "'--share <[P:]R:I/N>'"),
        ("solve --kinds A --share 0:1/2", 2, "--tables <DIR>"),
        ("solve --kinds A --distances 3", 2, "name a folder for them with --tables DIR"),
        ("solve --kinds A --values-only", 2, "--values-only is now --distances none"),
        ("solve --kinds AYM --distances none --memory 0.01 --tables t", 2, " of memory, but --memory allows 0.010 GB;"),
        ("solve --memory x", 2, "as in 8 or 0.5"),
        ("solve --memory 0.000001", 2, "--memory allows 1,000 bytes; allow more, or take fewer kinds"),
        (
            "solve --kinds AYMTH --memory 4 --backend gpu --tables t",
            2,
            "; with --backend cpu and --tables DIR it is solved in files",
        ),
        (
            "solve --kinds A --tables t --distances 9",
            2,
            "have 2 to 4 doves, bosses included; write one of these numbers",
        ),
        ("solve --kinds A --tables t --share 2:1:1/2", 2, "one part only; leave the part out"),
        ("solve --kinds A --tables t --share 1:3/2", 2, "as in 7:2/8"),
        #[cfg(feature = "packaging")]
        ("man nothing", 2, "there are count"),
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let ran = dovemate_in(folder.path(), &arguments, "");
        assert_eq!(ran.status, status, "{command}: {}", ran.err);
        assert!(ran.err.contains(words) && ran.out.is_empty(), "{command}: {}", ran.err);
        assert!(ran.err.lines().count() == 1 || ran.err.contains("--help"), "{command}: {}", ran.err);
        assert!(!ran.err.contains("os error") && !ran.err.contains("panicked"), "{command}: {}", ran.err);
    }
}
