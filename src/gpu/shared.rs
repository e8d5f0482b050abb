//! What the shaders of every room have in common: numbers that the host shares with them, and what they may use.

use crate::rules::Outcome;

/// Bytes that the invocations of a workgroup share at most, in any stage: half of what WebGPU guarantees.
pub(super) const WORKGROUP_MEMORY: u32 = 8192;

/// The number that stands for an outcome.
pub(super) fn outcome_number(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Open => 0,
        Outcome::Won => 1,
        Outcome::Lost => 2,
        Outcome::Drawn => 3,
    }
}

/// Numbers as WGSL, to be written above a stage, and the outcomes with them.
pub(super) fn constants(numbers: &[(&str, u32)]) -> String {
    let outcomes = [
        ("OPEN", outcome_number(Outcome::Open)),
        ("WON", outcome_number(Outcome::Won)),
        ("LOST", outcome_number(Outcome::Lost)),
        ("DRAWN", outcome_number(Outcome::Drawn)),
    ];
    numbers.iter().chain(&outcomes).map(|(name, number)| format!("const {name} = {number}u;\n")).collect()
}
