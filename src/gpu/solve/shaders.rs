//! The WGSL of the solver's stages, put together from the files in `shaders/solve/`: WGSL has no include.

use std::fmt::Write;

use super::layout::{BOSS_MOVE, LEAST_TEAM_SHIFT, MOVE, PUT, RETURN, outcome_number};
use super::shards::ENDS;
use crate::rules::Outcome;

const LAYOUT: &str = include_str!("../../../shaders/solve/layout.wgsl");
const ROW_NARROW: &str = include_str!("../../../shaders/solve/row_narrow.wgsl");
const ROW_WIDE: &str = include_str!("../../../shaders/solve/row_wide.wgsl");
const BLOCK: &str = include_str!("../../../shaders/solve/block.wgsl");
const ACTIONS: &str = include_str!("../../../shaders/solve/actions.wgsl");
const FOUND: &str = include_str!("../../../shaders/solve/found.wgsl");
const ENDS_STAGE: &str = include_str!("../../../shaders/solve/ends.wgsl");
const WINS: &str = include_str!("../../../shaders/solve/wins.wgsl");
const LOSSES: &str = include_str!("../../../shaders/solve/losses.wgsl");
const ADD: &str = include_str!("../../../shaders/solve/add.wgsl");

/// Which rows there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// Of up to 32 bits.
    Narrow,
    /// Of up to 128 bits.
    Wide,
}

impl Rows {
    /// Those that a game with up to so many kinds for a player needs.
    pub fn of(kinds: u32) -> Rows {
        if kinds <= 4 { Rows::Narrow } else { Rows::Wide }
    }

    /// Invocations of a workgroup: those of the widest row.
    pub fn workgroup_size(self) -> u32 {
        match self {
            Rows::Narrow => 64,
            Rows::Wide => 128,
        }
    }

    /// Words of the widest row.
    fn words(self) -> u32 {
        match self {
            Rows::Narrow => 1,
            Rows::Wide => 4,
        }
    }

    fn source(self) -> &'static str {
        match self {
            Rows::Narrow => ROW_NARROW,
            Rows::Wide => ROW_WIDE,
        }
    }
}

/// Bytes that the invocations of a workgroup share at most, in any stage: half of what WebGPU guarantees.
pub(super) const WORKGROUP_MEMORY: u32 = 8192;
/// Which of the ends a row begins with; [`NO_START`] if it begins empty.
pub(super) const AT_ONCE: u32 = 0;
/// Begins full but where an action wins or ends the game drawn.
pub(super) const SAFE: u32 = 1;
pub(super) const STUCK: u32 = 2;
pub(super) const SELF_LOST: u32 = 3;
pub(super) const NO_START: u32 = ENDS;

/// The first stage, entry point `find_ends`.
pub(super) fn ends(rows: Rows) -> String {
    [&shared_constants(rows), LAYOUT, BLOCK, ENDS_STAGE].concat()
}

/// Entry point `find_wins`; the bindings from 8 on are the shards of the losses.
pub(super) fn wins(rows: Rows, shards: usize) -> String {
    [&shared_constants(rows), LAYOUT, rows.source(), BLOCK, ACTIONS, FOUND, WINS, &gathered(8, shards)].concat()
}

/// Entry point `find_losses`; the bindings from 8 on are the shards of the wins.
pub(super) fn losses(rows: Rows, shards: usize) -> String {
    [&shared_constants(rows), LAYOUT, rows.source(), BLOCK, ACTIONS, FOUND, LOSSES, &gathered(8, shards)].concat()
}

/// The last stage of a round, entry point `add_losses`.
pub(super) fn add(rows: Rows) -> String {
    [&shared_constants(rows), LAYOUT, ADD].concat()
}

/// The numbers that the host and the shaders share, written above every stage.
fn shared_constants(rows: Rows) -> String {
    let numbers = [
        ("WORKGROUP_SIZE", rows.workgroup_size()),
        ("MOST_TEAMS", rows.workgroup_size() >> LEAST_TEAM_SHIFT),
        ("ROW_WORDS", rows.words()),
        ("BOSS_MOVE", BOSS_MOVE),
        ("MOVE", MOVE),
        ("PUT", PUT),
        ("RETURN", RETURN),
        ("OPEN", outcome_number(Outcome::Open)),
        ("WON", outcome_number(Outcome::Won)),
        ("LOST", outcome_number(Outcome::Lost)),
        ("DRAWN", outcome_number(Outcome::Drawn)),
        ("ENDS", ENDS),
        ("AT_ONCE", AT_ONCE),
        ("SAFE", SAFE),
        ("STUCK", STUCK),
        ("SELF_LOST", SELF_LOST),
    ];
    numbers.map(|(name, number)| format!("const {name} = {number}u;\n")).concat()
}

/// The plane that is gathered from, shard by shard: WGSL has no arrays of buffers that all adapters offer.
fn gathered(first_binding: usize, shards: usize) -> String {
    let mut text = String::new();
    for shard in 0..shards {
        let binding = first_binding + shard;
        let _ = writeln!(text, "@group(0) @binding({binding}) var<storage, read> shard_{shard}: array<u32>;");
    }
    let cases: String =
        (0..shards - 1).map(|shard| format!("case {shard}u: {{ return shard_{shard}[at]; }} ")).collect();
    let _ = writeln!(
        text,
        "fn gathered_word(shard: u32, at: u32) -> u32 {{ switch shard {{ {cases}default: {{ return shard_{}[at]; }} }} }}",
        shards - 1
    );
    text
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;

    /// Every module as it is handed to a device parses and is valid, on machines without any.
    #[test]
    fn all_shaders_are_valid() {
        for rows in [Rows::Narrow, Rows::Wide] {
            for shards in [1, 2, 24] {
                let modules = [
                    ("find_ends", ends(rows)),
                    ("find_wins", wins(rows, shards)),
                    ("find_losses", losses(rows, shards)),
                    ("add_losses", add(rows)),
                ];
                for (name, source) in modules {
                    let module = naga::front::wgsl::parse_str(&source)
                        .unwrap_or_else(|error| panic!("{name}, {rows:?}: {}", error.emit_to_string(&source)));
                    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
                    if let Err(error) = validator.validate(&module) {
                        panic!("{name}, {rows:?}: {}", error.emit_to_string(&source));
                    }
                    let entry_points: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
                    assert_eq!(entry_points, [name], "{rows:?}");
                    // Workgroups share no more memory than devices are asked for. Each variable may begin at a multiple of 16 bytes.
                    let shared =
                        module.global_variables.iter().filter(|(_, it)| it.space == naga::AddressSpace::WorkGroup);
                    let sizes =
                        shared.map(|(_, it)| module.types[it.ty].inner.size(module.to_ctx()).next_multiple_of(16));
                    let memory: u32 = sizes.sum();
                    assert!(
                        memory > 0 && memory <= WORKGROUP_MEMORY,
                        "{name}, {rows:?}: a workgroup shares {memory} bytes"
                    );
                }
            }
        }
    }
}
