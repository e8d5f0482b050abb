//! The documents say what is so: commands print what is shown, links lead somewhere, pictures are the
//! program's.
//!
//! A fenced block marked `console` has commands, each after `$ `, and what they print. They are run in order,
//! those of one document in one folder. A line `…` stands for any lines; every other line must be there, in
//! order and without others between. Figures of time and of the machine are left out of the comparison.
//! Blocks marked otherwise are not run.

use std::fs;
use std::path::{Path, PathBuf};

use dovemate::picture::rules::pictures;
use dovemate::{Board, Color, Game};

use crate::common::program::{dovemate, shell};

/// The documents whose commands are run, each in a folder of its own.
const DOCUMENTS: [&str; 3] = ["README.md", "README.ja.md", "doc/guide.md"];

/// A path in the repository, where [`is_here`].
fn repository(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

fn is_here() -> bool {
    crate::common::repository("").is_some()
}

fn read(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every document: those beside README, and those in doc and results.
fn documents() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["", "doc", "results"] {
        for entry in fs::read_dir(repository(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
            if name.ends_with(".md") {
                found.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
    assert!(found.len() > 10, "{found:?}");
    found
}

/// A command of a document, with its line number and what the document says that it prints.
struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
}

/// The commands of the blocks marked `console`.
fn shown(text: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let (mut is_console, mut is_fenced) = (false, false);
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(mark) = line.strip_prefix("```") {
            is_console = !is_fenced && mark == "console";
            is_fenced = !is_fenced;
        } else if is_console {
            match line.strip_prefix("$ ") {
                Some(command) => {
                    commands.push(Shown { line: number, command: command.to_owned(), output: Vec::new() });
                }
                None => {
                    commands.last_mut().expect("a block begins with a command").output.push(line.to_owned())
                }
            }
        }
    }
    assert!(!is_fenced, "a block does not end");
    commands
}

/// What a command prints: its results, or its error.
fn printed(folder: &Path, command: &str) -> String {
    let ran = shell(&command.replace("cargo run --release -- ", "dovemate "), folder);
    if ran.status == 0 { ran.out } else { ran.err }
}

/// A line without figures of time and of the machine: `0.46 s` becomes `# s`.
fn comparable(line: &str) -> String {
    if let Some(beginning) = ["counted on ", "confirmed on ", "solved on "]
        .into_iter()
        .find(|beginning| line.starts_with(beginning))
    {
        return beginning.to_owned();
    }
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    let is_seconds = |index: usize| {
        let unit = words.get(index + 1).map(|word| word.trim_end_matches([',', ';']));
        unit == Some("s") && words[index].contains('.') && words[index].parse::<f64>().is_ok()
    };
    (0..words.len())
        .map(|index| if is_seconds(index) { "#" } else { words[index] })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether the lines begin with those shown, where `…` stands for any lines.
fn agrees(printed: &[String], shown: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == "…" => (0..=printed.len()).any(|from| agrees(&printed[from..], rest)),
        Some((line, rest)) => {
            printed.split_first().is_some_and(|(first, others)| first == line && agrees(others, rest))
        }
    }
}

#[test]
fn commands_print_what_the_documents_show() {
    if !is_here() {
        return;
    }
    for document in DOCUMENTS {
        let folder = tempfile::tempdir().expect("a folder");
        let commands = shown(&read(document));
        assert!(commands.len() >= 2, "{document} shows {} commands", commands.len());
        for Shown { line, command, output } in commands {
            let text = printed(folder.path(), &command);
            let found: Vec<String> = text.lines().map(comparable).collect();
            let shown: Vec<String> = output.iter().map(|line| comparable(line)).collect();
            assert!(
                agrees(&found, &shown),
                "{document}, line {line}: {command} prints\n{text}\nand not\n{}",
                output.join("\n")
            );
        }
    }
}

#[test]
fn blocks_are_compared_line_by_line() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    for (shown, is_so) in [
        ("a b c", true),
        ("a … c", true),
        ("… c", true),
        ("a …", true),
        ("a c", false),
        ("a b", false),
        ("… b", false),
    ] {
        assert_eq!(agrees(&lines("a b c"), &lines(shown)), is_so, "{shown}");
    }
    assert_eq!(comparable("counted on 2 threads in 0.1 s"), comparable("counted on 64 threads in 0.01 s"));
    assert_eq!(comparable("20 places, in 0.45 s, 17 files"), "20 places, in # s, 17 files");
}

/// The number of words, as `wc -w` counts them.
#[test]
fn the_readme_is_short() {
    if !is_here() {
        return;
    }
    let words = read("README.md").split_whitespace().count();
    assert!(words <= 1_200, "{words} words");
}

#[test]
fn pictures_of_the_documents_are_the_programs() {
    if !is_here() {
        return;
    }
    let pictures = pictures();
    for (name, svg) in &pictures {
        let path = format!("doc/rules/{name}");
        assert!(read(&path) == *svg, "{path} is another picture; `cargo result rules_pictures -- doc/rules`");
    }
    assert_eq!(fs::read_dir(repository("doc/rules")).expect("a folder").count(), pictures.len());
    let actions = ["--action", "BW1", "--action", "yE1"];
    for (path, options) in [
        ("doc/mate.svg", &[][..]),
        ("doc/answered.svg", &actions),
        ("doc/mate.ja.svg", &["--lang", "ja"]),
        ("doc/answered.ja.svg", &[&actions[..], &["--lang", "ja"]].concat()),
    ] {
        let svg = dovemate(&[&["svg", "-Y-B;--ay;H---;b---"], options].concat()).succeeds().out;
        assert!(svg == read(path), "{path} is another picture");
    }
}

/// The program in Rust is an example, which is compiled with the tests.
#[test]
fn the_readmes_program_is_an_example() {
    if !is_here() {
        return;
    }
    for document in ["README.md", "README.ja.md"] {
        let text = read(document);
        let program = text.split_once("```rust\n").and_then(|(_, rest)| rest.split_once("```"));
        assert!(read("examples/best.rs").ends_with(program.expect("a program").0), "{document}");
    }
    let board: Board = "B-Ma;YmyA;b---;----".parse().expect("a board");
    let solved = dovemate::solve(Game::both("AYM").expect("kinds")).expect("it is small");
    let ranked = dovemate::rank(&solved, &board, Color::Red).expect("a position of the game");
    assert_eq!(format!("{} {}", ranked[0].text, ranked[0].worth), "MN1E3 win in 23");
}

/// The first screen has five commands before all others, and the help of each command fits two screens.
#[test]
fn help_is_short() {
    let folder = tempfile::tempdir().expect("a folder");
    let help = |words: &str| printed(folder.path(), &format!("dovemate {words}"));
    let screen = help("");
    assert_eq!(screen, help("--help"));
    assert!(
        screen.lines().count() <= 40 && screen.lines().all(|line| line.chars().count() <= 80),
        "{screen}"
    );
    let names = |from: &str| {
        let (_, list) = screen.split_once(from).expect(from);
        let lines = list.lines().skip(1).map_while(|line| line.strip_prefix("  "));
        lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (first, others) = (names("To begin with:"), names("All other commands:"));
    assert_eq!(first, ["serve", "count", "best", "solve", "adapters"]);
    assert!(others.len() >= 9 && others.iter().any(|name| name == "verify"), "{others:?}");
    for command in first.into_iter().chain(others) {
        let page = help(&format!("{command} --help"));
        assert!(page.starts_with(|letter: char| letter.is_uppercase()), "{command}: {page}");
        assert!(page.lines().count() <= 100, "{command}: {} lines", page.lines().count());
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{command}: {page}");
    }
}

/// Links to files of the repository, and to headings of the same document.
#[test]
fn links_lead_somewhere() {
    if !is_here() {
        return;
    }
    let mut checked = 0;
    for document in documents() {
        // Boards in blocks may look like links.
        let text: String = read(&document).split("```").step_by(2).collect();
        let headings: Vec<String> =
            text.lines().filter_map(|line| line.strip_prefix('#')).map(anchor).collect();
        let targets =
            text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        let sources =
            text.split("src=\"").skip(1).filter_map(|rest| rest.split_once('"')).map(|(source, _)| source);
        for target in targets.chain(sources).filter(|target| !target.contains("://") && !target.contains(' '))
        {
            checked += 1;
            match target.strip_prefix('#') {
                Some(heading) => {
                    assert!(headings.iter().any(|found| found == heading), "{document}: {target}")
                }
                None => {
                    let file = target.split('#').next().unwrap_or(target);
                    let folder = Path::new(&document).parent().unwrap_or(Path::new(""));
                    assert!(repository("").join(folder).join(file).exists(), "{document}: {target}");
                }
            }
        }
    }
    assert!(checked > 50, "{checked} links");
}

/// The name by which a heading is linked to, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter))
        .collect::<String>()
        .replace(' ', "-")
}

/// Every file and folder of the repository but what is built, as paths that begin with `/`.
fn paths() -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![String::new()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(repository(&format!(".{folder}"))).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = format!("{folder}/{}", entry.file_name().into_string().expect("UTF-8"));
            let is_folder = entry.file_type().expect("a type").is_dir();
            if is_folder && !matches!(path.as_str(), "/target" | "/.git") {
                folders.push(path.clone());
            }
            found.push(path);
        }
    }
    found
}

/// A document without the paragraphs and rows of tables that say *until commit*: what they name may be gone.
fn of_today(text: &str) -> String {
    let is_of_today = |part: &&str| !part.to_lowercase().contains("until commit ");
    let paragraph = |text: &str| match text.starts_with('|') {
        true => text.lines().filter(is_of_today).collect::<Vec<_>>().join("\n"),
        false => Some(text).filter(is_of_today).unwrap_or_default().to_owned(),
    };
    text.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n")
}

/// What stands in a document as code: between backticks, in fenced blocks, and in indented ones.
fn code(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (index, part) in text.split("```").enumerate() {
        if index % 2 == 1 {
            found.extend(part.lines().skip(1).map(str::to_owned));
            continue;
        }
        let (indented, prose): (Vec<&str>, Vec<&str>) =
            part.lines().partition(|line| line.starts_with("    "));
        found.extend(indented.into_iter().map(str::to_owned));
        found.extend(prose.join(" ").split('`').skip(1).step_by(2).map(str::to_owned));
    }
    found
}

/// The words of code, without the marks around them.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|letter: char| letter.is_whitespace() || "()[];,".contains(letter))
        .map(|word| word.trim_end_matches(['.', ':']))
        .filter(|word| !word.is_empty())
}

/// Whether a word is the path of a file or folder: not a game such as `AYM/AY`, nor what stands for another
/// name.
fn is_path(word: &str) -> bool {
    let is_source =
        [".md", ".rs", ".js", ".wgsl", ".sh", ".toml", ".yml"].iter().any(|end| word.ends_with(end));
    let stands_for_others = |part: &str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_uppercase());
    (is_source || word.contains('/')) && !word.contains("://") && !word.split('/').any(stands_for_others)
}

/// Whether code is the name of an item of the source: `Kind::steps`, `Lookup` or `is_over`.
fn is_item(code: &str) -> bool {
    let is_name = code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':');
    let is_type = code.starts_with(char::is_uppercase) && code.contains(char::is_lowercase);
    is_name && (is_type || code.contains('_') || code.contains("::"))
}

/// Where a repository has its tests: the `--test` of a target, or all of them.
fn tests_of<'a>(paths: &'a [String], target: Option<&str>) -> Vec<&'a String> {
    let is_of = |path: &str| match target {
        None => path.contains("/tests/") || path.contains("/src/"),
        Some(target) => {
            path.ends_with(&format!("/tests/{target}.rs")) || path.contains(&format!("/tests/{target}/"))
        }
    };
    paths.iter().filter(|path| path.ends_with(".rs") && is_of(path)).collect()
}

/// Every path, test and program that the documents for developers name is there, and so is every name of an
/// item in those that are about the source. A path may leave out the folders in which the text is.
#[test]
fn named_paths_and_tests_exist() {
    if !is_here() {
        return;
    }
    let paths = paths();
    let sources: String = paths
        .iter()
        .filter(|path| path.ends_with(".rs"))
        .map(|path| read(path.trim_start_matches('/')))
        .collect();
    let mut identifiers: Vec<&str> =
        sources.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    identifiers.sort_unstable();
    identifiers.dedup();
    let is_path_there = |path: &str| {
        let end = format!("/{}", path.trim_end_matches('/'));
        paths.iter().any(|there| there.ends_with(&end))
    };
    let mut checked = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "results/README.md"] {
        for code in code(&of_today(&read(document))) {
            for path in words(&code).filter(|word| is_path(word)) {
                assert!(is_path_there(path), "{document}: there is no {path}");
                checked += 1;
            }
            if let Some((_, rest)) = code.split_once("cargo test ") {
                let (options, filters) = rest.split_once(" -- ").unwrap_or((rest, ""));
                let target = options.split_once("--test ").and_then(|(_, rest)| rest.split(' ').next());
                let tests = tests_of(&paths, target);
                assert!(!tests.is_empty(), "{document}: there is no test target as in `{code}`");
                for filter in words(filters).filter(|word| !word.starts_with('-')) {
                    let (module, test) = filter.rsplit_once("::").unwrap_or(("", filter));
                    let is_there = |path: &&String| {
                        let is_of = path.contains(&format!("/{}", module.replace("::", "/")));
                        is_of && read(path.trim_start_matches('/')).contains(&format!("fn {test}"))
                    };
                    assert!(tests.iter().any(is_there), "{document}: there is no test as in `{code}`");
                    checked += 1;
                }
            }
            if let Some((_, rest)) = code.split_once("cargo result ") {
                let program = words(rest).next().expect("a program is named");
                let is_there = |path: &String| {
                    path.starts_with("/results/") && path.ends_with(&format!("/{program}.rs"))
                };
                assert!(program == "NAME" || paths.iter().any(is_there), "{document}: there is no {program}");
                checked += 1;
            }
            let is_of_source = document != "results/README.md";
            for name in code.split("::").filter(|_| is_of_source && is_item(&code)) {
                assert!(
                    identifiers.binary_search(&name).is_ok(),
                    "{document}: there is no {name} as in `{code}`"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "{checked} names");
}

/// The map has every module of the library and every folder of the two packages above it.
#[test]
fn the_map_is_whole() {
    if !is_here() {
        return;
    }
    let text = read("ARCHITECTURE.md");
    let map = text.split("```").nth(1).expect("a map");
    let named: Vec<&str> = words(map).map(|word| word.trim_end_matches('/')).collect();
    let source = read("src/lib.rs");
    let modules = source
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'));
    let sources =
        ["program/src", "web/src"].map(|folder| fs::read_dir(repository(folder)).expect("a folder"));
    let folders: Vec<String> = sources
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().expect("UTF-8"))
        .collect();
    for name in modules.chain(folders.iter().map(String::as_str)) {
        assert!(named.contains(&name), "the map leaves out {name}");
    }
}

/// The table of results has every file.
#[test]
fn every_result_is_explained() {
    if !is_here() {
        return;
    }
    let text = read("results/README.md");
    let named: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split(" | ").next())
        .flat_map(|names| names.split('`').step_by(2))
        .collect();
    for entry in fs::read_dir(repository("results")).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("UTF-8");
        let is_result =
            entry.path().extension().is_some_and(|kind| !matches!(kind.to_str(), Some("rs" | "toml")));
        assert!(
            !is_result || name == "README.md" || named.contains(&name.as_str()),
            "{name} is not in the table"
        );
    }
    for name in named.into_iter().filter(|name| name.contains('.')) {
        assert!(repository("results").join(name).exists(), "there is no {name}");
    }
}
