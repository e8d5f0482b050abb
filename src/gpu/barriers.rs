//! The self-test's loop with barriers. Some compilers drop barriers, or iterations of a loop that contains
//! them.
//!
//! Twin of `shaders/barriers.wgsl`.

use super::module::{KnownAnswer, Module};

const SOURCE: &str = include_str!("../../shaders/barriers.wgsl");

const TURNS: u32 = 64;
const WORKGROUPS: u32 = 16;
/// Invocations in a workgroup, the same number as in the stages.
const LANES: u32 = 64;
/// Invocations in a team; these share their steps.
const TEAM: u32 = 8;
/// The multiplier of the mixing function.
const MULTIPLIER: u32 = 0x2c1b_3c6d;

/// The loop and its known answer.
pub(super) fn known_answer() -> KnownAnswer {
    let numbers =
        format!("const LANES = {LANES}u;\nconst TEAM = {TEAM}u;\nconst MULTIPLIER = {MULTIPLIER}u;\n");
    let (name, source) = ("barriers", numbers + SOURCE);
    KnownAnswer {
        name,
        module: Module { name: name.to_owned(), source, entry_point: "take_turns", overrides: Vec::new() },
        uniforms: vec![vec![TURNS]],
        workgroups: WORKGROUPS,
        answer: (0..WORKGROUPS).flat_map(take_turns).collect(),
        buffer: None,
    }
}

/// The results of a workgroup, computed on the CPU.
fn take_turns(workgroup: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..LANES).map(|lane| workgroup * LANES + lane).collect();
    let wanted: Vec<u32> = numbers.iter().map(|&number| mixed(number, TURNS) % (TURNS + 1)).collect();
    for turn in 0..TURNS {
        numbers.rotate_left((LANES / 2 + turn) as usize % LANES as usize);
        for (numbers, wanted) in numbers.chunks_mut(TEAM as usize).zip(wanted.chunks(TEAM as usize)) {
            let steps: &[u32] = if wanted.iter().any(|&wanted| turn < wanted) { numbers } else { &[] };
            let sum =
                steps.iter().filter(|&step| step & 1 == 1).fold(turn, |sum, &step| sum.wrapping_add(step));
            numbers.iter_mut().for_each(|number| *number = mixed(*number, sum));
        }
    }
    numbers
}

/// The shader's arithmetic.
fn mixed(number: u32, with: u32) -> u32 {
    let product = (number ^ with).wrapping_mul(MULTIPLIER);
    product ^ product >> 15
}
