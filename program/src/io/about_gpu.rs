//! Descriptions of a GPU, and of why none is used.

use dovemate::gpu::AdapterDescription;
use dovemate::report::NoGpu;

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

/// Why no GPU is used, with the options, if any, that make the program use one all the same.
pub fn advised(reason: &NoGpu) -> String {
    match reason {
        NoGpu::OnlyIfNamed(_) => format!("{reason}; name one with --adapter to use it all the same"),
        NoGpu::TooSlow(adapter, _) => {
            format!("{reason}; to run it anyway: --backend gpu --adapter {}", adapter.index)
        }
        _ => reason.to_string(),
    }
}
