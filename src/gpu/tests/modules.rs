//! All shader modules are valid, and use no more workgroup memory than is requested of devices.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::count::Category;
use crate::gpu::Module;
use crate::gpu::count::Setup;
use crate::gpu::count::batches::RESULT_WORDS;
use crate::gpu::count::layout::{HEAD_WORDS, TABLE_SIZE, constants};
use crate::gpu::limits::{WORKGROUP_MEMORY, WORKGROUP_SIZE};
use crate::rules::Rules;
use crate::shapes::deals::CONSTANTS;
use wgpu::naga;
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};

/// Every module parses and is valid, which needs no adapter; it has exactly the overrides that are set; and
/// the names are distinct.
#[test]
fn all_shaders_are_valid() {
    let modules = Setup::modules();
    for Module { name, source, entry_point, overrides } in &modules {
        let (module, memory) = checked(name, source, entry_point);
        let named = module.overrides.iter().filter_map(|(_, value)| value.name.as_deref());
        let mut named: Vec<&str> = named.collect();
        let mut set: Vec<&str> = overrides.iter().map(|&(name, _)| name).collect();
        named.sort_unstable();
        set.sort_unstable();
        assert_eq!(set, named, "{name}");
        let shares_none = ["probe_words", "build_tables"].contains(entry_point);
        assert_eq!(memory == 0, shares_none, "{name}: a workgroup shares {memory} bytes");
    }
    let mut names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), modules.len());
}

/// The stages bind buffers in the host's order, with elements of the sizes that the host writes and reads, and their
/// workgroups have the numbers of invocations that it assumes.
#[test]
fn stages_have_the_layout_of_the_host() {
    let batch = ("batch", 4 * HEAD_WORDS as u32);
    let (placements, tables) = (("placements", 4), ("tables", TABLE_SIZE as u32));
    let sets: usize = CONSTANTS.opposing_sets.iter().map(Vec::len).sum();
    let constants = ("constants", 4 * (constants().len() - sets) as u32);
    let results = ("results", 4 * RESULT_WORDS as u32);
    let mut stages = 0;
    for Module { name, source, entry_point, .. } in Setup::modules() {
        let expected = match entry_point {
            "build_tables" => vec![batch, placements, tables],
            "count_placement" => vec![batch, constants, tables, placements, results],
            _ => continue,
        };
        stages += 1;
        let (module, _) = checked(&name, &source, entry_point);
        let bound = module.global_variables.iter().filter_map(|(_, variable)| {
            let binding = variable.binding.as_ref()?.binding;
            let size = match &module.types[variable.ty].inner {
                naga::TypeInner::Array { stride, .. } => *stride,
                naga::TypeInner::Struct { members, span } => {
                    // The part before a runtime-sized array.
                    let last = members.last().expect("members");
                    let is_open = module.types[last.ty].inner.is_dynamically_sized(&module.types);
                    if is_open { last.offset } else { *span }
                }
                other => panic!("{name}: {other:?} is bound"),
            };
            Some((binding, (variable.name.as_deref()?, size)))
        });
        let bound: BTreeMap<u32, (&str, u32)> = bound.collect();
        assert_eq!(bound.into_iter().collect::<Vec<_>>(), (0..).zip(expected).collect::<Vec<_>>(), "{name}");
        assert_eq!(module.entry_points[0].workgroup_size, [WORKGROUP_SIZE, 1, 1], "{name}");
    }
    assert_eq!(stages, Rules::variants().count() + Category::ALL.len());
}

/// Each file in `shaders/` is part of a module, and begins with the name of its twin in Rust, which names it
/// too.
#[test]
fn shaders_and_their_twins_name_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read =
        |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let shaders = fs::read_dir(root.join("shaders")).expect("a folder");
    for shader in shaders.map(|entry| entry.expect("an entry").path()) {
        let (name, text) = (shader.file_name().expect("a name").to_string_lossy(), read(&shader));
        let beginning = text.lines().map_while(|line| line.strip_prefix("//")).collect::<String>();
        let (_, twin) = beginning.split_once("Twin of ").unwrap_or_else(|| panic!("{name} has no twin"));
        let twin = twin.split_inclusive(".rs").next().expect("a part");
        assert!(read(&root.join(twin)).contains(&format!("shaders/{name}")), "{twin} does not name {name}");
        let is_there = Setup::modules().iter().any(|module| module.source.contains(&text));
        assert!(is_there, "{name} is in no module");
    }
}

/// Every variable of a function has an initial value. In WGSL, a variable without one is zero at the start of each
/// iteration of a loop, as in naga 30.0.2; naga 29, and Dawn in Chromium 156 and in npm's webgpu 0.6.2, keep its last
/// value.
#[test]
fn all_variables_of_functions_have_initial_values() {
    let bad = "fn sum() { // var x;\n  for (var i = 0u; i < 3u; i++) {\n    var n: u32;\n    var m: u32 = n;\n  }\n}";
    assert_eq!(without_initial_value(bad), ["n: u32"]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    for shader in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let text = fs::read_to_string(&shader).expect("the shader is read");
        assert_eq!(without_initial_value(&text), [""; 0], "{}", shader.display());
    }
}

/// The variables of functions without an initial value, as they are declared.
fn without_initial_value(source: &str) -> Vec<String> {
    let code: Vec<&str> = source.lines().map(|line| line.split("//").next().unwrap_or(line)).collect();
    let code = code.join(" ").replace(['(', '{', '}'], " ");
    let declared = code.split(';').filter_map(|statement| statement.split_once(" var "));
    declared.filter(|(_, rest)| !rest.contains('=')).map(|(_, rest)| rest.trim().to_owned()).collect()
}

/// Parses and validates a module as a device gets it. Panics if it is invalid, has other entry points than
/// this one, or uses too much workgroup memory; returns the bytes it uses.
fn checked(name: &str, source: &str, entry_point: &str) -> (naga::Module, u32) {
    let module = naga::front::wgsl::parse_str(source)
        .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    if let Err(error) = validator.validate(&module) {
        panic!("{name}: {}", error.emit_to_string(source));
    }
    let entry_points: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(entry_points, [entry_point], "{name}");
    // Dawn rounds each variable up to 16 bytes (npm's webgpu 0.6.2); wgpu 30 does not add them up.
    let shared = module.global_variables.iter().filter(|(_, it)| it.space == naga::AddressSpace::WorkGroup);
    let sizes = shared.map(|(_, it)| module.types[it.ty].inner.size(module.to_ctx()).next_multiple_of(16));
    let memory: u32 = sizes.sum();
    assert!(memory <= WORKGROUP_MEMORY, "{name}: a workgroup shares {memory} bytes");
    (module, memory)
}
