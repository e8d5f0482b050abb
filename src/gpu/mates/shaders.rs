//! The WGSL of the stages, put together from the files in `shaders/`: WGSL has no include.

use super::items::{
    GROUP_CAPACITY, MOST_CLAUSES, MOST_DEMANDS, ORDERS_PER_ITEM, SET_BITS, SLICE_ITEMS, WORKGROUP_SIZE,
};
use crate::mates::orders::{ORDERS, deals};
use crate::mates::pairs::{ALL_KINDS, BOSS_SLOT, KINDS, MAX_SLOTS};
use crate::mates::table::{BOSS_GROUP, GROUPS, PUT_GROUP};
use crate::mates::{Method, What};
use crate::rules::{Outcome, Rules};
use crate::shapes::WINDOW;

const PLANE: &str = include_str!("../../../shaders/plane.wgsl");
const LAYOUT: &str = include_str!("../../../shaders/layout.wgsl");
const TABLE: &str = include_str!("../../../shaders/table.wgsl");
const SLICE: &str = include_str!("../../../shaders/slice.wgsl");
const DEMANDS: &str = include_str!("../../../shaders/demands.wgsl");
const PERMANENT: &str = include_str!("../../../shaders/permanent.wgsl");
const FACTORED: &str = include_str!("../../../shaders/factored.wgsl");
const EXHAUSTIVE: &str = include_str!("../../../shaders/exhaustive.wgsl");

/// Stage 1, entry point `build_tables`.
pub(super) fn table() -> String {
    [&shared_constants(), LAYOUT, PLANE, TABLE].concat()
}

/// Stage 2 of a method, entry point `count_slice`.
pub(super) fn slice(method: Method) -> String {
    match method {
        Method::Factored => [&shared_constants(), LAYOUT, SLICE, DEMANDS, PERMANENT, FACTORED].concat(),
        Method::Exhaustive => [&shared_constants(), LAYOUT, SLICE, DEMANDS, EXHAUSTIVE].concat(),
    }
}

/// Boss placements in a workgroup of stage 1.
pub(super) const TABLES_PER_WORKGROUP: u32 = TABLE_WORKGROUP_SIZE / LANES_PER_TABLE;
/// Invocations of a workgroup of stage 1.
const TABLE_WORKGROUP_SIZE: u32 = 64;
/// Invocations a boss placement in stage 1: one a group of clauses works.
const LANES_PER_TABLE: u32 = 16;
const _: () = assert!(GROUPS <= LANES_PER_TABLE as usize);
/// Bytes that the invocations of a workgroup share at most, in any stage: half of what WebGPU guarantees.
pub(super) const WORKGROUP_MEMORY: u32 = 8192;

/// The overrides of stage 1 for a rule variant.
pub(super) fn table_overrides(rules: Rules) -> [(&'static str, f64); 2] {
    let both_surrounded = outcome_number(rules.outcome(true, true));
    [("RETURNS", f64::from(u8::from(rules.returns))), ("BOTH_SURROUNDED", f64::from(both_surrounded))]
}

/// The overrides of stage 2 for what is counted.
pub(super) fn slice_overrides(what: What) -> [(&'static str, f64); 1] {
    [("WHAT", f64::from(what_number(what)))]
}

fn outcome_number(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Open => 0,
        Outcome::Won => 1,
        Outcome::Lost => 2,
        Outcome::Drawn => 3,
    }
}

fn what_number(what: What) -> u32 {
    match what {
        What::Mates => 0,
        What::Wins => 1,
        What::Stuck => 2,
    }
}

/// The numbers that the host and the shaders share, written above every stage.
fn shared_constants() -> String {
    let numbers = [
        ("KINDS", KINDS as u32),
        ("ALL_KINDS", ALL_KINDS),
        ("MAX_SLOTS", MAX_SLOTS as u32),
        ("BOSS_SLOT", BOSS_SLOT),
        ("GROUPS", GROUPS as u32),
        ("BOSS_GROUP", BOSS_GROUP as u32),
        ("PUT_GROUP", PUT_GROUP as u32),
        ("GROUP_CAPACITY", GROUP_CAPACITY as u32),
        ("MOST_CLAUSES", MOST_CLAUSES),
        ("MOST_DEMANDS", MOST_DEMANDS as u32),
        ("ORDERS", ORDERS as u32),
        ("SET_BITS", SET_BITS),
        ("ORDERS_PER_ITEM", ORDERS_PER_ITEM as u32),
        ("SLICE_ITEMS", SLICE_ITEMS),
        ("WORKGROUP_SIZE", WORKGROUP_SIZE),
        ("TABLE_WORKGROUP_SIZE", TABLE_WORKGROUP_SIZE),
        ("LANES_PER_TABLE", LANES_PER_TABLE),
        ("FAR", WINDOW - 1),
        ("OPEN", outcome_number(Outcome::Open)),
        ("WON", outcome_number(Outcome::Won)),
        ("LOST", outcome_number(Outcome::Lost)),
        ("DRAWN", outcome_number(Outcome::Drawn)),
        ("MATES", what_number(What::Mates)),
        ("WINS", what_number(What::Wins)),
        ("STUCK", what_number(What::Stuck)),
    ];
    let lines = numbers.map(|(name, number)| format!("const {name} = {number}u;\n"));
    lines.concat() + &deals_function()
}

/// `deals(slots)`: how many orders deal different kinds to a number of slots. A switch, as compilers keep it in registers.
fn deals_function() -> String {
    let cases = (0..KINDS as u32).map(|slots| format!("case {slots}u: {{ return {}u; }} ", deals(slots)));
    let cases: String = cases.collect();
    format!("fn deals(slots: u32) -> u32 {{ switch slots {{ {cases}default: {{ return {}u; }} }} }}\n", deals(5))
}

#[cfg(test)]
mod tests {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;
    use crate::gpu::loops;

    /// Every module as it is handed to a device parses and is valid, on machines without any.
    #[test]
    fn all_shaders_are_valid() {
        let modules = [
            ("loops", loops::shader(), "run_loop"),
            ("table", table(), "build_tables"),
            ("factored", slice(Method::Factored), "count_slice"),
            ("exhaustive", slice(Method::Exhaustive), "count_slice"),
        ];
        for (name, source, entry_point) in modules {
            let module = naga::front::wgsl::parse_str(&source)
                .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&source)));
            let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
            if let Err(error) = validator.validate(&module) {
                panic!("{name}: {}", error.emit_to_string(&source));
            }
            let entry_points: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
            assert_eq!(entry_points, [entry_point], "{name}");
            // The overrides that the host sets are those that the module has.
            let mut overrides: Vec<&str> =
                module.overrides.iter().filter_map(|(_, value)| value.name.as_deref()).collect();
            overrides.sort_unstable();
            let expected: &[&str] = match name {
                "loops" => &[],
                "table" => &["BOTH_SURROUNDED", "RETURNS"],
                _ => &["WHAT"],
            };
            assert_eq!(overrides, expected, "{name}");
            // And workgroups share no more memory than devices are asked for. Each variable may begin at a multiple of 16 bytes.
            let shared = module.global_variables.iter().filter(|(_, it)| it.space == naga::AddressSpace::WorkGroup);
            let sizes = shared.map(|(_, it)| module.types[it.ty].inner.size(module.to_ctx()).next_multiple_of(16));
            let memory: u32 = sizes.sum();
            assert!(memory <= WORKGROUP_MEMORY, "{name}: a workgroup shares {memory} bytes");
            assert_eq!(memory > 0, matches!(name, "factored" | "exhaustive"), "{name}: shares {memory} bytes");
        }
    }
}
