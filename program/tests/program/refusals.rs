//! Refusals say what is wrong and what would be right, in one line, and leave everything as it was.

use crate::common::folders::Folder;
use crate::common::program::{dovemate_reading, has};

/// A command, its exit status, and what is said; `…` stands for anything.
const REFUSED: &[(&str, i32, &str)] = &[
    ("cuont", 2, "'count'"),
    ("count --doves 1..12", 2, "there are never 1 doves on the board"),
    ("count --doves 13", 2, "there are never 13 doves on the board … write one number from 2 to 12"),
    ("count --doves 5..3", 2, "the range is empty; write 3..5"),
    ("count --doves x", 2, "'x' is not a valid number of doves"),
    ("count --doves 3..", 2, "'' is not a valid number of doves"),
    ("count --doves ''", 2, "'' is not a valid number of doves"),
    ("count --doves -3", 2, "'-3'"),
    ("count --backend cuda", 2, "'cuda'"),
    ("count --method guessing", 2, "'guessing'"),
    ("count --both-surrounded nobody", 2, "'nobody'"),
    ("count --threads 0", 2, "'0' … write a whole number from 1 to "),
    ("count --threads many", 2, "'many'"),
    ("count --frobnicate", 2, "'--frobnicate'"),
    ("count --adapter 99", 2, "no adapter matches '99'"),
    ("count --adapter 'no such adapter'", 2, "no adapter matches 'no such adapter'"),
    ("count --backend cpu --adapter 0", 2, "--backend cpu uses no adapter"),
    ("count --csv out.csv --json out.csv", 2, "--csv and --json name the same file"),
    ("count --csv out.csv --json ./out.csv", 2, "--csv and --json name the same file"),
    ("count --kinds X", 2, "write letters of A Y M T H"),
    ("count --kinds AY --doves 2..9", 2, "at most 6 doves"),
    ("count --kinds AY --doves 7", 2, "at most 6 doves"),
    ("count --kinds AY --backend gpu", 2, "on the CPU only"),
    ("count --kinds AY --adapter 0", 2, "on the CPU only"),
    ("count --red AY", 2, "--green"),
    ("count --kinds AYA", 2, "named twice"),
    ("count --with-run", 2, "--csv"),
    ("count --doves 4 --csv none/x.csv", 1, "none/x.csv cannot be written … the folder none does not exist"),
    ("count --doves 4 --json none/x.json", 1, "none/x.json cannot be written"),
    ("count --doves 4 --csv .", 1, "it is a folder"),
    ("count --doves 4 --csv sub", 1, "sub cannot be written: it is a folder"),
    ("count --doves 4 --json sub", 1, "sub cannot be written: it is a folder"),
    // The first file is already open when the second one fails.
    ("count --doves 4 --csv earlier.csv --json sub", 1, "sub cannot be written: it is a folder"),
    ("count --doves 4 --csv new.csv --json none/x.json", 1, "none/x.json cannot be written"),
    ("list --sample x", 2, "write a whole number from 1 to 10000000"),
    ("list --sample 2 --seed -", 2, "write a whole number from 0 to"),
    ("list --doves 6 --sample 14311", 2, "there are only 14,310 mates with 6 doves"),
    ("list --doves 3 --what wins --sample 1", 2, "there are no wins in one with 3 doves"),
    ("list --limit 1 --seed 3", 2, "--seed"),
    ("list --shape x", 2, "it has 1 cell with"),
    ("list --shape xx;-q", 2, "row 2, column 2: 'q' is not a cell"),
    ("list --shape x-x", 2, "--shape 'x-x' … isolated"),
    ("list --shape 'x\nx' --doves 3", 2, "'x\\nx' has 2 doves"),
    ("list --shape xx --doves 6", 2, "2 doves … --doves"),
    ("list --doves 6 -o no-such-folder/x", 1, "no-such-folder"),
    ("list --kinds A", 2, "--value"),
    ("list --keeping 1", 2, "--value"),
    ("list --value draw", 2, "`dovemate solve --kinds AYMTH --tables DIR`"),
    ("list --red T --green - --value 'lose in 8'", 2, "does not show who is to move"),
    ("show zz", 2, "doves are B A Y M T H (red) and b a y m t h (green)"),
    ("show 0c0040000000000", 2, "should have 16"),
    ("show b;B --limit 3", 2, "--limit"),
    ("show b;B --quiet", 2, "'--quiet'"),
    ("show --tdl none.tdl", 1, "there is no such file"),
    ("show --tdl x --action BW1", 2, "cannot be used with '--action"),
    ("show --game none.txt", 1, "there is no such file"),
    ("show --game newer.txt", 1, "it reads 'Tokyo Doves game, format 1'"),
    ("show --game other.txt", 1, "a game begins with 'Tokyo Doves game, format 1'"),
    ("show --game other.txt --limit 2", 2, "'--limit <K>'"),
    ("svg b;B --action BS3", 2, "--action BS3: red has no such legal action"),
    ("svg b;B --action bN2", 2, "red's turn"),
    ("svg b;B --action xyz", 2, "is not a valid action"),
    ("svg b;B --caption 'a\nb'", 2, "--caption"),
    ("svg b;B --caption \u{ffff}", 2, "--caption"),
    ("svg b;B -o .", 1, "folder"),
    ("best b-;--;-B", 2, "isolated"),
    ("best --red A --green - --action TS1", 2, "'T' is not in this game of A for red, - for green"),
    ("best -a-;YBy;-Mb", 2, "red boss is surrounded … over"),
    ("best bA;B- --kinds T", 2, "'A' is not in this game"),
    ("best b;BT --kinds A", 2, "name every kind on the board"),
    ("best b;B --depth 0", 2, "--depth … write a whole number from 1 to 200"),
    ("best b;B --depth 1000", 2, "200"),
    ("best b;B --seconds -1", 2, "--seconds"),
    ("best b;B --seconds 0", 2, "write a number above 0, as in 10 or 0.5"),
    ("best b;B --seconds soon", 2, "number above 0"),
    ("best b;B --red A", 2, "--green"),
    ("best b;B --kinds AYM --tables none", 1, "`dovemate solve --kinds AYM --tables none` makes them"),
    ("best --kinds A --action +YS1", 2, "'Y' is not in this game of A for both"),
    ("puzzles --plies 2", 2, "write an odd number from 1 to 99"),
    ("puzzles --plies 3 --count 0", 2, "write a whole number from 1 to 100000"),
    ("puzzles --plies 3 --kinds A --doves 7", 2, "at most 4 doves"),
    ("puzzles --plies 3 --kinds AY --doves 2..7", 2, "--doves goes up to 7, but with these dove sets"),
    ("puzzles --plies 3 --csv other.txt -o ./other.txt", 2, "--csv and -o name the same file"),
    ("puzzles --plies 1 --kinds - --quiet", 1, "is a win in 1 ply;"),
    // By the values, these puzzles do not exist, so none is searched for.
    ("puzzles --plies 3 --kinds - --quiet", 1, "is a win in 3 plies"),
    ("puzzles --plies 99 --kinds AY --quiet", 1, "no position with 2 to 6 doves is a win in 99 plies"),
    ("puzzles --plies 3 --doves 2 --quiet", 1, "no position with 2 doves is a win in 3 plies"),
    ("play --board -a-;YBy;-Mb", 2, "over"),
    ("play --seed x", 2, "write a whole number from 0 to"),
    ("play --level champion", 2, "champion … beginner, novice, club, strongest"),
    ("openings --value 'win in five'", 2, "'win in five' is not a value"),
    ("solve --kinds AQ", 2, "'Q' is not a kind"),
    ("solve --kinds AA", 2, "named twice"),
    ("solve --red A", 2, "--green"),
    ("solve --kinds A --red A --green -", 2, "cannot be used with"),
    ("solve --kinds AYMTH", 2, "of memory"),
    ("solve --kinds AYM --memory 0.001", 2, "--memory allows"),
    ("solve --kinds AYM --memory 0.01 --tables t", 2, " of memory, but --memory allows 0.010 GB;"),
    ("solve --kinds A --memory 0.0000001", 2, " of memory, but --memory allows 100 bytes"),
    ("solve --memory 0.000001", 2, "--memory allows 1,000 bytes; allow more, or take fewer kinds"),
    ("solve --memory x", 2, "as in 8 or 0.5"),
    ("solve --memory inf", 2, "--memory … above 0 and below 1,000,000,000"),
    ("solve --kinds A --threads 100000", 2, "; this machine has "),
    ("solve --kinds A --share 0:1/2", 2, "--tables <DIR>"),
    ("solve --kinds A --keep wins", 2, "--tables <DIR>"),
    ("solve --kinds AYM --keep none", 2, "possible values: tables, rounds, wins"),
    ("solve --kinds A --tables t --share 1", 2, "as in 7:2/8"),
    ("solve --kinds A --tables t --share 1/2", 2, "as in 7:2/8"),
    ("solve --kinds A --tables t --share 1:0/2", 2, "as in 7:2/8"),
    ("solve --kinds A --tables t --share 1:3/2", 2, "as in 7:2/8"),
    ("solve --kinds A --tables t --share x:1:1/2", 2, "as in 3:7:2/8"),
    ("solve --kinds A --tables t --share 1:1:1:1/2", 2, "as in 3:7:2/8"),
    ("solve --kinds A --tables sub --share 2:1:1/2", 2, "there is no part 2; this game has 1 part"),
    ("solve --kinds A --tables sub --share 0:0:1/1", 2, "there is no part 0; this game has 1 part"),
    ("solve --kinds A --tables sub --share 0:1/100000", 2, "shares"),
    ("solve --kinds A --tables t --share 0:1/2 --csv c.csv", 2, "'--share <[P:]R:I/N>' … --csv"),
    ("solve --kinds A --tables t --share 0:1/2 --json c.json", 2, "'--share <[P:]R:I/N>' … --json"),
    ("verify --adapter 0", 2, "--full"),
    ("bench --json out --csv ./out", 2, "same file"),
    ("bench --backend cpu --adapter 0", 2, "uses no adapter"),
    ("bench --runs 0", 2, "from 1 to 1000"),
    ("serve --port 0 --listen 192.0.2.1", 1, "that is not an address of this machine"),
    ("serve --listen somewhere", 2, "or localhost"),
    ("serve --listen localhost.example", 2, "or localhost"),
    ("serve --export a.html --kinds AY --port 80", 2, "cannot be used with"),
    ("serve --port 0 --kinds AY --tables nowhere", 1, "no finished tables"),
    #[cfg(feature = "packaging")]
    ("man nothing", 2, "'nothing' is not a command … the commands are count"),
];

#[test]
fn refusals_say_what_would_be_right() {
    let folder = Folder::new();
    folder.write("newer.txt", "Tokyo Doves game, format 2\n");
    folder.write("other.txt", "hello\n");
    folder.write("earlier.csv", "earlier");
    std::fs::create_dir(folder.join("sub")).expect("a folder");
    for &(command, status, said) in REFUSED {
        let is_plain_count =
            command.starts_with("count ") && !command.contains("csv") && !command.contains("run");
        // Wrong arguments are refused before a file is opened.
        let csv = if status == 2 && is_plain_count { " --csv out.csv" } else { "" };
        let ran = folder.dovemate(&format!("{command}{csv}"));
        ran.fails(status, said);
        assert!(!ran.err.contains("os error"), "{command:?}: {}", ran.err);
        assert_eq!(folder.names(), ["earlier.csv", "newer.txt", "other.txt", "sub"], "{command:?}");
        assert_eq!(folder.read("earlier.csv"), "earlier", "{command:?}");
    }
}

/// What is longer than a limit is refused by name, and never read in part; what has just the limit's length
/// is read.
#[test]
fn a_limit_refuses_and_never_cuts() {
    let folder = Folder::new();
    let title = "Tokyo Doves game, format 1\n";
    for more in ["#", "\n", " "] {
        // The action comes last: a part of the file would be another game.
        let filled = |length: usize| {
            let middle = more.repeat(length - title.len() - "\n1. +AS1\n".len());
            format!("{title}{middle}\n1. +AS1\n")
        };
        folder.write("game.txt", filled(1 << 20));
        let read = folder.dovemate("show --game game.txt").ends(0);
        assert!(read.out.contains("1. red +AS1"), "{}", read.out);
        folder.write("game.txt", filled((1 << 20) + 1));
        let why = "game.txt cannot be read: it has more than 1,048,576 bytes";
        folder.dovemate("show --game game.txt").fails(1, why);
    }
    for filling in [" ", "-", "é"] {
        let line = |bytes: usize| filling.repeat(bytes.div_ceil(filling.len())) + "\n";
        for (text, refused) in [(line(4096), false), (line(4098), true), (line(4096 * 3), true)] {
            for before in ["", "b;B\n"] {
                let shown = dovemate_reading("show", &format!("{before}{text}b;B\n"));
                let number = format!("line {}: it has more than 4,096 bytes", 1 + before.lines().count());
                assert_eq!(shown.err.contains(&number), refused, "{} bytes: {}", text.len(), shown.err);
                assert!(refused || filling == " " || shown.status == 2, "{}", shown.err);
            }
            let played = dovemate_reading("play --kinds A", &(text + "moves\nquit\n"));
            assert_eq!(played.out.contains("that line is too long"), refused, "{}", played.out);
            has(&played.out, "no action has been taken yet");
        }
    }
}
