//! Folders of tests, and what is in them.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::program::{Arguments, Ran, dovemate_in};

/// A folder of one test, removed at its end.
pub struct Folder(TempDir);

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    /// Runs the program here, with empty standard input.
    pub fn dovemate(&self, arguments: &(impl Arguments + ?Sized)) -> Ran {
        dovemate_in(self, arguments, "")
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.join(name), content).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// The names of what is here.
    pub fn names(&self) -> Vec<String> {
        names(self)
    }
}

/// The names in a folder, including hidden ones.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Files by their path below a folder, with their content.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// All files below a folder.
pub fn below(folder: &Path) -> Files {
    let mut all = Files::new();
    for name in names(folder) {
        let (path, name) = (folder.join(&name), PathBuf::from(name));
        match path.is_dir() {
            true => all.extend(below(&path).into_iter().map(|(path, bytes)| (name.join(path), bytes))),
            false => drop(all.insert(name, fs::read(&path).expect("a file"))),
        }
    }
    all
}
