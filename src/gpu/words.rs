//! The self-test of large buffers: some drivers silently bind or address only a part of them. It probes the
//! last word, the first, and those at powers of two, where truncated addresses would collide.
//!
//! Twin of `shaders/words.wgsl`.

use bytemuck::{Pod, Zeroable};

use super::known_answer::KnownAnswer;
use super::module::Module;

const SOURCE: &str = include_str!("../../shaders/words.wgsl");

/// Words that are probed in a buffer of 4 GiB.
const LANES: u32 = 32;
/// Mixed with the index of a word to give the value written to it.
const SERIAL: u32 = 0x5eed_b0a7;

/// The words of a probe, as the shader reads them.
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

/// The known answer of the probes of an empty buffer of this size.
pub(super) fn known_answer(bytes: u64) -> KnownAnswer {
    let seen = |value: &dyn Fn(u32) -> u32| {
        let mut seen: Vec<u32> = probed(bytes).map(value).collect();
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

/// The value that the first probe writes to a word.
fn written_at(index: u32) -> u32 {
    index ^ SERIAL
}

/// The indices of the probed words of a buffer of this size, by invocation.
fn probed(bytes: u64) -> impl Iterator<Item = u32> {
    let last = (bytes / 4) as u32 - 1;
    let lower = (0..LANES - 1).map(|lane| (1u32 << lane) >> 1);
    std::iter::once(last).chain(lower.take_while(move |&index| index < last))
}
