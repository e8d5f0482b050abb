//! The self-test of counting: loops, barriers and large buffers, then boss placements that the CPU counts too.

use super::card::{Card, Pipelines, needs};
use super::engine::Engine;
use crate::count::{Counter, Method, Question};
use crate::gpu::{Adapters, GpuError, barriers, loops};
use crate::join::join;
use crate::shapes::{BossPlacement, Shape};

/// Slices use at most this fraction, 1/`MARGIN`, of a limit on loop iterations.
const MARGIN: u32 = 10;

/// An adapter that has passed the self-test.
pub struct TestedEngine {
    /// The engine, ready to count.
    pub engine: Engine,
    /// The number of iterations after which the driver ends loops, if it does.
    pub loop_limit: Option<u32>,
}

/// Opens the adapter with this index and tests it with a question.
///
/// # Errors
/// If it cannot be opened, or gives a wrong answer.
pub fn open_tested(adapters: &Adapters, index: usize, question: Question) -> Result<TestedEngine, GpuError> {
    let open = || {
        let device = adapters.open(index, &needs())?;
        let (pipelines, loop_limit) = join(
            || Pipelines::compile(&device, question),
            || barriers::test(&device).and_then(|()| loops::limit(&device)),
        );
        let loop_limit = loop_limit?;
        let card = Card::new(device, pipelines?)?;
        let engine = Engine::new(Box::new(card), question, loop_limit.map(|limit| limit / MARGIN))?;
        Ok(TestedEngine { engine, loop_limit })
    };
    // The CPU counts while the driver opens the device and compiles.
    let (known, opened): (_, Result<TestedEngine, GpuError>) = join(|| known_placements(question), open);
    let mut opened = opened?;
    test(&mut opened.engine, &known)?;
    Ok(opened)
}

/// Fails if the engine's counts differ from the known ones.
fn test(engine: &mut Engine, known: &[(BossPlacement, u64)]) -> Result<(), GpuError> {
    let placements: Vec<BossPlacement> = known.iter().map(|(placement, _)| *placement).collect();
    engine.count(&placements, |place, found| {
        let (placement, expected) = &known[place];
        GpuError::unless_equal(placement, found, *expected)
    })?;
    engine.forget_pace();
    Ok(())
}

/// Boss placements with their counts by the CPU: for every number of slots, those of a sample with the largest counts.
fn known_placements(question: Question) -> Vec<(BossPlacement, u64)> {
    const CANDIDATES: usize = 32;
    const TAKEN: usize = 2;
    // On a slow adapter the exhaustive method would take seconds for each of the largest boss placements.
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
