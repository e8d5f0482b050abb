//! The shader modules exactly as a driver gets them, for checks that need no driver.

use super::{barriers, count, loops, solve, words};

/// A module with one entry point.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module's purpose and variant, usable as a file name.
    pub name: String,
    /// WGSL.
    pub source: String,
    /// The entry point.
    pub entry_point: &'static str,
    /// The values of the overrides.
    pub overrides: Vec<(&'static str, f64)>,
}

impl Module {
    /// A module without overrides.
    pub(super) fn new(name: impl Into<String>, source: String, entry_point: &'static str) -> Module {
        Module { name: name.into(), source, entry_point, overrides: Vec::new() }
    }
}

/// All variants of all stages, and the kernels of the self-test. The stages that gather from shards come for several
/// numbers of shards, including the least and the most.
pub fn modules() -> Vec<Module> {
    let kernels = [
        Module::new("loops", loops::shader(), "run_loop"),
        Module::new("barriers", barriers::shader(), "take_turns"),
        Module::new("words", words::shader(), "probe_words"),
    ];
    kernels.into_iter().chain(count::modules()).chain(solve::modules()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::testing;

    /// Every module parses and is valid, which needs no adapter; it has exactly the overrides that are set; and the
    /// names are distinct.
    #[test]
    fn all_shaders_are_valid() {
        let modules = modules();
        for Module { name, source, entry_point, overrides } in &modules {
            let (module, memory) = testing::module(name, source, entry_point);
            let named = module.overrides.iter().filter_map(|(_, value)| value.name.as_deref());
            let mut named: Vec<&str> = named.collect();
            let mut set: Vec<&str> = overrides.iter().map(|&(name, _)| name).collect();
            named.sort_unstable();
            set.sort_unstable();
            assert_eq!(set, named, "{name}");
            let shares_none = ["run_loop", "probe_words", "build_tables"].contains(entry_point);
            assert_eq!(memory == 0, shares_none, "{name}: a workgroup shares {memory} bytes");
        }
        let mut names: Vec<&str> = modules.iter().map(|module| module.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), modules.len());
    }
}
