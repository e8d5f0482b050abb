//! Shader modules exactly as a driver gets them, for checks that need no driver.

use serde::Serialize;

/// A module with one entry point.
#[derive(Clone, Debug, Serialize)]
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
