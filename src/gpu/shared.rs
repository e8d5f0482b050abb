//! What all shaders share: constants that the host writes above them.

use crate::rules::Outcome;

/// WGSL constants for these numbers and for the outcomes, to be written above a stage.
pub(super) fn constants(numbers: &[(&str, u32)]) -> String {
    let outcomes = [("OPEN", Outcome::Open), ("WON", Outcome::Won), ("LOST", Outcome::Lost), ("DRAWN", Outcome::Drawn)]
        .map(|(name, outcome)| (name, outcome as u32));
    numbers.iter().chain(&outcomes).map(|(name, number)| format!("const {name} = {number}u;\n")).collect()
}
