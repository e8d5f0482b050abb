//! Descriptions of a GPU and of the machine, for `adapters`, `bench` and bug reports.

use dovemate::gpu::AdapterDescription;
use dovemate::report::NoGpu;

use super::host::Host;

/// The condition on which an adapter that is software or not certified is used.
pub const ONLY_IF_NAMED: &str = "this adapter is used only when it is named";

/// A size in MiB or GiB: drivers report powers of two.
pub fn size(bytes: u64) -> String {
    const GIB: u64 = 1 << 30;
    match bytes {
        0..GIB => format!("{} MiB", bytes >> 20),
        _ => format!("{:.1} GiB", bytes as f64 / GIB as f64),
    }
}

/// An adapter's memory, if known, and its largest buffer.
pub fn memory(adapter: &AdapterDescription) -> String {
    let buffer = size(adapter.largest_buffer);
    match adapter.memory {
        Some(memory) => format!("{}, {buffer} a buffer", size(memory)),
        None => format!("{buffer} a buffer; the total is not reported"),
    }
}

/// A GPU's name, driver and memory, in two lines.
pub fn in_two_lines(adapter: &AdapterDescription) -> String {
    let AdapterDescription { name, backend, kind, driver, .. } = adapter;
    format!("GPU     {name} ({backend}, {kind}), driver {driver}\nmemory  {}", memory(adapter))
}

/// A GPU in one line.
pub fn in_a_line(adapter: &AdapterDescription) -> String {
    let AdapterDescription { name, backend, kind, driver, .. } = adapter;
    format!("{name}, {backend}, {kind}, driver {driver}, {} a buffer", size(adapter.largest_buffer))
}

/// The program's name, version and commit.
pub fn program() -> String {
    let version = env!("CARGO_PKG_VERSION");
    option_env!("DOVEMATE_COMMIT")
        .map_or(format!("dovemate {version}"), |commit| format!("dovemate {version} ({commit})"))
}

/// The machine in one line.
pub fn machine(host: &Host) -> String {
    format!("{}, {} cores, {}", host.cpu, host.cores, host.system)
}

/// Why no GPU is used, with the options that would use it.
pub fn advised(reason: &NoGpu) -> String {
    match reason {
        NoGpu::OnlyIfNamed(_) => format!("{reason}; name one with --adapter to use it all the same"),
        NoGpu::TooSlow(adapter, _) => {
            format!("{reason}; to run it anyway: --backend gpu --adapter {}", adapter.index)
        }
        _ => reason.to_string(),
    }
}
