//! The self-test of counting: barriers and large buffers, then boss placements that the CPU counts too.

#[cfg(feature = "gpu")]
use super::card::Card;
#[cfg(feature = "gpu")]
use super::engine::Engine;
use crate::count::{Counter, Method, Question};
#[cfg(feature = "gpu")]
use crate::gpu::{Adapters, GpuError};
#[cfg(feature = "gpu")]
use crate::join::join;
use crate::shapes::{BossPlacement, Shape};

/// Opens the adapter with this index and tests it with a question, which it answers by testing every
/// assignment, whatever method the question names.
///
/// # Errors
/// If it cannot be opened, or gives a wrong answer.
#[cfg(feature = "gpu")]
pub fn open_tested(adapters: &Adapters, index: usize, question: Question) -> Result<Engine, GpuError> {
    let open = || Ok(Engine::new(Box::new(Card::new(adapters.open(index)?, question)?)));
    // The CPU counts while the driver opens the device and compiles.
    let (known, engine): (_, Result<Engine, GpuError>) = join(|| known_placements(question), open);
    let mut engine = engine?;
    test(&mut engine, &known)?;
    Ok(engine)
}

/// Fails if the engine's counts differ from the known ones.
#[cfg(feature = "gpu")]
fn test(engine: &mut Engine, known: &[(BossPlacement, u64)]) -> Result<(), GpuError> {
    let placements: Vec<BossPlacement> = known.iter().map(|(placement, _)| *placement).collect();
    engine.count(&placements, |place, found| {
        let (placement, expected) = &known[place];
        GpuError::unless_equal(placement, found, *expected)
    })?;
    engine.forget_pace();
    Ok(())
}

/// Boss placements with their counts by the CPU: for every number of slots, those of a sample with the
/// largest counts.
pub(super) fn known_placements(question: Question) -> Vec<(BossPlacement, u64)> {
    const CANDIDATES: usize = 32;
    const TAKEN: usize = 2;
    // A slow adapter would take seconds for each of the largest boss placements.
    const MOST_SLOTS: u32 = 7;
    let mut counter = Counter::new(Question { method: Method::Factored, ..question });
    let mut all: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
    all.retain(|placement| !placement.is_pruned());
    let mut known = Vec::new();
    for slots in 0..=MOST_SLOTS {
        let of_size: Vec<&BossPlacement> =
            all.iter().filter(|placement| placement.slots() == slots).collect();
        let step = (of_size.len() / CANDIDATES).max(1);
        let mut counted: Vec<(BossPlacement, u64)> =
            of_size.iter().step_by(step).map(|&&placement| (placement, counter.count(&placement))).collect();
        counted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        known.extend(counted.into_iter().take(TAKEN));
    }
    known
}
