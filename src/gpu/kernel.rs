//! Small kernels of the self-test: one binding of numbers that all invocations see, one of results.

use wgpu::BufferUsages as Usage;

use super::GpuError;
use super::device::Device;
use super::dispatch::{Download, Stage};

/// Runs a kernel once: binding 0 is one number, binding 1 so many words of results, which begin as zeros.
pub(super) fn run(
    device: &Device,
    (source, entry_point): (String, &'static str),
    number: u32,
    workgroups: u32,
    words: u32,
) -> Result<Vec<u32>, GpuError> {
    let pipeline = device.pipeline(source, entry_point, &[])?;
    let size = 4 * u64::from(words);
    let uniform = device.buffer("number", 4, Usage::UNIFORM | Usage::COPY_DST);
    let results = device.buffer("results", size, Usage::STORAGE | Usage::COPY_SRC);
    let download = Download::new(device, size);
    let bindings = device.bind(&pipeline, &[&uniform, &results]);
    device.check()?;
    device.queue.write_buffer(&uniform, 0, bytemuck::bytes_of(&number));
    let stage = Stage { pipeline: &pipeline, bindings: &bindings, workgroups };
    let sent = download.send(device, &[stage], &results, size);
    let (bytes, _) = download.receive(device, sent, size)?;
    Ok(bytemuck::pod_collect_to_vec(&bytes))
}
