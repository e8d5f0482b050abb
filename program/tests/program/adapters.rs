//! What the program says of an adapter: `adapters` and `bench`.

use std::process::Command;

use dovemate::gpu::{AdapterDescription, Adapters};

use crate::common::is_asked_for;
#[cfg(target_os = "linux")]
use crate::common::program::build_library;
use crate::common::program::{PROGRAM, Ran, has, run};

/// The program lists the adapter with all that a bug report needs, and measures it in one table with the CPU;
/// the last line sums this up.
#[test]
fn gpus_are_listed_and_measured() {
    if !is_asked_for("gpu") {
        return;
    }
    let adapters = Adapters::find();
    let description = adapters.hardware().into_iter().chain(adapters.descriptions()).next();
    let description = description.expect("a GPU is asked for, and there is no adapter");
    let AdapterDescription { index, name, driver, backend, kind, .. } = &description;
    let output = |arguments: &[&str]| {
        let ran = run(Command::new(PROGRAM).args(arguments), "");
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.err);
        ran.out
    };
    let listed = output(&["adapters", "--verbose"]);
    let parts = ["self-test  passed", "dovemate ", "vendor and device", "max_buffer_size", "bus address"];
    for part in parts.into_iter().chain([&name[..], &driver[..], &backend[..]]) {
        assert!(listed.contains(part), "{part} is not among what is listed: {listed}");
    }
    let without = |line: &str| line.split_whitespace().eq(["timestamps", "no"]);
    let is_told = listed.contains("passed, without timestamps");
    assert!(!is_told || listed.lines().any(without), "every adapter has timestamps: {listed}");
    let index = index.to_string();
    let measured = output(&["bench", "--adapter", &index, "--doves", "2..5", "--runs", "1", "--quiet"]);
    let rows = |method: &str| -> Vec<&str> {
        measured.lines().filter(|line| line.split_whitespace().take(2).eq([method, "2..5"])).collect()
    };
    let [cpu, card] = rows("exhaustive")[..] else {
        panic!("a row for the CPU and one for the GPU: {measured}")
    };
    assert!(cpu.contains("CPU thread") && card.contains(" GPU "), "{measured}");
    let wide: Vec<&str> = measured.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.iter().all(|line| line.starts_with("dovemate ")), "only the line for a report: {wide:?}");
    let in_a_line = measured.replace('\n', " ");
    let compared = [" times as fast as ", " times slower than "];
    assert!(compared.iter().any(|compared| in_a_line.contains(compared)), "{measured}");
    has(&in_a_line, "both testing every");
    assert!(matches!(rows("factored")[..], [cpu] if cpu.contains("CPU thread")), "{measured}");
    let told =
        "tested  it has passed its self-test, and its count on every boss placement is\n        the CPU's";
    assert!(measured.contains(told), "{measured}");
    let is_told = measured.contains("auto    this adapter is used only when it is named\n");
    let is_software = *kind == "software";
    assert_eq!((is_told, measured.contains("auto  ")), (is_software, is_software), "{measured}");
    let last = measured.lines().last().expect("there are lines");
    for part in [&name[..], &driver[..], " | factored 2..5: ", " | exhaustive 2..5: ", ": GPU "] {
        assert!(last.contains(part), "{part} is not in the line for reports: {last}");
    }
}

/// A folder with a driver that has a fault: Mesa's software driver behind a library of the test's own.
#[cfg(target_os = "linux")]
struct FaultyDriver {
    folder: tempfile::TempDir,
    behind: String,
}

#[cfg(target_os = "linux")]
impl FaultyDriver {
    /// `None` if no GPU is asked for.
    fn build() -> Option<FaultyDriver> {
        if !is_asked_for("gpu") {
            return None;
        }
        let manifests = std::fs::read_dir("/usr/share/vulkan/icd.d").into_iter().flatten().flatten();
        let mesa =
            manifests.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("/lvp_icd"));
        let manifest =
            std::fs::read_to_string(mesa.expect("Mesa's software driver is installed")).expect("a manifest");
        let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
        let behind = manifest["ICD"]["library_path"].as_str().expect("a path").to_owned();
        let folder = tempfile::tempdir().expect("a folder");
        let library = folder.path().join("libfaulty.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/faulty_driver.rs");
        build_library(source.as_ref(), &library);
        let manifest = serde_json::json!({
            "file_format_version": "1.0.0",
            "ICD": { "library_path": library, "api_version": "1.1.0" },
        });
        std::fs::write(folder.path().join("icd.json"), manifest.to_string()).expect("it is written");
        Some(FaultyDriver { folder, behind })
    }

    /// The program, to be run on this driver alone.
    fn command(&self, fault: &str, arguments: &str) -> Command {
        let manifest = self.folder.path().join("icd.json");
        let mut program = Command::new(PROGRAM);
        program.args(arguments.split(' ')).env("FAULT", fault).env("DRIVER", &self.behind);
        program
            .env("VK_DRIVER_FILES", &manifest)
            .env("VK_ICD_FILENAMES", &manifest)
            .env("NODEVICE_SELECT", "1");
        program.env("GO", self.go());
        program
    }

    /// The file for which the faults `slow` and `late` wait.
    fn go(&self) -> std::path::PathBuf {
        self.folder.path().join("go")
    }

    /// Runs the program on this driver alone.
    fn dovemate(&self, fault: &str, arguments: &str) -> Ran {
        let ran = run(&mut self.command(fault, arguments), "");
        let words: Vec<&str> = ran.err.lines().filter(|line| !line.contains("XDG_RUNTIME_DIR")).collect();
        Ran { err: words.join("\n"), ..ran }
    }
}

/// A driver that crashes costs no result, only a line: the CPU counts, and what can be listed is listed. A user who
/// asks for a GPU is told why there is none.
#[test]
#[cfg(target_os = "linux")]
fn a_crash_of_a_driver_costs_nothing() {
    let Some(driver) = FaultyDriver::build() else { return };
    let [listing, opening] = ["a driver crashed while listing its adapters", ") crashed"];
    for (fault, arguments, out, err) in [
        ("none", "adapters", "self-test  passed", ""),
        ("list", "adapters", listing, ""),
        ("list", "count --doves 2..4 --adapter llvmpipe", listing, ""),
        ("list", "count --doves 2..4", listing, ""),
        ("list", "bench --doves 2..4 --runs 1 --quiet", listing, ""),
        ("open", "adapters", "self-test  failed: its driver crashed", ""),
        ("open", "count --doves 2..4 --adapter llvmpipe", opening, "crashed; the CPU's result stands"),
        ("open", "count --doves 2..4", "llvmpipe", ""),
        ("compile", "adapters", "self-test  failed: its driver crashed", ""),
        ("compile", "count --doves 2..4 --adapter llvmpipe", opening, "crashed; the CPU's result stands"),
        // The driver crashes after it has counted.
        ("close", "adapters", "self-test  passed", ""),
        ("close", "count --doves 2..4 --adapter llvmpipe", "confirmed on llvmpipe", ""),
        // Whatever the driver does at its end, or prints.
        ("end", "count --doves 2..4 --adapter llvmpipe", "confirmed on llvmpipe", ""),
        ("stay", "count --doves 2..4 --adapter llvmpipe", "confirmed on llvmpipe", ""),
        ("stay", "adapters", "self-test  passed", ""),
        ("print", "adapters", "self-test  passed", ""),
        ("speak", "adapters", listing, "the driver printed: printed by a driver"),
    ] {
        let ran = driver.dovemate(fault, arguments);
        assert_eq!(ran.status, 0, "{fault}, {arguments}: {}", ran.text());
        assert!(ran.out.contains(out), "{fault}, {arguments}: {}", ran.text());
        assert!(ran.err.contains(err) && ran.err.lines().count() <= 1, "{fault}, {arguments}: {}", ran.err);
        assert!(!arguments.starts_with("count") || ran.out.contains("\ntotal "), "{fault}: {}", ran.out);
    }
    // What a driver prints is not in the JSON that other programs read.
    let ran = driver.dovemate("print", "count --doves 2..4 --adapter llvmpipe --quiet --json -").ends(0);
    assert!(
        !ran.err.contains("printed by a driver") && ran.json()["confirmation"].is_object(),
        "{}",
        ran.text()
    );
    for (fault, says) in [("list", listing), ("open", opening)] {
        driver.dovemate(fault, "count --doves 4 --method exhaustive --adapter llvmpipe").fails(1, says);
    }
}

/// Wherever a driver loses the device or crashes, the CPU's count stands, and the reason is given.
#[test]
#[cfg(target_os = "linux")]
fn a_driver_that_fails_while_it_counts_costs_no_result() {
    let Some(driver) = FaultyDriver::build() else { return };
    let count = "count --doves 2..7 --adapter llvmpipe --quiet";
    let total = |out: &str| out.lines().find(|line| line.starts_with("total ")).map(str::to_owned);
    let expected = total(&driver.dovemate("none", count).succeeds().out);
    for (sign, says) in [("", "was lost"), ("-", "crashed")] {
        let mut counted = Vec::new();
        // How many submissions there are depends on their pace. There are never as many as the last number.
        for submissions in ["0", "3", "12", "20", "40", "1000000"] {
            let ran = driver.dovemate(&format!("{sign}{submissions}"), count).ends(0);
            assert_eq!(total(&ran.out), expected, "{sign}{submissions}: {}", ran.text());
            let is_told = ran.err.lines().count() == 1 && ran.err.contains(says);
            assert!(is_told || ran.err.is_empty(), "{sign}{submissions}: {}", ran.text());
            counted.push(ran.err.is_empty());
        }
        assert_eq!((counted.first(), counted.last()), (Some(&false), Some(&true)), "{counted:?}");
    }
}

/// A driver that takes long to list its adapters is waited for, and the program says so.
#[test]
#[cfg(target_os = "linux")]
fn slow_listing_is_reported() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let Some(driver) = FaultyDriver::build() else { return };
    let mut program = driver.command("late", "adapters");
    let mut process = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(process.stderr.take().expect("a pipe")).read_line(&mut line).expect("UTF-8");
    assert_eq!(line, "waiting for the drivers to list their adapters\n");
    std::fs::write(driver.go(), "").expect("it is written");
    let output = process.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&output.stdout).contains("self-test  passed"), "{output:?}");
}

/// Compiling shaders is reported when it takes long.
#[test]
#[cfg(target_os = "linux")]
fn slow_compiling_is_reported() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let Some(driver) = FaultyDriver::build() else { return };
    let mut program = driver.command("slow", "count --doves 2..4 --adapter llvmpipe");
    let mut process = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let err = BufReader::new(process.stderr.take().expect("a pipe")).lines().map(|line| line.expect("UTF-8"));
    let mut err = err.filter(|line| !line.contains("XDG_RUNTIME_DIR"));
    assert_eq!(err.next().as_deref(), Some("compiling shaders"));
    std::fs::write(driver.go(), "").expect("it is written");
    assert_eq!(err.collect::<Vec<_>>(), [""; 0]);
    assert!(process.wait().expect("it ends").success());
}

/// A driver without a conformance number is listed as such where there is no other, and used if it is named.
#[test]
#[cfg(target_os = "linux")]
fn a_driver_that_is_not_certified_is_used_if_named() {
    let Some(driver) = FaultyDriver::build() else { return };
    let listed = driver.dovemate("uncertified", "adapters").succeeds().out;
    has(&listed, "software, not certified … only when named: --adapter 0");
    let counted = driver.dovemate("uncertified", "count --doves 2..4").succeeds().out;
    has(&counted, "only if named: 0 = llvmpipe … , not certified)");
    // Quiet, because otherwise it may report that compiling takes long.
    let counted = driver.dovemate("uncertified", "count --doves 2..4 --adapter 0 --quiet").succeeds().out;
    assert!(counted.contains("llvmpipe"), "{counted}");
}

/// Mesa's layer for the choice of a device ends the process when it has listed them, which costs no result
/// either.
#[test]
#[cfg(target_os = "linux")]
fn a_driver_that_ends_its_process_costs_nothing() {
    if !is_asked_for("gpu") {
        return;
    }
    let layer = "/usr/share/vulkan/implicit_layer.d/VkLayer_MESA_device_select.json";
    assert!(std::path::Path::new(layer).exists(), "a GPU is asked for, and Mesa's layer is not there");
    for (arguments, status) in
        [("adapters", 0), ("count --doves 6", 0), ("count --doves 6 --method exhaustive --backend gpu", 1)]
    {
        let mut program = Command::new(PROGRAM);
        program.args(arguments.split(' ')).env("MESA_VK_DEVICE_SELECT", "list").env_remove("NODEVICE_SELECT");
        let ran = run(&mut program, "").ends(status);
        has(&ran.text(), "a driver ended its process while listing its adapters");
    }
}
