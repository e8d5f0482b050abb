//! The kernels of the self-test on a device, and their known answers.

use wgpu::BufferUsages as Usage;

use super::device::Device;
use super::dispatch::{Download, Stage};
use super::known_answer::KnownAnswer;
use super::{GpuError, Module};

/// Fails unless a kernel computes its known answer, with the buffer `between` bound between the uniform and the
/// answer, if there is one.
///
/// # Errors
/// If the answer is wrong, or the device fails.
pub(crate) fn test(
    device: &Device,
    known: &KnownAnswer,
    between: Option<&wgpu::Buffer>,
) -> Result<(), GpuError> {
    let KnownAnswer { module, uniforms, workgroups, answer } = known;
    let found = run(device, module.clone(), uniforms, *workgroups, between, answer.len())?;
    let compared = found.iter().zip(answer).enumerate();
    match compared.into_iter().find(|(_, (found, expected))| found != expected) {
        None => Ok(()),
        Some((word, (found, expected))) => Err(GpuError::Wrong(format!(
            "its self-test \"{}\" computes {found:#010x} as word {word} where {expected:#010x} is right",
            module.name
        ))),
    }
}

/// Dispatches a kernel once for each of the `uniforms`, the words of binding 0. The last binding is a zeroed buffer of
/// this many words; returns its contents.
///
/// # Errors
/// If the kernel cannot be compiled, or the device fails.
pub(crate) fn run(
    device: &Device,
    module: Module,
    uniforms: &[Vec<u32>],
    workgroups: u32,
    between: Option<&wgpu::Buffer>,
    words: usize,
) -> Result<Vec<u32>, GpuError> {
    let pipeline = device.pipeline(module)?;
    let size = 4 * words as u64;
    let results = device.buffer("results", size, Usage::STORAGE | Usage::COPY_SRC);
    let bindings: Vec<wgpu::BindGroup> = uniforms
        .iter()
        .map(|words| {
            let uniform = device.buffer("uniform", 4 * words.len() as u64, Usage::UNIFORM | Usage::COPY_DST);
            device.queue.write_buffer(&uniform, 0, bytemuck::cast_slice(words));
            let buffers: Vec<&wgpu::Buffer> =
                [&uniform].into_iter().chain(between).chain([&results]).collect();
            device.bind(&pipeline, &buffers)
        })
        .collect();
    device.check()?;
    let download = Download::new(device, size);
    let stages: Vec<Stage> =
        bindings.iter().map(|bindings| Stage { pipeline: &pipeline, bindings, workgroups }).collect();
    let sent = download.send(device, &stages, &results, size);
    Ok(download.receive(device, sent)?.0)
}
