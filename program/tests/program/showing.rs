//! The commands that show positions, as a user runs them: output, bad input, and files.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use proptest::prelude::RngExt;

use crate::common;
use crate::common::folders::Folder;
use crate::common::program::{PROGRAM, Ran, command, dovemate, dovemate_reading, run, shell};

/// The first mate with 6 doves.
const MATE: &str = "-b-B;--Ma;A---;Y---";

#[test]
fn a_mate_is_shown() {
    let ran = dovemate(&format!("show {MATE}")).succeeds();
    let expected = "    W3 W2 W1  ·     red to move
   ╔════════════╗   in hand: red T H, green y m t h
 · ║ · [b] · [B]║   enclosure degree: red boss 3, green boss 1
S1 ║ ·  ·  M  a ║
S2 ║ A  ·  ·  · ║   -b-B;--Ma;A---;Y---
S3 ║ Y  ·  ·  · ║   u64 0fa03187c0600000, code 0fa0_02b4_f050_0000
   ╚════════════╝
mate (lose in 2): green wins at once after each of 14 actions
";
    assert_eq!(ran.out, expected);
    for code in ["0fa03187c0600000", "0fa0_3187_c060_0000", "０ｆａ０＿３１８７＿ｃ０６０＿００００"]
    {
        assert_eq!(dovemate(&format!("show {code}")).out, expected, "the same as {code}");
    }
    assert_eq!(dovemate_reading("show", &format!("{MATE}\n")).out, expected, "from standard input");
}

#[test]
fn every_verdict_has_its_words() {
    for (arguments, words) in [
        ("show b;B", "neither mate nor win in one: BW1 escapes, and 28 more of 29 actions"),
        ("show -a-;YBy;-Mb", "finished: the red boss is surrounded; green has won"),
        (&format!("show {MATE} --to-move green"), "win in one: bW1"),
        (
            "show -Aa-;YbBM;-Tt-",
            "the red boss and the green boss are surrounded; red has won, as green acted last\n",
        ),
        ("show -Aa-;YbBM;-Tt- --both-surrounded draw", "are surrounded; a draw (with returns, draw)\n"),
    ] {
        let out = dovemate(arguments).out;
        assert!(out.contains(words), "{words} in:\n{out}");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let shown = |variables: &[(&str, &str)]| {
        let mut command = command(PROGRAM, Path::new("."));
        let command =
            command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        run(command.args(["show", "b;B"]), "").out
    };
    assert!(!shown(&[]).contains('\x1b'), "not into a pipe");
    assert!(shown(&[("CLICOLOR_FORCE", "1")]).contains('\x1b'), "but if forced");
    assert!(!shown(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\x1b'));
}

#[test]
fn a_mate_is_explained() {
    let brief = dovemate(&format!("explain {MATE} --brief"));
    assert_eq!(brief.status, 0);
    let expected = "
boss moves (B)
  BW1     is answered by aE1

moves of A
  AS2W2   is answered by bW1
  AS3W2   is answered by bW1

moves of Y
  YS3W2   is answered by bW1

puts
  +TS1W3  is answered by bW1
";
    assert!(brief.out.contains(expected), "{}", brief.out);
    let pictures = dovemate(&format!("explain {MATE}")).out;
    let expected = "
boss moves (B)
  BW1 → aE1
  ╔════════════╗
  ║ · [b][B](a)║
  ║ ·  ·  M  · ║
  ║ A  ·  ·  · ║
  ║ Y  ·  ·  · ║
  ╚════════════╝
";
    assert!(pictures.contains(expected), "{pictures}");
    assert!(pictures.lines().all(|line| line.chars().count() <= 80), "as wide as a terminal usually is");
}

#[test]
fn no_mate_is_explained_by_an_escape() {
    let out = dovemate("explain b;B").out;
    assert!(out.contains("BW1\nescapes") && !out.contains("puts"), "{out}");
    assert!(dovemate("explain b;B --all").out.contains("puts"));
    let brief = dovemate("explain b;B --brief").out;
    assert!(brief.ends_with("\n\nBW1     escapes: no answer wins\n"), "{brief}");
}

#[test]
fn bad_boards_are_refused_with_the_position() {
    for (board, words) in [
        ("bB;B", "'B' stands on two cells … row 1, column 2 and row 2, column 1"),
        ("bB-b", "'b' stands on two cells … row 1, column 1 and row 1, column 4"),
        ("b;A", "boss 'B' is missing"),
        ("BA", "boss 'b' is missing"),
        ("bB-A", "'A' is isolated … row 1, column 4"),
        ("bB---", "row 1 has 5 columns … at most 4"),
        ("b;B;;;a", "5 rows … at most 4"),
        ("bB;-x", "row 2, column 2 … 'x' is not a dove"),
        ("bB;ハ", "row 2, column 1 … 'ハ'"),
        ("", "is missing"),
        ("bB\n\u{7}", "of rows 'bB', '\\u{7}' … row 2, column 1"),
        ("--bref", "there is no option of that name either"),
        ("1c00010000000000", "first hexadecimal digit"),
        ("0c000f0000000000", "isolated"),
        ("0x0c00010000000000", "write it without 0x: 0c00010000000000"),
        ("0c0001000000000", "it has 15 hexadecimal digits, but should have 16"),
        ("0c000100000000001", "it has 17 hexadecimal digits"),
        ("0c00_0100_0000_000", "it has 15 hexadecimal digits, but should have 16"),
    ] {
        for command in ["show", "explain", "svg"] {
            if board == "--bref" && command != "show" {
                continue;
            }
            dovemate(&[command, board]).fails(2, words);
        }
    }
    let ran = dovemate_reading("show", "b;B\n\nb;A\nb;B\n");
    assert!(
        ran.status == 2 && ran.err.starts_with("error: line 3: board of rows 'b', 'A': boss 'B' is missing"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("neither mate"), "what came before is shown");
}

#[test]
fn listings_have_their_formats() {
    let first = |format| dovemate(&format!("list --doves 6 --limit 1 --format {format}")).out;
    assert_eq!(first("text"), format!("{MATE}\n"));
    assert_eq!(first("u64"), "0fa002b4f0500000\n");
    assert_eq!(first("csv"), format!("doves,board,code\n6,\"{MATE}\",0fa0_02b4_f050_0000\n"));
    assert_eq!(dovemate("list --doves 6").out.lines().count(), 14_310);
    // Every command reads the codes as they are listed, whatever it does with a board.
    let code = "0fa0_02b4_f050_0000";
    for command in ["show", "explain", "svg", "best"] {
        assert_eq!(
            dovemate(&format!("{command} {code}")).out,
            dovemate(&[command, &code.replace('_', "")]).out
        );
    }
    let nothing = dovemate("list --doves 2..5");
    assert_eq!((nothing.status, nothing.out.as_str()), (0, ""));
    assert_eq!(nothing.err, "there are no mates with 2 to 5 doves\n");
    assert_eq!(dovemate("list --doves 2..5 --quiet").err, "");
}

/// Every example of the help, run by a shell, succeeds and has output; except for those that take long, need
/// a terminal, tables, a GPU, another program or a home folder.
#[cfg(unix)]
#[test]
fn examples_do_something() {
    const LEFT_OUT: [&str; 9] =
        ["--tables", "gpu", "--adapter", "jq", "man -l", "~/", "fpath", " verify", " solve"];
    const LONG: [&str; 2] = ["--depth 13", "--plies 7"];
    const COMMANDS: &str = "count positions explain list show svg best openings puzzles play";
    const OF_PACKAGING: &str = if cfg!(feature = "packaging") { "man completions" } else { "" };
    let folder = Folder::new();
    fs::write(folder.join("game.txt"), "Tokyo Doves game, format 1\n1. +AW1 +aN1W1\n").expect("a write");
    let mut done = 0;
    for name in COMMANDS.split(' ').chain(OF_PACKAGING.split_whitespace()) {
        let help = dovemate(&format!("{name} --help")).out;
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("no examples of {name}"));
        for example in examples.lines().map_while(|line| line.strip_prefix("  ")) {
            assert!(!example.contains('\''), "{example}: cmd.exe keeps such quotes");
            let is_long = LONG.iter().any(|words| example.contains(words)) && !common::is_asked_for("cases");
            let needs_more = is_long || LEFT_OUT.iter().any(|words| example.contains(words));
            if needs_more || example.starts_with("dovemate play") {
                continue;
            }
            let files = || std::fs::read_dir(&folder).expect("a folder").count();
            let before = files();
            let ran = shell(example, &folder);
            assert_eq!(ran.status, 0, "{example}: {}", ran.err);
            assert!(!ran.out.is_empty() || files() > before, "{example} comes to nothing");
            done += 1;
        }
    }
    assert!(done > 25, "only {done} examples");
}

/// Programs that read CSV guess what a cell is: a text is not a number, not a truth value, and not two cells.
#[test]
fn texts_in_csv_stay_texts() {
    const OTHERS: &str =
        "doves shapes boss_placements assignments positions plies returns unique version value";
    let csv = |arguments: &str| dovemate(arguments).ends(0).out;
    let listed = csv("list --doves 5 --what wins --format csv --quiet");
    let counted = "count --red T --green - --with-run --quiet --csv -";
    let puzzles = "puzzles --plies 1 --count 50 --seed 1 --quiet --csv -";
    for file in [&listed, &csv(counted), &csv(puzzles)] {
        let unquoted: String = file.split('"').step_by(2).collect();
        assert!(!unquoted.contains([';', '\t', '|']), "only commas separate: {unquoted}");
        let mut reader = csv::Reader::from_reader(file.as_bytes());
        let heads = reader.headers().expect("a header").clone();
        for row in reader.records() {
            let row = row.expect("a row");
            for (head, cell) in
                heads.iter().zip(&row).filter(|(head, _)| !OTHERS.split(' ').any(|other| other == *head))
            {
                assert!(cell.parse::<f64>().is_err(), "{head} {cell} is a number");
                let is_truth = ["T", "F", "TRUE", "FALSE", "NA"].contains(&cell.to_uppercase().as_str());
                assert!(!is_truth && !cell.is_empty(), "{head} {cell}");
            }
        }
    }
    let codes: HashSet<&str> = listed.lines().filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(codes.len(), 1 + 28_376, "the header and as many positions, each with a code of its own");
    for sets in ["--red T --green -", "--red BT --green B", "--red tb --green b"] {
        assert_eq!(csv(&format!("count --with-run --quiet --csv - {sets}")), csv(counted));
    }
}

#[test]
fn actions_are_drawn() {
    dovemate(&format!("svg {MATE} --action BW1 --action aE1 --action BN1"))
        .fails(2, "--action BN1: the game is over");
    let svg = dovemate(&format!("svg {MATE} --action BW1 --action aE1")).out;
    // The boss's arrow bends around the dove that came after it.
    let shafts = || svg.lines().filter(|line| line.starts_with("<path class=\"action"));
    assert!(
        shafts().count() == 2 && shafts().any(|line| line.contains(" d=\"M") && line.contains("Q")),
        "{svg}"
    );
}

#[test]
fn samples_are_repeatable_mates() {
    let sample = |seed| dovemate(&format!("list --doves 12 --sample 3 --seed {seed}")).out;
    let first = sample("1");
    assert_eq!(first, sample("1"));
    assert_ne!(first, sample("2"));
    let shown = dovemate_reading("show", &first).out;
    assert_eq!(shown.matches("mate (lose in 2)").count(), 3, "{shown}");
}

/// A file of mates with 6 doves in a new folder: all mates, or those by these options of `list`.
fn tdl_with(options: &str) -> Folder {
    let folder = Folder::new();
    let list = "list --doves 6 --format tdl -o m.tdl";
    folder.dovemate(&format!("{list} {options}")).ends(0);
    folder
}

fn show_tdl(folder: &Folder) -> Ran {
    folder.dovemate("show --tdl m.tdl")
}

#[test]
fn a_tdl_file_is_read_back() {
    let folder = tdl_with("");
    let ran = folder.dovemate("show --tdl m.tdl --limit 2000");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out.matches("mate (lose in 2)").count(), 2_000);
}

#[test]
fn damaged_tdl_files_are_refused() {
    let folder = tdl_with("--limit 500");
    assert_eq!(show_tdl(&folder).out.matches("mate (lose in 2)").count(), 500, "all of them");
    let file = folder.join("m.tdl");
    let bytes = fs::read(&file).expect("the file");
    fs::write(&file, &bytes[..bytes.len() - 2]).expect("a write");
    let cut = show_tdl(&folder);
    assert!(
        cut.status == 1 && cut.err.contains("m.tdl: it ends at byte") && cut.err.contains("truncated"),
        "{}",
        cut.err
    );
    fs::write(&file, "This is no such file.").expect("a write");
    show_tdl(&folder).fails(1, "m.tdl: byte 4 … not a .tdl file");
    fs::remove_file(&file).expect("it is there");
    show_tdl(&folder).fails(1, "m.tdl cannot be read");
}

/// A `.tdl` file has no rules of its own.
#[test]
fn the_rules_of_a_file_are_those_of_the_options() {
    let options = "--no-return --both-surrounded draw";
    let folder = tdl_with(&format!("--sample 200 {options}"));
    let shown = folder.dovemate(&format!("show --tdl m.tdl {options}")).out;
    assert_eq!(shown.matches("(without returns, draw)").count(), 200, "{shown}");
    assert_eq!(shown.matches("mate (lose in 2)").count(), 200);
}

/// `list` says how many positions a file has, and its SHA-256 as `sha256sum` gives it.
#[test]
fn a_tdl_file_is_summed_up() {
    let folder = Folder::new();
    let list = "list --doves 6 --format tdl -o m.tdl";
    let summary =
        "14,310 positions, SHA-256 32a973bd75d8d2e5ff878f8de3d4d085a1387b41c5edb5b0e59441d7859963d1\n";
    assert_eq!(folder.dovemate(list).err, summary);
    assert_eq!(folder.dovemate(&format!("{list} --quiet")).err, "");
}

/// What does not fit in memory is refused before anything is listed.
#[test]
fn a_tdl_file_has_a_greatest_size() {
    let folder = Folder::new();
    let list = "list --format tdl -o m.tdl";
    let words = "at most 250,000,000 positions, but there are 4,779,515,952 … --limit";
    folder.dovemate(list).fails(2, words);
    assert!(!folder.join("m.tdl").exists());
}

/// Groups in another order are not damage, but the crate's lazy loader fails on them.
#[test]
fn unsorted_files_get_a_warning() {
    let folder = tdl_with("--limit 500");
    let file = folder.join("m.tdl");
    let bytes = fs::read(&file).expect("the file");
    let end = bytes.chunks(4).position(|word| word == [0xff; 4]).expect("a group ends") * 4 + 4;
    fs::write(&file, [&bytes[end..], &bytes[..end]].concat()).expect("a write");
    let ran = show_tdl(&folder);
    assert_eq!((ran.status, ran.out.matches("mate (lose in 2)").count()), (0, 500), "{}", ran.err);
    assert!(
        ran.err.starts_with("warning: m.tdl: the group at byte ") && ran.err.lines().count() == 1,
        "{}",
        ran.err
    );
}

/// Any text is either accepted or refused in one line.
#[test]
fn any_text_is_taken_or_refused() {
    let mut rng = common::random_numbers(9);
    let pieces = [
        "b", "B", ";", "-", "a", "M", "t", "H", " ", "x", "0", "c", "f", "0x", "ハ", "\n", "\u{7}", "+",
        "N1", "E2", "--", "'", "9", "...",
    ];
    for round in 0..120 {
        let length = rng.random_range(0..12);
        let text: String = (0..length).map(|_| pieces[rng.random_range(0..pieces.len())]).collect();
        let arguments: &[&str] = match round % 4 {
            0 => &["show", &text],
            1 => &["svg", "bB;-a", "--action", &text],
            2 => &["list", "--limit", "1", "--quiet", "--shape", &text],
            _ => &["show"],
        };
        let ran = dovemate_reading(arguments, &text);
        assert!(matches!(ran.status, 0 | 2), "{arguments:?}: {} {}", ran.status, ran.err);
        assert!(!ran.err.contains("panicked"), "{arguments:?}: {}", ran.err);
        let errors = ran.err.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(errors, usize::from(ran.status == 2), "{arguments:?}: {}", ran.err);
    }
}

/// A limit on file sizes stops the listing halfway, as a full disk would. A new file does not appear; one
/// that is there is written as the list is found.
#[cfg(target_os = "linux")]
#[test]
fn a_list_that_cannot_be_completed() {
    for format in ["text", "tdl"] {
        let folder = Folder::new();
        let list = || {
            let script = "ulimit -f 20; exec \"$0\" list --doves 7 --quiet -o m --format \"$1\"";
            run(command("sh", &folder).args(["-c", script, PROGRAM, format]), "")
                .fails(1, "m cannot be written");
        };
        list();
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 0, "{format}");
        fs::write(folder.join("m"), "earlier").expect("a write");
        list();
        let written = fs::read(folder.join("m")).expect("it is there");
        assert!(written.len() >= 20 << 9 && !written.starts_with(b"earlier"), "{format}: {}", written.len());
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1, "{format}");
    }
}

/// `list | head` is not a failure.
#[cfg(unix)]
#[test]
fn a_reader_may_leave() {
    let script = "\"$0\" list --doves 7 --quiet | head -n 1; echo ${PIPESTATUS[0]}";
    let ran = run(command("bash", Path::new(".")).args(["-c", script, PROGRAM]), "").succeeds();
    assert!(ran.out.ends_with("\n0\n"), "{}", ran.out);
}

#[test]
fn a_picture_has_all_that_there_is_to_see() {
    let svg = dovemate(&format!("svg {MATE} --action BW1 --action aE1"));
    assert_eq!((svg.status, svg.err.as_str()), (0, ""));
    for part in ["viewBox=", "<defs>", "href=\"#red-boss\"", "class=\"wall\"", "class=\"head last\""] {
        assert!(svg.out.contains(part), "{part}");
    }
    assert_eq!(svg.out.matches("class=\"wall\"").count(), 4);
    assert_eq!(
        svg.out.matches("<use href=\"#red-").count() + svg.out.matches("<use href=\"#green-").count(),
        12
    );
    assert!(svg.out.contains(">the red boss is surrounded</text>"));
    let caption = "a < b & class=\"paper\"";
    let text = ">a &lt; b &amp; class=&quot;paper&quot;</text>";
    assert!(dovemate(&format!("svg b;B --caption '{caption}'")).out.contains(text));
}

/// Inkscape 1.2 knows `xlink:href` alone; svglib, Skia and MuPDF read no style sheet and draw no marker; LibreOffice
/// leaves out the first rule of a media query and applies the others whatever its condition is.
#[test]
fn pictures_need_little_of_svg() {
    let svg = |theme: &str| dovemate(&format!("svg {MATE} --action BW1 --action aE1 {theme}")).succeeds().out;
    let [light, dark, auto] = ["--theme light", "--theme dark", "--theme auto"].map(svg);
    assert_eq!(svg(""), light);
    for picture in [&light, &dark, &auto] {
        for element in picture.split('<').skip(1).filter(|element| !element.starts_with('/')) {
            let name = element.split([' ', '>']).next().expect("a name");
            let attribute =
                |name: &str| Some(element.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0);
            match name {
                "use" => {
                    assert!(
                        attribute("href").is_some_and(|id| picture.contains(&format!("id=\"{}\"", &id[1..])))
                    );
                    assert_eq!(attribute("href"), attribute("xlink:href"));
                }
                "rect" | "circle" | "path" | "text" => assert!(attribute("fill").is_some(), "{element}"),
                "line" => assert!(attribute("stroke").is_some(), "{element}"),
                "svg" | "title" | "desc" | "defs" | "g" => {}
                "style" => assert_eq!(picture, &auto),
                other => panic!("{other} in a picture"),
            }
        }
    }
    assert!(
        light.contains("class=\"paper\" fill=\"#fff\"") && dark.contains("class=\"paper\" fill=\"#16181d\"")
    );
    let style = auto.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).expect("a style");
    for query in style.split("@media ").skip(1) {
        assert!(query.contains("){\n.dovemate{}\n.paper{"), "the first rule may be left out: {query}");
    }
    let schemes: Vec<usize> =
        ["dark", "light"].iter().filter_map(|name| style.find(&format!("scheme:{name})"))).collect();
    assert!(schemes.len() == 2 && schemes.is_sorted(), "who applies all ends up light: {style}");
    assert!(auto.replace(style, "").replace("<style></style>\n", "") == light);
}

/// The longest line that is known is a valid game of 247 actions, which red wins.
#[test]
fn the_longest_line_is_a_game() {
    let Some(line) = common::repository("results/longest-line.txt") else { return };
    let line = line.to_str().expect("UTF-8");
    let folder = Folder::new();
    let shown = dovemate(&format!("show --game '{line}'")).out;
    assert!(shown.contains("\n247. red BN1\n") && shown.ends_with("\nred wins\n"), "{shown}");
    let game = "Tokyo Doves game, format 1\nstart: Yt--;-Bb-;ATa-;-h--\n\n1. +HS1W2 hW1\n";
    let reviewed = dovemate_reading("show --game - --review 0.1", game).out;
    let verdicts =
        ["\n1. red +HS1W2\n\n? ", "; then hW1 wins at once\n", "\n2. green hW1\n\n✓ as good as any\n"];
    assert!(verdicts.iter().all(|verdict| reviewed.contains(verdict)), "{reviewed}");
    let ran = dovemate(&format!("show --game '{line}' --no-return"));
    assert!(ran.status == 2 && ran.err.contains("--game <FILE>"), "{}", ran.err);
    folder.write("long.txt", " ".repeat((1 << 20) + 1));
    folder.dovemate("show --game long.txt").fails(1, "long.txt … more than 1,048,576 bytes");
}

/// A command line from a Japanese keyboard or a word processor is read; names of files stay as they are.
#[test]
fn full_width_forms_are_their_ascii_forms() {
    for (wide, ascii) in [
        ("show －ｂ－Ｂ；−−Ｍａ；A---；Ｙ---", &format!("show {MATE}")[..]),
        ("ｓｈｏｗ b;B －－to-move ｇｒｅｅｎ", "show b;B --to-move green"),
        ("\u{feff}show b;B \u{feff}--to-move green", "show b;B --to-move green"),
        ("best b;B ––depth＝３", "best b;B --depth=3"),
        ("count --doves ２．．４ --backend ｃｐｕ --json -", "count --doves 2..4 --backend cpu --json -"),
    ] {
        let (wide, ascii) = (dovemate(wide), dovemate(ascii));
        assert_eq!((wide.status, ascii.status), (0, 0), "{}{}", wide.err, ascii.err);
        let without_times = |out: &str| -> Vec<String> {
            out.lines().filter(|line| !line.contains("seconds")).map(str::to_owned).collect()
        };
        assert_eq!(without_times(&wide.out), without_times(&ascii.out));
    }
    assert!(dovemate("svg b;B --caption 'ゲームＡ — B'").succeeds().out.contains("ゲームＡ — B"));
    let folder = Folder::new();
    for arguments in
        ["svg b;B -o ＢＯＳＳ－1.svg", "svg b;B --output=ＢＯＳＳ－2.svg", "svg b;B -oＢＯＳＳ－3.svg"]
    {
        assert_eq!(folder.dovemate(arguments).status, 0);
    }
    for name in ["ＢＯＳＳ－1.svg", "ＢＯＳＳ－2.svg", "ＢＯＳＳ－3.svg"] {
        assert!(folder.join(name).exists(), "{name}");
    }
}
