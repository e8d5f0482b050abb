//! The content of a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files by their path below a folder, with their content.
pub(crate) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// All files below a folder.
pub(crate) fn below(folder: &Path) -> Files {
    let mut all = Files::new();
    for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        let name = PathBuf::from(path.file_name().expect("a name"));
        match path.is_dir() {
            true => all.extend(below(&path).into_iter().map(|(path, bytes)| (name.join(path), bytes))),
            false => drop(all.insert(name, fs::read(&path).unwrap())),
        }
    }
    all
}
