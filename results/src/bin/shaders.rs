//! Writes every shader module exactly as a driver gets it, so that other compilers can check it: `NAME.wgsl`
//! for each, and `modules.csv` with its entry point and its overrides as `NAME=VALUE`, separated by spaces.
//!
//!     cargo result shaders -- FOLDER

use std::path::Path;
use std::{env, fs};

use dovemate::gpu::Setup;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(folder) = env::args_os().nth(1) else {
        return Err("name the folder for the modules: cargo result shaders -- FOLDER".into());
    };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    let mut list = csv::Writer::from_path(folder.join("modules.csv"))?;
    list.write_record(["module", "entry_point", "overrides"])?;
    for module in Setup::modules() {
        fs::write(folder.join(&module.name).with_extension("wgsl"), &module.source)?;
        let overrides: Vec<String> =
            module.overrides.iter().map(|(name, value)| format!("{name}={value}")).collect();
        list.write_record([&module.name, module.entry_point, &overrides.join(" ")])?;
    }
    list.flush()?;
    Ok(())
}
