//! Writes the pictures of the rules into a folder: `cargo result rules_pictures -- doc/rules`.

use std::path::Path;

use dovemate::picture::rules::pictures;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name the folder to write to")?;
    for (name, svg) in pictures() {
        std::fs::write(Path::new(&folder).join(name), svg)?;
    }
    Ok(())
}
