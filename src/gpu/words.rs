//! The self-test of large buffers: some drivers silently bind or address only a part of them. It probes the
//! last word, the first, and those at powers of two, where truncated addresses would collide.
//!
//! Twin of `shaders/words.wgsl`.

use super::module::{KnownAnswer, Module};

const SOURCE: &str = include_str!("../../shaders/words.wgsl");

/// Words that are probed in a buffer of 4 GiB.
const LANES: u32 = 32;
/// Mixed with the index of a word to give the value written to it.
const SERIAL: u32 = 0x5eed_b0a7;

/// The known answer of two probes of a buffer of zeros with this size. The first reads and writes each probed word, the
/// second reads and clears it.
pub(super) fn known_answer(buffer: &'static str, bytes: u64) -> KnownAnswer {
    let (name, source) = ("words", format!("const LANES = {LANES}u;\n{SOURCE}"));
    // The first probe reads zeros, the second reads the values that the first wrote.
    let mut answer = vec![0; LANES as usize];
    answer.extend(probed(bytes).map(|index| index ^ SERIAL));
    answer.resize(2 * LANES as usize, 0);
    KnownAnswer {
        name,
        module: Module { name: name.to_owned(), source, entry_point: "probe_words", overrides: Vec::new() },
        // The number to mix into the values to write, and the place in the answer at which the values read are stored.
        uniforms: vec![vec![SERIAL, 0], vec![0, LANES]],
        workgroups: 1,
        answer,
        buffer: Some(buffer),
    }
}

/// The indices of the probed words of a buffer of this size, by invocation.
fn probed(bytes: u64) -> impl Iterator<Item = u32> {
    let last = (bytes / 4) as u32 - 1;
    let lower = (0..LANES - 1).map(|lane| (1u32 << lane) >> 1);
    std::iter::once(last).chain(lower.take_while(move |&index| index < last))
}
