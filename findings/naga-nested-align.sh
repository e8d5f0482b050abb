#!/usr/bin/env bash
# A struct with an aligned member, inside another struct.
#
# Guess: @align(64) on a member makes the struct's alignment 64, since by WGSL it is the greatest of its members'
# alignments; so in every compiler the struct begins at a multiple of 64 if it is a member of another.
# Seen (naga 30.0.2, wgsl_reflect 1.6.0): naga aligns it by the types of its members, puts it at 8, and validates the
# module (wgpu's issue 4377); the size of the struct itself is a multiple of 64. wgsl_reflect, which lays out as Tint
# does, puts it at 64. So what a host writes with one layout is read from elsewhere with the other, without an error.
set -euo pipefail
for program in cargo node npm; do
    command -v "$program" >/dev/null || { echo "missing: $program" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target
mkdir "$folder/src" && cd "$folder"
npm install --silent --no-fund --no-audit --prefix "$folder" wgsl_reflect@1.6.0
cat >layout.wgsl <<'WGSL'
struct Aligned { @align(64) first: u32, second: vec2<u32> }
struct Outer { before: u32, inner: Aligned, after: u32 }
struct Rows { before: u32, rows: array<Aligned, 2>, after: u32 }
struct Plain { before: u32, @align(64) inner: vec2<u32>, after: u32 }
@group(0) @binding(0) var<storage, read_write> outer: Outer;
@group(0) @binding(1) var<storage, read_write> rows: Rows;
@group(0) @binding(2) var<storage, read_write> plain: Plain;
@compute @workgroup_size(1) fn main() { outer.after = rows.after + plain.after; }
WGSL
echo 'package = { name = "layout", edition = "2024" }' >Cargo.toml
echo 'dependencies.naga = { version = "=30.0.2", features = ["wgsl-in"] }' >>Cargo.toml
cat >src/main.rs <<'RUST'
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn main() {
    let module = naga::front::wgsl::parse_str(include_str!("../layout.wgsl")).unwrap();
    Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).unwrap();
    for (_, kind) in module.types.iter() {
        if let naga::TypeInner::Struct { members, span } = &kind.inner {
            let places: Vec<_> = members.iter().map(|member| member.offset.to_string()).collect();
            println!("{} {}: {span}", kind.name.as_deref().unwrap(), places.join(" "));
        }
    }
}
RUST
cat >reflect.mjs <<'JS'
import { readFileSync } from "node:fs";
import { WgslReflect } from "wgsl_reflect/wgsl_reflect.module.js";
for (const { name, members, size } of new WgslReflect(readFileSync("layout.wgsl", "utf8")).structs)
    console.log(`${name} ${members.map(member => member.offset).join(" ")}: ${size}`);
JS
seen="$(cargo run --quiet)
$(node reflect.mjs)"
echo "$seen"
[ "$seen" = "Aligned 0 8: 64
Outer 0 8 72: 80
Rows 0 8 136: 144
Plain 0 64 72: 128
Aligned 0 8: 64
Outer 0 64 128: 192
Rows 0 64 192: 256
Plain 0 64 72: 128" ] || { echo "another behaviour" >&2; exit 1; }
