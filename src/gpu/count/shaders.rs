//! The WGSL of the stages, assembled from the files in `shaders/`. WGSL has no include, so the first line of a file
//! names the files that it needs.

use super::layout::{GROUP_CAPACITY, MAX_CLAUSES, MAX_DEMANDS};
use crate::count::Category;
use crate::count::clause::{BOSS_GROUP, GROUPS, PUT_GROUP};
use crate::count::sets::{Kinds, Slots};
use crate::gpu::limits::WORKGROUP_SIZE;
use crate::gpu::module::Module;
use crate::rules::{Outcome, Rules};
use crate::shapes::WINDOW;
use crate::shapes::deals::{CONSTANTS, KINDS, MAX_SLOTS};

/// The files of the stages, by name.
const FILES: [(&str, &str); 6] = [
    ("plane.wgsl", include_str!("../../../shaders/plane.wgsl")),
    ("layout.wgsl", include_str!("../../../shaders/layout.wgsl")),
    ("table.wgsl", include_str!("../../../shaders/table.wgsl")),
    ("count.wgsl", include_str!("../../../shaders/count.wgsl")),
    ("demands.wgsl", include_str!("../../../shaders/demands.wgsl")),
    ("exhaustive.wgsl", include_str!("../../../shaders/exhaustive.wgsl")),
];
/// The start of the first line of a file that needs other files.
const NEEDS: &str = "// needs: ";

/// Appends a file to the sources of a module, after those that it needs, each once.
fn include(name: &str, sources: &mut Vec<&'static str>) {
    let (_, source) = FILES.into_iter().find(|&(known, _)| known == name).expect("a file of the stages");
    if sources.contains(&source) {
        return;
    }
    let needs = source.lines().next().and_then(|line| line.strip_prefix(NEEDS)).unwrap_or_default();
    needs.split_terminator(", ").for_each(|needed| include(needed, sources));
    sources.push(source);
}

/// The source of the module whose entry point is in the file `name`.
fn source_of(name: &str) -> String {
    let mut sources = Vec::new();
    include(name, &mut sources);
    shared_constants() + &sources.concat()
}

/// The module of stage 1 under these rules.
pub(super) fn table_module(rules: Rules) -> Module {
    let returns = if rules.returns { "returns" } else { "no-returns" };
    let both_surrounded = rules.outcome(true, true) as u32;
    Module {
        name: format!("table-{returns}-{}", rules.both_surrounded),
        source: source_of("table.wgsl"),
        entry_point: "build_tables",
        overrides: vec![("RETURNS", rules.returns.into()), ("BOTH_SURROUNDED", both_surrounded.into())],
    }
}

/// The module of stage 2 for this category.
pub(super) fn count_module(category: Category) -> Module {
    Module {
        name: format!("exhaustive-{category}"),
        source: source_of("exhaustive.wgsl"),
        entry_point: "count_placement",
        overrides: vec![("WHAT", f64::from(category as u32))],
    }
}

/// Boss placements in a workgroup of stage 1.
pub(crate) const TABLES_PER_WORKGROUP: u32 = TABLE_WORKGROUP_SIZE / LANES_PER_TABLE;
/// Invocations of a workgroup of stage 1.
const TABLE_WORKGROUP_SIZE: u32 = WORKGROUP_SIZE;
/// Invocations per boss placement in stage 1: one works on each group of clauses, the rest are idle.
const LANES_PER_TABLE: u32 = 16;
const _: () = assert!(GROUPS <= LANES_PER_TABLE as usize);
/// The numbers that the host and the shaders share, written above every stage.
fn shared_constants() -> String {
    let most_blocks = CONSTANTS.opposing_sets.iter().map(Vec::len).max().unwrap_or_default();
    let numbers = [
        ("KINDS", KINDS as u32),
        ("ALL_KINDS", Kinds::ALL.0),
        ("MAX_SLOTS", MAX_SLOTS as u32),
        ("BOSS_SLOT", Slots::BOSS.0),
        ("GROUPS", GROUPS as u32),
        ("BOSS_GROUP", BOSS_GROUP as u32),
        ("PUT_GROUP", PUT_GROUP as u32),
        ("GROUP_CAPACITY", GROUP_CAPACITY as u32),
        ("MAX_CLAUSES", MAX_CLAUSES),
        ("MAX_DEMANDS", MAX_DEMANDS as u32),
        ("WORKGROUP_SIZE", WORKGROUP_SIZE),
        ("TABLE_WORKGROUP_SIZE", TABLE_WORKGROUP_SIZE),
        ("LANES_PER_TABLE", LANES_PER_TABLE),
        ("MAX_BLOCKS", most_blocks as u32),
        ("FAR", WINDOW - 1),
        ("MATES", Category::Mates as u32),
        ("WINS", Category::Wins as u32),
        ("STUCK", Category::Stuck as u32),
        ("OPEN", Outcome::Open as u32),
        ("WON", Outcome::Won as u32),
        ("LOST", Outcome::Lost as u32),
    ];
    numbers.iter().map(|(name, number)| format!("const {name} = {number}u;\n")).collect()
}
