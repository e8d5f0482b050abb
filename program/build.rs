//! Passes the git commit on to the program, where it is known.
//!
//! It is that of this repository alone, or the one that `cargo package` noted. A tarball may be unpacked
//! within some other repository, whose commit says nothing about this program.

use std::path::{Path, PathBuf};
use std::process::Command;

/// How much of the commit is shown.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let package =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    let mut version = std::env::var("CARGO_PKG_VERSION").expect("cargo says which version this is");
    if let Some(commit) =
        of_package(&package.join(".cargo_vcs_info.json")).or_else(|| of_repository(&package))
    {
        println!("cargo::rustc-env=DOVEMATE_COMMIT={commit}");
        version += &format!(" ({commit})");
    }
    println!("cargo::rustc-env=DOVEMATE_VERSION={version}");
}

/// The commit that is checked out, if the package is the folder `program` of this repository, or of a
/// worktree of it.
fn of_repository(package: &Path) -> Option<String> {
    let root = package.parent().filter(|_| package.ends_with("program"))?;
    // Without this, git would look for a repository in the folders above.
    let git_dir = root.join(".git");
    if !git_dir.exists() {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("--git-dir").arg(&git_dir).args(arguments).output().ok()?;
        let line = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (output.status.success() && !line.is_empty()).then_some(line)
    };
    // The log of HEAD grows with every commit and checkout of this worktree, and with nothing else. Where
    // none is kept, these are the files that one of them changes. A file that is not there must not be named:
    // it would never be up to date.
    let path =
        |name: &str| git(&["rev-parse", "--git-path", name]).map(PathBuf::from).filter(|path| path.exists());
    let watched = path("logs/HEAD").map_or_else(
        || {
            let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
            [Some("HEAD"), branch.as_deref(), Some("packed-refs")]
                .into_iter()
                .flatten()
                .filter_map(path)
                .collect()
        },
        |log| vec![log],
    );
    for path in watched {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    git(&["rev-parse", &format!("--short={DIGITS}"), "HEAD"])
}

/// The commit that a package was made from, of the file with which `cargo package` says so:
/// `{"git": {"sha1": "…"}, …}`.
fn of_package(info: &Path) -> Option<String> {
    let text = std::fs::read_to_string(info).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    commit
        .get(..DIGITS)
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .map(str::to_owned)
}
