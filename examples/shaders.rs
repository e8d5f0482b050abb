//! Writes every shader module as it is handed to a driver, for compilers that check it: `NAME.wgsl`, and `modules.csv`
//! with the entry point of each and the values of its overrides, `NAME=VALUE` with a space between them.
//!
//!     cargo run --release --example shaders -- FOLDER

use std::path::Path;
use std::{env, fs};

use dovemate::gpu::modules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(folder) = env::args_os().nth(1) else {
        return Err("which folder is to have the modules? cargo run --release --example shaders -- FOLDER".into());
    };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    let mut list = csv::Writer::from_path(folder.join("modules.csv"))?;
    list.write_record(["module", "entry_point", "overrides"])?;
    for module in modules() {
        fs::write(folder.join(&module.name).with_extension("wgsl"), &module.source)?;
        let overrides: Vec<String> = module.overrides.iter().map(|(name, value)| format!("{name}={value}")).collect();
        list.write_record([&module.name, module.entry_point, &overrides.join(" ")])?;
    }
    list.flush()?;
    Ok(())
}
