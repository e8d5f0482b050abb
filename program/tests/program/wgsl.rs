//! The shaders in a browser, whose compiler is stricter than wgpu's.

use dovemate::gpu::Setup;
use serde_json::json;

use crate::common::browser::Browser;
use crate::common::folders::Folder;

/// Every module compiles, without a warning.
#[test]
fn a_browser_takes_all_shaders() {
    let Some(mut chromium) = Browser::chromium_with_webgpu() else { return };
    // WebGPU is for secure contexts: an empty page will not do.
    let folder = Folder::new();
    let page = folder.join("page.html");
    std::fs::write(&page, "<!doctype html><title>Shaders</title><body data-ready=yes>").expect("a file");
    chromium.open(&format!("file://{}", page.display()));
    chromium.value(include_str!("wgsl.js"));
    // The compiler is there to complain: WGSL has no precedence of | over <<.
    let wrong = chromium.value("messagesOf('const a = 1u | 2u << 3u;')");
    assert_eq!(wrong.as_array().map(Vec::len), Some(1), "{wrong}");
    let modules = Setup::modules();
    assert_eq!(modules.len(), 11);
    for module in modules {
        let messages = chromium.value(&format!("messagesOf({})", json!(module.source)));
        assert_eq!(messages, json!([]), "{}", module.name);
    }
}
