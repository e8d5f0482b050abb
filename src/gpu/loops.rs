//! The self-test's long loop. Some drivers silently end loops after a number of iterations (Mesa 22's lavapipe after
//! 65,535, summed over all loops of an invocation). Such an adapter is still usable with short slices; the limit is
//! measured here.
//!
//! Twin of `shaders/loops.wgsl`.

use super::device::Device;
use super::{GpuError, kernel};

const SOURCE: &str = include_str!("../../shaders/loops.wgsl");

/// Rounds of the long loop: four times as many as the known limit.
const ROUNDS: u32 = 1 << 18;
/// Invocations that loop.
const LANES: u32 = 64;
/// The multiplier of the mixing function.
const MULTIPLIER: u32 = 0x2c1b_3c6d;

/// The WGSL of the loop, with entry point `run_loop`.
pub(super) fn shader() -> String {
    format!("const LANES = {LANES}u;\nconst MULTIPLIER = {MULTIPLIER}u;\n{SOURCE}")
}

/// The number of iterations after which the driver ends loops; `None` if all were made.
pub(super) fn limit(device: &Device) -> Result<Option<u32>, GpuError> {
    let words = kernel::run(device, (shader(), "run_loop"), ROUNDS, 1, 2 * LANES)?;
    let lanes: Vec<[u32; 2]> = words.chunks_exact(2).map(|lane| [lane[0], lane[1]]).collect();

    let fewest = lanes.iter().map(|&[made, _]| made).min().unwrap_or(0);
    for (lane, &[made, mixed]) in (0..).zip(&lanes) {
        if made > ROUNDS || mixed != mix(lane, made) {
            return Err(GpuError::Loops(format!(
                "its loops compute wrongly: invocation {lane} of {LANES}, round {made}"
            )));
        }
    }
    Ok((fewest < ROUNDS).then_some(fewest))
}

/// The shader's arithmetic.
fn mix(lane: u32, rounds: u32) -> u32 {
    (0..rounds).fold(lane, |mixed, round| (mixed ^ mixed >> 15).wrapping_mul(MULTIPLIER).wrapping_add(round))
}
