//! The self-test's loop with barriers. Some compilers drop barriers, or iterations of a loop that contains them. The
//! loop has the shape of the solver's [`prepare_steps`](super::solve), without the look-ups.
//!
//! Twin of `shaders/barriers.wgsl`.

use super::device::Device;
use super::kernel::KnownAnswer;
use super::module::Module;
use super::{GpuError, kernel};

const SOURCE: &str = include_str!("../../shaders/barriers.wgsl");

const TURNS: u32 = 64;
const WORKGROUPS: u32 = 16;
/// Invocations in a workgroup: as many as in the smallest workgroups of the stages.
const LANES: u32 = 64;
/// Invocations in a team; these share their steps.
const TEAM: u32 = 8;
/// The multiplier of the mixing function.
const MULTIPLIER: u32 = 0x2c1b_3c6d;

/// The WGSL of the loop, with entry point `take_turns`.
pub(super) fn shader() -> String {
    format!("const LANES = {LANES}u;\nconst TEAM = {TEAM}u;\nconst MULTIPLIER = {MULTIPLIER}u;\n{SOURCE}")
}

/// The loop and what it computes.
pub(super) fn known_answer() -> KnownAnswer {
    KnownAnswer {
        module: Module::new("barriers", shader(), "take_turns"),
        uniforms: vec![vec![TURNS]],
        workgroups: WORKGROUPS,
        answer: (0..WORKGROUPS).flat_map(take_turns).collect(),
    }
}

/// Fails if the device loses barriers or turns.
pub(super) fn test(device: &Device) -> Result<(), GpuError> {
    test_with(device, shader())
}

fn test_with(device: &Device, shader: String) -> Result<(), GpuError> {
    let found = kernel::run(device, (shader, "take_turns"), TURNS, WORKGROUPS, WORKGROUPS * LANES)?;
    let expected = (0..WORKGROUPS).flat_map(take_turns);
    match found.iter().zip(expected).position(|(found, expected)| *found != expected) {
        None => Ok(()),
        Some(place) => Err(GpuError::Barriers { invocation: place as u32 % LANES, workgroup: place as u32 / LANES }),
    }
}

/// The results of a workgroup, worked out on the CPU.
fn take_turns(workgroup: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..LANES).map(|lane| workgroup * LANES + lane).collect();
    let wanted: Vec<u32> = numbers.iter().map(|&number| mixed(number, TURNS) % (TURNS + 1)).collect();
    for turn in 0..TURNS {
        numbers.rotate_left((LANES / 2 + turn) as usize % LANES as usize);
        for (numbers, wanted) in numbers.chunks_mut(TEAM as usize).zip(wanted.chunks(TEAM as usize)) {
            let steps: &[u32] = if wanted.iter().any(|&wanted| turn < wanted) { numbers } else { &[] };
            let sum = steps.iter().filter(|&step| step & 1 == 1).fold(turn, |sum, &step| sum.wrapping_add(step));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::testing;

    /// The test catches a driver that loses a turn, leaves the loop early, or lets invocations read before others have
    /// written.
    #[test]
    fn lost_turns_and_barriers_are_found_out() {
        let Some(device) = testing::device("lost_turns_and_barriers_are_found_out") else { return };
        test(&device).expect("the adapter's barriers hold");
        let faults = [
            ("turn < turns;", "turn < turns - 1u;"),
            ("turn < turns;", "turn < atomicLoad(&last_wanted[team]) + 1u;"),
            // A missing barrier: the invocation reads its own number, since the others have not written yet.
            ("number = handed_on[(lane + LANES / 2u + turn) % LANES];", "number = handed_on[lane];"),
            ("place < min(atomicLoad(&step_counts[counts]), TEAM)", "place < 1u"),
        ];
        for (right, wrong) in faults {
            assert_eq!(SOURCE.matches(right).count(), 1, "{right}");
            let found = test_with(&device, shader().replace(right, wrong));
            assert!(matches!(found, Err(GpuError::Barriers { .. })), "{wrong}: {found:?}");
        }
    }
}
