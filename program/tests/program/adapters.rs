//! What the program says of an adapter: `adapters` and `bench`.

use std::process::Command;

use dovemate::internals::gpu::{AdapterDescription, Adapters};

use crate::common::program::{PROGRAM, run};
use crate::common::say_skipped;

/// The program lists the adapter with all that a bug report needs, and measures it in one table with the CPU; the last
/// line sums this up.
#[test]
fn an_owner_is_told_of_it() {
    let adapters = Adapters::find();
    let Some(description) = adapters.hardware().into_iter().chain(adapters.descriptions()).next() else {
        assert!(std::env::var_os("DOVEMATE_REQUIRE_GPU").is_none(), "there is no adapter");
        return say_skipped("what is said of an adapter, as there is none");
    };
    let AdapterDescription { index, name, driver, backend, is_software, .. } = &description;
    let output = |arguments: &[&str]| {
        let ran = run(Command::new(PROGRAM).args(arguments), "");
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.err);
        ran.out
    };
    let listed = output(&["adapters", "--verbose"]);
    let tests = ["counting", "solver"].map(|test| format!("self-test  {test}: passed"));
    let limits = ["dovemate ", "vendor and device", "max_buffer_size", "bus address", "memory copies", "batches"];
    for part in tests.iter().map(String::as_str).chain(limits).chain([&name[..], &driver[..], &backend[..]]) {
        assert!(listed.contains(part), "{part} is not among what is listed: {listed}");
    }
    let index = index.to_string();
    let measured = output(&["bench", "--adapter", &index, "--doves", "2..5", "--runs", "1", "--quiet"]);
    let rows = |method: &str| -> Vec<&str> {
        measured.lines().filter(|line| line.split_whitespace().take(2).eq([method, "2..5"])).collect()
    };
    let [cpu, card] = rows("exhaustive")[..] else { panic!("a row for the CPU and one for the GPU: {measured}") };
    assert!(cpu.contains("CPU thread") && card.contains(&name[..]), "{measured}");
    assert!(matches!(rows("factored")[..], [cpu] if cpu.contains("CPU thread")), "{measured}");
    let told = "tested  it has passed its self-test, and its count on every boss placement is the CPU's";
    assert!(measured.contains(told), "{measured}");
    let is_told = measured.contains("auto    a software adapter is used only when it is named\n");
    assert_eq!((is_told, measured.contains("auto  ")), (*is_software, *is_software), "{measured}");
    let last = measured.lines().last().expect("there are lines");
    for part in [&name[..], &driver[..], " | factored 2..5: CPU ", " | exhaustive 2..5: CPU ", ", GPU "] {
        assert!(last.contains(part), "{part} is not in the line for reports: {last}");
    }
}

/// Mesa's layer for the choice of a device ends the process when it has listed them: what is lost is not lost with
/// success.
#[test]
#[cfg(target_os = "linux")]
fn a_driver_that_ends_the_program_fails_it() {
    if !std::path::Path::new("/usr/share/vulkan/implicit_layer.d/VkLayer_MESA_device_select.json").exists() {
        return say_skipped("a driver that ends the program, as Mesa's layer is not there");
    }
    for arguments in ["adapters", "count", "count --doves 6 --backend gpu", "solve --kinds A --backend gpu"] {
        let mut program = Command::new(PROGRAM);
        program.args(arguments.split(' ')).env("MESA_VK_DEVICE_SELECT", "list").env_remove("NODEVICE_SELECT");
        let output = program.output().expect("it starts");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {err}");
        assert!(err.ends_with("error: the GPU's driver has ended the program\n"), "{arguments}: {err}");
    }
}
