#!/usr/bin/env bash
# Offsets and strides of a module that naga writes again as WGSL or as GLSL.
#
# Guess: what naga writes has the offsets of the module that it was given, or naga refuses the module.
# Seen (naga 30.0.2, glslang 12.0.0): its WGSL has neither @size nor @align, nor anything in place of SPIR-V's offsets
# and strides; when it is read again it is valid, with smaller structs. Its GLSL for desktops has no offsets either. Its
# SPIR-V, HLSL and MSL have offsets or padding. For a browser, wgpu 30.0.1 translates SPIR-V, GLSL and naga's modules to
# such WGSL (by its source). So a buffer laid out as in the module is right natively and wrong in a browser, silently.
set -euo pipefail
command -v cargo >/dev/null && command -v glslangValidator >/dev/null || { echo "missing: cargo glslang-tools" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target
mkdir "$folder/src" && cd "$folder"
cat >words.wgsl <<'WGSL'
struct Words { @size(20) one: u32, two: u32, @align(64) three: u32 }
@group(0) @binding(0) var<storage, read_write> words: Words; @compute @workgroup_size(1) fn main() { words.three = words.two; }
WGSL
cat >block.comp <<'GLSL'
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std140) buffer Block { uint one; uint rows[3]; layout(offset = 96) uint last; } block;
void main() { block.last = block.rows[1]; }
GLSL
glslangValidator -V block.comp -o block.spv >/dev/null
echo 'package = { name = "written", edition = "2024" }' >Cargo.toml
echo 'dependencies.naga = { version = "=30.0.2", features = ["wgsl-in", "spv-in", "wgsl-out", "glsl-out"] }' >>Cargo.toml
cat >src/main.rs <<'RUST'
use naga::back::{glsl, wgsl};
use naga::front::{spv, wgsl::parse_str};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

fn check(module: &naga::Module) -> ModuleInfo {
    for (_, kind) in module.types.iter() {
        if let naga::TypeInner::Struct { members, span } = &kind.inner {
            println!("{:?}: {span}", members.iter().map(|member| member.offset).collect::<Vec<_>>());
        }
    }
    Validator::new(ValidationFlags::all(), Capabilities::all()).validate(module).unwrap()
}
fn main() {
    let words = parse_str(include_str!("../words.wgsl")).unwrap();
    let block = spv::parse_u8_slice(include_bytes!("../block.spv"), &Default::default()).unwrap();
    for module in [&words, &block] {
        let info = check(module);
        check(&parse_str(&wgsl::write_string(module, &info, wgsl::WriterFlags::empty()).unwrap()).unwrap());
    }
    let options = glsl::Options { version: glsl::Version::Desktop(460), ..Default::default() };
    let shader_stage = naga::ShaderStage::Compute;
    let entry = glsl::PipelineOptions { shader_stage, entry_point: "main".into(), multiview: None };
    let (mut text, info) = (String::new(), check(&words));
    glsl::Writer::new(&mut text, &words, &info, &options, &entry, Default::default()).unwrap().write().unwrap();
    std::fs::write("words.comp", text).unwrap();
}
RUST
seen="$(cargo run --quiet)
$(glslangValidator -l -q words.comp | grep -oE '(one|two|three): offset [0-9]+')"
echo "$seen"
[ "$(tr '\n' ';' <<<"$seen")" = "[0, 20, 64]: 128;[0, 4, 8]: 12;[0, 16, 96]: 100;[0, 4, 16]: 20;[0, 20, 64]: 128;\
two: offset 4;three: offset 8;" ] || { echo "another behaviour" >&2; exit 1; }
