//! `dovemate report`: the page's content, that it needs nothing else, and that a browser shows it.

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;

use crate::common::chromium::browser;

fn dovemate() -> Command {
    Command::new(env!("CARGO_BIN_EXE_dovemate"))
}

/// A script appended to the page: it writes what the browser shows into an attribute.
const PROBE: &str = "<script>addEventListener('load', () => {
const shown = element => element && getComputedStyle(element).display !== 'none' && element.getBoundingClientRect().width > 200;
const text = selector => document.querySelector(selector).textContent.trim();
const images = [...document.images];
document.documentElement.dataset.probe = [
    'charts shown: ' + [...document.querySelectorAll('#chart > svg')].filter(shown).length,
    'marks: ' + [...document.querySelectorAll('#chart > svg')].filter(shown).map(
        svg => [svg.querySelectorAll('circle').length, svg.querySelectorAll('polygon').length].join(' and ')),
    'legend: ' + ['positions', 'wins in one', 'mates'].every(name => [...document.querySelectorAll('#chart > svg')].filter(shown)
        .every(svg => [...svg.querySelectorAll('text')].some(element => element.textContent.trim() === name))),
    'headline: ' + text('#total-mates'),
    'rows: ' + document.querySelectorAll('#tallies tbody tr').length,
    'total: ' + [...document.querySelectorAll('#tallies tfoot td')].map(cell => cell.textContent).join(' '),
    'shapes: ' + document.querySelectorAll('.shapes svg').length,
    'solved games: ' + document.querySelectorAll('#solved-games tbody tr').length,
    'pictures: ' + images.filter(image => image.complete && image.naturalWidth > 100 && image.alt).length,
    'wider than the window: ' + (document.documentElement.scrollWidth > innerWidth),
].join('; ')})</script>";

/// Totals of mates, wins in one, positions, shapes, boss placements and assignments. The wins are this program's own
/// count.
const TOTALS: [&str; 6] = ["4,779,515,952", "110,615,067,994", "508,064,190,482", "5,171", "52,217", "104,674,309,040"];

#[test]
fn the_page_has_the_figures_and_a_browser_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    dovemate()
        .args(["report", "--backend", "cpu", "--quiet", "-o"])
        .arg(&file)
        .assert()
        .success()
        .stdout("")
        .stderr("");
    let page = std::fs::read_to_string(&file).unwrap();

    for total in TOTALS {
        assert!(page.contains(&format!("<td>{total}</td>")), "no total {total}");
    }
    for text in [
        "<html lang=\"en\">",
        "This agrees with the published figure.",
        "the total agrees with the published figure.",
        "2,376 of 5,171 shapes have mates",
        "<strong>14,310</strong> of them",
        "<code>dovemate list --doves 6 --sample 8 --seed 1</code>",
        "<code>dovemate list --doves 6</code>",
        "<td>58,925,630</td><td>8,681,808</td><td>162,937</td><td>50,080,885</td><td>draw</td><td>23</td>",
        "win in 23 for red, who is to move on <code>B-Ma;YmyA;b---;----</code>",
        "<code>MN1E3 yS2E2 AS2E3 aE2",
        "dovemate report --backend cpu --quiet -o",
    ] {
        assert!(page.contains(text), "no '{text}'");
    }
    stands_alone(&page);
    ids_are_unique(&page);

    let Some(browser) = browser() else {
        return;
    };
    // Headless Chromium has no windows narrower than 500 pixels, which the style sheet still treats as a phone.
    for width in [1200, 500] {
        let seen = probe(browser, folder.path(), &page, width);
        // Marks: positions with 2 to 12 doves, wins in one with 5 to 12, and one each in the legend. Pictures: 8 mates
        // and 24 of the longest win with its 23 actions.
        let expected = format!(
            "charts shown: 1; marks: 12 and 9; legend: true; headline: 4,779,515,952; rows: 11; total: {}; shapes: 10; \
             solved games: 17; pictures: 32; wider than the window: false",
            TOTALS.join(" ")
        );
        assert_eq!(seen, expected, "at {width} pixels");
    }
}

#[test]
fn a_page_without_mates() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("<b>&'\".html");
    let assert =
        dovemate().args(["report", "--doves", "2", "--backend", "cpu", "--no-return", "-o"]).arg(&file).assert();
    let output = assert.success().get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("0 mates, no figure is published for this"), "{output:?}");
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(page.contains("There are no mates with 2 doves."));
    assert!(page.contains("No figure is published"));
    assert!(page.contains("no dove is returned"));
    assert!(page.contains("<code>dovemate solve --kinds AYM --no-return</code>"));
    // The command is on the page, with its special characters escaped.
    assert!(page.contains("&lt;b&gt;&amp;") && !page.contains("<b>"));
    stands_alone(&page);
}

#[test]
fn bad_input_is_told_in_one_line_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let cases: [(&[&str], i32, &str); 4] = [
        (&["-o", &at("missing/page.html")], 1, "there is no folder"),
        (&["-o", &at("")], 1, "it is a folder"),
        (&["-o", &at("a.html"), "--backend", "cpu", "--adapter", "0"], 2, "--backend cpu uses no adapter"),
        (&["-o", &at("a.html"), "--adapter", "no such adapter"], 2, "--adapter: "),
    ];
    for (arguments, status, message) in cases {
        let assert = dovemate().arg("report").args(arguments).assert().code(status);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        let ours: Vec<&str> =
            error.lines().filter(|line| line.starts_with("error: ") && line.contains(message)).collect();
        assert_eq!(ours.len(), 1, "{arguments:?}: {error}");
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "something is left");
}

/// Asserts that the page loads nothing from elsewhere and links nowhere.
fn stands_alone(page: &str) {
    for (place, _) in page.match_indices("http") {
        let rest = &page[place..];
        assert!(rest.starts_with("http://www.w3.org/2000/svg"), "{}", rest.chars().take(60).collect::<String>());
    }
    for (place, _) in page.match_indices(" src=\"") {
        assert!(page[place..].starts_with(" src=\"data:image/svg+xml,"));
    }
    for outside in ["<script", "<link", "@import", " href=", "url("] {
        assert!(is_in_pictures_only(page, outside), "{outside}");
    }
}

/// Whether the text occurs only in embedded pictures.
fn is_in_pictures_only(page: &str, text: &str) -> bool {
    page.split(" src=\"").enumerate().all(|(index, part)| {
        let outside = if index == 0 { part } else { part.split_once('"').expect("the attribute ends").1 };
        !outside.contains(text)
    })
}

fn ids_are_unique(page: &str) {
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "{ids:?}");
    for id in page.split(" aria-labelledby=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(ids.contains(&id), "no element has the id {id}");
    }
}

/// The probe's result for the page in a window of this width.
fn probe(browser: &str, folder: &Path, page: &str, width: u32) -> String {
    let file = folder.join("probed.html");
    std::fs::write(&file, format!("{page}{PROBE}")).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update", "--virtual-time-budget=10000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={width},1000"))
        .arg("--dump-dom")
        .arg(format!("file://{}", file.display()))
        .timeout(Duration::from_secs(120))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = dom.split_once(" data-probe=\"").unwrap_or_else(|| panic!("the probe did not run: {output:?}"));
    rest.split('"').next().unwrap().to_owned()
}
