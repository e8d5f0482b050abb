//! The self-test of large buffers: some drivers silently bind or address only a part of them. It probes the last word,
//! the first, and those at powers of two, where truncated addresses would collide.
//!
//! Twin of `shaders/words.wgsl`.

use bytemuck::{Pod, Zeroable};
use wgpu::BufferUsages as Usage;

use super::GpuError;
use super::device::Device;
use super::dispatch::{Download, Stage};
use super::kernel::KnownAnswer;
use super::module::Module;

const SOURCE: &str = include_str!("../../shaders/words.wgsl");

/// Words that are probed in a buffer of 4 GiB.
const LANES: u32 = 32;
/// Mixed with the index of a word to give the value written to it.
const SERIAL: u32 = 0x5eed_b0a7;

/// What an invocation does with its word.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Probe {
    serial: u32,
    seen_at: u32,
}

/// The first reads and writes each word of an empty buffer, the second reads and clears it.
const PROBES: [Probe; 2] = [Probe { serial: SERIAL, seen_at: 0 }, Probe { serial: 0, seen_at: LANES }];

/// The kernel.
pub(super) fn module() -> Module {
    Module::new("words", format!("const LANES = {LANES}u;\n{SOURCE}"), "probe_words")
}

/// The probes of an empty buffer of this size, and what they see.
pub(super) fn known_answer(bytes: u64) -> KnownAnswer {
    let seen = |value: &dyn Fn(u32) -> u32| {
        let mut seen: Vec<u32> = places(bytes).map(value).collect();
        seen.resize(LANES as usize, 0);
        seen
    };
    KnownAnswer {
        module: module(),
        uniforms: PROBES.iter().map(|probe| bytemuck::cast_slice(&[*probe]).to_vec()).collect(),
        workgroups: 1,
        answer: [seen(&|_| 0), seen(&written_at)].concat(),
    }
}

/// What the first probe writes to a word.
fn written_at(place: u32) -> u32 {
    place ^ SERIAL
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
            pipeline: device.pipeline(module())?,
            probes,
            seen: device.buffer("seen", size, Usage::STORAGE | Usage::COPY_SRC),
            download: Download::new(device, size),
        })
    }

    /// Fails if a buffer of zeros does not keep what is written to it. Afterwards it is all zeros again.
    pub fn test_empty(&self, device: &Device, buffer: &wgpu::Buffer) -> Result<(), GpuError> {
        let bindings = self.probes.each_ref().map(|probe| device.bind(&self.pipeline, &[probe, buffer, &self.seen]));
        let stages = bindings.each_ref().map(|bindings| Stage { pipeline: &self.pipeline, bindings, workgroups: 1 });
        let size = self.seen.size();
        let sent = self.download.send(device, &stages, &self.seen, size);
        let (bytes, _) = self.download.receive(device, sent, size)?;
        let seen: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
        let (before, written) = seen.split_at(LANES as usize);
        compare(buffer, before, |_| 0)?;
        compare(buffer, written, written_at)
    }
}

/// The indices of the probed words of a buffer of this size, by invocation.
fn places(bytes: u64) -> impl Iterator<Item = u32> {
    let last = (bytes / 4) as u32 - 1;
    let lower = (0..LANES - 1).map(|lane| (1u32 << lane) >> 1);
    std::iter::once(last).chain(lower.take_while(move |&place| place < last))
}

fn compare(buffer: &wgpu::Buffer, seen: &[u32], expected: impl Fn(u32) -> u32) -> Result<(), GpuError> {
    for (place, &found) in places(buffer.size()).zip(seen) {
        let expected = expected(place);
        if found != expected {
            let told = format!("word {place} of a buffer of {} bytes is read as {found:#010x}", buffer.size());
            return Err(GpuError::Wrong(format!("{told}; {expected:#010x} is there")));
        }
    }
    Ok(())
}
