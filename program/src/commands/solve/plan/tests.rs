//! Tests of the plan.

use super::*;
use clap::ValueEnum;
use dovemate::rules::Rules;

/// The plan for A Y M T, with returns, or the line that refuses it. Memory is `all` (everything fits),
/// `files` (only solving in files fits) or `none`. The request and the contents of the folder are given as words.
fn planned(requested: &str, present: &str, memory: &str) -> Result<Plan<()>, String> {
    let game = Game::both("AYMT").expect("kinds");
    assert_eq!(game.rules, Rules::default());
    let (mut keep, mut has_folder, mut is_share) = (Kept::Tables, false, false);
    for word in requested.split_whitespace() {
        match word {
            "tables" => has_folder = true,
            "share" => is_share = true,
            kept => keep = Kept::from_str(kept, false).expect("what is kept"),
        }
    }
    let has = |word| present.split_whitespace().find(|present| *present == word).map(|_| ());
    let (tables, rounds, is_begun) = (has("tables"), has("rounds"), has("begun").is_some());
    let contents = has_folder.then_some(Contents { tables, rounds, is_begun });
    let all = Solve::new(game).least_memory();
    let files = ByParts::memory(&game).least;
    assert!(files < all);
    let limit = match memory {
        "all" => all,
        "files" => files,
        "none" => files - 1,
        _ => panic!("{memory}"),
    };
    plan(&game, keep, is_share, contents, &MemoryLimit::of(Some(limit), 1))
}

#[test]
fn plans() {
    let in_memory = |then_in_files| Plan::InMemory { then_in_files };
    for (requested, present, memory, expected) in [
        // Without a folder.
        ("", "", "all", Ok(in_memory(false))),
        ("", "", "files", Err("with --tables DIR it is solved in files")),
        ("", "", "none", Err("allow more, or take fewer kinds")),
        // In tables.
        ("tables", "", "all", Ok(in_memory(true))),
        ("tables", "", "files", Ok(Plan::InFiles)),
        ("tables", "", "none", Err("allow more, or take fewer kinds")),
        ("tables", "begun", "all", Ok(Plan::InFiles)),
        ("tables", "begun", "none", Err("allow more, or take fewer kinds")),
        ("tables", "tables", "none", Ok(Plan::ReadTables(()))),
        // In rounds, or the wins alone.
        ("tables rounds", "", "all", Ok(Plan::InFiles)),
        ("tables wins", "", "all", Ok(Plan::InFiles)),
        ("tables wins", "begun", "files", Ok(Plan::InFiles)),
        ("tables wins", "begun", "none", Err("allow more, or take fewer kinds")),
        ("tables wins", "begun rounds", "none", Ok(Plan::ReadRounds(()))),
        ("tables rounds", "tables", "none", Ok(Plan::ReadTables(()))),
        // Shares.
        ("tables share", "", "all", Ok(Plan::Share)),
        ("tables share", "begun", "files", Ok(Plan::Share)),
        ("tables share", "", "none", Err("allow more, or take fewer kinds")),
        ("tables share", "tables", "none", Ok(Plan::ReportSolved)),
        ("tables share wins", "begun rounds", "all", Ok(Plan::Share)),
    ] {
        let planned = planned(requested, present, memory);
        let is_expected = match (&planned, &expected) {
            (Ok(planned), Ok(expected)) => planned == expected,
            (Err(line), Err(words)) => line.contains(*words) && line.lines().count() == 1,
            _ => false,
        };
        assert!(
            is_expected,
            "'{requested}' with '{present}' in memory for {memory}: {planned:?}, not {expected:?}"
        );
    }
}
