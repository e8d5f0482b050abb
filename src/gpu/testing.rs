//! Helpers shared by the tests of the GPU code.

use std::io::Write;

use wgpu::naga;
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};

use super::device::{Device, Needs};
use super::shared::WORKGROUP_MEMORY;
use super::{AdapterDescription, Adapters};

/// An adapter of this machine. Without one the test is skipped, with a line on standard error that libtest does not
/// hide.
pub(super) fn adapter(test: &str) -> Option<(Adapters, AdapterDescription)> {
    let adapters = Adapters::find();
    let adapter = adapters.hardware().into_iter().chain(adapters.descriptions()).next();
    if adapter.is_none() {
        assert_ne!(std::env::var("DOVEMATE_REQUIRE_GPU").as_deref(), Ok("1"), "no adapter, but one is required");
        let _ = writeln!(std::io::stderr(), "{test}: SKIPPED, no adapter");
    }
    Some((adapters, adapter?))
}

/// A device of this machine's adapter, for kernels of the self-test.
pub(super) fn device(test: &str) -> Option<Device> {
    let (adapters, adapter) = adapter(test)?;
    let needs = Needs {
        storage_buffers: 4,
        bindings: 5,
        largest_buffer: 1 << 24,
        workgroup_size: 64,
        workgroup_memory: WORKGROUP_MEMORY,
        workgroups: 64,
    };
    Some(adapters.open(adapter.index, &needs).expect("the device opens"))
}

/// Parses and validates a module as a device gets it. Panics if it is invalid, has other entry points than this one, or
/// uses more workgroup memory than devices are asked for; returns the bytes it uses.
pub(super) fn module(name: &str, source: &str, entry_point: &str) -> (naga::Module, u32) {
    let module =
        naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    if let Err(error) = validator.validate(&module) {
        panic!("{name}: {}", error.emit_to_string(source));
    }
    let entry_points: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(entry_points, [entry_point], "{name}");
    // Each variable may begin at a multiple of 16 bytes.
    let shared = module.global_variables.iter().filter(|(_, it)| it.space == naga::AddressSpace::WorkGroup);
    let sizes = shared.map(|(_, it)| module.types[it.ty].inner.size(module.to_ctx()).next_multiple_of(16));
    let memory: u32 = sizes.sum();
    assert!(memory <= WORKGROUP_MEMORY, "{name}: a workgroup shares {memory} bytes");
    (module, memory)
}
