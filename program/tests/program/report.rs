//! `dovemate report`: the page's content, that it needs nothing else, and that a browser shows it.

use serde_json::json;

use crate::common::chromium::Chromium;
use crate::common::program::dovemate;

/// Totals of mates, wins in one, positions, shapes, boss placements and assignments. The wins are this program's own
/// count.
const TOTALS: [&str; 6] = ["4,779,515,952", "110,615,067,994", "508,064,190,482", "5,171", "52,217", "104,674,309,040"];

#[test]
fn the_page_has_the_figures_and_a_browser_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let ran = dovemate(&["report", "--backend", "cpu", "--quiet", "-o", file.to_str().unwrap()]).succeeds();
    assert_eq!(ran.out, "");
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
        "<code>MN1E3 yS2E2 AS2E3 aN1E2",
        "dovemate report --backend cpu --quiet -o",
    ] {
        assert!(page.contains(text), "no '{text}'");
    }
    stands_alone(&page);
    ids_are_unique(&page);

    let Some(mut browser) = Chromium::start() else {
        return;
    };
    for width in [1200, 360] {
        browser.resize(width, 1000);
        browser.send("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        browser.until("document.readyState === 'complete' && location.protocol === 'file:'");
        let seen = browser.value(include_str!("report.js"));
        // Marks: positions with 2 to 12 doves, wins in one with 5 to 12, and one each in the legend. Pictures: 8 mates
        // and 24 of the longest win with its 23 actions.
        let expected = format!(
            "charts shown: 1; marks: 12 and 9; legend: true; headline: 4,779,515,952; rows: 11; total: {}; shapes: 10; \
             solved games: 17; pictures: 32; wider than the window: false",
            TOTALS.join(" ")
        );
        assert_eq!(seen, expected, "at {width} pixels");
    }
    // On paper: A4 and Letter are 186 mm and 192 mm wide within their margins, at 96 pixels an inch.
    browser.send("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    for width in [703, 725] {
        browser.resize(width, 1000);
        let overflowing = "[...document.querySelectorAll('table')].filter(table => table.getBoundingClientRect().right > innerWidth + 0.5).length";
        assert_eq!(browser.value(overflowing), 0, "on a sheet of {width} pixels");
    }
}

#[test]
fn a_page_without_mates() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("<b>&'\".html");
    let report = ["report", "--doves", "2", "--backend", "cpu", "--no-return", "-o", file.to_str().unwrap()];
    let ran = dovemate(&report).ends(0);
    assert!(ran.err.contains("0 mates, no figure is published for this"), "{}", ran.err);
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
        let error = dovemate(&[&["report"], arguments].concat()).ends(status).err;
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
