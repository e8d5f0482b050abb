//! All mates counted by WebGPU in the board page, in a real browser on a software driver, with up to six
//! doves; what is done and seen is in `tours/`.

use dovemate::count::Workload;
use dovemate::rules::Rules;
use dovemate::{Category, Count, Method, count};
use serde_json::json;

use crate::common::browser::{Browser, Engine};
use crate::common::program::dovemate;
use crate::common::tour::{Tour, walk};

/// The mates of 2 to 6 doves by number of doves, each assignment tested.
fn mates(rules: Rules) -> Vec<u64> {
    let tally =
        count(Count::mates().doves(2..=6).method(Method::Exhaustive).rules(rules)).expect("the CPU counts");
    tally.rows.iter().map(|row| row.positions).collect()
}

/// Numbers as a list of texts.
fn texts(numbers: &[u64]) -> String {
    json!(numbers.iter().map(u64::to_string).collect::<Vec<_>>()).to_string()
}

/// The program's CSV of a count.
fn csv(options: &str) -> String {
    dovemate(&format!("count {options} --csv -")).out
}

#[test]
fn every_browser_is_a_second_witness() {
    for engine in [Engine::Chromium, Engine::Firefox, Engine::WebKit] {
        walk(engine, "every_browser_is_a_second_witness");
    }
}

/// The file that is saved is the program's CSV.
#[test]
fn the_page_counts_alone() {
    let Some(mut tour) = Tour::start(Browser::chromium()) else { return };
    tour.walk("the_page_counts_alone");
    assert_eq!(tour.named("saved"), csv("--red AYMTH --green AYMT --no-return --both-surrounded draw"));
}

#[test]
fn the_page_counts_as_the_program_does() {
    let without_returns = Rules { returns: false, ..Rules::default() };
    let Some(mut tour) = Tour::start(Browser::chromium_with_webgpu()) else { return };
    for (start, rules, kinds) in [
        ("serve", Rules::default(), "returns"),
        ("export --kinds A --no-return", without_returns, "no returns"),
    ] {
        let expected = mates(rules);
        let total: u64 = expected.iter().sum();
        assert!(total > 10_000, "{total}");
        for (name, value) in
            [("START", start), ("MATES", &texts(&expected)), ("TOTAL", &total.to_string()), ("KINDS", kinds)]
        {
            tour.name(name, value);
        }
        tour.walk("the_page_counts_as_the_program_does");
    }
}

/// What is copied meanwhile and at the end is the program's CSV.
#[test]
fn a_count_is_stopped_and_goes_on() {
    let Some(mut tour) = Tour::start(Browser::chromium_with_webgpu()) else { return };
    tour.walk("a_count_is_stopped_and_goes_on");
    let (all, finished) = (csv("--doves 2..7"), tour.named("finished"));
    assert_eq!(tour.named("all"), all);
    assert!(finished.lines().count() > 1 && all.starts_with(finished), "{finished}");
}

#[test]
fn a_count_that_waits_is_stopped() {
    let Some(mut tour) = Tour::start(Browser::chromium_with_webgpu()) else { return };
    tour.walk("a_count_that_waits_is_stopped");
}

#[test]
fn no_fault_of_a_gpu_is_shown_as_a_count() {
    let Some(mut tour) = Tour::start(Browser::chromium_with_webgpu()) else { return };
    tour.name("MATES", &texts(&mates(Rules::default())));
    let placements = Workload::new(&(2..=6), Category::Mates).placements;
    let last = placements.last().expect("boss placements");
    // As `placement_word` in `gpu/count/layout.rs` writes it.
    let word = u32::from(last.cells().0) | last.own_boss() << 16 | last.opposing_boss() << 20;
    tour.name("PLACEMENT", &word.to_string());
    tour.walk_with_faults("no_fault_of_a_gpu_is_shown_as_a_count");
}

/// The first browser has no GPU. The second one gives no WebGPU to a page at an address of the network; an option leads
/// that address to the server.
#[test]
fn a_page_without_webgpu_reports_it() {
    let Some(mut tour) = Tour::start(Browser::chromium()) else { return };
    tour.walk("a_page_without_webgpu_reports_it");
    let rule = "--host-resolver-rules=MAP 192.0.2.77 127.0.0.1";
    let options = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", rule];
    let Some(mut elsewhere) = Tour::start(Browser::chromium_with(&options)) else { return };
    elsewhere.from(&tour.named("ADDRESS").replace("127.0.0.1", "192.0.2.77"));
    elsewhere
        .steps("open #mode=count → #count-status begins Browsers offer WebGPU only on https, on localhost");
}
