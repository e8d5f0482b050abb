//! The commands `positions`, `verify` and `bench` as processes.

use std::path::Path;

use crate::common::program::{Ran, dovemate};

/// The rows of a CSV file, by column name.
fn csv_rows(path: &Path) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("the file was written");
    reader.deserialize().map(|row| row.expect("rows have the columns of the header")).collect()
}

#[test]
fn positions_exactly_and_by_the_article() {
    let Ran { out, .. } = dovemate(&["positions"]).ends(0);
    assert!(out.contains("508,064,190,482 positions – agrees with the published figure"), "{out}");
    assert!(out.contains("4,545,963,055,440"), "{out}");
    let Ran { out, .. } = dovemate(&["positions", "--convention", "article", "--by", "surrounded"]).ends(0);
    assert!(out.contains("509,462,034,903 positions – agrees with the published figure"), "{out}");
    assert!(out.contains("318,195,819,783 with neither boss surrounded, or both"), "{out}");
    // There is no published figure for a part.
    let Ran { out, .. } = dovemate(&["positions", "--doves", "2"]).ends(0);
    assert_eq!(out, "doves  positions\n    2          2\n\n");
}

/// The columns add up to the totals, and by symmetry the mover's boss is surrounded as often as the
/// opponent's.
#[test]
fn positions_by_surrounded_add_up() {
    let folder = tempfile::tempdir().expect("a folder for the files");
    let path = folder.path().join("positions.csv");
    dovemate(&["positions", "--by", "surrounded", "--csv", path.to_str().expect("the path is text")]).ends(0);
    let rows = csv_rows(&path);
    assert_eq!(rows.len(), 11);
    for row in rows {
        let number = |column: &str| row[column].parse::<u64>().expect("a number");
        let cases = ["neither", "mover", "opponent", "both"].map(number);
        assert_eq!(cases.iter().sum::<u64>(), number("positions"), "{row:?}");
        assert_eq!(cases[1], cases[2], "{row:?}");
    }
}

#[test]
fn options_that_make_no_sense_are_refused_with_the_reason() {
    for (arguments, reason) in [
        (&["verify", "--adapter", "0"][..], "--full"),
        (&["show", "b;B", "--limit", "3"], "--limit"),
        (&["list", "--limit", "1", "--seed", "3"], "--seed"),
        (&["bench", "--json", "out", "--csv", "./out"], "same file"),
        (&["bench", "--backend", "cpu", "--adapter", "0"], "uses no adapter"),
        (&["bench", "--runs", "0"], "from 1 to 1000"),
    ] {
        let Ran { out, err: error, .. } = dovemate(arguments).ends(2);
        assert!(out.is_empty() && error.contains(reason), "{arguments:?}: {error}");
    }
}

#[test]
fn verify_checks_every_claim() {
    let folder = tempfile::tempdir().expect("a folder for the files");
    let path = folder.path().join("verify.csv");
    let Ran { out, .. } =
        dovemate(&["verify", "--quiet", "--csv", path.to_str().expect("the path is text")]).ends(0);
    let rows = csv_rows(&path);
    assert!(out.contains(&format!("{} claims hold, 0 fail, 0 skipped", rows.len())), "{out}");
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
    let folder = tempfile::tempdir().expect("a folder for the files");
    let path = folder.path().join("bench.json");
    let markdown = folder.path().join("bench.md");
    let [json, table] = [&path, &markdown].map(|path| path.to_str().expect("the path is text"));
    let arguments = ["bench", "--backend", "cpu", "--doves", "2..7", "--runs", "3", "--json", json];
    let Ran { out, .. } = dovemate(&[&arguments[..], &["--markdown", table]].concat()).ends(0);
    assert!(out.contains("856,966 mates"), "{out}");
    let rows: Vec<&str> = out.lines().filter(|line| line.contains("2..7  ") && line.ends_with("–")).collect();
    assert_eq!(rows.len(), 2, "a row for each method: {out}");
    assert!(out.lines().rev().skip(1).all(|line| line.chars().count() <= 80), "{out}");
    assert!(!out.contains("auto "), "what was not measured says nothing about the default: {out}");
    let last = out.lines().last().expect("there are lines");
    for part in ["dovemate ", " | GPU not measured | ", " | factored 2..7: ", " | exhaustive 2..7: "] {
        assert!(last.contains(part), "{part} is not in the line for reports: {last}");
    }
    let markdown = std::fs::read_to_string(&markdown).expect("the file was written");
    assert!(markdown.starts_with("| method | doves | on | median | from – to | runs |\n"), "{markdown}");
    assert!(
        markdown.contains("| exhaustive | 2..7 | ")
            && markdown.contains("Every assignment of 2..7 doves is tested on ")
    );
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).expect("the file was written")).expect("it is JSON");
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

    let Ran { out, .. } = dovemate(&["bench", "--doves", "2..5", "--runs", "1"]).ends(0);
    assert!(out.contains("auto    count runs on the CPU, ") && out.contains(" | no GPU: "), "{out}");
    let Ran { err: error, .. } = dovemate(&["bench", "--backend", "gpu"]).ends(1);
    assert!(error.contains("no GPU can be used"), "{error}");
}
