//! All mates counted by WebGPU in the board page, in a real browser on a software driver, with up to six
//! doves.

use dovemate::rules::Rules;
use dovemate::{Count, Method, count};
use serde_json::{Value, json};

use crate::common::browser::{Browser, Engine};
use crate::common::program::dovemate_in;
use crate::common::server::serve;

/// Opens the view.
fn open(page: &mut Browser, url: &str) {
    page.open(&format!("{url}#mode=count"));
    page.until("/counted on the CPU/.test(document.getElementById('tally-status').textContent)");
    page.until("!document.getElementById('count-status').textContent.includes('…')");
}

/// Chooses up to how many doves are counted on the GPU.
fn choose(page: &mut Browser, most: u32) {
    page.value(&format!(
        "(() => {{ const most = document.querySelector('[data-set=countMost]'); if (most) {{ most.value = {most}; \
         most.dispatchEvent(new Event('change', {{ bubbles: true }})) }} }})()"
    ));
}

/// Counts with up to six doves, if there is a GPU; returns what the view says at the end.
fn count_in(page: &mut Browser) -> String {
    choose(page, 6);
    if page.value("document.querySelector('[data-do=count]') !== null") == true {
        page.click("[data-do=count]");
    }
    until_it_ends(page);
    page.text("#count-status")
}

/// Waits for the end of a count; on a slow machine, it has to be told to begin.
fn until_it_ends(page: &mut Browser) {
    page.until("!document.querySelector('[data-do=stopCount]') || (document.querySelector('[data-do=count]')?.click(), false)");
}

/// A column of the table, without its signs.
fn column(page: &mut Browser, column: u32) -> Vec<String> {
    let cells = page.value(&format!(
        "[...document.querySelectorAll('.count-table tbody tr')].map(row => row.children[{column}].firstChild.data)"
    ));
    cells
        .as_array()
        .expect("cells")
        .iter()
        .map(|cell| cell.as_str().expect("text").replace(',', ""))
        .collect()
}

/// Whether the column beside the CPU's first count is the GPU's.
fn is_by_gpu(page: &mut Browser) -> bool {
    page.value("document.querySelector('.count-table thead th:nth-child(3)').textContent.startsWith('GPU')")
        == true
}

/// The mates of 2 to 6 doves by number of doves, each assignment tested.
fn mates(rules: Rules) -> Vec<String> {
    let tally =
        count(Count::mates().doves(2..=6).method(Method::Exhaustive).rules(rules)).expect("the CPU counts");
    tally.rows.iter().map(|row| row.positions.to_string()).collect()
}

/// Without a GPU every browser tests every assignment, on the CPU.
#[test]
fn every_browser_is_a_second_witness() {
    let server = serve(&[]);
    for engine in [Engine::Chromium, Engine::Firefox, Engine::WebKit] {
        let Some(mut page) = Browser::start(engine) else { continue };
        page.open(&format!("{}#mode=count", server.url));
        page.until("document.getElementById('second-status').textContent.startsWith('Every one of ')");
        let said = page.text("#second-status").replace('\u{a0}', " ");
        assert!(
            said.starts_with("Every one of 104,674,309,040 assignments was tested"),
            "{engine:?}: {said}"
        );
        assert!(said.ends_with("the same count on all 52,217 boss placements."), "{engine:?}: {said}");
        let [factored, exhaustive] = [1, 2].map(|place| column(&mut page, place));
        assert_eq!(factored, exhaustive, "{engine:?}");
        assert_eq!(page.value("document.querySelectorAll('.count-table .good:not(:empty)').length"), 12);
        let rates = page.value("[...document.querySelectorAll('.count-runs tbody tr:last-child td')].map(cell => cell.textContent)");
        assert_eq!(rates[0], "–", "{engine:?}: the factored method tests no assignments");
        assert_ne!(rates[1], "–", "{engine:?}");
    }
}

/// The page counts by itself, in a file too, without a GPU; and what one saves is the program's CSV.
#[test]
fn the_page_counts_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    dovemate_in(folder.path(), &["serve", "--export", "board.html"], "").succeeds();
    let Some(mut page) = Browser::chromium() else { return };
    open(&mut page, &format!("file://{}", folder.path().join("board.html").display()));
    let said = page.text("#tally-status");
    assert!(
        said.starts_with("4,779,515,952 mates, ") && said.ends_with(" This is the published figure."),
        "{said}"
    );
    let choose = |page: &mut Browser, key: &str, value: &str| {
        page.value(&format!(
            "(() => {{ const field = document.querySelector('[data-set=count][data-key={key}]'); field.value = '{value}'; \
             field.checked = false; field.dispatchEvent(new Event('change', {{ bubbles: true }})) }})()"
        ));
    };
    choose(&mut page, "category", "wins");
    page.until(
        "document.getElementById('tally-status').textContent.startsWith('110,615,067,994 wins in one, ')",
    );
    assert_eq!(page.value("document.querySelectorAll('.shapes svg').length"), 10);
    // Players with different doves have rows of their own.
    choose(&mut page, "category", "mates");
    choose(&mut page, "green-H", "");
    choose(&mut page, "returns", "");
    choose(&mut page, "bothSurrounded", "draw");
    page.until(
        "document.getElementById('tally-status').textContent.endsWith('No figure is published for this.')",
    );
    page.value(
        "(() => { document.addEventListener('click', event => { if (event.target.download) globalThis.saved = event.target.href; }, true); \
         HTMLAnchorElement.prototype.click = function () { globalThis.saved = this.href; } })()",
    );
    page.click("[data-do=saveCount]");
    let saved = page.value("decodeURIComponent(saved.split(',').slice(1).join(','))");
    let options = [
        "count",
        "--red",
        "AYMTH",
        "--green",
        "AYMT",
        "--no-return",
        "--both-surrounded",
        "draw",
        "--csv",
        "-",
    ];
    assert_eq!(saved, dovemate_in(folder.path(), &options, "").out);
}

/// Every number is the CPU's, with a server and in a file that needs none; also where the pages are narrow.
#[test]
fn the_page_counts_as_the_program_does() {
    let Some(mut page) = Browser::chromium_with_webgpu() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let export = ["serve", "--export", "board.html", "--kinds", "A", "--no-return"];
    dovemate_in(folder.path(), &export, "").succeeds();
    let server = serve(&[]);
    let file = format!("file://{}", folder.path().join("board.html").display());
    let without_returns = Rules { returns: false, ..Rules::default() };
    for (url, rules, kinds) in
        [(&server.url, Rules::default(), "returns"), (&file, without_returns, "no returns")]
    {
        open(&mut page, url);
        let expected = mates(rules);
        let said = count_in(&mut page);
        let total: u64 = expected.iter().map(|count| count.parse::<u64>().expect("a number")).sum();
        assert!(
            total > 10_000 && said.replace(',', "").starts_with(&format!("{total} mates counted on ")),
            "{said}"
        );
        let [all, found] = [1, 2].map(|place| column(&mut page, place));
        assert_eq!((&all[..5], &found[..5]), (&expected[..], &expected[..]), "{kinds}");
        assert!(all.len() == 11 && found[5..].iter().all(|cell| cell == "–"), "{kinds}: {found:?}");
        assert_eq!(page.value("document.querySelectorAll('.count-table .good:not(:empty)').length"), 5);
        assert!(is_by_gpu(&mut page));
        let line = page.text("#count-line");
        assert!(
            line.contains(&format!(": {total} mates of 2..6 doves"))
                && line.contains(&format!("; {kinds}, ")),
            "{line}"
        );
        for width in [360, 1280] {
            page.resize(width, 800);
            assert_eq!(page.value("document.documentElement.scrollWidth <= innerWidth"), true, "{width}");
        }
    }
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// A count that is stopped goes on where it was; while it runs, every view says so, and leaving the page asks.
#[test]
fn a_count_is_stopped_and_goes_on() {
    let Some(mut page) = Browser::chromium_with_webgpu() else { return };
    let server = serve(&[]);
    // Nothing comes back from the GPU from the first row that is finished until the test says so.
    page.before_scripts(
        "const map = globalThis.GPUBuffer?.prototype.mapAsync; if (map) GPUBuffer.prototype.mapAsync = async function (...asked) { \
         await map.apply(this, asked); \
         while (!globalThis.goesOn && (globalThis.isHeld || document.querySelector('tr:nth-child(3) .good:not(:empty)'))) { \
           globalThis.isHeld = true; await new Promise(resolve => setTimeout(resolve, 10)); } };",
    );
    open(&mut page, &server.url);
    choose(&mut page, 7);
    page.click("[data-do=count]");
    page.until("globalThis.isHeld || (document.querySelector('[data-do=count]')?.click(), false)");
    page.click("#tab-analyse");
    page.until("/^[\\d.]+ %$/.test(document.getElementById('tab-count').dataset.share)");
    let asks = "(() => { const leaving = new Event('beforeunload', { cancelable: true }); dispatchEvent(leaving); \
                return leaving.defaultPrevented })()";
    assert_eq!(page.value(asks), true);
    page.click("#tab-count");
    page.click("[data-do=stopCount]");
    page.value("globalThis.goesOn = true");
    page.until("/^Stopped at [\\d.]+ %/.test(document.getElementById('count-status').textContent)");
    assert_eq!(
        (page.value(asks), page.value("document.getElementById('tab-count').dataset.share")),
        (false.into(), Value::Null)
    );
    let folder = tempfile::tempdir().expect("a folder");
    let all = dovemate_in(folder.path(), &["count", "--doves", "2..7", "--csv", "-"], "").out;
    let finished = page.value("document.querySelector('.count-runs + p [data-do=copy]').dataset.text");
    let finished = finished.as_str().expect("rows");
    assert!(finished.lines().count() > 1 && all.starts_with(finished), "{finished}");
    page.click("[data-do=count]");
    until_it_ends(&mut page);
    let said = page.text("#count-status");
    assert!(
        said.starts_with("856,966 mates, counted on ") && said.contains("all 1,678 boss placements"),
        "{said}"
    );
    assert_eq!(page.value("document.querySelector('.count-runs + p [data-do=copy]').dataset.text"), all);
    let runs =
        page.value("[...document.querySelectorAll('.count-runs tbody tr')].map(row => row.cells.length)");
    assert_eq!(runs, json!([4, 4, 4, 4, 4, 4]));
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// *Stop* stops, whatever the count waits for: a device that is not given, a shader, a batch.
#[test]
fn a_count_that_waits_is_stopped() {
    let Some(mut page) = Browser::chromium_with_webgpu() else { return };
    let server = serve(&[]);
    for waits in [
        "GPUAdapter.prototype.requestDevice",
        "GPUDevice.prototype.createComputePipelineAsync",
        "GPUBuffer.prototype.mapAsync",
    ] {
        let script = page.before_scripts(&format!(
            "if (globalThis.GPU) {waits} = () => {{ globalThis.isAsked = true; return new Promise(() => {{}}) }}"
        ));
        open(&mut page, &server.url);
        page.send("Page.removeScriptToEvaluateOnNewDocument", script);
        page.click("[data-do=count]");
        page.until("globalThis.isAsked");
        page.click("[data-do=stopCount]");
        page.until(
            "!document.querySelector('[data-do=stopCount]') && document.querySelector('[data-do=count]')",
        );
        assert!(!page.text("#count-status").contains("GPU"), "{waits}: {}", page.text("#count-status"));
    }
    assert!(page.complaints().is_empty(), "{:?}", page.complaints());
}

/// What is wrong in a page before its own scripts run, as a script.
enum Fault {
    /// This text in a shader is another.
    Shader(&'static str, &'static str),
    /// Any script.
    Script(&'static str),
}

impl Fault {
    fn script(&self) -> String {
        match self {
            Fault::Script(script) => (*script).to_owned(),
            Fault::Shader(right, wrong) => format!(
                "const compile = GPUDevice.prototype.createShaderModule; GPUDevice.prototype.createShaderModule = \
                 function ({{ code }}) {{ return compile.call(this, {{ code: code.replace({}, {}) }}) }};",
                json!(right),
                json!(wrong)
            ),
        }
    }
}

/// A GPU that is wrong, fails or is lost is not taken for right, and costs nothing but its own count.
#[test]
fn no_fault_of_a_gpu_is_shown_as_a_count() {
    use Fault::{Script, Shader};
    const CONTRADICTION: &str = "Contradiction: ";
    let faults = [
        (
            Shader("found += count_rows(orders);", "found += count_rows(orders) + u32(lane == 7u);"),
            "Contradiction: On the boss placement ",
        ),
        // The self-test has too few boss placements to notice.
        (
            Shader(
                "atomicAdd(&total, found);",
                "atomicAdd(&total, found + u32(table == 20u && lane == 0u));",
            ),
            "Contradiction: On the boss placement ",
        ),
        (Shader("turn < turns;", "turn < turns - 1u;"), "Contradiction: The self-test ‘barriers’"),
        (Shader("words[place]", "words[min(place, 0xfffu)]"), "Contradiction: The self-test ‘words’"),
        (
            Shader("select(0u, atomicLoad(&decided)", "select(0u, atomicLoad(&decided) - 1u"),
            "Contradiction: A boss placement is marked as done",
        ),
        (
            Shader("batch.serial);", "batch.serial - 1u);"),
            " boss placements of a batch were not done: the system has ended the work early.",
        ),
        (Shader("fn count_rows(", "fn count_rows(("), "The driver reports: "),
        (
            Script(
                "const [open, submit] = [GPUAdapter.prototype.requestDevice, GPUQueue.prototype.submit]; let [device, sent] = [null, 0]; \
                 GPUAdapter.prototype.requestDevice = async function (...asked) { return device = await open.apply(this, asked) }; \
                 GPUQueue.prototype.submit = function (work) { if (++sent === 9) device.destroy(); return submit.call(this, work) };",
            ),
            "The GPU was lost: ",
        ),
        (
            Script("GPUAdapter.prototype.requestDevice = async () => { throw Error('it is busy') };"),
            "The GPU cannot be opened: it is busy.",
        ),
        (
            Script(
                "Object.defineProperty(GPUAdapter.prototype, 'limits', { get: () => ({ maxBufferSize: 7, maxComputeWorkgroupSizeX: 8 }) });",
            ),
            "maxBufferSize = 7 (33554432), maxComputeWorkgroupSizeX = 8 (64)",
        ),
        (
            Script(
                "setInterval = (set => (work, time) => set(work, time / 100))(setInterval); GPU.prototype.requestAdapter = () => new Promise(() => {});",
            ),
            "The browser has not given a GPU to this page in 20 seconds",
        ),
        (
            Script(
                "setInterval = (set => (work, time) => set(work, time / 100))(setInterval); GPUAdapter.prototype.requestDevice = () => new Promise(() => {});",
            ),
            "The browser has not given a GPU to this page in 20 seconds",
        ),
        (
            Script("Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined });"),
            "This browser has no WebGPU",
        ),
    ];
    let Some(mut page) = Browser::chromium_with_webgpu() else { return };
    let server = serve(&[]);
    let expected = mates(Rules::default());
    for (fault, sentence) in faults {
        let script = page.before_scripts(&fault.script());
        open(&mut page, &server.url);
        let said = count_in(&mut page);
        page.send("Page.removeScriptToEvaluateOnNewDocument", script);
        assert!(said.contains(sentence), "{sentence}: {said}");
        if said.starts_with(CONTRADICTION) {
            assert!(!is_by_gpu(&mut page), "{said}");
            let line = page.text("#count-line");
            assert!(line.contains("countWrong") && line.contains("; 0 boss placements"), "{line}");
        }
        if is_by_gpu(&mut page) {
            assert_ne!(column(&mut page, 2)[4], expected[4], "{said}");
            assert_eq!(page.value("document.querySelector('.count-table .good:not(:empty)')"), Value::Null);
        }
        assert_eq!(column(&mut page, 1)[..expected.len()], expected, "{said}");
    }
}

/// Where there is no GPU, or no WebGPU on an address, the view says so and has the CPU's count.
#[test]
fn a_page_without_webgpu_reports_it() {
    let Some(mut page) = Browser::chromium() else { return };
    let server = serve(&["--listen", "0.0.0.0"]);
    open(&mut page, &server.url);
    assert_eq!(page.text("#count-status"), "The browser offers no GPU to this page, so only the CPU counts.");
    // The total of all rows.
    assert_eq!(page.text(".count-table tfoot td"), "4,779,515,952");
    // A network's address, which leads to the server as all of them do.
    let rule = "--host-resolver-rules=MAP 192.0.2.77 127.0.0.1";
    let Some(mut page) =
        Browser::chromium_with(&["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", rule])
    else {
        return;
    };
    open(&mut page, &server.url.replace("127.0.0.1", "192.0.2.77"));
    assert!(page.text("#count-status").starts_with("Browsers offer WebGPU only on https, on localhost"));
}
