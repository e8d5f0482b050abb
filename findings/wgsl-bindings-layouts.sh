#!/usr/bin/env bash
# Offsets of members in Rust types that are generated from WGSL's structs.
#
# Guess: a type whose layout is not WGSL's does not compile, as both generators write assertions.
# Seen (wgsl_to_wgpu 0.19.0, wgsl_bindgen 0.23.3, encase 0.13.0): wgsl_to_wgpu's types for encase have no assertions;
# @size and @align are lost, and matrices that are not square are arrays of arrays, which encase does not align: members
# at 32 and 40 are at 4 and 8. Columns and rows of these are swapped, even in types for bytemuck, whose assertions check
# offsets only: word 6 of a mat4x2 is the first of column 3, and here the third of column 1. wgsl_bindgen's types for
# bytemuck are right, but not for the shader that it writes beside them, which comes from naga and lacks @size.
set -euo pipefail
command -v cargo >/dev/null || { echo "missing: cargo" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target
mkdir "$folder/src" && cd "$folder"
cat >block.wgsl <<'WGSL'
struct Block { @size(20) one: u32, @align(32) two: u32, three: mat3x2<f32> }
@group(0) @binding(0) var<storage, read_write> block: Block; @compute @workgroup_size(1) fn main() { block.two = block.one; }
WGSL
cat >swapped.wgsl <<'WGSL'
struct Swapped { one: mat4x2<f32>, two: u32, three: u32 }
@group(0) @binding(0) var<storage, read_write> swapped: Swapped;
@compute @workgroup_size(1) fn main() { swapped.two = u32(swapped.one[3].x); }
WGSL
cat >Cargo.toml <<'TOML'
package = { name = "layouts", edition = "2024" }
build-dependencies = { wgsl_to_wgpu = "=0.19.0", wgsl_bindgen = "=0.23.3" }
dependencies = { bytemuck = { version = "1.25.2", features = ["derive"] }, encase = "=0.13.0" }
TOML
cat >build.rs <<'RUST'
use std::fs::{read_to_string, write};
use wgsl_bindgen::{GlamWgslTypeMap, WgslBindgenOptionBuilder, WgslTypeSerializeStrategy::Bytemuck};
use wgsl_to_wgpu::{WriteOptions, create_shader_module};
// Keeps only the struct and its assertions: the rest needs wgpu.
fn to_wgpu(name: &str, derive_encase_host_shareable: bool, end: &str) {
    let derive_bytemuck_host_shareable = !derive_encase_host_shareable;
    let types = WriteOptions { derive_encase_host_shareable, derive_bytemuck_host_shareable, ..Default::default() };
    let text = create_shader_module(&read_to_string(format!("{name}.wgsl")).unwrap(), "", types).unwrap();
    write(format!("src/{name}.rs"), &text[text.find("#[repr(C)]").unwrap()..text.rfind(end).unwrap() + end.len()]).unwrap();
}
fn main() {
    to_wgpu("block", true, "2],\n}");
    to_wgpu("swapped", false, "does not match WGSL\"\n);");
    let mut bindgen = WgslBindgenOptionBuilder::default();
    bindgen.workspace_root(".").add_entry_point("block.wgsl").serialization_strategy(Bytemuck);
    bindgen.type_map(GlamWgslTypeMap).skip_hash_check(true).output("bindgen.rs").build().unwrap().generate().unwrap();
}
RUST
cat >src/main.rs <<'RUST'
mod block;
mod swapped;
fn main() {
    let place = |member| <block::Block as encase::ShaderType>::METADATA.offset(member);
    let swapped: swapped::Swapped = bytemuck::cast([0u32, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    println!("{} {} {}", place(1), place(2), swapped.one[1][2].to_bits());
}
RUST
seen="$(cargo run --quiet) $(grep -c 'Block, two) == 32' bindgen.rs) $(grep -c '@size\|@align' bindgen.rs || true)"
echo "$seen"
[ "$seen" = "4 8 6 1 0" ] || { echo "another behaviour" >&2; exit 1; }
