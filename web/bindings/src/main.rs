//! Makes a module for the web, and the JavaScript that opens it, from what the compiler has made.
//!
//! `dovemate-bindings COMPILED.wasm FOLDER NAME`

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [compiled, folder, name] = &arguments[..] else {
        bail!("usage: dovemate-bindings COMPILED.wasm FOLDER NAME")
    };
    Bindgen::new()
        .input_path(compiled)
        .out_name(name)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
}
