//! The WGSL of the solver's stages, concatenated from the files in `shaders/solve/`: WGSL has no include.

use std::fmt::Write;

use super::card::SolveStage;
use super::layout::{MIN_TEAM_SHIFT, MOVE, PUT, RETURN};
use super::shards::{ENDS, MAX_SHARDS};
use crate::gpu::module::Module;
use crate::gpu::shared::constants;

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

/// The widest rows that the stages support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowWidth {
    name: &'static str,
    /// Words of the widest row.
    words: u32,
    /// Invocations in a workgroup: enough for the bits of the widest row.
    pub workgroup_size: u32,
    source: &'static str,
}

impl RowWidth {
    /// Rows of up to 32 bits.
    const NARROW: RowWidth = RowWidth { name: "narrow", words: 1, workgroup_size: 64, source: ROW_NARROW };
    /// Rows of up to 128 bits.
    pub const WIDE: RowWidth = RowWidth { name: "wide", words: 4, workgroup_size: 128, source: ROW_WIDE };

    /// The rows for a game in which each player has at most `kinds` kinds.
    pub fn of(kinds: u32) -> RowWidth {
        if kinds <= 4 { RowWidth::NARROW } else { RowWidth::WIDE }
    }
}

/// The ends that rows are initialised from, or [`NO_START`] if they begin empty. First: the deals that win at once.
pub(super) const AT_ONCE: u32 = 0;
/// Rows begin full, except where an action wins or ends the game drawn.
pub(super) const SAFE: u32 = 1;
pub(super) const STUCK: u32 = 2;
pub(super) const SELF_LOST: u32 = 3;
pub(super) const NO_START: u32 = ENDS;

/// The module of a stage. Where it reads the blocks that actions lead to, bindings from 8 on are the shards of the plane
/// that it reads: for wins that of the losses, for losses that of the wins.
pub(super) fn module(stage: SolveStage, rows: RowWidth, shards: usize) -> Module {
    let (constants, name) = (shared_constants(rows), rows.name);
    let gathering =
        |stage| [&constants, LAYOUT, rows.source, BLOCK, ACTIONS, FOUND, stage, &gathered(8, shards)].concat();
    match stage {
        SolveStage::Ends => {
            Module::new(format!("ends-{name}"), [&constants, LAYOUT, BLOCK, ENDS_STAGE].concat(), "find_ends")
        }
        SolveStage::Wins => Module::new(format!("wins-{name}-{shards}"), gathering(WINS), "find_wins"),
        SolveStage::Losses => Module::new(format!("losses-{name}-{shards}"), gathering(LOSSES), "find_losses"),
        SolveStage::Add => Module::new(format!("add-{name}"), [&constants, LAYOUT, ADD].concat(), "add_losses"),
    }
}

/// All modules of solving: the stages for both widths of rows, and for several numbers of shards.
pub fn modules() -> Vec<Module> {
    let of_rows = |rows| {
        let of_shards = move |shards| [SolveStage::Wins, SolveStage::Losses].map(|stage| module(stage, rows, shards));
        let gathering = [1, 2, 8, MAX_SHARDS as usize].into_iter().flat_map(of_shards);
        gathering.chain([SolveStage::Ends, SolveStage::Add].map(|stage| module(stage, rows, 0)))
    };
    [RowWidth::NARROW, RowWidth::WIDE].into_iter().flat_map(of_rows).collect()
}

/// The numbers that the host and the shaders share, written above every stage.
fn shared_constants(rows: RowWidth) -> String {
    constants(&[
        ("WORKGROUP_SIZE", rows.workgroup_size),
        ("MAX_TEAMS", rows.workgroup_size >> MIN_TEAM_SHIFT),
        ("ROW_WORDS", rows.words),
        ("MOVE", MOVE),
        ("PUT", PUT),
        ("RETURN", RETURN),
        ("ENDS", ENDS),
        ("AT_ONCE", AT_ONCE),
        ("SAFE", SAFE),
        ("STUCK", STUCK),
        ("SELF_LOST", SELF_LOST),
    ])
}

/// The bindings of the gathered plane's shards, and the function that reads from them: not all adapters offer arrays of
/// buffers.
fn gathered(first_binding: usize, shards: usize) -> String {
    let mut text = String::new();
    for shard in 0..shards {
        let binding = first_binding + shard;
        let _ = writeln!(text, "@group(0) @binding({binding}) var<storage, read> shard_{shard}: array<u32>;");
    }
    let cases: String =
        (0..shards - 1).map(|shard| format!("case {shard}u: {{ return shard_{shard}[at]; }} ")).collect();
    let last = format!("return shard_{}[at];", shards - 1);
    // naga translates a switch with only a default into a loop, after which FXC misses a return.
    let body = if cases.is_empty() { last } else { format!("switch shard {{ {cases}default: {{ {last} }} }}") };
    let _ = writeln!(text, "fn gathered_word(shard: u32, at: u32) -> u32 {{ {body} }}");
    text
}
