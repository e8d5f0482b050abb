//! The self-test: an adapter is believed only after it has given known answers.
//!
//! First a long loop: some drivers silently end loops after some number of iterations (Mesa 22's lavapipe after 65,535, in
//! total over all loops of an invocation). Such an adapter is still usable with short slices, and the limit is measured here.
//! Then boss placements that the CPU counts as well.

use wgpu::BufferUsages as Usage;

use super::device::Device;
use super::engine::Engine;
use super::{Adapters, GpuError, shaders};
use crate::mates::{Counter, Method, Question};
use crate::shapes::{BossPlacement, Shape};

/// Rounds of the long loop: four times as many as the known limit.
const ROUNDS: u32 = 1 << 18;
/// Invocations that loop.
const LANES: u32 = 64;
/// Slices stay below this part of a limit on loop iterations.
const MARGIN: u32 = 10;

/// An adapter that has passed.
pub struct Vetted {
    /// Ready to count.
    pub engine: Engine,
    /// After how many iterations the driver ends loops, if it does.
    pub loop_limit: Option<u32>,
}

/// Opens the adapter with this index and tests it with a question.
///
/// # Errors
/// If it cannot be opened, or gives a wrong answer.
pub fn vet(adapters: &Adapters, index: usize, question: Question) -> Result<Vetted, GpuError> {
    let device = adapters.open(index)?;
    let loop_limit = loop_limit(&device)?;
    let mut engine = Engine::new(device, question, loop_limit.map(|limit| limit / MARGIN))?;
    let known = known_placements(question);
    let placements: Vec<BossPlacement> = known.iter().map(|(placement, _)| *placement).collect();
    let mut wrong = None;
    engine.count(&placements, None, |place, found| {
        let (placement, expected) = known[place];
        if found != expected {
            wrong.get_or_insert(GpuError::Differs { placement: placement.to_string(), found, expected });
        }
    })?;
    wrong.map_or(Ok(Vetted { engine, loop_limit }), Err)
}

/// After how many iterations the driver ends loops; `None` if all were made.
fn loop_limit(device: &Device) -> Result<Option<u32>, GpuError> {
    let pipeline = device.pipeline(shaders::loops(), "run_loop", &[]);
    let size = u64::from(LANES) * 8;
    let rounds = device.buffer("rounds", 4, Usage::UNIFORM | Usage::COPY_DST);
    let looped = device.buffer("looped", size, Usage::STORAGE | Usage::COPY_SRC);
    let download = device.buffer("download", size, Usage::MAP_READ | Usage::COPY_DST);
    let bindings = device.bind(&pipeline, &[&rounds, &looped]);
    device.check()?;
    device.queue.write_buffer(&rounds, 0, bytemuck::bytes_of(&ROUNDS));
    let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&looped, 0, &download, 0, size);
    let submission = device.queue.submit([encoder.finish()]);
    let bytes = device.read(&download, size, submission)?;
    let lanes: Vec<[u32; 2]> = bytemuck::pod_collect_to_vec(&bytes);

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
    (0..rounds).fold(lane, |mixed, round| (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d).wrapping_add(round))
}

/// Boss placements of every number of slots with their counts by the CPU, those with the largest counts of a few.
fn known_placements(question: Question) -> Vec<(BossPlacement, u64)> {
    const CANDIDATES: usize = 32;
    const TAKEN: usize = 2;
    // The largest boss placements would take the exhaustive method on a slow adapter seconds each.
    let most_slots = match question.method {
        Method::Factored => 10,
        Method::Exhaustive => 7,
    };
    let mut counter = Counter::new(Question { method: Method::Factored, ..question });
    let mut all: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
    all.retain(|placement| !placement.is_pruned());
    let mut known = Vec::new();
    for slots in 0..=most_slots {
        let of_size: Vec<&BossPlacement> = all.iter().filter(|placement| placement.slots() == slots).collect();
        let step = (of_size.len() / CANDIDATES).max(1);
        let mut counted: Vec<(BossPlacement, u64)> =
            of_size.iter().step_by(step).map(|&&placement| (placement, counter.count(&placement))).collect();
        counted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        known.extend(counted.into_iter().take(TAKEN));
    }
    known
}
