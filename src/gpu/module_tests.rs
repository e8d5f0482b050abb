//! All shader modules are valid.

use super::{Module, count, kernels, solve, testing};

/// Every module parses and is valid, which needs no adapter; it has exactly the overrides that are set; and the
/// names are distinct.
#[test]
fn all_shaders_are_valid() {
    let modules = [kernels(), count::modules(), solve::modules()].concat();
    for Module { name, source, entry_point, overrides } in &modules {
        let (module, memory) = testing::module(name, source, entry_point);
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
