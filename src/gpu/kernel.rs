//! The kernels of the self-test on a device: small ones with a uniform number and a buffer of results, and
//! the probes of large buffers.

use wgpu::BufferUsages as Usage;

use super::device::Device;
use super::dispatch::{Download, Stage};
use super::module::Module;
use super::words::{LANES, PROBES, Probe};
use super::{GpuError, barriers, words};

/// Runs a kernel once. Binding 0 is the number; binding 1 has room for `words` words of results, initially
/// zeros.
pub fn run(
    device: &Device,
    module: Module,
    number: u32,
    workgroups: u32,
    words: u32,
) -> Result<Vec<u32>, GpuError> {
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

/// Fails if the device loses barriers or turns.
pub fn test_barriers(device: &Device) -> Result<(), GpuError> {
    let (workgroups, lanes) = (barriers::WORKGROUPS, barriers::LANES);
    let found = run(device, barriers::module(), barriers::TURNS, workgroups, workgroups * lanes)?;
    match found.iter().zip(barriers::known_answer().answer).position(|(found, expected)| *found != expected) {
        None => Ok(()),
        Some(index) => {
            let (invocation, workgroup) = (index as u32 % lanes, index as u32 / lanes);
            Err(GpuError::Wrong(format!(
                "its barriers do not hold: invocation {invocation} of workgroup {workgroup} has a wrong number"
            )))
        }
    }
}

/// The compiled kernel and its buffers.
pub struct Words {
    pipeline: wgpu::ComputePipeline,
    probes: [wgpu::Buffer; 2],
    seen: wgpu::Buffer,
    download: Download,
}

impl Words {
    /// Compiles the kernel.
    pub fn new(device: &Device) -> Result<Words, GpuError> {
        let size = 8 * u64::from(LANES);
        let probes = PROBES.map(|probe| {
            let buffer = device.buffer("probe", size_of::<Probe>() as u64, Usage::UNIFORM | Usage::COPY_DST);
            device.queue.write_buffer(&buffer, 0, bytemuck::bytes_of(&probe));
            buffer
        });
        Ok(Words {
            pipeline: device.pipeline(words::module())?,
            probes,
            seen: device.buffer("seen", size, Usage::STORAGE | Usage::COPY_SRC),
            download: Download::new(device, size),
        })
    }

    /// Fails if a buffer of zeros does not keep what is written to it. Afterwards it is all zeros again.
    pub fn test_empty(&self, device: &Device, buffer: &wgpu::Buffer) -> Result<(), GpuError> {
        let bindings =
            self.probes.each_ref().map(|probe| device.bind(&self.pipeline, &[probe, buffer, &self.seen]));
        let stages =
            bindings.each_ref().map(|bindings| Stage { pipeline: &self.pipeline, bindings, workgroups: 1 });
        let size = self.seen.size();
        let sent = self.download.send(device, &stages, &self.seen, size);
        let (bytes, _) = self.download.receive(device, sent, size)?;
        let seen: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
        let (before, written) = seen.split_at(LANES as usize);
        compare(buffer, before, |_| 0)?;
        compare(buffer, written, words::written_at)
    }
}

fn compare(buffer: &wgpu::Buffer, seen: &[u32], expected: impl Fn(u32) -> u32) -> Result<(), GpuError> {
    for (index, &found) in words::probed(buffer.size()).zip(seen) {
        let expected = expected(index);
        if found != expected {
            let bytes = buffer.size();
            return Err(GpuError::Wrong(format!(
                "word {index} of a buffer of {bytes} bytes is read as {found:#010x}; {expected:#010x} is there"
            )));
        }
    }
    Ok(())
}
