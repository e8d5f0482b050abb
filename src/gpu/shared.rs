//! What all shaders share: constants that the host writes above them, and the workgroup memory they may use.

use crate::rules::Outcome;

/// The most bytes of workgroup memory in any stage: half of what WebGPU guarantees.
pub(super) const WORKGROUP_MEMORY: u32 = 8192;

/// The number of an outcome in the shaders.
pub(super) fn outcome_number(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Open => 0,
        Outcome::Won => 1,
        Outcome::Lost => 2,
        Outcome::Drawn => 3,
    }
}

/// WGSL constants for these numbers and for the outcomes, to be written above a stage.
pub(super) fn constants(numbers: &[(&str, u32)]) -> String {
    let outcomes = [
        ("OPEN", outcome_number(Outcome::Open)),
        ("WON", outcome_number(Outcome::Won)),
        ("LOST", outcome_number(Outcome::Lost)),
        ("DRAWN", outcome_number(Outcome::Drawn)),
    ];
    numbers.iter().chain(&outcomes).map(|(name, number)| format!("const {name} = {number}u;\n")).collect()
}
