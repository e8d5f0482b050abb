//! The commands `positions`, `verify` and `bench` as processes.

use std::path::Path;

use crate::common::folders::Folder;
use crate::common::program::{Ran, dovemate};

/// The rows of a CSV file, by column name.
fn csv_rows(path: &Path) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("the file was written");
    reader.deserialize().map(|row| row.expect("rows have the columns of the header")).collect()
}

#[test]
fn positions_exactly_and_by_the_article() {
    let Ran { out, .. } = dovemate("positions").ends(0);
    assert!(out.contains("508,064,190,482 positions – agrees with the published figure"), "{out}");
    assert!(out.contains("4,545,963,055,440"), "{out}");
    let Ran { out, .. } = dovemate("positions --convention article --by surrounded").ends(0);
    assert!(out.contains("509,462,034,903 positions – agrees with the published figure"), "{out}");
    assert!(out.contains("318,195,819,783 with neither boss surrounded, or both"), "{out}");
    // There is no published figure for a part.
    let Ran { out, .. } = dovemate("positions --doves 2").ends(0);
    assert_eq!(out, "doves  positions\n    2          2\n\n");
}

/// The columns add up to the totals, and by symmetry the mover's boss is surrounded as often as the
/// opponent's.
#[test]
fn positions_by_surrounded_add_up() {
    let folder = Folder::new();
    folder.dovemate("positions --by surrounded --csv positions.csv").ends(0);
    let rows = csv_rows(&folder.join("positions.csv"));
    assert_eq!(rows.len(), 11);
    for row in rows {
        let number = |column: &str| row[column].parse::<u64>().expect("a number");
        let cases = ["neither", "mover", "opponent", "both"].map(number);
        assert_eq!(cases.iter().sum::<u64>(), number("positions"), "{row:?}");
        assert_eq!(cases[1], cases[2], "{row:?}");
    }
}

#[test]
fn verify_checks_every_claim() {
    let folder = Folder::new();
    let out = folder.dovemate("verify --quiet --csv verify.csv").ends(0).out;
    let rows = csv_rows(&folder.join("verify.csv"));
    assert!(
        out.contains(&format!("{} claims hold, 0 fail, 0 could not be checked, 0 skipped", rows.len())),
        "{out}"
    );
    let found: Vec<&str> = rows.iter().map(|row| row["found"].as_str()).collect();
    for figure in
        ["4,545,963,055,440", "509,462,034,903", "318,195,819,783", "508,064,190,482", "4,779,515,952"]
    {
        assert!(found.contains(&figure), "{figure} is not among {found:?}");
    }
    assert!(
        rows.iter().all(|row| row["verdict"] == "holds" && !row["how it is decided"].is_empty()),
        "{rows:?}"
    );
}

#[test]
fn bench_reports_every_run() {
    let folder = Folder::new();
    let bench = "bench --backend cpu --doves 2..7 --runs 3 --json bench.json --markdown bench.md";
    let out = folder.dovemate(bench).ends(0).out;
    assert!(out.contains("856,966 mates"), "{out}");
    let rows: Vec<&str> = out.lines().filter(|line| line.contains("2..7  ") && line.ends_with("–")).collect();
    assert_eq!(rows.len(), 2, "a row for each method: {out}");
    assert!(out.lines().rev().skip(1).all(|line| line.chars().count() <= 80), "{out}");
    assert!(!out.contains("auto "), "what was not measured says nothing about the default: {out}");
    let last = out.lines().last().expect("there are lines");
    for part in ["dovemate ", " | GPU not measured | ", " | factored 2..7: ", " | exhaustive 2..7: "] {
        assert!(last.contains(part), "{part} is not in the line for reports: {last}");
    }
    let markdown = folder.read("bench.md");
    assert!(markdown.starts_with("| method | doves | on | median | from – to | runs |\n"), "{markdown}");
    assert!(
        markdown.contains("| exhaustive | 2..7 | ")
            && markdown.contains("Every assignment of 2..7 doves is tested on ")
    );
    let json = folder.json("bench.json");
    assert_eq!(json["format"], 2);
    let runs = json["runs"].as_array().expect("runs");
    let methods: Vec<&str> = runs.iter().filter_map(|run| run["method"].as_str()).collect();
    assert_eq!(
        methods,
        [["factored"; 3], ["exhaustive"; 3]].concat(),
        "unless one is named, both methods are measured"
    );
    assert!(
        runs.iter().all(
            |run| run["backend"] == "cpu" && run["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0)
        )
    );
    for field in ["cpu", "cores", "date", "version", "system", "busy"] {
        assert!(!json["machine"][field].is_null(), "{field} is missing");
    }
    let summary = &json["summaries"][0];
    let [minimum, median, maximum] = ["minimum_seconds", "median_seconds", "maximum_seconds"]
        .map(|field| summary[field].as_f64().expect("seconds"));
    assert!(minimum <= median && median <= maximum, "{summary}");

    let Ran { out, .. } = dovemate("bench --doves 2..5 --runs 1").ends(0);
    assert!(out.contains("auto    count runs on the CPU, ") && out.contains(" | no GPU: "), "{out}");
    let Ran { err: error, .. } = dovemate("bench --backend gpu").ends(1);
    assert!(error.contains("no GPU can be used"), "{error}");
}
