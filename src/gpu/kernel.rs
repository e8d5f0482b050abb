//! Small kernels of the self-test, with a uniform number and a buffer of results.

use serde::Serialize;
use wgpu::BufferUsages as Usage;

use super::GpuError;
use super::device::Device;
use super::dispatch::{Download, Stage};
use super::module::Module;

/// A kernel with its known answer, for a host that is not written in Rust. It is dispatched once with each of the
/// uniforms as binding 0; its last binding gets the answer.
#[derive(Clone, Debug, Serialize)]
pub(super) struct KnownAnswer {
    pub module: Module,
    pub uniforms: Vec<Vec<u32>>,
    pub workgroups: u32,
    pub answer: Vec<u32>,
}

/// Runs a kernel once. Binding 0 is the number; binding 1 has room for `words` words of results, initially zeros.
pub fn run(device: &Device, module: Module, number: u32, workgroups: u32, words: u32) -> Result<Vec<u32>, GpuError> {
    let pipeline = device.pipeline(module)?;
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
