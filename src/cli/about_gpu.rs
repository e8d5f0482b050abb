//! What there is to say of a GPU: to its owner, and in a report of a fault.

use dovemate::gpu::AdapterDescription;

use super::host::Host;

/// Bytes in words, in powers of two as drivers give them.
pub fn size(bytes: u64) -> String {
    const GIB: u64 = 1 << 30;
    match bytes {
        0..GIB => format!("{} MiB", bytes >> 20),
        _ => format!("{:.1} GiB", bytes as f64 / GIB as f64),
    }
}

/// How much memory it has, as far as can be told.
pub fn memory(adapter: &AdapterDescription) -> String {
    let buffer = size(adapter.largest_buffer);
    match adapter.memory {
        Some(memory) => format!("{}, {buffer} a buffer", size(memory)),
        None => format!("{buffer} a buffer; how much there is in all is not told"),
    }
}

/// A GPU in a line.
pub fn in_a_line(adapter: &AdapterDescription) -> String {
    let AdapterDescription { name, backend, kind, driver, .. } = adapter;
    format!("{name}, {backend}, {kind}, driver {driver}, {} a buffer", size(adapter.largest_buffer))
}

/// The program, with its commit.
pub fn program() -> String {
    let version = env!("CARGO_PKG_VERSION");
    option_env!("DOVEMATE_COMMIT")
        .map_or(format!("dovemate {version}"), |commit| format!("dovemate {version} ({commit})"))
}

/// The machine in a line.
pub fn machine(host: &Host) -> String {
    format!("{}, {} cores, {}", host.cpu, host.cores, host.system)
}
