//! The documents say what is so: commands print what is shown, links lead somewhere, pictures are the program's.
//!
//! A fenced block marked `console` has commands, each after `$ `, and what they print. They are run in order, each
//! once, in one folder. A line `…` stands for any lines; every other line must be there, in order and
//! without others between. Figures of time and of the machine are left out of the comparison.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use dovemate::picture::rules::pictures;

use crate::common::folders::Folder;
use crate::common::program::{dovemate, has, shell};
use crate::common::repository;

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder, without what is built.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let is_source =
        |path: &&PathBuf| !["target", ".git", "node_modules"].iter().any(|built| path.ends_with(built));
    files.extend(folders.iter().filter(is_source).flat_map(|folder| self::files(folder)));
    files
}

/// The commands of the blocks marked `console`, each with what the document says that it prints.
fn shown(text: &str) -> impl Iterator<Item = (&str, Vec<String>)> {
    let blocks = text.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("console\n"));
    blocks.flat_map(|block| block.strip_prefix("$ ").expect("a command").split("\n$ ")).map(|shown| {
        let (command, output) = shown.split_once('\n').unwrap_or((shown, ""));
        (command, output.lines().map(comparable).collect())
    })
}

/// A line without figures of time and of the machine: `0.46 s` becomes `# s`.
fn comparable(line: &str) -> String {
    let begins = ["counted on ", "confirmed on ", "solved on "];
    if let Some(begin) = begins.into_iter().find(|begin| line.starts_with(begin)) {
        return begin.to_owned();
    }
    let mut words: Vec<&str> = line.trim_end().split(' ').collect();
    for index in 1..words.len() {
        let is_time = words[index - 1].contains('.') && words[index - 1].parse::<f64>().is_ok();
        if is_time && words[index].trim_end_matches([',', ';']) == "s" {
            words[index - 1] = "#";
        }
    }
    words.join(" ")
}

/// Whether the lines are those shown, where `…` stands for any lines.
fn agrees(printed: &[String], shown: &[String]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [any, rest @ ..] if any == "…" => (0..=printed.len()).any(|from| agrees(&printed[from..], rest)),
        [line, rest @ ..] => printed.first() == Some(line) && agrees(&printed[1..], rest),
    }
}

#[test]
fn commands_print_what_the_documents_show() {
    let (folder, mut ran) = (Folder::new(), HashMap::new());
    for document in ["README.md", "README.ja.md", "doc/guide.md"] {
        let Some(path) = repository(document) else { return };
        let text = read(&path);
        assert!(shown(&text).count() >= 2, "{document}");
        for (command, output) in shown(&text) {
            let text = ran.entry(command.to_owned()).or_insert_with(|| {
                let ran = shell(&command.replace("cargo run --release -- ", "dovemate "), &folder);
                if ran.status == 0 { ran.out } else { ran.err }
            });
            let printed: Vec<String> = text.lines().map(comparable).collect();
            assert!(agrees(&printed, &output), "{document}: {command} prints\n{text}\nnot\n{output:#?}");
        }
    }
}

#[test]
fn pictures_and_programs_of_the_documents_are_those_of_the_repository() {
    let Some(root) = repository("") else { return };
    let actions = "--action BW1 --action yE1";
    let svg = |options: &str| dovemate(&format!("svg -Y-B;--ay;H---;b--- {options}")).succeeds().out;
    let of_readme = [
        ("doc/mate.svg", svg("")),
        ("doc/answered.svg", svg(actions)),
        ("doc/mate.ja.svg", svg("--lang ja")),
        ("doc/answered.ja.svg", svg(&format!("{actions} --lang ja"))),
    ];
    let of_readme = of_readme.into_iter().map(|(path, svg)| (path.to_owned(), svg));
    let of_rules = pictures().into_iter().map(|(name, svg)| (format!("doc/rules/{name}"), svg));
    for (path, svg) in of_rules.chain(of_readme) {
        assert!(
            read(&root.join(&path)) == svg,
            "{path} is not the program's; `cargo result rules_pictures -- doc/rules` makes those of the rules"
        );
    }
    for document in ["README.md", "README.ja.md"] {
        let text = read(&root.join(document));
        let program = text.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
        assert!(
            read(&root.join("analysis/examples/best.rs")).ends_with(program.expect("a program")),
            "{document}"
        );
    }
}

/// The first screen has five commands before all others, and the help of each command has examples.
#[test]
fn help_begins_with_what_is_used_most() {
    let screen = dovemate("--help").out;
    assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
    let names = |from: &str| -> Vec<String> {
        let lines = screen.split(from).nth(1).expect(from).lines().skip(1);
        let lines = lines.map_while(|line| line.strip_prefix("  "));
        lines.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
    };
    let (first, others) = (names("To begin with:"), names("All other commands:"));
    assert_eq!(first, ["serve", "count", "best", "solve", "adapters"]);
    assert!(others.len() >= 9 && others.iter().any(|name| name == "verify"), "{others:?}");
    #[cfg(feature = "packaging")]
    let manual = dovemate("man").out;
    for command in first.iter().chain(&others) {
        let page = dovemate(&format!("{command} --help")).out;
        assert!(page.starts_with(char::is_uppercase), "{command}: {page}");
        let is_narrow = page.lines().all(|line| line.chars().count() <= 100);
        assert!(is_narrow, "{command}: {page}");
        has(&page, "Examples:\n  dovemate ");
        #[cfg(feature = "packaging")]
        {
            has(&manual, &format!("dovemate\\-{command}(1)"));
            has(&dovemate(&format!("man {command}")).out, &format!("dovemate\\-{command} … EXAMPLES"));
        }
    }
}

#[cfg(feature = "packaging")]
#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(dovemate(&format!("completions {shell}")).out.contains("explain"), "{shell}");
    }
}

/// Every link to a file of the repository, or to a heading of the same document or another one, leads there.
#[test]
fn links_lead_somewhere() {
    let Some(root) = repository("") else { return };
    let mut checked = 0;
    for document in files(&root).iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        // Boards in blocks may look like links.
        let text: String = read(document).split("```").step_by(2).collect();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let sources = text.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for target in targets.chain(sources).filter(|target| !target.contains("://") && !target.contains(' '))
        {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path =
                if file.is_empty() { document.clone() } else { document.with_file_name("").join(file) };
            assert!(path.exists(), "{}: {target}", document.display());
            let is_there =
                || read(&path).lines().any(|line| line.starts_with('#') && anchor(line) == heading);
            assert!(heading.is_empty() || is_there(), "{}: {target}", document.display());
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked} links");
}

/// The name by which a heading is linked to, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    text.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
}

/// Every file, folder and item of the source that the documents for developers name is there. A path may leave out
/// the folders in which the text is; a name in capitals stands for something else.
#[test]
fn named_paths_and_items_exist() {
    let Some(root) = repository("") else { return };
    let files = files(&root);
    let paths: Vec<String> = files.iter().map(|path| format!("{}/", path.display())).collect();
    let sources: String = files
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .map(|path| read(path))
        .collect();
    let mut checked = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "results/README.md"] {
        let text = read(&root.join(document));
        let prose: Vec<&str> = text.split("```").step_by(2).flat_map(str::lines).collect();
        let lines = prose.iter().filter(|line| !line.contains("until commit")).copied().collect::<Vec<_>>();
        for code in lines.join("\n").split('`').skip(1).step_by(2) {
            for word in
                code.split_whitespace().filter(|word| !word.contains("://") && *word != word.to_uppercase())
            {
                let is_file =
                    [".md", ".rs", ".js", ".wgsl", ".sh", ".csv"].iter().any(|end| word.ends_with(end));
                if is_file || word.ends_with('/') {
                    let end = format!("/{}/", word.trim_end_matches('/'));
                    assert!(paths.iter().any(|path| path.contains(&end)), "{document}: there is no {word}");
                    checked += 1;
                }
            }
            let is_name = code.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:".contains(&byte));
            if is_name && (code.contains('_') || code.contains("::")) {
                for name in code.split("::") {
                    assert!(sources.contains(name), "{document}: there is no {name} as in `{code}`");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 100, "{checked} names");
}

/// The map has every module of the library and every folder of the packages above it; the table of results every file.
#[test]
fn the_map_and_the_table_are_whole() {
    let Some(root) = repository("") else { return };
    let names = |folder: &str| {
        let entries = fs::read_dir(root.join(folder)).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let name = |path: &PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let text = read(&root.join("ARCHITECTURE.md"));
    let map = text.split("```").nth(1).expect("a map");
    let words: Vec<&str> =
        map.split(|letter: char| letter.is_whitespace() || ",;:/()".contains(letter)).collect();
    let rooms = names("src").into_iter().filter(|path| !path.ends_with("lib.rs"));
    let folders = ["program/src", "web/src"].into_iter().flat_map(names).filter(|path| path.is_dir());
    for room in rooms.chain(folders).map(|path| name(&path)) {
        assert!(words.contains(&&*room), "the map leaves out {room}");
    }
    let table = read(&root.join("results/README.md"));
    for path in names("results").iter().filter(|path| path.is_file()) {
        let name = path.file_name().expect("a name").to_string_lossy();
        let is_result = name.contains('.') && !["README.md", "Cargo.toml"].contains(&&*name);
        assert!(!is_result || table.contains(&format!("`{name}`")), "{name} is not in the table");
    }
}
